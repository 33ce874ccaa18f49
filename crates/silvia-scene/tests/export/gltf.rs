//! Binary glTF: the rules of the specification on what is written, and the motion as players see it.

use crate::{all, common, frames};
use serde_json::Value;
use silvia_scene::export::Format;
use silvia_scene::recording::{Frame, Header, RecordedBody, Recording};
use silvia_solid::{Pose, Quat, Vec3};
use std::collections::HashSet;
use std::path::Path;

struct Glb {
    document: Value,
    binary: Vec<u8>,
}

impl Glb {
    fn read(path: &Path) -> Glb {
        let bytes = std::fs::read(path).unwrap();
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        assert_eq!((&bytes[..4], word(4), word(8)), (b"glTF".as_slice(), 2, bytes.len()));
        let json = word(12);
        assert_eq!((&bytes[16..20], json % 4), (b"JSON".as_slice(), 0));
        let document = serde_json::from_slice(&bytes[20..20 + json]).unwrap();
        let binary = if 20 + json == bytes.len() {
            Vec::new()
        } else {
            let size = word(20 + json);
            assert_eq!((&bytes[24 + json..28 + json], size % 4), (b"BIN\0".as_slice(), 0));
            assert_eq!(28 + json + size, bytes.len());
            bytes[28 + json..].to_vec()
        };
        Glb { document, binary }
    }

    fn list(&self, name: &str) -> &[Value] {
        self.document[name].as_array().map_or(&[], Vec::as_slice)
    }

    /// An accessor's numbers, and how many a value has; the rules on it are checked on the way.
    fn words(&self, accessor: &Value) -> (Vec<[u8; 4]>, usize) {
        let accessor = &self.list("accessors")[whole(accessor)];
        let view = &self.list("bufferViews")[whole(&accessor["bufferView"])];
        let width = match accessor["type"].as_str().unwrap() {
            "SCALAR" => 1,
            "VEC3" => 3,
            "VEC4" => 4,
            other => panic!("{other}"),
        };
        let (offset, length) = (whole(&view["byteOffset"]), whole(&view["byteLength"]));
        assert_eq!(offset % 4, 0, "aligned to the size of its numbers");
        assert_eq!(length, 4 * width * whole(&accessor["count"]));
        assert!(offset + length <= whole(&self.document["buffers"][0]["byteLength"]));
        let bytes = &self.binary[offset..offset + length];
        (bytes.chunks_exact(4).map(|c| c.try_into().unwrap()).collect(), width)
    }

    fn floats(&self, accessor: &Value) -> Vec<Vec<f32>> {
        let (words, width) = self.words(accessor);
        assert_eq!(self.list("accessors")[whole(accessor)]["componentType"], 5126);
        let numbers: Vec<f32> = words.into_iter().map(f32::from_le_bytes).collect();
        let values: Vec<Vec<f32>> = numbers.chunks_exact(width).map(<[f32]>::to_vec).collect();
        let described = &self.list("accessors")[whole(accessor)];
        for (bound, better) in [("min", f32::min as fn(f32, f32) -> f32), ("max", f32::max)] {
            if let Some(stated) = described[bound].as_array() {
                let found = |axis: usize| values.iter().map(|value| value[axis]).reduce(better).unwrap();
                let stated: Vec<f32> = stated.iter().map(|x| x.as_f64().unwrap() as f32).collect();
                assert_eq!(stated, (0..width).map(found).collect::<Vec<_>>(), "{bound}");
            }
        }
        values
    }

    fn has_bounds(&self, accessor: &Value) -> bool {
        let described = &self.list("accessors")[whole(accessor)];
        described["min"].is_array() && described["max"].is_array()
    }

    fn target(&self, accessor: &Value) -> &Value {
        let described = &self.list("accessors")[whole(accessor)];
        &self.list("bufferViews")[whole(&described["bufferView"])]["target"]
    }
}

fn whole(value: &Value) -> usize {
    value.as_u64().unwrap_or_else(|| panic!("not a whole number: {value}")) as usize
}

#[test]
fn the_file_keeps_the_rules_and_has_a_node_for_each_body() {
    let sample = common::sample();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.glb");
    all(&sample, Format::Gltf, &path);
    let glb = Glb::read(&path);
    assert_eq!(glb.document["asset"]["version"], "2.0");
    let nodes = glb.list("nodes");
    for (body, node) in sample.header().bodies.iter().zip(&nodes[1..]) {
        assert_eq!(node["name"], body.name.as_str());
        let primitive = &glb.list("meshes")[whole(&node["mesh"])]["primitives"][0];
        let (position, normal) = (&primitive["attributes"]["POSITION"], &primitive["attributes"]["NORMAL"]);
        assert!(glb.has_bounds(position));
        assert_eq!((glb.target(position), glb.target(&primitive["indices"])), (&34962.into(), &34963.into()));
        let (points, normals) = (glb.floats(position), glb.floats(normal));
        assert_eq!(points.len(), normals.len());
        let unit = |n: &Vec<f32>| (n.iter().map(|x| x * x).sum::<f32>().sqrt() - 1.0).abs() < 1e-6;
        assert!(normals.iter().all(unit));
        let indices: Vec<u32> =
            glb.words(&primitive["indices"]).0.into_iter().map(u32::from_le_bytes).collect();
        assert_eq!(indices.len(), 3 * body.mesh.triangles.len());
        for (index, corner) in indices.iter().zip(body.mesh.triangles.as_flattened()) {
            let found = Vec3::from_array([0, 1, 2].map(|axis| f64::from(points[*index as usize][axis])));
            let expected = body.mesh.points[*corner as usize];
            assert!((found - expected).length() < 1e-7 * (1.0 + expected.length()), "{found} {expected}");
        }
    }
    // Each node has at most one parent, and every list is without a gap.
    assert_eq!(nodes[0]["children"], serde_json::json!([1, 2, 3, 4]));
    assert_eq!(glb.document["scenes"][0]["nodes"], serde_json::json!([0]));
}

#[test]
fn bodies_move_as_recorded_with_up_where_gltf_has_it() {
    let sample = common::sample();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.glb");
    all(&sample, Format::Gltf, &path);
    let glb = Glb::read(&path);
    let root: Vec<f64> =
        glb.list("nodes")[0]["rotation"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    let root = Quat::from_slice(&root);
    assert!((root * Vec3::Z - Vec3::Y).length() < 1e-6 && (root * Vec3::X - Vec3::X).length() < 1e-6);

    let animation = &glb.list("animations")[0];
    let mut moved = HashSet::new();
    for channel in animation["channels"].as_array().unwrap() {
        let sampler = &animation["samplers"][whole(&channel["sampler"])];
        let (node, path) = (whole(&channel["target"]["node"]), channel["target"]["path"].as_str().unwrap());
        assert!(moved.insert((node, path)), "no target twice");
        assert!(glb.has_bounds(&sampler["input"]));
        let (times, values) = (glb.floats(&sampler["input"]), glb.floats(&sampler["output"]));
        assert!(times.windows(2).all(|pair| pair[0] < pair[1]) && times.len() == values.len());
        for ((frame, time), value) in frames(&sample).iter().zip(&times).zip(&values) {
            assert_eq!(time[0], frame.time as f32);
            let pose = &frame.poses[node - 1];
            if path == "translation" {
                assert_eq!(*value, pose.translation().as_vec3().to_array());
            } else {
                let turn = Quat::from_array([0, 1, 2, 3].map(|i| f64::from(value[i])));
                assert!(turn.dot(pose.rotation()).abs() > 1.0 - 1e-6 && turn.is_normalized());
            }
        }
        let near = |pair: &[Vec<f32>]| pair[0].iter().zip(&pair[1]).map(|(a, b)| a * b).sum::<f32>() > 0.0;
        assert!(path == "translation" || values.windows(2).all(near), "the short way round");
    }
    assert_eq!(moved.len(), 6, "three bodies move, the ground does not");
}

#[test]
fn a_turn_whose_numbers_change_sign_goes_on_the_short_way() {
    let sample = common::sample();
    let first = frames(&sample)[0].clone();
    let turned = |step: u32| {
        let turn = Quat::from_rotation_z(0.5 * f64::from(step));
        // Every second one is written as its negative, which is the same turn.
        let turn = if step.is_multiple_of(2) { turn } else { -turn };
        let mut frame = Frame { time: f64::from(step), ..first.clone() };
        frame.poses[2] = Pose::new(Vec3::ZERO, turn).unwrap();
        frame
    };
    let spinning = Recording::in_memory(sample.header().clone(), (0..20).map(turned).collect());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.glb");
    all(&spinning, Format::Gltf, &path);
    let glb = Glb::read(&path);
    let samplers = &glb.list("animations")[0]["samplers"];
    let turns = glb.floats(&samplers[1]["output"]);
    for pair in turns.windows(2) {
        let dot: f32 = pair[0].iter().zip(&pair[1]).map(|(a, b)| a * b).sum();
        assert!((dot - 0.25_f32.cos()).abs() < 1e-6, "{dot}");
    }
}

#[test]
fn bodies_of_one_part_share_its_triangles_whatever_their_colours() {
    let sample = common::sample();
    let part = &sample.header().bodies[2];
    let body = |name: &str, colour| RecordedBody { name: name.to_owned(), colour, ..part.clone() };
    let bodies = vec![body("a", [255, 0, 188]), body("b", [255, 0, 188]), body("c", [0, 10, 0])];
    let first = &frames(&sample)[0];
    let three = Frame {
        poses: vec![first.poses[2]; 3],
        velocities: vec![first.velocities[2]; 3],
        contacts: Vec::new(),
        ..first.clone()
    };
    let recording = Recording::in_memory(Header { bodies, ..sample.header().clone() }, vec![three]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.glb");
    all(&recording, Format::Gltf, &path);
    let glb = Glb::read(&path);
    assert_eq!(
        (glb.list("accessors").len(), glb.list("meshes").len(), glb.list("materials").len()),
        (3, 2, 2)
    );
    assert!(glb.list("animations").is_empty(), "one frame does not move");
    let nodes = glb.list("nodes");
    assert_eq!(nodes[1]["mesh"], nodes[2]["mesh"]);
    assert_ne!(nodes[1]["mesh"], nodes[3]["mesh"]);
    // Middle grey on screens, 188, is half the light.
    let colour = glb.list("materials")[0]["pbrMetallicRoughness"]["baseColorFactor"].as_array().unwrap();
    let colour: Vec<f64> = colour.iter().map(|x| x.as_f64().unwrap()).collect();
    assert!(colour[0] == 1.0 && colour[1] == 0.0 && (colour[2] - 0.5).abs() < 0.005 && colour[3] == 1.0);
    let dark = glb.list("materials")[1]["pbrMetallicRoughness"]["baseColorFactor"][1].as_f64().unwrap();
    assert!((dark - 10.0 / 255.0 / 12.92).abs() < 1e-12);
}

#[test]
fn a_recording_without_bodies_is_a_file_without_empty_lists() {
    let empty = Recording::in_memory(Header::default(), vec![Frame::default()]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.glb");
    all(&empty, Format::Gltf, &path);
    let glb = Glb::read(&path);
    let lists = glb.document.as_object().unwrap().values().filter_map(Value::as_array);
    assert!(lists.clone().all(|list| !list.is_empty()) && lists.count() == 2, "{}", glb.document);
    assert!(glb.list("nodes")[0]["children"].is_null());
}
