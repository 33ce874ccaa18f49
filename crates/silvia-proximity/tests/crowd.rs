//! Many objects at once against each pair asked about by itself.

#![allow(clippy::unwrap_used)]

mod common;

use common::{pose, rotation, solid, soup, vector};
use proptest::prelude::*;
use silvia_proximity::bounds::Obb;
use silvia_proximity::culling::CullingMethod;
use silvia_proximity::mesh::{Collision, collide, distance};
use silvia_proximity::shape::{self, Shape};
use silvia_proximity::{Crowd, CrowdError, DistanceOptions, Extent, Groups, Hierarchy, Meeting, ObjectId};
use silvia_solid::{Plane, Pose, Quat, Solid, Soup, Vec3, primitives};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What a crowd should be, kept in the plainest way.
#[derive(Default)]
struct Model {
    objects: Vec<Member>,
    pairs_off: BTreeSet<[ObjectId; 2]>,
}

struct Member {
    id: ObjectId,
    shape: Shape,
    pose: Pose,
    is_active: bool,
    groups: Groups,
}

impl Model {
    /// All pairs that are to be asked about, in order.
    fn pairs(&self) -> Vec<(&Member, &Member)> {
        let mut members: Vec<&Member> = self.objects.iter().collect();
        members.sort_by_key(|member| member.id);
        let mut pairs = Vec::new();
        for (i, a) in members.iter().enumerate() {
            for b in &members[i + 1..] {
                let agree =
                    a.groups.member_of & b.groups.meets != 0 && b.groups.member_of & a.groups.meets != 0;
                if a.is_active && b.is_active && agree && !self.pairs_off.contains(&[a.id, b.id]) {
                    pairs.push((*a, *b));
                }
            }
        }
        pairs
    }

    fn check(&self, crowd: &mut Crowd, reach: f64) -> Result<(), TestCaseError> {
        let ids: Vec<ObjectId> = crowd.ids().collect();
        let mut expected: Vec<ObjectId> = self.objects.iter().map(|member| member.id).collect();
        expected.sort();
        prop_assert_eq!(ids, expected);
        prop_assert_eq!(crowd.len(), self.objects.len());

        let truth: Vec<Meeting> = self.pairs().into_iter().filter_map(|(a, b)| meeting(a, b)).collect();
        prop_assert_eq!(&crowd.collide(Extent::All), &truth);
        let any = crowd.collide(Extent::Any);
        prop_assert_eq!(any.len(), truth.len());
        for (found, all) in any.iter().zip(&truth) {
            prop_assert_eq!((found.objects, found.inner), (all.objects, all.inner));
            prop_assert_eq!(found.triangles.len(), all.triangles.len().min(1));
            prop_assert!(found.triangles.iter().all(|pair| all.triangles.contains(pair)));
        }

        let near = crowd.near(reach).unwrap();
        prop_assert!(near.is_sorted_by_key(|pair| pair.objects));
        let mut found = near.iter().peekable();
        for (a, b) in self.pairs() {
            let truth = apart(a, b);
            // Two ways to the same distance may differ by rounding, and so may which side of the reach it is
            // on.
            let rounding = 1e-12 * (1.0 + a.pose.translation().length() + b.pose.translation().length());
            match found.next_if(|pair| pair.objects == [a.id, b.id]) {
                Some(pair) => {
                    prop_assert!(pair.distance.upper < reach);
                    prop_assert!((pair.distance.upper - truth).abs() <= rounding);
                    let [p, q] = pair.distance.points;
                    prop_assert!((p.distance(q) - truth).abs() <= rounding);
                }
                None => prop_assert!(truth >= reach - rounding, "{truth} < {reach}"),
            }
        }
        prop_assert!(found.next().is_none());
        Ok(())
    }
}

/// How two members meet, by the query for the pair alone.
fn meeting(a: &Member, b: &Member) -> Option<Meeting> {
    let objects = [a.id, b.id];
    let met = |triangles, inner| Some(Meeting { objects, triangles, inner });
    let (Some(of_a), Some(of_b)) = (hierarchy(&a.shape), hierarchy(&b.shape)) else {
        let touches = shape::collide(&a.shape, &a.pose, &b.shape, &b.pose);
        return if touches { met(Vec::new(), None) } else { None };
    };
    match collide(of_a, &a.pose, of_b, &b.pose, Extent::All) {
        Collision::None => None,
        Collision::Surfaces(triangles) => met(triangles, None),
        Collision::FirstInside => met(Vec::new(), Some(a.id)),
        Collision::SecondInside => met(Vec::new(), Some(b.id)),
    }
}

/// The distance of two members, m, by the query for the pair alone.
fn apart(a: &Member, b: &Member) -> f64 {
    match (hierarchy(&a.shape), hierarchy(&b.shape)) {
        (Some(of_a), Some(of_b)) => {
            distance(of_a, &a.pose, of_b, &b.pose, &DistanceOptions::default()).unwrap().upper
        }
        _ => shape::distance(&a.shape, &a.pose, &b.shape, &b.pose).upper,
    }
}

fn hierarchy(shape: &Shape) -> Option<&Hierarchy<Obb>> {
    shape.as_mesh().map(|mesh| mesh.hierarchy())
}

/// Shapes without triangles, a half-space among them.
fn smooth() -> impl Strategy<Value = Shape> {
    let size = || 0.1..1.0f64;
    prop_oneof![
        size().prop_map(|radius| Shape::sphere(radius).unwrap()),
        (size(), size()).prop_map(|(radius, height)| Shape::cylinder(radius, height).unwrap()),
        (size(), size()).prop_map(|(radius, height)| Shape::capsule(radius, height).unwrap()),
        (size(), size()).prop_map(|(radius, height)| Shape::cone(radius, height).unwrap()),
        prop::array::uniform3(size()).prop_map(|size| Shape::cuboid(size.into()).unwrap()),
        vector(1.0).prop_map(|v| {
            let normal = v.try_normalize().unwrap_or(Vec3::Z);
            Shape::half_space(Plane { normal, offset: -3.0 }).unwrap()
        }),
        (size(), vector(1.0)).prop_map(|(radius, at)| {
            let ball = Shape::sphere(radius).unwrap();
            let there = Pose::from_translation(at).unwrap();
            Shape::compound([(Pose::IDENTITY, ball.clone()), (there, ball)]).unwrap()
        }),
    ]
}

#[derive(Clone, Debug)]
enum Change {
    Add { shape: usize, pose: Pose },
    Remove { which: usize },
    Jump { which: usize, pose: Pose },
    Nudge { by: Vec3, turn: Vec3 },
    Activate { which: usize, is_active: bool },
    ActivatePair { which: [usize; 2], is_active: bool },
    Group { which: usize, groups: Groups },
    Look { reach: f64 },
}

fn change() -> impl Strategy<Value = Change> {
    let which = || any::<prop::sample::Index>().prop_map(|index| index.index(1 << 20));
    let bits = || prop_oneof![Just(u32::MAX), 0..4u32];
    prop_oneof![
        4 => (0..8usize, pose(3.0)).prop_map(|(shape, pose)| Change::Add { shape, pose }),
        1 => which().prop_map(|which| Change::Remove { which }),
        2 => (which(), pose(3.0)).prop_map(|(which, pose)| Change::Jump { which, pose }),
        6 => (vector(0.05), vector(0.05)).prop_map(|(by, turn)| Change::Nudge { by, turn }),
        2 => (which(), any::<bool>()).prop_map(|(which, is_active)| Change::Activate { which, is_active }),
        3 => (which(), which(), any::<bool>())
            .prop_map(|(a, b, is_active)| Change::ActivatePair { which: [a, b], is_active }),
        1 => (which(), bits(), bits())
            .prop_map(|(which, member_of, meets)| (which, Groups { member_of, meets }))
            .prop_map(|(which, groups)| Change::Group { which, groups }),
        6 => prop_oneof![Just(0.0), Just(0.3), Just(0.3), 0.0..5.0].prop_map(|reach| Change::Look { reach }),
    ]
}

fn run(method: CullingMethod, shapes: &[Shape], changes: &[Change]) -> Result<(), TestCaseError> {
    let mut crowd = Crowd::with_culling(method);
    let mut model = Model::default();
    let mut gone = Vec::new();
    for change in changes {
        let count = model.objects.len();
        if count == 0 && !matches!(change, Change::Add { .. } | Change::Look { .. }) {
            continue;
        }
        match change {
            Change::Add { shape, pose } => {
                let shape = shapes[shape % shapes.len()].clone();
                let id = crowd.add(shape.clone(), *pose).unwrap();
                prop_assert!(!gone.contains(&id), "a handle was given out twice");
                model.objects.push(Member { id, shape, pose: *pose, is_active: true, groups: Groups::ALL });
            }
            Change::Remove { which } => {
                let member = model.objects.swap_remove(which % count);
                crowd.remove(member.id).unwrap();
                gone.push(member.id);
                model.pairs_off.retain(|pair| !pair.contains(&member.id));
            }
            Change::Jump { which, pose } => {
                let member = &mut model.objects[which % count];
                member.pose = *pose;
                crowd.set_pose(member.id, *pose).unwrap();
            }
            Change::Nudge { by, turn } => {
                let mut moves = Vec::new();
                for (index, member) in model.objects.iter_mut().enumerate() {
                    let sign = if index % 2 == 0 { 1.0 } else { -1.0 };
                    let rotation = Quat::from_scaled_axis(*turn) * member.pose.rotation();
                    member.pose = Pose::new(member.pose.translation() + sign * *by, rotation).unwrap();
                    moves.push((member.id, member.pose));
                }
                crowd.set_poses(&moves).unwrap();
            }
            Change::Activate { which, is_active } => {
                let member = &mut model.objects[which % count];
                member.is_active = *is_active;
                crowd.set_active(member.id, *is_active).unwrap();
                prop_assert_eq!(crowd.is_active(member.id), Ok(*is_active));
            }
            Change::ActivatePair { which, is_active } => {
                let [a, b] = which.map(|which| model.objects[which % count].id);
                if a == b {
                    let refused = crowd.set_pair_active(a, b, *is_active);
                    prop_assert_eq!(refused, Err(CrowdError::SameObject { id: a }));
                    continue;
                }
                crowd.set_pair_active(a, b, *is_active).unwrap();
                prop_assert_eq!(crowd.is_pair_active(b, a), Ok(*is_active));
                let pair = [a.min(b), a.max(b)];
                if *is_active {
                    model.pairs_off.remove(&pair)
                } else {
                    model.pairs_off.insert(pair)
                };
            }
            Change::Group { which, groups } => {
                let member = &mut model.objects[which % count];
                member.groups = *groups;
                crowd.set_groups(member.id, *groups).unwrap();
            }
            Change::Look { reach } => model.check(&mut crowd, *reach)?,
        }
    }
    model.check(&mut crowd, 0.5)?;
    for id in gone {
        prop_assert_eq!(crowd.pose(id), Err(CrowdError::NoSuchObject { id }));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn a_crowd_answers_as_each_pair_by_itself_whatever_happens(
        solids in prop::collection::vec(solid(), 1..3),
        soups in prop::collection::vec(soup(), 1..3),
        smooth in prop::collection::vec(smooth(), 0..3),
        changes in prop::collection::vec(change(), 1..80),
    ) {
        let meshes = solids.into_iter().map(Shape::from).chain(soups.into_iter().map(Shape::from));
        let shapes: Vec<Shape> = meshes.chain(smooth).collect();
        for method in CullingMethod::ALL {
            run(method, &shapes, &changes)?;
        }
    }

    /// A lattice of cubes that touch exactly: culling may not lose a pair to rounding.
    #[test]
    fn cubes_that_touch_in_a_lattice_are_all_found(at in vector(1e6), turn in rotation()) {
        let cube = Solid::from_soup(&primitives::cuboid(Vec3::ONE).unwrap()).unwrap();
        let cube = Arc::new(Hierarchy::new(cube));
        let frame = Pose::new(at, turn).unwrap();
        let mut crowd = Crowd::new();
        let mut poses = Vec::new();
        for (x, y, z) in (0..27).map(|i| (i % 3, i / 3 % 3, i / 9)) {
            let own = Pose::from_translation(Vec3::new(f64::from(x), f64::from(y), f64::from(z))).unwrap();
            poses.push(frame.compose(&own));
            crowd.add(Arc::clone(&cube), frame.compose(&own)).unwrap();
        }
        let found: Vec<[usize; 2]> =
            crowd.collide(Extent::Any).iter().map(|m| m.objects.map(ObjectId::index)).collect();
        let mut truth = Vec::new();
        for i in 0..27 {
            for j in i + 1..27 {
                if collide(&cube, &poses[i], &cube, &poses[j], Extent::Any).is_some() {
                    truth.push([i, j]);
                }
            }
        }
        prop_assert_eq!(found, truth);
    }
}

/// A ring of knots that turn and drift, a step a time, into and out of each other.
fn knots_on_their_way(threads: usize) -> Vec<u64> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let knot = primitives::TorusKnot::TREFOIL.soup_with_triangles(300).unwrap();
        let knot = Arc::new(Hierarchy::new(Solid::from_soup(&knot).unwrap()));
        let mut crowd = Crowd::new();
        let ids: Vec<ObjectId> =
            (0..40).map(|_| crowd.add(Arc::clone(&knot), Pose::IDENTITY).unwrap()).collect();
        let mut bits = Vec::new();
        for step in 0..25 {
            let moves: Vec<(ObjectId, Pose)> = ids
                .iter()
                .enumerate()
                .map(|(i, &id)| {
                    let (i, time) = (i as f64, 0.02 * f64::from(step));
                    let at = Vec3::new(
                        4.0 * (i % 7.0) + (i + time).sin(),
                        4.5 * (i / 7.0).floor(),
                        (3.0 * time + i).cos(),
                    );
                    (id, Pose::new(at, Quat::from_rotation_y(i + time)).unwrap())
                })
                .collect();
            crowd.set_poses(&moves).unwrap();
            for meeting in crowd.collide(if step % 5 == 0 { Extent::All } else { Extent::Any }) {
                bits.extend(meeting.objects.map(|id| id.index() as u64));
                bits.extend(meeting.triangles.iter().flatten().map(|t| u64::from(t.0)));
            }
            for pair in crowd.near(0.7).unwrap() {
                bits.extend(pair.objects.map(|id| id.index() as u64));
                bits.push(pair.distance.upper.to_bits());
                bits.extend(pair.distance.points.iter().flat_map(|p| p.to_array()).map(f64::to_bits));
            }
        }
        bits
    })
}

#[test]
fn the_same_bits_come_from_any_number_of_threads() {
    let one = knots_on_their_way(1);
    assert!(one.len() > 10_000, "{}", one.len());
    assert_eq!(one, knots_on_their_way(2));
    assert_eq!(one, knots_on_their_way(4));
}

#[test]
fn a_handle_of_a_removed_object_is_refused_everywhere_even_when_its_place_is_taken() {
    let mut crowd = Crowd::new();
    let cube = primitives::cuboid(Vec3::ONE).unwrap();
    let old = crowd.add(cube.clone(), Pose::IDENTITY).unwrap();
    let other = crowd.add(cube.clone(), Pose::IDENTITY).unwrap();
    crowd.remove(old).unwrap();
    let new = crowd.add(cube, Pose::IDENTITY).unwrap();
    assert_eq!(new.index(), old.index());
    let refused = CrowdError::NoSuchObject { id: old };
    assert_eq!(crowd.remove(old), Err(refused));
    assert_eq!(crowd.pose(old), Err(refused));
    assert_eq!(crowd.set_pose(old, Pose::IDENTITY), Err(refused));
    assert_eq!(crowd.set_active(old, true), Err(refused));
    assert_eq!(crowd.is_active(old), Err(refused));
    assert_eq!(crowd.set_groups(old, Groups::ALL), Err(refused));
    assert_eq!(crowd.groups(old), Err(refused));
    assert_eq!(crowd.set_pair_active(old, other, true), Err(refused));
    assert_eq!(crowd.is_pair_active(other, old), Err(refused));
    assert!(!crowd.contains(old) && crowd.contains(new));
    assert_eq!((old.to_string(), new.to_string()), ("0".into(), "0.1".into()));
}

#[test]
fn a_new_object_in_an_old_place_does_not_inherit_what_was_switched_off() {
    let mut crowd = Crowd::new();
    let cube = primitives::cuboid(Vec3::ONE).unwrap();
    let (a, b) = (crowd.add(cube.clone(), Pose::IDENTITY), crowd.add(cube.clone(), Pose::IDENTITY));
    let (a, b) = (a.unwrap(), b.unwrap());
    crowd.set_pair_active(a, b, false).unwrap();
    crowd.set_active(a, false).unwrap();
    crowd.set_groups(a, Groups { member_of: 0, meets: 0 }).unwrap();
    assert!(crowd.collide(Extent::Any).is_empty());
    crowd.remove(a).unwrap();
    let new = crowd.add(cube, Pose::IDENTITY).unwrap();
    assert_eq!(crowd.collide(Extent::Any)[0].objects, [new, b]);
}

#[test]
fn poses_out_of_reach_are_refused_and_nothing_moves() {
    let mut crowd = Crowd::new();
    let cube = primitives::cuboid(Vec3::ONE).unwrap();
    let far = Pose::from_translation(Vec3::new(1e31, 0.0, 0.0)).unwrap();
    // Finite parts that compose to a NaN: an infinity turned by a rotation.
    let huge = Pose::from_translation(Vec3::splat(f64::MAX)).unwrap();
    let broken = huge.compose(&huge).compose(&huge);
    assert!(!broken.translation().is_finite());
    let (a, b) = (crowd.add(cube.clone(), Pose::IDENTITY), crowd.add(cube.clone(), Pose::IDENTITY));
    let (a, b) = (a.unwrap(), b.unwrap());
    assert_eq!(crowd.add(cube, far), Err(CrowdError::OutOfReach { id: None, pose: far }));
    let aside = Pose::from_translation(Vec3::X).unwrap();
    for pose in [far, broken] {
        let refused = crowd.set_poses(&[(a, aside), (b, pose)]);
        assert!(matches!(refused, Err(CrowdError::OutOfReach { id: Some(id), .. }) if id == b));
    }
    assert_eq!(crowd.pose(a), Ok(Pose::IDENTITY));
}

/// As far as coordinates go, and beyond: each is refused or answered, and never breaks the crowd.
#[test]
fn shapes_at_the_end_of_the_world_are_refused_or_answered() {
    let half_space = |offset: f64| Shape::half_space(Plane { normal: Vec3::Z, offset }).unwrap();
    let at = |z: f64| Pose::from_translation(Vec3::new(0.0, 0.0, z)).unwrap();
    let triangle = |s: f64| {
        let points = vec![Vec3::new(s, 0.0, 0.0), Vec3::new(1.5 * s, 0.0, 0.0), Vec3::new(s, s, 0.0)];
        Shape::soup(Soup::new(points, vec![[0, 1, 2]]).unwrap())
    };
    let with_ball = |offset: f64, z: f64| {
        let ball = Shape::sphere(1.0).unwrap();
        Shape::compound([(Pose::IDENTITY, half_space(offset)), (at(z), ball)]).unwrap()
    };
    for (shape, pose, meets_ball) in [
        (half_space(-1e29), Pose::IDENTITY, Some(false)),
        (half_space(1e29), Pose::IDENTITY, Some(true)),
        (half_space(-1e31), Pose::IDENTITY, None),
        (half_space(1e31), Pose::IDENTITY, None),
        (half_space(-1e60), Pose::IDENTITY, None),
        (half_space(-1e30), at(-1e30), None),
        (triangle(1e29), Pose::IDENTITY, Some(false)),
        (triangle(1e40), Pose::IDENTITY, None),
        // The squares of these are beyond all numbers.
        (triangle(1e160), Pose::IDENTITY, None),
        (triangle(1e300), Pose::IDENTITY, None),
        (with_ball(-1e40, 0.0), Pose::IDENTITY, None),
        (with_ball(-10.0, 1e50), Pose::IDENTITY, None),
        (with_ball(-10.0, 0.5), Pose::IDENTITY, Some(true)),
        (with_ball(-10.0, 5.0), Pose::IDENTITY, Some(false)),
    ] {
        for method in CullingMethod::ALL {
            let mut crowd = Crowd::with_culling(method);
            crowd.add(Shape::sphere(1.0).unwrap(), Pose::IDENTITY).unwrap();
            let added = crowd.add(shape.clone(), pose);
            assert_eq!(added.is_ok(), meets_ball.is_some(), "{shape:?}");
            assert_eq!(crowd.collide(Extent::Any).len(), usize::from(meets_ball == Some(true)), "{shape:?}");
            let near = crowd.near(1.5).unwrap().len();
            assert_eq!(near, usize::from(meets_ball == Some(true)), "{shape:?}");
        }
    }
}

#[test]
fn a_half_space_turned_along_a_diagonal_keeps_its_box_at_the_limit() {
    // Its offset is within the limit; where it is, along its normal, is beyond.
    let normal = Vec3::ONE.normalize();
    let corner = Pose::from_translation(Vec3::splat(-0.4 * Crowd::LIMIT)).unwrap();
    let behind = Shape::half_space(Plane { normal, offset: -0.6 * Crowd::LIMIT }).unwrap();
    let upright = Pose::new(corner.translation(), Quat::from_rotation_arc(normal, Vec3::Z)).unwrap();
    for pose in [corner, upright] {
        let mut crowd = Crowd::new();
        crowd.add(behind.clone(), pose).unwrap();
        crowd.add(Shape::sphere(1.0).unwrap(), Pose::IDENTITY).unwrap();
        assert!(crowd.collide(Extent::Any).is_empty());
    }
}

#[test]
fn a_reach_that_is_no_length_is_refused() {
    let mut crowd = Crowd::new();
    for given in [-1.0, f64::NAN, f64::INFINITY, 2e30] {
        assert!(matches!(crowd.near(given), Err(CrowdError::Reach { .. })), "{given}");
    }
    assert!(crowd.near(0.0).unwrap().is_empty());
}

#[test]
fn what_touches_is_near_for_every_reach_but_0() {
    let mut crowd = Crowd::new();
    let cube = Shape::solid(Solid::from_soup(&primitives::cuboid(Vec3::ONE).unwrap()).unwrap());
    for shape in [cube.clone(), cube, Shape::sphere(1.0).unwrap()] {
        crowd.add(shape, Pose::IDENTITY).unwrap();
    }
    assert_eq!(crowd.collide(Extent::Any).len(), 3);
    assert!(crowd.near(0.0).unwrap().is_empty());
    let near = crowd.near(f64::MIN_POSITIVE).unwrap();
    assert_eq!(near.iter().map(|pair| pair.distance.upper).collect::<Vec<_>>(), [0.0; 3]);
}
