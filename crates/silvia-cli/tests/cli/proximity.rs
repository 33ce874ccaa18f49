//! `silvia collide` and `silvia distance`.

use crate::folder::Folder;
use serde_json::{Value, json};

/// Two boxes: A a cube of 2 m, B one of 0.5 m.
fn boxes() -> Folder {
    let folder = Folder::new();
    folder.ok(&["make", "box", "--size", "2", "-o", "a.obj"]);
    folder.ok(&["make", "box", "--size", "0.5", "-o", "b.obj"]);
    folder
}

/// The answers, and the closing line.
fn lines(text: &str) -> (Vec<Value>, Value) {
    let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let last = lines.pop().unwrap();
    (lines, last)
}

fn keys(object: &Value) -> Vec<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}

const BOUNDS: [&str; 6] = ["sphere", "aabb", "obb", "dop14", "dop18", "dop26"];

#[test]
fn the_distance_of_two_boxes_is_the_gap_between_them_with_every_bound_and_strategy() {
    let folder = boxes();
    for bound in BOUNDS {
        for strategy in ["greedy", "best-first"] {
            let text = folder.ok(&[
                "distance",
                "a.obj",
                "b.obj",
                "--pose",
                "3,0,0",
                "--bound",
                bound,
                "--strategy",
                strategy,
                "--json",
            ]);
            let (answers, last) = lines(&text);
            assert_eq!(keys(&answers[0])[..6], ["distance", "lower", "upper", "exact", "a", "b"]);
            assert_eq!(answers[0]["distance"], json!(1.75), "{bound} {strategy}");
            assert_eq!(answers[0]["exact"], json!(true));
            assert_eq!(answers[0]["lower"], answers[0]["upper"]);
            assert_eq!([&answers[0]["a"][0], &answers[0]["b"][0]], [&json!(1.0), &json!(2.75)]);
            assert_eq!(keys(&last), ["queries", "mean_us"]);
            assert_eq!(last["queries"], json!(1));
            assert!(last["mean_us"].as_f64().unwrap() > 0.0);
        }
    }
}

#[test]
fn boxes_collide_when_they_overlap_and_when_one_is_inside_the_other() {
    let folder = boxes();
    folder.put(
        "path.csv",
        "# from inside to outside\ntx,ty,tz,qw,qx,qy,qz\n0,0,0,1,0,0,0\n\n1,0,0,1,0,0,0\n3,0,0,1,0,0,0\n",
    );
    for bound in BOUNDS {
        let text =
            folder.ok(&["collide", "a.obj", "b.obj", "--poses", "path.csv", "--bound", bound, "--json"]);
        let (answers, last) = lines(&text);
        let colliding: Vec<&Value> = answers.iter().map(|a| &a["colliding"]).collect();
        assert_eq!(colliding, [&json!(true), &json!(true), &json!(false)], "{bound}");
        assert_eq!(keys(&answers[0]), ["colliding", "pairs", "inside", "faces"]);
        assert_eq!((&answers[0]["pairs"], &answers[0]["inside"]), (&json!([]), &json!("b")));
        assert_eq!(answers[1]["pairs"].as_array().unwrap().len(), 1);
        assert_eq!(answers[1]["faces"].as_array().unwrap().len(), 1);
        assert_eq!(last["queries"], json!(3));
    }
    let swapped = folder.ok(&["collide", "b.obj", "a.obj"]);
    assert!(swapped.starts_with("colliding: A is inside B\n"), "{swapped}");
}

#[test]
fn all_pairs_are_found_once_each_and_the_same_with_every_bound() {
    let folder = Folder::new();
    folder.ok(&["make", "knot", "--triangles", "2000", "-o", "knot.obj"]);
    let of = |bound: &str| {
        let text = folder.ok(&[
            "collide",
            "knot.obj",
            "knot.obj",
            "--pose",
            "0.5,0.2,0.1",
            "--all",
            "--json",
            "--bound",
            bound,
        ]);
        lines(&text).0[0]["pairs"].as_array().unwrap().clone()
    };
    let pairs = of("obb");
    assert!(pairs.len() > 20, "{}", pairs.len());
    let key = |pair: &Value| (pair[0].as_u64().unwrap(), pair[1].as_u64().unwrap());
    assert!(pairs.windows(2).all(|two| key(&two[0]) < key(&two[1])));
    for bound in BOUNDS {
        assert_eq!(of(bound), pairs, "{bound}");
    }
}

#[test]
fn a_closed_part_is_filled_unless_only_its_surface_is_asked_for() {
    let folder = boxes();
    let answer = |arguments: &[&str]| {
        lines(&folder.ok(&[&["distance", "a.obj", "b.obj", "--json"], arguments].concat())).0
    };
    assert_eq!(answer(&[])[0]["distance"], json!(0.0));
    assert_eq!(answer(&["--surface"])[0]["distance"], json!(0.75));
    assert!(folder.ok(&["collide", "a.obj", "b.obj", "--surface"]).starts_with("apart\n"));
}

#[test]
fn an_open_part_is_a_surface_and_that_is_said() {
    let folder = boxes();
    folder.put("open.obj", "v 0 0 5\nv 1 0 5\nv 0 1 5\nf 1 2 3\n");
    let output = folder.silvia(&["distance", "a.obj", "open.obj", "--json"]);
    assert!(output.status.success());
    let (answers, _) = lines(&String::from_utf8(output.stdout).unwrap());
    assert_eq!(answers[0]["distance"], json!(4.0));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with("note: open.obj: taken as a mere surface"), "{said}");
    assert!(!keys(&lines(&folder.ok(&["collide", "a.obj", "open.obj", "--json"])).0[0]).contains(&"faces"));
}

#[test]
fn the_cache_changes_no_distance_along_a_path() {
    let folder = Folder::new();
    folder.ok(&["make", "knot", "--triangles", "2000", "-o", "knot.obj"]);
    let rows: Vec<String> =
        (0..50).map(|i| format!("{},{},1", 6.0 - 0.05 * f64::from(i), 0.02 * f64::from(i))).collect();
    folder.put("path.csv", rows.join("\n"));
    let distances = |more: &[&str]| {
        let text = folder
            .ok(&[&["distance", "knot.obj", "knot.obj", "--poses", "path.csv", "--json"], more].concat());
        lines(&text).0.iter().map(|a| a["distance"].as_f64().unwrap()).collect::<Vec<f64>>()
    };
    let (plain, cached) = (distances(&[]), distances(&["--cache"]));
    assert_eq!(plain.len(), 50);
    assert!(plain[0] > 0.1 && plain[49] < plain[0], "{plain:?}");
    assert!(plain.iter().zip(&cached).all(|(a, b)| (a - b).abs() < 1e-12), "{plain:?}\n{cached:?}");
}

#[test]
fn no_time_at_all_gives_an_honest_bound() {
    let folder = Folder::new();
    folder.ok(&["make", "knot", "--triangles", "2000", "-o", "knot.obj"]);
    let ask = |more: &[&str]| {
        let text =
            folder.ok(&[&["distance", "knot.obj", "knot.obj", "--pose", "8,0,0", "--json"], more].concat());
        lines(&text).0[0].clone()
    };
    let truth = ask(&[])["distance"].as_f64().unwrap();
    for stop in [["--deadline", "0"], ["--deadline", "0ns"], ["--max-visits", "0"], ["--tolerance", "0.5"]] {
        let answer = ask(&stop);
        let of = |key: &str| answer[key].as_f64().unwrap();
        assert_eq!(answer["exact"], json!(false), "{stop:?}");
        assert!(of("lower") < truth && truth <= of("upper"), "{stop:?}: {answer}");
        assert_eq!(of("distance"), of("upper"));
    }
    let beyond = ask(&["--cutoff", "1"]);
    assert!(truth > 1.0 && beyond["lower"].as_f64().unwrap() >= 1.0, "{beyond}");
    let text = folder.ok(&["distance", "knot.obj", "knot.obj", "--pose", "8,0,0", "--deadline", "0"]);
    assert!(text.starts_with("distance  between "), "{text}");
}

#[test]
fn lengths_are_in_the_unit_given_in_text_and_in_metres_in_json() {
    let folder = boxes();
    let arguments = ["distance", "a.obj", "b.obj", "--pose", "3,0,0", "--unit", "mm"];
    let text = folder.ok(&arguments);
    assert!(text.starts_with("distance  1.75 mm\non A      (1, "), "{text}");
    let (answers, _) = lines(&folder.ok(&[&arguments[..], &["--json"]].concat()));
    assert!((answers[0]["distance"].as_f64().unwrap() - 0.00175).abs() < 1e-17, "{}", answers[0]);
}

#[test]
fn a_bad_pose_is_refused_with_its_line() {
    let folder = boxes();
    let cases = [
        ("0,0,0,1,0,0,0\nnan,0,0,1,0,0,0\n", "line 2: the pose has a number that is not finite"),
        ("nan,0,0,1,0,0,0\n", "line 1: the pose has a number that is not finite"),
        (
            "# poses\ntx,ty,tz\n0,0,0,1,1,0,0\n",
            "line 3: the quaternion (w 1, x 1, y 0, z 0) has length 1.414",
        ),
        ("0,0,0,0,0,0,0\n", "line 1: the quaternion (w 0, x 0, y 0, z 0) has length 0"),
        ("1,2,3,4\n", "line 1: a pose is 7 numbers"),
        ("1,2,3\nx,0,0\n", "line 2: `x` is not a number"),
        ("# nothing\n", "there is no pose in it"),
    ];
    for (content, expected) in cases {
        folder.put("poses.csv", content);
        for command in ["collide", "distance"] {
            let (code, said) = folder.fails(&[command, "a.obj", "b.obj", "--poses", "poses.csv"]);
            assert_eq!(code, 1);
            assert!(said.starts_with(&format!("error: poses.csv: {expected}")), "{said}");
        }
    }
    let (code, said) = folder.fails(&["collide", "a.obj", "b.obj", "--poses", "absent.csv"]);
    assert_eq!((code, said.contains("absent.csv: there is no such file")), (1, true), "{said}");
}

#[test]
fn a_bad_value_on_the_command_line_is_refused_with_the_reason() {
    let folder = boxes();
    let cases = [
        (["--pose", "nan,0,0"], "not finite"),
        (["--pose", "0,0,0,2,0,0,0"], "has length 2, not 1"),
        (["--pose", "0,0"], "a pose is 7 numbers"),
        (["--deadline", "5"], "give a time with its unit"),
        (["--tolerance", "-1"], "must not be negative"),
        (["--tolerance", "nan"], "must be finite"),
        (["--cutoff", "-1"], "must not be negative"),
        (["--bound", "cube"], "possible values"),
    ];
    for (option, expected) in cases {
        let option = format!("{}={}", option[0], option[1]);
        let (code, said) = folder.fails(&["distance", "a.obj", "b.obj", &option]);
        assert_eq!(code, 2, "{option}");
        assert!(said.contains(expected), "{option}: {said}");
    }
}

#[test]
fn an_empty_or_absent_part_is_refused() {
    let folder = boxes();
    folder.put("empty.obj", "v 0 0 0\n");
    for command in ["collide", "distance"] {
        for file in ["empty.obj", "absent.obj"] {
            let (code, said) = folder.fails(&[command, "a.obj", file]);
            assert_eq!(code, 1);
            assert!(said.starts_with(&format!("error: {file}: ")), "{said}");
        }
    }
}
