//! One piece of a step: free flight if that is free, else contact forces; certified, or shorter.

use crate::body::{BodyId, BodyState, Role};
use crate::profile::{Stage, timed};
use crate::report::ContactRecord;
use crate::response::{Answer, Task, TaskBody, TaskContact};
use crate::settings::Budget;
use crate::step::contacts::{MANY_PAIRS, Near, PairOf, TOUCH, rate};
use crate::step::island::{Ended, Run};
use rayon::prelude::*;
use silvia_contact::{Outcome, Settings, Twist};
use silvia_proximity::{
    ContactState, Path, PathCheck, check_path_with, is_plane_between, shape_contact_at, swept_box,
};
use silvia_solid::{Aabb, Pose, Vec3};

/// Pairs of features join the contacts this often within a piece, then it is cut.
const MOST_GROWTHS: usize = 6;

/// Where a piece crosses something, it is cut to this fraction of what is free.
const BEFORE_CROSSING: f64 = 0.9;

/// A fast contact is let come to within this many shells, then it collides: in the middle of those between which it touches.
const AIM: f64 = 1.5;

/// A pair that crosses although its contacts are closed, to so many shells, crosses because its way sags.
const SAGGING: f64 = 4.0;

/// A piece below this fraction of the step is a short one, for which solvers may do this many times the work.
const SHORT: f64 = 0.1;
const PATIENCE: usize = 5;

/// An answer with a larger residual is not used, whatever the solver calls it.
const LARGEST_RESIDUAL: f64 = 1e-6;

/// Of a pair that stays apart.
const FREE: PathCheck = PathCheck { free_until: 1.0, crossing: None, at_start: false, work: 0 };

/// A piece that was tried.
struct Attempt {
    ends: Vec<BodyState>,
    /// Which contacts took part, and what the method said; `None` in free flight.
    answer: Option<(Vec<usize>, Answer)>,
    /// Contacts that close as fast as an impact and are taken for slow ones.
    unimpacted: usize,
}

/// What free flight would do to contacts.
struct Slow {
    /// Those that do not collide.
    contacts: Vec<usize>,
    /// Whether one of them would be crossed.
    must_push: bool,
    /// As in [`Attempt`].
    unimpacted: usize,
}

/// Why a piece that was tried is not taken.
pub(super) enum Refused {
    /// Shorter, s: a fast contact closes by then.
    UntilImpact(f64),
    /// Shorter, s, because of what the words say.
    Cut(f64, String),
    /// Once more: a pair is kept farther apart now.
    Again,
    /// Once more, with this contact insisted on: it was let go and crossed.
    Kept(usize),
    /// Once more with these.
    Grown(Vec<Near>),
}

impl Run<'_> {
    /// Advances by as much of what is left as can be had at once.
    pub(crate) fn piece(&mut self, mut contacts: Vec<Near>) -> Result<(), Ended> {
        let left = self.length - self.done;
        let mut length = self.at_once(left);
        let mut growths = 0;
        loop {
            let refused = match self.attempt(length, &contacts) {
                Ok(attempt) => match self.looked_at(&attempt, length, &contacts, growths < MOST_GROWTHS)? {
                    None => {
                        timed(
                            self.watch,
                            Stage::Integrate,
                            |()| contacts.len(),
                            || {
                                self.accept(attempt, length, left, &contacts);
                            },
                        );
                        return Ok(());
                    }
                    Some(refused) => refused,
                },
                Err(refused) => refused,
            };
            match refused {
                Refused::UntilImpact(shorter) => length = shorter,
                Refused::Cut(shorter, why) => {
                    self.ran.cuts += 1;
                    length = shorter;
                    if length < self.world.settings.shortest_cut * self.length {
                        return Err(self.stuck(why));
                    }
                }
                Refused::Again => {}
                Refused::Kept(contact) => contacts[contact].is_kept = true,
                Refused::Grown(new) => {
                    growths += 1;
                    self.ran.certificate.grown += new.len();
                    contacts.extend(new);
                }
            }
        }
    }

    /// Where bodies are after a piece of a length.
    fn attempt(&mut self, length: f64, contacts: &[Near]) -> Result<Attempt, Refused> {
        let flight: Vec<BodyState> = timed(self.watch, Stage::Predict, Vec::len, || {
            (0..self.states.len()).map(|i| self.free_end(i, length)).collect()
        });
        let Slow { contacts: slow, must_push, unimpacted } = timed(
            self.watch,
            Stage::Integrate,
            |_| contacts.len(),
            || self.slow_contacts(&flight, length, contacts),
        );
        if !must_push {
            return Ok(Attempt { ends: flight, answer: None, unimpacted });
        }
        let task = timed(
            self.watch,
            Stage::Assemble,
            |_| 0,
            || Task {
                bodies: (0..self.states.len()).map(|i| self.task_body(i, &flight[i], length)).collect(),
                contacts: slow.iter().map(|&c| self.task_contact(&contacts[c], length)).collect(),
                time_step: length,
                watch: self.watch,
            },
        );
        let answer = self.world.response.respond(&task, &self.solver_settings(length));
        self.ran.iterations += answer.iterations;
        if !self.is_usable(&answer) {
            let why = format!(
                "the contact forces were not found ({}, residual {:.1e})",
                answer.outcome.as_str(),
                answer.residual
            );
            return Err(Refused::Cut(0.5 * length, why));
        }
        let ends = self.ends(&flight, &answer, length, contacts, &slow);
        Ok(Attempt { ends, answer: Some((slow, answer)), unimpacted })
    }

    /// Which contacts do not collide within the piece, and whether one of them would be crossed in free flight.
    fn slow_contacts(&self, flight: &[BodyState], length: f64, contacts: &[Near]) -> Slow {
        let poses = self.poses_in(flight);
        let arriving = self.arriving(flight, length);
        let mut slow = Vec::new();
        let mut must_push = false;
        let mut unimpacted = 0;
        let may_rebound = self.rebounds < self.most_impacts();
        for (index, near) in contacts.iter().enumerate() {
            let pair = &self.pairs[near.pair];
            if near.state.gap <= TOUCH * pair.shell && must_push {
                // It touches, so that it does not collide, and where it will be no longer matters.
                slow.push(index);
                continue;
            }
            let end = self.state_at(near, &poses);
            let after = rate(&end, pair.bodies.map(|i| &arriving[i]));
            if self.closes_fast(near, end.gap, after, length) {
                if may_rebound {
                    continue;
                }
                unimpacted += 1;
            }
            must_push |= end.gap < pair.shell && (end.holds || near.state.holds);
            slow.push(index);
        }
        Slow { contacts: slow, must_push, unimpacted }
    }

    /// Bodies at the end of a free piece with the velocities at which they get there: a script that bends there tells those
    /// at which it goes on.
    fn arriving(&self, flight: &[BodyState], length: f64) -> Vec<BodyState> {
        let mut arriving = flight.to_vec();
        for (index, end) in arriving.iter_mut().enumerate().skip(self.island.movable) {
            end.velocity = mean_velocity(&self.states[index], end, length);
        }
        arriving
    }

    /// Whether a contact closes within the piece, and faster than the speed of an impact when it does. Its gap is taken to
    /// change at a constant acceleration.
    fn closes_fast(&self, near: &Near, end_gap: f64, end_rate: f64, length: f64) -> bool {
        let pair = &self.pairs[near.pair];
        if pair.is_held || near.state.gap <= TOUCH * pair.shell || end_gap >= pair.shell {
            return false;
        }
        let acceleration = (end_rate - near.rate) / length;
        let closing = closing_time(near.state.gap - pair.shell, near.rate, acceleration).min(length);
        -(near.rate + acceleration * closing) > self.world.settings.impact_speed
    }

    /// What is wrong with an attempt, if anything is; as a stage.
    fn looked_at(
        &mut self,
        attempt: &Attempt,
        length: f64,
        contacts: &[Near],
        may_grow: bool,
    ) -> Result<Option<Refused>, Ended> {
        let pairs = self.pairs.len();
        timed(self.watch, Stage::Certify, |_| pairs, || self.look(attempt, length, contacts, may_grow))
    }

    /// What is wrong with an attempt, if anything is.
    fn look(
        &mut self,
        attempt: &Attempt,
        length: f64,
        contacts: &[Near],
        may_grow: bool,
    ) -> Result<Option<Refused>, Ended> {
        for (index, end) in attempt.ends.iter().enumerate() {
            if !(end.centre.is_finite() && end.rotation.is_finite()) {
                let why = format!("`{}` would move beyond all bounds", self.body(index).name);
                return Ok(Some(Refused::Cut(0.5 * length, why)));
            }
        }
        let poses = self.poses_in(&attempt.ends);
        if let Some(shorter) = self.until_impact(attempt, &poses, length, contacts) {
            return Ok(Some(Refused::UntilImpact(shorter)));
        }
        let start = self.poses();
        let paths: Vec<Path> = (0..poses.len())
            .map(|i| Path { from: start[i], to: poses[i], about: self.body(i).inertia.centre })
            .collect();
        let boxes: Vec<Aabb> =
            paths.iter().enumerate().map(|(i, p)| swept_box(&self.body(i).contact_body, p)).collect();
        let escaped: Vec<(u32, Aabb)> = (0..boxes.len())
            .filter(|&i| self.island.cages[i].merged(boxes[i]) != self.island.cages[i])
            .map(|i| (self.island.bodies[i], boxes[i]))
            .collect();
        if !escaped.is_empty() {
            return Err(Ended::Escaped(escaped));
        }
        self.certify(&paths, &boxes, length, contacts, may_grow)
    }

    /// When the first of the fast contacts closes, if one does within the piece, s.
    fn until_impact(&self, attempt: &Attempt, poses: &[Pose], length: f64, contacts: &[Near]) -> Option<f64> {
        let took_part = |index: usize| match &attempt.answer {
            Some((slow, _)) => slow.binary_search(&index).is_ok(),
            None => false,
        };
        let mut shortest: Option<f64> = None;
        for (_, near) in contacts.iter().enumerate().filter(|&(index, _)| !took_part(index)) {
            let pair = &self.pairs[near.pair];
            let end = self.state_at(near, poses);
            if end.gap >= pair.shell || near.state.gap <= TOUCH * pair.shell {
                continue;
            }
            // A parabola through the gap at both ends with the rate at the start.
            let aim = AIM * pair.shell;
            let acceleration = 2.0 * (end.gap - near.state.gap - near.rate * length) / (length * length);
            let closing = closing_time(near.state.gap - aim, near.rate, acceleration);
            // A vertex onto which a body rolls over holds once it touches, and not before. Where nothing is to touch after all, the
            // piece is shorter than it need be, and no more.
            let holds = || near.state.holds || end.holds || self.holds_at(near, attempt, closing / length);
            if closing > 0.0 && closing < length && holds() {
                shortest = Some(shortest.map_or(closing, |s| s.min(closing)));
            }
        }
        shortest
    }

    /// Whether a contact holds part of the way.
    fn holds_at(&self, near: &Near, attempt: &Attempt, fraction: f64) -> bool {
        let [a, b] = self.pairs[near.pair].bodies;
        let poses = [a, b].map(|i| self.pose(i, &between(&self.states[i], &attempt.ends[i], fraction)));
        let (of_a, of_b) = (&self.body(a).contact_body, &self.body(b).contact_body);
        shape_contact_at(of_a, &poses[0], of_b, &poses[1], &near.name).holds
    }

    /// Looks at the way of every pair.
    fn certify(
        &mut self,
        paths: &[Path],
        boxes: &[Aabb],
        length: f64,
        contacts: &[Near],
        may_grow: bool,
    ) -> Result<Option<Refused>, Ended> {
        let mut first: Option<(usize, PathCheck)> = None;
        let mut looked_at = 0;
        // Along the normal of the nearest contact there is most likely a plane between two bodies.
        let mut nearest: Vec<Option<(f64, Vec3)>> = vec![None; self.pairs.len()];
        for near in contacts.iter().filter(|near| near.state.holds) {
            let of_pair = &mut nearest[near.pair];
            if of_pair.is_none_or(|(gap, _)| near.state.gap < gap) {
                *of_pair = Some((near.state.gap, near.state.normal));
            }
        }
        let mut pairs = std::mem::take(&mut self.pairs);
        let this = &*self;
        let look = |(pair, nearest): (&mut PairOf, &Option<(f64, Vec3)>)| -> Option<PathCheck> {
            let [a, b] = pair.bodies;
            if !boxes[a].overlaps(&boxes[b]) {
                return None;
            }
            let bodies = [a, b].map(|i| &this.body(i).contact_body);
            if let Some((_, normal)) = *nearest
                && is_plane_between(bodies[0], &paths[a], bodies[1], &paths[b], normal)
            {
                return Some(FREE);
            }
            Some(check_path_with(bodies[0], &paths[a], bodies[1], &paths[b], &mut pair.cache))
        };
        let checks: Vec<Option<PathCheck>> = if pairs.len() < MANY_PAIRS {
            pairs.iter_mut().zip(&nearest).map(look).collect()
        } else {
            pairs.par_iter_mut().zip(&nearest).map(look).collect()
        };
        self.pairs = pairs;
        for (index, check) in checks.into_iter().enumerate() {
            let Some(check) = check else { continue };
            looked_at += 1;
            if check.crossing.is_none() && !check.at_start {
                continue;
            }
            if first.as_ref().is_none_or(|(_, f)| check.free_until < f.free_until) {
                first = Some((index, check));
            }
        }
        let Some((pair, check)) = first else {
            self.ran.certificate.paths += looked_at;
            return Ok(None);
        };
        let [a, b] = self.pairs[pair].bodies;
        let names = format!("`{}` and `{}`", self.body(a).name, self.body(b).name);
        if check.at_start {
            return Err(self.stuck(format!("{names} touch where the step starts")));
        }
        if may_grow {
            let at = [a, b].map(|i| part_of_way(&paths[i], check.free_until));
            let new = self.not_yet_known(pair, [&at[0], &at[1]], contacts);
            if !new.is_empty() {
                return Ok(Some(Refused::Grown(new)));
            }
        }
        if let Some(crossing) = &check.crossing {
            let is_it = |near: &Near| {
                near.pair == pair
                    && !near.is_kept
                    && near.name.parts == crossing.parts
                    && near.name.key.features.map(Some) == crossing.features
            };
            if let Some(contact) = contacts.iter().position(is_it) {
                return Ok(Some(Refused::Kept(contact)));
            }
        }
        let touching = contacts.iter().filter(|near| near.pair == pair && near.state.holds);
        let start_gap = touching.map(|near| near.state.gap).fold(f64::INFINITY, f64::min);
        if start_gap <= SAGGING * self.pairs[pair].shell
            && let Some(refused) = self.lifted(pair, &check, start_gap, length)
        {
            return Ok(Some(refused));
        }
        let shorter = BEFORE_CROSSING * check.free_until * length;
        Ok(Some(Refused::Cut(shorter, format!("{names} would pass through each other"))))
    }

    /// Takes a piece.
    fn accept(&mut self, attempt: Attempt, length: f64, left: f64, contacts: &[Near]) {
        let poses = self.poses_in(&attempt.ends);
        let mut impulses = vec![Vec3::ZERO; contacts.len()];
        let mut ends: Vec<Option<ContactState>> = vec![None; contacts.len()];
        if let Some((slow, answer)) = &attempt.answer {
            // Bodies that nothing pushes fly on: all others are where the method saw them, to the bit.
            let is_as_answered: Vec<bool> = (0..attempt.ends.len())
                .map(|i| {
                    i >= self.island.movable || attempt.ends[i] == self.moved(i, answer.velocities[i], length)
                })
                .collect();
            for ((&c, &impulse), &state) in slow.iter().zip(&answer.impulses).zip(&answer.states) {
                impulses[c] = impulse;
                if self.pairs[contacts[c].pair].bodies.iter().all(|&i| is_as_answered[i]) {
                    ends[c] = Some(state);
                }
            }
            self.ran.residual = self.ran.residual.max(answer.residual);
            if self.world.settings.interactive.is_some() && answer.residual > self.world.settings.tolerance {
                self.ran.traded.forces += 1;
            }
            answer.notes.iter().for_each(|note| self.note(note));
        }
        if self.world.settings.interactive.is_some() {
            self.ran.traded.impacts += attempt.unimpacted;
        }
        self.ran.contacts.clear();
        self.ran.smallest_gap = f64::INFINITY;
        for ((near, &impulse), end) in contacts.iter().zip(&impulses).zip(ends) {
            let pair = &self.pairs[near.pair];
            let end = end.unwrap_or_else(|| self.state_at(near, &poses));
            let numbers = pair.bodies.map(|i| self.island.bodies[i]);
            let is_closed = end.holds && end.gap <= TOUCH * pair.shell;
            if impulse != Vec3::ZERO {
                *self.impulses.entry((numbers, near.name)).or_default() += impulse;
            }
            if end.holds {
                self.ran.smallest_gap = self.ran.smallest_gap.min(end.gap);
            }
            if is_closed || impulse != Vec3::ZERO {
                self.ran.contacts.push(ContactRecord {
                    bodies: numbers.map(BodyId),
                    name: near.name,
                    points: end.points,
                    normal: end.normal,
                    gap: end.gap,
                    force: Vec3::ZERO,
                });
            }
        }
        self.states = attempt.ends;
        self.ran.way.push(
            self.island.bodies.iter().map(|&body| BodyId(body)).zip(self.states.iter().copied()).collect(),
        );
        self.done = if length == left { self.length } else { self.done + length };
    }

    /// How contact problems over a piece of a length are solved. Where pieces had to be cut short already, more work is better than still
    /// shorter ones.
    pub(crate) fn solver_settings(&self, length: f64) -> Settings {
        let (tolerance, most_iterations) = (self.tolerance(), self.most_iterations());
        let is_short = length < SHORT * self.length;
        let most = if is_short { PATIENCE * most_iterations } else { most_iterations };
        Settings { tolerance, max_iterations: Some(most), ..Settings::default() }
    }

    /// To what residual contact problems are solved.
    pub(crate) fn tolerance(&self) -> f64 {
        let tolerance = self.world.settings.tolerance;
        self.world.settings.interactive.map_or(tolerance, |_| tolerance.max(Budget::RESIDUAL))
    }

    /// Most iterations of a solver.
    pub(crate) fn most_iterations(&self) -> usize {
        let most = self.world.settings.most_iterations;
        self.world.settings.interactive.map_or(most, |budget| budget.iterations.min(most))
    }

    /// Most impacts of the island in a step.
    pub(crate) fn most_impacts(&self) -> usize {
        let most = self.world.settings.most_impacts;
        self.world.settings.interactive.map_or(most, |budget| budget.impacts.min(most))
    }

    pub(crate) fn is_usable(&self, answer: &Answer) -> bool {
        let finite = |t: &Twist| t.linear.is_finite() && t.angular.is_finite();
        let is_good = match answer.outcome {
            Outcome::Solved => true,
            Outcome::Inaccurate | Outcome::OutOfBudget => answer.residual <= LARGEST_RESIDUAL,
            Outcome::Unbounded | Outcome::NoSolution => false,
        };
        is_good && answer.velocities.iter().all(finite)
    }

    fn task_body(&self, index: usize, flight: &BodyState, length: f64) -> TaskBody<'_> {
        let body = self.body(index);
        let state = &self.states[index];
        let is_movable = index < self.island.movable;
        let velocity = if is_movable { state.velocity } else { mean_velocity(state, flight, length) };
        TaskBody {
            shape: &body.contact_body,
            centre_in_body: body.inertia.centre,
            centre: state.centre,
            rotation: state.rotation,
            inertia: is_movable.then(|| (body.inertia.mass, body.inertia.in_world(state.rotation))),
            velocity,
            free_velocity: if is_movable { flight.velocity } else { velocity },
            scripted_end: matches!(body.role, Role::Fixed | Role::Scripted(_))
                .then(|| self.pose(index, flight)),
        }
    }

    /// A body as impacts see it: nothing moves while they last.
    pub(crate) fn task_body_at_rest(&self, index: usize) -> TaskBody<'_> {
        let state = self.states[index];
        let mut body = self.task_body(index, &state, 1.0);
        body.velocity = state.velocity;
        body.free_velocity = state.velocity;
        body.scripted_end = None;
        body
    }

    pub(crate) fn task_contact(&self, near: &Near, length: f64) -> TaskContact {
        let pair = &self.pairs[near.pair];
        let numbers = pair.bodies.map(|i| self.island.bodies[i]);
        let force = self.world.state.memory.get(&(numbers, near.name)).copied().unwrap_or_default();
        TaskContact {
            bodies: pair.bodies,
            name: near.name,
            start: near.state,
            shell: pair.shell,
            friction: pair.friction,
            restitution: if pair.is_held { 0.0 } else { pair.restitution },
            is_kept: near.is_kept,
            guess: length * force,
        }
    }
}

/// When a gap that is `gap` from closing, opens at a rate and is accelerated is first closed, s; infinite if never.
fn closing_time(gap: f64, rate: f64, acceleration: f64) -> f64 {
    if gap <= 0.0 {
        return 0.0;
    }
    // gap + rate t + acceleration t² / 2 = 0, in the form that loses no digits.
    let square = rate * rate - 2.0 * acceleration * gap;
    if square < 0.0 {
        return f64::INFINITY;
    }
    let slope = -rate + square.sqrt();
    if slope > 0.0 { 2.0 * gap / slope } else { f64::INFINITY }
}

/// The constant velocity that takes a body from one state to another.
fn mean_velocity(from: &BodyState, to: &BodyState, length: f64) -> Twist {
    let mut turn = to.rotation * from.rotation.conjugate();
    if turn.w < 0.0 {
        turn = -turn;
    }
    Twist { linear: (to.centre - from.centre) / length, angular: turn.to_scaled_axis() / length }
}

/// A state part of the way from one to another.
fn between(from: &BodyState, to: &BodyState, fraction: f64) -> BodyState {
    BodyState {
        centre: from.centre.lerp(to.centre, fraction),
        rotation: from.rotation.slerp(to.rotation, fraction).normalize(),
        velocity: to.velocity,
    }
}

/// A pose part of the way.
fn part_of_way(path: &Path, fraction: f64) -> Pose {
    let centre = |pose: &Pose| pose.transform_point(path.about);
    let at = centre(&path.from).lerp(centre(&path.to), fraction);
    let rotation = path.from.rotation().slerp(path.to.rotation(), fraction).normalize();
    crate::response::pose_of(at, rotation, path.about)
}
