//! What a body is: its shapes, its mass, its material, and what decides how it moves.

pub(crate) use crate::inertia::Inertia;
pub(crate) use crate::script::Script;

use crate::hand::{Hand, HandId};
use crate::load::{Load, LoadId};
use crate::material::MaterialId;
use crate::script::Anchor;
use crate::step::is_fine;
use silvia_contact::Twist;
use silvia_proximity::{ContactBody, Groups, Shape};
use silvia_solid::{Pose, Quat, Vec3};
use std::collections::BTreeMap;

/// Names a body of a world. It is never given to another one: once the body is removed, its id is refused.
///
/// An id is a number and back, for doors to other languages:
/// ```
/// use silvia_proximity::Shape;
/// use silvia_world::{BodyBuilder, BodyId, World, WorldSettings};
/// let mut world = World::new(WorldSettings::default())?;
/// let ball = world.add(BodyBuilder::free(Shape::sphere(0.1)?))?;
/// let bits = u64::from(ball);
/// assert_eq!(BodyId::from(bits), ball);
/// world.remove(ball)?;
/// assert!(world.pose(BodyId::from(bits)).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId {
    /// The body's place in lists by number. It is used again once the body is removed.
    pub(crate) number: u32,
    /// How often the number was used before.
    pub(crate) generation: u32,
}

impl BodyId {
    /// The body's place in [`World::poses`](crate::World::poses) and
    /// [`World::velocities`](crate::World::velocities).
    pub fn index(self) -> usize {
        self.number as usize
    }
}

impl From<BodyId> for u64 {
    /// The index in the lower half. As long as no body is removed, that is all.
    fn from(id: BodyId) -> u64 {
        u64::from(id.generation) << 32 | u64::from(id.number)
    }
}

impl From<u64> for BodyId {
    /// Any number is an id; a world refuses those that it did not give out.
    fn from(bits: u64) -> BodyId {
        BodyId { number: bits as u32, generation: (bits >> 32) as u32 }
    }
}

/// What decides how a body moves.
///
/// Exhaustive on purpose: whatever records or draws bodies must learn of a new role.
///
/// ```
/// use silvia_proximity::Shape;
/// use silvia_world::{BodyBuilder, Role, World, WorldSettings};
///
/// // Held in hand at first, then let go: it falls.
/// let mut world = World::new(WorldSettings::default())?;
/// let ball = world.add(BodyBuilder::held(Shape::sphere(0.1)?))?;
/// world.step(0.01)?;
/// assert_eq!(world.velocity(ball)?.linear.z, 0.0);
/// world.set_role(ball, Role::Free)?;
/// world.step(0.01)?;
/// assert!(world.velocity(ball)?.linear.z < 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Role {
    /// Nothing moves it.
    Fixed,
    /// It goes its own way, whatever it meets: a conveyor, a press.
    Scripted(Script),
    /// A hand sets its velocity at the start of each step, contacts change it: its mass stays (paper 1 §3).
    /// The hand bears its weight. The velocity is that of its centre of mass.
    Held(Twist),
    /// Forces and contacts move it.
    Free,
}

impl Role {
    /// Whether contacts can move a body of this role.
    pub fn is_movable(&self) -> bool {
        matches!(self, Role::Held(_) | Role::Free)
    }
}

/// A body of a world, all that does not change from step to step.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) name: String,
    pub(crate) role: Role,
    /// Where it was when its role began.
    pub(crate) anchor: Anchor,
    /// In the body's frame; a compound where there are several. As given, but drawn in by `inset`.
    pub(crate) shape: Shape,
    /// As it was given.
    pub(crate) given: Shape,
    /// By how much the surface is drawn in, m: 0 but for a body that fitted exactly where it was placed.
    pub(crate) inset: f64,
    pub(crate) contact_body: ContactBody,
    /// Of an immovable body: of no meaning save its centre. Without mass where the shape has no volume.
    pub(crate) inertia: Inertia,
    pub(crate) material: MaterialId,
    pub(crate) groups: Groups,
    pub(crate) loads: BTreeMap<LoadId, Load>,
    /// They hold it while it is free.
    pub(crate) hands: BTreeMap<HandId, Hand>,
    /// Of the box around its shape, m: what its shell is a fraction of. Infinite for a half-space, 0 for a
    /// point.
    pub(crate) size: f64,
    /// How far its faces are from flat, at most, m.
    pub(crate) flatness: f64,
    /// Of its shape.
    pub(crate) triangles: usize,
}

impl Body {
    /// Draws its surface in by a distance, m, from where it was given. Says whether that can be done. Mass
    /// and size stay as they are.
    pub(crate) fn set_inset(&mut self, inset: f64) -> bool {
        let shape = if inset == 0.0 { Some(self.given.clone()) } else { self.given.inset(inset) };
        let Some(shape) = shape else { return false };
        self.contact_body = contact_body(&shape);
        self.flatness = self.contact_body.flatness();
        (self.shape, self.inset) = (shape, inset);
        true
    }

    /// Whether contacts can move it.
    pub(crate) fn is_movable(&self) -> bool {
        self.role.is_movable()
    }

    /// Whether hands hold it by springs.
    pub(crate) fn is_in_hand(&self) -> bool {
        !self.hands.is_empty() && matches!(self.role, Role::Free)
    }
}

/// A shape as searches for contacts need it.
pub(crate) fn contact_body(shape: &Shape) -> ContactBody {
    let contact_body = ContactBody::new(shape);
    // Now rather than within the first step that asks for it.
    if is_fine(contact_body.triangle_count()) {
        contact_body.prepare();
    }
    contact_body
}

/// Where a body is and how it moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyState {
    /// Where its centre of mass is, m.
    pub centre: Vec3,
    /// From its frame to the world's.
    pub rotation: Quat,
    /// Of its centre of mass, m/s, and angular, rad/s; in world axes.
    pub velocity: Twist,
}

impl BodyState {
    /// Of a frame at a pose whose origin moves at a velocity.
    pub(crate) fn of_frame(pose: &Pose, velocity: Twist, centre_in_body: Vec3) -> BodyState {
        let arm = pose.transform_vector(centre_in_body);
        BodyState {
            centre: pose.translation() + arm,
            rotation: pose.rotation(),
            velocity: Twist {
                linear: velocity.linear + velocity.angular.cross(arm),
                angular: velocity.angular,
            },
        }
    }
}
