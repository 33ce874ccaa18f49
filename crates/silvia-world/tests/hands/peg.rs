//! A peg of 8 mm, 1 mm off its hole and tilted by 1 degree, with 0.02 mm of clearance: a compliant hand gets
//! it in, a rigid one does not.

use super::earthly;
use silvia_contact::Twist;
use silvia_solid::parts::{CountersunkBolt, PegAndHole};
use silvia_solid::{Pose, Quat, Solid, Vec3};
use silvia_world::{BodyBuilder, BodyId, Hand, Material, Role, Script, World};

/// m
const RADIUS: f64 = 4e-3;
/// m
const LENGTH: f64 = 30e-3;

/// A block with a countersunk hole, its top at z = 0, and a free peg above it.
fn peg_over_hole() -> (World, BodyId) {
    let hole = CountersunkBolt {
        segments: 16,
        shank_radius: RADIUS,
        head_radius: RADIUS + 2e-3,
        head_height: 2e-3,
        length: 20e-3,
        clearance: 0.02e-3,
        thickness: 20e-3,
        wall: 5e-3,
    };
    let peg = PegAndHole { facets: 16, radius: RADIUS, length: LENGTH, ..PegAndHole::default() };
    let solid = |soup| Solid::from_soup(&soup).unwrap();
    let mut world = earthly();
    let steel = world.add_material(Material::new("steel", 0.3, 0.0)).unwrap();
    world.add(BodyBuilder::fixed(solid(hole.block().unwrap())).material(steel)).unwrap();
    let peg = BodyBuilder::free(solid(peg.peg().unwrap())).density(7850.0).material(steel);
    (world.add(peg.at(start())).map(|id| (world, id))).unwrap()
}

fn start() -> Pose {
    Pose::new(Vec3::new(1e-3, 0.0, 0.5 * LENGTH + 1e-3), Quat::from_rotation_y(1_f64.to_radians())).unwrap()
}

/// How deep its lower end is, m.
fn depth(world: &World, peg: BodyId) -> f64 {
    -world.pose(peg).unwrap().transform_point(Vec3::new(0.0, 0.0, -0.5 * LENGTH)).z
}

#[test]
fn a_compliant_hand_finds_the_hole_that_a_rigid_one_does_not() {
    let way = 16e-3;
    let (mut world, peg) = peg_over_hole();
    // Stiff along the way, soft across it, about the tip.
    let grip = Pose::from_translation(Vec3::new(0.0, 0.0, -0.5 * LENGTH)).unwrap();
    let stiffness = Twist { linear: Vec3::new(500.0, 500.0, 5000.0), angular: Vec3::splat(0.5) };
    let end = Pose::new(start().translation() - Vec3::Z * way, start().rotation()).unwrap();
    let target = Script::Poses(vec![(0.0, start()), (0.5, end)]);
    let hand = Hand::new(0.0, 0.0)
        .with_grip(grip)
        .with_stiffness(stiffness)
        .with_most_force(20.0)
        .with_target(target);
    world.take(peg, hand).unwrap();
    for _ in 0..300 {
        let report = world.step(2e-3).unwrap();
        assert!(report.hands[0].force.length() < 20.0 * (1.0 + 1e-3));
    }
    assert!(depth(&world, peg) > 0.98 * (way - 1e-3), "{}", depth(&world, peg));

    let (mut world, peg) = peg_over_hole();
    world.set_role(peg, Role::Held(Twist { linear: Vec3::Z * (-way / 0.5), angular: Vec3::ZERO })).unwrap();
    for _ in 0..250 {
        world.step(2e-3).unwrap();
    }
    assert!(depth(&world, peg) < 0.6 * (way - 1e-3), "{}", depth(&world, peg));
}
