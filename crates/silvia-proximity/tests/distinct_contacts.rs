//! Of contacts that meet in one place, one is enough: what is left keeps bodies apart as all of them do.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use seeded::Random;
use silvia_proximity::shape::collide;
use silvia_proximity::{
    ContactBody, ContactOptions, Implied, Shape, ShapeContact, ShapeContactCache,
    distinct_shape_contacts_into, shape_contact_at, shape_contacts,
};
use silvia_solid::primitives::extrusion;
use silvia_solid::{Plane, Pose, Quat, Solid, Vec3};
use std::f64::consts::TAU;

fn prism(outer: &[[f64; 2]], holes: &[Vec<[f64; 2]>]) -> Shape {
    Shape::solid(Solid::from_soup(&extrusion(outer, holes, 0.2).unwrap()).unwrap())
}

#[test]
fn no_flush_solids_cross_before_a_contact_that_is_left() {
    let square = [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]];
    let hole = vec![[-0.05, -0.05], [-0.05, 0.05], [0.05, 0.05], [0.05, -0.05]];
    let angle = [[0.0, 0.0], [0.3, 0.0], [0.3, 0.1], [0.1, 0.1], [0.1, 0.3], [0.0, 0.3]];
    let wide = [[-0.2, -0.1], [0.2, -0.1], [0.2, 0.1], [-0.2, 0.1]];
    let shapes = [prism(&square, &[]), prism(&square, &[hole]), prism(&angle, &[]), prism(&wide, &[])];
    // Each on its like; a cube on a brick, with two corners in common.
    let pairs = [(0, 0, 0.0), (1, 1, 0.0), (2, 2, 0.0), (0, 3, 0.1), (3, 0, -0.1)];
    let mut random = Random::new(11);
    let (mut crossings, mut left_out) = (0, 0);
    for (high, low, aside) in pairs {
        let (high, low) = (&shapes[high], &shapes[low]);
        for number in 0..60 {
            let turn = Quat::from_scaled_axis(random.vector(1.0));
            let jitter = 1e-13 * random.vector(1.0);
            let lifted = Vec3::new(aside, 0.0, 0.2 + 2e-10) + jitter;
            let bodies = [ContactBody::new(low), ContactBody::new(high)];
            let poses = [Pose::new(Vec3::ZERO, turn).unwrap(), Pose::new(turn * lifted, turn).unwrap()];
            // The lower one comes first, or the upper one.
            let [i, j] = if number % 2 == 0 { [0, 1] } else { [1, 0] };
            let options = ContactOptions::within_shapes(3e-5, &bodies[i], &bodies[j]);
            let (a, b) = ((&bodies[i], &poses[i]), (&bodies[j], &poses[j]));
            let all = shape_contacts(a.0, a.1, b.0, b.1, &options, &mut ShapeContactCache::new()).unwrap();
            let mut left = Vec::new();
            let cache = &mut ShapeContactCache::new();
            let implied = Implied { same: 2e-11, enclosed: false };
            distinct_shape_contacts_into(a.0, a.1, b.0, b.1, (&options, implied), cache, &mut left).unwrap();
            assert!(left.iter().all(|contact| all.contains(contact)));
            left_out += all.len() - left.len();
            // Somewhere near: crossed, or not.
            for _ in 0..20 {
                let by = Quat::from_scaled_axis(random.vector(1e-6)) * poses[1].rotation();
                let moved = poses[1].translation() + random.vector(1e-6);
                let there = [poses[0], Pose::new(moved, by).unwrap()];
                if collide(low, &there[0], high, &there[1]) {
                    crossings += 1;
                    let gap = |name| shape_contact_at(a.0, &there[i], b.0, &there[j], name).gap;
                    assert!(left.iter().any(|contact| gap(&contact.name) < 0.0), "at {moved}");
                }
            }
        }
    }
    assert!(crossings > 1000 && left_out > 300 * 8, "{crossings} crossings, {left_out} left out");
}

#[test]
fn no_vertex_comes_nearer_to_a_half_space_than_those_that_enclose_it() {
    // Twelve spikes with fifty corners each.
    let corner = |k: u32| {
        let (turn, radius) = (TAU * f64::from(k) / 600.0, 0.06 + 0.0015 * f64::from((k % 50).abs_diff(25)));
        [radius * turn.cos(), radius * turn.sin()]
    };
    let star = prism(&(0..600).map(corner).collect::<Vec<_>>(), &[]);
    let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap();
    let [star_body, ground_body] = [&star, &ground].map(ContactBody::new);
    let ground_pose = Pose::IDENTITY;
    let mut random = Random::new(3);
    let mut left_out = 0;
    for number in 0..300 {
        // Flat on the ground, or anyhow.
        let turn = Quat::from_scaled_axis(random.vector(if number % 2 == 0 { 1e-8 } else { 3.0 }));
        let corners =
            || (0..600).map(corner).flat_map(|[x, y]| [Vec3::new(x, y, -0.1), Vec3::new(x, y, 0.1)]);
        let lowest = corners().map(|at| (turn * at).z).fold(f64::INFINITY, f64::min);
        let pose = Pose::new(Vec3::Z * (random.between(-1e-6, 1e-6) - lowest), turn).unwrap();
        let options = ContactOptions::within_shapes(1e-4, &star_body, &ground_body);
        let search = |enclosed: bool| {
            let (implied, mut found) = (Implied { same: 0.0, enclosed }, Vec::new());
            let cache = &mut ShapeContactCache::new();
            let (a, b) = ((&ground_body, &ground_pose), (&star_body, &pose));
            distinct_shape_contacts_into(a.0, a.1, b.0, b.1, (&options, implied), cache, &mut found).unwrap();
            found
        };
        let (all, left) = (search(false), search(true));
        assert!(!left.is_empty() && left.iter().all(|contact| all.contains(contact)));
        left_out += all.len() - left.len();
        for _ in 0..20 {
            let by = Quat::from_scaled_axis(random.vector(1e-4)) * turn;
            let there = Pose::new(pose.translation() + random.vector(1e-5), by).unwrap();
            let gap = |name: &_| shape_contact_at(&ground_body, &ground_pose, &star_body, &there, name).gap;
            let least = |of: &[ShapeContact]| {
                of.iter().map(|contact| gap(&contact.name)).fold(f64::INFINITY, f64::min)
            };
            assert!(least(&left) <= least(&all) + 1e-15, "{} and {}", least(&left), least(&all));
        }
    }
    assert!(left_out > 300 * 250, "{left_out} left out");
}
