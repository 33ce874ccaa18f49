//! Velocity: the velocities at the end of a piece that is free, for bodies that no longer move.
//!
//! A piece is made in two stages, as RATTLE does it (Andersen 1983; nonsmooth: Breuling, Capobianco, Eugster
//! and Leine, 2024). [`respond`](super::respond) finds *mean* velocities: where these lead, no gap is below
//! its shell, and friction acts against the mean slip. The impulses act with the normals and arms in the
//! middle of the way, so that they do no work where nothing slips: the midpoint rule. Then this stage finds
//! the velocities at the end: `u_N >= 0` complementary to the impulse of the whole piece, and Coulomb's law,
//! at the contacts that are closed. It is of second order while what contacts do lasts, and keeps the energy
//! to that.
//!
//! Friction acts against the mean of the slips at both ends where a contact slides all the time, and else
//! against that at the end, so that what comes to a halt halts.

use crate::body::BodyState;
use crate::buffers::refill;
use crate::flight::angular_momentum;
use crate::report::EnergyAccount;
use crate::response::{Answer, IslandProblem, ProblemBody, ProblemContact, Scratch, Slips};
use crate::step::find::Candidate;
use crate::step::island::IslandNow;
use crate::step::request::{Effort, can_be_tried, solver_settings};
use crate::step::respond::{Attempt, Pushed, friction, problem_body, problem_contact, returned};
use crate::step::spent::Toll;
use crate::step::tuning;
use crate::world::Energy;
use silvia_contact::Twist;
use silvia_proximity::ContactState;
use silvia_solid::{Quat, Vec3};

/// The stage that finds velocities where bodies end.
#[derive(Debug, Default)]
pub(super) struct VelocityStage {
    closed: Vec<Closed>,
    bodies: Vec<ProblemBody<'static>>,
    contacts: Vec<ProblemContact>,
    slips: Vec<Vec3>,
    method: Scratch,
    answer: Answer,
    impulses: Vec<Vec3>,
    ends: Vec<BodyState>,
}

/// A contact that is closed at the end.
#[derive(Clone, Copy, Debug)]
struct Closed {
    /// Among the participants.
    at: usize,
    bodies: [usize; 2],
    /// From the centres to the middle between its points, at the start and at the end, m.
    arms: [[Vec3; 2]; 2],
    /// Turns the normal at the end onto that in the middle of the way.
    to_middle: Quat,
    /// How much that turns, and the arms with it, rad.
    bend: f64,
    /// Its features held at the start, too.
    lasts: bool,
    /// The slip at the start, m/s.
    slip: Vec3,
    /// Whether friction acts against the mean slip.
    slides: bool,
    /// Over the whole piece, so far, N s.
    impulse: Vec3,
    /// The same as it acted, N s.
    acted: Vec3,
}

impl Closed {
    /// The impulse as it acts, in the middle of the way.
    fn in_the_middle(&self) -> Vec3 {
        self.to_middle * self.impulse
    }
}

/// Velocities that contacts have not changed.
#[derive(Clone, Copy)]
enum Start {
    /// Those of free flight: impulses are those of the whole piece.
    Flight,
    /// The mean ones of the piece.
    Mean,
}

impl VelocityStage {
    /// The attempt with the velocities with which its bodies go on, and the impulses that make them. `None`
    /// if they are not found: bodies then go on at their mean velocities.
    pub(super) fn find<'a>(
        &'a mut self,
        now: &IslandNow<'_>,
        attempt: &Attempt<'a>,
        flight: &[BodyState],
        length: f64,
        candidates: &[Candidate],
    ) -> Option<(Attempt<'a>, Toll)> {
        // Without where contacts are at the end nothing can be said of them.
        let pushed = attempt.pushed.filter(|p| p.answer.states.len() == p.participants.len())?;
        self.find_closed(now, attempt.ends, pushed, length, candidates);
        let mut toll = Toll::default();
        for pass in 0..tuning::MOST_PASSES {
            self.ask(now, (attempt.ends, flight), pushed, length, candidates, Start::Flight);
            toll.iterations += self.answer.iterations;
            toll.work += self.answer.work + self.closed.len();
            if !self.is_found() {
                return None;
            }
            if !self.look_again() || pass + 1 == tuning::MOST_PASSES {
                break;
            }
        }
        let VelocityStage { closed, answer, impulses, ends, .. } = &mut *self;
        refill(impulses, pushed.participants.iter().map(|_| Vec3::ZERO));
        closed.iter().for_each(|c| impulses[c.at] = c.acted);
        let is_movable = |i: usize| i < now.island.movable;
        let end = |(i, end): (usize, &BodyState)| match is_movable(i) {
            true => BodyState { velocity: answer.velocities[i], ..*end },
            false => *end,
        };
        refill(ends, attempt.ends.iter().enumerate().map(end));
        let found =
            Attempt { ends, pushed: Some(Pushed { impulses, ..pushed }), unimpacted: attempt.unimpacted };
        let gain = EnergyAccount::gain_of_piece(now, &found, flight, length, candidates);
        let excess = gain - tuning::MOST_GAIN * kinetic(now, ends, |i| now.states[i].velocity);
        if excess > 0.0 {
            self.ask(now, (attempt.ends, flight), pushed, length, candidates, Start::Mean);
            toll.work += self.answer.work;
            if self.is_found() {
                calm(now, excess, &self.answer.velocities, &mut self.ends);
            }
        }
        let VelocityStage { impulses, ends, .. } = self;
        let pushed = Some(Pushed { impulses, ..pushed });
        Some((Attempt { ends, pushed, unimpacted: attempt.unimpacted }, toll))
    }

    /// Whether the method found velocities.
    fn is_found(&self) -> bool {
        can_be_tried(&self.answer, Effort::Exact, self.answer.velocities.len(), self.closed.len())
    }

    /// Finds the contacts that are closed at the end.
    fn find_closed(
        &mut self,
        now: &IslandNow<'_>,
        ends: &[BodyState],
        Pushed { participants, answer, .. }: Pushed<'_>,
        length: f64,
        candidates: &[Candidate],
    ) {
        self.closed.clear();
        for (at, (&c, &impulse)) in participants.iter().zip(&answer.impulses).enumerate() {
            let candidate = &candidates[c];
            let pair = &now.pairs[candidate.pair];
            let end = &answer.states[at];
            // Solvers leave next to nothing of an impulse where a gap is open: that pushed nothing.
            let answers: f64 = pair.bodies.into_iter().map(|body| inverse_mass(now, body)).sum();
            let pushes = length * impulse.length() * answers > tuning::NO_PUSH * pair.shell;
            let is_closed = match pushes {
                true => end.gap <= tuning::CLOSED_IF_PUSHED * pair.shell,
                false => end.holds && end.gap <= tuning::CLOSED * pair.shell,
            };
            if !is_closed {
                continue;
            }
            let lasts = candidate.state.holds && end.holds;
            let arms = [(&candidate.state, &now.states[..]), (end, ends)]
                .map(|(state, states)| pair.bodies.map(|body| middle(state) - states[body].centre));
            let velocity = |side: usize| {
                let Twist { linear, angular } = now.states[pair.bodies[side]].velocity;
                linear + angular.cross(arms[0][side])
            };
            let slip = velocity(1) - velocity(0);
            let slip = slip - slip.dot(end.normal) * end.normal;
            let half = 0.5 * (candidate.state.normal + end.normal);
            let to_middle = match lasts && candidate.state.normal != end.normal && half != Vec3::ZERO {
                true => Quat::from_rotation_arc(end.normal, half.normalize()),
                false => Quat::IDENTITY,
            };
            let turned = |[from, to]: [Vec3; 2]| from.distance(to) / to.length().max(f64::MIN_POSITIVE);
            let bend = [0, 1].map(|side| turned([arms[0][side], arms[1][side]])).into_iter().sum::<f64>()
                + 2.0 * to_middle.xyz().length();
            let along = impulse.dot(end.normal);
            let across = (impulse - along * end.normal).length();
            self.closed.push(Closed {
                at,
                bodies: pair.bodies,
                arms,
                to_middle,
                bend,
                lasts,
                slip,
                slides: lasts
                    && slip != Vec3::ZERO
                    && across > 0.0
                    && across >= (1.0 - tuning::AT_CONE) * friction(now, candidate) * along,
                impulse,
                acted: impulse,
            });
        }
    }

    /// Has the method find velocities, with impulses near those found so far.
    fn ask(
        &mut self,
        now: &IslandNow<'_>,
        (ends, flight): (&[BodyState], &[BodyState]),
        Pushed { participants, answer: before, .. }: Pushed<'_>,
        length: f64,
        candidates: &[Candidate],
        from: Start,
    ) {
        let VelocityStage { closed, bodies, contacts, slips, method, answer, .. } = self;
        let mut of_problem: Vec<ProblemBody<'_>> = std::mem::take(bodies);
        of_problem.extend((0..ends.len()).map(|i| body_at_end(now, i, (&ends[i], &flight[i]), length)));
        match from {
            Start::Flight => put_in_the_middle(closed, &mut of_problem),
            Start::Mean => {
                for (body, end) in of_problem.iter_mut().zip(ends).filter(|(body, _)| body.inertia.is_some())
                {
                    (body.velocity, body.free_velocity) = (end.velocity, end.velocity);
                }
            }
        }
        let contact = |closed: &Closed| {
            let candidate = &candidates[participants[closed.at]];
            let known = problem_contact(now, candidate, length, Some(&closed.impulse));
            ProblemContact { start: before.states[closed.at], is_kept: true, ..known }
        };
        refill(contacts, closed.iter().map(contact));
        let is_from_flight = matches!(from, Start::Flight);
        refill(slips, closed.iter().map(|c| if c.slides && is_from_flight { c.slip } else { Vec3::ZERO }));
        let mut problem = IslandProblem::new(of_problem, std::mem::take(contacts), length);
        (problem.slips, problem.watch) = (Slips::Besides(slips), now.watch);
        let settings = solver_settings(now, closed.len());
        now.world.response.end_velocities(&problem, &settings, method, answer);
        let IslandProblem { bodies: of_problem, contacts: used, .. } = problem;
        *contacts = used;
        *bodies = returned(of_problem);
    }

    /// Takes over the impulses that were found. Whether it is worth to ask again with them: they are far from
    /// those before, or something that was to slide does not.
    fn look_again(&mut self) -> bool {
        let VelocityStage { closed, answer, .. } = self;
        let mut again = false;
        for (closed, &impulse) in closed.iter_mut().zip(&answer.impulses) {
            let change = impulse.distance(closed.impulse);
            // By how much what it does in the middle of the way is other than was thought.
            let off = closed.bend.min(1.0) * change;
            again |= closed.lasts && off > tuning::FAR_OFF * impulse.length().max(closed.impulse.length());
            closed.impulse = impulse;
            closed.acted = if closed.lasts { closed.in_the_middle() } else { impulse };
            let velocity = |side: usize| {
                let Twist { linear, angular } = answer.velocities[closed.bodies[side]];
                linear + angular.cross(closed.arms[1][side])
            };
            if closed.slides && (velocity(1) - velocity(0)).dot(closed.slip) <= 0.0 {
                (closed.slides, closed.lasts, again) = (false, false, true);
            }
        }
        again
    }
}

/// A body at the end of a piece of a length, s, with the velocity that it would have if nothing had pushed
/// it.
fn body_at_end<'a>(
    now: &'a IslandNow<'_>,
    index: usize,
    (end, flight): (&BodyState, &BodyState),
    length: f64,
) -> ProblemBody<'a> {
    let plain = problem_body(now, index, flight, length);
    let (centre, rotation) = (end.centre, end.rotation);
    if index >= now.island.movable {
        return ProblemBody { centre, rotation, scripted_end: None, ..plain };
    }
    let of_body = &now.body(index).inertia;
    let mut free_velocity = flight.velocity;
    let inertia = of_body.in_world(rotation);
    if rotation != flight.rotation {
        let momentum = angular_momentum(of_body, flight.rotation, flight.velocity.angular);
        free_velocity.angular = inertia.inverse() * momentum;
    }
    let velocity = free_velocity;
    ProblemBody { centre, rotation, inertia: Some((of_body.mass, inertia)), velocity, free_velocity, ..plain }
}

/// Gives bodies what the impulses do in the middle of the way and do not do at its end.
fn put_in_the_middle(closed: &[Closed], bodies: &mut [ProblemBody<'_>]) {
    for closed in closed.iter().filter(|closed| closed.lasts) {
        let in_the_middle = closed.in_the_middle();
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            let body = &mut bodies[closed.bodies[side]];
            let Some((mass, inertia)) = body.inertia else { continue };
            let [from, to] = [closed.arms[0][side], closed.arms[1][side]];
            let angular = (0.5 * (from + to)).cross(in_the_middle) - to.cross(closed.impulse);
            body.free_velocity.linear += sign * (in_the_middle - closed.impulse) / mass;
            body.free_velocity.angular += sign * (inertia.inverse() * angular);
        }
    }
    bodies.iter_mut().filter(|b| b.inertia.is_some()).for_each(|b| b.velocity = b.free_velocity);
}

/// Where a piece gained energy without a reason, takes velocities nearer to those of a calmer motion, until
/// the excess, J, is gone. Both are such that nothing closes, and so is what is between them.
fn calm(now: &IslandNow<'_>, excess: f64, calmer: &[Twist], ends: &mut [BodyState]) {
    let between = |i: usize, end: Twist, share: f64| Twist {
        linear: calmer[i].linear + share * (end.linear - calmer[i].linear),
        angular: calmer[i].angular + share * (end.angular - calmer[i].angular),
    };
    // c + b x + a x² by the share x of the way from the calmer motion, by its values at 0, 1/2 and 1.
    let [none, half, all] =
        [0.0, 0.5, 1.0].map(|share| kinetic(now, ends, |i| between(i, ends[i].velocity, share)));
    if none >= all {
        return;
    }
    let a = 2.0 * (none + all) - 4.0 * half;
    let b = all - none - a;
    let c = none - (all - excess);
    let share = match c < 0.0 {
        true => -2.0 * c / (b + (b * b - 4.0 * a * c).max(0.0).sqrt()),
        false => 0.0,
    };
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
    for (i, end) in ends[..now.island.movable].iter_mut().enumerate() {
        end.velocity = between(i, end.velocity, share);
    }
}

/// The kinetic energy of bodies where a piece ends, at given velocities, J.
fn kinetic(now: &IslandNow<'_>, ends: &[BodyState], velocity: impl Fn(usize) -> Twist) -> f64 {
    let of_body = |i: usize| {
        let state = BodyState { velocity: velocity(i), ..ends[i] };
        Energy::of(now.body(i), &state, Vec3::ZERO).kinetic
    };
    (0..now.island.movable).map(of_body).sum()
}

/// Of a body of an island, 1/kg; 0 if contacts cannot move it.
fn inverse_mass(now: &IslandNow<'_>, body: usize) -> f64 {
    if body < now.island.movable { 1.0 / now.body(body).inertia.mass } else { 0.0 }
}

fn middle(state: &ContactState) -> Vec3 {
    state.points[0].midpoint(state.points[1])
}
