//! Whether a leg of a way is free: by a time of impact, which shares nothing with the certificate of a step.

use silvia_proximity::mesh::{Moving, Outcome};
use silvia_proximity::{ImpactError, ImpactOptions, Motion, Shape, ShapeOutcome, mesh, time_of_impact};
use silvia_solid::{Pose, Vec3};

/// A part that stays where it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Still<'a> {
    /// Its number.
    pub(crate) number: usize,
    pub(crate) shape: &'a Shape,
    pub(crate) pose: Pose,
}

/// What becomes of a leg.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Leg {
    Free,
    /// Until this fraction of it, nothing is touched; then this part is.
    Touches {
        fraction: f64,
        other: usize,
    },
}

/// Moves a shape from one pose to another, every vertex straight; a shape that has no vertices, or meets one
/// that has none, moves rigidly.
pub(crate) fn leg(shape: &Shape, [from, to]: [&Pose; 2], others: &[Still<'_>]) -> Result<Leg, ImpactError> {
    let swept = shape.aabb(from).merged(shape.aabb(to));
    let mut first = Leg::Free;
    for other in others {
        let fraction = match (shape.as_mesh(), other.shape.as_mesh()) {
            // Every vertex stays within the box of both ends.
            (Some(_), Some(_)) if !swept.overlaps(&other.shape.aabb(&other.pose)) => None,
            (Some(own), Some(theirs)) => {
                let [still, motion] = [Motion::still(other.pose), Motion::linear(*from, *to)];
                let still = Moving::new(theirs.hierarchy(), &still);
                let moving = Moving::new(own.hierarchy(), &motion);
                let impact = mesh::time_of_impact(&still, &moving, &ImpactOptions::default())?;
                (impact.outcome != Outcome::Free).then_some(impact.lower)
            }
            _ => {
                let [still, motion] = [Motion::still(other.pose), Motion::rigid(*from, *to)];
                let options = ImpactOptions::default();
                let impact = time_of_impact(other.shape, &still, shape, &motion, &options)?;
                (impact.outcome != ShapeOutcome::Free).then_some(impact.lower)
            }
        };
        if let Some(fraction) = fraction
            && !matches!(first, Leg::Touches { fraction: known, .. } if known <= fraction)
        {
            first = Leg::Touches { fraction, other: other.number };
        }
    }
    Ok(first)
}

/// How far a rigid turn about a centre departs from the straight ways of vertices between the poses of a way,
/// at most, m: the sagitta of the arc of the farthest vertex.
pub(crate) fn sag(shape: &Shape, centre: Vec3, path: &[Pose]) -> f64 {
    let reach = match shape.as_mesh() {
        Some(mesh) => {
            let points = mesh.hierarchy().surface().soup().points();
            points.iter().map(|p| p.distance(centre)).fold(0.0, f64::max)
        }
        // Whatever has no vertices is tested as it turns.
        None => 0.0,
    };
    let turn = |ends: &[Pose]| ends[0].rotation().angle_between(ends[1].rotation());
    let most = path.windows(2).map(turn).fold(0.0, f64::max);
    reach * (1.0 - (0.5 * most).cos())
}

#[cfg(test)]
mod tests {
    use super::*;
    use silvia_solid::{Quat, Solid, primitives};

    fn cube(size: f64) -> Shape {
        Shape::solid(Solid::from_soup(&primitives::cuboid(Vec3::splat(size)).unwrap()).unwrap())
    }

    #[test]
    fn the_nearest_thing_in_the_way_is_what_a_leg_touches() {
        let cube = cube(1.0);
        let at = |x: f64| Pose::from_translation(Vec3::new(x, 0.0, 0.0)).unwrap();
        let still = |number, x| Still { number, shape: &cube, pose: at(x) };
        let others = [still(3, 9.0), still(7, 5.0), still(8, -4.0)];
        let Leg::Touches { fraction, other } = leg(&cube, [&at(0.0), &at(10.0)], &others).unwrap() else {
            panic!("it goes through two cubes");
        };
        // Its right face is at 0.5, the left one of the nearer at 4.5.
        assert!(other == 7 && (fraction - 0.4).abs() < 1e-12, "{fraction}");
        assert_eq!(leg(&cube, [&at(0.0), &at(3.9)], &others).unwrap(), Leg::Free);
    }

    #[test]
    fn sag_is_the_height_of_the_arc_over_its_chord() {
        let turned = Pose::new(Vec3::ZERO, Quat::from_rotation_z(0.2)).unwrap();
        let reach = 0.5 * 3_f64.sqrt();
        let arc = reach - reach * 0.1_f64.cos();
        assert!((sag(&cube(1.0), Vec3::ZERO, &[Pose::IDENTITY, turned]) - arc).abs() < 1e-9);
    }
}
