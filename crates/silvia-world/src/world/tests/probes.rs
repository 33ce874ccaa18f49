use super::*;
use proptest::prelude::*;
use silvia_proximity::{Ray, shape};

/// A world of bodies of several kinds, some of them switched off or in other groups.
fn crowd(places: &[[f64; 3]], off: usize, apart: usize) -> (World, Vec<BodyId>) {
    let mut world = world();
    let shapes = [cube(), ball(0.4), Shape::cylinder(0.3, 0.8).unwrap(), Shape::capsule(0.2, 0.6).unwrap()];
    let mut ids = vec![
        world
            .add(BodyBuilder::fixed(Shape::half_space(Plane { normal: Vec3::Z, offset: -2.0 }).unwrap()))
            .unwrap(),
    ];
    for (number, place) in places.iter().enumerate() {
        let turn = Quat::from_scaled_axis(Vec3::from(*place));
        let pose = Pose::new(Vec3::from(*place), turn).unwrap();
        let groups = if number == apart {
            Groups { member_of: 2, meets: 2 }
        } else {
            Groups { member_of: 1, meets: 3 }
        };
        let body = BodyBuilder::free(shapes[number % shapes.len()].clone()).at(pose).groups(groups);
        ids.push(world.add(body).unwrap());
    }
    if let Some(&id) = ids.get(off) {
        world.set_active(id, false).unwrap();
    }
    (world, ids)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_met_overlaps_or_is_near_is_what_asking_each_body_says(
        places in prop::collection::vec(prop::array::uniform3(-2.0..2.0_f64), 1..16),
        off in 0..16_usize,
        apart in 0..16_usize,
        from in prop::array::uniform3(-4.0..4.0_f64),
        along in prop::array::uniform3(-1.0..1.0_f64),
        is_along_axis in any::<bool>(),
        reach in prop_oneof![Just(f64::INFINITY), 0.0..6.0_f64],
        meets in 1..4_u32,
    ) {
        let (world, ids) = crowd(&places, off, apart);
        let groups = Groups { member_of: 1, meets };
        let is_seen = |id: &&BodyId| {
            world.is_active(**id).unwrap() && world.groups(**id).unwrap().admits(groups)
        };
        let direction = if is_along_axis { Vec3::Y } else { Vec3::from(along) };
        prop_assume!(direction.length() > 1e-3);
        let ray = Ray { origin: Vec3::from(from), direction, reach };
        let each = |id: &BodyId| {
            let hit = shape::cast_ray(world.shape(*id).unwrap(), &world.pose(*id).unwrap(), &ray).unwrap();
            hit.map(|hit| (hit.parameter, *id))
        };
        let first = ids.iter().filter(is_seen).filter_map(each).min_by(|a, b| a.partial_cmp(b).unwrap());
        let met = world.cast_ray(&ray, groups).unwrap();
        prop_assert_eq!(met.map(|met| (met.hit.parameter, met.body)), first);

        let (probe, pose) = (ball(0.5), Pose::from_translation(Vec3::from(from)).unwrap());
        let collides = |id: &&BodyId| {
            shape::collide(&probe, &pose, world.shape(**id).unwrap(), &world.pose(**id).unwrap())
        };
        let expected: Vec<BodyId> = ids.iter().filter(is_seen).filter(collides).copied().collect();
        prop_assert_eq!(world.overlapping(&probe, &pose, groups), expected);

        let distance = |id: &BodyId| {
            shape::distance(&probe, &pose, world.shape(*id).unwrap(), &world.pose(*id).unwrap()).upper
        };
        let mut expected: Vec<(f64, BodyId)> =
            ids.iter().filter(is_seen).map(|id| (distance(id), *id)).filter(|(d, _)| *d <= reach).collect();
        expected.sort_by(|a, b| a.partial_cmp(b).unwrap());
        let near = world.near(&probe, &pose, reach, groups).unwrap();
        prop_assert_eq!(near.iter().map(|n| (n.distance.upper, n.body)).collect::<Vec<_>>(), expected);

        for &id in &ids {
            let may_touch = |other: &&BodyId| **other != id && world.admits(id, **other).unwrap();
            let expected: Vec<BodyId> = ids.iter().filter(may_touch)
                .filter(|other| world.overlaps(id, **other).unwrap()).copied().collect();
            prop_assert_eq!(world.overlapping_body(id).unwrap(), expected);
            let near = world.near_body(id, 0.5).unwrap();
            let count = ids.iter().filter(may_touch)
                .filter(|other| world.distance(id, **other).unwrap().upper <= 0.5).count();
            prop_assert_eq!(near.len(), count);
            prop_assert!(near.is_sorted_by(|a, b| a.distance.upper <= b.distance.upper));
        }
    }
}

#[test]
fn rays_and_reaches_that_are_none_are_refused_also_in_an_empty_world() {
    let world = world();
    let still = Ray { origin: Vec3::ZERO, direction: Vec3::ZERO, reach: 1.0 };
    assert!(world.cast_ray(&still, Groups::ALL).is_err());
    let lost = Ray { origin: Vec3::NAN, direction: Vec3::X, reach: 1.0 };
    assert!(world.cast_ray(&lost, Groups::ALL).is_err());
    let ray = Ray { origin: Vec3::ZERO, direction: Vec3::X, reach: 1.0 };
    assert_eq!(world.cast_ray(&ray, Groups::ALL), Ok(None));
    for reach in [-1.0, f64::NAN] {
        let refused = world.near(&cube(), &Pose::IDENTITY, reach, Groups::ALL);
        assert!(matches!(refused, Err(WorldError::Reach { .. })), "{reach}");
    }
}
