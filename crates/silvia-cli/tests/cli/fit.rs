//! `silvia fit`: the answer in words, as JSON, as files and as exit code.

use crate::folder::Folder;
use serde_json::Value;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn pair(folder: &Folder, parts: [&str; 2], more: &[&str]) {
    for part in parts {
        let file = format!("{part}.stl");
        folder.ok(&[&["make", part, "--unit", "mm", "-o", &file], more].concat());
    }
}

#[test]
fn a_way_is_told_written_and_free() {
    let folder = Folder::new();
    pair(&folder, ["tail", "socket"], &[]);
    let told = folder.ok(&["fit", "socket.stl", "tail.stl", "--unit", "mm", "--out", "out"]);
    assert!(told.starts_with("found: socket stays, then tail\n"), "{told}");
    assert!(told.contains("\n  proved     each leg is free") && told.contains("pushed along "), "{told}");
    // What else it wrote is for other commands.
    let asked = folder.ok(&[
        "collide",
        "socket.stl",
        "tail.stl",
        "--unit",
        "mm",
        "--poses",
        "out/tail.csv",
        "--json",
    ]);
    let answers: Vec<Value> = asked.lines().map(json).collect();
    let (timing, poses) = answers.split_last().unwrap();
    assert!(timing["queries"].as_u64().unwrap() > 10 && poses.len() > 10);
    assert!(poses.iter().all(|answer| answer["colliding"] == false), "{}", poses[0]);
    folder.ok(&["render", "out", "-o", "end.png"]);
    folder.ok(&["report", "out"]);
    assert!(std::fs::metadata(folder.path("out/picture.png")).unwrap().len() > 1000);
    // It is not replaced unasked.
    let (code, why) = folder.fails(&["fit", "socket.stl", "tail.stl", "--unit", "mm", "--out", "out"]);
    assert!(code == 1 && why.contains("--force"), "{why}");
    folder.ok(&["fit", "socket.stl", "tail.stl", "--unit", "mm", "--out", "out", "--force"]);
}

#[test]
fn a_goal_is_where_a_part_is_put() {
    let folder = Folder::new();
    pair(&folder, ["key", "pocket"], &[]);
    // The key lies elsewhere, and is put back.
    folder.ok(&["convert", "key.stl", "away.ply", "--unit", "mm", "--translate", "100,0,0"]);
    let asked = ["fit", "pocket.stl", "away.ply", "--unit", "mm", "--json", "--goal", "-100,0,0"];
    let answer = json(&folder.ok(&asked));
    assert_eq!((&answer["answer"], &answer["parts"][1]), (&"found".into(), &"away".into()));
    let path = answer["moves"][0]["path"].as_array().unwrap();
    let end: Vec<f64> =
        path[path.len() - 1].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    assert!((end[0] + 0.1).abs() < 1e-9 && end[1].abs() < 1e-9 && (end[3] - 1.0).abs() < 1e-12, "{end:?}");
    // The same as a row of a file.
    folder.put("goals.csv", "-100,0,0\n");
    let from_file = ["fit", "pocket.stl", "away.ply", "--unit", "mm", "--json", "--goals", "goals.csv"];
    let other = json(&folder.ok(&from_file));
    assert_eq!(other["moves"], answer["moves"]);
    let (code, why) = folder.fails(&["fit", "pocket.stl", "away.ply", "--goal", "0,0,0", "--goal", "0,0,1"]);
    assert!(code == 1 && why.contains("2 goals for 1 parts that move"), "{why}");
}

#[test]
fn a_ship_in_a_bottle_is_not_found_and_told_where_it_is_too_large() {
    let parts = concat!(env!("CARGO_MANIFEST_DIR"), "/../../parts");
    let folder = Folder::new();
    let (bottle, ship) = (format!("{parts}/bottle.stl"), format!("{parts}/ship.stl"));
    let asked = [
        "fit", &bottle, &ship, "--unit", "mm", "--method", "pushes", "--tries", "150", "--out", "out",
        "--json",
    ];
    let output = folder.silvia(&asked);
    assert_eq!(output.status.code(), Some(3));
    let answer = json(&String::from_utf8(output.stdout).unwrap());
    assert_eq!(answer["answer"], "not found");
    let blocked = &answer["blocked"][0];
    // In the neck, from 51 mm to 64 mm.
    let (narrow, height) = (&blocked["narrowest"], blocked["narrowest"]["at"][2].as_f64().unwrap());
    assert!((0.05..0.065).contains(&height) && narrow["clearance"].as_f64().unwrap() < -1e-3, "{narrow}");
    assert!(blocked["stops"][0]["other"] == "bottle", "{blocked}");
    for file in ["out/picture.png", "out/ship.csv", "out/recording.silvia"] {
        assert!(folder.path(file).is_file(), "{file}");
    }
}

#[test]
fn parts_that_overlap_at_their_goal_are_impossible() {
    let folder = Folder::new();
    folder.ok(&["make", "hole", "--facets", "6", "--unit", "mm", "-o", "hole.stl"]);
    folder.ok(&["make", "peg", "--facets", "6", "--radius", "11", "--unit", "mm", "-o", "peg.stl"]);
    let output = folder.silvia(&["fit", "hole.stl", "peg.stl", "--unit", "mm"]);
    assert_eq!(output.status.code(), Some(4));
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(told.starts_with("impossible: parts overlap") && told.contains("hole and peg: "), "{told}");
}

#[test]
fn what_cannot_be_asked_is_told() {
    let folder = Folder::new();
    folder.ok(&["make", "box", "-o", "a.stl"]);
    folder.put("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let (code, why) = folder.fails(&["fit", "a.stl", "open.obj"]);
    assert!(code == 1 && why.contains("must be a closed solid"), "{why}");
    let (code, _) = folder.fails(&["fit", "a.stl"]);
    assert_eq!(code, 2);
}
