//! Accept: a piece that is free is taken, with its contacts and their impulses.

use crate::body::BodyState;
use crate::buffers::refill;
use crate::report::ContactRecord;
use crate::state::ContactOf;
use crate::step::find::Candidate;
use crate::step::hands::put_hands;
use crate::step::island::{IslandNow, IslandOutcome};
use crate::step::respond::{Attempt, moved};
use crate::step::rest::at_rest;
use crate::step::tuning;
use silvia_proximity::ContactState;
use silvia_solid::{Pose, Vec3};

/// Scratch memory of taking a piece.
#[derive(Debug, Default)]
pub(super) struct Acceptor {
    poses: Vec<Pose>,
    is_as_answered: Vec<bool>,
    /// Where bodies of an island at rest are.
    resting: Vec<BodyState>,
    /// Of candidates at the end of the piece: what they bore, and how they lie if the method said so.
    ends: Vec<(Vec3, Option<ContactState>)>,
}

/// Takes a step of an island at rest: it stays where it is.
pub(super) fn accept_rest(
    now: &mut IslandNow<'_>,
    attempt: &Attempt<'_>,
    candidates: &[Candidate],
    acceptor: &mut Acceptor,
    impulses: &mut Vec<(ContactOf, Vec3)>,
    outcome: &mut IslandOutcome,
) {
    let mut resting = std::mem::take(&mut acceptor.resting);
    refill(&mut resting, now.states.iter().map(at_rest));
    let attempt = Attempt { ends: &resting, ..*attempt };
    let step = now.step;
    accept(now, &attempt, (step, step), candidates, acceptor, impulses, outcome);
    outcome.is_at_rest = true;
    acceptor.resting = resting;
}

/// Takes a piece of a length, of the time left, s.
pub(super) fn accept(
    now: &mut IslandNow<'_>,
    attempt: &Attempt<'_>,
    (length, left): (f64, f64),
    candidates: &[Candidate],
    Acceptor { poses, is_as_answered, ends, .. }: &mut Acceptor,
    impulses: &mut Vec<(ContactOf, Vec3)>,
    outcome: &mut IslandOutcome,
) {
    now.put_poses(attempt.ends, poses);
    refill(ends, candidates.iter().map(|_| (Vec3::ZERO, None)));
    let is_interactive = now.world.settings.interactive.is_some();
    if let Some(pushed) = attempt.pushed {
        let answer = pushed.answer;
        // Bodies that nothing pushes fly on: all others are where the method saw them, to the bit.
        let is_moved = |(i, end): (usize, &BodyState)| {
            let moved = moved(now, i, answer.velocities[i], length);
            (moved.centre, moved.rotation) == (end.centre, end.rotation)
        };
        let bodies = attempt.ends.iter().enumerate();
        refill(is_as_answered, bodies.map(|(i, end)| i >= now.island.movable || is_moved((i, end))));
        for (at, (&c, &impulse)) in pushed.participants.iter().zip(pushed.impulses).enumerate() {
            let is_known = now.pairs[candidates[c].pair].bodies.iter().all(|&i| is_as_answered[i]);
            let state = answer.states.get(at).copied().filter(|_| is_known);
            ends[c] = (impulse, state);
        }
        outcome.residual = outcome.residual.max(answer.residual);
        if is_interactive && answer.residual > now.world.settings.tolerance {
            outcome.traded.forces += 1;
        }
        answer.notes.iter().for_each(|note| outcome.note(note));
    }
    if is_interactive {
        outcome.traded.impacts += attempt.unimpacted;
    }
    outcome.contacts.clear();
    outcome.smallest_gap = f64::INFINITY;
    for (candidate, &(impulse, end)) in candidates.iter().zip(&*ends) {
        let pair = &now.pairs[candidate.pair];
        let end = end.unwrap_or_else(|| now.state_at(candidate, poses));
        let numbers = now.numbers(pair);
        let is_closed = end.holds && end.gap <= tuning::TOUCH * pair.shell;
        if impulse != Vec3::ZERO {
            impulses.push(((numbers, candidate.name), impulse));
        }
        if end.holds {
            outcome.smallest_gap = outcome.smallest_gap.min(end.gap);
        }
        if is_closed || impulse != Vec3::ZERO {
            outcome.contacts.push(ContactRecord {
                bodies: numbers.map(|number| now.world.id(number)),
                name: candidate.name,
                points: end.points,
                normal: end.normal,
                gap: end.gap,
                force: Vec3::ZERO,
            });
        }
    }
    put_hands(now, attempt.ends, length, &mut outcome.hands, &mut outcome.momentum);
    refill(now.states, attempt.ends.iter().copied());
    let placed = now.island.bodies.iter().map(|&body| now.world.id(body)).zip(now.states.iter().copied());
    outcome.way.extend(placed);
    now.done = if length == left { now.step } else { now.done + length };
}
