//! Scenes, what was recorded of their runs, and what people see of both.
//!
//! ```text
//! scene file ─► Scene ─► Setup (a world, and how to run it) ─► run ─► Recording ─► export, picture, report
//! ```
//!
//! - [`scene`]: the file that a person writes, checked, and the world that it describes.
//! - [`recording`]: what a run leaves behind; all that follows reads nothing else.
//! - [`run`]: makes the steps, records them, and has each checked.
//! - [`drawing`]: triangles of shapes, for whatever shows them; [`smooth`]: their normals; [`stage`]: from
//!   where they are best seen.
//! - [`picture`]: a frame of a recording as a PNG file.
//! - [`report`]: a recording as one page for a browser.
//! - [`export`]: recordings as files of other programs.

pub mod drawing;
pub mod export;
pub mod picture;
pub mod recording;
pub mod report;
pub mod run;
pub mod scene;
pub mod smooth;
pub mod stage;

pub use recording::{Frame, Header, Recording, View};
pub use run::{RunOptions, Runner};
pub use scene::{Overrides, Scene, SceneError, SceneSource, Setup};
