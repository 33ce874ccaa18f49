//! What cannot be exported is said, and nothing half written stays behind.

use crate::{all, common, frames};
use silvia_scene::export::{Choice, ExportError, Format, export};
use silvia_scene::recording::{Frame, Header, Recording};
use silvia_solid::{Pose, Vec3};
use std::path::Path;

const FORMATS: [Format; 4] = [Format::Csv, Format::Vtu, Format::Gltf, Format::Mcap];

fn failure(recording: &Recording, format: Format, path: &Path, choice: &Choice) -> ExportError {
    export(recording, format, path, choice, false, &mut |_, _| {}).unwrap_err()
}

fn is_empty(folder: &Path) -> bool {
    std::fs::read_dir(folder).unwrap().next().is_none()
}

#[test]
fn a_recording_without_frames_is_refused() {
    let empty = Recording::in_memory(Header::default(), Vec::new());
    let folder = tempfile::tempdir().unwrap();
    for format in FORMATS {
        let error = failure(&empty, format, &folder.path().join("out"), &Choice::default());
        assert!(matches!(error, ExportError::NoFrames), "{error}");
    }
    assert!(is_empty(folder.path()));
}

#[test]
fn times_outside_the_recording_are_refused_with_those_that_it_has() {
    let (sample, folder) = (common::sample(), tempfile::tempdir().unwrap());
    let path = folder.path().join("out");
    let late = Choice { from: 2.0, ..Choice::default() };
    let error = failure(&sample, Format::Csv, &path, &late).to_string();
    assert!(
        error.starts_with("there is no frame from 2 s on: the recording goes from 0 s to 0.5"),
        "{error}"
    );
    for (from, until) in [(0.3, 0.1), (f64::NAN, 1.0), (0.0, f64::NAN)] {
        let error = failure(&sample, Format::Csv, &path, &Choice { from, until, ..Choice::default() });
        assert!(matches!(error, ExportError::BadTimes { .. }), "{error}");
    }
}

#[test]
fn what_is_there_already_is_replaced_only_when_allowed() {
    let (sample, folder) = (common::sample(), tempfile::tempdir().unwrap());
    let short = Recording::in_memory(sample.header().clone(), frames(&sample)[..3].to_vec());
    for (format, stranger) in [(Format::Csv, "notes.csv"), (Format::Vtu, "bodies_x.vtu")] {
        let path = folder.path().join(format!("{format:?}"));
        all(&sample, format, &path);
        std::fs::write(path.join(stranger), "mine").unwrap();
        let error = failure(&short, format, &path, &Choice::default());
        assert!(matches!(error, ExportError::Exists { .. }), "{error}");
        let done = export(&short, format, &path, &Choice::default(), true, &mut |_, _| {}).unwrap();
        let left = std::fs::read_dir(&path).unwrap().count();
        assert_eq!(left, done.files + 1, "{format:?}: the earlier export is gone, another's file is not");
        assert_eq!(std::fs::read_to_string(path.join(stranger)).unwrap(), "mine");
    }
    let path = folder.path().join("run.glb");
    std::fs::write(&path, "mine").unwrap();
    assert!(matches!(failure(&short, Format::Gltf, &path, &Choice::default()), ExportError::Exists { .. }));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
    export(&short, Format::Gltf, &path, &Choice::default(), true, &mut |_, _| {}).unwrap();
    assert!(std::fs::read(&path).unwrap().starts_with(b"glTF"));
}

#[test]
fn a_file_where_a_folder_goes_is_refused_and_the_other_way_round() {
    let (sample, folder) = (common::sample(), tempfile::tempdir().unwrap());
    let file = folder.path().join("file");
    std::fs::write(&file, "mine").unwrap();
    let error = failure(&sample, Format::Vtu, &file, &Choice::default());
    assert!(matches!(error, ExportError::WrongKind { .. }), "{error}");
    let error = failure(&sample, Format::Gltf, folder.path(), &Choice::default());
    assert!(matches!(error, ExportError::WrongKind { .. }), "{error}");
}

#[test]
fn a_damaged_frame_is_named_and_nothing_half_written_stays() {
    let sample = common::sample();
    let mut damaged = frames(&sample);
    damaged[7].poses.pop();
    let damaged = Recording::in_memory(sample.header().clone(), damaged);
    let folder = tempfile::tempdir().unwrap();
    for format in FORMATS {
        let error = failure(&damaged, format, &folder.path().join("out"), &Choice::default());
        assert!(matches!(error, ExportError::BadFrame { number: 7, .. }), "{error}");
        assert!(is_empty(folder.path()), "{format:?}");
    }
}

#[test]
fn single_precision_is_not_overrun_silently() {
    let sample = common::sample();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.glb");
    let at = |time: f64, far: f64| {
        let mut frame = Frame { time, ..frames(&sample)[0].clone() };
        frame.poses[1] = Pose::from_translation(Vec3::new(far, 0.0, 0.0)).unwrap();
        frame
    };
    let fine = [at(0.0, 0.0), at(1e5, 0.0), at(1e5 + 1e-3, 0.0)].to_vec();
    let fine = Recording::in_memory(sample.header().clone(), fine);
    let error = failure(&fine, Format::Gltf, &path, &Choice::default());
    assert!(matches!(error, ExportError::TooFine { .. }), "{error}");
    let far = Recording::in_memory(sample.header().clone(), vec![at(0.0, 1e39)]);
    let error = failure(&far, Format::Gltf, &path, &Choice::default());
    assert!(matches!(error, ExportError::TooFar { .. }), "{error}");
    assert!(is_empty(folder.path()));
}
