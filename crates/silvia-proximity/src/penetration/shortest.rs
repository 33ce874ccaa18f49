//! The default search: try directions, slide from the best.

use super::PenetrationOptions;
use super::along::Sweep;
use super::deepest::{DeepPoint, in_frame_of_a};
use super::directions::{candidates, spread_directions};
use super::slide::slide;
use crate::bounds::Bound;
use silvia_solid::Vec3;

/// How many points of each body inside the other bound the directions from below.
const INNER: usize = 12;

/// A direction this many times as long as the best so far may still slide to something better.
const WORTH_SLIDING: f64 = 1.4;

/// Directions to slide from are further apart than this (cosine; about 10 degrees), and as far from where
/// slides ended: nearer ones end at the same place.
const APART: f64 = 0.985;

/// How many steps a slide may take.
const SLIDE_STEPS: usize = 40;

/// How many of the places where slides ended are looked around at, and how often each.
const LOOKED_AROUND: usize = 3;

/// At these angles from the direction of such a place (radians), each eight times around.
const AROUND: [f64; 3] = [0.05, 0.12, 0.21];

/// A direction beside it that is shorter by this fraction is worth another slide.
const BETTER: f64 = 0.999;

/// One in so many of the directions all around is tried before the slides, the others after them.
const COARSE: usize = 4;

/// After the slides, a direction counts only if it is shorter than this fraction of the best.
const MUCH_BETTER: f64 = 0.97;

/// The length and the direction of the shortest translation found, in the frame of A. `hulls` is the way out
/// of the convex hulls, which separates the bodies as well.
pub(crate) fn shortest<B: Bound>(
    sweep: &mut Sweep<'_, B>,
    hulls: Option<Vec3>,
    hint: Option<Vec3>,
    options: &PenetrationOptions,
) -> (f64, Vec3) {
    let deep = in_frame_of_a(sweep.a, sweep.b, &sweep.b_in_a);
    sweep.inner = inner_points(&deep);
    let mut tried: Vec<(f64, Vec3)> = Vec::new();
    let mut best = past_boxes(sweep);
    let first = hulls.into_iter().chain(hint);
    let suggested = candidates(sweep, &deep, options.directions / COARSE);
    for direction in first.chain(suggested) {
        let limit = if options.slides == 0 { best.0 } else { WORTH_SLIDING * best.0 };
        if let Some(s) = sweep.least(direction, limit) {
            tried.push((s, direction));
            if s < best.0 {
                best = (s, direction);
            }
        }
    }
    tried.sort_by(|x, y| x.0.total_cmp(&y.0));
    let mut ends = slide_from(sweep, &tried, options.slides);
    ends.sort_by(|x, y| x.0.total_cmp(&y.0));
    for end in ends.iter().take(LOOKED_AROUND) {
        let end = look_around(sweep, *end);
        if end.0 < best.0 {
            best = end;
        }
    }
    // Finely all around: what is a little shorter than the best by now is rare, and ruled out quickly.
    for direction in spread_directions(options.directions - options.directions / COARSE) {
        if let Some(s) = sweep.least(direction, MUCH_BETTER * best.0) {
            best = look_around(sweep, slid(sweep, s, direction));
        }
    }
    // Where a slide ended, the least along its direction may be less still.
    if let Some(s) = sweep.least(best.1, best.0).filter(|&s| s < best.0) {
        best.0 = s;
    }
    best
}

/// Where slides from the first directions end that are apart from each other, lengths and directions.
fn slide_from<B: Bound>(sweep: &Sweep<'_, B>, tried: &[(f64, Vec3)], count: usize) -> Vec<(f64, Vec3)> {
    let (mut seen, mut ends): (Vec<Vec3>, Vec<(f64, Vec3)>) = (Vec::new(), Vec::new());
    for &(s, direction) in tried {
        if ends.len() == count {
            break;
        }
        if seen.iter().any(|v| v.dot(direction) > APART) {
            continue;
        }
        let end = slid(sweep, s, direction);
        seen.extend([direction, end.1]);
        ends.push(end);
    }
    ends
}

fn slid<B: Bound>(sweep: &Sweep<'_, B>, s: f64, direction: Vec3) -> (f64, Vec3) {
    let end = slide(sweep, s * direction, SLIDE_STEPS);
    let length = end.length();
    if length < s { (length, end / length) } else { (s, direction) }
}

/// Tries directions beside that of a local minimum, and slides on from the best: a dent too narrow to slide
/// into may be near.
fn look_around<B: Bound>(sweep: &mut Sweep<'_, B>, from: (f64, Vec3)) -> (f64, Vec3) {
    let mut here = from;
    for _ in 0..LOOKED_AROUND {
        let (u, v) = here.1.any_orthonormal_pair();
        let mut best = (BETTER * here.0, Vec3::ZERO);
        for angle in AROUND {
            for turn in 0..8 {
                let (sine, cosine) = (f64::from(turn) * std::f64::consts::FRAC_PI_4).sin_cos();
                let direction = (angle.cos() * here.1 + angle.sin() * (cosine * u + sine * v)).normalize();
                if let Some(s) = sweep.least(direction, best.0) {
                    best = (s, direction);
                }
            }
        }
        if best.1 == Vec3::ZERO {
            break;
        }
        here = slid(sweep, best.0, best.1);
    }
    here
}

/// Along a coordinate axis, as far as the boxes around the bodies need: always free.
fn past_boxes<B: Bound>(sweep: &Sweep<'_, B>) -> (f64, Vec3) {
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

/// A few of the deepest points of each body, none within the depth of another.
fn inner_points(deep: &[DeepPoint]) -> Vec<(usize, Vec3)> {
    let mut kept: Vec<&DeepPoint> = Vec::new();
    for body in [0, 1] {
        let first = kept.len();
        for d in deep.iter().filter(|d| d.of == body) {
            if kept[first..].iter().all(|k| k.point.distance(d.point) > k.depth) {
                kept.push(d);
            }
            if kept.len() == first + INNER {
                break;
            }
        }
    }
    kept.into_iter().map(|d| (d.of, d.point)).collect()
}
