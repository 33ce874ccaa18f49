//! Exported files hold what the recording holds.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../common/mod.rs"]
mod common;
mod csv;
mod failures;
mod gltf;
mod mcap;
mod readers;
mod vtu;

use silvia_scene::export::{Choice, Exported, Format, export};
use silvia_scene::recording::{Frame, Recording};
use std::path::Path;

/// All frames, to where nothing is yet.
fn all(recording: &Recording, format: Format, path: &Path) -> Exported {
    let mut told = Vec::new();
    let mut progress = |done: usize, of: usize| told.push((done, of));
    let done = export(recording, format, path, &Choice::default(), false, &mut progress).unwrap();
    let every: Vec<_> = (1..=recording.len()).map(|n| (n, recording.len())).collect();
    assert_eq!(told, every, "progress is told after each frame");
    done
}

fn frames(recording: &Recording) -> Vec<Frame> {
    recording.frames().map(Result::unwrap).collect()
}
