//! Scenes, recordings of their runs, and what people see of both.
//!
//! ```text
//! scene file ─► Scene ─► Setup (a world, and how to run it) ─► run ─► Recording ─► export, picture, report
//! ```
//!
//! - [`scene`]: the file that a person writes, its checks, and the world that it describes.
//! - [`recording`]: the output of a run; everything below reads only this.
//! - [`run`]: makes the steps, records them, and has each one checked.
//! - [`fitting`]: what came of the goals of a run.
//! - [`drawing`]: triangle meshes of shapes for display; [`smooth`]: their normals; [`stage`]: the best view
//!   of them.
//! - `picture`, with the feature of that name: frames of a recording as PNG files and films.
//! - `report`, likewise: a recording as a single web page.
//! - `export`, likewise: recordings as files for other programs.

pub mod drawing;
#[cfg(feature = "export")]
pub mod export;
pub mod fitting;
#[cfg(feature = "picture")]
pub mod picture;
pub mod recording;
#[cfg(feature = "report")]
pub mod report;
pub mod run;
pub mod scene;
pub mod smooth;
pub mod stage;

pub use recording::{Frame, Header, Recording, View};
pub use run::{RunOptions, Runner};
pub use scene::{Overrides, Scene, SceneError, SceneSource, Setup};
