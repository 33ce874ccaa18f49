//! How deep two convex shapes are in each other.

use super::core::{Core, Rounded};
use super::curved::{self, CoreDepth};
use super::gjk::{PlacedCore, TOUCH, closest};
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
            let (depth, outward) = way_out(&a.core, a.local_point(b.support(Vec3::X)))?;
            (depth, a.outward(outward))
        }
        (Core::Points([_]), _) => {
            let (depth, outward) = way_out(&b.core, b.local_point(a.support(Vec3::X)))?;
            (depth, -b.outward(outward))
        }
        (
            Core::Points(_)
            | Core::Axis(_)
            | Core::Box(_)
            | Core::Cylinder { .. }
            | Core::Cone { .. }
            | Core::Solid(_),
            _,
        ) => return None,
    };
    Some(CoreDepth { lower: depth, depth, direction })
}

/// How far a point inside a core is from its surface, m, and the unit normal there; `None` of cores without
/// volume.
fn way_out(core: &Core<'_>, p: Vec3) -> Option<(f64, Vec3)> {
    let nearer = |x: (f64, Vec3), y: (f64, Vec3)| if y.0 < x.0 { y } else { x };
    let aside = p.truncate().extend(0.0);
    let radial = aside.try_normalize().unwrap_or(Vec3::X);
    let (depth, normal) = match *core {
        Core::Points(_) | Core::Axis(_) => return None,
        Core::Box(half) => {
            let face = |k: usize| (half[k] - p[k].abs(), Vec3::AXES[k] * 1f64.copysign(p[k]));
            nearer(nearer(face(0), face(1)), face(2))
        }
        Core::Cylinder { radius, half } => {
            let end = (half - p.z.abs(), Vec3::Z * 1f64.copysign(p.z));
            nearer(end, (radius - aside.length(), radial))
        }
        Core::Cone { radius, half } => {
            let slant = Vec3::new(2.0 * half, 0.0, radius).normalize();
            let side = slant.x * radial + slant.z * Vec3::Z;
            nearer((p.z + half, -Vec3::Z), ((half - p.z) * slant.z - aside.length() * slant.x, side))
        }
        Core::Solid(convex) => {
            let face = |plane: &silvia_solid::Plane| (-plane.distance(p), plane.normal);
            convex.planes().iter().map(face).fold((f64::INFINITY, Vec3::X), nearer)
        }
    };
    Some((depth.max(0.0), normal))
}
