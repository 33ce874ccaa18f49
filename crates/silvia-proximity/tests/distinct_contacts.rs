//! Of contacts that meet in one place, one is enough: what is left keeps bodies apart as all of them do.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use seeded::Random;
use silvia_proximity::shape::collide;
use silvia_proximity::{
    ContactBody, ContactOptions, Shape, ShapeContactCache, distinct_shape_contacts_into, shape_contact_at,
    shape_contacts,
};
use silvia_solid::primitives::extrusion;
use silvia_solid::{Pose, Quat, Solid, Vec3};

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
            distinct_shape_contacts_into(a.0, a.1, b.0, b.1, (&options, 2e-11), cache, &mut left).unwrap();
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
