//! Runs: recorded, stopped, taken up again.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::sample_world;
use silvia_contact::Twist;
use silvia_proximity::Shape;
use silvia_scene::recording::{Ending, Frame, Header, Recording, RecordingWriter, StepCost, Why};
use silvia_scene::scene::RunSettings;
use silvia_scene::{RunOptions, Runner, Setup};
use silvia_solid::{Pose, Vec3};
use silvia_world::{BodyBuilder, Script, World, WorldSettings};
use std::path::Path;
use std::sync::atomic::Ordering;

/// Half a second of the sample, a frame every 7 steps.
fn setup() -> Setup {
    setup_of(sample_world(), 0.5)
}

fn setup_of(world: World, until: f64) -> Setup {
    let run = RunSettings { step: 2e-3, until, steps_a_frame: 7, threads: Some(2) };
    let bodies = Header::bodies_of(&world).unwrap();
    let header = Header { step: run.step, until, steps_a_frame: 7, bodies, ..Header::default() };
    Setup { world, header, run, hands: Vec::new() }
}

/// Runs, and stops after some steps.
fn run(runner: Runner, options: &RunOptions, stop_after: u64) -> Ending {
    options.stop.store(false, Ordering::Relaxed);
    let ended = runner.run(|progress| {
        if progress.steps >= stop_after {
            options.stop.store(true, Ordering::Relaxed);
        }
    });
    ended.unwrap().ending
}

/// A run without a break.
fn whole(path: &Path, options: &RunOptions) -> Ending {
    let writer = RecordingWriter::create(path, &setup().header, false).unwrap();
    run(Runner::new(setup(), options.clone()).unwrap().recorded(writer), options, u64::MAX)
}

/// All but what the clock says.
fn frames(path: &Path) -> Vec<Frame> {
    let recording = Recording::open(path).unwrap();
    let without_clock = |frame: Frame| Frame { cost: StepCost { wall_seconds: 0.0, ..frame.cost }, ..frame };
    recording.frames().map(|frame| without_clock(frame.unwrap())).collect()
}

fn without_clock(mut ending: Ending) -> Ending {
    ending.summary.wall_seconds = 0.0;
    ending
}

#[test]
fn a_run_stopped_again_and_again_ends_as_one_that_was_not() {
    let folder = tempfile::tempdir().unwrap();
    let options = RunOptions::default();
    let (one, other) = (folder.path().join("one"), folder.path().join("other"));
    let expected = whole(&one, &options);
    assert_eq!((&expected.why, expected.summary.steps), (&Why::Finished, 250));
    assert!(expected.summary.max_penetration.unwrap() < 1e-9 && expected.summary.contacts_max > 0);
    assert!(expected.summary.energy_drift < 0.0 && expected.summary.energy_drift > -1.0);

    let writer = RecordingWriter::create(&other, &setup().header, false).unwrap();
    let mut runner = Runner::new(setup(), options.clone()).unwrap().recorded(writer);
    for stop_after in [1, 7, 30, 31, 140] {
        let ending = run(runner, &options, stop_after);
        assert_eq!((ending.why, ending.summary.steps), (Why::Stopped, stop_after));
        // A person may look at it.
        let recording = Recording::open(&other).unwrap();
        assert_eq!(recording.frame(recording.len() - 1).unwrap().step, stop_after);
        assert_eq!(recording.lost(), 0);
        let (writer, header, state) = RecordingWriter::resume(&other, None).unwrap();
        assert_eq!(header, setup().header);
        assert_eq!(state.step, stop_after);
        runner = Runner::new(setup(), options.clone()).unwrap().resumed(state).unwrap().recorded(writer);
    }
    let ending = run(runner, &options, u64::MAX);
    assert_eq!(without_clock(ending.clone()), without_clock(expected));
    assert_eq!(frames(&other), frames(&one));
    assert_eq!(Recording::open(&other).unwrap().ending(), Some(&ending));
}

#[test]
fn a_run_can_be_taken_up_from_an_early_state_in_a_copy_and_go_on_longer() {
    let folder = tempfile::tempdir().unwrap();
    let options = RunOptions { is_checked: false, ..RunOptions::default() };
    let path = |name: &str| folder.path().join(name);
    let first = whole(&path("short"), &options);
    assert_eq!(first.summary.max_penetration, None);
    let states = Recording::open(&path("short")).unwrap().states();
    assert_eq!((states[0].step, states[states.len() - 1].step), (0, 250));
    for (number, name) in [(0, "from the start"), (states.len() - 1, "from the end")] {
        let (mut writer, _, state) =
            RecordingWriter::resume_copy(&path("short"), Some(number), &path(name), false).unwrap();
        writer.plan(0.6).unwrap();
        let mut longer = setup();
        longer.run.until = 0.6;
        let runner = Runner::new(longer, options.clone()).unwrap().resumed(state).unwrap().recorded(writer);
        assert_eq!(run(runner, &options, u64::MAX).summary.steps, 300);
        assert_eq!(Recording::open(&path(name)).unwrap().header().until, 0.6);
    }
    assert_eq!(frames(&path("from the start")), frames(&path("from the end")));
    assert_eq!(Recording::open(&path("short")).unwrap().ending(), Some(&first), "the original stays");
    // What was planned is known even if the state was kept before.
    let (writer, header, _) = RecordingWriter::resume(&path("from the end"), Some(0)).unwrap();
    drop(writer);
    assert_eq!(header.until, 0.6);
    assert_eq!(Recording::open(&path("from the end")).unwrap().header().until, 0.6);
    let refused = RecordingWriter::resume_copy(&path("short"), None, &path("short"), true);
    assert!(refused.is_err(), "a copy onto itself");
}

#[test]
fn a_tail_that_was_not_written_whole_is_cut_off_and_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let options = RunOptions::default();
    let (one, other) = (folder.path().join("one"), folder.path().join("other"));
    let expected = whole(&one, &options);
    let bytes = std::fs::read(&one).unwrap();
    // Within the last state, within the index, and within the first frames.
    let states = Recording::open(&one).unwrap().states().len();
    assert!(states >= 2);
    for share in [0.999, 0.97, 0.8, 0.6] {
        std::fs::write(&other, &bytes[..(share * bytes.len() as f64) as usize]).unwrap();
        let Ok((writer, _, state)) = RecordingWriter::resume(&other, None) else {
            assert!(share < 0.9, "{share}");
            continue;
        };
        let runner = Runner::new(setup(), options.clone()).unwrap().resumed(state).unwrap().recorded(writer);
        let ending = run(runner, &options, u64::MAX);
        assert_eq!(without_clock(ending), without_clock(expected.clone()), "{share}");
        assert_eq!(frames(&other), frames(&one), "{share}");
    }
}

#[test]
fn bodies_that_overlap_are_refused_before_the_run_begins() {
    let mut world = World::new(WorldSettings::default()).unwrap();
    let cube = || Shape::cuboid(Vec3::ONE).unwrap();
    world.add(BodyBuilder::free(cube()).named("a")).unwrap();
    let near = Pose::from_translation(Vec3::new(0.5, 0.0, 0.0)).unwrap();
    world.add(BodyBuilder::free(cube()).named("b").at(near)).unwrap();
    let refused = Runner::new(setup_of(world, 0.1), RunOptions::default()).err().unwrap().to_string();
    assert!(refused.contains("`a` and `b` overlap by 0.5 m; `silvia check` says"), "{refused}");
}

#[test]
fn a_refused_step_ends_the_run_and_keeps_what_there_is() {
    let mut world = World::new(WorldSettings::default()).unwrap();
    let cube = || Shape::cuboid(Vec3::ONE).unwrap();
    let at = |z: f64| Pose::from_translation(Vec3::Z * z).unwrap();
    world.add(BodyBuilder::fixed(cube()).named("floor")).unwrap();
    world.add(BodyBuilder::free(cube()).named("part").at(at(1.0))).unwrap();
    let down = Script::Velocity(Twist { linear: -Vec3::Z, angular: Vec3::ZERO });
    world.add(BodyBuilder::scripted(cube(), down).named("press").at(at(2.01))).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r");
    let setup = setup_of(world, 0.1);
    let writer = RecordingWriter::create(&path, &setup.header, false).unwrap();
    let ended = Runner::new(setup, RunOptions::default()).unwrap().recorded(writer).run(|_| ()).unwrap();
    let Why::Refused(why) = &ended.ending.why else { panic!("{:?}", ended.ending) };
    assert!(why.contains("the script of `press` drives it into `part`"), "{why}");
    assert_eq!(ended.ending.summary.stuck_steps, 1);
    let recording = Recording::open(&path).unwrap();
    assert_eq!(recording.ending(), Some(&ended.ending));
    assert!(recording.len() > 1 && ended.ending.summary.steps < 20, "{:?}", ended.ending);
}

#[test]
fn a_state_of_another_scene_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r");
    whole(&path, &RunOptions::default());
    let state = Recording::open(&path).unwrap().state(0).unwrap();
    let mut world = sample_world();
    let high = Pose::from_translation(Vec3::Z * 100.0).unwrap();
    world.add(BodyBuilder::free(Shape::sphere(0.1).unwrap()).at(high)).unwrap();
    let refused = Runner::new(setup_of(world, 0.5), RunOptions::default()).unwrap().resumed(state);
    assert!(refused.unwrap_err().to_string().contains("other bodies"));
}
