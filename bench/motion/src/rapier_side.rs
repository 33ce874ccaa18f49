//! Rapier's side, with a choice of settings.

use crate::scene::{FRICTION, Form, Scene};
use crate::truth::{GRAVITY, Rolling, State};
use bench_common::thread_time;
use rapier3d_f64::prelude as rapier;
use silvia::prelude::*;
use std::error::Error;
use std::f64::consts::TAU;

/// What is tried of Rapier's settings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tuning {
    /// As the page says it.
    pub(crate) name: &'static str,
    substeps: usize,
    /// Of the springs in contacts, Hz, and how much of critical their damping is; as it comes if there are
    /// none.
    spring: Option<(f64, f64)>,
}

/// As it comes first.
pub(crate) const TUNINGS: [Tuning; 4] = [
    Tuning { name: "as it comes", substeps: 0, spring: None },
    Tuning { name: "16 substeps", substeps: 16, spring: None },
    Tuning { name: "4 substeps, springs of 1000 Hz", substeps: 4, spring: Some((1000.0, 1.0)) },
    Tuning { name: "16 substeps, springs of 4000 Hz", substeps: 16, spring: Some((4000.0, 1.0)) },
];

/// Half the sides and half the depth of the box that stands for the ground, m.
const GROUND: [f64; 2] = [5.0, 0.5];

/// Points on an ellipsoid, of which Rapier gets the convex hull: round and along.
const POINTS: [u32; 2] = [96, 64];

/// Cells of the mesh that stands for a bowl: round and along.
const BOWL: [u32; 2] = [256, 64];

/// The state at the end, and the time of all steps, s.
pub(crate) fn run(scene: &Scene, step: f64, tuning: &Tuning) -> Result<(State, f64), Box<dyn Error>> {
    let mut world = rapier::PhysicsWorld::new();
    world.gravity = rapier::Vector::new(0.0, 0.0, -GRAVITY);
    let parameters = &mut world.integration_parameters;
    parameters.dt = step;
    // Parts are of some centimetres.
    parameters.length_unit = 0.05;
    if tuning.substeps > 0 {
        parameters.num_solver_iterations = tuning.substeps;
        parameters.friction_model = rapier::FrictionModel::Coulomb;
        parameters.contact_recycling = false;
    }
    if let Some((hertz, damping)) = tuning.spring {
        let stiff = rapier::SpringCoefficients::new(hertz, damping);
        parameters.contact_softness = stiff;
        parameters.static_contact_softness = stiff;
    }
    let ground = ground(&scene.form)?.friction(FRICTION).restitution(0.0);
    world.insert(rapier::RigidBodyBuilder::fixed(), ground);
    let State { rotation, angular, linear, centre } = scene.start;
    let q = rapier::Rotation::from_xyzw(rotation.x, rotation.y, rotation.z, rotation.w);
    let body = rapier::RigidBodyBuilder::dynamic()
        .can_sleep(false)
        .pose(rapier::Pose::from_parts(vector(centre), q))
        .linvel(vector(linear))
        .angvel(vector(angular));
    let columns = scene.form.inertia().to_cols_array_2d().map(rapier::Vector::from_array);
    let inertia = rapier::Matrix::from_cols(columns[0], columns[1], columns[2]);
    let weight = rapier::MassProperties::with_inertia_matrix(rapier::Vector::ZERO, 1.0, inertia);
    let collider = collider(&scene.form)?.friction(FRICTION).restitution(0.0).mass_properties(weight);
    let handle = world.insert(body, collider).0;
    let steps = (scene.time / step).round() as usize;
    let begun = thread_time();
    for _ in 0..steps {
        world.step();
    }
    let seconds = thread_time() - begun;
    let body = &world.bodies[handle];
    let (t, q) = (body.position().translation, body.position().rotation);
    let plain = |v: rapier::Vector| Vec3::new(v.x, v.y, v.z);
    let rotation = Quat::from_xyzw(q.x, q.y, q.z, q.w);
    let end =
        State { rotation, angular: plain(body.angvel()), linear: plain(body.linvel()), centre: plain(t) };
    Ok((end, seconds))
}

fn ground(form: &Form) -> Result<rapier::ColliderBuilder, Box<dyn Error>> {
    let &Form::Ball { bowl, .. } = form else {
        let slab = rapier::ColliderBuilder::cuboid(GROUND[0], GROUND[0], GROUND[1]);
        return Ok(slab.translation(vector(-GROUND[1] * Vec3::Z)));
    };
    // The lower half of the sphere, seen from within.
    let [round, along] = BOWL;
    let place = |i: u32, j: u32| {
        let a = TAU * f64::from(i) / f64::from(round);
        let b = 0.25 * TAU * f64::from(j) / f64::from(along);
        vector(bowl * Vec3::new(b.sin() * a.cos(), b.sin() * a.sin(), -b.cos()))
    };
    let points = (0..=along).flat_map(|j| (0..round).map(move |i| place(i, j))).collect();
    let at = |i: u32, j: u32| j * round + i % round;
    let cell = |(i, j): (u32, u32)| {
        let (a, b, c, d) = (at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
        // Around the lowest point all corners are one.
        let lower = (j > 0).then_some([a, c, b]);
        lower.into_iter().chain([[a, d, c]])
    };
    let cells = (0..along).flat_map(|j| (0..round).map(move |i| (i, j)));
    let triangles = cells.flat_map(cell).collect();
    let flags = rapier::TriMeshFlags::FIX_INTERNAL_EDGES;
    Ok(rapier::ColliderBuilder::trimesh_with_flags(points, triangles, flags)?)
}

fn collider(form: &Form) -> Result<rapier::ColliderBuilder, Box<dyn Error>> {
    Ok(match *form {
        Form::Disk { radius, thickness } => {
            // Its cylinders stand along y.
            let upright = rapier::Vector::new(0.25 * TAU, 0.0, 0.0);
            rapier::ColliderBuilder::cylinder(0.5 * thickness, radius).rotation(upright)
        }
        Form::Ball { radius, .. } => rapier::ColliderBuilder::ball(radius),
        Form::Ellipsoid { semi_axes, .. } => {
            let [round, along] = POINTS;
            let point = |k: u32| {
                let (i, j) = (k % round, k / round);
                let (a, b) =
                    (TAU * f64::from(i) / f64::from(round), 0.5 * TAU * f64::from(j) / f64::from(along));
                vector(semi_axes * Vec3::new(b.sin() * a.cos(), b.sin() * a.sin(), b.cos()))
            };
            let points: Vec<rapier::Vector> = (0..round * (along + 1)).map(point).collect();
            rapier::ColliderBuilder::convex_hull(&points)
                .ok_or("Rapier could not make the hull of an ellipsoid")?
        }
    })
}

fn vector(v: Vec3) -> rapier::Vector {
    rapier::Vector::new(v.x, v.y, v.z)
}
