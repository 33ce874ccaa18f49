//! A hand whose target rests never gives more energy than its springs held.

use super::{at, weightless};
use seeded::Random;
use silvia_contact::Twist;
use silvia_proximity::Shape;
use silvia_solid::{Pose, Vec3};
use silvia_world::{BodyBuilder, BodyId, Hand, World};

/// A number whose logarithm is evenly spread.
fn of_any_size(random: &mut Random, low: f64, high: f64) -> f64 {
    random.between(low.ln(), high.ln()).exp()
}

struct Trial {
    world: World,
    body: BodyId,
    hand: Hand,
    step: f64,
}

/// A body that moves and turns on springs with `k dt² / m` from 1e-4 to 1e6, the same in all directions
/// about the axes if they are `alike`.
fn trial(seed: u64, alike: bool, has_limits: bool) -> Trial {
    let mut random = Random::new(seed);
    let random = &mut random;
    let mut world = weightless();
    let mass = of_any_size(random, 1e-3, 10.0);
    let size = of_any_size(random, 5e-3, 0.5);
    let sides = Vec3::new(random.between(0.3, 1.0), random.between(0.3, 1.0), random.between(0.3, 1.0));
    let step = of_any_size(random, 1e-4, 2e-2);
    // Of the way of its rim in a step, by size.
    let speed = of_any_size(random, 1e-3, 0.3) / step;
    let body = BodyBuilder::free(Shape::cuboid(size * sides).unwrap())
        .mass(mass)
        .at(Pose::new(random.vector(size), random.rotation()).unwrap())
        .velocity(Twist { linear: random.vector(size * speed), angular: random.vector(speed) });
    let body = world.add(body).unwrap();
    let inertia = mass * size * size / 6.0;
    let mut stiffness = |mass: f64, alike: bool| {
        let mut one = || mass * of_any_size(random, 1e-4, 1e6) / (step * step);
        if alike { Vec3::splat(one()) } else { Vec3::new(one(), one(), one()) }
    };
    let linear = stiffness(mass, false);
    let stiffness = Twist { linear, angular: stiffness(inertia, alike) };
    let ratio = random.pick(&[0.0, 0.1, 1.0]);
    let mut hand = Hand::new(0.0, 0.0).with_stiffness(stiffness).with_damping_ratio(ratio);
    if random.chance(0.5) {
        let grip = Pose::new(random.vector(0.5 * size), random.rotation()).unwrap();
        hand = hand.with_grip(grip);
    }
    if has_limits {
        let most = mass * size / (step * step) * of_any_size(random, 1e-4, 1.0);
        hand = hand.with_most_force(most).with_most_torque(most * size);
    }
    world.take(body, hand.clone()).unwrap();
    Trial { world, body, hand, step }
}

impl Trial {
    /// What the springs hold, J: the potential of a force that grows to its most and stays there.
    fn in_springs(&self) -> f64 {
        let pose = self.world.pose(self.body).unwrap();
        let grip = self.hand.grip();
        let axes = grip.rotation();
        let off = axes.conjugate() * (grip.translation() - pose.transform_point(grip.translation()));
        let turn = axes.conjugate() * pose.rotation().conjugate().to_scaled_axis();
        let turn = if turn.length() > std::f64::consts::PI {
            turn * (1.0 - std::f64::consts::TAU / turn.length())
        } else {
            turn
        };
        let Twist { linear, angular } = self.hand.stiffness();
        0.5 * (off.dot(linear * off) + turn.dot(angular * turn))
    }

    fn kinetic(&self) -> f64 {
        self.world.energy().kinetic
    }
}

/// The most energy of motion that a body ever has, as a part of all that there was.
fn most_kinetic(mut trial: Trial, steps: usize) -> f64 {
    let hand = trial.world.hands().next().unwrap().0;
    trial.world.move_hand(hand, Pose::IDENTITY).unwrap();
    let all = trial.kinetic() + trial.in_springs();
    let mut most = 0.0_f64;
    for _ in 0..steps {
        trial.world.step(trial.step).unwrap();
        most = most.max(trial.kinetic() / all);
    }
    most
}

#[test]
fn springs_alike_about_all_axes_give_no_more_than_they_held() {
    for seed in 0..300 {
        let most = most_kinetic(trial(seed, true, false), 200);
        assert!(most <= 1.0 + 1e-9, "{seed}: {most}");
    }
}

#[test]
fn springs_of_any_stiffness_give_no_more_than_they_held() {
    for seed in 0..300 {
        let most = most_kinetic(trial(seed, false, false), 200);
        assert!(most <= 1.0 + 1e-9, "{seed}: {most}");
    }
}

#[test]
fn a_body_that_spins_in_a_hand_gains_no_energy() {
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let mut world = weightless();
        let sides = Vec3::new(random.between(0.2, 1.0), random.between(0.2, 1.0), random.between(0.2, 1.0));
        let step = of_any_size(&mut random, 1e-4, 2e-2);
        // Of a turn in a step, rad.
        let turn = of_any_size(&mut random, 0.02, 1.0);
        let angular = random.vector(1.0).normalize() * turn / step;
        let body = BodyBuilder::free(Shape::cuboid(0.1 * sides).unwrap()).mass(1.0);
        let body = world.add(body.velocity(Twist { linear: Vec3::ZERO, angular })).unwrap();
        // It holds the place, not the rotation.
        world.take(body, Hand::new(100.0, 0.0)).unwrap();
        let before = world.energy().kinetic;
        for _ in 0..200 {
            world.step(step).unwrap();
            let now = world.energy().kinetic;
            assert!(now <= before * (1.0 + 1e-12), "{seed}: {before} J, then {now} J");
        }
        // At small steps it does not come to rest either.
        if turn < 0.05 {
            assert!(world.energy().kinetic > 0.3 * before, "{seed}: {before} J, then little is left");
        }
    }
}

/// What a spring holds that pulls with its stiffness times the way up to a most and with that from there on.
fn of_limited(stiffness: f64, most: f64, way: f64) -> f64 {
    let knee = most / stiffness;
    if way <= knee { 0.5 * stiffness * way * way } else { most * (way - 0.5 * knee) }
}

#[test]
fn limited_springs_give_no_more_than_they_held() {
    for seed in 0..500 {
        let mut random = Random::new(seed);
        let random = &mut random;
        let mut world = weightless();
        let mass = of_any_size(random, 1e-3, 10.0);
        let step = of_any_size(random, 1e-4, 2e-2);
        let stiffness = mass * of_any_size(random, 1e-4, 1e6) / (step * step);
        let speed = of_any_size(random, 1e-3, 0.3) / step;
        let start = random.vector(1.0);
        let ball = BodyBuilder::free(Shape::sphere(0.05).unwrap())
            .mass(mass)
            .at(at(start.x, start.y, start.z))
            .velocity(Twist { linear: random.vector(speed), angular: Vec3::ZERO });
        let ball = world.add(ball).unwrap();
        let most = mass / (step * step) * of_any_size(random, 1e-4, 1.0);
        let hand = Hand::new(stiffness, 0.0).with_damping_ratio(0.0).with_most_force(most);
        let hand = world.take(ball, hand).unwrap();
        world.move_hand(hand, Pose::IDENTITY).unwrap();
        let all = world.energy().kinetic + of_limited(stiffness, most, start.length());
        for number in 0..300 {
            let report = world.step(step).unwrap();
            let kinetic = world.energy().kinetic;
            let way = world.pose(ball).unwrap().translation().length();
            let now = kinetic + of_limited(stiffness, most, way);
            assert!(kinetic <= all * (1.0 + 1e-9), "{seed} {number}: {kinetic} of {all}");
            assert!(now <= all * (1.0 + 1e-3), "{seed} {number}: {now} of {all}");
            assert!(report.hands[0].force.length() <= most * (1.0 + 1e-3));
        }
    }
}

#[test]
fn hands_at_their_limits_give_no_more_than_springs_without_would() {
    for seed in 0..300 {
        let most = most_kinetic(trial(seed, false, true), 200);
        assert!(most <= 1.0 + 1e-9, "{seed}: {most}");
    }
}

#[test]
fn a_ball_on_a_spring_loses_energy_in_every_step_however_stiff_it_is() {
    // Linear: backward Euler is strictly passive.
    for stiffness in [1.0, 1e3, 1e6, 1e9, 1e12] {
        let mut world = weightless();
        let ball = BodyBuilder::free(Shape::sphere(0.05).unwrap()).mass(0.3).at(at(0.1, 0.0, 0.0));
        let ball = world.add(ball).unwrap();
        let hand = Hand::new(stiffness, 0.0).with_damping_ratio(0.0);
        let hand = world.take(ball, hand).unwrap();
        world.move_hand(hand, Pose::IDENTITY).unwrap();
        // Beyond this a spring is as good as rigid.
        let step: f64 = 1e-2;
        let in_use = stiffness.min(1e8 * 0.3 / (step * step));
        let mut before = f64::INFINITY;
        for _ in 0..100 {
            world.step(step).unwrap();
            let off = world.pose(ball).unwrap().translation();
            let energy = world.energy().kinetic + 0.5 * in_use * off.length_squared();
            assert!(energy <= before * (1.0 + 1e-12), "{stiffness}: {before} to {energy}");
            before = energy;
        }
    }
}
