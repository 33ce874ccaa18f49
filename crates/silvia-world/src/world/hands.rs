//! Taking bodies in hand, moving hands, letting go.

use super::World;
use crate::body::{Body, BodyId, Role};
use crate::error::{BodyFault, WorldError};
use crate::hand::{Hand, HandId, HandRecord};
use crate::script::{Anchor, Script};
use silvia_contact::Twist;
use silvia_solid::Pose;

/// # Hands
///
/// A hand pulls a free body by springs and dampers towards where the body is wanted; contacts stop the body
/// as they stop any other. A [held](Role::Held) body is another thing: there the hand sets the velocity.
impl World {
    /// Lets a hand hold a free body, from here on. If the hand has no target, the body is wanted where it is.
    /// A body may be held by several hands. They let go when it gets another role.
    pub fn take(&mut self, id: BodyId, mut hand: Hand) -> Result<HandId, WorldError> {
        let (time, pose) = (self.state.time, self.pose(id)?);
        let number = HandId(self.next_hand);
        let body = self.get_mut(id)?;
        if !matches!(body.role, Role::Free) {
            return Err(body.error(BodyFault::NotFree));
        }
        hand.check().map_err(|e| body.error(e.into()))?;
        hand.anchor_at(Anchor { time, pose });
        body.hands.insert(number, hand);
        self.next_hand += 1;
        self.wake_body(id.number);
        Ok(number)
    }

    /// Lets go. The body flies on as it moved.
    pub fn release(&mut self, id: HandId) -> Result<Hand, WorldError> {
        let (number, body) = self.in_hand(id)?;
        let hand = body.hands.remove(&id).ok_or(WorldError::NoSuchHand { id })?;
        self.state.hands.retain(|record| record.hand != id);
        self.wake_body(number);
        Ok(hand)
    }

    /// Wants the body elsewhere from here on: its frame at a pose.
    pub fn move_hand(&mut self, id: HandId, target: Pose) -> Result<(), WorldError> {
        let time = self.state.time;
        self.redirect(id, None, Anchor { time, pose: target })
    }

    /// Wants the body to go a way from here on. A constant velocity, of the origin of its frame, begins where
    /// the body is wanted now.
    pub fn guide_hand(&mut self, id: HandId, way: Script) -> Result<(), WorldError> {
        let anchor = Anchor { time: self.state.time, pose: self.hand_target(id)? };
        self.redirect(id, Some(way), anchor)
    }

    /// Changes the force, N, and torque, N m, that a hand gives beside its springs, along and about the axes
    /// of its target.
    pub fn set_hand_push(&mut self, id: HandId, push: Twist) -> Result<(), WorldError> {
        self.change_hand(id, |hand| hand.set_push(push))
    }

    /// A hand.
    pub fn hand(&self, id: HandId) -> Result<&Hand, WorldError> {
        self.hands().find(|(known, _, _)| *known == id).map(|(_, _, hand)| hand).ok_or(no_such(id))
    }

    /// All hands, in the order of the bodies that they hold.
    pub fn hands(&self) -> impl Iterator<Item = (HandId, BodyId, &Hand)> + '_ {
        self.numbered().flat_map(|(number, body)| {
            let id = self.id(number as u32);
            body.hands.iter().map(move |(&hand, of)| (hand, id, of))
        })
    }

    /// Where a hand wants the frame of its body now.
    pub fn hand_target(&self, id: HandId) -> Result<Pose, WorldError> {
        Ok(self.hand(id)?.target_at(self.state.time, 0.0))
    }

    /// What a hand did over the last step; `None` before the first, and if it did not pull.
    ///
    /// ```
    /// use silvia_proximity::Shape;
    /// use silvia_solid::{Plane, Pose, Vec3};
    /// use silvia_world::{BodyBuilder, Hand, World, WorldSettings};
    /// let mut world = World::new(WorldSettings::default())?;
    /// world.add(BodyBuilder::fixed(Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 })?))?;
    /// let above = Pose::from_translation(Vec3::new(0.0, 0.0, 0.5))?;
    /// let cube = world.add(BodyBuilder::free(Shape::cuboid(Vec3::ONE)?).mass(2.0).at(above))?;
    /// // It lies on the ground, and a hand of 1000 N/m wants it 1 cm lower.
    /// let hand = world.take(cube, Hand::new(1000.0, 100.0))?;
    /// world.move_hand(hand, Pose::from_translation(Vec3::new(0.0, 0.0, 0.49))?)?;
    /// for _ in 0..100 {
    ///     world.step(1e-3)?;
    /// }
    /// let did = world.hand_record(hand)?.ok_or("no step was made")?;
    /// assert!((did.force.z + 10.0).abs() < 1e-5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn hand_record(&self, id: HandId) -> Result<Option<HandRecord>, WorldError> {
        self.hand(id)?;
        Ok(self.state.hands.iter().find(|record| record.hand == id).copied())
    }

    fn redirect(&mut self, id: HandId, way: Option<Script>, anchor: Anchor) -> Result<(), WorldError> {
        self.change_hand(id, |hand| hand.go(way, anchor))
    }

    /// Changes a hand, if it is one then.
    fn change_hand(&mut self, id: HandId, change: impl FnOnce(&mut Hand)) -> Result<(), WorldError> {
        let (_, body) = self.in_hand(id)?;
        let mut changed = body.hands.get(&id).ok_or(WorldError::NoSuchHand { id })?.clone();
        change(&mut changed);
        changed.check().map_err(|e| body.error(e.into()))?;
        body.hands.insert(id, changed);
        Ok(())
    }

    /// The body that a hand holds, with its number.
    fn in_hand(&mut self, id: HandId) -> Result<(u32, &mut Body), WorldError> {
        let bodies = self.bodies.iter_mut().enumerate();
        let mut bodies = bodies.filter_map(|(number, body)| Some((number as u32, body.as_mut()?)));
        bodies.find(|(_, body)| body.hands.contains_key(&id)).ok_or(no_such(id))
    }
}

fn no_such(id: HandId) -> WorldError {
    WorldError::NoSuchHand { id }
}
