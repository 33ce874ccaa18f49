//! From a translation that separates to a shorter one: sliding along the surface of what is not free.
//!
//! Near a free place, each pair of triangles is kept apart by a plane, and stays apart while B moves no further towards
//! it than the gap. Those half-spaces are a convex part of what is free, so the shortest translation in them is free as
//! well; there the planes are chosen anew. Pairs further away than the step is long cannot meet in it. Nothing on the
//! way touches, and every step is shorter than the last, so the end is a local minimum or as near to one as the steps
//! allowed.

use super::along::Sweep;
use super::halfspaces::{HalfSpace, nearest};
use crate::bounds::Bound;
use crate::duo::{Duo, Pair, Under};
use crate::lanes::{LANES, with_simd};
use crate::triangle::triangle_distance;
use silvia_solid::{Pose, Vec3};

/// What the separation of two triangles along a plane's normal must exceed rounding by, as a multiple of the sweep's margin,
/// to count as a gap that may be used up.
const GAP_MARGINS: f64 = 4.0;

/// A step that shortens the translation by less than this fraction ends the slide.
const PROGRESS: f64 = 1e-6;

/// The length of the first step, as a fraction of the translation.
const FIRST_STEP: f64 = 0.25;

/// The shortest step, as a fraction of the translation: below it there is nothing to gain.
const LEAST_STEP: f64 = 1e-4;

/// Slides from a free translation towards the origin, at most so many steps; the result is free and no longer.
pub(crate) fn slide<B: Bound>(sweep: &Sweep<'_, B>, start: Vec3, max_steps: usize) -> Vec3 {
    let mut at = start;
    let mut step = FIRST_STEP * start.length();
    for _ in 0..max_steps {
        let length = at.length();
        if step <= LEAST_STEP * length || length <= sweep.margin {
            break;
        }
        let near = near_pairs(sweep, at, step);
        let Some(next) = shorter(sweep, &near, at, step) else {
            step *= 0.25;
            continue;
        };
        let moved = next.distance(at);
        let gained = length - next.length();
        if gained <= PROGRESS * length {
            step *= 0.25;
            continue;
        }
        if !sweep.is_free(next) {
            // Rounding only: the planes say it is.
            step *= 0.5;
            continue;
        }
        at = next;
        step = if moved > 0.9 * step { 2.0 * step } else { (2.0 * moved).max(0.5 * step) };
    }
    at
}

/// The shortest translation that the planes between the pairs allow, no further away than `step`.
fn shorter<B: Bound>(sweep: &Sweep<'_, B>, near: &[[[Vec3; 3]; 2]], at: Vec3, step: f64) -> Option<Vec3> {
    let limited = |to: Vec3| {
        let by = to - at;
        at + by * (step / by.length().max(f64::MIN_POSITIVE)).min(1.0)
    };
    let mut aim = limited(Vec3::ZERO);
    let mut best: Option<Vec3> = None;
    // The planes that leave most room depend on where to go, and where to go on the planes.
    for _ in 0..3 {
        let spaces: Vec<HalfSpace> =
            near.iter().map(|[a, b]| keep_apart(a, b, at, aim - at, sweep.margin)).collect();
        let Some(found) = nearest(&scattered(spaces)).map(limited) else { break };
        if best.is_some_and(|b| found.length() >= b.length()) {
            break;
        }
        best = Some(found);
        aim = found;
    }
    best
}

/// In an order that has nothing to do with where they are, which the search for the nearest point is quick for.
fn scattered(mut spaces: Vec<HalfSpace>) -> Vec<HalfSpace> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for i in (1..spaces.len()).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        spaces.swap(i, (state >> 33) as usize % (i + 1));
    }
    spaces
}

/// The half-space of translations in which a plane still keeps two triangles apart that are so at `at`: of the planes along a
/// triangle, along two sides, or across the nearest points, the one that leaves most room for going by `wish`.
fn keep_apart(a: &[Vec3; 3], b: &[Vec3; 3], at: Vec3, wish: Vec3, margin: f64) -> HalfSpace {
    let mut best: Option<(f64, Vec3, f64)> = None;
    let mut least_bad = (f64::NEG_INFINITY, Vec3::X);
    let mut consider = |axis: Vec3| {
        let unit = axis.normalize_or_zero();
        if unit == Vec3::ZERO {
            return;
        }
        for normal in [unit, -unit] {
            let end = |t: &[Vec3; 3], sign: f64| {
                t.iter().map(|p| sign * p.dot(normal)).fold(f64::NEG_INFINITY, f64::max)
            };
            let gap = -end(b, -1.0) - end(a, 1.0);
            if gap > least_bad.0 {
                least_bad = (gap, normal);
            }
            let room = gap + normal.dot(wish);
            if gap > GAP_MARGINS * margin && best.is_none_or(|(r, ..)| room > r) {
                best = Some((room, normal, gap));
            }
        }
    };
    let sides = |t: &[Vec3; 3]| [t[1] - t[0], t[2] - t[1], t[0] - t[2]];
    let (of_a, of_b) = (sides(a), sides(b));
    consider(of_a[0].cross(of_a[1]));
    consider(of_b[0].cross(of_b[1]));
    for u in of_a {
        for v in of_b {
            consider(u.cross(v));
        }
    }
    let closest = triangle_distance(a, b);
    consider(closest.points[1] - closest.points[0]);
    let (normal, room) = match best {
        Some((_, normal, gap)) => (normal, gap - GAP_MARGINS * margin),
        None => (least_bad.1, 0.0),
    };
    HalfSpace { normal, offset: normal.dot(at) - room }
}

/// All pairs of triangles that are nearer than `reach` when B is moved, corners in the frame of A.
fn near_pairs<B: Bound>(sweep: &Sweep<'_, B>, at: Vec3, reach: f64) -> Vec<[[Vec3; 3]; 2]> {
    let duo = Duo::new(sweep.a, &Pose::IDENTITY, sweep.b, &sweep.moved(at));
    let limit = reach + duo.rounding();
    with_simd(
        #[inline(always)]
        || {
            let mut found = Vec::new();
            let mut stack = vec![Pair::ROOTS];
            while let Some(pair) = stack.pop() {
                match duo.under(pair) {
                    Under::Triangles(a, b) => {
                        for tb in b.triangles {
                            let corners = duo.corners_of_b(tb);
                            for ta in a.triangles {
                                found.push([ta.corners, corners]);
                            }
                        }
                    }
                    Under::Node(opened) => {
                        let lower = duo.lower_bounds(&opened);
                        stack.extend((0..LANES).filter(|&l| lower[l] < limit).map(|l| opened.child(l)));
                    }
                }
            }
            found
        },
    )
}
