//! Lemke's method on redundant and degenerate contacts that have a solution: it finds one, and never cycles.
//!
//! Half of the trials are complementarity problems of low rank with repeated columns and small whole numbers, so that
//! ties abound; a solution is planted, so one exists. The others are boxes at rest on repeated corner contacts, with and
//! without friction, whose weight must be carried.

use crate::random::Random;
use silvia::contact::samples::{GRAVITY, TIME_STEP, add_box, add_corners, duplicated, grounded};
use silvia::contact::solvers::Lemke;
use silvia::contact::{Outcome, Settings, Solver, Twist, lemke};
use silvia::solid::Vec3;

/// Largest violation of the conditions that a claimed solution may have, relative.
const TOLERANCE: f64 = 1e-7;

/// One trial: the largest violation of the solution, or what was wrong.
pub(crate) fn trial(random: &mut Random) -> Result<f64, String> {
    if random.whole(0, 1) == 0 { planted(random) } else { resting_box(random) }
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

fn resting_box(random: &mut Random) -> Result<f64, String> {
    let mut system = grounded();
    let boxes = random.whole(1, 2) as usize;
    let friction = random.whole(0, 2) as f64 * 0.5;
    for level in 0..boxes {
        let at = Vec3::new(0.0, 0.0, level as f64 + 0.5);
        let body = add_box(&mut system, random.whole(1, 3) as f64, Vec3::ONE, Twist::default());
        let below = if level == 0 { (0, Vec3::ZERO) } else { (body - 1, at - Vec3::Z) };
        add_corners(&mut system, below, (body, at), Vec3::ONE, friction);
    }
    let system = duplicated(&system, random.whole(1, 2) as usize);
    let assembled = system.assemble().map_err(|e| e.to_string())?;
    let report = Lemke::new(4).solve(assembled.problem(), None, &Settings::default());
    match report.outcome {
        Outcome::Solved => {
            let (velocities, _) = assembled.response(&report.r);
            let moving =
                velocities.iter().map(|v| v.linear.length().max(v.angular.length())).fold(0.0, f64::max);
            let error = moving / (GRAVITY * TIME_STEP);
            if error <= TOLERANCE {
                Ok(error)
            } else {
                Err(format!("not at rest: {error:e}, friction {friction}"))
            }
        }
        Outcome::OutOfBudget => Err(format!("cycled: {boxes} boxes, friction {friction}")),
        other => Err(format!("{other:?}, but the boxes can rest: {boxes} boxes, friction {friction}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_of_trials_passes() {
        for number in 0..400 {
            trial(&mut Random::new(1, number)).unwrap();
        }
    }

    #[test]
    fn a_wrong_solution_shows() {
        assert!(violation(&[1.0], &[-1.0], &[0.5]) > 0.4);
        assert_eq!(violation(&[1.0], &[-1.0], &[1.0]), 0.0);
    }
}
