//! Silvia's side: a world with its default settings and method.

use crate::run::Engine;
use crate::scene::{FRICTION, GRAVITY, STEP, Scene, State};
use silvia::prelude::*;
use std::error::Error;

pub(crate) struct Silvia {
    pub(crate) world: World,
    ids: Vec<BodyId>,
}

impl Silvia {
    pub(crate) fn new(scene: &Scene) -> Result<Silvia, Box<dyn Error>> {
        let settings = WorldSettings { gravity: Vec3::Z * -GRAVITY, ..WorldSettings::default() };
        let mut world = World::new(settings)?;
        let all =
            world.add_material(Material { name: "all".into(), friction: FRICTION, restitution: 0.0 })?;
        let mut ids = Vec::new();
        for part in &scene.parts {
            let shape = part.form.shape()?;
            let body = match part.weight {
                Some((mass, inertia)) => BodyBuilder::free(shape)
                    .mass_properties(mass, Vec3::ZERO, inertia)
                    .velocity(Twist { linear: part.velocity, angular: Vec3::ZERO }),
                None => BodyBuilder::fixed(shape),
            };
            ids.push(world.add(body.at(part.pose).material(all))?);
        }
        Ok(Silvia { world, ids })
    }
}

impl Engine for Silvia {
    fn step(&mut self) -> Result<(), String> {
        self.world.step(STEP).map(drop).map_err(|error| error.to_string())
    }

    fn states(&self) -> Result<Vec<State>, String> {
        let state = |&id: &BodyId| -> Result<State, silvia::world::WorldError> {
            Ok(State { pose: self.world.pose(id)?, velocity: self.world.velocity(id)? })
        };
        self.ids.iter().map(|id| state(id).map_err(|error| error.to_string())).collect()
    }
}
