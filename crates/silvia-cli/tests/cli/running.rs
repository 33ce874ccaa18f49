//! `silvia run` and `silvia resume`, ended in every way.

use crate::folder::Folder;
use serde_json::Value;
use silvia::scene::recording::{Ending, Frame, StepCost, Why};
use silvia::scene::{Recording, SceneSource};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Boxes that are thrown onto each other, one of them turned by a hand: impacts, contacts that come and go,
/// cut steps.
const SCENE: &str = r#"
title = "Thrown boxes"

[run]
step = "2 ms"
until = 2.5

[record]
every = "14 ms"

[[body]]
name = "ground"
half_space = { normal = [0, 0, 1] }
role = "fixed"

[[body]]
name = "box"
box = { size = [0.1, 0.08, 0.06] }
position = [0, 0, 0.2]
rotation = { axis = [1, 2, 3], angle = 40 }
velocity = [0.1, 0.05, -1]
row = { count = 5, by = [0.03, 0.02, 0.16] }

[[body]]
name = "paddle"
box = { size = [0.3, 0.02, 0.05] }
position = [0, -0.25, 0.04]
hand = { velocities = [{ time = 0.2, velocity = [0, 0.1, 0] }, { time = 1, spin = [0, 0, 30] }] }
"#;

/// A box between a floor and a press that comes down.
const PRESSED: &str = r#"
[[body]]
name = "floor"
half_space = {}
role = "fixed"

[[body]]
name = "part"
box = { size = [0.1, 0.1, 0.1] }
position = [0, 0, 0.05]

[[body]]
name = "press"
box = { size = [0.1, 0.1, 0.1] }
position = [0, 0, 0.16]
role = "scripted"
script = { velocity = [0, 0, -1] }
"#;

/// A box that exactly fits between two others.
const FITTING: &str = r#"
[run]
until = 0.05

[[body]]
name = "wall"
box = { size = [0.1, 0.1, 0.1] }
role = "fixed"
row = { count = 2, by = [0.2, 0, 0] }

[[body]]
name = "key"
box = { size = [0.1, 0.1, 0.1] }
position = [0.1, 0, 0]
"#;

#[test]
fn a_part_that_fits_exactly_is_checked_and_run() {
    let folder = Folder::new();
    folder.put("key.toml", FITTING);
    let told = folder.ok(&["check", "key.toml"]);
    assert!(
        told.contains("\"key\" fits exactly; its surface is shrunk by 5.197e-10 m for the run (harmless)"),
        "{told}"
    );
    let output = folder.silvia(&["run", "key.toml", "--out", "fits"]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(
        output.status.success() && told.contains("\"key\" fits exactly; its surface is shrunk by"),
        "{told}"
    );
    let ended = ending(&folder.path("fits"));
    assert!(matches!(ended.why, Why::Finished), "{ended:?}");
    assert_eq!(ended.summary.max_penetration, Some(0.0));
}

/// How often a run is killed in all, and by how many runs at most.
const KILLS: usize = 20;
const MOST_RUNS: usize = 40;

/// How long a started run may take until it has written something.
const PATIENCE: Duration = Duration::from_secs(60);

fn folder() -> Folder {
    let folder = Folder::new();
    folder.put("boxes.toml", SCENE);
    folder
}

fn start(folder: &Folder, arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_silvia"));
    command.current_dir(folder.path("")).args(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Until a recording has a frame and a state.
fn wait_for(path: &Path) {
    let begun = Instant::now();
    while Recording::open(path)
        .map_or(true, |recording| recording.is_empty() || recording.states().is_empty())
    {
        assert!(begun.elapsed() < PATIENCE, "{} was not begun", path.display());
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

/// All but what the clock says.
fn frames(path: &Path) -> Vec<Frame> {
    let recording = Recording::open(path).unwrap();
    assert_eq!(recording.lost(), 0);
    let without_clock = |frame: Frame| Frame { cost: StepCost { wall_seconds: 0.0, ..frame.cost }, ..frame };
    recording.frames().map(|frame| without_clock(frame.unwrap())).collect()
}

fn ending(path: &Path) -> Ending {
    let mut ending = Recording::open(path).unwrap().ending().unwrap().clone();
    ending.summary.wall_seconds = 0.0;
    ending
}

fn delays() -> impl Iterator<Item = Duration> {
    let mut random = seeded::Random::new(20);
    std::iter::repeat_with(move || Duration::from_millis(random.whole(5, 99)))
}

#[test]
fn a_run_killed_at_twenty_random_moments_ends_as_one_that_was_not() {
    let folder = folder();
    folder.ok(&["run", "boxes.toml", "--out", "whole"]);
    let expected = ending(&folder.path("whole"));
    assert_eq!((&expected.why, expected.summary.steps), (&Why::Finished, 1250));
    assert!(expected.summary.cut_steps > 0 && expected.summary.contacts_max > 4);

    let whole = frames(&folder.path("whole"));

    // A machine may be fast enough to end a run between two kills: then there is another run.
    let mut delays = delays().take(KILLS).peekable();
    for run in 0.. {
        let name = format!("killed {run}");
        let mut arguments = vec!["run", "boxes.toml", "--out", &name];
        while let Some(delay) = delays.peek() {
            let mut child = start(&folder, &arguments);
            if arguments[0] == "run" {
                // Before its header is written there is nothing to go on from.
                wait_for(&folder.path(&name));
            }
            std::thread::sleep(*delay);
            if child.try_wait().unwrap().is_some() {
                break;
            }
            child.kill().unwrap();
            child.wait().unwrap();
            delays.next();
            // What a person finds.
            assert!(!Recording::open(&folder.path(&name)).unwrap().is_empty());
            arguments = vec!["resume", &name];
        }
        if Recording::open(&folder.path(&name)).unwrap().ending().is_none() {
            folder.ok(&["resume", &name]);
        }
        assert_eq!(ending(&folder.path(&name)), expected);
        assert!(frames(&folder.path(&name)) == whole, "the frames differ");
        if delays.peek().is_none() {
            return;
        }
        assert!(run < MOST_RUNS, "the scene is too short for this machine");
    }
}

#[test]
fn a_profile_changes_no_bit_on_any_number_of_threads_and_survives_a_kill() {
    let folder = folder();
    let run = |out: &str, more: &[&str]| -> Value {
        let arguments = [&["run", "boxes.toml", "--until", "0.8", "--out", out, "--json"], more].concat();
        serde_json::from_str(&folder.ok(&arguments)).unwrap()
    };
    let plain = run("plain", &["--threads", "1"]);
    assert_eq!(plain["profile"], Value::Null);
    let whole = frames(&folder.path("plain"));
    for threads in ["1", "2", "4"] {
        let told = run(threads, &["--threads", threads, "--profile"]);
        assert_eq!(told["hash"], plain["hash"], "{threads} threads");
        assert!(frames(&folder.path(threads)) == whole, "{threads} threads: the frames differ");
        let profile = &told["profile"];
        assert_eq!(profile["steps"], 400);
        let stages = profile["stages"].as_array().unwrap();
        let names: Vec<&str> = stages.iter().map(|stage| stage["stage"].as_str().unwrap()).collect();
        let expected = ["predict", "cull", "contacts", "assemble", "solve", "integrate", "certify", "rest"];
        assert_eq!(names, expected);
        let whole: f64 = stages.iter().map(|stage| stage["share"].as_f64().unwrap()).sum();
        assert!((whole - 1.0).abs() < 1e-9, "{whole}");
        assert_eq!(stages[4]["counted"], "iterations");
        assert!(stages[..7].iter().all(|stage| stage["count_a_step"].as_f64().unwrap() > 0.0), "{profile}");
    }

    let mut child = start(&folder, &["run", "boxes.toml", "--until", "0.8", "--out", "killed", "--profile"]);
    wait_for(&folder.path("killed"));
    child.kill().unwrap();
    child.wait().unwrap();
    let printed = folder.ok(&["resume", "killed", "--profile"]);
    assert!(frames(&folder.path("killed")) == whole, "the frames differ after a kill");
    assert!(printed.contains("profile      400 steps of "), "{printed}");
    let rows: Vec<&str> = printed.lines().skip_while(|line| !line.starts_with("profile")).collect();
    assert_eq!(rows.len(), 10, "{printed}");
    assert!(rows[1].trim_end().ends_with("a step") && rows[6].starts_with("  solve"), "{printed}");
    assert!(rows[6].ends_with(" iterations") && rows[9].starts_with("  rest"), "{printed}");
}

#[test]
fn ctrl_c_keeps_what_was_computed_and_says_how_to_go_on() {
    let folder = folder();
    let child = start(&folder, &["run", "boxes.toml", "--until", "1000", "--no-check", "--json"]);
    let file = folder.path("runs/boxes/recording.silvia");
    wait_for(&file);
    signal(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("`silvia resume runs/boxes` goes on from here"), "{told}");
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    let names = [
        "steps",
        "sim_seconds",
        "wall_seconds",
        "max_penetration",
        "contacts_max",
        "cut_steps",
        "shortfall_steps",
        "numerical_loss",
        "stuck_steps",
        "energy_error",
        "energy",
        "momentum_error",
        "momentum",
        "motion_error",
        "advised_step",
        "accuracy",
        "success",
        "goals",
        "hash",
        "profile",
        "end",
        "reason",
        "recording",
    ];
    assert_eq!(summary.as_object().unwrap().keys().collect::<Vec<_>>(), names);
    assert_eq!(summary["end"], "stopped");
    let recording = Recording::open(&file).unwrap();
    assert_eq!(recording.ending().unwrap().why, Why::Stopped);
    assert_eq!(recording.header().title, "Thrown boxes");
    let kept = recording.states();
    assert_eq!(kept[kept.len() - 1].step, summary["steps"].as_u64().unwrap());
    let source = SceneSource { name: "boxes.toml".into(), text: SCENE.into(), ..SceneSource::default() };
    assert_eq!(recording.header().source, source);

    // A little longer, from where it was.
    let until = format!("{}", recording.time(recording.len() - 1).unwrap() + 0.02);
    let printed = folder.ok(&["resume", "runs/boxes", "--until", &until]);
    assert!(printed.contains("penetration  not checked"), "{printed}");
    assert_eq!(Recording::open(&file).unwrap().ending().unwrap().why, Why::Finished);
    // And no further.
    let (printed_again, noted) = folder.ok_with_notes(&["resume", "runs/boxes"]);
    assert_eq!(printed_again, printed);
    assert!(noted.contains("has come to its end already"), "{noted}");
}

#[test]
fn a_folder_is_never_written_over_unasked() {
    let folder = folder();
    let short = ["run", "boxes.toml", "--until", "0.02"];
    for expected in ["runs/boxes/", "runs/boxes-2/", "runs/boxes-3/"] {
        assert!(folder.ok(&short).contains(expected));
    }
    let (_, told) = folder.fails(&["run", "boxes.toml", "--until", "0.02", "--out", "runs/boxes"]);
    assert!(told.contains("is there already: choose another folder, or use `--force`"), "{told}");
    folder.ok(&["run", "boxes.toml", "--until", "0.02", "--out", "runs/boxes", "--force"]);
    let (_, told) = folder.fails(&["resume", "runs/boxes", "--from", "0"]);
    assert!(told.contains("would be cut off"), "{told}");
    folder.ok(&["resume", "runs/boxes", "--from", "0", "--out", "copy", "--until", "0.04"]);
    assert_eq!(ending(&folder.path("copy")).summary.steps, 20);
    assert_eq!(ending(&folder.path("runs/boxes")).summary.steps, 10);
}

#[test]
fn a_folder_that_another_run_writes_to_is_refused() {
    let folder = folder();
    let mut child = start(&folder, &["run", "boxes.toml", "--until", "1000", "--out", "one"]);
    wait_for(&folder.path("one"));
    for arguments in [&["resume", "one"][..], &["run", "boxes.toml", "--out", "one", "--force"]] {
        let (code, told) = folder.fails(arguments);
        assert_eq!(code, 1);
        assert!(told.contains("another run is writing to it"), "{told}");
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_full_disk_is_told_and_what_was_written_stays() {
    let folder = folder();
    // As on a full disk, no file can become longer than 128 blocks of 512 bytes.
    let script = format!(
        "trap '' XFSZ; ulimit -f 128; exec '{}' run boxes.toml --until 1000 --no-check --out full",
        env!("CARGO_BIN_EXE_silvia")
    );
    let output = Command::new("sh").current_dir(folder.path("")).args(["-c", &script]).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("full/recording.silvia: cannot be written (File too large"), "{told}");
    assert!(told.contains("`silvia resume` goes on from there"), "{told}");
    let recording = Recording::open(&folder.path("full")).unwrap();
    assert!(recording.len() > 1 && !recording.states().is_empty());
    let until = format!("{}", recording.time(recording.len() - 1).unwrap() + 0.1);
    folder.ok(&["resume", "full", "--until", &until]);

    let (_, told) = folder.fails(&["run", "boxes.toml", "--out", "boxes.toml"]);
    assert!(told.contains("the folder cannot be made"), "{told}");
    let (_, told) = folder.fails(&["resume", "boxes.toml"]);
    assert!(told.contains("is not a recording of silvia"), "{told}");
}

#[test]
fn a_refused_step_is_told_and_the_scene_s_faults_are_too() {
    let folder = folder();
    folder.put("overlap.toml", SCENE.replace("by = [0.03, 0.02, 0.16]", "by = [0.01, 0, 0]"));
    let (code, told) = folder.fails(&["run", "overlap.toml"]);
    assert_eq!(code, 1);
    assert!(
        told.contains("overlap.toml:") && told.contains("overlaps") && told.contains("move it by ["),
        "{told}"
    );
    // Nothing is left of a run that never began.
    assert!(!folder.path("runs").exists());
    folder.put("pressed.toml", PRESSED);
    let (code, told) = folder.fails(&["run", "pressed.toml", "--out", "refused"]);
    assert_eq!(code, 1);
    assert!(told.contains("the next step was refused") && told.contains("`press`"), "{told}");
    assert!(matches!(ending(&folder.path("refused")).why, Why::Refused(_)));
    folder.put("wrong.toml", "bodies = 3\n");
    let (code, told) = folder.fails(&["run", "wrong.toml"]);
    assert_eq!(code, 1);
    assert!(told.contains("wrong.toml:1"), "{told}");
    assert!(!folder.path("runs/wrong").exists());
}

#[test]
fn the_summary_has_numbers_as_people_write_them() {
    let folder = folder();
    let printed = folder.ok(&["run", "boxes.toml", "--until", "0.02"]);
    assert!(
        printed.contains("simulated    0.02 s in 10 steps") && printed.contains("penetration  0 m\n"),
        "{printed}"
    );
    let took = printed.lines().find(|line| line.starts_with("took")).unwrap();
    assert!(took.ends_with(" times real time)"), "{took}");
    assert!(!printed.contains("e0"), "{printed}");
}

#[test]
fn a_run_that_cannot_end_when_it_is_told_to_says_when_it_ends() {
    let folder = folder();
    let run = ["run", "boxes.toml", "--dt", "0.03", "--until", "0.1", "--out", "odd"];
    let (printed, noted) = folder.ok_with_notes(&run);
    assert!(printed.contains("simulated    0.09 s in 3 steps"), "{printed}");
    assert_eq!(noted, "note: 0.1 s is not a whole number of steps of 0.03 s; the run ends at 0.09 s\n");
    let (_, noted) = folder.ok_with_notes(&["run", "boxes.toml", "--until", "0.1", "--out", "even"]);
    assert_eq!(noted, "");
}

#[test]
fn a_run_cannot_go_on_to_an_earlier_end() {
    let folder = folder();
    folder.ok(&["run", "boxes.toml", "--until", "0.1", "--out", "run"]);
    let (code, told) = folder.fails(&["resume", "run", "--until", "0.05"]);
    assert_eq!(code, 1);
    assert!(told.contains("this run ended at 0.1 s; give a later `--until` to continue it"), "{told}");
    let (code, told) = folder.fails(&["resume", "run", "--until", "0.1"]);
    assert_eq!(code, 1);
    assert!(told.contains("this run ended at 0.1 s; give a later `--until` to continue it"), "{told}");
    let (code, told) = folder.fails(&["resume", "run", "--from", "5", "--until", "6"]);
    assert_eq!(code, 1);
    assert!(told.contains("this run ended at 0.1 s: `--from 5` is after that"), "{told}");
    assert_eq!(ending(&folder.path("run")).summary.steps, 50);
}

#[test]
fn a_machine_without_a_browser_is_told_where_the_report_is() {
    let folder = folder();
    let mut silvia = Command::new(env!("CARGO_BIN_EXE_silvia"));
    silvia.current_dir(folder.path("")).env("PATH", "");
    let output =
        silvia.args(["run", "boxes.toml", "--until", "0.02", "--out", "run", "--open"]).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && told.contains("no browser was found here; open "), "{told}");
    assert!(told.contains("run/report.html: the report"), "{told}");
}

/// `silvia run` was silent about what `silvia check` doubts.
#[test]
fn a_run_tells_what_is_doubtful_about_its_scene() {
    let folder = folder();
    folder.put("light.toml", SCENE.replacen("[[body]]", "[[material]]\nname = \"unused\"\n\n[[body]]", 1));
    let (_, noted) = folder.ok_with_notes(&["run", "light.toml", "--until", "0.02"]);
    assert!(noted.starts_with("light.toml:") && noted.contains("no body uses the material"), "{noted}");
}
