//! The deepest points, the closest faces, the stepwise search, and what is refused.

#![allow(clippy::unwrap_used)]

mod common;

use common::{pose, solid};
use proptest::prelude::*;
use silvia_proximity::bounds::Obb;
use silvia_proximity::mesh::{
    AlongError, ClosestFaces, Penetration, PenetrationError, PenetrationMethod, PenetrationOptions,
    deepest_points, penetration, point_distance, separation_along,
};
use silvia_proximity::{ConvexDepthError, Expansion, Feature, Hierarchy, convex_depth};
use silvia_solid::{Pose, Quat, Solid, Soup, Vec3, primitives};

type Body = Hierarchy<Obb>;

fn body(soup: &Soup) -> Body {
    Hierarchy::new(Solid::from_soup(soup).unwrap())
}

fn bracket() -> Soup {
    let l = [[0., 0.], [2., 0.], [2., 0.6], [0.6, 0.6], [0.6, 2.], [0., 2.]];
    primitives::extrusion(&l, &[], 0.5).unwrap()
}

fn deep(a: &Body, b: &Body, at: &Pose, options: &PenetrationOptions) -> Option<Penetration> {
    penetration(a, &Pose::IDENTITY, b, at, options).unwrap()
}

fn by(method: PenetrationMethod) -> PenetrationOptions {
    PenetrationOptions { method, ..PenetrationOptions::default() }
}

/// The corner of a cube in the middle of a face, and paper 5's figure 23, where moving to the closest face
/// does not help.
#[test]
fn the_closest_face_answers_where_it_applies_and_leaves_the_rest_to_others() {
    let block = body(&primitives::cuboid(Vec3::new(4.0, 4.0, 2.0)).unwrap());
    let cube = body(&primitives::cuboid(Vec3::ONE).unwrap());
    let tip = Quat::from_rotation_arc(Vec3::ONE.normalize(), -Vec3::Z);
    let at = Pose::new(Vec3::new(0.3, 0.2, 1.0 + 0.75f64.sqrt() - 0.1), tip).unwrap();
    let found = deep(&block, &cube, &at, &by(PenetrationMethod::ClosestFace)).unwrap();
    assert_eq!(found.method, PenetrationMethod::ClosestFace);
    assert!((found.depth - 0.1).abs() < 1e-9 && found.direction.dot(Vec3::Z) > 0.999, "{found:?}");
    // The same the other way round: now the vertex is A's.
    let swapped = penetration(&cube, &at, &block, &Pose::IDENTITY, &by(PenetrationMethod::ClosestFace));
    let swapped = swapped.unwrap().unwrap();
    assert!((swapped.depth - 0.1).abs() < 1e-9 && swapped.direction.dot(Vec3::Z) < -0.999, "{swapped:?}");
    // Two blocks crossed: no vertex of one in the other.
    let bar = body(&primitives::cuboid(Vec3::new(6.0, 1.0, 1.0)).unwrap());
    let found = deep(&block, &bar, &Pose::IDENTITY, &by(PenetrationMethod::ClosestFace)).unwrap();
    assert_eq!(found.method, PenetrationMethod::Convex);
}

#[test]
fn the_closest_face_of_any_point_inside_is_found() {
    let solid = Solid::from_soup(&primitives::sphere(1.0, 3).unwrap()).unwrap();
    let regions = ClosestFaces::new(&solid).unwrap();
    let mut inside = 0;
    for i in 0..20_000u32 {
        let turn = |ratio: f64| 2.0 * (f64::from(i) * ratio).fract() - 1.0;
        let p = Vec3::new(turn(0.819_172_513), turn(0.671_043_607), turn(0.549_700_478));
        let truth = solid.faces().map(|f| -solid.plane(f).distance(p)).fold(f64::INFINITY, f64::min);
        match regions.closest(p) {
            Some((face, depth)) => {
                assert!(
                    (depth - truth).abs() < 1e-12 && (depth + solid.plane(face).distance(p)).abs() < 1e-12
                );
                inside += 1;
            }
            None => assert!(truth <= 1e-12, "{p} {truth}"),
        }
    }
    assert!(inside > 5000);
}

#[test]
fn the_deepest_points_are_the_vertices_inside_and_the_middles_of_edges_through() {
    let block = body(&primitives::cuboid(Vec3::new(4.0, 4.0, 2.0)).unwrap());
    let cube = body(&primitives::cuboid(Vec3::ONE).unwrap());
    let tip = Quat::from_rotation_arc(Vec3::ONE.normalize(), -Vec3::Z);
    let at = Pose::new(Vec3::new(0.3, 0.2, 1.0 + 0.75f64.sqrt() - 0.1), tip).unwrap();
    let found = deepest_points(&block, &Pose::IDENTITY, &cube, &at);
    assert_eq!(found.len(), 1);
    let first = found[0];
    assert!(first.of == 1 && matches!(first.feature, Feature::Vertex(_)));
    assert!((first.depth - 0.1).abs() < 1e-12 && first.normal.distance(Vec3::Z) < 1e-9);
    assert!(first.surface.distance(first.point + 0.1 * Vec3::Z) < 1e-12);

    // Two bars crossed, the upper one resting 0.1 deep: no vertex inside, but edges.
    let bar = body(&primitives::cuboid(Vec3::new(6.0, 1.0, 1.0)).unwrap());
    let across = Pose::new(Vec3::new(0.0, 0.0, 0.9), Quat::from_rotation_z(0.5)).unwrap();
    let found = deepest_points(&bar, &Pose::IDENTITY, &bar, &across);
    assert_eq!(found.len(), 4, "{found:?}");
    for deep in found {
        assert!(matches!(deep.feature, Feature::Edge(_)));
        assert!((deep.depth - 0.1).abs() < 1e-9 && deep.normal.distance(Vec3::Z) < 1e-9, "{deep:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn deep_points_are_as_deep_as_the_signed_distance_says(a in solid(), b in solid(), at in pose(0.8)) {
        let (ha, hb): (Body, Body) = (Hierarchy::new(a), Hierarchy::new(b.clone()));
        let found = deepest_points(&ha, &Pose::IDENTITY, &hb, &at);
        for d in &found {
            let (body, pose) = if d.of == 1 { (&ha, Pose::IDENTITY) } else { (&hb, at) };
            let signed = point_distance(body, &pose, d.point).unwrap().distance;
            prop_assert!((signed + d.depth).abs() < 1e-9);
            let sign = if d.of == 1 { 1.0 } else { -1.0 };
            prop_assert!((d.point + sign * d.depth * d.normal).distance(d.surface) < 1e-9);
        }
        let vertices = found.iter().filter(|d| d.of == 1 && matches!(d.feature, Feature::Vertex(_))).count();
        let inside = |&p: &Vec3| point_distance(&ha, &at.inverse(), p).unwrap().distance < 0.0;
        prop_assert_eq!(vertices, b.soup().points().iter().filter(|p| inside(p)).count());
        prop_assert!(found.windows(2).all(|w| w[0].depth >= w[1].depth));
    }
}

/// With the least growth and the most, and with a body a millionth of the other's size.
#[test]
fn steps_that_grow_slowly_or_quickly_end() {
    let cube = body(&primitives::cuboid(Vec3::ONE).unwrap());
    let grain = body(&primitives::cuboid(Vec3::splat(1e-6)).unwrap());
    let grown = |growth| PenetrationOptions { growth, ..by(PenetrationMethod::Stepwise) };
    let (slow, quick) = (*PenetrationOptions::GROWTH.start(), *PenetrationOptions::GROWTH.end());
    let at = Pose::from_translation(Vec3::new(0.4, 0.1, 0.0)).unwrap();
    let found = deep(&cube, &cube, &at, &grown(slow)).unwrap();
    assert!(found.certified && (found.depth - 0.6).abs() < 1e-3, "{found:?}");
    for (a, b) in [(&cube, &cube), (&cube, &grain), (&grain, &cube)] {
        let found = deep(a, b, &at, &grown(quick)).unwrap();
        assert!(found.certified && found.depth < 4.0, "{found:?}");
    }
}

#[test]
fn what_makes_no_sense_is_refused_in_words() {
    let l = body(&bracket());
    let cube = body(&primitives::cuboid(Vec3::ONE).unwrap());
    let here = Pose::IDENTITY;
    let ask = |a: &Body, b: &Body, options: PenetrationOptions| {
        penetration(a, &here, b, &here, &options).unwrap_err()
    };
    assert_eq!(ask(&cube, &l, by(PenetrationMethod::Convex)), PenetrationError::NotConvex { body: 1 });
    assert_eq!(ask(&l, &l, by(PenetrationMethod::ClosestFace)), PenetrationError::NotConvex { body: 0 });
    for given in [0.0, -0.1, f64::INFINITY, f64::NAN, 1e-17, 1e-9, 0.9e-3, 10.1, 1e308] {
        let options = PenetrationOptions { growth: given, ..PenetrationOptions::default() };
        let error = ask(&cube, &cube, options);
        assert!(matches!(error, PenetrationError::Growth { given: g } if g.to_bits() == given.to_bits()));
        assert!(error.to_string().contains("between 0.001 and 10"), "{error}");
    }
    let many = PenetrationOptions::MAX_DIRECTIONS + 1;
    let options = PenetrationOptions { directions: many, ..PenetrationOptions::default() };
    assert_eq!(ask(&cube, &cube, options), PenetrationError::Directions { given: many });
    let corners = cube.surface().soup().points();
    for bad in [f64::NAN, f64::INFINITY] {
        let mut others = corners.to_vec();
        others[3].y = bad;
        let refused = convex_depth(corners, &others);
        assert!(matches!(refused, Err(ConvexDepthError::NotFinite { body: 1, index: 3, .. })), "{refused:?}");
    }
    assert_eq!(convex_depth(&[], corners), Ok(Expansion::Flat));
    let options = PenetrationOptions { hint: Some(Vec3::ZERO), ..PenetrationOptions::default() };
    assert_eq!(ask(&cube, &cube, options), PenetrationError::Hint { given: Vec3::ZERO });
    let options = PenetrationOptions { hint: Some(Vec3::NAN), ..PenetrationOptions::default() };
    assert!(matches!(ask(&cube, &cube, options), PenetrationError::Hint { .. }));
    let along = |d: Vec3| separation_along(&cube, &here, &cube, &here, d).unwrap_err();
    assert_eq!(along(Vec3::ZERO), AlongError::NoDirection);
    assert!(matches!(along(Vec3::new(f64::NAN, 0.0, 1.0)), AlongError::NotFinite(_)));
}
