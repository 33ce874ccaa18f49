//! A round part against a mesh: through the hierarchy to the triangles that are near the way, and one by one
//! with these.

use super::mover::{Mover, PartWay, Still};
use super::pair::{Pair, Touch, first_zero_of};
use super::path::MeshEnds;
use crate::bounds::{Bound, Obb};
use crate::hierarchy::{Child, Slot, Surface};
use crate::impact::sweep::{Sweep, passing, turned, unit};
use crate::lanes::{LANES, Lanes, Lanes3};
use crate::shape::{Shape, is_inside, shape_box};
use silvia_solid::{Mat3, Vec3};

/// What a mesh and a round part do first.
pub(super) enum Met<'a> {
    /// The round part comes to this triangle, by its position among those of the leaves.
    Triangle(Box<Touch<'a>>, usize),
    /// All of the round part is inside at the start; a point of it, in the frame of the mesh.
    Inside(Vec3),
}

/// The first touch by the fraction `limit` of the path, the mesh being the first of the pair.
pub(super) fn first_touch<'a>(
    mesh: MeshEnds<'a>,
    way: &PartWay,
    shape: &'a Shape,
    round: &Mover<'a>,
    round_way: &PartWay,
    limit: f64,
    work: &mut u64,
) -> Option<Met<'a>> {
    let frames = [0, 1].map(|i| way.poses[i].inverse().compose(&round_way.poses[i]));
    let [Some(start), Some(end)] = frames.map(|pose| shape_box(shape, &pose)) else { return None };
    let sweeper = Sweeper::new(mesh, way, round, round_way, [start, end]);
    let mut limit = limit;
    let mut first = None;
    let mut stack = vec![(0.0, Slot::ROOT)];
    while let Some((free_until, slot)) = stack.pop() {
        if free_until > limit {
            continue;
        }
        let child = mesh.start.child(slot);
        if !child.is_leaf() {
            *work += 1;
            let free = sweeper.free_until(child.index(), limit);
            let mut order: [usize; LANES] = [0, 1, 2, 3];
            order.sort_unstable_by(|&i, &j| free[j].total_cmp(&free[i]));
            let near = order.into_iter().filter(|&lane| free[lane] <= limit);
            stack.extend(near.map(|lane| (free[lane], Slot::new(child.index(), lane))));
            continue;
        }
        let leaf = mesh.start.leaf(child);
        for triangle in (leaf.start as usize..).take(leaf.triangles.len()) {
            *work += 1;
            let flat = Mover::corners(mesh.corners(triangle).map(|c| &c[..]), 0.0, way);
            let pair = Pair::new(&flat, round, None);
            if pair.is_parted_by_face() {
                continue;
            }
            if let Some(touch) = pair.first_touch(limit, work)
                && (touch.time < limit || first.is_none())
            {
                limit = touch.time;
                first = Some(Met::Triangle(Box::new(touch), triangle));
            }
        }
    }
    if !matches!(&first, Some(Met::Triangle(touch, _)) if touch.time <= 0.0)
        && matches!(mesh.start.surface(), Surface::Solid(_))
    {
        // As it meets no triangle at the start, all of it is inside or none.
        let p = frames[0].transform_point(point_of(shape));
        if is_inside(mesh.start, p) {
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
        Shape::Triangle(_)
        | Shape::Polygon(_)
        | Shape::Sphere(_)
        | Shape::Box(_)
        | Shape::Cylinder(_)
        | Shape::Cone(_)
        | Shape::Capsule(_)
        | Shape::Ellipsoid(_)
        | Shape::HalfSpace(_)
        | Shape::Cavity(_)
        | Shape::Convex(_)
        | Shape::Solid(_)
        | Shape::Soup(_)
        | Shape::Compound(_) => Vec3::ZERO,
    }
}

/// The round part at the start and at the end, in the frame of the mesh then.
struct Sweeper<'a> {
    mesh: MeshEnds<'a>,
    /// Around it, along its axes.
    boxes: [Obb; 2],
    stills: [Still<'a>; 2],
    margin: f64,
    /// The middle of its core, and from there to an end of its axis, m.
    middles: [Vec3; 2],
    spines: [Vec3; 2],
    /// From the frame of the mesh to the common one.
    axes: [Mat3; 2],
    /// Takes a direction in the mesh's frame at the start to the same direction in that at the end.
    turn: Mat3,
    /// What rounding can do to a gap, m.
    slack: f64,
}

impl<'a> Sweeper<'a> {
    fn new(
        mesh: MeshEnds<'a>,
        way: &PartWay,
        round: &Mover<'a>,
        round_way: &PartWay,
        boxes: [Obb; 2],
    ) -> Sweeper<'a> {
        /// What placing bounds and measuring gaps can lose, as a fraction of the coordinates.
        const ROUNDING: f64 = 64.0 * f64::EPSILON;
        let axes = way.poses.map(|pose| pose.matrix());
        let far = |way: &PartWay| way.poses.map(|p| p.translation().length()).into_iter().fold(0.0, f64::max);
        let sizes: f64 = boxes.iter().map(Bound::size).sum();
        let magnitudes = mesh.start.magnitude + mesh.end.magnitude;
        let ways = Mover::point(way.frames, way.arms).ways_to(round);
        Sweeper {
            mesh,
            boxes,
            stills: [round.at(0.0), round.at(1.0)],
            margin: round.margin,
            middles: [0, 1].map(|i| axes[i].transpose() * ways[i]),
            spines: [0, 1].map(|i| axes[i].transpose() * round.at(i as f64).spine()),
            axes,
            turn: axes[1].transpose() * axes[0],
            slack: ROUNDING * (magnitudes + far(way) + far(round_way) + 2.0 * sizes),
        }
    }

    /// Until when each child of a node and the round part are certainly apart; infinite for those that are
    /// throughout, and for lanes not in use.
    fn free_until(&self, node: usize, limit: f64) -> [f64; LANES] {
        let children = &self.mesh.start.nodes[node].child;
        let packs = [self.mesh.start, self.mesh.end].map(|mesh| &mesh.nodes[node].pack);
        // By the box around the round part, four bounds at a time.
        let boxes = boxes_free_until(packs, &self.boxes, &self.turn, self.slack);
        std::array::from_fn(|lane| match children[lane] {
            Child::NONE => f64::INFINITY,
            _ if boxes[lane] > limit => boxes[lane],
            _ => boxes[lane].max(self.bound_free_until(packs.map(|pack| Obb::unpack(pack, lane)))),
        })
    }

    /// By the round part itself, along what is best at the start or at the end: beneath a ball its box is
    /// wide.
    fn bound_free_until(&self, bounds: [Obb; 2]) -> f64 {
        let from_start = self.direction(&bounds[0], 0);
        let until = self.free_along(&bounds, [from_start, self.turn * from_start]);
        if until > 1.0 {
            return until;
        }
        let from_end = self.direction(&bounds[1], 1);
        until.max(self.free_along(&bounds, [self.turn.transpose() * from_end, from_end]))
    }

    /// From a bound to the nearest of the axis, about.
    fn direction(&self, bound: &Obb, end: usize) -> Vec3 {
        let (middle, spine) = (self.middles[end], self.spines[end]);
        let along = (bound.center - middle).dot(spine) / spine.length_squared().max(f64::MIN_POSITIVE);
        let p = middle + along.clamp(-1.0, 1.0) * spine;
        let d = p - bound.center;
        let inside = |i: usize| bound.axes[i].dot(d).clamp(-bound.half[i], bound.half[i]) * bound.axes[i];
        (d - inside(0) - inside(1) - inside(2)).normalize_or_zero()
    }

    /// A unit vector is given in the frames of both ends.
    fn free_along(&self, bounds: &[Obb; 2], directions: [Vec3; 2]) -> f64 {
        let [first, last] = [0, 1].map(|i| {
            let (n, bound) = (directions[i], &bounds[i]);
            let wide: f64 = (0..3).map(|k| bound.half[k] * bound.axes[k].dot(n).abs()).sum();
            let low = self.stills[i].high(-(self.axes[i] * n)) + self.margin;
            n.dot(self.middles[i] - bound.center) - wide - low - self.slack
        });
        rounded_down(first_zero_of([first, 0.5 * (first + last), last]))
    }
}

/// Until when four bounds and a box, each given at both ends, are certainly apart; infinite for those that
/// are throughout. The box is seen from the frame of the bounds, which is turned by `turn`.
pub(super) fn boxes_free_until(
    packs: [&<Obb as Bound>::Pack; 2],
    boxes: &[Obb; 2],
    turn: &Mat3,
    slack: f64,
) -> [f64; LANES] {
    let mut sweep = Sweep {
        turn,
        axes: &[Vec3::ZERO; 2],
        bends: [Lanes::splat(0.0); 2],
        order: [0, 1],
        margin: slack,
        until: Lanes::splat(0.0),
        after: Lanes::splat(1.0),
    };
    let mut n = unit(Lanes3::of_rows(&Obb::directions(packs[0], &boxes[0])));
    sweep.along::<Obb>(packs, boxes, &n, &turned(turn, &n));
    if !sweep.is_free() {
        n = unit(passing::<Obb>(packs, boxes, turn));
        sweep.along::<Obb>(packs, boxes, &n, &turned(turn, &n));
    }
    sweep.until.0.map(rounded_down)
}

fn rounded_down(fraction: f64) -> f64 {
    if fraction > 1.0 { f64::INFINITY } else { fraction * (1.0 - 4.0 * f64::EPSILON) }
}
