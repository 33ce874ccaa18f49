//! A round part against a mesh: through the hierarchy to the triangles that are near the way, and one by one with these.

use super::mover::{Mover, PartWay};
use super::pair::{Look, Pair};
use crate::bounds::{Bound, Obb};
use crate::hierarchy::{Child, Hierarchy, LeafTriangle, Slot, Surface};
use crate::impact::sweep::{Sweep, passing, turned, unit};
use crate::lanes::{LANES, Lanes, Lanes3};
use crate::shape::{Shape, is_inside, shape_box};
use silvia_solid::{Mat3, Vec3};

/// What a mesh and a round part do first.
pub(super) enum Met<'a> {
    /// The round part comes to this triangle.
    Triangle(Look<'a>, &'a LeafTriangle),
    /// All of the round part is inside at the start; a point of it, in the frame of the mesh.
    Inside(Vec3),
}

/// The first touch by the fraction `limit` of the path, the mesh being the first of the pair.
pub(super) fn first_touch<'a>(
    mesh: &'a Hierarchy<Obb>,
    way: &PartWay,
    shape: &'a Shape,
    round: &Mover<'a>,
    round_way: &PartWay,
    limit: f64,
    work: &mut u64,
) -> Option<Met<'a>> {
    let frames = [0, 1].map(|i| way.poses[i].inverse().compose(&round_way.poses[i]));
    let [Some(start), Some(end)] = frames.map(|pose| shape_box(shape, &pose)) else { return None };
    let sweep = SweptBox::new(mesh, way, round_way, [start, end]);
    let mut limit = limit;
    let mut first = None;
    let mut stack = vec![(0.0, Slot::ROOT)];
    while let Some((free_until, slot)) = stack.pop() {
        if free_until > limit {
            continue;
        }
        let child = mesh.child(slot);
        if !child.is_leaf() {
            *work += 1;
            let free = sweep.free_until(child.index());
            let mut order: [usize; LANES] = [0, 1, 2, 3];
            order.sort_unstable_by(|&i, &j| free[j].total_cmp(&free[i]));
            let near = order.into_iter().filter(|&lane| free[lane] <= limit);
            stack.extend(near.map(|lane| (free[lane], Slot::new(child.index(), lane))));
            continue;
        }
        for triangle in mesh.leaf(child).triangles {
            *work += 1;
            let flat = Mover::corners(&triangle.corners, 0.0, way);
            let pair = Pair::new(&flat, round, None);
            if pair.is_parted_by_face() {
                continue;
            }
            if let Some(look) = pair.first_touch(limit, work)
                && (look.time < limit || first.is_none())
            {
                limit = look.time;
                first = Some(Met::Triangle(look, triangle));
            }
        }
    }
    if !matches!(&first, Some(Met::Triangle(look, _)) if look.time <= 0.0)
        && matches!(mesh.surface(), Surface::Solid(_))
    {
        // As it meets no triangle at the start, all of it is inside or none.
        let p = frames[0].transform_point(point_of(shape));
        if is_inside(mesh, p) {
            return Some(Met::Inside(p));
        }
    }
    first
}

/// A point of a round part, in its frame, m.
fn point_of(shape: &Shape) -> Vec3 {
    match shape {
        Shape::Point(point) => point.at(),
        Shape::Segment(segment) => segment.ends()[0],
        _ => Vec3::ZERO,
    }
}

/// A box around the round part at the start and at the end, in the frame of the mesh then.
struct SweptBox<'a> {
    mesh: &'a Hierarchy<Obb>,
    boxes: [Obb; 2],
    /// Takes a direction in the mesh's frame at the start to the same direction in that at the end.
    turn: Mat3,
    /// What rounding can do to a gap, m.
    slack: f64,
}

impl<'a> SweptBox<'a> {
    fn new(mesh: &'a Hierarchy<Obb>, way: &PartWay, round_way: &PartWay, boxes: [Obb; 2]) -> SweptBox<'a> {
        /// What placing bounds and measuring gaps can lose, as a fraction of the coordinates.
        const ROUNDING: f64 = 64.0 * f64::EPSILON;
        let [start, end] = way.poses.map(|pose| pose.matrix());
        let far = |way: &PartWay| way.poses.map(|p| p.translation().length()).into_iter().fold(0.0, f64::max);
        let sizes: f64 = boxes.iter().map(Bound::size).sum();
        let slack = ROUNDING * (2.0 * mesh.magnitude + far(way) + far(round_way) + 2.0 * sizes);
        SweptBox { mesh, boxes, turn: end.transpose() * start, slack }
    }

    /// Until when each child of a node and the box are certainly apart; infinite for those that are throughout, and for lanes
    /// not in use.
    fn free_until(&self, node: usize) -> [f64; LANES] {
        let node = &self.mesh.nodes[node];
        let packs = [&node.pack; 2];
        let mut sweep = Sweep {
            turn: &self.turn,
            axes: &[Vec3::ZERO; 2],
            bends: [Lanes::splat(0.0); 2],
            order: [0, 1],
            margin: self.slack,
            until: Lanes::splat(0.0),
            after: Lanes::splat(1.0),
        };
        let mut n = unit(Lanes3::of_rows(&Obb::directions(packs[0], &self.boxes[0])));
        sweep.along::<Obb>(packs, &self.boxes, &n, &turned(&self.turn, &n));
        if !sweep.is_free() {
            let at_end = unit(Lanes3::of_rows(&Obb::directions(packs[1], &self.boxes[1])));
            n = turned(&self.turn.transpose(), &at_end);
            sweep.along::<Obb>(packs, &self.boxes, &n, &at_end);
        }
        if !sweep.is_free() {
            n = unit(passing::<Obb>(packs, &self.boxes, &self.turn));
            sweep.along::<Obb>(packs, &self.boxes, &n, &turned(&self.turn, &n));
        }
        let rounded_down = |s: f64| if s > 1.0 { f64::INFINITY } else { s * (1.0 - 4.0 * f64::EPSILON) };
        let mut free = sweep.until.0.map(rounded_down);
        for (free, child) in free.iter_mut().zip(&node.child) {
            if *child == Child::NONE {
                *free = f64::INFINITY;
            }
        }
        free
    }
}
