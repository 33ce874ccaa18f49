//! Planes that part the lanes of a place, and for how long.
//!
//! A plane was found at one pose of the bodies to each other. Seen from the body of the node, the other bound
//! has since moved: its middle by a vector w, and its points have turned about that by a small angle φ, about
//! an axis k. So of a gap along n there is at least `gap + n · w - φ r |n × k|` left, r being the radius of
//! the bound. That is cheap, needs no look at the hierarchies, and holds for many steps where bodies slide
//! along the plane.

use super::query::Query;
use super::tuning;
use crate::bounds::Bound;
use crate::lanes::{LANES, Lanes, Lanes3, Narrow, Narrow3};
use silvia_solid::{Mat3, Pose, Vec3};

/// How the lanes of a place are parted, as of some query.
#[derive(Clone, Debug)]
pub(super) struct Planes {
    /// Unit vectors from the lanes to the other bound, in the frame of the lanes' body.
    pub(super) directions: Narrow3,
    /// Along these, m; infinite for lanes that are no pairs of the front.
    gaps: Narrow,
    /// Of the other bound in that frame, m.
    middle: [f32; 3],
    /// From there to its farthest point, and to that of a lane, m.
    radii: [f32; 2],
    /// The number of the query.
    query: u32,
    of_a: bool,
}

/// The number of no query.
const NEVER: u32 = 0;

/// More than rounding to single precision may do, as a fraction.
const NARROWED: f64 = 1e-6;

impl Planes {
    pub(super) const UNKNOWN: Planes = Planes {
        directions: Narrow3([Narrow([0.0; LANES]); 3]),
        gaps: Narrow([0.0; LANES]),
        middle: [0.0; 3],
        radii: [0.0; 2],
        query: NEVER,
        of_a: false,
    };

    /// Found in a query; the other bound by its middle and how far from there its own points, and those of
    /// the lanes, are.
    #[inline(always)]
    pub(super) fn new(
        of_a: bool,
        query: u32,
        directions: Narrow3,
        gaps: [f64; LANES],
        (middle, radii): (Vec3, [f64; 2]),
    ) -> Planes {
        let more = NARROWED * middle.length();
        Planes {
            directions,
            gaps: Narrow(gaps.map(|gap| (gap * (1.0 - NARROWED)) as f32)),
            middle: middle.to_array().map(|x| x as f32),
            radii: radii.map(|r| (r * (1.0 + NARROWED) + more) as f32),
            query,
            of_a,
        }
    }

    #[inline(always)]
    pub(super) fn are_unknown(&self) -> bool {
        self.directions.0.iter().all(|row| row.0 == [0.0; LANES])
    }

    /// Puts a direction in a lane; its gap is to be found anew.
    #[inline(always)]
    pub(super) fn replace(&mut self, lane: usize, direction: Vec3) {
        for i in 0..3 {
            self.directions.0[i].0[lane] = direction[i] as f32;
        }
        self.query = NEVER;
    }
}

/// Where the second body was seen from the first in the last queries.
#[derive(Clone, Debug, Default)]
pub(super) struct Past {
    poses: Vec<Pose>,
    /// The number of the last one.
    last: u32,
}

/// How the bodies have moved since the last queries.
pub(super) struct Since {
    /// The number of the query at hand.
    pub(super) now: u32,
    /// By the age of a query, seen from the first body and from the second, until the start and until the
    /// end.
    moved: Vec<[[Moved; 2]; 2]>,
    /// By how much each body turns from the start to the end, rad.
    turned: [f64; 2],
}

/// A displacement of one body in the frame of the other.
#[derive(Clone, Copy)]
struct Moved {
    /// Less the identity.
    turn: Mat3,
    shift: Vec3,
    /// Of the turn, rad; never too small.
    angle: f64,
    /// A unit vector, or zero.
    axis: Vec3,
}

impl Past {
    /// How bodies have moved since each of the last queries; the one at hand becomes the last.
    pub(super) fn since<B: Bound>(&mut self, query: &Query<'_, B>) -> Since {
        let here = query.duos[0].b_in_a;
        if self.poses.len() < tuning::PAST {
            self.poses.push(here);
        } else {
            let at = (self.last as usize) % tuning::PAST;
            self.poses[at] = here;
        }
        self.last += 1;
        let moved = (0..self.poses.len()).map(|age| {
            let then = self.poses[(self.last as usize - 1 - age) % tuning::PAST];
            let ends = query.duos.each_ref().map(|duo| duo.b_in_a);
            [
                ends.map(|end| Moved::new(&then, &end)),
                ends.map(|end| Moved::new(&then.inverse(), &end.inverse())),
            ]
        });
        Since { now: self.last, moved: moved.collect(), turned: query.turned() }
    }
}

impl Moved {
    fn new(then: &Pose, now: &Pose) -> Moved {
        let by = now.rotation() * then.rotation().conjugate();
        let turn = Mat3::from_quat(by.normalize());
        // The chord of the angle is twice the sine of its half.
        let angle = 2.0 * by.xyz().length() + 16.0 * f64::EPSILON;
        let shift = now.translation() - turn * then.translation();
        Moved { turn: turn - Mat3::IDENTITY, shift, angle, axis: by.xyz().normalize_or_zero() }
    }
}

impl Since {
    /// If planes certainly part all lanes by more than a margin, at the start and at the end: how far they
    /// are apart at the start, at least, m.
    #[inline(always)]
    pub(super) fn still_part(&self, planes: &Planes, margin: f64) -> Option<f64> {
        let age = (self.now - planes.query) as usize;
        if planes.query == NEVER || age >= self.moved.len() {
            return None;
        }
        let own = usize::from(!planes.of_a);
        let [start, end] = &self.moved[age][own];
        let first = planes.least(start, 0.0);
        (first > margin && planes.least(end, self.turned[own]) > margin).then_some(first)
    }
}

impl Planes {
    /// The least gap after a displacement, m, along directions that have turned by an angle since.
    #[inline(always)]
    fn least(&self, moved: &Moved, turned: f64) -> f64 {
        let [x, y, z] = self.middle.map(f64::from);
        let [radius, reach] = self.radii.map(f64::from);
        let n = self.directions.wide();
        let way = moved.turn * Vec3::new(x, y, z) + moved.shift;
        let along = n.dot(&Lanes3::splat(moved.axis));
        let across = (Lanes::splat(1.0 + NARROWED) - along * along).max(Lanes::splat(0.0)).sqrt();
        let far = way.length();
        let lost = NARROWED * far + turned * (reach + radius + far);
        let left = self.gaps.wide() + n.dot(&Lanes3::splat(way))
            - across * Lanes::splat(moved.angle * radius)
            - Lanes::splat(lost);
        left.0[0].min(left.0[1]).min(left.0[2].min(left.0[3]))
    }
}
