//! What `silvia run` tells of errors, and runs with an accuracy.

use crate::folder::Folder;
use serde_json::Value;

/// A coin that is spun on a table, in steps that are long for it.
const COIN: &str = r#"
[run]
step = "5 ms"
until = 1

[[body]]
name = "table"
half_space = {}
role = "fixed"

[[body]]
name = "coin"
cylinder = { radius = "12.5 mm", height = "2 mm" }
position = [0, 0, "12.4839 mm"]
rotation = { axis = [1, 0, 0], angle = 80 }
spin = [0, 0, "40 rad/s"]
"#;

fn folder() -> Folder {
    let folder = Folder::new();
    folder.put("coin.toml", COIN);
    folder
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn the_energy_of_a_run_is_told_in_words_and_numbers() {
    let folder = folder();
    let printed = folder.ok(&["run", "coin.toml", "--dt", "0.001", "--until", "0.2"]);
    let line = |name: &str| printed.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
    assert!(line("energy ").contains(" J flowed; changed by "), "{printed}");
    assert!(line("  error").ends_with(" of what flowed") && line("momentum").contains("error "), "{printed}");
    let run = ["run", "coin.toml", "--dt", "0.001", "--until", "0.2", "--json"];
    let (printed, _) = folder.ok_with_notes(&run);
    let summary = json(&printed);
    let energy = |name: &str| summary["energy"][name].as_f64().unwrap();
    let explained = energy("loads") + energy("driven") - energy("friction") - energy("impacts");
    let numerical = energy("kinetic") + energy("potential") - explained;
    assert!((numerical - energy("numerical")).abs() < 1e-12, "{summary:#}");
    let error = energy("numerical") / energy("flowed");
    assert!((summary["energy_error"].as_f64().unwrap() - error).abs() < 1e-15, "{summary:#}");
    assert_eq!(summary["momentum"]["gravity"].as_array().unwrap().len(), 3);
}

#[test]
fn a_run_in_steps_that_are_too_long_says_so_with_steps_that_are_not() {
    let folder = folder();
    let (printed, noted) = folder.ok_with_notes(&["run", "coin.toml", "--json"]);
    let summary = json(&printed);
    let error = |name: &str| summary[name].as_f64().unwrap().abs();
    assert!(error("motion_error").max(error("energy_error")) > 1e-2, "{summary:#}");
    assert!(noted.starts_with("note: ") && noted.contains(" %"), "{noted}");
    if let Some(step) = summary["advised_step"].as_f64() {
        assert!(noted.contains(&format!("`--dt {step}` would bring it below 1 %")), "{noted}");
    }
    let (_, noted) = folder.ok_with_notes(&["run", "coin.toml", "--dt", "1e-5", "--until", "0.02"]);
    assert_eq!(noted, "");
}

#[test]
fn a_run_with_an_accuracy_is_resumed_with_it() {
    let folder = folder();
    let run = |until: &str, out: &str| {
        let run = ["run", "coin.toml", "--accuracy", "0.1", "--until", until, "--out", out, "--json"];
        json(&folder.ok_with_notes(&run).0)
    };
    let whole = run("0.2", "whole");
    assert_eq!(whole["accuracy"]["asked"], 0.1);
    assert_eq!(whole["accuracy"]["estimated"], whole["motion_error"]);
    assert!(whole["accuracy"]["estimated"].as_f64().unwrap() > 0.0, "{whole:#}");
    run("0.1", "part");
    let (resumed, _) = folder.ok_with_notes(&["resume", "part", "--until", "0.2", "--json"]);
    let resumed = json(&resumed);
    for field in ["hash", "steps", "accuracy", "energy", "momentum"] {
        assert_eq!(resumed[field], whole[field], "{field}");
    }
    let printed = folder.ok_with_notes(&["resume", "part"]).0;
    assert!(printed.contains("accuracy     0.1 a second asked for, "), "{printed}");
}

#[test]
fn what_is_no_accuracy_is_refused() {
    let folder = folder();
    for bad in ["0", "-1", "2"] {
        let (_, told) = folder.fails(&["run", "coin.toml", "--accuracy", bad]);
        assert!(
            told.contains("steps cannot be chosen for an accuracy of ") && told.contains("from 1e-9 to 1\n"),
            "{told}"
        );
    }
    folder.put("wrong.toml", COIN.replace("until = 1", "until = 1\naccuracy = 0"));
    let (_, told) = folder.fails(&["run", "wrong.toml"]);
    assert!(told.contains("run.accuracy") && told.contains("give one from"), "{told}");
}
