//! Encodes the header as blocks and back: JSON that describes the recording and the layout of its frames,
//! then the scene's files and the meshes.

use super::RecordingError;
use super::block::Tag;
use super::frames::{Field, OF_BODY, OF_CONTACT, OF_FRAME, OF_IMPACT};
use super::header::{Header, RecordedBody, View};
use super::watch::Watch;
use crate::drawing::Mesh;
use crate::scene::SceneSource;
use serde::{Deserialize, Serialize};
use silvia_solid::Vec3;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The JSON of a header.
#[derive(Serialize, Deserialize)]
pub(crate) struct Head {
    title: String,
    about: String,
    made_by: String,
    method: String,
    step: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    accuracy: Option<f64>,
    until: f64,
    steps_a_frame: u64,
    gravity: [f64; 3],
    view: Option<HeadView>,
    source: HeadSource,
    /// Number of mesh blocks after the file blocks.
    meshes: usize,
    bodies: Vec<HeadBody>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    watches: Vec<Watch>,
    /// For readers of the file other than this program.
    #[serde(skip_deserializing)]
    units: BTreeMap<&'static str, &'static str>,
    #[serde(skip_deserializing)]
    frames: Option<HeadFrames>,
}

#[derive(Serialize, Deserialize)]
struct HeadView {
    eye: [f64; 3],
    target: [f64; 3],
    angle: f64,
}

#[derive(Serialize, Deserialize)]
struct HeadSource {
    name: String,
    text: String,
    /// Their names; each has a block that follows.
    files: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct HeadBody {
    name: String,
    role: String,
    mass: f64,
    centre: [f64; 3],
    colour: [u8; 3],
    /// Index of the mesh.
    mesh: usize,
}

/// The columns of a block of frames, with units.
#[derive(Serialize)]
struct HeadFrames {
    frame: [Field; OF_FRAME.len()],
    body: [Field; OF_BODY.len()],
    contact: [Field; OF_CONTACT.len()],
    impact: [Field; OF_IMPACT.len()],
}

/// Units of the numbers in the JSON.
const UNITS: [[&str; 2]; 8] = [
    ["step", "s"],
    ["until", "s"],
    ["gravity", "m/s^2"],
    ["view.eye", "m"],
    ["view.target", "m"],
    ["view.angle", "rad"],
    ["bodies.mass", "kg"],
    ["bodies.centre", "m"],
];

/// The blocks at the start of a file.
pub(crate) fn blocks(header: &Header) -> Result<Vec<(Tag, Vec<u8>)>, RecordingError> {
    check(header)?;
    let Header { title, about, source, method, step, until, steps_a_frame, gravity, bodies, .. } = header;
    let Header { watches, view, made_by, .. } = header;
    let mut head_bodies = Vec::with_capacity(bodies.len());
    let mut used: Vec<&Arc<Mesh>> = Vec::new();
    for body in bodies {
        let RecordedBody { name, role, mass, centre, colour, mesh } = body;
        let known = used.iter().position(|other| Arc::ptr_eq(other, mesh));
        let mesh = known.unwrap_or_else(|| {
            used.push(mesh);
            used.len() - 1
        });
        let (name, role) = (name.clone(), role.clone());
        head_bodies.push(HeadBody {
            name,
            role,
            mass: *mass,
            centre: centre.to_array(),
            colour: *colour,
            mesh,
        });
    }
    let head = Head {
        title: title.clone(),
        about: about.clone(),
        made_by: made_by.clone(),
        method: method.clone(),
        step: *step,
        accuracy: header.accuracy,
        until: *until,
        steps_a_frame: *steps_a_frame,
        gravity: gravity.to_array(),
        view: view.map(|view| HeadView {
            eye: view.eye.to_array(),
            target: view.target.to_array(),
            angle: view.angle,
        }),
        source: HeadSource {
            name: source.name.clone(),
            text: source.text.clone(),
            files: source.files.keys().cloned().collect(),
        },
        meshes: used.len(),
        bodies: head_bodies,
        watches: watches.clone(),
        units: UNITS.iter().map(|[name, unit]| (*name, *unit)).collect(),
        frames: Some(HeadFrames { frame: OF_FRAME, body: OF_BODY, contact: OF_CONTACT, impact: OF_IMPACT }),
    };
    #[allow(clippy::expect_used, reason = "strings, finite numbers and lists of them are JSON")]
    let json = serde_json::to_vec_pretty(&head).expect("a header is JSON");
    let files = source.files.values().map(|file| (Tag::FILE, file.clone()));
    let meshes = used.iter().map(|mesh| (Tag::MESH, mesh_bytes(mesh)));
    Ok([(Tag::HEADER, json)].into_iter().chain(files).chain(meshes).collect())
}

/// Decodes the header from consecutive blocks.
pub(crate) fn header<E>(
    mut next: impl FnMut(Tag) -> Result<Vec<u8>, E>,
    wrong: impl Fn(&'static str) -> E,
) -> Result<Header, E> {
    let head: Head =
        serde_json::from_slice(&next(Tag::HEADER)?).map_err(|_| wrong("its JSON is not as it must be"))?;
    let mut files = BTreeMap::new();
    for name in head.source.files {
        files.insert(name, next(Tag::FILE)?);
    }
    let mut meshes = Vec::new();
    for _ in 0..head.meshes {
        let mesh = mesh_of(&next(Tag::MESH)?).ok_or_else(|| wrong("a mesh is not as it must be"))?;
        meshes.push(Arc::new(mesh));
    }
    let mut bodies = Vec::with_capacity(head.bodies.len());
    for body in head.bodies {
        let HeadBody { name, role, mass, centre, colour, mesh } = body;
        let mesh = meshes.get(mesh).cloned().ok_or_else(|| wrong("a body has a mesh that is not there"))?;
        bodies.push(RecordedBody { name, role, mass, centre: Vec3::from_array(centre), colour, mesh });
    }
    let is_there = |body: &u32| (*body as usize) < bodies.len();
    if !head.watches.iter().flat_map(Watch::bodies).all(is_there) {
        return Err(wrong("a watch is of a body that is not there"));
    }
    let view = head.view.map(|HeadView { eye, target, angle }| View {
        eye: Vec3::from_array(eye),
        target: Vec3::from_array(target),
        angle,
    });
    Ok(Header {
        title: head.title,
        about: head.about,
        source: SceneSource { name: head.source.name, text: head.source.text, files },
        method: head.method,
        step: head.step,
        accuracy: head.accuracy,
        until: head.until,
        steps_a_frame: head.steps_a_frame,
        gravity: Vec3::from_array(head.gravity),
        bodies,
        watches: head.watches,
        view,
        made_by: head.made_by,
    })
}

/// Refuses numbers that are not finite, since JSON has no infinity, and watches of bodies that are not there.
fn check(header: &Header) -> Result<(), RecordingError> {
    let bodies = header.bodies.len();
    let mut watched = header.watches.iter().flat_map(Watch::bodies);
    if let Some(&body) = watched.find(|body| **body as usize >= bodies) {
        return Err(RecordingError::NoSuchWatched { body, bodies });
    }
    let finite = |what: &'static str, given: f64| {
        if given.is_finite() { Ok(()) } else { Err(RecordingError::NotFinite { what, given }) }
    };
    finite("step", header.step)?;
    header.accuracy.map_or(Ok(()), |accuracy| finite("accuracy", accuracy))?;
    finite("until", header.until)?;
    header.gravity.to_array().into_iter().try_for_each(|g| finite("gravity", g))?;
    for body in &header.bodies {
        finite("mass of a body", body.mass)?;
        body.centre.to_array().into_iter().try_for_each(|x| finite("centre of a body", x))?;
    }
    let Some(View { eye, target, angle }) = header.view else { return Ok(()) };
    finite("angle of the view", angle)?;
    [eye.to_array(), target.to_array()].concat().into_iter().try_for_each(|x| finite("view", x))
}

/// Two counts, the coordinates of the vertices in m, and the corners of the triangles.
fn mesh_bytes(mesh: &Mesh) -> Vec<u8> {
    let Mesh { points, triangles } = mesh;
    let mut bytes = Vec::with_capacity(8 + 24 * points.len() + 12 * triangles.len());
    bytes.extend_from_slice(&(points.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&(triangles.len() as u32).to_le_bytes());
    points.iter().flat_map(Vec3::to_array).for_each(|x| bytes.extend_from_slice(&x.to_le_bytes()));
    triangles.iter().flatten().for_each(|corner| bytes.extend_from_slice(&corner.to_le_bytes()));
    bytes
}

fn mesh_of(bytes: &[u8]) -> Option<Mesh> {
    let (points, rest) = bytes.split_first_chunk::<4>()?;
    let (triangles, rest) = rest.split_first_chunk::<4>()?;
    let [points, triangles] = [points, triangles].map(|count| u32::from_le_bytes(*count) as usize);
    let (coordinates, corners) = rest.split_at_checked(points.checked_mul(24)?)?;
    if Some(corners.len()) != triangles.checked_mul(12) {
        return None;
    }
    let points: Vec<Vec3> = coordinates
        .as_chunks::<8>()
        .0
        .as_chunks::<3>()
        .0
        .iter()
        .map(|point| Vec3::from_array(point.map(f64::from_le_bytes)))
        .collect();
    let triangles: Vec<[u32; 3]> =
        corners.as_chunks::<4>().0.as_chunks::<3>().0.iter().map(|t| t.map(u32::from_le_bytes)).collect();
    let is_good = points.iter().all(|point| point.is_finite())
        && triangles.iter().flatten().all(|&corner| (corner as usize) < points.len());
    is_good.then_some(Mesh { points, triangles })
}
