//! The vertices of a mesh that are near a half-space.

use super::Implied;
use crate::bounds::{Bound, Obb};
use crate::hierarchy::{Child, Hierarchy, Slot};
use crate::lanes::LANES;
use silvia_solid::{Plane, Pose, Vec3};

/// Calls with the vertices of a mesh that can touch a half-space and are nearer to it than `reach`, with what
/// rounding may add; some twice.
pub(super) fn each_vertex_near(
    (mesh, pose): (&Hierarchy<Obb>, &Pose),
    (plane, ground): (&Plane, &Pose),
    (reach, implied): (f64, Implied),
    mut found: impl FnMut(u32),
) {
    let to_ground = ground.inverse().compose(pose);
    let normal = to_ground.inverse().transform_vector(plane.normal);
    let offset = plane.offset - plane.normal.dot(to_ground.translation());
    let limit = offset + reach + 16.0 * f64::EPSILON * (mesh.bounds().magnitude() + offset.abs());
    if implied.enclosed
        && let Some(corners) = mesh.hull_corners()
    {
        let near = corners.iter().filter(|corner| normal.dot(corner.at) <= limit);
        near.for_each(|corner| found(corner.vertex));
        return;
    }
    each_vertex_below(mesh, Slot::ROOT, (normal, limit), &mut found);
}

/// Calls with the vertices under a node that can touch something and are no higher than a limit, m, along a
/// normal.
fn each_vertex_below(
    mesh: &Hierarchy<Obb>,
    slot: Slot,
    (normal, limit): (Vec3, f64),
    found: &mut impl FnMut(u32),
) {
    let child = mesh.child(slot);
    if child.is_leaf() {
        for triangle in mesh.leaf(child).triangles {
            let touching = &mesh.touching()[triangle.id as usize];
            let near = (0..3).filter(|&k| normal.dot(triangle.corners[k]) <= limit);
            near.filter_map(|k| touching.corner(k)?.vertex()).for_each(&mut *found);
        }
        return;
    }
    let node = &mesh.nodes[child.index()];
    for lane in (0..LANES).filter(|&lane| node.child[lane] != Child::NONE) {
        // Bounds are so much larger that rounding does not matter.
        let Obb { center, axes, half } = Obb::unpack(&node.pack, lane);
        let wide: f64 = (0..3).map(|i| half[i] * axes[i].dot(normal).abs()).sum();
        if normal.dot(center) - wide <= limit {
            each_vertex_below(mesh, Slot::new(child.index(), lane), (normal, limit), found);
        }
    }
}
