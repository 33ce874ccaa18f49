//! Snapshots as bytes and back. Every field of everything is named, so that a new one cannot be forgotten.
//!
//! `SVSN`, the version (4 bytes), the snapshot, and FNV-1a over all before it (8 bytes). Numbers have their
//! least byte first.

use super::{Kept, Snapshot};
use crate::body::{BodyId, BodyState, Role};
use crate::bytes::{Bytes, Coded};
use crate::error::SnapshotError;
use crate::hand::{Hand, HandId};
use crate::report::ContactRecord;
use crate::script::{Anchor, Script};
use crate::sorted::Sorted;
use crate::state::{Fnv, State};
use silvia_contact::Twist;
use silvia_proximity::{ContactKey, ContactName, Feature, Filter, Groups};
use silvia_solid::{Quat, Vec3};
use std::collections::BTreeMap;

const MAGIC: [u8; 4] = *b"SVSN";
/// Raised whenever the bytes of a snapshot come to mean something else. The first knew nothing of sleep, the
/// second not which bodies were placed from outside, the third not which are drawn in, the fourth not which
/// slept, the fifth no hands.
const VERSION: u32 = 6;
/// Bytes of the hash at the end.
const HASH: usize = 8;

impl Snapshot {
    /// All of it, to be kept in a file. [`Snapshot::from_bytes`] gives it back to the bit.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Snapshot { state, filter, bodies } = self;
        let mut out = MAGIC.to_vec();
        VERSION.put(&mut out);
        state.put(&mut out);
        bodies.put(&mut out);
        put_filter(filter, bodies.len(), &mut out);
        state.rest.put(&mut out);
        state.unchecked.put(&mut out);
        bodies.iter().flatten().map(|kept| kept.inset).collect::<Vec<f64>>().put(&mut out);
        state.asleep.put(&mut out);
        state.hands.put(&mut out);
        bodies.iter().flatten().map(|kept| kept.hands.clone()).collect::<Vec<_>>().put(&mut out);
        let hash = hash_of(&out);
        hash.put(&mut out);
        out
    }

    /// What [`Snapshot::to_bytes`] wrote. Refuses, without a panic, all bytes that it did not.
    pub fn from_bytes(bytes: &[u8]) -> Result<Snapshot, SnapshotError> {
        let whole = bytes.len().checked_sub(HASH).filter(|_| bytes.starts_with(&MAGIC));
        let (content, hash) = bytes.split_at(whole.ok_or(SnapshotError::NoSnapshot)?);
        let mut from = Bytes::new(content);
        from.next(MAGIC.len())?;
        let version = u32::take(&mut from)?;
        if version > VERSION {
            return Err(SnapshotError::Newer { found: version, known: VERSION });
        }
        let is_whole = hash_of(content).to_le_bytes() == hash;
        from.check((), is_whole && version > 0, "what was written: its hash differs")?;
        let mut state = State::take(&mut from)?;
        let mut bodies: Vec<Option<Kept>> = Vec::take(&mut from)?;
        let filter = take_filter(&mut from, bodies.len())?;
        if version >= 2 {
            state.rest = Vec::take(&mut from)?;
        }
        if version >= 3 {
            state.unchecked = Vec::take(&mut from)?;
        }
        if version >= 4 {
            let insets: Vec<f64> = Vec::take(&mut from)?;
            let is_good = |inset: &f64| inset.is_finite() && *inset >= 0.0;
            let are_good = insets.len() == bodies.iter().flatten().count() && insets.iter().all(is_good);
            from.check((), are_good, "how far bodies are drawn in")?;
            bodies.iter_mut().flatten().zip(insets).for_each(|(kept, inset)| kept.inset = inset);
        }
        if version >= 5 {
            state.asleep = Vec::take(&mut from)?;
        }
        if version >= 6 {
            state.hands = Vec::take(&mut from)?;
            let hands: Vec<BTreeMap<HandId, Hand>> = Vec::take(&mut from)?;
            from.check((), hands.len() == bodies.iter().flatten().count(), "the hands of all bodies")?;
            bodies.iter_mut().flatten().zip(hands).for_each(|(kept, hands)| kept.hands = hands);
        }
        from.check((), from.left() == 0, "the end")?;
        let snapshot = Snapshot { state, filter, bodies };
        let is_consistent = snapshot.is_consistent();
        from.check(snapshot, is_consistent, "numbers of bodies that there are")
    }

    /// Whether all that names bodies names bodies that there are.
    fn is_consistent(&self) -> bool {
        let count = self.bodies.len();
        let is_there = |number: &u32| self.bodies.get(*number as usize).is_some_and(Option::is_some);
        let is_known = |number: u32| (number as usize) < count;
        let State { bodies, memory, lifts, contacts, rest, asleep, unchecked, hands, time: _, steps: _ } =
            &self.state;
        bodies.len() == count
            && rest.len() <= count
            && unchecked.is_sorted_by(|a, b| a < b)
            && unchecked.iter().all(|&number| is_known(number))
            && asleep.is_sorted_by(|a, b| a < b)
            && asleep.iter().all(|&number| is_known(number))
            && memory.keys().all(|(pair, _)| pair.iter().all(is_there))
            && lifts.keys().flatten().all(|&number| is_known(number))
            && contacts.iter().flat_map(|contact| contact.bodies).all(|id| is_known(id.number))
            && hands.iter().all(|record| is_known(record.body.number))
    }
}

fn hash_of(bytes: &[u8]) -> u64 {
    let mut hash = Fnv::new();
    hash.bytes(bytes);
    hash.finish()
}

impl Coded for State {
    fn put(&self, out: &mut Vec<u8>) {
        // What later versions added comes after all that the first one had.
        let State { time, steps, bodies, memory, lifts, contacts, unchecked, rest: _, asleep: _, hands: _ } =
            self;
        time.put(out);
        steps.put(out);
        bodies.put(out);
        memory.put(out);
        lifts.put(out);
        contacts.put(out);
        unchecked.is_empty().put(out);
    }

    fn take(from: &mut Bytes<'_>) -> Result<State, SnapshotError> {
        let time = f64::take(from)?;
        from.check((), time.is_finite(), "a finite time")?;
        let mut state = State {
            time,
            steps: u64::take(from)?,
            bodies: Vec::take(from)?,
            memory: Sorted::take(from)?,
            lifts: Sorted::take(from)?,
            contacts: Vec::take(from)?,
            unchecked: Vec::new(),
            rest: Vec::new(),
            asleep: Vec::new(),
            hands: Vec::new(),
        };
        if !bool::take(from)? {
            state.uncheck_all();
        }
        let lifts_are_good = state.lifts.values().all(|lift| lift.is_finite() && *lift >= 0.0);
        from.check(state, lifts_are_good, "lifts that are lengths")
    }
}

impl Coded for BodyState {
    fn put(&self, out: &mut Vec<u8>) {
        let BodyState { centre, rotation, velocity } = self;
        centre.put(out);
        rotation.put(out);
        velocity.put(out);
    }

    fn take(from: &mut Bytes<'_>) -> Result<BodyState, SnapshotError> {
        let (centre, rotation) = (Vec3::take(from)?, Quat::take(from)?);
        Ok(BodyState { centre, rotation, velocity: Twist::take(from)? })
    }
}

impl Coded for ContactRecord {
    fn put(&self, out: &mut Vec<u8>) {
        let ContactRecord { bodies, name, points, normal, gap, force } = self;
        bodies.map(|id| id.number).put(out);
        name.put(out);
        points.put(out);
        normal.put(out);
        gap.put(out);
        force.put(out);
    }

    fn take(from: &mut Bytes<'_>) -> Result<ContactRecord, SnapshotError> {
        let record = ContactRecord {
            bodies: <[u32; 2]>::take(from)?.map(|number| BodyId { number, generation: 0 }),
            name: ContactName::take(from)?,
            points: <[Vec3; 2]>::take(from)?,
            normal: Vec3::take(from)?,
            gap: f64::take(from)?,
            force: Vec3::take(from)?,
        };
        from.check(record, record.gap.is_finite(), "a finite gap")
    }
}

impl Coded for ContactName {
    fn put(&self, out: &mut Vec<u8>) {
        let ContactName { parts, key: ContactKey { features, reversed } } = self;
        parts.put(out);
        features.put(out);
        reversed.put(out);
    }

    fn take(from: &mut Bytes<'_>) -> Result<ContactName, SnapshotError> {
        let (parts, features) = (<[u32; 2]>::take(from)?, <[Feature; 2]>::take(from)?);
        Ok(ContactName { parts, key: ContactKey { features, reversed: bool::take(from)? } })
    }
}

impl Coded for Feature {
    fn put(&self, out: &mut Vec<u8>) {
        let (kind, number) = match self {
            Feature::Vertex(number) => (0_u8, number),
            Feature::Edge(number) => (1, number),
            Feature::Face(number) => (2, number),
            Feature::Patch(number) => (3, number),
        };
        kind.put(out);
        number.put(out);
    }

    fn take(from: &mut Bytes<'_>) -> Result<Feature, SnapshotError> {
        let (kind, number) = <(u8, u32)>::take(from)?;
        Ok(match kind {
            0 => Feature::Vertex(number),
            1 => Feature::Edge(number),
            2 => Feature::Face(number),
            3 => Feature::Patch(number),
            _ => return Err(from.damaged("a feature")),
        })
    }
}

impl Coded for Kept {
    fn put(&self, out: &mut Vec<u8>) {
        // What later versions added comes after all that the first one had.
        let Kept { name, identity, role, anchor, loads, inset: _, hands: _ } = self;
        name.put(out);
        identity.put(out);
        role.put(out);
        anchor.put(out);
        loads.put(out);
    }

    fn take(from: &mut Bytes<'_>) -> Result<Kept, SnapshotError> {
        let kept = Kept {
            name: String::take(from)?,
            identity: u64::take(from)?,
            role: Role::take(from)?,
            anchor: Anchor::take(from)?,
            loads: BTreeMap::take(from)?,
            inset: 0.0,
            hands: BTreeMap::new(),
        };
        Ok(kept)
    }
}

impl Coded for Anchor {
    fn put(&self, out: &mut Vec<u8>) {
        let Anchor { time, pose } = self;
        time.put(out);
        pose.put(out);
    }

    fn take(from: &mut Bytes<'_>) -> Result<Anchor, SnapshotError> {
        let anchor = Anchor { time: f64::take(from)?, pose: Coded::take(from)? };
        from.check(anchor, anchor.time.is_finite(), "a finite time")
    }
}

impl Coded for Role {
    fn put(&self, out: &mut Vec<u8>) {
        match self {
            Role::Fixed => 0_u8.put(out),
            Role::Free => 1_u8.put(out),
            Role::Held(hand) => {
                2_u8.put(out);
                hand.put(out);
            }
            Role::Scripted(script) => script.put(out),
        }
    }

    fn take(from: &mut Bytes<'_>) -> Result<Role, SnapshotError> {
        match u8::take(from)? {
            0 => Ok(Role::Fixed),
            1 => Ok(Role::Free),
            2 => Twist::take(from).map(Role::Held),
            kind => script_of(kind, from).map(Role::Scripted),
        }
    }
}

impl Coded for Script {
    fn put(&self, out: &mut Vec<u8>) {
        match self {
            Script::Velocity(velocity) => {
                3_u8.put(out);
                velocity.put(out);
            }
            Script::Poses(poses) => {
                4_u8.put(out);
                poses.put(out);
            }
        }
    }

    fn take(from: &mut Bytes<'_>) -> Result<Script, SnapshotError> {
        let kind = u8::take(from)?;
        script_of(kind, from)
    }
}

fn script_of(kind: u8, from: &mut Bytes<'_>) -> Result<Script, SnapshotError> {
    let script = match kind {
        3 => Script::Velocity(Twist::take(from)?),
        4 => Script::Poses(Vec::take(from)?),
        _ => return Err(from.damaged("a role")),
    };
    let is_good = script.check().is_ok();
    from.check(script, is_good, "a script that a world takes")
}

/// An entry for each body: whether it is on, its groups, and the later bodies with which it is off.
fn put_filter(filter: &Filter, bodies: usize, out: &mut Vec<u8>) {
    for number in 0..bodies as u32 {
        let Groups { member_of, meets } = filter.groups(number);
        filter.object(number).put(out);
        member_of.put(out);
        meets.put(out);
        filter.off_with(number).iter().copied().filter(|&other| other > number).collect::<Vec<_>>().put(out);
    }
}

fn take_filter(from: &mut Bytes<'_>, bodies: usize) -> Result<Filter, SnapshotError> {
    let mut filter = Filter::new();
    for number in 0..bodies as u32 {
        filter.set_object(number, bool::take(from)?);
        filter.set_groups(number, Groups { member_of: u32::take(from)?, meets: u32::take(from)? });
        for other in Vec::<u32>::take(from)? {
            from.check((), other > number && (other as usize) < bodies, "a later body")?;
            filter.set_pair(number, other, false);
        }
    }
    Ok(filter)
}
