//! Rebuilds the setup of a recording from the scene it contains.

use crate::recording::Header;
use crate::scene::{Overrides, Scene, SceneError, Setup};

/// The initial setup with which a recording was made. [`Runner::resumed`](super::Runner::resumed) continues
/// from it to the same bits. `until` replaces the recording's end time, s.
pub fn setup_again(header: &Header, until: Option<f64>) -> Result<Setup, SceneError> {
    let overrides = Overrides {
        method: Some(header.method.clone()),
        step: Some(header.step),
        accuracy: header.accuracy,
        until: Some(until.unwrap_or(header.until)),
        ..Overrides::default()
    };
    let mut setup = Scene::from_source(header.source.clone())?.setup(&overrides)?;
    setup.run.steps_a_frame = header.steps_a_frame;
    Ok(setup)
}
