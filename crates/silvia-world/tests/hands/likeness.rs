//! A fit ends the same wherever it takes place, whichever way it is turned, and at any scale.

use silvia_contact::Twist;
use silvia_solid::parts::CountersunkBolt;
use silvia_solid::{Pose, Quat, Solid, Vec3};
use silvia_world::{BodyBuilder, Hand, Material, Script, World, WorldSettings};

/// Where a bolt ends that a hand of springs lowers beside its hole, and the hand's force on it, both in the
/// frame in which all of it takes place, in units of the scale and of its fourth power: with accelerations
/// in proportion to lengths, time is the same at any scale.
fn seated(frame: Pose, scale: f64) -> [Vec3; 2] {
    let usual = CountersunkBolt { segments: 24, ..CountersunkBolt::default() };
    let fit = CountersunkBolt {
        shank_radius: scale * usual.shank_radius,
        head_radius: scale * usual.head_radius,
        head_height: scale * usual.head_height,
        length: scale * usual.length,
        clearance: scale * usual.clearance,
        thickness: scale * usual.thickness,
        wall: scale * usual.wall,
        ..usual
    };
    let down = frame.rotation() * Vec3::new(0.0, 0.0, -9.81 * scale);
    // What is an impact is a matter of speed.
    let settings = WorldSettings::default().with_gravity(down).with_impact_speed(1e-3 * scale);
    let mut world = World::new(settings).unwrap();
    let steel = world.add_material(Material::new("steel", 0.2, 0.0)).unwrap();
    let solid = |soup| Solid::from_soup(&soup).unwrap();
    let block = BodyBuilder::fixed(solid(fit.block().unwrap())).at(frame).material(steel);
    world.add(block).unwrap();
    let askew = |x: f64, y: f64, z: f64| {
        let at = scale * Vec3::new(x, y, z);
        frame.compose(&Pose::new(at, Quat::from_rotation_y(3_f64.to_radians())).unwrap())
    };
    let [start, end] = [askew(1.5e-3, 0.3e-3, 22e-3), askew(1.5e-3, 0.3e-3, -3e-3)];
    let bolt = BodyBuilder::free(solid(fit.bolt().unwrap())).density(7850.0).material(steel);
    let bolt = world.add(bolt.at(start)).unwrap();
    let stiffness = Twist { linear: Vec3::new(500.0, 500.0, 4000.0), angular: Vec3::splat(0.3) };
    let stiffness =
        Twist { linear: scale.powi(3) * stiffness.linear, angular: scale.powi(5) * stiffness.angular };
    let grip = Pose::from_translation(Vec3::new(0.0, 0.0, -17e-3 * scale)).unwrap();
    let hand = Hand::new(0.0, 0.0)
        .with_grip(grip)
        .with_stiffness(stiffness)
        .with_most_force(15.0 * scale.powi(4))
        .with_target(Script::Poses(vec![(0.0, start), (1.0, end)]));
    let hand = world.take(bolt, hand).unwrap();
    for _ in 0..700 {
        world.step(2e-3).unwrap();
    }
    let at = frame.inverse().transform_point(world.pose(bolt).unwrap().translation());
    let force = frame.rotation().inverse() * world.hand_record(hand).unwrap().unwrap().force;
    [at / scale, force / scale.powi(4)]
}

#[test]
fn a_bolt_takes_the_same_seat_wherever_it_is_and_at_any_scale() {
    let [place, force] = seated(Pose::IDENTITY, 1.0);
    assert!(place.z < 0.0 && place.z > -0.5e-3, "{place}");
    assert!(force.length() > 5.0 && force.length() < 15.01, "{force}");
    let turned = Quat::from_axis_angle(Vec3::new(0.48, -0.6, 0.64), 2.0);
    let frames = [
        Pose::new(Vec3::new(0.3, -0.2, 0.7), turned).unwrap(),
        Pose::new(Vec3::new(5.0, 1.0, -2.0), Quat::from_rotation_x(std::f64::consts::FRAC_PI_2)).unwrap(),
    ];
    let others = [(frames[0], 1.0), (frames[1], 1.0), (Pose::IDENTITY, 1e-3), (frames[0], 1e3)];
    for (frame, scale) in others {
        let [there, pressed] = seated(frame, scale);
        let size = 20e-3;
        assert!(there.distance(place) < 1e-6 * size, "{frame:?}, {scale}: {there} {place}");
        assert!(pressed.distance(force) < 1e-2 * force.length(), "{frame:?}, {scale}: {pressed} {force}");
    }
}
