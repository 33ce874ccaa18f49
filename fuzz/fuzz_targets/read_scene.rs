//! Any text as a scene: it is refused with a remedy, or a world is made of it.
#![no_main]

use silvia_scene::scene::SceneSource;
use silvia_scene::{Overrides, Scene, SceneError};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let (name, text) = ("scene.toml".to_owned(), text.to_owned());
    let source = SceneSource { name, text, ..SceneSource::default() };
    match Scene::from_source(source).and_then(|scene| scene.setup(&Overrides::default())) {
        Ok(setup) => assert!(!setup.header.bodies.is_empty()),
        Err(SceneError::Refused { findings, .. }) => {
            assert!(findings.iter().all(|finding| !finding.remedy.is_empty()));
        }
        Err(error) => panic!("nothing else can go wrong in memory: {error}"),
    }
});
