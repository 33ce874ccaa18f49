//! `silvia penetration` and `silvia decompose`.

use crate::folder::Folder;
use serde_json::{Value, json};

/// A cube of 2 m, one of 1 m, and an L.
fn parts() -> Folder {
    let folder = Folder::new();
    folder.ok(&["make", "box", "--size", "2", "-o", "a.obj"]);
    folder.ok(&["make", "box", "--size", "1", "-o", "b.obj"]);
    folder.ok(&["make", "prism", "--outline", "0,0 2,0 2,1 1,1 1,2 0,2", "--height", "1", "-o", "l.obj"]);
    folder
}

fn answers(text: &str) -> Vec<Value> {
    let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let last = lines.pop().unwrap();
    assert_eq!(last["queries"], json!(lines.len()));
    lines
}

const KEYS: [&str; 8] = ["depth", "direction", "a", "b", "certified", "exact", "method", "distance"];

#[test]
fn a_box_goes_out_of_a_box_the_short_way() {
    let folder = parts();
    let text = folder.ok(&["penetration", "a.obj", "b.obj", "--pose", "0.1,-0.75,0.2", "--json"]);
    let found = &answers(&text)[0];
    assert_eq!(found.as_object().unwrap().keys().collect::<Vec<_>>(), KEYS);
    assert!((found["depth"].as_f64().unwrap() - 0.75).abs() < 1e-12);
    assert!((found["direction"][1].as_f64().unwrap() + 1.0).abs() < 1e-12);
    let y = |key: &str| found[key][1].as_f64().unwrap();
    assert!((y("a") + 1.0).abs() < 1e-12 && (y("b") + 0.25).abs() < 1e-12, "{found}");
    assert_eq!((&found["certified"], &found["exact"]), (&json!(true), &json!(true)));
    assert_eq!((&found["method"], &found["distance"]), (&json!("convex"), &json!(0.0)));
}

#[test]
fn parts_that_are_apart_have_no_depth_but_a_distance() {
    let folder = parts();
    let found = &answers(&folder.ok(&["penetration", "a.obj", "b.obj", "--pose", "3,0,0", "--json"]))[0];
    assert_eq!(found.as_object().unwrap().keys().collect::<Vec<_>>(), KEYS);
    assert_eq!(
        (&found["depth"], &found["direction"], &found["method"]),
        (&json!(0.0), &json!(null), &json!(null))
    );
    assert_eq!(found["distance"], json!(1.5));
    let text = folder.ok(&["penetration", "a.obj", "b.obj", "--pose", "3,0,0"]);
    assert!(text.starts_with("apart by 1.5 m\n"), "{text}");
}

#[test]
fn every_method_takes_an_l_and_a_box_apart() {
    let folder = parts();
    folder.put("path.csv", b"1.6,0.9,0\n1.55,0.7,0.2\n-0.4,0.5,0\n9,9,9\n");
    for method in ["auto", "slide", "stepwise", "closest-face"] {
        let text = folder.ok(&[
            "penetration",
            "l.obj",
            "b.obj",
            "--poses",
            "path.csv",
            "--method",
            method,
            "--json",
        ]);
        let found = answers(&text);
        assert_eq!(found.len(), 4);
        for answer in &found[..3] {
            assert_eq!(answer["certified"], json!(true), "{method}");
            let t: Vec<f64> = (0..3)
                .map(|i| answer["depth"].as_f64().unwrap() * answer["direction"][i].as_f64().unwrap())
                .collect();
            assert!(t.iter().any(|c| c.abs() > 0.01), "{method} {answer}");
        }
        assert_eq!(found[3]["depth"], json!(0.0));
    }
}

#[test]
fn a_method_for_convex_parts_refuses_others_in_words() {
    let folder = parts();
    let (code, told) = folder.fails(&["penetration", "l.obj", "b.obj", "--method", "convex"]);
    assert_eq!(code, 1);
    assert!(told.contains("body A is not a convex solid"), "{told}");
    for growth in ["nan", "0", "1e-17", "1e308"] {
        let (code, told) = folder.fails(&["penetration", "a.obj", "b.obj", "--growth", growth]);
        assert!(code == 2 && told.contains("growth"), "{told}");
    }
    let (code, told) = folder.fails(&["penetration", "a.obj", "b.obj", "--directions", "100000000000"]);
    assert!(code == 2 && told.contains("at most 100000"), "{told}");
}

#[test]
fn a_box_is_one_piece_even_if_no_error_is_allowed() {
    let folder = parts();
    let text = folder.ok(&["decompose", "a.obj", "--error", "0"]);
    assert!(text.starts_with("pieces     1\n") && text.contains("every piece is a convex part"), "{text}");
    let found: Value =
        serde_json::from_str(&folder.ok(&["decompose", "a.obj", "--error", "0", "--json"])).unwrap();
    assert_eq!((&found["count"], &found["complete"]), (&json!(1), &json!(true)));
}

#[test]
fn an_l_falls_into_two_boxes() {
    let folder = parts();
    let text = folder.ok(&["decompose", "l.obj", "--out", "pieces", "--format", "obj", "--json"]);
    let found: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&found["count"], &found["complete"]), (&json!(2), &json!(true)));
    assert!((found["piece_volume"].as_f64().unwrap() - 3.0).abs() < 1e-12);
    for piece in found["pieces"].as_array().unwrap() {
        assert_eq!(piece["vertices"], json!(8));
        let told = folder.inspect(piece["file"].as_str().unwrap());
        assert_eq!(told["convex"], json!(true), "{told}");
    }
    // Pieces of an earlier run are not replaced unasked.
    let again = ["decompose", "l.obj", "--out", "pieces", "--format", "obj"];
    let (code, said) = folder.fails(&again);
    assert!(code == 1 && said.contains("is there already"), "{code}: {said}");
    folder.ok(&[&again[..], &["--force"]].concat());
}

#[test]
fn pieces_that_run_out_are_told() {
    let folder = parts();
    let text = folder.ok(&["decompose", "l.obj", "--max-pieces", "1", "--unit", "mm"]);
    assert!(text.contains("NOT within"), "{text}");
    let found: Value =
        serde_json::from_str(&folder.ok(&["decompose", "l.obj", "--max-pieces", "1", "--json"])).unwrap();
    assert_eq!((&found["count"], &found["complete"]), (&json!(1), &json!(false)));
}

#[test]
fn what_is_no_solid_cannot_be_decomposed() {
    let folder = parts();
    folder.put("open.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    assert!(folder.fails(&["decompose", "open.obj"]).1.contains("open.obj"));
    assert!(folder.fails(&["decompose", "l.obj", "--max-pieces", "0"]).1.contains("at least 1 piece"));
}
