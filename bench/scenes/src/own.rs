//! Scenes of our own parts, made in code: no files are needed.

mod blocks;
mod fits;

use silvia::prelude::*;
use silvia::scene::scene::{HandPath, RunSettings};
use silvia::scene::{Header, Setup};
use silvia::world::MaterialId;
use std::error::Error;

type Made = Result<Setup, Box<dyn Error>>;

/// A scene by its name.
type Maker = fn() -> Made;

/// All scenes, in the order of the page.
const SCENES: &[(&str, Maker)] = &[
    ("own:nut-40k-turned", || fits::nut_turned(true)),
    ("own:nut-40k-no-contact", || fits::nut_turned(false)),
    ("own:screw-5k-1ms", || fits::screw_sinks(1e-3, 100)),
    ("own:screw-5k-10ms", || fits::screw_sinks(1e-2, 50)),
    ("own:gears-65k", fits::gears),
    ("own:stones-100k-2ms", || fits::stones(2e-3, 60)),
    ("own:stones-100k-0.25ms", || fits::stones(0.25e-3, 100)),
    ("own:nut-dropped", fits::nut_dropped),
    ("own:key-1deg-1ms", || fits::key(1e-3, 150)),
    ("own:key-1deg-2ms", || fits::key(2e-3, 75)),
    ("own:jenga-54", blocks::jenga),
    ("own:wall-300", blocks::wall),
    ("own:wrecking-575", blocks::wrecking),
];

/// The names of all scenes.
pub(crate) fn names() -> Vec<String> {
    SCENES.iter().map(|(name, _)| (*name).to_owned()).collect()
}

/// The scene of a name.
pub(crate) fn setup(name: &str) -> Made {
    let found = SCENES.iter().find(|(own, _)| *own == name);
    let (_, make) = found.ok_or_else(|| format!("there is no scene `{name}`: see `--help`"))?;
    make()
}

/// A scene in the making.
struct Stage {
    world: World,
    /// Of all bodies.
    material: MaterialId,
    hands: Vec<HandPath>,
}

impl Stage {
    /// With gravity and one material.
    fn new(friction: f64) -> Result<Stage, Box<dyn Error>> {
        let mut world = World::new(WorldSettings::default())?;
        let material = world.add_material(Material::new("all", friction, 0.0))?;
        Ok(Stage { world, material, hands: Vec::new() })
    }

    fn add(&mut self, body: BodyBuilder) -> Result<BodyId, Box<dyn Error>> {
        Ok(self.world.add(body.material(self.material))?)
    }

    /// The level ground, at z = 0.
    fn add_ground(&mut self) -> Result<(), Box<dyn Error>> {
        let below = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 })?;
        self.add(BodyBuilder::fixed(below).named("ground"))?;
        Ok(())
    }

    /// A hand that moves a held body at a constant velocity.
    fn hold(&mut self, body: BodyId, velocity: Twist) {
        self.hands.push(HandPath { body, velocities: vec![(0.0, velocity)] });
    }

    fn run(self, step: f64, steps: usize) -> Setup {
        let until = step * steps as f64;
        let run = RunSettings { step, accuracy: None, until, steps_a_frame: 1, threads: Some(1) };
        Setup { world: self.world, header: Header::default(), run, hands: self.hands, goals: Vec::new() }
    }
}

fn solid(soup: &Soup) -> Result<Shape, Box<dyn Error>> {
    Ok(Shape::solid(Solid::from_soup(soup)?))
}

fn at(place: Vec3) -> Result<Pose, Box<dyn Error>> {
    Ok(Pose::from_translation(place)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_small_scene_makes_its_first_step() {
        // The others take minutes without optimisation, and are left to the bench itself.
        let small = ["own:screw-5k-1ms", "own:nut-dropped", "own:key-1deg-1ms", "own:jenga-54"];
        for (name, make) in SCENES.iter().filter(|(name, _)| small.contains(name)) {
            let mut setup = make().unwrap_or_else(|error| panic!("{name}: {error}"));
            setup.step().unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }
}
