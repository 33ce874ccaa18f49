//! Rebounds come to an end, and leave something of the step to what comes after them.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use silvia_scene::{Overrides, Scene};
use silvia_world::RunAccount;
use std::path::{Path, PathBuf};

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// No step gives way; how much of the energy that flowed is left over.
fn left_over(scene: &str, step: f64) -> f64 {
    let overrides = Overrides { step: Some(step), ..Overrides::default() };
    let mut setup = Scene::load(&file(scene)).unwrap().setup(&overrides).unwrap();
    let mut account = RunAccount::begin(&setup.world);
    while !setup.is_over() {
        let report = setup.step().unwrap();
        assert!(report.shortfalls.is_empty(), "{scene} at {step} s: {:?}", report.shortfalls);
        account.add(&setup.world, &report);
    }
    account.energy_error().abs()
}

/// Seven that slap down against each other: rebounds took all attempts of a step, at 8 % of the energy.
#[test]
fn dominoes_do_not_give_way_at_any_step() {
    for step in [2e-3, 1e-3, 0.5e-3] {
        let left = left_over("../../scenes/dominoes.toml", step);
        assert!(left < 1e-3, "{step}: {left:e}");
    }
}

/// Far more impacts in each step than are allowed.
#[test]
fn bodies_that_fly_about_in_a_shaft_do_not_give_way() {
    let left = left_over("tests/scenes/shaken.toml", 50e-3);
    assert!(left < 1e-2, "{left:e}");
}
