//! Rapier's side.

use crate::run::Engine;
use crate::scene::{FRICTION, Form, GRAVITY, Part, STEP, Scene, State};
use rapier3d_f64::prelude as rapier;
use serde::{Deserialize, Serialize};
use silvia::prelude::*;
use std::error::Error;

/// How Rapier is set.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) enum Tuning {
    /// As it comes, but for the length of the step and sleep, which is off.
    Defaults,
    /// For accuracy.
    Accurate(Parameters),
}

/// What was tried with; all else is as [`TUNED_ALIKE`] says.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Parameters {
    /// Into how many steps of Rapier a step is parted: contacts are found anew in each.
    pub(crate) parts: usize,
    /// Substeps of each of them.
    pub(crate) substeps: usize,
    /// Sweeps over all contacts in each.
    pub(crate) sweeps: usize,
    /// Of the springs in contacts, Hz, and how much of critical their damping is.
    pub(crate) hertz: f64,
    pub(crate) damping: f64,
    /// From which distance on contacts are made, m.
    pub(crate) prediction: f64,
    /// How fast overlaps are pushed out at most, m/s.
    pub(crate) push: f64,
    /// How far ahead its soft continuous detection looks, m.
    pub(crate) ahead: f64,
}

/// Of the settings tried (the part `rapier` of the page shows them) these leave the least overlap over the
/// stack, the wall and the pile at a reasonable speed: others that leave as little take longer.
pub(crate) const TUNED: Parameters = Parameters {
    parts: 4,
    substeps: 4,
    sweeps: 4,
    hertz: 4000.0,
    damping: 1.0,
    prediction: 0.02,
    push: 3.0,
    ahead: 0.0,
};

/// What is changed in every tuning. Rapier's contact skin is left at 0: bodies would float on it.
pub(crate) const TUNED_ALIKE: &str = "`length_unit` 0.1 for parts of that size, 10 µm of allowed error, \
 Coulomb friction at each point, contacts found anew in every step, \
     continuous detection for all bodies with up to 4 substeps";

/// Of what is given to Rapier for a half-space, in both settings: half its sides and half its depth, m. Of a
/// prism that leans against one of its own half-spaces, corners were seen 8 mm within it, whatever the
/// settings.
const GROUND: [f64; 2] = [20.0, 0.5];

impl Parameters {
    /// For the page.
    pub(crate) fn told(&self) -> String {
        let Parameters { parts, substeps, sweeps, hertz, damping, prediction, push, .. } = self;
        format!(
            "each step made in {parts} ({} ms) with contacts found anew, {substeps} substeps in each, \
             {sweeps} sweeps in each of these instead of 1, contact springs of {hertz} Hz and damping ratio \
             {damping} instead of \
             30 Hz (60 Hz to what is fixed) and 10, {prediction} m of prediction, overlaps pushed out by up \
             to {push} m/s, {TUNED_ALIKE}",
            1e3 * STEP / *parts as f64
        )
    }
}

pub(crate) struct Rapier {
    world: rapier::PhysicsWorld,
    handles: Vec<rapier::RigidBodyHandle>,
    parts: usize,
}

impl Rapier {
    pub(crate) fn new(scene: &Scene, tuning: Tuning) -> Result<Rapier, Box<dyn Error>> {
        let mut world = rapier::PhysicsWorld::new();
        world.gravity = rapier::Vector::new(0.0, 0.0, -GRAVITY);
        world.integration_parameters.dt = STEP;
        let (is_accurate, parts, ahead) = match tuning {
            Tuning::Defaults => (false, 1, 0.0),
            Tuning::Accurate(parameters) => {
                tune(&mut world.integration_parameters, &parameters);
                (true, parameters.parts, parameters.ahead)
            }
        };
        world.integration_parameters.dt = STEP / parts as f64;
        let mut handles = Vec::new();
        for part in &scene.parts {
            let body = if part.is_free() {
                rapier::RigidBodyBuilder::dynamic()
                    .ccd_enabled(is_accurate)
                    .can_sleep(false)
                    .soft_ccd_prediction(ahead)
            } else {
                rapier::RigidBodyBuilder::fixed()
            };
            let body = body.pose(pose_of(&part.pose)).linvel(vector(part.velocity));
            handles.push(world.insert(body, collider(part)?).0);
        }
        Ok(Rapier { world, handles, parts })
    }
}

fn tune(parameters: &mut rapier::IntegrationParameters, to: &Parameters) {
    parameters.num_solver_iterations = to.substeps;
    parameters.num_internal_pgs_iterations = to.sweeps;
    let stiff = rapier::SpringCoefficients::new(to.hertz, to.damping);
    parameters.contact_softness = stiff;
    parameters.static_contact_softness = stiff;
    const LENGTH_UNIT: f64 = 0.1;
    parameters.length_unit = LENGTH_UNIT;
    // These two are in units of length.
    parameters.normalized_max_corrective_velocity = to.push / LENGTH_UNIT;
    parameters.normalized_prediction_distance = to.prediction / LENGTH_UNIT;
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
        Form::HalfSpace => rapier::ColliderBuilder::cuboid(GROUND[0], GROUND[0], GROUND[1])
            .translation(vector(Vec3::Z * -GROUND[1])),
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
        (0..self.parts).for_each(|_| self.world.step());
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
