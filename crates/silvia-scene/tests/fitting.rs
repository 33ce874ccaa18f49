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
    ran_by(name, Overrides { until, ..Overrides::default() })
}

fn ran_by(name: &str, overrides: Overrides) -> Summary {
    let scene = Scene::load(&folder().join(name)).unwrap();
    assert!(scene.check().is_empty(), "{name}: {:?}", scene.check());
    let setup = scene.setup(&overrides).unwrap();
    let ended = Runner::new(setup, RunOptions::default()).unwrap().run(|_| ()).unwrap();
    let summary = ended.ending.summary;
    assert_eq!(summary.max_penetration, Some(0.0), "{name}");
    summary
}

fn succeeds_by_both_methods(name: &str) {
    for method in ["auto", "ncp"] {
        let summary = ran_by(name, Overrides { method: Some(method.to_owned()), ..Overrides::default() });
        assert_eq!(summary.success, Some(true), "{name} by {method}: {:?}", summary.goals);
    }
}

/// By what angle about z, rad, and how far along z, m, a body has moved at the end of a run.
fn turned(setup: &silvia_scene::Setup, body: &str) -> [f64; 2] {
    let pose = setup.world.pose(setup.world.body_id(body).unwrap()).unwrap();
    [2.0 * pose.rotation().z.atan2(pose.rotation().w), pose.translation().z]
}

#[test]
fn a_key_beside_its_keyway_goes_in() {
    succeeds_by_both_methods("keyway.toml");
}

#[test]
fn a_rail_goes_into_its_dovetail_and_stays_when_it_is_pulled() {
    succeeds_by_both_methods("dovetail.toml");
}

#[test]
fn two_hands_put_a_puzzle_of_three_boards_together() {
    succeeds_by_both_methods("puzzle.toml");
}

/// The first tooth: a fifth of a turn takes too long here.
#[test]
fn gears_turn_by_the_ratio_of_their_teeth_and_the_hand_feels_the_load() {
    let scene = Scene::load(&folder().join("gears.toml")).unwrap();
    assert!(scene.check().is_empty());
    let setup = scene.setup(&Overrides { until: Some(0.06), ..Overrides::default() }).unwrap();
    let ended = Runner::new(setup, RunOptions::default()).unwrap().run(|_| ()).unwrap();
    assert_eq!(ended.ending.summary.max_penetration, Some(0.0));
    let [[driver, _], [driven, _]] = ["driver", "driven"].map(|body| turned(&ended.setup, body));
    // The teeth have 0.2 mm of play at 31 mm from the axis, and the pins let the wheels apart by 0.1 mm.
    assert!(driver > 0.25 && (driven + 20.0 / 31.0 * driver).abs() < 0.01, "{driver} {driven}");
    // 0.2 N m times 20/31 against the hand. Friction of 0.05 takes up to 5 % on the teeth and 2 % on each
    // pin.
    let (hand, ..) = ended.setup.world.hands().next().unwrap();
    let torque = ended.setup.world.hand_record(hand).unwrap().unwrap().torque.z;
    assert!((0.129..0.141).contains(&torque), "{torque}");
}

/// The first few degrees: three quarters of a turn take too long here.
#[test]
fn a_nut_with_little_friction_runs_down_its_bolt_by_its_weight() {
    let scene = Scene::load(&folder().join("runs_down.toml")).unwrap();
    assert!(scene.check().is_empty());
    let setup = scene.setup(&Overrides { until: Some(0.12), ..Overrides::default() }).unwrap();
    let ended = Runner::new(setup, RunOptions::default()).unwrap().run(|_| ()).unwrap();
    assert_eq!(ended.ending.summary.max_penetration, Some(0.0));
    let [angle, z] = turned(&ended.setup, "nut");
    // By the lead of 2.5 mm, to the play of 0.12 mm along the axis.
    let by_thread = 10e-3 + 2.5e-3 * angle / std::f64::consts::TAU;
    assert!(angle < -0.05 && (z - by_thread).abs() < 0.25e-3, "{angle} {z}");
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
