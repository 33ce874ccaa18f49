//! Doc comments say what a thing is, not only its unit.

use crate::command;
use std::process::Command;

/// What alone is no description.
const UNITS: [&str; 16] =
    ["s", "m", "kg", "N", "N s", "N m", "m/s", "m/s²", "rad", "rad/s", "J", "m²", "m³", "kg m/s", "ms", "Pa"];

#[test]
fn no_doc_comment_is_only_a_unit() {
    let root = command::root();
    let files = ["ls-files", "crates/*/src/*.rs"];
    let files = command::output(Command::new("git").current_dir(&root).args(files)).unwrap();
    let mut found = Vec::new();
    for file in files.lines() {
        let Ok(text) = std::fs::read_to_string(root.join(file)) else { continue };
        found.extend(only_units(&text).into_iter().map(|line| format!("{file}:{line}")));
    }
    assert!(found.is_empty(), "say what it is, too:\n{}", found.join("\n"));
}

/// The numbers, from 1, of the lines of comments that are but a unit.
fn only_units(text: &str) -> Vec<usize> {
    let comment = |line: &str| line.trim().strip_prefix("///").map(|said| said.trim().to_owned());
    let lines: Vec<Option<String>> = text.lines().map(comment).collect();
    let is_alone = |at: &usize| {
        let neighbours = [at.checked_sub(1), Some(at + 1)];
        let is_more = |at: usize| lines.get(at).is_some_and(Option::is_some);
        let said = lines[*at].as_deref().map(|said| said.trim_end_matches(['.', ',', ';']));
        said.is_some_and(|said| UNITS.contains(&said)) && !neighbours.into_iter().flatten().any(is_more)
    };
    (0..lines.len()).filter(is_alone).map(|at| at + 1).collect()
}

#[test]
fn a_unit_alone_is_found_and_one_that_ends_a_sentence_is_not() {
    let text =
        "/// s\npub a: f64,\n/// How long it takes,\n/// s.\npub b: f64,\n/// Length, m.\npub c: f64,\n";
    assert_eq!(only_units(text), [1]);
}
