//! Cavities: closed forms, and the shortest way in by brute force.

use crate::common::random::random_pose;
use seeded::Random;
use silvia_proximity::shape::{Shape, collide, contacts, distance, point_distance};
use silvia_proximity::{
    ContactBody, ContactOptions, Feature, Overlap, Ray, ShapeContactCache, ShapeError, ShapePenetration,
    cast_ray, penetration, shape_contact_at, shape_contacts,
};
use silvia_solid::{Plane, Pose, Quat, Solid, Vec3, primitives};

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

fn bowl() -> Shape {
    Shape::cavity(1.0).unwrap()
}

fn deep(shape: &Shape, pose: &Pose) -> ShapePenetration {
    let found = penetration(&bowl(), &Pose::IDENTITY, shape, pose);
    let found = found.penetration().unwrap_or_else(|| panic!("{found:?}: {shape:?}"));
    assert!(found.certified, "{found:?}: {shape:?}");
    found
}

#[test]
fn distances_are_what_is_left_of_the_radius() {
    let here = Pose::IDENTITY;
    let gap = |shape: &Shape, pose: &Pose| distance(&bowl(), &here, shape, pose);
    let near = |x: f64, y: f64| assert!((x - y).abs() < 2e-16 * 4.0, "{x} for {y}");
    let ball = Shape::sphere(0.1).unwrap();
    let found = gap(&ball, &at(0.0, 0.3, -0.4));
    near(found.upper, 0.4);
    assert!(found.points[0].distance(Vec3::new(0.0, 0.6, -0.8)) < 1e-15);
    assert!(found.points[1].distance(Vec3::new(0.0, 0.36, -0.48)) < 1e-15);
    assert_eq!(found.features, [Some(Feature::Patch(0)); 2]);
    // Three corners of a box are equally far; so are all points of a rim around the axis.
    near(gap(&Shape::cuboid(Vec3::new(0.6, 0.4, 0.2)).unwrap(), &here).upper, 1.0 - 0.14f64.sqrt());
    let can = gap(&Shape::cylinder(0.3, 0.4).unwrap(), &at(0.0, 0.0, -0.2));
    near(can.upper, 0.5);
    assert_eq!(can.features[1], Some(Feature::Edge(0)));
    let tip = gap(&Shape::cone(0.1, 0.8).unwrap(), &at(0.0, 0.0, 0.2));
    near(tip.upper, 0.4);
    assert_eq!(tip.features[1], Some(Feature::Vertex(0)));
    near(gap(&Shape::capsule(0.1, 0.6).unwrap(), &at(0.4, 0.0, 0.0)).upper, 0.4);
    // An ellipsoid next to its hard case: from the middle of its long axis, and off it along a short one. The
    // farthest point of (a cos, b sin) from (0, -c) has sin = c b / (a² - b²).
    let egg = Shape::ellipsoid(Vec3::new(0.5, 0.3, 0.2)).unwrap();
    near(gap(&egg, &here).upper, 0.5);
    let sine: f64 = 0.1 * 0.3 / 0.16;
    let most = (0.25 * (1.0 - sine * sine) + (0.3 * sine + 0.1) * (0.3 * sine + 0.1)).sqrt();
    near(gap(&egg, &at(0.0, 0.1, 0.0)).upper, 1.0 - most);
    near(gap(&egg, &at(0.0, 0.6, 0.0)).upper, 0.1);
    assert!(collide(&bowl(), &here, &ball, &at(0.0, 0.0, -0.95)));
    assert!(!collide(&bowl(), &here, &ball, &at(0.0, 0.0, -0.9 + 1e-14)));
}

#[test]
fn what_is_unbounded_as_well_always_touches_and_is_never_taken_apart() {
    let half = Shape::half_space(Plane { normal: Vec3::Z, offset: -50.0 }).unwrap();
    for other in [half, bowl(), Shape::compound([(at(9.0, 0.0, 0.0), bowl())]).unwrap()] {
        assert!(collide(&bowl(), &Pose::IDENTITY, &other, &at(3.0, 0.0, 0.0)));
        let found = penetration(&bowl(), &Pose::IDENTITY, &other, &at(3.0, 0.0, 0.0));
        assert_eq!(found, Overlap::Inseparable);
        assert!(contacts(&bowl(), &Pose::IDENTITY, &other, &Pose::IDENTITY, 1.0).unwrap().is_empty());
    }
}

#[test]
fn the_way_in_is_the_shortest_however_many_points_hold_it() {
    // One point.
    let found = deep(&Shape::sphere(0.25).unwrap(), &at(0.0, 3.0, -4.0));
    assert!((found.depth - 4.25).abs() < 1e-13 && found.lower <= found.depth);
    assert!(found.direction.distance(Vec3::new(0.0, -0.6, 0.8)) < 1e-15);
    // Two: a segment across the way. Four, of which three hold it: a box.
    let segment = Shape::segment([Vec3::new(0.0, 0.6, 0.0), Vec3::new(0.0, -0.6, 0.0)]).unwrap();
    assert!((deep(&segment, &at(1.5, 0.0, 0.0)).depth - 0.7).abs() < 1e-13);
    let cube = Shape::cuboid(Vec3::new(0.4, 0.6, 0.8)).unwrap();
    let depth = 2.0 + 0.2 - (1.0f64 - 0.09 - 0.16).sqrt();
    for (shape, place) in [
        (cube.clone(), at(2.0, 0.0, 0.0)),
        (Shape::compound([(Pose::IDENTITY, cube)]).unwrap(), at(2.0, 0.0, 0.0)),
    ] {
        let found = deep(&shape, &place);
        assert!((found.depth - depth).abs() < 1e-13, "{found:?}");
        assert!(found.direction.distance(-Vec3::X) < 1e-12 && found.lower > depth - 1e-13);
    }
    // A whole rim.
    let can = Shape::cylinder(0.6, 0.2).unwrap();
    let found = deep(&can, &at(0.0, 0.0, -1.5));
    assert!((found.depth - 0.8).abs() < 1e-13 && found.lower > 0.8 - 1e-12, "{found:?}");
    // An ellipsoid end on.
    let egg = Shape::ellipsoid(Vec3::new(0.2, 0.3, 0.4)).unwrap();
    let found = deep(&egg, &at(0.0, 0.0, -1.5));
    assert!((found.depth - 0.9).abs() < 1e-13 && found.lower > 0.9 - 1e-12, "{found:?}");
}

#[test]
fn what_is_larger_than_the_cavity_does_not_get_in() {
    for shape in [
        Shape::sphere(1.0 + 1e-12).unwrap(),
        Shape::segment([-1.001 * Vec3::X, 1.001 * Vec3::X]).unwrap(),
        Shape::cuboid(Vec3::new(1.2, 1.2, 1.2)).unwrap(),
        Shape::cylinder(0.9, 0.9).unwrap(),
        Shape::ellipsoid(Vec3::new(0.2, 1.1, 0.2)).unwrap(),
        Shape::compound([(at(-0.95, 0.0, 0.0), Shape::sphere(0.1).unwrap()), (at(0.95, 0.0, 0.0), bowl())])
            .unwrap(),
    ] {
        for pose in [Pose::IDENTITY, at(0.3, 0.2, 0.1), at(4.0, 0.0, 0.0)] {
            let found = penetration(&bowl(), &Pose::IDENTITY, &shape, &pose);
            assert_eq!(found, Overlap::Inseparable, "{shape:?}");
        }
    }
}

#[test]
fn no_sampled_direction_leads_in_on_a_shorter_way() {
    let mut random = Random::new(23);
    let cube = primitives::cuboid(Vec3::new(0.5, 0.9, 0.7)).unwrap();
    let points = |shape: &Shape, pose: &Pose| -> Vec<Vec3> {
        let all: Vec<Vec3> = if let Shape::Solid(mesh) = shape {
            mesh.hierarchy().surface().soup().points().to_vec()
        } else {
            // All around, finely.
            let direction = |k: i32| {
                let (z, turn) = (1.0 - 2.0 * (f64::from(k) + 0.5) / 6000.0, 2.399_963 * f64::from(k));
                let aside = (1.0 - z * z).sqrt();
                Vec3::new(aside * turn.cos(), aside * turn.sin(), z)
            };
            (0..6000).map(|k| shape.support(direction(k)).unwrap()).collect()
        };
        all.into_iter().map(|p| pose.transform_point(p)).collect()
    };
    for shape in [
        Shape::solid(Solid::from_soup(&cube).unwrap()),
        Shape::cylinder(0.5, 0.8).unwrap(),
        Shape::cone(0.6, 0.9).unwrap(),
        Shape::capsule(0.3, 0.7).unwrap(),
        Shape::ellipsoid(Vec3::new(0.8, 0.5, 0.3)).unwrap(),
    ] {
        for _ in 0..20 {
            let pose = random_pose(&mut random, 0.8);
            if !collide(&bowl(), &Pose::IDENTITY, &shape, &pose) {
                continue;
            }
            let (found, points) = (deep(&shape, &pose), points(&shape, &pose));
            assert!(found.depth - found.lower < 1e-9, "{found:?}: {shape:?}");
            // Between the points the surface is no more than half a millimetre farther out.
            let is_in = |by: Vec3| points.iter().all(|&p| (p + by).length() <= 1.0 - 6e-4);
            for k in 0..400 {
                let about = if k % 2 == 0 { found.direction } else { Vec3::ZERO };
                let direction = (about + 0.3 * random.direction()).normalize();
                let by = (found.depth - 1e-3).max(0.0) * direction;
                assert!(!is_in(by), "{direction} is shorter than {found:?} for {shape:?} at {pose:?}");
            }
        }
    }
}

#[test]
fn a_compound_with_a_cavity_is_left_like_its_parts() {
    // A bowl with a peg in its middle: the ball is in the peg, and must not go into the wall.
    let peg = Shape::compound([(Pose::IDENTITY, bowl()), (Pose::IDENTITY, Shape::sphere(0.3).unwrap())]);
    let (peg, ball) = (peg.unwrap(), Shape::sphere(0.2).unwrap());
    let found = penetration(&peg, &Pose::IDENTITY, &ball, &at(0.1, 0.0, 0.0)).penetration().unwrap();
    assert!(found.certified && (found.depth - 0.4).abs() < 1e-9, "{found:?}");
    let found = penetration(&peg, &Pose::IDENTITY, &ball, &at(1.0, 0.0, 0.0)).penetration().unwrap();
    assert!(found.certified && (found.depth - 0.2).abs() < 1e-9, "{found:?}");
    // There is no room between the wall and the peg.
    let large = Shape::sphere(0.36).unwrap();
    let found = penetration(&peg, &Pose::IDENTITY, &large, &at(0.6, 0.0, 0.0));
    assert_eq!(found, Overlap::Inseparable);
}

#[test]
fn contacts_are_at_the_points_farthest_from_the_centre_with_normals_to_it() {
    let place = Pose::new(Vec3::new(3.0, -2.0, 1.0), Quat::from_rotation_x(0.4)).unwrap();
    let find = |shape: &Shape, pose: &Pose| {
        contacts(&bowl(), &place, shape, &Pose::IDENTITY.moved(place.translation()).compose(pose), 0.01)
            .unwrap()
    };
    for gap in [1e-3, 1e-9, -1e-9] {
        let out = Vec3::new(2.0, -1.0, -2.0) / 3.0;
        let ball = find(&Shape::sphere(0.25).unwrap(), &Pose::IDENTITY.moved((0.75 - gap) * out));
        assert_eq!(ball.len(), 1);
        let state = ball[0].state;
        assert!((state.gap - gap).abs() < 1e-15 && state.normal.distance(-out) < 1e-15, "{state:?}");
        assert!(state.holds && state.points[0].distance(place.translation() + out) < 1e-14, "{state:?}");
    }
    // A can stands on its rim: three fixed points, and the farthest. One lies on the ends of both rims.
    let can = Shape::cylinder(0.6, 0.2).unwrap();
    assert_eq!(find(&can, &at(0.0, 0.0, -0.699)).len(), 4);
    let lying = Pose::new(Vec3::new(0.0, 0.0, -0.499), Quat::from_rotation_y(std::f64::consts::FRAC_PI_2));
    let found = find(&Shape::cylinder(0.3, 1.2).unwrap(), &lying.unwrap());
    assert!(found.iter().filter(|c| matches!(c.name.key.features[1], Feature::Edge(_))).count() == 2);
    // A box on four corners, a capsule on both ends.
    let cube = find(&Shape::cuboid(Vec3::new(0.4, 0.6, 0.2)).unwrap(), &at(0.0, 0.0, 0.1 - 0.87f64.sqrt()));
    assert_eq!(cube.len(), 4, "{cube:?}");
    assert!(cube.iter().all(|c| c.state.holds && c.state.gap.abs() < 1e-14));
    let lying = Pose::new(Vec3::new(0.0, 0.0, -0.399), Quat::from_rotation_y(std::f64::consts::FRAC_PI_2));
    assert_eq!(find(&Shape::capsule(0.5, 0.6).unwrap(), &lying.unwrap()).len(), 2);
}

#[test]
fn a_gap_changes_as_its_normal_and_points_say() {
    let mut random = Random::new(31);
    let options = ContactOptions { reach: 2.0, turn: 0.01 };
    let cavity = ContactBody::new(&bowl());
    let mut looked = 0;
    for shape in [
        Shape::point(Vec3::new(0.1, 0.2, 0.0)).unwrap(),
        Shape::segment([Vec3::new(-0.3, 0.1, 0.0), Vec3::new(0.2, 0.1, 0.1)]).unwrap(),
        Shape::sphere(0.2).unwrap(),
        Shape::cuboid(Vec3::new(0.2, 0.3, 0.4)).unwrap(),
        Shape::cylinder(0.2, 0.3).unwrap(),
        Shape::cone(0.2, 0.4).unwrap(),
        Shape::capsule(0.1, 0.3).unwrap(),
        Shape::ellipsoid(Vec3::new(0.1, 0.3, 0.2)).unwrap(),
        Shape::soup(primitives::torus(0.2, 0.1, 8, 6).unwrap()),
    ] {
        let body = ContactBody::new(&shape);
        for _ in 0..10 {
            let poses = [random_pose(&mut random, 0.3), random_pose(&mut random, 0.3)];
            let twists = [random.vector(1.0), random.vector(1.0), random.vector(1.0), random.vector(1.0)];
            let moved = |t: f64| {
                [0, 1].map(|i| {
                    let turn = Quat::from_scaled_axis(t * twists[2 + i]) * poses[i].rotation();
                    Pose::new(poses[i].translation() + t * twists[i], turn.normalize()).unwrap()
                })
            };
            let mut cache = ShapeContactCache::new();
            let found = shape_contacts(&cavity, &poses[0], &body, &poses[1], &options, &mut cache).unwrap();
            assert!(!found.is_empty(), "{shape:?}");
            for contact in found {
                let gap = |t: f64| {
                    let [p, q] = moved(t);
                    shape_contact_at(&cavity, &p, &body, &q, &contact.name).gap
                };
                let velocity = |i: usize| {
                    twists[i] + twists[2 + i].cross(contact.state.points[i] - poses[i].translation())
                };
                let told = contact.state.normal.dot(velocity(1) - velocity(0));
                let step = 1e-6;
                let seen = (gap(step) - gap(-step)) / (2.0 * step);
                assert!((told - seen).abs() < 1e-7, "{shape:?} {:?}: {told} {seen}", contact.name);
                looked += 1;
            }
        }
    }
    assert!(looked > 300, "{looked}");
}

#[test]
fn rays_and_points_are_on_both_sides_of_the_surface() {
    let ray = |x: f64, direction: Vec3| Ray { origin: Vec3::new(x, 0.6, 0.0), direction, reach: 100.0 };
    let meet = |ray: &Ray| cast_ray(&bowl(), &Pose::IDENTITY, ray).unwrap();
    let hit = meet(&ray(0.1, Vec3::X)).unwrap();
    assert!((hit.parameter - 0.7).abs() < 1e-15 && hit.normal.distance(-Vec3::new(0.8, 0.6, 0.0)) < 1e-15);
    // In the material, to where the hollow begins; and away from it.
    assert!((meet(&ray(-3.0, Vec3::X)).unwrap().parameter - 2.2).abs() < 1e-15);
    assert!(meet(&ray(3.0, Vec3::X)).is_none() && meet(&ray(-3.0, Vec3::Y)).is_none());
    let signed = |p: Vec3| point_distance(&bowl(), &Pose::IDENTITY, p).unwrap();
    assert!((signed(Vec3::new(0.3, 0.0, 0.4)).distance - 0.5).abs() < 1e-15);
    let buried = signed(Vec3::new(3.0, 0.0, 4.0));
    assert!(
        (buried.distance + 4.0).abs() < 1e-15 && buried.nearest.distance(Vec3::new(0.6, 0.0, 0.8)) < 1e-15
    );
}

#[test]
fn a_cavity_needs_a_radius() {
    assert!(matches!(Shape::cavity(0.0), Err(ShapeError::NotALength { kind: "cavity", .. })));
    let error = Shape::cavity(-1.0).unwrap_err().to_string();
    assert!(error.contains("the radius of the cavity is -1"), "{error}");
}
