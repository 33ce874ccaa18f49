//! Respond: where bodies are after a piece. Free flight if nothing must be pushed, else contact forces by the
//! response method.

use crate::body::{BodyState, Role};
use crate::buffers::{CONTACTS, refill, refill_each};
use crate::flight::drift;
use crate::kinematics::mean_velocity;
use crate::profile::{Stage, timed};
use crate::report::StuckReason;
use crate::response::{
    Answer, IslandProblem, ProblemBody, ProblemContact, Scratch, Slips, Sprung, nearest_motion,
};
use crate::step::find::{Candidate, rate};
use crate::step::impacts::closes_fast;
use crate::step::island::IslandNow;
use crate::step::request::{Effort, can_be_tried, solver_settings};
use crate::step::spent::Toll;
use crate::step::tuning;
use silvia_contact::Twist;
use silvia_proximity::ContactState;
use silvia_solid::{Pose, Quat, Vec3};

/// A piece that was tried: where bodies end, and what pushed them.
pub(super) struct Attempt<'a> {
    pub(super) ends: &'a [BodyState],
    /// What the response method said; `None` in free flight.
    pub(super) pushed: Option<Pushed<'a>>,
    /// Contacts that close as fast as an impact and are taken for slow ones.
    pub(super) unimpacted: usize,
}

impl Attempt<'_> {
    /// The bodies of gaps that are closed and end as next to nothing of their shells, and as less than they
    /// began with. No exact answer does that; others would wear shells down, step by step.
    pub(super) fn wearing(&self, now: &IslandNow<'_>, candidates: &[Candidate]) -> Vec<usize> {
        let Some(Pushed { participants, answer, .. }) = self.pushed else { return Vec::new() };
        let is_worn = |(c, end): &(&usize, &ContactState)| {
            let Candidate { pair, state, .. } = &candidates[**c];
            end.holds && end.gap < state.gap && end.gap < tuning::WORN * now.pairs[*pair].shell
        };
        let worn = participants.iter().zip(&answer.states).filter(is_worn);
        worn.flat_map(|(&c, _)| now.pairs[candidates[c].pair].bodies).collect()
    }
}

/// The answer of a response method to the candidates that took part.
#[derive(Clone, Copy)]
pub(super) struct Pushed<'a> {
    /// The candidates, ascending.
    pub(super) participants: &'a [usize],
    /// What they bore over the whole piece, N s.
    pub(super) impulses: &'a [Vec3],
    /// Contacts of the answer are in the order of the participants.
    pub(super) answer: &'a Answer,
}

/// What earlier attempts of the same length leave for the next.
#[derive(Default)]
pub(super) struct WarmStart {
    /// By candidate; those that have joined since have none.
    pub(super) impulses: Vec<Vec3>,
    /// Velocities that lead to nearly the same end.
    pub(super) velocities: Option<Vec<Twist>>,
}

/// The stage that finds where bodies end.
#[derive(Debug, Default)]
pub(super) struct Responder {
    outlooks: Outlooks,
    participants: Vec<usize>,
    bodies: Vec<ProblemBody<'static>>,
    contacts: Vec<ProblemContact>,
    /// The velocities of bodies that nothing pushes, as the method sees them.
    free: Vec<Twist>,
    /// Memory of the response method.
    method: Scratch,
    answer: Answer,
    end_states: EndStates,
}

impl Responder {
    /// Tries a piece of a length, s. `flight` is where bodies would be if nothing touched them. Fails if the
    /// contact forces are not found.
    pub(super) fn respond<'a>(
        &'a mut self,
        now: &IslandNow<'_>,
        flight: &'a [BodyState],
        length: f64,
        candidates: &[Candidate],
        (warm, effort): (&WarmStart, Effort<'_>),
    ) -> (Result<Attempt<'a>, StuckReason>, Toll) {
        let Responder { outlooks, participants, .. } = self;
        let (must_push, unimpacted) = timed(
            now.watch,
            Stage::Integrate,
            |_| candidates.len(),
            || outlooks.look_ahead(now, flight, length, candidates, participants),
        );
        if !must_push {
            let toll = Toll { iterations: 0, work: candidates.len() };
            return (Ok(Attempt { ends: flight, pushed: None, unimpacted }), toll);
        }
        self.ask(now, flight, length, candidates, (warm, effort));
        self.attempt(now, flight, length, candidates, (effort, unimpacted))
    }

    /// Tries a piece under a compliant method: all candidates take part, and nothing is an impact.
    pub(super) fn respond_compliantly<'a>(
        &'a mut self,
        now: &IslandNow<'_>,
        flight: &'a [BodyState],
        length: f64,
        candidates: &[Candidate],
    ) -> (Result<Attempt<'a>, StuckReason>, Toll) {
        if candidates.is_empty() {
            return (Ok(Attempt { ends: flight, pushed: None, unimpacted: 0 }), Toll::default());
        }
        refill(&mut self.participants, 0..candidates.len());
        self.ask(now, flight, length, candidates, (&WarmStart::default(), Effort::Exact));
        self.attempt(now, flight, length, candidates, (Effort::Exact, 0))
    }

    /// What the method's answer makes of a piece.
    fn attempt<'a>(
        &'a mut self,
        now: &IslandNow<'_>,
        flight: &[BodyState],
        length: f64,
        candidates: &[Candidate],
        (effort, unimpacted): (Effort<'_>, usize),
    ) -> (Result<Attempt<'a>, StuckReason>, Toll) {
        let Answer { iterations, work, .. } = self.answer;
        let toll = Toll { iterations, work: work + candidates.len() };
        if !can_be_tried(&self.answer, effort, now.states.len(), self.participants.len()) {
            return (Err(now.no_forces(&self.answer, &self.participants, candidates)), toll);
        }
        let Responder { participants, answer, end_states, free, .. } = self;
        let pushed = Pushed { participants, impulses: &answer.impulses, answer };
        end_states.find(now, (flight, free), pushed, length, candidates);
        (Ok(Attempt { ends: &end_states.ends, pushed: Some(pushed), unimpacted }), toll)
    }

    /// Has the response method answer a piece with the participants.
    fn ask(
        &mut self,
        now: &IslandNow<'_>,
        flight: &[BodyState],
        length: f64,
        candidates: &[Candidate],
        (warm, effort): (&WarmStart, Effort<'_>),
    ) {
        let Responder { participants, bodies, contacts, free, method, answer, .. } = self;
        let is_mean = now.is_of_second_order(effort);
        // The memory of a list whose bodies lived longer.
        let mut of_problem: Vec<ProblemBody<'_>> = std::mem::take(bodies);
        let assemble = || {
            of_problem.extend((0..now.states.len()).map(|i| match is_mean {
                true => mean_body(now, i, &flight[i], length),
                false => problem_body(now, i, &flight[i], length),
            }));
            refill(free, of_problem.iter().map(|body| body.free_velocity));
            let contact = |&c: &usize| problem_contact(now, &candidates[c], length, warm.impulses.get(c));
            refill(contacts, participants.iter().map(contact));
            if matches!(effort, Effort::Relaxed | Effort::AsExactAsCanBe) {
                contacts.iter_mut().for_each(ProblemContact::keep_gap);
            }
        };
        timed(now.watch, Stage::Assemble, |()| 0, assemble);
        let problem = IslandProblem {
            bodies: of_problem,
            contacts: std::mem::take(contacts),
            nearby: warm.velocities.as_deref(),
            time_step: length,
            slips: if is_mean { Slips::Mean } else { Slips::AtEnd },
            watch: now.watch,
        };
        match effort {
            Effort::Exact | Effort::Relaxed | Effort::AsExactAsCanBe => {
                let settings = solver_settings(now, problem.contacts.len());
                now.world.response.respond(&problem, &settings, method, answer);
            }
            Effort::NearestMotion => {
                let near = if now.quick_budget().is_some() { tuning::QUICK_NEAR } else { 0.0 };
                nearest_motion(&problem, (tuning::NEAREST_ITERATIONS, near), method, answer);
            }
            Effort::Quick { method: quick, sweeps } => {
                quick.respond_quickly(&problem, sweeps, method, answer);
            }
        }
        let IslandProblem { bodies: of_problem, contacts: used, .. } = problem;
        *contacts = used;
        *bodies = returned(of_problem);
    }
}

/// A body as the response method sees it over a piece of a length, s, after which free flight would put it to
/// `flight`.
pub(super) fn problem_body<'a>(
    now: &'a IslandNow<'_>,
    index: usize,
    flight: &BodyState,
    length: f64,
) -> ProblemBody<'a> {
    let body = now.body(index);
    let state = &now.states[index];
    let is_movable = index < now.island.movable;
    let velocity = if is_movable { state.velocity } else { mean_velocity(state, flight, length) };
    ProblemBody {
        shape: &body.contact_body,
        centre_in_body: body.inertia.centre,
        centre: state.centre,
        rotation: state.rotation,
        inertia: is_movable.then(|| (body.inertia.mass, body.inertia.in_world(state.rotation))),
        velocity,
        free_velocity: if is_movable { flight.velocity } else { velocity },
        sprung: now.hold(index, length).map(|hold| Sprung { mass: hold.mass, inverse: hold.inverse }),
        scripted_end: matches!(body.role, Role::Fixed | Role::Scripted(_)).then(|| now.pose(index, flight)),
    }
}

/// The same body, for a piece of second order: its velocities are mean ones over the piece. An impulse that
/// acts all the time changes the mean velocity by half of what it changes in the end, as if the body had
/// twice its mass. A hand that sets velocities holds to the one at the end.
fn mean_body<'a>(now: &'a IslandNow<'_>, index: usize, flight: &BodyState, length: f64) -> ProblemBody<'a> {
    let plain = problem_body(now, index, flight, length);
    let (body, state) = (now.body(index), &now.states[index]);
    if index >= now.island.movable || matches!(body.role, Role::Held(_)) {
        return plain;
    }
    let (mass, inertia) =
        (body.inertia.mass, body.inertia.in_world(halfway(state.rotation, flight.rotation)));
    let mut free_velocity = mean_velocity(state, flight, length);
    if body.loads.is_empty() {
        // The same, without the rounding of places.
        free_velocity.linear = 0.5 * (state.velocity.linear + flight.velocity.linear);
    }
    ProblemBody { inertia: Some((2.0 * mass, 2.0 * inertia)), free_velocity, ..plain }
}

/// The rotation in the middle between two.
fn halfway(from: Quat, to: Quat) -> Quat {
    if from == to { from } else { from.slerp(to, 0.5).normalize() }
}

/// A candidate as the response method sees it over a piece of a length, s. It starts from a guess of its
/// impulse, or else from the force that it bore before.
pub(super) fn problem_contact(
    now: &IslandNow<'_>,
    candidate: &Candidate,
    length: f64,
    guess: Option<&Vec3>,
) -> ProblemContact {
    let pair = &now.pairs[candidate.pair];
    let key = (now.numbers(pair), candidate.name);
    let known = || now.guesses.get(&key).or_else(|| now.world.state.memory.get(&key));
    let force = || known().copied().unwrap_or_default();
    ProblemContact {
        bodies: pair.bodies,
        name: candidate.name,
        start: candidate.state,
        shell: pair.shell,
        friction: friction(now, candidate),
        restitution: pair.restitution,
        is_kept: candidate.is_kept,
        guess: guess.copied().unwrap_or_else(|| length * force()),
    }
}

/// Coulomb's coefficient for a piece: that of what slides, or of what does not, by the slip where it starts.
/// What breaks loose within a piece slides from the next one on.
pub(super) fn friction(now: &IslandNow<'_>, candidate: &Candidate) -> f64 {
    let pair = &now.pairs[candidate.pair];
    if pair.static_friction == pair.friction {
        return pair.friction;
    }
    let velocity = |side: usize| {
        let body = &now.states[pair.bodies[side]];
        body.velocity.linear + body.velocity.angular.cross(candidate.state.points[side] - body.centre)
    };
    let slip = (velocity(1) - velocity(0)).reject_from_normalized(candidate.state.normal);
    if slip.length() > tuning::SLIDES { pair.friction } else { pair.static_friction }
}

/// What free flight would do to the candidates.
#[derive(Debug, Default)]
struct Outlooks {
    poses: Vec<Pose>,
    arriving: Vec<BodyState>,
    /// Of candidates that do not touch: whether they collide, and whether free flight crosses them.
    of_candidates: Vec<Option<(bool, bool)>>,
}

impl Outlooks {
    /// Finds the candidates that do not collide within the piece, the `participants`. Says whether free
    /// flight crosses one of them, and how many of them close as fast as an impact.
    fn look_ahead(
        &mut self,
        now: &IslandNow<'_>,
        flight: &[BodyState],
        length: f64,
        candidates: &[Candidate],
        participants: &mut Vec<usize>,
    ) -> (bool, usize) {
        let Outlooks { poses, arriving, of_candidates } = self;
        now.put_poses(flight, poses);
        // The velocities at which bodies arrive: a script that bends there tells those at which it goes on.
        refill(arriving, flight.iter().copied());
        for (index, end) in arriving.iter_mut().enumerate().skip(now.island.movable) {
            end.velocity = mean_velocity(&now.states[index], end, length);
        }
        let touches = |c: &Candidate| c.state.gap <= tuning::TOUCH * now.pairs[c.pair].shell;
        // Whether it collides, and whether it would be crossed. What touches does not collide.
        let outlook = |index: usize| {
            let candidate = &candidates[index];
            let pair = &now.pairs[candidate.pair];
            let end = now.state_at(candidate, poses);
            let after = rate(&end, pair.bodies.map(|i| &arriving[i]));
            let is_crossed = end.gap < pair.shell && (end.holds || candidate.state.holds);
            (closes_fast(pair, candidate, end.gap, after, length), is_crossed)
        };
        let of_untouched = |index: usize| (!touches(&candidates[index])).then(|| outlook(index));
        refill_each(of_candidates, candidates.len(), CONTACTS, of_untouched);
        let (mut must_push, mut unimpacted) = (false, 0);
        let may_collide = now.may_collide();
        participants.clear();
        for (index, outlook) in of_candidates.iter().enumerate() {
            if let Some((is_fast, is_crossed)) = *outlook {
                if is_fast && may_collide {
                    continue;
                }
                unimpacted += usize::from(is_fast);
                must_push |= is_crossed;
            }
            participants.push(index);
        }
        // Where those that touch will be matters only if nothing else must be pushed.
        must_push = must_push || (0..candidates.len()).any(|i| of_candidates[i].is_none() && outlook(i).1);
        (must_push, unimpacted)
    }
}

/// Where bodies are after a piece with contact forces.
#[derive(Debug, Default)]
struct EndStates {
    ends: Vec<BodyState>,
    least_shells: Vec<f64>,
    flies: Vec<bool>,
    are_near: Vec<bool>,
    poses: Vec<Pose>,
}

impl EndStates {
    /// Finds where bodies are after a piece with contact forces. Those that nothing pushes fly on as if they
    /// were alone, whatever else happens in their island: a response method knows velocities only, and would
    /// let them fall too far and turn astray.
    fn find(
        &mut self,
        now: &IslandNow<'_>,
        (flight, free): (&[BodyState], &[Twist]),
        Pushed { participants, answer, .. }: Pushed<'_>,
        length: f64,
        candidates: &[Candidate],
    ) {
        let EndStates { ends, least_shells, flies, are_near, poses } = self;
        let movable = now.island.movable;
        refill(least_shells, flight.iter().map(|_| f64::INFINITY));
        for pair in participants.iter().map(|&c| &now.pairs[candidates[c].pair]) {
            pair.bodies.into_iter().for_each(|i| least_shells[i] = least_shells[i].min(pair.shell));
        }
        let is_pushed = |i: usize| {
            let [with, without] = [answer.velocities[i], free[i]];
            let turned = now.body(i).size * (with.angular - without.angular).length();
            let moved = length * ((with.linear - without.linear).length() + turned);
            moved > tuning::NO_PUSH * least_shells[i]
        };
        // Mean velocities are not those with which bodies fly on.
        let flies_at = |i: usize| match flight[i].velocity == free[i] {
            true => answer.velocities[i],
            false => flight[i].velocity,
        };
        refill(flies, (0..flight.len()).map(|i| i < movable && !is_pushed(i)));
        loop {
            let end = |i: usize| match (i < movable, flies[i]) {
                (true, true) => BodyState { velocity: flies_at(i), ..flight[i] },
                (true, false) => moved(now, i, answer.velocities[i], length),
                _ => flight[i],
            };
            refill(ends, (0..flight.len()).map(end));
            // A contact that would be nearer than its shell for that goes as the method said.
            now.put_poses(ends, poses);
            let flying = |c: usize| now.pairs[candidates[c].pair].bodies.into_iter().filter(|&i| flies[i]);
            let is_near = |at: usize| {
                let candidate = &candidates[participants[at]];
                let is_closed = || {
                    let state = now.state_at(candidate, poses);
                    state.holds && state.gap < now.pairs[candidate.pair].shell
                };
                flying(participants[at]).next().is_some() && is_closed()
            };
            refill_each(are_near, participants.len(), CONTACTS, is_near);
            let near = participants.iter().zip(&*are_near).filter(|(_, is_near)| **is_near);
            let back: Vec<usize> = near.flat_map(|(&c, _)| flying(c)).collect();
            if back.is_empty() {
                return;
            }
            back.into_iter().for_each(|i| flies[i] = false);
        }
    }
}

/// A body after a piece at a velocity, as a response method moves it.
pub(super) fn moved(now: &IslandNow<'_>, index: usize, velocity: Twist, length: f64) -> BodyState {
    drift(&BodyState { velocity, ..now.states[index] }, length)
}

/// The memory of a list of bodies, for one that lives longer. (Collecting into a list of items of the same
/// size keeps the allocation.)
pub(super) fn returned(mut bodies: Vec<ProblemBody<'_>>) -> Vec<ProblemBody<'static>> {
    bodies.clear();
    bodies.into_iter().map_while(|_| None).collect()
}
