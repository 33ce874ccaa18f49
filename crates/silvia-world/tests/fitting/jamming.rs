//! Whitney's jamming diagram: which forces move a peg on that touches its hole at two points.

use super::world;
use silvia_contact::Twist;
use silvia_proximity::Shape;
use silvia_solid::{Pose, Quat, Vec3};
use silvia_world::{BodyBuilder, Hand, Material};

/// Half the peg's width, m.
const RADIUS: f64 = 4e-3;
/// How deep its tip is in the hole, m.
const DEPTH: f64 = 10e-3;
/// Play on each side, m.
const CLEARANCE: f64 = 2e-6;

/// A flat peg between two walls, without gravity: how fast it goes on after a while, m/s. Force and torque
/// act at the middle of its tip: `aside` to the right and `turn` about y, by the force that presses it down
/// and, the torque, half its width.
fn goes_on(friction: f64, aside: f64, turn: f64, method: &str) -> f64 {
    let mut world = world(Vec3::ZERO, method);
    let steel = world.add_material(Material::new("steel", friction, 0.0)).unwrap();
    let wall = || Shape::cuboid(Vec3::new(0.01, 0.02, 0.03)).unwrap();
    for side in [-1.0, 1.0] {
        let place = Vec3::new(side * (RADIUS + CLEARANCE + 0.005), 0.0, -0.015);
        let place = Pose::new(place, Quat::IDENTITY).unwrap();
        world.add(BodyBuilder::fixed(wall()).material(steel).at(place)).unwrap();
    }
    let peg = Shape::cuboid(Vec3::new(2.0 * RADIUS, 0.008, 0.03)).unwrap();
    let place = Pose::new(Vec3::Z * (0.015 - DEPTH), Quat::IDENTITY).unwrap();
    let peg = world.add(BodyBuilder::free(peg).density(7850.0).material(steel).at(place)).unwrap();
    let press = 10.0;
    let push =
        Twist { linear: press * Vec3::new(aside, 0.0, -1.0), angular: press * RADIUS * turn * Vec3::Y };
    let tip = Pose::new(-0.015 * Vec3::Z, Quat::IDENTITY).unwrap();
    world.take(peg, Hand::new(0.0, 0.0).with_grip(tip).with_push(push)).unwrap();
    for _ in 0..20 {
        world.step(0.5e-3).unwrap();
    }
    -world.velocity(peg).unwrap().linear.z
}

/// Two lines and two limits, without friction at the walls beyond the peg's own: with `l` the depth of the
/// tip, `r` half the width and `k = l / (2 r mu)`, a peg that touches at two points slides where
/// `|torque / (r press) - mu (1 + k) aside / press| < k` and `|aside| < press / mu` (Whitney 1982).
#[test]
fn a_peg_goes_on_inside_of_the_jamming_diagram_and_not_outside() {
    // Deeper than its width times the friction, so that it cannot wedge.
    for friction in [0.2, 0.5] {
        let k = DEPTH / (2.0 * RADIUS * friction);
        let turn = |aside: f64, share: f64| share * k + friction * (1.0 + k) * aside;
        let mut points = Vec::new();
        for across in [-0.7, 0.0, 0.4] {
            let aside = across / friction;
            points.extend([-0.97, 0.0, 0.97].map(|share| (aside, turn(aside, share), true)));
            points.extend([-1.03, 1.03].map(|share| (aside, turn(aside, share), false)));
        }
        for side in [-1.0, 1.0] {
            let [inside, outside] = [0.97, 1.03].map(|share| side * share / friction);
            points.extend([(inside, turn(inside, 0.0), true), (outside, turn(outside, 0.0), false)]);
        }
        for (aside, turn, is_inside) in points {
            let speed = goes_on(friction, aside, turn, "auto");
            let is_right = if is_inside { speed > 0.05 } else { speed.abs() < 1e-6 };
            assert!(is_right, "friction {friction}: {aside} {turn} goes on at {speed}");
        }
    }
}

#[test]
fn corners_of_the_jamming_diagram_are_the_same_by_ncp() {
    let friction = 0.3;
    let k = DEPTH / (2.0 * RADIUS * friction);
    for (aside, share) in [(-1.0, 0.97), (1.0, 0.97), (-1.0, 1.03), (1.0, -1.03)] {
        let speed = goes_on(friction, aside, share * k + friction * (1.0 + k) * aside, "ncp");
        assert!(
            if share.abs() < 1.0 { speed > 0.05 } else { speed.abs() < 1e-6 },
            "{aside} {share}: {speed}"
        );
    }
}
