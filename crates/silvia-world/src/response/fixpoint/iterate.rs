//! An island linearised where an iterate of the fixpoint is: the gaps of the contacts that take part, and
//! their derivatives.

use super::Demands;
use crate::buffers::refill;
use crate::response::problem::{Answer, IslandProblem, Mobility, Slips};
use crate::response::tuning;
use silvia_contact::{Contact, GapRow, Keep, Reducer, System, Twist};
use silvia_proximity::ContactState;
use silvia_solid::{Pose, Vec3};

/// The contacts that take part in a round.
#[derive(Clone, Debug, Default)]
pub(in crate::response) struct Selection {
    /// All that do, pair by pair.
    pub(super) by_bodies: Vec<usize>,
    /// Those without the ones that others imply, ascending.
    pub(in crate::response) left: Vec<usize>,
    /// The rows of one pair of bodies.
    rows: Vec<GapRow>,
    reducer: Reducer,
}

/// Where an iterate is, and how all contacts lie there.
#[derive(Clone, Debug, Default)]
pub(in crate::response) struct Iterate {
    /// `u'`, of all bodies; zero where the iterate is the start.
    pub(super) velocities: Vec<Twist>,
    /// `s'`, of all bodies.
    pub(super) poses: Vec<Pose>,
    /// Of all contacts, there.
    pub(in crate::response) states: Vec<ContactState>,
    /// The centres of mass, there, m.
    centres: Vec<Vec3>,
}

impl Iterate {
    /// The start of the step: as if nothing moved.
    pub(in crate::response) fn at_start(problem: &IslandProblem<'_>) -> Iterate {
        let mut start = Iterate::default();
        start.put_at_start(problem);
        start
    }

    /// The end of the step that velocities lead to.
    pub(super) fn after(problem: &IslandProblem<'_>, velocities: &[Twist]) -> Iterate {
        let mut end = Iterate::default();
        end.put_after(problem, velocities);
        end
    }

    /// Moves it to the start of the step.
    pub(super) fn put_at_start(&mut self, problem: &IslandProblem<'_>) {
        refill(&mut self.velocities, problem.bodies.iter().map(|_| Twist::default()));
        refill(&mut self.poses, problem.bodies.iter().map(|b| b.pose()));
        refill(&mut self.states, problem.contacts.iter().map(|c| c.start));
        refill(&mut self.centres, problem.bodies.iter().map(|b| b.centre));
    }

    /// Moves it to the end of the step that velocities lead to.
    pub(super) fn put_after(&mut self, problem: &IslandProblem<'_>, velocities: &[Twist]) {
        refill(&mut self.velocities, velocities.iter().copied());
        refill(&mut self.poses, velocities.iter().enumerate().map(|(body, &v)| problem.pose_after(body, v)));
        problem.put_states_at(&self.poses, &mut self.states);
        let placed = self.poses.iter().zip(&problem.bodies);
        refill(&mut self.centres, placed.map(|(p, b)| p.transform_point(b.centre_in_body)));
    }

    /// Hands velocities and contact states over to an answer, in exchange for its memory.
    pub(super) fn give(&mut self, answer: &mut Answer) {
        std::mem::swap(&mut answer.velocities, &mut self.velocities);
        std::mem::swap(&mut answer.states, &mut self.states);
    }

    /// The gap of a contact with its derivatives. Both arms go to the middle between its points, so that
    /// contact forces leave the angular momentum as it is; along the normal that changes nothing.
    pub(in crate::response) fn row(&self, problem: &IslandProblem<'_>, contact: usize) -> GapRow {
        let [a, b] = problem.contacts[contact].bodies;
        let mut state = self.states[contact];
        let middle = state.points[0].midpoint(state.points[1]);
        state.points = [middle; 2];
        GapRow::new(&state, [self.centres[a], self.centres[b]])
    }

    /// The gap that velocities lead to, were it linear from here: `delta(s') + dt N'J' (u - u')`, m.
    pub(super) fn predicted_gap(
        &self,
        problem: &IslandProblem<'_>,
        contact: usize,
        velocities: &[Twist],
    ) -> f64 {
        let [a, b] = problem.contacts[contact].bodies;
        let row = self.row(problem, contact);
        let change = [a, b].map(|body| difference(velocities[body], self.velocities[body]));
        row.gap + problem.time_step * row.rate(change)
    }

    /// How far an impulse at a contact alone opens its gap over the step, m.
    pub(super) fn lift(
        &self,
        problem: &IslandProblem<'_>,
        mobilities: &[Mobility],
        contact: usize,
        impulse: Vec3,
    ) -> f64 {
        let pushes = self.row(problem, contact).derivatives();
        let of_body = |(body, push): (usize, Twist)| {
            let change = mobilities[body].change(push);
            push.linear.dot(change.linear) + push.angular.dot(change.angular)
        };
        let rate: f64 = problem.contacts[contact].bodies.into_iter().zip(pushes).map(of_body).sum();
        problem.time_step * impulse.length() * rate
    }

    /// Puts the contact problem of the contacts `taken`, linearised here, in place of another (paper 2 §2.2
    /// as made plain): `N'J'u >= nu` with `nu = -(delta(s') - target) / dt + N'J'u'`.
    pub(super) fn put_into(&self, system: &mut System, demands: Demands<'_>, taken: &[usize]) {
        let problem = demands.problem;
        refill(&mut system.contacts, taken.iter().map(|&k| self.contact(demands, k)));
        refill(&mut system.nodes, problem.bodies.iter().map(|b| b.over_step()));
        system.rows.clear();
        system.time_step = problem.time_step;
    }

    /// Of the contacts that take part, leaves out those that others between the same bodies imply: solids
    /// that lie on each other have many.
    pub(super) fn leave_out_implied(
        &self,
        demands: Demands<'_>,
        impulses: &[Vec3],
        selection: &mut Selection,
    ) {
        let Selection { by_bodies, rows, reducer, left } = selection;
        let problem = demands.problem;
        left.clear();
        // Of contacts that imply each other those stay that bore the load before: so there is something to
        // start from.
        let is_unloaded = |k: usize| impulses[k] == Vec3::ZERO;
        by_bodies.sort_unstable_by_key(|&k| (problem.contacts[k].bodies, is_unloaded(k), k));
        for contacts in by_bodies.chunk_by(|&k, &l| problem.contacts[k].bodies == problem.contacts[l].bodies)
        {
            if contacts.len() <= tuning::FEW_OF_A_PAIR {
                left.extend(contacts);
                continue;
            }
            refill(rows, contacts.iter().map(|&k| self.demand(demands, k)));
            let has_friction = contacts.iter().any(|&k| problem.contacts[k].friction > 0.0);
            let keep = if has_friction { Keep::Extent } else { Keep::Velocities };
            left.extend(reducer.reduce(rows, keep).iter().map(|&at| contacts[at]));
        }
        left.sort_unstable();
    }

    /// Puts the impulses to start from in place of others: those of the contacts that are left, and what
    /// others between the same bodies bore, each by the nearest of those left that pushes the same way.
    pub(super) fn put_start(
        &self,
        problem: &IslandProblem<'_>,
        impulses: &[Vec3],
        Selection { by_bodies, left, .. }: &Selection,
        start: &mut Vec<Vec3>,
    ) {
        refill(start, left.iter().map(|&k| impulses[k]));
        let bodies = |k: usize| problem.contacts[k].bodies;
        let middle = |k: usize| self.states[k].points[0].midpoint(self.states[k].points[1]);
        let lost = |&k: &usize| impulses[k] != Vec3::ZERO && left.binary_search(&k).is_err();
        for k in (0..impulses.len()).filter(lost) {
            let normal = self.states[k].normal;
            let first = by_bodies.partition_point(|&l| bodies(l) < bodies(k));
            let alike = by_bodies[first..]
                .iter()
                .take_while(|&&l| bodies(l) == bodies(k))
                .filter(|&&l| normal.dot(self.states[l].normal) > tuning::SAME_DIRECTION)
                .filter_map(|&l| Some((left.binary_search(&l).ok()?, middle(l).distance_squared(middle(k)))));
            // Of two as near the first.
            if let Some((at, _)) = alike.min_by(|(a, near), (b, far)| near.total_cmp(far).then(a.cmp(b))) {
                start[at] += impulses[k];
            }
        }
    }

    /// What a contact asks of the velocities `u` at the end: `gap + dt rate(u) >= 0`.
    fn demand(&self, Demands { problem, targets }: Demands<'_>, k: usize) -> GapRow {
        let mut row = self.row(problem, k);
        let [a, b] = problem.contacts[k].bodies;
        let rate = row.rate([self.velocities[a], self.velocities[b]]);
        row.gap -= targets[k] + problem.time_step * rate;
        row
    }

    fn contact(&self, demands: Demands<'_>, k: usize) -> Contact {
        let contact = &demands.problem.contacts[k];
        let slip = match demands.problem.slips {
            Slips::AtEnd => Vec3::ZERO,
            Slips::Mean => self.slip_before(demands.problem, k),
            Slips::Besides(slips) => slips[k],
        };
        Contact { slip, ..self.demand(demands, k).contact(contact.bodies, contact.friction, 0.0) }
    }

    /// By how much the mean slip over the step differs from what the velocities here make of the arms here,
    /// m/s: arms turn and move on their way. Zero where its features did not hold at the start. Whether they
    /// do here is not asked: that may change from round to round, and the fixpoint would not settle.
    fn slip_before(&self, problem: &IslandProblem<'_>, k: usize) -> Vec3 {
        let contact = &problem.contacts[k];
        if contact.friction == 0.0 || !contact.start.holds {
            return Vec3::ZERO;
        }
        let here = self.row(problem, k).arms;
        let middle = contact.start.points[0].midpoint(contact.start.points[1]);
        let of = |side: usize| {
            let body = contact.bodies[side];
            let before = middle - problem.bodies[body].centre;
            // Where edges are nearly parallel, the place in which they meet runs away.
            let lasts = before.distance_squared(here[side]) <= before.length_squared();
            if lasts { self.velocities[body].angular.cross(0.5 * (before - here[side])) } else { Vec3::ZERO }
        };
        of(1) - of(0)
    }
}

pub(super) fn difference(a: Twist, b: Twist) -> Twist {
    Twist { linear: a.linear - b.linear, angular: a.angular - b.angular }
}
