//! `silvia crowd`.

use crate::folder::Folder;
use serde_json::{Value, json};

/// A cube of 2 m around the origin, a ball above it, a small cube inside, a floor below.
const SCENE: &str = r#"
within = 1.0

[[part]]
name = "cube"
file = "cube.obj"

[[part]]
name = "ball"
sphere = { radius = 0.5 }
pose = [0, 0, 1.8]

[[part]]
name = "core"
file = "small.obj"
pose = [0.1, 0, 0]

[[part]]
name = "floor"
half_space = { normal = [0, 0, 1], offset = -1.5 }
"#;

fn folder(scene: &str) -> Folder {
    let folder = Folder::new();
    folder.ok(&["make", "box", "--size", "2", "-o", "cube.obj"]);
    folder.ok(&["make", "box", "--size", "0.5", "-o", "small.obj"]);
    folder.put("crowd.toml", scene);
    folder
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_crowd_says_what_collides_and_then_the_rest_the_nearest_first() {
    let text = folder(SCENE).ok(&["crowd", "crowd.toml"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "cube, core: colliding: core is inside");
    assert!(lines[1].starts_with("cube, ball: 0.3 m apart, from ("), "{text}");
    assert!(lines[2].starts_with("cube, floor: 0.5 m apart, from ("), "{text}");
    assert_eq!(lines[3], "4 parts, 6 pairs asked about: 1 colliding, 2 more nearer than 1 m");
    assert_eq!(lines.len(), 4);
}

#[test]
fn without_a_reach_all_pairs_are_told() {
    let scene = SCENE.replace("within = 1.0", "");
    let text = folder(&scene).ok(&["crowd", "crowd.toml"]);
    assert!(text.contains("ball, floor: 2.8 m apart"), "{text}");
    assert!(text.ends_with("4 parts, 6 pairs asked about: 1 colliding, 5 apart\n"), "{text}");
}

#[test]
fn json_is_in_metres_with_one_object_a_pair() {
    let scene = format!(
        "unit = \"mm\"\n{}",
        SCENE.replace("file = \"cube.obj\"", "file = \"cube.obj\"\nunit = \"mm\"")
    );
    let found = lines(&folder(&scene).ok(&["crowd", "crowd.toml", "--json"]));
    assert_eq!(
        found[0],
        json!({ "pair": ["cube", "core"], "colliding": true, "triangles": [], "inside": "core" })
    );
    assert_eq!(found[1]["pair"], json!(["cube", "ball"]));
    assert!((found[1]["distance"].as_f64().unwrap() - 0.0003).abs() < 1e-15);
    assert_eq!(found[1]["a"][2], json!(0.001));
    assert_eq!(found[1]["features"][1], json!({ "patch": 0 }));
    assert_eq!(found[3], json!({ "parts": 4, "pairs": 6, "colliding": 1, "apart": 2 }));
}

#[test]
fn the_triangles_that_meet_are_told_if_asked_for() {
    let scene = SCENE.replace("pose = [0.1, 0, 0]", "pose = [1, 0, 0]");
    let folder = folder(&scene);
    let one = lines(&folder.ok(&["crowd", "crowd.toml", "--json"]));
    assert_eq!(one[0]["triangles"].as_array().unwrap().len(), 1);
    let all = lines(&folder.ok(&["crowd", "crowd.toml", "--json", "--all"]));
    assert!(all[0]["triangles"].as_array().unwrap().len() > 4);
    let text = folder.ok(&["crowd", "crowd.toml", "--all"]);
    assert!(text.contains("pairs of triangles meet\n  triangle "), "{text}");
}

#[test]
fn parts_pairs_and_groups_can_be_left_out() {
    let count = |scene: &str| {
        let found = lines(&folder(scene).ok(&["crowd", "crowd.toml", "--json"]));
        let last = found.last().unwrap();
        (last["pairs"].as_u64().unwrap(), last["colliding"].as_u64().unwrap())
    };
    assert_eq!(count(SCENE), (6, 1));
    assert_eq!(count(&format!("pairs_off = [[\"core\", \"cube\"]]\n{SCENE}")), (5, 0));
    assert_eq!(count(&SCENE.replace("name = \"core\"", "name = \"core\"\nactive = false")), (3, 0));
    // Only the floor is asked about with the cube, and the ball and the core with each other and the floor.
    let grouped = SCENE
        .replace("name = \"cube\"", "name = \"cube\"\ngroups = [\"still\"]\nmeets = [\"floor\"]")
        .replace("name = \"ball\"", "name = \"ball\"\ngroups = [\"loose\"]")
        .replace("name = \"core\"", "name = \"core\"\ngroups = [\"loose\"]")
        .replace("name = \"floor\"", "name = \"floor\"\ngroups = [\"floor\"]");
    assert_eq!(count(&grouped), (4, 0));
}

#[test]
fn a_file_of_several_parts_is_read_once() {
    // What is said about an open surface is said once for each time it is read.
    let folder = Folder::new();
    folder.put("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let part = |name: &str, more: &str| format!("[[part]]\nname = \"{name}\"\nfile = \"open.obj\"\n{more}\n");
    let scene = [
        part("a", ""),
        part("b", "pose = [0, 0, 1]"),
        part("c", "unit = \"mm\""),
        part("d", "surface = true"),
    ];
    folder.put("crowd.toml", scene.concat());
    let (said, noted) = folder.ok_with_notes(&["crowd", "crowd.toml"]);
    assert_eq!(noted.matches("note: open.obj: taken as a mere surface").count(), 2, "{noted}");
    assert!(said.contains("a, b: 1 m apart"), "{said}");
    assert!(said.contains("c, d: colliding"), "{said}");
}

#[test]
fn more_pairs_than_anybody_reads_are_pointed_out() {
    let folder = Folder::new();
    let crowd = |parts: usize, head: &str| -> String {
        let balls =
            (0..parts).map(|i| format!("[[part]]\nsphere = {{ radius = 1 }}\npose = [{}, 0, 0]\n", 3 * i));
        head.to_string() + &balls.collect::<String>()
    };
    let noted = |scene: String| {
        folder.put("crowd.toml", scene);
        folder.ok_with_notes(&["crowd", "crowd.toml"]).1
    };
    let note = "note: crowd.toml: all 101025 pairs are measured and shown: give `within` to see those nearer \
     than that alone\n";
    assert_eq!(noted(crowd(450, "")), note);
    assert_eq!(noted(crowd(450, "within = 1.5\n")), "");
    assert_eq!(noted(crowd(100, "")), "");
}

#[test]
fn every_kind_of_shape_can_be_given() {
    let shapes = [
        "box = { size = [1, 2, 3] }",
        "sphere = { radius = 1 }",
        "cylinder = { radius = 1, height = 2 }",
        "cone = { radius = 1, height = 2 }",
        "capsule = { radius = 1, height = 2 }",
        "ellipsoid = { semi_axes = [1, 2, 3] }",
        "cavity = { radius = 10 }",
        "half_space = { normal = [0, 0, 1] }",
        "prism = { sides = 6, radius = 1, height = 2 }",
        "torus = { ring = 2, tube = 0.5 }",
        "knot = { ring = 2, coil = 1, tube = 0.4, triangles = 500 }",
        "file = \"cube.obj\"\nsurface = true",
    ];
    let scene: String = shapes.iter().map(|shape| format!("[[part]]\n{shape}\n")).collect();
    let text = folder(&scene).ok(&["crowd", "crowd.toml"]);
    assert!(text.contains("12 parts, 66 pairs asked about"), "{text}");
    assert!(text.contains("box 1, sphere 2: colliding"), "{text}");
}

/// What is said about a broken file, after its name.
fn complaint(scene: &str) -> String {
    let (code, said) = folder(scene).fails(&["crowd", "crowd.toml"]);
    assert_eq!(code, 1);
    said.trim_end().strip_prefix("error: crowd.toml: ").unwrap_or_else(|| panic!("{said}")).to_string()
}

#[test]
fn broken_files_are_refused_with_the_line_and_what_to_do() {
    for (scene, said) in [
        ("", "there are no parts: begin each with a line [[part]]"),
        (
            "unit = \"parsec\"\n[[part]]\nsphere = { radius = 1 }",
            "line 1: \"parsec\" is not a unit: use m, mm, cm, um, in or ft",
        ),
        (
            "\nwithin = -1\n[[part]]\nsphere = { radius = 1 }",
            "line 2: `within` is -1: give a length of at least 0",
        ),
        (
            "within = nan\n[[part]]\nsphere = { radius = 1 }",
            "line 1: `within` is NaN: give a length of at least 0",
        ),
        (
            "[[part]]\nsphere = { radius = 1 }\n\n[[part]]\nname = \"x\"\n",
            "line 4: this part has no shape: give `file`, `box`, `sphere`, `cylinder`, `cone`, `capsule`, \
             `ellipsoid`, `half_space`, `cavity`, `prism`, `torus` or `knot`",
        ),
        (
            "[[part]]\nsphere = { radius = 1 }\nbox = { size = [1, 1, 1] }",
            "line 1: a part is one thing, not box and sphere: keep one of them",
        ),
        (
            "[[part]]\nsphere = { radius = -1 }",
            "line 2: the radius of the sphere is -1: it must be a positive, finite length in metres",
        ),
        (
            "[[part]]\nsphere = { radius = 1 }\npose = [1, 2]",
            "line 3: `pose`: a pose is 7 numbers, tx,ty,tz,qw,qx,qy,qz, or 3, tx,ty,tz; here are 2",
        ),
        (
            "[[part]]\nsphere = { radius = 1 }\npose = [0, 0, 0, 2, 0, 0, 0]",
            "line 3: `pose`: the quaternion (w 2, x 0, y 0, z 0) has length 2, not 1: normalise it, and \
             check the order w, x, y, z",
        ),
        (
            "[[part]]\nname = \"a\"\nsphere = { radius = 1 }\n\
             [[part]]\nname = \"a\"\nsphere = { radius = 1 }",
            "line 5: part 2 is called `a`, as part 1 is: give each another `name`",
        ),
        (
            "pairs_off = [[\"a\", \"c\"]]\n[[part]]\nname = \"a\"\nsphere = { radius = 1 }\n[[part]]\nname = \
             \"b\"\nsphere = { radius = 1 }",
            "line 1: `pairs_off`: there is no part `c`; there are a, b",
        ),
        (
            "pairs_off = [[\"a\", \"a\"]]\n[[part]]\nname = \"a\"\nsphere = { radius = 1 }",
            "line 1: `pairs_off`: `a` cannot be paired with itself: name two parts",
        ),
        (
            "pairs_off = [[\"a\"]]\n[[part]]\nname = \"a\"\nsphere = { radius = 1 }",
            "line 1: `pairs_off` lists pairs of names: [\"bolt\", \"plate\"]",
        ),
        (
            "[[part]]\nsphere = { radius = 1 }\nmeets = [\"walls\"]",
            "line 3: `meets`: no part is in a group `walls`: name it in the `groups` of a part",
        ),
        (
            "[[part]]\nsphere = { radius = 1 }\nunit = \"mm\"",
            "line 3: `unit` applies only to a `file`, and this part has none: put `unit` at the top",
        ),
        (
            "[[part]]\nsphere = { radius = 1 }\nsurface = true",
            "line 3: `surface` applies only to a `file`, and this part has none: leave it out",
        ),
        (
            "\nwithin = 1e31\n[[part]]\nsphere = { radius = 1 }",
            "line 2: `within` is 1e31: give at most 1e30 m, or leave it out to see all pairs",
        ),
        (
            "[[part]]\nname = \"\"\nsphere = { radius = 1 }",
            "line 2: \"\" cannot name a part in the answers: give a `name` of one line, not empty",
        ),
        (
            "[[part]]\nname = \"a\\nb\"\nsphere = { radius = 1 }",
            "line 2: \"a\\nb\" cannot name a part in the answers: give a `name` of one line, not empty",
        ),
        (
            "[[part]]\nfile = \"absent.stl\"",
            "line 2: absent.stl: there is no such file or folder: check the name",
        ),
        (
            "[[part]]\nname = \"far\"\nsphere = { radius = 1 }\npose = [1e31, 0, 0]",
            "part `far`: at that pose the object reaches beyond 1e30 m from the origin, where coordinates \
             are too coarse: check the pose and the units",
        ),
    ] {
        assert_eq!(complaint(scene), said, "{scene}");
    }
}

#[test]
fn parts_too_far_away_to_tell_anything_apart_are_refused() {
    let beyond = "at that pose the object reaches beyond 1e30 m from the origin, where coordinates are \
     too coarse: check the pose and the units";
    let floor = "[[part]]\nname = \"floor\"\nhalf_space = \
     { normal = [0, 0, 1], offset = -1e31 }\n[[part]]\nsphere = { radius = 1 }";
    assert_eq!(complaint(floor), format!("part `floor`: {beyond}"));

    let far = folder("[[part]]\nname = \"far\"\nfile = \"far.obj\"\nsurface = true");
    far.put("far.obj", "v 1e200 0 0\nv 2e200 0 0\nv 1e200 1e200 0\nf 1 2 3\n");
    let (code, said) = far.fails(&["crowd", "crowd.toml"]);
    assert_eq!((code, said), (1, format!("error: crowd.toml: part `far`: {beyond}\n")));
}

#[test]
fn what_the_file_format_itself_refuses_is_told_with_its_line() {
    for (scene, line, said) in [
        ("[[part]\nsphere = { radius = 1 }", "line 1: ", "(`silvia crowd --help` has an example)"),
        (
            "[[part]]\nsphere = { radius = 1 }\ncolour = \"red\"",
            "line 3: ",
            "unknown field `colour`, expected one of `name`, ",
        ),
        ("[[part]]\nsphere = { }", "line 2: ", "missing field `radius`"),
        ("[[part]]\nsphere = { radius = \"1\" }", "line 2: ", "`1` has no unit"),
        ("[[part]]\nsphere = { radius = true }", "line 2: ", "expected a number, or a text with a unit"),
        ("[[part]]\nbox = { size = [1, 2] }", "line 2: ", "expected"),
    ] {
        let told = complaint(scene);
        assert!(told.starts_with(line) && told.contains(said), "{told}");
    }
}

#[test]
fn a_file_that_is_absent_or_no_text_is_refused() {
    let folder = Folder::new();
    let (_, said) = folder.fails(&["crowd", "absent.toml"]);
    assert_eq!(said, "error: absent.toml: there is no such file or folder: check the name\n");
    folder.put("binary.toml", [0xff, 0xfe, 0x00]);
    let (_, said) = folder.fails(&["crowd", "binary.toml"]);
    assert_eq!(said, "error: binary.toml: this is not text: give a TOML file, see `silvia crowd --help`\n");
}
