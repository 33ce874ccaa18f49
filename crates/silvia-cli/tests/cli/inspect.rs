//! `silvia inspect`, as a program.

use crate::folder::{Folder, turned};
use serde_json::{Value, json};
use silvia::solid::primitives::{TorusKnot, cuboid, extrusion, sphere, torus};
use silvia::solid::{Pose, Soup, Vec3};

const KEYS: [&str; 18] = [
    "triangles",
    "vertices",
    "edges",
    "faces",
    "closed",
    "manifold",
    "components",
    "genus",
    "convex",
    "edges_convex",
    "edges_concave",
    "edges_flat",
    "volume",
    "area",
    "center",
    "inertia",
    "bounds",
    "defects",
];

/// What a part must be found to be, as it is and after a rotation and a save in single precision.
fn check(soup: &Soup, expected: Value) {
    let folder = Folder::new();
    folder.put_stl("straight.stl", soup);
    folder.put_stl("turned.stl", &turned(soup));
    for file in ["straight.stl", "turned.stl"] {
        let found = folder.inspect(file);
        for (key, value) in expected.as_object().unwrap() {
            assert_eq!(&found[key], value, "{key} of {file}: {found}");
        }
    }
}

fn l_prism() -> Soup {
    let outline = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
    extrusion(&outline, &[], 1.0).unwrap()
}

fn two_boxes() -> Soup {
    let near = cuboid(Vec3::ONE).unwrap();
    let far = near.posed(&Pose::from_translation(Vec3::new(3.0, 0.0, 0.0)).unwrap());
    Soup::joined([&near, &far]).unwrap()
}

#[test]
fn a_cube_of_12_triangles_has_8_vertices_12_edges_and_6_faces() {
    let expected = json!({
        "triangles": 12, "vertices": 8, "edges": 12, "faces": 6, "closed": true, "manifold": true,
        "components": 1, "genus": 0, "convex": true, "edges_convex": 12, "edges_concave": 0, "edges_flat": 6,
        "defects": [],
    });
    check(&cuboid(Vec3::ONE).unwrap(), expected);
}

#[test]
fn a_torus_has_genus_1() {
    let expected = json!({ "closed": true, "components": 1, "genus": 1, "convex": false, "defects": [] });
    check(&torus(2.0, 0.5, 24, 12).unwrap(), expected);
}

#[test]
fn two_boxes_in_one_file_are_two_components() {
    let expected =
        json!({ "vertices": 16, "edges": 24, "faces": 12, "components": 2, "genus": 0, "convex": false });
    check(&two_boxes(), expected);
}

#[test]
fn an_l_shaped_prism_has_one_concave_edge() {
    let expected = json!({
        "vertices": 12, "edges": 18, "faces": 8, "genus": 0, "convex": false,
        "edges_convex": 17, "edges_concave": 1,
    });
    check(&l_prism(), expected);
}

#[test]
fn a_knot_has_genus_1_and_is_closed() {
    let expected = json!({ "closed": true, "manifold": true, "components": 1, "genus": 1, "convex": false });
    check(&TorusKnot::TREFOIL.soup_with_triangles(2000).unwrap(), expected);
}

#[test]
fn a_sphere_is_convex() {
    check(&sphere(1.0, 6).unwrap(), json!({ "genus": 0, "convex": true, "edges_concave": 0 }));
}

#[test]
fn the_documented_keys_come_first_and_in_order() {
    let folder = Folder::new();
    folder.put_stl("box.stl", &cuboid(Vec3::ONE).unwrap());
    let line = folder.ok(&["inspect", "--json", "box.stl"]);
    let mut from = 0;
    for key in KEYS {
        let at = line.find(&format!("\"{key}\":")).unwrap_or_else(|| panic!("{key} is not in {line}"));
        assert!(at >= from, "{key} is out of order in {line}");
        from = at;
    }
    assert!(from < line.find("\"file\":").unwrap());
}

#[test]
fn a_box_has_the_mass_properties_of_the_formula() {
    let folder = Folder::new();
    folder.put_stl("box.stl", &cuboid(Vec3::new(1.0, 2.0, 4.0)).unwrap());
    let found = folder.inspect("box.stl");
    let number = |path: &str| found.pointer(path).and_then(Value::as_f64).unwrap();
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-12 * b.abs().max(1.0);
    assert!(near(number("/volume"), 8.0) && near(number("/area"), 28.0));
    assert!(near(number("/inertia/0/0"), 8.0 * (4.0 + 16.0) / 12.0));
    assert!(near(number("/inertia/1/1"), 8.0 * (1.0 + 16.0) / 12.0));
    assert!(near(number("/inertia/2/2"), 8.0 * (1.0 + 4.0) / 12.0));
    assert_eq!(found["bounds"], json!({ "min": [-0.5, -1.0, -2.0], "max": [0.5, 1.0, 2.0] }));
}

#[test]
fn units_scale_json_to_si_and_density_gives_kilograms() {
    let folder = Folder::new();
    folder.put_stl("box.stl", &cuboid(Vec3::splat(100.0)).unwrap());
    let line = folder.ok(&["inspect", "--json", "--unit", "mm", "--density", "7850", "box.stl"]);
    let found: Value = serde_json::from_str(&line).unwrap();
    assert!((found["volume"].as_f64().unwrap() - 1e-3).abs() < 1e-15);
    assert!((found["mass"].as_f64().unwrap() - 7.85).abs() < 1e-12);
}

#[test]
fn an_open_box_is_reported_with_counts_and_nulls() {
    let (points, triangles) = cuboid(Vec3::ONE).unwrap().into_parts();
    let folder = Folder::new();
    folder.put_stl("open.stl", &Soup::new(points, triangles[1..].to_vec()).unwrap());
    let found = folder.inspect("open.stl");
    assert_eq!((&found["triangles"], &found["vertices"]), (&json!(11), &json!(8)));
    assert_eq!((&found["closed"], &found["manifold"]), (&json!(false), &json!(true)));
    for key in ["genus", "volume", "center", "inertia", "convex", "faces", "edges"] {
        assert_eq!(found[key], Value::Null, "{key}");
    }
    assert!(found["area"].as_f64().unwrap() > 5.0);
    let defect = &found["defects"][0];
    assert_eq!((&defect["kind"], &defect["count"]), (&json!("open_edge"), &json!(3)));
    assert_eq!(defect["where"].as_array().unwrap().len(), 3);
    assert!(defect["where"][0]["at"][2].is_f64());
}

#[test]
fn triangles_that_merely_touch_others_are_told_only_when_asked() {
    let near = cuboid(Vec3::ONE).unwrap();
    // It stands on the other.
    let other = near.posed(&Pose::from_translation(Vec3::new(0.25, 0.5, 1.0)).unwrap());
    let folder = Folder::new();
    folder.put_stl("stand.stl", &Soup::joined([&near, &other]).unwrap());
    assert_eq!(folder.inspect("stand.stl")["defects"], json!([]));
    let line = folder.ok(&["inspect", "--json", "--self-intersections", "stand.stl"]);
    let found: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(found["defects"][0]["kind"], json!("self_intersection"));
    assert!(found["defects"][0]["count"].as_u64().unwrap() > 0);
}

#[test]
fn points_are_welded_only_when_asked() {
    let (mut points, triangles) = cuboid(Vec3::ONE).unwrap().into_parts();
    // Each triangle gets its own corners, a little off.
    let own: Vec<Vec3> = triangles
        .iter()
        .enumerate()
        .flat_map(|(t, c)| c.map(|i| points[i as usize] + 1e-5 * (t % 3) as f64 * Vec3::X))
        .collect();
    points.clear();
    let loose = Soup::new(own, (0..12).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect()).unwrap();
    let folder = Folder::new();
    folder.put_stl("loose.stl", &loose);
    assert_eq!(folder.inspect("loose.stl")["closed"], json!(false));
    let line = folder.ok(&["inspect", "--json", "--weld", "1e-4", "loose.stl"]);
    let found: Value = serde_json::from_str(&line).unwrap();
    assert_eq!((&found["closed"], &found["vertices"]), (&json!(true), &json!(8)));
}

#[test]
fn a_bad_file_among_good_ones_does_not_stop_the_others() {
    let folder = Folder::new();
    folder.put_stl("a.stl", &cuboid(Vec3::ONE).unwrap());
    folder.put_stl("b.stl", &l_prism());
    let output = folder.silvia(&["inspect", "--json", "a.stl", "absent.stl", "b.stl"]);
    assert_eq!(output.status.code(), Some(1));
    let lines: Vec<Value> =
        String::from_utf8(output.stdout).unwrap().lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!((&lines[0]["file"], &lines[1]["file"]), (&json!("a.stl"), &json!("b.stl")));
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said, "error: absent.stl: there is no such file or folder: check the name\n");
}

#[test]
fn a_reader_that_stops_early_is_no_error() {
    let folder = Folder::new();
    folder.put_stl("box.stl", &cuboid(Vec3::ONE).unwrap());
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_silvia"))
        .current_dir(folder.path(""))
        .args(["inspect"])
        .args(vec!["box.stl"; 200])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn usage_errors_exit_with_2() {
    let folder = Folder::new();
    for arguments in [
        &["inspect"][..],
        &["inspect", "--unit", "parsec", "a.stl"],
        &["inspect", "--weld", "nan", "a.stl"],
        &["fly"],
    ] {
        assert_eq!(folder.fails(arguments).0, 2, "{arguments:?}");
    }
}

/// What two shells share is inside twice, and weighed twice. As in many files of robots.
#[test]
fn a_solid_that_passes_through_itself_is_told_with_the_repair() {
    let folder = Folder::new();
    let (mut points, mut triangles) = cuboid(Vec3::ONE).unwrap().into_parts();
    let (others, of_others) = (points.clone(), triangles.clone());
    points.extend(others.iter().map(|p| *p + Vec3::new(0.3, 0.2, 0.5)));
    triangles.extend(of_others.iter().map(|t| t.map(|corner| corner + 8)));
    folder.put_stl("two.stl", &Soup::new(points, triangles).unwrap());
    let found = folder.inspect("two.stl");
    assert_eq!(found["defects"][0]["kind"], json!("self_crossing"));
    assert_eq!(found["repair"]["repairs"], json!(["unite"]));
    folder.ok(&["convert", "two.stl", "one.stl", "--repair"]);
    let whole = folder.inspect("one.stl");
    assert_eq!((&whole["solid"], &whole["defects"]), (&json!(true), &json!([])));
    let volume = whole["volume"].as_f64().unwrap();
    assert!((volume - (2.0 - 0.7 * 0.8 * 0.5)).abs() < 1e-6, "{volume}");
    // Nothing to do, and nothing done.
    folder.ok(&["convert", "one.stl", "same.stl", "--repair"]);
    assert_eq!(folder.inspect("same.stl")["volume"], whole["volume"]);
}
