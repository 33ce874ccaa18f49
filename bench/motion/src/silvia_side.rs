//! Silvia's side: a world with its default settings.

use crate::scene::{FRICTION, Form, Scene};
use crate::truth::{GRAVITY, Rolling, State};
use bench_common::thread_time;
use silvia::prelude::*;
use std::error::Error;

/// The state at the end, and the time of all steps, s.
pub(crate) fn run(scene: &Scene, step: f64) -> Result<(State, f64), Box<dyn Error>> {
    let mut world = World::new(WorldSettings::default().with_gravity(-GRAVITY * Vec3::Z))?;
    let material = world.add_material(Material::new("all", FRICTION, 0.0))?;
    let ground = match scene.form {
        Form::Ball { bowl, .. } => Shape::cavity(bowl)?,
        Form::Disk { .. } | Form::Ellipsoid { .. } => {
            Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 })?
        }
    };
    world.add(BodyBuilder::fixed(ground).material(material))?;
    let shape = match scene.form {
        Form::Disk { radius, thickness } => Shape::cylinder(radius, thickness)?,
        Form::Ellipsoid { semi_axes, .. } => Shape::ellipsoid(semi_axes)?,
        Form::Ball { radius, .. } => Shape::sphere(radius)?,
    };
    let State { rotation, angular, linear, centre } = scene.start;
    let body = BodyBuilder::free(shape)
        .mass_properties(1.0, Vec3::ZERO, scene.form.inertia())
        .material(material)
        .at(Pose::new(centre, rotation)?)
        .velocity(Twist { linear, angular });
    let body = world.add(body)?;
    let steps = (scene.time / step).round() as usize;
    let begun = thread_time();
    for _ in 0..steps {
        world.step(step)?;
    }
    let seconds = thread_time() - begun;
    let (pose, velocity) = (world.pose(body)?, world.velocity(body)?);
    let Twist { linear, angular } = velocity;
    Ok((State { rotation: pose.rotation(), angular, linear, centre: pose.translation() }, seconds))
}
