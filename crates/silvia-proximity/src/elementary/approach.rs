//! When a pair may first come nearer than a separation: never late, to a tolerance.
//!
//! At a time at which the closest points are known, let n be the direction between them. As long as all of
//! one feature is further along n than all of the other, by more than the separation, the pair is apart; and
//! that is linear in time. So the search may step to the end of it, or as far as the points' speed allows,
//! whichever is further.

use super::{Kind, MovingPair};
use crate::triangle::{closest_on_segments, closest_on_triangle};
use silvia_solid::Vec3;

/// A pair counts as near when its distance exceeds the separation by less than this part of its largest
/// coordinate.
pub const APPROACH_TOLERANCE: f64 = 1e-9;
/// Steps after which the search ends undecided. Few pairs need ten.
const MOST_STEPS: usize = 200;

/// The first time at which a pair may come as near as a separation.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Approach {
    /// In [0, 1]. At every time before, the pair is further apart than the separation.
    pub time: f64,
    /// Whether the distance at `time` is at most the separation, within the tolerance. If not, the search
    /// ended there undecided: the pair may pass at nearly this distance.
    pub reached: bool,
}

/// A separation that is not a length.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{separation} is not a separation: it must be finite and not negative (m)")]
pub struct SeparationError {
    /// As given.
    pub separation: f64,
}

/// The first time in [0, 1] at which a pair may be as near as `separation` (m), or `None` if it stays further
/// apart.
///
/// Never late: whatever rounding does, no earlier time has a distance of `separation` or less. It may be
/// early, or report a pair that only comes within [`APPROACH_TOLERANCE`]; for a separation of zero,
/// [`first_touch`](super::first_touch) is exact.
pub fn first_approach(pair: &MovingPair, separation: f64) -> Result<Option<Approach>, SeparationError> {
    if !(separation.is_finite() && separation >= 0.0) {
        return Err(SeparationError { separation });
    }
    let largest = pair.start.iter().chain(&pair.end).fold(0.0, |m: f64, p| m.max(p.abs().max_element()));
    // A power of two that brings all near 1, so that squares neither overflow nor vanish. In two factors: of
    // the smallest numbers it is larger than any f64.
    let exponent = if largest == 0.0 { 0.0 } else { -largest.log2().floor() };
    let half = (0.5 * exponent).floor();
    let units = [half.exp2(), (exponent - half).exp2()];
    let scaled = |points: &[Vec3; 4]| points.map(|p| p * units[0] * units[1]);
    let (start, end) = (scaled(&pair.start), scaled(&pair.end));
    let separation = separation * units[0] * units[1];
    // What rounding can do to a difference of coordinates of size 2, along a direction.
    const MARGIN: f64 = 128.0 * f64::EPSILON;
    Ok(advance(pair.kind, &start, &end, separation + MARGIN, APPROACH_TOLERANCE + MARGIN))
}

fn advance(
    kind: Kind,
    start: &[Vec3; 4],
    end: &[Vec3; 4],
    separation: f64,
    tolerance: f64,
) -> Option<Approach> {
    let (first, second): (&[usize], &[usize]) = match kind {
        Kind::VertexFace => (&[0], &[1, 2, 3]),
        Kind::EdgeEdge => (&[0, 1], &[2, 3]),
    };
    let pairs = || first.iter().flat_map(|&i| second.iter().map(move |&j| (i, j)));
    let speed =
        pairs().map(|(i, j)| ((end[j] - start[j]) - (end[i] - start[i])).length()).fold(0.0, f64::max);
    let mut time = 0.0;
    for _ in 0..MOST_STEPS {
        let n = direction(kind, &std::array::from_fn(|i| start[i].lerp(end[i], time)));
        // The gap along n, and when it ends.
        let mut gap = f64::INFINITY;
        let mut until = f64::INFINITY;
        for (i, j) in pairs() {
            let (from, to) = (n.dot(start[j] - start[i]), n.dot(end[j] - end[i]));
            gap = gap.min(from + time * (to - from));
            if to < separation {
                until = until.min((from - separation) / (from - to));
            }
        }
        if gap.is_nan() || gap <= separation + tolerance {
            return Some(Approach { time, reached: true });
        }
        if until > 1.0 {
            return None;
        }
        let next = until.max(time + (gap - separation) / speed);
        if next > 1.0 {
            return None;
        }
        if next <= time {
            break;
        }
        time = next;
    }
    Some(Approach { time, reached: false })
}

/// From the closest point of the first feature to that of the second; a unit vector, or zero.
fn direction(kind: Kind, p: &[Vec3; 4]) -> Vec3 {
    let way = match kind {
        Kind::VertexFace => closest_on_triangle(p[0], &[p[1], p[2], p[3]]).0 - p[0],
        Kind::EdgeEdge => {
            let (u, v) = (p[1] - p[0], p[3] - p[2]);
            let (s, t) = closest_on_segments(p[0], u, p[2], v);
            (p[2] + t * v) - (p[0] + s * u)
        }
    };
    way.normalize_or_zero()
}
