//! A certified step: no state that it accepts, and no way between two of them, lets bodies pass through each other.
//!
//! Each body gets a *cage*, a box that it will not leave within the step. Bodies whose cages overlap form an *island*; islands
//! cannot meet, so each goes its own way, all at once on as many threads as there are ([`cages`]). An island that needs
//! a larger cage begins again with it. An island advances in *pieces*, one if all goes well ([`island`], [`piece`]): impacts
//! first, then free flight if that is free, else the contact forces of a response method; the certifier looks at the way of
//! every pair, and where one crosses, its features join the contacts, or the piece is cut.

mod asked;
mod cages;
mod contacts;
mod ends;
mod impacts;
mod island;
mod lift;
mod likeness;
mod opening;
mod piece;
mod sleep;

use crate::body::{BodyState, Role};
use crate::profile::{Stage, Stopwatch, timed};
use crate::report::{ContactRecord, StepError, StepReport};
use crate::state::{Memory, State};
use crate::world::World;
use cages::{Cages, Island};
use island::{Caches, Ended, Ran};
use rayon::prelude::*;
use silvia_proximity::ShapeContactCache;
use std::collections::BTreeMap;

impl World {
    /// Makes a step of a length in s. If it fails, the world stays as it was, bit for bit.
    pub fn step(&mut self, length: f64) -> Result<StepReport, StepError> {
        if !(length.is_finite() && length > 0.0) {
            return Err(StepError::Length { given: length });
        }
        let watch = self.is_profiled.then(Stopwatch::start);
        let mut caches = std::mem::take(&mut self.caches);
        let advanced = advance(self, length, &mut caches, watch.as_ref());
        self.caches = caches;
        let (state, mut report) = advanced?;
        self.state = state;
        report.profile = watch.map(|watch| watch.profile());
        Ok(report)
    }

    /// The contacts at the end of the last step, with their forces, in the order of bodies and features.
    pub fn contacts(&self) -> &[ContactRecord] {
        &self.state.contacts
    }
}

/// The state after a step, and what happened in it.
fn advance(
    world: &World,
    length: f64,
    caches: &mut PairCaches,
    watch: Option<&Stopwatch>,
) -> Result<(State, StepReport), StepError> {
    let start = start_states(world)?;
    let mut cages = timed(watch, Stage::Predict, |_| start.len(), || Cages::new(world, &start, length))?;
    let mut ran: Vec<(Island, Ran)> = Vec::new();
    loop {
        let count = |islands: &Vec<Island>| islands.iter().map(|island| island.pairs.len()).sum();
        let found = timed(watch, Stage::Cull, count, || cages.islands(world));
        let (asleep, islands): (Vec<Island>, Vec<Island>) =
            found.into_iter().partition(|island| sleep::is_asleep(world, island));
        refuse_friction(world, &islands)?;
        let again: Vec<&Island> =
            islands.iter().filter(|island| !ran.iter().any(|r| r.0 == **island)).collect();
        let known: Vec<Caches> = again.iter().map(|island| taken_out(caches, island)).collect();
        let results: Vec<(Result<Ran, Ended>, Caches)> = again
            .par_iter()
            .zip(known)
            .map(|(island, caches)| island::run(world, &start, island, caches, length, watch))
            .collect();
        let mut has_grown = false;
        let mut failed = None;
        let mut new = Vec::new();
        for (island, (result, known)) in again.into_iter().zip(results) {
            caches.extend(island.numbered_pairs().zip(known));
            match result {
                Ok(done) => new.push((island.clone(), done)),
                Err(Ended::Escaped(boxes)) => {
                    has_grown = true;
                    boxes.into_iter().for_each(|(body, bounds)| cages.grow(body, bounds));
                }
                Err(Ended::Failed(error)) => failed = failed.or(Some(error)),
            }
        }
        ran.retain(|r| islands.contains(&r.0));
        ran.extend(new);
        match failed {
            Some(error) if !has_grown => return Err(error),
            _ if has_grown => {}
            _ => {
                let islands: Vec<&Island> = ran.iter().map(|r| &r.0).chain(&asleep).collect();
                forget_others(caches, &islands);
                ran.sort_by(|a, b| a.0.bodies.cmp(&b.0.bodies));
                return Ok(finished(world, start, ran, &asleep, length));
            }
        }
    }
}

/// What searches for contacts left for the next, by the numbers of two bodies. Nothing but time comes of it.
pub(crate) type PairCaches = BTreeMap<[u32; 2], ShapeContactCache>;

/// The caches of an island's pairs, in their order; new ones where there is none.
fn taken_out(caches: &mut PairCaches, island: &Island) -> Caches {
    island.numbered_pairs().map(|pair| caches.remove(&pair).unwrap_or_default()).collect()
}

/// Forgets the caches of pairs that are in no island: they are far from each other.
fn forget_others(caches: &mut PairCaches, islands: &[&Island]) {
    let pairs: usize = islands.iter().map(|island| island.pairs.len()).sum();
    if caches.len() > pairs {
        let kept = islands.iter().flat_map(|island| island.numbered_pairs());
        *caches = kept.map(|pair| (pair, caches.remove(&pair).unwrap_or_default())).collect();
    }
}

/// Refuses bodies that may meet with friction if the method knows none.
fn refuse_friction(world: &World, islands: &[Island]) -> Result<(), StepError> {
    if world.response.handles_friction() {
        return Ok(());
    }
    for island in islands {
        for pair in &island.pairs {
            let [a, b] = pair.map(|i| world.body(island.bodies[i]));
            if world.materials.law(a.material, b.material).friction > 0.0 {
                let (a, b) = (a.name.clone(), b.name.clone());
                return Err(StepError::Friction { method: world.response.name(), a, b });
            }
        }
    }
    Ok(())
}

/// Where the step starts: hands have set velocities, and bodies that were placed since the last step do not overlap.
fn start_states(world: &World) -> Result<Vec<BodyState>, StepError> {
    let mut states = world.state.bodies.clone();
    for (state, body) in states.iter_mut().zip(&world.bodies) {
        if let Some(Role::Held(hand)) = body.as_ref().map(|b| &b.role) {
            state.velocity = *hand;
        }
    }
    if world.state.is_checked { Ok(states) } else { opening::opened(world, states) }
}

/// Puts the islands' results together, in the order of bodies.
fn finished(
    world: &World,
    start: Vec<BodyState>,
    ran: Vec<(Island, Ran)>,
    asleep: &[Island],
    length: f64,
) -> (State, StepReport) {
    let mut bodies = start;
    let time = world.state.time + length;
    let mut report = StepReport { time, length, smallest_gap: f64::INFINITY, ..StepReport::default() };
    let (mut memory, mut lifts) = (Memory::new(), BTreeMap::new());
    report.islands = ran.len() + asleep.len();
    if !asleep.is_empty() {
        // Nothing has changed about them.
        let mut sleeps = vec![false; bodies.len()];
        for island in asleep {
            report.asleep += island.movable;
            island.bodies[..island.movable].iter().for_each(|&body| sleeps[body as usize] = true);
        }
        let of_sleeper = |bodies: &[u32; 2]| bodies.iter().any(|&body| sleeps[body as usize]);
        let kept = world.state.memory.iter().filter(|((bodies, _), _)| of_sleeper(bodies));
        memory.extend(kept.map(|(&key, &force)| (key, force)));
        lifts
            .extend(world.state.lifts.iter().filter(|(bodies, _)| of_sleeper(bodies)).map(|(&b, &l)| (b, l)));
        let kept = world.state.contacts.iter().filter(|c| of_sleeper(&c.bodies.map(|body| body.0)));
        report.contacts.extend(kept);
        report.smallest_gap = report.contacts.iter().map(|c| c.gap).fold(f64::INFINITY, f64::min);
    }
    for (island, done) in ran {
        for (&body, state) in island.bodies.iter().zip(&done.states) {
            bodies[body as usize] = *state;
        }
        memory.extend(done.forces.iter().map(|(&key, &force)| (key, force)));
        lifts.extend(done.lifts);
        report.contacts.extend(done.contacts);
        report.impacts.extend(done.impacts);
        report.pieces = report.pieces.max(done.pieces);
        report.cuts += done.cuts;
        report.iterations += done.iterations;
        report.residual = report.residual.max(done.residual);
        report.smallest_gap = report.smallest_gap.min(done.smallest_gap);
        report.certificate.paths += done.certificate.paths;
        report.certificate.grown += done.certificate.grown;
        report.traded.impacts += done.traded.impacts;
        report.traded.forces += done.traded.forces;
        if done.pieces > 1 {
            report.way.extend(done.way);
        }
        report.notes.extend(done.notes);
    }
    for (index, body) in world.bodies.iter().enumerate() {
        if let Some(body) = body
            && matches!(body.role, Role::Scripted(_))
        {
            bodies[index] = world.scripted_state(index, time);
        }
    }
    report.contacts.sort_by_key(|contact| (contact.bodies, contact.name));
    let rest = sleep::rested(world, &bodies);
    let state = State {
        time,
        steps: world.state.steps + 1,
        bodies,
        memory,
        lifts,
        contacts: report.contacts.clone(),
        rest,
        is_checked: true,
    };
    (state, report)
}
