//! The data of a recording that does not change.

use super::watch::Watch;
use crate::drawing::Mesh;
use crate::scene::SceneSource;
use silvia_solid::Vec3;
use silvia_world::{Role, World, WorldError};
use std::sync::Arc;

/// What was run, and with which settings: everything in a recording that does not change from frame to frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Header {
    /// Title for headings.
    pub title: String,
    /// The author's description of the scene, one sentence or more.
    pub about: String,
    /// The source from which the world can be made again.
    pub source: SceneSource,
    /// The response method by name.
    pub method: String,
    /// Length of a step, s.
    pub step: f64,
    /// The error that steps may add in a second, 1/s, if an accuracy chooses their length: then
    /// [`Header::step`] is the longest.
    pub accuracy: Option<f64>,
    /// End time of the run, s.
    pub until: f64,
    /// Steps per frame.
    pub steps_a_frame: u64,
    /// Gravity, m/s².
    pub gravity: Vec3,
    /// The bodies, in the order of the frames' lists.
    pub bodies: Vec<RecordedBody>,
    /// The bodies and pairs whose motion and forces are recorded in every step.
    pub watches: Vec<Watch>,
    /// The view, if the scene gives one.
    pub view: Option<View>,
    /// The program and its version.
    pub made_by: String,
}

/// The constant data of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedBody {
    /// Unique name.
    pub name: String,
    /// `free`, `fixed`, `held` or `scripted`.
    pub role: String,
    /// Mass, kg; 0 for bodies that never move.
    pub mass: f64,
    /// Centre of mass in the body's frame, m.
    pub centre: Vec3,
    /// Colour in sRGB: red, green, blue.
    pub colour: [u8; 3],
    /// Mesh in the body's frame. Bodies from the same part share it.
    pub mesh: Arc<Mesh>,
}

/// The view of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Position of the eye, m.
    pub eye: Vec3,
    /// The point it looks at, m.
    pub target: Vec3,
    /// Vertical angle of view, rad.
    pub angle: f64,
}

/// Default colours of bodies, in turn. People with colour vision deficiencies can tell them apart (Okabe and
/// Ito).
const COLOURS: [[u8; 3]; 7] = [
    [0, 114, 178],
    [230, 159, 0],
    [0, 158, 115],
    [213, 94, 0],
    [86, 180, 233],
    [204, 121, 167],
    [240, 228, 66],
];
/// Default colour of bodies that never move.
const COLOUR_OF_FIXED: [u8; 3] = [190, 190, 190];
/// A half-space is drawn this many times as large as the extent of the bodies.
const GROUND: f64 = 2.0;

impl Header {
    /// The names of the bodies that a watch is about; `?` for one that is not there, since a header in memory
    /// may be anyone's.
    #[cfg(any(feature = "export", feature = "report"))]
    pub(crate) fn names_of(&self, watch: &Watch) -> Vec<&str> {
        let name = |body: &u32| self.bodies.get(*body as usize).map_or("?", |body| body.name.as_str());
        watch.bodies().iter().map(name).collect()
    }

    /// What a watch is called: `peg`, `block/peg` with a slash between the two, `hand 1/peg`.
    #[cfg(any(feature = "export", feature = "report"))]
    pub(crate) fn title_of(&self, watch: &Watch, between: &str) -> String {
        let names = self.names_of(watch).join(between);
        match watch {
            Watch::Hand { hand, .. } => format!("hand {}{between}{names}", hand + 1),
            Watch::Body(_) | Watch::Pair(_) => names,
        }
    }

    /// The bodies of a world, in its order, with their default appearance.
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

/// The name of a role in files.
fn role_name(role: &Role) -> &'static str {
    match role {
        Role::Free => "free",
        Role::Fixed => "fixed",
        Role::Held(_) => "held",
        Role::Scripted(_) => "scripted",
    }
}

/// The largest distance of a bounded body from the origin, m.
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
