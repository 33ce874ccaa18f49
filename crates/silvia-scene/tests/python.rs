//! The guide's reader in Python, which shares no code with ours, reads what we write.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::sample;
use silvia_scene::recording::{Frame, RecordingWriter};
use std::process::Command;

const GUIDE: &str = include_str!("../../../docs/src/recordings.md");

#[test]
fn the_reader_in_the_guide_reads_every_number_of_a_recording() {
    let folder = tempfile::tempdir().unwrap();
    let (script, path) = (folder.path().join("read.py"), folder.path().join("recording.silvia"));
    let (_, code) = GUIDE.split_once("```python\n").unwrap();
    std::fs::write(&script, code.split_once("```").unwrap().0).unwrap();
    let recording = sample();
    let mut writer = RecordingWriter::create(&path, recording.header(), false).unwrap();
    for (number, frame) in recording.frames().enumerate() {
        writer.frame(frame.unwrap()).unwrap();
        // Blocks of several lengths.
        if [1, 20, 21].contains(&number) {
            writer.flush().unwrap();
        }
    }
    writer.flush().unwrap();
    let Ok(output) = Command::new("python3").arg(&script).arg(&path).output() else {
        eprintln!("skipped: there is no python3 here");
        return;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(printed.lines().count(), recording.len());
    for (line, frame) in printed.lines().zip(recording.frames()) {
        let numbers: Vec<u64> = line.split(' ').map(|word| word.parse::<f64>().unwrap().to_bits()).collect();
        assert_eq!(numbers, numbers_of(&frame.unwrap()));
    }
}

/// In the order in which the guide lists them, as bits.
fn numbers_of(frame: &Frame) -> Vec<u64> {
    let mut all = vec![frame.step as f64, frame.time];
    for (pose, velocity) in frame.poses.iter().zip(&frame.velocities) {
        all.extend(pose.translation().to_array());
        all.extend(pose.rotation().to_array());
        all.extend(velocity.linear.to_array());
        all.extend(velocity.angular.to_array());
    }
    for contact in &frame.contacts {
        all.extend(contact.bodies.map(f64::from));
        all.extend(contact.point.to_array());
        all.extend(contact.normal.to_array());
        all.push(contact.gap);
        all.extend(contact.force.to_array());
    }
    for impact in &frame.impacts {
        all.push(impact.time);
        all.extend(impact.bodies.map(f64::from));
        all.extend(impact.point.to_array());
        all.extend(impact.normal.to_array());
        all.push(impact.speed);
        all.extend(impact.impulse.to_array());
    }
    all.into_iter().map(f64::to_bits).collect()
}
