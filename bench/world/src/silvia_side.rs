//! Silvia's side: a world with its default settings and method, or an interactive one, in which nothing
//! sleeps.

use crate::run::Engine;
use crate::scene::{FRICTION, GRAVITY, STEP, Scene, State};
use silvia::prelude::*;
use silvia::world::{Budget, Cost, Profile, Stage};
use std::error::Error;

pub(crate) struct Silvia {
    pub(crate) world: World,
    ids: Vec<BodyId>,
    /// Of all steps together.
    profile: Profile,
    /// How often a step was shortened.
    cuts: usize,
}

/// What interactive worlds keep bodies apart by, as a fraction of the smaller one's size: 10 micrometres for
/// parts of 0.1 m.
pub(crate) const SHELL: f64 = 1e-4;

impl Silvia {
    pub(crate) fn new(scene: &Scene, interactive: bool) -> Result<Silvia, Box<dyn Error>> {
        let mut settings = WorldSettings::default().with_gravity(Vec3::Z * -GRAVITY).with_sleep_after(0);
        if interactive {
            settings.shell = SHELL;
            settings.interactive = Some(Budget::default());
        }
        let mut world = World::new(settings)?;
        let all = world.add_material(Material::new("all", FRICTION, 0.0))?;
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
        Ok(Silvia { world, ids, profile: Profile::default(), cuts: 0 })
    }
}

impl Engine for Silvia {
    fn step(&mut self) -> Result<(), String> {
        let report = self.world.step(STEP).map_err(|error| error.to_string())?;
        if let Some(profile) = &report.profile {
            self.profile.add(profile);
        }
        self.cuts += report.cuts;
        Ok(())
    }

    fn hash(&self) -> u64 {
        self.world.hash()
    }

    fn stages(&self) -> Option<String> {
        if self.profile.steps == 0 {
            return None;
        }
        let steps = self.profile.steps as f64;
        let share = |(stage, cost): (Stage, Cost)| {
            let percent = 100.0 * cost.seconds / self.profile.seconds;
            format!("{} {percent:.0} % ({:.0})", stage.as_str(), cost.count as f64 / steps)
        };
        let shares: Vec<String> = self.profile.costs().map(share).collect();
        Some(format!("{}; {:.2} cuts a step", shares.join(", "), self.cuts as f64 / steps))
    }

    fn states(&self) -> Result<Vec<State>, String> {
        let state = |&id: &BodyId| -> Result<State, silvia::world::WorldError> {
            Ok(State { pose: self.world.pose(id)?, velocity: self.world.velocity(id)? })
        };
        self.ids.iter().map(|id| state(id).map_err(|error| error.to_string())).collect()
    }
}
