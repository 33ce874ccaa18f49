//! Random shapes and motions, judged by the checker and by the queries of `silvia-proximity`, which it does
//! not use.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use common::{depth_of, knot, motion, two};
use proptest::prelude::*;
use silvia_proximity::mesh::{Moving, Outcome, time_of_impact};
use silvia_proximity::shape::{self, Overlap};
use silvia_proximity::{ImpactOptions, Motion, Shape, ShapeKind};
use silvia_solid::{Mat3, Plane, Pose, Quat, Solid, Vec3, parts, primitives, symmetric_eigen};

/// Nearer to touching than this the two may differ, m: sizes are about 1.
const TOUCHING: f64 = 1e-8;

/// How often a way is looked at.
const SAMPLES: u32 = 200;

/// A smooth shape at a time between 0 and 1, while the ends of its axis go straight and its radius stays.
fn on_the_way(shape: &Shape, from: &Pose, to: &Pose, time: f64) -> (Shape, Pose) {
    let straight = |a: Vec3, b: Vec3| (1.0 - time) * a + time * b;
    let axis = straight(from.rotation() * Vec3::Z, to.rotation() * Vec3::Z);
    let turn = Quat::from_rotation_arc(Vec3::Z, axis.normalize());
    let pose = Pose::new(straight(from.translation(), to.translation()), turn).unwrap();
    let shorter = axis.length();
    let bent = match shape {
        // All of its points go straight, so that it is sheared: to another ellipsoid.
        Shape::Ellipsoid(s) => {
            let [from, to] = [from, to].map(|pose| pose.matrix());
            let matrix = (from * (1.0 - time) + to * time) * Mat3::from_diagonal(s.semi_axes());
            let (squares, axes) = symmetric_eigen(matrix * matrix.transpose());
            let semi_axes = Vec3::from(squares.to_array().map(f64::sqrt));
            let turn = Quat::from_mat3(&axes).normalize();
            return (Shape::ellipsoid(semi_axes).unwrap(), Pose::new(pose.translation(), turn).unwrap());
        }
        Shape::Cylinder(s) => Shape::cylinder(s.radius(), shorter * s.height()),
        Shape::Cone(s) => Shape::cone(s.radius(), shorter * s.height()),
        Shape::Capsule(s) => Shape::capsule(s.radius(), shorter * s.height()),
        // Of the others, those that are smooth are balls.
        Shape::Point(_)
        | Shape::Segment(_)
        | Shape::Triangle(_)
        | Shape::Polygon(_)
        | Shape::Sphere(_)
        | Shape::Box(_)
        | Shape::HalfSpace(_)
        | Shape::Cavity(_)
        | Shape::Convex(_)
        | Shape::Solid(_)
        | Shape::Soup(_)
        | Shape::Compound(_) => Ok(shape.clone()),
    };
    (bent.unwrap(), pose)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 64,
        max_global_rejects: 100_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn shapes_overlap_where_the_queries_say_so_and_no_deeper(
        i in 0..16_usize, j in 0..16_usize, pose in poses(1.2),
    ) {
        let (a, b) = (&shapes()[i], &shapes()[j]);
        let (kinds, depth) = ((a.kind(), b.kind()), depth_of(a, b, &pose));
        let distance = shape::distance(a, &Pose::IDENTITY, b, &pose).upper;
        match shape::penetration(a, &Pose::IDENTITY, b, &pose) {
            Overlap::Apart => prop_assert!(
                depth == 0.0 || distance < TOUCHING,
                "{kinds:?} {depth} at {distance}"
            ),
            Overlap::Inseparable => {}
            Overlap::Deep(found) => {
                if found.depth > TOUCHING {
                    prop_assert!(depth > 0.0, "{kinds:?} {found:?}");
                }
                // Between two sheets depth is another thing than a translation.
                if !(is_thin(a) && is_thin(b)) {
                    prop_assert!(depth <= found.depth + TOUCHING, "{kinds:?} {depth} {found:?}");
                }
            }
        }
    }

    #[test]
    fn meshes_on_straight_ways_cross_where_the_exact_search_says_so(
        i in 0..4_usize, j in 0..4_usize, from in poses(2.0), to in poses(2.0),
    ) {
        let (a, b) = (&meshes()[i], &meshes()[j]);
        prop_assume!(
            !shape::collide(a, &Pose::IDENTITY, b, &from) && !shape::collide(a, &Pose::IDENTITY, b, &to)
        );
        let found = motion(a, b, &from, &to);
        let (Shape::Solid(mesh_a), Shape::Solid(mesh_b)) = (a, b) else { return Ok(()) };
        let ways = [
            Moving::new(mesh_a.hierarchy(), &Motion::linear(Pose::IDENTITY, Pose::IDENTITY)),
            Moving::new(mesh_b.hierarchy(), &Motion::linear(from, to)),
        ];
        let expected = time_of_impact(&ways[0], &ways[1], &ImpactOptions::default()).unwrap();
        let crosses = matches!(expected.outcome, Outcome::Impact);
        prop_assert!(found.undecided.is_empty());
        prop_assert_eq!(!found.crossings.is_empty(), crosses);
        prop_assert_eq!(found.depth(), 0.0);
    }

    #[test]
    fn smooth_shapes_cross_where_they_overlap_on_their_straight_way(
        i in 0..5_usize, j in 0..16_usize, from in poses(1.5), to in poses(1.5),
    ) {
        let (a, b) = (&shapes()[j], &smooth()[i]);
        let start = shape::distance(a, &Pose::IDENTITY, b, &from).upper;
        let end = shape::distance(a, &Pose::IDENTITY, b, &to).upper;
        prop_assume!(start > TOUCHING && end > TOUCHING);
        let found = motion(a, b, &from, &to);
        prop_assert!(found.undecided.is_empty(), "{:?} {:?} {found:?}", a.kind(), b.kind());
        let overlaps_at = |time: f64| {
            let (bent, pose) = on_the_way(b, &from, &to, time);
            shape::collide(a, &Pose::IDENTITY, &bent, &pose)
        };
        let mut times = (0..=SAMPLES).map(|k| f64::from(k) / f64::from(SAMPLES));
        let sampled = times.find(|&time| overlaps_at(time));
        match found.crossings.first() {
            // Thin ones pass through each other at one moment.
            Some(crossing) => prop_assert!(
                is_thin(a) || overlaps_at(crossing.at), "{:?} {:?} {crossing:?}", a.kind(), b.kind()
            ),
            None => prop_assert_eq!(sampled, None, "{:?} {:?}", a.kind(), b.kind()),
        }
    }

    #[test]
    fn moving_everything_alike_leaves_the_verdict(
        i in 0..16_usize, j in 0..16_usize, from in poses(1.0), to in poses(1.0), all in poses(3.0),
    ) {
        let (a, b) = (&shapes()[i], &shapes()[j]);
        let mut checkers = [two(a, b), two(a, b)];
        for (time, pose) in [(0.0, from), (1.0, to)] {
            checkers[0].state(time, &[Pose::IDENTITY, pose]).unwrap();
            checkers[1].state(time, &[all, all.compose(&pose)]).unwrap();
        }
        let [here, there] = checkers.map(|checker| checker.verdict());
        prop_assert!(
            (here.depth() - there.depth()).abs() <= 1e-6 * here.depth() + 1e-12,
            "{here:?} {there:?}"
        );
        prop_assert_eq!(here.crossings.len(), there.crossings.len(), "{:?} {:?}", a.kind(), b.kind());
        prop_assert_eq!(here.undecided.len(), there.undecided.len(), "{:?} {:?}", a.kind(), b.kind());
    }
}

#[test]
fn there_is_a_shape_of_every_kind() {
    let mut kinds: Vec<ShapeKind> = shapes().iter().map(Shape::kind).collect();
    kinds.sort();
    assert_eq!(kinds, ShapeKind::ALL);
}

fn is_thin(shape: &Shape) -> bool {
    matches!(
        shape.kind(),
        ShapeKind::Point | ShapeKind::Segment | ShapeKind::Triangle | ShapeKind::Polygon | ShapeKind::Soup
    )
}

/// One of each kind, about as large as 1.
fn shapes() -> Vec<Shape> {
    let solid = |soup| Solid::from_soup(&soup).unwrap();
    let corners = [(0.6, 0.1), (0.2, 0.7), (-0.5, 0.4), (-0.4, -0.5)].map(|(x, y)| Vec3::new(x, y, 0.1));
    let ball = Shape::sphere(0.3).unwrap();
    let block = Shape::cuboid(Vec3::new(0.5, 0.3, 0.4)).unwrap();
    let place = |x: f64| Pose::from_translation(Vec3::new(x, 0.1, 0.0)).unwrap();
    let mut shapes = vec![
        Shape::point(Vec3::new(0.1, 0.0, 0.2)).unwrap(),
        Shape::segment([Vec3::new(-0.5, 0.1, 0.0), Vec3::new(0.4, 0.2, 0.3)]).unwrap(),
        Shape::triangle([Vec3::new(-0.5, 0.1, 0.0), Vec3::new(0.4, 0.2, 0.3), Vec3::new(0.0, -0.6, 0.1)])
            .unwrap(),
        Shape::polygon(&corners).unwrap(),
        Shape::half_space(Plane { normal: Vec3::new(0.0, 0.6, 0.8), offset: -0.7 }).unwrap(),
        Shape::cavity(2.2).unwrap(),
        Shape::convex(&solid(primitives::prism(5, 0.5, 0.7).unwrap())).unwrap(),
        Shape::solid(solid(parts::l_bracket(1.0, 0.8, 0.2, 0.5).unwrap())),
        Shape::soup(primitives::torus(0.5, 0.2, 12, 8).unwrap()),
        Shape::compound([(place(-0.4), ball), (place(0.4), block)]).unwrap(),
    ];
    shapes.extend(smooth());
    shapes
}

/// What has curved surfaces, and a box.
fn smooth() -> Vec<Shape> {
    vec![
        Shape::sphere(0.4).unwrap(),
        Shape::capsule(0.2, 0.7).unwrap(),
        Shape::cylinder(0.4, 0.6).unwrap(),
        Shape::cone(0.4, 0.8).unwrap(),
        Shape::ellipsoid(Vec3::new(0.3, 0.5, 0.4)).unwrap(),
        Shape::cuboid(Vec3::new(0.6, 0.8, 0.5)).unwrap(),
    ]
}

fn meshes() -> Vec<Shape> {
    let soups = [
        primitives::cuboid(Vec3::new(0.8, 1.0, 0.6)).unwrap(),
        parts::l_bracket(1.0, 0.8, 0.2, 0.5).unwrap(),
        primitives::torus(0.7, 0.2, 16, 8).unwrap(),
        knot().posed(&Pose::IDENTITY),
    ];
    soups.iter().map(|soup| Shape::solid(Solid::from_soup(soup).unwrap())).collect()
}

/// Within a distance of the origin along each axis.
fn poses(reach: f64) -> impl Strategy<Value = Pose> {
    let turn = prop::array::uniform4(-1.0..1.0_f64);
    (prop::array::uniform3(-reach..reach), turn).prop_map(|(at, [x, y, z, w])| {
        let rotation = Quat::from_xyzw(x, y, z, w);
        let rotation = if rotation.length() > 0.1 { rotation.normalize() } else { Quat::IDENTITY };
        Pose::new(Vec3::from_array(at), rotation).unwrap()
    })
}
