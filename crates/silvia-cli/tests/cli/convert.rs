//! `silvia convert`, as a program.

use crate::folder::Folder;
use serde_json::json;
use silvia::solid::Soup;
use silvia::solid::Vec3;
use silvia::solid::primitives::cuboid;

#[test]
fn a_part_survives_a_tour_of_all_formats() {
    let folder = Folder::new();
    folder.ok(&["make", "torus", "-o", "0.obj"]);
    folder.ok(&["convert", "0.obj", "1.ply"]);
    folder.ok(&["convert", "1.ply", "2.ply", "--text"]);
    folder.ok(&["convert", "2.ply", "3.obj"]);
    let (first, last) = (folder.inspect("0.obj"), folder.inspect("3.obj"));
    for key in ["triangles", "vertices", "edges", "genus", "volume", "inertia", "bounds"] {
        assert_eq!(first[key], last[key], "{key}: none of these formats rounds");
    }
    folder.ok(&["convert", "3.obj", "4.stl"]);
    folder.ok(&["convert", "4.stl", "5.stl", "--text"]);
    assert_eq!(folder.inspect("4.stl")["volume"], folder.inspect("5.stl")["volume"]);
}

#[test]
fn units_and_scale_multiply() {
    let folder = Folder::new();
    folder.ok(&["make", "box", "-o", "part.obj"]);
    folder.ok(&["convert", "part.obj", "out.obj", "--unit-in", "ft", "--unit-out", "in", "--scale", "2"]);
    assert!((folder.inspect("out.obj")["bounds"]["max"][0].as_f64().unwrap() - 12.0).abs() < 1e-12);
}

#[test]
fn a_part_is_put_elsewhere_in_its_own_unit_or_in_another() {
    let folder = Folder::new();
    folder.ok(&["make", "box", "--size", "10,20,70", "--unit", "mm", "-o", "part.obj"]);
    let bounds = |name: &str| {
        let bounds = &folder.inspect(name)["bounds"];
        ["min", "max"].map(|end| [0, 1, 2].map(|axis| bounds[end][axis].as_f64().unwrap()))
    };
    let place = |options: &[&str]| {
        folder.ok(&[&["convert", "part.obj", "put.obj", "--force", "--unit-in", "mm"], options].concat());
        bounds("put.obj")
    };
    // `inspect` reads the numbers in the file as metres, as they stand there.
    assert_eq!(place(&["--translate", "-1,0,35"]), [[-6.0, -10.0, 0.0], [4.0, 10.0, 70.0]]);
    assert_eq!(place(&["--translate", "0,0,3.5 cm"]), [[-5.0, -10.0, 0.0], [5.0, 10.0, 70.0]]);
    // About x: y goes to z, and z to -y; then about z: x to y, and y to -x. No coordinate has a rounding.
    assert_eq!(place(&["--rotate", "90,0,90"]), [[-35.0, -5.0, -10.0], [35.0, 5.0, 10.0]]);
    let all = place(&["--scale", "2", "--rotate", "0,90,0", "--translate", "100,0,0", "--unit-out", "cm"]);
    assert_eq!(all, [[3.0, -2.0, -1.0], [17.0, 2.0, 1.0]]);
    for wrong in
        [["--translate", "5"], ["--translate", "1,2,3 deg"], ["--rotate", "x"], ["--rotate", "1,2,3 mm"]]
    {
        let output = folder.silvia(&[&["convert", "part.obj", "no.obj"], &wrong[..]].concat());
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains("give three") || told.contains("unit"), "{told}");
    }
}

#[test]
fn nothing_is_repaired_unless_asked() {
    let folder = Folder::new();
    let (points, mut triangles) = cuboid(Vec3::ONE).unwrap().into_parts();
    triangles[3].swap(0, 1);
    triangles.push(triangles[0]);
    triangles.push([0, 1, 1]);
    folder.put_stl("bad.stl", &Soup::new(points, triangles).unwrap());
    folder.ok(&["convert", "bad.stl", "same.ply"]);
    assert_eq!(folder.inspect("bad.stl")["defects"], folder.inspect("same.ply")["defects"]);
    assert_eq!(folder.inspect("same.ply")["solid"], json!(false));

    let output = folder.silvia(&[
        "convert",
        "bad.stl",
        "good.ply",
        "--drop-degenerate",
        "--drop-duplicates",
        "--orient",
    ]);
    assert!(output.status.success());
    let said = String::from_utf8(output.stderr).unwrap();
    let expected = "bad.stl: degenerate triangles dropped: 1\n\
                    bad.stl: duplicate triangles dropped: 1\n\
                    bad.stl: triangles turned over: 1\n";
    assert_eq!(said, expected);
    assert_eq!(folder.inspect("good.ply")["volume"], json!(1.0));
}

#[test]
fn a_format_that_is_not_known_is_refused() {
    let folder = Folder::new();
    folder.ok(&["make", "box", "-o", "part.obj"]);
    let (code, said) = folder.fails(&["convert", "part.obj", "part.step"]);
    let expected = "error: part.step: the format \"step\" is not known here: use .stl, .obj or .ply\n";
    assert_eq!((code, said.as_str()), (1, expected));
}

/// A cube of 10 mm, one of whose edges has a middle that only one of its faces knows.
const T_JUNCTION: &str = "v 0 0 0\nv 10 0 0\nv 10 10 0\nv 0 10 0\nv 0 0 10\nv 10 0 10\nv 10 10 10\n\
    v 0 10 10\nv 5 0 0\nf 1 4 3 2\nf 5 6 7 8\nf 1 9 5\nf 9 2 6\nf 9 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

#[test]
fn t_junctions_are_split_when_asked_and_scenes_name_the_repair() {
    let folder = Folder::new();
    folder.put("nut.obj", T_JUNCTION);
    let (_, told) = folder.ok_with_notes(&[
        "convert",
        "nut.obj",
        "whole.obj",
        "--unit-in",
        "mm",
        "--split-t-junctions",
        "1e-3",
    ]);
    assert_eq!(told, "nut.obj: T-junctions split: 1\n");
    assert_eq!(folder.inspect("whole.obj")["solid"], json!(true));

    let scene = |more: &str| {
        format!("[[body]]\nhalf_space = {{}}\nrole = \"fixed\"\n[[body]]\nfile = \"nut.obj\"\n{more}\n")
    };
    folder.put("refused.toml", scene("unit = \"mm\""));
    let output = folder.silvia(&["check", "refused.toml"]);
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(
        told.contains("give `repair = [\"split_t_junctions\"]` (T-junctions split: 1; no point moves)"),
        "{told}"
    );
    folder.put("good.toml", scene("scale = 0.001\nrepair = [\"split_t_junctions\"]\nunit = \"m\""));
    let told = folder.ok(&["check", "good.toml"]);
    let note = "note: body[#2].repair: T-junctions split: 1; no point moves";
    assert!(told.contains(note) && told.contains("nothing is wrong"), "{told}");
    let output = folder.silvia(&["run", "good.toml", "--until", "0.002"]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains(note), "{told}");
    folder.put("wrong.toml", scene("scale = -1\nrepair = [\"split\"]"));
    let told = String::from_utf8(folder.silvia(&["check", "wrong.toml"]).stdout).unwrap();
    assert!(told.contains("a scale must be above 0"), "{told}");
}

/// Two boxes that were put together and never joined, as robots have them: the second is inside out, too.
const PUT_TOGETHER: &str = "\
v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nv 0 0 2\nv 2 0 2\nv 2 2 2\nv 0 2 2
f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8
v 1 .5 .5\nv 3 .5 .5\nv 3 1.5 .5\nv 1 1.5 .5\nv 1 .5 1.5\nv 3 .5 1.5\nv 3 1.5 1.5\nv 1 1.5 1.5
f 9 10 11 12\nf 16 15 14 13\nf 13 14 10 9\nf 14 15 11 10\nf 15 16 12 11\nf 16 13 9 12
";

#[test]
fn what_inspect_and_check_say_about_parts_put_together_makes_a_solid() {
    let folder = Folder::new();
    folder.put("two.obj", PUT_TOGETHER);
    let seen = folder.ok(&["inspect", "two.obj", "--unit", "mm", "--self-intersections"]);
    let row = "repair      silvia convert --unit-in mm --unite\n";
    assert!(seen.contains(row) && seen.contains("makes a solid of it (shells united: 2)"), "{seen}");
    let found = folder.ok(&["inspect", "two.obj", "--json", "--self-intersections"]);
    let found: serde_json::Value = serde_json::from_str(&found).unwrap();
    assert_eq!(found["repair"], json!({ "repairs": ["unite"], "within": 0.0 }));
    let output = folder.silvia(&["convert", "two.obj", "one.obj", "--unite"]);
    assert!(String::from_utf8(output.stderr).unwrap().contains("shells united: 2"));
    let one = folder.inspect("one.obj");
    assert_eq!((&one["solid"], &one["components"], &one["repair"]), (&json!(true), &json!(1), &json!(null)));
    assert!((one["volume"].as_f64().unwrap() - 9.0).abs() < 1e-9, "{}", one["volume"]);

    let scene = |more: &str| format!("[[body]]\nfile = \"two.obj\"\nunit = \"mm\"\n{more}\n");
    folder.put("refused.toml", scene(""));
    let told = String::from_utf8(folder.silvia(&["check", "refused.toml"]).stdout).unwrap();
    assert!(told.contains("give `repair = [\"unite\"]` (shells united: 2; "), "{told}");
    folder.put("good.toml", scene("repair = [\"unite\"]"));
    let told = folder.ok(&["check", "good.toml"]);
    assert!(told.contains("nothing is wrong"), "{told}");
}

/// `convert keep.stl keep.stl --weld 1` collapsed the only copy of a part.
#[test]
fn no_file_is_replaced_unless_asked() {
    let folder = Folder::new();
    folder.ok(&["make", "box", "-o", "keep.obj"]);
    let before = std::fs::read(folder.path("keep.obj")).unwrap();
    for arguments in
        [&["convert", "keep.obj", "keep.obj", "--weld", "2"][..], &["make", "torus", "-o", "keep.obj"]]
    {
        let (code, told) = folder.fails(arguments);
        assert_eq!(code, 1, "{told}");
        assert_eq!(told, "error: keep.obj: is there already: name another file, or add --force\n");
        assert_eq!(std::fs::read(folder.path("keep.obj")).unwrap(), before);
    }
    folder.ok(&["convert", "keep.obj", "keep.obj", "--scale", "2", "--force"]);
    assert_ne!(std::fs::read(folder.path("keep.obj")).unwrap(), before);
    folder.ok(&["make", "box", "-o", "keep.obj", "--force"]);
    assert_eq!(std::fs::read(folder.path("keep.obj")).unwrap(), before);
}
