//! `silvia export`.

use crate::folder::Folder;
use serde_json::Value;
use silvia::proximity::Shape;
use silvia::scene::recording::{Frame, Header, RecordingWriter};
use silvia::solid::{Pose, Vec3};
use silvia::world::{BodyBuilder, World, WorldSettings};

/// A run's folder with the recording of a ball that falls: 11 frames, 10 ms apart.
fn with_run() -> Folder {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("run")).unwrap();
    record(&folder, "run/recording.silvia", 11);
    folder
}

fn record(folder: &Folder, name: &str, frames: usize) {
    let mut world = World::new(WorldSettings::default()).unwrap();
    let start = Pose::from_translation(Vec3::new(0.0, 0.0, 1.0)).unwrap();
    world.add(BodyBuilder::free(Shape::sphere(0.1).unwrap()).named("ball").at(start)).unwrap();
    let header = Header {
        title: "Fall".to_owned(),
        step: 0.01,
        steps_a_frame: 1,
        gravity: world.settings().gravity,
        bodies: Header::bodies_of(&world).unwrap(),
        ..Header::default()
    };
    let mut writer = RecordingWriter::create(&folder.path(name), &header, false).unwrap();
    for _ in 0..frames {
        writer.frame(Frame::of(&world).unwrap()).unwrap();
        world.step(0.01).unwrap();
    }
    writer.flush().unwrap();
}

#[test]
fn every_format_goes_beside_the_recording() {
    let folder = with_run();
    for (format, made, text) in [
        ("csv", "run/csv/bodies.csv", "run/csv: 11 frames in 6 files, "),
        ("vtu", "run/vtu/bodies_0010.vtu", "run/vtu: 11 frames in 15 files, "),
        ("gltf", "run/recording.glb", "run/recording.glb: 11 frames, "),
        ("mcap", "run/recording.mcap", "run/recording.mcap: 11 frames, "),
    ] {
        let said = folder.ok(&["export", "run", "--to", format]);
        assert!(said.starts_with(text), "{said}");
        assert!(folder.path(made).is_file(), "{made}");
        // In a run's folder it is a product that may be made again.
        assert_eq!(folder.ok(&["export", "run/recording.silvia", "--to", format]), said);
    }
}

#[test]
fn a_recording_elsewhere_gives_its_name_to_what_is_made_of_it() {
    let folder = Folder::new();
    record(&folder, "fall.silvia", 3);
    assert!(folder.ok(&["export", "fall.silvia", "--to", "csv"]).starts_with("fall-csv: 3 frames"));
    assert!(folder.ok(&["export", "fall.silvia", "--to", "mcap"]).starts_with("fall.mcap: 3 frames"));
    let (code, error) = folder.fails(&["export", "fall.silvia", "--to", "mcap"]);
    assert_eq!(code, 1);
    assert!(error.contains("fall.mcap is there already") && error.contains("--force"), "{error}");
    folder.ok(&["export", "fall.silvia", "--to", "mcap", "--force"]);
}

#[test]
fn a_part_of_the_time_and_some_of_the_frames() {
    let folder = with_run();
    let said = folder.ok(&[
        "export", "run", "--to", "gltf", "--from", "0.02", "--until", "0.08", "--every", "4", "-o",
        "out.glb", "--json",
    ]);
    let said: Value = serde_json::from_str(&said).unwrap();
    assert_eq!((&said["path"], &said["frames"], &said["files"]), (&"out.glb".into(), &3.into(), &1.into()));
    assert_eq!(said["bytes"], folder.path("out.glb").metadata().unwrap().len());
    let (_, error) = folder.fails(&["export", "run", "--to", "csv", "--from", "5"]);
    assert!(
        error.contains("run: there is no frame from 5 s on: the recording goes from 0 s to 0."),
        "{error}"
    );
}

#[test]
fn what_cannot_be_exported_is_said() {
    let folder = with_run();
    record(&folder, "empty.silvia", 0);
    let (code, error) = folder.fails(&["export", "empty.silvia", "--to", "vtu"]);
    assert!(code == 1 && error.starts_with("error: empty.silvia: the recording has no frames"), "{error}");
    let (code, _) = folder.fails(&["export", "nowhere", "--to", "vtu"]);
    assert_eq!(code, 1);
    let itself = ["export", "run", "--to", "gltf", "-o", "run/../run/recording.silvia", "--force"];
    let (code, error) = folder.fails(&itself);
    assert!(code == 1 && error.contains("this is the recording itself"), "{error}");
    for wrong in [["--every", "0"], ["--from", "nan"], ["--to", "fbx"]] {
        let (code, _) = folder.fails(&["export", "run", wrong[0], wrong[1]]);
        assert_eq!(code, 2, "{wrong:?}");
    }
    assert!(!folder.path("empty-vtu").exists());
}
