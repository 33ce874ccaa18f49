//! The default search: try directions, slide from the best.

use super::PenetrationOptions;
use super::along::Sweep;
use super::deepest::{DeepPoint, in_frame_of_a};
use super::directions::candidates;
use super::slide::slide;
use crate::bounds::Bound;
use silvia_solid::Vec3;

/// How many points of each body inside the other bound the directions from below.
const INNER: usize = 8;

/// A direction this many times as long as the best so far may still slide to something better.
const WORTH_SLIDING: f64 = 1.5;

/// Directions to slide from are further apart than this (cosine; about 10 degrees): nearer ones end at the same place.
const APART: f64 = 0.985;

/// How many steps a slide may take.
const SLIDE_STEPS: usize = 40;

/// The length and the direction of the shortest translation found, in the frame of A. `hulls` is the depth of the convex hulls,
/// which separates the bodies as well.
pub(crate) fn shortest<B: Bound>(
    sweep: &mut Sweep<'_, B>,
    hulls: Option<(f64, Vec3)>,
    hint: Option<Vec3>,
    options: &PenetrationOptions,
) -> (f64, Vec3) {
    let deep = in_frame_of_a(sweep.a, sweep.b, &sweep.b_in_a);
    sweep.inner = inner_points(&deep);
    let mut tried: Vec<(f64, Vec3)> = Vec::new();
    let mut best = around(sweep);
    let first = hulls.map(|(_, direction)| direction).into_iter().chain(hint);
    for direction in first.chain(candidates(sweep, &deep, options.directions)) {
        let limit = if options.slides == 0 { best.0 } else { WORTH_SLIDING * best.0 };
        if let Some(s) = sweep.least(direction, limit) {
            tried.push((s, direction));
            if s < best.0 {
                best = (s, direction);
            }
        }
    }
    for (s, direction) in worth_sliding(tried, options.slides) {
        let end = slide(sweep, s * direction, SLIDE_STEPS);
        let length = end.length();
        if length < best.0 {
            best = (length, end / length);
        }
    }
    // Where a slide ended, the least along its direction may be less still.
    if let Some(s) = sweep.least(best.1, best.0).filter(|&s| s < best.0) {
        best.0 = s;
    }
    best
}

/// Along a coordinate axis, as far as the boxes around the bodies need: always free.
fn around<B: Bound>(sweep: &Sweep<'_, B>) -> (f64, Vec3) {
    let of_a = sweep.a.bounds;
    let of_b = silvia_solid::Aabb::of(
        sweep.b.surface.soup().points().iter().map(|&p| sweep.b_in_a.transform_point(p)),
    );
    let mut best = (f64::INFINITY, Vec3::X);
    for axis in 0..3 {
        let along = (of_a.max[axis] - of_b.min[axis], Vec3::AXES[axis]);
        let against = (of_b.max[axis] - of_a.min[axis], -Vec3::AXES[axis]);
        for (s, direction) in [along, against] {
            if s < best.0 {
                best = (s, direction);
            }
        }
    }
    (best.0.max(0.0) + sweep.margin, best.1)
}

/// A few of the deepest points of each body.
fn inner_points(deep: &[DeepPoint]) -> [Vec<Vec3>; 2] {
    [0, 1].map(|of| deep.iter().filter(|d| d.of == of).take(INNER).map(|d| d.point).collect())
}

/// The best of the directions tried that are apart from each other.
fn worth_sliding(mut tried: Vec<(f64, Vec3)>, count: usize) -> Vec<(f64, Vec3)> {
    tried.sort_by(|x, y| x.0.total_cmp(&y.0));
    let mut kept: Vec<(f64, Vec3)> = Vec::new();
    for candidate in tried {
        if kept.len() == count {
            break;
        }
        if kept.iter().all(|k| k.1.dot(candidate.1) < APART) {
            kept.push(candidate);
        }
    }
    kept
}
