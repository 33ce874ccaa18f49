use super::*;

#[test]
fn a_snapshot_brings_back_the_bits_and_what_was_set() {
    let mut world = world();
    let a = world.add(BodyBuilder::free(cube()).velocity(moving(Vec3::X, Vec3::Y))).unwrap();
    let b = world.add(BodyBuilder::held(cube()).at(at(3.0, 0.0, 0.0))).unwrap();
    let load = world.add_load(a, Load::force(Vec3::X)).unwrap();
    let (snapshot, hash) = (world.snapshot(), world.hash());
    world.set_pose(a, at(0.0, 7.0, 0.0)).unwrap();
    assert_ne!(world.hash(), hash);
    world.set_velocity(a, Twist::default()).unwrap();
    world.set_role(b, Role::Free).unwrap();
    world.remove_load(load).unwrap();
    world.set_pair_active(a, b, false).unwrap();
    world.restore(&snapshot).unwrap();
    assert_eq!(world.hash(), hash);
    assert_eq!(world.velocity(a), Ok(moving(Vec3::X, Vec3::Y)));
    assert_eq!(world.role(b), Ok(&Role::Held(Twist::default())));
    assert_eq!(world.admits(a, b), Ok(true));
    assert_eq!(world.remove_load(load), Ok(Load::force(Vec3::X)));
}

#[test]
fn a_snapshot_of_a_world_with_other_bodies_is_refused() {
    let mut world = world();
    let a = world.add(BodyBuilder::free(cube()).named("a")).unwrap();
    let snapshot = world.snapshot();
    let b = world.add(BodyBuilder::free(cube()).named("b").at(at(5.0, 0.0, 0.0))).unwrap();
    let hash = world.hash();
    let expected = SnapshotError::OtherBodies { number: 1, then: None, now: Some("b".into()) };
    assert_eq!(world.restore(&snapshot), Err(expected));
    assert_eq!(world.hash(), hash);
    world.remove(b).unwrap();
    world.restore(&snapshot).unwrap();
    // The number of a body that is gone stays taken.
    assert_eq!(world.pose(b), Err(WorldError::NoSuchBody { id: b }));
    let c = world.add(BodyBuilder::free(cube()).named("c")).unwrap();
    assert!(world.pose(c).is_ok() && c != b);
    world.remove(a).unwrap();
    assert!(matches!(world.restore(&snapshot), Err(SnapshotError::OtherBodies { number: 0, .. })));
    let mut heavier = self::world();
    heavier.add(BodyBuilder::free(cube()).named("a").density(2000.0)).unwrap();
    assert!(heavier.restore(&snapshot).is_err());
}

#[test]
fn one_bit_of_one_body_changes_the_hash_and_where_a_removed_body_was_does_not() {
    let make = |x: f64| {
        let mut world = world();
        let id = world.add(BodyBuilder::free(ball(1.0)).at(at(x, 0.0, 0.0))).unwrap();
        (world, id)
    };
    let ((one, _), (other, _)) = (make(1.0), make(1.0 + f64::EPSILON));
    assert_eq!(one.hash(), make(1.0).0.hash());
    assert_ne!(one.hash(), other.hash());
    let [one, other] = [make(1.0), make(2.0)].map(|(mut world, id)| {
        world.remove(id).unwrap();
        world.hash()
    });
    assert_eq!(one, other);
}
