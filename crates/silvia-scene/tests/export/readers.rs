//! Readers that are not ours (meshio, trimesh, pygltflib, mcap) find in the files what was recorded.

use crate::{all, common, frames};
use serde_json::{Value, json};
use silvia_scene::export::Format;
use silvia_scene::recording::{Header, RecordedBody, Recording};
use std::path::Path;
use std::process::Command;

/// The Python that has them; `cargo xtask test` makes it and sets this.
const READERS: &str = "SILVIA_READERS";

#[test]
fn other_readers_find_what_was_recorded() {
    let Some(python) = std::env::var_os(READERS) else {
        eprintln!(
            "SKIPPED: {READERS} does not name a Python with the readers; `cargo xtask test tests` runs this"
        );
        return;
    };
    let recording = sample();
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("expected.json"), expected(&recording).to_string()).unwrap();
    for (format, name) in
        [(Format::Csv, "csv"), (Format::Vtu, "vtu"), (Format::Gltf, "run.glb"), (Format::Mcap, "run.mcap")]
    {
        all(&recording, format, &at(name));
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/readers/read.py");
    let output = Command::new(python).arg(script).arg(folder.path()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert_eq!(said.matches("read by others as recorded").count(), 4, "{said}");
}

/// With a name that needs quotes.
fn sample() -> Recording {
    let sample = common::sample();
    let named = |body: &RecordedBody| match body.name.as_str() {
        "block" => RecordedBody { name: "the \"block\", 1st".to_owned(), ..body.clone() },
        _ => body.clone(),
    };
    let bodies = sample.header().bodies.iter().map(named).collect();
    Recording::in_memory(Header { bodies, ..sample.header().clone() }, frames(&sample))
        .with_accounts(sample.accounts().unwrap())
}

/// The recording as plain numbers; JSON holds every `f64`.
fn expected(recording: &Recording) -> Value {
    let all = frames(recording);
    let bodies = &recording.header().bodies;
    let body = |(place, body): (usize, &RecordedBody)| {
        let points: Vec<[f64; 3]> = body.mesh.points.iter().map(|point| point.to_array()).collect();
        let moves = all.iter().any(|frame| frame.poses[place] != all[0].poses[place]);
        json!({ "name": body.name, "points": points, "triangles": body.mesh.triangles, "moves": moves })
    };
    let frame = |frame: &silvia_scene::Frame| {
        let contact = |contact: &silvia_scene::recording::FrameContact| {
            let (point, force) = (contact.point.to_array(), contact.force.to_array());
            json!({ "point": point, "force": force, "gap": contact.gap })
        };
        json!({
            "time": frame.time,
            "translations": frame.poses.iter().map(|pose| pose.translation().to_array()).collect::<Vec<_>>(),
            "rotations": frame.poses.iter().map(|pose| pose.rotation().to_array()).collect::<Vec<_>>(),
            "velocities": frame.velocities.iter().map(|v| v.linear.to_array()).collect::<Vec<_>>(),
            "contacts": frame.contacts.iter().map(contact).collect::<Vec<_>>(),
            "impacts": frame.impacts.len(),
        })
    };
    json!({
        "bodies": bodies.iter().enumerate().map(body).collect::<Vec<_>>(),
        "frames": all.iter().map(frame).collect::<Vec<_>>(),
        "ball": bodies.iter().position(|body| body.name == "ball"),
    })
}
