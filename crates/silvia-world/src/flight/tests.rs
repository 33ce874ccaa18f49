use super::*;
use crate::builder::BodyBuilder;
use crate::load::LoadId;
use proptest::prelude::*;
use silvia_proximity::Shape;
use silvia_solid::Mat3;
use std::f64::consts::PI;

fn under(gravity: Vec3) -> Outside {
    Outside { gravity, loads: true }
}

const DOWN: Vec3 = Vec3::new(0.0, 0.0, -9.81);

/// A body of given moments along its own axes, turned by a rotation, with its centre beside the origin of its
/// frame.
fn body(mass: f64, moments: Vec3, axes: Quat, loads: &[Load]) -> Body {
    let r = Mat3::from_quat(axes);
    let inertia = r * Mat3::from_diagonal(moments) * r.transpose();
    let centre = Vec3::new(0.1, -0.2, 0.3);
    let builder = BodyBuilder::free(Shape::sphere(1.0).unwrap()).mass_properties(mass, centre, inertia);
    let (mut body, _) = builder.build("test".to_owned(), 0.0).unwrap();
    for (number, load) in loads.iter().enumerate() {
        load.check().unwrap();
        body.loads.insert(LoadId(number as u32), load.clone());
    }
    body
}

fn state(linear: Vec3, angular: Vec3) -> BodyState {
    BodyState { centre: Vec3::ZERO, rotation: Quat::IDENTITY, velocity: Twist { linear, angular } }
}

fn flown(body: &Body, from: &BodyState, gravity: Vec3, time: f64, steps: usize) -> BodyState {
    let h = time / steps as f64;
    (0..steps).fold(*from, |state, step| fly(body, &state, under(gravity), step as f64 * h, h))
}

fn energy(body: &Body, state: &BodyState) -> f64 {
    let spin = angular_momentum(&body.inertia, state.rotation, state.velocity.angular);
    0.5 * state.velocity.angular.dot(spin)
}

/// An angle, rad.
fn turned_apart(a: Quat, b: Quat) -> f64 {
    let d = a.conjugate() * b;
    2.0 * Vec3::new(d.x, d.y, d.z).length().atan2(d.w.abs())
}

/// Newton's and Euler's equations in the body's axes by the classical Runge-Kutta method: an oracle that
/// shares nothing with the splitting. The force and the torque are functions of time and rotation, in world
/// axes.
fn runge_kutta(
    body: &Body,
    from: &BodyState,
    loads: impl Fn(f64, Quat) -> (Vec3, Vec3),
    time: f64,
    steps: usize,
) -> BodyState {
    type Y = (Vec3, Vec3, Quat, Vec3);
    let (inertia, inverse) = (body.inertia.inertia, body.inertia.inertia.inverse());
    let rate = |t: f64, (_, v, q, w): Y| -> Y {
        let (force, torque) = loads(t, q.normalize());
        let spin = q * Quat::from_xyzw(w.x, w.y, w.z, 0.0) * 0.5;
        let torque = q.normalize().conjugate() * torque;
        (v, force / body.inertia.mass, spin, inverse * (torque - w.cross(inertia * w)))
    };
    let add = |y: Y, h: f64, k: Y| (y.0 + h * k.0, y.1 + h * k.1, y.2 + k.2 * h, y.3 + h * k.3);
    let h = time / steps as f64;
    let w = from.rotation.conjugate() * from.velocity.angular;
    let mut y: Y = (from.centre, from.velocity.linear, from.rotation, w);
    for step in 0..steps {
        let t = step as f64 * h;
        let k1 = rate(t, y);
        let k2 = rate(t + 0.5 * h, add(y, 0.5 * h, k1));
        let k3 = rate(t + 0.5 * h, add(y, 0.5 * h, k2));
        let k4 = rate(t + h, add(y, h, k3));
        y = add(add(add(add(y, h / 6.0, k1), h / 3.0, k2), h / 3.0, k3), h / 6.0, k4);
    }
    let rotation = y.2.normalize();
    BodyState { centre: y.0, rotation, velocity: Twist { linear: y.1, angular: rotation * y.3 } }
}

/// The period of a free body with ascending moments and more momentum than about its middle axis (Landau and
/// Lifshitz, Mechanics §37), s.
fn period(moments: Vec3, w: Vec3) -> f64 {
    let [i1, i2, i3] = moments.to_array();
    let (energy2, momentum2) = (w.dot(moments * w), (moments * w).length_squared());
    let rate = ((i3 - i2) * (momentum2 - energy2 * i1) / (i1 * i2 * i3)).sqrt();
    let k2 = (i2 - i1) * (energy2 * i3 - momentum2) / ((i3 - i2) * (momentum2 - energy2 * i1));
    // The complete elliptic integral by the arithmetic-geometric mean.
    let (mut a, mut g) = (1.0, (1.0 - k2).sqrt());
    for _ in 0..8 {
        (a, g) = (0.5 * (a + g), (a * g).sqrt());
    }
    4.0 * PI / (2.0 * a) / rate
}

/// Scene 9 of the validation scenes.
#[test]
fn a_body_spun_about_its_middle_axis_flips_in_time() {
    let (moments, spin) = (Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.01, 10.0, 0.01));
    let expected = period(moments, spin);
    assert!((expected - 5.50617).abs() < 5e-6, "{expected}");
    let body = body(1.0, moments, Quat::IDENTITY, &[]);
    let (mut now, h) = (state(Vec3::ZERO, spin), 1e-3);
    let middle = |state: &BodyState| (state.rotation.conjugate() * state.velocity.angular).y;
    let mut flips = Vec::new();
    for step in 0..30_000 {
        let next = fly(&body, &now, under(DOWN), step as f64 * h, h);
        let (before, after) = (middle(&now), middle(&next));
        if before * after < 0.0 {
            flips.push((step as f64 + before / (before - after)) * h);
        }
        now = next;
    }
    assert_eq!(flips.len(), 11);
    for two in flips.windows(2) {
        let error = (two[1] - two[0]) / (0.5 * expected) - 1.0;
        assert!(error.abs() < 1e-7, "{error:e}");
    }
}

#[test]
fn energy_and_momentum_do_not_drift_over_many_steps() {
    let axes = Quat::from_axis_angle(Vec3::new(1.0, 2.0, -1.0).normalize(), 0.7);
    let body = body(1.0, Vec3::new(0.8, 1.0, 1.7), axes, &[]);
    let from = state(Vec3::ZERO, Vec3::new(3.0, -4.0, 5.0));
    let momentum_of = |s: &BodyState| angular_momentum(&body.inertia, s.rotation, s.velocity.angular);
    let (energy_then, momentum) = (energy(&body, &from), momentum_of(&from));
    let (mut now, mut worst_energy, mut worst_momentum) = (from, [0.0f64; 2], 0.0f64);
    const STEPS: usize = 400_000;
    for step in 0..STEPS {
        now = fly(&body, &now, under(Vec3::ZERO), 0.0, 0.01);
        let error = (energy(&body, &now) / energy_then - 1.0).abs();
        let half = usize::from(step >= STEPS / 2);
        worst_energy[half] = worst_energy[half].max(error);
        worst_momentum = worst_momentum.max((momentum_of(&now) - momentum).length() / momentum.length());
    }
    // Less than a rounding a step, even if all went the same way.
    assert!(worst_momentum < 0.5 * f64::EPSILON * STEPS as f64, "{worst_momentum:e}");
    // The energy of a fourth-order method wavers, but no more in the second half than in the first.
    assert!(worst_energy[0] < 1e-8 && worst_energy[1] < 1.01 * worst_energy[0] + 1e-12, "{worst_energy:?}");
}

#[test]
fn free_rotation_is_of_fourth_order() {
    let axes = Quat::from_axis_angle(Vec3::new(3.0, 1.0, -1.0).normalize(), 1.9);
    let body = body(1.0, Vec3::new(0.9, 1.0, 1.7), axes, &[]);
    let from = state(Vec3::ZERO, Vec3::new(3.0, -4.0, 5.0));
    let exact = runge_kutta(&body, &from, |_, _| (Vec3::ZERO, Vec3::ZERO), 1.0, 8000);
    let error = |steps| turned_apart(flown(&body, &from, Vec3::ZERO, 1.0, steps).rotation, exact.rotation);
    let errors = [8, 16, 32].map(error);
    for two in errors.windows(2) {
        let order = (two[0] / two[1]).log2();
        assert!((3.8..4.5).contains(&order), "{errors:?}");
    }
}

#[test]
fn flight_under_loads_is_of_second_order_and_follows_newton_and_euler() {
    let table = [(0.0, 0.5), (0.4, 2.0), (1.0, -1.0)];
    let loads = [
        Load::force(Vec3::new(1.0, 2.0, -0.5)).at(Vec3::new(0.3, 0.1, 0.2)).over(table),
        Load::force(Vec3::new(0.4, -0.6, 1.0)).at(Vec3::new(-0.2, 0.5, 0.0)).turning(),
        Load::torque(Vec3::new(0.1, 0.9, -0.4)).between(0.3, 0.77),
        Load::torque(Vec3::new(-0.7, 0.2, 0.3)).turning().between(f64::NEG_INFINITY, 0.55),
    ];
    let axes = Quat::from_axis_angle(Vec3::new(3.0, 1.0, -1.0).normalize(), 1.9);
    let body = body(0.7, Vec3::new(0.3, 0.4, 0.6), axes, &loads);
    let from = state(Vec3::new(1.0, 0.0, 2.0), Vec3::new(3.0, -4.0, 5.0));
    let centre = body.inertia.centre;
    // Written out by hand, not asked of the loads.
    let by_hand = |t: f64, q: Quat| {
        let factor = if t < 0.4 { 0.5 + 1.5 * t / 0.4 } else { 2.0 - 3.0 * (t - 0.4) / 0.6 };
        let first = factor * Vec3::new(1.0, 2.0, -0.5);
        let second = q * Vec3::new(0.4, -0.6, 1.0);
        let mut torque = (q * (Vec3::new(0.3, 0.1, 0.2) - centre)).cross(first)
            + (q * (Vec3::new(-0.2, 0.5, 0.0) - centre)).cross(second);
        if t > 0.3 && t < 0.77 {
            torque += Vec3::new(0.1, 0.9, -0.4);
        }
        if t < 0.55 {
            torque += q * Vec3::new(-0.7, 0.2, 0.3);
        }
        (first + second + 0.7 * DOWN, torque)
    };
    // Legs by hand too: the oracle must not step over a jump either.
    let legs = [0.0, 0.3, 0.4, 0.55, 0.77, 1.0];
    let exact = legs.windows(2).fold(from, |now, leg| {
        runge_kutta(
            &body,
            &now,
            |t, q| by_hand((leg[0] + t).clamp(leg[0] + 1e-12, leg[1] - 1e-12), q),
            leg[1] - leg[0],
            2000,
        )
    });
    let error = |steps| {
        let end = flown(&body, &from, DOWN, 1.0, steps);
        let velocity = (end.velocity.linear - exact.velocity.linear).length()
            + (end.velocity.angular - exact.velocity.angular).length();
        [turned_apart(end.rotation, exact.rotation), (end.centre - exact.centre).length(), velocity]
    };
    let errors = [40, 80, 160].map(error);
    for kind in 0..3 {
        for two in errors.windows(2) {
            let order = (two[0][kind] / two[1][kind]).log2();
            assert!((1.8..2.3).contains(&order), "{kind}: {errors:?}");
        }
    }
    assert!(errors[2].iter().all(|&error| error < 1e-4), "{errors:?}");
}

#[test]
fn the_energy_of_a_body_pulled_at_a_point_does_not_drift() {
    let (pull, point) = (Vec3::new(0.0, 0.0, -8.0), Vec3::new(0.4, 0.1, -0.3));
    let body = body(1.0, Vec3::new(0.3, 0.4, 0.6), Quat::IDENTITY, &[Load::force(pull).at(point)]);
    let total = |s: &BodyState| energy(&body, s) - pull.dot(s.rotation * (point - body.inertia.centre));
    let mut now = state(Vec3::ZERO, Vec3::new(1.0, -2.0, 0.5));
    let then = total(&now);
    let mut worst = [0.0f64; 2];
    const STEPS: usize = 100_000;
    for step in 0..STEPS {
        now = fly(&body, &now, under(Vec3::ZERO), 0.0, 5e-3);
        let half = usize::from(step >= STEPS / 2);
        worst[half] = worst[half].max((total(&now) - then).abs());
    }
    assert!(worst[0] < 1e-2 && worst[1] < 1.05 * worst[0], "{worst:?}");
}

#[test]
fn a_symmetric_top_precesses_exactly_in_one_step() {
    for (across, along) in [(0.7, 1.1), (1.1, 0.2)] {
        let body = body(1.0, Vec3::new(across, across, along), Quat::IDENTITY, &[]);
        let from = state(Vec3::ZERO, Vec3::new(0.6, -0.3, 4.0));
        let time = 7.3;
        let end = fly(&body, &from, under(Vec3::ZERO), 0.0, time);
        // Its axis goes round the momentum at |L| / I, and it spins about the axis at w3 (1 - I3/I1) besides.
        let momentum = Vec3::new(across, across, along) * from.velocity.angular;
        let precession = Quat::from_axis_angle(momentum.normalize(), time * momentum.length() / across);
        let spin = Quat::from_rotation_z(time * 4.0 * (1.0 - along / across));
        assert!(turned_apart(end.rotation, precession * spin) < 1e-13);
    }
}

#[test]
fn a_projectile_is_exact_however_long_the_step() {
    let body = body(0.3, Vec3::new(0.3, 0.4, 0.6), Quat::IDENTITY, &[]);
    let (v, time) = (Vec3::new(3.0, -1.0, 12.0), 2.5);
    let expected = v * time + 0.5 * DOWN * time * time;
    for steps in [1, 1000] {
        let end = flown(&body, &state(v, Vec3::ZERO), DOWN, time, steps);
        assert!((end.centre - expected).length() < 1e-12, "{steps}");
        assert!((end.velocity.linear - (v + DOWN * time)).length() < 1e-12, "{steps}");
        assert_eq!(end.rotation, Quat::IDENTITY);
    }
}

#[test]
fn forces_that_change_within_a_step_are_exact() {
    // Up from 0 to 6 N within two seconds, then off after half a second more.
    let ramp = Load::force(Vec3::X * 6.0).over([(1.0, 0.0), (3.0, 1.0)]).between(1.0, 3.5);
    let body = body(2.0, Vec3::ONE, Quat::IDENTITY, &[ramp]);
    let end = fly(&body, &state(Vec3::ZERO, Vec3::ZERO), under(Vec3::ZERO), 0.0, 5.0);
    // The ramp a = 1.5 s of 2 s gives v = 3, x = 2; 0.5 s of 3 m/s² gives v = 4.5, x = 2 + 1.5 + 0.375; then
    // it coasts.
    assert!((end.velocity.linear.x - 4.5).abs() < 1e-14);
    assert!((end.centre.x - (3.875 + 1.5 * 4.5)).abs() < 1e-14);
}

#[test]
fn a_constant_torque_about_a_principal_axis_is_exact() {
    let body = body(1.0, Vec3::new(1.0, 2.0, 2.5), Quat::IDENTITY, &[Load::torque(Vec3::Y * 0.6)]);
    let (spin, time) = (0.5, 1.7);
    let end = flown(&body, &state(Vec3::ZERO, Vec3::Y * spin), Vec3::ZERO, time, 3);
    let angle = spin * time + 0.5 * 0.3 * time * time;
    assert!(turned_apart(end.rotation, Quat::from_rotation_y(angle)) < 1e-14);
    assert!((end.velocity.angular - Vec3::Y * (spin + 0.3 * time)).length() < 1e-14);
}

#[test]
fn what_rests_keeps_its_bits() {
    let axes = Quat::from_axis_angle(Vec3::new(3.0, 1.0, -1.0).normalize(), 1.9);
    let body = body(1.0, Vec3::new(0.8, 1.0, 1.7), axes, &[]);
    let from = BodyState { rotation: axes, ..state(Vec3::ZERO, Vec3::ZERO) };
    assert_eq!(flown(&body, &from, Vec3::ZERO, 1.0, 100), from);
}

proptest! {
    #[test]
    fn any_body_keeps_its_momentum_and_follows_euler(
        x in 0.1..1.0f64, y in 0.1..1.0f64, share in 0.01..1.0f64,
        spin in prop::array::uniform3(-5.0..5.0f64), turn in prop::array::uniform3(-2.0..2.0f64),
    ) {
        // The largest moment between the difference and the sum of the others.
        let z = (x - y).abs() + share * (x + y - (x - y).abs());
        let body = body(1.0, Vec3::new(x, y, z), Quat::from_scaled_axis(Vec3::from(turn)), &[]);
        let from = state(Vec3::ZERO, Vec3::from(spin));
        let exact = runge_kutta(&body, &from, |_, _| (Vec3::ZERO, Vec3::ZERO), 0.2, 400);
        let end = flown(&body, &from, Vec3::ZERO, 0.2, 200);
        prop_assert!(turned_apart(end.rotation, exact.rotation) < 1e-6);
        let momentum = |s: &BodyState| angular_momentum(&body.inertia, s.rotation, s.velocity.angular);
        let drift = (momentum(&end) - momentum(&from)).length();
        prop_assert!(drift <= 1e-13 * momentum(&from).length(), "{}", drift);
    }
}
