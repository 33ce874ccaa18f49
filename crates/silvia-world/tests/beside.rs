//! Bodies that pass beside each other without touching are not disturbed.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use silvia_proximity::Shape;
use silvia_solid::parts::PegAndHole;
use silvia_solid::{Pose, Quat, Solid, Soup, Vec3};
use silvia_world::response::{Auto, Lcp, Ncp, Response};
use silvia_world::{BodyBuilder, Budget, World, WorldSettings};
use std::sync::Arc;

/// Lets a body fall beside a fixed one, which lies at the origin, for a time, s. It must do so as if it were
/// alone.
fn falls_freely(
    mut world: World,
    [fixed, falling]: [Shape; 2],
    [of_fixed, start]: [Pose; 2],
    (step, until): (f64, f64),
) {
    world.add(BodyBuilder::fixed(fixed).at(of_fixed)).unwrap();
    let body = world.add(BodyBuilder::free(falling).at(start)).unwrap();
    let gravity = world.settings().gravity;
    let centre = world.pose(body).unwrap().translation();
    while world.time() < until {
        let report = world.step(step).unwrap();
        let time = world.time();
        let about = || format!("at {time} s in steps of {step} s from {start:?}");
        assert!(report.impacts.is_empty() && report.contacts.is_empty(), "{}", about());
        let off = world.pose(body).unwrap().translation().distance(centre + 0.5 * time * time * gravity);
        assert!(off < 1e-12, "{off} {}", about());
        assert_eq!(world.velocity(body).unwrap().angular, Vec3::ZERO, "{}", about());
    }
}

fn methods() -> [(Arc<dyn Response>, Option<Budget>); 4] {
    [
        (Arc::new(Auto), None),
        (Arc::new(Auto), Some(Budget::default())),
        (Arc::new(Ncp), None),
        (Arc::new(Lcp), None),
    ]
}

fn worlds() -> impl Iterator<Item = World> {
    methods().into_iter().map(|(method, budget)| {
        let mut settings = WorldSettings::default();
        settings.interactive = budget;
        let mut world = World::new(settings).unwrap();
        world.set_response(method);
        world
    })
}

#[test]
fn a_box_that_falls_past_a_ledge_is_not_hit_by_its_edge() {
    let ledge = || Shape::cuboid(Vec3::splat(0.04)).unwrap();
    let falling = || Shape::cuboid(Vec3::splat(0.02)).unwrap();
    for gap in [1e-5, 1e-4, 3e-4, 6e-4, 1e-3] {
        for height in [0.0305, 0.044, 0.052, 0.0573, 0.062] {
            for step in [2e-3, 5e-4] {
                for world in worlds() {
                    let at = Pose::from_translation(Vec3::new(0.03 + gap, 0.0, height)).unwrap();
                    falls_freely(world, [ledge(), falling()], [Pose::IDENTITY, at], (step, 0.1));
                }
            }
        }
    }
}

#[test]
fn a_box_that_falls_past_a_ledge_at_an_angle_is_not_hit_either() {
    let ledge = || Shape::cuboid(Vec3::splat(0.04)).unwrap();
    let falling = || Shape::cuboid(Vec3::splat(0.02)).unwrap();
    for turn in [1e-9, 1e-6, 1e-3, 0.1, std::f64::consts::FRAC_PI_4] {
        // The corner that comes nearest, and a gap of 0.2 mm.
        let corner = 0.01 * (turn.cos() + turn.sin());
        for height in [0.044, 0.052, 0.06] {
            for world in worlds() {
                let place = Vec3::new(0.02 + corner + 2e-4, 1e-3, height);
                let at = Pose::new(place, Quat::from_rotation_z(turn)).unwrap();
                falls_freely(world, [ledge(), falling()], [Pose::IDENTITY, at], (2e-3, 0.1));
            }
        }
    }
}

#[test]
fn a_peg_with_clearance_falls_into_its_hole_undisturbed() {
    let solid = |soup: Soup| Shape::solid(Solid::from_soup(&soup).unwrap());
    for facets in [4, 6, 16] {
        let parts = PegAndHole { facets, clearance: 4e-4, floor: 5e-3, ..PegAndHole::default() };
        for height in [0.05, 0.0531, 0.06] {
            for world in worlds() {
                let [hole, peg] = [parts.block().unwrap(), parts.peg().unwrap()].map(solid);
                let at = Pose::from_translation(Vec3::new(1e-4, 0.0, height)).unwrap();
                falls_freely(world, [hole, peg], [Pose::IDENTITY, at], (2e-3, 0.09));
            }
        }
    }
}
