//! What a world has in all: energy, momentum, centre of mass.

use super::World;
use crate::body::{Body, BodyState};
use crate::flight::angular_momentum;
use silvia_solid::Vec3;

/// The mechanical energy of a world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Of motion, J.
    pub kinetic: f64,
    /// By gravity, J; 0 for a body with its centre of mass at the origin. Other forces are not counted.
    pub potential: f64,
}

impl Energy {
    /// The energy of a body in a state.
    pub(crate) fn of(body: &Body, state: &BodyState, gravity: Vec3) -> Energy {
        let (mass, v) = (body.inertia.mass, state.velocity);
        let spin = angular_momentum(&body.inertia, state.rotation, v.angular);
        Energy {
            kinetic: 0.5 * mass * v.linear.length_squared() + 0.5 * v.angular.dot(spin),
            potential: -(mass * gravity.dot(state.centre)),
        }
    }

    /// Both together, J.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential
    }
}

/// # What it has in all
///
/// Of the bodies that can be moved: those that are free or held. Sums are taken in the order of the bodies.
impl World {
    /// The mechanical energy.
    pub fn energy(&self) -> Energy {
        let mut energy = Energy::default();
        for (body, state) in self.movable() {
            let of_body = Energy::of(body, state, self.outside().gravity);
            energy.kinetic += of_body.kinetic;
            energy.potential += of_body.potential;
        }
        energy
    }

    /// The sum of mass times velocity of the centre, kg m/s.
    pub fn momentum(&self) -> Vec3 {
        self.movable().fold(Vec3::ZERO, |sum, (body, state)| sum + body.inertia.mass * state.velocity.linear)
    }

    /// About a point (m), kg m²/s.
    pub fn angular_momentum(&self, about: Vec3) -> Vec3 {
        self.movable().fold(Vec3::ZERO, |sum, (body, state)| {
            let spin = angular_momentum(&body.inertia, state.rotation, state.velocity.angular);
            sum + spin + body.inertia.mass * (state.centre - about).cross(state.velocity.linear)
        })
    }

    /// The sum of the masses, kg.
    pub fn mass(&self) -> f64 {
        self.movable().map(|(body, _)| body.inertia.mass).sum()
    }

    /// Where all mass is on average, m; `None` if nothing can be moved.
    pub fn centre_of_mass(&self) -> Option<Vec3> {
        let mass = self.mass();
        let moment =
            self.movable().fold(Vec3::ZERO, |sum, (body, state)| sum + body.inertia.mass * state.centre);
        (mass > 0.0).then(|| moment / mass)
    }

    fn movable(&self) -> impl Iterator<Item = (&Body, &BodyState)> + '_ {
        let states = &self.state.bodies;
        self.numbered().filter(|(_, body)| body.is_movable()).map(|(number, body)| (body, &states[number]))
    }
}
