//! Snapshots that went through bytes: the world goes on to the same bits, and bytes that were damaged are
//! refused.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use proptest::prelude::*;
use silvia_contact::Twist;
use silvia_proximity::{Groups, Shape};
use silvia_solid::{Plane, Pose, Quat, Vec3};
use silvia_world::{BodyBuilder, Load, Material, Script, Snapshot, SnapshotError, World, WorldSettings};

const STEP: f64 = 2e-3;

/// What is dropped on the ground: kind, size in m, where beside its place in the row, and how it moves.
type Dropped = (u8, f64, [f64; 3], [f64; 3], [f64; 3]);

/// A world with all that a snapshot holds: bodies of all roles, loads, a pair and a body switched off,
/// groups, and a body removed.
fn made(dropped: &[Dropped]) -> World {
    let mut world = World::new(WorldSettings::default()).unwrap();
    let rubber = Material::new("rubber", 0.5, 0.4);
    let rubber = world.add_material(rubber).unwrap();
    let at = |x: f64, y: f64, z: f64| Pose::from_translation(Vec3::new(x, y, z)).unwrap();
    let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap();
    world.add(BodyBuilder::fixed(ground).named("ground").material(rubber)).unwrap();
    let removed = world.add(BodyBuilder::fixed(Shape::sphere(0.1).unwrap()).at(at(0.0, 9.0, 0.1))).unwrap();
    let mut ids = Vec::new();
    for (number, (kind, size, offset, linear, angular)) in dropped.iter().enumerate() {
        let shape = match kind {
            0 => Shape::sphere(0.5 * size),
            1 => Shape::cuboid(Vec3::new(*size, 0.8 * size, 0.6 * size)),
            _ => Shape::capsule(0.3 * size, 0.5 * size),
        };
        let angular = Vec3::from_array(*angular);
        let place = Vec3::new(0.25 * number as f64, 0.0, 0.12) + 0.02 * Vec3::from_array(*offset);
        let pose = Pose::new(place, Quat::from_scaled_axis(angular)).unwrap();
        let velocity = Twist { linear: Vec3::from_array(*linear), angular };
        let body = BodyBuilder::free(shape.unwrap()).at(pose).velocity(velocity).material(rubber);
        ids.push(world.add(body).unwrap());
    }
    let hand = world
        .add(BodyBuilder::held(Shape::sphere(0.05).unwrap()).named("tool").at(at(0.0, 2.0, 0.5)))
        .unwrap();
    world.set_hand(hand, Twist { linear: Vec3::new(0.0, 0.1, -0.2), angular: Vec3::Z }).unwrap();
    let belt = Script::Velocity(Twist { linear: Vec3::X, angular: Vec3::ZERO });
    let belt = BodyBuilder::scripted(Shape::cuboid(Vec3::splat(0.1)).unwrap(), belt).at(at(0.0, 4.0, 0.3));
    world.add(belt).unwrap();
    let press = Script::Poses(vec![(0.0, at(0.0, 6.0, 0.5)), (0.1, at(0.0, 6.0, 0.4))]);
    world.add(BodyBuilder::scripted(Shape::sphere(0.05).unwrap(), press).at(at(0.0, 6.0, 0.5))).unwrap();
    world.add_load(ids[0], Load::force(Vec3::X).at(Vec3::Z * 0.01).turning().between(0.0, 0.05)).unwrap();
    world.add_load(ids[0], Load::torque(Vec3::Z * 1e-3).over([(0.0, 0.0), (0.02, 1.0)])).unwrap();
    world.set_pair_active(ids[0], hand, false).unwrap();
    world.set_active(hand, false).unwrap();
    world.set_groups(ids[0], Groups { member_of: 0b101, meets: u32::MAX }).unwrap();
    world.remove(removed).unwrap();
    world
}

/// The hash after some steps on a number of threads; of a world that refuses a step, as it is then.
fn hash_after(mut world: World, steps: usize, threads: usize) -> u64 {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| (0..steps).take_while(|_| world.step(STEP).is_ok()).count());
    world.hash()
}

fn dropped() -> impl Strategy<Value = Vec<Dropped>> {
    let vector = || prop::array::uniform3(-1.0..1.0_f64);
    prop::collection::vec((0..3_u8, 0.05..0.15_f64, vector(), vector(), vector()), 1..5)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn a_world_restored_from_bytes_goes_on_to_the_same_bits_on_any_number_of_threads(
        dropped in dropped(),
        before in 0..60_usize,
    ) {
        let mut world = made(&dropped);
        let made_steps = (0..before).take_while(|_| world.step(STEP).is_ok()).count();
        let bytes = world.snapshot().to_bytes();
        let snapshot = Snapshot::from_bytes(&bytes).unwrap();
        prop_assert_eq!(&snapshot.to_bytes(), &bytes);
        let mut again = made(&dropped);
        again.restore(&snapshot).unwrap();
        prop_assert_eq!(again.steps(), made_steps as u64);
        prop_assert_eq!(again.contacts(), world.contacts());
        let expected = hash_after(world, 25, 1);
        for threads in [1, 2, 4] {
            prop_assert_eq!(hash_after(again.clone(), 25, threads), expected, "{} threads", threads);
        }
    }

    #[test]
    fn bytes_that_no_world_wrote_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(Snapshot::from_bytes(&bytes).is_err());
        let marked = [b"SVSN\x01\0\0\0".as_slice(), &bytes].concat();
        prop_assert!(Snapshot::from_bytes(&marked).is_err());
    }
}

/// Two bodies, which come to lie on the ground.
const TWO: [Dropped; 2] =
    [(1, 0.1, [0.0; 3], [0.3, 0.0, -1.0], [0.1; 3]), (0, 0.1, [0.0; 3], [0.0; 3], [0.0; 3])];

fn some_bytes() -> Vec<u8> {
    let mut world = made(&TWO);
    let is_lying = |world: &World| !world.contacts().is_empty();
    let mut steps = 0;
    while !is_lying(&world) && steps < 1000 {
        world.step(STEP).unwrap();
        steps += 1;
    }
    assert!(is_lying(&world));
    world.snapshot().to_bytes()
}

#[test]
fn a_snapshot_cut_anywhere_or_with_any_byte_changed_is_refused() {
    let bytes = some_bytes();
    for end in 0..bytes.len() {
        assert!(Snapshot::from_bytes(&bytes[..end]).is_err(), "cut at {end}");
    }
    for place in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[place] ^= 0x10;
        assert!(Snapshot::from_bytes(&damaged).is_err(), "byte {place}");
    }
}

/// With the hash made right again, so that the content itself is looked at.
#[test]
fn content_that_a_world_would_refuse_is_refused_and_none_makes_it_panic() {
    let bytes = some_bytes();
    let content = bytes.len() - 8;
    let mut refused = 0;
    for place in 8..content {
        for change in [0xff_u8, 0x7f, 0x01] {
            let mut damaged = bytes.clone();
            damaged[place] ^= change;
            let hash = fnv(&damaged[..content]);
            damaged[content..].copy_from_slice(&hash.to_le_bytes());
            match Snapshot::from_bytes(&damaged) {
                Ok(snapshot) => {
                    let mut world = made(&TWO);
                    // It may be of another world; what it may not be is one without numbers.
                    let _: Result<(), SnapshotError> = world.restore(&snapshot);
                    assert!(world.ids().all(|id| world.pose(id).is_ok()) && world.time().is_finite());
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > content / 10, "{refused} of {content}");
}

#[test]
fn numbers_that_are_none_are_refused_wherever_they_are() {
    let bytes = some_bytes();
    let content = bytes.len() - 8;
    // The time comes first, after the magic and the version.
    let mut damaged = bytes.clone();
    damaged[8..16].copy_from_slice(&f64::NAN.to_le_bytes());
    let hash = fnv(&damaged[..content]);
    damaged[content..].copy_from_slice(&hash.to_le_bytes());
    let refused = Snapshot::from_bytes(&damaged).unwrap_err();
    assert_eq!(refused, SnapshotError::Damaged { at: 16, what: "a finite time" });
    let mut newer = bytes;
    newer[4..8].copy_from_slice(&7_u32.to_le_bytes());
    assert_eq!(Snapshot::from_bytes(&newer).unwrap_err(), SnapshotError::Newer { found: 7, known: 6 });
    assert_eq!(Snapshot::from_bytes(b"").unwrap_err(), SnapshotError::NoSnapshot);
}

/// The published algorithm, over 64 bits.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
