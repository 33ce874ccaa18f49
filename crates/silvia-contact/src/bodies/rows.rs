//! Contacts, joints and limits as rows over the velocities of bodies.

use crate::assembled::BlockRow;
use crate::cone::natural_map;
use crate::contact::ContactFrame;
use crate::matrix::Block;
use crate::node::{Node, Twist, work};
use crate::system::System;
use silvia_solid::Vec3;

/// A body that contacts cannot move.
pub(super) const NONE: u32 = u32::MAX;

/// The part of a contact's rows that belongs to one body; normal, tangent 1, tangent 2.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowSide {
    /// Among the bodies that can be moved, or [`NONE`].
    pub(super) body: u32,
    /// By velocity and angular velocity: also the impulses on the body of unit contact impulses.
    pub(super) by_body: [[f64; 6]; 3],
    /// What these impulses change of its velocities.
    pub(super) answers: [[f64; 6]; 3],
}

/// A body that takes no part.
const ABSENT: RowSide = RowSide { body: NONE, by_body: [[0.0; 6]; 3], answers: [[0.0; 6]; 3] };

/// Sides of a contact between two nodes.
pub(super) const PAIR: usize = 2;

/// Sides of any contact or row: two attachments that up to four nodes carry.
pub(super) const ANY: usize = 8;

/// A contact, or with [`ANY`] sides also a joint or limit, over the velocities of its bodies.
#[derive(Clone, Copy, Debug)]
pub(super) struct ContactRow<const N: usize> {
    pub(super) sides: [RowSide; N],
    /// What does not change: the velocity of bodies that cannot be moved, and what the gap adds.
    pub(super) constant: [f64; 3],
    pub(super) mu: f64,
    is_bilateral: bool,
    /// The contact's own block of `W`.
    pub(super) w: Block,
    /// The mean velocity that a unit impulse gives its own contact.
    pub(super) answer: f64,
}

impl ContactRow<PAIR> {
    /// The row of a contact between two nodes; `number` says which bodies can be moved.
    pub(super) fn new(
        system: &System,
        contact: usize,
        frame: &ContactFrame,
        number: impl Fn(usize) -> u32,
    ) -> Self {
        let c = &system.contacts[contact];
        // Groups are plain: each side has one node.
        let pair = c.pair().unwrap_or_default();
        let constant = system.bias(c, frame);
        let pushes = frame.impulses_on_pair(pair.map(|(_, arm)| arm));
        let sides = [ABSENT; PAIR];
        let (mu, w, answer) = (c.friction, [0.0; 9], 1.0);
        let mut row = ContactRow { sides, constant, mu, is_bilateral: false, w, answer };
        for (side, ((node, _), pushes)) in pair.into_iter().zip(&pushes).enumerate() {
            row.put_side(side, &system.nodes[node], number(node), pushes);
        }
        let mean = (row.w[0] + row.w[4] + row.w[8]) / 3.0;
        if mean > 0.0 {
            row.answer = mean;
        }
        row
    }
}

impl ContactRow<ANY> {
    /// The row of any contact.
    pub(super) fn of_contact(
        system: &System,
        contact: usize,
        frame: &ContactFrame,
        number: impl Fn(usize) -> u32,
    ) -> Self {
        let c = &system.contacts[contact];
        let constant = system.bias(c, frame);
        let mut row = Self::of_block(system, &BlockRow::of_contact(c, frame), constant, number);
        let mean = (row.w[0] + row.w[4] + row.w[8]) / 3.0;
        (row.mu, row.answer) = (c.friction, if mean > 0.0 { mean } else { 1.0 });
        row
    }

    /// The row of a joint, drive or limit: a contact without tangents, which may also pull where it is
    /// bilateral.
    pub(super) fn of_row(system: &System, row: usize, number: impl Fn(usize) -> u32) -> Self {
        let of_system = &system.rows[row];
        let constant = [-of_system.aim(), 0.0, 0.0];
        let mut row = Self::of_block(system, &BlockRow::of_limit(of_system), constant, number);
        row.is_bilateral = !of_system.is_limit();
        row
    }

    /// A row without friction that answers by its normal.
    fn of_block(
        system: &System,
        block: &BlockRow,
        constant: [f64; 3],
        number: impl Fn(usize) -> u32,
    ) -> Self {
        let (sides, w) = ([ABSENT; ANY], [0.0; 9]);
        let mut row = ContactRow { sides, constant, mu: 0.0, is_bilateral: false, w, answer: 1.0 };
        for (side, (node, pushes)) in block.pushes.iter().enumerate() {
            row.put_side(side, &system.nodes[*node], number(*node), pushes);
        }
        if row.w[0] > 0.0 {
            row.answer = row.w[0];
        }
        row
    }
}

impl<const N: usize> ContactRow<N> {
    /// Puts a node to one of its sides, with the impulses on it of unit contact impulses.
    #[inline]
    fn put_side(&mut self, side: usize, node: &Node, number: u32, pushes: &[Twist; 3]) {
        if number == NONE {
            for (sum, push) in self.constant.iter_mut().zip(pushes) {
                *sum += work(*push, node.free_velocity);
            }
            return;
        }
        let answers = pushes.map(|push| node.response(push));
        for (at, sum) in self.w.iter_mut().enumerate() {
            *sum += work(pushes[at / 3], answers[at % 3]);
        }
        let to = &mut self.sides[side];
        to.body = number;
        for i in 0..3 {
            (to.by_body[i], to.answers[i]) = (flat(pushes[i]), flat(answers[i]));
        }
    }

    /// Whether its impulse may have any sign; between two nodes there are only contacts.
    #[inline]
    pub(super) fn is_bilateral(&self) -> bool {
        N > PAIR && self.is_bilateral
    }

    /// Whether only its normal counts: tangential velocities are not looked at, and impulses have none.
    #[inline]
    pub(super) fn is_frictionless(&self) -> bool {
        self.mu == 0.0
    }

    /// How many components of velocities and impulses count: the normal one, and the tangential ones if there
    /// is friction.
    #[inline]
    pub(super) fn counted(&self) -> usize {
        if self.is_frictionless() { 1 } else { 3 }
    }

    /// The velocity at the contact; components that do not count mean nothing.
    #[inline]
    pub(super) fn velocity(&self, v: &[[f64; 6]]) -> [f64; 3] {
        self.added(self.constant, v)
    }

    /// What a change of the bodies' velocities changes of it.
    #[inline]
    pub(super) fn velocity_change(&self, v: &[[f64; 6]]) -> [f64; 3] {
        self.added([0.0; 3], v)
    }

    #[inline]
    fn added(&self, mut u: [f64; 3], v: &[[f64; 6]]) -> [f64; 3] {
        let counted = self.counted();
        for side in &self.sides {
            if side.body != NONE {
                let at = &v[side.body as usize];
                for (u, row) in u.iter_mut().zip(&side.by_body).take(counted) {
                    *u += dot(row, at);
                }
            }
        }
        u
    }

    /// Adds what an impulse changes of the bodies' velocities.
    #[inline]
    pub(super) fn push(&self, impulse: [f64; 3], v: &mut [[f64; 6]]) {
        self.add(impulse, v, |side| &side.answers);
    }

    /// Adds an impulse to those on the bodies.
    #[inline]
    pub(super) fn add_impulse(&self, impulse: [f64; 3], sums: &mut [[f64; 6]]) {
        self.add(impulse, sums, |side| &side.by_body);
    }

    #[inline]
    fn add(&self, by: [f64; 3], to: &mut [[f64; 6]], rows: impl Fn(&RowSide) -> &[[f64; 6]; 3]) {
        for side in &self.sides {
            if side.body != NONE {
                let to = &mut to[side.body as usize];
                let [n, s, t] = rows(side);
                if self.is_frictionless() {
                    (0..6).for_each(|k| to[k] += by[0] * n[k]);
                } else {
                    (0..6).for_each(|k| to[k] += by[0] * n[k] + by[1] * s[k] + by[2] * t[k]);
                }
            }
        }
    }

    /// The square of what is left of the law, and of how fast the contact closes; m²/s².
    #[inline]
    pub(super) fn error(&self, r: [f64; 3], u: [f64; 3]) -> [f64; 2] {
        if self.is_bilateral() {
            return [u[0] * u[0], 0.0];
        }
        let f = natural_map(r.map(|r| self.answer * r), u, self.mu);
        let approach = u[0].min(0.0);
        [f[0] * f[0] + f[1] * f[1] + f[2] * f[2], approach * approach]
    }
}

pub(super) fn flat(twist: Twist) -> [f64; 6] {
    let Twist { linear: v, angular: w } = twist;
    [v.x, v.y, v.z, w.x, w.y, w.z]
}

/// The way back from [`flat`].
pub(super) fn twist([x, y, z, u, v, w]: [f64; 6]) -> Twist {
    Twist { linear: Vec3::new(x, y, z), angular: Vec3::new(u, v, w) }
}

#[inline]
fn dot(a: &[f64; 6], b: &[f64; 6]) -> f64 {
    (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]) + (a[4] * b[4] + a[5] * b[5])
}
