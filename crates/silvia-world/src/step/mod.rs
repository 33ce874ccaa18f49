//! A certified step: no state that it accepts, and no path between two of them, lets bodies pass through each
//! other.
//!
//! Each body gets a *cage*, a box that it will not leave within the step. Bodies whose cages overlap form an
//! *island*. Islands cannot meet, so each goes its own way, on as many threads as there are ([`cages`]). An
//! island that needs a larger cage begins again with it.
//!
//! An island advances in *pieces*, one if all goes well ([`island`]). Touching bodies that approach fast
//! rebound first ([`impacts`]). Then the state machine of [`piece`] runs these stages, each a file that owns
//! its scratch memory, until the piece is free:
//!
//! | stage | from | to |
//! |---|---|---|
//! | [`predict`] | where bodies are | where they go if nothing touches them |
//! | [`find`] | that motion | candidates: pairs of features that may come into contact |
//! | [`respond`] | candidates | an attempt: where bodies end, and the impulses that push them there |
//! | [`certify`] | the attempt | a verdict: free, or who crosses whom and when |
//! | [`velocity`] | an attempt that is free | the velocities with which its bodies go on |
//! | [`accept`] | that, with these velocities | the new states, contacts and forces |
//!
//! Islands [at rest](`rest`) stay where they are. Where no attempt comes out free, bodies [give
//! way](`give_way`): they make the nearest motion that is free.

mod accept;
mod account;
mod blame;
mod cages;
mod carry;
mod certify;
mod chord_limit;
mod compliant;
mod exact_fit;
mod find;
mod give_way;
mod hands;
mod impacts;
mod island;
mod momentum;
mod neighbours;
mod opening;
mod pair;
mod piece;
mod predict;
mod redundant;
mod request;
mod respond;
mod rest;
mod sleep;
mod spent;
mod tuning;
mod velocity;
mod workspace;

pub(crate) use island::IslandOutcome;
pub(crate) use pair::is_fine;
pub(crate) use workspace::Workspace;

use crate::body::{BodyState, Role};
use crate::buffers::refill;
use crate::events;
use crate::profile::{Stage, Stopwatch, timed};
use crate::report::{Shortfall, ShortfallKind, StepError, StepReport};
use crate::response::Guarantee;
use crate::state::State;
use crate::world::World;
use cages::Island;
use give_way::Held;
use island::{Ended, IslandStep};
use rayon::prelude::*;
use silvia_contact::Twist;
use spent::Spent;
use std::cmp::Reverse;
use workspace::Slot;

impl World {
    /// Makes a step of a length in s. If it fails, the world stays as it was, bit for bit.
    pub fn step(&mut self, length: f64) -> Result<StepReport, StepError> {
        let mut report = StepReport::default();
        self.step_into(length, &mut report)?;
        Ok(report)
    }

    /// Makes a step of a length in s, and overwrites a report in the memory it has: a step like the one
    /// before then allocates nothing. If the step fails, the report is empty.
    ///
    /// ```
    /// use silvia_proximity::Shape;
    /// use silvia_world::{BodyBuilder, StepReport, World, WorldSettings};
    /// let mut world = World::new(WorldSettings::default())?;
    /// world.add(BodyBuilder::free(Shape::sphere(0.1)?))?;
    /// let mut report = StepReport::default();
    /// for _ in 0..1000 {
    ///     world.step_into(1e-3, &mut report)?;
    /// }
    /// assert_eq!(report.time, world.time());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn step_into(&mut self, length: f64, report: &mut StepReport) -> Result<(), StepError> {
        report.clear();
        if !(length.is_finite() && length > 0.0) {
            return Err(StepError::Length { given: length });
        }
        let watch = self.is_profiled.then(Stopwatch::start);
        let (opened, whole) = match self.response.guarantee() {
            Guarantee::NonPenetrating => opening::open_gaps(self)?,
            Guarantee::Compliant => Default::default(),
        };
        // The workspace leaves the world for the step, so that stages can read the world meanwhile.
        let mut workspace = std::mem::take(&mut self.workspace);
        put_start_states(self, opened, &mut workspace.start);
        let advanced = advance(self, length, &mut workspace, watch.as_ref());
        if advanced.is_ok() {
            report.notes.extend(whole.notes(self));
            finish(self, &mut workspace, length, report);
            std::mem::swap(&mut self.state, &mut workspace.next);
            self.mirror_all();
            report.profile = watch.map(|watch| watch.profile());
        }
        self.workspace = workspace;
        if advanced.is_err() {
            whole.put_back(self);
        }
        advanced
    }
}

/// Takes all islands through a step, in the workspace.
fn advance(
    world: &World,
    length: f64,
    workspace: &mut Workspace,
    watch: Option<&Stopwatch>,
) -> Result<(), StepError> {
    let Workspace { start, cages, slots, due, by_first, touched, guesses, held, memories, .. } = workspace;
    let new_memories = &mut workspace.new_memories;
    timed(watch, Stage::Predict, |_| start.len(), || cages.build(world, start, length))?;
    touched.sort_unstable();
    for slot in slots.iter_mut() {
        slot.clear();
        slot.is_done = slot.is_still_settled(world, start, length, touched);
        if !slot.is_done {
            slot.settled_for = None;
        }
    }
    touched.clear();
    guesses.clear();
    held.clear();
    let mut spent = Spent::default();
    let mut grown = 0;
    loop {
        let count = |islands: &&mut [Island]| islands.iter().map(|island| island.pairs.len()).sum();
        let islands = timed(watch, Stage::Cull, count, || cages.islands(world));
        let is_asleep = |island: &Island| sleep::is_asleep(world, island);
        refuse_friction(world, islands.iter().filter(|island| !is_asleep(island)))?;
        workspace::assign(slots, islands, (due, by_first), is_asleep);
        for &number in &*due {
            slots[number].take_memories(memories);
        }
        let flights = cages.flights();
        let run = |slot: &mut Slot| {
            let Slot { island, stages, states, outcome, failure, settled_for, .. } = slot;
            let step = IslandStep { world, watch, start, island, flights, guesses, held, length, spent };
            *failure = island::run(&step, stages, states, outcome).err();
            *settled_for = (failure.is_none() && outcome.is_settled).then_some(length);
        };
        if due.len() <= 1 || rayon::current_num_threads() == 1 {
            slots.iter_mut().filter(|slot| slot.is_due).for_each(run);
        } else {
            // The largest first: if it came last, all other threads would wait for it.
            let mut by_size: Vec<&mut Slot> = slots.iter_mut().filter(|slot| slot.is_due).collect();
            by_size.sort_by_key(|slot| Reverse(slot.island.pairs.len()));
            by_size.into_par_iter().with_max_len(1).for_each(run);
        }
        let mut escaped = Vec::new();
        let mut blocked = Vec::new();
        let mut failed = None;
        for &number in &*due {
            let slot = &mut slots[number];
            slot.give_memories(memories, new_memories);
            match slot.failure.take() {
                None => slot.is_done = true,
                Some(Ended::Escaped { boxes, forces, spent: so_far }) => {
                    spent = spent.or_more(so_far);
                    escaped.extend(boxes);
                    guesses.extend(forces);
                }
                Some(Ended::Blocked(bodies)) => blocked.extend(bodies),
                Some(Ended::Failed(error)) => failed = failed.or(Some(error)),
            }
        }
        memories.extend(new_memories.drain(..));
        let has_grown = !escaped.is_empty();
        if has_grown {
            cages.grow(&escaped, grown);
            grown += 1;
        }
        if !blocked.is_empty() {
            // They may be in other islands, too.
            held.extend(blocked);
            held.sort_by_key(|held| held.body);
            held.dedup_by_key(|held| held.body);
            slots.iter_mut().for_each(Slot::clear);
            continue;
        }
        if has_grown {
            continue;
        }
        // Pairs that are in no island are far from each other.
        if memories.len() > cages.pairs().len() {
            memories.retain(|pair| cages.pairs().binary_search(pair).is_ok());
        }
        return failed.map_or(Ok(()), Err);
    }
}

/// Refuses bodies that may meet with friction if the method knows none.
fn refuse_friction<'a>(world: &World, islands: impl Iterator<Item = &'a Island>) -> Result<(), StepError> {
    if world.response.handles_friction() || !world.settings.level.has_forces() {
        return Ok(());
    }
    for island in islands {
        for pair in &island.pairs {
            let [a, b] = pair.map(|i| world.body(island.bodies[i]));
            let law = world.materials.law(a.material, b.material);
            if law.static_friction.unwrap_or(law.friction) > 0.0 {
                let (a, b) = (a.name.clone(), b.name.clone());
                return Err(StepError::Friction { method: world.response.name(), a, b });
            }
        }
    }
    Ok(())
}

/// Replaces the contents of `states` by where the step starts: where bodies are, or were moved to so that all
/// gaps are open. Hands have set velocities.
fn put_start_states(world: &World, opened: Option<Vec<BodyState>>, states: &mut Vec<BodyState>) {
    match opened {
        Some(opened) => *states = opened,
        None => refill(states, world.state.bodies.iter().copied()),
    }
    let has_inertia = world.settings.level.has_inertia();
    for (state, body) in states.iter_mut().zip(&world.bodies) {
        match body.as_ref().map(|b| &b.role) {
            Some(Role::Held(hand)) => state.velocity = *hand,
            Some(Role::Free) if !has_inertia => state.velocity = Twist::default(),
            _ => {}
        }
    }
}

/// Puts the islands' results together, in the order of bodies: the next state, and what happened.
fn finish(world: &World, workspace: &mut Workspace, length: f64, report: &mut StepReport) {
    let Workspace { start, slots, sleeps, next, done, held, .. } = workspace;
    let State { time, steps, bodies, memory, lifts, contacts, rest, asleep, unchecked, hands } = next;
    refill(bodies, start.iter().copied());
    *time = world.state.time + length;
    *steps = world.state.steps + 1;
    // What a compliant method leaves may overlap.
    let doubtful = match world.response.guarantee() {
        Guarantee::NonPenetrating => 0,
        Guarantee::Compliant => world.bodies.len() as u32,
    };
    refill(unchecked, 0..doubtful);
    (report.time, report.length, report.smallest_gap) = (*time, length, f64::INFINITY);
    refill(done, (0..slots.len()).filter(|&number| slots[number].is_done));
    done.sort_unstable_by(|&a, &b| slots[a].island.bodies.cmp(&slots[b].island.bodies));
    let done = || done.iter().map(|&number| &slots[number]);

    // Nothing has changed about those asleep.
    let was_asleep = &world.state;
    refill(sleeps, bodies.iter().map(|_| false));
    for slot in slots.iter().filter(|slot| slot.is_asleep) {
        let Island { bodies, movable, .. } = &slot.island;
        report.asleep += movable;
        bodies[..*movable].iter().for_each(|&body| sleeps[body as usize] = true);
    }
    let of_sleeper = |bodies: &[u32; 2]| bodies.iter().any(|&body| sleeps[body as usize]);
    memory.clear();
    memory.extend(
        was_asleep
            .memory
            .iter()
            .filter(|((bodies, _), _)| of_sleeper(bodies))
            .chain(done().flat_map(|slot| slot.outcome.forces.iter()))
            .map(|(&key, &force)| (key, force)),
    );
    let kept = was_asleep.lifts.iter().filter(|(bodies, _)| of_sleeper(bodies)).map(|(&b, &l)| (b, l));
    lifts.clear();
    lifts.extend(kept.chain(done().flat_map(|slot| slot.outcome.lifts.iter().copied())));
    let kept = was_asleep.contacts.iter().filter(|c| of_sleeper(&c.bodies.map(|id| id.number)));
    report.contacts.extend(kept);
    report.smallest_gap = report.contacts.iter().map(|c| c.gap).fold(f64::INFINITY, f64::min);

    report.islands = slots.iter().filter(|slot| slot.is_done || slot.is_asleep).count();
    for slot in done() {
        let movable = slot.island.bodies[..slot.island.movable].iter();
        movable.zip(&slot.states).for_each(|(&body, state)| bodies[body as usize] = *state);
        report.add(&slot.outcome, slot.island.bodies.len(), slot.island.movable);
    }
    for (index, body) in world.bodies.iter().enumerate() {
        if let Some(body) = body
            && matches!(body.role, Role::Scripted(_))
        {
            bodies[index] = match held.iter().any(|held| held.body as usize == index) {
                true => BodyState { velocity: Twist::default(), ..bodies[index] },
                false => world.scripted_state(index, *time),
            };
        }
    }
    report.shortfalls.extend(held.iter().map(|Held { body, reason }| Shortfall {
        time: world.state.time,
        length,
        kind: ShortfallKind::Hold { bodies: vec![world.body(*body).name.clone()] },
        reason: reason.clone(),
        energy: 0.0,
    }));
    // No two are alike.
    report.contacts.sort_unstable_by_key(|contact| (contact.bodies, contact.name));
    refill(contacts, report.contacts.iter().copied());
    report.hands.sort_unstable_by_key(|record| record.hand);
    refill(hands, report.hands.iter().copied());
    refill(rest, sleep::rested(world, bodies));
    refill(asleep, (0..sleeps.len() as u32).filter(|&body| sleeps[body as usize]));
    let id = |number: u32| world.id(number);
    events::tell(&world.state, next, &report.impacts, id, &mut report.events);
}
