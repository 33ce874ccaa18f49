//! Small random systems of nodes, contacts and rows, against a search of all sets of constraints that may
//! act.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use common::{coulomb_solvers, law_violation, to};
use proptest::prelude::*;
use seeded::Random;
use silvia_contact::{
    Attachment, ConstraintRow, Contact, Node, Outcome, RowEnd, RowLaw, System, Twist, solve_system,
};
use silvia_solid::{Mat3, Vec3};

const STEP: f64 = 0.01;

/// A system of a few nodes with frictionless contacts, limits and bilateral rows, as dense matrices of the
/// test's own: velocities must satisfy `equal v = targets` and `least v >= bounds`.
struct Dense {
    system: System,
    inverse_masses: Vec<f64>,
    free: Vec<f64>,
    equal: Vec<(Vec<f64>, f64)>,
    least: Vec<(Vec<f64>, f64)>,
}

impl Dense {
    fn random(seed: u64, friction: f64) -> Dense {
        let mut random = Random::new(seed);
        let pick = |n: usize, random: &mut Random| ((random.unit() * n as f64) as usize).min(n - 1);
        let kinds: Vec<bool> = (0..4).map(|_| random.unit() < 0.5).collect(); // rigid or not
        let mut system = System { time_step: STEP, ..System::default() };
        let (mut inverse_masses, mut free) = (Vec::new(), Vec::new());
        for &is_rigid in &kinds {
            let mass = 10.0_f64.powf(random.unit() - 0.5);
            let inertia = Vec3::ONE + 0.5 * random.vector(1.0);
            let velocity = Twist { linear: random.vector(1.0), angular: random.vector(1.0) };
            inverse_masses.extend([1.0 / mass; 3]);
            free.extend(velocity.linear.to_array());
            if is_rigid {
                inverse_masses.extend((1.0 / inertia).to_array());
                free.extend(velocity.angular.to_array());
                system.nodes.push(Node::rigid(mass, Mat3::from_diagonal(inertia), velocity, velocity));
            } else {
                inverse_masses.extend([0.0; 3]);
                free.extend([0.0; 3]);
                system.nodes.push(Node::point(mass, velocity.linear, velocity.linear));
            }
        }
        // The ground, last.
        system.nodes.push(Node::immovable(Twist::default()));
        let points: Vec<usize> = (0..4).filter(|&k| !kinds[k]).collect();
        // An attachment, with the coefficients of its velocity along an axis.
        let attach = |random: &mut Random, avoid: Option<usize>| loop {
            let node = pick(5, random);
            if Some(node) == avoid {
                continue;
            }
            let arm = random.vector(1.0);
            if node == 4 {
                return (4, Attachment::rigid(4, arm), Vec::new(), arm);
            }
            if kinds[node] {
                return (node, Attachment::rigid(node, arm), vec![(node, 1.0)], arm);
            }
            if points.len() < 2 || random.unit() < 0.5 || avoid.is_some_and(|a| points.contains(&a)) {
                return (node, Attachment::point(node), vec![(node, 1.0)], Vec3::ZERO);
            }
            let share = random.unit();
            let nodes = [points[0], points[1]];
            let carried = Attachment::carried(nodes, [share, 1.0 - share]);
            return (points[0], carried, vec![(nodes[0], share), (nodes[1], 1.0 - share)], Vec3::ZERO);
        };
        let coefficients = |of: &[(usize, f64)], arm: Vec3, d: Vec3, sign: f64, row: &mut Vec<f64>| {
            for &(node, weight) in of {
                for k in 0..3 {
                    row[6 * node + k] += sign * weight * d[k];
                    row[6 * node + 3 + k] += sign * weight * arm.cross(d)[k];
                }
            }
        };
        // Velocities that satisfy everything.
        let allowed: Vec<f64> = (0..24).map(|_| 2.0 * random.unit() - 1.0).collect();
        let reached = |row: &[f64]| -> f64 { row.iter().zip(&allowed).map(|(a, b)| a * b).sum() };
        let (mut equal, mut least) = (Vec::new(), Vec::new());
        for _ in 0..2 + pick(4, &mut random) {
            let (node, a, of_a, arm_a) = attach(&mut random, None);
            let (_, b, of_b, arm_b) = attach(&mut random, Some(node));
            let direction = random.vector(1.0).normalize();
            let mut row = vec![0.0; 24];
            coefficients(&of_a, arm_a, direction, -1.0, &mut row);
            coefficients(&of_b, arm_b, direction, 1.0, &mut row);
            if row.iter().all(|&v| v == 0.0) {
                continue;
            }
            let spare = if random.unit() < 0.5 { 0.0 } else { 0.5 * random.unit() };
            match pick(3, &mut random) {
                0 if equal.len() < 2 => {
                    let target = reached(&row);
                    system.rows.push(ConstraintRow::along(a, b, direction, RowLaw::Bilateral { target }));
                    equal.push((row, target));
                }
                1 => {
                    let bound = reached(&row) - spare;
                    system.rows.push(ConstraintRow::along(a, b, direction, RowLaw::Limit { bound }));
                    least.push((row, bound));
                }
                _ => {
                    let bound = reached(&row) - spare;
                    let gap = -bound * STEP;
                    let contact = Contact {
                        a,
                        b,
                        normal: direction,
                        gap,
                        friction,
                        restitution: 0.0,
                        slip: Vec3::ZERO,
                    };
                    system.contacts.push(contact);
                    least.push((row, bound));
                }
            }
        }
        Dense { system, inverse_masses, free, equal, least }
    }

    /// The only velocities that satisfy the conditions of the optimum, found by trying all sets of
    /// constraints that may act.
    fn by_brute_force(&self) -> Option<Vec<f64>> {
        for set in 0_u32..1 << self.least.len() {
            let taken =
                self.least.iter().enumerate().filter(|(k, _)| set & (1 << k) != 0).map(|(_, row)| row);
            let active: Vec<&(Vec<f64>, f64)> = self.equal.iter().chain(taken).collect();
            let apply =
                |a: &[f64], b: &[f64]| -> f64 { (0..24).map(|k| a[k] * self.inverse_masses[k] * b[k]).sum() };
            let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
            let matrix = active.iter().map(|a| active.iter().map(|b| apply(&a.0, &b.0)).collect()).collect();
            let right = active.iter().map(|a| a.1 - dot(&a.0, &self.free)).collect();
            let Some(lambda) = gauss(matrix, right) else { continue };
            if lambda[self.equal.len()..].iter().any(|&l| l < -1e-9) {
                continue;
            }
            let mut v = self.free.clone();
            for (row, l) in active.iter().zip(&lambda) {
                (0..24).for_each(|k| v[k] += self.inverse_masses[k] * row.0[k] * l);
            }
            if self.least.iter().all(|(row, bound)| dot(row, &v) >= bound - 1e-9) {
                return Some(v);
            }
        }
        None
    }
}

/// Solves a small system; none where it is singular.
fn gauss(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Option<Vec<f64>> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs()))?;
        if a[pivot][k].abs() < 1e-7 {
            return None;
        }
        a.swap(k, pivot);
        b.swap(k, pivot);
        for i in k + 1..n {
            let (above, below) = a.split_at_mut(i);
            let (line, pivot) = (&mut below[0], &above[k]);
            let factor = line[k] / pivot[k];
            line.iter_mut().zip(pivot).for_each(|(to, by)| *to -= factor * by);
            b[i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        let sum: f64 = (k + 1..n).map(|j| a[k][j] * b[j]).sum();
        b[k] = (b[k] - sum) / a[k][k];
    }
    Some(b)
}

fn flat(velocities: &[Twist]) -> Vec<f64> {
    velocities[..4].iter().flat_map(|v| [v.linear.to_array(), v.angular.to_array()].concat()).collect()
}

fn far(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn frictionless_systems_have_the_velocities_of_brute_force(seed in any::<u64>()) {
        let dense = Dense::random(seed, 0.0);
        // Rows that happen to depend on each other leave it to other tests.
        let Some(expected) = dense.by_brute_force() else { return Ok(()) };
        let report = solve_system(&dense.system, &[], 0.0, &to(1e-12)).unwrap();
        prop_assert!(report.residual < 1e-8, "{report:?}");
        prop_assert!(far(&flat(&report.velocities), &expected) < 1e-6, "{report:?} {expected:?}");
        for (row, impulse) in dense.system.rows.iter().zip(&report.row_impulses) {
            prop_assert!(!row.is_limit() || *impulse >= -1e-9, "{report:?}");
        }
    }

    #[test]
    fn every_solver_of_coulombs_law_takes_nodes_and_rows(seed in any::<u64>()) {
        let dense = Dense::random(seed, 0.0);
        let Some(expected) = dense.by_brute_force() else { return Ok(()) };
        let assembled = dense.system.assemble().unwrap();
        for solver in coulomb_solvers() {
            let report = solver.solve(assembled.problem(), None, &to(1e-9));
            if report.outcome == Outcome::Solved {
                let (velocities, _) = assembled.response(&report.r);
                prop_assert!(far(&flat(&velocities), &expected) < 1e-4, "{}", solver.name());
            }
        }
    }

    #[test]
    fn with_friction_contacts_obey_coulombs_law_and_rows_their_own(seed in any::<u64>()) {
        obeys_the_laws(seed)?;
    }
}

/// Solves a random system with friction; where that is said to be solved, checks all that should hold.
fn obeys_the_laws(seed: u64) -> Result<(), TestCaseError> {
    let dense = Dense::random(seed, 0.6);
    let report = solve_system(&dense.system, &[], 0.0, &to(1e-10)).unwrap();
    prop_assume!(report.outcome == Outcome::Solved);
    let v = flat(&report.velocities);
    let dot = |a: &[f64]| -> f64 { a.iter().zip(&v).map(|(a, b)| a * b).sum() };
    for (row, target) in &dense.equal {
        prop_assert!((dot(row) - target).abs() < 1e-8);
    }
    for (row, bound) in &dense.least {
        prop_assert!(dot(row) >= bound - 1e-6);
    }
    let assembled = dense.system.assemble().unwrap();
    let mut r = assembled.local_impulses(&report.impulses);
    let limits = dense.system.rows.iter().zip(&report.row_impulses).filter(|(row, _)| row.is_limit());
    for (at, (_, &impulse)) in limits.enumerate() {
        r[3 * (dense.system.contacts.len() + at)] = impulse;
    }
    prop_assert!(law_violation(assembled.problem(), &r) < 1e-5);
    // Velocities are those that the impulses lead to.
    let (velocities, row_impulses) = assembled.response(&r);
    prop_assert!(far(&flat(&velocities), &v) < 1e-8);
    prop_assert!(far(&row_impulses, &report.row_impulses) < 1e-8);
    Ok(())
}

/// A row leaves the contact all but no way to move. One way to stick takes impulses of 1e14 N s, next to
/// which no velocity shows: that answer was once taken.
#[test]
fn impulses_beyond_all_digits_are_no_answer() {
    obeys_the_laws(7517746121338126946).unwrap();
}

#[test]
fn brute_force_answers_most_of_the_random_systems() {
    let answered = (0..300).filter(|&seed| Dense::random(seed, 0.0).by_brute_force().is_some()).count();
    assert!(answered > 270, "{answered} of 300");
}

#[test]
fn threads_change_no_bit_of_systems_with_rows() {
    let mut all = System { time_step: STEP, ..System::default() };
    for seed in 0..20 {
        let Dense { system, .. } = Dense::random(seed, 0.3);
        let first = all.nodes.len();
        let moved = |at: Attachment| match at {
            Attachment::Rigid { node, arm } => Attachment::Rigid { node: node + first, arm },
            Attachment::Point { node } => Attachment::Point { node: node + first },
            Attachment::Carried { nodes, weights } => {
                Attachment::Carried { nodes: nodes.map(|node| node + first), weights }
            }
        };
        let end = |end: RowEnd| RowEnd { at: moved(end.at), ..end };
        all.nodes.extend(&system.nodes);
        all.contacts.extend(system.contacts.iter().map(|c| Contact { a: moved(c.a), b: moved(c.b), ..*c }));
        let row = |row: &ConstraintRow| ConstraintRow { law: row.law, a: end(row.a), b: row.b.map(end) };
        all.rows.extend(system.rows.iter().map(row));
    }
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| solve_system(&all, &[], 0.0, &to(1e-9)).unwrap())
    };
    let one = on(1);
    assert_eq!(one, on(2));
    assert_eq!(one, on(4));
}
