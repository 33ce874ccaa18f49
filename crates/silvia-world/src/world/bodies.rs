//! Bodies: put in, taken out, looked at and moved from outside.

use super::World;
use crate::body::{BodyId, BodyState, Role};
use crate::builder::{BodyBuilder, check_role, check_velocity};
use crate::error::{BodyError, BodyFault, WorldError, check_pose};
use crate::inertia::Inertia;
use crate::material::MaterialId;
use crate::script::{Anchor, Script};
use silvia_contact::Twist;
use silvia_proximity::Shape;
use silvia_solid::Pose;

/// # Bodies
impl World {
    /// A new body, switched on, with all its pairs. Whether it overlaps others is found by the next step.
    pub fn add(&mut self, body: BodyBuilder) -> Result<BodyId, BodyError> {
        let number = self.bodies.len();
        let name = match body.name() {
            Some(name) => name.to_owned(),
            None => self.free_name(number),
        };
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
        self.wake();
        Ok(id)
    }

    /// Takes a body out, with its loads and all that was set for its pairs.
    pub fn remove(&mut self, id: BodyId) -> Result<(), WorldError> {
        let name = self.get(id)?.name.clone();
        self.names.remove(&name);
        self.bodies[id.0 as usize] = None;
        self.filter.forget(id.0);
        self.wake();
        self.state.memory.retain(|(bodies, _)| !bodies.contains(&id.0));
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
    pub fn inertia(&self, id: BodyId) -> Result<&Inertia, WorldError> {
        Ok(&self.get(id)?.inertia)
    }

    /// What a body is made of.
    pub fn material(&self, id: BodyId) -> Result<MaterialId, WorldError> {
        Ok(self.get(id)?.material)
    }

    /// Makes a body of another material from here on; its mass stays.
    pub fn set_material(&mut self, id: BodyId, material: MaterialId) -> Result<(), WorldError> {
        let known = self.materials.get(material).map(|_| ());
        let body = self.get_mut(id)?;
        known.map_err(|e| body.error(e.into()))?;
        body.material = material;
        self.wake();
        Ok(())
    }

    /// What decides how a body moves.
    pub fn role(&self, id: BodyId) -> Result<&Role, WorldError> {
        Ok(&self.get(id)?.role)
    }

    /// Lets something else decide how a body moves: takes it in hand, lets it go, nails it down. It stays
    /// where it is, unless a script of poses says otherwise; let go it keeps its velocity, and nailed down it
    /// loses it.
    pub fn set_role(&mut self, id: BodyId, role: Role) -> Result<(), WorldError> {
        let anchor = Anchor { time: self.state.time, pose: self.pose(id)? };
        let body = self.get_mut(id)?;
        check_role(&role, &body.shape, &body.inertia).map_err(|fault| body.error(fault))?;
        let (was_movable, is_movable) = (body.is_movable(), role.is_movable());
        let is_scripted = matches!(role, Role::Scripted(_));
        body.role = role;
        body.anchor = anchor;
        let from_anchor = body.state_at_anchor();
        let state = &mut self.state.bodies[id.0 as usize];
        if is_scripted {
            *state = from_anchor;
        } else if !is_movable {
            state.velocity = Twist::default();
        }
        self.wake();
        // Bodies that nothing moves may overlap, and a script may put one into another.
        self.state.is_checked &= was_movable && is_movable;
        Ok(())
    }

    /// Says how the hand moves that holds a body: the velocity of its centre of mass, m/s and rad/s, from the
    /// next step on.
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

    /// The frame of a body. It follows from where the centre of mass is, and is what was set but for
    /// rounding.
    pub fn pose(&self, id: BodyId) -> Result<Pose, WorldError> {
        self.get(id)?;
        let number = id.0 as usize;
        Ok(self.pose_of_state(number, &self.state.bodies[number]))
    }

    /// Where a body's frame is when the body is in a state, such as one of those on a step's way.
    pub fn pose_in(&self, id: BodyId, state: &BodyState) -> Result<Pose, WorldError> {
        self.get(id)?;
        Ok(self.pose_of_state(id.0 as usize, state))
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
            Role::Scripted(Script::Poses(_)) => Err(BodyFault::Scripted),
            _ => check_pose(&pose, body.shape.reach()),
        };
        checked.map_err(|fault| body.error(fault))?;
        body.anchor = Anchor { time, pose };
        let there = body.state_at_anchor();
        let is_movable = body.is_movable();
        let state = &mut self.state.bodies[id.0 as usize];
        *state = BodyState { velocity: if is_movable { state.velocity } else { there.velocity }, ..there };
        self.wake();
        self.state.is_checked = false;
        Ok(())
    }

    /// Gives a free or held body another velocity: of its centre of mass, m/s, and angular, rad/s, in world
    /// axes.
    pub fn set_velocity(&mut self, id: BodyId, velocity: Twist) -> Result<(), WorldError> {
        let body = self.get(id)?;
        check_velocity(&body.role, velocity).map_err(|fault| body.error(fault))?;
        self.state.bodies[id.0 as usize].velocity = velocity;
        self.wake();
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

    /// The first of `body 3`, `body 4`... that no body has, from a number on.
    fn free_name(&self, number: usize) -> String {
        let mut name = format!("body {number}");
        for next in number + 1.. {
            if !self.names.contains_key(&name) {
                break;
            }
            name = format!("body {next}");
        }
        name
    }
}
