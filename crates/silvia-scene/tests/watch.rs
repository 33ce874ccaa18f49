//! What a scene watches: recorded in every step, told in tables and plots, refused with a line and a remedy.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "report/browser.rs"]
mod browser;

use browser::{browsed, chromium};
use silvia_scene::export::{Choice, Format, export};
use silvia_scene::recording::{Recording, RecordingWriter, Watch, WatchRow};
use silvia_scene::{Overrides, RunOptions, Runner, Scene, report};
use silvia_solid::Vec3;
use std::path::Path;
use std::sync::atomic::Ordering;

/// A box of 2 kg that slides on a table, decelerated by friction alone, until after 0.4 s.
const SLIDE: &str = r#"
[run]
step = "1 ms"
until = 0.3
[record]
every = "50 ms"
[[body]]
name = "table"
box = { size = [4, 1, 0.1] }
position = [0, 0, -0.05]
role = "fixed"
[[body]]
name = "box"
box = { size = [0.2, 0.2, 0.2] }
position = [0, 0, 0.1]
mass = 2
velocity = [2, 0, 0]
[[watch]]
body = "box"
[[watch]]
pair = ["box", "table"]
"#;

fn scene(text: &str) -> Scene {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.toml");
    std::fs::write(&path, text).unwrap();
    Scene::load(&path).unwrap()
}

fn runner(text: &str, options: &RunOptions) -> Runner {
    Runner::new(scene(text).setup(&Overrides::default()).unwrap(), options.clone()).unwrap()
}

/// Runs and records, and stops after some steps.
fn record(path: &Path, stop_after: u64) {
    record_of(SLIDE, path, stop_after);
}

fn record_of(text: &str, path: &Path, stop_after: u64) {
    let options = RunOptions::default();
    let header = scene(text).setup(&Overrides::default()).unwrap().header;
    let writer = RecordingWriter::create(path, &header, false).unwrap();
    let stop = options.stop.clone();
    let ended = runner(text, &options).recorded(writer).run(|progress| {
        stop.store(progress.steps >= stop_after, Ordering::Relaxed);
    });
    ended.unwrap();
}

fn value(recording: &Recording, row: &WatchRow, watch: usize, column: &str) -> f64 {
    let watches = &recording.header().watches;
    let before: usize = watches[..watch].iter().map(|watch| watch.columns().len()).sum();
    let at = watches[watch].columns().iter().position(|[name, _]| *name == column).unwrap();
    row.values[before + at]
}

#[test]
fn every_step_is_recorded_and_obeys_newton() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.silvia");
    record(&path, u64::MAX);
    let recording = Recording::open(&path).unwrap();
    assert_eq!(recording.header().watches, [Watch::Body(1), Watch::Pair([1, 0])]);
    let rows = recording.watched().unwrap();
    assert_eq!(rows.len(), 300);
    assert!(recording.len() < 10, "frames are few");
    for (number, row) in rows.iter().enumerate() {
        let of = |watch, column| value(&recording, row, watch, column);
        assert_eq!(row.step, number as u64 + 1);
        // It slides: the table brakes it by friction 0.5 and bears its weight; and the other way round.
        let expected = [-0.5 * 2.0 * 9.81, 2.0 * 9.81];
        let found = [of(0, "fx"), of(0, "fz")];
        assert!(number < 5 || found.iter().zip(expected).all(|(f, e)| (f - e).abs() < 1e-6), "{found:?}");
        assert!((of(0, "fx") + of(1, "fx")).abs() < 1e-9 && (of(0, "fz") + of(1, "fz")).abs() < 1e-9);
        let speed = 2.0 - 0.5 * 9.81 * row.time;
        assert!((of(0, "vx") - speed).abs() < 1e-3, "{} at {}", of(0, "vx"), row.time);
        assert!(of(1, "gap") > 0.0 && of(1, "gap") < 1e-6 && of(1, "contacts") >= 3.0);
    }
}

#[test]
fn a_watched_pair_had_less_force_than_the_body_where_contacts_part_within_a_step() {
    let mut parted = 0;
    for tilt in [0, 6, 12, 18, 24, 30, 36] {
        // It rolls over its edges, as a die does: it lands on one, and leaves the one that bore it.
        let tumble = SLIDE
            .replace("\"1 ms\"", "\"5 ms\"")
            .replace("\"50 ms\"", "\"5 ms\"")
            .replace("until = 0.3", "until = 1.0")
            .replace("[4, 1, 0.1]", "[8, 2, 0.1]")
            .replace("[0, 0, 0.1]", &format!("[-3, 0, 0.16]\nrotation = {{ x = 1, y = {tilt} }}"))
            .replace("[2, 0, 0]", "[2, 0.1, 0]\nspin = [30, 860, 20]");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.silvia");
        record_of(&tumble, &path, u64::MAX);
        let recording = Recording::open(&path).unwrap();
        let rows = recording.watched().unwrap();
        assert_eq!((rows.len(), recording.len()), (200, 201));
        for row in rows {
            let force =
                |watch| Vec3::from_array(["fx", "fy", "fz"].map(|f| value(&recording, &row, watch, f)));
            let (on_box, on_table) = (force(0), force(1));
            let size = on_box.length();
            assert!((on_box + on_table).length() <= 1e-12 * size, "{on_box} {on_table} at {}", row.time);
            let contacts = recording.frame(row.step as usize).unwrap().contacts;
            let at_the_end = contacts.iter().fold(Vec3::ZERO, |sum, contact| sum + contact.force);
            parted += usize::from((at_the_end.length() - size).abs() > 1e-3 * size);
        }
    }
    assert!(parted > 0, "no contact parted within a step, so that nothing was tested");
}

#[test]
fn a_run_that_is_stopped_and_resumed_watches_each_step_once() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, parts] = ["whole", "parts"].map(|name| folder.path().join(name));
    record(&whole, u64::MAX);
    record(&parts, 77);
    let (writer, _, state) = RecordingWriter::resume(&parts, None).unwrap();
    let options = RunOptions::default();
    runner(SLIDE, &options).resumed(state).unwrap().recorded(writer).run(|_| ()).unwrap();
    let [whole, parts] = [whole, parts].map(|path| Recording::open(&path).unwrap().watched().unwrap());
    assert_eq!(whole, parts);
}

#[test]
fn tables_and_plots_have_what_is_watched() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.silvia");
    record(&path, u64::MAX);
    let recording = Recording::open(&path).unwrap();
    let tables = folder.path().join("tables");
    export(&recording, Format::Csv, &tables, &Choice::default(), false, &mut |_, _| ()).unwrap();
    let text = std::fs::read_to_string(tables.join("watch.csv")).unwrap();
    let mut lines = text.split("\r\n");
    let columns: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!(columns[..3], ["step", "time_s", "box x_m"]);
    let at = columns.iter().position(|column| *column == "box/table fz_N").unwrap();
    assert!(columns.contains(&"box vx_m_per_s") && columns.contains(&"box ty_N_m"));
    let rows = recording.watched().unwrap();
    let last: Vec<&str> = lines.nth(299).unwrap().split(',').collect();
    let found = last[at].parse::<f64>().unwrap();
    assert_eq!(found.to_bits(), value(&recording, &rows[299], 1, "fz").to_bits());

    let page = report::page(&recording).unwrap();
    for title in ["box: position", "box: contact force, mean over a step", "box on table: contact force"] {
        assert!(page.contains(title), "{title}");
    }
}

/// The box slides without turning, but for rounding, which filled its plot from top to bottom.
#[test]
fn rounding_does_not_fill_the_plots_of_what_is_watched() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.silvia");
    record(&path, u64::MAX);
    let recording = Recording::open(&path).unwrap();
    let mut rows = recording.watched().unwrap();
    let columns = recording.header().watches[0].columns();
    for name in ["qx", "qy", "qz", "tx", "ty", "tz"] {
        let at = columns.iter().position(|[known, _]| *known == name).unwrap();
        for row in &mut rows {
            row.values[at] = if row.step % 2 == 0 { 4e-16 } else { -4e-16 };
        }
    }
    let mut frames: Vec<_> = recording.frames().map(Result::unwrap).collect();
    for frame in &mut frames {
        frame.energy.kinetic = 2e-29;
        frame.velocities[1].linear = Vec3::new(1e-14, 0.0, 0.0);
    }
    let page = Recording::in_memory(recording.header().clone(), frames).with_watched(rows);
    let page = report::page(&page).unwrap();
    let Some(chromium) = chromium() else { return };
    let (dom, errors) = browsed(&chromium, &page, "t=0.2&body=1", &[], None);
    assert!(!errors.contains("Uncaught"), "{errors}");
    assert!(dom.contains("kinetic <output>0 J</output>"));
    assert!(dom.contains("<dd class=\"speed\">0 m/s</dd>"));
    for (title, curves) in
        [("box: rotation", ["qx 0", "qy 0"]), ("box: torque of contacts", ["tx 0", "ty 0"])]
    {
        let plot = dom.split_once(title).unwrap().1.split_once("</figure>").unwrap().0;
        let words = plot.replace("<output>", "").replace("</output>", "");
        assert!(curves.iter().all(|value| words.contains(value)), "{words}");
        assert!(!plot.contains("e-1"), "no tick of rounding: {plot}");
    }
    let force = dom.split_once("box: contact force").unwrap().1.split_once("</figure>").unwrap().0;
    assert!(force.contains("-9.81 N") && force.contains("19.62 N"), "{force}");
}

#[test]
fn a_page_says_that_its_watched_curves_are_thinned() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.silvia");
    record(&path, u64::MAX);
    let whole = Recording::open(&path).unwrap();
    assert!(!report::page(&whole).unwrap().contains("point of a watched curve"));
    let rows: Vec<WatchRow> = std::iter::repeat_n(whole.watched().unwrap(), 30).flatten().collect();
    assert_eq!(rows.len(), 9000);
    let frames = whole.frames().map(Result::unwrap).collect();
    let long = Recording::in_memory(whole.header().clone(), frames).with_watched(rows);
    let page = report::page(&long).unwrap();
    assert!(page.contains("Each point of a watched curve stands for 3 steps"));
}

#[test]
fn the_time_that_a_run_took_is_the_same_in_its_summary_and_its_page() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.silvia");
    record(&path, u64::MAX);
    let recording = Recording::open(&path).unwrap();
    let page = report::page(&recording).unwrap();
    let told = page.split("took</th><td>").nth(1).unwrap();
    let [all, steps] = [" s, ", " s of it in steps"].map(|unit| {
        let number = told.split(unit).next().unwrap();
        number.split(' ').next_back().unwrap().parse::<f64>().unwrap()
    });
    let expected = recording.ending().unwrap().summary.wall_seconds;
    assert!((all - expected).abs() <= 1e-3 * expected, "{all} {expected}");
    assert!(steps > 0.0 && steps < all, "{steps} of {all}");
}

#[test]
fn watched_steps_after_the_last_frame_were_missing_in_tables() {
    // A frame every 50 ms, and 20 ms after the last of them.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.silvia");
    record(&path, u64::MAX);
    let whole = Recording::open(&path).unwrap();
    let frames = whole.frames().map(Result::unwrap).filter(|frame| frame.time < 0.26).collect();
    let rows: Vec<WatchRow> = whole.watched().unwrap().into_iter().filter(|row| row.step <= 270).collect();
    let recording = Recording::in_memory(whole.header().clone(), frames).with_watched(rows);
    let steps = |choice: &Choice| -> Vec<u64> {
        let tables = tempfile::tempdir().unwrap();
        let tables = tables.path().join("tables");
        export(&recording, Format::Csv, &tables, choice, false, &mut |_, _| ()).unwrap();
        let text = std::fs::read_to_string(tables.join("watch.csv")).unwrap();
        let numbers = text.lines().skip(1).map(|line| line.split(',').next().unwrap().parse().unwrap());
        numbers.collect()
    };
    assert_eq!(steps(&Choice::default()), (1..=270).collect::<Vec<u64>>());
    // Between frames.
    let some = Choice { from: 0.02, until: 0.13, ..Choice::default() };
    assert_eq!(steps(&some), (20..=130).collect::<Vec<u64>>());
}

#[test]
fn a_watch_of_a_body_that_is_not_there_made_readers_panic() {
    let mut setup = scene(SLIDE).setup(&Overrides::default()).unwrap();
    let report = setup.world.step(1e-3).unwrap();
    let ids: Vec<_> = setup.world.ids().collect();
    for watch in [Watch::Body(2), Watch::Pair([0, 7])] {
        let error = WatchRow::of(&setup.world, &ids, &[watch], &report).unwrap_err();
        assert!(matches!(error, silvia_world::WorldError::NoSuchName { .. }), "{error}");
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.silvia");
    record(&path, 60);
    let good = Recording::open(&path).unwrap();
    let mut header = good.header().clone();
    header.watches[1] = Watch::Pair([1, 7]);
    let frames = good.frames().map(Result::unwrap).collect();
    let recording = Recording::in_memory(header, frames).with_watched(good.watched().unwrap());
    let tables = folder.path().join("tables");
    export(&recording, Format::Csv, &tables, &Choice::default(), false, &mut |_, _| ()).unwrap();
    assert!(std::fs::read_to_string(tables.join("watch.csv")).unwrap().contains(",box/? fz_N,"));
    assert!(report::page(&recording).unwrap().contains("box on ?: contact force"));
}

#[test]
fn what_cannot_be_watched_is_told_with_line_and_remedy() {
    let row = "[[body]]\nname = \"domino\"\nbox = { size = [1, 1, 1] }\nposition = [9, 9, 9]\n\
               row = { count = 2, by = [3, 0, 0] }\n";
    for (watch, expected) in [
        ("body = \"bx\"", "watch[#1].body: there is no body \"bx\": did you mean \"box\"?"),
        (
            "pair = [\"box\", \"tabel\"]",
            "watch[#1].pair[#2]: there is no body \"tabel\": did you mean \"table\"?",
        ),
        (
            "pair = [\"box\", \"box\"]",
            "watch[#1].pair: \"box\" cannot be paired with itself: name two bodies",
        ),
        ("body = \"domino\"", "watch[#1].body: \"domino\" is 2 bodies: name one of them, as in \"domino 1\""),
        ("", "watch[#1]: it does not say what to watch: give `body = \"...\"`"),
        ("body = \"box\"\npair = [\"box\", \"table\"]", "watch[#1]: it has both `body` and `pair`: make two"),
    ] {
        let (start, _) = SLIDE.split_once("[[watch]]").unwrap();
        let text = format!("{start}{row}[[watch]]\n{watch}\n");
        let error = scene(&text).setup(&Overrides::default()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}\n{expected}");
        // Of the header of the entry, or of the line after it.
        let line = text.split("[[watch]]").next().unwrap().lines().count() + 1;
        let is_at = |line: usize| error.contains(&format!("scene.toml:{line}:"));
        assert!(is_at(line) || is_at(line + 1), "{error}");
    }
}
