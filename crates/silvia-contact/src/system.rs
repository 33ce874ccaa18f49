//! The contact problem in global form: nodes, contacts and constraint rows, as a world knows them.
//!
//! With `M` the masses, `H'` the directions of contacts and limits and `G` the bilateral rows, velocities
//! after the step are `v = v_free + M^-1 (H r + G' lambda)`. Bilateral rows are kept exactly by eliminating
//! `lambda`, which leaves the local form `u = W r + q` (papers 1 and 2; the torque arm is `r x n`, see the
//! errata). A limit is a contact of which only the normal counts.

use silvia_solid::Vec3;
use thiserror::Error;

use crate::assembled::{Assembled, BlockRow};
use crate::constraint_row::ConstraintRow;
use crate::contact::{Contact, ContactFrame};
use crate::elimination::{BilateralGroup, bilateral_groups, missing};
use crate::matrix::{Block, BlockMatrix};
use crate::node::{Node, Twist, work};
use crate::problem::{ContactProblem, ProblemError};

/// Why nodes, contacts and rows do not make a system.
#[derive(Debug, Error, Clone, PartialEq)]
pub enum SystemError {
    /// A contact or row names a node that is not there.
    #[error("{what} {index} names node {node}, but there are {nodes} nodes")]
    NoSuchNode {
        /// `contact` or `row`.
        what: &'static str,
        /// Which one.
        index: usize,
        /// The node it names.
        node: usize,
        /// How many there are.
        nodes: usize,
    },
    /// A contact or row is attached to a node of the wrong kind.
    #[error("{what} {index}: node {node} must be {must}")]
    WrongNode {
        /// `contact` or `row`.
        what: &'static str,
        /// Which one.
        index: usize,
        /// The node.
        node: usize,
        /// What it must be, and what to do.
        must: &'static str,
    },
    /// The weights of a carried attachment do not sum to 1.
    #[error("{what} {index}: the weights of an attachment sum to {sum}, but must be finite and sum to 1")]
    BadWeights {
        /// `contact` or `row`.
        what: &'static str,
        /// Which one.
        index: usize,
        /// Their sum.
        sum: f64,
    },
    /// A node's mass or inertia is not positive and finite.
    #[error("node {node}: mass and inertia must be positive and finite, or the node made immovable")]
    BadMass {
        /// Which node.
        node: usize,
    },
    /// A number is NaN, infinite, or outside its range.
    #[error("{what} {index}: {quantity} is {value}, but must be {must}")]
    BadValue {
        /// `node`, `contact`, `row` or `system`.
        what: &'static str,
        /// Which one.
        index: usize,
        /// Which quantity.
        quantity: &'static str,
        /// Its value.
        value: f64,
        /// What is allowed.
        must: &'static str,
    },
    /// A contact is between a node and itself.
    #[error("contact {contact} is between node {node} and itself: a node cannot push itself, leave it out")]
    SameNode {
        /// Which contact.
        contact: usize,
        /// The node named twice.
        node: usize,
    },
    /// Bilateral rows ask for velocities that no impulses give.
    #[error(
        "row {row} and those connected with it contradict each other: {left:.1e} of what they ask for cannot \
         be met; check their targets"
    )]
    ContradictoryRows {
        /// The first of the rows.
        row: usize,
        /// The largest unmet share.
        left: f64,
    },
    /// The assembled numbers overflow.
    #[error("assembled problem: {0}")]
    Problem(#[from] ProblemError),
}

/// Nodes, contacts and rows over one step.
///
/// ```
/// use silvia_contact::{Attachment, Contact, Node, Settings, System, Twist, solve_system};
/// use silvia_solid::Vec3;
///
/// // A particle of 2 kg lies on the ground, and its weight pulls it down for 10 ms.
/// let weight = Vec3::new(0.0, 0.0, -9.81 * 0.01);
/// let nodes = vec![Node::immovable(Twist::default()), Node::point(2.0, Vec3::ZERO, weight)];
/// let contact = Contact {
///     a: Attachment::rigid(0, Vec3::ZERO),
///     b: Attachment::point(1),
///     normal: Vec3::Z,
///     gap: 0.0,
///     friction: 0.5,
///     restitution: 0.0,
///     slip: Vec3::ZERO,
/// };
/// let system = System { nodes, contacts: vec![contact], time_step: 0.01, ..System::default() };
/// let report = solve_system(&system, &[], 0.0, &Settings::default())?;
/// assert!((report.impulses[0].z - 2.0 * 9.81 * 0.01).abs() < 1e-9); // the ground carries it
/// assert!(report.velocities[1].linear.z.abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct System {
    /// The masses: rigid bodies, molecules, and what does not move.
    pub nodes: Vec<Node>,
    /// Contacts with Coulomb friction between them.
    pub contacts: Vec<Contact>,
    /// Rows of joints and drives (bilateral), and of limits.
    pub rows: Vec<ConstraintRow>,
    /// Length of the step in s: a gap may be closed within it but not crossed.
    pub time_step: f64,
}

/// Directions whose answer bilateral rows have taken away but for this share answer nothing: what is left is
/// rounding, and impulses found by it would be enormous.
const LOCKED: f64 = 1e-10;

/// Clears the components of `W` in which rows hold the nodes completely. Those from `first` on are what the
/// rows take away.
fn clear_locked(entries: &mut [(usize, usize, Block)], first: usize, blocks: usize) {
    let diagonal = |entries: &[(usize, usize, Block)]| {
        let mut sums = vec![[0.0; 3]; blocks];
        for (_, k, block) in entries.iter().filter(|(l, k, _)| l == k) {
            (0..3).for_each(|i| sums[*k][i] += block[4 * i]);
        }
        sums
    };
    let (free, taken) = (diagonal(&entries[..first]), diagonal(&entries[first..]));
    let is_locked =
        |k: usize, i: usize| taken[k][i] != 0.0 && free[k][i] + taken[k][i] <= LOCKED * free[k][i];
    for (l, k, block) in entries.iter_mut() {
        for (at, entry) in block.iter_mut().enumerate() {
            if is_locked(*l, at / 3) || is_locked(*k, at % 3) {
                *entry = 0.0;
            }
        }
    }
}

impl System {
    /// Assembles the local form: a block of three a contact, then one a limit.
    ///
    /// The law of a contact reads `u_N + gap / time_step >= 0` at the end of the step; for a contact that
    /// touches, approaches and has restitution it reads `u_N + e u_N(before) >= 0` (Newton's law of impact).
    /// A limit is a block without friction whose tangents nothing excites.
    pub fn assemble(&self) -> Result<Assembled<'_>, SystemError> {
        self.check()?;
        let frames: Vec<ContactFrame> = self.contacts.iter().map(ContactFrame::new).collect();
        let of_contact = |(c, frame): (&Contact, &ContactFrame)| BlockRow::of_contact(c, frame);
        let mut blocks: Vec<BlockRow> = self.contacts.iter().zip(&frames).map(of_contact).collect();
        blocks.extend(self.limits().map(|(_, row)| BlockRow::of_limit(row)));
        if let Some(row) = self.immovable_rows_broken(false).next() {
            return Err(SystemError::ContradictoryRows { row, left: 1.0 });
        }
        let groups = bilateral_groups(self);
        let w = self.delassus(&blocks, &groups);
        let mut held: Vec<Twist> = self.nodes.iter().map(|n| n.free_velocity).collect();
        let mut impulses = vec![0.0; self.rows.len()];
        for group in &groups {
            let (left, row) = group.enforce(self, &mut held, &mut impulses);
            if left > BILATERAL_TOLERANCE {
                return Err(SystemError::ContradictoryRows { row, left });
            }
        }
        let mut q = Vec::with_capacity(3 * blocks.len());
        for (contact, frame) in self.contacts.iter().zip(&frames) {
            let mut free = frame.relative_velocity(contact, |node| held[node]);
            let bias = self.bias(contact, frame);
            (0..3).for_each(|i| free[i] += bias[i]);
            q.extend(free);
        }
        for (_, row) in self.limits() {
            let free: f64 = row.terms().into_iter().map(|(node, term)| work(term, held[node])).sum();
            q.extend([free - row.aim(), 0.0, 0.0]);
        }
        let mut mu: Vec<f64> = self.contacts.iter().map(|c| c.friction).collect();
        mu.resize(blocks.len(), 0.0);
        let problem = ContactProblem::new(w, q, mu)?;
        Ok(Assembled::new(self, frames, blocks, groups, problem))
    }

    /// Rows between nodes that nothing can move and whose law does not hold: of limits, or of the others.
    pub(crate) fn immovable_rows_broken(&self, are_limits: bool) -> impl Iterator<Item = usize> + '_ {
        let free: Vec<Twist> = match self.rows.is_empty() {
            true => Vec::new(),
            false => self.nodes.iter().map(|n| n.free_velocity).collect(),
        };
        (0..self.rows.len()).filter(move |&index| {
            let row = &self.rows[index];
            let terms = row.terms();
            if row.is_limit() != are_limits || terms.iter().any(|&(node, _)| self.nodes[node].is_movable()) {
                return false;
            }
            let (missing, rounding) = missing(self, index, &terms, &free);
            if are_limits { missing > rounding } else { missing.abs() > rounding }
        })
    }

    /// The limits among the rows, with their places.
    pub(crate) fn limits(&self) -> impl Iterator<Item = (usize, &ConstraintRow)> {
        self.rows.iter().enumerate().filter(|(_, row)| row.is_limit())
    }

    /// What is added to the free velocity so that the law reads `u_N >= 0`, and friction acts against `u_T`.
    pub(crate) fn bias(&self, contact: &Contact, frame: &ContactFrame) -> [f64; 3] {
        let approach = frame.relative_velocity(contact, |node| self.nodes[node].velocity)[0];
        let along = if contact.gap <= TOUCHING_GAP && approach < 0.0 && contact.restitution > 0.0 {
            contact.restitution * approach
        } else {
            contact.gap / self.time_step
        };
        let [_, t1, t2] = frame.0;
        [along, contact.slip.dot(t1), contact.slip.dot(t2)]
    }

    /// `W = H' M^-1 H - Y' S^-1 Y` with `Y = G M^-1 H` and `S = G M^-1 G'`.
    fn delassus(&self, blocks: &[BlockRow], groups: &[BilateralGroup]) -> BlockMatrix {
        let mut at_node: Vec<Vec<(usize, [Twist; 3])>> = vec![Vec::new(); self.nodes.len()];
        for (index, block) in blocks.iter().enumerate() {
            for &(node, pushes) in &block.pushes {
                if self.nodes[node].is_movable() {
                    at_node[node].push((index, pushes));
                }
            }
        }
        let mut entries = Vec::new();
        for (node, pushed) in self.nodes.iter().zip(&at_node) {
            for (k, pushes) in pushed {
                let answers = pushes.map(|i| node.response(i));
                for (l, directions) in pushed {
                    let block: Block = std::array::from_fn(|at| work(directions[at / 3], answers[at % 3]));
                    entries.push((*l, *k, block));
                }
            }
        }
        let first = entries.len();
        for group in groups {
            entries.extend(group.corrections(self, blocks));
        }
        if entries.len() > first {
            clear_locked(&mut entries, first, blocks.len());
        }
        let mut w = BlockMatrix::from_blocks(blocks.len(), entries);
        // Tangents of a limit answer as its normal does, so that they do not make W singular.
        for limit in self.contacts.len()..blocks.len() {
            let block = w.diagonal_mut(limit);
            (block[4], block[8]) = (block[0], block[0]);
        }
        w
    }

    pub(crate) fn check(&self) -> Result<(), SystemError> {
        if !(self.time_step.is_finite() && self.time_step > 0.0) {
            let (value, must) = (self.time_step, "positive and finite");
            return Err(SystemError::BadValue {
                what: "system",
                index: 0,
                quantity: "time step",
                value,
                must,
            });
        }
        self.nodes.iter().enumerate().try_for_each(|(node, n)| n.check(node))?;
        self.contacts.iter().enumerate().try_for_each(|(index, c)| c.check(index, self))?;
        self.rows.iter().enumerate().try_for_each(|(index, row)| row.check(index, self))
    }
}

/// Contacts with gaps up to this, in m, touch, and bounce where they have restitution: a nanometre is what
/// rounding makes of a distance between parts of some metres.
const TOUCHING_GAP: f64 = 1e-9;

/// Bilateral rows hold where no more than this share of what they ask for is left: rounding, of rows that
/// repeat each other.
const BILATERAL_TOLERANCE: f64 = 1e-6;

/// Refuses a vector that is not finite.
pub(crate) fn finite_vector(
    what: &'static str,
    index: usize,
    quantity: &'static str,
    vector: Vec3,
) -> Result<(), SystemError> {
    match vector.to_array().into_iter().find(|v| !v.is_finite()) {
        Some(value) => Err(SystemError::BadValue { what, index, quantity, value, must: "finite" }),
        None => Ok(()),
    }
}
