//! The numbers of a recording as embedded in its page.

use super::base64::encoded;
use super::profile;
use super::series::{Curves, LENGTH, MOST_POINTS, PLOTS};
use super::thin::{coarser, evenly};
use super::watch;
use crate::drawing::Mesh;
use crate::picture::sun_of;
use crate::recording::{Frame, FrameContact, FrameImpact, ProfileRow, Recording, RecordingError};
use crate::smooth::SmoothMesh;
use crate::stage::{Stage, USUAL_SHAPE};
use serde_json::{Value, json};
use silvia_solid::Vec3;
use silvia_solid::files::Unit;
use std::collections::HashMap;
use std::sync::Arc;

/// The data of a page, and notes on what was left out.
pub(super) struct Embedded {
    pub(super) json: String,
    /// Notes for the reader.
    pub(super) notes: Vec<String>,
}

/// The most bytes of poses and velocities in a page.
const MOTION_BYTES: usize = 8 << 20;
/// Bytes per body and frame: position and velocity (f32) and rotation (four i16).
const BODY_BYTES: usize = 32;
/// The most frames in a page: 30 per second for ten minutes.
const MOST_FRAMES: usize = 18_000;
/// The most contacts in a page, over all frames: about 3 MB.
const MOST_CONTACTS: usize = 80_000;
/// The most impacts in a page.
const MOST_IMPACTS: usize = 20_000;
/// The most triangles of all meshes together.
const MOST_TRIANGLES: usize = 120_000;
/// The components of a unit quaternion are embedded as multiples of this.
const TURN_UNIT: f64 = 1.0 / 32_767.0;

/// Collects the data of a page.
pub(super) fn embedded(
    recording: &Recording,
    profile: &[ProfileRow],
    stage: &Stage,
    unit: Unit,
    fit: Value,
) -> Result<Embedded, RecordingError> {
    let header = recording.header();
    let mut notes = Vec::new();
    let movers = movers(recording)?;
    let kept = evenly(recording.len(), (MOTION_BYTES / (BODY_BYTES * movers.len().max(1))).min(MOST_FRAMES));
    if kept.len() < recording.len() {
        notes.push(format!(
            "The playback has {} of the recording's {} frames, evenly spread.",
            kept.len(),
            recording.len()
        ));
    }
    if recording.len() > MOST_POINTS {
        notes.push(
            "Each point of a plot stands for several frames: the largest value of them, the least gap, the \
             last energy."
                .to_owned(),
        );
    }
    let mut motion = Motion::new(stage.middle, movers.clone());
    let mut curves = Curves::new(recording.len(), header.steps_a_frame, unit);
    let accounts = recording.accounts()?;
    if accounts.is_empty() {
        notes.push("Where the energy went was not recorded.".to_owned());
    }
    let mut contacts: Vec<Vec<FrameContact>> = Vec::with_capacity(kept.len());
    let mut impacts: Vec<FrameImpact> = Vec::new();
    let mut wanted = kept.iter().copied().peekable();
    for (number, frame) in recording.frames().enumerate() {
        let frame = frame?;
        curves.add(&frame, &accounts);
        impacts.extend(&frame.impacts);
        if wanted.next_if_eq(&number).is_some() {
            motion.add(&frame);
            contacts.push(frame.contacts);
        }
    }
    let (meshes, mesh_of) = meshes(recording, stage, &mut notes);
    let first = recording.frame(0)?;
    let bodies: Vec<Value> = (header.bodies.iter().zip(&first.poses).enumerate())
        .map(|(number, (body, pose))| {
            json!({
                "name": body.name, "role": body.role, "mass": body.mass, "colour": body.colour,
                "centre": array(body.centre), "mesh": mesh_of[number],
                "mover": movers.binary_search(&number).ok(),
                "place": array(pose.translation() - stage.middle), "turn": pose.rotation().to_array(),
            })
        })
        .collect();
    let planes: Vec<Value> = (stage.planes(header).iter())
        .map(|(plane, colour)| {
            let offset = plane.offset - plane.normal.dot(stage.middle);
            json!({ "normal": array(plane.normal), "offset": offset, "colour": colour })
        })
        .collect();
    let view = stage.view;
    let json = json!({
        "title": header.title,
        "middle": array(stage.middle), "radius": stage.radius, "up": array(stage.up),
        "sun": array(sun_of(&view, stage.up)),
        "view": {
            "eye": array(view.eye - stage.middle), "target": array(view.target - stage.middle),
            "angle": view.angle, "shape": USUAL_SHAPE,
        },
        "length": { "unit": unit.symbol(), "aMetre": unit.from_metres(1.0) },
        "metresANewton": stage.metres_a_newton,
        "meshes": meshes, "bodies": bodies, "planes": planes,
        "motion": motion.json(),
        "contacts": contacts_json(&contacts, stage, &mut notes),
        "impacts": impacts_json(impacts, stage, &mut notes),
        "plots": {
            "times": doubles(&curves.times),
            "plots": PLOTS.map(|(name, of, log)| {
                json!({ "name": name, "unit": if of == LENGTH { unit.symbol() } else { of }, "log": log })
            }),
            "curves": curves.all.iter().map(|curve| json!({
                "name": curve.name, "unit": curve.unit, "plot": curve.plot, "values": doubles(&curve.values),
            })).collect::<Vec<Value>>(),
        },
        "watch": watch::embedded(recording, unit, stage.radius, &mut notes)?,
        "fit": fit,
        "profile": profile::embedded(profile),
    });
    Ok(Embedded { json: json.to_string(), notes })
}

/// The bodies that ever leave their first pose, in order.
fn movers(recording: &Recording) -> Result<Vec<usize>, RecordingError> {
    let first = recording.frame(0)?;
    let mut moves = vec![false; first.poses.len()];
    for frame in recording.frames() {
        for (moves, (now, then)) in moves.iter_mut().zip(frame?.poses.iter().zip(&first.poses)) {
            *moves |= now != then;
        }
    }
    Ok(moves.iter().enumerate().filter(|(_, moves)| **moves).map(|(number, _)| number).collect())
}

/// The poses of the moving bodies in each frame.
struct Motion {
    middle: Vec3,
    movers: Vec<usize>,
    times: Vec<f64>,
    places: Vec<f32>,
    turns: Vec<i16>,
    velocities: Vec<f32>,
}

impl Motion {
    fn new(middle: Vec3, movers: Vec<usize>) -> Motion {
        let (times, places, turns, velocities) = Default::default();
        Motion { middle, movers, times, places, turns, velocities }
    }

    fn add(&mut self, frame: &Frame) {
        self.times.push(frame.time);
        for &body in &self.movers {
            let pose = &frame.poses[body];
            self.places.extend((pose.translation() - self.middle).to_array().map(|x| x as f32));
            self.turns.extend(pose.rotation().to_array().map(|x| (x / TURN_UNIT).round() as i16));
            let velocity = frame.velocities.get(body).map_or(Vec3::ZERO, |twist| twist.linear);
            self.velocities.extend(velocity.to_array().map(|x| x as f32));
        }
    }

    fn json(&self) -> Value {
        let turns: Vec<u8> = self.turns.iter().flat_map(|x| x.to_le_bytes()).collect();
        json!({
            "times": doubles(&self.times), "places": floats(&self.places), "turns": encoded(&turns),
            "velocities": floats(&self.velocities),
        })
    }
}

/// The distinct meshes, and the index of each body's mesh; none if it is drawn as a plane or has nothing to
/// draw.
fn meshes(recording: &Recording, stage: &Stage, notes: &mut Vec<String>) -> (Vec<Value>, Vec<Option<usize>>) {
    let mut different: Vec<&Arc<Mesh>> = Vec::new();
    let mut known: HashMap<*const Mesh, usize> = HashMap::new();
    let mut mesh_of = Vec::new();
    for (number, body) in recording.header().bodies.iter().enumerate() {
        if stage.is_ground(number) || body.mesh.triangles.is_empty() {
            mesh_of.push(None);
            continue;
        }
        mesh_of.push(Some(*known.entry(Arc::as_ptr(&body.mesh)).or_insert_with(|| {
            different.push(&body.mesh);
            different.len() - 1
        })));
    }
    let all: usize = different.iter().map(|mesh| mesh.triangles.len()).sum();
    let share = MOST_TRIANGLES as f64 / all.max(MOST_TRIANGLES) as f64;
    let mut coarse = 0;
    let embedded = different.iter().map(|mesh| {
        let fewer = (share < 1.0).then(|| coarser(mesh, (share * mesh.triangles.len() as f64) as usize));
        coarse += fewer.iter().filter(|fewer| fewer.triangles.len() < mesh.triangles.len()).count();
        mesh_json(&SmoothMesh::of(fewer.as_ref().unwrap_or(mesh)))
    });
    let embedded = embedded.collect();
    if coarse > 0 {
        notes.push(format!(
            "{coarse} meshes are drawn coarser than they are ({all} triangles together); nothing was \
             computed with those drawn."
        ));
    }
    (embedded, mesh_of)
}

fn mesh_json(mesh: &SmoothMesh) -> Value {
    let normals: Vec<u8> = (mesh.normals.iter())
        .flat_map(|normal| normal.to_array().map(|x| (127.0 * x).round() as i8).into_iter().chain([0]))
        .flat_map(i8::to_le_bytes)
        .collect();
    let radius = mesh.points.iter().map(|p| p.length()).fold(0.0, f64::max);
    json!({
        "points": vectors(mesh.points.iter().copied()), "normals": encoded(&normals), "radius": radius,
        "closed": mesh.closed, "triangles": integers(mesh.triangles.iter().flatten()),
        "creases": integers(mesh.creases.iter().flatten()),
    })
}

/// The contacts, only the strongest of each frame if there are too many.
fn contacts_json(frames: &[Vec<FrameContact>], stage: &Stage, notes: &mut Vec<String>) -> Value {
    let all: usize = frames.iter().map(Vec::len).sum();
    let most = if all > MOST_CONTACTS { (MOST_CONTACTS / frames.len().max(1)).max(1) } else { usize::MAX };
    if all > MOST_CONTACTS {
        notes.push(format!(
            "Of each frame's contacts, the playback shows the {most} with the largest forces."
        ));
    }
    let mut starts = vec![0_u32];
    let mut kept: Vec<FrameContact> = Vec::new();
    for frame in frames {
        let mut strongest: Vec<&FrameContact> = frame.iter().collect();
        if frame.len() > most {
            strongest.sort_by(|a, b| b.force.length_squared().total_cmp(&a.force.length_squared()));
        }
        kept.extend(strongest.into_iter().take(most));
        starts.push(kept.len() as u32);
    }
    json!({
        "starts": integers(starts.iter()),
        "bodies": integers(kept.iter().flat_map(|contact| &contact.bodies)),
        "points": vectors(kept.iter().map(|contact| contact.point - stage.middle)),
        "forces": vectors(kept.iter().map(|contact| contact.force)),
    })
}

/// The impacts in order of time, only the strongest if there are too many.
fn impacts_json(mut impacts: Vec<FrameImpact>, stage: &Stage, notes: &mut Vec<String>) -> Value {
    if impacts.len() > MOST_IMPACTS {
        notes.push(format!("The playback shows the {MOST_IMPACTS} strongest of {} impacts.", impacts.len()));
        impacts.sort_by(|a, b| b.impulse.length_squared().total_cmp(&a.impulse.length_squared()));
        impacts.truncate(MOST_IMPACTS);
    }
    impacts.sort_by(|a, b| a.time.total_cmp(&b.time));
    let times: Vec<f64> = impacts.iter().map(|impact| impact.time).collect();
    json!({
        "times": doubles(&times), "bodies": integers(impacts.iter().flat_map(|impact| &impact.bodies)),
        "points": vectors(impacts.iter().map(|impact| impact.point - stage.middle)),
        "impulses": vectors(impacts.iter().map(|impact| impact.impulse)),
    })
}

fn array(v: Vec3) -> [f64; 3] {
    v.to_array()
}

pub(super) fn doubles(numbers: &[f64]) -> String {
    encoded(&numbers.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>())
}

fn floats(numbers: &[f32]) -> String {
    encoded(&numbers.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>())
}

fn vectors(all: impl Iterator<Item = Vec3>) -> String {
    floats(&all.flat_map(|v| v.to_array().map(|x| x as f32)).collect::<Vec<f32>>())
}

fn integers<'a>(numbers: impl Iterator<Item = &'a u32>) -> String {
    encoded(&numbers.flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>())
}
