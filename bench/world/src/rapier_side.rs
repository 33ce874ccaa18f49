//! Rapier's side.

use crate::run::Engine;
use crate::scene::{FRICTION, Form, GRAVITY, Part, STEP, Scene, State};
use rapier3d_f64::prelude as rapier;
use silvia::prelude::*;
use std::error::Error;

/// How Rapier is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tuning {
    /// As it comes, but for the length of the step.
    Defaults,
    /// For accuracy: [`TUNED`].
    Accurate,
}

/// What [`Tuning::Accurate`] changes, for the page. Of the settings tried on small scenes these left the least overlap for the time; more
/// substeps leave less and cost in proportion. Its contact skin is left at 0: bodies would float on it.
pub(crate) const TUNED: &str = "16 substeps instead of 4, 4 sweeps in each instead of 1, contact springs of 2000 Hz and damping ratio 1 instead of 30 Hz (60 Hz to what is fixed) and 10, \
     `length_unit` 0.1 for parts of that size, 0.02 m of prediction, 10 µm of allowed error, Coulomb friction at each point, contacts found anew in every step, continuous detection for \
     all bodies with up to 4 substeps, no sleeping";

pub(crate) struct Rapier {
    world: rapier::PhysicsWorld,
    handles: Vec<rapier::RigidBodyHandle>,
}

impl Rapier {
    pub(crate) fn new(scene: &Scene, tuning: Tuning) -> Result<Rapier, Box<dyn Error>> {
        let mut world = rapier::PhysicsWorld::new();
        world.gravity = rapier::Vector::new(0.0, 0.0, -GRAVITY);
        world.integration_parameters.dt = STEP;
        let is_accurate = tuning == Tuning::Accurate;
        if is_accurate {
            tune(&mut world.integration_parameters);
        }
        let mut handles = Vec::new();
        for part in &scene.parts {
            let body = if part.is_free() {
                rapier::RigidBodyBuilder::dynamic().ccd_enabled(is_accurate).can_sleep(!is_accurate)
            } else {
                rapier::RigidBodyBuilder::fixed()
            };
            let body = body.pose(pose_of(&part.pose)).linvel(vector(part.velocity));
            handles.push(world.insert(body, collider(part)?).0);
        }
        Ok(Rapier { world, handles })
    }
}

fn tune(parameters: &mut rapier::IntegrationParameters) {
    parameters.num_solver_iterations = 16;
    parameters.num_internal_pgs_iterations = 4;
    let stiff = rapier::SpringCoefficients::new(2000.0, 1.0);
    parameters.contact_softness = stiff;
    parameters.static_contact_softness = stiff;
    parameters.length_unit = 0.1;
    // These two are in units of length.
    parameters.normalized_prediction_distance = 0.2;
    parameters.normalized_allowed_linear_error = 1e-4;
    parameters.friction_model = rapier::FrictionModel::Coulomb;
    parameters.contact_recycling = false;
    parameters.max_ccd_substeps = 4;
}

fn collider(part: &Part) -> Result<rapier::ColliderBuilder, Box<dyn Error>> {
    let points = |solid: &Solid| solid.soup().points().iter().map(|&p| vector(p)).collect::<Vec<_>>();
    let builder = match &part.form {
        Form::Box(size) => rapier::ColliderBuilder::cuboid(0.5 * size.x, 0.5 * size.y, 0.5 * size.z),
        Form::Ball(radius) => rapier::ColliderBuilder::ball(*radius),
        Form::HalfSpace => rapier::ColliderBuilder::new(rapier::SharedShape::halfspace(vector(Vec3::Z))),
        Form::Convex(solid) => rapier::ColliderBuilder::convex_hull(&points(solid))
            .ok_or("Rapier could not make the hull of a part")?,
        Form::Mesh(solid) => rapier::ColliderBuilder::trimesh_with_flags(
            points(solid),
            solid.soup().triangles().to_vec(),
            // By which it knows inside from outside and corrects normals at edges between triangles.
            rapier::TriMeshFlags::ORIENTED | rapier::TriMeshFlags::FIX_INTERNAL_EDGES,
        )?,
    };
    let builder = builder.friction(FRICTION).restitution(0.0);
    Ok(match part.weight {
        Some((mass, inertia)) => {
            let columns = inertia.to_cols_array_2d().map(rapier::Vector::from_array);
            let inertia = rapier::Matrix::from_cols(columns[0], columns[1], columns[2]);
            builder.mass_properties(rapier::MassProperties::with_inertia_matrix(
                rapier::Vector::ZERO,
                mass,
                inertia,
            ))
        }
        None => builder,
    })
}

impl Engine for Rapier {
    fn step(&mut self) -> Result<(), String> {
        self.world.step();
        Ok(())
    }

    fn states(&self) -> Result<Vec<State>, String> {
        let state = |&handle: &rapier::RigidBodyHandle| {
            let body = &self.world.bodies[handle];
            let (t, q) = (body.position().translation, body.position().rotation);
            let pose = Pose::new(Vec3::new(t.x, t.y, t.z), Quat::from_xyzw(q.x, q.y, q.z, q.w))
                .map_err(|error| error.to_string())?;
            let plain = |v: rapier::Vector| Vec3::new(v.x, v.y, v.z);
            Ok(State {
                pose,
                velocity: Twist { linear: plain(body.linvel()), angular: plain(body.angvel()) },
            })
        };
        self.handles.iter().map(state).collect()
    }
}

fn vector(v: Vec3) -> rapier::Vector {
    rapier::Vector::new(v.x, v.y, v.z)
}

fn pose_of(pose: &Pose) -> rapier::Pose {
    let q = pose.rotation();
    rapier::Pose::from_parts(vector(pose.translation()), rapier::Rotation::from_xyzw(q.x, q.y, q.z, q.w))
}
