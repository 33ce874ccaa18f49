//! What of two shapes touches first and shortly after, and how deep they are in each other at the start:
//! closed forms, the exact answer for meshes, and points measured against the shapes.

#![allow(clippy::unwrap_used)]

mod common;

use seeded::Random;
use silvia_proximity::bounds::Obb;
use silvia_proximity::mesh::Moving;
use silvia_proximity::shape::{
    Overlap, Shape, ShapeImpact, ShapeImpactContact, ShapeOutcome, distance, time_of_impact,
};
use silvia_proximity::{Feature, Hierarchy, ImpactOptions, Motion};
use silvia_solid::{Plane, Pose, Quat, Solid, Soup, Vec3, primitives};
use std::collections::BTreeMap;
use std::f64::consts::{FRAC_PI_2, PI};
use std::time::Duration;

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

fn posed(x: f64, y: f64, z: f64, turn: Quat) -> Pose {
    Pose::new(Vec3::new(x, y, z), turn).unwrap()
}

fn still() -> Motion {
    Motion::still(Pose::IDENTITY)
}

fn ground() -> Shape {
    Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 }).unwrap()
}

fn solid(soup: &Soup) -> Solid {
    Solid::from_soup(soup).unwrap()
}

fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::cuboid(Vec3::new(x, y, z)).unwrap()
}

/// What the second shape touches of the first, at rest at the origin.
fn meet(a: &Shape, b: &Shape, motion: &Motion, band: f64) -> ShapeImpact {
    let options = ImpactOptions { band, ..ImpactOptions::default() };
    let impact = time_of_impact(a, &still(), b, motion, &options).unwrap();
    assert!(impact.is_complete);
    assert!(impact.contacts.is_sorted_by(|c, d| c.lower <= d.lower), "{impact:?}");
    impact
}

/// The ways in which a shape that does not turn can go from one place to another, which are all the same way.
fn straight(from: Pose, to: Pose) -> [Motion; 3] {
    [Motion::linear(from, to), Motion::rigid(from, to), Motion::screw_between(from, to)]
}

fn places(impact: &ShapeImpact) -> Vec<Vec3> {
    impact.contacts.iter().map(|c| c.points[0].midpoint(c.points[1])).collect()
}

fn has_place(impact: &ShapeImpact, place: Vec3, within: f64) -> bool {
    places(impact).iter().any(|p| p.distance(place) < within)
}

fn features(impact: &ShapeImpact, body: usize) -> Vec<Feature> {
    let mut found: Vec<Feature> = impact.contacts.iter().map(|c| c.features[body].unwrap()).collect();
    found.sort_unstable();
    found.dedup();
    found
}

#[test]
fn a_ball_touches_the_ground_and_another_ball_at_one_point() {
    let ball = Shape::sphere(0.5).unwrap();
    for (other, height) in [(ground(), 0.5), (ball.clone(), 1.0), (cuboid(4.0, 4.0, 2.0), 1.5)] {
        for motion in straight(at(0.0, 0.0, 3.0), at(0.0, 0.0, -1.0)) {
            let impact = meet(&other, &ball, &motion, 0.0);
            assert_eq!(impact.contacts.len(), 1, "{impact:?}");
            let contact = &impact.contacts[0];
            assert!(contact.normal.distance(Vec3::Z) < 1e-12 && contact.lower == impact.lower);
            assert!((impact.lower - (3.0 - height) / 4.0).abs() < 1e-10);
            assert!(contact.points[1].distance(Vec3::new(0.0, 0.0, height - 0.5)) < 1e-10);
            assert_eq!(contact.features[1], Some(Feature::Patch(0)));
        }
    }
}

#[test]
fn a_capsule_that_lies_down_touches_with_both_ends() {
    let capsule = Shape::capsule(0.25, 2.0).unwrap();
    let lying = Quat::from_rotation_y(FRAC_PI_2);
    for floor in [ground(), Shape::compound([(at(0.0, 0.0, -1.0), cuboid(8.0, 8.0, 2.0))]).unwrap()] {
        for motion in straight(posed(0.0, 0.0, 2.25, lying), posed(0.0, 0.0, -1.75, lying)) {
            let impact = meet(&floor, &capsule, &motion, 0.0);
            assert!((impact.lower - 0.5).abs() < 1e-10);
            assert_eq!(features(&impact, 1), [Feature::Patch(1), Feature::Patch(2)]);
            assert_eq!(impact.contacts.len(), 2, "{impact:?}");
            assert!(impact.contacts.iter().all(|c| c.normal.distance(Vec3::Z) < 1e-12));
            assert!(has_place(&impact, Vec3::X, 1e-9) && has_place(&impact, -Vec3::X, 1e-9), "{impact:?}");
        }
    }
}

#[test]
fn a_tilted_capsule_touches_with_one_end_and_within_a_band_with_the_other() {
    let capsule = Shape::capsule(0.25, 2.0).unwrap();
    let tilt = 0.1f64;
    let lying = Quat::from_rotation_y(FRAC_PI_2 + tilt);
    let fall = Motion::rigid(posed(0.0, 0.0, 2.25, lying), posed(0.0, 0.0, -1.75, lying));
    let times = [-1.0, 1.0].map(|end| 0.5 + end * tilt.sin() / 4.0);
    let apart = times[1] - times[0];
    for (band, count) in [(0.0, 1), (0.99 * apart, 1), (1.01 * apart, 2), (f64::INFINITY, 2)] {
        let impact = meet(&ground(), &capsule, &fall, band);
        assert_eq!(impact.contacts.len(), count, "{band}: {impact:?}");
        for (contact, time) in impact.contacts.iter().zip(times) {
            assert!((contact.lower - time).abs() < 1e-9, "{contact:?} {time}");
        }
    }
}

#[test]
fn boxes_that_land_flat_touch_at_the_corners_of_what_they_share() {
    let (floor, cube) = (cuboid(2.0, 2.0, 2.0), cuboid(2.0, 2.0, 2.0));
    let corners = |places: [[f64; 2]; 4]| places.map(|[x, y]| Vec3::new(x, y, 1.0));
    let mean = 2f64.sqrt() - 1.0;
    let cases = [
        (Vec3::ZERO, 0.0, corners([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])),
        (Vec3::new(1.5, 1.0, 0.0), 0.0, corners([[0.5, 0.0], [1.0, 0.0], [1.0, 1.0], [0.5, 1.0]])),
        // Turned by 45 degrees, each edge crosses two others.
        (Vec3::ZERO, 0.25 * PI, corners([[1.0, mean], [mean, 1.0], [-mean, 1.0], [-1.0, -mean]])),
    ];
    for (aside, turn, shared) in cases {
        let turn = Quat::from_rotation_z(turn);
        let [from, to] = [4.0, 0.0].map(|z| Pose::new(aside.with_z(z), turn).unwrap());
        for motion in straight(from, to) {
            let impact = meet(&floor, &cube, &motion, 0.0);
            assert!((impact.lower - 0.5).abs() < 1e-10, "{impact:?}");
            for place in shared {
                assert!(has_place(&impact, place, 1e-9), "{place} {impact:?}");
            }
            assert!(places(&impact).iter().all(|p| (p.z - 1.0).abs() < 1e-9));
        }
    }
}

#[test]
fn a_turning_box_lands_flat_where_and_when_the_screw_says() {
    let cube = cuboid(1.0, 1.0, 1.0);
    let screw = Motion::screw(at(0.0, 0.0, 2.5), Vec3::ZERO, Vec3::Z, PI, -4.0).unwrap();
    let impact = meet(&cuboid(8.0, 8.0, 1.0), &cube, &screw, 0.0);
    // It falls by 1.5 of 4, turning by as much of half a turn.
    let truth = 1.5 / 4.0;
    assert!(impact.lower <= truth && truth - impact.lower < 1e-9, "{impact:?}");
    assert_eq!(features(&impact, 1), [0, 1, 2, 3].map(Feature::Vertex));
    let turn = Quat::from_rotation_z(truth * PI);
    for corner in [[0.5, 0.5], [-0.5, 0.5], [0.5, -0.5], [-0.5, -0.5]] {
        let place = turn * Vec3::new(corner[0], corner[1], 0.0) + 0.5 * Vec3::Z;
        assert!(has_place(&impact, place, 1e-9), "{place} {impact:?}");
    }
    assert!(impact.contacts.iter().all(|c| c.normal.distance(Vec3::Z) < 1e-9), "{impact:?}");
}

#[test]
fn a_can_that_lands_on_its_end_is_held_all_around() {
    let can = Shape::cylinder(0.5, 1.0).unwrap();
    for floor in [ground(), Shape::compound([(at(0.0, 0.0, -1.0), cuboid(8.0, 8.0, 2.0))]).unwrap()] {
        let impact = meet(&floor, &can, &Motion::rigid(at(0.0, 0.0, 2.5), at(0.0, 0.0, -1.5)), 0.0);
        assert!((impact.lower - 0.5).abs() < 1e-10);
        for k in 0..24 {
            let way = Quat::from_rotation_z(f64::from(k) * 0.25) * Vec3::X;
            let reach = places(&impact).iter().map(|p| p.dot(way)).fold(f64::NEG_INFINITY, f64::max);
            assert!(reach > 0.2, "it could tip over to {way}: {impact:?}");
        }
        assert!(impact.contacts.iter().all(|c| c.normal.distance(Vec3::Z) < 1e-12));
    }
    // On a post that is narrower than it, the post's corners hold it, with its flat end.
    let impact =
        meet(&cuboid(0.4, 0.4, 1.0), &can, &Motion::rigid(at(0.0, 0.0, 3.0), at(0.0, 0.0, -1.0)), 0.0);
    let corners = impact.contacts.iter().filter(|c| matches!(c.features[0], Some(Feature::Vertex(4..=7))));
    assert_eq!(corners.clone().count(), 4, "{impact:?}");
    for contact in corners {
        assert_eq!(contact.features[1], Some(Feature::Face(0)), "{contact:?}");
        assert!(contact.normal.distance(Vec3::Z) < 1e-9, "{contact:?}");
    }
}

#[test]
fn a_can_that_lies_down_touches_with_both_rims() {
    let can = Shape::cylinder(0.5, 2.0).unwrap();
    let lying = Quat::from_rotation_y(FRAC_PI_2);
    let fall = Motion::rigid(posed(0.0, 0.0, 2.5, lying), posed(0.0, 0.0, -1.5, lying));
    let impact = meet(&ground(), &can, &fall, 0.0);
    let found = features(&impact, 1);
    assert!(found.contains(&Feature::Edge(0)) && found.contains(&Feature::Edge(1)), "{impact:?}");
    assert!(has_place(&impact, Vec3::X, 1e-9) && has_place(&impact, -Vec3::X, 1e-9), "{impact:?}");
    // Across a beam, both of the beam's edges hold it.
    let beam = cuboid(0.6, 4.0, 1.0);
    let fall = Motion::rigid(posed(0.0, 0.0, 3.0, lying), posed(0.0, 0.0, -1.0, lying));
    let impact = meet(&beam, &can, &fall, 0.0);
    for x in [-0.3, 0.3] {
        assert!(has_place(&impact, Vec3::new(x, 0.0, 0.5), 1e-9), "{impact:?}");
    }
    assert!(impact.contacts.iter().all(|c| c.normal.distance(Vec3::Z) < 1e-6), "{impact:?}");
}

#[test]
fn a_ball_that_falls_into_a_groove_touches_both_walls() {
    // Two walls at right angles, the ball between them; and walls of boxes, the one a little later.
    let wall = |x: f64| {
        Shape::half_space(Plane { normal: Vec3::new(x, 0.0, 1.0).normalize(), offset: 0.0 }).unwrap()
    };
    let groove = Shape::compound([(Pose::IDENTITY, wall(1.0)), (Pose::IDENTITY, wall(-1.0))]).unwrap();
    let ball = Shape::sphere(1.0).unwrap();
    let fall = Motion::rigid(at(0.0, 0.0, 4.0), at(0.0, 0.0, 0.0));
    let impact = meet(&groove, &ball, &fall, 0.0);
    assert_eq!(impact.contacts.len(), 2, "{impact:?}");
    let truth = (4.0 - 2f64.sqrt()) / 4.0;
    assert!((impact.lower - truth).abs() < 1e-10);
    for (contact, x) in impact.contacts.iter().zip([1.0, -1.0]) {
        assert!(contact.normal.distance(Vec3::new(x, 0.0, 1.0).normalize()) < 1e-12, "{contact:?}");
        assert!((contact.parts[0] == 0) == (x > 0.0) && contact.parts[1] == 0);
    }
    let blocks = Shape::compound([
        (at(0.0, -2.0, 0.0), cuboid(2.0, 2.0, 2.0)),
        (at(0.0, 2.0, -0.1), cuboid(2.0, 2.0, 2.0)),
    ])
    .unwrap();
    let beam = cuboid(0.5, 8.0, 0.5);
    let fall = Motion::rigid(at(0.0, 0.0, 4.0), at(0.0, 0.0, 0.0));
    for (band, parts) in [(0.0, vec![0]), (0.02, vec![0]), (0.03, vec![0, 1])] {
        let impact = meet(&blocks, &beam, &fall, band);
        let mut met: Vec<u32> = impact.contacts.iter().map(|c| c.parts[0]).collect();
        met.sort_unstable();
        met.dedup();
        assert_eq!(met, parts, "{band} {impact:?}");
    }
}

#[test]
fn convex_shapes_touch_with_the_features_of_their_meshes_at_the_same_times() {
    let mut random = Random::new(11);
    let parts = [
        solid(&primitives::prism(5, 0.6, 0.9).unwrap()),
        solid(&primitives::cone(0.5, 0.8, 7).unwrap()),
        solid(&primitives::cuboid(Vec3::new(0.5, 0.8, 1.1)).unwrap()),
    ];
    let mut count = 0;
    for i in 0..12 {
        let (a, b) = (&parts[i % 3], &parts[(i / 3) % 3]);
        let (turn_a, turn_b) = (random.rotation(), random.rotation());
        let motion_a = Motion::still(Pose::new(Vec3::ZERO, turn_a).unwrap());
        let way = Vec3::new(1.5, 0.3, 0.0) + random.vector(0.2);
        let [from, to] = [way, -way].map(|p| Pose::new(p + 0.2 * Vec3::Y, turn_b).unwrap());
        let motion_b = Motion::linear(from, to);
        let options = ImpactOptions { band: [0.0, 0.05, f64::INFINITY][i % 3], ..ImpactOptions::default() };
        let meshes: [Hierarchy<Obb>; 2] = [a, b].map(|s| Hierarchy::new(s.clone()));
        let truth = silvia_proximity::mesh::time_of_impact(
            &Moving::new(&meshes[0], &motion_a),
            &Moving::new(&meshes[1], &motion_b),
            &options,
        )
        .unwrap();
        // Of triangles an edge also meets the sides between those of one face: these are no edges.
        let is_edge_on_face = |f: &[Feature; 2]| {
            matches!(f, [Feature::Edge(_), Feature::Face(_)] | [Feature::Face(_), Feature::Edge(_)])
                || matches!(f, [Feature::Face(_), Feature::Face(_)])
        };
        let listed = truth.contacts.iter().map(|c| (c.features, c.lower));
        let expected: BTreeMap<[Feature; 2], f64> = listed.filter(|(f, _)| !is_edge_on_face(f)).collect();
        // A convex shape, or a convex one and a solid.
        for shapes in [
            [Shape::convex(a).unwrap(), Shape::convex(b).unwrap()],
            [Shape::convex(a).unwrap(), Shape::solid(b.clone())],
        ] {
            let impact = time_of_impact(&shapes[0], &motion_a, &shapes[1], &motion_b, &options).unwrap();
            assert!(impact.is_complete);
            let found: BTreeMap<[Feature; 2], f64> =
                impact.contacts.iter().map(|c| (c.features.map(Option::unwrap), c.lower)).collect();
            assert_eq!(found.len(), impact.contacts.len(), "each pair once");
            assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "case {i}");
            for (features, time) in &found {
                assert!((time - expected[features]).abs() < 1e-8, "case {i}: {features:?} {time}");
            }
        }
        count += expected.len();
    }
    assert!(count > 100, "{count}");
}

#[test]
fn round_shapes_touch_where_and_when_their_fine_meshes_do() {
    let (radius, height) = (0.5, 1.0);
    const SEGMENTS: usize = 180;
    // The mesh is inside the round shape, by as much as its sides are flat.
    let error = radius * (1.0 - (PI / SEGMENTS as f64).cos());
    let pairs = [
        (Shape::cylinder(radius, height).unwrap(), primitives::cylinder(radius, height, SEGMENTS).unwrap()),
        (Shape::cone(radius, height).unwrap(), primitives::cone(radius, height, SEGMENTS).unwrap()),
    ];
    let block = Shape::solid(solid(&primitives::cuboid(Vec3::new(1.2, 1.2, 0.4)).unwrap()));
    // Flat on its end, lying (the can), and tilted by a little and by much, over the edge of the block or
    // not.
    for (round, soup) in pairs {
        let mesh = Shape::solid(solid(&soup));
        for (tilt, x) in [(0.0, 0.1), (0.0, 0.5), (FRAC_PI_2, 0.3), (0.02, 0.2), (0.7, 0.4), (2.0, 0.3)] {
            let turn = Quat::from_rotation_y(tilt);
            let fall = Motion::rigid(posed(x, 0.1, 2.0, turn), posed(x, 0.1, 0.0, turn));
            // What touches within the tessellation's error touches at once.
            let band = 4.0 * error / 2.0;
            let options = ImpactOptions { band, ..ImpactOptions::default() };
            let smooth = time_of_impact(&block, &still(), &round, &fall, &options).unwrap();
            let fine = time_of_impact(&block, &still(), &mesh, &fall, &options).unwrap();
            assert!(smooth.lower <= fine.lower + 1e-9, "{tilt} {x}: {} {}", smooth.lower, fine.lower);
            assert!(fine.lower - smooth.lower <= error, "{tilt} {x}: {} {}", smooth.lower, fine.lower);
            // A contact of either is on what the contacts of the other span, to the error along and across
            // the surface.
            let near = 2.0 * radius * PI / SEGMENTS as f64 + (2.0 * radius * 4.0 * error).sqrt();
            for (some, others) in [(&smooth, &fine), (&fine, &smooth)] {
                for place in places(some) {
                    for k in 0..16 {
                        let way = Quat::from_rotation_z(f64::from(k) * PI / 8.0) * Vec3::X;
                        let reach =
                            places(others).iter().map(|p| p.dot(way)).fold(f64::NEG_INFINITY, f64::max);
                        // Three points of a rim stand for the whole of it.
                        let is_rim = |f: &Feature| matches!(f, Feature::Vertex(_));
                        let slack = if features(others, 1).iter().any(is_rim) { 0.5 * radius } else { 0.0 };
                        assert!(
                            place.dot(way) <= reach + near + slack,
                            "{tilt} {x}: {place} {way} {others:?}"
                        );
                    }
                }
            }
        }
    }
}

/// Contacts of the same places and times, whichever shape comes first.
fn mirrored(contact: &ShapeImpactContact) -> ShapeImpactContact {
    let mut contact = *contact;
    contact.points.reverse();
    contact.features.reverse();
    contact.parts.reverse();
    contact.normal = -contact.normal;
    contact
}

#[test]
fn contacts_of_every_pair_lie_on_both_shapes_in_either_order() {
    let prism = solid(&primitives::prism(5, 0.5, 0.7).unwrap());
    let shapes = [
        Shape::point(Vec3::new(0.1, 0.2, 0.0)).unwrap(),
        Shape::segment([Vec3::ZERO, Vec3::X]).unwrap(),
        Shape::triangle([Vec3::ZERO, Vec3::X, Vec3::Y]).unwrap(),
        Shape::polygon(&[Vec3::ZERO, Vec3::X, Vec3::new(1.0, 0.8, 0.0), Vec3::Y]).unwrap(),
        Shape::sphere(0.5).unwrap(),
        cuboid(0.4, 0.7, 1.0),
        Shape::cylinder(0.4, 0.8).unwrap(),
        Shape::cone(0.5, 0.9).unwrap(),
        Shape::capsule(0.2, 0.8).unwrap(),
        ground(),
        Shape::convex(&prism).unwrap(),
        Shape::solid(solid(&primitives::torus(0.6, 0.2, 9, 5).unwrap())),
        Shape::soup(primitives::cuboid(Vec3::new(0.9, 0.6, 0.7)).unwrap()),
        Shape::compound([
            (at(0.4, 0.0, 0.0), Shape::sphere(0.3).unwrap()),
            (at(0.0, 0.4, 0.0), cuboid(0.5, 0.5, 0.2)),
        ])
        .unwrap(),
    ];
    let mut random = Random::new(5);
    let mut met = 0;
    for (i, a) in shapes.iter().enumerate() {
        for b in &shapes[i..] {
            if matches!((a, b), (Shape::HalfSpace(_), Shape::HalfSpace(_))) {
                continue;
            }
            let start = |from: Vec3, random: &mut Random| {
                Pose::new(from + random.vector(0.2), random.rotation()).unwrap()
            };
            // Whatever the half-space looks at, the other comes from there.
            let motion_a = Motion::still(if matches!(a, Shape::HalfSpace(_)) {
                Pose::IDENTITY
            } else {
                start(Vec3::ZERO, &mut random)
            });
            let motion_b = if matches!(b, Shape::HalfSpace(_)) {
                Motion::rigid(at(0.0, 0.0, -2.0), at(0.0, 0.0, 2.0))
            } else {
                let from = start(Vec3::Z * 2.5, &mut random);
                Motion::turning(from, Vec3::Z * -5.0, random.vector(2.0), random.vector(0.3)).unwrap()
            };
            let options = ImpactOptions { band: 0.01, ..ImpactOptions::default() };
            let impact = time_of_impact(a, &motion_a, b, &motion_b, &options).unwrap();
            let label = format!("{:?} {:?}", a.kind(), b.kind());
            let Some(first) = impact.contacts.first() else {
                assert_eq!(impact.outcome, ShapeOutcome::Free, "{label}");
                continue;
            };
            met += 1;
            assert!((first.lower - impact.lower).abs() < 1e-12, "{label} {impact:?}");
            for contact in &impact.contacts {
                assert!(
                    contact.gap.abs() < 1e-9 && contact.lower <= impact.upper.unwrap() + 0.01 + 1e-9,
                    "{label} {contact:?}"
                );
                assert!((contact.normal.length() - 1.0).abs() < 1e-12, "{label} {contact:?}");
                for (shape, motion, point) in
                    [(a, &motion_a, contact.points[0]), (b, &motion_b, contact.points[1])]
                {
                    let here = Shape::point(Vec3::ZERO).unwrap();
                    let place = Pose::from_translation(point).unwrap();
                    let off = distance(shape, &motion.pose_at(contact.lower).unwrap(), &here, &place).upper;
                    assert!(off < 1e-9, "{label} {off} {contact:?}");
                }
            }
            // Two meshes that turn have the direction between points that all but meet.
            let is_mesh = |shape: &Shape| matches!(shape, Shape::Solid(_) | Shape::Soup(_));
            let known = if is_mesh(a) && is_mesh(b) { 1e-2 } else { 1e-5 };
            let swapped = time_of_impact(b, &motion_b, a, &motion_a, &options).unwrap();
            assert_eq!(swapped.contacts.len(), impact.contacts.len(), "{label} {impact:?} {swapped:?}");
            for contact in &swapped.contacts {
                let same = mirrored(contact);
                let other =
                    impact.contacts.iter().find(|c| c.features == same.features && c.parts == same.parts);
                let other = other.unwrap_or_else(|| panic!("{label}: {same:?} is not in {impact:?}"));
                assert!(
                    (other.lower - same.lower).abs() < 1e-9 && other.normal.distance(same.normal) < known,
                    "{label} {other:?} {same:?}"
                );
            }
        }
    }
    assert!(met > 60, "{met}");
}

#[test]
fn the_normal_of_the_first_contact_parts_convex_shapes() {
    let prism = solid(&primitives::prism(5, 0.5, 0.7).unwrap());
    let shapes = [
        Shape::sphere(0.5).unwrap(),
        cuboid(0.4, 0.7, 1.0),
        Shape::cylinder(0.4, 0.8).unwrap(),
        Shape::cone(0.5, 0.9).unwrap(),
        Shape::capsule(0.2, 0.8).unwrap(),
        Shape::convex(&prism).unwrap(),
    ];
    let mut random = Random::new(17);
    for (i, a) in shapes.iter().enumerate() {
        for b in &shapes[i..] {
            let poses = [Vec3::ZERO, Vec3::Z * 2.5]
                .map(|p| Pose::new(p + random.vector(0.2), random.rotation()).unwrap());
            let motion = Motion::turning(poses[1], Vec3::Z * -5.0, random.vector(2.0), Vec3::ZERO).unwrap();
            let impact =
                time_of_impact(a, &Motion::still(poses[0]), b, &motion, &ImpactOptions::default()).unwrap();
            let first = impact.contacts[0];
            let height = |shape: &Shape, pose: &Pose, way: Vec3| {
                way.dot(pose.transform_point(shape.support(pose.rotation().conjugate() * way).unwrap()))
            };
            let then = motion.pose_at(first.lower).unwrap();
            let overlap = height(a, &poses[0], first.normal) + height(b, &then, -first.normal);
            assert!(overlap < 1e-6, "{:?} {:?}: {overlap} {first:?}", a.kind(), b.kind());
        }
    }
}

#[test]
fn shapes_that_overlap_at_the_start_are_said_to_with_their_depth() {
    let (ball, cube) = (Shape::sphere(0.5).unwrap(), cuboid(2.0, 2.0, 2.0));
    let options = ImpactOptions { depth: true, ..ImpactOptions::default() };
    let ask = |a: &Shape, b: &Shape, place: Pose| {
        let away = Motion::rigid(place, at(0.0, 0.0, 9.0));
        time_of_impact(a, &still(), b, &away, &options).unwrap()
    };
    for (a, b, height, depth) in [
        (&ground(), &ball, 0.3, 0.2),
        (&cube, &ball, 1.3, 0.2),
        (&ball, &ball, 0.7, 0.3),
        (&cube, &cube, 1.9, 0.1),
        (&ground(), &Shape::capsule(0.25, 1.0).unwrap(), 0.5, 0.25),
        (&cube, &Shape::cylinder(0.5, 1.0).unwrap(), 1.25, 0.25),
        // Inside it, away from its faces.
        (&cube, &ball, 0.2, 1.3),
    ] {
        let impact = ask(a, b, at(0.0, 0.0, height));
        assert_eq!((impact.outcome, impact.lower, impact.upper), (ShapeOutcome::AtStart, 0.0, Some(0.0)));
        let Some(Overlap::Deep(deep)) = impact.overlap else { panic!("{impact:?}") };
        assert!((deep.depth - depth).abs() < 1e-9 && deep.direction.distance(Vec3::Z) < 1e-6, "{deep:?}");
        assert!(impact.is_complete);
        // Unless it is inside, away from the faces, the features that overlap are said too.
        let is_inside = matches!(a, Shape::Box(_)) && height < 0.5;
        assert_eq!(impact.contacts.is_empty(), is_inside, "{impact:?}");
    }
    // The depth of the contact itself, where a feature alone is deep.
    let impact = ask(&ground(), &ball, at(0.0, 0.0, 0.3));
    assert!((impact.contacts[0].gap + 0.2).abs() < 1e-12 && impact.contacts[0].normal == Vec3::Z);
    // Without being asked, nothing is looked for.
    let unasked = time_of_impact(&cube, &still(), &ball, &still(), &ImpactOptions::default()).unwrap();
    assert_eq!((unasked.outcome, unasked.overlap), (ShapeOutcome::AtStart, None));
}

#[test]
fn shapes_that_are_only_near_or_cannot_be_parted_at_the_start_are_said_to() {
    let ball = Shape::sphere(0.5).unwrap();
    let options = ImpactOptions { depth: true, separation: 0.2, ..ImpactOptions::default() };
    let place = Motion::still(at(0.0, 0.0, 0.6));
    let impact = time_of_impact(&ground(), &still(), &ball, &place, &options).unwrap();
    assert_eq!((impact.outcome, impact.overlap), (ShapeOutcome::AtStart, Some(Overlap::Apart)));
    assert!((impact.contacts[0].gap - 0.1).abs() < 1e-12);
    let aside = Shape::half_space(Plane { normal: Vec3::X, offset: 0.0 }).unwrap();
    let impact = time_of_impact(&ground(), &still(), &aside, &still(), &options).unwrap();
    assert_eq!((impact.outcome, impact.overlap), (ShapeOutcome::AtStart, Some(Overlap::Inseparable)));
    // No depth is looked for once the time is spent.
    let late = ImpactOptions { deadline: Some(Duration::ZERO), ..options };
    let impact = time_of_impact(&ground(), &still(), &ball, &place, &late).unwrap();
    assert_eq!((impact.overlap, impact.is_complete, impact.outcome), (None, false, ShapeOutcome::Spent));
}

#[test]
fn a_budget_that_ends_within_the_band_keeps_the_bracket_and_says_so() {
    let (floor, cube) = (cuboid(4.0, 4.0, 1.0), cuboid(1.0, 1.0, 1.0));
    let fall = Motion::rigid(
        posed(0.0, 0.0, 3.0, Quat::from_rotation_x(0.1)),
        posed(0.0, 0.0, -1.0, Quat::from_rotation_x(0.3)),
    );
    let ask = |max_visits| {
        let options = ImpactOptions { band: 0.2, max_visits, ..ImpactOptions::default() };
        time_of_impact(&floor, &still(), &cube, &fall, &options).unwrap()
    };
    let whole = ask(None);
    assert!(whole.is_complete && whole.contacts.len() >= 4);
    let mut cut = 0;
    for most in 0..whole.visits {
        let part = ask(Some(most));
        assert!(!part.is_complete && part.lower <= whole.lower && part.visits <= most, "{most} {part:?}");
        if part.outcome == ShapeOutcome::Impact {
            cut += 1;
            assert!(part.lower == whole.lower && !part.contacts.is_empty(), "{most} {part:?}");
        }
    }
    assert!(cut > 3);
    assert_eq!(ask(Some(whole.visits)), whole);
}
