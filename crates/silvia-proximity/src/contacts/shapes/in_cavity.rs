//! Contacts in a cavity: the points of the other shape that can be farthest from its centre.

use super::super::pair::{ContactState, PlacedMesh};
use super::Implied;
use super::round::{end, rim};
use crate::bounds::{Bound, Obb};
use crate::contacts::tuning;
use crate::feature::Feature;
use crate::hierarchy::{Child, Hierarchy, Slot};
use crate::lanes::LANES;
use crate::shape::{Cavity, Core, Shape};
use silvia_solid::{Pose, Vec3};

/// Calls with the vertices of a mesh that can touch a cavity and are nearer to its surface than `reach`, with
/// what rounding may add; some twice.
pub(super) fn each_vertex_near(
    (mesh, pose): (&Hierarchy<Obb>, &Pose),
    (cavity, bowl): (&Cavity, &Pose),
    (reach, implied): (f64, Implied),
    mut found: impl FnMut(u32),
) {
    let center = pose.inverse().transform_point(bowl.translation());
    let size = cavity.radius() + mesh.bounds().magnitude() + center.length();
    let limit = cavity.radius() - reach - 16.0 * f64::EPSILON * size;
    if implied.enclosed
        && let Some(corners) = mesh.hull_corners()
    {
        let near = corners.iter().filter(|corner| corner.at.distance(center) >= limit);
        near.for_each(|corner| found(corner.vertex));
        return;
    }
    let mut stack = vec![Slot::ROOT];
    while let Some(slot) = stack.pop() {
        let child = mesh.child(slot);
        if child.is_leaf() {
            for triangle in mesh.leaf(child).triangles {
                let touching = &mesh.touching()[triangle.id as usize];
                let near = (0..3).filter(|&k| triangle.corners[k].distance(center) >= limit);
                near.filter_map(|k| touching.corner(k)?.vertex()).for_each(&mut found);
            }
            continue;
        }
        let node = &mesh.nodes[child.index()];
        for lane in (0..LANES).filter(|&lane| node.child[lane] != Child::NONE) {
            // Bounds are so much larger that rounding does not matter.
            let bound = Obb::unpack(&node.pack, lane);
            if bound.center.distance(center) + Vec3::from(bound.half).length() >= limit {
                stack.push(Slot::new(child.index(), lane));
            }
        }
    }
}

/// A part of a round shape in a cavity, which counts as the first.
pub(super) fn of_round(
    (cavity, bowl): (&Cavity, &Pose),
    (round, pose): (&Shape, &Pose),
    low: Feature,
) -> ContactState {
    let (at, margin) = farthest(round, pose, low, bowl.translation());
    at_point(cavity, bowl, at, margin)
}

/// A vertex of a mesh in a cavity, which counts as the first.
pub(super) fn of_vertex(
    (cavity, bowl): (&Cavity, &Pose),
    (mesh, pose): (&Hierarchy<Obb>, &Pose),
    vertex: Feature,
) -> ContactState {
    let Feature::Vertex(vertex) = vertex else { return ContactState::NONE };
    let Some(&at) = mesh.surface().soup().points().get(vertex as usize) else { return ContactState::NONE };
    let mut state = at_point(cavity, bowl, pose.transform_point(at), 0.0);
    let placed = PlacedMesh { body: mesh, pose: *pose };
    let lowest = placed.lowest_side(vertex, state.normal, -tuning::NEARLY);
    (state.holds, state.nearly) = (lowest.is_some_and(|lowest| lowest >= -tuning::LEVEL), lowest.is_some());
    state
}

/// A point with what is within a margin of it.
fn at_point(cavity: &Cavity, bowl: &Pose, at: Vec3, margin: f64) -> ContactState {
    let center = bowl.translation();
    let outward = (at - center).normalize_or(Vec3::X);
    ContactState {
        points: [center + cavity.radius() * outward, at + margin * outward],
        normal: -outward,
        gap: (cavity.radius() - margin) - at.distance(center),
        holds: true,
        nearly: true,
    }
}

/// The point of a part of a round shape, without its margin, that is farthest from a centre, and that margin.
fn farthest(shape: &Shape, pose: &Pose, feature: Feature, center: Vec3) -> (Vec3, f64) {
    if let Some((at, radius)) = end(shape, feature) {
        return (pose.transform_point(at), radius);
    }
    let seen = pose.inverse().transform_point(center);
    if let Shape::Ellipsoid(ellipsoid) = shape {
        let (at, _) = Core::Ellipsoid(ellipsoid.semi_axes()).farthest_from(seen);
        return (pose.transform_point(at), 0.0);
    }
    let (radius, middle) = rim(shape, feature);
    let aside = -(seen - middle).with_z(0.0).try_normalize().unwrap_or(-Vec3::X);
    (pose.transform_point(middle + radius * aside), 0.0)
}
