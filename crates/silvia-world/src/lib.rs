//! Bodies that move, touch and never pass through each other.
//!
//! The way through this crate: a [`BodyBuilder`] says what a body is, its [`Role`] what moves it;
//! [`World::add`] takes it in, with [`Material`]s, [`Load`]s and [`Script`]s. [`World::step`] advances all of
//! them and reports what happened ([`StepReport`]); how contacts answer is up to a method of [`response`]. A
//! world is asked for poses, velocities, contacts and their forces, energy, momentum, distances and the
//! smallest clearance, and goes back to a [`Snapshot`] bit for bit.

mod account;
mod accuracy;
mod body;
mod buffers;
mod builder;
mod bytes;
mod error;
mod events;
mod flight;
mod hand;
mod inertia;
mod kinematics;
mod level;
mod load;
mod material;
mod profile;
mod report;
pub mod response;
mod script;
mod settings;
mod sorted;
mod state;
mod step;
mod stuck;
pub mod validation;
mod world;

pub use account::{MomentumAccount, RunAccount};
pub use accuracy::{AccuracyError, AdaptiveStepper, AdaptiveSteps};
pub use body::{BodyId, BodyState, Role};
pub use builder::BodyBuilder;
pub use error::{BodyError, BodyFault, SnapshotError, WorldError};
pub use events::StepEvent;
pub use hand::{Hand, HandError, HandId, HandRecord};
pub use inertia::Inertia;
pub use level::Level;
pub use load::{Load, LoadError, LoadId};
pub use material::{Material, MaterialError, MaterialId, PairLaw};
pub use profile::{Cost, Profile, Stage, Stopwatch};
pub use report::{
    Certificate, ContactRecord, EnergyAccount, ImpactRecord, Meeting, OverlapRecord, Shortfall,
    ShortfallKind, StepError, StepReport, StuckReason, Traded,
};
pub use script::{Script, ScriptError};
pub use settings::{Budget, OnStuck, SettingsError, WorldSettings};
pub use stuck::LengthUnit;
pub use world::{BodyHit, Clearance, Energy, NearBody, NetForce, Snapshot, World};
