//! The truth about two convex bodies, by trying everything.

use silvia::solid::Vec3;

/// A body where it is.
pub(crate) struct Placed {
    pub(crate) points: Vec<Vec3>,
    pub(crate) triangles: Vec<[u32; 3]>,
}

/// What is true of two bodies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Truth {
    /// 0 if they penetrate, m.
    pub(crate) distance: f64,
    /// The largest gap between them along any axis that matters, m: their depth if negative.
    pub(crate) gap: f64,
}

impl Truth {
    pub(crate) fn of(a: &Placed, b: &Placed) -> Truth {
        let gap = largest_gap(a, b);
        let distance = if gap > 0.0 { least_distance(a, b) } else { 0.0 };
        Truth { distance, gap }
    }
}

impl Truth {
    /// What two points, one of each body, prove about bodies too large to try everything: no two points are
    /// nearer than the extents of the bodies along the way from one to the other are apart. Nothing if the
    /// points are too near each other for the way to be precise.
    pub(crate) fn by_plane(a: &Placed, b: &Placed, [p, q]: [Vec3; 2], precise: f64) -> Option<Truth> {
        let way = (q - p).try_normalize().filter(|_| p.distance(q) > precise)?;
        let gap = b.extent(way)[0] - a.extent(way)[1];
        Some(Truth { distance: gap.max(0.0), gap })
    }
}

/// The largest gap of the bodies' extents over all normals of triangles and cross products of sides.
fn largest_gap(a: &Placed, b: &Placed) -> f64 {
    let mut largest = f64::NEG_INFINITY;
    let mut try_axis = |axis: Vec3| {
        if let Some(axis) = axis.try_normalize() {
            let [low_a, high_a] = a.extent(axis);
            let [low_b, high_b] = b.extent(axis);
            largest = largest.max(low_b - high_a).max(low_a - high_b);
        }
    };
    a.normals().chain(b.normals()).for_each(&mut try_axis);
    let sides_b = b.sides();
    for [p, q] in a.sides() {
        for [r, s] in &sides_b {
            let (u, v) = (q - p, *s - *r);
            let axis = u.cross(v);
            // Of nearly parallel sides the cross product is rounding; the normals do for them.
            if axis.length_squared() > 1e-16 * u.length_squared() * v.length_squared() {
                try_axis(axis);
            }
        }
    }
    largest
}

fn least_distance(a: &Placed, b: &Placed) -> f64 {
    let mut least = f64::INFINITY;
    for (one, other) in [(a, b), (b, a)] {
        for &p in &one.points {
            for t in &other.triangles {
                least = least.min(point_triangle(p, t.map(|i| other.points[i as usize])));
            }
        }
    }
    let sides_b = b.sides();
    for s in a.sides() {
        for &t in &sides_b {
            least = least.min(line_line(s, t));
        }
    }
    least
}

/// The nearest point of each side and, if it is within, the foot of the perpendicular. In a thin triangle
/// rounding puts the foot a little aside, so the height is measured from there along the normal, where that
/// does not matter.
fn point_triangle(p: Vec3, t: [Vec3; 3]) -> f64 {
    let side = |i: usize| point_segment(p, [t[i], t[(i + 1) % 3]]);
    let least = side(0).min(side(1)).min(side(2));
    let n = (t[1] - t[0]).cross(t[2] - t[0]);
    let weight = [0, 1, 2].map(|i| (t[(i + 2) % 3] - t[(i + 1) % 3]).cross(p - t[(i + 1) % 3]).dot(n));
    if weight.iter().any(|&w| w < 0.0) {
        return least;
    }
    let foot = (weight[0] * t[0] + weight[1] * t[1] + weight[2] * t[2]) / weight.iter().sum::<f64>();
    let height = (p - foot).dot(thin_normal(t));
    least.min(height.abs())
}

/// The unit normal from the two shorter sides: of two long ones that are nearly parallel it would be mostly
/// rounding.
fn thin_normal(t: [Vec3; 3]) -> Vec3 {
    let mut sides = [t[1] - t[0], t[2] - t[1], t[0] - t[2]];
    sides.sort_by(|u, v| u.length_squared().total_cmp(&v.length_squared()));
    sides[0].cross(sides[1]).normalize_or_zero()
}

fn point_segment(p: Vec3, [a, b]: [Vec3; 2]) -> f64 {
    let u = b - a;
    p.distance(a + ((p - a).dot(u) / u.dot(u)).clamp(0.0, 1.0) * u)
}

/// The common perpendicular of two segments where it meets both; otherwise an end is nearest, and found
/// elsewhere.
fn line_line(s: [Vec3; 2], t: [Vec3; 2]) -> f64 {
    let (u, v, w) = (s[1] - s[0], t[1] - t[0], t[0] - s[0]);
    let n = u.cross(v);
    let square = n.dot(n);
    let (x, y) = (w.cross(v).dot(n) / square, w.cross(u).dot(n) / square);
    if (0.0..=1.0).contains(&x) && (0.0..=1.0).contains(&y) {
        (s[0] + x * u).distance(t[0] + y * v)
    } else {
        f64::INFINITY
    }
}

impl Placed {
    fn extent(&self, axis: Vec3) -> [f64; 2] {
        let heights = self.points.iter().map(|p| p.dot(axis));
        heights.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], h| [low.min(h), high.max(h)])
    }

    fn corners(&self) -> impl Iterator<Item = [Vec3; 3]> + '_ {
        self.triangles.iter().map(|t| t.map(|i| self.points[i as usize]))
    }

    fn normals(&self) -> impl Iterator<Item = Vec3> + '_ {
        self.corners().map(|[a, b, c]| (b - a).cross(c - a))
    }

    /// Each side once.
    fn sides(&self) -> Vec<[Vec3; 2]> {
        let sides = self.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        sides.filter(|[a, b]| a < b).map(|side| side.map(|i| self.points[i as usize])).collect()
    }
}
