//! Scene files and the worlds they describe.
//!
//! [`Scene::load`] reads a TOML file and the part files it names; [`Scene::setup`] makes a world from it. All
//! problems are reported at once, each with its line, field and remedy. [`written`] lists everything that a
//! file can contain; [`schema`] has the same for editors.

mod build;
mod check;
mod finding;
pub mod forms;
mod goal;
mod hints;
mod load;
mod played;
mod schema;
mod setup;
mod source;
mod spelling;
mod tree;
mod walk;
pub mod written;

pub use build::{MOST_BODIES, Overrides};
pub use finding::{Finding, Place, SceneError, Severity, folded};
pub use goal::{Condition, Goal, Progress as GoalProgress};
pub use load::{MOST_PART_FILE, MOST_PART_FILES, MOST_TEXT, Scene};
pub use played::{Played, PlayedError};
pub use schema::schema;
pub use setup::{HandPath, RunSettings, Setup};
pub use source::{SceneSource, length_unit};
