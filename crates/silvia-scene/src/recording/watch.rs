//! Bodies and pairs that a run looks at in every step, not only in every frame.

use super::frames::Field;
use super::words::{WordReader, Words, words};
use serde::{Deserialize, Serialize};
use silvia_solid::Vec3;
use silvia_world::{BodyId, HandId, StepReport, World, WorldError};

/// A body, or a pair of bodies, that a run looks at in every step. Bodies are named by their index in the
/// header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Watch {
    /// Where a body is, how it moves, and what all contacts do to it.
    Body(u32),
    /// What two bodies do to each other: the force on the second.
    Pair([u32; 2]),
    /// What a hand with springs does to the body that it holds.
    Hand {
        /// Its number in the world.
        hand: u32,
        /// The body.
        body: u32,
    },
}

/// What was seen of all watches after a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WatchRow {
    /// Steps made so far.
    pub step: u64,
    /// Time, s.
    pub time: f64,
    /// The values of each watch after those of the one before, as [`Watch::columns`] names them.
    pub values: Vec<f64>,
}

/// Of a body: position of its frame, rotation, velocity of the centre of mass, angular velocity, mean force
/// and torque of its contacts over the step, and the impulse of its impacts in it.
const OF_BODY: [Field; 22] = [
    ["x", "m"],
    ["y", "m"],
    ["z", "m"],
    ["qw", ""],
    ["qx", ""],
    ["qy", ""],
    ["qz", ""],
    ["vx", "m/s"],
    ["vy", "m/s"],
    ["vz", "m/s"],
    ["wx", "rad/s"],
    ["wy", "rad/s"],
    ["wz", "rad/s"],
    ["fx", "N"],
    ["fy", "N"],
    ["fz", "N"],
    ["tx", "N m"],
    ["ty", "N m"],
    ["tz", "N m"],
    ["jx", "N s"],
    ["jy", "N s"],
    ["jz", "N s"],
];
/// Of a pair: mean force on the second over the step, impulse of impacts on it, the least gap and the number
/// of contacts at the end.
const OF_PAIR: [Field; 8] = [
    ["fx", "N"],
    ["fy", "N"],
    ["fz", "N"],
    ["jx", "N s"],
    ["jy", "N s"],
    ["jz", "N s"],
    ["gap", "m"],
    ["contacts", ""],
];

/// Of a hand: where its grip is, and how the body is turned there, its mean force and torque about the grip
/// over the step, and where it wants the grip. Forces are 0 while it does not pull.
const OF_HAND: [Field; 16] = [
    ["x", "m"],
    ["y", "m"],
    ["z", "m"],
    ["qw", ""],
    ["qx", ""],
    ["qy", ""],
    ["qz", ""],
    ["fx", "N"],
    ["fy", "N"],
    ["fz", "N"],
    ["tx", "N m"],
    ["ty", "N m"],
    ["tz", "N m"],
    ["to_x", "m"],
    ["to_y", "m"],
    ["to_z", "m"],
];

impl Watch {
    /// The name and unit of each of its values: of a body `x`, `y`, `z`, `qw` to `qz`, `vx`..., `wx`...,
    /// force `fx`..., torque about the centre of mass `tx`... and impulse of impacts `jx`...; of a pair force
    /// and impulse on the second, the least `gap` (infinite if they do not touch) and the number of
    /// `contacts`; of a hand the place of its grip, the rotation of the body, force, torque about the grip,
    /// and where it wants the grip: `to_x`...
    pub fn columns(&self) -> &'static [[&'static str; 2]] {
        match self {
            Watch::Body(_) => &OF_BODY,
            Watch::Pair(_) => &OF_PAIR,
            Watch::Hand { .. } => &OF_HAND,
        }
    }

    /// The bodies it is about, by index in the header.
    pub fn bodies(&self) -> &[u32] {
        match self {
            Watch::Body(body) => std::slice::from_ref(body),
            Watch::Pair(pair) => pair,
            Watch::Hand { body, .. } => std::slice::from_ref(body),
        }
    }

    /// The number of values in a row of some watches.
    pub(crate) fn width(watches: &[Watch]) -> usize {
        watches.iter().map(|watch| watch.columns().len()).sum()
    }

    fn put(
        &self,
        world: &World,
        ids: &[BodyId],
        report: &StepReport,
        values: &mut Vec<f64>,
    ) -> Result<(), WorldError> {
        let id_of = |body: u32| {
            let id = ids.get(body as usize).copied();
            id.ok_or_else(|| WorldError::NoSuchName { name: format!("#{body}") })
        };
        match *self {
            Watch::Body(body) => {
                let id = id_of(body)?;
                let (pose, velocity, net) = (world.pose(id)?, world.velocity(id)?, world.net_force(id)?);
                let turn = pose.rotation();
                let impulse = sum(report.impacts.iter().map(|impact| match impact.bodies {
                    [_, second] if second == id => impact.impulse,
                    [first, _] if first == id => -impact.impulse,
                    _ => Vec3::ZERO,
                }));
                values.extend(pose.translation().to_array());
                values.extend([turn.w, turn.x, turn.y, turn.z]);
                let vectors = [velocity.linear, velocity.angular, net.force, net.torque, impulse];
                values.extend(vectors.iter().flat_map(Vec3::to_array));
            }
            Watch::Pair([a, b]) => {
                let (a, b) = (id_of(a)?, id_of(b)?);
                let contacts = world.contacts_between(a, b)?;
                // Not of these contacts alone: others parted within the step.
                let force = world.force_between(a, b)?;
                let impulse = sum(report.impacts.iter().map(|impact| match impact.bodies {
                    [first, second] if [first, second] == [a, b] => impact.impulse,
                    [first, second] if [first, second] == [b, a] => -impact.impulse,
                    _ => Vec3::ZERO,
                }));
                values.extend([force, impulse].iter().flat_map(Vec3::to_array));
                let gap = contacts.iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min);
                values.extend([gap, contacts.len() as f64]);
            }
            Watch::Hand { hand, body } => {
                let pose = world.pose(id_of(body)?)?;
                let (hand, turn) = (HandId::from(hand), pose.rotation());
                let grip = world.hand(hand)?.grip().translation();
                let record = report.hands.iter().find(|record| record.hand == hand);
                let (force, torque) = record.map_or((Vec3::ZERO, Vec3::ZERO), |r| (r.force, r.torque));
                let to = world.hand_target(hand)?.transform_point(grip);
                values.extend(pose.transform_point(grip).to_array());
                values.extend([turn.w, turn.x, turn.y, turn.z]);
                values.extend([force, torque, to].iter().flat_map(Vec3::to_array));
            }
        }
        Ok(())
    }
}

/// Minus zero becomes zero.
fn sum(vectors: impl Iterator<Item = Vec3>) -> Vec3 {
    vectors.fold(Vec3::ZERO, |sum, vector| sum + vector)
}

impl WatchRow {
    /// What watches see after a step. `ids`: the bodies in the order of the header. Refuses a watch of one
    /// that is not among them.
    pub fn of(
        world: &World,
        ids: &[BodyId],
        watches: &[Watch],
        report: &StepReport,
    ) -> Result<WatchRow, WorldError> {
        let mut values = Vec::with_capacity(Watch::width(watches));
        watches.iter().try_for_each(|watch| watch.put(world, ids, report, &mut values))?;
        Ok(WatchRow { step: world.steps(), time: world.time(), values })
    }
}

/// The content of a block of rows of some values each.
pub(crate) fn encoded(rows: &[WatchRow], width: usize) -> Vec<u8> {
    let mut out = Words::default();
    out.word(rows.len() as u64);
    out.column(rows.iter().map(|row| row.step));
    out.column(rows.iter().map(|row| row.time.to_bits()));
    for column in 0..width {
        out.column(rows.iter().map(|row| row.values[column].to_bits()));
    }
    out.bytes()
}

/// Decodes the rows of a block; none if it is invalid.
pub(crate) fn decoded(content: &[u8], width: usize) -> Option<Vec<WatchRow>> {
    let words = words(content)?;
    let mut from = WordReader::new(&words);
    let count = from.count(2 + width)?;
    let columns: Vec<Vec<u64>> = (0..2 + width).map(|_| from.column(count)).collect::<Option<_>>()?;
    let row = |number: usize| {
        let values = columns[2..].iter().map(|column| f64::from_bits(column[number])).collect();
        let time = f64::from_bits(columns[1][number]);
        time.is_finite().then_some(WatchRow { step: columns[0][number], time, values })
    };
    let rows = (0..count).map(row).collect::<Option<_>>()?;
    (from.left() == 0).then_some(rows)
}
