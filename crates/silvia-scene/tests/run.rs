//! Runs: recorded, stopped, taken up again.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::sample_world;
use silvia_contact::Twist;
use silvia_proximity::Shape;
use silvia_scene::recording::{Ending, Frame, Header, Recording, RecordingWriter, StepCost, Summary, Why};
use silvia_scene::scene::RunSettings;
use silvia_scene::{RunOptions, Runner, Setup};
use silvia_solid::{Plane, Pose, Vec3};
use silvia_world::{BodyBuilder, Script, World, WorldSettings};
use std::path::Path;
use std::sync::atomic::Ordering;

/// Half a second of the sample, a frame every 7 steps.
fn setup() -> Setup {
    setup_of(sample_world(), 0.5)
}

fn setup_of(world: World, until: f64) -> Setup {
    let run = RunSettings { step: 2e-3, accuracy: None, until, steps_a_frame: 7, threads: Some(2) };
    let bodies = Header::bodies_of(&world).unwrap();
    let header = Header { step: run.step, until, steps_a_frame: 7, bodies, ..Header::default() };
    Setup { world, header, run, hands: Vec::new(), goals: Vec::new() }
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
    let energy = expected.summary.energy.unwrap();
    assert!(energy.impacts + energy.friction > 0.0 && expected.summary.energy_error.unwrap().abs() < 1e-2);

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
    let accounts = |path: &Path| Recording::open(path).unwrap().accounts().unwrap();
    assert_eq!(accounts(&other), accounts(&one), "the account goes on to the bit");
    assert_eq!(accounts(&one).len(), frames(&one).len());
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
fn a_run_refused_between_two_frames_ends_with_a_frame() {
    // Refused while the press moves on from one stride to the next, in the first half of it.
    for (gap, strides) in [(0.0137, 1), (0.0137, 2), (0.0122, 1), (0.0181, 1)] {
        let mut world = World::new(WorldSettings::default()).unwrap();
        let cube = || Shape::cuboid(Vec3::ONE).unwrap();
        let at = |z: f64| Pose::from_translation(Vec3::Z * z).unwrap();
        world.add(BodyBuilder::fixed(cube()).named("floor")).unwrap();
        world.add(BodyBuilder::free(cube()).named("part").at(at(1.0))).unwrap();
        let down = Script::Velocity(Twist { linear: -Vec3::Z, angular: Vec3::ZERO });
        world.add(BodyBuilder::scripted(cube(), down).named("press").at(at(2.0 + gap))).unwrap();
        let mut setup = setup_of(world, 0.1);
        (setup.run.step, setup.run.accuracy, setup.run.steps_a_frame) = (1e-2, Some(1e-2), strides);
        (setup.header.step, setup.header.accuracy, setup.header.steps_a_frame) = (1e-2, Some(1e-2), strides);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r");
        let writer = RecordingWriter::create(&path, &setup.header, false).unwrap();
        let ended = Runner::new(setup, RunOptions::default()).unwrap().recorded(writer).run(|_| ()).unwrap();
        let (end, why) = (ended.setup.world.time(), &ended.ending.why);
        assert!(matches!(why, Why::Refused(_)) && (end / 1e-2 - 1.0).abs() > 1e-3, "{why:?} at {end}");
        let recording = Recording::open(&path).unwrap();
        let times: Vec<f64> = (0..recording.len()).map(|number| recording.time(number).unwrap()).collect();
        assert_eq!(times.last(), Some(&end), "{times:?}");
        assert!(times.windows(2).all(|pair| pair[0] < pair[1]), "{times:?}");
    }
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

/// The sample with an accuracy, in strides of 10 ms.
fn with_accuracy() -> Setup {
    let mut setup = setup();
    let settings = setup.world.settings().clone().with_second_order(true);
    setup.world.set_settings(settings).unwrap();
    (setup.run.step, setup.run.accuracy, setup.run.steps_a_frame) = (1e-2, Some(1e-2), 2);
    (setup.header.step, setup.header.accuracy, setup.header.steps_a_frame) = (1e-2, Some(1e-2), 2);
    setup
}

#[test]
fn a_run_with_an_accuracy_has_frames_on_time_and_goes_on_to_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let options = RunOptions::default();
    let path = |name: &str| folder.path().join(name);
    let mut expected: Option<Ending> = None;
    for threads in [1, 2, 4] {
        let (path, options) =
            (path(&threads.to_string()), RunOptions { threads: Some(threads), ..options.clone() });
        let writer = RecordingWriter::create(&path, &with_accuracy().header, false).unwrap();
        let runner = Runner::new(with_accuracy(), options.clone()).unwrap().recorded(writer);
        let ending = run(runner, &options, u64::MAX);
        let same = without_clock(ending);
        assert_eq!(*expected.get_or_insert_with(|| same.clone()), same, "{threads} threads");
    }
    let expected = expected.unwrap();
    let told = expected.summary.accuracy.unwrap();
    assert!(told.estimated < 0.5 * 1e-2 * 2.0 && told.shortest_step < told.longest_step, "{told:?}");
    println!("{} steps, {told:?}", expected.summary.steps);
    assert_eq!((expected.summary.steps > 100, expected.summary.motion_error), (true, Some(told.estimated)));
    let recording = Recording::open(&path("1")).unwrap();
    assert_eq!((recording.len(), recording.header().accuracy), (26, Some(1e-2)));
    let rows = recording.accounts().unwrap();
    assert_eq!((rows.len(), rows[25].motion_error), (26, Some(told.estimated)));
    for number in 0..26 {
        assert!((recording.time(number).unwrap() - 0.02 * number as f64).abs() < 1e-15);
    }

    let writer = RecordingWriter::create(&path("parts"), &with_accuracy().header, false).unwrap();
    let mut runner = Runner::new(with_accuracy(), options.clone()).unwrap().recorded(writer);
    for stop_after in [1, 30, 70] {
        run(runner, &options, stop_after);
        let (writer, _, state) = RecordingWriter::resume(&path("parts"), None).unwrap();
        assert!(state.tally.stepper.is_some());
        runner = Runner::new(with_accuracy(), options.clone()).unwrap().resumed(state).unwrap();
        runner = runner.recorded(writer);
    }
    assert_eq!(without_clock(run(runner, &options, u64::MAX)), expected);
    assert_eq!(frames(&path("parts")), frames(&path("1")));
}

#[test]
fn looking_how_far_off_a_motion_is_changes_nothing_and_is_the_same_after_a_break() {
    let folder = tempfile::tempdir().unwrap();
    let options = RunOptions::default();
    let mut plain = setup();
    while !plain.is_over() {
        plain.step().unwrap();
    }
    let ending = whole(&folder.path().join("one"), &options);
    assert_eq!(ending.summary.hash, format!("{:016x}", plain.world.hash()));
    let error = ending.summary.motion_error.unwrap();
    assert!(error > 0.0 && error.is_finite(), "{error}");
}

/// A body that slides with friction, or falls, or rests; the summary of its run.
fn summary_of(height: f64, speed: f64, second_order: bool, step: f64) -> Summary {
    let settings = WorldSettings::default().with_second_order(second_order);
    let mut world = World::new(settings).unwrap();
    let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap();
    world.add(BodyBuilder::fixed(ground)).unwrap();
    let velocity = Twist { linear: speed * Vec3::X, angular: Vec3::ZERO };
    let block = BodyBuilder::free(Shape::cuboid(Vec3::new(0.2, 0.2, 0.1)).unwrap()).velocity(velocity);
    world.add(block.at(Pose::from_translation(Vec3::new(0.0, 0.0, height)).unwrap())).unwrap();
    let mut setup = setup_of(world, 1.0);
    setup.run.step = step;
    Runner::new(setup, RunOptions::default()).unwrap().run(|_| ()).unwrap().ending.summary
}

#[test]
fn a_motion_that_may_be_far_off_is_told_with_the_step_that_would_do() {
    let number = |x: f64| x.to_string();
    // It slides at up to 6 m/s for longer than the run. To first order it is ahead by µ g h / 2 a second.
    let first = summary_of(0.05, 6.0, false, 5e-3);
    let (error, size) = (first.motion_error.unwrap(), 0.3);
    let expected = 0.5 * 0.5 * 9.81 * 5e-3 / size;
    assert!((error / expected - 1.0).abs() < 0.1, "{error} {expected}");
    let told = first.warning(number).unwrap();
    assert!(told.starts_with("the motion may be off by about 4 % of the size or speed of a body"), "{told}");
    let advised = first.advised_step.unwrap();
    assert!(told.ends_with(&format!("`--dt {advised}` would bring it below 1 %")), "{told}");
    // It does, and just.
    assert_eq!(advised, 5e-4);
    let again = summary_of(0.05, 6.0, false, advised);
    assert!(again.motion_error.unwrap() < 1e-2 && again.warning(number).is_none(), "{again:?}");
    // To second order a slide is exact.
    let second = summary_of(0.05, 6.0, true, 5e-3);
    assert!(second.motion_error.unwrap() < 1e-6 && second.warning(number).is_none(), "{second:?}");
}

#[test]
fn nothing_is_told_of_what_rests_or_falls() {
    for second_order in [false, true] {
        for (height, speed) in [(0.05, 0.0), (9.0, 3.0)] {
            let summary = summary_of(height, speed, second_order, 5e-3);
            assert_eq!(summary.warning(|x| x.to_string()), None, "{summary:?}");
            assert!(summary.motion_error.unwrap() < 1e-9, "{summary:?}");
        }
    }
}
