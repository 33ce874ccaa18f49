//! A world as it was, to go back to.

mod bytes;

use super::World;
use crate::body::{Body, Role};
use crate::builder::check_role;
use crate::error::{BodyError, BodyFault, SnapshotError};
use crate::hand::{Hand, HandId};
use crate::load::{Load, LoadId};
use crate::script::Anchor;
use crate::state::{Fnv, State};
use silvia_proximity::Filter;
use silvia_solid::Pose;
use std::collections::BTreeMap;

/// A world as it was: its time, where its bodies were and how they moved, their roles and loads, and who
/// touched whom. Not its settings, response, materials and shapes.
#[derive(Clone, Debug)]
pub struct Snapshot {
    state: State,
    filter: Filter,
    bodies: Vec<Option<Kept>>,
}

#[derive(Clone, Debug)]
struct Kept {
    name: String,
    /// Of all that does not change.
    identity: u64,
    role: Role,
    anchor: Anchor,
    loads: BTreeMap<LoadId, Load>,
    hands: BTreeMap<HandId, Hand>,
    /// By how much its surface is drawn in, m.
    inset: f64,
}

/// # Going back
impl World {
    /// All that is needed to come back here and go on to the same bits.
    pub fn snapshot(&self) -> Snapshot {
        let kept = |body: &Body| Kept {
            name: body.name.clone(),
            identity: body.identity(),
            role: body.role.clone(),
            anchor: body.anchor,
            loads: body.loads.clone(),
            hands: body.hands.clone(),
            inset: body.inset,
        };
        let bodies = self.bodies.iter().map(|body| body.as_ref().map(kept)).collect();
        Snapshot { state: self.state.clone(), filter: self.filter.clone(), bodies }
    }

    /// Goes back to a snapshot of this world, or of one with the same bodies in the same order.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        for number in 0..self.bodies.len().max(snapshot.bodies.len()) {
            let now = self.bodies.get(number).and_then(Option::as_ref);
            let then = snapshot.bodies.get(number).and_then(Option::as_ref);
            if now.map(Body::identity) != then.map(|kept| kept.identity) {
                let (then, now) = (then.map(|kept| kept.name.clone()), now.map(|body| body.name.clone()));
                return Err(SnapshotError::OtherBodies { number, then, now });
            }
        }
        // Never so in a snapshot that a world made; one that comes from a file may be made up.
        let mut redrawn = Vec::new();
        for (number, (body, kept)) in self.bodies.iter().zip(&snapshot.bodies).enumerate() {
            if let (Some(body), Some(kept)) = (body, kept) {
                let fault = |fault: BodyFault| BodyError { name: body.name.clone(), fault };
                check_role(&kept.role, &body.shape, &body.inertia).map_err(fault)?;
                if body.inset != kept.inset {
                    let mut then = body.clone();
                    if !then.set_inset(kept.inset) {
                        let (then, now) = (Some(kept.name.clone()), Some(body.name.clone()));
                        return Err(SnapshotError::OtherBodies { number, then, now });
                    }
                    redrawn.push((number, then));
                }
            }
        }
        for (number, body) in redrawn {
            self.bodies[number] = Some(body);
            self.workspace.forget(number as u32);
        }
        let then = &snapshot.state;
        // Bodies that were added and removed again keep their numbers, so that their ids go on naming
        // nothing.
        let places = self.bodies.len();
        let gone = self.state.bodies.iter().skip(then.bodies.len());
        let bodies = then.bodies.iter().chain(gone).take(places).copied().collect();
        self.state = State { bodies, ..then.clone() };
        // Bodies that were removed since may have left something in a snapshot of an earlier version.
        let bodies = &self.bodies;
        let is_there = |number: &u32| bodies.get(*number as usize).is_some_and(Option::is_some);
        self.state.contacts.retain(|contact| contact.bodies.iter().all(|id| is_there(&id.number)));
        self.state.lifts.retain(|pair| pair.iter().all(is_there));
        self.state.hands.retain(|record| is_there(&record.body.number));
        self.state.unchecked.retain(is_there);
        self.state.asleep.retain(is_there);
        // Never out of order in a snapshot that a world made.
        self.state.contacts.sort_by_key(|contact| contact.bodies);
        // The ids of this world are what counts.
        let generations = &self.generations;
        let contacts = self.state.contacts.iter_mut().flat_map(|contact| &mut contact.bodies);
        let in_hand = self.state.hands.iter_mut().map(|record| &mut record.body);
        contacts.chain(in_hand).for_each(|id| id.generation = generations[id.index()]);
        self.filter = snapshot.filter.clone();
        self.workspace.unsettle();
        for (number, (body, kept)) in self.bodies.iter_mut().zip(&snapshot.bodies).enumerate() {
            if let (Some(body), Some(kept)) = (body, kept) {
                body.role = kept.role.clone();
                body.anchor = kept.anchor;
                body.loads = kept.loads.clone();
                body.hands = kept.hands.clone();
                let after = kept.hands.keys().next_back().map_or(0, |id| id.0.saturating_add(1));
                self.next_hand = self.next_hand.max(after);
                // A load that is added later must not get the number of one that came with the snapshot.
                let after = kept.loads.keys().next_back().map_or(0, |id| id.0.saturating_add(1));
                self.next_load = self.next_load.max(after);
                body.groups = self.filter.groups(number as u32);
            }
        }
        self.mirror_all();
        Ok(())
    }

    /// A hash (FNV-1a, 64 bits) of the bits of all that changes from step to step: time, number of steps,
    /// bodies, and what the last step left for the next. The same on any machine and any number of threads.
    pub fn hash(&self) -> u64 {
        let mut hash = Fnv::new();
        self.state.feed(&mut hash);
        for (number, body) in self.numbered() {
            hash.number(number as u64);
            self.state.bodies[number].feed(&mut hash);
            if body.inset != 0.0 {
                hash.reals(&[body.inset]);
            }
        }
        hash.finish()
    }
}

impl Body {
    /// A hash of its name, mass and shape as given, as far as its box and reach tell them apart.
    fn identity(&self) -> u64 {
        let mut hash = Fnv::new();
        hash.bytes(self.name.as_bytes());
        let bounds = self.given.aabb(&Pose::IDENTITY);
        hash.reals(&[self.inertia.mass, self.given.reach()]);
        hash.reals(&self.inertia.centre.to_array());
        hash.reals(&self.inertia.inertia.to_cols_array());
        hash.reals(&bounds.min.to_array());
        hash.reals(&bounds.max.to_array());
        hash.number(self.given.kind() as u64);
        hash.finish()
    }
}
