//! Bodies in hand meet others with their own mass, and the accounts have what hands do.

use super::{at, earthly, ground, run, weightless};
use silvia_contact::Twist;
use silvia_proximity::Shape;
use silvia_solid::{Pose, Quat, Vec3};
use silvia_world::{BodyBuilder, EnergyAccount, Hand, Material, MomentumAccount};

fn ball(radius: f64, mass: f64, x: f64) -> BodyBuilder {
    BodyBuilder::free(Shape::sphere(radius).unwrap()).mass(mass).at(at(x, 0.0, 0.0))
}

#[test]
fn a_body_in_a_weak_hand_gives_its_momentum_to_one_of_the_same_mass() {
    let mut world = weightless();
    let rubber = world.add_material(Material::new("rubber", 0.0, 1.0)).unwrap();
    let forward = Twist { linear: Vec3::X, angular: Vec3::ZERO };
    let first = world.add(ball(0.05, 0.5, 0.0).material(rubber).velocity(forward)).unwrap();
    let second = world.add(ball(0.05, 0.5, 0.2).material(rubber)).unwrap();
    world.take(first, Hand::new(1e-6, 0.0)).unwrap();
    run(&mut world, 1e-3, 0.2);
    let [a, b] = [first, second].map(|id| world.velocity(id).unwrap().linear.x);
    assert!(a.abs() < 1e-3 && (b - 1.0).abs() < 1e-3, "{a} {b}");
}

#[test]
fn a_stiff_hand_pushes_a_row_of_boxes_with_the_force_of_their_friction() {
    // Three boxes in a row, pushed at a constant speed: mu m g of those not in hand, which the hand feels.
    let mut world = earthly();
    let wood = world.add_material(Material::new("wood", 0.3, 0.0)).unwrap();
    world.add(ground().material(wood)).unwrap();
    let cube = |x: f64| {
        let cube = BodyBuilder::free(Shape::cuboid(Vec3::splat(0.1)).unwrap()).mass(1.0);
        cube.material(wood).at(at(x, 0.0, 0.05))
    };
    let [pushed, _, _] = [0.0, 0.1, 0.2].map(|x| world.add(cube(x)).unwrap());
    let way = silvia_world::Script::Velocity(Twist { linear: Vec3::X * 0.1, angular: Vec3::ZERO });
    let hand = world.take(pushed, Hand::new(5e4, 500.0).with_target(way)).unwrap();
    run(&mut world, 1e-3, 0.5);
    let force = world.hand_record(hand).unwrap().unwrap().force;
    assert!((force.x / (2.0 * 0.3 * 9.81) - 1.0).abs() < 0.01, "{force}");
    let speed = world.velocity(pushed).unwrap().linear.x;
    assert!((speed - 0.1).abs() < 1e-3, "{speed}");
}

/// Energy and momentum of a run in which a hand drags a box over the ground, with a load on it.
fn dragged(step: f64) -> (EnergyAccount, MomentumAccount) {
    let mut world = earthly();
    world.add(ground()).unwrap();
    let cube = BodyBuilder::free(Shape::cuboid(Vec3::new(0.2, 0.1, 0.1)).unwrap()).mass(1.0);
    let cube = world.add(cube.at(at(0.0, 0.0, 0.05))).unwrap();
    let grip = at(0.1, 0.0, 0.0);
    let way = silvia_world::Script::Poses(vec![(0.0, at(0.0, 0.0, 0.05)), (0.4, at(0.3, 0.05, 0.05))]);
    let hand = Hand::new(500.0, 5.0).with_grip(grip).with_weight(false).with_target(way);
    world.take(cube, hand).unwrap();
    world.add_load(cube, silvia_world::Load::force(Vec3::Y)).unwrap();
    let (mut energy, mut momentum) = (EnergyAccount::default(), MomentumAccount::default());
    for _ in 0..(0.4 / step).round() as usize {
        let report = world.step(step).unwrap();
        energy.add(&report.energy);
        momentum.add(&report.momentum);
    }
    (energy, momentum)
}

#[test]
fn the_accounts_have_the_work_and_the_impulse_of_hands() {
    let [coarse, fine] = [1e-3, 0.25e-3].map(dragged);
    for (energy, momentum) in [&coarse, &fine] {
        assert!(momentum.numerical.length() < 1e-8 * momentum.loads.length(), "{momentum:?}");
        assert!(energy.driven > 1.0 && energy.friction > 1.0, "{energy:?}");
    }
    // What backward Euler takes is of first order in the step.
    let [of_coarse, of_fine] = [&coarse, &fine].map(|(energy, _)| energy.numerical / energy.driven);
    assert!(of_coarse.abs() < 0.01 && of_fine.abs() < 0.3 * of_coarse.abs(), "{of_coarse} {of_fine}");
}

#[test]
fn a_body_in_hand_rests_on_another_that_is_free() {
    let mut world = earthly();
    world.add(ground()).unwrap();
    let cube =
        |z: f64| BodyBuilder::free(Shape::cuboid(Vec3::splat(0.1)).unwrap()).mass(1.0).at(at(0.0, 0.0, z));
    let below = world.add(cube(0.05)).unwrap();
    let above = world.add(cube(0.15)).unwrap();
    let hand = world.take(above, Hand::new(1000.0, 100.0)).unwrap();
    world.move_hand(hand, at(0.0, 0.0, 0.14)).unwrap();
    run(&mut world, 1e-3, 0.2);
    let on = world.force_between(below, above).unwrap();
    assert!((on - Vec3::Z * 10.0).length() < 1e-4, "{on}");
    let ground = world.body_id("ground").unwrap();
    let under = world.force_between(ground, below).unwrap();
    assert!((under - Vec3::Z * (10.0 + 9.81)).length() < 1e-4, "{under}");
}

#[test]
fn a_bar_that_is_jerked_round_does_not_pass_through_what_stands_in_its_arc() {
    for (stiffness, step) in [(0.3, 2e-3), (1.0, 1e-3), (10.0, 1e-3), (100.0, 1e-2)] {
        let mut world = weightless();
        // At 60 degrees, within the reach of the bar and far from the chords of its ends.
        let angle = 60_f64.to_radians();
        let pin = Shape::cuboid(Vec3::new(0.01, 0.01, 0.1)).unwrap();
        world.add(BodyBuilder::fixed(pin).at(at(0.08 * angle.cos(), 0.08 * angle.sin(), 0.0))).unwrap();
        let bar = BodyBuilder::free(Shape::cuboid(Vec3::new(0.2, 0.01, 0.01)).unwrap()).mass(1e-4);
        let bar = world.add(bar).unwrap();
        // Held so firmly that it cannot give way sideways.
        let hand = world.take(bar, Hand::new(1e6, stiffness)).unwrap();
        let turned = Quat::from_rotation_z(150_f64.to_radians());
        world.move_hand(hand, Pose::new(Vec3::ZERO, turned).unwrap()).unwrap();
        for _ in 0..100 {
            world.step(step).unwrap();
            let along = world.pose(bar).unwrap().rotation() * Vec3::X;
            let is_at = along.y.atan2(along.x);
            assert!(
                (-0.1..angle).contains(&is_at),
                "{stiffness} N m/rad in steps of {step} s: at {is_at} rad"
            );
        }
    }
}
