//! A peg that a hand pushes on at an angle, so that it touches its hole at two points: the force and torque
//! of the hand are those of statics, and the same at any step.

use super::world;
use silvia_contact::Twist;
use silvia_proximity::Shape;
use silvia_solid::{Pose, Quat, Vec3};
use silvia_world::{BodyBuilder, BodyId, Hand, HandRecord, Material, Script, World};

const FRICTION: f64 = 0.3;
/// Half the peg's width, m.
const RADIUS: f64 = 4e-3;
const LENGTH: f64 = 30e-3;
/// Play on each side, m.
const CLEARANCE: f64 = 20e-6;

struct Slid {
    peg: Pose,
    /// On the peg, by the walls on the left and on the right, N.
    walls: [Vec3; 2],
    hand: HandRecord,
}

/// After 0.3 s, in which the hand moves down by 3 mm.
fn slid(step: f64) -> Slid {
    let mut world = world(Vec3::ZERO, "auto");
    let steel = world.add_material(Material::new("steel", FRICTION, 0.0)).unwrap();
    let wall = |world: &mut World, side: f64| -> BodyId {
        let shape = Shape::cuboid(Vec3::new(0.01, 0.02, 0.03)).unwrap();
        let place = Vec3::new(side * (RADIUS + CLEARANCE + 0.005), 0.0, -0.015);
        let place = Pose::new(place, Quat::IDENTITY).unwrap();
        world.add(BodyBuilder::fixed(shape).material(steel).at(place)).unwrap()
    };
    let walls = [-1.0, 1.0].map(|side| wall(&mut world, side));
    let peg = Shape::cuboid(Vec3::new(2.0 * RADIUS, 0.008, LENGTH)).unwrap();
    let start = Pose::new(Vec3::Z * (0.5 * LENGTH - 8e-3), Quat::IDENTITY).unwrap();
    let peg = world.add(BodyBuilder::free(peg).density(7850.0).material(steel).at(start)).unwrap();
    // Wanted 3 degrees tilted and half a millimetre aside, which the walls do not allow.
    let tilted = |z: f64| {
        let place = Vec3::new(0.5e-3, 0.0, 0.5 * LENGTH - z);
        Pose::new(place, Quat::from_rotation_y(3_f64.to_radians())).unwrap()
    };
    let stiffness = Twist { linear: Vec3::new(2e3, 2e3, 2e4), angular: Vec3::splat(3.0) };
    let tip = Pose::new(-0.5 * LENGTH * Vec3::Z, Quat::IDENTITY).unwrap();
    let hand = Hand::new(0.0, 0.0).with_stiffness(stiffness).with_grip(tip);
    let hand = hand.with_target(Script::Poses(vec![(0.0, tilted(8e-3)), (0.4, tilted(12e-3))]));
    let hand = world.take(peg, hand).unwrap();
    for _ in 0..(0.3 / step).round() as usize {
        world.step(step).unwrap();
    }
    Slid {
        peg: world.pose(peg).unwrap(),
        walls: walls.map(|wall| world.force_between(wall, peg).unwrap()),
        hand: world.hand_record(hand).unwrap().unwrap(),
    }
}

#[test]
fn a_hand_that_pushes_a_tilted_peg_on_feels_what_statics_says_at_any_step() {
    let found = [2e-3, 1e-3, 0.5e-3].map(slid);
    for Slid { peg, walls, hand } in &found {
        // The lower left edge is at the left wall, the right side at the mouth.
        let left = peg.transform_point(Vec3::new(-RADIUS, 0.0, -0.5 * LENGTH));
        let right = Vec3::new(RADIUS + CLEARANCE, 0.0, 0.0);
        assert!((left.x + RADIUS + CLEARANCE).abs() < 1e-8, "{left}");
        let [across, along] = [Vec3::X, Vec3::Z].map(|axis| peg.rotation() * axis);
        assert!(((right - peg.translation()).dot(across) - RADIUS).abs() < 1e-8);
        // Pushes of one newton at both, with friction against the way down.
        let pushes = [Vec3::X + FRICTION * Vec3::Z, -across + FRICTION * along];
        let [a, b] = pushes;
        // Cramer's rule for: hand + f a + g b = 0, along x and z.
        let determinant = a.x * b.z - a.z * b.x;
        let f = -(hand.force.x * b.z - hand.force.z * b.x) / determinant;
        let g = -(a.x * hand.force.z - a.z * hand.force.x) / determinant;
        assert!(f > 1.0 && g > 1.0, "{f} {g}");
        for (wall, expected) in walls.iter().zip([f * a, g * b]) {
            assert!(wall.distance(expected) < 0.01 * expected.length(), "{wall} {expected}");
        }
        // What is left to agree: the torque about the tip.
        let torque = f * (left - hand.at).cross(a) + g * (right - hand.at).cross(b);
        assert!((hand.torque + torque).length() < 0.01 * torque.length(), "{} {torque}", hand.torque);
    }
    for pair in found.windows(2) {
        let [a, b] = [&pair[0].hand, &pair[1].hand];
        assert!(a.force.distance(b.force) < 0.01 * a.force.length(), "{} {}", a.force, b.force);
        assert!(a.torque.distance(b.torque) < 0.01 * a.torque.length(), "{} {}", a.torque, b.torque);
    }
}
