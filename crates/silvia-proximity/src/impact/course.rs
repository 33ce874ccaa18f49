//! Two bodies on their way, seen at the ends of spans of time; and until when pairs of their bounds are free.

use super::motion::Motion;
use super::moving::Moving;
use super::{ImpactError, ImpactOptions};
use crate::bounds::Bound;
use crate::collide::{Extent, collide};
use crate::distance::{DistanceOptions, distance};
use crate::duo::{Duo, Opened, Pair};
use crate::hierarchy::{Child, Hierarchy, LeafTriangle, Slot};
use crate::lanes::{LANES, Lanes, Lanes3};
use silvia_solid::{Mat3, Vec3};

/// Both bodies and how they move.
pub(super) struct Course<'a, B: Bound> {
    pub(super) bodies: [Body<'a, B>; 2],
    moments: Vec<Moment<'a, B>>,
    spans: Vec<Span>,
    /// Bodies touch when no further apart than this, m.
    pub(super) separation: f64,
    /// What is nearer than this beyond the separation touches, m.
    pub(super) tolerance: f64,
    /// What rounding can do to a gap, m.
    pub(super) slack: f64,
}

/// A body and how it moves.
pub(super) struct Body<'a, B: Bound> {
    pub(super) start: &'a Hierarchy<B>,
    pub(super) end: &'a Hierarchy<B>,
    pub(super) motion: Motion,
    pub(super) axis: Axis,
}

/// The axis that a rigid body turns about, in its own frame, in which it does not move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    /// A unit vector; zero if the body does not turn.
    direction: Vec3,
    /// From a point on the axis to the origin of the frame, m.
    arm: Vec3,
    /// Over the whole interval, rad.
    angle: f64,
}

/// Both bodies at a time.
struct Moment<'a, B: Bound> {
    time: f64,
    duo: Duo<'a, B>,
    /// From each body's frame to the common one.
    rotations: [Mat3; 2],
}

/// A span of time, between two moments.
pub(super) struct Span {
    moments: [usize; 2],
    pub(super) times: [f64; 2],
    /// For each body: takes a direction in its frame at the first moment to the same direction in its frame at the second.
    turns: [Mat3; 2],
    /// For each body: how far a point at distance 1 from its axis leaves the straight line, at most: φ² / 8.
    bends: [f64; 2],
    /// For the frame of each body at the first moment: the axes of both.
    axes: [[Vec3; 2]; 2],
    halves: Option<[u32; 2]>,
}

/// What the angle at a time may be off, as a fraction of the angle over the interval: three products are rounded.
pub(super) const ANGLE_ROUNDING: f64 = 4.0 * f64::EPSILON;

/// The whole interval.
pub(super) const WHOLE: u32 = 0;

impl<'a, B: Bound> Course<'a, B> {
    pub(super) fn new(moving: [&Moving<'a, B>; 2], options: &ImpactOptions) -> Result<Self, ImpactError> {
        let bodies = moving.map(Body::new);
        let is_linear = bodies.iter().all(|b| b.motion.is_linear());
        if !is_linear && bodies.iter().any(|b| !b.motion.is_rigid() || !std::ptr::eq(b.start, b.end)) {
            return Err(ImpactError::Mixed);
        }
        // All coordinates that take part, over the interval: a pose turns the body about the pivot, which goes straight.
        let reach: f64 = bodies.iter().map(Body::reach).sum();
        // Also refuses what has overflown on the way.
        const FARTHEST: f64 = 1e100;
        if reach.is_nan() || reach > FARTHEST {
            return Err(ImpactError::TooFar { reach });
        }
        /// What placing bodies and bounds and measuring gaps can lose, as a fraction of the coordinates.
        const ROUNDING: f64 = 64.0 * f64::EPSILON;
        // Of a body that turns by many radians the angle at a time is known to so much less.
        let turned: f64 = bodies.iter().map(Body::angle_error).sum();
        let mut course = Course {
            bodies,
            moments: Vec::new(),
            spans: Vec::new(),
            separation: options.separation,
            tolerance: options.tolerance.max(ImpactOptions::LEAST_TOLERANCE * reach + 8.0 * turned),
            slack: ROUNDING * reach + turned,
        };
        course.moments = vec![course.moment(0.0), course.moment(1.0)];
        course.spans = vec![course.span([0, 1])];
        Ok(course)
    }

    /// Whether all vertices go on straight lines.
    pub(super) fn is_linear(&self) -> bool {
        self.bodies.iter().all(|b| b.motion.is_linear())
    }

    #[inline(always)]
    pub(super) fn span_at(&self, span: u32) -> &Span {
        &self.spans[span as usize]
    }

    /// The bodies at the start: what is under a pair does not depend on the time.
    #[inline(always)]
    pub(super) fn duo(&self) -> &Duo<'a, B> {
        &self.moments[0].duo
    }

    /// The halves of a span.
    pub(super) fn halves(&mut self, span: u32) -> [u32; 2] {
        if let Some(halves) = self.spans[span as usize].halves {
            return halves;
        }
        let Span { moments: [from, to], times, .. } = self.spans[span as usize];
        let middle = self.moments.len();
        self.moments.push(self.moment(0.5 * (times[0] + times[1])));
        let first = self.spans.len() as u32;
        self.spans.push(self.span([from, middle]));
        self.spans.push(self.span([middle, to]));
        self.spans[span as usize].halves = Some([first, first + 1]);
        [first, first + 1]
    }

    fn moment(&self, time: f64) -> Moment<'a, B> {
        let [a, b] = &self.bodies;
        let poses = [a, b].map(|body| {
            // Bent bodies are only looked at when they are not bent, at the ends.
            body.motion.pose_at(time).unwrap_or(body.motion.end)
        });
        let [in_a, in_b] = if time >= 1.0 { [a.end, b.end] } else { [a.start, b.start] };
        Moment { time, duo: Duo::new(in_a, &poses[0], in_b, &poses[1]), rotations: poses.map(|p| p.matrix()) }
    }

    fn span(&self, moments: [usize; 2]) -> Span {
        let [from, to] = moments.map(|m| &self.moments[m]);
        let length = to.time - from.time;
        let turns = [0, 1].map(|i| to.rotations[i].transpose() * from.rotations[i]);
        let bends = [0, 1].map(|i| self.bodies[i].axis.bend(length));
        let world = [0, 1].map(|i| from.rotations[i] * self.bodies[i].axis.direction);
        let axes = from.rotations.map(|r| world.map(|axis| r.transpose() * axis));
        Span { moments, times: [from.time, to.time], turns, bends, axes, halves: None }
    }

    /// Whether the bodies touch at a time, by the static test; `false` if they are bent then.
    pub(super) fn touches_at(&self, time: f64) -> bool {
        let [a, b] = &self.bodies;
        let (Some(in_a), Some(in_b)) = (a.motion.pose_at(time), b.motion.pose_at(time)) else { return false };
        if !std::ptr::eq(a.start, a.end) || !std::ptr::eq(b.start, b.end) {
            return false;
        }
        if self.separation == 0.0 {
            return collide(a.start, &in_a, b.start, &in_b, Extent::Any).is_some();
        }
        let options = DistanceOptions { cutoff: self.separation.next_up(), ..DistanceOptions::default() };
        distance(a.start, &in_a, b.start, &in_b, &options).is_ok_and(|d| d.upper <= self.separation)
    }

    /// Until when each child of an opened node and the other bound are certainly free within a span; infinite for those that
    /// are until its end, and for lanes not in use.
    #[inline(always)]
    pub(super) fn free_until(&self, span: u32, opened: &Opened) -> [f64; LANES] {
        let other = if opened.of_a { opened.pair.b } else { opened.pair.a };
        let mut free = self.sweep(span, usize::from(!opened.of_a), opened.node, other);
        let children = &self.bodies[usize::from(!opened.of_a)].start.nodes[opened.node].child;
        for (free, child) in free.iter_mut().zip(children) {
            if *child == Child::NONE {
                *free = f64::INFINITY;
            }
        }
        free
    }

    /// Until when a pair of bounds is certainly free within a span; infinite if it is until its end.
    #[inline(always)]
    pub(super) fn pair_free_until(&self, span: u32, pair: Pair) -> f64 {
        self.sweep(span, 0, pair.a.node(), pair.b)[pair.a.lane()]
    }

    /// Whether a pair turns so far within a span, for its size, that halving the span tells more than opening it.
    #[inline(always)]
    pub(super) fn turns_too_far(&self, span: u32, pair: Pair) -> bool {
        /// The bending that is let pass, as a fraction of the sizes of both bounds.
        const BENT: f64 = 0.01;
        let [bend_a, bend_b] = self.span_at(span).bends;
        let [a, b] = &self.bodies;
        if !self.can_be_halved(span) {
            return false;
        }
        bend_a * a.radius(pair.a) + bend_b * b.radius(pair.b)
            > BENT * f64::from(a.start.size(pair.a) + b.start.size(pair.b))
    }

    /// Whether there is a time between the ends of a span.
    #[inline(always)]
    fn can_be_halved(&self, span: u32) -> bool {
        let [from, to] = self.span_at(span).times;
        let middle = 0.5 * (from + to);
        from < middle && middle < to
    }

    /// Until when the bounds of a node of one body (0 or 1) and a bound of the other are certainly free.
    #[inline(always)]
    fn sweep(&self, span: u32, body: usize, node: usize, other: Slot) -> [f64; LANES] {
        let span = &self.spans[span as usize];
        let duos = span.moments.map(|m| &self.moments[m].duo);
        let packs = duos.map(|d| if body == 0 { &d.a.nodes[node].pack } else { &d.b.nodes[node].pack });
        let others = duos.map(|d| {
            if body == 0 { d.b.place(other, &d.b_seen_from_a) } else { d.a.place(other, &d.a_seen_from_b) }
        });
        let mut sweep = Sweep {
            turn: &span.turns[body],
            axes: &span.axes[body],
            bends: self.bends(span, body, packs[0], other),
            order: [body, 1 - body],
            margin: self.separation + self.slack,
            until: Lanes::splat(0.0),
            after: Lanes::splat(1.0),
        };
        // From the first moment on, along what is best there.
        let mut n = unit(Lanes3::of_rows(&B::directions(packs[0], &others[0])));
        sweep.along::<B>(packs, &others, &n, &turned(sweep.turn, &n));
        if !sweep.is_free() {
            // Along what is best at the second moment.
            let at_end = unit(Lanes3::of_rows(&B::directions(packs[1], &others[1])));
            n = turned(&sweep.turn.transpose(), &at_end);
            sweep.along::<B>(packs, &others, &n, &at_end);
        }
        if !sweep.is_free() {
            // For bounds that pass each other: from middle to middle where these are nearest on their way.
            n = unit(passing::<B>(packs, &others, sweep.turn));
            sweep.along::<B>(packs, &others, &n, &turned(sweep.turn, &n));
        }
        let [from, to] = span.times;
        let length = to - from;
        let time = |s: f64| {
            if s > 1.0 { f64::INFINITY } else { (from + s * length) * (1.0 - 4.0 * f64::EPSILON) }
        };
        sweep.until.0.map(time)
    }

    /// How far each bound of a pack, and the other bound, leave the straight line, m.
    #[inline(always)]
    fn bends(&self, span: &Span, body: usize, pack: &B::Pack, other: Slot) -> [Lanes; 2] {
        if span.bends == [0.0; 2] {
            return [Lanes::splat(0.0); 2];
        }
        let own = if span.bends[body] == 0.0 {
            Lanes::splat(0.0)
        } else {
            let (middles, radii) = B::balls(pack);
            let distances = self.bodies[body].axis.distances(&Lanes3::of_rows(&middles));
            (distances + Lanes(radii)) * Lanes::splat(span.bends[body])
        };
        [own, Lanes::splat(self.bodies[1 - body].radius(other) * span.bends[1 - body])]
    }
}

/// How far each lane has been found free, as fractions of a span: from its start until `until`, and from `after` on.
struct Sweep<'a> {
    turn: &'a Mat3,
    axes: &'a [Vec3; 2],
    bends: [Lanes; 2],
    /// Whose axes go with the bends.
    order: [usize; 2],
    margin: f64,
    until: Lanes,
    after: Lanes,
}

impl Sweep<'_> {
    /// Tries a direction a lane, given in the pack's frame at both moments.
    #[inline(always)]
    fn along<B: Bound>(&mut self, packs: [&B::Pack; 2], others: &[B::Placed; 2], n: &Lanes3, n_end: &Lanes3) {
        let margin = Lanes::splat(self.margin);
        let first = Lanes(B::gaps(packs[0], &others[0], &n.rows())) - margin;
        let last = Lanes(B::gaps(packs[1], &others[1], &n_end.rows())) - margin;
        let bend = across(n, self.axes[self.order[0]]) * self.bends[0]
            + across(n, self.axes[self.order[1]]) * self.bends[1];
        self.until = self.until.max(first_zeros(first, last, bend));
        let from_end = Lanes::splat(1.0) - first_zeros(last, first, bend);
        // The lesser of both: in a lane that is free throughout, from the start on.
        self.after = Lanes::splat(0.0) - (Lanes::splat(0.0) - self.after).max(Lanes::splat(0.0) - from_end);
        self.until = self.until.max(choose(self.after, self.until, Lanes::splat(2.0), self.until));
    }

    #[inline(always)]
    fn is_free(&self) -> bool {
        self.until.0.iter().all(|&s| s > 1.0)
    }
}

/// In each lane the third where the first is less than the second, else the fourth.
#[inline(always)]
fn choose(a: Lanes, b: Lanes, less: Lanes, not: Lanes) -> Lanes {
    let lane = |i: usize| if a.0[i] < b.0[i] { less.0[i] } else { not.0[i] };
    Lanes([lane(0), lane(1), lane(2), lane(3)])
}

/// [`first_zero`] in each lane; 0 where there is no gap to start with, 2 where there is none.
#[inline(always)]
fn first_zeros(g0: Lanes, g1: Lanes, bend: Lanes) -> Lanes {
    let zero = Lanes::splat(0.0);
    let a = Lanes::splat(4.0) * bend;
    let b = g1 - g0 - a;
    let discriminant = b * b * Lanes::splat(1.0 + ROUNDING) - Lanes::splat(4.0) * a * g0;
    let s = (Lanes::splat(2.0 * (1.0 - ROUNDING)) * g0).div(discriminant.max(zero).sqrt() - b);
    let free = Lanes::splat(2.0);
    let s = choose(Lanes::splat(1.0), s, free, s);
    let s = choose(discriminant, zero, free, s);
    let s = choose(b, zero, s, free);
    choose(zero, g0, s, zero)
}

/// What rounding can do to the discriminant of [`first_zero`], relatively.
const ROUNDING: f64 = 1e-14;

/// How much of each unit vector is across a unit vector or zero; never too little.
#[inline(always)]
fn across(n: &Lanes3, axis: Vec3) -> Lanes {
    let along = n.dot(&Lanes3::splat(axis));
    (Lanes::splat(1.0 + 8.0 * f64::EPSILON) - along * along).max(Lanes::splat(0.0)).sqrt()
}

/// The first s in [0, 1] at which `g0 (1 - s) + g1 s - 4 bend s (1 - s)` is not positive, given that `g0` is; infinite if
/// there is none. Never late.
#[inline(always)]
pub(super) fn first_zero(g0: f64, g1: f64, bend: f64) -> f64 {
    let a = 4.0 * bend;
    let b = g1 - g0 - a;
    if b >= 0.0 {
        return f64::INFINITY;
    }
    let discriminant = b * b * (1.0 + ROUNDING) - 4.0 * a * g0;
    if discriminant < 0.0 {
        return f64::INFINITY;
    }
    let s = 2.0 * g0 / (discriminant.sqrt() - b) * (1.0 - ROUNDING);
    if s > 1.0 { f64::INFINITY } else { s }
}

/// From the middles of a pack's bounds to that of another where they come nearest, going straight between two moments;
/// in the pack's frame at the first.
#[inline(always)]
fn passing<B: Bound>(packs: [&B::Pack; 2], others: &[B::Placed; 2], turn: &Mat3) -> Lanes3 {
    let to = [B::ball(&others[0]).0, B::ball(&others[1]).0];
    let between = |i: usize| Lanes3::splat(to[i]) - Lanes3::of_rows(&B::balls(packs[i]).0);
    let first = between(0);
    let way = turned(&turn.transpose(), &between(1)) - first;
    let length2 = way.dot(&way) + Lanes::splat(f64::MIN_POSITIVE);
    let half = Lanes::splat(0.5);
    // Into [0, 1].
    let s = half + (Lanes::splat(0.0) - first.dot(&way).div(length2) - half).clamped(half);
    first.minus_scaled(Lanes::splat(0.0) - s, &way)
}

#[inline(always)]
fn unit(v: Lanes3) -> Lanes3 {
    let length = (v.dot(&v) + Lanes::splat(f64::MIN_POSITIVE)).sqrt();
    let k = Lanes::splat(1.0).div(length);
    Lanes3([v.0[0] * k, v.0[1] * k, v.0[2] * k])
}

#[inline(always)]
fn turned(m: &Mat3, v: &Lanes3) -> Lanes3 {
    let row = |i: usize| {
        Lanes::splat(m.x_axis[i]) * v.0[0]
            + Lanes::splat(m.y_axis[i]) * v.0[1]
            + Lanes::splat(m.z_axis[i]) * v.0[2]
    };
    Lanes3([row(0), row(1), row(2)])
}

impl<'a, B: Bound> Body<'a, B> {
    fn new(moving: &Moving<'a, B>) -> Body<'a, B> {
        let motion = moving.motion();
        let back = motion.start.matrix().transpose();
        let axis = motion.turn.filter(|t| t.angle > 0.0).map_or(Axis::NONE, |turn| Axis {
            direction: back * turn.axis,
            arm: back * turn.arm,
            angle: turn.angle,
        });
        Body { start: moving.start_body(), end: moving.end_body(), motion, axis }
    }

    /// A bound of all coordinates over the interval, m.
    fn reach(&self) -> f64 {
        let at_ends = self.motion.start.translation().abs().max(self.motion.end.translation().abs());
        self.start.magnitude + self.end.magnitude + at_ends.max_element() + self.axis.swing()
    }

    /// What the rounding of the angle can do to the place of a point at any time, m.
    fn angle_error(&self) -> f64 {
        ANGLE_ROUNDING * self.axis.angle * (self.axis.distance(Vec3::ZERO) + 2.0 * self.start.magnitude)
    }

    /// How far from its axis the triangles under a bound reach, at most, m; 0 if the body does not turn.
    #[inline(always)]
    fn radius(&self, slot: Slot) -> f64 {
        if self.axis.angle == 0.0 {
            return 0.0;
        }
        let (middles, radii) = B::balls(&self.start.nodes[slot.node()].pack);
        let lane = slot.lane();
        self.axis.distance(Vec3::new(middles[0][lane], middles[1][lane], middles[2][lane])) + radii[lane]
    }

    /// The corners of a triangle at a time, in the common frame; given by its position among the leaves' triangles.
    #[inline(always)]
    pub(super) fn corners_at(&self, time: f64, triangle: usize) -> [Vec3; 3] {
        match self.motion.turn {
            Some(turn) if self.axis.angle > 0.0 => {
                let (translation, rotation) = turn.placed(&self.motion.start, time);
                let matrix = Mat3::from_quat(rotation);
                self.start.triangles[triangle].corners.map(|p| matrix * p + translation)
            }
            _ => {
                let [start, end] = self.corners_at_ends(triangle);
                std::array::from_fn(|k| start[k] + time * (end[k] - start[k]))
            }
        }
    }

    /// The corners of a triangle at the start and at the end, in the common frame.
    #[inline(always)]
    pub(super) fn corners_at_ends(&self, triangle: usize) -> [[Vec3; 3]; 2] {
        let placed = |pose: &silvia_solid::Pose, t: &LeafTriangle| t.corners.map(|p| pose.transform_point(p));
        [
            placed(&self.motion.start, &self.start.triangles[triangle]),
            placed(&self.motion.end, &self.end.triangles[triangle]),
        ]
    }
}

impl Axis {
    const NONE: Axis = Axis { direction: Vec3::ZERO, arm: Vec3::ZERO, angle: 0.0 };

    /// How far a point at distance 1 leaves the straight line, at most, over a part of the interval: the greatest distance
    /// of a function from its chord is an eighth of its greatest second derivative, φ², times the length squared.
    #[inline(always)]
    pub(super) fn bend(&self, length: f64) -> f64 {
        let angle = self.angle * length;
        // The factor is for rounding.
        0.125 * angle * angle * (1.0 + 1e-12)
    }

    /// How far the origin of the frame gets from the straight way of the pivot plus its first arm, at most, m: twice the
    /// arm, or the arc, whichever is less. A nearly straight screw has a huge arm and a short arc.
    fn swing(&self) -> f64 {
        self.angle.min(2.0) * self.distance(Vec3::ZERO)
    }

    /// Over the whole interval, rad.
    pub(super) fn angle(&self) -> f64 {
        self.angle
    }

    /// Of a point in the body's frame from the axis, m.
    #[inline(always)]
    pub(super) fn distance(&self, point: Vec3) -> f64 {
        self.direction.cross(point + self.arm).length()
    }

    /// The same for a point a lane.
    #[inline(always)]
    fn distances(&self, points: &Lanes3) -> Lanes {
        let [x, y, z] = self.direction.to_array().map(Lanes::splat);
        let [u, v, w] = self.arm.to_array().map(Lanes::splat);
        let [u, v, w] = [points.0[0] + u, points.0[1] + v, points.0[2] + w];
        let across = Lanes3([y * w - z * v, z * u - x * w, x * v - y * u]);
        across.dot(&across).sqrt()
    }

    /// In the body's frame.
    #[inline(always)]
    pub(super) fn direction(&self) -> Vec3 {
        self.direction
    }
}
