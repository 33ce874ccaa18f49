//! Scenes, what was recorded of their runs, and what people see of both.
//!
//! ```text
//! scene file ─► Scene ─► Setup (a world, and how to run it) ─► run ─► Recording ─► export, picture, report
//! ```
//!
//! - [`scene`]: the file that a person writes, checked, and the world that it describes.
//! - [`recording`]: what a run leaves behind; all that follows reads nothing else.
//! - [`run`]: makes the steps, records them, and has each checked.
//! - [`drawing`]: triangles of shapes, for whatever shows them.

pub mod drawing;
pub mod recording;
pub mod run;
pub mod scene;

pub use recording::{Frame, Header, Recording};
pub use run::{RunOptions, Runner};
pub use scene::{Overrides, Scene, SceneError, SceneSource, Setup};
