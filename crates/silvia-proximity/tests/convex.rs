//! Closest features of convex solids, against brute force over triangles and against closed forms.

#![allow(clippy::unwrap_used)]

mod common;

use common::{brute_distance, pose, vector};
use proptest::prelude::*;
use silvia_proximity::{
    Convex, ConvexError, Feature, FeatureCache, Pieces, PiecesCache, PiecesError, closest_features,
    closest_pieces,
};
use silvia_solid::{EdgeId, Pose, Quat, Solid, Vec3, VertexId, primitives};

/// How far an answer may be off, as a fraction of the extent.
const EXACT: f64 = 1e-12;

fn cuboid(size: [f64; 3]) -> Convex {
    Convex::new(&Solid::from_soup(&primitives::cuboid(size.into()).unwrap()).unwrap()).unwrap()
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

fn cold(a: &Convex, pose_a: &Pose, b: &Convex, pose_b: &Pose) -> silvia_proximity::ClosestFeatures {
    closest_features(a, pose_a, b, pose_b, &mut FeatureCache::default())
}

/// Hulls of random points, of lattice points, and prisms with many sides.
fn convex() -> impl Strategy<Value = Convex> {
    let lattice = prop::array::uniform3(-1i8..=1).prop_map(|p| Vec3::from(p.map(f64::from)));
    prop_oneof![
        prop::collection::vec(vector(1.0), 4..16).prop_filter_map("flat", |p| Convex::hull(&p).ok()),
        prop::collection::vec(lattice, 4..12).prop_filter_map("flat", |p| Convex::hull(&p).ok()),
        (3usize..30, 0.2..2.0f64).prop_map(|(n, h)| {
            Convex::new(&Solid::from_soup(&primitives::prism(n, 1.0, h).unwrap()).unwrap()).unwrap()
        }),
    ]
}

/// Whether a point is inside all planes of the triangles of a body, by at least some margin.
fn is_inside(body: &Convex, p: Vec3, margin: f64) -> bool {
    let soup = body.solid().soup();
    (0..soup.triangles().len()).all(|t| {
        let [a, b, c] = soup.corners(t);
        (b - a).cross(c - a).normalize_or_zero().dot(p - a) <= -margin
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Oracle: all pairs of triangles; where surfaces meet or one body holds a point of the other, the
    /// distance is 0.
    #[test]
    fn closest_features_are_as_far_apart_as_the_nearest_triangles(
        a in convex(), b in convex(), poses in prop::collection::vec((pose(1.5), pose(1.5)), 1..4),
    ) {
        let mut cache = FeatureCache::default();
        for (pose_a, pose_b) in poses {
            let (soup_a, soup_b) = (a.solid().soup().posed(&pose_a), b.solid().soup().posed(&pose_b));
            let extent = common::extent(&soup_a, &soup_b);
            let holds =
                |body: &Convex, pose: &Pose, p: Vec3| is_inside(body, pose.inverse().transform_point(p), 0.0);
            let nested = holds(&b, &pose_b, soup_a.points()[0]) || holds(&a, &pose_a, soup_b.points()[0]);
            let truth = if nested { 0.0 } else { brute_distance(&soup_a, &soup_b) };
            let answer = closest_features(&a, &pose_a, &b, &pose_b, &mut cache);
            prop_assert!((answer.distance - truth).abs() <= EXACT * extent, "{truth}: {answer:?}");
            prop_assert!(!answer.fallback);
            prop_assert!(!answer.penetrating || truth <= EXACT * extent);
            let apart = answer.points[0].distance(answer.points[1]);
            prop_assert!((apart - answer.distance).abs() <= EXACT * extent);
            let without = cold(&a, &pose_a, &b, &pose_b);
            prop_assert!((answer.distance - without.distance).abs() <= EXACT * extent, "whatever the cache");
        }
    }

    /// Oracle: the largest of all heights.
    #[test]
    fn the_support_is_the_furthest_vertex(body in convex(), direction in vector(1.0)) {
        let heights = body.solid().soup().points().iter().map(|p| p.dot(direction));
        let furthest = heights.fold(f64::NEG_INFINITY, f64::max);
        let (vertex, point) = body.support(direction);
        prop_assert_eq!(body.solid().point(vertex), point);
        prop_assert!((point.dot(direction) - furthest).abs() <= 1e-15);
        let from_elsewhere = body.support_from(direction, u32::MAX) as usize;
        prop_assert!((body.points()[from_elsewhere].dot(direction) - furthest).abs() <= 1e-15);
    }

    /// Oracle: every pair of pieces on its own.
    #[test]
    fn bodies_of_pieces_are_as_near_as_their_nearest_pieces(
        a in prop::collection::vec((convex(), vector(3.0)), 1..6),
        b in prop::collection::vec((convex(), vector(3.0)), 1..6),
        poses in prop::collection::vec((pose(3.0), pose(3.0)), 1..4),
    ) {
        let body = |parts: Vec<(Convex, Vec3)>| {
            let posed = |(c, t): &(Convex, Vec3)| c.posed(&Pose::from_translation(*t).unwrap()).unwrap();
            Pieces::new(parts.iter().map(posed).collect()).unwrap()
        };
        let (a, b) = (body(a), body(b));
        let mut cache = PiecesCache::default();
        for (pose_a, pose_b) in poses {
            let answer = closest_pieces(&a, &pose_a, &b, &pose_b, &mut cache);
            let all: Vec<_> = (a.pieces().iter())
                .flat_map(|p| b.pieces().iter().map(move |q| (p, q)))
                .map(|(p, q)| cold(p, &pose_a, q, &pose_b))
                .collect();
            let least = all.iter().map(|c| c.distance).fold(f64::INFINITY, f64::min);
            let is_least = |distance: f64| (distance - least).abs() <= EXACT * 10.0;
            prop_assert!(is_least(answer.closest.distance));
            prop_assert_eq!(answer.closest.penetrating, all.iter().any(|c| c.penetrating));
            prop_assert!(answer.pairs <= all.len() && answer.fallbacks == 0);
            let [i, j] = answer.pieces;
            prop_assert!(is_least(cold(&a.pieces()[i], &pose_a, &b.pieces()[j], &pose_b).distance));
        }
    }
}

#[test]
fn cubes_that_exactly_touch_have_distance_zero_and_do_not_penetrate() {
    let cube = cuboid([1.0; 3]);
    // By a face wholly and in part, by an edge, by a vertex.
    for touching in [
        [1., 0., 0.],
        [1., 0.5, 0.],
        [1., 0.5, 0.25],
        [1., 1., 0.],
        [1., 1., 0.5],
        [1., 1., 1.],
        [-1., 1., 0.],
    ] {
        let [x, y, z] = touching;
        let answer = cold(&cube, &Pose::IDENTITY, &cube, &at(x, y, z));
        assert_eq!((answer.distance, answer.penetrating), (0.0, false), "{touching:?}: {answer:?}");
        // A little nearer they penetrate, a little further they do not.
        let near = 1.0 - 1e-9;
        assert!(
            cold(&cube, &Pose::IDENTITY, &cube, &at(near * x, near * y, near * z)).penetrating,
            "{touching:?}"
        );
        let far = 1.0 + 1e-9;
        let apart = cold(&cube, &Pose::IDENTITY, &cube, &at(far * x, far * y, far * z));
        assert!(apart.distance > 0.9e-9 && !apart.penetrating, "{touching:?}");
    }
}

#[test]
fn edges_that_cross_in_one_point_of_overlapping_cubes_do_not_hide_the_overlap() {
    let cube = cuboid([1.0; 3]);
    for overlapping in [[0.5, 0.5, 0.], [0.5, 0., 0.], [0.5, 0.5, 0.5], [0., 0., 0.], [0.25, 0.75, 0.]] {
        let [x, y, z] = overlapping;
        let answer = cold(&cube, &Pose::IDENTITY, &cube, &at(x, y, z));
        assert_eq!((answer.distance, answer.penetrating), (0.0, true), "{overlapping:?}: {answer:?}");
    }
}

#[test]
fn a_body_inside_another_penetrates_it() {
    let (large, small) = (cuboid([4.0; 3]), cuboid([0.1, 0.2, 0.3]));
    for place in [at(0., 0., 0.), at(1.0, 0.5, -1.5), at(-1.9, 0., 0.)] {
        let answer = cold(&large, &Pose::IDENTITY, &small, &place);
        assert!(answer.penetrating && answer.distance == 0.0, "{answer:?}");
        assert!(is_inside(&large, answer.points[0], -1e-12));
        assert!(cold(&small, &place, &large, &Pose::IDENTITY).penetrating);
    }
}

#[test]
fn the_features_are_those_of_the_solid() {
    let cube = cuboid([2.0; 3]);
    let solid = cube.solid();
    // A corner over a face: a cube standing on its corner.
    let diagonal = Quat::from_rotation_arc(Vec3::ONE.normalize(), Vec3::NEG_Z);
    let standing = Pose::new(Vec3::new(0.3, 0.2, 1.0 + 3f64.sqrt() + 0.5), diagonal).unwrap();
    let answer = cold(&cube, &Pose::IDENTITY, &cube, &standing);
    let [Feature::Face(face), Feature::Vertex(vertex)] = answer.features else { panic!("{answer:?}") };
    assert_eq!(solid.plane(silvia_solid::FaceId(face)).normal, Vec3::Z);
    assert_eq!(solid.point(VertexId(vertex)), Vec3::ONE);
    assert!((answer.distance - 0.5).abs() < 1e-15);
    // Two edges across each other.
    let tilted = Quat::from_rotation_y(std::f64::consts::FRAC_PI_4);
    let below = Pose::new(Vec3::ZERO, tilted).unwrap();
    let across = Quat::from_rotation_z(std::f64::consts::FRAC_PI_2) * tilted;
    let above = Pose::new(Vec3::new(0.0, 0.0, 2.0 * 2f64.sqrt() + 0.25), across).unwrap();
    let answer = cold(&cube, &below, &cube, &above);
    let [Feature::Edge(e), Feature::Edge(g)] = answer.features else { panic!("{answer:?}") };
    for (edge, pose) in [(e, below), (g, above)] {
        let [tail, head] = solid.edge(EdgeId(edge)).vertices.map(|v| pose.transform_point(solid.point(v)));
        assert!((tail.z - head.z).abs() < 1e-15, "a level edge");
    }
    assert!((answer.distance - 0.25).abs() < 1e-14);
}

#[test]
fn a_face_that_is_flat_only_within_the_tolerance_is_measured_exactly() {
    // The top's four corners are not in one plane, by less than the face tolerance.
    let bump = 4e-7;
    let mut points: Vec<Vec3> =
        (0..8).map(|i| Vec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2))).collect();
    points[7].z += bump;
    let body = Convex::hull(&points).unwrap();
    assert_eq!(body.solid().face_count(), 6, "one face of the solid");
    assert!(body.face_count() > 6, "two of the hull");
    let ceiling = cuboid([4.0, 4.0, 1.0]);
    let answer = cold(&body, &Pose::IDENTITY, &ceiling, &at(0.5, 0.5, 2.0));
    assert!((answer.distance - (0.5 - bump)).abs() < 1e-15, "{answer:?}");
    assert!(matches!(answer.features[0], Feature::Vertex(v) if body.solid().point(VertexId(v)) == points[7]));
}

#[test]
fn a_cache_of_other_bodies_costs_time_only() {
    let (sphere, cube) = (primitives::sphere(1.0, 8).unwrap(), cuboid([1.0; 3]));
    let sphere = Convex::new(&Solid::from_soup(&sphere).unwrap()).unwrap();
    let mut cache = FeatureCache::default();
    closest_features(&sphere, &Pose::IDENTITY, &sphere, &at(-1., 2., 1.), &mut cache);
    let answer = closest_features(&cube, &Pose::IDENTITY, &cube, &at(3., 0., 0.), &mut cache);
    assert_eq!(answer.distance, 2.0);
    let mut cache = PiecesCache::default();
    let (many, one) = (Pieces::new(vec![cube.clone(); 9]).unwrap(), Pieces::new(vec![cube]).unwrap());
    closest_pieces(&many, &Pose::IDENTITY, &many, &at(3., 0., 0.), &mut cache);
    assert_eq!(
        closest_pieces(&one, &Pose::IDENTITY, &one, &at(3., 0., 0.), &mut cache).closest.distance,
        2.0
    );
}

#[test]
fn tracking_looks_at_few_features_however_many_there_are() {
    let sphere = Solid::from_soup(&primitives::sphere(1.0, 16).unwrap()).unwrap();
    let sphere = Convex::new(&sphere).unwrap();
    assert_eq!(sphere.points().len(), 2562);
    let mut cache = FeatureCache::default();
    let mut looks = 0;
    for i in 0..1000 {
        let turn = Quat::from_axis_angle(Vec3::new(1.0, 2.0, 3.0).normalize(), 0.002 * f64::from(i));
        let pose = Pose::new(Vec3::new(2.3, 0.1, 0.2), turn).unwrap();
        looks += closest_features(&sphere, &Pose::IDENTITY, &sphere, &pose, &mut cache).steps;
    }
    assert!(looks < 2000, "{looks} for 1000 queries");
}

#[test]
fn a_solid_that_is_not_convex_is_refused_and_so_are_points_without_a_volume() {
    let bracket =
        primitives::extrusion(&[[0., 0.], [2., 0.], [2., 1.], [1., 1.], [1., 2.], [0., 2.]], &[], 1.0);
    let bracket = Solid::from_soup(&bracket.unwrap()).unwrap();
    assert_eq!(
        Convex::new(&bracket).unwrap_err(),
        ConvexError::NotConvex { concave: 1, components: 1, handles: 0 }
    );
    let flat = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::X + Vec3::Y];
    assert!(matches!(Convex::hull(&flat), Err(ConvexError::NoHull(_))));
    assert!(matches!(Convex::hull(&[Vec3::NAN; 4]), Err(ConvexError::NoHull(_))));
    let thin = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(0.3, 0.3, 1e-15)];
    assert!(matches!(Convex::hull(&thin), Err(ConvexError::NoSolid(_))));
    assert_eq!(Pieces::new(Vec::new()).unwrap_err(), PiecesError::Empty);
}

fn disc(sides: usize) -> Convex {
    let disc = primitives::cylinder(0.5, 0.01, sides).unwrap();
    Convex::new(&Solid::from_soup(&disc).unwrap()).unwrap()
}

fn turned([x, y, z]: [f64; 3]) -> Quat {
    Quat::from_rotation_x(x) * Quat::from_rotation_y(y) * Quat::from_rotation_z(z)
}

/// The most steps that a body needs against itself from nothing, at many poses.
fn most_steps(body: &Convex) -> u32 {
    let mut most = 0;
    for i in 0..300 {
        // Irrational multiples: nothing is parallel, and every way of lying comes up.
        let part = |k: f64| (f64::from(i) * k).fract();
        let turn = |k: f64| turned([6.0 * part(k), 6.0 * part(2.0 * k), 6.0 * part(3.0 * k)]);
        let place =
            3.0 * Vec3::new(part(2f64.sqrt()), part(3f64.sqrt()), part(5f64.sqrt())) - Vec3::splat(1.5);
        let (pose_a, pose_b) = (
            Pose::new(Vec3::ZERO, turn(7f64.sqrt())).unwrap(),
            Pose::new(place, turn(11f64.sqrt())).unwrap(),
        );
        let answer = cold(body, &pose_a, body, &pose_b);
        assert!(!answer.fallback, "{answer:?}");
        // The planes through the points, across the way between them, have the bodies on their two sides.
        if !answer.penetrating {
            let way = (answer.points[1] - answer.points[0]).normalize();
            let highest = |pose: &Pose, way: Vec3| {
                body.points()
                    .iter()
                    .map(|&p| pose.transform_point(p).dot(way))
                    .fold(f64::NEG_INFINITY, f64::max)
            };
            let gap = -highest(&pose_b, -way) - highest(&pose_a, way);
            assert!((gap - answer.distance).abs() < EXACT, "{gap} {answer:?}");
        } else {
            for pose in [&pose_a, &pose_b] {
                assert!(
                    is_inside(body, pose.inverse().transform_point(answer.points[0]), -EXACT),
                    "{answer:?}"
                );
            }
        }
        most = most.max(answer.steps);
    }
    most
}

#[test]
fn no_walk_goes_all_the_way_round_the_rim_of_a_disc() {
    let [some, many] = [100, 1000].map(|sides| most_steps(&disc(sides)));
    assert!(many < 100, "{many} of 1000 sides");
    assert!(many < 2 * some, "ten times the sides, but {some} steps become {many}");
}

fn cylinder(height: f64, sides: usize) -> Convex {
    Convex::new(&Solid::from_soup(&primitives::cylinder(0.5, height, sides).unwrap()).unwrap()).unwrap()
}

/// The cap of one disc is parallel to a strip of the side of the other: they are nearest there, and no vertex
/// of the cap is near. Oracle: the extents of all vertices along the way between the points.
#[test]
fn a_walk_between_the_cap_of_a_disc_and_the_side_of_another_does_not_go_round_the_cap() {
    let highest = |body: &Convex, pose: &Pose, way: Vec3| {
        let heights = body.points().iter().map(|&p| pose.transform_point(p).dot(way));
        heights.fold(f64::NEG_INFINITY, f64::max)
    };
    for (a, b, place) in [
        (cylinder(0.01, 143), cylinder(1.0, 321), Vec3::new(-2.5, 0.0, 0.0)),
        (cylinder(1.0, 370), cylinder(0.01, 90), Vec3::new(0.0, 0.0, -3.0)),
        (cylinder(1.0, 370), cylinder(1.0, 90), Vec3::new(0.0, 0.0, -3.0)),
    ] {
        let here = (&a, &Pose::IDENTITY);
        let there = (&b, &Pose::new(place, Quat::from_xyzw(0.5, 0.5, 0.5, 0.5)).unwrap());
        for [one, other] in [[here, there], [there, here]] {
            let answer = cold(one.0, one.1, other.0, other.1);
            let way = (answer.points[1] - answer.points[0]).normalize();
            let gap = -highest(other.0, other.1, -way) - highest(one.0, one.1, way);
            assert!((gap - answer.distance).abs() < EXACT, "{gap}: {answer:?}");
            assert!(!answer.fallback && answer.steps < 64, "{answer:?}");
        }
    }
}

#[test]
fn a_ball_and_a_disc_that_share_a_point_at_a_lattice_pose_are_told_so() {
    let ball = Convex::new(&Solid::from_soup(&primitives::sphere(1.0, 6).unwrap()).unwrap()).unwrap();
    let disc = cylinder(1.0, 227);
    assert_eq!((ball.points().len(), disc.points().len()), (362, 454));
    let pose_a = Pose::new(
        Vec3::new(2.138147308487885, 0.34709527986723643, -1.0757747199322223),
        Quat::from_xyzw(-0.39511054040842875, 0.5833277506879264, 0.3962540923994701, 0.5887266686605901),
    )
    .unwrap();
    let pose_b = Pose::new(
        Vec3::new(1.3947637246246094, 1.1817877017725822, -0.5751057593840563),
        Quat::from_xyzw(0.8287676278409974, 0.5595792982496673, 0.003817611509540408, -0.0008086133675047623),
    )
    .unwrap();
    let answer = cold(&ball, &pose_a, &disc, &pose_b);
    assert!(answer.penetrating && !answer.fallback && answer.steps < 64, "{answer:?}");
    for (body, pose) in [(&ball, &pose_a), (&disc, &pose_b)] {
        assert!(is_inside(body, pose.inverse().transform_point(answer.points[0]), -EXACT), "{answer:?}");
    }
}

#[test]
fn parallel_faces_in_a_turned_frame_do_not_send_a_walk_in_circles() {
    let cube = cuboid([2.0; 3]);
    for i in 0..2000u32 {
        let part = |k: f64| (f64::from(i) * k).fract();
        let turn = turned([6.0 * part(2f64.sqrt()), 6.0 * part(3f64.sqrt()), 6.0 * part(5f64.sqrt())]);
        let whole = Pose::new(Vec3::new(part(7f64.sqrt()), 1.0, -2.0), turn).unwrap();
        let place = Vec3::from([i % 13, i / 13 % 13, i / 169].map(|k| 0.5 * f64::from(k) - 3.0));
        let answer = cold(&cube, &whole, &cube, &whole.compose(&Pose::from_translation(place).unwrap()));
        let apart = (place.abs() - Vec3::splat(2.0)).max(Vec3::ZERO).length();
        assert!((answer.distance - apart).abs() < 10.0 * EXACT, "{place}: {answer:?}");
        assert!(answer.steps <= 16, "{place}: {answer:?}");
    }
}

#[test]
fn a_walk_for_the_support_may_start_within_a_face() {
    // The middle of the top is over the plane of its corners by rounding: a vertex of the hull, but at no
    // edge.
    let mut points: Vec<Vec3> =
        (0..8).map(|i| Vec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2))).collect();
    points.push(Vec3::new(0.5, 0.5, 1.0 + f64::EPSILON));
    let body = Convex::hull(&points).unwrap();
    let lonely = (0..body.points().len()).find(|&v| body.neighbours(v).len() == 0).unwrap();
    let far = body.support_from(Vec3::new(1.0, 2.0, -3.0), lonely as u32);
    assert_eq!(body.points()[far as usize], Vec3::new(1.0, 1.0, 0.0));
}
