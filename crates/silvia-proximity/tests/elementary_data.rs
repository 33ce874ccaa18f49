//! The elementary tests on published queries whose answers others computed in rational arithmetic.
//!
//! `SILVIA_CCD_DATA` names the folder with their CSV files; without it this check skips itself.

use silvia_proximity::elementary::{Kind, MovingPair, first_touch};
use silvia_solid::Vec3;
use std::path::Path;

#[test]
fn published_queries_get_the_published_answers() {
    let Some(folder) = std::env::var_os("SILVIA_CCD_DATA") else {
        eprintln!("skipped: set SILVIA_CCD_DATA to a folder of queries as CSV");
        return;
    };
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "csv"));
    files.sort();
    assert!(!files.is_empty(), "no CSV files there");
    for file in files {
        for (row, (pair, label)) in read(&file).into_iter().enumerate() {
            let touch = first_touch(&pair);
            assert_eq!(touch.is_some(), label, "{} row {}: {pair:?}", file.display(), row + 1);
        }
    }
}

fn read(file: &Path) -> Vec<(MovingPair, bool)> {
    std::fs::read_to_string(file).unwrap().lines().map(row).collect()
}

fn row(line: &str) -> (MovingPair, bool) {
    let mut fields = line.split(',');
    let kind = match fields.next().unwrap() {
        "ee" => Kind::EdgeEdge,
        _ => Kind::VertexFace,
    };
    let label = fields.next().unwrap() == "1";
    let x: Vec<f64> = fields.map(|field| field.parse().unwrap()).collect();
    let point = |i: usize| Vec3::new(x[3 * i], x[3 * i + 1], x[3 * i + 2]);
    let pair = MovingPair::new(kind, std::array::from_fn(point), std::array::from_fn(|i| point(i + 4)));
    (pair.unwrap(), label)
}
