//! The data that changes from frame to frame.

use silvia_contact::Twist;
use silvia_solid::{Pose, Vec3};
use silvia_world::{BodyId, Energy, World, WorldError};

/// A frame of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// Steps made so far.
    pub step: u64,
    /// Time, s.
    pub time: f64,
    /// Poses of the bodies' frames, in the order of the header.
    pub poses: Vec<Pose>,
    /// Velocities of their centres of mass.
    pub velocities: Vec<Twist>,
    /// Energy of all moving bodies.
    pub energy: Energy,
    /// Contacts of the step that ends here.
    pub contacts: Vec<FrameContact>,
    /// All impacts since the previous frame.
    pub impacts: Vec<FrameImpact>,
    /// Cost of all steps since the previous frame.
    pub cost: StepCost,
}

/// A contact at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameContact {
    /// The two bodies, by index in the header; the normal points from the first to the second.
    pub bodies: [u32; 2],
    /// The midpoint of the two nearest points, m.
    pub point: Vec3,
    /// Unit normal.
    pub normal: Vec3,
    /// Gap, m.
    pub gap: f64,
    /// Mean force on the second body over the step, N.
    pub force: Vec3,
}

/// An impact between two frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameImpact {
    /// Time, s.
    pub time: f64,
    /// The two bodies, by index in the header.
    pub bodies: [u32; 2],
    /// Place of the impact, m.
    pub point: Vec3,
    /// Unit normal from the first to the second.
    pub normal: Vec3,
    /// Speed of approach, m/s.
    pub speed: f64,
    /// Impulse on the second body, N s.
    pub impulse: Vec3,
}

/// The cost of the steps between two frames.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepCost {
    /// Wall-clock time, s. It varies from run to run.
    pub wall_seconds: f64,
    /// Number of islands of bodies in the last step.
    pub islands: u32,
    /// The most pieces that one of the steps was cut into.
    pub pieces: u32,
    /// Number of times a piece was shortened.
    pub cuts: u32,
    /// Number of rounds of the response method.
    pub iterations: u32,
    /// The largest residual of a solver.
    pub residual: f64,
    /// The smallest gap at the end of the last step, m; infinite if nothing was near.
    pub smallest_gap: f64,
}

impl Frame {
    /// The current state of the world, with the contacts of its last step. The caller adds impacts and costs.
    pub fn of(world: &World) -> Result<Frame, WorldError> {
        let ids: Vec<BodyId> = world.ids().collect();
        // Only existing bodies take part in contacts.
        let place = |id: BodyId| ids.binary_search(&id).unwrap_or(ids.len()) as u32;
        let contacts = world.contacts().iter().map(|contact| FrameContact {
            bodies: contact.bodies.map(place),
            point: 0.5 * (contact.points[0] + contact.points[1]),
            normal: contact.normal,
            gap: contact.gap,
            force: contact.force,
        });
        Ok(Frame {
            step: world.steps(),
            time: world.time(),
            poses: ids.iter().map(|&id| world.pose(id)).collect::<Result<_, _>>()?,
            velocities: ids.iter().map(|&id| world.velocity(id)).collect::<Result<_, _>>()?,
            energy: world.energy(),
            contacts: contacts.collect(),
            impacts: Vec::new(),
            cost: StepCost { smallest_gap: f64::INFINITY, ..StepCost::default() },
        })
    }
}
