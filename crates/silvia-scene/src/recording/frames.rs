//! Encodes frames as words and back, column by column, so that values that do not change cost almost nothing.

use super::frame::{Frame, FrameContact, FrameImpact, StepCost};
use super::words::{WordReader, Words};
use silvia_contact::Twist;
use silvia_solid::{Pose, Quat, Vec3};
use silvia_world::Energy;

/// A column: its name and unit, as in files.
pub(crate) type Field = [&'static str; 2];

/// The columns of a frame, in order.
pub(crate) const OF_FRAME: [Field; 13] = [
    ["step", "whole number"],
    ["time", "s"],
    ["kinetic", "J"],
    ["potential", "J"],
    ["wall_seconds", "s"],
    ["islands", "whole number"],
    ["pieces", "whole number"],
    ["cuts", "whole number"],
    ["iterations", "whole number"],
    ["residual", ""],
    ["smallest_gap", "m"],
    ["contacts", "whole number"],
    ["impacts", "whole number"],
];
/// The columns of a body, in order.
pub(crate) const OF_BODY: [Field; 13] = [
    ["position.x", "m"],
    ["position.y", "m"],
    ["position.z", "m"],
    ["rotation.x", ""],
    ["rotation.y", ""],
    ["rotation.z", ""],
    ["rotation.w", ""],
    ["velocity.x", "m/s"],
    ["velocity.y", "m/s"],
    ["velocity.z", "m/s"],
    ["angular_velocity.x", "rad/s"],
    ["angular_velocity.y", "rad/s"],
    ["angular_velocity.z", "rad/s"],
];
/// The columns of a contact, in order.
pub(crate) const OF_CONTACT: [Field; 12] = [
    ["body.a", "whole number"],
    ["body.b", "whole number"],
    ["point.x", "m"],
    ["point.y", "m"],
    ["point.z", "m"],
    ["normal.x", ""],
    ["normal.y", ""],
    ["normal.z", ""],
    ["gap", "m"],
    ["force.x", "N"],
    ["force.y", "N"],
    ["force.z", "N"],
];
/// The columns of an impact, in order.
pub(crate) const OF_IMPACT: [Field; 13] = [
    ["time", "s"],
    ["body.a", "whole number"],
    ["body.b", "whole number"],
    ["point.x", "m"],
    ["point.y", "m"],
    ["point.z", "m"],
    ["normal.x", ""],
    ["normal.y", ""],
    ["normal.z", ""],
    ["speed", "m/s"],
    ["impulse.x", "N s"],
    ["impulse.y", "N s"],
    ["impulse.z", "N s"],
];

/// The number of words of a frame before compression.
pub(crate) fn words_of(frame: &Frame) -> usize {
    OF_FRAME.len()
        + OF_BODY.len() * frame.poses.len()
        + OF_CONTACT.len() * frame.contacts.len()
        + OF_IMPACT.len() * frame.impacts.len()
}

/// The content of a block of frames that all have the same number of bodies.
pub(crate) fn encoded(frames: &[Frame], bodies: usize) -> Vec<u8> {
    let contacts: Vec<usize> = frames.iter().map(|frame| frame.contacts.len()).collect();
    let impacts: Vec<usize> = frames.iter().map(|frame| frame.impacts.len()).collect();
    let mut out = Words::default();
    out.word(frames.len() as u64);
    out.word(bodies as u64);
    out.word(contacts.iter().sum::<usize>() as u64);
    out.word(impacts.iter().sum::<usize>() as u64);
    for column in 0..OF_FRAME.len() {
        out.column(frames.iter().map(|frame| frame_words(frame)[column]));
    }
    for body in 0..bodies {
        for column in 0..OF_BODY.len() {
            out.column(
                frames.iter().map(|frame| body_words(&frame.poses[body], &frame.velocities[body])[column]),
            );
        }
    }
    for column in 0..OF_CONTACT.len() {
        let all = frames.iter().flat_map(|frame| &frame.contacts);
        out.rows(&contacts, all.map(|contact| contact_words(contact)[column]));
    }
    for column in 0..OF_IMPACT.len() {
        let all = frames.iter().flat_map(|frame| &frame.impacts);
        out.rows(&impacts, all.map(|impact| impact_words(impact)[column]));
    }
    out.bytes()
}

/// Decodes the frames of a block, or says what is wrong with it.
pub(crate) fn decoded(content: &[u8], bodies: usize) -> Result<Vec<Frame>, &'static str> {
    let words = super::words::words(content).ok_or("a block of frames has a part of a number")?;
    let mut from = WordReader::new(&words);
    decode(&mut from, bodies).filter(|_| from.left() == 0).ok_or("a block of frames says what cannot be")
}

fn decode(from: &mut WordReader<'_>, bodies: usize) -> Option<Vec<Frame>> {
    let count = from.count(OF_FRAME.len())?;
    if from.word()? != bodies as u64 {
        return None;
    }
    let [contacts, impacts] = [from.word()?, from.word()?];
    let columns: Vec<Vec<u64>> = (0..OF_FRAME.len()).map(|_| from.column(count)).collect::<Option<_>>()?;
    let [contact_counts, impact_counts] = [counts(&columns[11], contacts)?, counts(&columns[12], impacts)?];
    let mut frames = (0..count)
        .map(|number| frame_of(&columns.iter().map(|column| column[number]).collect::<Vec<_>>()))
        .collect::<Option<Vec<Frame>>>()?;
    for _ in 0..bodies {
        let columns: Vec<Vec<u64>> = (0..OF_BODY.len()).map(|_| from.column(count)).collect::<Option<_>>()?;
        for (number, frame) in frames.iter_mut().enumerate() {
            let (pose, velocity) = body_of(|column| f64::from_bits(columns[column][number]))?;
            frame.poses.push(pose);
            frame.velocities.push(velocity);
        }
    }
    let columns: Vec<Vec<u64>> =
        (0..OF_CONTACT.len()).map(|_| from.rows(&contact_counts)).collect::<Option<_>>()?;
    let mut place = 0;
    for (frame, &count) in frames.iter_mut().zip(&contact_counts) {
        let all = (place..place + count).map(|i| contact_of(|column| columns[column][i], bodies));
        frame.contacts = all.collect::<Option<_>>()?;
        place += count;
    }
    let columns: Vec<Vec<u64>> =
        (0..OF_IMPACT.len()).map(|_| from.rows(&impact_counts)).collect::<Option<_>>()?;
    let mut place = 0;
    for (frame, &count) in frames.iter_mut().zip(&impact_counts) {
        let all = (place..place + count).map(|i| impact_of(|column| columns[column][i], bodies));
        frame.impacts = all.collect::<Option<_>>()?;
        place += count;
    }
    Some(frames)
}

/// How many items each frame has, if they add up to the total.
fn counts(column: &[u64], all: u64) -> Option<Vec<usize>> {
    let sum = column.iter().try_fold(0_u64, |sum, &count| sum.checked_add(count))?;
    (sum == all).then(|| column.iter().map(|&count| count as usize).collect())
}

fn frame_words(frame: &Frame) -> [u64; OF_FRAME.len()] {
    let Frame { step, time, poses: _, velocities: _, energy, contacts, impacts, cost } = frame;
    let [wall, islands, pieces, cuts, iterations, residual, gap] = cost_words(cost);
    let [time, kinetic, potential] = [*time, energy.kinetic, energy.potential].map(f64::to_bits);
    let counts = [contacts.len() as u64, impacts.len() as u64];
    [
        *step, time, kinetic, potential, wall, islands, pieces, cuts, iterations, residual, gap, counts[0],
        counts[1],
    ]
}

/// A frame without bodies, contacts and impacts.
fn frame_of(words: &[u64]) -> Option<Frame> {
    let real = |column: usize| f64::from_bits(words[column]);
    Some(Frame {
        step: words[0],
        time: Some(real(1)).filter(|time| time.is_finite())?,
        energy: Energy { kinetic: real(2), potential: real(3) },
        cost: cost_of(|i| words[4 + i])?,
        ..Frame::default()
    })
}

/// Number of words of a [`StepCost`].
pub(crate) const OF_COST: usize = 7;

/// The words of a cost; also used for costs that wait for their frame.
pub(crate) fn cost_words(cost: &StepCost) -> [u64; OF_COST] {
    let StepCost { wall_seconds, islands, pieces, cuts, iterations, residual, smallest_gap } = cost;
    let [islands, pieces, cuts, iterations] = [*islands, *pieces, *cuts, *iterations].map(u64::from);
    let [wall, residual, gap] = [*wall_seconds, *residual, *smallest_gap].map(f64::to_bits);
    [wall, islands, pieces, cuts, iterations, residual, gap]
}

/// A cost from its words; also used for costs that wait for their frame.
pub(crate) fn cost_of(word: impl Fn(usize) -> u64) -> Option<StepCost> {
    let real = |i: usize| f64::from_bits(word(i));
    let whole = |i: usize| u32::try_from(word(i)).ok();
    Some(StepCost {
        wall_seconds: real(0),
        islands: whole(1)?,
        pieces: whole(2)?,
        cuts: whole(3)?,
        iterations: whole(4)?,
        residual: real(5),
        smallest_gap: real(6),
    })
}

fn body_words(pose: &Pose, velocity: &Twist) -> [u64; OF_BODY.len()] {
    let ([px, py, pz], [qx, qy, qz, qw]) = (pose.translation().to_array(), pose.rotation().to_array());
    let ([vx, vy, vz], [wx, wy, wz]) = (velocity.linear.to_array(), velocity.angular.to_array());
    [px, py, pz, qx, qy, qz, qw, vx, vy, vz, wx, wy, wz].map(f64::to_bits)
}

fn body_of(real: impl Fn(usize) -> f64) -> Option<(Pose, Twist)> {
    let vector = |first: usize| Vec3::new(real(first), real(first + 1), real(first + 2));
    let rotation = Quat::from_xyzw(real(3), real(4), real(5), real(6));
    let pose = Pose::to_the_bit(vector(0), rotation).ok()?;
    Some((pose, Twist { linear: vector(7), angular: vector(10) }))
}

fn contact_words(contact: &FrameContact) -> [u64; OF_CONTACT.len()] {
    let FrameContact { bodies: [a, b], point, normal, gap, force } = contact;
    let ([px, py, pz], [nx, ny, nz], [fx, fy, fz]) = (point.to_array(), normal.to_array(), force.to_array());
    let [px, py, pz, nx, ny, nz, gap, fx, fy, fz] =
        [px, py, pz, nx, ny, nz, *gap, fx, fy, fz].map(f64::to_bits);
    [u64::from(*a), u64::from(*b), px, py, pz, nx, ny, nz, gap, fx, fy, fz]
}

fn contact_of(word: impl Fn(usize) -> u64, bodies: usize) -> Option<FrameContact> {
    let vector = |first: usize| Vec3::from_array([0, 1, 2].map(|i| f64::from_bits(word(first + i))));
    Some(FrameContact {
        bodies: pair([word(0), word(1)], bodies)?,
        point: vector(2),
        normal: vector(5),
        gap: f64::from_bits(word(8)),
        force: vector(9),
    })
}

/// The words of an impact; also used for impacts that wait for their frame.
pub(crate) fn impact_words(impact: &FrameImpact) -> [u64; OF_IMPACT.len()] {
    let FrameImpact { time, bodies: [a, b], point, normal, speed, impulse } = impact;
    let ([px, py, pz], [nx, ny, nz], [ix, iy, iz]) =
        (point.to_array(), normal.to_array(), impulse.to_array());
    let [time, px, py, pz, nx, ny, nz, speed, ix, iy, iz] =
        [*time, px, py, pz, nx, ny, nz, *speed, ix, iy, iz].map(f64::to_bits);
    [time, u64::from(*a), u64::from(*b), px, py, pz, nx, ny, nz, speed, ix, iy, iz]
}

/// An impact from its words; also used for impacts that wait for their frame.
pub(crate) fn impact_of(word: impl Fn(usize) -> u64, bodies: usize) -> Option<FrameImpact> {
    let vector = |first: usize| Vec3::from_array([0, 1, 2].map(|i| f64::from_bits(word(first + i))));
    Some(FrameImpact {
        time: f64::from_bits(word(0)),
        bodies: pair([word(1), word(2)], bodies)?,
        point: vector(3),
        normal: vector(6),
        speed: f64::from_bits(word(9)),
        impulse: vector(10),
    })
}

fn pair(words: [u64; 2], bodies: usize) -> Option<[u32; 2]> {
    let is_known = words.iter().all(|&word| word < bodies as u64);
    is_known.then(|| words.map(|word| word as u32))
}
