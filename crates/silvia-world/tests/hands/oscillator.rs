//! A body on a hand's springs swings as the exact solution says, to first order in the step.

use super::{at, run, weightless};
use silvia_contact::Twist;
use silvia_proximity::Shape;
use silvia_solid::{Mat3, Pose, Quat, Vec3};
use silvia_world::{BodyBuilder, Hand};

const RATIO: f64 = 0.2;
/// rad/s
const OMEGA: f64 = 20.0;
/// s
const TIME: f64 = 0.4;

/// What is left of a deflection of 1 that begins at rest.
fn exact(time: f64) -> f64 {
    let swing = OMEGA * (1.0 - RATIO * RATIO).sqrt();
    let along = (swing * time).cos() + RATIO * OMEGA / swing * (swing * time).sin();
    (-RATIO * OMEGA * time).exp() * along
}

/// Errors at three steps halve each time, and the last is small.
fn assert_first_order(error: impl Fn(f64) -> f64) {
    let errors = [1e-3, 0.5e-3, 0.25e-3].map(error);
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!((order - 1.0).abs() < 0.1, "{errors:?}: order {order}");
    }
    assert!(errors[2] < 5e-3, "{errors:?}");
}

#[test]
fn a_mass_on_a_spring_swings_as_the_exact_solution_says() {
    assert_first_order(|step| {
        let mut world = weightless();
        let ball = BodyBuilder::free(Shape::sphere(0.05).unwrap()).mass(0.3);
        let ball = world.add(ball.at(at(0.1, 0.0, 0.0))).unwrap();
        let hand = Hand::new(0.3 * OMEGA * OMEGA, 0.0).with_damping_ratio(RATIO);
        let hand = world.take(ball, hand).unwrap();
        world.move_hand(hand, Pose::IDENTITY).unwrap();
        run(&mut world, step, TIME);
        (world.pose(ball).unwrap().translation().x / 0.1 - exact(TIME)).abs()
    });
}

#[test]
fn a_body_on_a_turning_spring_swings_as_the_exact_solution_says() {
    assert_first_order(|step| {
        let mut world = weightless();
        let inertia = Mat3::from_diagonal(Vec3::new(1e-3, 2e-3, 2.5e-3));
        let turned = Pose::new(Vec3::ZERO, Quat::from_rotation_y(0.5)).unwrap();
        let rod = BodyBuilder::free(Shape::cuboid(Vec3::splat(0.1)).unwrap());
        let rod = world.add(rod.mass_properties(1.0, Vec3::ZERO, inertia).at(turned)).unwrap();
        // Weak along the other axes, which nothing turns.
        let about = Vec3::new(0.1, 2e-3 * OMEGA * OMEGA, 3.0);
        let damping = Vec3::Y * (2.0 * RATIO * 2e-3 * OMEGA);
        let hand = Hand::new(0.0, 0.0)
            .with_stiffness(Twist { linear: Vec3::ZERO, angular: about })
            .with_damping(Twist { linear: Vec3::ZERO, angular: damping });
        let hand = world.take(rod, hand).unwrap();
        world.move_hand(hand, Pose::IDENTITY).unwrap();
        run(&mut world, step, TIME);
        let (axis, angle) = world.pose(rod).unwrap().rotation().to_axis_angle();
        (angle * axis.y / 0.5 - exact(TIME)).abs()
    });
}

#[test]
fn a_body_gripped_off_its_centre_swings_about_the_grip_as_a_physical_pendulum() {
    // A rod on a stiff grip at its end, let go at 0.02 rad: w² = m g l / (I + m l²), small swings.
    let mut world = super::earthly();
    let (mass, half, inertia) = (0.5, 0.1, 0.5 * 0.2 * 0.2 / 12.0);
    let start = Quat::from_rotation_y(0.02);
    let moments = Mat3::from_diagonal(Vec3::new(inertia, inertia, 1e-5));
    let rod = BodyBuilder::free(Shape::cylinder(0.005, 0.2).unwrap())
        .mass_properties(mass, Vec3::ZERO, moments)
        .at(Pose::new(start * Vec3::new(0.0, 0.0, -half), start).unwrap());
    let rod = world.add(rod).unwrap();
    let grip = at(0.0, 0.0, half);
    let hand = Hand::new(1e6, 0.0).with_grip(grip).with_weight(false);
    let hand = world.take(rod, hand).unwrap();
    world.move_hand(hand, at(0.0, 0.0, -half)).unwrap();
    let omega = (mass * 9.81 * half / (inertia + mass * half * half)).sqrt();
    let period = std::f64::consts::TAU / omega;
    // Half a swing: it is on the other side.
    run(&mut world, period / 8000.0, 0.5 * period);
    let turn = world.pose(rod).unwrap().rotation();
    let angle = 2.0 * turn.y.atan2(turn.w);
    assert!((angle / -0.02 - 1.0).abs() < 5e-3, "{angle}");
}
