//! Random problems: with planted solutions, against a conic solver, on several threads, and from published
//! files.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettingsBuilder, DefaultSolver, IPSolver, SolverStatus, SupportedConeT};
use std::collections::BTreeMap;
use std::path::PathBuf;

use common::{beside, coulomb_solvers, law_violation, to};
use seeded::Random;
use silvia_contact::samples::{Pile, chain, grid, pile};
use silvia_contact::solvers::{Auto, GaussSeidel, NAMES, by_name};
use silvia_contact::{ContactProblem, Outcome, Report, Solver, from_json, residual};

/// A problem with a known solution of sticking, sliding and open contacts.
fn planted(random: &mut Random) -> ContactProblem {
    let contacts = 1 + (random.bits() % 8) as usize;
    let size = 3 * contacts;
    let rank = 1 + (random.bits() % (2 * size as u64)) as usize;
    let g: Vec<Vec<f64>> =
        (0..rank).map(|_| (0..size).map(|_| 2.0 * random.unit() - 1.0).collect()).collect();
    let (mut rows, mut columns, mut values) = (Vec::new(), Vec::new(), Vec::new());
    let mut w = vec![0.0; size * size];
    for i in 0..size {
        for j in 0..size {
            w[i * size + j] = g.iter().map(|line| line[i] * line[j]).sum();
            rows.push(i);
            columns.push(j);
            values.push(w[i * size + j]);
        }
    }
    let mut q = vec![0.0; size];
    let mut r = vec![0.0; size];
    let mut mu = Vec::new();
    for contact in 0..contacts {
        let friction = random.unit();
        let (angle, normal, speed) = (std::f64::consts::TAU * random.unit(), random.unit(), random.unit());
        let at = 3 * contact;
        match random.bits() % 3 {
            0 => {
                r[at..at + 3].copy_from_slice(&[
                    normal,
                    0.9 * friction * normal * angle.cos(),
                    0.9 * friction * normal * angle.sin(),
                ]);
            }
            1 => {
                let full = friction * normal;
                r[at..at + 3].copy_from_slice(&[normal, -full * angle.cos(), -full * angle.sin()]);
                q[at..at + 3].copy_from_slice(&[0.0, speed * angle.cos(), speed * angle.sin()]);
            }
            _ => q[at..at + 3].copy_from_slice(&[speed, angle.cos(), angle.sin()]),
        }
        mu.push(friction);
    }
    for i in 0..size {
        q[i] -= (0..size).map(|j| w[i * size + j] * r[j]).sum::<f64>();
    }
    ContactProblem::from_triplets(&rows, &columns, &values, q, mu).unwrap()
}

/// What each solver must solve of random problems, of low rank as often as not, in per cent.
const SHARES: [(&str, usize); 5] =
    [("auto", 99), ("proximal", 99), ("gauss-seidel", 95), ("admm", 95), ("fischer", 88)];

#[test]
fn planted_problems_are_solved_and_no_success_is_false() {
    let mut random = Random::new(42);
    let mut solved: BTreeMap<&str, usize> = BTreeMap::new();
    let trials = 150;
    for trial in 0..trials {
        let problem = planted(&mut random);
        for solver in coulomb_solvers() {
            let settings = silvia_contact::Settings { max_iterations: Some(5000), ..to(1e-8) };
            let report = solver.solve(&problem, None, &settings);
            if report.outcome == Outcome::Solved {
                let violation = law_violation(&problem, &report.r) / problem.scale();
                // The natural map bounds each condition up to a factor that W's size enters.
                assert!(violation < 1e-5, "{} on {trial}: {violation:e}", solver.name());
                *solved.entry(solver.name()).or_default() += 1;
            } else {
                // A solution is planted, so none may be denied.
                let denied = matches!(report.outcome, Outcome::NoSolution | Outcome::Unbounded);
                assert!(!denied, "{} on {trial}: {:?}", solver.name(), report.outcome);
            }
        }
    }
    // The least that each must solve, in per cent.
    for (name, least) in SHARES {
        let share = 100 * solved.get(name).copied().unwrap_or(0) / trials;
        assert!(share >= least, "{name} solved {share} % of the problems, less than {least} %: {solved:?}");
    }
}

#[test]
fn piles_are_solved_by_auto() {
    for seed in 0..6 {
        for (friction, mass_ratio) in [(0.3, 1.0), (0.8, 1e2), (0.0, 1e4)] {
            let stones = Pile { side: 2, layers: 3, points: 3, friction, mass_ratio, agitation: 0.3 };
            let mut random = Random::new(seed);
            let system = pile(&stones, || random.unit());
            let problem = system.assemble().unwrap().problem().clone();
            let report = Auto.solve(&problem, None, &to(1e-8));
            assert_eq!(report.outcome, Outcome::Solved, "{stones:?}, seed {seed}: {}", report.residual);
        }
    }
}

/// Normal velocities of the frictionless problem by an interior-point conic solver.
fn clarabel_velocities(problem: &ContactProblem) -> Vec<f64> {
    let n = problem.contacts();
    let (mut rows, mut columns, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for i in 0..n {
        for j in i..n {
            if let Some(block) = problem.w().get(i, j) {
                rows.push(i);
                columns.push(j);
                values.push(block[0]);
            }
        }
    }
    let p = CscMatrix::new_from_triplets(n, n, rows, columns, values);
    let q: Vec<f64> = (0..n).map(|c| problem.q()[3 * c]).collect();
    let mut a = CscMatrix::<f64>::identity(n);
    a.nzval.iter_mut().for_each(|v| *v = -1.0);
    let settings = DefaultSettingsBuilder::default()
        .verbose(false)
        .tol_gap_abs(1e-12)
        .tol_gap_rel(1e-12)
        .tol_feas(1e-12)
        .build()
        .unwrap();
    let cones = [SupportedConeT::NonnegativeConeT(n)];
    let mut solver = DefaultSolver::new(&p, &q, &a, &vec![0.0; n], &cones, settings).unwrap();
    solver.solve();
    let status = solver.solution.status;
    let good = [SolverStatus::Solved, SolverStatus::AlmostSolved];
    assert!(good.contains(&status), "the conic solver itself failed: {status:?}");
    let f: Vec<f64> = solver.solution.x.clone();
    (0..n)
        .map(|i| q[i] + (0..n).filter_map(|j| problem.w().get(i, j).map(|b| b[0] * f[j])).sum::<f64>())
        .collect()
}

#[test]
fn frictionless_velocities_agree_with_a_conic_solver() {
    for seed in 0..12 {
        let stones = Pile { side: 2, layers: 2, points: 4, friction: 0.0, mass_ratio: 10.0, agitation: 0.5 };
        let mut random = Random::new(seed);
        let problem = pile(&stones, || random.unit()).assemble().unwrap().problem().clone();
        let expected = clarabel_velocities(&problem);
        for name in ["auto", "proximal", "lemke"] {
            let report = by_name(name).unwrap().solve(&problem, None, &to(1e-9));
            assert_eq!(report.outcome, Outcome::Solved, "{name} on seed {seed}: {}", report.residual);
            for (contact, expected) in expected.iter().enumerate() {
                let found = report.u[3 * contact];
                assert!(
                    (found - expected).abs() < 1e-5,
                    "{name}, seed {seed}, contact {contact}: {found} {expected}"
                );
            }
        }
    }
}

/// Planted problems side by side: as many islands, of which some are hard.
fn many_islands(count: usize) -> ContactProblem {
    let mut random = Random::new(77);
    beside(&(0..count).map(|_| planted(&mut random)).collect::<Vec<_>>())
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let mut random = Random::new(3);
    let mut problems: Vec<ContactProblem> = [
        chain(1200, 0.5),
        grid(6, 8, 0.4),
        pile(
            &Pile { side: 3, layers: 2, points: 2, friction: 0.5, mass_ratio: 10.0, agitation: 1.0 },
            || random.unit(),
        ),
    ]
    .iter()
    .map(|system| system.assemble().unwrap().problem().clone())
    .collect();
    problems.push(many_islands(400));
    let run = |threads: usize| -> Vec<Vec<u64>> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut all = Vec::new();
            for problem in &problems {
                let settings = silvia_contact::Settings { max_iterations: Some(40), ..to(1e-8) };
                for report in
                    [GaussSeidel.solve(problem, None, &settings), Auto.solve(problem, None, &to(1e-8))]
                {
                    let Report { r, .. } = report;
                    all.push(r.iter().map(|v| v.to_bits()).collect());
                }
            }
            all
        })
    };
    let one = run(1);
    assert_eq!(one, run(2));
    assert_eq!(one, run(4));
}

#[test]
fn every_solver_is_finite_and_honest_on_hard_piles() {
    for seed in 0..3 {
        let stones = Pile { side: 2, layers: 2, points: 2, friction: 3.0, mass_ratio: 1e6, agitation: 1.0 };
        let mut random = Random::new(seed);
        let problem = pile(&stones, || random.unit()).assemble().unwrap().problem().clone();
        for name in NAMES {
            let settings = silvia_contact::Settings { max_iterations: Some(300), ..to(1e-8) };
            let report = by_name(name).unwrap().solve(&problem, None, &settings);
            assert!(report.r.iter().chain(&report.u).all(|v| v.is_finite()), "{name}");
            assert!(!report.residual.is_nan());
            let coulomb = by_name(name).unwrap().law() == silvia_contact::Law::Coulomb;
            if coulomb && report.outcome == Outcome::Solved {
                assert!(residual(&problem, &report.r) <= 1e-8, "{name}");
            }
        }
    }
}

#[test]
fn a_warm_start_is_taken_and_a_bad_one_ignored() {
    let system = grid(4, 4, 0.5);
    let assembled = system.assemble().unwrap();
    let problem = assembled.problem();
    let cold = Auto.solve(problem, None, &to(1e-8));
    let warm = Auto.solve(problem, Some(&cold.r), &to(1e-8));
    assert_eq!(warm.outcome, Outcome::Solved);
    assert!(warm.iterations < cold.iterations, "{} against {}", warm.iterations, cold.iterations);
    let nonsense = vec![f64::NAN; problem.q().len()];
    assert_eq!(Auto.solve(problem, Some(&nonsense), &to(1e-8)).r, cold.r);
}

/// The published problems: in the folder that `SILVIA_CONTACT_PROBLEMS` names, else beside the repository.
fn published() -> Option<PathBuf> {
    match std::env::var("SILVIA_CONTACT_PROBLEMS") {
        Ok(folder) => Some(folder.into()),
        Err(_) => {
            let beside =
                PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/contact-problems");
            beside.is_dir().then_some(beside)
        }
    }
}

/// How many problems are published.
const PUBLISHED: usize = 17;

#[test]
fn published_problems_are_solved_to_1e_8() {
    let Some(folder) = published() else {
        eprintln!(
            "SKIPPED: the published contact problems are not beside the repository; \
             set SILVIA_CONTACT_PROBLEMS to a folder of them"
        );
        return;
    };
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "json"));
    files.sort();
    assert!(files.len() >= PUBLISHED, "only {} of {PUBLISHED} problems are there", files.len());
    for file in &files {
        let named = from_json(&std::fs::read_to_string(file).unwrap()).unwrap();
        for tolerance in [1e-4, 1e-8] {
            let report = Auto.solve(&named.problem, None, &to(tolerance));
            assert_eq!(report.outcome, Outcome::Solved, "{} at {tolerance}: {}", named.name, report.residual);
            // By the natural map written out here, not by the crate's.
            let judged = common::natural_residual(&named.problem, &report.r);
            assert!(judged <= tolerance * (1.0 + 1e-6), "{} at {tolerance}: {judged:e}", named.name);
        }
    }
}
