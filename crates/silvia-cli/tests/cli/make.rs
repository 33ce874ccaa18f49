//! `silvia make`, as a program.

use crate::folder::Folder;
use serde_json::json;

const SHAPES: [&str; 28] = [
    "box",
    "prism",
    "cylinder",
    "cone",
    "sphere",
    "torus",
    "knot",
    "peg",
    "hole",
    "bolt",
    "countersink",
    "tail",
    "socket",
    "l-bracket",
    "t-bracket",
    "gear",
    "screw",
    "nut",
    "cross-screw",
    "screwdriver",
    "key",
    "pocket",
    "stone",
    "hex-bolt",
    "hex-nut",
    "snap-hook",
    "snap-slot",
    "burr",
];

#[test]
fn a_part_of_default_size_is_as_large_in_every_unit() {
    let folder = Folder::new();
    for shape in SHAPES {
        folder.ok(&["make", shape, "-o", "metres.obj", "--force"]);
        folder.ok(&["make", shape, "--unit", "mm", "-o", "millimetres.obj", "--force"]);
        let [metres, millimetres] = ["metres.obj", "millimetres.obj"].map(|file| {
            let found = folder.inspect(file);
            let size = |axis: usize| ["max", "min"].map(|end| found["bounds"][end][axis].as_f64().unwrap());
            [0, 1, 2].map(|axis| size(axis)[0] - size(axis)[1])
        });
        for (metres, millimetres) in metres.into_iter().zip(millimetres) {
            assert!(
                (1000.0 * metres / millimetres - 1.0).abs() < 1e-9,
                "{shape}: {metres} m, {millimetres} mm"
            );
        }
    }
}

#[test]
fn a_length_may_have_a_unit_of_its_own() {
    let folder = Folder::new();
    folder.ok(&["make", "box", "--size", "40,20,10 mm", "-o", "part.obj"]);
    assert_eq!(folder.inspect("part.obj")["bounds"]["max"][0], 0.02);
    let (code, said) = folder.fails(&["make", "box", "--size", "4 miles", "-o", "part.obj"]);
    assert!(code == 2 && said.contains("is not a unit: use m, mm, cm"), "{said}");
}

#[test]
fn every_shape_is_a_solid_in_every_format() {
    let folder = Folder::new();
    for shape in SHAPES {
        for file in ["part.stl", "part.obj", "part.ply"] {
            folder.ok(&["make", shape, "-o", file, "--force"]);
            let found = folder.inspect(file);
            assert_eq!((&found["solid"], &found["defects"]), (&json!(true), &json!([])), "{shape} in {file}");
        }
    }
}

#[test]
fn parameters_have_the_effect_they_name() {
    let folder = Folder::new();
    let volume = |arguments: &[&str]| {
        folder.ok(&[&["make"], arguments, &["-o", "part.obj", "--force"]].concat());
        folder.inspect("part.obj")["volume"].as_f64().unwrap()
    };
    let near = |found: f64, expected: f64| {
        assert!((found - expected).abs() < 1e-9 * expected, "{found}, not {expected}")
    };
    near(volume(&["box", "--size", "1,2,3"]), 6.0);
    near(volume(&["box", "--size", "2"]), 8.0);
    near(volume(&["prism", "--sides", "4", "--radius", "1", "--height", "3"]), 6.0);
    near(
        volume(&["prism", "--outline", "0,0 4,0 4,4 0,4", "--hole", "1,1 2,1 2,2 1,2", "--height", "2"]),
        30.0,
    );
    // A square for a circle: base 2 r².
    near(volume(&["cylinder", "--radius", "2", "--height", "5", "--segments", "4"]), 40.0);
    near(volume(&["cone", "--radius", "3", "--height", "2", "--segments", "4"]), 12.0);
    near(volume(&["cone", "--radius", "2", "--top", "1", "--height", "3", "--segments", "4"]), 14.0);
}

#[test]
fn the_number_of_triangles_is_as_asked() {
    let folder = Folder::new();
    folder.ok(&["make", "sphere", "--frequency", "3", "-o", "part.stl"]);
    assert_eq!(folder.inspect("part.stl")["triangles"], 180);
    folder.ok(&["make", "torus", "--along", "10", "--around", "5", "-o", "part.stl", "--force"]);
    assert_eq!(folder.inspect("part.stl")["triangles"], 100);
    for shape in ["sphere", "knot"] {
        folder.ok(&["make", shape, "--triangles", "5000", "-o", "part.stl", "--force"]);
        let triangles = folder.inspect("part.stl")["triangles"].as_f64().unwrap();
        assert!((triangles / 5000.0 - 1.0).abs() < 0.1, "{triangles}");
    }
}

#[test]
fn parts_of_a_fit_are_as_far_apart_as_their_clearance() {
    let folder = Folder::new();
    // Between threads it is a little more: where corners of both face each other, the nut is wider.
    for (first, second, clearance, within) in [
        ("peg", "hole", 0.04, 1e-12),
        ("bolt", "countersink", 0.1, 1e-12),
        ("tail", "socket", 0.05, 1e-12),
        ("cross-screw", "screwdriver", 0.03, 1e-12),
        ("key", "pocket", 0.05, 1e-12),
        ("screw", "nut", 0.1, 2e-5),
        ("snap-hook", "snap-slot", 0.1, 1e-12),
        // M8, 6g/6H in the middle: a quarter of (28 + 118/2 + 160/2) um.
        ("hex-bolt", "hex-nut", 0.04175, 2e-6),
    ] {
        folder.ok(&["make", first, "-o", "a.obj", "--force"]);
        folder.ok(&["make", second, "-o", "b.obj", "--force"]);
        let text = folder.ok(&["distance", "a.obj", "b.obj", "--json"]);
        let found: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        let distance = found["distance"].as_f64().unwrap();
        assert!((distance - 1e-3 * clearance).abs() < within, "{first}, {second}: {distance}");
    }
}

#[test]
fn gears_at_their_centre_distance_run_clear_of_each_other() {
    let folder = Folder::new();
    // Half a tooth of the second wheel is turned away, so that a gap faces the tooth of the first.
    folder.ok(&["make", "gear", "--teeth", "20", "-o", "a.obj"]);
    folder.ok(&["make", "gear", "--teeth", "31", "-o", "b.obj"]);
    let gap_facing = "0.051,0,0";
    let text = folder.ok(&["distance", "a.obj", "b.obj", "--pose", gap_facing, "--json"]);
    let found: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    // Backlash 0.05 mm, shared by both flanks of both wheels, across flanks at 20 degrees.
    let distance = found["distance"].as_f64().unwrap();
    assert!((distance / (0.05e-3 * 20_f64.to_radians().cos()) - 1.0).abs() < 0.1, "{distance}");
}

#[test]
fn a_length_in_one_unit_is_written_in_another() {
    let folder = Folder::new();
    folder.ok(&["make", "box", "--size", "25.4", "--unit", "mm", "--unit-out", "in", "-o", "part.obj"]);
    let max = &folder.inspect("part.obj")["bounds"]["max"][0];
    assert!((max.as_f64().unwrap() - 0.5).abs() < 1e-15, "{max}");
}

#[test]
fn text_files_are_text() {
    let folder = Folder::new();
    for (file, first) in [("part.stl", "solid"), ("part.ply", "ply\nformat ascii")] {
        folder.ok(&["make", "box", "--text", "-o", file]);
        let text = std::fs::read_to_string(folder.path(file)).unwrap();
        assert!(text.starts_with(first), "{text}");
    }
}

#[test]
fn what_cannot_be_made_is_refused_and_no_file_is_left() {
    let folder = Folder::new();
    let refused: [(&[&str], i32, &str); 7] = [
        (&["box", "--size", "1,2"], 2, "give one number, or three with commas"),
        (&["box", "--size", "1,2,-3"], 2, "the number must be above 0"),
        (&["sphere", "--radius", "nan"], 2, "the number must be finite"),
        (&["cylinder", "--segments", "2"], 1, "error: segments is 2: at least 3 are needed"),
        (&["torus", "--ring", "1", "--tube", "2"], 1, "error: the tube of radius 2 runs into itself"),
        (&["knot", "--around-axis", "2", "--around-ring", "4"], 1, "make no knot: they must be coprime"),
        (&["sphere", "--frequency", "100000"], 1, "error: this body would have 2.000e11 triangles"),
    ];
    for (arguments, expected_code, expected) in refused {
        let (code, said) = folder.fails(&[&["make"], arguments, &["-o", "part.stl"]].concat());
        assert_eq!(code, expected_code, "{arguments:?}: {said}");
        assert!(said.contains(expected), "{arguments:?}: {said}");
        assert!(!folder.path("part.stl").exists());
    }
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let (code, said) = Folder::new().fails(&["make", "box", "-o", "absent/part.stl"]);
    assert_eq!(code, 1);
    assert!(said.starts_with("error: absent/part.stl: "), "{said}");
}

#[test]
fn words_of_other_programs_are_answered_with_ours() {
    let folder = Folder::new();
    let words: [(&[&str], &str); 6] = [
        (&["make", "cube", "-o", "part.stl"], "'box'"),
        (&["make", "ball", "-o", "part.stl"], "'sphere'"),
        (&["make", "donut", "-o", "part.stl"], "'torus'"),
        (&["simulate", "stack.toml"], "'run'"),
        (&["info", "part.stl"], "'inspect'"),
        (&["draw", "runs/stack"], "'render'"),
    ];
    for (arguments, expected) in words {
        let (code, said) = folder.fails(arguments);
        assert!(code == 2 && said.contains("subcommand exists: ") && said.contains(expected), "{said}");
    }
    let (_, said) = folder.fails(&["cube"]);
    assert!(!said.contains("exists"), "{said}");
}

/// The header said metres, whatever the numbers were in.
#[test]
fn the_header_of_a_file_names_the_unit_of_its_numbers() {
    let folder = Folder::new();
    for (name, unit) in [("a.obj", "mm"), ("b.stl", "in"), ("c.ply", "m")] {
        folder.ok(&["make", "box", "--unit", unit, "-o", name]);
        let bytes = std::fs::read(folder.path(name)).unwrap();
        let head = String::from_utf8_lossy(&bytes[..60]).into_owned();
        assert!(head.contains(&format!("unit {unit}")), "{head}");
    }
    folder.ok(&["make", "box", "--size", "0.3", "--unit", "mm", "-o", "d.obj"]);
    let text = std::fs::read_to_string(folder.path("d.obj")).unwrap();
    assert!(text.contains("v -0.15 -0.15 -0.15\n"), "{text}");
}
