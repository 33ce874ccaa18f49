//! Scenes become the worlds that they describe.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use proptest::prelude::*;
use silvia_contact::Twist;
use silvia_scene::scene::{SceneSource, Setup};
use silvia_scene::{Overrides, Scene, SceneError};
use silvia_solid::{Quat, Vec3};
use silvia_world::{Role, Script};
use std::f64::consts::PI;
use std::path::{Path, PathBuf};

fn everything() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenes/everything.toml")
}

fn parsed(text: &str) -> Result<Scene, SceneError> {
    Scene::from_source(SceneSource {
        name: "test.toml".to_owned(),
        text: text.to_owned(),
        ..SceneSource::default()
    })
}

fn setup(text: &str) -> Setup {
    parsed(text)
        .and_then(|scene| scene.setup(&Overrides::default()))
        .unwrap_or_else(|error| panic!("{error}"))
}

fn near(a: Vec3, b: [f64; 3]) -> bool {
    (a - Vec3::from(b)).length() < 1e-12
}

#[test]
fn everything_that_can_be_written_can_be_run() {
    let scene = Scene::load(&everything()).unwrap_or_else(|error| panic!("{error}"));
    let found: Vec<String> = scene.check().iter().map(ToString::to_string).collect();
    assert_eq!(found, [""; 0]);
    let mut setup = scene.setup(&Overrides::default()).unwrap();
    let header = &setup.header;
    assert_eq!((&header.title[..], &header.method[..]), ("Everything", "auto"));
    assert_eq!((header.step, header.until, header.steps_a_frame), (2e-3, 0.5, 5));
    assert_eq!(setup.run.threads, Some(2));
    assert!(near(header.gravity, [0.0, 0.0, -9.81]));
    let view = header.view.unwrap();
    assert!(near(view.eye, [0.4, -0.6, 0.3]) && (view.angle - 40_f64.to_radians()).abs() < 1e-15);
    assert_eq!(header.bodies.len(), 24);
    assert_eq!(header.bodies[1].name, "domino 1");
    assert_eq!(header.bodies[1].colour, [200, 30, 30]);
    assert_eq!(header.bodies[0].colour, [0xdd; 3]);
    // 5 x 20 x 40 mm of 600 kg/m³.
    assert!((header.bodies[1].mass - 600.0 * 4e-6).abs() < 1e-15);

    let world = &setup.world;
    let id = |name: &str| world.body_id(name).unwrap();
    assert!(near(world.pose(id("domino 5")).unwrap().translation(), [0.1, 0.0, 0.020001]));
    assert!(near(world.pose(id("grid 8")).unwrap().translation(), [-0.052, -0.092, 0.013]));
    assert!(near(world.pose(id("grid 2")).unwrap().translation(), [-0.052, -0.1, 0.005]));
    assert!(near(world.velocity(id("ring 1")).unwrap().angular, [0.0, 0.0, 2.0 * PI]));
    assert!(near(world.velocity(id("dumbbell")).unwrap().linear, [1e-4, 0.0, -0.02]));
    assert_eq!(world.loads(id("dumbbell")).unwrap().count(), 2);
    assert!(!world.is_active(id("off")).unwrap());
    assert!(!world.admits(id("domino 3"), id("ring 2")).unwrap(), "pairs_off is of all copies");
    assert!(world.admits(id("domino 3"), id("domino 4")).unwrap());
    assert!(!world.admits(id("shelf"), id("shelf")).unwrap_or(false));
    let law =
        world.pair_law(world.material_id("ice").unwrap(), world.material_id("rubber").unwrap()).unwrap();
    assert_eq!((law.friction, law.restitution), (0.1, 0.3));
    assert!(
        matches!(world.role(id("press")).unwrap(), Role::Scripted(Script::Poses(poses)) if poses.len() == 2)
    );
    assert!(matches!(world.role(id("tool")).unwrap(), Role::Held(_)));
    assert_eq!(setup.hands.len(), 2);
    let inertia = world.inertia(id("other tool")).unwrap();
    assert!((inertia.mass - 0.001).abs() < 1e-18 && near(inertia.centre, [0.0025; 3]));
    let hands: Vec<_> = world.hands().collect();
    assert!(hands.len() == 3 && hands.iter().all(|(_, body, _)| *body == id("dumbbell")));
    assert_eq!(hands[0].2.stiffness().linear, Vec3::splat(1000.0));
    assert!(near(hands[0].2.grip().translation(), [0.0, 0.0, 0.005]) && !hands[0].2.bears_weight());
    assert!(near(hands[0].2.push().angular, [0.001, 0.0, 0.0]));
    let goal = &setup.goals[0];
    assert_eq!((goal.body, goal.conditions.len(), goal.by), (id("dumbbell"), 6, 0.4));
    for _ in 0..3 {
        setup.step().unwrap();
    }
}

#[test]
fn every_scene_in_the_guide_is_as_good_as_it_looks() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/scenes.md");
    let guide = std::fs::read_to_string(guide).unwrap();
    let scenes: Vec<&str> =
        guide.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(scenes.len() >= 5, "{}", scenes.len());
    for text in scenes {
        let scene = parsed(text).unwrap_or_else(|error| panic!("{error} in\n{text}"));
        let found: Vec<String> = scene.check().iter().map(ToString::to_string).collect();
        assert!(found.is_empty(), "{found:?} in\n{text}");
        let mut setup = scene.setup(&Overrides::default()).unwrap();
        for _ in 0..3 {
            setup.step().unwrap();
        }
    }
}

#[test]
fn what_a_command_line_says_comes_before_what_the_scene_says() {
    let scene = Scene::load(&everything()).unwrap();
    let overrides = Overrides {
        method: Some("lcp".to_owned()),
        step: Some(1e-3),
        until: Some(0.1),
        threads: Some(1),
        ..Overrides::default()
    };
    let setup = scene.setup(&overrides).unwrap();
    assert_eq!(setup.header.method, "lcp");
    assert_eq!((setup.run.step, setup.run.until, setup.run.steps_a_frame), (1e-3, 0.1, 10));
    assert_eq!(setup.run.threads, Some(1));
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(scene.setup(&Overrides { step: Some(bad), ..Overrides::default() }).is_err(), "{bad}");
    }
    assert!(scene.setup(&Overrides { method: Some("luck".to_owned()), ..Overrides::default() }).is_err());
}

#[test]
fn a_scene_is_made_again_from_what_a_recording_keeps_without_any_file() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("parts")).unwrap();
    let corners = "v 0 0 0\nv 10 0 0\nv 0 10 0\nv 0 0 10\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
    std::fs::write(folder.path().join("parts/corner.obj"), corners).unwrap();
    let text = "[[body]]\nfile = \"parts/corner.obj\"\nunit = \"mm\"\n";
    std::fs::write(folder.path().join("scene.toml"), text).unwrap();
    let scene = Scene::load(&folder.path().join("scene.toml")).unwrap();
    let first = scene.setup(&Overrides::default()).unwrap();
    drop(folder);
    let again =
        Scene::from_source(first.header.source.clone()).unwrap().setup(&Overrides::default()).unwrap();
    assert_eq!(first.header, again.header);
    assert_eq!(first.world.hash(), again.world.hash());
    assert!((first.header.bodies[0].mass - 1000.0 * 1e-6 / 6.0).abs() < 1e-15, "a corner of 10 mm, of water");
}

#[cfg(unix)]
#[test]
fn a_link_out_of_the_folder_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("secret.obj");
    std::fs::write(&secret, "v 0 0 0\n").unwrap();
    let inside = folder.path().join("scene");
    std::fs::create_dir(&inside).unwrap();
    std::os::unix::fs::symlink(&secret, inside.join("part.obj")).unwrap();
    std::fs::write(inside.join("scene.toml"), "[[body]]\nfile = \"part.obj\"\n").unwrap();
    let error = Scene::load(&inside.join("scene.toml")).unwrap_err().to_string();
    assert!(error.contains("a link to a place outside the scene's folder"), "{error}");
}

#[test]
fn all_ways_to_say_a_rotation_agree() {
    let of = |rotation: &str| {
        let text = format!("[[body]]\nsphere = {{ radius = 1 }}\nrotation = {rotation}\n");
        let setup = setup(&text);
        let id = setup.world.ids().next().unwrap();
        setup.world.pose(id).unwrap().rotation()
    };
    let half = (0.5_f64).sqrt();
    let quarter = Quat::from_rotation_x(0.5 * PI);
    for rotation in [
        "{ axis = [2, 0, 0], angle = 90 }".to_owned(),
        "{ axis = [-1, 0, 0], angle = \"-0.25 turn\" }".to_owned(),
        "{ x = 90 }".to_owned(),
        format!("{{ x = \"{} rad\" }}", 0.5 * PI),
        format!("{{ quaternion = [{half}, {half}, 0, 0] }}"),
    ] {
        assert!(of(&rotation).dot(quarter).abs() > 1.0 - 1e-15, "{rotation}");
    }
    // First x, then y, then z, about the axes of the world: y goes to z by x, to x by y, to y by z.
    let turned = of("{ x = 90, y = 90, z = 90 }") * Vec3::Y;
    assert!(near(turned, [0.0, 1.0, 0.0]), "{turned}");
}

#[test]
fn a_ring_turns_bodies_and_their_velocities() {
    let setup = setup(
        "[[body]]\nname = \"b\"\nbox = { size = [1, 2, 3] }\nposition = [5, 1, 0]\nvelocity = [0, 3, 0]\n\
         ring = { count = 4, centre = [1, 1, 7] }\n",
    );
    let places = [[5.0, 1.0, 0.0], [1.0, 5.0, 0.0], [-3.0, 1.0, 0.0], [1.0, -3.0, 0.0]];
    let velocities = [[0.0, 3.0, 0.0], [-3.0, 0.0, 0.0], [0.0, -3.0, 0.0], [3.0, 0.0, 0.0]];
    for (number, (place, velocity)) in places.into_iter().zip(velocities).enumerate() {
        let id = setup.world.body_id(&format!("b {}", number + 1)).unwrap();
        let pose = setup.world.pose(id).unwrap();
        assert!(near(pose.translation(), place), "{pose:?}");
        assert!(
            (pose.rotation() * Vec3::X - (Vec3::from(place) - Vec3::new(1.0, 1.0, 0.0)) / 4.0).length()
                < 1e-12
        );
        assert!(near(setup.world.velocity(id).unwrap().linear, velocity));
    }
}

#[test]
fn a_hand_moves_its_body_through_the_poses_at_their_times() {
    let mut setup = setup(
        "gravity = [0, 0, 0]\n[run]\nstep = 0.01\nuntil = 1\n[[body]]\nname = \"tool\"\n\
         box = { size = [1, 1, 1] }\n\
         hand = { poses = [{ time = 0.1, position = [1, 0, 0] },\n\
         { time = 0.5, position = [3, 0, 0], rotation = { z = 90 } },\n\
         { time = 0.8, position = [3, 0, 3], rotation = { z = 90 } }] }\n",
    );
    let id = setup.world.body_id("tool").unwrap();
    let mut seen = Vec::new();
    while !setup.is_over() {
        setup.step().unwrap();
        seen.push((setup.world.steps(), setup.world.pose(id).unwrap()));
    }
    let at = |step: u64| seen.iter().find(|(number, _)| *number == step).unwrap().1;
    for (step, place, angle) in [
        (10, [1.0, 0.0, 0.0], 0.0),
        (30, [2.0, 0.0, 0.0], 45.0_f64),
        (50, [3.0, 0.0, 0.0], 90.0),
        (80, [3.0, 0.0, 3.0], 90.0),
        (100, [3.0, 0.0, 3.0], 90.0),
    ] {
        let pose = at(step);
        assert!((pose.translation() - Vec3::from(place)).length() < 1e-9, "{step}: {pose:?}");
        let expected = Quat::from_rotation_z(angle.to_radians());
        assert!(pose.rotation().dot(expected).abs() > 1.0 - 1e-9, "{step}: {pose:?}");
    }
}

#[test]
fn a_mark_of_byte_order_and_lines_of_windows_do_no_harm() {
    let text = "\u{feff}title = \"x\"\r\n[[body]]\r\nsphere = { radius = 1 }\r\n";
    assert_eq!(setup(text).header.title, "x");
    let error =
        parsed("\u{feff}\r\ntitl = 3\r\n[[body]]\r\nsphere = { radius = 1 }\r\n").unwrap_err().to_string();
    assert!(error.starts_with("test.toml:2:1: titl: "), "{error}");
}

#[test]
fn bodies_without_a_name_are_called_by_what_they_are() {
    let setup = setup(
        "[[part]]\nname = \"bolt\"\nsphere = { radius = 1 }\n[[body]]\npart = \"bolt\"\n[[body]]\npart = \
         \"bolt\"\n\
         position = [9, 0, 0]\n[[body]]\nbox = { size = [1, 1, 1] }\nposition = [0, 9, 0]\nrow = \
         { count = 2, by = [0, 0, 3] }\n",
    );
    let names: Vec<&str> = setup.header.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["bolt", "bolt 1", "box 1", "box 2"]);
}

proptest! {
    #[test]
    fn a_grid_has_one_body_a_cell(
        counts in [1..4_usize, 1..4_usize, 1..4_usize], by in [3.0..9.0_f64, 3.0..9.0, 3.0..9.0],
    ) {
        let [x, y, z] = counts;
        let text = format!(
            "[[body]]\nname = \"b\"\nsphere = {{ radius = 1 }}\ngrid = \
             {{ counts = [{x}, {y}, {z}], by = [{}, {}, {}] }}\n",
            by[0], by[1], by[2]
        );
        let setup = setup(&text);
        let mut number = 0;
        for k in 0..z {
            for j in 0..y {
                for i in 0..x {
                    number += 1;
                    let id = setup.world.body_id(&format!("b {number}")).unwrap();
                    let expected = [i as f64 * by[0], j as f64 * by[1], k as f64 * by[2]];
                    prop_assert!(near(setup.world.pose(id).unwrap().translation(), expected));
                    prop_assert_eq!(setup.world.velocity(id).unwrap(), Twist::default());
                }
            }
        }
        prop_assert_eq!(setup.header.bodies.len(), number);
    }
}
