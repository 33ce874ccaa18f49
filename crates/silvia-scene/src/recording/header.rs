//! What does not change in a recording.

use crate::drawing::Mesh;
use crate::scene::SceneSource;
use silvia_solid::Vec3;
use silvia_world::{Role, World, WorldError};
use std::sync::Arc;

/// What was run, and with what: all of a recording that does not change from frame to frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Header {
    /// For headings.
    pub title: String,
    /// A sentence or more, of the person who wrote the scene.
    pub about: String,
    /// From which the world can be made again.
    pub source: SceneSource,
    /// The response method by name.
    pub method: String,
    /// Length of a step, s.
    pub step: f64,
    /// When the run ends, s.
    pub until: f64,
    /// Steps from one frame to the next.
    pub steps_a_frame: u64,
    /// m/s²
    pub gravity: Vec3,
    /// In the order in which frames list them.
    pub bodies: Vec<RecordedBody>,
    /// Where to look from, if the scene says so.
    pub view: Option<View>,
    /// The program and its version.
    pub made_by: String,
}

/// A body as far as it does not change.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedBody {
    /// No two have the same.
    pub name: String,
    /// `free`, `fixed`, `held` or `scripted`.
    pub role: String,
    /// kg; 0 for what nothing moves.
    pub mass: f64,
    /// Centre of mass in the body's frame, m.
    pub centre: Vec3,
    /// Red, green, blue, as on screens (sRGB).
    pub colour: [u8; 3],
    /// In the body's frame. Bodies of one part share it.
    pub mesh: Arc<Mesh>,
}

/// Where a picture is taken from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Where the eye is, m.
    pub eye: Vec3,
    /// What it looks at, m.
    pub target: Vec3,
    /// Angle of the picture's height, rad.
    pub angle: f64,
}

/// Colours of bodies of which the scene says nothing, in turn: told apart by people who see colours
/// differently (Okabe and Ito).
const COLOURS: [[u8; 3]; 7] = [
    [0, 114, 178],
    [230, 159, 0],
    [0, 158, 115],
    [213, 94, 0],
    [86, 180, 233],
    [204, 121, 167],
    [240, 228, 66],
];
/// Of what nothing moves.
const COLOUR_OF_FIXED: [u8; 3] = [190, 190, 190];
/// A half-space is drawn this many times as far as the bodies reach.
const GROUND: f64 = 2.0;

impl Header {
    /// The bodies of a world, in its order, as they are drawn unless the scene says otherwise.
    pub fn bodies_of(world: &World) -> Result<Vec<RecordedBody>, WorldError> {
        let extent = GROUND * reach(world)?;
        let mut drawn: Vec<Arc<Mesh>> = Vec::new();
        let mut colours = COLOURS.iter().cycle();
        world
            .ids()
            .map(|id| {
                let mesh = Mesh::of(world.shape(id)?, extent);
                let mesh = match drawn.iter().find(|known| ***known == mesh) {
                    Some(known) => known.clone(),
                    None => {
                        drawn.push(Arc::new(mesh));
                        drawn[drawn.len() - 1].clone()
                    }
                };
                let role = world.role(id)?;
                let colour = match role {
                    Role::Fixed => COLOUR_OF_FIXED,
                    _ => *colours.next().unwrap_or(&COLOUR_OF_FIXED),
                };
                Ok(RecordedBody {
                    name: world.name(id)?.to_owned(),
                    role: role_name(role).to_owned(),
                    mass: if role.is_movable() { world.inertia(id)?.mass } else { 0.0 },
                    centre: world.inertia(id)?.centre,
                    colour,
                    mesh,
                })
            })
            .collect()
    }
}

/// The word for a role in files.
fn role_name(role: &Role) -> &'static str {
    match role {
        Role::Free => "free",
        Role::Fixed => "fixed",
        Role::Held(_) => "held",
        Role::Scripted(_) => "scripted",
    }
}

/// How far the bodies that end somewhere are from the origin, m.
fn reach(world: &World) -> Result<f64, WorldError> {
    let mut reach: f64 = 0.0;
    for id in world.ids() {
        let bounds = world.shape(id)?.aabb(&world.pose(id)?);
        let far = bounds.min.abs().max(bounds.max.abs()).max_element();
        if far.is_finite() {
            reach = reach.max(far);
        }
    }
    Ok(if reach > 0.0 { reach } else { 1.0 })
}
