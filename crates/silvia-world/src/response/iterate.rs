//! An island linearised where an iterate of the fixpoint is: the gaps of the contacts that take part, and
//! their derivatives.

use super::scratch::{Taken, refill};
use super::task::Task;
use silvia_contact::{Contact, GapRow, Keep, Node, System, Twist};
use silvia_proximity::ContactState;
use silvia_solid::{Mat3, Pose, Vec3};

/// A shell that a contact lacks at the start is regained over no less than this time, s: within a piece of a
/// step that was cut very short, regaining it at once would throw bodies apart. Over 1 ms a shell of 1e-9 m
/// asks for 1e-6 m/s.
const REGAIN: f64 = 1e-3;

/// Where an answer is to be quick, shells lose something in every step. This much of it is regained in the
/// next: all at once would be new work every time.
const REGAINED: f64 = 0.3;

/// What is to be left of a shell where an answer is to be quick; and where there is not much more to begin
/// with, how much of that may be lost.
const LEFT: f64 = 0.5;
const LEAST_SLACK: f64 = 0.2;

/// So few contacts between two bodies are all solved for: leaving some out would cost more than it saves.
const FEW: usize = 4;

/// Contacts whose normals have more in common than this, as a cosine, push the same way.
const SAME_WAY: f64 = 0.99;

/// Where an iterate is, and all contacts there.
#[derive(Clone, Debug, Default)]
pub(super) struct Iterate {
    /// `u'`, of all bodies; zero where the iterate is the start.
    pub(super) velocities: Vec<Twist>,
    /// `s'`, of all bodies.
    pub(super) poses: Vec<Pose>,
    /// Of all contacts, there.
    pub(super) states: Vec<ContactState>,
    /// The centres of mass, there, m.
    centres: Vec<Vec3>,
}

impl Iterate {
    /// The start of the step: as if nothing moved.
    pub(super) fn at_start(task: &Task<'_>) -> Iterate {
        let mut start = Iterate::default();
        start.put_at_start(task);
        start
    }

    /// The end of the step that velocities lead to.
    pub(super) fn after(task: &Task<'_>, velocities: &[Twist]) -> Iterate {
        let mut end = Iterate::default();
        end.put_after(task, velocities);
        end
    }

    /// Puts it to the start of the step.
    pub(super) fn put_at_start(&mut self, task: &Task<'_>) {
        refill(&mut self.velocities, task.bodies.iter().map(|_| Twist::default()));
        refill(&mut self.poses, task.bodies.iter().map(|b| b.pose()));
        refill(&mut self.states, task.contacts.iter().map(|c| c.start));
        refill(&mut self.centres, task.bodies.iter().map(|b| b.centre));
    }

    /// Puts it to the end of the step that velocities lead to.
    pub(super) fn put_after(&mut self, task: &Task<'_>, velocities: &[Twist]) {
        refill(&mut self.velocities, velocities.iter().copied());
        refill(&mut self.poses, velocities.iter().enumerate().map(|(body, &v)| task.pose_after(body, v)));
        task.put_states_at(&self.poses, &mut self.states);
        let placed = self.poses.iter().zip(&task.bodies);
        refill(&mut self.centres, placed.map(|(p, b)| p.transform_point(b.centre_in_body)));
    }

    /// The gap of a contact with its derivatives. Both arms go to the middle between its points, so that
    /// contact forces leave the angular momentum as it is; along the normal that changes nothing.
    pub(super) fn row(&self, task: &Task<'_>, contact: usize) -> GapRow {
        let [a, b] = task.contacts[contact].bodies;
        let mut state = self.states[contact];
        let middle = state.points[0].midpoint(state.points[1]);
        state.points = [middle; 2];
        GapRow::new(&state, [self.centres[a], self.centres[b]])
    }

    /// The gap that velocities lead to, were it linear from here: `delta(s') + dt N'J' (u - u')`, m.
    pub(super) fn predicted_gap(&self, task: &Task<'_>, contact: usize, velocities: &[Twist]) -> f64 {
        let [a, b] = task.contacts[contact].bodies;
        let row = self.row(task, contact);
        let change = [a, b].map(|body| difference(velocities[body], self.velocities[body]));
        row.gap + task.time_step * row.rate(change)
    }

    /// How far an impulse at a contact alone opens its gap over the step, m.
    pub(super) fn lift(
        &self,
        task: &Task<'_>,
        inverse: &[Option<(f64, Mat3)>],
        contact: usize,
        impulse: Vec3,
    ) -> f64 {
        let pushes = self.row(task, contact).derivatives();
        let of_body = |(body, push): (usize, Twist)| {
            let change = answer(inverse[body], push);
            push.linear.dot(change.linear) + push.angular.dot(change.angular)
        };
        let rate: f64 = task.contacts[contact].bodies.into_iter().zip(pushes).map(of_body).sum();
        task.time_step * impulse.length() * rate
    }

    /// Puts the contact problem of the contacts `taken`, linearised here, in place of another (paper 2 §2.2
    /// as made plain): `N'J'u >= nu` with `nu = -(delta(s') - target) / dt + N'J'u'`.
    pub(super) fn put_into(&self, system: &mut System, task: &Task<'_>, taken: &[usize]) {
        refill(&mut system.contacts, taken.iter().map(|&k| self.contact(task, k)));
        refill(&mut system.nodes, task.bodies.iter().map(|b| b.over_step()));
        system.rows.clear();
        system.time_step = task.time_step;
    }

    /// Of the contacts that take part, leaves out those that others between the same bodies imply: solids
    /// that lie on each other have many.
    pub(super) fn leave_out_implied(&self, task: &Task<'_>, impulses: &[Vec3], taken: &mut Taken) {
        let Taken { by_bodies, rows, reducer, left } = taken;
        left.clear();
        // Of contacts that imply each other those stay that bore the load before: so there is something to
        // start from.
        let is_unloaded = |k: usize| impulses[k] == Vec3::ZERO;
        by_bodies.sort_unstable_by_key(|&k| (task.contacts[k].bodies, is_unloaded(k), k));
        for contacts in by_bodies.chunk_by(|&k, &l| task.contacts[k].bodies == task.contacts[l].bodies) {
            if contacts.len() <= FEW {
                left.extend(contacts);
                continue;
            }
            refill(rows, contacts.iter().map(|&k| self.demand(task, k)));
            let has_friction = contacts.iter().any(|&k| task.contacts[k].friction > 0.0);
            let keep = if has_friction { Keep::Extent } else { Keep::Velocities };
            left.extend(reducer.reduce(rows, keep).iter().map(|&at| contacts[at]));
        }
        left.sort_unstable();
    }

    /// Puts the impulses to start from in place of others: those of the contacts that are left, and what
    /// others between the same bodies bore, each by the nearest of those left that pushes the same way.
    pub(super) fn put_start(
        &self,
        task: &Task<'_>,
        impulses: &[Vec3],
        Taken { by_bodies, left, .. }: &Taken,
        start: &mut Vec<Vec3>,
    ) {
        refill(start, left.iter().map(|&k| impulses[k]));
        let bodies = |k: usize| task.contacts[k].bodies;
        let middle = |k: usize| self.states[k].points[0].midpoint(self.states[k].points[1]);
        let lost = |&k: &usize| impulses[k] != Vec3::ZERO && left.binary_search(&k).is_err();
        for k in (0..impulses.len()).filter(lost) {
            let normal = self.states[k].normal;
            let first = by_bodies.partition_point(|&l| bodies(l) < bodies(k));
            let alike = by_bodies[first..]
                .iter()
                .take_while(|&&l| bodies(l) == bodies(k))
                .filter(|&&l| normal.dot(self.states[l].normal) > SAME_WAY)
                .filter_map(|&l| Some((left.binary_search(&l).ok()?, middle(l).distance_squared(middle(k)))));
            // Of two as near the first.
            if let Some((at, _)) = alike.min_by(|(a, near), (b, far)| near.total_cmp(far).then(a.cmp(b))) {
                start[at] += impulses[k];
            }
        }
    }

    /// What a contact asks of the velocities `u` at the end: `gap + dt rate(u) >= 0`.
    fn demand(&self, task: &Task<'_>, k: usize) -> GapRow {
        let mut row = self.row(task, k);
        let [a, b] = task.contacts[k].bodies;
        let rate = row.rate([self.velocities[a], self.velocities[b]]);
        row.gap -= target(task, k) + task.time_step * rate;
        row
    }

    fn contact(&self, task: &Task<'_>, k: usize) -> Contact {
        let contact = &task.contacts[k];
        self.demand(task, k).contact(contact.bodies, contact.friction, 0.0)
    }
}

/// What the gap of a contact is to be at the end at least, m: its shell, or, where it has less at the start,
/// what of it can be regained.
pub(super) fn target(task: &Task<'_>, contact: usize) -> f64 {
    let c = &task.contacts[contact];
    if !c.lacks_shell() {
        return c.shell;
    }
    let gap = c.start.gap.max(0.0);
    let at_once = if task.sweeps > 0 { REGAINED } else { 1.0 };
    gap + (at_once * (c.shell - gap)).min(c.shell * task.time_step / REGAIN)
}

/// How fast a contact may close where an answer is to be quick, so that enough of its shell is left at the
/// end, m/s.
pub(super) fn slack(task: &Task<'_>, contact: usize) -> f64 {
    let least = LEFT * task.contacts[contact].shell;
    (target(task, contact) - least).max(LEAST_SLACK * least) / task.time_step
}

/// What unit forces and torques change of each body's velocity: 1 / mass and inverse inertia; none where
/// contacts cannot move it.
pub(super) fn inverse_inertias(task: &Task<'_>) -> impl Iterator<Item = Option<(f64, Mat3)>> {
    let inverse = |(mass, inertia): (f64, Mat3)| (1.0 / mass, inertia.inverse());
    task.bodies.iter().map(move |b| b.inertia.map(inverse))
}

/// What an impulse changes of a body's velocity.
pub(super) fn answer(inverse: Option<(f64, Mat3)>, push: Twist) -> Twist {
    inverse.map_or_else(Twist::default, |(mass, inertia)| Twist {
        linear: mass * push.linear,
        angular: inertia * push.angular,
    })
}

pub(super) fn difference(a: Twist, b: Twist) -> Twist {
    Twist { linear: a.linear - b.linear, angular: a.angular - b.angular }
}

impl super::TaskBody<'_> {
    /// At the start.
    pub(super) fn pose(&self) -> Pose {
        super::task::pose_of(self.centre, self.rotation, self.centre_in_body)
    }

    /// Over the step, as contacts see it.
    fn over_step(&self) -> Node {
        match self.inertia {
            Some((mass, inertia)) => Node::rigid(mass, inertia, self.velocity, self.free_velocity),
            None => Node::immovable(self.free_velocity),
        }
    }
}
