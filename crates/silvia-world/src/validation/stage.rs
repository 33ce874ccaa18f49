//! What all scenes are made with.

use super::STEP;
use crate::body::BodyId;
use crate::builder::BodyBuilder;
use crate::error::{BodyError, WorldError};
use crate::material::{Material, MaterialError, MaterialId};
use crate::report::{StepError, StepReport};
use crate::response;
use crate::settings::{SettingsError, WorldSettings};
use crate::world::World;
use silvia_contact::Twist;
use silvia_proximity::Shape;
use silvia_proximity::shape::ShapeError;
use silvia_solid::primitives::PrimitiveError;
use silvia_solid::{Plane, Pose, PoseError, Quat, SolidError, Vec3};
use std::sync::Arc;
use thiserror::Error;

/// Downwards, m/s².
pub(super) const GRAVITY: f64 = 9.81;

/// Accelerations and times are compared to this: contact in time stepping is of first order in the step.
pub(super) const MOTION: f64 = 1e-3;

/// Thresholds are compared to this.
pub(super) const THRESHOLD: f64 = 1e-2;

/// Forces are compared to this.
pub(super) const FORCE: f64 = 1e-6;

/// How narrowly thresholds are looked for, relative: well within [`THRESHOLD`].
const BRACKET: f64 = 1e-3;

/// Why a scene could not be run to its end.
#[derive(Debug, Error)]
pub enum ValidationError {
    /// No such method.
    #[error("there is no method `{given}`: there are {}", response::NAMES.join(", "))]
    UnknownMethod {
        /// As given.
        given: String,
    },
    /// A method that does not claim to handle the scene.
    #[error("`{given}` does not handle the scene `{scene}`: take one of {}", methods.join(", "))]
    NotHandled {
        /// Its name.
        scene: &'static str,
        /// As given.
        given: String,
        /// Those that do.
        methods: &'static [&'static str],
    },
    /// What the scene is about did not happen.
    #[error("in the scene there was no {what}")]
    NeverHappened {
        /// What should have.
        what: &'static str,
    },
    /// A step could not be made.
    #[error(transparent)]
    Step(#[from] StepError),
    /// A shape was refused.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// A pose was refused.
    #[error(transparent)]
    Pose(#[from] PoseError),
    /// A body was refused.
    #[error(transparent)]
    Body(Box<BodyError>),
    /// A material was refused.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// Settings were refused.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The world refused something.
    #[error(transparent)]
    World(Box<WorldError>),
    /// A part could not be made.
    #[error(transparent)]
    Primitive(#[from] PrimitiveError),
    /// The triangles of a part enclose no solid.
    #[error(transparent)]
    Solid(#[from] SolidError),
}

impl From<BodyError> for ValidationError {
    fn from(error: BodyError) -> ValidationError {
        ValidationError::Body(Box::new(error))
    }
}

impl From<WorldError> for ValidationError {
    fn from(error: WorldError) -> ValidationError {
        ValidationError::World(Box::new(error))
    }
}

/// A world in which all bodies are of one material.
pub(super) struct Stage {
    pub(super) world: World,
    /// The name of its method.
    pub(super) method: &'static str,
    material: MaterialId,
}

impl Stage {
    /// A world with gravity along -z.
    pub(super) fn new(method: &str, friction: f64, restitution: f64) -> Result<Stage, ValidationError> {
        Stage::with_settings(method, friction, restitution, WorldSettings::default())
    }

    pub(super) fn without_gravity(
        method: &str,
        friction: f64,
        restitution: f64,
    ) -> Result<Stage, ValidationError> {
        let settings = WorldSettings { gravity: Vec3::ZERO, ..WorldSettings::default() };
        Stage::with_settings(method, friction, restitution, settings)
    }

    fn with_settings(
        method: &str,
        friction: f64,
        restitution: f64,
        settings: WorldSettings,
    ) -> Result<Stage, ValidationError> {
        let response = response::by_name(method)
            .ok_or_else(|| ValidationError::UnknownMethod { given: method.to_owned() })?;
        let method = response.name();
        let mut world = World::with_response(settings, Arc::from(response))?;
        let material = world.add_material(Material::new("of the scene", friction, restitution))?;
        Ok(Stage { world, method, material })
    }

    /// Level ground at height 0, without end.
    pub(super) fn ground(&mut self) -> Result<BodyId, ValidationError> {
        self.slope(0.0)
    }

    /// Ground without end through the origin that falls towards +x at an angle, rad.
    pub(super) fn slope(&mut self, angle: f64) -> Result<BodyId, ValidationError> {
        let normal = Quat::from_rotation_y(angle) * Vec3::Z;
        let ground = Shape::half_space(Plane { normal, offset: 0.0 })?;
        self.fixed(ground, Pose::IDENTITY)
    }

    pub(super) fn fixed(&mut self, shape: Shape, pose: Pose) -> Result<BodyId, ValidationError> {
        Ok(self.world.add(BodyBuilder::fixed(shape).at(pose).material(self.material))?)
    }

    /// A free body of 1 kg.
    pub(super) fn free(&mut self, shape: Shape, pose: Pose) -> Result<BodyId, ValidationError> {
        self.add(BodyBuilder::free(shape).mass(1.0).at(pose))
    }

    pub(super) fn add(&mut self, body: BodyBuilder) -> Result<BodyId, ValidationError> {
        Ok(self.world.add(body.material(self.material))?)
    }

    pub(super) fn step(&mut self) -> Result<StepReport, ValidationError> {
        Ok(self.world.step(STEP)?)
    }

    /// Goes on for a time, s, and gives the report of the last step.
    pub(super) fn run(&mut self, seconds: f64) -> Result<StepReport, ValidationError> {
        let mut last = StepReport::default();
        for _ in 0..(seconds / STEP).round() as usize {
            last = self.step()?;
        }
        Ok(last)
    }

    /// Where the origin of a body is, m.
    pub(super) fn place(&self, body: BodyId) -> Result<Vec3, ValidationError> {
        Ok(self.world.pose(body)?.translation())
    }

    pub(super) fn velocity(&self, body: BodyId) -> Result<Twist, ValidationError> {
        Ok(self.world.velocity(body)?)
    }
}

/// A pose on a slope through the origin that falls towards +x: `x` along it and `z` above it, m.
pub(super) fn on_slope(angle: f64, x: f64, z: f64) -> Result<Pose, ValidationError> {
    let rotation = Quat::from_rotation_y(angle);
    Ok(Pose::new(rotation * Vec3::new(x, 0.0, z), rotation)?)
}

/// A translation.
pub(super) fn at(x: f64, y: f64, z: f64) -> Result<Pose, ValidationError> {
    Ok(Pose::from_translation(Vec3::new(x, y, z))?)
}

/// Moving along x without turning, m/s.
pub(super) fn along_x(speed: f64) -> Twist {
    Twist { linear: Vec3::X * speed, angular: Vec3::ZERO }
}

/// What the contacts of a report press together with in all, N.
pub(super) fn pressure(report: &StepReport) -> f64 {
    report.contacts.iter().map(|contact| contact.force.dot(contact.normal)).sum()
}

/// The value near an expected one from which on something holds, by halving a bracket of 10 % to each side.
pub(super) fn threshold(
    expected: f64,
    what: &'static str,
    mut holds: impl FnMut(f64) -> Result<bool, ValidationError>,
) -> Result<f64, ValidationError> {
    let (mut low, mut high) = (0.9 * expected, 1.1 * expected);
    if holds(low)? || !holds(high)? {
        return Err(ValidationError::NeverHappened { what });
    }
    while high - low > BRACKET * expected {
        let middle = 0.5 * (low + high);
        if holds(middle)? {
            high = middle;
        } else {
            low = middle;
        }
    }
    Ok(0.5 * (low + high))
}
