//! What one search for contacts leaves for the next.

use super::ContactOptions;
use crate::bounds::Bound;
use crate::contacts::corners::HeldCorners;
use crate::contacts::tuning;
use crate::feature::Feature;
use crate::front::Front;
use crate::hierarchy::Hierarchy;
use silvia_solid::Pose;

/// Speeds up repeated searches for contacts of one pair of bodies. Belongs to the caller. It affects speed,
/// never results.
#[derive(Clone, Debug, Default)]
pub struct ContactCache {
    /// In the order of features.
    pub(super) candidates: Vec<Candidate>,
    about: Option<About>,
    /// Of the last search.
    pub(super) corners: HeldCorners,
    /// Of bodies that move farther than a small reach between searches.
    pub(super) front: Option<Box<Front>>,
}

/// A pair of features that may be near and may face each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) features: [Feature; 2],
    /// The triangle of a face that was found near; of two edges, that of the first.
    pub(super) triangle: u32,
    /// They are farther apart than a reach until points have moved, since the candidates were gathered, by as
    /// much as this is more than the reach, m.
    pub(super) apart: f64,
}

/// For what the candidates are all there are.
#[derive(Clone, Copy, Debug)]
struct About {
    bodies: [u64; 2],
    b_in_a: Pose,
    /// How far was looked.
    looked: ContactOptions,
    /// Where the second was seen from the first in the last search, and how far points have moved until then,
    /// there and back, m.
    last: Pose,
    travelled: f64,
}

impl ContactCache {
    /// An empty cache.
    pub fn new() -> ContactCache {
        ContactCache::default()
    }

    /// How far points have travelled since the candidates were gathered, m, if nothing outside of them can be
    /// within reach and face each other: if they have moved and turned by no more than the search looked too
    /// far.
    pub(super) fn travelled<B: Bound>(
        &mut self,
        a: &Hierarchy<B>,
        b: &Hierarchy<B>,
        b_in_a: &Pose,
        options: &ContactOptions,
    ) -> Option<f64> {
        let about = self.about.as_mut().filter(|about| about.bodies == [a.id, b.id])?;
        let moved = farthest_moved(b, &about.b_in_a, b_in_a);
        let turned = farthest_turned(&about.b_in_a, b_in_a);
        if options.reach + moved > about.looked.reach || options.turn + turned > about.looked.turn {
            return None;
        }
        about.travelled += farthest_moved(b, &about.last, b_in_a);
        about.last = *b_in_a;
        Some(about.travelled)
    }

    /// Whether the next candidates should be gathered by a front: of large bodies that come again, with a
    /// small reach.
    pub(super) fn wants_front<B: Bound>(
        &self,
        a: &Hierarchy<B>,
        b: &Hierarchy<B>,
        options: &ContactOptions,
    ) -> bool {
        self.about.is_some_and(|about| about.bodies == [a.id, b.id])
            && a.triangles.len() + b.triangles.len() >= tuning::FRONT_LEAST
            && options.reach <= tuning::FRONT_REACH * a.radius.min(b.radius)
    }

    /// Notes that candidates are about to be gathered for these bodies here; says how far to look.
    pub(super) fn renew<B: Bound>(
        &mut self,
        a: &Hierarchy<B>,
        b: &Hierarchy<B>,
        b_in_a: &Pose,
        options: &ContactOptions,
    ) -> ContactOptions {
        let is_slow = self.about.is_some_and(|about| {
            about.bodies == [a.id, b.id]
                && farthest_moved(b, &about.b_in_a, b_in_a) <= tuning::CACHE_SLOW * options.reach
        });
        let times = if is_slow { 1.0 + tuning::CACHE_MARGIN } else { 1.0 };
        let looked = ContactOptions { reach: times * options.reach, turn: times * options.turn };
        self.about =
            Some(About { bodies: [a.id, b.id], b_in_a: *b_in_a, looked, last: *b_in_a, travelled: 0.0 });
        looked
    }
}

/// The angle between two poses, rad, never too small.
fn farthest_turned(from: &Pose, to: &Pose) -> f64 {
    let half_sine = (from.rotation().conjugate() * to.rotation()).xyz().length();
    /// Of the product, rad.
    const ROUNDING: f64 = 32.0 * f64::EPSILON;
    2.0 * half_sine.min(1.0).asin() + ROUNDING
}

/// No point of a body is farther from one pose to another than this: the middle of its box moves, and about
/// it the corners turn.
pub(crate) fn farthest_moved<B: Bound>(body: &Hierarchy<B>, from: &Pose, to: &Pose) -> f64 {
    let middle = body.bounds.center();
    let radius = 0.5 * body.bounds.size().length();
    let turn = from.rotation().conjugate() * to.rotation();
    let half_sine = turn.xyz().length();
    // Rounding of the poses must not make a motion of nothing.
    let rounding = 16.0 * f64::EPSILON * (body.magnitude + to.translation().abs().max_element());
    from.transform_point(middle).distance(to.transform_point(middle)) + 2.0 * half_sine * radius + rounding
}
