//! Lemke's method on redundant and degenerate contacts that have a solution: it finds one, and never cycles.
//!
//! Half of the trials are complementarity problems of low rank with repeated columns and small whole numbers,
//! so that ties abound; a solution is planted, so one exists. The others are heaps of bodies with random
//! masses, velocities, points, normals, friction and facets, most of them with every contact repeated; their
//! answers are held against the law of the friction pyramid, written out here.

use seeded::Random;
use silvia::contact::samples::{add_box, add_contact, duplicated, grounded};
use silvia::contact::solvers::Lemke;
use silvia::contact::{ContactProblem, Outcome, Settings, Solver, Twist, lemke};
use silvia::solid::Vec3;

/// Largest violation of the conditions that a claimed solution may have, relative.
const TOLERANCE: f64 = 1e-7;

/// One trial: the largest violation of the solution, or what was wrong.
pub(crate) fn trial(random: &mut Random) -> Result<f64, String> {
    if random.whole(0, 1) == 0 { planted(random) } else { heap(random) }
}

fn planted(random: &mut Random) -> Result<f64, String> {
    let size = random.whole(2, 16) as usize;
    let rank = random.whole(1, 4) as usize;
    let mut g = vec![vec![0.0; size]; rank];
    for column in 0..size {
        let copied = column > 0 && random.whole(0, 9) < 4;
        let source = random.whole(0, column.max(1) as u64 - 1) as usize;
        for line in &mut g {
            line[column] = if copied { line[source] } else { random.whole(0, 4) as f64 - 2.0 };
        }
    }
    let m: Vec<f64> =
        (0..size * size).map(|at| g.iter().map(|line| line[at / size] * line[at % size]).sum()).collect();
    let z: Vec<f64> =
        (0..size).map(|_| if random.whole(0, 1) == 0 { random.whole(0, 2) as f64 } else { 0.0 }).collect();
    let q: Vec<f64> = (0..size)
        .map(|i| {
            let w = if z[i] == 0.0 { random.whole(0, 2).saturating_sub(1) as f64 } else { 0.0 };
            w - (0..size).map(|j| m[i * size + j] * z[j]).sum::<f64>()
        })
        .collect();
    let found = lemke(&m, &q, &Settings::default());
    match found.outcome {
        Outcome::Solved => {
            let error = violation(&m, &q, &found.z);
            if error <= TOLERANCE { Ok(error) } else { Err(format!("off by {error:e}: {m:?} {q:?}")) }
        }
        Outcome::OutOfBudget => Err(format!("cycled: {m:?} {q:?}")),
        other => Err(format!("{other:?}, but there is a solution: {m:?} {q:?}")),
    }
}

/// Largest of `-z`, `-w` and `min(z, w)`, relative to `q`.
fn violation(m: &[f64], q: &[f64], z: &[f64]) -> f64 {
    let size = q.len();
    let mut worst = 0.0_f64;
    for i in 0..size {
        let w = q[i] + (0..size).map(|j| m[i * size + j] * z[j]).sum::<f64>();
        worst = worst.max(-z[i]).max(-w).max(z[i].min(w));
    }
    worst / q.iter().fold(1.0, |s: f64, v| s.max(v.abs()))
}

/// Bodies on the ground and on each other at random points, normals, velocities and friction, with repeated
/// contacts; the friction pyramid has 3 to 8 facets. Normals lean by less than a right angle from the
/// vertical, and supports lie below: lifting all bodies is a way out, so that a solution exists.
fn heap(random: &mut Random) -> Result<f64, String> {
    let mut system = grounded();
    let bodies = random.whole(1, 2) as usize;
    let facets = random.whole(3, 8) as usize;
    let frictionless = random.whole(0, 3) == 0;
    for level in 0..bodies {
        let at = Vec3::new(0.0, 0.0, level as f64 + 0.5);
        let velocity = Twist { linear: random.vector(1.0), angular: random.vector(1.0) };
        let size = Vec3::ONE + random.vector(0.5);
        let body = add_box(&mut system, random.between(0.5, 20.0), size, velocity);
        let (below, below_at) = if level == 0 { (0, Vec3::ZERO) } else { (body - 1, at - Vec3::Z) };
        for _ in 0..random.whole(1, 3) {
            let point = at - 0.5 * Vec3::Z + random.vector(0.4);
            let normal = (Vec3::Z + random.vector(0.5)).normalize();
            let friction = if frictionless { 0.0 } else { random.between(0.0, 1.0) };
            add_contact(&mut system, below, below_at, body, at, point, normal, friction);
        }
    }
    let system = duplicated(&system, random.whole(1, 2) as usize);
    let assembled = system.assemble().map_err(|e| e.to_string())?;
    let problem = assembled.problem();
    let report = Lemke::new(facets).solve(problem, None, &Settings::default());
    let what = || format!("{bodies} bodies, {} contacts, {facets} facets", problem.contacts());
    match report.outcome {
        Outcome::Solved => {
            let error = pyramid_violation(problem, &report.r, facets);
            if error <= TOLERANCE { Ok(error) } else { Err(format!("off by {error:e}: {}", what())) }
        }
        Outcome::OutOfBudget => Err(format!("cycled: {}", what())),
        other => Err(format!("{other:?}, but there is a solution: {}", what())),
    }
}

/// Largest violation of unilateral contact and of friction by a pyramid, condition by condition, relative to
/// the largest free velocity; impulses count as the velocities that they give their own contact.
fn pyramid_violation(problem: &ContactProblem, r: &[f64], facets: usize) -> f64 {
    let mut u = problem.q().to_vec();
    for (row, column, value) in problem.w().triplets() {
        u[row] += value * r[column];
    }
    let speed = problem.q().iter().fold(f64::MIN_POSITIVE, |m, q| m.max(q.abs()));
    let angle = |facet: f64| std::f64::consts::TAU * facet / facets as f64;
    let mut worst = 0.0_f64;
    for (contact, &mu) in problem.mu().iter().enumerate() {
        let (r, u) = (&r[3 * contact..3 * contact + 3], &u[3 * contact..3 * contact + 3]);
        let answer = problem.w().diagonal(contact)[0];
        let pressed = answer * r[0];
        worst = worst.max(-pressed).max(-u[0]).max(pressed.min(u[0]));
        // Inside each facet of the pyramid: its distance from the axis is mu r_N cos(half the angle between
        // corners).
        let apothem = mu * r[0] * angle(0.5).cos();
        let mut least_power = f64::INFINITY;
        for facet in 0..facets {
            let (sin, cos) = angle(facet as f64 + 0.5).sin_cos();
            worst = worst.max(answer * (cos * r[1] + sin * r[2] - apothem));
            let (sin, cos) = angle(facet as f64).sin_cos();
            least_power = least_power.min(mu * r[0] * (cos * u[1] + sin * u[2]));
        }
        // Of all impulses in the pyramid, the one that takes most power from the slip.
        let power = r[1] * u[1] + r[2] * u[2];
        if mu > 0.0 {
            worst = worst.max(answer * (power - least_power) / speed);
        }
    }
    worst / speed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_of_trials_passes() {
        for number in 0..400 {
            trial(&mut crate::random::of_trial(1, number)).unwrap();
        }
    }

    #[test]
    fn a_wrong_answer_by_the_pyramid_shows() {
        let at = [0, 1, 2];
        let q = vec![-1.0, 2.0, 0.0];
        let problem = ContactProblem::from_triplets(&at, &at, &[1.0; 3], q, vec![0.5]).unwrap();
        // Sliding along a corner of the pyramid: r_T = -mu r_N along the slip.
        assert!(pyramid_violation(&problem, &[1.0, -0.5, 0.0], 4) < 1e-15);
        for wrong in [[0.9, -0.45, 0.0], [1.0, -0.6, 0.0], [1.0, -0.4, 0.0], [1.0, 0.0, 0.5], [0.0; 3]] {
            assert!(pyramid_violation(&problem, &wrong, 4) > 0.03, "{wrong:?}");
        }
    }

    #[test]
    fn a_wrong_solution_shows() {
        assert!(violation(&[1.0], &[-1.0], &[0.5]) > 0.4);
        assert_eq!(violation(&[1.0], &[-1.0], &[1.0]), 0.0);
    }
}
