//! Reports the world's refusals at the field that caused them.

use super::Build;
use crate::scene::tree::Path;
use crate::scene::written::WrittenBody;
use silvia_world::{BodyFault, LoadError};

impl Build<'_> {
    /// Reports a refused load at its field.
    pub(super) fn load_fault(&mut self, path: &Path, fault: &BodyFault) {
        let (path, remedy) = match fault {
            BodyFault::Load(LoadError::TorqueAtPoint) => (path.key("at"), "leave `at` out"),
            BodyFault::Load(LoadError::Window { .. }) => (path.key("between"), "give [from, to]"),
            BodyFault::Load(LoadError::Table { .. } | LoadError::EmptyTable) => {
                (path.key("table"), "give pairs of rising times and factors")
            }
            _ => (path.clone(), "give another"),
        };
        self.refused(&path, fault, remedy);
    }

    /// Reports a refused body at its field.
    pub(super) fn fault(&mut self, path: &Path, body: &WrittenBody, fault: &BodyFault) {
        let weight = |usual: &'static str| match (&body.density, &body.mass, &body.inertia) {
            (Some(_), ..) => "density",
            (_, Some(_), _) => "mass",
            (.., Some(_)) => "inertia",
            _ => usual,
        };
        let (field, remedy) = match fault {
            BodyFault::EmptyName | BodyFault::DuplicateName => ("name", "give it another name, or none"),
            BodyFault::Density { .. } => ("density", "leave it out for that of water, 1000 kg/m³"),
            BodyFault::Mass { .. } => (
                weight("mass"),
                "leave it out for the density of water; what nothing moves is `role = \"fixed\"`",
            ),
            BodyFault::InertiaNotFinite { .. }
            | BodyFault::InertiaNotSymmetric { .. }
            | BodyFault::Moments { .. }
            | BodyFault::TriangleInequality { .. } => (
                weight("inertia"),
                "the largest moment must not exceed the sum of the others; check the units, or leave it out \
                 to have it computed from the shape",
            ),
            BodyFault::Volume { .. } | BodyFault::NoVolume => {
                (weight("role"), "give `inertia`, or `role = \"fixed\"`")
            }
            BodyFault::Endless => ("role", "give `role = \"fixed\"`"),
            BodyFault::Velocity { .. } => ("velocity", "give finite numbers"),
            BodyFault::Immovable => (
                if body.velocity.is_some() { "velocity" } else { "spin" },
                "leave it out, or give a `script`",
            ),
            BodyFault::OutOfReach { .. } => ("position", "put it nearer to the origin"),
            BodyFault::Script(_) => ("script", "give other times"),
            _ => ("", "give other values"),
        };
        let path = if field.is_empty() { path.clone() } else { path.key(field) };
        self.refused(&path, fault, remedy);
    }
}
