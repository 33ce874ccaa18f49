//! The point nearest to the origin in an intersection of half-spaces: by taking them one after the other
//! (Seidel 1991).

use silvia_solid::Vec3;

/// The points `x` with `normal . x >= offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct HalfSpace {
    /// Unit length.
    pub(crate) normal: Vec3,
    pub(crate) offset: f64,
}

/// How far outside a half-space a point counts as in it, relative to the largest offset: rounding of the
/// solutions below.
const SLACK: f64 = 1e-13;

/// Normals whose cross product is shorter than this count as parallel: their line of intersection is lost in
/// rounding.
const PARALLEL: f64 = 1e-9;

/// The nearest point to the origin; `None` if no point is in all, or rounding hides the one there is.
pub(crate) fn nearest(spaces: &[HalfSpace]) -> Option<Vec3> {
    let slack = SLACK * spaces.iter().map(|h| h.offset.abs()).fold(0.0, f64::max);
    let mut x = Vec3::ZERO;
    for (i, h) in spaces.iter().enumerate() {
        if h.normal.dot(x) < h.offset - slack {
            x = nearest_on_plane(h, &spaces[..i], slack)?;
        }
    }
    Some(x)
}

fn nearest_on_plane(plane: &HalfSpace, spaces: &[HalfSpace], slack: f64) -> Option<Vec3> {
    let mut x = plane.offset * plane.normal;
    for (i, h) in spaces.iter().enumerate() {
        if h.normal.dot(x) < h.offset - slack {
            x = nearest_on_line(plane, h, &spaces[..i], slack)?;
        }
    }
    Some(x)
}

fn nearest_on_line(p: &HalfSpace, q: &HalfSpace, spaces: &[HalfSpace], slack: f64) -> Option<Vec3> {
    let along = p.normal.cross(q.normal);
    let ll = along.length_squared();
    if ll < PARALLEL * PARALLEL {
        return None;
    }
    // The point of the line nearest to the origin.
    let foot = (p.offset * q.normal.cross(along) + q.offset * along.cross(p.normal)) / ll;
    let along = along / ll.sqrt();
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    for h in spaces {
        let (slope, short) = (h.normal.dot(along), h.offset - h.normal.dot(foot));
        if slope.abs() < PARALLEL {
            if short > slack {
                return None;
            }
        } else if slope > 0.0 {
            low = low.max(short / slope);
        } else {
            high = high.min(short / slope);
        }
    }
    if low > high + slack {
        return None;
    }
    Some(foot + 0f64.clamp(low.min(high), high.max(low)) * along)
}

#[cfg(test)]
mod tests {
    use super::*;
    use seeded::Random;

    /// By trying all vertices, edges and faces of the polyhedron.
    fn brute(spaces: &[HalfSpace]) -> Option<Vec3> {
        let inside = |x: Vec3| spaces.iter().all(|h| h.normal.dot(x) >= h.offset - 1e-9);
        let mut all = vec![Vec3::ZERO];
        for (i, p) in spaces.iter().enumerate() {
            all.push(p.offset * p.normal);
            for (j, q) in spaces.iter().enumerate().take(i) {
                // Least squares on two planes: x = y p + z q.
                let c = p.normal.dot(q.normal);
                let det = 1.0 - c * c;
                let (y, z) = ((p.offset - c * q.offset) / det, (q.offset - c * p.offset) / det);
                all.push(y * p.normal + z * q.normal);
                for r in &spaces[..j] {
                    let m = silvia_solid::Mat3::from_cols(p.normal, q.normal, r.normal).transpose();
                    all.push(m.inverse() * Vec3::new(p.offset, q.offset, r.offset));
                }
            }
        }
        let feasible = all.into_iter().filter(|x| x.is_finite() && inside(*x));
        feasible.min_by(|x, y| x.length().total_cmp(&y.length()))
    }

    #[test]
    fn the_nearest_point_is_the_one_that_trying_all_corners_gives() {
        let mut random = Random::new(3);
        let mut some = 0;
        for _ in 0..2000 {
            let inner = random.vector(2.0);
            let spaces: Vec<HalfSpace> = (0..8)
                .map(|_| {
                    let normal = random.vector(1.0).normalize();
                    HalfSpace { normal, offset: normal.dot(inner) - 0.3 * random.unit() }
                })
                .collect();
            let truth = brute(&spaces).expect("the inner point is in all");
            let found = nearest(&spaces).expect("the inner point is in all");
            assert!(spaces.iter().all(|h| h.normal.dot(found) >= h.offset - 1e-9));
            assert!((found.length() - truth.length()).abs() < 1e-8, "{found} {truth}");
            some += usize::from(truth != Vec3::ZERO);
        }
        assert!(some > 1000);
    }

    #[test]
    fn half_spaces_that_exclude_each_other_have_no_nearest_point() {
        let up = HalfSpace { normal: Vec3::Z, offset: 1.0 };
        let down = HalfSpace { normal: -Vec3::Z, offset: 1.0 };
        assert_eq!(nearest(&[up, down]), None);
    }
}
