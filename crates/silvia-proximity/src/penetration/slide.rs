//! From a translation that separates to a shorter one: sliding along the surface of what is not free.
//!
//! Near a free place, each pair of triangles is kept apart by a plane, and stays apart while B moves no
//! further towards it than the gap. Those half-spaces are a convex part of what is free, so the shortest
//! translation in them is free as well; there the planes are chosen anew. Pairs further away than the step is
//! long cannot meet in it. Nothing on the way touches, and every step is shorter than the last, so the end is
//! a local minimum or as near to one as the steps allowed.

use super::along::Sweep;
use super::halfspaces::{HalfSpace, nearest};
use crate::bounds::Bound;
use crate::duo::{Duo, Pair, Under};
use crate::lanes::{LANES, with_simd};
use crate::triangle::triangle_distance;
use silvia_solid::{Pose, Vec3};

/// What the separation of two triangles along a plane's normal must exceed rounding by, as a multiple of the
/// sweep's margin, to count as a gap that may be used up.
const GAP_MARGINS: f64 = 4.0;

/// A step that shortens the translation by less than this fraction ends the slide.
const PROGRESS: f64 = 1e-6;

/// The length of the first step, as a fraction of the translation.
const FIRST_STEP: f64 = 0.25;

/// The shortest step, as a fraction of the translation: below it there is nothing to gain.
const LEAST_STEP: f64 = 1e-4;

/// More planes than a step needs in most places; a step that needs more is tried again shorter.
const MAX_PLANES: usize = 32;

/// Slides from a free translation towards the origin, at most so many steps; the result is free and no
/// longer.
pub(crate) fn slide<B: Bound>(sweep: &Sweep<'_, B>, start: Vec3, max_steps: usize) -> Vec3 {
    let mut at = start;
    let mut step = FIRST_STEP * start.length();
    for _ in 0..max_steps {
        let length = at.length();
        if step <= LEAST_STEP * length || length <= sweep.margin {
            break;
        }
        let near = near_pairs(sweep, at, step);
        let Some(next) = shorter(&near, at, step, sweep.margin) else {
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

/// The shortest translation that the planes between the pairs allow, no further away than `step`; `None` if
/// too many planes are needed.
///
/// Planes are chosen only where they are needed: the translation is sought with those there are, and the pair
/// that it would bring together most gets the plane that is best for it.
fn shorter(near: &[NearTriangles], at: Vec3, step: f64, margin: f64) -> Option<Vec3> {
    let limited = |to: Vec3| {
        let by = to - at;
        at + by * (step / by.length().max(f64::MIN_POSITIVE)).min(1.0)
    };
    let mut planes: Vec<HalfSpace> = Vec::new();
    let mut axes: Vec<usize> = vec![0; near.len()];
    for _ in 0..MAX_PLANES {
        let to = limited(nearest(&planes)?);
        let by = to - at;
        let mut worst: Option<(f64, HalfSpace)> = None;
        for (pair, axis) in near.iter().zip(&mut axes) {
            if let Some((room, plane)) = pair.blocks(at, by, axis, margin)
                && worst.is_none_or(|(w, _)| room < w)
            {
                worst = Some((room, plane));
            }
        }
        match worst {
            None => return Some(to),
            Some((_, plane)) => planes.push(plane),
        }
    }
    None
}

/// Two triangles near each other, in the frame of A.
struct NearTriangles {
    a: [Vec3; 3],
    b: [Vec3; 3],
    /// How far apart they are, m.
    gap: f64,
    /// From the nearest point of `a` to that of `b`.
    between: Vec3,
}

/// Normals of planes that may keep two triangles apart: along one of them, along a side of each, across the
/// nearest points.
const AXES: usize = 12;

impl NearTriangles {
    fn axis(&self, index: usize) -> Vec3 {
        let side = |t: &[Vec3; 3], k: usize| t[(k + 1) % 3] - t[k];
        match index {
            0 => self.between,
            1 => side(&self.a, 0).cross(side(&self.a, 1)),
            2 => side(&self.b, 0).cross(side(&self.b, 1)),
            _ => side(&self.a, (index - 3) / 3).cross(side(&self.b, index % 3)),
        }
    }

    /// If going by `by` may bring the triangles together: the plane that hinders least, and how much room it
    /// leaves (less than none). `first` is the axis that held them apart last.
    fn blocks(&self, at: Vec3, by: Vec3, first: &mut usize, margin: f64) -> Option<(f64, HalfSpace)> {
        if self.gap > by.length() + GAP_MARGINS * margin {
            return None;
        }
        let mut best = (f64::NEG_INFINITY, Vec3::X, 0.0);
        let mut least_bad = (f64::NEG_INFINITY, Vec3::X);
        for k in 0..AXES {
            let index = (*first + k) % AXES;
            let Some(normal) = self.axis(index).try_normalize() else { continue };
            let (low_a, high_a) = extent(&self.a, normal);
            let (low_b, high_b) = extent(&self.b, normal);
            let (gap, normal) = if low_b - high_a >= low_a - high_b {
                (low_b - high_a, normal)
            } else {
                (low_a - high_b, -normal)
            };
            if gap > least_bad.0 {
                least_bad = (gap, normal);
            }
            if gap < GAP_MARGINS * margin {
                continue;
            }
            let gap = gap - GAP_MARGINS * margin;
            let room = gap + normal.dot(by);
            if room >= -margin {
                *first = index;
                return None;
            }
            if room > best.0 {
                best = (room, normal, gap);
            }
        }
        let (room, normal, gap) = best;
        if room == f64::NEG_INFINITY {
            // So near that no plane leaves a gap above rounding: no nearer.
            let (_, normal) = least_bad;
            let room = normal.dot(by);
            return (room < -margin).then(|| (room, HalfSpace { normal, offset: normal.dot(at) }));
        }
        Some((room, HalfSpace { normal, offset: normal.dot(at) - gap }))
    }
}

fn extent(t: &[Vec3; 3], normal: Vec3) -> (f64, f64) {
    let [x, y, z] = t.map(|p| p.dot(normal));
    (x.min(y).min(z), x.max(y).max(z))
}

/// All pairs of triangles that are nearer than `reach` when B is moved, corners in the frame of A.
fn near_pairs<B: Bound>(sweep: &Sweep<'_, B>, at: Vec3, reach: f64) -> Vec<NearTriangles> {
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
                                let closest = triangle_distance(&ta.corners, &corners);
                                let gap = closest.distance_squared.sqrt();
                                if gap < limit {
                                    let between = closest.points[1] - closest.points[0];
                                    found.push(NearTriangles { a: ta.corners, b: corners, gap, between });
                                }
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
