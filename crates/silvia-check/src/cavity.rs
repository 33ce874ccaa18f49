//! Cavities as the judge sees them: by how far another piece comes from their centre.
//!
//! Where centre and points go straight, that is greatest at the ends of a span of time. Only a disc that
//! turns keeps its size and strays from that.

use crate::crossing::{HALVINGS, Outcome, SPANS};
use crate::depth::closest;
use crate::moving::{Actor, stray};
use crate::piece::{Round, Simple};
use silvia_solid::Vec3;

/// Everything outside a ball.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cavity {
    pub(crate) center: Vec3,
    pub(crate) radius: f64,
}

/// More rounds than the farthest point of an ellipsoid takes, unless it fits its sphere of curvature.
const MOST_ROUNDS: usize = 2000;

/// Whether two pieces, of which one is a cavity, cross between two states by more than a tolerance, m.
pub(crate) fn in_cavity(a: &Actor<'_>, b: &Actor<'_>, tolerance: f64) -> Outcome {
    let depth = |time: f64| closest(&a.at(time).piece, &b.at(time).piece).depth;
    let mut spans = vec![([0.0, 1.0], [depth(0.0), depth(1.0)], 0)];
    let mut count = 0;
    while let Some(([from, until], depths, level)) = spans.pop() {
        count += 1;
        let strays: f64 =
            [a, b].map(|actor| stray(&actor.at(from).piece, &actor.at(until).piece)).iter().sum();
        if depths[0].max(depths[1]) + strays <= tolerance {
            continue;
        }
        let middle = 0.5 * (from + until);
        let between = depth(middle);
        if between > tolerance {
            return Outcome::Crosses(middle);
        }
        if level == HALVINGS || count >= SPANS {
            return Outcome::Undecided(middle);
        }
        spans.push(([middle, until], [between, depths[1]], level + 1));
        spans.push(([from, middle], [depths[0], between], level + 1));
    }
    Outcome::Free
}

impl Cavity {
    /// How deep another piece is in the material, m; if it is in the hollow, minus its distance from the
    /// surface. With the direction from the surface to the hollow, zero at the centre.
    pub(crate) fn depth_of(&self, other: &Simple) -> (f64, Vec3) {
        let (at, margin) = self.farthest(other);
        let way = at - self.center;
        (way.length() + margin - self.radius, -way.normalize_or_zero())
    }

    /// The same of points.
    pub(crate) fn depth_of_points(&self, points: impl IntoIterator<Item = Vec3>) -> f64 {
        let depth = |p: Vec3| p.distance(self.center) - self.radius;
        points.into_iter().map(depth).fold(f64::NEG_INFINITY, f64::max)
    }

    /// The farthest point of a piece, and how much is around it, m.
    fn farthest(&self, other: &Simple) -> (Vec3, f64) {
        match other {
            Simple::Ball { center, radius } => (*center, *radius),
            Simple::Rod { ends: [a, b], radius } => (self.farther(*a, *b), *radius),
            Simple::Round(round) => (self.farthest_of_round(round), 0.0),
            Simple::Triangle([a, b, c]) => (self.farther(self.farther(*a, *b), *c), 0.0),
            Simple::Ellipsoid(ellipsoid) => {
                let starts = ellipsoid.arms.into_iter().flat_map(|arm| [arm, -arm]);
                let starts = starts.chain([ellipsoid.middle - self.center]);
                let found = starts.map(|start| self.climb(start.normalize_or(Vec3::X), |d| other.support(d)));
                (found.fold(ellipsoid.middle, |p, q| self.farther(p, q)), 0.0)
            }
            // These go on for ever.
            Simple::HalfSpace(_) | Simple::Cavity(_) => (Vec3::INFINITY, 0.0),
        }
    }

    fn farther(&self, p: Vec3, q: Vec3) -> Vec3 {
        if q.distance_squared(self.center) > p.distance_squared(self.center) { q } else { p }
    }

    /// From a point of a convex piece to the one that is highest in the direction of it, which is not nearer,
    /// until none is farther.
    fn climb(&self, start: Vec3, support: impl Fn(Vec3) -> Vec3) -> Vec3 {
        let mut at = support(start);
        for _ in 0..MOST_ROUNDS {
            let next = support((at - self.center).normalize_or(start));
            if next.distance_squared(self.center) <= at.distance_squared(self.center) {
                break;
            }
            at = next;
        }
        at
    }

    fn farthest_of_round(&self, round: &Round) -> Vec3 {
        let [low, high] = round.ends();
        let (u, v) = round.axis.any_orthonormal_pair();
        let of_rim = |middle: Vec3| {
            let way = middle - self.center;
            let (x, y) = (way.dot(u), way.dot(v));
            let aside = x.hypot(y);
            // From a centre on the axis all of the rim is as far.
            let out = if aside > 0.0 { (x * u + y * v) / aside } else { u };
            middle + round.radius * out
        };
        self.farther(of_rim(low), if round.is_cone { high } else { of_rim(high) })
    }
}
