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
        let number = self.free.first().map_or(self.bodies.len(), |&number| number as usize);
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
        self.free.pop_first();
        if number == self.bodies.len() {
            self.bodies.push(None);
            self.generations.push(0);
            self.state.bodies.push(state);
            self.poses.push(Pose::IDENTITY);
            self.velocities.push(Twist::default());
        }
        let id = self.id(number as u32);
        self.filter.set_groups(id.number, body.groups);
        self.bodies[number] = Some(body);
        self.state.bodies[number] = state;
        self.mirror(number);
        self.names.insert(name, id.number);
        self.state.uncheck(id.number);
        self.wake_body(id.number);
        Ok(id)
    }

    /// Takes a body out, with its loads and all that was set for its pairs.
    pub fn remove(&mut self, id: BodyId) -> Result<(), WorldError> {
        let name = self.get(id)?.name.clone();
        self.wake_around(id.number);
        self.names.remove(&name);
        self.bodies[id.index()] = None;
        // The number may go to another body. This id must not.
        self.generations[id.index()] += 1;
        self.free.insert(id.number);
        self.filter.forget(id.number);
        self.state.forget(id.number);
        self.workspace.forget(id.number);
        Ok(())
    }

    /// The ids of all bodies, in the order of their [indices](BodyId::index).
    pub fn ids(&self) -> impl Iterator<Item = BodyId> + '_ {
        self.numbered().map(|(number, _)| self.id(number as u32))
    }

    /// The body with a name.
    pub fn body_id(&self, name: &str) -> Result<BodyId, WorldError> {
        let number = self.names.get(name).ok_or_else(|| WorldError::NoSuchName { name: name.to_owned() })?;
        Ok(self.id(*number))
    }

    /// The name of a body.
    pub fn name(&self, id: BodyId) -> Result<&str, WorldError> {
        Ok(&self.get(id)?.name)
    }

    /// The shape of a body, in its frame; a compound where there are several. As it was given, but for an
    /// [`inset`](World::inset).
    pub fn shape(&self, id: BodyId) -> Result<&Shape, WorldError> {
        Ok(&self.get(id)?.shape)
    }

    /// By how much the surface of a body is drawn in from where it was given, m. 0, but for a body that
    /// fitted others without any clearance where it was placed: that one is drawn in by some shells
    /// (1e-9 of its size) when the first step begins, so that there is a clearance that rounding cannot
    /// close.
    ///
    /// ```
    /// use silvia_proximity::Shape;
    /// use silvia_solid::{Pose, Vec3};
    /// use silvia_world::{BodyBuilder, World, WorldSettings};
    /// let mut world = World::new(WorldSettings::default())?;
    /// let cube = Shape::cuboid(Vec3::ONE)?;
    /// for (name, x) in [("left wall", -1.0), ("right wall", 1.0)] {
    ///     let beside = Pose::from_translation(Vec3::X * x)?;
    ///     world.add(BodyBuilder::fixed(cube.clone()).named(name).at(beside))?;
    /// }
    /// let key = world.add(BodyBuilder::free(cube).named("key"))?;
    /// world.step(1e-3)?;
    /// assert!(world.inset(key)? > 0.0 && world.inset(key)? < 1e-8);
    /// assert!(world.distance_between("key", "left wall")?.lower > 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn inset(&self, id: BodyId) -> Result<f64, WorldError> {
        Ok(self.get(id)?.inset)
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
        self.wake_around(id.number);
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
        if !matches!(role, Role::Free) {
            body.hands.clear();
        }
        body.role = role;
        body.anchor = anchor;
        let from_anchor = body.state_at_anchor();
        let state = &mut self.state.bodies[id.index()];
        if is_scripted {
            *state = from_anchor;
        } else if !is_movable {
            state.velocity = Twist::default();
        }
        self.mirror(id.index());
        self.wake_around(id.number);
        // Bodies that nothing moves may overlap, and a script may put one into another.
        if !(was_movable && is_movable) {
            self.state.uncheck(id.number);
        }
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
        Ok(self.poses[id.index()])
    }

    /// Where a body's frame is when the body is in a state, such as one of those on a step's way.
    pub fn pose_in(&self, id: BodyId, state: &BodyState) -> Result<Pose, WorldError> {
        self.get(id)?;
        Ok(self.pose_of_state(id.index(), state))
    }

    /// The velocity of a body: of its centre of mass, m/s, and angular, rad/s, in world axes.
    pub fn velocity(&self, id: BodyId) -> Result<Twist, WorldError> {
        self.get(id)?;
        Ok(self.state.bodies[id.index()].velocity)
    }

    /// The frames of all bodies in one slice, at [`BodyId::index`]. Entries of removed bodies mean nothing.
    ///
    /// ```
    /// use silvia_proximity::Shape;
    /// use silvia_world::{BodyBuilder, World, WorldSettings};
    /// let mut world = World::new(WorldSettings::default())?;
    /// for _ in 0..3 {
    ///     world.add(BodyBuilder::free(Shape::sphere(0.1)?))?;
    /// }
    /// for id in world.ids() {
    ///     assert_eq!(world.poses()[id.index()], world.pose(id)?);
    ///     assert_eq!(world.velocities()[id.index()], world.velocity(id)?);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn poses(&self) -> &[Pose] {
        &self.poses
    }

    /// The velocities of all bodies in one slice, at [`BodyId::index`]: of their centres of mass, m/s, and
    /// angular, rad/s, in world axes. Entries of removed bodies mean nothing.
    pub fn velocities(&self) -> &[Twist] {
        &self.velocities
    }

    /// Where a body is and how it moves.
    pub fn body_state(&self, id: BodyId) -> Result<BodyState, WorldError> {
        self.get(id)?;
        Ok(self.state.bodies[id.index()])
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
        let state = &mut self.state.bodies[id.index()];
        *state = BodyState { velocity: if is_movable { state.velocity } else { there.velocity }, ..there };
        self.mirror(id.index());
        self.wake_around(id.number);
        self.state.uncheck(id.number);
        Ok(())
    }

    /// Gives a free or held body another velocity: of its centre of mass, m/s, and angular, rad/s, in world
    /// axes.
    pub fn set_velocity(&mut self, id: BodyId, velocity: Twist) -> Result<(), WorldError> {
        let body = self.get(id)?;
        check_velocity(&body.role, velocity).map_err(|fault| body.error(fault))?;
        self.state.bodies[id.index()].velocity = velocity;
        self.mirror(id.index());
        self.wake_body(id.number);
        Ok(())
    }

    /// Where a scripted body is at a time, s.
    pub fn scripted_pose(&self, id: BodyId, time: f64) -> Result<Pose, WorldError> {
        let body = self.get(id)?;
        if !matches!(body.role, Role::Scripted(_)) {
            return Err(body.error(BodyFault::NotScripted));
        }
        let number = id.index();
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
