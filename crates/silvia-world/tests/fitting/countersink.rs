//! A bolt beside its countersunk hole, held upright and pressed down, slides in if friction is below the
//! slope of the wall, and else stays where it is.

use super::{at, solid, world};
use silvia_contact::Twist;
use silvia_solid::parts::CountersunkBolt;
use silvia_solid::{Quat, Vec3};
use silvia_world::{BodyBuilder, Hand, Material};
use std::f64::consts::PI;

/// Sides of bolt and hole.
const SEGMENTS: usize = 24;
/// How far beside the hole it is, m.
const ASIDE: f64 = 1.5e-3;

/// How far the bolt moved down in 50 ms, m.
fn sinks(head_height: f64, friction: f64, method: &str) -> f64 {
    let fit = CountersunkBolt { segments: SEGMENTS, head_height, ..CountersunkBolt::default() };
    let mut world = world(-9.81 * Vec3::Z, method);
    let steel = world.add_material(Material::new("steel", friction, 0.0)).unwrap();
    world.add(BodyBuilder::fixed(solid(fit.block())).material(steel)).unwrap();
    // Aside towards the middle of a facet, so that it meets one that slopes the way it can go. The lower
    // edge of the shank touches the wall where the radius of the hole is that of the shank and the way
    // aside.
    let to_side = (PI / SEGMENTS as f64).cos();
    let direction = Quat::from_rotation_z(PI / SEGMENTS as f64) * Vec3::X;
    let slope = slope(&fit);
    let wall = fit.head_radius * to_side + fit.clearance * (1.0 + slope * slope).sqrt() / slope;
    let touch = -(wall - fit.shank_radius * to_side - ASIDE) * slope;
    let place = ASIDE * direction + (touch + fit.length + 1e-6) * Vec3::Z;
    let bolt = BodyBuilder::free(solid(fit.bolt())).density(7850.0).material(steel);
    let bolt = world.add(bolt.at(at(place.x, place.y, place.z))).unwrap();
    let upright = Twist { linear: Vec3::ZERO, angular: Vec3::splat(100.0) };
    let push = Twist { linear: -5.0 * Vec3::Z, angular: Vec3::ZERO };
    let hand = Hand::new(0.0, 0.0).with_stiffness(upright).with_push(push);
    world.take(bolt, hand).unwrap();
    for _ in 0..50 {
        world.step(1e-3).unwrap();
    }
    place.z - world.pose(bolt).unwrap().translation().z
}

/// Of a facet of the wall against the level.
fn slope(fit: &CountersunkBolt) -> f64 {
    fit.head_height / ((fit.head_radius - fit.shank_radius) * (PI / fit.segments as f64).cos())
}

#[test]
fn a_bolt_slides_into_its_countersink_if_friction_is_below_the_slope_of_the_wall() {
    // Sinks of 120, 90 and 60 degrees.
    for head_height in [1.732e-3, 3e-3, 5.196e-3] {
        let fit = CountersunkBolt { segments: SEGMENTS, head_height, ..CountersunkBolt::default() };
        let limit = slope(&fit);
        for method in ["auto", "ncp"] {
            let [below, above] = [0.98, 1.02].map(|share| sinks(head_height, share * limit, method));
            assert!(below > 1e-3, "{method}, slope {limit}: stays, {below}");
            assert!(above < 2e-6, "{method}, slope {limit}: slides, {above}");
        }
    }
}
