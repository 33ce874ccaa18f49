//! The scenes that people are invited to try.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use silvia_scene::picture::Camera;
use silvia_scene::recording::Frame;
use silvia_scene::{Overrides, Scene};
use silvia_world::RunAccount;
use std::path::{Path, PathBuf};

/// Of each scene: enough for the first contacts of most.
const STEPS: usize = 25;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Their names: paths in the folder of scenes, without `.toml`.
fn scenes() -> Vec<String> {
    let mut all = Vec::new();
    for folder in ["", "fitting/"] {
        for entry in std::fs::read_dir(root().join("scenes").join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                all.push(format!("{folder}{}", path.file_stem().unwrap().to_str().unwrap()));
            }
        }
    }
    all.sort();
    all
}

fn load(name: &str) -> Scene {
    Scene::load(&root().join("scenes").join(name).with_extension("toml")).unwrap()
}

#[test]
fn nothing_is_wrong_with_any_and_each_runs() {
    let all = scenes();
    assert!(all.len() >= 23, "{all:?}");
    for name in all {
        let scene = load(&name);
        assert!(scene.check().is_empty(), "{name}: {:?}", scene.check());
        let mut setup = scene.setup(&Overrides::default()).unwrap();
        for step in 0..STEPS {
            let report = setup.step();
            assert!(report.is_ok(), "{name}, step {step}: {}", report.unwrap_err());
        }
        assert!(
            setup.header.view.is_some() && !setup.header.about.is_empty(),
            "{name} has a view and a sentence"
        );
    }
}

/// To the end of each: a thousandth of what flowed may be left over. What springs of hands hold moves to
/// first order in the step.
#[test]
fn the_energy_of_each_without_hands_is_accounted_for() {
    for name in scenes().into_iter().filter(|name| !name.starts_with("fitting/")) {
        let mut setup = load(&name).setup(&Overrides::default()).unwrap();
        let mut account = RunAccount::begin(&setup.world);
        while !setup.is_over() {
            let report = setup.step().unwrap_or_else(|error| panic!("{name}: {error}"));
            account.add(&setup.world, &report);
        }
        let error = account.energy_error();
        assert!(error.abs() < 1e-3, "{name}: {error:.2e} of what flowed is left over");
    }
}

#[test]
fn the_view_of_each_shows_all_that_moves_where_it_starts() {
    for name in scenes() {
        let setup = load(&name).setup(&Overrides::default()).unwrap();
        let camera = Camera::new(&setup.header.view.unwrap(), -setup.header.gravity);
        let frame = Frame::of(&setup.world).unwrap();
        for (body, pose) in
            setup.header.bodies.iter().zip(&frame.poses).filter(|(body, _)| body.role != "fixed")
        {
            let seen = body.mesh.points.iter().map(|point| camera.project(pose.transform_point(*point)));
            let is_shown = seen.into_iter().all(|p| p.x.abs() < 16.0 / 9.0 && p.y.abs() < 1.0 && p.z > 0.0);
            assert!(is_shown, "{name}: {} is not in the picture", body.name);
        }
    }
}

#[test]
fn the_guide_tells_of_each_in_its_own_words() {
    let guide = std::fs::read_to_string(root().join("docs/src/gallery.md")).unwrap();
    for name in scenes() {
        let scene = load(&name).setup(&Overrides::default()).unwrap().header;
        let about: Vec<&str> = scene.about.split_whitespace().collect();
        let text = format!("## {}\n`scenes/{name}.toml`: {}\n", scene.title, about.join(" "));
        assert!(guide.contains(&text), "docs/src/gallery.md has no section\n{text}");
        assert!(guide.contains(&format!("(figures/scenes/{name}.png)")), "no picture of {name}");
    }
}
