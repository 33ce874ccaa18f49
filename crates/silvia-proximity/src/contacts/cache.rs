//! What one search for contacts leaves for the next.

use crate::bounds::Bound;
use crate::feature::Feature;
use crate::hierarchy::Hierarchy;
use silvia_solid::Pose;

/// How much farther than asked a search looks, so that the next ones can do without: as a multiple of the reach. The first
/// looks no farther than asked: there may be no second.
const MARGIN: f64 = 1.0;

/// Bodies that have moved by more than this multiple of the reach since the last search will soon have left the margin: for them it would only
/// cost.
const SLOW: f64 = 0.25;

/// What is near, from the last search for contacts of the same two bodies. Belongs to the caller; the answer is the same with any
/// cache or none.
#[derive(Clone, Debug, Default)]
pub struct ContactCache {
    /// In the order of features.
    pub(super) candidates: Vec<Candidate>,
    about: Option<About>,
}

/// A pair of features that may be near.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Candidate {
    pub(super) features: [Feature; 2],
    /// The triangle of a face that was found near; of two edges, that of the first.
    pub(super) triangle: u32,
}

/// For what the candidates are all there are.
#[derive(Clone, Copy, Debug)]
struct About {
    bodies: [u64; 2],
    b_in_a: Pose,
    /// How far was looked, m.
    reach: f64,
}

impl ContactCache {
    /// A cache that knows nothing.
    pub fn new() -> ContactCache {
        ContactCache::default()
    }

    /// Whether nothing outside the candidates can be within reach: since they were gathered, no point has moved by more than
    /// the search looked too far.
    pub(super) fn holds<B: Bound>(
        &self,
        a: &Hierarchy<B>,
        b: &Hierarchy<B>,
        b_in_a: &Pose,
        reach: f64,
    ) -> bool {
        self.about.is_some_and(|about| {
            about.bodies == [a.id, b.id] && reach + farthest_moved(b, &about.b_in_a, b_in_a) <= about.reach
        })
    }

    /// Notes that candidates are about to be gathered for these bodies here; says how far to look.
    pub(super) fn renew<B: Bound>(
        &mut self,
        a: &Hierarchy<B>,
        b: &Hierarchy<B>,
        b_in_a: &Pose,
        reach: f64,
    ) -> f64 {
        let is_slow = self.about.is_some_and(|about| {
            about.bodies == [a.id, b.id] && farthest_moved(b, &about.b_in_a, b_in_a) <= SLOW * reach
        });
        let wide = if is_slow { reach * (1.0 + MARGIN) } else { reach };
        self.about = Some(About { bodies: [a.id, b.id], b_in_a: *b_in_a, reach: wide });
        wide
    }
}

/// No point of a body is farther from one pose to another than this: the middle of its box moves, and about it the corners
/// turn.
pub(crate) fn farthest_moved<B: Bound>(body: &Hierarchy<B>, from: &Pose, to: &Pose) -> f64 {
    let middle = body.bounds.center();
    let radius = 0.5 * body.bounds.size().length();
    let turn = from.rotation().conjugate() * to.rotation();
    let half_sine = turn.xyz().length();
    // Rounding of the poses must not make a motion of nothing.
    let rounding = 16.0 * f64::EPSILON * (body.magnitude + to.translation().abs().max_element());
    from.transform_point(middle).distance(to.transform_point(middle)) + 2.0 * half_sine * radius + rounding
}
