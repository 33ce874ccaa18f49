//! Boxes around shapes.

use super::Shape;
use super::core::{Class, Core, Rounded};
use silvia_solid::{Aabb, Mat3, Pose, Vec3};

/// How much a box is widened so that it encloses whatever the rounding, as a fraction of the size of its
/// coordinates.
const WIDENING: f64 = 8.0 * f64::EPSILON;

impl Shape {
    /// The box along the axes around the shape at a pose. For convex shapes it is the smallest, to
    /// rounding; for solids and soups it encloses their own box. The box of a half-space is infinite,
    /// except towards its normal if that is along an axis; that of a cavity is so everywhere, and that of a
    /// compound that has one.
    pub fn aabb(&self, pose: &Pose) -> Aabb {
        match self.class() {
            Class::Rounded(Rounded { core: Core::Box(half), margin }) => {
                let half = abs(pose.matrix()) * half + margin;
                widened(Aabb { min: pose.translation() - half, max: pose.translation() + half })
            }
            Class::Rounded(rounded) => {
                let back = pose.rotation().conjugate();
                let along = |axis: Vec3| axis.dot(pose.transform_vector(rounded.core.support(back * axis)));
                let reach = |sign: f64| {
                    Vec3::new(along(sign * Vec3::X), along(sign * Vec3::Y), along(sign * Vec3::Z))
                        + rounded.margin
                };
                let (low, high) = (-reach(-1.0), reach(1.0));
                widened(Aabb { min: pose.translation() + low, max: pose.translation() + high })
            }
            Class::HalfSpace(s) => {
                let normal = pose.transform_vector(s.plane.normal);
                let offset = s.plane.offset + normal.dot(pose.translation());
                let mut bounds = Aabb { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY };
                for k in 0..3 {
                    if normal[k] == 1.0 {
                        bounds.max[k] = offset;
                    } else if normal[k] == -1.0 {
                        bounds.min[k] = -offset;
                    }
                }
                widened(bounds)
            }
            Class::Cavity(_) => Aabb { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY },
            Class::Mesh(s) => turned(&s.hierarchy.bounds(), pose),
            Class::Compound(s) => s
                .parts()
                .iter()
                .map(|part| part.shape.aabb(&pose.compose(&part.pose)))
                .fold(Aabb::EMPTY, Aabb::merged),
        }
    }

    /// The greatest distance of a point of the shape from the origin of its frame, or a bound on it, m;
    /// infinite for a half-space and a cavity.
    pub fn reach(&self) -> f64 {
        match self.class() {
            Class::Rounded(rounded) => rounded.core.reach() + rounded.margin,
            Class::HalfSpace(_) | Class::Cavity(_) => f64::INFINITY,
            Class::Mesh(s) => {
                let bounds = s.hierarchy.bounds();
                bounds.min.abs().max(bounds.max.abs()).length()
            }
            Class::Compound(s) => s
                .parts()
                .iter()
                .map(|part| part.pose.translation().length() + part.shape.reach())
                .fold(0.0, f64::max),
        }
    }
}

/// The box around a box at a pose.
pub(super) fn turned(bounds: &Aabb, pose: &Pose) -> Aabb {
    let half = abs(pose.matrix()) * (0.5 * bounds.size());
    let middle = pose.transform_point(bounds.center());
    widened(Aabb { min: middle - half, max: middle + half })
}

/// The absolute values of the entries.
fn abs(m: Mat3) -> Mat3 {
    Mat3::from_cols(m.x_axis.abs(), m.y_axis.abs(), m.z_axis.abs())
}

fn widened(bounds: Aabb) -> Aabb {
    let finite = |x: f64| if x.is_finite() { x.abs() } else { 0.0 };
    let all = [bounds.min, bounds.max].into_iter().flat_map(|p| p.to_array());
    let slack = WIDENING * all.map(finite).fold(0.0, f64::max);
    Aabb { min: bounds.min - slack, max: bounds.max + slack }
}
