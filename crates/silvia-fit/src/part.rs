//! What is to be assembled.

use silvia_proximity::{ImpactError, NotFinite, Shape};
use silvia_solid::Pose;
use silvia_world::{BodyError, MaterialError, SettingsError, SnapshotError, StepError, WorldError};
use thiserror::Error;

/// A part, and where it is to be in the end.
#[derive(Clone, Debug)]
pub struct Part {
    /// What it is called; no two parts have the same name.
    pub name: String,
    /// In its own frame, m.
    pub shape: Shape,
    /// Where its frame is when all is assembled.
    pub goal: Pose,
}

impl Part {
    /// A part of a name, and where it is to be in the end.
    pub fn new(name: impl Into<String>, shape: Shape, goal: Pose) -> Part {
        Part { name: name.into(), shape, goal }
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum FitError {
    /// Nothing to assemble.
    #[error(
        "{given} of at least 2 parts: name the part that stays where it is, and then those that are moved"
    )]
    TooFew {
        /// How many parts there are.
        given: usize,
    },
    /// A part without end. It has no box that others could leave.
    #[error("part `{name}` has no end, so that nothing gets clear of it: give it a size")]
    Endless {
        /// Its name.
        name: String,
    },
    /// A part that cannot be a body: an open surface that is to move, a name given twice.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// The world refused what it was asked to do.
    #[error(transparent)]
    World(#[from] WorldError),
    /// The world refused its settings.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The world refused a material.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// The world did not go back to where it was.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// The world refused a step for another reason than that nothing moves.
    #[error(transparent)]
    Step(#[from] StepError),
    /// A point of a part is no number.
    #[error(transparent)]
    Point(#[from] NotFinite),
    /// A leg cannot be tested.
    #[error(transparent)]
    Impact(#[from] ImpactError),
    /// Two parts that touch at the goal, and cannot be opened by drawing in their faces: the search cannot
    /// begin. They may overlap by a little, or only touch.
    #[error(
        "`{a}` and `{b}` touch at the goal and cannot be opened a little: give them some clearance (a \
         thousandth of their size will do), or goals at which they do not touch"
    )]
    Touching {
        /// Its name.
        a: String,
        /// The other.
        b: String,
    },
    /// A way that was found did not stand the test: an error of ours.
    #[error(
        "the way found for `{part}` is not free: leg {leg} touches `{other}`; this is an error in silvia, \
         please report it with the parts"
    )]
    NotFree {
        /// The part that moves.
        part: String,
        /// Which leg, from the goal outwards, from 0.
        leg: usize,
        /// What is in its way.
        other: String,
    },
}
