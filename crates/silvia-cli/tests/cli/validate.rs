//! `silvia validate`, as a program.

use crate::folder::Folder;
use serde_json::Value;

#[test]
fn rows_come_out_as_json_and_agree_with_theory() {
    let text = Folder::new().ok(&["validate", "tumbling", "stopping", "--method", "auto", "--json"]);
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for row in &rows {
        for key in ["scene", "method", "quantity", "expected", "got", "error", "pass"] {
            assert!(!row[key].is_null(), "{key} is missing: {row}");
        }
        assert_eq!((&row["pass"], &row["method"]), (&Value::Bool(true), &Value::from("auto")), "{row}");
    }
    // By hand: half the period of a body with the moments 1, 2 and 3 (an elliptic integral), from the
    // reference.
    let flips = rows.iter().find(|row| row["scene"] == "tumbling body").unwrap();
    assert!((flips["expected"].as_f64().unwrap() - 2.75308).abs() < 1e-4, "{flips}");
    assert!(rows.iter().any(|row| row["scene"] == "stopping distance"));
}

#[test]
fn scenes_and_methods_that_are_not_there_are_named_with_those_that_are() {
    let folder = Folder::new();
    for (arguments, part) in [
        (vec!["validate", "slide"], "no scene begins with `slide`: there are slope, "),
        (vec!["validate", "s"], "more than one scene begins with `s`"),
        (vec!["validate", "--method", "magic"], "choose auto, bilateral, lcp, ncp"),
    ] {
        let (code, told) = folder.fails(&arguments);
        assert!(code == 1 && told.contains(part), "{told}");
    }
}

#[test]
fn the_list_has_a_sentence_for_each_scene() {
    let list = Folder::new().ok(&["validate", "--list"]);
    assert!(list.contains("rocking block\n  A tilted block falls onto its other edge"), "{list}");
    assert!(list.matches("\n  by auto").count() >= 10, "{list}");
}
