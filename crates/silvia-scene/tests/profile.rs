//! Where the time of a run went: beside the frames, and never part of what is computed.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::sample_world;
use proptest::prelude::*;
use silvia_scene::recording::{
    Ending, Frame, Header, ProfileRow, ProfileTable, Recording, RecordingError, RecordingWriter, StepCost,
};
use silvia_scene::scene::RunSettings;
use silvia_scene::{RunOptions, Runner, Setup};
use silvia_world::{Cost, Profile, Stage};
use std::fs;
use std::path::Path;
use std::sync::atomic::Ordering;

fn costs(seconds: [f64; 7]) -> [Cost; 7] {
    std::array::from_fn(|i| Cost { seconds: seconds[i], count: 10 * i as u64 })
}

fn row(step: u64) -> ProfileRow {
    let profile = Profile::new(3, 0.1 * step as f64, costs([1.0 / 3.0; 7]));
    ProfileRow { step, time: 1e-3 * step as f64, profile }
}

/// Frames without bodies, and rows of a profile beside them; three blocks of both.
fn written(path: &Path, rows: &[ProfileRow]) {
    let mut writer = RecordingWriter::create(path, &Header::default(), true).unwrap();
    for (number, rows) in rows.chunks(2).enumerate() {
        writer.frame(Frame { step: number as u64, ..Frame::default() }).unwrap();
        rows.iter().for_each(|row| writer.profile(*row).unwrap());
        writer.flush().unwrap();
    }
    let summary = serde_json::from_value(serde_json::json!({
        "steps": 3, "sim_seconds": 0.1, "wall_seconds": 0.2, "max_penetration": null, "contacts_max": 0,
        "cut_steps": 0, "stuck_steps": 0, "energy_drift": 0.0, "hash": "0",
    }));
    writer
        .finish(&Ending { why: silvia_scene::recording::Why::Finished, summary: summary.unwrap() })
        .unwrap();
}

prop_compose! {
    fn any_row()(
        step in any::<u64>(), steps in any::<u64>(), reals in prop::array::uniform9(-1e300..1e300_f64),
        counts in any::<[u64; 7]>(),
    ) -> ProfileRow {
        let costs = std::array::from_fn(|i| Cost { seconds: reals[2 + i], count: counts[i] });
        ProfileRow { step, time: reals[0], profile: Profile::new(steps, reals[1], costs) }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn rows_are_read_to_the_bit_with_and_without_the_index(rows in prop::collection::vec(any_row(), 0..9)) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.silvia");
        written(&path, &rows);
        let recording = Recording::open(&path).unwrap();
        prop_assert_eq!(recording.profile().unwrap(), rows.clone());
        prop_assert_eq!(recording.len(), rows.len().div_ceil(2));
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        prop_assert_eq!(Recording::open(&path).unwrap().profile().unwrap(), rows);
    }
}

#[test]
fn a_file_cut_anywhere_has_the_rows_before_and_a_changed_byte_never_gives_a_wrong_one() {
    let rows: Vec<ProfileRow> = (1..=6).map(row).collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.silvia");
    written(&path, &rows);
    let bytes = fs::read(&path).unwrap();
    let mut seen = 0;
    for length in 0..=bytes.len() {
        fs::write(&path, &bytes[..length]).unwrap();
        let Ok(recording) = Recording::open(&path) else { continue };
        let found = recording.profile().unwrap();
        assert!(found.len() >= seen && found[..] == rows[..found.len()], "{length}");
        seen = found.len();
    }
    assert_eq!(seen, 6);
    for place in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1 << (place % 8);
        fs::write(&path, &damaged).unwrap();
        let Ok(recording) = Recording::open(&path) else { continue };
        let found = recording.profile();
        let is_told = recording.lost() > 0 || found.is_err() || recording.frames().any(|f| f.is_err());
        assert!(is_told, "byte {place}");
        match found {
            Ok(found) => assert_eq!(found[..], rows[..found.len()], "byte {place}"),
            Err(RecordingError::Damaged { .. }) => {}
            Err(other) => panic!("byte {place}: {other}"),
        }
    }
    let mut writer = RecordingWriter::create(&path, &Header::default(), true).unwrap();
    let endless = ProfileRow { profile: Profile::new(1, f64::NAN, costs([0.0; 7])), ..row(1) };
    assert!(matches!(writer.profile(endless), Err(RecordingError::NotFinite { what: "profile", .. })));
}

#[test]
fn a_file_of_before_there_were_profiles_has_none() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/recording-1.silvia");
    let recording = Recording::open(&path).unwrap();
    assert!(recording.profile().unwrap().is_empty());
    assert_eq!(recording.ending().unwrap().summary.profile, None);
}

#[test]
fn a_table_has_shares_of_all_times_a_step_and_what_is_left() {
    // On one thread: 4 steps of 2 ms, of which the stages take 6 ms in all.
    let mut seconds = [0.0; 7];
    (seconds[Stage::Solve as usize], seconds[Stage::Certify as usize]) = (5e-3, 1e-3);
    let table = ProfileTable::of(&Profile::new(4, 8e-3, costs(seconds))).unwrap();
    assert_eq!((table.steps, table.stages.len()), (4, 8));
    let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
    assert!(near(table.ms_a_step, 2.0));
    let solve = &table.stages[4];
    assert_eq!((solve.stage.as_str(), solve.counted.as_deref()), ("solve", Some("iterations")));
    assert!(near(solve.share, 0.625) && near(solve.ms_a_step, 1.25));
    assert_eq!(solve.count_a_step, Some(10.0));
    let rest = &table.stages[7];
    assert_eq!((rest.stage.as_str(), rest.count_a_step, &rest.counted), ("rest", None, &None));
    assert!(near(rest.share, 0.25) && near(rest.ms_a_step, 0.5));
    // On two threads the stages may come to more than the clock says.
    let table = ProfileTable::of(&Profile::new(4, 4e-3, costs(seconds))).unwrap();
    assert!(near(table.stages[4].share, 5.0 / 6.0) && table.stages[7].share == 0.0);
    assert_eq!(ProfileTable::of(&Profile::default()), None);
}

/// A quarter of a second of the sample, a frame every 7 steps.
fn setup() -> Setup {
    let world = sample_world();
    let run = RunSettings { step: 2e-3, accuracy: None, until: 0.25, steps_a_frame: 7, threads: None };
    let bodies = Header::bodies_of(&world).unwrap();
    let header = Header { step: run.step, until: run.until, steps_a_frame: 7, bodies, ..Header::default() };
    Setup { world, header, run, hands: Vec::new(), goals: Vec::new() }
}

fn recorded(path: &Path, options: &RunOptions) -> Ending {
    let writer = RecordingWriter::create(path, &setup().header, false).unwrap();
    Runner::new(setup(), options.clone()).unwrap().recorded(writer).run(|_| ()).unwrap().ending
}

/// All but what the clock says.
fn frames(path: &Path) -> Vec<Frame> {
    let recording = Recording::open(path).unwrap();
    let without_clock = |frame: Frame| Frame { cost: StepCost { wall_seconds: 0.0, ..frame.cost }, ..frame };
    recording.frames().map(|frame| without_clock(frame.unwrap())).collect()
}

fn counts(rows: &[ProfileRow]) -> Vec<u64> {
    Stage::ALL.iter().map(|&stage| rows.iter().map(|row| row.profile.cost(stage).count).sum()).collect()
}

#[test]
fn profiling_changes_no_frame_and_no_hash_on_any_number_of_threads_and_counts_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let plain = folder.path().join("plain");
    let expected = recorded(&plain, &RunOptions { threads: Some(1), ..RunOptions::default() });
    assert_eq!(expected.summary.profile, None);
    assert!(Recording::open(&plain).unwrap().profile().unwrap().is_empty());
    let mut counted = None;
    for threads in [1, 2, 4] {
        let path = folder.path().join(format!("{threads}"));
        let options = RunOptions { threads: Some(threads), is_profiled: true, ..RunOptions::default() };
        let ending = recorded(&path, &options);
        assert_eq!(ending.summary.hash, expected.summary.hash, "{threads} threads");
        assert_eq!(frames(&path), frames(&plain), "{threads} threads");
        let recording = Recording::open(&path).unwrap();
        let rows = recording.profile().unwrap();
        assert_eq!(rows.iter().map(|row| row.profile.steps).sum::<u64>(), 125);
        assert!(rows.windows(2).all(|pair| pair[1].step == pair[0].step + pair[1].profile.steps));
        assert!(rows.iter().all(|row| (row.time - 2e-3 * row.step as f64).abs() < 1e-12));
        assert_eq!(*counted.get_or_insert_with(|| counts(&rows)), counts(&rows), "{threads} threads");
        let table = ending.summary.profile.clone().unwrap();
        assert_eq!((table.steps, recording.ending()), (125, Some(&ending)));
        let whole: f64 = table.stages.iter().map(|stage| stage.share).sum();
        assert!((whole - 1.0).abs() < 1e-9 && table.stages.iter().all(|stage| stage.share >= 0.0));
        // What a run tells without a recording.
        let unrecorded = Runner::new(setup(), options).unwrap().run(|_| ()).unwrap().ending.summary;
        assert_eq!(unrecorded.profile.map(|table| table.steps), Some(125));
    }
    assert!(counted.unwrap().iter().all(|&count| count > 0));
}

/// Stopped after 1, 30 and 80 steps; the part from 30 to 80 is not profiled.
#[test]
fn a_run_taken_up_tells_of_all_steps_that_were_profiled_however_often_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let (plain, path) = (folder.path().join("plain"), folder.path().join("r"));
    recorded(&plain, &RunOptions::default());
    let writer = RecordingWriter::create(&path, &setup().header, false).unwrap();
    let mut next = Some((writer, None));
    for (stop_after, is_profiled, profiled) in
        [(1, true, 1), (30, true, 30), (80, false, 30), (999, true, 75)]
    {
        let options = RunOptions { is_profiled, ..RunOptions::default() };
        let (writer, state) = next.take().unwrap();
        let runner = Runner::new(setup(), options.clone()).unwrap();
        let runner = match state {
            Some(state) => runner.resumed(state).unwrap(),
            None => runner,
        };
        let ended = runner.recorded(writer).run(|progress| {
            if progress.steps >= stop_after {
                options.stop.store(true, Ordering::Relaxed);
            }
        });
        let summary = ended.unwrap().ending.summary;
        assert_eq!(summary.profile.map(|table| table.steps), Some(profiled));
        let rows = Recording::open(&path).unwrap().profile().unwrap();
        assert_eq!(rows.iter().map(|row| row.profile.steps).sum::<u64>(), profiled);
        let (writer, _, state) = RecordingWriter::resume(&path, None).unwrap();
        next = Some((writer, Some(state)));
    }
    drop(next);
    // Taking it up has cut off the index and the frame of the end.
    assert_eq!(frames(&path), frames(&plain)[..frames(&path).len()]);
    // From the very beginning nothing is left of it, in a copy.
    let copy = folder.path().join("copy");
    let (writer, _, _) = RecordingWriter::resume_copy(&path, Some(0), &copy, false).unwrap();
    assert_eq!(writer.profiled().steps, 0);
    drop(writer);
    assert!(Recording::open(&copy).unwrap().profile().unwrap().is_empty());
    assert_eq!(RecordingWriter::resume(&path, None).unwrap().0.profiled().steps, 75);
}
