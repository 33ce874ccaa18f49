//! What comes out: a way for each part, or where it was too narrow.

use crate::options::Method;
use crate::push::Push;
use silvia_proximity::Feature;
use silvia_solid::{Pose, Vec3};

/// Whether parts can be assembled.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Answer {
    /// They can, and this is how.
    Assembled(Assembly),
    /// No way was found within the budget for at least one part. There may be one.
    NotFound {
        /// Parts that do leave, in the order in which they do so.
        removed: Vec<Move>,
        /// Parts that do not, in the order given.
        blocked: Vec<Blocked>,
        /// Pushes tried.
        tries: usize,
        /// Placements drawn.
        samples: usize,
    },
    /// They cannot: parts overlap at the goal, which exact tests say.
    Impossible {
        /// All pairs that do.
        overlaps: Vec<Overlapping>,
    },
}

/// How parts are assembled.
#[derive(Clone, Debug, PartialEq)]
pub struct Assembly {
    /// In the order of assembly; the first part stays where it is, and has none.
    pub moves: Vec<Move>,
    /// Pushes tried.
    pub tries: usize,
    /// Placements drawn.
    pub samples: usize,
}

/// The way of a part.
#[derive(Clone, Debug, PartialEq)]
pub struct Move {
    /// Which part, by its number.
    pub part: usize,
    /// Its frame on the way from outside, clear of all that is in place, to the goal. Between two poses every
    /// vertex goes straight. Each leg was tested against all parts in place: nothing touches.
    pub path: Vec<Pose>,
    /// How it was found.
    pub method: Method,
    /// What the hand did to take the part out, in this order; empty if trees found the way.
    pub pushes: Vec<Push>,
    /// How far a truly rigid motion between two poses departs from the straight ways of the vertices, m, at
    /// most.
    pub sag: f64,
    /// How far the last pose is from the goal, m: some billionths of the size where parts touch there.
    pub short: f64,
    /// By how much the surface of the part was drawn in, m: 0, or some billionths of its size where it fits
    /// others without clearance.
    pub drawn_in: f64,
}

/// Two parts that overlap at the goal.
#[derive(Clone, Debug, PartialEq)]
pub struct Overlapping {
    /// Which parts, by their numbers.
    pub parts: [usize; 2],
    /// How far one must move to be free of the other, m, as far as is known.
    pub depth: f64,
}

/// A part for which no way was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Blocked {
    /// Which part, by its number.
    pub part: usize,
    /// The way from the goal to where the part stopped: of all places that it reached, the one nearest to the
    /// narrowest; if that is unknown, the one from which its box has the least way to go until it is clear.
    pub path: Vec<Pose>,
    /// What stopped it there, the hardest pressed first.
    pub stops: Vec<Stop>,
    /// The narrowest place; `None` if no smaller copy of the part was found to pass either.
    pub narrow: Option<Narrow>,
}

/// A contact that stopped a part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// The other part, by its number.
    pub other: usize,
    /// Features of the part and of the other.
    pub features: [Feature; 2],
    /// Where, m.
    pub at: Vec3,
    /// Unit vector from the other part to this one.
    pub normal: Vec3,
    /// Its share of the force of all contacts.
    pub share: f64,
}

/// Where a part does not pass: on the way of the largest copy of it that does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Narrow {
    /// The size of that copy, as a fraction of the part's.
    pub scale: f64,
    /// By how much the part lacks room there, m, as a negative clearance: how deep its deepest point is in
    /// another part, or one of another part in it.
    pub clearance: f64,
    /// Where the part would be then.
    pub pose: Pose,
    /// The deepest point, m.
    pub at: Vec3,
    /// The other part, by its number.
    pub other: usize,
    /// The feature of the other part nearest to the point, if the point is one of the part that moves.
    pub feature: Option<Feature>,
}
