//! The world: bodies, materials, loads, and who touches whom.

mod bodies;
mod forces;
mod hands;
mod measures;
mod probes;
mod queries;
mod snapshot;

pub use forces::NetForce;
pub use measures::Energy;
pub use probes::{BodyHit, NearBody};
pub use queries::Clearance;
pub use snapshot::Snapshot;

use crate::body::{Body, BodyId, BodyState, Role};
use crate::error::{BodyError, BodyFault, WorldError};
use crate::kinematics::pose_of;
use crate::level::Outside;
use crate::load::{Load, LoadId};
use crate::material::{Material, MaterialError, MaterialId, Materials, PairLaw};
use crate::response::{Auto, Guarantee, Response};
use crate::settings::{SettingsError, WorldSettings};
use crate::state::State;
use crate::step::Workspace;
use silvia_contact::Twist;
use silvia_proximity::{Crowd, Filter, Groups};
use silvia_solid::{Pose, Vec3};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

/// Bodies that move, touch and never pass through each other.
///
/// ```
/// use silvia_proximity::Shape;
/// use silvia_solid::{Plane, Pose, Vec3};
/// use silvia_world::{BodyBuilder, World, WorldSettings};
///
/// let mut world = World::new(WorldSettings::default())?;
/// let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 })?;
/// world.add(BodyBuilder::fixed(ground).named("ground"))?;
/// let high = Pose::from_translation(Vec3::new(0.0, 0.0, 2.0))?;
/// let ball = world.add(BodyBuilder::free(Shape::sphere(0.5)?).named("ball").at(high).density(7850.0))?;
///
/// assert!((world.distance_between("ball", "ground")?.upper - 1.5).abs() < 1e-15);
/// for _ in 0..100 {
///     world.step(1e-3)?;
/// }
/// assert!((world.velocity(ball)?.linear.z + 0.981).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct World {
    pub(crate) settings: WorldSettings,
    pub(crate) response: Arc<dyn Response>,
    /// By number; `None` where a body was removed.
    pub(crate) bodies: Vec<Option<Body>>,
    /// How often each number was used before.
    generations: Vec<u32>,
    /// Numbers of removed bodies, to be used again, the least first.
    free: BTreeSet<u32>,
    /// The frames and velocities of all bodies, by number, as the state has them.
    poses: Vec<Pose>,
    velocities: Vec<Twist>,
    /// The numbers of the bodies that are there.
    names: BTreeMap<String, u32>,
    pub(crate) materials: Materials,
    /// Pairs and bodies switched off, and groups.
    pub(crate) filter: Filter,
    pub(crate) state: State,
    /// The number of the next load.
    next_load: u32,
    /// The number of the next hand.
    next_hand: u32,
    /// Memory of steps, kept from one to the next. It affects speed, never results.
    pub(crate) workspace: Workspace,
    /// Whether steps take their own time.
    pub(crate) is_profiled: bool,
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("World")
            .field("time", &self.state.time)
            .field("steps", &self.state.steps)
            .field("bodies", &self.names.keys())
            .field("response", &self.response.name())
            .finish_non_exhaustive()
    }
}

/// # Making one
impl World {
    /// How far from the origin a body may be put, m.
    pub const LIMIT: f64 = Crowd::LIMIT;

    /// An empty world whose contacts answer in the default way, [`Auto`].
    pub fn new(settings: WorldSettings) -> Result<World, SettingsError> {
        World::with_response(settings, Arc::new(Auto))
    }

    /// An empty world whose contacts answer in the way given.
    ///
    /// ```
    /// use silvia_world::{World, WorldSettings, response};
    /// let method = response::by_name("lcp").ok_or("no such method")?;
    /// let world = World::with_response(WorldSettings::default(), method.into())?;
    /// assert_eq!(world.response().name(), "lcp");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_response(
        settings: WorldSettings,
        response: Arc<dyn Response>,
    ) -> Result<World, SettingsError> {
        settings.check()?;
        Ok(World {
            settings,
            response,
            bodies: Vec::new(),
            generations: Vec::new(),
            free: BTreeSet::new(),
            poses: Vec::new(),
            velocities: Vec::new(),
            names: BTreeMap::new(),
            materials: Materials::default(),
            filter: Filter::new(),
            state: State::default(),
            next_load: 0,
            next_hand: 0,
            workspace: Workspace::default(),
            is_profiled: false,
        })
    }

    /// What governs all steps.
    pub fn settings(&self) -> &WorldSettings {
        &self.settings
    }

    /// What acts on all bodies from outside, at the level of the world.
    pub(crate) fn outside(&self) -> Outside {
        let acts = self.settings.level.has_forces();
        Outside { gravity: if acts { self.settings.gravity } else { Vec3::ZERO }, loads: acts }
    }

    /// Whether steps are of second order while what contacts do lasts: if that is set, the world is not
    /// interactive, bodies have inertia, the response method knows velocities at the end, and no hand holds
    /// a body: springs are implicit to first order.
    pub fn is_of_second_order(&self) -> bool {
        self.may_be_of_second_order() && !self.bodies.iter().flatten().any(|body| body.is_in_hand())
    }

    /// The same of islands without hands.
    pub(crate) fn may_be_of_second_order(&self) -> bool {
        self.settings.second_order
            && self.settings.interactive.is_none()
            && self.settings.level.has_inertia()
            && self.response.is_of_second_order()
            && self.response.guarantee() == Guarantee::NonPenetrating
    }

    /// Changes what governs the steps from here on.
    pub fn set_settings(&mut self, settings: WorldSettings) -> Result<(), SettingsError> {
        settings.check()?;
        self.settings = settings;
        // The shell may be another.
        self.state.uncheck_all();
        self.wake();
        Ok(())
    }

    /// How contacts answer.
    pub fn response(&self) -> &dyn Response {
        &*self.response
    }

    /// Lets contacts answer in another way from here on.
    pub fn set_response(&mut self, response: Arc<dyn Response>) {
        self.response = response;
        self.wake();
    }

    /// Lets steps report where their time goes, or no longer; what they compute is the same, to the bit.
    pub fn set_profiling(&mut self, is_on: bool) {
        self.is_profiled = is_on;
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
        self.wake();
        self.materials.set_law(a, b, law)
    }

    /// A material.
    pub fn material_by_id(&self, id: MaterialId) -> Result<&Material, MaterialError> {
        self.materials.get(id)
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
        self.wake_body(id.number);
        Ok(number)
    }

    /// The loads of a body.
    pub fn loads(&self, id: BodyId) -> Result<impl Iterator<Item = (LoadId, &Load)> + '_, WorldError> {
        Ok(self.get(id)?.loads.iter().map(|(&id, load)| (id, load)))
    }

    /// Takes a load away.
    pub fn remove_load(&mut self, id: LoadId) -> Result<Load, WorldError> {
        let of_body =
            |(number, body): (usize, &mut Option<Body>)| Some((number, body.as_mut()?.loads.remove(&id)?));
        let removed = self.bodies.iter_mut().enumerate().find_map(of_body);
        let (number, load) = removed.ok_or(WorldError::NoSuchLoad { id })?;
        self.wake_body(number as u32);
        Ok(load)
    }
}

/// # Who touches whom
impl World {
    /// Switches a body on or off: one that is off touches nothing. Its pairs keep their own state.
    pub fn set_active(&mut self, id: BodyId, is_active: bool) -> Result<(), WorldError> {
        self.get(id)?;
        self.filter.set_object(id.number, is_active);
        self.state.uncheck(id.number);
        self.wake_around(id.number);
        Ok(())
    }

    /// Whether a body is switched on.
    pub fn is_active(&self, id: BodyId) -> Result<bool, WorldError> {
        self.get(id)?;
        Ok(self.filter.object(id.number))
    }

    /// Switches a pair of bodies on or off, whether the bodies are on or not.
    pub fn set_pair_active(&mut self, a: BodyId, b: BodyId, is_active: bool) -> Result<(), WorldError> {
        self.check_pair(a, b)?;
        self.filter.set_pair(a.number, b.number, is_active);
        self.state.uncheck(a.number);
        self.wake_around(a.number);
        self.wake_body(b.number);
        Ok(())
    }

    /// Whether a pair of bodies is switched on, whether the bodies are on or not.
    pub fn is_pair_active(&self, a: BodyId, b: BodyId) -> Result<bool, WorldError> {
        self.check_pair(a, b)?;
        Ok(self.filter.pair(a.number, b.number))
    }

    /// The groups of a body.
    pub fn groups(&self, id: BodyId) -> Result<Groups, WorldError> {
        Ok(self.get(id)?.groups)
    }

    /// Puts a body into groups.
    pub fn set_groups(&mut self, id: BodyId, groups: Groups) -> Result<(), WorldError> {
        self.get_mut(id)?.groups = groups;
        self.filter.set_groups(id.number, groups);
        self.state.uncheck(id.number);
        self.wake_around(id.number);
        Ok(())
    }

    /// Whether two bodies may touch: both and their pair are on, and the groups agree.
    pub fn admits(&self, a: BodyId, b: BodyId) -> Result<bool, WorldError> {
        self.check_pair(a, b)?;
        Ok(self.filter.admits(a.number, b.number))
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

    /// Where the script of a body says that it is at a time (s), and how it moves from there on; as it is, if
    /// it has none.
    pub(crate) fn scripted_state(&self, number: usize, time: f64) -> BodyState {
        self.scripted_after(number, time, 0.0)
    }

    /// The same some time later, s.
    pub(crate) fn scripted_after(&self, number: usize, time: f64, later: f64) -> BodyState {
        match &self.bodies[number] {
            Some(body) => match &body.role {
                Role::Scripted(script) => {
                    let (pose, velocity) = script.after(&body.anchor, time, later);
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

    /// The id of the body with a number.
    pub(crate) fn id(&self, number: u32) -> BodyId {
        BodyId { number, generation: self.generations[number as usize] }
    }

    pub(crate) fn get(&self, id: BodyId) -> Result<&Body, WorldError> {
        let body = self.bodies.get(id.index()).and_then(Option::as_ref);
        body.filter(|_| self.id(id.number) == id).ok_or(WorldError::NoSuchBody { id })
    }

    fn get_mut(&mut self, id: BodyId) -> Result<&mut Body, WorldError> {
        self.get(id)?;
        self.bodies[id.index()].as_mut().ok_or(WorldError::NoSuchBody { id })
    }

    /// Brings the list of frames and velocities up to date with the state of a body.
    fn mirror(&mut self, number: usize) {
        self.poses[number] = self.pose_of_state(number, &self.state.bodies[number]);
        self.velocities[number] = self.state.bodies[number].velocity;
    }

    /// The same for all bodies.
    pub(crate) fn mirror_all(&mut self) {
        (0..self.bodies.len()).for_each(|number| self.mirror(number));
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

#[cfg(test)]
mod tests;
