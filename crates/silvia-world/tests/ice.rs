//! Balls that lie in a row on ice, nearly touching.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use silvia_proximity::Shape;
use silvia_solid::{Pose, Vec3};
use silvia_world::{BodyBuilder, Material, PairLaw, World, WorldSettings};

#[test]
fn balls_in_a_row_on_ice_stay_where_they_are() {
    for density in [1000.0, 2700.0, 7850.0, 11_340.0] {
        let mut world = World::new(WorldSettings::default()).unwrap();
        let material = |name: &str, restitution: f64| Material::new(name, 0.0, restitution);
        let steel = world.add_material(material("steel", 1.0)).unwrap();
        let ice = world.add_material(material("ice", 0.0)).unwrap();
        world.set_pair_law(steel, ice, PairLaw::new(0.0, 0.0)).unwrap();
        let at = |x: f64, z: f64| Pose::from_translation(Vec3::new(x, 0.0, z)).unwrap();
        let table = BodyBuilder::fixed(Shape::cuboid(Vec3::new(0.64, 0.12, 0.02)).unwrap());
        world.add(table.at(at(0.0, -0.03)).material(ice)).unwrap();
        for number in 0..4 {
            let ball = BodyBuilder::free(Shape::sphere(0.02).unwrap()).material(steel).density(density);
            world.add(ball.at(at(-0.0802 + 0.0401 * f64::from(number), 1e-6))).unwrap();
        }
        for step in 0..20 {
            let report = world.step(2e-3);
            assert!(report.is_ok(), "density {density}, step {step}: {}", report.unwrap_err());
        }
    }
}
