//! The elementary tests on published queries whose answers others computed in rational arithmetic.
//!
//! `SILVIA_CCD_DATA` names the folder with their CSV files; without it this check skips itself.

#![allow(clippy::unwrap_used)]

use silvia_proximity::elementary::{first_touch, read_queries, touches};

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
        let queries = read_queries(&std::fs::read_to_string(&file).unwrap()).unwrap();
        for (row, query) in queries.iter().enumerate() {
            let answer = first_touch(&query.pair);
            assert_eq!(Some(answer.is_some()), query.label, "{} row {}: {query:?}", file.display(), row + 1);
            assert_eq!(touches(&query.pair), answer.is_some());
        }
    }
}
