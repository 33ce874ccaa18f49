//! Hands with springs and goals in scenes: what they do, what is recorded of them, and what is refused.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use silvia_scene::recording::{Recording, RecordingWriter, Summary};
use silvia_scene::{Overrides, RunOptions, Runner, Scene};
use std::path::Path;
use std::sync::atomic::Ordering;

/// A cube of 2 kg that a hand of 1000 N/m presses on the ground with 10 N.
const PRESSED: &str = r#"
[run]
step = "1 ms"
until = 0.3
[[body]]
name = "ground"
half_space = {}
role = "fixed"
[[body]]
name = "cube"
box = { size = [0.1, 0.1, 0.1] }
position = [0, 0, 0.05]
mass = 2
[[hand]]
body = "cube"
stiffness = "1000 N/m"
turning_stiffness = "100 N m/rad"
poses = [
    { time = 0, position = [0, 0, 0.05] },
    { time = 0.1, position = [0, 0, 0.04] },
]
"#;

fn load(text: &str, files: &[(&str, &str)]) -> Result<Scene, String> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let path = folder.path().join("scene.toml");
    std::fs::write(&path, text).unwrap();
    Scene::load(&path).map_err(|error| error.to_string())
}

fn ran(text: &str, files: &[(&str, &str)]) -> Summary {
    let setup = load(text, files).unwrap().setup(&Overrides::default()).unwrap();
    Runner::new(setup, RunOptions::default()).unwrap().run(|_| ()).unwrap().ending.summary
}

/// Runs and records, and stops after some steps.
fn record(text: &str, path: &Path, stop_after: u64) -> Summary {
    let options = RunOptions::default();
    let setup = load(text, &[]).unwrap().setup(&Overrides::default()).unwrap();
    let writer = RecordingWriter::create(path, &setup.header, false).unwrap();
    let stop = options.stop.clone();
    let ended = Runner::new(setup, options).unwrap().recorded(writer).run(|progress| {
        stop.store(progress.steps >= stop_after, Ordering::Relaxed);
    });
    ended.unwrap().ending.summary
}

/// A column of the first watch, over time.
fn column(recording: &Recording, name: &str) -> Vec<f64> {
    let watch = recording.header().watches[0];
    let at = watch.columns().iter().position(|[known, _]| *known == name).unwrap();
    recording.watched().unwrap().iter().map(|row| row.values[at]).collect()
}

#[test]
fn the_force_of_a_hand_is_recorded_in_every_step() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("recording.silvia");
    record(PRESSED, &path, u64::MAX);
    let recording = Recording::open(&path).unwrap();
    assert_eq!(recording.header().watches.len(), 1);
    let forces = column(&recording, "fz");
    assert_eq!(forces.len(), 300);
    assert!((forces.last().unwrap() + 10.0).abs() < 1e-5, "{forces:?}");
    // On the way down: half of it, and the damper holds on to a target that goes down at 0.1 m/s.
    let damper = 2.0 * (1000.0_f64 * 2.0).sqrt() * 0.1;
    assert!((forces[49] + 5.0 + damper).abs() < 1e-3, "{}", forces[49]);
    assert!((column(&recording, "to_z").last().unwrap() - 0.04).abs() < 1e-12);
    assert!((column(&recording, "z").last().unwrap() - 0.05).abs() < 1e-6);
}

#[test]
fn a_run_with_a_hand_goes_on_to_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, halved] = ["whole", "halved"].map(|name| folder.path().join(name));
    let goal = "[[goal]]\nbody = \"cube\"\nforce = 4\n";
    let text = format!("{PRESSED}{goal}");
    let expected = record(&text, &whole, u64::MAX);
    record(&text, &halved, 150);
    let (writer, header, kept) = RecordingWriter::resume(&halved, None).unwrap();
    let setup = silvia_scene::run::setup_again(&header, None).unwrap();
    let runner = Runner::new(setup, RunOptions::default()).unwrap().resumed(kept).unwrap();
    let summary = runner.recorded(writer).run(|_| ()).unwrap().ending.summary;
    assert_eq!(summary.hash, expected.hash);
    // Reached before the break, and told after it.
    assert_eq!((summary.success, &summary.goals), (Some(true), &expected.goals));
    assert!(summary.goals[0].reached_at.unwrap() < 0.1);
}

#[test]
fn a_scene_in_millimetres_and_grams_is_the_same() {
    let grams = r#"
[units]
length = "mm"
mass = "g"
[run]
step = "1 ms"
until = 0.3
[[body]]
name = "ground"
half_space = {}
role = "fixed"
[[body]]
name = "cube"
box = { size = [100, 100, 100] }
position = [0, 0, 50]
mass = 2000
[[hand]]
body = "cube"
stiffness = 1000000
turning_stiffness = ["100 N m/rad", "100 N m/rad", "100 N m/rad"]
path = "down.csv"
"#;
    let csv = [("down.csv", "time,x,y,z\n0,0,0,50\n0.1,0,0,40\n")];
    assert_eq!(ran(grams, &csv).hash, ran(PRESSED, &[]).hash);
}

#[test]
fn a_run_succeeds_if_all_goals_are_reached_in_time() {
    // The damper adds 8.9 N on the way down.
    let goal = |goal: &str| {
        let summary = ran(&format!("{PRESSED}[[goal]]\nbody = \"cube\"\n{goal}\n"), &[]);
        (summary.success.unwrap(), summary.goals[0].reached_at, summary.goals[0].about.clone())
    };
    let (is, at, _) = goal("force = 15\nby = 0.25");
    assert!(is && (0.05..0.25).contains(&at.unwrap()), "{at:?}");
    let (is, at, about) = goal("force = 20\nposition = [0, 0, 0.05]\nwithin = \"1 mm\"");
    assert!(!is && at.is_none() && about.contains("held with 20 N, with at most "), "{about}");
    assert!(about.contains("within 0.001 m of its place, came as near as "), "{about}");
    let (is, _, about) = goal("force = 15\nby = 0.02");
    assert!(!is, "{about}");
    let (is, _, about) = goal("depth = \"1 mm\"\nfrom = [0, 0, 0.05]");
    assert!(!is && about.contains("0.001 m deep, came as deep as "), "{about}");
    let (is, at, _) =
        goal("slower_than = \"0.1 mm/s\"\nforce = 15\nrotation = { z = 1 }\nwithin_angle = 1.001");
    assert!(is && at.unwrap() > 0.05, "{at:?}");
    let (is, _, about) = goal("rotation = { z = 10 }\nwithin_angle = 1");
    assert!(!is && about.contains("turned to within 1°, came as near as 10"), "{about}");
    assert_eq!(ran(PRESSED, &[]).success, None);
}

#[test]
fn several_hands_press_and_twist_by_turns_and_search() {
    // A cube on a frictionless ground: one hand keeps its place, a second twists it from 0.1 s on.
    let text = r#"
[run]
step = "1 ms"
until = 0.4
[[material]]
name = "ice"
friction = 0
[[body]]
name = "ground"
half_space = {}
role = "fixed"
material = "ice"
[[body]]
name = "cube"
box = { size = [0.1, 0.1, 0.1] }
position = [0, 0, 0.05]
mass = 2
material = "ice"
[[hand]]
body = "cube"
stiffness = 1000
turning_stiffness = ["10 N m/rad", "10 N m/rad", 0]
push = [0, 0, -5]
spiral = { radius = "2 mm", turns = 3, between = [0, 0.4] }
[[hand]]
body = "cube"
stiffness = 0
turning_stiffness = 0
twist = [0, 0, "0.02 N m"]
between = [0.1, 1]
[[goal]]
body = "cube"
rotation = { z = 15 }
within_angle = 1
[[goal]]
body = "cube"
torque = "0.019 N m"
by = 0.1
"#;
    let summary = ran(text, &[]);
    // I = m a² / 6: 15° at a constant torque takes 0.295 s from 0.1 s on.
    let time = (2.0 * 15.0_f64.to_radians() * (2.0 * 0.01 / 6.0) / 0.02).sqrt();
    let at = summary.goals[0].reached_at.unwrap();
    assert!((at - 0.1 - time).abs() < 0.02, "{at}");
    assert_eq!((summary.success, summary.goals[1].reached_at), (Some(false), None), "{:?}", summary.goals);
}

#[test]
fn what_is_wrong_with_a_hand_or_a_goal_is_told_with_line_and_remedy() {
    let hand = "[[hand]]\nbody = \"cube\"\nstiffness = 1000\nturning_stiffness = 1\n";
    for (more, told) in [
        ("[[hand]]\nbody = \"cube\"\nstiffness = 1\n", "`turning_stiffness` is missing"),
        ("[[hand]]\nbody = \"ground\"\nstiffness = 1\nturning_stiffness = 1\n", "leave `role`"),
        ("[[hand]]\nbody = \"cub\"\nstiffness = 1\nturning_stiffness = 1\n", "did you mean \"cube\"?"),
        (&format!("{hand}max_force = 3\n"), "did you mean `most_force`"),
        (&format!("{hand}k = 3\n"), "`stiffness`"),
        (&format!("{hand}most_force = \"3 kg\"\n"), "is not a force"),
        (&format!("{hand}most_force = -3\n"), "the largest force of the hand is -3"),
        (&format!("{hand}damping_ratio = -1\n"), "the damping of the hand is -1"),
        (&format!("{hand}damping = 1\n"), "`damping` is given without `turning_damping`"),
        (&format!("{hand}between = [2, 1]\n"), "give an end after the beginning"),
        (&format!("{hand}poses = []\n"), "there are no poses"),
        (&format!("{hand}poses = [{{ time = 0 }}]\nvelocity = [1, 0, 0]\n"), "give one of these"),
        (&format!("{hand}path = \"way.csv\"\n"), "there is no file `way.csv`"),
        (&format!("{hand}spiral = {{ radius = 1, turns = 0, between = [0, 1] }}\n"), "more than 0"),
        (
            &format!("{hand}velocity = [0, 0, -1]\nspiral = {{ radius = 1, turns = 2, between = [0, 1] }}\n"),
            "a search goes with `poses`",
        ),
        ("[[goal]]\nbody = \"cube\"\n", "it does not say what is to be reached"),
        ("[[goal]]\nbody = \"cube\"\nposition = [0, 0, 0]\n", "`position` is given without `within`"),
        ("[[goal]]\nbody = \"cube\"\ndepth = 1\nalong = [0, 0, 0]\n", "no length"),
        ("[[goal]]\nbody = \"cube\"\nforce = 0\n", "this must be more than 0"),
        ("[[goal]]\nforce = 1\n", "`body` is missing"),
    ] {
        let text = format!("{PRESSED}{more}");
        let refused = match load(&text, &[]) {
            Ok(scene) => scene.setup(&Overrides::default()).unwrap_err().to_string(),
            Err(refused) => refused,
        };
        assert!(refused.contains(told), "{more}: {refused}");
        let line = refused.lines().find(|line| line.contains(told)).unwrap();
        let number: usize =
            line.rsplit("scene.toml:").next().unwrap().split(':').next().unwrap().parse().unwrap();
        assert!(number > PRESSED.lines().count(), "{line}");
    }
    let of_body = PRESSED.replace("mass = 2", "mass = 2\nhand = { stiffness = 3 }");
    let refused = load(&of_body, &[]).unwrap_err();
    assert!(refused.contains("a hand with springs is a [[hand]]"), "{refused}");
}
