//! The guide's reader in Python, which shares no code with ours, reads what we write.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::sample;
use silvia_scene::recording::{Frame, ProfileRow, RecordingWriter};
use silvia_world::{Cost, Profile};
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
        if number > 0 {
            writer.profile(row(number as u64)).unwrap();
        }
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
    let rows = printed.lines().filter_map(|line| line.strip_prefix("profile "));
    let rows: Vec<Vec<u64>> = rows.map(bits).collect();
    assert_eq!(rows, (1..recording.len() as u64).map(|step| numbers_of_row(&row(step))).collect::<Vec<_>>());
    assert_eq!(printed.lines().count(), 2 * recording.len() - 1);
    for (line, frame) in printed.lines().zip(recording.frames()) {
        assert_eq!(bits(line), numbers_of(&frame.unwrap()));
    }
}

fn bits(line: &str) -> Vec<u64> {
    line.split(' ').map(|word| word.parse::<f64>().unwrap().to_bits()).collect()
}

/// Numbers that do not lie on a line.
fn row(step: u64) -> ProfileRow {
    let cost = |stage: usize| Cost { seconds: 1.0 / (step + stage as u64) as f64, count: step * step };
    let profile = Profile::new(step % 3, 0.1 / step as f64, std::array::from_fn(cost));
    ProfileRow { step, time: 0.3 * step as f64, profile }
}

fn numbers_of_row(row: &ProfileRow) -> Vec<u64> {
    let ProfileRow { step, time, profile } = row;
    let mut all = vec![*step as f64, *time, profile.steps as f64, profile.seconds];
    all.extend(profile.costs().flat_map(|(_, cost)| [cost.seconds, cost.count as f64]));
    all.into_iter().map(f64::to_bits).collect()
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
