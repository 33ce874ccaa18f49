//! Reports the world's refusals at the field that caused them.

use super::Build;
use super::bodies::{Read, Weight};
use crate::scene::tree::Path;
use crate::scene::written::{Role, WrittenBody};
use silvia_solid::{Pose, Quat};
use silvia_world::{BodyFault, LoadError, MaterialId, World, WorldSettings};

/// More than a body can have.
const MOST_FAULTS: usize = 8;

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

    /// Reports a refused copy of a body, and what else is wrong with it: a world names one thing at a
    /// time, so that others are asked about what is left.
    pub(super) fn faults(
        &mut self,
        path: &Path,
        body: &WrittenBody,
        read: &Read,
        (turn, pose): (Quat, Pose),
        mut fault: BodyFault,
    ) {
        let mut rest = read.clone();
        rest.pose = pose;
        for _ in 0..MOST_FAULTS {
            self.fault(path, body, rest.weight, &fault);
            if !rest.leave_out(&fault) {
                return;
            }
            match refusal(&rest, turn) {
                Some(next) => fault = next,
                None => return,
            }
        }
    }

    /// Reports what is wrong with weights that are given besides the first: the world does not see them.
    pub(super) fn check_weights(&mut self, path: &Path, body: &WrittenBody, read: &Read) {
        for &weight in read.weights.iter().skip(1) {
            let mut with = read.clone();
            with.weight = weight;
            let fault = refusal(&with, Quat::IDENTITY);
            if let Some(fault) = fault.filter(is_of_weight) {
                self.fault(path, body, weight, &fault);
            }
        }
    }

    /// Reports a refused body at its field.
    fn fault(&mut self, path: &Path, body: &WrittenBody, weight: Weight, fault: &BodyFault) {
        let weight = |usual: &'static str| match weight {
            Weight::Density(_) => "density",
            Weight::Mass(_) => "mass",
            Weight::Inertia(..) => "inertia",
            Weight::Unsaid => usual,
        };
        let (field, remedy) = match fault {
            BodyFault::EmptyName | BodyFault::DuplicateName => ("name", "give it another name, or none"),
            BodyFault::Density { .. } => ("density", "leave it out for that of water, 1000 kg/m³"),
            BodyFault::Mass { .. } => (
                weight("mass"),
                "leave it out for the density of water; for a body that never moves, give `role = \"fixed\"`",
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
            BodyFault::FarFromOrigin { .. } => (
                "",
                "move the points to the origin where the part was made, and give its place as `position`",
            ),
            BodyFault::Script(_) => ("script", "give other times"),
            _ => ("", "give other values"),
        };
        let path = if field.is_empty() { path.clone() } else { path.key(field) };
        self.refused(&path, fault, remedy);
    }
}

impl Read {
    /// Takes out what a fault is about; false if that cannot be.
    fn leave_out(&mut self, fault: &BodyFault) -> bool {
        match fault {
            // Names are not looked at again.
            BodyFault::EmptyName | BodyFault::DuplicateName => {}
            fault if is_of_weight(fault) => self.weight = Weight::Unsaid,
            BodyFault::Volume { .. } | BodyFault::NoVolume | BodyFault::Endless => {
                (self.role, self.weight, self.velocity) = (Role::Fixed, Weight::Unsaid, None);
            }
            BodyFault::Velocity { .. } | BodyFault::Immovable => self.velocity = None,
            BodyFault::OutOfReach { .. } => self.pose = Pose::IDENTITY,
            _ => return false,
        }
        true
    }
}

/// Why an empty world refuses a body, if it does.
fn refusal(read: &Read, turn: Quat) -> Option<BodyFault> {
    let mut world = World::new(WorldSettings::default()).ok()?;
    let builder = read.builder(turn).at(read.pose).material(MaterialId::default());
    world.add(builder).err().map(|error| error.fault)
}

fn is_of_weight(fault: &BodyFault) -> bool {
    matches!(
        fault,
        BodyFault::Density { .. }
            | BodyFault::Mass { .. }
            | BodyFault::InertiaNotFinite { .. }
            | BodyFault::InertiaNotSymmetric { .. }
            | BodyFault::Moments { .. }
            | BodyFault::TriangleInequality { .. }
    )
}
