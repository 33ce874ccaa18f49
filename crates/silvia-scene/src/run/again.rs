//! The setup of a recording, made again of the scene that it keeps.

use crate::recording::Header;
use crate::scene::{Overrides, Scene, SceneError, Setup};

/// The setup with which a recording was made, at its beginning: from there
/// [`Runner::resumed`](super::Runner::resumed) goes on to the same bits. `until`: when to end, s, if not as
/// the recording says.
pub fn setup_again(header: &Header, until: Option<f64>) -> Result<Setup, SceneError> {
    let overrides = Overrides {
        method: Some(header.method.clone()),
        step: Some(header.step),
        until: Some(until.unwrap_or(header.until)),
        ..Overrides::default()
    };
    let mut setup = Scene::from_source(header.source.clone())?.setup(&overrides)?;
    setup.run.steps_a_frame = header.steps_a_frame;
    Ok(setup)
}
