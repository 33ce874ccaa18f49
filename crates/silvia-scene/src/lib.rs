//! Scenes, what was recorded of their runs, and what people see of both.
//!
//! ```text
//! scene file ─► Scene ─► Setup (a world, and how to run it) ─► run ─► Recording ─► export, picture, report
//! ```
//!
//! - [`scene`]: the file that a person writes, checked, and the world that it describes.
//! - [`recording`]: what a run leaves behind; all that follows reads nothing else.
//! - [`drawing`]: triangles of shapes, for whatever shows them.

pub mod drawing;
pub mod recording;
pub mod scene;

pub use recording::{Frame, Header, Recording};
pub use scene::{SceneSource, Setup};
