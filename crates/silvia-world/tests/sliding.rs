//! A disc on three feet slides and spins: against the equations of motion, integrated by the test itself.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use silvia_contact::Twist;
use silvia_proximity::Shape;
use silvia_solid::{Mat3, Plane, Pose, Vec3};
use silvia_world::{BodyBuilder, EnergyAccount, Material, World, WorldSettings, response};
use std::f64::consts::TAU;
use std::sync::Arc;

/// m/s²
const G: f64 = 9.81;
const FRICTION: f64 = 0.3;
/// kg
const MASS: f64 = 2.0;
/// From the axis to a foot, m.
const REACH: f64 = 0.1;
/// Of the centre of mass above the ground, m.
const HEIGHT: f64 = 0.05;
/// Of the ball that each foot is, m.
const FOOT: f64 = 0.01;
/// About the axis, kg m².
const INERTIA: f64 = 0.011;
/// s
const TIME: f64 = 0.2;

/// Place, angle and their rates in the plane.
type State = [f64; 6];

const START: State = [0.0, 0.0, 0.0, 1.2, 0.3, 5.0];

/// The rates of a state. Feet carry what balances the weight and the moments of friction.
fn rates(state: &State) -> State {
    let [_, _, angle, vx, vy, spin] = *state;
    let feet = [0.0, 1.0, 2.0].map(|k: f64| {
        let arm = Vec3::new((angle + k * TAU / 3.0).cos(), (angle + k * TAU / 3.0).sin(), 0.0) * REACH;
        let slip = Vec3::new(vx, vy, 0.0) + Vec3::new(0.0, 0.0, spin).cross(arm);
        (arm, -FRICTION * slip.normalize())
    });
    // Columns: what a load of 1 N on each foot does to lift, and to the moments about x and y.
    let column = |(arm, rub): (Vec3, Vec3)| Vec3::new(1.0, arm.y + HEIGHT * rub.y, -HEIGHT * rub.x - arm.x);
    let [a, b, c] = feet.map(column);
    let loads = Mat3::from_cols(a, b, c).inverse() * Vec3::new(MASS * G, 0.0, 0.0);
    let (mut force, mut torque) = (Vec3::ZERO, 0.0);
    for ((arm, rub), load) in feet.into_iter().zip(loads.to_array()) {
        assert!(load > 0.0, "a foot lifts");
        force += load * rub;
        torque += arm.cross(load * rub).z;
    }
    [vx, vy, spin, force.x / MASS, force.y / MASS, torque / INERTIA]
}

/// Runge and Kutta's method of fourth order.
fn by_theory() -> State {
    let steps = 20_000;
    let step = TIME / f64::from(steps);
    let moved = |s: &State, rates: &State, by: f64| std::array::from_fn(|i| s[i] + by * rates[i]);
    let mut state = START;
    for _ in 0..steps {
        let k1 = rates(&state);
        let k2 = rates(&moved(&state, &k1, 0.5 * step));
        let k3 = rates(&moved(&state, &k2, 0.5 * step));
        let k4 = rates(&moved(&state, &k3, step));
        state = std::array::from_fn(|i| state[i] + step / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]));
    }
    state
}

/// The same by a world in so many steps.
fn by_steps(method: &str, steps: usize) -> State {
    let response = Arc::from(response::by_name(method).unwrap());
    let mut world = World::with_response(WorldSettings::default(), response).unwrap();
    let stuff = world.add_material(Material::new("stuff", FRICTION, 0.0)).unwrap();
    let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap();
    world.add(BodyBuilder::fixed(ground).material(stuff)).unwrap();
    let foot = |k: f64| {
        let (sin, cos) = (k * TAU / 3.0).sin_cos();
        let at = Vec3::new(REACH * cos, REACH * sin, FOOT - HEIGHT);
        (Pose::from_translation(at).unwrap(), Shape::sphere(FOOT).unwrap())
    };
    let disc = (Pose::IDENTITY, Shape::cylinder(REACH, 0.02).unwrap());
    let shape = Shape::compound([disc, foot(0.0), foot(1.0), foot(2.0)]).unwrap();
    let [x, y, _, vx, vy, spin] = START;
    let tilting = 0.006;
    let inertia = Mat3::from_diagonal(Vec3::new(tilting, tilting, INERTIA));
    let disc = BodyBuilder::free(shape).mass_properties(MASS, Vec3::ZERO, inertia).material(stuff);
    let moves = Twist { linear: Vec3::new(vx, vy, 0.0), angular: Vec3::new(0.0, 0.0, spin) };
    let at = Pose::from_translation(Vec3::new(x, y, HEIGHT)).unwrap();
    let disc = world.add(disc.at(at).velocity(moves)).unwrap();
    let before = world.energy().total();
    let mut energy = EnergyAccount::default();
    for number in 0..steps {
        let report = world.step(TIME / steps as f64).unwrap();
        assert!(number == 0 || report.impacts.is_empty());
        assert!(report.shortfalls.is_empty());
        energy.add(&report.energy);
    }
    // Of second order, too.
    let most = 2e-5 * (25.0 / steps as f64).powi(2);
    assert!(energy.numerical.abs() < most * before, "{energy:?}");
    let (pose, velocity) = (world.pose(disc).unwrap(), world.velocity(disc).unwrap());
    let ahead = pose.rotation() * Vec3::X;
    let Vec3 { x, y, .. } = pose.translation();
    [x, y, ahead.y.atan2(ahead.x), velocity.linear.x, velocity.linear.y, velocity.angular.z]
}

#[test]
fn a_disc_on_three_feet_slides_and_spins_to_second_order() {
    let theory = by_theory();
    for method in ["auto", "ncp"] {
        let errors: Vec<[f64; 2]> = [25, 50, 100, 200]
            .into_iter()
            .map(|steps| {
                let off: State = {
                    let found = by_steps(method, steps);
                    std::array::from_fn(|i| found[i] - theory[i])
                };
                [off[0].hypot(off[1]) + REACH * off[2].abs(), off[3].hypot(off[4]) + REACH * off[5].abs()]
            })
            .collect();
        println!("{method}: places and velocities are off by {errors:?}");
        for what in [0, 1] {
            for pair in errors.windows(2) {
                let order = (pair[0][what] / pair[1][what]).log2();
                assert!(order >= 1.9, "{method}: order {order}, errors {errors:?}");
            }
        }
    }
}
