//! Writes a binary glTF 2.0 file: the parts, a node for each body, and an animation of the moving ones.

mod binary;

use super::choice::Chosen;
use super::output::NewFile;
use super::{ExportError, Exported};
use crate::drawing::Mesh;
use crate::recording::{Header, RecordedBody};
use crate::smooth::SmoothMesh;
use binary::{Binary, Shape};
use serde_json::{Map, Value, json};
use silvia_solid::{Pose, Quat, Vec3};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

/// A matt surface.
const ROUGHNESS: f64 = 0.6;
/// The largest size that the header of a binary file can state, bytes.
const MOST: u64 = u32::MAX as u64;

pub(super) fn write(
    chosen: &Chosen<'_>,
    path: &Path,
    replace: bool,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Exported, ExportError> {
    let file = NewFile::create(path, replace)?;
    let header = chosen.header();
    let mut binary = Binary::default();
    let parts = Parts::of(header, &mut binary)?;
    let motion = Motion::of(chosen, progress)?;
    let (nodes, animations) = motion.nodes(header, &parts, &mut binary);
    let mut document = Map::new();
    document.insert("asset".to_owned(), json!({ "version": "2.0", "generator": header.made_by }));
    document.insert("scene".to_owned(), json!(0));
    document.insert("scenes".to_owned(), json!([{ "name": header.title, "nodes": [0] }]));
    // Empty lists are not allowed.
    let buffers =
        if binary.bytes.is_empty() { vec![] } else { vec![json!({ "byteLength": binary.bytes.len() })] };
    for (name, list) in [
        ("nodes", nodes),
        ("meshes", parts.meshes),
        ("materials", parts.materials),
        ("animations", animations),
        ("accessors", binary.accessors),
        ("bufferViews", binary.views),
        ("buffers", buffers),
    ] {
        if !list.is_empty() {
            document.insert(name.to_owned(), Value::Array(list));
        }
    }
    save(file, Value::Object(document).to_string(), &binary.bytes, chosen.len())
}

/// The geometry and materials of the bodies.
struct Parts {
    meshes: Vec<Value>,
    materials: Vec<Value>,
    /// The mesh of each body, if it has triangles.
    of_body: Vec<Option<usize>>,
}

impl Parts {
    /// Bodies from the same part share its arrays, and its mesh if they have the same colour.
    fn of(header: &Header, binary: &mut Binary) -> Result<Parts, ExportError> {
        let mut known: Vec<(&Arc<Mesh>, Option<[usize; 3]>)> = Vec::new();
        let mut colours: Vec<[u8; 3]> = Vec::new();
        let mut looks: Vec<([usize; 3], usize)> = Vec::new();
        let mut parts = Parts { meshes: Vec::new(), materials: Vec::new(), of_body: Vec::new() };
        for body in &header.bodies {
            let arrays = match known.iter().find(|(mesh, _)| Arc::ptr_eq(mesh, &body.mesh)) {
                Some((_, arrays)) => *arrays,
                None => {
                    let arrays = arrays(body, binary)?;
                    known.push((&body.mesh, arrays));
                    arrays
                }
            };
            let mesh = arrays.map(|arrays| {
                let material = place(&mut colours, body.colour);
                if material == parts.materials.len() {
                    parts.materials.push(material_of(body.colour));
                }
                let mesh = place(&mut looks, (arrays, material));
                if mesh == parts.meshes.len() {
                    let [position, normal, indices] = arrays;
                    parts.meshes.push(json!({ "name": body.name, "primitives": [{
                        "attributes": { "POSITION": position, "NORMAL": normal },
                        "indices": indices,
                        "material": material,
                    }]}));
                }
                mesh
            });
            parts.of_body.push(mesh);
        }
        Ok(parts)
    }
}

/// The index of a value in a list; appends it if it is not there.
fn place<T: PartialEq>(list: &mut Vec<T>, value: T) -> usize {
    list.iter().position(|known| *known == value).unwrap_or_else(|| {
        list.push(value);
        list.len() - 1
    })
}

/// Accessors of positions, normals and indices; none if there is nothing to draw.
fn arrays(body: &RecordedBody, binary: &mut Binary) -> Result<Option<[usize; 3]>, ExportError> {
    let smooth = SmoothMesh::of(&body.mesh);
    if smooth.triangles.is_empty() {
        return Ok(None);
    }
    let single = |v: &Vec3| v.as_vec3().to_array();
    if let Some(far) = smooth.points.iter().find(|&p| !single(p).iter().all(|x| x.is_finite())) {
        let value = far.abs().max_element();
        return Err(ExportError::TooFar { what: format!("a corner of {}", body.name), value });
    }
    let points: Vec<f32> = smooth.points.iter().flat_map(single).collect();
    let normals: Vec<f32> = smooth.normals.iter().flat_map(single).collect();
    Ok(Some([
        binary.vertices(&points, true),
        binary.vertices(&normals, false),
        binary.indices(smooth.triangles.as_flattened()),
    ]))
}

fn material_of(colour: [u8; 3]) -> Value {
    let [r, g, b] = colour.map(linear);
    let looks =
        json!({ "baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.0, "roughnessFactor": ROUGHNESS });
    // Open surfaces are visible from both sides.
    json!({ "pbrMetallicRoughness": looks, "doubleSided": true })
}

/// An sRGB colour channel as linear light (IEC 61966-2-1).
fn linear(channel: u8) -> f64 {
    let value = f64::from(channel) / 255.0;
    if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

/// The poses of the bodies over time, in single precision.
struct Motion {
    /// Times since the first frame, s, ascending.
    times: Vec<f32>,
    tracks: Vec<Track>,
}

/// The pose of a body at the first frame, and at all frames once it has moved.
struct Track {
    start: Pose,
    moved: bool,
    translations: Vec<[f32; 3]>,
    rotations: Vec<[f32; 4]>,
    last: Quat,
}

impl Motion {
    fn of(chosen: &Chosen<'_>, progress: &mut dyn FnMut(usize, usize)) -> Result<Motion, ExportError> {
        let mut motion = Motion { times: Vec::new(), tracks: Vec::new() };
        let mut first = 0.0;
        let mut before = 0.0;
        for (done, frame) in chosen.frames().enumerate() {
            let (_, frame) = frame?;
            if done == 0 {
                first = frame.time;
                motion.tracks = frame.poses.iter().map(Track::new).collect();
            }
            let time = (frame.time - first) as f32;
            if motion.times.last().is_some_and(|last| time <= *last) {
                return Err(ExportError::TooFine { before, after: frame.time });
            }
            before = frame.time;
            motion.times.push(time);
            for ((track, pose), body) in
                motion.tracks.iter_mut().zip(&frame.poses).zip(&chosen.header().bodies)
            {
                track.add(pose, done, &body.name)?;
            }
            progress(done + 1, chosen.len());
        }
        Ok(motion)
    }

    /// The root, which rotates to glTF's up axis; a node for each body; and the animation, if anything moves.
    fn nodes(&self, header: &Header, parts: &Parts, binary: &mut Binary) -> (Vec<Value>, Vec<Value>) {
        let up = (-header.gravity).try_normalize().unwrap_or(Vec3::Z);
        let turn = Quat::from_rotation_arc(up, Vec3::Y).as_quat().to_array();
        let mut root = json!({ "name": "world", "rotation": turn });
        if !header.bodies.is_empty() {
            root["children"] = (1..=header.bodies.len()).collect();
        }
        let mut nodes = vec![root];
        let (mut samplers, mut channels) = (Vec::new(), Vec::new());
        let mut input = None;
        for ((body, track), mesh) in header.bodies.iter().zip(&self.tracks).zip(&parts.of_body) {
            let node = nodes.len();
            let (translation, rotation) = single(&track.start);
            let mut described =
                json!({ "name": body.name, "translation": translation, "rotation": rotation });
            if let Some(mesh) = mesh {
                described["mesh"] = json!(mesh);
            }
            nodes.push(described);
            if !track.moved {
                continue;
            }
            let input = *input.get_or_insert_with(|| binary.floats(&self.times, Shape::Scalar, true));
            let translations = binary.floats(track.translations.as_flattened(), Shape::Vec3, false);
            let rotations = binary.floats(track.rotations.as_flattened(), Shape::Vec4, false);
            for (path, output) in [("translation", translations), ("rotation", rotations)] {
                channels.push(json!({ "sampler": samplers.len(), "target": { "node": node, "path": path } }));
                samplers.push(json!({ "input": input, "output": output, "interpolation": "LINEAR" }));
            }
        }
        let animation = json!({ "name": "run", "channels": channels, "samplers": samplers });
        (nodes, if samplers.is_empty() { vec![] } else { vec![animation] })
    }
}

impl Track {
    fn new(start: &Pose) -> Track {
        let (translations, rotations) = (Vec::new(), Vec::new());
        Track { start: *start, moved: false, translations, rotations, last: start.rotation() }
    }

    /// Adds the pose at a frame, after `before` earlier ones.
    fn add(&mut self, pose: &Pose, before: usize, name: &str) -> Result<(), ExportError> {
        if !self.moved && *pose != self.start {
            self.moved = true;
            let (translation, rotation) = single(&self.start);
            self.translations = vec![translation; before];
            self.rotations = vec![rotation; before];
        }
        let (translation, _) = single(pose);
        if !translation.iter().all(|x| x.is_finite()) {
            let value = pose.translation().abs().max_element();
            return Err(ExportError::TooFar { what: format!("the position of {name}"), value });
        }
        // A quaternion and its negative are the same rotation, but players interpolate the numbers: keep them
        // close.
        let turn = pose.rotation();
        self.last = if turn.dot(self.last) < 0.0 { -turn } else { turn };
        if self.moved {
            self.translations.push(translation);
            self.rotations.push(self.last.as_quat().normalize().to_array());
        }
        Ok(())
    }
}

/// In single precision, with the quaternion normalised.
fn single(pose: &Pose) -> ([f32; 3], [f32; 4]) {
    (pose.translation().as_vec3().to_array(), pose.rotation().as_quat().normalize().to_array())
}

/// Writes a header and two chunks: the document padded with spaces and the arrays with zeros, to multiples of
/// 4.
fn save(
    mut file: NewFile,
    mut document: String,
    binary: &[u8],
    frames: usize,
) -> Result<Exported, ExportError> {
    while !document.len().is_multiple_of(4) {
        document.push(' ');
    }
    let padding = vec![0; binary.len().next_multiple_of(4) - binary.len()];
    let arrays = binary.len() + padding.len();
    let chunks = if arrays == 0 { 0 } else { 8 + arrays };
    let bytes = (12 + 8 + document.len() + chunks) as u64;
    if bytes > MOST {
        return Err(ExportError::TooLarge { bytes });
    }
    let path = file.path();
    let mut put = || {
        for word in [*b"glTF", 2_u32.to_le_bytes(), (bytes as u32).to_le_bytes()] {
            file.write_all(&word)?;
        }
        file.write_all(&(document.len() as u32).to_le_bytes())?;
        file.write_all(b"JSON")?;
        file.write_all(document.as_bytes())?;
        if arrays > 0 {
            file.write_all(&(arrays as u32).to_le_bytes())?;
            file.write_all(b"BIN\0")?;
            file.write_all(binary)?;
            file.write_all(&padding)?;
        }
        Ok(())
    };
    put().map_err(ExportError::at(&path))?;
    file.finish(frames)
}
