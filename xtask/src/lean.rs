//! A program that depends on `silvia` does not get what only scenes, pictures and recordings need.

use crate::command;
use std::collections::BTreeSet;

/// What the default features must not bring in.
const HEAVY: [&str; 7] = ["gif", "mcap", "miniz_oxide", "png", "schemars", "silvia-scene", "toml"];

#[test]
fn a_library_user_gets_no_format_that_was_not_asked_for() {
    let lean = needs(&[]);
    assert!(lean.contains("silvia-world") && lean.contains("silvia-solid"), "{lean:?}");
    let heavy: Vec<&str> = HEAVY.into_iter().filter(|name| lean.contains(*name)).collect();
    assert!(heavy.is_empty(), "by default `silvia` needs {heavy:?}: make them optional, behind a feature");
}

#[test]
fn each_feature_brings_what_it_is_for_and_no_more() {
    let full = needs(&["full"]);
    let missing: Vec<&str> = HEAVY.into_iter().filter(|name| !full.contains(*name)).collect();
    assert!(missing.is_empty(), "nothing needs {missing:?} any more: take them off the list");
    let scene = needs(&["scene"]);
    assert!(scene.contains("toml"));
    assert!(!["mcap", "png", "gif"].iter().any(|name| scene.contains(*name)), "{scene:?}");
    assert!(!needs(&["export"]).contains("png") && !needs(&["report"]).contains("mcap"));
}

/// The names of all packages that a program with `silvia` is built from, tests and builds aside.
fn needs(features: &[&str]) -> BTreeSet<String> {
    let mut cargo = command::cargo();
    cargo.args(["tree", "--package", "silvia", "--edges", "normal", "--prefix", "none", "--offline"]);
    cargo.args(["--features", &features.join(",")]);
    let tree = command::output(&mut cargo).unwrap();
    tree.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}
