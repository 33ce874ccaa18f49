//! What happened in a step.

use crate::account::MomentumAccount;
use crate::body::{BodyId, BodyState};
use crate::events::StepEvent;
use crate::hand::HandRecord;
use crate::profile::Profile;
use crate::step::IslandOutcome;
use crate::stuck::{LengthUnit, seconds};
use silvia_contact::Outcome;
use silvia_proximity::ContactName;
use silvia_solid::{Remedy, Vec3};
use thiserror::Error;

/// What happened in a step.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct StepReport {
    /// At the end, s.
    pub time: f64,
    /// Its length, s.
    pub length: f64,
    /// The contacts that bore a force or are closed at the end, in the order of bodies and features.
    pub contacts: Vec<ContactRecord>,
    /// Impacts, in the order of islands and time.
    pub impacts: Vec<ImpactRecord>,
    /// What hands with springs did, in the order of their numbers.
    pub hands: Vec<HandRecord>,
    /// What began and ended with the step: bodies that touched, parted, fell asleep and woke, in this order,
    /// and each in the order of bodies.
    pub events: Vec<StepEvent>,
    /// Islands of bodies that could meet.
    pub islands: usize,
    /// Pieces into which the step was cut, of the island with most; 1 if it was not.
    pub pieces: usize,
    /// How often a piece was shortened because it crossed something or could not be solved.
    pub cuts: usize,
    /// Rounds of the response method, over all islands.
    pub iterations: usize,
    /// The largest residual that a solver left.
    pub residual: f64,
    /// The least gap at the end of all pairs of features looked at, m; infinite if none was near.
    pub smallest_gap: f64,
    /// What was checked to be free.
    pub certificate: Certificate,
    /// Where bodies were between start and end, of islands that took more than one piece: each entry puts
    /// some bodies to where they went next. One island after the other, as islands cannot meet; what is named
    /// nowhere went straight from start to end.
    pub way: Vec<Vec<(BodyId, BodyState)>>,
    /// What was given up for speed, if the world is [interactive](crate::WorldSettings::interactive).
    pub traded: Traded,
    /// Where the law of contact was not met, although the motion is free; in the order of islands and time.
    pub shortfalls: Vec<Shortfall>,
    /// The deepest overlap at the end, if the response method is
    /// [compliant](crate::response::Guarantee::Compliant) and bodies overlap.
    pub overlap: Option<OverlapRecord>,
    /// Where the energy went.
    pub energy: EnergyAccount,
    /// Where the momentum of the free bodies came from.
    pub momentum: MomentumAccount,
    /// Bodies asleep.
    pub asleep: usize,
    /// Bodies at rest that are not asleep: contact forces hold them where they are, and they have not moved.
    pub resting: usize,
    /// What a user should know.
    pub notes: Vec<String>,
    /// Where its time went, if the world is [profiled](crate::World::set_profiling).
    pub profile: Option<Profile>,
}

impl StepReport {
    /// Whether nothing began or ended in the step: no impact, no contact that came or went, no cut, no
    /// shortfall. Errors of such steps go with a power of their length.
    pub fn is_smooth(&self) -> bool {
        let is_change =
            |event: &StepEvent| matches!(event, StepEvent::Touched { .. } | StepEvent::Parted { .. });
        self.pieces <= 1
            && self.impacts.is_empty()
            && self.shortfalls.is_empty()
            && !self.events.iter().any(is_change)
    }

    /// Empties the report, but keeps its memory.
    pub(crate) fn clear(&mut self) {
        let StepReport { contacts, impacts, hands, events, way, shortfalls, notes, .. } =
            std::mem::take(self);
        *self =
            StepReport { contacts, impacts, hands, events, way, shortfalls, notes, ..StepReport::default() };
        self.contacts.clear();
        self.impacts.clear();
        self.hands.clear();
        self.events.clear();
        self.way.clear();
        self.shortfalls.clear();
        self.notes.clear();
    }

    /// Adds what happened to an island of some bodies, of which contacts can move so many.
    pub(crate) fn add(&mut self, ran: &IslandOutcome, bodies: usize, movable: usize) {
        if ran.is_at_rest {
            self.resting += movable;
        }
        self.contacts.extend_from_slice(&ran.contacts);
        self.impacts.extend_from_slice(&ran.impacts);
        self.hands.extend_from_slice(&ran.hands);
        self.pieces = self.pieces.max(ran.pieces);
        self.cuts += ran.cuts;
        self.iterations += ran.iterations;
        self.residual = self.residual.max(ran.residual);
        self.smallest_gap = self.smallest_gap.min(ran.smallest_gap);
        self.certificate.paths += ran.certificate.paths;
        self.certificate.grown += ran.certificate.grown;
        self.traded.impacts += ran.traded.impacts;
        self.traded.forces += ran.traded.forces;
        if let Some(overlap) = ran.overlap
            && self.overlap.is_none_or(|deepest| overlap.depth > deepest.depth)
        {
            self.overlap = Some(overlap);
        }
        if ran.pieces > 1 {
            self.way.extend(ran.way.chunks(bodies).map(<[_]>::to_vec));
        }
        self.energy.add(&ran.energy);
        self.momentum.add(&ran.momentum);
        self.shortfalls.extend_from_slice(&ran.shortfalls);
        self.notes.extend_from_slice(&ran.notes);
    }
}

/// What the certifier looked at: everything it looked at is free, else there would be no step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Certificate {
    /// Pairs of bodies whose boxes kept apart over the whole step need no look; these are the others, counted
    /// once a piece.
    pub paths: usize,
    /// Pairs of features that the certifier found crossing, which then joined the contacts.
    pub grown: usize,
}

/// Where the mechanical energy of a step went, J.
///
/// `kinetic + potential = loads + driven - friction - impacts + numerical`
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct EnergyAccount {
    /// By how much the energy of motion grew.
    pub kinetic: f64,
    /// By how much the energy by gravity grew.
    pub potential: f64,
    /// Work done by loads.
    pub loads: f64,
    /// Work done by scripts and hands.
    pub driven: f64,
    /// Taken by friction.
    pub friction: f64,
    /// Taken by impacts, and where bodies landed without a rebound.
    pub impacts: f64,
    /// What is left over: the error of the step. Work along the normals of contacts that stay closed is part
    /// of it.
    pub numerical: f64,
}

impl EnergyAccount {
    /// Adds another account to it.
    pub fn add(&mut self, other: &EnergyAccount) {
        let EnergyAccount { kinetic, potential, loads, driven, friction, impacts, numerical } = other;
        self.kinetic += kinetic;
        self.potential += potential;
        self.loads += loads;
        self.driven += driven;
        self.friction += friction;
        self.impacts += impacts;
        self.numerical += numerical;
    }
}

/// What was given up for speed in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Traded {
    /// Contacts that closed as fast as an impact and came to rest without one.
    pub impacts: usize,
    /// Contact problems whose forces are less exact than the tolerance.
    pub forces: usize,
}

/// Part of a step in which the law of contact was not met. The motion is certified as any other.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Shortfall {
    /// When it began, s.
    pub time: f64,
    /// How long it lasted, s.
    pub length: f64,
    /// What was made of it.
    pub kind: ShortfallKind,
    /// What stood in the way.
    pub reason: StuckReason,
    /// Mechanical energy of the island's bodies that was lost (or, if negative, gained) meanwhile, J. It
    /// counts as numerical.
    pub energy: f64,
}

/// How a step went on where contact forces were not found to the digits asked for.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ShortfallKind {
    /// With the forces that there are.
    InexactForces {
        /// What their solver left.
        residual: f64,
    },
    /// By the motion nearest to free flight that crosses no contact.
    NearestMotion,
    /// By that motion, but for these bodies.
    Rest {
        /// Those that went part of their way or rest, by name.
        bodies: Vec<String>,
        /// Those that a scripted body took along, as if they were fixed to it, by name.
        carried: Vec<String>,
    },
    /// With these scripted bodies held where they are.
    Hold {
        /// By name.
        bodies: Vec<String>,
    },
}

impl std::fmt::Display for Shortfall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Shortfall { time, reason, .. } = self;
        let (time, reason) = (seconds(*time), reason.what());
        match &self.kind {
            ShortfallKind::InexactForces { residual } => {
                write!(f, "at {time} s: forces are inexact (residual {residual:.1e})")
            }
            ShortfallKind::NearestMotion => {
                write!(f, "at {time} s: {reason}; bodies made the nearest free motion instead")
            }
            ShortfallKind::Rest { bodies, carried } => {
                write!(f, "at {time} s: {reason}")?;
                if !bodies.is_empty() || carried.is_empty() {
                    write!(f, "; at rest for the rest of the step: {}", bodies.join(", "))?;
                }
                if !carried.is_empty() {
                    write!(f, "; carried along by what a script moves: {}", carried.join(", "))?;
                }
                Ok(())
            }
            ShortfallKind::Hold { bodies } => {
                write!(f, "at {time} s: {reason}; held although a script moves it: {}", bodies.join(", "))
            }
        }
    }
}

/// A contact at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactRecord {
    /// The normal points from the first to the second.
    pub bodies: [BodyId; 2],
    /// Which features.
    pub name: ContactName,
    /// On each body, m.
    pub points: [Vec3; 2],
    /// Unit vector from the first to the second.
    pub normal: Vec3,
    /// How far apart the features are along the normal, m; negative if they overlap.
    pub gap: f64,
    /// Mean force on the second body over the step, impacts left out, N. Zero if it bore none.
    pub force: Vec3,
}

impl ContactRecord {
    /// The mean force on one of the two bodies over the step, impacts left out, N; zero for a body that is
    /// neither.
    pub fn force_on(&self, body: BodyId) -> Vec3 {
        match self.bodies.iter().position(|&id| id == body) {
            Some(0) => -self.force,
            Some(_) => self.force,
            None => Vec3::ZERO,
        }
    }
}

/// Two bodies that overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OverlapRecord {
    /// Which bodies.
    pub bodies: [BodyId; 2],
    /// How far one must be moved to leave the other, m; infinite if no translation is known to do it.
    pub depth: f64,
}

/// An impact within a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpactRecord {
    /// When it happened, s.
    pub time: f64,
    /// The normal points from the first to the second.
    pub bodies: [BodyId; 2],
    /// Which features.
    pub name: ContactName,
    /// Where, m.
    pub point: Vec3,
    /// Unit vector from the first to the second.
    pub normal: Vec3,
    /// How fast they approached, m/s.
    pub speed: f64,
    /// On the second body, N s.
    pub impulse: Vec3,
}

/// Why a step was not made. The world is as it was before.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum StepError {
    /// The length is no time.
    #[error("a step must be a positive, finite time, not {given} s")]
    Length {
        /// As given, s.
        given: f64,
    },
    /// The response method knows no friction, and bodies that may meet have some.
    #[error(
        "`{method}` does not handle friction, but `{a}` and `{b}` have it: give their materials friction 0, \
         or choose another method"
    )]
    Friction {
        /// Name of the method.
        method: &'static str,
        /// Names of the bodies.
        a: String,
        /// The other.
        b: String,
    },
    /// Bodies overlap at the start.
    #[error("{}", self.message_in(LengthUnit::METRE))]
    Overlap {
        /// Names of the bodies.
        a: String,
        /// The other.
        b: String,
        /// How deep, m.
        depth: f64,
    },
    /// No way on was found: pieces of the step became shorter than allowed.
    #[error("{}", self.message_in(LengthUnit::METRE))]
    Stuck {
        /// How far the island came, s.
        time: f64,
        /// The bodies of the island, by name.
        bodies: Vec<String>,
        /// What stood in the way.
        reason: StuckReason,
    },
    /// Numbers ran out of range.
    #[error("{}", self.message_in(LengthUnit::METRE))]
    OutOfRange {
        /// Its name.
        body: String,
        /// How fast it would move, m/s.
        speed: f64,
    },
}

/// Two bodies, and where they meet.
#[derive(Clone, Debug, PartialEq)]
pub struct Meeting {
    /// Their names.
    pub bodies: [String; 2],
    /// Where, m.
    pub at: Vec3,
}

/// What stood in the way of a step that is [stuck](crate::StepError::Stuck).
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{}", self.message())]
#[non_exhaustive]
pub enum StuckReason {
    /// The response method found no contact forces.
    NoForces {
        /// How its solver ended.
        outcome: Outcome,
        /// What it left; infinite if the forces would have created energy.
        residual: f64,
        /// The contact that is pressed hardest by what it found; the tightest, if it found nothing.
        near: Option<Meeting>,
    },
    /// Two bodies would pass through each other.
    Crossing(Meeting),
    /// Two bodies touch, and the way of one leads into the other: as they turn, or for lack of room.
    Turning(Meeting),
    /// Two bodies touch at the start, nearer than the certificate can tell them apart.
    TouchAtStart(Meeting),
    /// A body would move beyond all bounds.
    Unbounded {
        /// Its name.
        body: String,
    },
    /// More attempts failed than a step may have.
    OutOfBudget {
        /// How many.
        attempts: usize,
        /// What the last one came to; the tightest contact, if that is unknown.
        near: Option<Meeting>,
    },
    /// A body is told to move where another cannot give way.
    Prescribed {
        /// Name of the body that is told to move.
        mover: String,
        /// Name of the other.
        blocked: String,
        /// Where, m.
        at: Vec3,
        /// What keeps the other where it is, if it could be pushed along: the body that cannot go on (the
        /// other one, or what it pushes in turn), and what is in its way.
        by: Option<Box<Meeting>>,
    },
    /// The step was cut into too many pieces.
    TooManyPieces {
        /// As many as are allowed.
        most: usize,
        /// The tightest contact.
        near: Option<Meeting>,
    },
}
