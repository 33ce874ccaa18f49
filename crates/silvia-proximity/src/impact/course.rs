//! Two bodies on their way, seen at the ends of spans of time; and until when pairs of their bounds are free.

use super::body::Body;
use super::moving::Travel;
use super::sweep::{Sweep, passing, turned, unit};
use super::{ImpactError, ImpactOptions};
use crate::bounds::Bound;
use crate::collide::{Extent, collide};
use crate::distance::{DistanceOptions, distance};
use crate::duo::{Duo, Opened, Pair};
use crate::hierarchy::{Child, Slot};
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
    /// For each body: takes a direction in its frame at the first moment to the same direction in its frame
    /// at the second.
    turns: [Mat3; 2],
    /// For each body: how far a point at distance 1 from its axis leaves the straight line, at most: φ² / 8.
    bends: [f64; 2],
    /// For the frame of each body at the first moment: the axes of both.
    axes: [[Vec3; 2]; 2],
    halves: Option<[u32; 2]>,
}

/// The whole interval.
pub(super) const WHOLE: u32 = 0;

impl<'a, B: Bound> Course<'a, B> {
    pub(super) fn new(travels: [&Travel<'a, B>; 2], options: &ImpactOptions) -> Result<Self, ImpactError> {
        let bodies = travels.map(Body::new);
        let is_linear = bodies.iter().all(|b| b.motion.is_linear());
        if !is_linear && bodies.iter().any(|b| !b.motion.is_rigid() || !std::ptr::eq(b.start, b.end)) {
            return Err(ImpactError::Mixed);
        }
        // All coordinates that take part, over the interval: a pose turns the body about the pivot, which
        // goes straight.
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
        let world = [0, 1].map(|i| from.rotations[i] * self.bodies[i].axis.direction());
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

    /// Until when each child of an opened node and the other bound are certainly free within a span; infinite
    /// for those that are until its end, and for lanes not in use.
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

    /// Whether a pair turns so far within a span, for its size, that halving the span tells more than opening
    /// it.
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
