//! Classifies edges as ridges or grooves, and finds the vertices that stick out.

use crate::Vec3;

/// How the material bends at an edge between two faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EdgeClass {
    /// The material fills less than half the space around the edge: the edge can touch another body.
    Convex,
    /// The material fills more than half: a body cannot touch the edge without touching a face first.
    Concave,
    /// The faces continue each other.
    Flat,
}

/// Two faces continue each other if the sine of the angle between their normals is below this.
const FLAT_SINE: f64 = 1e-12;

/// A side with at least this slope falls from a vertex by more than rounding.
const STEEP: f64 = 1e-3;

/// The class of an edge along `direction` (as it runs in the first face, any length), between faces with unit
/// normals `first` and `second`. `rise` is the height of the second face's far corner above the first face's
/// plane; it decides when the faces fold back on each other and the normals are no help.
pub(crate) fn edge_class(direction: Vec3, first: Vec3, second: Vec3, rise: f64) -> EdgeClass {
    let sine = first.cross(second).dot(direction.normalize_or_zero());
    if sine > FLAT_SINE {
        EdgeClass::Convex
    } else if sine < -FLAT_SINE {
        EdgeClass::Concave
    } else if first.dot(second) > 0.0 {
        EdgeClass::Flat
    } else if rise <= 0.0 {
        EdgeClass::Convex
    } else {
        EdgeClass::Concave
    }
}

/// Whether a vertex sticks out of the material: some plane touches the nearby material at this vertex only.
///
/// `sides` are the vectors (m) along all triangle sides from the vertex, with their classes. Sides inside a
/// face are flat; they count because a face with a reflex corner here reaches around the vertex. The vertex
/// must stick out over every neighbour by more than `tolerance` (m) or, over near ones, by a slope of
/// [`STEEP`]. Otherwise rounding would turn points on straight edges into corners.
pub(crate) fn is_extremal(sides: &[(Vec3, EdgeClass)], tolerance: f64) -> bool {
    let edges = || sides.iter().filter(|(_, class)| *class != EdgeClass::Flat);
    if edges().count() < 3 {
        return false;
    }
    let falls_away = |axis: Vec3| sides.iter().all(|&(e, _)| e.dot(axis) > tolerance.min(STEEP * e.length()));
    // At most corners the mean direction will do; search for the best axis only where it does not.
    let mean: Vec3 = sides.iter().map(|&(e, _)| e.normalize_or_zero()).sum::<Vec3>().normalize_or_zero();
    let axis = if falls_away(mean) {
        mean
    } else {
        let directions: Vec<Vec3> = sides.iter().map(|&(e, _)| e.normalize_or_zero()).collect();
        match hemisphere(&directions) {
            Some(axis) if falls_away(axis) => axis,
            _ => return false,
        }
    };
    // All sides lie in a cone about the axis, and the side furthest from the axis is on the cone's hull. It
    // is convex if the material is inside the cone, and concave if the vertex is the bottom of a pit.
    let slope = |(e, _): &(Vec3, EdgeClass)| e.normalize_or_zero().dot(axis);
    edges().min_by(|a, b| slope(a).total_cmp(&slope(b))).is_some_and(|&(_, class)| class == EdgeClass::Convex)
}

/// A unit vector at an acute angle to all the given unit vectors: the centre of the smallest cap around them.
/// `None` if there is none.
///
/// Incremental: a vector outside the current cap lies on the border of the next one. Two or three vectors
/// determine a cap.
fn hemisphere(vectors: &[Vec3]) -> Option<Vec3> {
    let mut cap = vectors[0];
    let mut cosine = 1.0;
    for (i, &p) in vectors.iter().enumerate() {
        if cap.dot(p) >= cosine {
            continue;
        }
        (cap, cosine) = (p, 1.0);
        for (j, &q) in vectors[..i].iter().enumerate() {
            if cap.dot(q) >= cosine {
                continue;
            }
            cap = (p + q).try_normalize()?;
            cosine = cap.dot(p).min(cap.dot(q));
            for &r in &vectors[..j] {
                if cap.dot(r) >= cosine {
                    continue;
                }
                // If two of the three are equal, the cap is that of a pair.
                let normal = (q - p).cross(r - p).try_normalize().or_else(|| (p + r).try_normalize())?;
                cap = if normal.dot(p) < 0.0 { -normal } else { normal };
                cosine = cap.dot(p).min(cap.dot(q)).min(cap.dot(r));
            }
        }
    }
    vectors.iter().all(|v| v.dot(cap) > 0.0).then_some(cap)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_corner_of_a_cube_sticks_out_and_the_corner_of_a_room_does_not() {
        let edges = |class| [(Vec3::X, class), (Vec3::Y, class), (Vec3::Z, class)];
        assert!(is_extremal(&edges(EdgeClass::Convex), 1e-6));
        assert!(!is_extremal(&edges(EdgeClass::Concave), 1e-6));
    }

    #[test]
    fn a_point_on_a_straight_edge_does_not_stick_out() {
        let c = EdgeClass::Convex;
        assert!(!is_extremal(&[(Vec3::X, c), (Vec3::NEG_X, c)], 1e-6));
        let nearly =
            [(Vec3::new(1.0, 1e-7, 0.0), c), (Vec3::new(-1.0, 1e-7, 0.0), c), (Vec3::new(1.0, 0.0, 1e-7), c)];
        assert!(!is_extremal(&nearly, 1e-6));
    }

    #[test]
    fn a_saddle_does_not_stick_out() {
        let up = Vec3::new(1.0, 0.0, 0.3);
        let down = Vec3::new(0.0, 1.0, -0.3);
        let mirrored = |v: Vec3| Vec3::new(-v.x, -v.y, v.z);
        let edges = [
            (up, EdgeClass::Concave),
            (down, EdgeClass::Convex),
            (mirrored(up), EdgeClass::Concave),
            (mirrored(down), EdgeClass::Convex),
        ];
        assert!(!is_extremal(&edges, 1e-6));
    }

    fn unit() -> impl Strategy<Value = Vec3> {
        (-1.0..1.0f64, -1.0..1.0f64, -1.0..1.0f64)
            .prop_filter_map("too short", |(x, y, z)| Vec3::new(x, y, z).try_normalize())
    }

    proptest! {
        /// Oracle: the best of all caps through one, two or three of the vectors.
        #[test]
        fn a_hemisphere_is_found_exactly_when_there_is_one(
            vectors in prop::collection::vec(unit(), 1..9), lift in 0.0..1.5f64,
        ) {
            let vectors: Vec<Vec3> =
                vectors.iter().filter_map(|v| (*v + lift * Vec3::Z).try_normalize()).collect();
            prop_assume!(!vectors.is_empty());
            let margin = |n: Vec3| vectors.iter().map(|v| v.dot(n)).fold(f64::INFINITY, f64::min);
            let mut best = f64::NEG_INFINITY;
            for &p in &vectors {
                best = best.max(margin(p));
                for &q in &vectors {
                    best = best.max(margin((p + q).normalize_or_zero()));
                    for &r in &vectors {
                        let n = (q - p).cross(r - p).normalize_or_zero();
                        best = best.max(margin(n)).max(margin(-n));
                    }
                }
            }
            prop_assume!(best.abs() > 1e-9);
            match hemisphere(&vectors) {
                Some(n) => {
                    prop_assert!((margin(n) - best).abs() < 1e-9, "{} but {best} is possible", margin(n))
                }
                None => prop_assert!(best < 0.0, "there is one with {best}"),
            }
        }
    }
}
