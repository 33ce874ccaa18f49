//! A ball that rolls in a bowl, and other things that come to rest in one.
//!
//! Rolling without slip inside a sphere is not integrable to a path by its velocities alone, but the ball's
//! equations are short: `n` from the centre of the bowl through that of the ball, at `L n`, the contact keeps
//! `v = r n × ω`, and the spin `ω · n` stays. They are integrated here by small steps of the method of Runge
//! and Kutta; small motions, and the period of large ones, have closed forms.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use silvia_check::Checker;
use silvia_contact::Twist;
use silvia_proximity::Shape;
use silvia_solid::{Pose, Quat, Solid, Vec3, parts};
use silvia_world::{BodyBuilder, BodyId, EnergyAccount, Material, World, WorldSettings, response};
use std::f64::consts::{PI, TAU};
use std::sync::Arc;

/// m/s²
const G: f64 = 9.81;

/// Methods that know friction.
const METHODS: [&str; 3] = ["auto", "ncp", "lcp"];

/// Of the bowl and of the ball, m.
const BOWL: f64 = 0.5;
const BALL: f64 = 0.05;
/// Of the path of the ball's centre, m.
const PATH: f64 = BOWL - BALL;

/// Where the bowl stands: not at the origin.
const MIDDLE: Vec3 = Vec3::new(0.3, -0.2, 0.7);

fn bowl(method: &str, friction: f64) -> World {
    let response = Arc::from(response::by_name(method).unwrap());
    let settings = WorldSettings::default().with_second_order(true);
    let mut world = World::with_response(settings, response).unwrap();
    let material = world.add_material(Material::new("all", friction, 0.0)).unwrap();
    let at = Pose::new(MIDDLE, Quat::from_rotation_x(0.3)).unwrap();
    world.add(BodyBuilder::fixed(Shape::cavity(BOWL).unwrap()).material(material).at(at)).unwrap();
    world
}

/// A ball in a bowl that rolls.
#[derive(Clone, Copy, Debug)]
struct Rolling {
    rotation: Quat,
    angular: Vec3,
    /// From the middle of the bowl, m.
    centre: Vec3,
}

impl Rolling {
    /// At an angle from the lowest place, with a speed across and a spin about the normal at the contact.
    fn start(angle: f64, across: f64, spin: f64) -> Rolling {
        let n = Vec3::new(angle.sin(), 0.0, -angle.cos());
        // v = r n × ω for what is across n.
        let angular = (across * Vec3::Y).cross(n) / BALL + spin * n;
        Rolling { rotation: Quat::from_rotation_y(0.4), angular, centre: PATH * n }
    }

    fn normal(&self) -> Vec3 {
        self.centre.normalize()
    }

    fn velocity(&self) -> Vec3 {
        BALL * self.normal().cross(self.angular)
    }

    /// The equations of rolling: momentum about the point of contact.
    fn rate(&self) -> Rolling {
        let (n, w, v) = (self.normal(), self.angular, self.velocity());
        let per_mass = BALL * (v / PATH).cross(w) + G * Vec3::Z;
        Rolling {
            rotation: Quat::from_xyzw(w.x, w.y, w.z, 0.0) * self.rotation * 0.5,
            angular: n.cross(per_mass) / (1.4 * BALL),
            centre: v,
        }
    }

    fn after(&self, h: f64, rate: &Rolling) -> Rolling {
        Rolling {
            rotation: self.rotation + rate.rotation * h,
            angular: self.angular + h * rate.angular,
            centre: self.centre + h * rate.centre,
        }
    }

    /// By steps of the classical method of Runge and Kutta.
    fn integrated(self, time: f64, steps: usize) -> Rolling {
        let h = time / steps as f64;
        let mut at = self;
        for _ in 0..steps {
            let first = at.rate();
            let second = at.after(0.5 * h, &first).rate();
            let third = at.after(0.5 * h, &second).rate();
            let fourth = at.after(h, &third).rate();
            for (part, rate) in [(1.0, first), (2.0, second), (2.0, third), (1.0, fourth)] {
                at = at.after(part * h / 6.0, &rate);
            }
            at.rotation = at.rotation.normalize();
        }
        at
    }

    fn world(&self, method: &str) -> (World, BodyId) {
        let mut world = bowl(method, 2.0);
        let material = world.material_id("all").unwrap();
        let body = BodyBuilder::free(Shape::sphere(BALL).unwrap()).mass(1.0).material(material);
        let body = body
            // At the gap that the world keeps.
            .at(Pose::new(MIDDLE + self.centre - 2e-10 * self.normal(), self.rotation).unwrap())
            .velocity(Twist { linear: self.velocity(), angular: self.angular });
        let id = world.add(body).unwrap();
        (world, id)
    }
}

/// Steps of a world, with the account of its energy. None may end at an impact.
fn run(world: &mut World, step: f64, steps: usize, mut look: impl FnMut(&World)) -> EnergyAccount {
    let mut energy = EnergyAccount::default();
    for _ in 0..steps {
        let report = world.step(step).unwrap();
        assert!(report.shortfalls.is_empty(), "{:?}", report.shortfalls);
        assert!(report.impacts.is_empty(), "at {} s: {:?}", world.time(), report.impacts);
        energy.add(&report.energy);
        look(world);
    }
    energy
}

/// By what power of the step errors fall, between each and the next of half the step.
#[track_caller]
fn assert_second_order(errors: &[f64], about: &str) {
    let orders: Vec<f64> = errors.windows(2).map(|pair| (pair[0] / pair[1]).log2()).collect();
    println!("{about}: errors {errors:?}, orders {orders:.2?}");
    assert!(orders.iter().all(|&order| order >= 1.9), "{about}: errors {errors:?}, orders {orders:?}");
}

/// What flows to and fro between height and speed, J for a kilogram.
const FLOWS: f64 = G * PATH;

#[test]
fn the_equations_keep_energy_and_spin() {
    let start = Rolling::start(1.0, 1.2, 40.0);
    let energy = |at: &Rolling| {
        let (v, w) = (at.velocity().length_squared(), at.angular.length_squared());
        0.5 * v + 0.2 * BALL * BALL * w + G * at.centre.z
    };
    let end = start.integrated(1.0, 20_000);
    assert!((energy(&end) - energy(&start)).abs() < 1e-12);
    assert!((end.angular.dot(end.normal()) - 40.0).abs() < 1e-10);
    let finer = start.integrated(1.0, 40_000);
    assert!(finer.centre.distance(end.centre) < 1e-12 && finer.angular.distance(end.angular) < 1e-10);
}

#[test]
fn a_ball_rolls_in_a_bowl_to_second_order_with_and_without_spin() {
    let time = 1.0;
    for (start, about) in
        [(Rolling::start(1.0, 0.0, 0.0), "to and fro"), (Rolling::start(1.0, 1.2, 40.0), "around, with spin")]
    {
        let truth = start.integrated(time, 20_000);
        for method in METHODS {
            let error = |steps: usize| {
                let (mut world, body) = start.world(method);
                let energy = run(&mut world, time / steps as f64, steps, |_| {});
                let (pose, velocity) = (world.pose(body).unwrap(), world.velocity(body).unwrap());
                let off = pose.translation().distance(MIDDLE + truth.centre);
                let turned = pose.rotation().angle_between(truth.rotation);
                let spun = velocity.angular.distance(truth.angular);
                assert!(energy.friction.abs() < 1e-3 * FLOWS, "{energy:?}");
                [off, turned, spun, energy.numerical.abs() / FLOWS]
            };
            let errors = [250, 500, 1000, 2000].map(error);
            for (what, number) in [("place", 0), ("rotation", 1), ("spin", 2)] {
                let about = format!("{what} of a ball that rolls {about} under {method}");
                // Between 2 and 1 ms the search for forces takes a round less, and what is left of it changes
                // the factor before the square of the step by 1.4.
                let errors = errors.map(|error| error[number]);
                assert_second_order(&errors[..2], &about);
                assert_second_order(&errors[2..], &about);
                assert!(errors[2] < 0.5 * errors[1], "{about}: {errors:?}");
            }
            assert!(errors[0][3] < 1e-3 && errors[3][3] < 2e-5, "energy under {method}: {errors:?}");
        }
    }
}

/// The arithmetic-geometric mean.
fn mean(mut a: f64, mut b: f64) -> f64 {
    for _ in 0..10 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    a
}

/// The period of a ball that rolls to and fro, in steps of a length: from its second pass through the middle
/// to its sixth.
fn period(angle: f64, step: f64) -> f64 {
    let start = Rolling::start(angle, 0.0, 0.0);
    let (mut world, body) = start.world("auto");
    let (mut last, mut passes) = (start.centre.x, Vec::new());
    while passes.len() < 6 {
        run(&mut world, step, 1, |world| {
            let x = world.pose(body).unwrap().translation().x - MIDDLE.x;
            // It goes there with hardly a change of speed.
            if x * last < 0.0 {
                passes.push(world.time() - step * x / (x - last));
            }
            last = x;
        });
    }
    0.5 * (passes[5] - passes[1])
}

#[test]
fn the_period_is_that_of_a_pendulum_seven_fifths_as_heavy_as_it_swings() {
    for angle in [0.01, 1.0] {
        // A pendulum of length L whose inertia is 7/5 of its mass.
        let truth = TAU * (1.4 * PATH / G).sqrt() / mean(1.0, (0.5_f64 * angle).cos());
        let [coarse, fine] = [2e-3, 1e-3].map(|step| period(angle, step) / truth - 1.0);
        // Of second order in the step, so that this has none of it left.
        let left = (4.0 * fine - coarse) / 3.0;
        println!("from {angle} rad: {truth} s, off by {coarse:.2e}, {fine:.2e}; without the step {left:.1e}");
        assert!(fine.abs() < 1e-5 && left.abs() < 1e-7, "{coarse:e} {fine:e} {left:e}");
    }
}

#[test]
fn a_ball_that_spins_precesses() {
    // Small motions: L n'' = -(5/7) g n - (2/7) r s z × n' for a spin s about the vertical. So the plane in
    // which it swings goes round at -r s / (7 L).
    let (angle, spin) = (0.02, 60.0);
    let rate = BALL * spin / (7.0 * PATH);
    let swing = (5.0 / 7.0 * G / PATH + rate * rate).sqrt();
    let place = |t: f64| {
        let ((s, c), (sin, cos)) = ((swing * t).sin_cos(), (rate * t).sin_cos());
        let (along, aside) = (c, rate / swing * s);
        PATH * angle * Vec3::new(along * cos + aside * sin, aside * cos - along * sin, 0.0)
    };
    // The normal at the bottom looks down.
    let start = Rolling::start(angle, 0.0, -spin);
    let (mut world, body) = start.world("auto");
    let mut worst: f64 = 0.0;
    let energy = run(&mut world, 1e-3, 3000, |world| {
        let at = (world.pose(body).unwrap().translation() - MIDDLE).with_z(0.0);
        worst = worst.max(at.distance(place(world.time())) / (PATH * angle));
    });
    let turned = (-rate * 3.0).to_degrees();
    println!("its plane turns by {turned:.1} degrees in 3 s: off by {worst:.1e} of the swing");
    // What the closed form leaves out is the longer period of a swing so wide, which comes to 3e-4.
    let swings = 0.5 * G * PATH * angle * angle;
    assert!(worst < 1e-3, "off by {worst} of the swing");
    assert!(energy.numerical.abs() + energy.friction.abs() < 1e-3 * swings, "{energy:?}");
}

#[test]
fn a_ball_in_a_loop_holds_on_by_its_speed() {
    // Over the top at more than the least speed there: L v² / L² = g, and so at the bottom
    // v² = (27/7) g L. It rolls on, and is where the equations say.
    let speed = (27.0 / 7.0 * G * PATH).sqrt() * 1.05;
    let start = Rolling::start(0.0, speed, 0.0);
    let truth = start.integrated(1.5, 50_000);
    assert!(start.integrated(0.5, 5000).centre.z > 0.0);
    let (mut world, body) = start.world("auto");
    let energy = run(&mut world, 5e-4, 3000, |_| {});
    let off = world.pose(body).unwrap().translation().distance(MIDDLE + truth.centre);
    println!("off by {off:.1e} m after 1.5 s");
    assert!(off < 2e-3 && energy.numerical.abs() < 1e-4 * FLOWS, "{off} {energy:?}");
}

#[test]
fn things_of_all_kinds_come_to_rest_in_a_bowl_under_the_eyes_of_the_judge() {
    let bracket = Shape::solid(Solid::from_soup(&parts::l_bracket(0.12, 0.1, 0.03, 0.06).unwrap()).unwrap());
    let things = [
        Shape::sphere(0.06).unwrap(),
        Shape::cuboid(Vec3::new(0.1, 0.08, 0.06)).unwrap(),
        Shape::cylinder(0.05, 0.08).unwrap(),
        Shape::cone(0.06, 0.1).unwrap(),
        Shape::capsule(0.03, 0.1).unwrap(),
        Shape::ellipsoid(Vec3::new(0.08, 0.05, 0.03)).unwrap(),
        bracket,
    ];
    let mut world = bowl("auto", 0.5);
    let material = world.material_id("all").unwrap();
    let mut ids: Vec<BodyId> = world.ids().collect();
    for (k, shape) in things.iter().enumerate() {
        let turn = TAU * k as f64 / 7.0;
        let at = MIDDLE + Vec3::new(0.28 * turn.cos(), 0.28 * turn.sin(), -0.1 + 0.01 * k as f64);
        let pose = Pose::new(at, Quat::from_scaled_axis(Vec3::new(0.3, turn, 0.2))).unwrap();
        let body = BodyBuilder::free(shape.clone()).density(1000.0).material(material).at(pose);
        ids.push(world.add(body).unwrap());
    }
    let shapes = [Shape::cavity(BOWL).unwrap()].into_iter().chain(things);
    let mut judge = Checker::new((0..).map(|k: usize| k.to_string()).zip(shapes)).unwrap();
    for (index, &id) in ids.iter().enumerate().skip(1) {
        judge.centre(index, world.inertia(id).unwrap().centre).unwrap();
    }
    judge.state(0.0, world.poses()).unwrap();
    for _ in 0..1500 {
        let (mut poses, from) = (world.poses().to_vec(), world.time());
        let report = world.step(2e-3).unwrap();
        assert!(report.shortfalls.is_empty(), "{:?}", report.shortfalls);
        // Where a step went in pieces, each of them was certified.
        for (count, update) in report.way.iter().enumerate() {
            for (id, state) in update {
                poses[id.index()] = world.pose_in(*id, state).unwrap();
            }
            let part = (count + 1) as f64 / (report.way.len() + 1) as f64;
            judge.state(from + part * (world.time() - from), &poses).unwrap();
        }
        judge.state(world.time(), world.poses()).unwrap();
    }
    let verdict = judge.verdict();
    assert!(verdict.depth() == 0.0 && verdict.undecided.is_empty(), "{verdict:?}");
    // Between two states the points of a can and a cone that tilt go straight, as the certificate says; to
    // the judge their discs keep their size and bulge out a little, a millionth of the radius at these
    // steps.
    let is_tilting = |body: usize| body == 3 || body == 4;
    let crossed = verdict.crossings.iter().filter(|crossing| !crossing.bodies.into_iter().any(is_tilting));
    assert_eq!(crossed.count(), 0, "{verdict:?}");
    for id in ids {
        let at = world.pose(id).unwrap().translation() - MIDDLE;
        let speed = world.velocity(id).unwrap().linear.length();
        assert!(at.length() < BOWL && speed < 0.02, "{at} {speed}");
    }
}

#[test]
fn a_can_stands_on_its_rim_in_a_bowl_at_rest() {
    // The rim is a circle of the bowl: all of it touches.
    let (radius, height) = (0.2_f64, 0.1);
    let down = (BOWL * BOWL - radius * radius).sqrt() - 0.5 * height;
    let mut world = bowl("auto", 0.5);
    let material = world.material_id("all").unwrap();
    let tilt = Quat::from_rotation_z(PI / 7.0);
    let pose = Pose::new(MIDDLE - (down - 1e-9) * Vec3::Z, tilt).unwrap();
    let can = BodyBuilder::free(Shape::cylinder(radius, height).unwrap()).density(1000.0);
    let id = world.add(can.material(material).at(pose)).unwrap();
    run(&mut world, 2e-3, 500, |_| {});
    let moved = world.pose(id).unwrap().translation().distance(pose.translation());
    assert!(moved < 1e-7 && world.velocity(id).unwrap().linear.length() < 1e-7, "{moved}");
}
