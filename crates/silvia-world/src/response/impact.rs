//! Impacts: Newton's law for all touching contacts at once, in Moreau's form.
//!
//! `u-` and `u+` are the velocities at the contacts just before and just after, `p` the impulses. The law:
//! `u+_N + e u-_N >= 0` complementary to `p_N >= 0`, with Coulomb's law between `u+_T` and `p`. Positions do
//! not change. The contacts do the work `p . (u+ + u-) / 2`. Without friction and with one `e` for all
//! contacts that is `(1 - e) / 2 p . u- <= 0`: never a gain. With friction, or where coefficients differ,
//! Newton's law can create energy (Kane's puzzle). Then the rebound is cut back: of the answers between this
//! one and that with `e = 0`, which always loses energy, we take the liveliest that gains none.

use super::fixpoint::are_in_range;
use super::fixpoint::iterate::Iterate;
use super::problem::{Answer, IslandProblem, ProblemBody};
use super::{is_usable, tuning};
use crate::profile::{Stage, timed};
use silvia_contact::{ContactProblem, Outcome, Report, Settings, System, SystemError, SystemReport, Twist};
use silvia_solid::Vec3;

/// The law needs velocities only: gaps are velocities times this, s.
const UNIT_TIME: f64 = 1.0;

/// Velocities just after the impacts of a problem, by a way to solve systems from impulses.
pub(super) fn collide(
    problem: &IslandProblem<'_>,
    settings: &Settings,
    solve: impl Fn(&System, &[Vec3], &Settings) -> Result<SystemReport, SystemError>,
) -> Answer {
    let at = Iterate::at_start(problem);
    let approach: Vec<f64> = (0..problem.contacts.len()).map(|k| normal_velocity(problem, &at, k)).collect();
    let with = |share: f64| impulses_with(problem, &at, &approach, share, settings, &solve);
    let before: Vec<Twist> = problem.bodies.iter().map(|b| b.velocity).collect();
    let mut found = match with(1.0) {
        Ok(found) => found,
        Err(note) => return Answer::unsolved(problem, vec![note]),
    };
    let mut notes = std::mem::take(&mut found.notes);
    let work = Work::new(problem, &at, &before, &found);
    let rebounds = problem.contacts.iter().any(|c| c.restitution > 0.0);
    // Whether it is solved to the last digit or not: what is nearly solved may be taken as well.
    if rebounds && work.is_gain() {
        match with(0.0) {
            Ok(dead) if !Work::new(problem, &at, &before, &dead).is_gain() => {
                let share = share_without_gain(problem, &at, &before, &dead, &found);
                found = Found::between(dead, found, share);
                notes.push(format!(
                    "rebound cut back to {share:.3} of Newton's, which would have created energy"
                ));
            }
            _ => {
                notes.push("the law of impact would have created energy".to_owned());
                return Answer::unsolved(problem, notes);
            }
        }
    }
    if !are_in_range(problem, &found.velocities) {
        return Answer::unsolved(problem, notes);
    }
    let outcome = if found.is_usable() { Outcome::Solved } else { found.outcome };
    let Found { velocities, impulses, residual, iterations, .. } = found;
    let work = iterations * problem.contacts.len();
    Answer { velocities, impulses, states: at.states, outcome, residual, iterations, work, notes }
}

/// What a solver found for one law of impact.
struct Found {
    velocities: Vec<Twist>,
    impulses: Vec<Vec3>,
    outcome: Outcome,
    residual: f64,
    iterations: usize,
    notes: Vec<String>,
}

impl Found {
    fn is_usable(&self) -> bool {
        is_usable(self.outcome, self.residual)
    }

    /// `share` of the way from one to the other. Coulomb's cones are convex, so impulses stay in them.
    fn between(from: Found, mut to: Found, share: f64) -> Found {
        let mix = |a: Vec3, b: Vec3| a + share * (b - a);
        for (to, from) in to.impulses.iter_mut().zip(from.impulses) {
            *to = mix(from, *to);
        }
        for (to, from) in to.velocities.iter_mut().zip(from.velocities) {
            *to = Twist { linear: mix(from.linear, to.linear), angular: mix(from.angular, to.angular) };
        }
        if !is_usable(from.outcome, from.residual) {
            to.outcome = from.outcome;
        }
        to.residual = to.residual.max(from.residual);
        to.iterations += from.iterations;
        to
    }
}

/// The answer where restitutions are multiplied by `share`.
fn impulses_with(
    problem: &IslandProblem<'_>,
    at: &Iterate,
    approach: &[f64],
    share: f64,
    settings: &Settings,
    solve: impl Fn(&System, &[Vec3], &Settings) -> Result<SystemReport, SystemError>,
) -> Result<Found, String> {
    let contact = |(k, &approach): (usize, &f64)| {
        let c = &problem.contacts[k];
        let mut row = at.row(problem, k);
        row.gap = share * c.restitution * approach * UNIT_TIME;
        row.contact(c.bodies, c.friction, 0.0)
    };
    let system = System {
        nodes: problem.bodies.iter().map(ProblemBody::at_once).collect(),
        contacts: approach.iter().enumerate().map(contact).collect(),
        rows: Vec::new(),
        time_step: UNIT_TIME,
    };
    let start = vec![Vec3::ZERO; problem.contacts.len()];
    let iterations = |solved: &Result<SystemReport, _>| solved.as_ref().map_or(0, |s| s.iterations);
    let solved = timed(problem.watch, Stage::Solve, iterations, || solve(&system, &start, settings));
    let SystemReport { velocities, impulses, outcome, residual, iterations, .. } =
        solved.map_err(|error| format!("no contact problem can be made of it: {error}"))?;
    Ok(Found { velocities, impulses, outcome, residual, iterations, notes: Vec::new() })
}

/// A way to solve systems by one to solve contact problems.
pub(super) fn by_problem(
    solve: impl Fn(&ContactProblem, &[f64], &Settings) -> Report,
) -> impl Fn(&System, &[Vec3], &Settings) -> Result<SystemReport, SystemError> {
    move |system, start, settings| {
        let assembled = system.assemble()?.measured_in_velocities();
        let start = assembled.local_impulses(start);
        let report = solve(assembled.problem(), &start, settings);
        let (velocities, _) = assembled.response(&report.r);
        Ok(SystemReport {
            velocities,
            impulses: assembled.world_impulses(&report.r),
            outcome: report.outcome,
            residual: report.residual,
            iterations: report.iterations,
            notes: report.notes,
            ..SystemReport::default()
        })
    }
}

/// How fast the gap of a contact opens before the impact, m/s.
fn normal_velocity(problem: &IslandProblem<'_>, at: &Iterate, contact: usize) -> f64 {
    let [a, b] = problem.contacts[contact].bodies;
    at.row(problem, contact).rate([problem.bodies[a].velocity, problem.bodies[b].velocity])
}

/// What the contacts do to the energy, J.
struct Work {
    done: f64,
    turned_over: f64,
}

impl Work {
    fn new(problem: &IslandProblem<'_>, at: &Iterate, before: &[Twist], found: &Found) -> Work {
        let mut work = Work { done: 0.0, turned_over: 0.0 };
        for (k, &impulse) in found.impulses.iter().enumerate() {
            let [u, v] = [before, &found.velocities].map(|velocities| slip(problem, at, k, velocities));
            work.done += 0.5 * impulse.dot(u + v);
            work.turned_over += 0.5 * impulse.length() * (u.length() + v.length());
        }
        work
    }

    fn is_gain(&self) -> bool {
        self.done > tuning::NO_WORK * self.turned_over
    }
}

/// The velocity of the second body's point of a contact seen from the first's, m/s.
pub(super) fn slip(problem: &IslandProblem<'_>, at: &Iterate, contact: usize, velocities: &[Twist]) -> Vec3 {
    let [a, b] = problem.contacts[contact].bodies;
    let arms = at.row(problem, contact).arms;
    let of = |body: usize, arm: Vec3| velocities[body].linear + velocities[body].angular.cross(arm);
    of(b, arms[1]) - of(a, arms[0])
}

/// The largest share of the way from `dead` to `lively` whose work is no gain. The work is a quadratic of the
/// share, negative at 0 and positive at 1.
fn share_without_gain(
    problem: &IslandProblem<'_>,
    at: &Iterate,
    before: &[Twist],
    dead: &Found,
    lively: &Found,
) -> f64 {
    // work(x) = c + b x + a x²
    let (mut a, mut b, mut c) = (0.0, 0.0, 0.0);
    for (k, (&p, &to)) in dead.impulses.iter().zip(&lively.impulses).enumerate() {
        let more = to - p;
        let sum = slip(problem, at, k, before) + slip(problem, at, k, &dead.velocities);
        let change = slip(problem, at, k, &lively.velocities) - slip(problem, at, k, &dead.velocities);
        c += 0.5 * p.dot(sum);
        b += 0.5 * (more.dot(sum) + p.dot(change));
        a += 0.5 * more.dot(change);
    }
    let c = c.min(0.0);
    // The root between 0 and 1, in the form that loses no digits.
    let root = (b * b - 4.0 * a * c).max(0.0).sqrt();
    let share = if b >= 0.0 { -2.0 * c / (b + root) } else { (root - b) / (2.0 * a) };
    if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }
}
