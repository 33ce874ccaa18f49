//! What changes from frame to frame.

use silvia_contact::Twist;
use silvia_solid::{Pose, Vec3};
use silvia_world::{BodyId, Energy, World, WorldError};

/// A moment of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// Steps made so far.
    pub step: u64,
    /// s
    pub time: f64,
    /// Of the bodies' frames, in the order of the header.
    pub poses: Vec<Pose>,
    /// Of their centres of mass.
    pub velocities: Vec<Twist>,
    /// Of all that moves.
    pub energy: Energy,
    /// Of the step that ends here.
    pub contacts: Vec<FrameContact>,
    /// All since the frame before.
    pub impacts: Vec<FrameImpact>,
    /// Of all steps since the frame before.
    pub cost: StepCost,
}

/// A contact at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameContact {
    /// By their place in the header; the normal points from the first to the second.
    pub bodies: [u32; 2],
    /// Between the two nearest points, m.
    pub point: Vec3,
    /// Unit vector.
    pub normal: Vec3,
    /// m
    pub gap: f64,
    /// Mean force on the second body over the step, N.
    pub force: Vec3,
}

/// An impact between two frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameImpact {
    /// s
    pub time: f64,
    /// By their place in the header.
    pub bodies: [u32; 2],
    /// m
    pub point: Vec3,
    /// Unit vector from the first to the second.
    pub normal: Vec3,
    /// How fast they approached, m/s.
    pub speed: f64,
    /// On the second body, N s.
    pub impulse: Vec3,
}

/// What the steps between two frames cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepCost {
    /// Time by the clock, s. Not the same from run to run.
    pub wall_seconds: f64,
    /// Islands of bodies that could meet, of the last step.
    pub islands: u32,
    /// Most pieces into which one of the steps was cut.
    pub pieces: u32,
    /// How often a piece was shortened.
    pub cuts: u32,
    /// Rounds of the response method.
    pub iterations: u32,
    /// The largest residual that a solver left.
    pub residual: f64,
    /// The least gap at the end of the last step, m; infinite if nothing was near.
    pub smallest_gap: f64,
}

impl Frame {
    /// The world as it is now. The contacts are those of its last step; impacts and costs are for the caller
    /// to add.
    pub fn of(world: &World) -> Result<Frame, WorldError> {
        let ids: Vec<BodyId> = world.ids().collect();
        // Only bodies that are there take part in contacts.
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
