//! Why a world refuses what it is asked to do. It is as it was before.

use crate::body::BodyId;
use crate::hand::{HandError, HandId};
use crate::load::{LoadError, LoadId};
use crate::material::MaterialError;
use crate::script::ScriptError;
use silvia_contact::Twist;
use silvia_proximity::ShapeError;
use silvia_solid::{Pose, Remedy, Vec3};
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
#[error("{}", self.message())]
#[non_exhaustive]
pub enum BodyFault {
    /// A name without letters.
    EmptyName,
    /// A name that another body has.
    DuplicateName,
    /// A density that is none.
    Density {
        /// As given, kg/m³.
        given: f64,
    },
    /// A mass that is none.
    Mass {
        /// As given or as its volume gives, kg.
        given: f64,
    },
    /// A centre of mass or inertia with NaN or infinity.
    InertiaNotFinite {
        /// "centre of mass" or "inertia".
        what: &'static str,
    },
    /// An inertia that is no symmetric matrix.
    InertiaNotSymmetric {
        /// The two that ought to be equal, kg m².
        given: [f64; 2],
    },
    /// Moments of inertia that are not positive, or too large or too small for double precision.
    Moments {
        /// kg m²
        moments: Vec3,
    },
    /// Moments of inertia that no distribution of mass has.
    TriangleInequality {
        /// kg m²
        moments: Vec3,
    },
    /// A shape with no volume, or a negative one.
    Volume {
        /// The volume found, m³.
        volume: f64,
    },
    /// A shape without volume on a body that has to have a mass.
    NoVolume,
    /// A half-space on a body that moves.
    Endless,
    /// A shape that is none.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// A velocity with NaN or infinity.
    Velocity {
        /// As given.
        velocity: Twist,
    },
    /// A velocity for a body that is fixed or scripted.
    Immovable,
    /// A place beyond [`World::LIMIT`](crate::World::LIMIT), or none at all.
    OutOfReach {
        /// Where it would be, m.
        at: Vec3,
    },
    /// A shape whose points lie so far from its own origin that their coordinates are rounded by more than
    /// the gap that is kept between bodies allows. The limit is
    /// [`BodyBuilder::FARTHEST`](crate::BodyBuilder::FARTHEST).
    FarFromOrigin {
        /// Of the farthest point from the origin of the shape, m.
        distance: f64,
        /// The diagonal of its box, m.
        size: f64,
    },
    /// A pose for a body whose script says where it is.
    Scripted,
    /// A hand for a body that is not held.
    NotHeld,
    /// A hand with springs for a body that is not free.
    NotFree,
    /// A hand that is none.
    #[error(transparent)]
    Hand(#[from] HandError),
    /// A script that is none.
    #[error(transparent)]
    Script(#[from] ScriptError),
    /// A question about the script of a body that has none.
    NotScripted,
    /// A material of another world.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// A load that is none.
    #[error(transparent)]
    Load(#[from] LoadError),
}

impl Remedy for BodyFault {
    fn what(&self) -> String {
        match self {
            BodyFault::EmptyName => "its name is empty".to_owned(),
            BodyFault::DuplicateName => "there is a body of this name already".to_owned(),
            BodyFault::Density { given } => {
                format!("its density must be positive and finite, not {given} kg/m³")
            }
            BodyFault::Mass { given } => format!("its mass must be positive and finite, not {given} kg"),
            BodyFault::InertiaNotFinite { what } => format!("its {what} is not finite"),
            BodyFault::InertiaNotSymmetric { given } => format!(
                "its inertia is not symmetric: {} and {} kg m² are given for one product of \
                 inertia",
                given[0], given[1]
            ),
            BodyFault::Moments { moments } => {
                format!("its moments of inertia must be positive and finite, not {moments} kg m²")
            }
            BodyFault::TriangleInequality { moments } => {
                format!("no body has the moments of inertia {moments} kg m²")
            }
            BodyFault::Volume { volume } => {
                format!("its volume must be positive and finite, not {volume} m³")
            }
            BodyFault::NoVolume => "its shape has no volume, so its mass is unknown".to_owned(),
            BodyFault::Endless => "its shape has no end, so forces cannot move it".to_owned(),
            BodyFault::Shape(error) => error.what(),
            BodyFault::Velocity { velocity } => format!(
                "its velocity is not finite: linear {}, angular {}",
                velocity.linear, velocity.angular
            ),
            BodyFault::Immovable => "it is fixed or scripted and has no velocity of its own".to_owned(),
            BodyFault::OutOfReach { at } => format!(
                "at [{}] m it reaches beyond {:e} m from the origin, where coordinates are too coarse",
                at.to_array().map(shown).join(", "),
                crate::World::LIMIT
            ),
            BodyFault::FarFromOrigin { distance, size } => format!(
                "its shape is {} m across, but its points lie up to {} m from its own origin, where \
                 coordinates are too coarse for it",
                shown(rounded(*size)),
                shown(rounded(*distance))
            ),
            BodyFault::Scripted => "its script says where it is".to_owned(),
            BodyFault::NotHeld => "it is not held".to_owned(),
            BodyFault::NotFree => "it is not free, and a hand pulls free bodies only".to_owned(),
            BodyFault::Hand(error) => error.what(),
            BodyFault::Script(error) => error.what(),
            BodyFault::NotScripted => "it has no script".to_owned(),
            BodyFault::Material(error) => error.what(),
            BodyFault::Load(error) => error.what(),
        }
    }

    fn remedy(&self) -> String {
        match self {
            BodyFault::EmptyName => "give it one, or none for a number".to_owned(),
            BodyFault::DuplicateName => "choose another".to_owned(),
            BodyFault::InertiaNotFinite { .. } => "check the numbers it is computed from".to_owned(),
            BodyFault::TriangleInequality { .. } => {
                "the largest must not exceed the sum of the others; check units and signs".to_owned()
            }
            BodyFault::Volume { .. } => "check its size and units".to_owned(),
            BodyFault::NoVolume => "give its mass properties, or make it fixed or scripted".to_owned(),
            BodyFault::Endless => "make it fixed or scripted".to_owned(),
            BodyFault::Shape(error) => error.remedy(),
            BodyFault::Immovable => "give it a script".to_owned(),
            BodyFault::OutOfReach { .. } => "check the pose and the units".to_owned(),
            BodyFault::FarFromOrigin { .. } => {
                "move its points to its origin, and the body by its pose".to_owned()
            }
            BodyFault::Scripted => "change the script".to_owned(),
            BodyFault::NotHeld => "set its role to held first".to_owned(),
            BodyFault::NotFree => "set its role to free first".to_owned(),
            BodyFault::Hand(error) => error.remedy(),
            BodyFault::Script(error) => error.remedy(),
            BodyFault::Material(error) => error.remedy(),
            BodyFault::Load(error) => error.remedy(),
            BodyFault::Density { .. }
            | BodyFault::Mass { .. }
            | BodyFault::InertiaNotSymmetric { .. }
            | BodyFault::Moments { .. }
            | BodyFault::Velocity { .. }
            | BodyFault::NotScripted => String::new(),
        }
    }
}

/// Why a world refused what it was asked to do; it is as it was before.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum WorldError {
    /// An id whose body is gone, or that comes from elsewhere.
    #[error("there is no body {}: it was removed, or the id is from another world", id.number)]
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
    #[error("body `{name}` cannot be paired with itself: name two bodies")]
    SameBody {
        /// Its name.
        name: String,
    },
    /// An id whose hand let go, or that comes from elsewhere.
    #[error(
        "there is no hand {}: it let go, its body was removed or got another role, or the id is from another \
         world",
        id.0
    )]
    NoSuchHand {
        /// As given.
        id: HandId,
    },
    /// An id whose load is gone, or that comes from elsewhere.
    #[error("there is no load {}: it was removed, its body was, or the id is from another world", id.0)]
    NoSuchLoad {
        /// As given.
        id: LoadId,
    },
    /// A reach that is no length.
    #[error("the reach must be 0 m or more, not {given} m")]
    Reach {
        /// As given, m.
        given: f64,
    },
    /// What was asked does not fit the body.
    #[error(transparent)]
    Body(#[from] BodyError),
}

/// Why a snapshot was not restored.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
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
    #[error("these bytes are not a snapshot of a world")]
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

/// A number as people write it: as a power of ten where it would be a row of zeros.
fn shown(number: f64) -> String {
    let is_plain = number == 0.0 || !number.is_finite() || (1e-4..1e9).contains(&number.abs());
    if is_plain { number.to_string() } else { format!("{number:e}") }
}

/// Four digits.
fn rounded(number: f64) -> f64 {
    format!("{number:.3e}").parse().unwrap_or(number)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_beyond_reach_was_told_with_three_hundred_zeros() {
        let told = BodyFault::OutOfReach { at: Vec3::new(1e300, 2.5, 0.0) }.to_string();
        assert!(told.starts_with("at [1e300, 2.5, 0] m it reaches beyond 1e30 m"), "{told}");
    }

    /// Written out, so that no message changes unnoticed.
    #[test]
    fn messages_are_what_is_wrong_and_then_what_to_do() {
        let nowhere = Twist { linear: Vec3::NAN, angular: Vec3::ZERO };
        let of = || "`wood`".to_owned();
        let cases: Vec<(BodyFault, &str, &str)> = vec![
            (BodyFault::EmptyName, "its name is empty", "give it one, or none for a number"),
            (BodyFault::DuplicateName, "there is a body of this name already", "choose another"),
            (BodyFault::Density { given: -1.0 }, "its density must be positive and finite, not -1 kg/m³", ""),
            (
                BodyFault::Volume { volume: 0.0 },
                "its volume must be positive and finite, not 0 m³",
                "check its size and units",
            ),
            (
                BodyFault::Velocity { velocity: nowhere },
                "its velocity is not finite: linear [NaN, NaN, NaN], angular [0, 0, 0]",
                "",
            ),
            (BodyFault::NotHeld, "it is not held", "set its role to held first"),
            (
                BodyFault::Shape(ShapeError::EmptyCompound),
                "the compound has no parts",
                "give it at least one",
            ),
            (BodyFault::Script(ScriptError::Empty), "the script has no poses", "give at least one"),
            (
                BodyFault::Material(MaterialError::Friction { of: of(), given: -0.5 }),
                "the friction coefficient of `wood` is -0.5",
                "it must be 0 or more, and finite",
            ),
            (
                BodyFault::Load(LoadError::Window { from: 2.0, to: 1.0 }),
                "the load acts from 2 s to 1 s",
                "the second must be a later time",
            ),
            (
                BodyFault::Load(LoadError::TorqueAtPoint),
                "a torque acts on the whole body",
                "give it no point",
            ),
        ];
        for (fault, what, remedy) in cases {
            assert_eq!((fault.what().as_str(), fault.remedy().as_str()), (what, remedy));
            let message = if remedy.is_empty() { what.to_owned() } else { [what, remedy].join(": ") };
            assert_eq!(fault.to_string(), message);
        }
    }
}
