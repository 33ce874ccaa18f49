//! The file that a person writes, and the world that it describes.
//!
//! [`Scene::load`] reads a TOML file and the part files that it names; [`Scene::setup`] makes a world of it.
//! All that is wrong is told at once, each with its line, field and remedy. What can be written is in
//! [`written`]; [`schema`] has the same for editors.

mod build;
mod check;
mod finding;
pub mod forms;
mod load;
mod schema;
mod setup;
mod source;
mod spelling;
mod tree;
mod walk;
pub mod written;

pub use build::{MOST_BODIES, Overrides};
pub use finding::{Finding, Place, SceneError, Severity};
pub use load::{MOST_PART_FILE, MOST_PART_FILES, MOST_TEXT, Scene};
pub use schema::schema;
pub use setup::{HandPath, RunSettings, Setup};
pub use source::SceneSource;
