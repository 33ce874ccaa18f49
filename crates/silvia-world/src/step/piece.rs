//! One piece of a step: tried, certified, and accepted; or tried again with what the certifier named.
//!
//! This is the state machine of a step. An attempt is *accepted* if it is free. If an impact comes first, the
//! piece ends there. If pairs cross, the features that meet there join the contacts (*grow*); if these are
//! many, a shorter piece is less work (*divide*). Contacts that the method let go and that then crossed are
//! insisted on (*keep*); pairs whose path sags are kept farther apart (*lift*). If no forces are found,
//! contacts need not regain what they lack of their shells (*relax*). What none of these mends, a shorter
//! piece does (*cut*). Where that ends, bodies *give way* ([`give_way`](super::give_way)).

use crate::buffers::{PAIRS, refill_each};
use crate::hand::HandId;
use crate::kinematics::pose_on_path;
use crate::profile::{Stage, timed};
use crate::report::{Shortfall, ShortfallKind, StuckReason};
use crate::state::ContactOf;
use crate::step::accept::{accept, accept_rest};
use crate::step::certify::{Certifier, Verdict};
use crate::step::chord_limit::longest_piece;
use crate::step::find::{Candidate, ContactFinder, PairMemory, find_crossings, find_near_crossing};
use crate::step::hands::exceeded;
use crate::step::island::{Ended, IslandNow, IslandRun};
use crate::step::request::Effort;
use crate::step::respond::{Attempt, Pushed, WarmStart};
use crate::step::rest::is_at_rest;
use crate::step::spent::{Pace, Toll};
use crate::step::tuning;
use silvia_contact::Outcome;
use silvia_proximity::{PathCheck, RigidPath};
use silvia_solid::{Aabb, Pose, Quat, Vec3};

/// What to do about an attempt.
pub(super) enum Decision {
    /// Take it: so many paths were certified.
    Accept { paths: usize },
    /// End the piece at an impact, after this time, s.
    EndAtImpact { after: f64 },
    /// Try again with these candidates as well.
    Grow(Vec<Candidate>),
    /// Try a shorter piece with these candidates as well: so many meet that it reaches too far.
    Divide(Vec<Candidate>),
    /// Try again, insisting on these candidates, with some pairs lifted by so much, m.
    Keep { candidates: Vec<usize>, lifts: Vec<(usize, f64)> },
    /// Try again with these pairs lifted by so much, m.
    Lift(Vec<(usize, f64)>),
    /// Try again with hands that pull by these shares of their springs: they were at their limits.
    Ease(Vec<(HandId, [f64; 2])>),
    /// Try again without asking for what contacts lack of their shells: a wedged body cannot have it.
    Relax,
    /// Try a shorter piece, s.
    Cut { to: f64, reason: StuckReason },
}

impl IslandRun<'_> {
    /// Advances by as much of what is left as can be had at once.
    pub(super) fn piece(&mut self) -> Result<(), Ended> {
        if self.now.is_over_budget() && !self.spares_impacts() {
            return self.give_way(self.now.out_of_budget(None, self.candidates));
        }
        let left = self.now.step - self.now.done;
        let mut length = longest_piece(&self.now, left).min(self.now.pace.longest());
        let (mut growths, mut unsolved, mut cuts, mut impacts) = (0, 0, 0, 0);
        let mut divided = None;
        let mut warm = WarmStart::default();
        let (mut eased, mut tried) = (0, length);
        loop {
            if length != tried {
                self.forget_shares();
                (eased, tried) = (0, length);
            }
            let may_ease = eased < tuning::MOST_EASED;
            let decision = self.attempt(length, (left, growths, unsolved), may_ease, &mut warm)?;
            if !matches!(decision, Decision::Accept { .. } | Decision::Ease(_)) {
                self.now.spent.failed += 1;
                if self.now.is_over_budget() && !self.spares_impacts() {
                    let reason = self.now.out_of_budget(Some(&decision), self.candidates);
                    return self.give_way(reason);
                }
            }
            match decision {
                Decision::Accept { paths } => {
                    self.outcome.certificate.paths += paths;
                    self.now.pace = match divided {
                        Some(divided) => Pace::at_most(length.max(divided)),
                        None => self.now.pace.after(length, cuts > 0),
                    };
                    return Ok(());
                }
                Decision::EndAtImpact { after } => {
                    // Where the time of the impact creeps, it is gone to in ever larger strides.
                    let strides = (impacts - tuning::PLAIN_STRIDES).max(0);
                    let earlier = (length - after) * tuning::STRIDE.powi(strides);
                    length =
                        if strides > 0 { (length - earlier).max(tuning::CUT_AGAIN * after) } else { after };
                    impacts += 1;
                }
                Decision::Grow(new) => {
                    growths += 1;
                    self.outcome.certificate.grown += new.len();
                    self.candidates.extend(new);
                }
                Decision::Divide(new) => {
                    (growths, cuts) = (0, cuts + 1);
                    self.outcome.cuts += 1;
                    self.outcome.certificate.grown += new.len();
                    self.candidates.extend(new);
                    leave_out_far(&self.now, self.certifier, self.candidates);
                    length *= tuning::CUT_DEAR;
                    divided = Some(length);
                }
                Decision::Keep { candidates, lifts } => {
                    candidates.into_iter().for_each(|at| self.candidates[at].is_kept = true);
                    self.now.lift(lifts);
                }
                Decision::Lift(lifts) => self.now.lift(lifts),
                Decision::Ease(shares) => {
                    eased += 1;
                    self.now.ease(shares);
                    self.predictor.forget();
                }
                Decision::Relax => unsolved += 1,
                Decision::Cut { to, reason } => {
                    self.outcome.cuts += 1;
                    cuts += 1;
                    length = if cuts > 1 { to.min(tuning::CUT_AGAIN * length) } else { to };
                    unsolved += usize::from(matches!(reason, StuckReason::NoForces { .. }));
                    if length < self.now.shortest_piece() {
                        return self.give_way(reason);
                    }
                }
            }
        }
    }

    /// Where impacts took what the step may spend, what is left of it goes on without rebounds, and if that
    /// is not enough, without landings that end pieces: each time with a new budget. Whether it does.
    fn spares_impacts(&mut self) -> bool {
        let now = &mut self.now;
        if now.impacts == 0 || !now.may_collide() || now.quick_budget().is_some() {
            return false;
        }
        now.impacts = if now.rebounds() { now.world.settings.most_impacts } else { now.most_impacts() };
        now.spent.forgive();
        true
    }

    /// Tries a piece of a length, s, and takes it if it is free.
    fn attempt(
        &mut self,
        length: f64,
        (left, growths, unsolved): (f64, usize, usize),
        may_ease: bool,
        warm: &mut WarmStart,
    ) -> Result<Decision, Ended> {
        let IslandRun { now, predictor, finder, responder, certifier, velocities, acceptor, .. } = self;
        let IslandRun { candidates, memories, impulses, outcome, .. } = self;
        let flight = predictor.fly(now, length);
        let effort = now.effort(unsolved, candidates.len());
        now.allow(candidates.len());
        let request = (&*warm, effort);
        let (tried, toll) = responder.respond(now, flight, length, candidates, request);
        outcome.iterations += toll.iterations;
        now.spent.add(toll.work);
        let attempt = match tried {
            Ok(attempt) => attempt,
            Err(reason) => {
                *warm = WarmStart::default();
                return Ok(match unsolved {
                    0 => Decision::Relax,
                    _ => Decision::Cut { to: tuning::CUT_UNSOLVED * length, reason },
                });
            }
        };
        let is_inexact = matches!(effort, Effort::AsExactAsCanBe)
            && attempt.pushed.is_some_and(|pushed| pushed.answer.outcome != Outcome::Solved);
        if let Some(Pushed { answer, participants, .. }) = attempt.pushed
            && is_inexact
            && !attempt.wearing(now, candidates).is_empty()
        {
            let reason = now.no_forces(answer, participants, candidates);
            return Ok(Decision::Cut { to: tuning::CUT_UNSOLVED * length, reason });
        }
        let verdict = certifier.judge(now, &attempt, length, candidates, memories);
        if let Verdict::Crossed { pairs, .. } = &verdict {
            now.spent.add(now.work_of_crossings(pairs));
        }
        let decision = decide(now, (finder, memories), &attempt, verdict, length, candidates, growths)?;
        if let Decision::Accept { .. } = decision {
            if let Some(pushed) = attempt.pushed.filter(|_| is_inexact) {
                outcome.shortfalls.push(inexact(now, pushed, candidates, length));
            }
            let watch = now.watch;
            let is_at_rest = is_at_rest(now, &attempt, flight, length, candidates);
            let is_wanted = !is_at_rest && now.is_of_second_order(effort);
            let found = match is_wanted {
                true => velocities.find(now, &attempt, flight, length, candidates),
                false => None,
            };
            if found.is_none() && is_wanted && attempt.pushed.is_some() {
                outcome.note("velocities at the end of a step were not found: bodies go on at mean ones");
            }
            let (found, toll) = found.map_or((None, Toll::default()), |(found, toll)| (Some(found), toll));
            now.spent.add(toll.work);
            outcome.iterations += toll.iterations;
            let attempt = found.unwrap_or(attempt);
            let stronger = exceeded(now, attempt.ends, length);
            if !stronger.is_empty() && may_ease {
                if is_inexact {
                    outcome.shortfalls.pop();
                }
                return Ok(Decision::Ease(stronger));
            }
            if !stronger.is_empty() {
                outcome.note("a hand pulled harder than its largest force or torque: take shorter steps");
            }
            outcome.momentum.put_loads(now, flight, length);
            if !is_at_rest {
                outcome.energy.put_piece(now, &attempt, flight, length, candidates);
            }
            let accept = || match is_at_rest {
                true => accept_rest(now, &attempt, candidates, acceptor, impulses, outcome),
                false => accept(now, &attempt, (length, left), candidates, acceptor, impulses, outcome),
            };
            timed(watch, Stage::Integrate, |()| candidates.len(), accept);
        } else {
            *warm = WarmStart::after(&attempt, candidates.len(), &decision);
        }
        Ok(decision)
    }
}

/// What a report says of forces that are taken as they are.
fn inexact(now: &IslandNow<'_>, pushed: Pushed<'_>, candidates: &[Candidate], length: f64) -> Shortfall {
    let Pushed { participants, answer, .. } = pushed;
    let kind = ShortfallKind::InexactForces { residual: answer.residual };
    let reason = now.no_forces(answer, participants, candidates);
    Shortfall { time: now.time(), length, kind, reason, energy: 0.0 }
}

/// What to do about an attempt of a length, s, on which the certifier has its verdict.
fn decide(
    now: &IslandNow<'_>,
    (finder, memories): (&mut ContactFinder, &mut [PairMemory]),
    attempt: &Attempt<'_>,
    verdict: Verdict<'_>,
    length: f64,
    candidates: &[Candidate],
    growths: usize,
) -> Result<Decision, Ended> {
    let (pairs, paths, boxes) = match verdict {
        Verdict::Free { paths } => return Ok(Decision::Accept { paths }),
        Verdict::Impact { after } => return Ok(Decision::EndAtImpact { after }),
        Verdict::Unbounded { body } => {
            let reason = StuckReason::Unbounded { body: now.body(body).name.clone() };
            return Ok(Decision::Cut { to: tuning::CUT_UNBOUNDED * length, reason });
        }
        Verdict::Escaped(boxes) => {
            return Err(now.escaped(boxes, forces(now, attempt, length, candidates)));
        }
        Verdict::Crossed { pairs, paths, boxes } => (pairs, paths, boxes),
    };
    let (first, check) = &pairs[0];
    let meeting = || now.crossing_of(*first, check);
    if check.at_start {
        return Err(now.stuck(StuckReason::TouchAtStart(meeting())));
    }
    // All that cross at once: where many bodies meet in a step, one after the other would take as many
    // attempts.
    if growths < tuning::MOST_GROWTHS {
        let new = grow(now, (finder, memories), &pairs, (paths, boxes), candidates);
        if is_dear(now, &new, growths) {
            return Ok(Decision::Divide(new));
        }
        if !new.is_empty() {
            return Ok(Decision::Grow(new));
        }
    }
    let (kept, lifts) = keep_and_lift(now, &pairs, paths, candidates);
    if !kept.is_empty() {
        return Ok(Decision::Keep { candidates: kept, lifts });
    }
    if !lifts.is_empty() {
        return Ok(Decision::Lift(lifts));
    }
    if let Some(gap) = start_gap(now, *first, candidates)
        && let Some(part) = now.pairs[*first].until_sagging(check, gap)
    {
        let reason = StuckReason::Turning(meeting());
        return Ok(Decision::Cut { to: part * length, reason });
    }
    let to = tuning::CUT_CROSSING * check.free_until * length;
    Ok(Decision::Cut { to, reason: StuckReason::Crossing(meeting()) })
}

/// The features that meet where pairs cross, and more contacts of what was sent farther than was thought.
pub(super) fn grow(
    now: &IslandNow<'_>,
    (finder, memories): (&mut ContactFinder, &mut [PairMemory]),
    pairs: &[(usize, PathCheck)],
    (paths, boxes): (&[RigidPath], &[Aabb]),
    known: &[Candidate],
) -> Vec<Candidate> {
    let start: Vec<Pose> = paths.iter().map(|path| path.from).collect();
    let mut new = Vec::new();
    for &(pair, _) in pairs.iter().filter(|(pair, _)| now.pairs[*pair].is_fine) {
        new.extend(find_crossings(now, pair, paths, &start, known, &mut memories[pair]));
    }
    let has_none = |pair: usize| !now.pairs[pair].is_fine || new.iter().all(|c: &Candidate| c.pair != pair);
    let near_crossing = |number: usize| {
        let (pair, check) = &pairs[number];
        let at = now.pairs[*pair].bodies.map(|i| pose_on_path(&paths[i], check.free_until));
        match has_none(*pair) {
            true => find_near_crossing(now, *pair, [&at[0], &at[1]], &start, known),
            false => Vec::new(),
        }
    };
    let mut of_pairs = Vec::new();
    refill_each(&mut of_pairs, pairs.len(), PAIRS, near_crossing);
    new.extend(of_pairs.into_iter().flatten());
    if !new.is_empty() {
        let ways: Vec<f64> = paths.iter().enumerate().map(|(i, path)| way_along(now, i, path)).collect();
        let names = known.iter().chain(&new).map(|candidate| (candidate.pair, candidate.name));
        let end: Vec<Pose> = paths.iter().map(|path| path.to).collect();
        let farther = finder.find_farther(now, &ways, (&start, &end, boxes), names);
        new.extend(farther);
    }
    new
}

/// Whether an attempt that names these contacts reaches so far that a shorter one is less work, where
/// contacts have joined so often before.
pub(super) fn is_dear(now: &IslandNow<'_>, new: &[Candidate], growths: usize) -> bool {
    let on_demand = new.iter().filter(|candidate| now.pairs[candidate.pair].is_fine).count();
    let few = tuning::DEAR.max(now.island.movable / 2);
    on_demand > few * tuning::DEAR_AT_ONCE[growths.min(2)]
}

/// Leaves out the contacts on demand that a piece as short as a divided one does not close.
pub(super) fn leave_out_far(now: &IslandNow<'_>, certifier: &Certifier, candidates: &mut Vec<Candidate>) {
    let may_close = |candidate: &Candidate| {
        let closing = candidate.state.gap - now.state_at(candidate, certifier.ends()).gap;
        candidate.may_close(now.pairs[candidate.pair].shell, tuning::CUT_DEAR * closing, 0.0)
    };
    candidates.retain(|candidate| !now.pairs[candidate.pair].is_fine || may_close(candidate));
}

/// Of pairs that cross: candidates to be insisted on, and lifts, m.
pub(super) fn keep_and_lift(
    now: &IslandNow<'_>,
    pairs: &[(usize, PathCheck)],
    paths: &[RigidPath],
    candidates: &[Candidate],
) -> (Vec<usize>, Vec<(usize, f64)>) {
    let let_go = let_go(now, pairs, paths, candidates);
    let lifts = lifts(now, pairs, &let_go, paths, candidates);
    (let_go.into_iter().flatten().collect(), lifts)
}

/// Of each pair that crosses, the candidate that the method let go although it is what crosses.
fn let_go(
    now: &IslandNow<'_>,
    pairs: &[(usize, PathCheck)],
    paths: &[RigidPath],
    candidates: &[Candidate],
) -> Vec<Option<usize>> {
    let ends: Vec<Pose> = paths.iter().map(|path| path.to).collect();
    let of_pair = |(pair, check): &(usize, PathCheck)| {
        let crossing = check.crossing.as_ref()?;
        candidates.iter().position(|candidate| {
            candidate.pair == *pair
                && !candidate.is_kept
                // What bodies are behind where the piece starts would throw them through it.
                && candidate.state.gap >= -now.pairs[*pair].shell
                && candidate.name.parts == crossing.parts
                && candidate.name.key.features.map(Some) == crossing.features
                && now.state_at(candidate, &ends).gap < 0.0
        })
    };
    pairs.iter().map(of_pair).collect()
}

/// The lifts of pairs that cross because their paths sag, m, but for those of which a candidate was let go.
fn lifts(
    now: &IslandNow<'_>,
    pairs: &[(usize, PathCheck)],
    let_go: &[Option<usize>],
    paths: &[RigidPath],
    candidates: &[Candidate],
) -> Vec<(usize, f64)> {
    let sagging = pairs.iter().zip(let_go).filter(|(_, let_go)| let_go.is_none());
    let lift = |((pair, check), _): (&(usize, PathCheck), _)| {
        let gap = start_gap(now, *pair, candidates)?;
        let way: f64 = now.pairs[*pair].bodies.map(|i| way_along(now, i, &paths[i])).into_iter().sum();
        Some((*pair, now.pairs[*pair].higher_lift(check, gap, way)?))
    };
    sagging.filter_map(lift).collect()
}

/// The least gap of a pair that touches where the piece starts, m; `None` if it does not.
fn start_gap(now: &IslandNow<'_>, pair: usize, candidates: &[Candidate]) -> Option<f64> {
    let touching = candidates.iter().filter(|candidate| candidate.pair == pair && candidate.state.holds);
    let gap = touching.map(|candidate| candidate.state.gap).fold(f64::INFINITY, f64::min);
    (gap > 0.0 && gap <= tuning::SAGGING * now.pairs[pair].shell).then_some(gap)
}

/// No point of a body goes farther along a path than this, about, m.
fn way_along(now: &IslandNow<'_>, body: usize, path: &RigidPath) -> f64 {
    let centre = |pose: &Pose| pose.transform_point(path.about);
    let turn = turn_between(path.from.rotation(), path.to.rotation());
    let turned = if turn > 0.0 { turn * now.body(body).size } else { 0.0 };
    centre(&path.from).distance(centre(&path.to)) + turned
}

/// The angle between two rotations, rad: exactly 0 if they are equal, where an arc cosine is off by 1e-8.
fn turn_between(a: Quat, b: Quat) -> f64 {
    let apart = (a - b).length().min((a + b).length());
    4.0 * (0.5 * apart).min(1.0).asin()
}

/// The contact forces of an attempt of a length, s, in N.
pub(super) fn forces(
    now: &IslandNow<'_>,
    attempt: &Attempt<'_>,
    length: f64,
    candidates: &[Candidate],
) -> Vec<(ContactOf, Vec3)> {
    let Some(pushed) = attempt.pushed else { return Vec::new() };
    let force = |(&c, &impulse): (&usize, &Vec3)| {
        let candidate = &candidates[c];
        ((now.numbers(&now.pairs[candidate.pair]), candidate.name), impulse / length)
    };
    pushed.participants.iter().zip(&pushed.answer.impulses).map(force).collect()
}

impl IslandNow<'_> {
    /// Lets hands pull by other shares of their springs over this piece.
    fn ease(&mut self, shares: Vec<(HandId, [f64; 2])>) {
        for (hand, share) in shares {
            self.shares.retain(|(known, _)| *known != hand);
            self.shares.push((hand, share));
        }
    }

    pub(super) fn lift(&mut self, lifts: Vec<(usize, f64)>) {
        lifts.into_iter().for_each(|(pair, lift)| self.pairs[pair].lift_to(lift));
    }
}

impl WarmStart {
    /// What an attempt that was not taken leaves for the next.
    fn after(attempt: &Attempt<'_>, candidates: usize, decision: &Decision) -> WarmStart {
        let Some(pushed) = attempt.pushed else { return WarmStart::default() };
        let mut impulses = vec![Vec3::ZERO; candidates];
        let of_answer = pushed.participants.iter().zip(&pushed.answer.impulses);
        of_answer.for_each(|(&c, &impulse)| impulses[c] = impulse);
        match decision {
            // What was let go is crossed by little.
            Decision::Lift(_) | Decision::Keep { .. } => {
                WarmStart { impulses, velocities: Some(pushed.answer.velocities.clone()) }
            }
            // Where something else was crossed, bodies are beyond it: no place to start from.
            Decision::Grow(_) => WarmStart { impulses, velocities: None },
            Decision::Accept { .. }
            | Decision::Ease(_)
            | Decision::EndAtImpact { .. }
            | Decision::Divide(_)
            | Decision::Relax
            | Decision::Cut { .. } => WarmStart::default(),
        }
    }
}
