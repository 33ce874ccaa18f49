//! The guide's table of origins: every shape lies where it says.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use silvia_scene::scene::SceneSource;
use silvia_scene::{Overrides, Scene};
use silvia_solid::{Aabb, Pose, Vec3};
use std::collections::BTreeMap;
use std::path::Path;

/// How far the bounds of a shape may be from the table: half a unit of its last digit, mm.
const CLOSE: f64 = 5.1e-3;

#[test]
fn every_shape_lies_where_the_guide_says() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/scenes.md");
    let guide = std::fs::read_to_string(guide).unwrap();
    let rows = guide.lines().filter(|line| line.starts_with("| `") && line.contains("] to ["));
    let mut words = Vec::new();
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let written = cells[0].trim_matches('`');
        let bounds = bounds(written);
        let corners = cells[cells.len() - 1].split(" to ").map(vector);
        let [min, max]: [Vec3; 2] = corners.collect::<Vec<Vec3>>().try_into().unwrap();
        let off = (bounds.min - min).abs().max((bounds.max - max).abs()).max_element();
        assert!(off < CLOSE, "{written}: {} to {}, off by {off}", bounds.min, bounds.max);
        words.push(written.split(' ').next().unwrap().to_owned());
    }
    words.sort();
    words.dedup();
    // Without those that lie as a file or others say.
    let shapes = [
        "bolt",
        "box",
        "burr",
        "capsule",
        "cone",
        "countersink",
        "cross_screw",
        "cylinder",
        "ellipsoid",
        "gear",
        "hex_bolt",
        "hex_nut",
        "hole",
        "key",
        "knot",
        "l_bracket",
        "nut",
        "peg",
        "pocket",
        "prism",
        "screw",
        "screwdriver",
        "snap_hook",
        "snap_slot",
        "socket",
        "sphere",
        "stone",
        "t_bracket",
        "tail",
        "torus",
    ];
    assert_eq!(words, shapes);
}

fn bounds(shape: &str) -> Aabb {
    let text = format!("[units]\nlength = \"mm\"\n[[body]]\n{shape}\n");
    let scene =
        Scene::from_source(SceneSource { name: "row".to_owned(), text, files: BTreeMap::new() }).unwrap();
    let world = scene.setup(&Overrides::default()).unwrap().world;
    let id = world.ids().next().unwrap();
    let mut bounds = world.shape(id).unwrap().aabb(&Pose::IDENTITY);
    (bounds.min, bounds.max) = (1e3 * bounds.min, 1e3 * bounds.max);
    bounds
}

/// `[1, 2, 3]`
fn vector(text: &str) -> Vec3 {
    let numbers = text.trim_matches(['[', ']']).split(", ").map(|number| number.parse().unwrap());
    Vec3::from_slice(&numbers.collect::<Vec<f64>>())
}
