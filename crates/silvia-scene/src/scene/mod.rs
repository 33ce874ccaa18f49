//! The file that a person writes, and the world that it describes.

mod setup;
mod source;

pub use setup::{HandPath, RunSettings, Setup};
pub use source::SceneSource;
