//! What a report and the tables tell of a fit: depth and clearance over time, whether the goal was reached,
//! what stopped the body.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use silvia_proximity::Feature;
use silvia_scene::export::{Choice, Format, export};
use silvia_scene::fitting::Fitting;
use silvia_scene::recording::{Recording, RecordingWriter};
use silvia_scene::{Overrides, RunOptions, Runner, Scene, report};
use silvia_solid::Vec3;
use std::path::Path;

/// A cube of 40 mm that a hand lowers by 20 mm/s onto a plate, from 10 mm above; it is to be 12 mm deep, and
/// there is a bar of 2 mm in its way.
const LOWERED: &str = r#"
[units]
length = "mm"
[run]
step = "1 ms"
until = 0.8
[record]
every = "10 ms"
[[body]]
name = "plate"
box = { size = [200, 200, 20] }
position = [0, 0, -10]
role = "fixed"
[[body]]
name = "bar"
box = { size = [2, 100, 2] }
position = [0, 0, 1.001]
role = "fixed"
[[body]]
name = "cube"
box = { size = [40, 40, 40] }
position = [0, 0, 32]
density = "1000 kg/m3"
[[hand]]
body = "cube"
stiffness = "10 N/mm"
turning_stiffness = "100 N m/rad"
velocity = [0, 0, -20]
[[goal]]
body = "cube"
point = [0, 0, -20]
from = [0, 0, 12]
depth = DEPTH
"#;

fn run(text: &str, path: &Path) -> Recording {
    let scene = path.with_extension("toml");
    std::fs::write(&scene, text).unwrap();
    let setup = Scene::load(&scene).unwrap().setup(&Overrides::default()).unwrap();
    let writer = RecordingWriter::create(path, &setup.header, false).unwrap();
    Runner::new(setup, RunOptions::default()).unwrap().recorded(writer).run(|_| ()).unwrap();
    Recording::open(path).unwrap()
}

#[test]
fn depth_and_clearance_are_those_of_the_poses() {
    let folder = tempfile::tempdir().unwrap();
    let recording = run(&LOWERED.replace("DEPTH", "12"), &folder.path().join("run.silvia"));
    let fitting = Fitting::of(&recording).unwrap().unwrap();
    let goal = &fitting.goals[0];
    assert_eq!((fitting.goals.len(), goal.curves.len(), goal.curves[0].name), (1, 1, "depth"));
    for (number, time) in fitting.times.iter().enumerate() {
        let frame = recording.frame(number).unwrap();
        let bottom = frame.poses[goal.body].translation().z - 0.02;
        assert_eq!(frame.time, *time);
        assert!((goal.curves[0].values[number] - (0.012 - bottom)).abs() < 1e-12);
        // The bar is 2.001 mm high, and the cube above it stays level.
        assert!((goal.clearance[number] - (bottom - 0.002001)).abs() < 1e-8, "{number}");
    }
    // The bar stops it: the goal is missed, and what pressed was its top.
    let summary = goal.summary.as_ref().unwrap();
    assert!(summary.reached_at.is_none(), "{summary:?}");
    let stopped = goal.stopped.as_ref().unwrap();
    assert!(stopped.frame == recording.len() - 1 && !stopped.by.is_empty());
    let pressed: Vec3 = stopped.by.iter().map(|by| by.force).sum();
    assert!(pressed.z > 1.0 && pressed.truncate().length() < 1e-6 * pressed.z, "{pressed}");
    for by in &stopped.by {
        assert_eq!(recording.header().bodies[by.other].name, "bar");
        assert!(by.at.z > 0.0019 && by.at.x.abs() < 0.00101, "{by:?}");
        assert!(by.features.iter().all(|feature| !matches!(feature, None | Some(Feature::Patch(_)))));
    }
}

#[test]
fn a_report_shows_where_a_body_stopped_and_tables_have_its_depth() {
    let folder = tempfile::tempdir().unwrap();
    let recording = run(&LOWERED.replace("DEPTH", "12"), &folder.path().join("run.silvia"));
    let page = report::page(&recording).unwrap();
    assert!(page.contains("<h2>Did it fit?</h2>") && page.contains("no: 0.012 m deep, came as deep as "));
    assert!(page.contains("<h3>Where cube stopped, at 0.8 s</h3>") && page.contains(" of bar</td>"));
    assert!(page.contains("class=\"jam\"") && page.contains("\"name\":\"cube: insertion depth\""));
    assert!(page.contains("\"name\":\"cube: clearance\""));
    let tables = folder.path().join("tables");
    export(&recording, Format::Csv, &tables, &Choice::default(), false, &mut |_, _| ()).unwrap();
    let text = std::fs::read_to_string(tables.join("fit.csv")).unwrap();
    let rows: Vec<&str> = text.split("\r\n").collect();
    assert_eq!(rows[0], "time_s,cube depth_m,cube clearance_m");
    assert_eq!(rows.len(), recording.len() + 2);
    let first: Vec<f64> = rows[1].split(',').map(|word| word.parse().unwrap()).collect();
    assert!(first[0] == 0.0 && first[1].abs() < 1e-12 && (first[2] - 0.009999).abs() < 1e-9, "{first:?}");
}

#[test]
fn a_goal_that_was_reached_has_no_jam_and_a_scene_without_goals_no_fit() {
    let folder = tempfile::tempdir().unwrap();
    let recording = run(&LOWERED.replace("DEPTH", "5"), &folder.path().join("run.silvia"));
    let goal = &Fitting::of(&recording).unwrap().unwrap().goals[0];
    let reached = goal.summary.as_ref().unwrap().reached_at.unwrap();
    // 5 mm at 20 mm/s, and a little for the springs to give.
    assert!(goal.stopped.is_none() && (0.24..0.35).contains(&reached), "{reached}");
    let page = report::page(&recording).unwrap();
    assert!(page.contains("yes, at 0.") && !page.contains("class=\"jam\" alt"));
    let plain = LOWERED.split("[[goal]]").next().unwrap();
    let recording = run(plain, &folder.path().join("plain.silvia"));
    assert!(Fitting::of(&recording).unwrap().is_none());
    assert!(!report::page(&recording).unwrap().contains("Did it fit?"));
}
