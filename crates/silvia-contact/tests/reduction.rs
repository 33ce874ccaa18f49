//! Reduced sets of contacts, against what the whole set admits.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use proptest::prelude::*;
use silvia_contact::{
    GapRow, Keep, Node, Outcome, Settings, System, SystemSolver, Twist, reduce, solve_system,
};
use silvia_solid::{Mat3, Vec3};

fn vector(size: f64) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-1.0..1.0).prop_map(move |v| size * Vec3::from(v))
}

fn twist() -> impl Strategy<Value = Twist> {
    (vector(0.01), vector(1.0)).prop_map(|(linear, angular)| Twist { linear, angular })
}

/// Contacts of a flat patch of `n` by `n` points.
fn patch(n: i32, gap: f64) -> Vec<GapRow> {
    let at = |i: i32, j: i32| Vec3::new(f64::from(i), f64::from(j), 0.0) / f64::from(n - 1);
    (0..n * n).map(|k| GapRow { gap, normal: Vec3::Z, arms: [at(k % n, k / n), at(k % n, k / n)] }).collect()
}

#[test]
fn a_flat_patch_is_kept_by_its_corners() {
    for keep in [Keep::Velocities, Keep::Extent] {
        assert_eq!(reduce(&patch(20, 1e-3), keep), [0, 19, 380, 399]);
    }
}

#[test]
fn of_equal_contacts_the_first_is_kept() {
    let row = patch(2, 0.0)[0];
    assert_eq!(reduce(&[row; 5], Keep::Velocities), [0]);
    assert!(reduce(&[], Keep::Extent).is_empty());
}

#[test]
fn a_contact_between_two_others_that_lies_deeper_is_kept() {
    let row = |x: f64, gap: f64| GapRow { gap, normal: Vec3::Z, arms: [Vec3::new(x, 0.0, 0.0); 2] };
    assert_eq!(reduce(&[row(0.0, 0.0), row(0.5, -0.1), row(1.0, 0.0)], Keep::Velocities), [0, 1, 2]);
    assert_eq!(reduce(&[row(0.0, 0.0), row(0.5, 0.1), row(1.0, 0.0)], Keep::Velocities), [0, 2]);
}

fn rows(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<GapRow>> {
    let row = (prop::array::uniform3(-2i8..3), prop::array::uniform3(-2i8..3), 0i8..3).prop_filter_map(
        "a normal",
        |(normal, at, gap)| {
            let normal = Vec3::from(normal.map(f64::from)).try_normalize()?;
            let at = Vec3::from(at.map(f64::from));
            Some(GapRow { gap: f64::from(gap), normal, arms: [at; 2] })
        },
    );
    prop::collection::vec(row, count)
}

fn heavy(velocity: Twist) -> Node {
    Node::rigid(2.0, Mat3::from_diagonal(Vec3::new(0.5, 1.0, 1.5)), velocity, velocity)
}

/// Twice the kinetic energy of a difference of velocities, of the body above.
fn energy(a: &Twist, b: &Twist) -> f64 {
    let (l, w) = (a.linear - b.linear, a.angular - b.angular);
    2.0 * l.length_squared() + (Vec3::new(0.5, 1.0, 1.5) * w).dot(w)
}

/// The motion of the body above on a fixed one, without friction, over a step of one second.
fn admitted(rows: &[GapRow], velocity: Twist) -> Twist {
    let nodes = vec![Node::immovable(Twist::default()), heavy(velocity)];
    let contacts = rows.iter().map(|row| row.contact([0, 1], 0.0, 0.0)).collect();
    let system = System { nodes, contacts, time_step: 1.0, ..System::default() };
    let settings = Settings { tolerance: 1e-12, ..Settings::default() };
    solve_system(&system, &[], 0.0, &settings).unwrap().velocities[1]
}

proptest! {
    #[test]
    fn a_reduced_set_admits_the_same_velocities(
        rows in rows(1..25), velocities in prop::collection::vec(twist(), 40),
    ) {
        let kept = reduce(&rows, Keep::Velocities);
        for velocity in &velocities {
            let fast = Twist { linear: velocity.linear * 300.0, angular: velocity.angular * 3.0 };
            let left = |row: &GapRow| row.gap + row.rate([Twist::default(), fast]);
            if kept.iter().all(|&i| left(&rows[i]) >= 0.0) {
                prop_assert!(rows.iter().all(|row| left(row) >= -1e-8), "{kept:?} of {rows:?}");
            }
        }
    }

    /// Of many contacts those are kept that are left if each is compared with all others in turn; where some
    /// could stand for each other, others may be, but as many.
    #[test]
    fn of_many_contacts_none_is_kept_that_follows_from_others(
        rows in rows(33..150), velocities in prop::collection::vec(twist(), 40),
    ) {
        let kept = reduce(&rows, Keep::Velocities);
        prop_assert!(kept.is_sorted());
        let of_kept: Vec<GapRow> = kept.iter().map(|&i| rows[i]).collect();
        // All follow from them.
        for velocity in &velocities {
            let fast = Twist { linear: velocity.linear * 300.0, angular: velocity.angular * 3.0 };
            let left = |row: &GapRow| row.gap + row.rate([Twist::default(), fast]);
            if of_kept.iter().all(|row| left(row) >= 0.0) {
                prop_assert!(rows.iter().all(|row| left(row) >= -1e-8), "{kept:?} of {rows:?}");
            }
        }
        // None of them follows.
        for (at, row) in of_kept.iter().enumerate() {
            let mut others = of_kept.clone();
            others.remove(at);
            others.push(*row);
            prop_assert!(reduce(&others, Keep::Velocities).contains(&(others.len() - 1)), "{row:?}");
        }
    }

    /// A contact of one patch never stands for one of another.
    #[test]
    fn patches_are_reduced_each_alone(mut rows in rows(1..150)) {
        let by_patch = |normal: Vec3| {
            let of_patch = |&i: &usize| rows[i].normal == normal;
            let indices: Vec<usize> = (0..rows.len()).filter(of_patch).collect();
            let alone: Vec<GapRow> = indices.iter().map(|&i| rows[i]).collect();
            reduce(&alone, Keep::Extent).into_iter().map(|at| indices[at]).collect::<Vec<_>>()
        };
        let kept = reduce(&rows, Keep::Extent);
        let mut expected: Vec<usize> = rows.iter().flat_map(|row| by_patch(row.normal)).collect();
        expected.sort_unstable();
        expected.dedup();
        prop_assert_eq!(&kept, &expected);
        rows.reverse();
        prop_assert_eq!(reduce(&rows, Keep::Extent).len(), kept.len());
    }

    /// A projection closes nothing, to rounding, and no motion that parts what slips as it does is nearer.
    #[test]
    fn a_projected_motion_is_the_nearest_that_closes_nothing(
        rows in rows(1..40), velocity in twist(), others in prop::collection::vec(twist(), 60),
        friction in prop::sample::select(vec![0.0, 0.3, 1.0]), near in prop::sample::select(vec![0.0, 0.01]),
    ) {
        let velocity = Twist { linear: velocity.linear * 300.0, angular: velocity.angular * 3.0 };
        let nodes = vec![Node::immovable(Twist::default()), heavy(velocity)];
        let contacts = rows.iter().map(|row| row.contact([0, 1], friction, 0.0)).collect();
        let system = System { nodes, contacts, time_step: 1.0, ..System::default() };
        let mut solver = SystemSolver::default();
        let report = solver.project(&system, 60, near).unwrap();
        prop_assert_eq!(report.outcome, Outcome::Solved);
        let found = report.velocities[1];
        let slip = |row: &GapRow, twist: Twist| {
            let at = twist.linear + twist.angular.cross(row.arms[1]);
            (at - at.dot(row.normal) * row.normal).length()
        };
        let opening = |row: &GapRow, twist: Twist| row.gap + row.rate([Twist::default(), twist]);
        for row in &rows {
            prop_assert!(opening(row, found) >= -1e-11, "{found:?}");
        }
        let best = energy(&found, &velocity);
        for other in others {
            let other = Twist {
                linear: found.linear + other.linear * 50.0,
                angular: found.angular + other.angular * 0.5,
            };
            if rows.iter().all(|row| opening(row, other) >= friction * slip(row, other)) {
                prop_assert!(energy(&other, &velocity) >= best - near * best - 1e-3 * (1e-3 + best));
            }
        }
        // Rest is among them.
        prop_assert!(best <= energy(&Twist::default(), &velocity) * (1.0 + near + 1e-6));
    }

    /// Without friction the velocities are the nearest admissible ones, by kinetic energy (Gauss).
    #[test]
    fn frictionless_contacts_give_the_nearest_admissible_motion(
        rows in rows(1..12), velocity in twist(), others in prop::collection::vec(twist(), 60),
    ) {
        let velocity = Twist { linear: velocity.linear * 300.0, angular: velocity.angular * 3.0 };
        // Gaps are not negative, so that standing still is admissible.
        let found = admitted(&rows, velocity);
        let is_admitted = |twist: Twist, by: f64| {
            rows.iter().all(|row| row.gap + row.rate([Twist::default(), twist]) >= -by)
        };
        prop_assert!(is_admitted(found, 1e-6), "{found:?}");
        let best = energy(&found, &velocity);
        for other in others {
            let other = Twist {
                linear: found.linear + other.linear * 50.0,
                angular: found.angular + other.angular * 0.5,
            };
            if is_admitted(other, 0.0) {
                prop_assert!(energy(&other, &velocity) >= best - 1e-6 * (1.0 + best));
            }
        }
        // The reduced set leads to the same motion.
        let kept: Vec<GapRow> = reduce(&rows, Keep::Velocities).into_iter().map(|i| rows[i]).collect();
        let reduced = admitted(&kept, velocity);
        prop_assert!(energy(&found, &reduced).sqrt() < 1e-5, "{found:?} {reduced:?}");
    }
}
