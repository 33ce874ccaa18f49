//! Collisions from a cache against collisions asked anew.

#![allow(clippy::unwrap_used)]

mod common;

use common::{rotation, solid, vector};
use proptest::prelude::*;
use silvia_proximity::bounds::{Bound, Obb, Sphere};
use silvia_proximity::mesh::{Collision, CollisionCache, collide};
use silvia_proximity::{Extent, Hierarchy, Surface};
use silvia_solid::{Pose, Quat, Solid, Vec3, primitives};

/// Both give the same answer at every pose; the triangles that the cache names meet.
fn agree<B: Bound>(a: &Hierarchy<B>, b: &Hierarchy<B>, path: &[[Pose; 2]]) -> Result<(), TestCaseError> {
    let mut cache = CollisionCache::new();
    for [pose_a, pose_b] in path {
        let cached = cache.collide(a, pose_a, b, pose_b);
        let fresh = collide(a, pose_a, b, pose_b, Extent::All);
        match (&cached, &fresh) {
            (Collision::Surfaces(one), Collision::Surfaces(all)) => {
                prop_assert!(one.len() == 1 && all.contains(&one[0]));
            }
            _ => prop_assert_eq!(&cached, &fresh),
        }
    }
    Ok(())
}

/// From a start, steps of all sizes: at rest, hardly moving, and jumping.
fn path() -> impl Strategy<Value = Vec<[Pose; 2]>> {
    let size = prop_oneof![Just(0.0), Just(1e-9), Just(1e-3), Just(0.02), Just(2.0)];
    let step = (vector(1.0), vector(1.0), size.clone(), vector(1.0), size);
    (vector(2.0), rotation(), prop::collection::vec(step, 1..60)).prop_map(|(start, turn, steps)| {
        let mut poses = [Pose::new(start, turn).unwrap(), Pose::IDENTITY];
        let mut path = vec![poses];
        // Walks on in the same direction, as bodies do, until the next step.
        for (along, spin, size, other, other_size) in steps {
            for _ in 0..3 {
                let turn = Quat::from_scaled_axis(size * spin);
                poses[0] =
                    Pose::new(poses[0].translation() + size * along, turn * poses[0].rotation()).unwrap();
                let there = poses[1].translation() + other_size * other;
                poses[1] = Pose::new(there.clamp_length_max(3.0), poses[1].rotation()).unwrap();
                path.push(poses);
            }
        }
        path
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn a_cache_changes_no_answer(a in solid(), b in solid(), path in path()) {
        agree::<Obb>(&Hierarchy::new(a.clone()), &Hierarchy::new(b.clone()), &path)?;
        agree::<Sphere>(&Hierarchy::new(a.soup().clone()), &Hierarchy::new(b), &path)?;
    }
}

#[test]
fn a_ball_that_is_pushed_through_a_wall_is_outside_on_it_and_inside() {
    let solid = |soup| Hierarchy::<Obb>::new(Solid::from_soup(&soup).unwrap());
    let (wall, ball) =
        (solid(primitives::cuboid(Vec3::splat(2.0)).unwrap()), solid(primitives::sphere(0.1, 3).unwrap()));
    let mut cache = CollisionCache::new();
    for step in 0..2000 {
        let at = Pose::from_translation(Vec3::new(2.0 - 0.002 * f64::from(step), 0.1, 0.2)).unwrap();
        // The nearest and the farthest point of the ball, as seen from the middle of the wall.
        let reach = ball.bounds();
        let (inner, outer) = if at.translation().x > 0.0 {
            (at.translation().x + reach.min.x, at.translation().x + reach.max.x)
        } else {
            (-at.translation().x - reach.max.x, -at.translation().x - reach.min.x)
        };
        let found = cache.collide(&wall, &Pose::IDENTITY, &ball, &at);
        match found {
            Collision::None => assert!(inner > 1.0, "{inner}"),
            Collision::Surfaces(_) => assert!(inner < 1.0 + 1e-12 && outer > 1.0 - 1e-12, "{inner} {outer}"),
            Collision::SecondInside => assert!(outer < 1.0, "{outer}"),
            Collision::FirstInside => panic!("the wall is not in the ball"),
        }
    }
}

#[test]
fn a_cache_that_is_handed_other_bodies_starts_anew() {
    let ball = |radius| Hierarchy::<Obb>::new(Surface::from(primitives::sphere(radius, 3).unwrap()));
    let (small, large) = (ball(0.5), ball(1.5));
    let there = Pose::from_translation(Vec3::new(1.8, 0.0, 0.0)).unwrap();
    let mut cache = CollisionCache::new();
    for _ in 0..3 {
        assert!(!cache.collide(&small, &Pose::IDENTITY, &small, &there).is_some());
        assert!(cache.collide(&large, &Pose::IDENTITY, &small, &there).is_some());
    }
}

#[test]
fn knots_that_wind_past_each_other_answer_as_if_asked_anew() {
    let knot = primitives::TorusKnot::TREFOIL.soup_with_triangles(600).unwrap();
    let knot = Hierarchy::<Obb>::new(Solid::from_soup(&knot).unwrap());
    let (mut touching, mut apart) = (0, 0);
    for (pace, around) in [(0.002, 5.6), (0.02, 5.0), (0.02, 4.4), (0.15, 4.0)] {
        let mut cache = CollisionCache::new();
        for step in 0..400 {
            let time = pace * f64::from(step);
            let there = Pose::new(
                around * Vec3::new(time.cos(), time.sin(), 0.2 * (3.0 * time).sin()),
                Quat::from_scaled_axis(Vec3::new(time, 0.5, 2.0 * time)),
            );
            let here = Pose::new(Vec3::ZERO, Quat::from_rotation_x(-time)).unwrap();
            let cached = cache.collide(&knot, &here, &knot, &there.unwrap());
            let fresh = collide(&knot, &here, &knot, &there.unwrap(), Extent::Any);
            assert_eq!(cached.is_some(), fresh.is_some(), "around {around}, pace {pace}, step {step}");
            if fresh.is_some() { touching += 1 } else { apart += 1 }
        }
    }
    assert!(touching > 100 && apart > 100, "{touching} {apart}");
}
