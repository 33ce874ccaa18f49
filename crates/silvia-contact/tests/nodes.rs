//! Mass nodes, attachments and rows with a law, against analytic answers.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use common::to;
use proptest::prelude::*;
use silvia_contact::samples::{add_box, add_corners, grounded};
use silvia_contact::{
    Attachment, ConstraintRow, Contact, MassMatrix, Node, Outcome, RowEnd, RowLaw, Settings, System,
    SystemError, SystemSolver, Twist, solve_system,
};
use silvia_solid::{Mat3, Vec3};

const STEP: f64 = 0.01;
const GRAVITY: f64 = 9.81;

fn linear(linear: Vec3) -> Twist {
    Twist { linear, angular: Vec3::ZERO }
}

fn ground() -> Node {
    Node::immovable(Twist::default())
}

/// A contact that touches, without rebound.
fn touching(a: Attachment, b: Attachment, normal: Vec3, friction: f64) -> Contact {
    Contact { a, b, normal, gap: 0.0, friction, restitution: 0.0, slip: Vec3::ZERO }
}

fn solved(system: &System) -> silvia_contact::SystemReport {
    let report = solve_system(system, &[], 0.0, &to(1e-11)).unwrap();
    assert_eq!(report.outcome, Outcome::Solved, "{report:?}");
    report
}

/// A uniform rod of 2 kg and 1 m lies along x: its left end hangs on a ball joint, its right end on the
/// ground.
fn pendulum(friction: f64) -> System {
    let (mass, half) = (2.0, 0.5);
    let inertia = Mat3::from_diagonal(Vec3::new(1e-3, mass / 12.0, mass / 12.0));
    let fall = linear(Vec3::new(0.0, 0.0, -GRAVITY * STEP));
    let left = Attachment::rigid(1, Vec3::new(-half, 0.0, 0.0));
    let right = Attachment::rigid(1, Vec3::new(half, 0.0, 0.0));
    let (pivot, floor) = (Vec3::new(-half, 0.0, 0.0), Vec3::new(half, 0.0, 0.0));
    System {
        nodes: vec![ground(), Node::rigid(mass, inertia, Twist::default(), fall)],
        contacts: vec![touching(Attachment::rigid(0, floor), right, Vec3::Z, friction)],
        rows: ConstraintRow::ball(Attachment::rigid(0, pivot), left).to_vec(),
        time_step: STEP,
    }
}

#[test]
fn a_pendulum_that_rests_on_the_ground_shares_its_weight_with_its_joint() {
    for friction in [0.0, 0.5] {
        let system = pendulum(friction);
        let half_weight = 0.5 * 2.0 * GRAVITY * STEP;
        let report = solved(&system);
        assert!((report.impulses[0].z - half_weight).abs() < 1e-9, "{report:?}");
        assert!((report.row_impulses[2] - half_weight).abs() < 1e-9, "{report:?}");
        assert!(report.velocities[1].linear.length() < 1e-9 && report.velocities[1].angular.length() < 1e-9);
        let mut solver = SystemSolver::default();
        let swept = solver.sweep(&system, &[], &[1e-5], 20).unwrap();
        assert_eq!(swept.outcome, Outcome::Solved);
        assert!((swept.impulses[0].z - half_weight).abs() < 1e-5);
    }
}

#[test]
fn a_joint_without_contacts_is_solved_too() {
    let mut system = pendulum(0.0);
    system.contacts.clear();
    let report = solved(&system);
    // A rod that starts to fall about its end: the end stays, the centre gets 3/4 of gravity's velocity.
    let expected = -0.75 * GRAVITY * STEP;
    assert!((report.velocities[1].linear.z - expected).abs() < 1e-12, "{report:?}");
    assert!((report.row_impulses[2] - 2.0 * (GRAVITY * STEP + expected)).abs() < 1e-12);
}

#[test]
fn a_limit_that_just_closes_takes_no_impulse() {
    let slider = |play: f64| {
        let stop = ConstraintRow {
            law: RowLaw::Limit { bound: -play / STEP },
            a: RowEnd { at: Attachment::point(0), force: Vec3::X, torque: Vec3::ZERO },
            b: None,
        };
        let node = Node::point(3.0, -Vec3::X, -Vec3::X);
        System { nodes: vec![node], contacts: Vec::new(), rows: vec![stop], time_step: STEP }
    };
    for (play, velocity) in [(0.02, -1.0), (0.01, -1.0), (0.005, -0.5), (0.0, 0.0), (-0.01, 1.0)] {
        let report = solved(&slider(play));
        assert!((report.velocities[0].linear.x - velocity).abs() < 1e-9, "{play}: {report:?}");
        assert!((report.row_impulses[0] - 3.0 * (velocity + 1.0)).abs() < 1e-9, "{play}: {report:?}");
    }
}

#[test]
fn a_drive_reaches_its_speed_and_pushes_back() {
    let mut system = grounded();
    let a = add_box(&mut system, 1.0, Vec3::ONE, Twist::default());
    let b = add_box(&mut system, 2.0, Vec3::ONE, Twist::default());
    system.rows.push(ConstraintRow::about(a, b, Vec3::Z, RowLaw::Bilateral { target: 3.0 }));
    let report = solved(&system);
    let [spin_a, spin_b] = [a, b].map(|node| report.velocities[node].angular.z);
    assert!((spin_b - spin_a - 3.0).abs() < 1e-12);
    // Inertias are m / 6: angular momenta cancel.
    assert!((spin_a / 6.0 + 2.0 * spin_b / 6.0).abs() < 1e-12);
    assert!((report.row_impulses[0] - 2.0 * spin_b / 6.0).abs() < 1e-12);
}

#[test]
fn a_triangle_of_particles_shares_the_impulse_by_its_weights() {
    let masses = [0.2, 0.5, 1.0];
    let weights = [0.5, 0.3, 0.2];
    let mut nodes: Vec<Node> = masses.map(|m| Node::point(m, Vec3::ZERO, Vec3::ZERO)).to_vec();
    let fall = linear(-Vec3::Z);
    nodes.push(Node::rigid(4.0, Mat3::IDENTITY, fall, fall));
    let carried = Attachment::carried([0, 1, 2], weights);
    // Under the box's centre, so that it does not turn.
    let below = Attachment::rigid(3, Vec3::new(0.0, 0.0, -0.5));
    let contacts = vec![touching(carried, below, Vec3::Z, 0.4)];
    let system = System { nodes, contacts, rows: Vec::new(), time_step: STEP };
    let answer: f64 = 1.0 / 4.0 + masses.iter().zip(weights).map(|(m, w)| w * w / m).sum::<f64>();
    let impulse = 1.0 / answer;
    let report = solved(&system);
    assert!((report.impulses[0] - impulse * Vec3::Z).length() < 1e-8, "{report:?}");
    for (k, (mass, weight)) in masses.into_iter().zip(weights).enumerate() {
        assert!((report.velocities[k].linear.z + weight * impulse / mass).abs() < 1e-8, "{report:?}");
        assert_eq!(report.velocities[k].angular, Vec3::ZERO);
    }
    let momentum =
        |v: &[Twist]| -> Vec3 { masses.iter().chain(&[4.0]).zip(v).map(|(&m, v)| m * v.linear).sum() };
    assert!((momentum(&report.velocities) + 4.0 * Vec3::Z).length() < 1e-12);
}

#[test]
fn a_molecule_that_is_stuck_to_a_box_moves_with_its_point() {
    let mut system = grounded();
    let spin = Twist { linear: Vec3::X, angular: Vec3::new(0.3, -0.7, 2.0) };
    let block = add_box(&mut system, 2.0, Vec3::ONE, spin);
    system.nodes.push(Node::point(0.5, Vec3::ZERO, Vec3::ZERO));
    let arm = Vec3::new(0.5, 0.2, -0.1);
    system.rows.extend(ConstraintRow::ball(Attachment::rigid(block, arm), Attachment::point(2)));
    let report = solved(&system);
    let v = report.velocities[block];
    let at_point = v.linear + v.angular.cross(arm);
    assert!((at_point - report.velocities[2].linear).length() < 1e-12);
    // Linear momentum is that of the free box; angular momentum about its centre, too.
    let free = spin.linear + Vec3::new(0.0, 0.0, -GRAVITY * STEP);
    let momentum = 2.0 * v.linear + 0.5 * report.velocities[2].linear;
    assert!((momentum - 2.0 * free).length() < 1e-12);
    let turning = v.angular * 2.0 / 6.0 + arm.cross(0.5 * report.velocities[2].linear);
    assert!((turning - spin.angular * 2.0 / 6.0).length() < 1e-12);
}

#[test]
fn rows_join_groups_that_do_not_touch() {
    // Two boxes on the ground side by side; the first is pushed up, and takes the second along by a rope.
    let mut system = grounded();
    let lift = Twist { linear: Vec3::new(0.0, 0.0, 1.0), angular: Vec3::ZERO };
    let centres = [Vec3::new(0.0, 0.0, 0.5), Vec3::new(3.0, 0.0, 0.5)];
    for (centre, velocity) in centres.into_iter().zip([lift, Twist::default()]) {
        let node = add_box(&mut system, 1.0, Vec3::ONE, velocity);
        add_corners(&mut system, (0, Vec3::ZERO), (node, centre), Vec3::ONE, 0.5);
    }
    // It forbids the first to rise faster than the second.
    let [a, b] = [1, 2].map(|node| Attachment::rigid(node, Vec3::ZERO));
    system.rows.push(ConstraintRow::along(a, b, Vec3::Z, RowLaw::Limit { bound: 0.0 }));
    let report = solved(&system);
    let rise = 0.5 * (1.0 - 2.0 * GRAVITY * STEP);
    for node in [1, 2] {
        assert!((report.velocities[node].linear.z - rise).abs() < 1e-8, "{report:?}");
    }
    assert!((report.row_impulses[0] - (rise + GRAVITY * STEP)).abs() < 1e-8);
    assert!(report.impulses.iter().all(|i| i.length() < 1e-8));
}

/// A square of four rods joined at the corners by hinges: a closed loop, with rows that repeat each other.
#[test]
fn a_closed_loop_of_hinges_rests_on_the_ground() {
    let mut system = grounded();
    let size = Vec3::new(1.0, 0.1, 0.1);
    let corner = |k: usize| [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)][k % 4];
    let at = |k: usize| Vec3::new(corner(k).0, corner(k).1, 0.05);
    let centre = |k: usize| 0.5 * (at(k) + at(k + 1));
    for _ in 0..4 {
        add_box(&mut system, 1.0, size, Twist::default());
    }
    for k in 0..4 {
        let (this, next) = (1 + k, 1 + (k + 1) % 4);
        let joint = at(k + 1);
        let [a, b] =
            [(this, k), (next, (k + 1) % 4)].map(|(node, k)| Attachment::rigid(node, joint - centre(k)));
        system.rows.extend(ConstraintRow::ball(a, b));
        for axis in [Vec3::X, Vec3::Y] {
            system.rows.push(ConstraintRow::no_rotation(this, next, axis));
        }
        let point = joint - 0.05 * Vec3::Z;
        let below = Attachment::rigid(0, point);
        let foot = Attachment::rigid(this, point - centre(k));
        system.contacts.push(touching(below, foot, Vec3::Z, 0.5));
    }
    let report = solved(&system);
    let carried: f64 = report.impulses.iter().map(|i| i.z).sum();
    assert!((carried - 4.0 * GRAVITY * STEP).abs() < 1e-8, "{report:?}");
    assert!(report.velocities.iter().all(|v| v.linear.length() < 1e-8 && v.angular.length() < 1e-8));
}

#[test]
fn rows_that_contradict_each_other_are_refused_by_the_default_solver_too() {
    let mut system = pendulum(0.5);
    system.nodes.push(Node::point(1.0, Vec3::ZERO, Vec3::ZERO));
    let free = Attachment::point(2);
    let push = |target| {
        ConstraintRow::along(Attachment::rigid(0, Vec3::ZERO), free, Vec3::X, RowLaw::Bilateral { target })
    };
    system.rows.extend([push(0.0), push(1.0)]);
    let error = solve_system(&system, &[], 0.0, &Settings::default()).unwrap_err();
    assert!(matches!(error, SystemError::ContradictoryRows { row: 3, .. }), "{error}");
}

#[test]
fn bad_nodes_attachments_and_rows_are_refused_by_name() {
    let refused = |change: fn(&mut System)| {
        let mut system = pendulum(0.5);
        system.nodes.push(Node::point(1.0, Vec3::ZERO, Vec3::ZERO));
        change(&mut system);
        let error = system.assemble().unwrap_err().to_string();
        let by_default = solve_system(&system, &[], 0.0, &Settings::default()).unwrap_err();
        assert_eq!(by_default.to_string(), error);
        error
    };
    assert!(refused(|s| s.nodes[2] = Node::point(-1.0, Vec3::ZERO, Vec3::ZERO)).contains("node 2: mass"));
    assert!(refused(|s| s.nodes[2] = Node::point(f64::NAN, Vec3::ZERO, Vec3::ZERO)).contains("node 2: mass"));
    assert!(refused(|s| s.nodes[2] = Node::point(1.0, Vec3::NAN, Vec3::ZERO)).contains("velocity is NaN"));
    assert!(refused(|s| s.contacts[0].b = Attachment::point(7)).contains("contact 0 names node 7"));
    assert!(refused(|s| s.contacts[0].b = Attachment::point(1)).contains("node 1 must be a point"));
    assert!(refused(|s| s.contacts[0].b = Attachment::rigid(2, Vec3::ZERO)).contains("node 2 must be rigid"));
    assert!(refused(|s| s.rows[1].a.at = Attachment::point(9)).contains("row 1 names node 9"));
    assert!(refused(|s| s.rows[1].a.force.x = f64::INFINITY).contains("row 1: force is inf"));
    assert!(refused(|s| s.rows[2].law = RowLaw::Limit { bound: f64::NAN }).contains("row 2: bound is NaN"));
    assert!(refused(|s| s.rows[2].law = RowLaw::Bilateral { target: f64::NAN }).contains("target is NaN"));
    assert!(
        refused(|s| s.rows[0].a = RowEnd { at: Attachment::point(2), force: Vec3::X, torque: Vec3::X })
            .contains("nothing turns a point")
    );
    assert!(
        refused(|s| s.contacts[0].a = Attachment::carried([2, 2], [0.5, 0.6]))
            .contains("weights of an attachment sum to 1.1")
    );
    assert!(refused(|s| s.contacts[0].a = Attachment::carried([2], [f64::NAN])).contains("sum to NaN"));
    assert!(
        refused(|s| s.contacts[0].a = Attachment::carried([1], [1.0])).contains("only point nodes carry")
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn a_point_is_a_rigid_node_without_arms_and_a_carried_point_of_weight_one_is_its_node(
        masses in prop::array::uniform3(0.1..10.0_f64),
        pushes in prop::array::uniform3(prop::array::uniform3(-1.0..1.0_f64)),
        friction in 0.0..1.0_f64,
    ) {
        // Three marbles in a row, the last against the ground.
        let build = |node: &dyn Fn(f64, Vec3) -> Node, at: &dyn Fn(usize) -> Attachment| {
            let mut nodes: Vec<Node> =
                masses.iter().zip(pushes).map(|(&m, v)| node(m, Vec3::from(v))).collect();
            nodes.push(ground());
            let wall = Attachment::rigid(3, Vec3::ZERO);
            let contacts = vec![
                touching(wall, at(0), Vec3::Z, friction),
                touching(at(0), at(1), Vec3::Z, friction),
                touching(at(1), at(2), Vec3::new(0.6, 0.0, 0.8), friction),
            ];
            System { nodes, contacts, rows: Vec::new(), time_step: STEP }
        };
        let point = |m: f64, v: Vec3| Node::point(m, v, v);
        let rigid = |m: f64, v: Vec3| {
            Node::rigid(m, Mat3::from_diagonal(Vec3::splat(0.3 * m)), linear(v), linear(v))
        };
        let settings = to(1e-11);
        let solve = |system: &System| solve_system(system, &[], 0.0, &settings).unwrap();
        let as_points = solve(&build(&point, &Attachment::point));
        let as_rigid = solve(&build(&rigid, &|k| Attachment::rigid(k, Vec3::ZERO)));
        let carried = solve(&build(&point, &|k| Attachment::carried([k], [1.0])));
        prop_assert_eq!(as_points.outcome, Outcome::Solved);
        for k in 0..3 {
            let v = as_points.velocities[k];
            prop_assert_eq!(v.angular, Vec3::ZERO);
            prop_assert!((v.linear - as_rigid.velocities[k].linear).length() < 1e-7);
            prop_assert!((v.linear - carried.velocities[k].linear).length() < 1e-7);
        }
    }
}

#[test]
fn a_loop_that_coasts_is_solved_step_after_step() {
    // A bar on two ball joints to the ground: six rows, of which one repeats the others. It only turns about
    // the line between them, and after the first step all rows hold but for rounding.
    let inertia = Mat3::from_diagonal(Vec3::new(0.02, 0.3, 0.4));
    let arms = [Vec3::new(0.7, 0.1, -0.2), Vec3::new(-0.3, 0.4, 0.5)];
    let mut velocity = Twist { linear: Vec3::new(0.3, -1.1, 0.7), angular: Vec3::new(2.0, -0.4, 1.3) };
    for step in 0..50 {
        let nodes = vec![Node::immovable(Twist::default()), Node::rigid(2.0, inertia, velocity, velocity)];
        let mut system = System { nodes, time_step: 0.01, ..System::default() };
        for arm in arms {
            system.rows.extend(ConstraintRow::ball(Attachment::rigid(0, arm), Attachment::rigid(1, arm)));
        }
        let report = solve_system(&system, &[], 0.0, &Settings::default());
        let report = report.unwrap_or_else(|error| panic!("step {step}: {error}"));
        assert_eq!(report.outcome, Outcome::Solved, "step {step}");
        let after = report.velocities[1];
        for arm in arms {
            assert!((after.linear + after.angular.cross(arm)).length() < 1e-12, "step {step}");
        }
        if step > 0 {
            let change = (after.linear - velocity.linear).length();
            assert!(change < 1e-12, "step {step}: {change:e}");
            let largest = report.row_impulses.iter().fold(0.0_f64, |m, r| m.max(r.abs()));
            assert!(largest < 1e-9, "step {step}: {largest:e}");
        }
        velocity = after;
    }
}

#[test]
fn a_contact_of_a_body_that_joints_hold_completely_bears_nothing() {
    for (gap, expected) in [(0.0, Outcome::Solved), (1e-3, Outcome::Solved), (-1e-3, Outcome::NoSolution)] {
        for turn in 0..20 {
            let rotation = Mat3::from_rotation_z(0.3 * f64::from(turn)) * Mat3::from_rotation_x(0.7);
            let inertia = rotation * Mat3::from_diagonal(Vec3::new(0.02, 0.3, 0.31)) * rotation.transpose();
            let falls = Twist { linear: Vec3::new(0.0, 0.0, -0.1), angular: Vec3::ZERO };
            let nodes =
                vec![Node::immovable(Twist::default()), Node::rigid(2.0, inertia, Twist::default(), falls)];
            let mut system = System { nodes, time_step: 0.01, ..System::default() };
            let arm = rotation * Vec3::new(0.2, 0.1, -0.3);
            let [on_ground, on_body] = [0, 1].map(|node| Attachment::rigid(node, arm));
            system.rows.extend(ConstraintRow::ball(on_ground, on_body));
            system
                .rows
                .extend([Vec3::X, Vec3::Y, Vec3::Z].map(|axis| ConstraintRow::no_rotation(0, 1, axis)));
            let [a, b] = [0, 1].map(|node| Attachment::rigid(node, Vec3::new(0.3, 0.0, -0.5)));
            let normal = Vec3::Z;
            system.contacts.push(Contact {
                a,
                b,
                normal,
                gap,
                friction: 0.4,
                restitution: 0.0,
                slip: Vec3::ZERO,
            });
            let report = solve_system(&system, &[], 0.0, &Settings::default()).unwrap();
            assert_eq!(report.outcome, expected, "gap {gap}, turn {turn}");
            assert!(report.impulses[0].length() < 1e-6, "gap {gap}, turn {turn}: {}", report.impulses[0]);
            assert!(report.velocities[1].linear.length() < 1e-12);
        }
    }
}

#[test]
fn what_was_wrong_with_an_earlier_system_is_not_said_of_the_next() {
    let ground = Node::immovable(Twist::default());
    let ball = Node::point(1.0, Vec3::ZERO, Vec3::new(0.0, 0.0, -0.1));
    let mut broken = System { nodes: vec![ground, ball, ball], time_step: 0.01, ..System::default() };
    for node in [1, 2] {
        for target in [0.0, 1.0] {
            let law = RowLaw::Bilateral { target };
            let row =
                ConstraintRow::along(Attachment::rigid(0, Vec3::ZERO), Attachment::point(node), Vec3::Z, law);
            broken.rows.push(row);
        }
    }
    let mut sound = System { rows: Vec::new(), ..broken.clone() };
    for node in [1, 2] {
        let (a, b) = (Attachment::rigid(0, Vec3::ZERO), Attachment::point(node));
        sound.contacts.push(Contact {
            a,
            b,
            normal: Vec3::Z,
            gap: 0.0,
            friction: 0.0,
            restitution: 0.0,
            slip: Vec3::ZERO,
        });
    }
    let mut solver = SystemSolver::default();
    assert!(solver.solve(&broken, &[], 0.0, &Settings::default()).is_err());
    for _ in 0..2 {
        let report = solver.solve(&sound, &[], 0.0, &Settings::default()).unwrap();
        assert_eq!(report.outcome, Outcome::Solved);
    }
}

#[test]
fn rows_that_nodes_nothing_moves_do_not_keep_are_not_called_solved() {
    let belt = Node::immovable(Twist { linear: Vec3::X, angular: Vec3::ZERO });
    let ground = Node::immovable(Twist::default());
    let ends = [Attachment::rigid(0, Vec3::ZERO), Attachment::rigid(1, Vec3::ZERO)];
    let with = |law: RowLaw| System {
        nodes: vec![ground, belt],
        rows: vec![ConstraintRow::along(ends[0], ends[1], Vec3::X, law)],
        time_step: 0.01,
        ..System::default()
    };
    let solved = |law| solve_system(&with(law), &[], 0.0, &Settings::default());
    assert_eq!(solved(RowLaw::Bilateral { target: 1.0 }).unwrap().outcome, Outcome::Solved);
    assert!(matches!(solved(RowLaw::Bilateral { target: 0.5 }), Err(SystemError::ContradictoryRows { .. })));
    assert_eq!(solved(RowLaw::Limit { bound: 0.5 }).unwrap().outcome, Outcome::Solved);
    assert_eq!(solved(RowLaw::Limit { bound: 1.5 }).unwrap().outcome, Outcome::NoSolution);
}

/// From the centre of the box to its lower corners, m.
fn corners() -> [Vec3; 4] {
    [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)].map(|(x, y)| Vec3::new(0.1 * x, 0.2 * y, -0.05))
}

/// A box of 2 kg on four corners, pushed to the side, whose mass is that of a rigid body or of one on
/// springs.
fn pushed_box(node: impl Fn(f64, Mat3, Twist) -> Node) -> System {
    let (mass, half) = (2.0, Vec3::new(0.1, 0.2, 0.05));
    let square = half * half;
    let moments = Vec3::new(square.y + square.z, square.x + square.z, square.x + square.y) * (mass / 3.0);
    let inertia = Mat3::from_diagonal(moments);
    let free = Twist { linear: Vec3::new(0.03, 0.01, -GRAVITY * STEP), angular: Vec3::new(0.1, 0.0, 0.2) };
    let corner = |at: Vec3| touching(Attachment::rigid(0, at), Attachment::rigid(1, at), Vec3::Z, 0.3);
    System {
        nodes: vec![ground(), node(mass, inertia, free)],
        contacts: corners().map(corner).to_vec(),
        rows: Vec::new(),
        time_step: STEP,
    }
}

#[test]
fn a_mass_matrix_without_springs_is_a_rigid_body_to_every_solver() {
    let rigid = pushed_box(|mass, inertia, free| Node::rigid(mass, inertia, Twist::default(), free));
    let sprung = pushed_box(|mass, inertia, free| {
        let inverse = MassMatrix::rigid(mass, inertia).inverse().unwrap();
        Node::sprung(inverse, Twist::default(), free)
    });
    let [a, b] = [&rigid, &sprung].map(solved);
    assert!(a.velocities[1].linear.distance(b.velocities[1].linear) < 1e-12, "{a:?} {b:?}");
    assert!(a.velocities[1].angular.distance(b.velocities[1].angular) < 1e-12, "{a:?} {b:?}");
    let swept =
        |system: &System| SystemSolver::default().sweep(system, &[], &[1e-9; 4], 200).unwrap().clone();
    let [a, b] = [&rigid, &sprung].map(swept);
    for (a, b) in a.impulses.iter().zip(&b.impulses) {
        assert!(a.distance(*b) < 1e-9, "{a} {b}");
    }
}

#[test]
fn contact_impulses_on_a_body_on_springs_do_what_its_mass_matrix_says() {
    let mut mass = MassMatrix::rigid(2.0, Mat3::from_diagonal(Vec3::new(0.03, 0.01, 0.04)));
    let spring = Mat3::from_diagonal(Vec3::new(50.0, 8.0, 3.0));
    mass.add(Vec3::new(0.05, -0.1, 0.04), spring, 0.01 * spring);
    let system = pushed_box(|_, _, free| Node::sprung(mass.inverse().unwrap(), Twist::default(), free));
    let swept = SystemSolver::default().sweep(&system, &[], &[1e-9; 4], 2000).unwrap().clone();
    for report in [solved(&system), swept] {
        // Momentum, by the matrix itself: what the impulses at the corners give.
        let (mut push, mut moment) = (Vec3::ZERO, Vec3::ZERO);
        for (corner, impulse) in corners().into_iter().zip(&report.impulses) {
            push += *impulse;
            moment += corner.cross(*impulse);
        }
        let free =
            Twist { linear: Vec3::new(0.03, 0.01, -GRAVITY * STEP), angular: Vec3::new(0.1, 0.0, 0.2) };
        let (after, before) = (mass.times(report.velocities[1]), mass.times(free));
        assert!((after.linear - before.linear).distance(push) < 1e-9, "{report:?}");
        assert!((after.angular - before.angular).distance(moment) < 1e-9, "{report:?}");
        for corner in corners() {
            let Twist { linear, angular } = report.velocities[1];
            assert!((linear + angular.cross(corner)).z > -1e-8, "{report:?}");
        }
    }
}
