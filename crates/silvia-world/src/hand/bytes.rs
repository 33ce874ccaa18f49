//! Hands as bytes and back. Every field is named, so that a new one cannot be forgotten.

use super::{Damping, Hand, HandId, HandRecord};
use crate::body::BodyId;
use crate::bytes::{Bytes, Coded};
use crate::error::SnapshotError;
use crate::script::Anchor;
use silvia_contact::Twist;
use silvia_solid::{Pose, Vec3};

impl Coded for HandId {
    fn put(&self, out: &mut Vec<u8>) {
        let HandId(number) = self;
        number.put(out);
    }

    fn take(from: &mut Bytes<'_>) -> Result<HandId, SnapshotError> {
        u32::take(from).map(HandId)
    }
}

impl Coded for Damping {
    fn put(&self, out: &mut Vec<u8>) {
        match self {
            Damping::Ratio(ratio) => {
                0_u8.put(out);
                ratio.put(out);
            }
            Damping::Given(damping) => {
                1_u8.put(out);
                damping.put(out);
            }
        }
    }

    fn take(from: &mut Bytes<'_>) -> Result<Damping, SnapshotError> {
        Ok(match u8::take(from)? {
            0 => Damping::Ratio(f64::take(from)?),
            1 => Damping::Given(Twist::take(from)?),
            _ => return Err(from.damaged("a kind of damping")),
        })
    }
}

impl Coded for Hand {
    fn put(&self, out: &mut Vec<u8>) {
        let Hand { grip, stiffness, damping, most, push, bears_weight, target, anchor, between } = self;
        grip.put(out);
        stiffness.put(out);
        damping.put(out);
        most.put(out);
        push.put(out);
        bears_weight.put(out);
        target.put(out);
        anchor.put(out);
        between.put(out);
    }

    fn take(from: &mut Bytes<'_>) -> Result<Hand, SnapshotError> {
        let hand = Hand {
            grip: Pose::take(from)?,
            stiffness: Twist::take(from)?,
            damping: Damping::take(from)?,
            most: <[f64; 2]>::take(from)?,
            push: Twist::take(from)?,
            bears_weight: bool::take(from)?,
            target: Coded::take(from)?,
            anchor: Anchor::take(from)?,
            between: <[f64; 2]>::take(from)?,
        };
        let is_good = hand.check().is_ok();
        from.check(hand, is_good, "a hand that a world takes")
    }
}

impl Coded for HandRecord {
    fn put(&self, out: &mut Vec<u8>) {
        let HandRecord { hand, body, force, torque, at, is_limited } = self;
        hand.put(out);
        u64::from(*body).put(out);
        force.put(out);
        torque.put(out);
        at.put(out);
        is_limited.iter().for_each(|is| is.put(out));
    }

    fn take(from: &mut Bytes<'_>) -> Result<HandRecord, SnapshotError> {
        Ok(HandRecord {
            hand: HandId::take(from)?,
            body: BodyId::from(u64::take(from)?),
            force: Vec3::take(from)?,
            torque: Vec3::take(from)?,
            at: Vec3::take(from)?,
            is_limited: [bool::take(from)?, bool::take(from)?],
        })
    }
}
