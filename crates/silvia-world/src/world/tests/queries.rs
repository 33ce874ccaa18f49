use super::*;
use proptest::prelude::*;

#[test]
fn energy_and_momentum_are_those_of_the_bodies_that_can_move() {
    let mut world = world();
    world.add(BodyBuilder::fixed(cube())).unwrap();
    let script = Script::Velocity(moving(Vec3::X, Vec3::ZERO));
    world.add(BodyBuilder::scripted(cube(), script)).unwrap();
    let velocity = moving(Vec3::new(3.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 2.0));
    world.add(BodyBuilder::free(cube()).mass(6.0).at(at(0.0, 0.0, 1.0)).velocity(velocity)).unwrap();
    world.add(BodyBuilder::held(cube()).mass(2.0).at(at(0.0, 4.0, 0.0))).unwrap();
    let energy = world.energy();
    assert!((energy.kinetic - (27.0 + 2.0)).abs() < 1e-13, "m v²/2 and I w²/2 with I = m/6");
    assert!((energy.potential - 6.0 * 9.81).abs() < 1e-13);
    assert_eq!(energy.total(), energy.kinetic + energy.potential);
    assert_eq!(world.momentum(), Vec3::new(18.0, 0.0, 0.0));
    assert_eq!(world.mass(), 8.0);
    assert_eq!(world.centre_of_mass(), Some(Vec3::new(0.0, 1.0, 0.75)));
    // I w along z, and the arm (0, 0, 1) times 18 along x.
    assert!((world.angular_momentum(Vec3::ZERO) - Vec3::new(0.0, 18.0, 2.0)).length() < 1e-14);
    assert!((world.angular_momentum(Vec3::new(0.0, 0.0, 1.0)) - Vec3::new(0.0, 0.0, 2.0)).length() < 1e-14);
}

#[test]
fn bodies_pairs_and_groups_are_switched_off_and_on() {
    let mut world = world();
    let [a, b, c] =
        [0.0, 2.0, 6.0].map(|x| world.add(BodyBuilder::free(cube()).at(at(x, 0.0, 0.0))).unwrap());
    let nearest = |world: &World| world.smallest_clearance().map(|clearance| clearance.bodies);
    assert_eq!(nearest(&world), Some([a, b]));
    world.set_pair_active(b, a, false).unwrap();
    assert_eq!(world.admits(a, b), Ok(false));
    assert_eq!((world.is_pair_active(a, b), world.is_pair_active(a, c)), (Ok(false), Ok(true)));
    assert_eq!(nearest(&world), Some([b, c]));
    world.set_active(b, false).unwrap();
    assert_eq!((world.is_active(b), world.is_active(c)), (Ok(false), Ok(true)));
    assert_eq!(nearest(&world), Some([a, c]));
    world.set_groups(c, Groups { member_of: 0, meets: 0 }).unwrap();
    assert_eq!(nearest(&world), None);
    assert_eq!(world.groups(c).map(|groups| groups.meets), Ok(0));
    world.set_active(b, true).unwrap();
    world.set_pair_active(a, b, true).unwrap();
    assert_eq!(nearest(&world), Some([a, b]));
    let same = WorldError::SameBody { name: "body 0".into() };
    assert_eq!(world.set_pair_active(a, a, true), Err(same.clone()));
    assert_eq!(world.distance(a, a), Err(same));
    let quiet = BodyBuilder::free(cube()).groups(Groups { member_of: 0, meets: 0 });
    let quiet = world.add(quiet).unwrap();
    assert_eq!(world.admits(a, quiet), Ok(false));
}

#[test]
fn distances_are_asked_by_id_and_by_name() {
    let mut world = world();
    let a = world.add(BodyBuilder::fixed(cube()).named("plate")).unwrap();
    let b = world.add(BodyBuilder::free(ball(0.25)).named("ball").at(at(0.0, 0.0, 2.0))).unwrap();
    let distance = world.distance(a, b).unwrap();
    assert!((distance.upper - 1.25).abs() < 1e-15);
    assert!((distance.points[0] - Vec3::new(0.0, 0.0, 0.5)).length() < 1e-12);
    assert_eq!(world.distance_between("plate", "ball"), Ok(distance));
    assert_eq!(world.distance_between("ball", "plate").unwrap().points[0], distance.points[1]);
    let nobody = WorldError::NoSuchName { name: "bal".into() };
    assert_eq!(world.distance_between("plate", "bal"), Err(nobody));
}

#[test]
fn a_half_space_counts_for_the_smallest_clearance_and_fixed_bodies_among_themselves_do_not() {
    let mut world = world();
    let ground = world.add(BodyBuilder::fixed(ground())).unwrap();
    world.add(BodyBuilder::fixed(cube())).unwrap();
    world.add(BodyBuilder::fixed(cube()).at(at(0.5, 0.0, 0.0))).unwrap();
    assert_eq!(world.smallest_clearance(), None);
    let ball = world.add(BodyBuilder::free(ball(0.5)).at(at(50.0, 0.0, 3.0))).unwrap();
    let clearance = world.smallest_clearance().unwrap();
    assert_eq!(clearance.bodies, [ground, ball]);
    assert!((clearance.distance.upper - 2.5).abs() < 1e-14);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// The oracle asks about all pairs.
    #[test]
    fn the_smallest_clearance_is_the_least_of_all_pairs(
        places in prop::collection::vec((prop::array::uniform3(-8.0..8.0f64), 0..5u8, 0..3u8), 0..24),
        is_grounded in any::<bool>(),
        off in prop::collection::vec((0..24usize, 0..24usize), 0..6),
    ) {
        let mut world = world();
        if is_grounded {
            let low = Plane { normal: Vec3::new(0.6, 0.0, 0.8), offset: -9.0 };
            world.add(BodyBuilder::fixed(Shape::half_space(low).unwrap())).unwrap();
        }
        let tetrahedron = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
        let faces = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
        let solid = Solid::from_soup(&silvia_solid::Soup::new(tetrahedron.to_vec(), faces).unwrap()).unwrap();
        for ([x, y, z], kind, role) in places {
            let shape = match kind {
                0 => ball(0.4),
                1 => cube(),
                2 => Shape::cone(0.5, 1.0).unwrap(),
                3 => Shape::capsule(0.2, 1.5).unwrap(),
                _ => Shape::solid(solid.clone()),
            };
            let body = if role == 0 { BodyBuilder::fixed(shape) } else { BodyBuilder::free(shape) };
            world.add(body.at(at(x, y, z))).unwrap();
        }
        let ids: Vec<BodyId> = world.ids().collect();
        for (i, j) in off {
            if i != j && i < ids.len() && j < ids.len() {
                world.set_pair_active(ids[i], ids[j], false).unwrap();
            }
        }
        let mut expected: Option<(f64, [BodyId; 2])> = None;
        for (i, &a) in ids.iter().enumerate() {
            for &b in &ids[i + 1..] {
                let is_movable = world.role(a).unwrap().is_movable() || world.role(b).unwrap().is_movable();
                if is_movable && world.admits(a, b).unwrap() {
                    let (one, other) = (world.shape(a).unwrap(), world.shape(b).unwrap());
                    let (at_a, at_b) = (world.pose(a).unwrap(), world.pose(b).unwrap());
                    let distance = shape::distance(one, &at_a, other, &at_b).upper;
                    if expected.is_none_or(|(least, _)| distance < least) {
                        expected = Some((distance, [a, b]));
                    }
                }
            }
        }
        let found = |clearance: Option<Clearance>| clearance.map(|c| (c.distance.upper, c.bodies));
        prop_assert_eq!(found(world.smallest_clearance()), expected);
        // As in worlds of very many bodies.
        prop_assert_eq!(found(world.clearance(0)), expected);
    }
}
