//! Why a world refuses what it is asked to do. It is as it was before.

use crate::body::BodyId;
use crate::load::{LoadError, LoadId};
use crate::material::MaterialError;
use crate::script::ScriptError;
use silvia_contact::Twist;
use silvia_proximity::ShapeError;
use silvia_solid::{Pose, Vec3};
use thiserror::Error;

/// Why a body was refused.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("body `{name}`: {fault}")]
pub struct BodyError {
    /// Of the body.
    pub name: String,
    /// What is wrong with it.
    #[source]
    pub fault: BodyFault,
}

/// What is wrong with a body.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum BodyFault {
    /// A name without letters.
    #[error("its name is empty: give it one, or none for a number")]
    EmptyName,
    /// A name that another body has.
    #[error("there is a body of this name already: choose another")]
    DuplicateName,
    /// A density that is none.
    #[error("its density must be positive and finite, not {given} kg/m³")]
    Density {
        /// As given, kg/m³.
        given: f64,
    },
    /// A mass that is none.
    #[error("its mass must be positive and finite, not {given} kg")]
    Mass {
        /// As given or as its volume gives, kg.
        given: f64,
    },
    /// A centre of mass or inertia with NaN or infinity.
    #[error("its {what} is not finite: check the numbers it is computed from")]
    InertiaNotFinite {
        /// "centre of mass" or "inertia".
        what: &'static str,
    },
    /// An inertia that is no symmetric matrix.
    #[error(
        "its inertia is not symmetric: {} and {} kg m² are given for one product of inertia",
        given[0], given[1]
    )]
    InertiaNotSymmetric {
        /// The two that ought to be equal, kg m².
        given: [f64; 2],
    },
    /// Moments of inertia that are not positive, or too large or too small for double precision.
    #[error("its moments of inertia must be positive and finite, not {moments} kg m²")]
    Moments {
        /// kg m²
        moments: Vec3,
    },
    /// Moments of inertia that no distribution of mass has.
    #[error(
        "no body has the moments of inertia {moments} kg m²: the largest must not exceed the sum of the \
         others; check units and signs"
    )]
    TriangleInequality {
        /// kg m²
        moments: Vec3,
    },
    /// A shape with no volume, or a negative one.
    #[error("its volume must be positive and finite, not {volume} m³: check its size and units")]
    Volume {
        /// m³
        volume: f64,
    },
    /// A shape without volume on a body that has to have a mass.
    #[error(
        "its shape has no volume, so its mass is unknown: give its mass properties, or make it fixed or \
         scripted"
    )]
    NoVolume,
    /// A half-space on a body that moves.
    #[error("its shape has no end, so that forces cannot move it: make it fixed or scripted")]
    Endless,
    /// A shape that is none.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// A velocity with NaN or infinity.
    #[error("its velocity is not finite: linear {}, angular {}", velocity.linear, velocity.angular)]
    Velocity {
        /// As given.
        velocity: Twist,
    },
    /// A velocity for a body that is fixed or scripted.
    #[error("it is fixed or scripted and has no velocity of its own: give it a script")]
    Immovable,
    /// A place beyond [`World::LIMIT`](crate::World::LIMIT), or none at all.
    #[error(
        "at {at} m it reaches beyond {:e} m from the origin, where coordinates tell nothing apart: check the \
         pose and the units",
        crate::World::LIMIT
    )]
    OutOfReach {
        /// m
        at: Vec3,
    },
    /// A pose for a body whose script says where it is.
    #[error("its script says where it is: change the script")]
    Scripted,
    /// A hand for a body that is not held.
    #[error("it is not held: set its role to held first")]
    NotHeld,
    /// A script that is none.
    #[error(transparent)]
    Script(#[from] ScriptError),
    /// A question about the script of a body that has none.
    #[error("it has no script")]
    NotScripted,
    /// A material of another world.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// A load that is none.
    #[error(transparent)]
    Load(#[from] LoadError),
}

/// Why a world refused what it was asked to do; it is as it was before.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum WorldError {
    /// An id whose body is gone, or that comes from elsewhere.
    #[error("there is no body {}: it was removed, or the id is from another world", id.0)]
    NoSuchBody {
        /// As given.
        id: BodyId,
    },
    /// A name that no body has.
    #[error("there is no body named `{name}`")]
    NoSuchName {
        /// As given.
        name: String,
    },
    /// A pair of one body.
    #[error("body `{name}` is no pair with itself: name two bodies")]
    SameBody {
        /// Its name.
        name: String,
    },
    /// An id whose load is gone, or that comes from elsewhere.
    #[error("there is no load {}: it was removed, its body was, or the id is from another world", id.0)]
    NoSuchLoad {
        /// As given.
        id: LoadId,
    },
    /// What was asked does not fit the body.
    #[error(transparent)]
    Body(#[from] BodyError),
}

/// Why a snapshot was not restored.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SnapshotError {
    /// The world has other bodies than the one that the snapshot was made of.
    #[error(
        "the snapshot is of a world with other bodies: number {number} was {} and is {}; take a new one \
         after adding or removing bodies",
        named(then),
        named(now)
    )]
    OtherBodies {
        /// The first body that differs.
        number: usize,
        /// Its name in the snapshot, if there was one.
        then: Option<String>,
        /// Its name in the world, if there is one.
        now: Option<String>,
    },
    /// A body cannot have the role that the snapshot says.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// Bytes of something else.
    #[error("these bytes are no snapshot of a world")]
    NoSnapshot,
    /// Bytes of a later version.
    #[error("the snapshot has version {found}, and this silvia knows {known} and before: use a newer silvia")]
    Newer {
        /// As the bytes say.
        found: u32,
        /// The last version known.
        known: u32,
    },
    /// Bytes that no world wrote, or that were damaged since.
    #[error("the snapshot is damaged: before byte {at} there should be {what}")]
    Damaged {
        /// Bytes read so far.
        at: usize,
        /// What was expected.
        what: &'static str,
    },
}

fn named(name: &Option<String>) -> String {
    name.as_ref().map_or("none".to_owned(), |name| format!("`{name}`"))
}

/// Whether a pose can be that of a body.
pub(crate) fn check_pose(pose: &Pose, reach: f64) -> Result<(), BodyFault> {
    let at = pose.translation();
    let reach = if reach.is_finite() { reach } else { 0.0 };
    if at.abs().max_element() + reach <= crate::World::LIMIT {
        Ok(())
    } else {
        Err(BodyFault::OutOfReach { at })
    }
}
