//! Scenes become the worlds that they describe.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use silvia_scene::{Overrides, Scene};
use std::path::Path;

#[test]
fn everything_that_can_be_written_can_be_run() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenes/everything.toml");
    let scene = Scene::load(&path).unwrap_or_else(|error| panic!("{error}"));
    let mut setup = scene.setup(&Overrides::default()).unwrap_or_else(|error| panic!("{error}"));
    let names: Vec<&str> = setup.header.bodies.iter().map(|body| body.name.as_str()).collect();
    println!("{names:?}");
    for _ in 0..3 {
        setup.step().unwrap();
    }
}
