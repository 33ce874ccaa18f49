//! Tables, read by a small parser of RFC 4180.

use crate::{all, common, frames};
use silvia_scene::export::{Choice, Format, export};
use silvia_scene::recording::{AccountRow, Header, RecordedBody, Recording};
use std::collections::HashMap;
use std::path::Path;

/// The header's names, and rows of fields.
fn table(path: &Path) -> Vec<HashMap<String, String>> {
    let mut rows = parse(&std::fs::read_to_string(path).unwrap()).into_iter();
    let names = rows.next().unwrap();
    let row = |fields: Vec<String>| {
        assert_eq!(fields.len(), names.len(), "{fields:?}");
        names.iter().cloned().zip(fields).collect()
    };
    rows.map(row).collect()
}

fn parse(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut field) = (Vec::new(), Vec::new(), String::new());
    let mut rest = text.chars().peekable();
    let mut quoted = false;
    while let Some(c) = rest.next() {
        match c {
            '"' if quoted && rest.peek() == Some(&'"') => field.extend(rest.next()),
            '"' => quoted = !quoted,
            _ if quoted => field.push(c),
            ',' => row.push(std::mem::take(&mut field)),
            '\r' => {
                assert_eq!(rest.next(), Some('\n'), "lines end in CR LF");
                row.push(std::mem::take(&mut field));
                rows.push(std::mem::take(&mut row));
            }
            '\n' => panic!("a line break outside of quotes"),
            _ => field.push(c),
        }
    }
    assert!(row.is_empty() && field.is_empty() && !quoted, "the last line ends as well");
    rows
}

fn number(row: &HashMap<String, String>, name: &str) -> u64 {
    row[name].parse::<f64>().unwrap().to_bits()
}

#[test]
fn tables_read_back_to_the_same_bits() {
    let sample = common::sample();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tables");
    let done = all(&sample, Format::Csv, &path);
    assert_eq!((done.frames, done.files), (51, 7));
    let on_disk: u64 = std::fs::read_dir(&path).unwrap().map(|f| f.unwrap().metadata().unwrap().len()).sum();
    assert_eq!(done.bytes, on_disk);

    let names: Vec<&str> = sample.header().bodies.iter().map(|body| body.name.as_str()).collect();
    let (bodies, contacts) = (table(&path.join("bodies.csv")), table(&path.join("contacts.csv")));
    let (impacts, energy) = (table(&path.join("impacts.csv")), table(&path.join("energy.csv")));
    let (steps, properties) = (table(&path.join("steps.csv")), table(&path.join("properties.csv")));
    let (mut body, mut contact, mut impact) = (bodies.iter(), contacts.iter(), impacts.iter());
    for (frame, (energy, step)) in frames(&sample).iter().zip(energy.iter().zip(&steps)) {
        for ((name, pose), velocity) in names.iter().zip(&frame.poses).zip(&frame.velocities) {
            let row = body.next().unwrap();
            assert_eq!(row["body"], *name);
            let (at, turn, v, w) = (pose.translation(), pose.rotation(), velocity.linear, velocity.angular);
            for (column, value) in [
                ("time_s", frame.time),
                ("x_m", at.x),
                ("y_m", at.y),
                ("z_m", at.z),
                ("qw", turn.w),
                ("qx", turn.x),
                ("qy", turn.y),
                ("qz", turn.z),
                ("vx_m_per_s", v.x),
                ("vy_m_per_s", v.y),
                ("vz_m_per_s", v.z),
                ("wx_rad_per_s", w.x),
                ("wy_rad_per_s", w.y),
                ("wz_rad_per_s", w.z),
            ] {
                assert_eq!(number(row, column), value.to_bits(), "{column} of {name} at {}", frame.time);
            }
        }
        for expected in &frame.contacts {
            let row = contact.next().unwrap();
            assert_eq!([row["body_a"].as_str(), &row["body_b"]], expected.bodies.map(|b| names[b as usize]));
            assert_eq!(number(row, "gap_m"), expected.gap.to_bits());
            assert_eq!(number(row, "fz_N"), expected.force.z.to_bits());
            assert_eq!(number(row, "nx"), expected.normal.x.to_bits());
            assert_eq!(number(row, "y_m"), expected.point.y.to_bits());
        }
        for expected in &frame.impacts {
            let row = impact.next().unwrap();
            assert_eq!(number(row, "time_s"), expected.time.to_bits());
            assert_eq!(number(row, "jz_N_s"), expected.impulse.z.to_bits());
            assert_eq!(number(row, "speed_m_per_s"), expected.speed.to_bits());
        }
        assert_eq!(number(energy, "kinetic_J"), frame.energy.kinetic.to_bits());
        assert_eq!(number(energy, "potential_J"), frame.energy.potential.to_bits());
        assert_eq!(step["step"], frame.step.to_string());
        assert_eq!(step["contacts"], frame.contacts.len().to_string());
        assert_eq!(number(step, "smallest_gap_m"), frame.cost.smallest_gap.to_bits());
    }
    assert!(body.next().is_none() && contact.next().is_none() && impact.next().is_none());
    assert_eq!((energy.len(), steps.len()), (51, 51));
    for (row, body) in properties.iter().zip(&sample.header().bodies) {
        assert_eq!((&row["body"], &row["role"]), (&body.name, &body.role));
        assert_eq!(number(row, "mass_kg"), body.mass.to_bits());
    }
}

#[test]
fn where_the_energy_went_is_a_table_if_it_was_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let mut row = AccountRow { step: 10, time: 0.1, ..AccountRow::default() };
    (row.account.energy.friction, row.account.momentum.contacts.z) = (1.0 / 3.0, -2.5);
    let sample = common::sample().with_accounts(vec![row]);
    export(&sample, Format::Csv, folder.path(), &Choice::default(), false, &mut |_, _| {}).unwrap();
    let rows = table(&folder.path().join("account.csv"));
    assert_eq!((rows.len(), rows[0]["step"].as_str()), (1, "10"));
    assert_eq!(number(&rows[0], "friction_J"), (1.0_f64 / 3.0).to_bits());
    assert_eq!(number(&rows[0], "contacts_z_N_s"), (-2.5_f64).to_bits());
    assert_eq!(number(&rows[0], "numerical_J"), 0.0_f64.to_bits());
    let folder = tempfile::tempdir().unwrap();
    let old = common::sample().with_accounts(Vec::new());
    export(&old, Format::Csv, folder.path(), &Choice::default(), false, &mut |_, _| {}).unwrap();
    assert!(!folder.path().join("account.csv").exists());
}

#[test]
fn names_with_commas_quotes_and_line_breaks_survive() {
    let sample = common::sample();
    let names = ["a, b", "the \"big\" one", "two\r\nlines", " padded "];
    let named =
        |(body, name): (&RecordedBody, &&str)| RecordedBody { name: (*name).to_owned(), ..body.clone() };
    let bodies = sample.header().bodies.iter().zip(&names).map(named).collect();
    let recording =
        Recording::in_memory(Header { bodies, ..sample.header().clone() }, frames(&sample)[..2].to_vec());
    let folder = tempfile::tempdir().unwrap();
    all(&recording, Format::Csv, folder.path());
    let rows = table(&folder.path().join("bodies.csv"));
    let read: Vec<&str> = rows[..4].iter().map(|row| row["body"].as_str()).collect();
    assert_eq!(read, names);
}

#[test]
fn impacts_and_costs_of_frames_left_out_are_kept() {
    let sample = common::sample();
    let folder = tempfile::tempdir().unwrap();
    let choice = Choice { every: 20.try_into().unwrap(), ..Choice::default() };
    let done = export(&sample, Format::Csv, folder.path(), &choice, false, &mut |_, _| {}).unwrap();
    assert_eq!(done.frames, 4, "0, 20, 40, and 50 as the last");
    let impacts = table(&folder.path().join("impacts.csv"));
    assert_eq!(impacts.len(), frames(&sample).iter().map(|frame| frame.impacts.len()).sum::<usize>());
    let iterations: u32 = table(&folder.path().join("steps.csv"))
        .iter()
        .map(|row| row["iterations"].parse::<u32>().unwrap())
        .sum();
    assert_eq!(iterations, frames(&sample).iter().map(|frame| frame.cost.iterations).sum::<u32>());
}

#[test]
fn a_span_of_time_is_taken_with_both_its_ends() {
    let sample = common::sample();
    let folder = tempfile::tempdir().unwrap();
    let choice = Choice { from: 0.1, until: 0.3, ..Choice::default() };
    export(&sample, Format::Csv, folder.path(), &choice, false, &mut |_, _| {}).unwrap();
    let rows = table(&folder.path().join("energy.csv"));
    assert_eq!((rows.len(), rows[0]["frame"].as_str(), rows[20]["frame"].as_str()), (21, "10", "30"));
}
