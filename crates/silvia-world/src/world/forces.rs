//! What contacts do to bodies: those of a pair, and the force on a body.

use super::World;
use crate::body::BodyId;
use crate::error::WorldError;
use crate::events::contacts_of;
use crate::report::ContactRecord;
use silvia_proximity::shape_contact_at;
use silvia_solid::Vec3;

/// What all contacts together did to a body over a step, impacts left out.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NetForce {
    /// The mean of their sum over the step, N.
    pub force: Vec3,
    /// Their mean torque about the body's centre of mass, N m, in world axes. Arms are taken where the
    /// contacts lie at the end of the step.
    pub torque: Vec3,
}

/// # What contacts do
impl World {
    /// The contacts at the end of the last step, with their forces, in the order of bodies and features.
    pub fn contacts(&self) -> &[ContactRecord] {
        &self.state.contacts
    }

    /// The contacts of two bodies at the end of the last step, in the order of features; none if they do not
    /// touch. Which body is the first in a [`ContactRecord`] does not depend on the order asked for:
    /// [`ContactRecord::force_on`] has the force on either. A contact that parted within the step is not
    /// among them, whatever it did before: [`World::force_between`] counts it too.
    ///
    /// ```
    /// use silvia_proximity::Shape;
    /// use silvia_solid::{Plane, Pose, Vec3};
    /// use silvia_world::{BodyBuilder, World, WorldSettings};
    /// let mut world = World::new(WorldSettings::default())?;
    /// let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 })?;
    /// let ground = world.add(BodyBuilder::fixed(ground))?;
    /// let above = Pose::from_translation(Vec3::new(0.0, 0.0, 0.5))?;
    /// let cube = world.add(BodyBuilder::free(Shape::cuboid(Vec3::ONE)?).at(above).mass(2.0))?;
    /// for _ in 0..10 {
    ///     world.step(1e-3)?;
    /// }
    /// let up: f64 = world.contacts_between(cube, ground)?.iter().map(|c| c.force_on(cube).z).sum();
    /// assert!((up - 2.0 * 9.81).abs() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn contacts_between(&self, a: BodyId, b: BodyId) -> Result<&[ContactRecord], WorldError> {
        self.check_pair(a, b)?;
        Ok(contacts_of(&self.state.contacts, [a.min(b), a.max(b)]))
    }

    /// The force of the first body on the second through their contacts over the last step, on average, N, in
    /// world axes; zero before the first step and if they did not touch. It counts contacts that parted
    /// within the step, as [`World::net_force`] does, and no impacts
    /// ([`StepReport::impacts`](crate::StepReport::impacts)).
    ///
    /// ```
    /// # use silvia_proximity::Shape;
    /// # use silvia_solid::{Plane, Pose, Vec3};
    /// # use silvia_world::{BodyBuilder, World, WorldSettings};
    /// # let mut world = World::new(WorldSettings::default())?;
    /// let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 })?;
    /// let ground = world.add(BodyBuilder::fixed(ground))?;
    /// # let above = Pose::from_translation(Vec3::new(0.0, 0.0, 0.5))?;
    /// let cube = world.add(BodyBuilder::free(Shape::cuboid(Vec3::ONE)?).at(above).mass(2.0))?;
    /// for _ in 0..10 {
    ///     world.step(1e-3)?;
    /// }
    /// assert!((world.force_between(ground, cube)? - 2.0 * 9.81 * Vec3::Z).length() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn force_between(&self, a: BodyId, b: BodyId) -> Result<Vec3, WorldError> {
        self.check_pair(a, b)?;
        let numbers = [a.number.min(b.number), a.number.max(b.number)];
        let of_pair = self.state.memory.run(|(pair, _)| pair.cmp(&numbers));
        let is_second = b.number == numbers[1];
        // From zero, so that no sum is minus zero.
        Ok(of_pair
            .iter()
            .fold(Vec3::ZERO, |sum, (_, on_second)| sum + if is_second { *on_second } else { -*on_second }))
    }

    /// What contacts did to a body over the last step, on average; zero before the first. Gravity, loads and
    /// hands are not among it, nor are impacts ([`StepReport::impacts`](crate::StepReport::impacts)). To be
    /// asked before bodies are moved from outside.
    ///
    /// ```
    /// # use silvia_proximity::Shape;
    /// # use silvia_solid::{Plane, Pose, Vec3};
    /// # use silvia_world::{BodyBuilder, World, WorldSettings};
    /// # let mut world = World::new(WorldSettings::default())?;
    /// # world.add(BodyBuilder::fixed(Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 })?))?;
    /// # let above = Pose::from_translation(Vec3::new(0.0, 0.0, 0.5))?;
    /// let cube = world.add(BodyBuilder::free(Shape::cuboid(Vec3::ONE)?).at(above).mass(2.0))?;
    /// for _ in 0..10 {
    ///     world.step(1e-3)?;
    /// }
    /// let on_cube = world.net_force(cube)?;
    /// assert!((on_cube.force - 2.0 * 9.81 * Vec3::Z).length() < 1e-6 && on_cube.torque.length() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn net_force(&self, id: BodyId) -> Result<NetForce, WorldError> {
        self.get(id)?;
        let centre = self.state.bodies[id.index()].centre;
        let mut net = NetForce::default();
        let of_body = self.state.memory.iter().filter(|((pair, _), _)| pair.contains(&id.number));
        for (&(pair, name), &on_second) in of_body {
            let ids = pair.map(|number| self.id(number));
            let known = contacts_of(&self.state.contacts, ids).iter().find(|contact| contact.name == name);
            // One that parted within the step is not among the contacts at its end.
            let points = known.map_or_else(
                || {
                    let [a, b] = pair.map(|number| (self.body(number), self.poses[number as usize]));
                    shape_contact_at(&a.0.contact_body, &a.1, &b.0.contact_body, &b.1, &name).points
                },
                |contact| contact.points,
            );
            let force = if pair[1] == id.number { on_second } else { -on_second };
            net.force += force;
            net.torque += (points[0].midpoint(points[1]) - centre).cross(force);
        }
        Ok(net)
    }
}
