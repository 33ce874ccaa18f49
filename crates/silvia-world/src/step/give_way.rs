//! Give way: the motion that is left where no attempt at a piece came out free.
//!
//! First the *nearest motion*: free flight, projected on the contacts met so far. What it crosses joins them,
//! and the projection is made again. If that names nothing new, a shorter one is made, as far as nothing is
//! crossed. If they all cross something, one is made that is as long as the longest was free. Bodies
//! that get nowhere by all that go *part of their way*, each for itself, and in the end they *rest* where
//! they are; what does not meet them moves on. Rest is free, so that only a script can be in the way of it:
//! what its body would pass through is [carried](super::carry) along. Where that meets what cannot be moved,
//! and more work finds no way either, the scripted body is *held*, too, if [the
//! settings](crate::WorldSettings::on_stuck) say so, else the step is refused.
//!
//! Velocities become those of the motion made. Nothing rebounds until the step ends. The report tells all of
//! it, and what it did to the energy.

use crate::body::{BodyState, Role};
use crate::kinematics::{between, mean_velocity};
use crate::report::{Shortfall, ShortfallKind, StuckReason};
use crate::settings::OnStuck;
use crate::step::accept::accept;
use crate::step::carry::{Carried, blocked};
use crate::step::certify::Verdict;
use crate::step::chord_limit::longest_piece;
use crate::step::find::worn_pairs;
use crate::step::island::{Ended, IslandNow, IslandRun};
use crate::step::piece::{grow, is_dear, keep_and_lift, leave_out_far};
use crate::step::request::Effort;
use crate::step::respond::{Attempt, WarmStart};
use crate::step::rest::at_rest;
use crate::step::spent::Pace;
use crate::step::tuning;
use crate::world::Energy;
use silvia_proximity::PathCheck;

impl IslandRun<'_> {
    /// Advances by as much of what is left as one piece may take, whatever `reason` stood in the way.
    pub(super) fn give_way(&mut self, reason: StuckReason) -> Result<(), Ended> {
        let left = self.now.step - self.now.done;
        let longest = longest_piece(&self.now, left);
        let impacts = self.now.impacts;
        self.now.impacts = self.now.most_impacts();
        let (time, before) = (self.now.time(), energy(&self.now));
        let Some((length, kind)) = self.nearest_or_rest(longest)? else {
            self.now.impacts = impacts;
            return Ok(());
        };
        let energy = before - energy(&self.now);
        self.outcome.shortfalls.push(Shortfall { time, length, kind, reason, energy });
        Ok(())
    }

    /// Makes the nearest motion over a length, s, or over a shorter one; else bodies go part of their way.
    /// How long it was, and what; `None` if the step goes on without quick answers instead.
    fn nearest_or_rest(&mut self, longest: f64) -> Result<Option<(f64, ShortfallKind)>, Ended> {
        let is_quick = self.now.quick_budget().is_some();
        let most_cuts = match is_quick {
            true => tuning::QUICK_NEAREST_CUTS,
            false if self.outcome.shortfalls.len() < tuning::MOST_GIVING_WAY => tuning::NEAREST_CUTS,
            false => 0,
        };
        let mut length = longest;
        let (mut ends, mut longest_free) = (Vec::new(), 0.0_f64);
        for cuts in 0..=most_cuts {
            match self.nearest_motion(length)? {
                Nearest::Taken => {
                    if cuts > 0 {
                        self.now.pace = Pace::at_most(length);
                    }
                    return Ok(Some((length, ShortfallKind::NearestMotion)));
                }
                Nearest::Crosses { farthest, next, free } => {
                    if cuts == 0 {
                        ends = farthest;
                    }
                    longest_free = longest_free.max(free);
                    let cut = if cuts == 0 { self.now.pace.longest() } else { f64::INFINITY };
                    length = cut.min(tuning::NEAREST_CUT * length).max(next);
                }
            }
            if length < self.now.shortest_piece() {
                break;
            }
        }
        if longest_free >= tuning::LEAST_PART * longest
            && self.outcome.shortfalls.len() < tuning::MOST_PARTS
            && let Nearest::Taken = self.nearest_motion(longest_free)?
        {
            return Ok(Some((longest_free, ShortfallKind::NearestMotion)));
        }
        match self.rest(longest, &ends) {
            Ok(kind) => Ok(Some((longest, kind))),
            // A script carries something into what cannot be moved. Before it is blocked, more work may find
            // a way.
            Err(ended @ (Ended::Blocked(_) | Ended::Failed(_))) => {
                self.now.spent = self.now.spent.renewed(self.now.most_renewals()).ok_or(ended)?;
                self.outcome.note(match is_quick {
                    true => "quick answers found no way for what a script pushes: solved exactly",
                    false => "no way was found for what a script pushes: searched for longer",
                });
                Ok(None)
            }
            Err(ended) => Err(ended),
        }
    }

    /// Makes the nearest motion over a length, s, if it is free.
    fn nearest_motion(&mut self, length: f64) -> Result<Nearest, Ended> {
        let IslandRun { now, predictor, finder, responder, certifier, acceptor, .. } = self;
        let IslandRun { candidates, memories, impulses, outcome, .. } = self;
        let left = now.step - now.done;
        let flight = predictor.fly(now, length);
        let (mut best, mut growths, mut next, mut free) = (None, 0, 0.0, 0.0);
        for round in 0.. {
            if round >= now.nearest_rounds() {
                break;
            }
            let request = (&WarmStart::default(), Effort::NearestMotion);
            let (tried, toll) = responder.respond(now, flight, length, candidates, request);
            outcome.iterations += toll.iterations;
            now.spent.give(toll.work);
            let Ok(attempt) = tried else { break };
            let wearing = attempt.wearing(now, candidates);
            if !wearing.is_empty() {
                free = 0.0;
                let mut ends = attempt.ends.to_vec();
                wearing.into_iter().for_each(|body| ends[body] = at_rest(&now.states[body]));
                best = Some(ends);
                break;
            }
            match certifier.judge(now, &attempt, length, candidates, memories) {
                Verdict::Free { paths } => {
                    if !worn_pairs(now, certifier.ends(), memories).is_empty() {
                        break;
                    }
                    outcome.certificate.paths += paths;
                    outcome.momentum.put_loads(now, flight, length);
                    accept(now, &attempt, (length, left), candidates, acceptor, impulses, outcome);
                    return Ok(Nearest::Taken);
                }
                Verdict::Escaped(boxes) => return Err(now.escaped(boxes, Vec::new())),
                Verdict::Unbounded { .. } | Verdict::Impact { .. } => break,
                Verdict::Crossed { pairs, paths, boxes } => {
                    best = Some(attempt.ends.to_vec());
                    now.spent.give(now.work_of_crossings(&pairs));
                    free = tuning::CUT_CROSSING * pairs[0].1.free_until * length;
                    let new = grow(now, (finder, memories), &pairs, (paths, boxes), candidates);
                    if new.is_empty() {
                        let (kept, lifts) = keep_and_lift(now, &pairs, paths, candidates);
                        // For the pieces to come: the nearest motion regains no shell, a lifted one neither.
                        now.lift(lifts);
                        if kept.is_empty() {
                            next = free;
                            break;
                        }
                        kept.into_iter().for_each(|at| candidates[at].is_kept = true);
                    }
                    outcome.certificate.grown += new.len();
                    let is_dear = is_dear(now, &new, growths);
                    growths += usize::from(!new.is_empty());
                    candidates.extend(new);
                    if is_dear {
                        leave_out_far(now, certifier, candidates);
                        break;
                    }
                }
            }
        }
        let farthest = best.unwrap_or_else(|| now.states.iter().map(at_rest).collect());
        Ok(Nearest::Crosses { farthest, next, free })
    }

    /// Goes to given ends as far as bodies can, over a length, s. Says which did not get there.
    fn rest(&mut self, length: f64, ends: &[BodyState]) -> Result<ShortfallKind, Ended> {
        let IslandRun { now, certifier, acceptor, candidates, memories, impulses, outcome, .. } = self;
        let left = now.step - now.done;
        let start = now.states.clone();
        let mut parts = vec![1.0; now.island.movable];
        let mut carried = Carried::none(now);
        for round in 0.. {
            if round >= tuning::RESTING_ROUNDS {
                parts.fill(0.0);
            }
            let mut ends = part_ways(now, ends, &parts, length);
            carried.put_ends(now, length, &mut ends);
            let attempt = Attempt { ends: &ends, pushed: None, unimpacted: 0 };
            let crossed = match certifier.judge_paths(now, &attempt, candidates, memories) {
                Verdict::Free { paths } => {
                    let is_part = |part: &f64| *part > 0.0 && *part < 1.0;
                    let is_one_part = parts.iter().any(is_part);
                    if is_one_part || carried.is_one() {
                        let worn = worn_pairs(now, certifier.ends(), memories);
                        if is_one_part && !worn.is_empty() {
                            parts.iter_mut().filter(|part| is_part(part)).for_each(|part| *part = 0.0);
                            continue;
                        }
                        if carried.take_along(now, &worn) {
                            continue;
                        }
                    }
                    outcome.certificate.paths += paths;
                    accept(now, &attempt, (length, left), candidates, acceptor, impulses, outcome);
                    break;
                }
                Verdict::Escaped(boxes) => return Err(now.escaped(boxes, Vec::new())),
                Verdict::Crossed { pairs, .. } => pairs,
                // Ends that are no numbers: nothing goes there.
                Verdict::Unbounded { body } if parts.iter().all(|&part| part == 0.0) => {
                    return Err(now.stuck(StuckReason::Unbounded { body: now.body(body).name.clone() }));
                }
                Verdict::Unbounded { .. } | Verdict::Impact { .. } => {
                    parts.fill(0.0);
                    continue;
                }
            };
            if !shorten(now, &crossed, &mut parts, round < tuning::PART_WAYS) {
                let has_more = carried.take_what_crosses(now, &crossed);
                if has_more && round >= tuning::CARRYING_ROUNDS {
                    carried.take_all_that_may_meet(now);
                } else if !has_more {
                    return Err(blocked(now, &carried, &crossed));
                }
            }
        }
        let is_short = |&index: &usize| {
            carried.is_carried(index) || parts[index] < 1.0 || ends[index] == at_rest(&start[index])
        };
        let name = |index: usize| now.body(index).name.clone();
        let (along, at_rest) =
            (0..parts.len()).filter(is_short).partition(|&index| carried.is_carried(index));
        let [carried, bodies] = [along, at_rest].map(|list: Vec<usize>| list.into_iter().map(name).collect());
        Ok(ShortfallKind::Rest { bodies, carried })
    }
}

impl IslandNow<'_> {
    /// Whether a script moves a body.
    pub(super) fn is_driven(&self, index: usize) -> bool {
        matches!(self.body(index).role, Role::Scripted(_)) && !self.is_held(index)
    }

    /// How often the island may be given a new budget: more often where a script that is blocked ends the
    /// run.
    fn most_renewals(&self) -> usize {
        match self.world.settings.on_stuck {
            OnStuck::End => tuning::MOST_RENEWALS,
            OnStuck::Hold => usize::from(self.world.settings.interactive.is_some()),
        }
    }

    /// Rounds of finding the nearest motion over one length, at most.
    fn nearest_rounds(&self) -> usize {
        match self.quick_budget() {
            _ if !self.spent.has_given_enough() => tuning::MOST_NEAREST_ROUNDS,
            Some(_) => tuning::QUICK_NEAREST_ROUNDS,
            None => tuning::NEAREST_ROUNDS,
        }
    }
}

/// What became of the nearest motion.
enum Nearest {
    Taken,
    /// It crosses something on the way to these ends.
    Crosses {
        farthest: Vec<BodyState>,
        /// A shorter one need not be shorter than this, s: nothing was found that could join the contacts.
        next: f64,
        /// Nothing is crossed within this time, s; 0 if that is not known.
        free: f64,
    },
}

/// Where bodies end that go a part of the way to given ends, at the velocity of the motion made.
fn part_ways(now: &IslandNow<'_>, ends: &[BodyState], parts: &[f64], length: f64) -> Vec<BodyState> {
    let end = |(index, start): (usize, &BodyState)| match parts.get(index) {
        None => now.free_end(index, length),
        Some(&1.0) => ends[index],
        Some(&0.0) => at_rest(start),
        Some(&part) => {
            let end = between(start, &ends[index], part);
            BodyState { velocity: mean_velocity(start, &end, length), ..end }
        }
    };
    now.states.iter().enumerate().map(end).collect()
}

/// Lets the bodies of pairs that cross go less far; whether any of them could.
fn shorten(now: &IslandNow<'_>, crossed: &[(usize, PathCheck)], parts: &mut [f64], may_move: bool) -> bool {
    let mut has_changed = false;
    let mut new = parts.to_vec();
    for (pair, check) in crossed {
        let until = if may_move { tuning::CUT_CROSSING * check.free_until } else { 0.0 };
        for body in now.pairs[*pair].bodies.into_iter().filter(|&body| body < parts.len()) {
            has_changed |= parts[body] > 0.0;
            new[body] = new[body].min(until * parts[body]);
        }
    }
    parts.copy_from_slice(&new);
    has_changed
}

/// A scripted body that cannot go on, and is held where it is for the step.
#[derive(Clone, Debug)]
pub(crate) struct Held {
    /// Its number in the world.
    pub(super) body: u32,
    pub(super) reason: StuckReason,
}

/// The mechanical energy of the bodies that contacts can move, J.
fn energy(now: &IslandNow<'_>) -> f64 {
    let gravity = now.world.outside().gravity;
    let of_body = |index: usize| Energy::of(now.body(index), &now.states[index], gravity).total();
    (0..now.island.movable).map(of_body).sum()
}
