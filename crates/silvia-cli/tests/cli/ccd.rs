//! `silvia ccd`, as a program.

use crate::folder::Folder;
use serde_json::Value;

/// Degenerate queries made by hand, with their labels.
const QUERIES: &str = include_str!("../data/queries.csv");

fn counted(folder: &Folder, arguments: &[&str]) -> Value {
    serde_json::from_str(&folder.ok(arguments)).unwrap()
}

#[test]
fn degenerate_queries_are_all_answered_right() {
    let folder = Folder::new();
    folder.put("queries.csv", QUERIES);
    let counts = counted(&folder, &["ccd", "queries.csv", "--json"]);
    assert_eq!(counts["queries"], 12);
    assert_eq!(counts["touching"], 8);
    assert_eq!((&counts["false_positives"], &counts["false_negatives"]), (&Value::from(0), &Value::from(0)));
    assert!(counts["mean_us"].as_f64().unwrap() > 0.0);
    assert!(counts["max_us"].as_f64().unwrap() >= counts["mean_us"].as_f64().unwrap());
}

#[test]
fn wrong_labels_are_counted_and_absent_ones_are_not() {
    let folder = Folder::new();
    let swapped = QUERIES.replace("vf,1,", "vf,x,").replace("vf,0,", "vf,1,").replace("vf,x,", "vf,0,");
    folder.put("swapped.csv", swapped);
    let counts = counted(&folder, &["ccd", "swapped.csv", "--json"]);
    assert_eq!((&counts["false_positives"], &counts["false_negatives"]), (&Value::from(5), &Value::from(2)));
    let unlabelled =
        QUERIES.replace("vf,1", "vf,").replace("vf,0", "vf,").replace("ee,1", "ee,").replace("ee,0", "ee,");
    folder.put("unlabelled.csv", unlabelled);
    let counts = counted(&folder, &["ccd", "unlabelled.csv", "--json"]);
    assert_eq!((&counts["queries"], &counts["touching"]), (&Value::from(12), &Value::from(8)));
    assert_eq!((&counts["false_positives"], &counts["false_negatives"]), (&Value::from(0), &Value::from(0)));
}

#[test]
fn the_interpolated_method_can_be_asked_for() {
    let folder = Folder::new();
    folder.put("queries.csv", QUERIES);
    let counts = counted(&folder, &["ccd", "queries.csv", "--json", "--method", "interpolated"]);
    // It sees neither what stays in a plane nor parallel edges.
    assert!(counts["false_negatives"].as_u64().unwrap() > 0);
    assert_eq!(folder.fails(&["ccd", "queries.csv", "--method", "magic"]).0, 2);
}

#[test]
fn a_malformed_file_is_named_with_line_and_column_and_the_others_are_run() {
    let folder = Folder::new();
    folder.put("good.csv", QUERIES);
    let line = QUERIES.lines().nth(1).unwrap();
    for (name, text) in [
        ("kind.csv", line.replace("vf", "fv")),
        ("label.csv", line.replace("vf,1", "vf,yes")),
        ("nan.csv", format!("{line}\n{}", line.replace("-3", "NaN"))),
        ("word.csv", line.replace("-3", "three")),
        ("short.csv", "ee,1,0,0".to_string()),
        ("long.csv", format!("{line},7")),
        ("empty.csv", "# nothing\n\n".to_string()),
    ] {
        folder.put(name, text);
    }
    let names = ["kind", "label", "nan", "word", "short", "long", "empty", "good", "absent"];
    let files = names.map(|name| format!("{name}.csv"));
    let mut arguments = vec!["ccd", "--json"];
    arguments.extend(files.iter().map(String::as_str));
    let output = folder.silvia(&arguments);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 1);
    let said = String::from_utf8(output.stderr).unwrap();
    for expected in [
        "kind.csv: line 1, column 1: `fv` is not a kind of query: write `vf`",
        "label.csv: line 1, column 2: `yes` is not a label: write 1",
        "nan.csv: line 2, column 17: `NaN` is not a coordinate: write a finite number",
        "word.csv: line 1, column 17: `three` is not a coordinate",
        "short.csv: line 1, column 5: there are 4 fields but a query has 26",
        "long.csv: line 1, column 27: there are 27 fields but a query has 26",
        "empty.csv: there is no query",
        "absent.csv: there is no such file",
    ] {
        assert!(said.contains(expected), "{expected}\n{said}");
    }
}
