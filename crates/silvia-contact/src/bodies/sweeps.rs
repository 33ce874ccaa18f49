//! Sequential impulses: Gauss-Seidel sweeps over contacts, for answers that must be quick rather than exact.
//!
//! Each contact in turn is given the normal impulse that stops it, then the friction that its normal impulse
//! allows. A sweep costs a few hundred operations a contact; started from the impulses of the step before, a
//! few of them bring all but one in a hundred contacts to where they do not close by anything that matters.
//! Those few, where parts are wedged or piled up high, would take hundreds more: from then on only they are
//! looked at, and what they move.

use crate::cone::natural_map;
use crate::contact::{Contact, ContactFrame};
use crate::mass_matrix::MassMatrix;
use crate::node::{Node, Twist, work};
use crate::system::System;
use crate::tuning::sweeps as tuning;
use silvia_solid::{Mat3, Vec3};
use std::ops::Range;

/// What sweeps work with; to be used again, for the same group or another.
#[derive(Clone, Debug, Default)]
pub(super) struct Sweeps {
    swept: Vec<SweptContact>,
    /// What a unit impulse and a unit torque change of each body; last comes one for all that cannot be
    /// moved, which nothing changes.
    inverses: Vec<(f64, Mat3)>,
    /// Of bodies that springs hold, in place of these; empty if there are none.
    sprung: Vec<Option<MassMatrix>>,
    /// Of each body, the last one included.
    velocities: Vec<Twist>,
    /// How fast each contact may close, m/s.
    slack: Vec<f64>,
    /// Where the contacts of each body start in `contacts`.
    starts: Vec<u32>,
    contacts: Vec<u32>,
    /// Contacts whose turn it is, ascending.
    now: Vec<u32>,
    /// Bodies that these have moved.
    moved: Vec<u32>,
    is_moved: Vec<bool>,
}

/// A contact as sweeps see it: little memory, since they go through all of it again and again.
#[derive(Clone, Copy, Debug)]
struct SweptContact {
    bodies: [u32; 2],
    arms: [Vec3; 2],
    /// Normal and tangents.
    axes: [Vec3; 3],
    /// What does not change: the velocity of what cannot be moved, and what the gap adds.
    constant: [f64; 3],
    /// What a unit impulse changes of its own velocity, along the normal and across it; and the other way
    /// round.
    answers: [f64; 2],
    inverses: [f64; 2],
    friction: f64,
}

/// Those of plain bodies and those of bodies that springs hold, as in [`Sweeps`].
type Inverses<'a> = (&'a [(f64, Mat3)], &'a [Option<MassMatrix>]);

/// What is left after sweeps.
pub(super) struct SweepResult {
    /// No contact closes faster than it may.
    pub(super) is_stopped: bool,
    /// Relative to the scale.
    pub(super) residual: f64,
    /// Of how many sweeps it was the work.
    pub(super) sweeps: usize,
}

impl Sweeps {
    /// Takes some contacts of a system, with impulses, and the bodies that they can move, ascending. `slack`
    /// says how fast each may close, m/s.
    pub(super) fn begin(
        &mut self,
        system: &System,
        frames: &[ContactFrame],
        (contacts, r): (&[usize], &[[f64; 3]]),
        bodies: &[usize],
        slack: impl Fn(usize) -> f64,
    ) {
        let contact = |c: usize| SweptContact::new(system, &system.contacts[c], &frames[c], bodies);
        super::context::refill(&mut self.swept, contacts, contact);
        self.inverses.clear();
        let inverse = |&body: &usize| {
            let Node { inverse_mass, inverse_inertia, .. } = &system.nodes[body];
            (*inverse_mass, *inverse_inertia)
        };
        self.inverses.extend(bodies.iter().map(inverse));
        self.inverses.push((0.0, Mat3::ZERO));
        self.sprung.clear();
        if bodies.iter().any(|&body| system.nodes[body].inverse.is_some()) {
            self.sprung.extend(bodies.iter().map(|&body| system.nodes[body].inverse));
        }
        self.velocities.clear();
        self.velocities.extend(bodies.iter().map(|&body| system.nodes[body].free_velocity));
        self.velocities.push(Twist::default());
        self.slack.clear();
        self.slack.extend(contacts.iter().map(|&c| slack(c)));
        for (contact, r) in self.swept.iter().zip(r) {
            contact.push(*r, (&self.inverses, &self.sprung), &mut self.velocities);
        }
    }

    /// Changes the impulses that it began with until no contact closes faster than it may, for the work of
    /// `most` sweeps, or, if it `may_give_up`, until it is seen that more would be needed. Residuals are
    /// relative to `scale`, m/s.
    pub(super) fn until_stopped(
        &mut self,
        scale: f64,
        (most, may_give_up): (usize, bool),
        r: &mut [[f64; 3]],
    ) -> SweepResult {
        let count = self.swept.len();
        self.sweep(0..most.min(tuning::WHOLE_SWEEPS), r);
        let mut work = most.min(tuning::WHOLE_SWEEPS) * count;
        if self.is_reached(scale, r) {
            return self.result(scale, most.min(tuning::WHOLE_SWEEPS), r);
        }
        self.connect();
        let next = if may_give_up { 2 * work } else { usize::MAX };
        let mut course = Course { work, closing: self.closing(), next };
        while work < most * count {
            if work >= course.next && !course.leads_to_rest(work, self.closing(), most * count) {
                break;
            }
            self.begin_with_closing();
            if self.now.is_empty() {
                if self.is_reached(scale, r) {
                    break;
                }
                self.sweep(0..tuning::WHOLE_SWEEPS, r);
                work += tuning::WHOLE_SWEEPS * count;
            }
            while !self.now.is_empty() && work < (most * count).min(course.next) {
                work += self.now.len();
                self.relax_those(r);
            }
        }
        self.result(scale, work.div_ceil(count.max(1)), r)
    }

    fn result(&self, scale: f64, sweeps: usize, r: &[[f64; 3]]) -> SweepResult {
        SweepResult { is_stopped: self.is_stopped(), residual: self.residual(scale, r), sweeps }
    }

    /// How fast contacts close, at most, in multiples of how fast they may.
    fn closing(&self) -> f64 {
        let of_contact = |(contact, slack): (&SweptContact, &f64)| {
            let closing = -contact.opening(&self.velocities);
            if closing > 0.0 { closing / slack } else { 0.0 }
        };
        self.swept.iter().zip(&self.slack).map(of_contact).fold(0.0, f64::max)
    }

    /// Whether no contact closes faster than it may.
    fn is_stopped(&self) -> bool {
        self.swept.iter().zip(&self.slack).all(|(contact, slack)| contact.opening(&self.velocities) >= -slack)
    }

    /// The same, and friction is nearly right.
    fn is_reached(&self, scale: f64, r: &[[f64; 3]]) -> bool {
        let of_slack = tuning::RESTING * self.slack.iter().map(|s| s * s).sum::<f64>().sqrt() / scale;
        self.is_stopped() && self.residual(scale, r) <= tuning::ENOUGH.max(of_slack)
    }

    /// How far impulses and velocities are from the law, relative to a scale.
    pub(super) fn residual(&self, scale: f64, r: &[[f64; 3]]) -> f64 {
        let square = |(contact, r): (&SweptContact, &[f64; 3])| {
            let [n, t] = contact.answers;
            let u = contact.velocity(&self.velocities);
            let f = natural_map(r.map(|r| (n + 2.0 * t) / 3.0 * r), u, contact.friction);
            f[0] * f[0] + f[1] * f[1] + f[2] * f[2]
        };
        self.swept.iter().zip(r).map(square).sum::<f64>().sqrt() / scale
    }

    /// Stops all contacts, one after the other, as often as there are numbers.
    fn sweep(&mut self, numbers: Range<usize>, r: &mut [[f64; 3]]) {
        let Sweeps { swept, inverses, sprung, velocities, .. } = self;
        for number in numbers {
            let contacts = swept.iter().zip(r.iter_mut());
            let mut relax = |(contact, r): (&SweptContact, &mut [f64; 3])| {
                contact.relax(r, (inverses, sprung), velocities);
            };
            // To and fro: what is put on a stack is felt at its foot after one sweep in the one direction and
            // many in the other.
            if number % 2 == 0 { contacts.rev().for_each(&mut relax) } else { contacts.for_each(&mut relax) }
        }
    }

    /// Lists the contacts of each body.
    fn connect(&mut self) {
        let Sweeps { swept, inverses, starts, contacts, moved, is_moved, .. } = self;
        starts.clear();
        starts.resize(inverses.len() + 1, 0);
        swept.iter().flat_map(|contact| contact.bodies).for_each(|body| starts[body as usize] += 1);
        let mut sum = 0;
        for start in starts.iter_mut() {
            sum += *start;
            *start = sum;
        }
        contacts.clear();
        contacts.resize(sum as usize, 0);
        for (k, contact) in swept.iter().enumerate().rev() {
            for body in contact.bodies {
                starts[body as usize] -= 1;
                contacts[starts[body as usize] as usize] = k as u32;
            }
        }
        moved.clear();
        is_moved.clear();
        is_moved.resize(inverses.len(), false);
    }

    /// Starts with the contacts that close too fast.
    fn begin_with_closing(&mut self) {
        let Sweeps { swept, velocities, slack, now, .. } = self;
        now.clear();
        let closes = |&k: &usize| swept[k].opening(velocities) < -slack[k];
        now.extend((0..swept.len()).filter(closes).map(|k| k as u32));
    }

    /// Stops those contacts whose turn it is; next are those of the bodies that this moves.
    fn relax_those(&mut self, r: &mut [[f64; 3]]) {
        let Sweeps { swept, inverses, sprung, velocities, slack, starts, contacts, now, moved, is_moved } =
            self;
        let immovable = inverses.len() as u32 - 1;
        for k in now.iter().map(|&k| k as usize) {
            if swept[k].relax(&mut r[k], (inverses, sprung), velocities) <= tuning::MOVES * slack[k] {
                continue;
            }
            for body in swept[k].bodies {
                if body != immovable && !std::mem::replace(&mut is_moved[body as usize], true) {
                    moved.push(body);
                }
            }
        }
        now.clear();
        let of_body = |body: u32| starts[body as usize] as usize..starts[body as usize + 1] as usize;
        let most: usize = moved.iter().map(|&body| of_body(body).len()).sum();
        // Where that lists more than there are, it is quicker to look through all than to put them in order.
        if most > swept.len() {
            let is_next = |&k: &u32| swept[k as usize].bodies.iter().any(|&body| is_moved[body as usize]);
            now.extend((0..swept.len() as u32).filter(is_next));
        } else {
            now.extend(moved.iter().flat_map(|&body| &contacts[of_body(body)]));
            now.sort_unstable();
            now.dedup();
        }
        moved.drain(..).for_each(|body| is_moved[body as usize] = false);
    }
}

/// How sweeps get on: where they were looked at last, and when they are looked at next. Work is counted in
/// contacts.
struct Course {
    work: usize,
    /// How fast contacts close, at most, in multiples of how fast they may.
    closing: f64,
    next: usize,
}

impl Course {
    /// Whether sweeps that get on as since the last look come to rest within `most` work; looks again after
    /// twice the work.
    fn leads_to_rest(&mut self, work: usize, closing: f64, most: usize) -> bool {
        let last = std::mem::replace(self, Course { work, closing, next: 2 * work });
        let fallen = (last.closing / closing).ln();
        let left = closing.ln() * (work - last.work) as f64;
        let is_stopped = last.closing <= 1.0 || closing <= 1.0;
        is_stopped || (fallen > 0.0 && left <= fallen * most.saturating_sub(work) as f64)
    }
}

impl SweptContact {
    fn new(system: &System, contact: &Contact, frame: &ContactFrame, bodies: &[usize]) -> SweptContact {
        // Groups are plain: each side has one node.
        let pair = contact.pair().unwrap_or_default();
        let mut constant = system.bias(contact, frame);
        let mut answers = [0.0; 3];
        let pushes = frame.impulses_on_pair(pair.map(|(_, arm)| arm));
        let numbers = [0, 1].map(|side| {
            let (body, pushes) = (pair[side].0, pushes[side]);
            if let Ok(number) = bodies.binary_search(&body) {
                for (answer, push) in answers.iter_mut().zip(pushes) {
                    *answer += work(push, system.nodes[body].response(push));
                }
                return number as u32;
            }
            let velocity = system.nodes[body].free_velocity;
            for (sum, push) in constant.iter_mut().zip(pushes) {
                *sum += work(push, velocity);
            }
            bodies.len() as u32
        });
        let answers = [answers[0], 0.5 * (answers[1] + answers[2])];
        SweptContact {
            bodies: numbers,
            arms: pair.map(|(_, arm)| arm),
            axes: frame.0,
            constant,
            answers,
            inverses: answers.map(|w| if w > 0.0 { 1.0 / w } else { 0.0 }),
            friction: contact.friction,
        }
    }

    /// Of the second body as the first sees it.
    #[inline]
    fn relative(&self, velocities: &[Twist]) -> Vec3 {
        let [a, b] = self.bodies.map(|body| &velocities[body as usize]);
        b.linear - a.linear + b.angular.cross(self.arms[1]) - a.angular.cross(self.arms[0])
    }

    /// The velocity at the contact.
    #[inline]
    fn velocity(&self, velocities: &[Twist]) -> [f64; 3] {
        let relative = self.relative(velocities);
        std::array::from_fn(|i| self.constant[i] + self.axes[i].dot(relative))
    }

    /// How fast it opens.
    #[inline]
    fn opening(&self, velocities: &[Twist]) -> f64 {
        self.constant[0] + self.axes[0].dot(self.relative(velocities))
    }

    /// Adds what an impulse changes of the bodies' velocities.
    #[inline]
    fn push(&self, by: [f64; 3], (inverses, sprung): Inverses<'_>, velocities: &mut [Twist]) {
        let impulse = by[0] * self.axes[0] + by[1] * self.axes[1] + by[2] * self.axes[2];
        let [a, b] = self.bodies.map(|body| body as usize);
        if !sprung.is_empty() && self.push_sprung(impulse, (inverses, sprung), velocities) {
            return;
        }
        let (mass, inertia) = &inverses[b];
        velocities[b].linear += *mass * impulse;
        velocities[b].angular += *inertia * self.arms[1].cross(impulse);
        let (mass, inertia) = &inverses[a];
        velocities[a].linear -= *mass * impulse;
        velocities[a].angular -= *inertia * self.arms[0].cross(impulse);
    }

    /// The same if springs hold one of the bodies; whether they do.
    #[cold]
    fn push_sprung(&self, impulse: Vec3, (inverses, sprung): Inverses<'_>, velocities: &mut [Twist]) -> bool {
        let bodies = self.bodies.map(|body| body as usize);
        if bodies.iter().all(|&body| sprung.get(body).is_none_or(Option::is_none)) {
            return false;
        }
        for ((body, arm), impulse) in bodies.into_iter().zip(self.arms).zip([-impulse, impulse]) {
            let push = Twist { linear: impulse, angular: arm.cross(impulse) };
            let change = match sprung.get(body).copied().flatten() {
                Some(inverse) => inverse.times(push),
                None => {
                    let (mass, inertia) = inverses[body];
                    Twist { linear: mass * push.linear, angular: inertia * push.angular }
                }
            };
            velocities[body].linear += change.linear;
            velocities[body].angular += change.angular;
        }
        true
    }

    /// Stops the contact, with the others held; by how much its velocity changes, m/s.
    #[inline]
    fn relax(&self, r: &mut [f64; 3], inverses: Inverses<'_>, velocities: &mut [Twist]) -> f64 {
        let [of_n, of_t] = self.inverses;
        if self.friction == 0.0 {
            let normal = (r[0] - of_n * self.opening(velocities)).max(0.0);
            let change = [normal - r[0], -r[1], -r[2]];
            if change == [0.0; 3] {
                return 0.0;
            }
            self.push(change, inverses, velocities);
            *r = [normal, 0.0, 0.0];
            return self.answers[0] * change[0].abs();
        }
        let u = self.velocity(velocities);
        let normal = (r[0] - of_n * u[0]).max(0.0);
        let (s, t) = (r[1] - of_t * u[1], r[2] - of_t * u[2]);
        let (most, square) = (self.friction * normal, s * s + t * t);
        let factor = if square > most * most { most / square.sqrt() } else { 1.0 };
        let new = [normal, factor * s, factor * t];
        let change = [new[0] - r[0], new[1] - r[1], new[2] - r[2]];
        if change == [0.0; 3] {
            return 0.0;
        }
        self.push(change, inverses, velocities);
        *r = new;
        let ([w_n, w_t], [n, s, t]) = (self.answers, change.map(f64::abs));
        w_n * n + w_t * (s + t)
    }
}
