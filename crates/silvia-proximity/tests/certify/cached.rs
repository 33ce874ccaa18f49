//! What a cache says of a path against the same question asked anew: every bit but the work.

use super::common::random::random_pose;
use super::{at, body, ground, path};
use seeded::Random;
use silvia_proximity::shape::Shape;
use silvia_proximity::{
    ContactBody, ContactOptions, PathCheck, RigidPath, ShapeContactCache, check_path, check_path_with,
    shape_contacts,
};
use silvia_solid::primitives::{TorusKnot, cuboid, extrusion, torus};
use silvia_solid::{Pose, Quat, Solid, Soup, Vec3};

/// How often each verdict was given.
#[derive(Debug, Default)]
struct Tally {
    free: usize,
    crossing: usize,
    at_start: usize,
}

/// Both answers, which must be the same.
fn asked(
    bodies: [&ContactBody; 2],
    paths: [&RigidPath; 2],
    cache: &mut ShapeContactCache,
    tally: &mut Tally,
) -> PathCheck {
    let cached = check_path_with(bodies[0], paths[0], bodies[1], paths[1], cache);
    let fresh = check_path(bodies[0], paths[0], bodies[1], paths[1]);
    assert_eq!(PathCheck { work: 0, ..cached }, PathCheck { work: 0, ..fresh }, "{paths:?}");
    match (fresh.at_start, fresh.crossing) {
        (true, _) => tally.at_start += 1,
        (false, Some(_)) => tally.crossing += 1,
        (false, None) => tally.free += 1,
    }
    fresh
}

fn moved(pose: &Pose, by: Vec3, turn: Vec3) -> Pose {
    Pose::new(pose.translation() + by, Quat::from_scaled_axis(turn) * pose.rotation()).unwrap()
}

fn part_of_way(path: &RigidPath, t: f64) -> Pose {
    let at = path.from.translation().lerp(path.to.translation(), t);
    Pose::new(at, path.from.rotation().slerp(path.to.rotation(), t)).unwrap()
}

/// Pushes two bodies against each other as a stepper would, at paces from a billionth to far too fast, with
/// jumps in between; steps that cross are cut, so that gaps come down to rounding.
fn walk(a: &ContactBody, b: &ContactBody, start: [Pose; 2], random: &mut Random, tally: &mut Tally) {
    let mut cache = ShapeContactCache::new();
    let mut poses = start;
    let mut pace = 0.05;
    for step in 0..120 {
        match step % 24 {
            // Somewhere else, not along a path: what was known is of no use.
            0 if step > 0 => poses[1] = moved(&poses[1], random.vector(0.4), random.vector(3.0)),
            11 => poses = poses.map(|p| moved(&p, Vec3::new(1.0, 2.0, 3.0), Vec3::ZERO)),
            _ => {}
        }
        if step % 6 == 0 {
            pace = 10.0_f64.powf(4.5 * (random.between(-1.0, 1.0) - 1.0) - 0.3);
        }
        // Half of the motion is shared, and half of the turns are fast for the pace.
        let shared = random.vector(0.3);
        let spin = if step % 5 == 0 { random.vector(1.5) } else { random.vector(pace) };
        let towards = pace * (poses[0].translation() - poses[1].translation());
        let ends = [
            moved(&poses[0], shared + random.vector(0.2 * pace), random.vector(0.5 * pace)),
            moved(&poses[1], shared + towards + random.vector(pace), spin),
        ];
        let paths = [0, 1].map(|i| path(poses[i], ends[i]));
        let check = asked([a, b], [&paths[0], &paths[1]], &mut cache, tally);
        if check.at_start {
            poses = start;
            continue;
        }
        if check.is_free() {
            poses = ends;
            continue;
        }
        // As much of the way as is free, which need not be: a bent body is not one that is part of the way.
        let cut = 0.9 * check.free_until;
        let paths = [0, 1].map(|i| path(poses[i], part_of_way(&paths[i], cut)));
        if asked([a, b], [&paths[0], &paths[1]], &mut cache, tally).is_free() {
            poses = paths.map(|p| p.to);
        }
    }
}

fn bracket() -> Soup {
    extrusion(&[[0., 0.], [1., 0.], [1., 0.4], [0.4, 0.4], [0.4, 1.], [0., 1.]], &[], 0.5).unwrap()
}

fn solid(soup: &Soup) -> Shape {
    Shape::solid(Solid::from_soup(soup).unwrap())
}

fn shapes() -> Vec<Shape> {
    let knot = TorusKnot::TREFOIL.soup_with_triangles(300).unwrap();
    let parts = vec![
        (at(-0.5, 0.0, 0.0), Shape::cuboid(Vec3::new(0.9, 0.3, 0.3)).unwrap()),
        (at(0.4, 0.0, 0.2), solid(&bracket())),
        (at(0.0, 0.5, 0.0), Shape::sphere(0.2).unwrap()),
    ];
    vec![
        Shape::cuboid(Vec3::new(0.8, 0.5, 0.6)).unwrap(),
        solid(&bracket()),
        Shape::soup(bracket()),
        solid(&torus(0.5, 0.12, 12, 6).unwrap()),
        solid(&knot).scaled(0.25).unwrap(),
        Shape::sphere(0.4).unwrap(),
        Shape::compound(parts).unwrap(),
    ]
}

#[test]
fn a_cache_changes_no_verdict_whatever_the_motion() {
    let mut random = Random::new(11);
    let mut tally = Tally::default();
    let bodies: Vec<ContactBody> = shapes().iter().map(body).collect();
    for a in &bodies {
        for b in &bodies {
            let start = [Pose::IDENTITY, random_pose(&mut random, 0.2).moved(Vec3::new(1.8, 0.2, 0.1))];
            walk(a, b, start, &mut random, &mut tally);
        }
    }
    let Tally { free, crossing, at_start } = tally;
    assert!(free > 1500 && crossing > 500 && at_start > 20, "{tally:?}");
}

#[test]
fn a_cache_changes_no_verdict_far_from_the_origin_or_on_a_plane() {
    let mut random = Random::new(5);
    let mut tally = Tally::default();
    let torus = body(&solid(&torus(0.5, 0.12, 12, 6).unwrap()));
    let far = Vec3::new(1e6, -3e5, 2e5);
    let start = [at(0.0, 0.0, 0.0).moved(far), random_pose(&mut random, 0.2).moved(far + Vec3::X * 1.5)];
    walk(&torus, &torus, start, &mut random, &mut tally);
    walk(&body(&ground()), &torus, [Pose::IDENTITY, at(0.0, 0.0, 2.0)], &mut random, &mut tally);
    assert!(tally.free > 40 && tally.crossing > 10, "{tally:?}");
}

#[test]
fn linked_rings_are_free_while_they_are_shaken_and_cross_when_one_is_pulled() {
    let ring = body(&solid(&torus(0.05, 0.01, 16, 8).unwrap()));
    let upright = Quat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    let mut cache = ShapeContactCache::new();
    let (mut random, mut tally) = (Random::new(2), Tally::default());
    let here = at(0.0, 0.0, 0.0);
    let mut there = Pose::new(Vec3::new(0.05, 0.0, 0.0), upright).unwrap();
    for _ in 0..200 {
        let next = moved(&there, random.vector(2e-5), random.vector(2e-4));
        let check =
            asked([&ring, &ring], [&RigidPath::still(here), &path(there, next)], &mut cache, &mut tally);
        assert!(check.is_free());
        there = next;
    }
    let away = moved(&there, Vec3::X * 0.1, Vec3::ZERO);
    let check = asked([&ring, &ring], [&RigidPath::still(here), &path(there, away)], &mut cache, &mut tally);
    assert!(check.crossing.is_some() && !check.at_start);
    // Much too far within a step, yet as far from touching as before.
    let together = [path(here, here.moved(Vec3::Y * 5.0)), path(there, there.moved(Vec3::Y * 5.0))];
    let check = asked([&ring, &ring], [&together[0], &together[1]], &mut cache, &mut tally);
    assert!(check.is_free());
}

#[test]
fn a_body_that_is_put_inside_another_is_found_there_whatever_was_known() {
    let (small, large) =
        (body(&solid(&cuboid(Vec3::splat(0.1)).unwrap())), body(&solid(&cuboid(Vec3::ONE).unwrap())));
    let mut cache = ShapeContactCache::new();
    let mut tally = Tally::default();
    let still = RigidPath::still(Pose::IDENTITY);
    let mut ask = |place: Pose| {
        let way = path(place, place.moved(Vec3::splat(1e-4)));
        asked([&large, &small], [&still, &way], &mut cache, &mut tally)
    };
    assert!(ask(at(2.0, 0.0, 0.0)).is_free());
    // Nothing of the surfaces is near, before or after.
    assert!(ask(at(0.1, 0.0, 0.0)).at_start);
    assert!(ask(at(0.2, 0.1, 0.0)).at_start);
    assert!(ask(at(0.0, 0.0, 2.0)).is_free());
}

#[test]
fn a_cache_that_is_handed_other_bodies_starts_anew() {
    let (small, large) =
        (body(&solid(&cuboid(Vec3::splat(0.1)).unwrap())), body(&solid(&cuboid(Vec3::ONE).unwrap())));
    let mut cache = ShapeContactCache::new();
    let mut tally = Tally::default();
    let (still, way) = (RigidPath::still(Pose::IDENTITY), path(at(0.4, 0.0, 0.0), at(0.401, 0.0, 0.0)));
    for _ in 0..2 {
        assert!(asked([&small, &small], [&still, &way], &mut cache, &mut tally).is_free());
        assert!(asked([&large, &small], [&still, &way], &mut cache, &mut tally).at_start);
    }
}

#[test]
fn bodies_that_rest_are_looked_at_with_little_work() {
    let ring = body(&solid(&torus(0.05, 0.01, 16, 8).unwrap()));
    let upright = Quat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    let there = Pose::new(Vec3::new(0.05, 0.0, 0.0), upright).unwrap();
    let mut cache = ShapeContactCache::new();
    let ask = |cache: &mut ShapeContactCache, k: u32| {
        let here = there.moved(Vec3::splat(1e-7 * f64::from(k)));
        let way = path(here, here.moved(Vec3::splat(1e-7)));
        check_path_with(&ring, &RigidPath::still(Pose::IDENTITY), &ring, &way, cache).work
    };
    let first = ask(&mut cache, 0);
    let later: u64 = (1..=20).map(|k| ask(&mut cache, k)).sum();
    assert!(first > 10 && later == 0, "{first} at first, then {later}");
}

#[test]
fn contacts_and_paths_share_a_cache() {
    let ring = body(&solid(&torus(0.05, 0.01, 16, 8).unwrap()));
    let upright = Quat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    let (mut random, mut tally) = (Random::new(9), Tally::default());
    let mut cache = ShapeContactCache::new();
    let mut there = Pose::new(Vec3::new(0.075, 0.0, 0.0), upright).unwrap();
    for step in 0..150 {
        let reach = if step % 20 == 0 { 0.02 } else { 2e-3 };
        let options = ContactOptions::within_shapes(reach, &ring, &ring);
        let find = |cache: &mut ShapeContactCache| {
            shape_contacts(&ring, &Pose::IDENTITY, &ring, &there, &options, cache).unwrap()
        };
        assert_eq!(find(&mut cache), find(&mut ShapeContactCache::new()), "step {step}");
        let pace = if step % 30 == 29 { 3e-3 } else { 1e-4 };
        let next = moved(&there, random.vector(pace), random.vector(20.0 * pace));
        let check = asked(
            [&ring, &ring],
            [&RigidPath::still(Pose::IDENTITY), &path(there, next)],
            &mut cache,
            &mut tally,
        );
        if check.is_free() {
            there = next;
        }
    }
}
