//! What is asked of a front: whether pairs of bounds are parted by a margin, at one pose or all along a path.

use super::Place;
use super::parted::Ends;
use super::planes::Planes;
use crate::bounds::Bound;
use crate::duo::Duo;
use crate::hierarchy::Hierarchy;
use crate::impact::sweep::{turned, unit};
use crate::lanes::{LANES, Lanes, Lanes3, Narrow3};
use silvia_solid::{Mat3, Pose, Vec3};

/// Two rigid meshes, at the start and at the end of straight ways of their vertices.
pub(crate) struct Query<'a, B: Bound> {
    pub(super) duos: [Duo<'a, B>; 2],
    /// Both are the same.
    is_still: bool,
    /// For each body: takes a direction in its frame at the start to the same direction in that at the end.
    turns: [Mat3; 2],
    /// By how much bounds must be apart, with what rounding may do to a gap, m.
    pub(super) margin: f64,
    /// Points of the two come no nearer to each other on the way than by this, m.
    pub(super) farthest: f64,
    pub(super) ends: Ends<'a, B>,
}

/// Four gaps along a direction each.
#[derive(Clone, Copy)]
struct Gaps {
    first: Lanes,
    last: Lanes,
}

/// How much shorter a gap along a stored direction may be than it says, as a fraction: the direction is a
/// unit vector in single precision.
const NARROWED: f64 = 1e-6;

impl<'a, B: Bound> Query<'a, B> {
    /// Along a path: poses at the start and at the end, of each. `slack` is what rounding may do to a gap,
    /// and points come nearer by no more than `farthest`, m.
    pub(crate) fn on_path(
        meshes: [&'a Hierarchy<B>; 2],
        poses: [[Pose; 2]; 2],
        slack: f64,
        farthest: f64,
    ) -> Query<'a, B> {
        let duo = |end: usize| Duo::new(meshes[0], &poses[0][end], meshes[1], &poses[1][end]);
        let turn = |[from, to]: [Pose; 2]| to.matrix().transpose() * from.matrix();
        Query {
            duos: [duo(0), duo(1)],
            is_still: false,
            turns: poses.map(turn),
            margin: slack,
            farthest,
            ends: Ends::new(meshes, poses, slack),
        }
    }

    /// At one pose each: what may be nearer than a reach is not parted.
    pub(crate) fn within(meshes: [&'a Hierarchy<B>; 2], poses: [Pose; 2], reach: f64) -> Query<'a, B> {
        let duo = || Duo::new(meshes[0], &poses[0], meshes[1], &poses[1]);
        // Searches compare with what rounding does once added to the reach.
        let far = poses.map(|pose| pose.translation().abs().max_element());
        let margin = reach + 4.0 * duo().rounding() + 64.0 * f64::EPSILON * (far[0] + far[1]);
        Query {
            duos: [duo(), duo()],
            is_still: true,
            turns: [Mat3::IDENTITY; 2],
            margin,
            farthest: 0.0,
            ends: Ends::new(meshes, poses.map(|pose| [pose; 2]), margin),
        }
    }

    /// By how much each body turns from the start to the end, rad.
    pub(super) fn turned(&self) -> [f64; 2] {
        // Of a turn less the identity, a column is no longer than the angle, and one is nearly as long.
        self.turns.map(|turn| {
            let off = turn - Mat3::IDENTITY;
            let square =
                off.x_axis.length_squared() + off.y_axis.length_squared() + off.z_axis.length_squared();
            if square > 0.0 { square.sqrt() + 16.0 * f64::EPSILON } else { 0.0 }
        })
    }

    /// Exactly, whatever the margin: see [`Ends::never_touch`].
    pub(crate) fn never_touch(&self, triangles: [u32; 2]) -> bool {
        self.ends.never_touch(triangles)
    }

    /// Looks at the lanes of a place in query number `now`: which of them are not parted, as bits, and how
    /// far the others are apart at the start, at least, m. Keeps the planes that part them.
    #[inline(always)]
    pub(super) fn look(&self, place: &Place, planes: &mut Planes, now: u32) -> (u8, f64) {
        let turn = &self.turns[usize::from(!place.opened.of_a)];
        let sides = Sides::new(self, place);
        let mut kept =
            Kept { left: place.lanes, gaps: [f64::INFINITY; LANES], directions: planes.directions };
        if !planes.are_unknown() {
            kept.settle(&sides.gaps(self, &planes.directions.wide(), turn), self.margin, &planes.directions);
        }
        if kept.left != 0 {
            self.try_others(&sides, turn, &mut kept);
        }
        let Kept { left, gaps, directions } = kept;
        *planes = Planes::new(place.opened.of_a, now, directions, gaps, sides.other());
        (left, gaps.into_iter().fold(f64::INFINITY, f64::min))
    }

    /// Between nearest points, across what is flat, and midway.
    #[inline(always)]
    fn try_others(&self, sides: &Sides<'_, B>, turn: &Mat3, kept: &mut Kept) {
        let flat = B::flat_directions(sides.packs[0], &sides.others[0]);
        let [own, others] = [Lanes3::of_rows(&flat[0]), Lanes3::of_rows(&flat[1])];
        for attempt in 0..5 {
            let n = match attempt {
                0 => own,
                1 => others,
                2 => unit(own.minus_scaled(Lanes::splat(-1.0), &others)),
                3 => unit(Lanes3::of_rows(&B::directions(sides.packs[0], &sides.others[0]))),
                _ if self.is_still => return,
                _ => {
                    let at_end = unit(Lanes3::of_rows(&B::directions(sides.packs[1], &sides.others[1])));
                    turned(&turn.transpose(), &at_end)
                }
            };
            // Gaps are along the direction as it is kept.
            let n = Narrow3::of([0, 1, 2, 3].map(|lane| n.lane(lane)));
            kept.settle(&sides.gaps(self, &n.wide(), turn), self.margin, &n);
            if kept.left == 0 {
                return;
            }
        }
    }

    /// Whether one lane of a place is parted by so much that it will be for some time, and its gap at the
    /// start, m; the direction is kept.
    #[inline(always)]
    pub(super) fn parts_well(&self, place: &Place, planes: &mut Planes, lane: usize) -> Option<f64> {
        let turn = &self.turns[usize::from(!place.opened.of_a)];
        let sides = Sides::new(self, place);
        let flat = B::flat_directions(sides.packs[0], &sides.others[0]);
        let near = unit(Lanes3::of_rows(&B::directions(sides.packs[0], &sides.others[0])));
        [near, Lanes3::of_rows(&flat[0]), Lanes3::of_rows(&flat[1])].into_iter().find_map(|n| {
            let gaps = sides.gaps(self, &n, turn);
            let (first, last) = (gaps.first.0[lane], gaps.last.0[lane]);
            // If it goes on as in this step, also in the next.
            let is_well = first.min(last) - 2.0 * (last - first).abs() > self.margin;
            is_well.then(|| {
                planes.replace(lane, n.lane(lane));
                first * (1.0 - NARROWED)
            })
        })
    }
}

/// What has been found to part the lanes of a place.
struct Kept {
    /// Lanes that are not parted, as bits.
    left: u8,
    /// Of those that are, at the start, m; infinite of others.
    gaps: [f64; LANES],
    directions: Narrow3,
}

impl Kept {
    /// Takes what parts lanes that nothing has parted yet.
    #[inline(always)]
    fn settle(&mut self, gaps: &Gaps, margin: f64, directions: &Narrow3) {
        for lane in 0..LANES {
            let [first, last] = [gaps.first, gaps.last].map(|gaps| gaps.0[lane] * (1.0 - NARROWED));
            if self.left & (1 << lane) != 0 && first > margin && last > margin {
                self.left &= !(1 << lane);
                self.gaps[lane] = first;
                for i in 0..3 {
                    self.directions.0[i].0[lane] = directions.0[i].0[lane];
                }
            }
        }
    }
}

/// The two sides of a place at both ends: four bounds of one body, and one of the other.
struct Sides<'q, B: Bound> {
    packs: [&'q B::Pack; 2],
    others: [B::Placed; 2],
}

impl<'q, B: Bound> Sides<'q, B> {
    #[inline(always)]
    fn new(query: &'q Query<'_, B>, place: &Place) -> Sides<'q, B> {
        let (node, pair) = (place.opened.node, place.opened.pair);
        let at = |duo: &'q Duo<'_, B>| {
            if place.opened.of_a {
                (&duo.a.nodes[node].pack, duo.b.place(pair.b, &duo.b_seen_from_a))
            } else {
                (&duo.b.nodes[node].pack, duo.a.place(pair.a, &duo.a_seen_from_b))
            }
        };
        let (first, start) = at(&query.duos[0]);
        let (last, end) = if query.is_still { (first, start.clone()) } else { at(&query.duos[1]) };
        Sides { packs: [first, last], others: [start, end] }
    }

    /// The bound of the other body at the start: its middle, and the farthest from there to a point of it,
    /// and to one of any lane.
    #[inline(always)]
    fn other(&self) -> (Vec3, [f64; 2]) {
        let (middle, radius) = B::ball(&self.others[0]);
        let (middles, radii) = B::balls(self.packs[0]);
        let ways = Lanes3::splat(middle) - Lanes3::of_rows(&middles);
        let far = (ways.dot(&ways).sqrt() + Lanes(radii)).0;
        (middle, [radius, far.into_iter().fold(0.0, f64::max)])
    }

    /// Along a direction a lane, in the pack's frame at the start.
    #[inline(always)]
    fn gaps(&self, query: &Query<'_, B>, n: &Lanes3, turn: &Mat3) -> Gaps {
        let first = Lanes(B::gaps(self.packs[0], &self.others[0], &n.rows()));
        let last = if query.is_still {
            first
        } else {
            Lanes(B::gaps(self.packs[1], &self.others[1], &turned(turn, n).rows()))
        };
        Gaps { first, last }
    }
}
