//! Contacts of shapes of all kinds, round ones above all.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use proptest::prelude::*;
use silvia_proximity::shape::{Shape, distance};
use silvia_proximity::{
    ContactBody, ContactOptions, Feature, ShapeContact, ShapeContactCache, shape_contact_at, shape_contacts,
};
use silvia_solid::parts::l_bracket;
use silvia_solid::primitives::{cuboid, prism};
use silvia_solid::{Plane, Pose, Quat, Solid, Vec3};

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

fn find(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, reach: f64) -> Vec<ShapeContact> {
    let options = ContactOptions { reach, turn: 0.01 };
    let (a, b) = (ContactBody::new(a), ContactBody::new(b));
    shape_contacts(&a, pose_a, &b, pose_b, &options, &mut ShapeContactCache::new()).unwrap()
}

fn holding(found: &[ShapeContact]) -> Vec<&ShapeContact> {
    found.iter().filter(|contact| contact.state.holds).collect()
}

fn ground() -> Shape {
    Shape::half_space(Plane::through(Vec3::ZERO, Vec3::Z)).unwrap()
}

#[test]
fn balls_a_hair_apart_are_in_contact_along_the_line_between_their_middles() {
    let ball = Shape::sphere(0.03).unwrap();
    let capsule = Shape::capsule(0.03, 0.2).unwrap();
    for step in 0..24 {
        let angle = 0.1 + 0.26 * f64::from(step);
        let normal = Vec3::new(angle.cos(), angle.sin(), 0.0);
        // From shells as worlds keep them to a little overlap.
        for gap in [6e-11, 6e-13, 0.0, -6e-11] {
            let (from, to) =
                (at(0.1, 0.2, 0.3), Pose::from_translation(Vec3::new(0.1, 0.2, 0.3) + (0.06 + gap) * normal));
            for a in [&ball, &capsule] {
                let found = find(a, &from, &ball, &to.unwrap(), 1e-8);
                let whole = found.iter().find(|c| c.name.key.features == [Feature::Patch(0); 2]).unwrap();
                assert!(whole.state.normal.distance(normal) < 1e-14, "{whole:?}");
                assert!((whole.state.gap - gap).abs() < 1e-15, "{whole:?}");
                assert!(
                    whole.state.points[0].distance(from.translation() + 0.03 * normal) < 1e-15,
                    "{whole:?}"
                );
            }
        }
    }
}

/// One of each kind that has contacts, of about the same size.
fn kinds() -> Vec<Shape> {
    let bracket = Solid::from_soup(&l_bracket(1.2, 1.0, 0.3, 0.6).unwrap()).unwrap();
    let nut = Solid::from_soup(&prism(7, 0.5, 0.7).unwrap()).unwrap();
    vec![
        Shape::point(Vec3::new(0.1, 0.2, 0.0)).unwrap(),
        Shape::segment([Vec3::new(-0.5, 0.0, 0.1), Vec3::new(0.6, 0.2, 0.0)]).unwrap(),
        Shape::triangle([Vec3::ZERO, Vec3::X, Vec3::Y]).unwrap(),
        Shape::polygon(&[Vec3::ZERO, Vec3::X, Vec3::new(1.0, 0.8, 0.0), Vec3::Y]).unwrap(),
        Shape::sphere(0.4).unwrap(),
        Shape::cuboid(Vec3::new(0.6, 0.8, 1.0)).unwrap(),
        Shape::cylinder(0.4, 0.9).unwrap(),
        Shape::cone(0.5, 1.0).unwrap(),
        Shape::capsule(0.2, 0.8).unwrap(),
        Shape::ellipsoid(Vec3::new(0.3, 0.5, 0.4)).unwrap(),
        Shape::convex(&nut).unwrap(),
        Shape::solid(bracket),
    ]
}

#[test]
fn a_ball_rolls_over_a_floor_of_many_triangles_on_one_contact() {
    let slab = Solid::from_soup(&cuboid(Vec3::new(4.0, 4.0, 1.0)).unwrap()).unwrap();
    let (floor, ball) = (Shape::solid(slab), Shape::sphere(0.3).unwrap());
    for step in 0..40 {
        let x = -1.5 + 0.07 * f64::from(step);
        let found = find(&floor, &Pose::IDENTITY, &ball, &at(x, 0.9 * x, 0.801), 0.01);
        let held = holding(&found);
        assert_eq!(held.len(), 1, "step {step}: {held:?}");
        assert!((held[0].state.gap - 1e-3).abs() < 1e-14 && held[0].state.normal == Vec3::Z);
        assert_eq!(held[0].name.key.features[1], Feature::Patch(0));
    }
}

#[test]
fn a_ball_goes_round_an_edge_and_a_corner_with_its_normal() {
    let (block, ball) = (Shape::cuboid(Vec3::splat(2.0)).unwrap(), Shape::sphere(0.5).unwrap());
    for direction in [Vec3::new(1.0, 1.0, 0.0), Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.3, 1.0, 0.0)] {
        let corner = Vec3::new(1.0, 1.0, if direction.z > 0.0 { 1.0 } else { 0.2 });
        let normal = direction.normalize();
        let place = corner + normal * 0.51;
        let found = find(&block, &Pose::IDENTITY, &ball, &at(place.x, place.y, place.z), 0.05);
        let held = holding(&found);
        assert_eq!(held.len(), 1, "{held:?}");
        assert!((held[0].state.gap - 0.01).abs() < 1e-12, "{held:?}");
        assert!(held[0].state.normal.distance(normal) < 1e-12, "{held:?}");
    }
}

#[test]
fn a_can_stands_on_its_rim_and_lies_on_two_points() {
    let can = Shape::cylinder(0.5, 2.0).unwrap();
    let found = find(&ground(), &Pose::IDENTITY, &can, &at(0.0, 0.0, 1.001), 0.01);
    let held = holding(&found);
    // Three fixed points and the lowest one, around the axis.
    assert_eq!(held.len(), 4, "{held:?}");
    assert!(held.iter().all(|c| (c.state.gap - 1e-3).abs() < 1e-14 && c.state.normal == Vec3::Z));
    for k in 0..12 {
        let way = Quat::from_rotation_z(f64::from(k) * 0.5) * Vec3::X;
        assert!(held.iter().any(|c| c.state.points[1].dot(way) > 0.2), "it could tip over to {way}");
    }
    let lying =
        Pose::new(Vec3::new(0.0, 0.0, 0.501), Quat::from_rotation_x(std::f64::consts::FRAC_PI_2)).unwrap();
    let found = find(&ground(), &Pose::IDENTITY, &can, &lying, 0.01);
    let rims = holding(&found).iter().filter(|c| matches!(c.name.key.features[1], Feature::Edge(_))).count();
    assert_eq!(rims, 2);
}

/// The contacts of a can with a cube of edge 2 around the origin that hold, by where they are.
fn on_cube(can: &Shape, pose: &Pose) -> Vec<Vec3> {
    let cube = Shape::cuboid(Vec3::splat(2.0)).unwrap();
    let found = find(&cube, &Pose::IDENTITY, can, pose, 1e-6);
    let mut places: Vec<Vec3> = holding(&found).iter().map(|c| c.state.points[0]).collect();
    places.sort_by(|a, b| a.y.total_cmp(&b.y));
    places
}

#[test]
fn a_can_along_an_edge_is_held_at_both_of_its_ends() {
    let can = Shape::cylinder(0.5, 1.0).unwrap();
    let along_y = Quat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    // Beside an upper edge, at 45 degrees.
    let out = (0.5 + 1e-9) * std::f64::consts::FRAC_1_SQRT_2;
    let places = on_cube(&can, &Pose::new(Vec3::new(1.0 + out, 0.25, 1.0 + out), along_y).unwrap());
    let (first, last) = (places[0], places[places.len() - 1]);
    assert!(first.distance(Vec3::new(1.0, -0.25, 1.0)) < 1e-8, "{places:?}");
    assert!(last.distance(Vec3::new(1.0, 0.75, 1.0)) < 1e-8, "{places:?}");
}

#[test]
fn a_can_that_stands_across_an_edge_is_held_where_the_edge_leaves_its_end() {
    for shape in [Shape::cylinder(0.5, 1.0).unwrap(), Shape::cone(0.5, 1.0).unwrap()] {
        let places = on_cube(&shape, &at(1.3, 0.25, 1.5 + 1e-9));
        // A chord of a circle of radius 0.5, 0.3 from its middle.
        for y in [0.25 - 0.4, 0.25 + 0.4] {
            let there = Vec3::new(1.0, y, 1.0);
            assert!(places.iter().any(|p| p.distance(there) < 1e-8), "{there} is not in {places:?}");
        }
    }
}

#[test]
fn a_can_on_a_can_is_held_all_around() {
    let can = Shape::cylinder(0.5, 1.0).unwrap();
    let found = find(&can, &Pose::IDENTITY, &can, &at(0.1, 0.0, 1.001), 0.01);
    let held = holding(&found);
    assert!(held.iter().all(|c| c.state.normal.z > 0.99 && (c.state.gap - 1e-3).abs() < 1e-12), "{held:?}");
    for k in 0..12 {
        let way = Quat::from_rotation_z(f64::from(k) * 0.5) * Vec3::X;
        assert!(
            held.iter().any(|c| (c.state.points[1] - Vec3::new(0.05, 0.0, 0.0)).dot(way) > 0.15),
            "{way}"
        );
    }
    // Side by side: the line in which they touch is held at its ends.
    let found = find(&can, &Pose::IDENTITY, &can, &at(1.001, 0.0, 0.2), 0.01);
    let heights: Vec<f64> = holding(&found).iter().map(|c| c.state.points[0].z).collect();
    assert!(heights.iter().any(|&z| z > 0.45) && heights.iter().any(|&z| z < -0.25), "{heights:?}");
}

#[test]
fn a_box_on_the_ground_rests_on_its_corners_and_parts_are_named() {
    let cube = Shape::cuboid(Vec3::ONE).unwrap();
    let pair = Shape::compound([(at(-1.0, 0.0, 0.0), cube.clone()), (at(1.0, 0.0, 0.0), cube)]).unwrap();
    let found = find(&ground(), &Pose::IDENTITY, &pair, &at(0.0, 0.0, 0.502), 0.01);
    let held = holding(&found);
    assert_eq!(held.len(), 8);
    assert_eq!(held.iter().filter(|c| c.name.parts == [0, 1]).count(), 4);
    assert!(held.iter().all(|c| (c.state.gap - 2e-3).abs() < 1e-14));
}

#[test]
fn shapes_that_lie_flat_are_held_however_they_are_turned() {
    let scenes: [(Shape, Shape, Pose, usize); 4] = [
        (ground(), Shape::cuboid(Vec3::ONE).unwrap(), at(0.1, 0.2, 0.501), 4),
        (ground(), Shape::cylinder(0.5, 1.0).unwrap(), at(0.1, 0.2, 0.501), 4),
        (
            Shape::cuboid(Vec3::new(0.5, 2.0, 1.0)).unwrap(),
            Shape::capsule(0.1, 2.0).unwrap(),
            Pose::new(Vec3::new(0.0, 0.0, 0.601), Quat::from_rotation_y(std::f64::consts::FRAC_PI_2))
                .unwrap(),
            2,
        ),
        (
            Shape::cuboid(Vec3::new(0.4, 0.4, 1.0)).unwrap(),
            Shape::cylinder(0.5, 1.0).unwrap(),
            at(0.0, 0.0, 1.001),
            4,
        ),
    ];
    for (index, (a, b, on_top, least)) in scenes.iter().enumerate() {
        for k in 0..60 {
            let k = f64::from(k);
            let turn =
                Quat::from_scaled_axis(Vec3::new(3.0 * (7.0 * k).sin(), 2.0 * (3.0 * k).cos(), k.sin()));
            let frame = Pose::new(Vec3::new(k.sin(), 0.1 * k, 1.0), turn.normalize()).unwrap();
            let found = find(a, &frame, b, &frame.compose(on_top), 0.01);
            let held = holding(&found);
            assert!(held.len() >= *least, "scene {index}, frame {k}: {found:?}");
        }
    }
}

#[test]
fn a_ball_over_the_middle_of_a_split_edge_is_held() {
    // The roof's ridge is cut in two by a vertex at x = 0.
    let half = |x: f64| [Vec3::new(x, -1.0, -1.0), Vec3::new(x, 1.0, -1.0), Vec3::new(x, 0.0, 0.0)];
    let points: Vec<Vec3> = [-2.0, 0.0, 2.0].into_iter().flat_map(half).collect();
    let mut triangles = vec![[0, 2, 1], [6, 7, 8]];
    for (i, j) in [(0, 1), (1, 2), (2, 0)] {
        for k in [0, 3] {
            triangles.extend([[k + i, k + j, k + j + 3], [k + i, k + j + 3, k + i + 3]]);
        }
    }
    let roof = Shape::solid(Solid::from_soup(&silvia_solid::Soup::new(points, triangles).unwrap()).unwrap());
    let ball = Shape::sphere(0.1).unwrap();
    for x in [0.0, 0.01] {
        let found = find(&roof, &Pose::IDENTITY, &ball, &at(x, 0.0, 0.11), 0.05);
        let held = holding(&found);
        assert!(
            !held.is_empty() && held.iter().all(|c| (c.state.gap - 0.01).abs() < 1e-12),
            "{x}: {found:?}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_least_gap_that_holds_is_the_distance_for_all_kinds(
        direction in prop::array::uniform3(-1.0..1.0), turn in prop::array::uniform3(-3.0..3.0),
        gap in 0.001..0.05,
    ) {
        let Some(way) = Vec3::from(direction).try_normalize() else { return Ok(()) };
        let turn = Quat::from_scaled_axis(Vec3::from(turn)).normalize();
        for (i, a) in kinds().iter().enumerate() {
            for (j, b) in kinds().iter().enumerate() {
                let far = Pose::new(4.0 * way, turn).unwrap();
                let apart = distance(a, &Pose::IDENTITY, b, &far);
                let near = (apart.points[0] - apart.points[1]) * (1.0 - gap / apart.upper);
                let pose = far.moved(near);
                let nearest = distance(a, &Pose::IDENTITY, b, &pose);
                let expected = nearest.upper;
                // Of two flat-faced shapes a vertex nearest to an edge or a vertex is held by no pair yet.
                let is_flat = |shape: &Shape| {
                    matches!(
                        shape,
                        Shape::Triangle(_)
                            | Shape::Polygon(_)
                            | Shape::Box(_)
                            | Shape::Convex(_)
                            | Shape::Solid(_)
                    )
                };
                let decides = matches!(
                    nearest.features.map(|f| f.unwrap()),
                    [Feature::Vertex(_), Feature::Face(_)]
                        | [Feature::Face(_), Feature::Vertex(_)]
                        | [Feature::Edge(_), Feature::Edge(_)]
                );
                if is_flat(a) && is_flat(b) && !decides {
                    continue;
                }
                let found = find(a, &Pose::IDENTITY, b, &pose, 0.1);
                let held = holding(&found);
                let least = held.iter().map(|c| c.state.gap).fold(f64::INFINITY, f64::min);
                prop_assert!(
                    (least - expected).abs() < 1e-9,
                    "kinds {i} and {j}: {least}, not {expected}: {found:?}"
                );
            }
        }
    }

    #[test]
    fn exchanging_shapes_mirrors_their_contacts(
        turn in prop::array::uniform3(-3.0..3.0), place in prop::array::uniform3(-1.2..1.2),
    ) {
        let turn = Quat::from_scaled_axis(Vec3::from(turn)).normalize();
        let pose = Pose::new(Vec3::from(place), turn).unwrap();
        for a in &kinds() {
            for b in &kinds() {
                let one = find(a, &Pose::IDENTITY, b, &pose, 0.05);
                let mut other: Vec<ShapeContact> = find(b, &pose, a, &Pose::IDENTITY, 0.05);
                for contact in &mut other {
                    contact.name.key.features.reverse();
                    contact.state.points.reverse();
                    contact.state.normal = -contact.state.normal;
                }
                other.sort_by_key(|contact| contact.name);
                prop_assert_eq!(one, other);
            }
        }
    }

    #[test]
    fn gaps_of_shapes_change_as_their_points_move(
        turn in prop::array::uniform3(-3.0..3.0), omega in prop::array::uniform3(-1.0..1.0),
        speed in prop::array::uniform3(-1.0..1.0),
    ) {
        let turn = Quat::from_scaled_axis(Vec3::from(turn)).normalize();
        let (omega, speed) = (Vec3::from(omega), Vec3::from(speed));
        for a in &kinds() {
            for b in kinds().iter().chain([&ground()]) {
                let far = Pose::new(Vec3::new(0.1, 0.2, 3.0), turn).unwrap();
                let apart = distance(a, &Pose::IDENTITY, b, &far);
                let pose = if apart.upper > 0.0 {
                    far.moved((apart.points[0] - apart.points[1]) * (1.0 - 0.01 / apart.upper))
                } else {
                    at(0.0, 0.0, -1.3)
                };
                let (body_a, body_b) = (ContactBody::new(a), ContactBody::new(b));
                // Where a point passes from a cap to its rim, the gap bends at once, by 1/gap at most:
                // differences are then off by a quarter of the step times that, 2.5e-6.
                const STEP: f64 = 1e-7;
                for contact in holding(&find(a, &Pose::IDENTITY, b, &pose, 0.05)) {
                    let state = |time: f64| {
                        let turned = Quat::from_scaled_axis(omega * time);
                        let place = turned * pose.translation() + speed * time;
                        let moved = Pose::new(place, (turned * pose.rotation()).normalize()).unwrap();
                        shape_contact_at(&body_a, &Pose::IDENTITY, &body_b, &moved, &contact.name)
                    };
                    let (before, after) = (state(-STEP), state(STEP));
                    let found = (after.gap - before.gap) / (2.0 * STEP);
                    let velocity = speed + omega.cross(contact.state.points[1]);
                    let expected = contact.state.normal.dot(velocity);
                    if before.normal.distance(after.normal) < 1e-3 {
                        prop_assert!((found - expected).abs() < 1e-5, "{contact:?}: {found}, not {expected}");
                    }
                }
            }
        }
    }
}
