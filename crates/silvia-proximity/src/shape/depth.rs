//! How deep two convex shapes are in each other.

use super::core::{Core, Rounded};
use super::curved::{self, CoreDepth};
use super::ellipsoid;
use super::gjk::{PlacedCore, TOUCH, closest};
use crate::feature::Feature;
use silvia_solid::{Pose, Vec3};

/// The shortest way out of each other, in the frame of the first; `None` if they share no point.
///
/// If only the margins overlap, the nearest points of the cores tell it. If the cores do, it is the way out
/// of the cores and then the margins.
pub(super) fn depth(a: &Rounded<'_>, b: &Rounded<'_>, b_in_a: &Pose) -> Option<CoreDepth> {
    let margin = a.margin + b.margin;
    let (placed_a, placed_b) = (PlacedCore::here(a.core), PlacedCore::at(b.core, b_in_a));
    let size = placed_a.magnitude() + placed_b.magnitude() + margin;
    let cores = match point_in_core(&placed_a, &placed_b) {
        // No search is as sure as the closed form: it may stall at a rim.
        Some(inside) if inside.depth > 0.0 => inside,
        on_or_outside => {
            let near = closest(&placed_a, &placed_b, margin + TOUCH * size);
            if near.upper > margin + TOUCH * size {
                return None;
            }
            if near.upper > 0.0 && parts(&placed_a, &placed_b, near.direction, TOUCH * size) {
                // Moving back until they touch, then by the margins.
                CoreDepth { lower: -near.upper, depth: -near.lower, direction: near.direction }
            } else {
                on_or_outside.unwrap_or_else(|| curved::depth(&placed_a, &placed_b))
            }
        }
    };
    Some(CoreDepth {
        lower: (cores.lower + margin).max(0.0),
        depth: (cores.depth + margin).max(0.0),
        direction: cores.direction,
    })
}

/// Whether a plane across a direction has the cores on its two sides, to rounding. Of cores that all but
/// touch, the direction between their nearest points may be noise.
fn parts(a: &PlacedCore<'_>, b: &PlacedCore<'_>, direction: Vec3, rounding: f64) -> bool {
    direction != Vec3::ZERO && (a.support(direction) - b.support(-direction)).dot(direction) <= rounding
}

/// The way out if one of the cores is a point, in closed form.
fn point_in_core(a: &PlacedCore<'_>, b: &PlacedCore<'_>) -> Option<CoreDepth> {
    let (depth, direction) = match (&a.core, &b.core) {
        (_, Core::Points([_])) => {
            let (depth, outward, _) = way_out(&a.core, a.local_point(b.support(Vec3::X)))?;
            (depth, a.outward(outward))
        }
        (Core::Points([_]), _) => {
            let (depth, outward, _) = way_out(&b.core, b.local_point(a.support(Vec3::X)))?;
            (depth, -b.outward(outward))
        }
        (
            Core::Points(_)
            | Core::Axis(_)
            | Core::Box(_)
            | Core::Cylinder { .. }
            | Core::Cone { .. }
            | Core::Ellipsoid(_)
            | Core::Solid(_),
            _,
        ) => return None,
    };
    Some(CoreDepth { lower: depth, depth, direction })
}

/// How far a point inside a core is from its surface, m, and the unit normal and the feature there; `None` of
/// cores without volume.
pub(super) fn way_out(core: &Core<'_>, p: Vec3) -> Option<(f64, Vec3, Feature)> {
    type Way = (f64, Vec3, Feature);
    let nearer = |x: Way, y: Way| if y.0 < x.0 { y } else { x };
    let aside = p.truncate().extend(0.0);
    let radial = aside.try_normalize().unwrap_or(Vec3::X);
    let side = Feature::Patch(0);
    let (depth, normal, feature) = match *core {
        Core::Points(_) | Core::Axis(_) => return None,
        Core::Box(half) => {
            let face = |k: usize| {
                let number = 2 * k as u32 + u32::from(p[k].is_sign_positive());
                (half[k] - p[k].abs(), Vec3::AXES[k] * 1f64.copysign(p[k]), Feature::Face(number))
            };
            nearer(nearer(face(0), face(1)), face(2))
        }
        Core::Cylinder { radius, half } => {
            let number = u32::from(p.z.is_sign_positive());
            let end = (half - p.z.abs(), Vec3::Z * 1f64.copysign(p.z), Feature::Face(number));
            nearer(end, (radius - aside.length(), radial, side))
        }
        Core::Cone { radius, half } => {
            let slant = Vec3::new(2.0 * half, 0.0, radius).normalize();
            let out = slant.x * radial + slant.z * Vec3::Z;
            let base = (p.z + half, -Vec3::Z, Feature::Face(0));
            nearer(base, ((half - p.z) * slant.z - aside.length() * slant.x, out, side))
        }
        Core::Ellipsoid(semi_axes) => {
            let (distance, normal) = ellipsoid::signed_distance(semi_axes, p);
            (-distance, normal, side)
        }
        Core::Solid(convex) => {
            let features = &convex.data.face_features;
            let face = |(plane, feature): (&silvia_solid::Plane, &Feature)| {
                (-plane.distance(p), plane.normal, *feature)
            };
            convex.planes().iter().zip(features).map(face).fold((f64::INFINITY, Vec3::X, side), nearer)
        }
    };
    Some((depth.max(0.0), normal, feature))
}
