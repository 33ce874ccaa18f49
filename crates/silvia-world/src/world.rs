//! The world: bodies, materials, loads, and who touches whom.

mod measures;
mod queries;
mod snapshot;

pub use measures::Energy;
pub use queries::Clearance;
pub use snapshot::Snapshot;

use crate::body::{Body, BodyId, BodyState, Role};
use crate::builder::{BodyBuilder, check_role, check_velocity};
use crate::error::{BodyError, BodyFault, WorldError, check_pose};
use crate::load::{Load, LoadId};
use crate::material::{Material, MaterialError, MaterialId, Materials, PairLaw};
use crate::response::{Response, pose_of};
use crate::script::Anchor;
use crate::settings::{SettingsError, WorldSettings};
use crate::state::State;
use silvia_contact::Twist;
use silvia_proximity::{Crowd, Filter, Groups, Shape};
use silvia_solid::{Pose, Vec3};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Bodies that move, touch and never pass through each other.
#[derive(Clone)]
pub struct World {
    pub(crate) settings: WorldSettings,
    pub(crate) response: Arc<dyn Response>,
    /// By number; `None` where a body was removed.
    pub(crate) bodies: Vec<Option<Body>>,
    /// The numbers of the bodies that are there.
    names: BTreeMap<String, u32>,
    pub(crate) materials: Materials,
    /// Pairs and bodies switched off, and groups.
    pub(crate) filter: Filter,
    pub(crate) state: State,
    /// The number of the next load.
    next_load: u32,
}

/// # Making one
impl World {
    /// How far from the origin a body may be put, m.
    pub const LIMIT: f64 = Crowd::LIMIT;

    /// An empty world whose contacts answer in the way given.
    pub fn with_response(
        settings: WorldSettings,
        response: Arc<dyn Response>,
    ) -> Result<World, SettingsError> {
        settings.check()?;
        Ok(World {
            settings,
            response,
            bodies: Vec::new(),
            names: BTreeMap::new(),
            materials: Materials::default(),
            filter: Filter::new(),
            state: State::default(),
            next_load: 0,
        })
    }

    /// What governs all steps.
    pub fn settings(&self) -> &WorldSettings {
        &self.settings
    }

    /// Changes what governs the steps from here on.
    pub fn set_settings(&mut self, settings: WorldSettings) -> Result<(), SettingsError> {
        settings.check()?;
        self.settings = settings;
        Ok(())
    }

    /// How contacts answer.
    pub fn response(&self) -> &dyn Response {
        &*self.response
    }

    /// Lets contacts answer in another way from here on.
    pub fn set_response(&mut self, response: Arc<dyn Response>) {
        self.response = response;
    }

    /// Since the world began, s.
    pub fn time(&self) -> f64 {
        self.state.time
    }

    /// Steps made so far.
    pub fn steps(&self) -> u64 {
        self.state.steps
    }
}

/// # Bodies
impl World {
    /// A new body, switched on, with all its pairs. Whether it overlaps others is found by the next step.
    pub fn add(&mut self, body: BodyBuilder) -> Result<BodyId, BodyError> {
        let number = self.bodies.len();
        let name = body.name().map_or_else(|| format!("body {number}"), str::to_owned);
        let fault = |fault: BodyFault| BodyError { name: name.clone(), fault };
        if name.trim().is_empty() {
            return Err(fault(BodyFault::EmptyName));
        }
        if self.names.contains_key(&name) {
            return Err(fault(BodyFault::DuplicateName));
        }
        self.materials.get(body.material_id()).map_err(|e| fault(e.into()))?;
        let (body, state) = body.build(name.clone(), self.state.time).map_err(fault)?;
        let id = BodyId(number as u32);
        self.filter.set_groups(id.0, body.groups);
        self.bodies.push(Some(body));
        self.state.bodies.push(state);
        self.names.insert(name, id.0);
        self.state.is_checked = false;
        Ok(id)
    }

    /// Takes a body out, with its loads and all that was set for its pairs.
    pub fn remove(&mut self, id: BodyId) -> Result<(), WorldError> {
        let name = self.get(id)?.name.clone();
        self.names.remove(&name);
        self.bodies[id.0 as usize] = None;
        self.filter.forget(id.0);
        self.state.memory.retain(|(bodies, _), _| !bodies.contains(&id.0));
        Ok(())
    }

    /// The ids of all bodies, in the order in which they came.
    pub fn ids(&self) -> impl Iterator<Item = BodyId> + '_ {
        self.numbered().map(|(number, _)| BodyId(number as u32))
    }

    /// The body with a name.
    pub fn body_id(&self, name: &str) -> Result<BodyId, WorldError> {
        let number = self.names.get(name).ok_or_else(|| WorldError::NoSuchName { name: name.to_owned() })?;
        Ok(BodyId(*number))
    }

    /// The name of a body.
    pub fn name(&self, id: BodyId) -> Result<&str, WorldError> {
        Ok(&self.get(id)?.name)
    }

    /// The shape of a body, in its frame; a compound where there are several.
    pub fn shape(&self, id: BodyId) -> Result<&Shape, WorldError> {
        Ok(&self.get(id)?.shape)
    }

    /// Mass, centre of mass and inertia of a body.
    pub fn inertia(&self, id: BodyId) -> Result<&crate::Inertia, WorldError> {
        Ok(&self.get(id)?.inertia)
    }

    /// What decides how a body moves.
    pub fn role(&self, id: BodyId) -> Result<&Role, WorldError> {
        Ok(&self.get(id)?.role)
    }

    /// Lets something else decide how a body moves: takes it in hand, lets it go, nails it down. It stays where it is, unless a
    /// script of poses says otherwise; let go it keeps its velocity, and nailed down it loses it.
    pub fn set_role(&mut self, id: BodyId, role: Role) -> Result<(), WorldError> {
        let time = self.state.time;
        let pose = self.pose(id)?;
        let velocity = self.velocity(id)?;
        let body = self.get_mut(id)?;
        check_role(&role, &body.shape, &body.inertia).map_err(|fault| body.error(fault))?;
        body.role = role;
        body.anchor = Anchor { time, pose };
        let from_anchor = body.state_at_anchor();
        let state = &mut self.state.bodies[id.0 as usize];
        match &body_at(&self.bodies, id)?.role {
            Role::Free | Role::Held(_) => state.velocity = velocity,
            Role::Fixed => state.velocity = Twist::default(),
            Role::Scripted(_) => *state = from_anchor,
        }
        self.state.is_checked = false;
        Ok(())
    }

    /// Says how the hand moves that holds a body: the velocity of its centre of mass, m/s and rad/s, from the next step on.
    pub fn set_hand(&mut self, id: BodyId, velocity: Twist) -> Result<(), WorldError> {
        let body = self.get_mut(id)?;
        let checked = match body.role {
            Role::Held(_) => check_velocity(&body.role, velocity),
            _ => Err(BodyFault::NotHeld),
        };
        checked.map_err(|fault| body.error(fault))?;
        body.role = Role::Held(velocity);
        Ok(())
    }

    /// The frame of a body.
    pub fn pose(&self, id: BodyId) -> Result<Pose, WorldError> {
        self.get(id)?;
        let number = id.0 as usize;
        Ok(self.pose_of_state(number, &self.state.bodies[number]))
    }

    /// The velocity of a body: of its centre of mass, m/s, and angular, rad/s, in world axes.
    pub fn velocity(&self, id: BodyId) -> Result<Twist, WorldError> {
        self.get(id)?;
        Ok(self.state.bodies[id.0 as usize].velocity)
    }

    /// Where a body is and how it moves.
    pub fn body_state(&self, id: BodyId) -> Result<BodyState, WorldError> {
        self.get(id)?;
        Ok(self.state.bodies[id.0 as usize])
    }

    /// Puts a body elsewhere; its velocity stays. Refused for bodies whose script says where they are.
    pub fn set_pose(&mut self, id: BodyId, pose: Pose) -> Result<(), WorldError> {
        let time = self.state.time;
        let body = self.get_mut(id)?;
        let checked = match &body.role {
            Role::Scripted(crate::Script::Poses(_)) => Err(BodyFault::Scripted),
            _ => check_pose(&pose, body.shape.reach()),
        };
        checked.map_err(|fault| body.error(fault))?;
        body.anchor = Anchor { time, pose };
        let there = body.state_at_anchor();
        let is_movable = body.is_movable();
        let state = &mut self.state.bodies[id.0 as usize];
        *state = BodyState { velocity: if is_movable { state.velocity } else { there.velocity }, ..there };
        self.state.is_checked = false;
        Ok(())
    }

    /// Gives a free or held body another velocity: of its centre of mass, m/s, and angular, rad/s, in world axes.
    pub fn set_velocity(&mut self, id: BodyId, velocity: Twist) -> Result<(), WorldError> {
        let body = self.get(id)?;
        check_velocity(&body.role, velocity).map_err(|fault| body.error(fault))?;
        self.state.bodies[id.0 as usize].velocity = velocity;
        Ok(())
    }

    /// Where a scripted body is at a time, s.
    pub fn scripted_pose(&self, id: BodyId, time: f64) -> Result<Pose, WorldError> {
        let body = self.get(id)?;
        if !matches!(body.role, Role::Scripted(_)) {
            return Err(body.error(BodyFault::NotScripted));
        }
        let number = id.0 as usize;
        Ok(self.pose_of_state(number, &self.scripted_state(number, time)))
    }
}

/// # Materials and loads
impl World {
    /// A new material.
    pub fn add_material(&mut self, material: Material) -> Result<MaterialId, MaterialError> {
        self.materials.add(material)
    }

    /// The material with a name.
    pub fn material_id(&self, name: &str) -> Option<MaterialId> {
        self.materials.named(name)
    }

    /// Says what two materials do to each other, which may be one and the same.
    pub fn set_pair_law(&mut self, a: MaterialId, b: MaterialId, law: PairLaw) -> Result<(), MaterialError> {
        self.materials.set_law(a, b, law)
    }

    /// What two materials do to each other: as set, or by [`PairLaw::between`].
    pub fn pair_law(&self, a: MaterialId, b: MaterialId) -> Result<PairLaw, MaterialError> {
        self.materials.get(a)?;
        self.materials.get(b)?;
        Ok(self.materials.law(a, b))
    }

    /// A force or torque on a body, from here on. It acts while the body is free.
    pub fn add_load(&mut self, id: BodyId, load: Load) -> Result<LoadId, WorldError> {
        let number = LoadId(self.next_load);
        let body = self.get_mut(id)?;
        load.check().map_err(|e| body.error(e.into()))?;
        body.loads.insert(number, load);
        self.next_load += 1;
        Ok(number)
    }

    /// Takes a load away.
    pub fn remove_load(&mut self, id: LoadId) -> Result<Load, WorldError> {
        let removed = self.bodies.iter_mut().flatten().find_map(|body| body.loads.remove(&id));
        removed.ok_or(WorldError::NoSuchLoad { id })
    }
}

/// # Who touches whom
impl World {
    /// Switches a body on or off: one that is off touches nothing. Its pairs keep their own state.
    pub fn set_active(&mut self, id: BodyId, is_active: bool) -> Result<(), WorldError> {
        self.get(id)?;
        self.filter.set_object(id.0, is_active);
        self.state.is_checked = false;
        Ok(())
    }

    /// Switches a pair of bodies on or off, whether the bodies are on or not.
    pub fn set_pair_active(&mut self, a: BodyId, b: BodyId, is_active: bool) -> Result<(), WorldError> {
        self.check_pair(a, b)?;
        self.filter.set_pair(a.0, b.0, is_active);
        self.state.is_checked = false;
        Ok(())
    }

    /// Puts a body into groups.
    pub fn set_groups(&mut self, id: BodyId, groups: Groups) -> Result<(), WorldError> {
        self.get_mut(id)?.groups = groups;
        self.filter.set_groups(id.0, groups);
        self.state.is_checked = false;
        Ok(())
    }

    /// Whether two bodies may touch: both and their pair are on, and the groups agree.
    pub fn admits(&self, a: BodyId, b: BodyId) -> Result<bool, WorldError> {
        self.check_pair(a, b)?;
        Ok(self.filter.admits(a.0, b.0))
    }
}

impl World {
    /// A body that is there.
    pub(crate) fn body(&self, number: u32) -> &Body {
        #[allow(clippy::expect_used, reason = "numbers come from bodies that there are")]
        self.bodies[number as usize].as_ref().expect("a removed body has no pairs")
    }

    /// The frame of a body that is as a state says, to the same bits as in response methods.
    pub(crate) fn pose_of_state(&self, number: usize, state: &BodyState) -> Pose {
        let centre = self.bodies[number].as_ref().map_or(Vec3::ZERO, |b| b.inertia.centre);
        pose_of(state.centre, state.rotation, centre)
    }

    /// Where the script of a body says that it is at a time (s), and how it moves from there on; as it is, if it has none.
    pub(crate) fn scripted_state(&self, number: usize, time: f64) -> BodyState {
        match &self.bodies[number] {
            Some(body) => match &body.role {
                Role::Scripted(script) => {
                    let (pose, velocity) = script.at(&body.anchor, time);
                    BodyState::of_frame(&pose, velocity, body.inertia.centre)
                }
                _ => self.state.bodies[number],
            },
            None => self.state.bodies[number],
        }
    }

    /// All bodies that are there, by number.
    pub(crate) fn numbered(&self) -> impl Iterator<Item = (usize, &Body)> + '_ {
        self.bodies.iter().enumerate().filter_map(|(number, body)| Some((number, body.as_ref()?)))
    }

    pub(crate) fn get(&self, id: BodyId) -> Result<&Body, WorldError> {
        body_at(&self.bodies, id)
    }

    fn get_mut(&mut self, id: BodyId) -> Result<&mut Body, WorldError> {
        let body = self.bodies.get_mut(id.0 as usize).and_then(Option::as_mut);
        body.ok_or(WorldError::NoSuchBody { id })
    }

    fn check_pair(&self, a: BodyId, b: BodyId) -> Result<(), WorldError> {
        self.get(b)?;
        let name = &self.get(a)?.name;
        if a == b { Err(WorldError::SameBody { name: name.clone() }) } else { Ok(()) }
    }
}

impl Body {
    fn error(&self, fault: BodyFault) -> WorldError {
        WorldError::Body(BodyError { name: self.name.clone(), fault })
    }
}

fn body_at(bodies: &[Option<Body>], id: BodyId) -> Result<&Body, WorldError> {
    bodies.get(id.0 as usize).and_then(Option::as_ref).ok_or(WorldError::NoSuchBody { id })
}

#[cfg(test)]
mod tests;
