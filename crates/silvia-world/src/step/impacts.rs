//! Impacts: bodies that touch and approach faster than a named speed rebound, before any forces (paper 4 §3).

use crate::body::BodyState;
use crate::flight::drift;
use crate::kinematics::between;
use crate::report::ImpactRecord;
use crate::response::{IslandProblem, ProblemContact};
use crate::step::find::Candidate;
use crate::step::island::{IslandNow, IslandRun};
use crate::step::pair::Pair;
use crate::step::request::{Effort, can_be_tried, impact_settings};
use crate::step::respond::{Attempt, problem_body, problem_contact};
use crate::step::tuning;
use silvia_contact::{GapRow, Keep, Twist, reduce};
use silvia_proximity::{ContactState, shape_contact_at};
use silvia_solid::{Pose, Vec3};

impl IslandRun<'_> {
    /// Applies the impact law to all contacts that touch, if one of them approaches fast enough; whether it
    /// did.
    pub(super) fn rebound(&mut self) -> bool {
        let IslandRun { now, candidates, outcome, .. } = self;
        let is_any_fast = candidates.iter().any(|candidate| is_fast(now, candidate));
        if !is_any_fast || !now.may_collide() {
            return false;
        }
        let touching: Vec<Candidate> = candidates.iter().copied().filter(|c| touches(now, c)).collect();
        if !touching.iter().any(|candidate| is_fast(now, candidate) && goes_in(now, candidate)) {
            return false;
        }
        let touching = without_implied(now, touching);
        let length = now.step - now.done;
        // Nothing moves while an impact lasts.
        let bodies = (0..now.states.len()).map(|index| {
            let mut body = problem_body(now, index, &now.states[index], 1.0);
            (body.velocity, body.free_velocity) = (now.states[index].velocity, now.states[index].velocity);
            body.scripted_end = None;
            body
        });
        let rebounds = now.rebounds();
        let contact = |candidate| match (problem_contact(now, candidate, length, None), rebounds) {
            (contact, true) => contact,
            (contact, false) => ProblemContact { restitution: 0.0, ..contact },
        };
        let contacts = touching.iter().map(contact).collect();
        let mut problem = IslandProblem::new(bodies.collect(), contacts, length);
        problem.watch = now.watch;
        let answer = now.world.response.collide(&problem, &impact_settings(now, touching.len()));
        if !can_be_tried(&answer, Effort::Exact, now.states.len(), touching.len()) {
            // Without rebound they go on as contacts, whose forces can be found over a shorter piece.
            now.impacts = now.most_impacts();
            let how = answer.outcome.as_str();
            outcome.note(&format!("no rebound: the law of impact was not solved ({how})"));
            return false;
        }
        now.impacts += 1;
        outcome.iterations += answer.iterations;
        now.spent.add(answer.work);
        for (candidate, &impulse) in touching.iter().zip(&answer.impulses) {
            if impulse.length_squared() > 0.0 {
                let ContactState { points, normal, .. } = candidate.state;
                outcome.impacts.push(ImpactRecord {
                    time: now.time(),
                    bodies: now.numbers(&now.pairs[candidate.pair]).map(|number| now.world.id(number)),
                    name: candidate.name,
                    point: 0.5 * (points[0] + points[1]),
                    normal,
                    speed: (-candidate.rate).max(0.0),
                    impulse,
                });
            }
        }
        let mut driven = 0.0;
        for (candidate, impulse) in touching.iter().zip(&answer.impulses) {
            let point = candidate.state.points[0].midpoint(candidate.state.points[1]);
            for (&body, sign) in now.pairs[candidate.pair].bodies.iter().zip([-1.0, 1.0]) {
                if body >= now.island.movable {
                    let BodyState { centre, velocity, .. } = now.states[body];
                    let of_point = velocity.linear + velocity.angular.cross(point - centre);
                    driven -= sign * impulse.dot(of_point);
                }
            }
        }
        let before: Vec<Twist> = now.states.iter().map(|state| state.velocity).collect();
        for index in 0..now.island.movable {
            now.states[index].velocity = answer.velocities[index];
        }
        outcome.energy.put_impact(now, &before, driven);
        true
    }
}

/// Whether a candidate approaches as fast as an impact.
fn is_fast(now: &IslandNow<'_>, candidate: &Candidate) -> bool {
    -candidate.rate > now.pairs[candidate.pair].impact_speed
}

/// Whether a candidate takes part in an impact.
fn touches(now: &IslandNow<'_>, candidate: &Candidate) -> bool {
    let is_fast = is_fast(now, candidate);
    let shell = now.pairs[candidate.pair].shell;
    let soon = if is_fast { shell - candidate.rate * at_once(now) } else { 0.0 };
    candidate.state.gap <= soon.max(tuning::TOUCH * shell)
        && (candidate.state.holds || is_fast && is_about_to_hold(now, candidate))
}

/// What collides within this time collides at once, s: the longer, the more attempts failed in the step.
/// Where rebounds go to and fro between many bodies, they would never come to an end.
fn at_once(now: &IslandNow<'_>) -> f64 {
    let doublings = now.spent.failed_in_all() as f64 / tuning::AT_ONCE_DOUBLES;
    now.step * (tuning::AT_ONCE * doublings.exp2()).min(tuning::AT_ONCE_MOST)
}

/// Whether a contact that touches and closes would be crossed at once. A point of a rim that rolls comes down
/// fast, and slows down to nothing where it touches. To first order nothing rolls so smoothly.
fn goes_in(now: &IslandNow<'_>, candidate: &Candidate) -> bool {
    if !now.has_second_order() {
        return true;
    }
    let ahead = 2.0 * candidate.state.gap / -candidate.rate;
    let shell = now.pairs[candidate.pair].shell;
    ahead <= 0.0 || state_in(now, candidate, |index| drift(&now.states[index], ahead)).gap < 0.5 * shell
}

/// Whether a contact that closes holds once it has: a corner onto which a body rolls over is not the lowest
/// before. What is behind its features does not close: it passed beside them, and held before that.
fn is_about_to_hold(now: &IslandNow<'_>, candidate: &Candidate) -> bool {
    let ahead = 2.0 * candidate.state.gap / -candidate.rate;
    ahead >= 0.0 && holds_in(now, candidate, |index| drift(&now.states[index], ahead))
}

/// Whether a candidate holds when its bodies are in given states.
fn holds_in(now: &IslandNow<'_>, candidate: &Candidate, state: impl Fn(usize) -> BodyState) -> bool {
    state_in(now, candidate, state).holds
}

/// How a candidate lies when its bodies are in given states.
fn state_in(now: &IslandNow<'_>, candidate: &Candidate, state: impl Fn(usize) -> BodyState) -> ContactState {
    let [a, b] = now.pairs[candidate.pair].bodies;
    let [of_a, of_b] = [a, b].map(|i| &now.body(i).contact_body);
    let poses = [a, b].map(|i| now.pose(i, &state(i)));
    shape_contact_at(of_a, &poses[0], of_b, &poses[1], &candidate.name)
}

/// The contacts without those that others of the same pair imply.
fn without_implied(now: &IslandNow<'_>, touching: Vec<Candidate>) -> Vec<Candidate> {
    let mut left = Vec::with_capacity(touching.len());
    // Candidates come pair by pair.
    for of_pair in touching.chunk_by(|x, y| x.pair == y.pair) {
        let pair = &now.pairs[of_pair[0].pair];
        let centres = pair.bodies.map(|i| now.states[i].centre);
        let row = |candidate: &Candidate| GapRow {
            gap: pair.restitution * candidate.rate,
            ..GapRow::new(&candidate.state, centres)
        };
        let rows: Vec<GapRow> = of_pair.iter().map(row).collect();
        left.extend(reduce(&rows, Keep::Extent).into_iter().map(|at| of_pair[at]));
    }
    left
}

/// Whether a candidate closes within a piece of a length, s, and faster than the speed of an impact when it
/// does. Its gap is taken to change at a constant acceleration.
pub(super) fn closes_fast(
    pair: &Pair,
    candidate: &Candidate,
    end_gap: f64,
    end_rate: f64,
    length: f64,
) -> bool {
    if candidate.state.gap <= tuning::TOUCH * pair.shell || end_gap >= pair.shell {
        return false;
    }
    let acceleration = (end_rate - candidate.rate) / length;
    let closing = closing_time(candidate.state.gap - pair.shell, candidate.rate, acceleration).min(length);
    -(candidate.rate + acceleration * closing) > pair.impact_speed
}

/// When the first of the candidates that collide closes, if one does within the piece, s.
pub(super) fn first_impact(
    now: &IslandNow<'_>,
    attempt: &Attempt<'_>,
    end_poses: &[Pose],
    length: f64,
    candidates: &[Candidate],
) -> Option<f64> {
    let impulse = |index: usize| {
        let pushed = attempt.pushed?;
        let at = pushed.participants.binary_search(&index).ok()?;
        Some(pushed.impulses[at])
    };
    let may_land = now.has_second_order() && now.may_collide();
    let mut soonest: Option<f64> = None;
    for (index, candidate) in candidates.iter().enumerate() {
        let pair = &now.pairs[candidate.pair];
        let impulse = impulse(index);
        let is_pushed = impulse.is_some();
        let is_left_alone = is_pushed && (!may_land || impulse == Some(Vec3::ZERO));
        if candidate.state.gap <= tuning::TOUCH * pair.shell || is_left_alone {
            continue;
        }
        let end = now.state_at(candidate, end_poses);
        let room = candidate.state.gap - tuning::IMPACT_AIM * pair.shell;
        // A parabola through the gap at both ends with the rate at the start.
        let acceleration =
            2.0 * (end.gap - candidate.state.gap - candidate.rate * length) / (length * length);
        let closing = if is_pushed {
            landing_time(pair, candidate.rate, candidate.rate + acceleration * length, room)
        } else {
            let closing = closing_time(room, candidate.rate, acceleration);
            (end.gap < pair.shell && closing > 0.0).then_some(closing)
        };
        // A vertex onto which a body rolls over holds once it touches, and not before. If nothing is to touch
        // after all, the piece is shorter than it need be, and no more.
        let on_the_way =
            |closing: f64| move |i: usize| between(&now.states[i], &attempt.ends[i], closing / length);
        let holds = |closing: f64| {
            candidate.state.holds || end.holds || holds_in(now, candidate, on_the_way(closing))
        };
        if let Some(closing) = closing.filter(|&closing| closing < length && (is_pushed || holds(closing))) {
            soonest = Some(soonest.map_or(closing, |s| s.min(closing)));
        }
    }
    soonest
}

/// When something that forces kept from crossing landed, if it did so fast, s: it had so much room, m, and
/// the rates at both ends are those of a way without a jolt, m/s. What comes down fast and is slow where it
/// touches rolls.
fn landing_time(pair: &Pair, start: f64, end: f64, room: f64) -> Option<f64> {
    (start < 0.0 && -end > pair.impact_speed).then(|| room / -start.min(end))
}

/// When a gap that is `gap` from closing, opens at a rate and is accelerated is first closed, s; infinite if
/// never.
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
