//! The elementary tests on files of queries with known answers: a small set made for this, and, where
//! `SILVIA_CCD_DATA` names a folder of CSV files, published ones whose answers others computed in rational
//! arithmetic.

#![allow(clippy::unwrap_used)]

use silvia_proximity::elementary::{first_touch, read_queries, touches};
use std::path::Path;

#[test]
fn queries_that_touch_or_miss_by_how_they_were_made_get_those_answers() {
    let checked = check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/ccd"));
    assert!(checked > 250, "{checked} queries");
}

#[test]
fn published_queries_get_the_published_answers() {
    let Some(folder) = std::env::var_os("SILVIA_CCD_DATA") else {
        eprintln!("skipped: set SILVIA_CCD_DATA to a folder of queries as CSV");
        return;
    };
    check(Path::new(&folder));
}

/// Checks all files of a folder against their labels; says how many queries there were.
fn check(folder: &Path) -> usize {
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "csv"));
    files.sort();
    assert!(!files.is_empty(), "no CSV files there");
    let mut checked = 0;
    for file in files {
        let queries = read_queries(&std::fs::read_to_string(&file).unwrap()).unwrap();
        for (row, query) in queries.iter().enumerate() {
            let answer = first_touch(&query.pair);
            let at = format!("{} query {}: {query:?}", file.display(), row + 1);
            assert_eq!(Some(answer.is_some()), query.label, "{at}");
            assert_eq!(touches(&query.pair), answer.is_some(), "{at}");
        }
        checked += queries.len();
    }
    checked
}
