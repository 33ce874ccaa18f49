//! `silvia contacts`.

use crate::folder::Folder;
use serde_json::{Value, json};

/// A floor of 4 m by 4 m, its top at z = 0.5, and a cube of 1 m.
fn boxes() -> Folder {
    let folder = Folder::new();
    folder.ok(&["make", "box", "--size", "4,4,1", "-o", "floor.obj"]);
    folder.ok(&["make", "box", "--size", "1", "-o", "cube.obj"]);
    folder
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn contacts(folder: &Folder, more: &[&str]) -> Vec<Value> {
    let text = folder.ok(&[&["contacts", "floor.obj", "cube.obj", "--json"], more].concat());
    lines(&text)[0]["contacts"].as_array().unwrap().clone()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

#[test]
fn a_cube_above_a_floor_has_a_contact_at_each_lower_corner_with_every_bound() {
    let folder = boxes();
    for bound in ["sphere", "aabb", "obb", "dop14", "dop18", "dop26"] {
        let found = contacts(&folder, &["--pose", "0.5,0.25,1.0078125", "--bound", bound]);
        assert_eq!(found.len(), 4, "{bound}");
        let mut corners: Vec<[f64; 2]> = Vec::new();
        for contact in &found {
            let keys: Vec<&str> = contact.as_object().unwrap().keys().map(String::as_str).collect();
            assert_eq!(keys, ["features", "a", "b", "normal", "gap", "holds"]);
            assert_eq!(contact["normal"], json!([0.0, 0.0, 1.0]));
            assert_eq!((number(&contact["gap"]), &contact["holds"]), (0.0078125, &json!(true)));
            assert!(contact["features"][0]["face"].is_u64() && contact["features"][1]["vertex"].is_u64());
            assert_eq!([number(&contact["a"][2]), number(&contact["b"][2])], [0.5, 0.5078125]);
            corners.push([number(&contact["b"][0]), number(&contact["b"][1])]);
        }
        corners.sort_by(|p, q| p.partial_cmp(q).unwrap());
        assert_eq!(corners, [[0.0, -0.25], [0.0, 0.75], [1.0, -0.25], [1.0, 0.75]]);
    }
}

#[test]
fn the_reach_is_a_hundredth_of_the_smaller_part_unless_given_and_bounds_what_is_found() {
    let folder = boxes();
    let text = folder.ok(&["contacts", "floor.obj", "cube.obj", "--pose", "0,0,1.01", "--json"]);
    let answer = &lines(&text)[0];
    assert!((number(&answer["reach"]) - 0.01 * 3_f64.sqrt()).abs() < 1e-15, "{answer}");
    // Three corners of the cube make a triangle of height √⅔, so that whatever the axis, a turn moves some
    // corner by that.
    let turn = 2.0 * (0.01 * 3_f64.sqrt() / (2.0 / 3.0_f64).sqrt()).asin();
    assert!((number(&answer["turn"]) - turn).abs() < 1e-12, "{answer}");
    let at = ["--pose", "0,0,1.1"];
    assert!(contacts(&folder, &at).is_empty());
    assert_eq!(contacts(&folder, &[&at[..], &["--reach", "0.2"]].concat()).len(), 4);
    assert!(contacts(&folder, &[&at[..], &["--reach", "0.09"]].concat()).is_empty());
}

#[test]
fn all_shows_also_pairs_that_only_a_displacement_makes_hold() {
    let folder = boxes();
    let tilted = ["--pose", "0,0,1.02,0.9999875,0.005,0,0", "--reach", "0.05"];
    let (held, all) = (contacts(&folder, &tilted), contacts(&folder, &[&tilted[..], &["--all"]].concat()));
    assert!(held.iter().all(|contact| contact["holds"] == json!(true)));
    let still: Vec<&Value> = all.iter().filter(|contact| contact["holds"] == json!(true)).collect();
    assert_eq!(still, held.iter().collect::<Vec<_>>());
    let text = folder.ok(&[&["contacts", "floor.obj", "cube.obj", "--json"], &tilted[..]].concat());
    assert_eq!(lines(&text)[0]["pairs"], json!(all.len()));
    let (code, said) =
        folder.fails(&["contacts", "floor.obj", "cube.obj", "--all", "--reduce", "velocities"]);
    assert_eq!((code, said.contains("cannot be used with")), (2, true), "{said}");
}

#[test]
fn a_comb_on_a_floor_reduces_to_the_corners_around_it() {
    let folder = boxes();
    let comb =
        "0,0 1.25,0 1.25,0.5 1,0.5 1,0.25 0.75,0.25 0.75,0.5 0.5,0.5 0.5,0.25 0.25,0.25 0.25,0.5 0,0.5";
    folder.ok(&["make", "prism", "--outline", comb, "--height", "1", "-o", "cube.obj", "--force"]);
    let at = ["--pose", "0,0,1"];
    // Its teeth have six corners, its back two; the notches none that could touch.
    assert_eq!(contacts(&folder, &at).len(), 8);
    for keep in ["velocities", "extent"] {
        let kept = contacts(&folder, &[&at[..], &["--reduce", keep]].concat());
        let mut corners: Vec<[f64; 2]> =
            kept.iter().map(|contact| [number(&contact["b"][0]), number(&contact["b"][1])]).collect();
        corners.sort_by(|p, q| p.partial_cmp(q).unwrap());
        assert_eq!(corners, [[0.0, 0.0], [0.0, 0.5], [1.25, 0.0], [1.25, 0.5]], "{keep}");
    }
    let text = folder.ok(&["contacts", "floor.obj", "cube.obj", "--pose", "0,0,1", "--reduce", "extent"]);
    assert!(text.starts_with("8 contacts, least gap 0 m, 4 kept; "), "{text}");
}

#[test]
fn text_is_in_the_unit_given_and_says_what_was_looked_for() {
    let folder = boxes();
    let text = folder.ok(&[
        "contacts",
        "floor.obj",
        "cube.obj",
        "--unit",
        "mm",
        "--pose",
        "0,0,1.25",
        "--reach",
        "0.5",
        "--turn",
        "1",
    ]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("4 contacts, least gap 0.25 mm; "), "{text}");
    assert_eq!(lines[1], "within a reach of 0.5 mm and a turn of 1 degrees");
    assert!(lines[2].trim_start().starts_with("on A") && lines[2].contains("gap, mm"), "{text}");
    assert!(lines[3].contains("face ") && lines[3].ends_with("(0, 0, 1)"), "{text}");
    assert!(lines[7].starts_with("1 query, "), "{text}");
}

#[test]
fn along_a_path_each_pose_gets_the_answer_it_gets_alone() {
    let folder = boxes();
    let poses: Vec<String> =
        (0..20).map(|i| format!("{},0.1,{}", 0.1 * f64::from(i), 1.0 + 0.001 * f64::from(i))).collect();
    folder.put("path.csv", poses.join("\n"));
    let text = folder.ok(&["contacts", "floor.obj", "cube.obj", "--poses", "path.csv", "--json", "--all"]);
    let answers = lines(&text);
    assert_eq!(answers[20]["queries"], json!(20));
    for (index, pose) in poses.iter().enumerate() {
        let alone = contacts(&folder, &["--pose", pose, "--all"]);
        assert_eq!(answers[index]["contacts"], json!(alone), "pose {index}");
    }
    let text = folder.ok(&["contacts", "floor.obj", "cube.obj", "--poses", "path.csv"]);
    assert!(text.starts_with("1: 4 contacts, least gap 0 m; "), "{text}");
}

#[test]
fn parts_that_overlap_are_said_to() {
    let folder = boxes();
    let said = |pose: &str| {
        let output = folder.silvia(&["contacts", "floor.obj", "cube.obj", "--pose", pose]);
        assert!(output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(said("0,0,0.5").contains("note: the parts overlap"));
    assert!(said("0,0,0").contains("note: the parts overlap"));
    assert_eq!([said("0,0,1"), said("0,0,1.001"), said("0,0,9")], ["", "", ""]);
}

#[test]
fn the_picture_has_both_parts_and_an_arrow_for_each_contact_that_holds() {
    let folder = boxes();
    let arguments = [
        "contacts",
        "floor.obj",
        "cube.obj",
        "--pose",
        "0,0,1.02,0.9999875,0.005,0,0",
        "--reach",
        "0.05",
        "--svg",
    ];
    let text = folder.ok(&[&arguments[..], &["held.svg"]].concat());
    let held: usize = text.split_whitespace().next().unwrap().parse().unwrap();
    let read = |name: &str| std::fs::read_to_string(folder.path(name)).unwrap();
    let picture = read("held.svg");
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    assert!(!picture.contains("NaN") && !picture.contains("inf"));
    for part in ["class=\"a\" d=\"M", "class=\"b\" d=\"M", "class=\"a hidden\" d=\"M"] {
        assert!(picture.contains(part), "{part}");
    }
    assert!(held > 0);
    assert_eq!(picture.matches("class=\"contact\"").count(), held);
    assert_eq!(picture.matches("class=\"may\"").count(), 0);
    folder.ok(&[&arguments[..], &["all.svg", "--all"]].concat());
    let all = read("all.svg");
    assert_eq!(all.matches("class=\"contact\"").count(), held);
    assert!(all.matches("class=\"may\"").count() > 0);
    // Without any contact there is still a picture of the parts.
    folder.ok(&["contacts", "floor.obj", "cube.obj", "--pose", "0,0,5", "--svg", "none.svg"]);
    assert!(read("none.svg").contains("0 contacts"));
    // A part given for the picture was replaced by it.
    let part = read("cube.obj");
    let (_, said) = folder.fails(&["contacts", "floor.obj", "cube.obj", "--svg", "cube.obj"]);
    assert!(said.contains("is there already") && read("cube.obj") == part, "{said}");
}

#[test]
fn what_cannot_be_is_refused() {
    let folder = boxes();
    for (option, expected) in [
        ("--reach=-1", "must not be negative"),
        ("--reach=nan", "must be finite"),
        ("--turn=-1", "must not be negative"),
        ("--turn=inf", "must be finite"),
        ("--reduce=half", "possible values"),
    ] {
        let (code, said) = folder.fails(&["contacts", "floor.obj", "cube.obj", option]);
        assert_eq!((code, said.contains(expected)), (2, true), "{option}: {said}");
    }
    let (code, said) = folder.fails(&["contacts", "floor.obj", "absent.obj"]);
    assert_eq!((code, said.starts_with("error: absent.obj: ")), (1, true), "{said}");
    let (code, said) = folder.fails(&["contacts", "floor.obj", "cube.obj", "--svg", "no/such/folder.svg"]);
    assert_eq!((code, said.contains("no/such/folder.svg: cannot be written")), (1, true), "{said}");
}
