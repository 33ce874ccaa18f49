//! From nodes, contacts and bilateral rows to the local form and back.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use common::{rigid, velocity_at};
use silvia_contact::samples::{add_box, add_contact, grounded};
use silvia_contact::solvers::Auto;
use silvia_contact::{
    Attachment, ConstraintRow, Node, RowEnd, RowLaw, Settings, Solver, System, SystemError, Twist,
};
use silvia_solid::{Mat3, Vec3};

/// Two boxes held together by a ball joint, the lower one touching the ground at a corner; with more joint
/// rows than needed.
fn jointed() -> System {
    let mut system = grounded();
    let spin = Twist { linear: Vec3::new(0.5, -0.2, -1.0), angular: Vec3::new(0.3, 1.0, -0.7) };
    let a = add_box(&mut system, 2.0, Vec3::new(1.0, 2.0, 0.5), spin);
    let b = add_box(&mut system, 3.0, Vec3::ONE, Twist::default());
    let (at_a, at_b) = (Vec3::new(0.0, 0.0, 1.0), Vec3::new(0.2, 0.1, 2.5));
    let pivot = Vec3::new(0.1, 0.0, 1.7);
    let [on_a, on_b] = [(a, at_a), (b, at_b)].map(|(node, at)| Attachment::rigid(node, pivot - at));
    system.rows.extend(ConstraintRow::ball(on_a, on_b));
    let repeated = system.rows[0];
    system.rows.push(repeated);
    system.rows.push(ConstraintRow::no_rotation(a, b, Vec3::Z));
    add_contact(&mut system, 0, Vec3::ZERO, a, at_a, Vec3::new(0.4, 0.9, 0.0), Vec3::Z, 0.5);
    add_contact(
        &mut system,
        0,
        Vec3::ZERO,
        b,
        at_b,
        Vec3::new(-0.4, 0.3, 0.1),
        Vec3::new(0.6, 0.0, 0.8),
        0.5,
    );
    system
}

fn joint_error(system: &System, velocities: &[Twist]) -> f64 {
    let of_end = |end: &RowEnd| {
        let spin = velocities[rigid(end.at).0].angular;
        end.force.dot(velocity_at(end.at, velocities)) + end.torque.dot(spin)
    };
    let error = |row: &ConstraintRow| {
        let RowLaw::Bilateral { target } = row.law else { panic!("a limit") };
        of_end(&row.a) + row.b.iter().map(of_end).sum::<f64>() - target
    };
    system.rows.iter().map(|row| error(row).abs()).fold(0.0, f64::max)
}

fn contact_velocity(system: &System, index: usize, velocities: &[Twist]) -> Vec3 {
    let c = &system.contacts[index];
    velocity_at(c.b, velocities) - velocity_at(c.a, velocities)
}

#[test]
fn the_local_form_predicts_what_impulses_do_to_jointed_bodies() {
    let system = jointed();
    let assembled = system.assemble().unwrap();
    let problem = assembled.problem();
    assert!(problem.w().asymmetry() < 1e-12);
    let r = [0.7, -0.2, 0.4, 1.1, 0.3, -0.5];
    let (velocities, _) = assembled.response(&r);
    assert!(joint_error(&system, &velocities) < 1e-12, "{}", joint_error(&system, &velocities));
    let u = problem.velocities(&r);
    let impulses = assembled.world_impulses(&r);
    for index in 0..2 {
        let velocity = contact_velocity(&system, index, &velocities);
        let normal = system.contacts[index].normal;
        assert!((velocity.dot(normal) - u[3 * index]).abs() < 1e-12);
        // Tangents are the problem's own choice, so compare what does not depend on them.
        let tangential = velocity - velocity.dot(normal) * normal;
        let local = u[3 * index + 1].hypot(u[3 * index + 2]);
        assert!((tangential.length() - local).abs() < 1e-12);
        let power: f64 = (0..3).map(|k| r[3 * index + k] * u[3 * index + k]).sum();
        assert!((impulses[index].dot(velocity) - power).abs() < 1e-12);
    }
}

#[test]
fn internal_impulses_keep_momentum() {
    // Two free bodies, joined and touching each other: nothing from outside but gravity.
    let mut system = grounded();
    let a = add_box(&mut system, 2.0, Vec3::ONE, Twist { linear: Vec3::X, angular: Vec3::Z });
    let b = add_box(&mut system, 5.0, Vec3::ONE, Twist { linear: -Vec3::X, angular: Vec3::Y });
    let (at_a, at_b) = (Vec3::ZERO, Vec3::new(1.0, 0.2, 0.1));
    let point = Vec3::new(0.5, 0.1, 0.0);
    add_contact(&mut system, a, at_a, b, at_b, point, Vec3::X, 0.4);
    let [on_a, on_b] = [(a, at_a), (b, at_b)].map(|(node, at)| Attachment::rigid(node, Vec3::Y - at));
    system.rows.extend(ConstraintRow::ball(on_a, on_b));
    let assembled = system.assemble().unwrap();
    let r = [0.3, 0.1, -0.2];
    let momenta = |velocities: &[Twist]| {
        let inertia = |m: f64| m / 6.0;
        let linear = 2.0 * velocities[a].linear + 5.0 * velocities[b].linear;
        let angular = inertia(2.0) * velocities[a].angular
            + inertia(5.0) * velocities[b].angular
            + at_a.cross(2.0 * velocities[a].linear)
            + at_b.cross(5.0 * velocities[b].linear);
        (linear, angular)
    };
    let (without, _) = assembled.response(&[0.0; 3]);
    let (with, _) = assembled.response(&r);
    let (p0, l0) = momenta(&without);
    let (p1, l1) = momenta(&with);
    assert!((p1 - p0).length() < 1e-12 && (l1 - l0).length() < 1e-12, "{p0} {p1} {l0} {l1}");
}

#[test]
fn a_jointed_system_comes_to_rest_on_its_contacts() {
    let system = jointed();
    let assembled = system.assemble().unwrap();
    let report = Auto.solve(assembled.problem(), None, &Settings::default());
    let (velocities, _) = assembled.response(&report.r);
    assert!(joint_error(&system, &velocities) < 1e-10);
    for (index, contact) in system.contacts.iter().enumerate() {
        assert!(contact_velocity(&system, index, &velocities).dot(contact.normal) > -1e-7);
    }
}

#[test]
fn bad_systems_are_refused_by_name() {
    let refused = |change: fn(&mut System)| {
        let mut system = jointed();
        change(&mut system);
        system.assemble().unwrap_err().to_string()
    };
    assert!(refused(|s| s.time_step = 0.0).contains("time step is 0"));
    assert!(
        refused(|s| s.contacts[1].a = Attachment::rigid(9, Vec3::ZERO))
            .contains("contact 1 names node 9, but there are 3 nodes")
    );
    assert!(refused(|s| s.contacts[1].friction = -1.0).contains("contact 1: friction is -1"));
    assert!(
        refused(|s| s.contacts[0].normal = Vec3::new(0.0, 0.0, 2.0)).contains("length of the normal is 2")
    );
    assert!(refused(|s| s.contacts[0].gap = f64::NAN).contains("gap is NaN"));
    assert!(refused(|s| s.contacts[0].restitution = 1.5).contains("restitution is 1.5"));
    assert!(
        refused(|s| s.contacts[0].a = Attachment::rigid(0, f64::INFINITY * Vec3::ONE)).contains("arm is inf")
    );
    assert!(refused(|s| s.rows[2].a.at = Attachment::rigid(7, Vec3::ZERO)).contains("row 2 names node 7"));
    assert!(
        refused(|s| s.rows[2].law = RowLaw::Bilateral { target: f64::NAN }).contains("row 2: target is NaN")
    );
    assert_eq!(
        {
            let mut system = jointed();
            system.contacts[1].a = system.contacts[1].b;
            system.assemble().unwrap_err()
        },
        SystemError::SameNode { contact: 1, node: 2 }
    );
    let mut system = jointed();
    for diagonal in [Vec3::new(1.0, -1.0, -1.0), Vec3::new(-1.0, -1.0, 1.0), Vec3::new(1.0, 1.0, 0.0)] {
        let inertia = Mat3::from_diagonal(diagonal);
        system.nodes[1] = Node::rigid(1.0, inertia, Twist::default(), Twist::default());
        assert_eq!(system.assemble().unwrap_err(), SystemError::BadMass { node: 1 }, "{diagonal}");
    }
    let skew = Mat3::from_cols(Vec3::new(1.0, 0.3, 0.0), Vec3::Y, Vec3::Z);
    system.nodes[1] = Node::rigid(1.0, skew, Twist::default(), Twist::default());
    assert_eq!(system.assemble().unwrap_err(), SystemError::BadMass { node: 1 }, "asymmetric");
    for mass in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        system.nodes[1] = Node::rigid(mass, Mat3::IDENTITY, Twist::default(), Twist::default());
        // An infinite mass with a finite inertia is neither free nor immovable.
        assert_eq!(system.assemble().unwrap_err(), SystemError::BadMass { node: 1 }, "mass {mass}");
    }
}

#[test]
fn the_local_form_is_j_times_inverse_mass_times_j_transposed() {
    let mut system = jointed();
    system.rows.clear();
    system.contacts[1].gap = 0.003;
    let assembled = system.assemble().unwrap();
    let size = assembled.problem().q().len();
    // Dense J and M^-1, six columns a body. A contact's axes are the directions of its unit impulses.
    let columns = 6 * system.nodes.len();
    let flat = |t: Twist| [t.linear.to_array(), t.angular.to_array()].concat();
    let mut j = vec![vec![0.0; columns]; size];
    for (row, line) in j.iter_mut().enumerate() {
        let mut unit = vec![0.0; size];
        unit[row] = 1.0;
        let axis = assembled.world_impulses(&unit)[row / 3];
        let c = &system.contacts[row / 3];
        let [(node_a, arm_a), (node_b, arm_b)] = [c.a, c.b].map(rigid);
        let parts = [
            (node_a, Twist { linear: -axis, angular: -arm_a.cross(axis) }),
            (node_b, Twist { linear: axis, angular: arm_b.cross(axis) }),
        ];
        for (body, twist) in parts {
            line[6 * body..6 * body + 6].iter_mut().zip(flat(twist)).for_each(|(to, v)| *to += v);
        }
    }
    // Bodies 1 and 2 of `jointed`: boxes of 2 kg and 3 kg, with m / 12 times sums of squared sides.
    let inertias = [Vec3::new(4.25, 1.25, 5.0) * 2.0 / 12.0, Vec3::splat(2.0) * 3.0 / 12.0];
    let mut inverse = vec![0.0; columns];
    for (body, (mass, inertia)) in [2.0, 3.0].into_iter().zip(inertias).enumerate() {
        for k in 0..3 {
            inverse[6 * (body + 1) + k] = 1.0 / mass;
            inverse[6 * (body + 1) + 3 + k] = 1.0 / inertia[k];
        }
    }
    let mut found = vec![vec![0.0; size]; size];
    for (row, column, value) in assembled.problem().w().triplets() {
        found[row][column] += value;
    }
    let (free, _) = assembled.response(&vec![0.0; size]);
    let v: Vec<f64> = free.iter().flat_map(|t| flat(*t)).collect();
    for row in 0..size {
        for column in 0..size {
            let expected: f64 = (0..columns).map(|a| j[row][a] * inverse[a] * j[column][a]).sum();
            assert!((found[row][column] - expected).abs() < 1e-13, "W[{row}][{column}]");
        }
        let free: f64 = j[row].iter().zip(&v).map(|(j, v)| j * v).sum();
        let bias = if row == 3 { 0.003 / system.time_step } else { 0.0 };
        assert!((assembled.problem().q()[row] - free - bias).abs() < 1e-13, "q[{row}]");
    }
}

#[test]
fn joints_hold_however_much_masses_differ() {
    for ratio in [1e-6_f64, 1.0, 1e6] {
        // A chain of ever heavier or lighter bodies, with rotation about an axis locked (rows in other
        // units).
        let mut system = grounded();
        let mut last = 0;
        for link in 0..6 {
            let mass = ratio.powf(f64::from(link) / 5.0);
            let spin = Twist { linear: Vec3::new(0.3, -0.4, 0.9), angular: Vec3::new(1.0, 0.2, -0.5) };
            let body = add_box(&mut system, mass, Vec3::new(0.2, 0.3, 1.0), spin);
            let half = 0.5 * Vec3::Z;
            let arm = if link == 0 { Vec3::ZERO } else { -half };
            system
                .rows
                .extend(ConstraintRow::ball(Attachment::rigid(last, arm), Attachment::rigid(body, half)));
            system.rows.push(ConstraintRow::no_rotation(last, body, Vec3::Z));
            last = body;
        }
        let at = Vec3::ZERO;
        add_contact(&mut system, 0, at, last, at, Vec3::new(0.1, 0.1, -0.5), Vec3::Z, 0.5);
        let assembled = system.assemble().unwrap();
        let (velocities, _) = assembled.response(&[0.2, 0.05, -0.03]);
        let error = joint_error(&system, &velocities);
        // The push alone gives the last body a speed of about 1 / ratio.
        let speed = 1.0 + 1.0 / ratio;
        assert!(error < 1e-11 * speed, "ratio {ratio:e}: joints are off by {error:e}");
        // The local form says the same as the way back.
        let u = assembled.problem().velocities(&[0.2, 0.05, -0.03]);
        let along = contact_velocity(&system, 0, &velocities).dot(Vec3::Z);
        assert!((u[0] - along).abs() < 1e-8 * (1.0 + along.abs()), "{ratio:e}: {} {along}", u[0]);
    }
}

#[test]
fn joints_that_contradict_each_other_are_refused() {
    let mut system = jointed();
    let mut other = system.rows[0];
    other.law = RowLaw::Bilateral { target: 1.0 };
    system.rows.push(other);
    let error = system.assemble().unwrap_err();
    assert!(matches!(error, SystemError::ContradictoryRows { row: 0, .. }), "{error}");
}
