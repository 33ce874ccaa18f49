//! The scenes of parts that are fitted by hand: each comes to its goal, or says that it does not, and nothing
//! penetrates.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use silvia_scene::recording::Summary;
use silvia_scene::{Overrides, RunOptions, Runner, Scene};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/fitting")
}

/// The summary of a run until a time, s, or to its end.
fn ran(name: &str, until: Option<f64>) -> Summary {
    let scene = Scene::load(&folder().join(name)).unwrap();
    assert!(scene.check().is_empty(), "{name}: {:?}", scene.check());
    let setup = scene.setup(&Overrides { until, ..Overrides::default() }).unwrap();
    let ended = Runner::new(setup, RunOptions::default()).unwrap().run(|_| ()).unwrap();
    let summary = ended.ending.summary;
    assert_eq!(summary.max_penetration, Some(0.0), "{name}");
    summary
}

#[test]
fn a_bolt_beside_its_hole_finds_its_seat() {
    assert_eq!(ran("bolt.toml", None).success, Some(true));
}

#[test]
fn a_peg_with_a_hundredth_of_clearance_goes_in() {
    assert_eq!(ran("peg.toml", None).success, Some(true));
}

#[test]
fn a_peg_that_is_too_large_stops_and_the_run_says_so() {
    let summary = ran("impossible.toml", None);
    assert_eq!(summary.success, Some(false));
    let about = &summary.goals[0].about;
    assert!(about.contains("0.005 m deep, came as deep as 0.00"), "{about}");
}

/// Until it is seated: turning the screw takes too long here.
#[test]
fn a_screwdriver_beside_its_recess_and_turned_away_finds_it() {
    let summary = ran("screwdriver.toml", Some(0.12));
    assert!(summary.goals[0].reached_at.is_some_and(|at| at > 0.02), "{:?}", summary.goals);
}

/// The first quarter of a turn: a whole one takes too long here.
#[test]
fn a_nut_that_is_turned_goes_down_its_thread() {
    let scene = Scene::load(&folder().join("nut.toml")).unwrap();
    let overrides = Overrides { until: Some(0.25), ..Overrides::default() };
    let setup = scene.setup(&overrides).unwrap();
    let ended = Runner::new(setup, RunOptions::default()).unwrap().run(|_| ()).unwrap();
    assert_eq!(ended.ending.summary.max_penetration, Some(0.0));
    let world = &ended.setup.world;
    let nut = world.pose(world.body_id("nut").unwrap()).unwrap();
    let turn = nut.rotation();
    let angle = 2.0 * turn.z.atan2(turn.w);
    // To the clearance between the flanks, up or down.
    let by_thread = 6e-3 + 2e-3 * angle / std::f64::consts::TAU;
    let z = nut.translation().z;
    assert!(angle < -1.2, "{angle}");
    assert!((z - by_thread).abs() < 0.25e-3, "{z} {by_thread}");
}
