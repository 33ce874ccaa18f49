//! Bodies that move, touch and never pass through each other.

mod body;
mod flight;
mod load;
mod material;
mod report;
pub mod response;
mod settings;
mod state;
mod step;
mod world;

pub use body::{BodyId, BodyState, Inertia, Role, Script};
pub use load::Load;
pub use material::{MaterialId, PairLaw};
pub use report::{Certificate, ContactRecord, ImpactRecord, StepError, StepReport};
pub use settings::WorldSettings;
pub use world::World;
