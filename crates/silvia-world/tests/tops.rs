//! Tops that roll and slide on a plane: the rattleback, which turns back, and the tippe top, which turns
//! over. Each against its equations of motion, integrated here by small steps of the method of Runge and
//! Kutta.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use silvia_contact::Twist;
use silvia_proximity::Shape;
use silvia_solid::{Mat3, Plane, Pose, Quat, Vec3};
use silvia_world::{BodyBuilder, BodyId, EnergyAccount, Material, World, WorldSettings, response};
use std::ops::{Add, Mul};
use std::sync::Arc;

/// m/s²
const G: f64 = 9.81;

/// Methods that know friction.
const METHODS: [&str; 3] = ["auto", "ncp", "lcp"];

fn on_ground(method: &str, friction: f64, body: BodyBuilder) -> (World, BodyId) {
    let response = Arc::from(response::by_name(method).unwrap());
    let settings = WorldSettings::default().with_second_order(true);
    let mut world = World::with_response(settings, response).unwrap();
    let material = world.add_material(Material::new("all", friction, 0.0)).unwrap();
    let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap();
    world.add(BodyBuilder::fixed(ground).material(material)).unwrap();
    let id = world.add(body.material(material)).unwrap();
    (world, id)
}

/// Steps of a world, with the account of its energy. No step may end at an impact but the first.
struct Ran {
    energy: EnergyAccount,
    /// Kinetic, at the start, J.
    before: f64,
}

fn run(world: &mut World, step: f64, steps: usize, mut look: impl FnMut(&World)) -> Ran {
    let mut ran = Ran { energy: EnergyAccount::default(), before: world.energy().kinetic };
    for number in 0..steps {
        let report = world.step(step).unwrap();
        assert!(report.shortfalls.is_empty(), "{:?}", report.shortfalls);
        assert!(number == 0 || report.impacts.is_empty(), "at {} s: {:?}", world.time(), report.impacts);
        ran.energy.add(&report.energy);
        look(world);
    }
    ran
}

/// By what power of the step errors fall, between each and the next of half the step.
#[track_caller]
fn assert_second_order(errors: &[f64], about: &str) {
    let orders: Vec<f64> = errors.windows(2).map(|pair| (pair[0] / pair[1]).log2()).collect();
    println!("{about}: errors {errors:?}, orders {orders:.2?}");
    assert!(orders.iter().all(|&order| order >= 1.9), "{about}: errors {errors:?}, orders {orders:?}");
}

/// What equations of motion change: rotation, velocities of the centre and angular, place of the centre; all
/// in the world's axes. Also how they change in time.
#[derive(Clone, Copy, Debug)]
struct Motion {
    rotation: Quat,
    angular: Vec3,
    linear: Vec3,
    centre: Vec3,
}

impl Add for Motion {
    type Output = Motion;

    fn add(self, other: Motion) -> Motion {
        Motion {
            rotation: self.rotation + other.rotation,
            angular: self.angular + other.angular,
            linear: self.linear + other.linear,
            centre: self.centre + other.centre,
        }
    }
}

impl Mul<Motion> for f64 {
    type Output = Motion;

    fn mul(self, motion: Motion) -> Motion {
        Motion {
            rotation: motion.rotation * self,
            angular: self * motion.angular,
            linear: self * motion.linear,
            centre: self * motion.centre,
        }
    }
}

/// How a rotation changes at an angular velocity.
fn turning(rotation: Quat, angular: Vec3) -> Quat {
    Quat::from_xyzw(angular.x, angular.y, angular.z, 0.0) * rotation * 0.5
}

/// The motion after a time, by steps of the classical method of Runge and Kutta.
fn integrated(from: Motion, time: f64, steps: usize, rate: impl Fn(&Motion) -> Motion) -> Motion {
    let h = time / steps as f64;
    let mut at = from;
    for _ in 0..steps {
        let first = rate(&at);
        let second = rate(&(at + 0.5 * h * first));
        let third = rate(&(at + 0.5 * h * second));
        let fourth = rate(&(at + h * third));
        at = at + h / 6.0 * (first + 2.0 * second + 2.0 * third + fourth);
        at.rotation = at.rotation.normalize();
    }
    at
}

/// A rattleback: an ellipsoid whose mass lies askew, so that its principal axes of inertia are turned about
/// the vertical from those of its surface.
struct Rattleback {
    semi_axes: Vec3,
    /// By mass, along the axes of the surface, m².
    inertia: Mat3,
}

impl Rattleback {
    fn new() -> Rattleback {
        let semi_axes = Vec3::new(0.1, 0.03, 0.02);
        let s = semi_axes * semi_axes;
        let even = Mat3::from_diagonal(Vec3::new(s.y + s.z, s.z + s.x, s.x + s.y) / 5.0);
        let askew = Mat3::from_quat(Quat::from_rotation_z(0.15));
        Rattleback { semi_axes, inertia: askew * even * askew.transpose() }
    }

    /// From the centre to the lowest point, m, and how that changes in time.
    fn arm(&self, rotation: Quat, angular: Vec3) -> (Vec3, Vec3) {
        let squares = self.semi_axes * self.semi_axes;
        let down = -(rotation.conjugate() * Vec3::Z);
        // The downward direction turns back as the body turns.
        let change = -(rotation.conjugate() * angular).cross(down);
        let reach = (squares * down).dot(down).sqrt();
        let low = squares * down / reach;
        let low_change = squares * change / reach - low * ((squares * down).dot(change) / (reach * reach));
        (rotation * low, angular.cross(rotation * low) + rotation * low_change)
    }

    /// At a spin, rad/s, a little tilted, rolling.
    fn start(&self, spin: f64) -> Motion {
        let rotation = Quat::from_rotation_x(0.02) * Quat::from_rotation_y(0.01);
        let angular = spin * Vec3::Z;
        let (arm, _) = self.arm(rotation, angular);
        Motion { rotation, angular, linear: -angular.cross(arm), centre: -arm.z * Vec3::Z }
    }

    /// The equations of rolling: momentum about the point of contact. All by mass.
    fn rate(&self, at: &Motion) -> Motion {
        let (w, turn) = (at.angular, Mat3::from_quat(at.rotation));
        let (arm, arm_change) = self.arm(at.rotation, w);
        let inertia = turn * self.inertia * turn.transpose();
        let outer = Mat3::from_cols(arm * arm.x, arm * arm.y, arm * arm.z);
        let about_contact = inertia + Mat3::from_diagonal(Vec3::splat(arm.length_squared())) - outer;
        let weight = -G * Vec3::Z;
        let torque = -w.cross(inertia * w) - arm.cross(w.cross(arm_change) + weight);
        let angular = about_contact.inverse() * torque;
        Motion {
            rotation: turning(at.rotation, w),
            angular,
            linear: -angular.cross(arm) - w.cross(arm_change),
            centre: -w.cross(arm),
        }
    }

    fn world(&self, method: &str, start: &Motion) -> (World, BodyId) {
        let body = BodyBuilder::free(Shape::ellipsoid(self.semi_axes).unwrap())
            .mass_properties(1.0, Vec3::ZERO, self.inertia)
            .at(Pose::new(start.centre, start.rotation).unwrap())
            .velocity(Twist { linear: start.linear, angular: start.angular });
        on_ground(method, 2.0, body)
    }
}

#[test]
fn a_rattleback_rolls_to_second_order() {
    let (top, time) = (Rattleback::new(), 0.5);
    let start = top.start(-5.0);
    let truth = integrated(start, time, 20_000, |at| top.rate(at));
    for method in METHODS {
        let error = |steps: usize| {
            let (mut world, body) = top.world(method, &start);
            let ran = run(&mut world, time / steps as f64, steps, |_| {});
            let (pose, velocity) = (world.pose(body).unwrap(), world.velocity(body).unwrap());
            let off = pose.translation().distance(truth.centre);
            let turned = pose.rotation().angle_between(truth.rotation);
            let spun = velocity.angular.distance(truth.angular);
            [off, turned, spun, ran.energy.numerical.abs() / ran.before]
        };
        let errors = [250, 500, 1000, 2000].map(error);
        for (what, number) in [("place", 0), ("rotation", 1), ("spin", 2), ("energy", 3)] {
            assert_second_order(&errors.map(|error| error[number]), &format!("{what} under {method}"));
        }
    }
}

#[test]
fn a_rattleback_turns_back_if_it_is_spun_the_wrong_way() {
    let top = Rattleback::new();
    let (time, step) = (2.0, 1e-3);
    for (spin, turns_back) in [(-5.0, true), (5.0, false)] {
        let start = top.start(spin);
        let (mut world, body) = top.world("auto", &start);
        let (mut truth, mut worst) = (start, 0.0_f64);
        let ran = run(&mut world, step, (time / step) as usize, |world| {
            truth = integrated(truth, step, 4, |at| top.rate(at));
            let spins = world.velocity(body).unwrap().angular.z;
            worst = worst.max((spins - truth.angular.z).abs());
        });
        let spins = world.velocity(body).unwrap().angular.z;
        let lost = ran.energy.numerical.abs() / ran.before;
        println!("spun at {spin} rad/s, then {spins}: off by {worst} at most, {lost:.2e} of its energy lost");
        assert!(if turns_back { spins > 4.9 } else { spins > 4.6 }, "spun at {spin} rad/s, then {spins}");
        assert!(worst < 0.03, "off by {worst} rad/s");
        assert!(lost < 1e-3 && ran.energy.friction.abs() < 1e-4 * ran.before, "{:?}", ran.energy);
    }
}

/// A tippe top: a ball whose centre of mass is below its middle, on a ground that it slides on.
struct TippeTop {
    radius: f64,
    /// From the middle down to the centre of mass, m.
    offset: f64,
    friction: f64,
}

impl TippeTop {
    /// The moment of inertia by mass, about any axis, m².
    fn moment(&self) -> f64 {
        0.4 * self.radius * self.radius
    }

    /// Its axis, from the centre of mass to the middle.
    fn axis(at: &Motion) -> Vec3 {
        at.rotation * Vec3::Z
    }

    /// Tilted, and spinning about the vertical through the centre of mass, rad/s.
    fn start(&self, spin: f64) -> Motion {
        let rotation = Quat::from_rotation_x(0.3);
        let centre = self.radius * Vec3::Z - self.offset * (rotation * Vec3::Z);
        Motion { rotation, angular: spin * Vec3::Z, linear: Vec3::ZERO, centre }
    }

    /// The equations of sliding: pressure such that the ball stays on the ground, friction against its slip.
    fn rate(&self, at: &Motion) -> Motion {
        let w = at.angular;
        let to_middle = self.offset * TippeTop::axis(at);
        let arm = to_middle - self.radius * Vec3::Z;
        let slip = (at.linear + w.cross(arm)).with_z(0.0);
        // Of the force for each newton of pressure.
        let push = Vec3::Z - self.friction * slip / slip.length().max(1e-9);
        // The height of the middle stays: what each newton does to it, and what is done without.
        let by_push = push.z + (arm.cross(push) / self.moment()).cross(to_middle).z;
        let without = w.cross(w.cross(to_middle)).z - G;
        let pressure = -without / by_push;
        Motion {
            rotation: turning(at.rotation, w),
            angular: pressure * arm.cross(push) / self.moment(),
            linear: pressure * push - G * Vec3::Z,
            centre: at.linear,
        }
    }

    fn world(&self, method: &str, start: &Motion) -> (World, BodyId) {
        let inertia = Mat3::from_diagonal(Vec3::splat(self.moment()));
        let middle = start.centre + self.offset * TippeTop::axis(start);
        let body = BodyBuilder::free(Shape::sphere(self.radius).unwrap())
            .mass_properties(1.0, -self.offset * Vec3::Z, inertia)
            .at(Pose::new(middle, start.rotation).unwrap())
            .velocity(Twist { linear: start.linear, angular: start.angular });
        on_ground(method, self.friction, body)
    }
}

const TIPPE_TOP: TippeTop = TippeTop { radius: 0.02, offset: 0.002, friction: 0.1 };

#[test]
fn a_tippe_top_slides_to_second_order() {
    let (top, time) = (TIPPE_TOP, 0.5);
    let start = top.start(100.0);
    let truth = integrated(start, time, 50_000, |at| top.rate(at));
    for method in METHODS {
        let error = |steps: usize| {
            let (mut world, body) = top.world(method, &start);
            let ran = run(&mut world, time / steps as f64, steps, |_| {});
            let (pose, velocity) = (world.pose(body).unwrap(), world.velocity(body).unwrap());
            let centre = pose.transform_point(-top.offset * Vec3::Z);
            let turned = pose.rotation().angle_between(truth.rotation);
            let spun = velocity.angular.distance(truth.angular);
            [centre.distance(truth.centre), turned, spun, ran.energy.numerical.abs() / ran.before]
        };
        let errors = [250, 500, 1000, 2000].map(error);
        for (what, number) in [("place", 0), ("rotation", 1), ("spin", 2), ("energy", 3)] {
            assert_second_order(&errors.map(|error| error[number]), &format!("{what} under {method}"));
        }
    }
}

#[test]
fn a_tippe_top_turns_over() {
    let (top, time, step) = (TIPPE_TOP, 2.0, 1e-3);
    let start = top.start(100.0);
    let (mut world, body) = top.world("auto", &start);
    let leans = |world: &World| (world.pose(body).unwrap().rotation() * Vec3::Z).z;
    let (mut truth, mut worst) = (start, 0.0_f64);
    let ran = run(&mut world, step, (time / step) as usize, |world| {
        truth = integrated(truth, step, 20, |at| top.rate(at));
        worst = worst.max((leans(world) - TippeTop::axis(&truth).z).abs());
    });
    let lost = ran.energy.numerical.abs() / ran.before;
    println!("it ends at {}: off by {worst} at most, {lost:.2e} of its energy lost", leans(&world));
    assert!(leans(&world) < -0.85 && ran.energy.friction > 0.1 * ran.before, "{:?}", ran.energy);
    assert!(worst < 0.02 && lost < 1e-3, "off by {worst}, {lost:e} lost");
}
