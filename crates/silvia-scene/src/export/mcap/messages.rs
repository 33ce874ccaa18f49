//! The messages. Field names in Foxglove's schemas are Foxglove's.

use crate::drawing::Mesh;
use crate::recording::{AccountRow, Frame, FrameImpact, Header};
use serde::Serialize;
use serde_json::{Value, json};
use silvia_solid::{Quat, Vec3};
use silvia_world::RunAccount;

/// Thickness of the lines that show forces, screen pixels.
const THICKNESS: f64 = 4.0;
/// Colour of the lines that show forces: red, green, blue, opacity.
const FORCE_COLOUR: [f64; 4] = [0.9, 0.1, 0.1, 1.0];
/// Foxglove's code for separate lines between pairs of points.
const LINE_LIST: u8 = 2;
/// Standard gravity, to scale forces in scenes without gravity, m/s².
const STANDARD_GRAVITY: f64 = 9.806_65;

/// What the messages of a recording share.
pub(super) struct Words<'a> {
    names: Vec<&'a str>,
    /// The name of the fixed frame.
    root: String,
    /// Length of the line that shows a force, m/N.
    metres_per_newton: f64,
}

#[derive(Serialize)]
struct Time {
    sec: u64,
    nsec: u64,
}

#[derive(Serialize)]
struct Vector {
    x: f64,
    y: f64,
    z: f64,
}

#[derive(Serialize)]
struct Rotation {
    x: f64,
    y: f64,
    z: f64,
    w: f64,
}

#[derive(Serialize)]
struct Colour {
    r: f64,
    g: f64,
    b: f64,
    a: f64,
}

#[derive(Serialize)]
struct Placed {
    position: Vector,
    orientation: Rotation,
}

/// `foxglove.FrameTransforms`
#[derive(Serialize)]
pub(super) struct FrameTransforms<'a> {
    transforms: Vec<FrameTransform<'a>>,
}

#[derive(Serialize)]
struct FrameTransform<'a> {
    timestamp: Time,
    parent_frame_id: &'a str,
    child_frame_id: &'a str,
    translation: Vector,
    rotation: Rotation,
}

/// `foxglove.SceneUpdate`
#[derive(Serialize)]
pub(super) struct SceneUpdate<'a> {
    deletions: [u8; 0],
    entities: Vec<SceneEntity<'a>>,
}

#[derive(Serialize)]
struct SceneEntity<'a> {
    timestamp: Time,
    frame_id: &'a str,
    id: &'a str,
    lifetime: Time,
    frame_locked: bool,
    metadata: Vec<Value>,
    arrows: [u8; 0],
    cubes: [u8; 0],
    spheres: [u8; 0],
    cylinders: [u8; 0],
    lines: Vec<Line>,
    triangles: Vec<TriangleList<'a>>,
    texts: [u8; 0],
    models: [u8; 0],
}

#[derive(Serialize)]
struct Line {
    r#type: u8,
    pose: Placed,
    thickness: f64,
    scale_invariant: bool,
    points: Vec<Vector>,
    color: Colour,
    colors: [u8; 0],
    indices: [u8; 0],
}

#[derive(Serialize)]
struct TriangleList<'a> {
    pose: Placed,
    points: Vec<Vector>,
    color: Colour,
    colors: [u8; 0],
    indices: &'a [u32],
}

impl<'a> Words<'a> {
    pub(super) fn of(header: &'a Header) -> Words<'a> {
        let names: Vec<&str> = header.bodies.iter().map(|body| body.name.as_str()).collect();
        let mut root = "world".to_owned();
        while names.contains(&root.as_str()) {
            root.push('_');
        }
        Words { names, root, metres_per_newton: metres_per_newton(header) }
    }

    /// All bodies, sent once: each in a moving frame of its own.
    pub(super) fn bodies(&self, header: &'a Header, time: f64) -> SceneUpdate<'a> {
        let entity = |body: &'a crate::recording::RecordedBody| {
            let Mesh { points, triangles } = &*body.mesh;
            let [r, g, b] = body.colour.map(|channel| f64::from(channel) / 255.0);
            let triangles = TriangleList {
                pose: Placed::origin(),
                points: points.iter().copied().map(Vector::from).collect(),
                color: Colour { r, g, b, a: 1.0 },
                colors: [],
                indices: triangles.as_flattened(),
            };
            let metadata = vec![pair("role", &body.role), pair("mass_kg", &body.mass.to_string())];
            let frame_locked = true;
            SceneEntity {
                frame_locked,
                metadata,
                triangles: vec![triangles],
                ..SceneEntity::new(&body.name, &body.name, time)
            }
        };
        SceneUpdate { deletions: [], entities: header.bodies.iter().map(entity).collect() }
    }

    pub(super) fn poses(&self, frame: &Frame) -> FrameTransforms<'_> {
        let transform = |(pose, name): (&silvia_solid::Pose, &&'a str)| FrameTransform {
            timestamp: Time::at(frame.time),
            parent_frame_id: &self.root,
            child_frame_id: name,
            translation: pose.translation().into(),
            rotation: pose.rotation().into(),
        };
        FrameTransforms { transforms: frame.poses.iter().zip(&self.names).map(transform).collect() }
    }

    /// A line from each contact along the force on the second body.
    pub(super) fn forces(&self, frame: &Frame) -> SceneUpdate<'_> {
        let ends = |contact: &crate::recording::FrameContact| {
            [contact.point, contact.point + self.metres_per_newton * contact.force].map(Vector::from)
        };
        let [r, g, b, a] = FORCE_COLOUR;
        let line = Line {
            r#type: LINE_LIST,
            pose: Placed::origin(),
            thickness: THICKNESS,
            scale_invariant: true,
            points: frame.contacts.iter().flat_map(ends).collect(),
            color: Colour { r, g, b, a },
            colors: [],
            indices: [],
        };
        let entity = SceneEntity {
            metadata: vec![pair("metres_per_newton", &self.metres_per_newton.to_string())],
            lines: vec![line],
            ..SceneEntity::new(&self.root, "forces", frame.time)
        };
        SceneUpdate { deletions: [], entities: vec![entity] }
    }

    pub(super) fn contacts(&self, frame: &Frame) -> Value {
        let contact = |contact: &crate::recording::FrameContact| {
            let [a, b] = contact.bodies.map(|place| self.names[place as usize]);
            json!({
                "body_a": a,
                "body_b": b,
                "point_m": Vector::from(contact.point),
                "normal": Vector::from(contact.normal),
                "gap_m": contact.gap,
                "force_N": Vector::from(contact.force),
            })
        };
        let contacts: Vec<Value> = frame.contacts.iter().map(contact).collect();
        json!({ "time_s": frame.time, "count": contacts.len(), "contacts": contacts })
    }

    pub(super) fn impact(&self, impact: &FrameImpact) -> Value {
        let [a, b] = impact.bodies.map(|place| self.names[place as usize]);
        json!({
            "time_s": impact.time,
            "body_a": a,
            "body_b": b,
            "point_m": Vector::from(impact.point),
            "normal": Vector::from(impact.normal),
            "speed_m_per_s": impact.speed,
            "impulse_N_s": Vector::from(impact.impulse),
        })
    }
}

pub(super) fn energy(frame: &Frame) -> Value {
    let energy = &frame.energy;
    let (kinetic, potential, total) = (energy.kinetic, energy.potential, energy.total());
    json!({ "time_s": frame.time, "kinetic_J": kinetic, "potential_J": potential, "total_J": total })
}

/// Where energy and momentum went since the start of the run. An error of the motion that is not known is
/// `null`.
pub(super) fn account(row: &AccountRow) -> Value {
    let RunAccount { energy, momentum, .. } = &row.account;
    json!({
        "time_s": row.time,
        "step": row.step,
        "kinetic_gained_J": energy.kinetic,
        "potential_gained_J": energy.potential,
        "loads_J": energy.loads,
        "driven_J": energy.driven,
        "friction_J": energy.friction,
        "impacts_J": energy.impacts,
        "numerical_J": energy.numerical,
        "flowed_J": row.account.flowed(),
        "momentum_gained_N_s": Vector::from(momentum.change),
        "gravity_N_s": Vector::from(momentum.gravity),
        "loads_N_s": Vector::from(momentum.loads),
        "contacts_N_s": Vector::from(momentum.contacts),
        "numerical_N_s": Vector::from(momentum.numerical),
        "motion_error": row.motion_error,
    })
}

/// The data of a step. JSON has no infinity: an infinite gap is `null`.
pub(super) fn step(frame: &Frame) -> Value {
    let cost = &frame.cost;
    json!({
        "time_s": frame.time,
        "step": frame.step,
        "wall_s": cost.wall_seconds,
        "contacts": frame.contacts.len(),
        "impacts": frame.impacts.len(),
        "islands": cost.islands,
        "pieces": cost.pieces,
        "cuts": cost.cuts,
        "iterations": cost.iterations,
        "residual": cost.residual,
        "smallest_gap_m": cost.smallest_gap,
    })
}

/// The time in MCAP's unit; negative times have been refused.
pub(super) fn nanoseconds(time: f64) -> u64 {
    (time * 1e9).round() as u64
}

/// The scale of forces: the weight of the heaviest moving body is shown as a line of that body's size.
fn metres_per_newton(header: &Header) -> f64 {
    let heaviest = header.bodies.iter().max_by(|a, b| a.mass.total_cmp(&b.mass));
    let Some(body) = heaviest.filter(|body| body.mass > 0.0) else { return 1.0 };
    let size = body.mesh.points.iter().map(|point| 2.0 * point.distance(body.centre)).fold(0.0, f64::max);
    let gravity = header.gravity.length();
    let weight = body.mass * if gravity > 0.0 { gravity } else { STANDARD_GRAVITY };
    if size > 0.0 { size / weight } else { 1.0 / weight }
}

fn pair(key: &str, value: &str) -> Value {
    json!({ "key": key, "value": value })
}

impl<'a> SceneEntity<'a> {
    /// An empty entity that stays until it is replaced.
    fn new(frame_id: &'a str, id: &'a str, time: f64) -> SceneEntity<'a> {
        SceneEntity {
            timestamp: Time::at(time),
            frame_id,
            id,
            lifetime: Time { sec: 0, nsec: 0 },
            frame_locked: false,
            metadata: Vec::new(),
            arrows: [],
            cubes: [],
            spheres: [],
            cylinders: [],
            lines: Vec::new(),
            triangles: Vec::new(),
            texts: [],
            models: [],
        }
    }
}

impl Time {
    fn at(time: f64) -> Time {
        let nanoseconds = nanoseconds(time);
        Time { sec: nanoseconds / 1_000_000_000, nsec: nanoseconds % 1_000_000_000 }
    }
}

impl Placed {
    fn origin() -> Placed {
        Placed { position: Vec3::ZERO.into(), orientation: Quat::IDENTITY.into() }
    }
}

impl From<Vec3> for Vector {
    fn from(Vec3 { x, y, z }: Vec3) -> Vector {
        Vector { x, y, z }
    }
}

impl From<Quat> for Rotation {
    fn from(q: Quat) -> Rotation {
        Rotation { x: q.x, y: q.y, z: q.z, w: q.w }
    }
}
