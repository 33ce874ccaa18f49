//! `silvia impact`.

use crate::folder::Folder;
use serde_json::{Value, json};

/// A cube of 2 m, one of 0.5 m, and a rod of 4 m along x.
fn parts() -> Folder {
    let folder = Folder::new();
    folder.ok(&["make", "box", "--size", "2", "-o", "a.obj"]);
    folder.ok(&["make", "box", "--size", "0.5", "-o", "b.obj"]);
    folder.ok(&["make", "box", "--size", "4,0.1,0.1", "-o", "rod.obj"]);
    folder
}

fn ask(folder: &Folder, arguments: &[&str]) -> Value {
    let text = folder.ok(&[&["impact"], arguments, &["--json"]].concat());
    serde_json::from_str(&text).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

#[test]
fn a_box_thrown_at_another_is_found_with_every_motion_and_bound() {
    let folder = parts();
    for motion in ["rigid", "linear", "screw"] {
        for bound in ["sphere", "aabb", "obb", "dop14", "dop18", "dop26"] {
            let answer = ask(
                &folder,
                &[
                    "a.obj",
                    "b.obj",
                    "--motion",
                    motion,
                    "--bound",
                    bound,
                    "--start",
                    "6.25,0.1,0.2",
                    "--end",
                    "-3.75,0.1,0.2",
                ],
            );
            let keys: Vec<&str> = answer.as_object().unwrap().keys().map(String::as_str).collect();
            assert_eq!(keys[..7], ["impact", "time", "lower", "upper", "features", "point", "normal"]);
            assert_eq!(answer["impact"], json!(true), "{motion} {bound}");
            assert!(number(&answer["lower"]) <= 0.5 && number(&answer["upper"]) >= 0.5);
            assert!(number(&answer["upper"]) - number(&answer["lower"]) < 1e-9);
            assert_eq!(answer["time"], answer["lower"]);
            assert_eq!(answer["normal"], json!([1.0, 0.0, 0.0]));
            assert!((number(&answer["point"][0]) - 1.0).abs() < 1e-9);
        }
    }
}

#[test]
fn a_half_turn_hits_what_stands_half_way() {
    let folder = parts();
    // The peg is over the origin at y = 1.5: the rod comes to it after a little less than a quarter turn of a
    // half.
    let arguments = ["b.obj", "rod.obj", "--start-a", "0,1.5,0", "--end", "0,0,0,0,0,0,1"];
    let rigid = ask(&folder, &arguments);
    // The rod's face is 0.05 m from the axis, the peg's nearest corner at (0.25, 1.25).
    let truth = (1.25f64.atan2(0.25) - (0.05 / 1.25f64.hypot(0.25)).asin()) / std::f64::consts::PI;
    assert!((number(&rigid["lower"]) - truth).abs() < 1e-9, "{rigid} {truth}");
    let linear = ask(&folder, &[&arguments[..], &["--motion", "linear"]].concat());
    assert_eq!(
        (&linear["impact"], &linear["time"]),
        (&json!(false), &Value::Null),
        "folded up on straight lines"
    );
}

#[test]
fn without_impact_the_answer_is_null_but_for_how_long_it_is_free() {
    let folder = parts();
    let answer = ask(&folder, &["a.obj", "b.obj", "--start", "6,0,0", "--end", "2,0,0", "--interval", "3,5"]);
    assert_eq!(answer["impact"], json!(false));
    for key in ["time", "upper", "features", "point", "normal"] {
        assert_eq!(answer[key], Value::Null, "{key}");
    }
    assert_eq!(answer["lower"], json!(5.0));
    let text = folder.ok(&["impact", "a.obj", "b.obj", "--start", "6,0,0", "--end", "2,0,0"]);
    assert!(text.starts_with("no impact: free until 1, the end\n"), "{text}");
}

#[test]
fn parts_that_touch_at_the_start_are_said_to() {
    let folder = parts();
    let touching = ask(&folder, &["a.obj", "b.obj", "--start", "1,0,0", "--end", "5,0,0"]);
    assert_eq!(
        (&touching["outcome"], &touching["impact"], &touching["time"]),
        (&json!("at-start"), &json!(true), &json!(0.0))
    );
    let inside = ask(&folder, &["a.obj", "b.obj", "--end", "5,0,0"]);
    assert_eq!((&inside["outcome"], &inside["inside"]), (&json!("at-start"), &json!("b")));
    let shell = ask(&folder, &["a.obj", "b.obj", "--end", "5,0,0", "--surface"]);
    assert!((number(&shell["lower"]) - 0.15).abs() < 1e-9, "from inside the shell to its wall: {shell}");
    // No motion at all: the static answer.
    let still = ask(&folder, &["a.obj", "b.obj", "--start", "3,0,0"]);
    assert_eq!(still["impact"], json!(false));
}

#[test]
fn separation_band_unit_and_deadline_are_honoured() {
    let folder = parts();
    let way = ["a.obj", "b.obj", "--start", "6.25,0,0", "--end", "-3.75,0,0"];
    let apart = ask(&folder, &[&way[..], &["--separation", "1"]].concat());
    assert!((number(&apart["lower"]) - 0.4).abs() < 1e-9);
    let mm = ask(&folder, &["a.obj", "b.obj", "--unit", "mm", "--start", "6.25,0,0", "--end", "-3.75,0,0"]);
    assert!((number(&mm["point"][0]) - 1e-3).abs() < 1e-9, "JSON is in metres: {mm}");
    let all = ask(&folder, &[&way[..], &["--motion", "linear", "--band", "all"]].concat());
    let first = ask(&folder, &[&way[..], &["--motion", "linear"]].concat());
    assert!(all["contacts"].as_array().unwrap().len() >= first["contacts"].as_array().unwrap().len());
    let spent = ask(&folder, &[&way[..], &["--max-visits", "0"]].concat());
    assert_eq!((&spent["outcome"], &spent["impact"]), (&json!("spent"), &Value::Null));
    assert!(number(&spent["lower"]) <= 0.5);
    assert_eq!((&spent["complete"], &all["complete"]), (&json!(false), &json!(true)));
    // Inside at the start, with a separation too; without time for the depth.
    let inside = ["a.obj", "b.obj", "--end", "5,0,0", "--separation", "0.1"];
    let deep = ask(&folder, &inside);
    assert!(deep["depth"].is_number() && deep["complete"] == json!(true), "{deep}");
    let late = ask(&folder, &[&inside[..], &["--deadline", "0"]].concat());
    assert_eq!((&late["outcome"], &late["depth"]), (&json!("at-start"), &Value::Null));
    assert_eq!(late["complete"], json!(false));
    let text = folder.silvia(&[&["impact"], &inside[..], &["--deadline", "0"]].concat());
    assert!(String::from_utf8(text.stdout).unwrap().contains("how deep not known in time"));
}

#[test]
fn bad_values_are_refused_with_their_reason() {
    let folder = parts();
    let refused = |arguments: &[&str], code: i32, why: &str| {
        let output = folder.silvia(&[&["impact", "a.obj", "b.obj"], arguments].concat());
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {error}");
        assert!(error.contains(why), "{arguments:?}: {error}");
    };
    refused(&["--end", "0,nan,0"], 2, "not finite");
    refused(&["--end", "0,0"], 2, "a pose is 7 numbers");
    refused(&["--end", "0,0,0,1,1,0,0"], 2, "normalise");
    refused(&["--interval", "1,0"], 1, "the earlier first");
    refused(&["--interval", "1"], 2, "two times");
    refused(&["--separation=-1"], 2, "negative");
    refused(&["--separation", "-1"], 2, "negative");
    refused(&["--band", "-0.5"], 2, "negative");
    refused(&["--start", "1e200,0,0"], 1, "1e200 m from the origin");
    refused(&["--motion", "jump"], 2, "possible values");
    refused(&["--deadline", "5"], 2, "unit");
}
