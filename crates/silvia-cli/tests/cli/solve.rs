//! `silvia solve`, as a program.

use crate::folder::Folder;
use serde_json::Value;

/// A contact that sticks: r = (1, -0.25, 0).
const STICKS: &str = r#"{"name":"sticks","contacts":1,"mu":[0.5],"q":[-1.0,0.25,0.0],
    "W":{"rows":[0,1,2],"cols":[0,1,2],"vals":[1.0,1.0,1.0]}}"#;

fn solved(folder: &Folder, arguments: &[&str]) -> Vec<Value> {
    folder.ok(arguments).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn impulses_come_out_as_json() {
    let folder = Folder::new();
    folder.put("sticks.json", STICKS);
    let answers = solved(&folder, &["solve", "sticks.json", "--json"]);
    let answer = &answers[0];
    for key in ["name", "contacts", "method", "outcome", "residual", "iterations", "seconds", "r"] {
        assert!(!answer[key].is_null(), "{key} is missing: {answer}");
    }
    assert_eq!((answer["name"].as_str(), answer["outcome"].as_str()), (Some("sticks"), Some("solved")));
    for (k, expected) in [1.0, -0.25, 0.0].into_iter().enumerate() {
        assert!((answer["r"][k].as_f64().unwrap() - expected).abs() < 1e-7);
    }
}

#[test]
fn every_method_can_be_asked_for() {
    let folder = Folder::new();
    folder.put("sticks.json", STICKS);
    let answers = solved(&folder, &["solve", "sticks.json", "--json", "--method", "all", "--tol", "1e-6"]);
    let methods: Vec<&str> = answers.iter().map(|a| a["method"].as_str().unwrap()).collect();
    assert_eq!(methods, ["auto", "proximal", "gauss-seidel", "admm", "fischer", "lemke", "bilateral"]);
    assert!(answers.iter().all(|a| a["outcome"] == "solved"), "{answers:?}");
}

#[test]
fn a_bad_file_is_named_and_the_others_are_solved() {
    let folder = Folder::new();
    folder.put("sticks.json", STICKS);
    folder.put("nan.json", STICKS.replace("0.25", "NaN"));
    folder.put("negative.json", STICKS.replace("[0.5]", "[-0.5]"));
    folder.put("outside.json", STICKS.replace("\"cols\":[0,1,2]", "\"cols\":[0,1,7]"));
    folder.put("short.json", STICKS.replace("[-1.0,0.25,0.0]", "[-1.0]"));
    let files = ["nan.json", "negative.json", "sticks.json", "outside.json", "short.json", "absent.json"];
    let output = folder.silvia(&[&["solve", "--json"], &files[..]].concat());
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 1);
    let said = String::from_utf8(output.stderr).unwrap();
    for expected in [
        "nan.json: not a contact problem in JSON: `q[1]` is NaN (line 1)",
        "negative.json: contact problem `sticks`: `mu`[0] is -0.5",
        "outside.json: contact problem `sticks`: W entry 2 is at row 2, column 7, outside 3 x 3",
        "short.json: contact problem `sticks`: `q` has 1 values but 1 contacts need 3",
        "absent.json: there is no such file",
    ] {
        assert!(said.contains(expected), "{expected}\n{said}");
    }
}

#[test]
fn an_unknown_method_or_tolerance_is_a_wrong_command_line() {
    let folder = Folder::new();
    folder.put("sticks.json", STICKS);
    let (code, said) = folder.fails(&["solve", "sticks.json", "--method", "magic"]);
    assert_eq!(code, 2);
    assert!(said.contains("there is auto, proximal"), "{said}");
    assert_eq!(folder.fails(&["solve", "sticks.json", "--tol", "-1"]).0, 2);
    assert_eq!(folder.fails(&["solve", "sticks.json", "--tol", "nan"]).0, 2);
}

#[test]
fn the_friction_pyramid_has_as_many_facets_as_asked_for() {
    let folder = Folder::new();
    // Sliding at 45 degrees: between two corners of a pyramid of 4 facets, along a corner of one of 8.
    folder.put("slides.json", STICKS.replace("[-1.0,0.25,0.0]", "[-1.0,2.0,2.0]"));
    let friction = |facets: &str| {
        let arguments = ["solve", "slides.json", "--json", "--method", "lemke", "--facets", facets];
        let answer = solved(&folder, &arguments).remove(0);
        let along = |k: usize| answer["r"][k].as_f64().unwrap();
        along(1).hypot(along(2))
    };
    assert!((friction("8") - 0.5).abs() < 1e-7);
    assert!(friction("4") <= 0.5 + 1e-7);
    assert_eq!(folder.fails(&["solve", "slides.json", "--method", "lemke", "--facets", "2"]).0, 2);
}

#[test]
fn auto_says_which_method_answered() {
    let folder = Folder::new();
    folder.put("sticks.json", STICKS);
    let answer = solved(&folder, &["solve", "sticks.json", "--json"]).remove(0);
    assert_eq!(answer["notes"][0], "answered by gauss-seidel");
}
