//! Joint rows, and their exact elimination from a system.
//!
//! Bodies that joints connect form a group; with `G` its rows and `S = G M^-1 G'`, the joint impulses are
//! `lambda = -S^-1 (G v - target)`. Rows may repeat each other (a closed loop of hinges always does): `S` is
//! then singular but what it is applied to lies in its range, so a slight shift and refinement give the right
//! answer. `S` is dense: a group of m rows costs m³, and its contacts all couple in `W`.

use silvia_solid::Vec3;

use crate::islands::find;
use crate::linalg::SymmetricSolver;
use crate::matrix::Block;
use crate::system::{ContactFrame, System, SystemError, Twist, finite_vector, work};

/// One equality on velocities: `a . v_a + b . v_b = target`, with `a` and `b` the row's parts for two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointRow {
    /// First body.
    pub body_a: usize,
    /// Second body.
    pub body_b: usize,
    /// What multiplies the first body's velocities.
    pub part_a: Twist,
    /// What multiplies the second body's velocities.
    pub part_b: Twist,
    /// The value that the sum must have at the end of the step (for a drive, or to undo drift).
    pub target: f64,
}

impl JointRow {
    /// The three rows that keep the point at `arm_a` from A's centre and `arm_b` from B's together (a ball
    /// joint).
    pub fn ball(body_a: usize, arm_a: Vec3, body_b: usize, arm_b: Vec3) -> [Self; 3] {
        [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| Self {
            body_a,
            body_b,
            part_a: Twist { linear: -axis, angular: -arm_a.cross(axis) },
            part_b: Twist { linear: axis, angular: arm_b.cross(axis) },
            target: 0.0,
        })
    }

    /// The row that forbids relative rotation about `axis`.
    pub fn no_rotation(body_a: usize, body_b: usize, axis: Vec3) -> Self {
        Self {
            body_a,
            body_b,
            part_a: Twist { linear: Vec3::ZERO, angular: -axis },
            part_b: Twist { linear: Vec3::ZERO, angular: axis },
            target: 0.0,
        }
    }

    pub(crate) fn check(&self, index: usize, bodies: usize) -> Result<(), SystemError> {
        for body in [self.body_a, self.body_b] {
            if body >= bodies {
                return Err(SystemError::NoSuchBody { what: "joint row", index, body, bodies });
            }
        }
        for part in [self.part_a, self.part_b] {
            finite_vector("joint row", index, "linear part", part.linear)?;
            finite_vector("joint row", index, "angular part", part.angular)?;
        }
        if !self.target.is_finite() {
            let (quantity, value, must) = ("target", self.target, "finite");
            return Err(SystemError::BadValue { what: "joint row", index, quantity, value, must });
        }
        Ok(())
    }

    /// The row's part for `body`, both roles added up.
    fn part_for(&self, body: usize) -> Twist {
        let mut part = Twist::default();
        for (of, twist) in [(self.body_a, self.part_a), (self.body_b, self.part_b)] {
            if of == body {
                part.linear += twist.linear;
                part.angular += twist.angular;
            }
        }
        part
    }

    fn bodies(&self) -> [Option<usize>; 2] {
        [Some(self.body_a), (self.body_b != self.body_a).then_some(self.body_b)]
    }
}

/// Joint rows that act on each other, ready to be enforced.
#[derive(Clone, Debug)]
pub(crate) struct JointGroup {
    rows: Vec<usize>,
    solver: SymmetricSolver,
}

/// The groups of joint rows that share movable bodies.
pub(crate) fn joint_groups(system: &System) -> Vec<JointGroup> {
    let mut leader: Vec<usize> = (0..system.bodies.len()).collect();
    for row in &system.joints {
        if system.bodies[row.body_a].is_movable() && system.bodies[row.body_b].is_movable() {
            let (a, b) = (find(&mut leader, row.body_a), find(&mut leader, row.body_b));
            leader[a.max(b)] = a.min(b);
        }
    }
    let mut rows_of: std::collections::BTreeMap<usize, Vec<usize>> = std::collections::BTreeMap::new();
    for (index, row) in system.joints.iter().enumerate() {
        let movable = row.bodies().into_iter().flatten().find(|&b| system.bodies[b].is_movable());
        // A row between immovable bodies can change nothing.
        if let Some(body) = movable {
            rows_of.entry(find(&mut leader, body)).or_default().push(index);
        }
    }
    rows_of.into_values().map(|rows| JointGroup::new(system, rows)).collect()
}

impl JointGroup {
    fn new(system: &System, rows: Vec<usize>) -> Self {
        let size = rows.len();
        let mut s = vec![0.0; size * size];
        for (i, &k) in rows.iter().enumerate() {
            for (j, &l) in rows.iter().enumerate() {
                for body in system.joints[k].bodies().into_iter().flatten() {
                    let answer = system.bodies[body].response(system.joints[k].part_for(body));
                    s[i * size + j] += work(system.joints[l].part_for(body), answer);
                }
            }
        }
        Self { solver: SymmetricSolver::new(size, s), rows }
    }

    /// Changes `velocities` by the joint impulses that make every row hold, and adds these to `impulses`;
    /// says how far the rows are from holding, relative to how far they were, and the first of them.
    pub(crate) fn enforce(
        &self,
        system: &System,
        velocities: &mut [Twist],
        impulses: &mut [f64],
    ) -> (f64, usize) {
        let left = self.correct(system, velocities, impulses);
        // Heavy bodies' impulses round coarsely for light ones: what that left is taken away afterwards.
        self.correct(system, velocities, impulses);
        (left, self.rows[0])
    }

    fn correct(&self, system: &System, velocities: &mut [Twist], impulses: &mut [f64]) -> f64 {
        let mut lambda: Vec<f64> = self
            .rows
            .iter()
            .map(|&k| {
                let row = &system.joints[k];
                row.target
                    - work(row.part_a, velocities[row.body_a])
                    - work(row.part_b, velocities[row.body_b])
            })
            .collect();
        let left = self.solver.solve(&mut lambda);
        for (&k, &size) in self.rows.iter().zip(&lambda) {
            impulses[k] += size;
            for body in system.joints[k].bodies().into_iter().flatten() {
                let change = system.bodies[body].response(system.joints[k].part_for(body));
                velocities[body].linear += size * change.linear;
                velocities[body].angular += size * change.angular;
            }
        }
        left
    }

    /// What the joints take away from `W`: `-Y' S^-1 Y` with `Y = G M^-1 H`, for the contacts that touch the
    /// group.
    pub(crate) fn corrections(&self, system: &System, frames: &[ContactFrame]) -> Vec<(usize, usize, Block)> {
        let mut touching: Vec<(usize, [Vec<f64>; 3])> = Vec::new();
        for (index, contact) in system.contacts.iter().enumerate() {
            let mut y: [Vec<f64>; 3] = std::array::from_fn(|_| vec![0.0; self.rows.len()]);
            let mut any = false;
            for body in [contact.body_a, contact.body_b] {
                if !system.bodies[body].is_movable() {
                    continue;
                }
                let answers =
                    frames[index].impulses_on(contact, body).map(|i| system.bodies[body].response(i));
                for (at, &k) in self.rows.iter().enumerate() {
                    let row = &system.joints[k];
                    if row.body_a == body || row.body_b == body {
                        any = true;
                        for (column, answer) in y.iter_mut().zip(answers) {
                            column[at] += work(row.part_for(body), answer);
                        }
                    }
                }
            }
            if any {
                touching.push((index, y));
            }
        }
        let mut entries = Vec::with_capacity(touching.len() * touching.len());
        for (k, y) in &touching {
            let solved = y.clone().map(|mut column| {
                self.solver.solve(&mut column);
                column
            });
            for (l, z) in &touching {
                let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
                entries.push((*l, *k, std::array::from_fn(|at| -dot(&z[at / 3], &solved[at % 3]))));
            }
        }
        entries
    }
}
