//! What changes from step to step.

use crate::body::BodyState;
use crate::buffers::refill;
use crate::hand::HandRecord;
use crate::report::ContactRecord;
use crate::sorted::Sorted;
use silvia_proximity::{ContactName, Feature};
use silvia_solid::Vec3;

/// What changes from step to step: all that is needed to go on from here to the same bits.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct State {
    /// Since the world began, s.
    pub(crate) time: f64,
    /// Steps made so far.
    pub(crate) steps: u64,
    /// By number; of a removed body, where it was.
    pub(crate) bodies: Vec<BodyState>,
    /// The mean contact forces of the last step, by bodies and features: where solvers start from.
    pub(crate) memory: Memory,
    /// By how much more than the shell some pairs are kept apart, m: those whose ways between two states bend
    /// towards each other.
    pub(crate) lifts: Sorted<[u32; 2], f64>,
    /// What the last step told of its contacts. Nothing comes of it: it is not part of the hash.
    pub(crate) contacts: Vec<ContactRecord>,
    /// For how many steps each body has rested; empty if nothing sleeps.
    pub(crate) rest: Vec<u32>,
    /// Bodies that the last step left asleep, ascending. Nothing comes of it: it is not part of the hash.
    pub(crate) asleep: Vec<u32>,
    /// Bodies that were placed, or whose pairs were switched on, from outside since the last step, ascending:
    /// they may overlap others.
    pub(crate) unchecked: Vec<u32>,
    /// What the last step told of hands, in their order. Nothing comes of it: it is not part of the hash.
    pub(crate) hands: Vec<HandRecord>,
}

/// Mean contact forces of the last step, on the second body, N.
pub(crate) type Memory = Sorted<ContactOf, Vec3>;

/// The numbers of two bodies, and which of their features meet.
pub(crate) type ContactOf = ([u32; 2], ContactName);

/// FNV-1a over 64 bits, fed with numbers as eight bytes, the least first: the same on any machine.
pub(crate) struct Fnv(u64);

impl Fnv {
    pub(crate) fn new() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    pub(crate) fn number(&mut self, number: u64) {
        self.bytes(&number.to_le_bytes());
    }

    pub(crate) fn reals(&mut self, reals: &[f64]) {
        reals.iter().for_each(|real| self.number(real.to_bits()));
    }

    pub(crate) fn finish(&self) -> u64 {
        self.0
    }
}

impl State {
    /// Lets the next step look whether a body overlaps others.
    pub(crate) fn uncheck(&mut self, number: u32) {
        if let Err(at) = self.unchecked.binary_search(&number) {
            self.unchecked.insert(at, number);
        }
    }

    /// Lets the next step look whether any bodies overlap.
    pub(crate) fn uncheck_all(&mut self) {
        refill(&mut self.unchecked, 0..self.bodies.len() as u32);
    }

    /// Forgets a body that is removed.
    pub(crate) fn forget(&mut self, number: u32) {
        self.memory.retain(|(bodies, _)| !bodies.contains(&number));
        self.lifts.retain(|bodies| !bodies.contains(&number));
        self.contacts.retain(|contact| contact.bodies.iter().all(|id| id.number != number));
        self.asleep.retain(|&asleep| asleep != number);
        self.unchecked.retain(|&unchecked| unchecked != number);
        self.hands.retain(|record| record.body.number != number);
    }

    /// Feeds all but the bodies.
    pub(crate) fn feed(&self, hash: &mut Fnv) {
        hash.reals(&[self.time]);
        hash.number(self.steps);
        for ((bodies, name), force) in self.memory.iter() {
            bodies.iter().chain(&name.parts).for_each(|&number| hash.number(u64::from(number)));
            for feature in name.key.features {
                let (kind, number) = match feature {
                    Feature::Vertex(number) => (0, number),
                    Feature::Edge(number) => (1, number),
                    Feature::Face(number) => (2, number),
                    Feature::Patch(number) => (3, number),
                };
                hash.number(kind);
                hash.number(u64::from(number));
            }
            hash.number(u64::from(name.key.reversed));
            hash.reals(&force.to_array());
        }
        self.rest.iter().for_each(|&steps| hash.number(u64::from(steps)));
        for (bodies, &lift) in self.lifts.iter() {
            bodies.iter().for_each(|&number| hash.number(u64::from(number)));
            hash.reals(&[lift]);
        }
    }
}

impl BodyState {
    pub(crate) fn feed(&self, hash: &mut Fnv) {
        hash.reals(&self.centre.to_array());
        hash.reals(&self.rotation.to_array());
        hash.reals(&self.velocity.linear.to_array());
        hash.reals(&self.velocity.angular.to_array());
    }
}

#[cfg(test)]
mod tests {
    use super::Fnv;

    #[test]
    fn the_hash_is_fnv_1a() {
        // From the published table of test vectors.
        for (text, expected) in
            [("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8)]
        {
            let mut hash = Fnv::new();
            hash.bytes(text.as_bytes());
            assert_eq!(hash.finish(), expected, "{text}");
        }
    }
}
