//! Paper 5 §6.4: the search over 26 directions at growing lengths, with its last step made safe.
//!
//! The paper shortens the trial vector by the projection of the gap onto it, which is right only if the
//! nearest features are the first to touch on the way back. Here the shortened vector is checked, and half of
//! it given back until it separates.

use super::along::Sweep;
use crate::bounds::Bound;
use crate::distance::{DistanceOptions, distance};
use silvia_solid::{Pose, Vec3};

/// The first length, as a fraction of the smaller body's size: negligible beside a usual depth.
const FIRST: f64 = 1e-3;

/// How often the shortening is halved before it is given up.
const HALVINGS: usize = 8;

/// The length and direction of the vector found, in the frame of A. `growth` is the paper's kappa, above 0.
pub(crate) fn shortest<B: Bound>(sweep: &Sweep<'_, B>, growth: f64) -> (f64, Vec3) {
    let size = |bounds: silvia_solid::Aabb| bounds.size().length();
    let far = size(sweep.a.bounds) + size(sweep.b.bounds) + sweep.margin;
    let mut length = FIRST * size(sweep.a.bounds).min(size(sweep.b.bounds)) + sweep.margin;
    loop {
        let mut best: Option<(f64, Vec3)> = None;
        for direction in grid() {
            if sweep.is_free(length * direction) {
                let gap = projected_gap(sweep, length * direction, direction);
                if best.is_none_or(|(p, _)| gap > p) {
                    best = Some((gap, direction));
                }
            }
        }
        if let Some((gap, direction)) = best {
            return (shortened(sweep, length, gap, direction), direction);
        }
        // Bodies that touch cannot reach further than their sizes together: there it ends, whatever rounding
        // says. What is missing by rounding is added when the answer is certified.
        if length >= far {
            return (far, Vec3::X);
        }
        length = (length * (1.0 + growth)).min(far);
    }
}

/// The vectors with components -1, 0 and 1, zero excepted, at unit length.
fn grid() -> impl Iterator<Item = Vec3> {
    (0..27).filter(|&i| i != 13).map(|i| {
        let component = |k: i32| f64::from(i / k % 3 - 1);
        Vec3::new(component(9), component(3), component(1)).normalize()
    })
}

/// The vector between the nearest points, projected onto the direction.
fn projected_gap<B: Bound>(sweep: &Sweep<'_, B>, by: Vec3, direction: Vec3) -> f64 {
    let near = distance(sweep.a, &Pose::IDENTITY, sweep.b, &sweep.moved(by), &DistanceOptions::default());
    near.map_or(0.0, |d| (d.witness.points[1] - d.witness.points[0]).dot(direction))
}

fn shortened<B: Bound>(sweep: &Sweep<'_, B>, length: f64, gap: f64, direction: Vec3) -> f64 {
    let mut less = gap.clamp(0.0, length) - sweep.margin;
    for _ in 0..HALVINGS {
        if less <= 0.0 {
            break;
        }
        if sweep.is_free((length - less) * direction) {
            return length - less;
        }
        less *= 0.5;
    }
    length
}
