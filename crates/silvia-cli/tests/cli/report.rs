//! `silvia render` and `silvia report`, as programs.

use crate::folder::Folder;
use serde_json::Value;
use silvia::prelude::*;
use silvia::proximity::Shape;
use silvia::scene::recording::{Frame, Header, RecordingWriter};
use silvia::world::{BodyBuilder, World, WorldSettings};
use std::path::Path;

/// A ball that falls freely, four frames of it, as the folder `run` holds it.
fn recorded() -> Folder {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("run")).unwrap();
    let mut world = World::new(WorldSettings::default()).unwrap();
    let at = Pose::from_translation(Vec3::new(0.0, 0.0, 1.0)).unwrap();
    world.add(BodyBuilder::free(Shape::sphere(0.1).unwrap()).named("ball").at(at)).unwrap();
    let header = Header {
        title: "Falling".to_owned(),
        bodies: Header::bodies_of(&world).unwrap(),
        gravity: world.settings().gravity,
        step: 0.01,
        steps_a_frame: 1,
        ..Header::default()
    };
    let mut writer = RecordingWriter::create(&folder.path("run/recording.silvia"), &header, false).unwrap();
    writer.frame(Frame::of(&world).unwrap()).unwrap();
    for _ in 0..3 {
        world.step(0.01).unwrap();
        writer.frame(Frame::of(&world).unwrap()).unwrap();
    }
    writer.flush().unwrap();
    folder
}

#[test]
fn the_ending_of_a_picture_says_what_is_written_and_others_are_refused() {
    let folder = recorded();
    let said = folder.ok(&["render", "run", "--fps", "50", "--size", "32x18", "-o", "film.gif"]);
    assert!(said.starts_with("film.gif: 2 frames of 32 by 18 pixels"), "{said}");
    assert!(said.ends_with(" bytes\n") || said.ends_with(" kB\n"), "it has no 0.0 MB: {said}");
    assert_eq!(&std::fs::read(folder.path("film.gif")).unwrap()[..6], b"GIF89a");
    folder.ok(&["render", "run", "--from", "0.01", "--to", "0.02", "--size", "32x18"]);
    assert!(folder.path("run/film.gif").is_file());
    for (arguments, expected) in [
        (&["-o", "x.jpg"][..], "pictures are written as .png and moving ones as .gif"),
        (&["-o", "x"], "pictures are written as .png"),
        (&["--at", "0.01", "-o", "x.gif"], "a .gif has --from, --to and --fps"),
        (&["--fps", "20", "-o", "x.png"], "name a file that ends in .gif"),
        (&["--fps", "500", "-o", "x.gif"], "at most 50 frames a second"),
    ] {
        let (code, told) = folder.fails(&[&["render", "run"], arguments].concat());
        assert!(code == 1 && told.contains(expected), "{told}");
        assert!(!folder.path("x.gif").exists() && !folder.path("x.png").exists());
    }
}

/// Width and height, from where a PNG file has them.
fn size(path: &Path) -> [u32; 2] {
    let bytes = std::fs::read(path).unwrap();
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    [16, 20].map(|at| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()))
}

#[test]
fn pictures_are_drawn_of_a_moment_of_several_and_of_all() {
    let folder = recorded();
    let said: Value =
        serde_json::from_str(&folder.ok(&["render", "run", "--at", "0.012", "--size", "64x36", "--json"]))
            .unwrap();
    assert_eq!(said["time"].as_f64().map(|t| (t * 1e9).round()), Some(1e7), "the frame nearest to the time");
    assert_eq!(size(&folder.path("run/picture.png")), [64, 36]);
    folder.ok(&["render", "run/recording.silvia", "--strip", "3", "--size", "40x30", "-o", "strip.png"]);
    assert_eq!(size(&folder.path("strip.png")), [3 * 40 + 2 * 4, 30]);
    let series = folder.ok(&["render", "run", "--every", "0.015", "--size", "16x9", "-o", "film.png"]);
    assert_eq!(series.lines().count(), 3, "{series}");
    for name in ["film-0001.png", "film-0002.png", "film-0003.png"] {
        assert_eq!(size(&folder.path(name)), [16, 9]);
    }
    let view = ["render", "run", "--eye", "-1,-2,1", "--target", "0,0,1", "--angle", "30", "--size", "16x9"];
    assert!(folder.ok(&view).ends_with("at 0.03 s\n"), "the last moment, in the run's own file");
}

#[test]
fn a_report_is_one_page_in_the_folder_of_the_run() {
    let folder = recorded();
    let said = folder.ok(&["report", "run"]);
    assert!(said.contains("report.html: 4 frames"), "{said}");
    let page = std::fs::read_to_string(folder.path("run/report.html")).unwrap();
    assert!(page.contains("<title>Falling</title>"));
    let said: Value = serde_json::from_str(&folder.ok(&["report", "run", "--json"])).unwrap();
    assert_eq!(said["bytes"].as_u64(), Some(page.len() as u64), "made again, it is the same");
    assert_eq!(std::fs::read_to_string(folder.path("run/report.html")).unwrap(), page);
}

#[test]
fn a_file_of_someone_else_is_not_replaced_unless_asked() {
    let folder = recorded();
    folder.put("mine.html", "mine");
    folder.put("mine.png", "mine");
    for command in ["report", "render"] {
        let name = if command == "report" { "mine.html" } else { "mine.png" };
        let (code, said) = folder.fails(&[command, "run", "-o", name]);
        assert_eq!((code, said.contains("--force")), (1, true), "{said}");
        assert_eq!(std::fs::read(folder.path(name)).unwrap(), b"mine");
        folder.ok(&[command, "run", "-o", name, "--force"]);
        assert_ne!(std::fs::read(folder.path(name)).unwrap(), b"mine");
    }
}

#[test]
fn what_cannot_be_drawn_is_said() {
    let folder = recorded();
    for (arguments, words) in [
        (&["render", "nowhere", "--at", "1"][..], "nowhere"),
        (&["render", "run", "--at", "7"], "from 0 s to 0.03 s"),
        (&["render", "run", "--size", "0x9"], "0 by 9"),
        (&["render", "run", "--strip", "0"], "cannot be drawn"),
        (&["render", "run", "--every", "1e-9"], "a longer time"),
        (&["render", "run", "--eye", "0,0,0", "--target", "0,0,0"], "the eye away from the target"),
        (&["report", "run", "-o", "no/such/folder.html"], "there is no folder no/such"),
    ] {
        let (code, said) = folder.fails(arguments);
        assert_eq!((code, said.contains(words)), (1, true), "{arguments:?}: {said}");
    }
    assert_eq!(folder.fails(&["render", "run", "--size", "wide"]).0, 2);
    assert_eq!(folder.fails(&["render", "run", "--eye", "1,nan,0"]).0, 2);
}

#[test]
fn the_report_of_a_scene_in_millimetres_is_in_millimetres() {
    let folder = Folder::new();
    let scene = "[units]\nlength = \"mm\"\n[run]\nuntil = 0.02\n[[body]]\nhalf_space = {}\nrole = \"fixed\"\n\
                 [[body]]\nsphere = { radius = 10 }\nposition = [0, 0, 10.5]\n";
    folder.put("ball.toml", scene);
    folder.ok(&["run", "ball.toml", "--out", "run", "--report"]);
    let page = std::fs::read_to_string(folder.path("run/report.html")).unwrap();
    for expected in [
        "<td>9810 mm/s²</td>",
        ">speed, mm/s</th>",
        r#""length":{"unit":"mm","aMetre":1000.0}"#,
        r#""name":"Smallest gap after a step","unit":"mm""#,
        r#""name":"Contact forces, mean over a step","unit":"N""#,
    ] {
        assert!(page.contains(expected), "{expected}");
    }
}
