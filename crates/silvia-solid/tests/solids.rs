//! What a solid is made of, and that it stays so when a CAD exporter has rounded it.

#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use silvia_solid::{EdgeClass, Pose, Quat, SideId, Solid, SolidError, SolidOptions, Soup, Vec3, primitives};
use std::collections::HashSet;

const L_SHAPE: [[f64; 2]; 6] = [[0., 0.], [2., 0.], [2., 1.], [1., 1.], [1., 2.], [0., 2.]];

/// Turned, moved, and rounded to single precision with three corners of its own for each triangle, as in an
/// STL file.
fn exported(soup: &Soup, pose: &Pose) -> Soup {
    let corners = soup.posed(pose);
    let points = corners.triangles().iter().flatten().map(|&i| {
        let p = corners.points()[i as usize];
        Vec3::new(f64::from(p.x as f32), f64::from(p.y as f32), f64::from(p.z as f32))
    });
    let triangles = (0..corners.triangles().len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]);
    Soup::new(points.collect(), triangles.collect()).unwrap()
}

fn any_pose() -> impl Strategy<Value = Pose> {
    let unit = (-1.0..1.0f64, -1.0..1.0f64, -1.0..1.0f64, -1.0..1.0f64)
        .prop_map(|(x, y, z, w)| Quat::from_xyzw(x, y, z, w))
        .prop_filter("too short to normalise", |q| q.length() > 0.1);
    (unit, -5.0..5.0f64, -5.0..5.0f64, -5.0..5.0f64)
        .prop_map(|(q, x, y, z)| Pose::new(Vec3::new(x, y, z), q.normalize()).unwrap())
}

fn counts(solid: &Solid) -> [usize; 6] {
    let classes = solid.edge_counts();
    [
        solid.vertex_count(),
        solid.edge_count(),
        solid.face_count(),
        classes.convex,
        classes.concave,
        solid.vertices().filter(|&v| solid.is_extremal(v)).count(),
    ]
}

/// A plate with a square hole: 16 vertices, 24 edges, 10 faces, of which the 4 in the hole's corners are
/// concave.
fn plate_with_hole() -> Soup {
    let outer = [[0., 0.], [4., 0.], [4., 4.], [0., 4.]];
    let hole = vec![[1., 1.], [3., 1.], [3., 3.], [1., 3.]];
    primitives::extrusion(&outer, &[hole], 1.0).unwrap()
}

/// A box of `n` by `n` by `n` cells with a grid of triangles on its faces.
fn gridded_box(n: usize) -> Soup {
    let step = 1.0 / n as f64;
    let mut triangles = Vec::new();
    for axis in 0..3 {
        for side in [0.0, 1.0] {
            for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
                let corner = |di: usize, dj: usize| {
                    let mut p = [0.0; 3];
                    p[axis] = side;
                    p[(axis + 1) % 3] = (i + di) as f64 * step;
                    p[(axis + 2) % 3] = (j + dj) as f64 * step;
                    Vec3::from(p)
                };
                let (a, b, c, d) = (corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1));
                let both = if side == 1.0 { [[a, b, c], [a, c, d]] } else { [[a, c, b], [a, d, c]] };
                triangles.extend(both);
            }
        }
    }
    let points: Vec<Vec3> = triangles.iter().flatten().copied().collect();
    let indices = (0..triangles.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    Soup::new(points, indices).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_cube_keeps_its_8_vertices_12_edges_6_faces_in_single_precision(pose in any_pose()) {
        let solid = Solid::from_soup(&exported(&primitives::cuboid(Vec3::ONE).unwrap(), &pose)).unwrap();
        prop_assert_eq!(counts(&solid), [8, 12, 6, 12, 0, 8]);
        prop_assert_eq!(solid.edge_counts().flat, 6);
        prop_assert!(solid.is_convex());
        prop_assert_eq!((solid.genus(), solid.component_count()), (0, 1));
    }

    #[test]
    fn an_l_keeps_its_concave_edge_in_single_precision(pose in any_pose()) {
        let solid =
            Solid::from_soup(&exported(&primitives::extrusion(&L_SHAPE, &[], 0.5).unwrap(), &pose)).unwrap();
        // Two of its vertices are the ends of the concave edge: they do not stick out.
        prop_assert_eq!(counts(&solid), [12, 18, 8, 17, 1, 10]);
        prop_assert!(!solid.is_convex());
    }

    #[test]
    fn a_hole_stays_a_loop_of_its_face_in_single_precision(pose in any_pose()) {
        let solid = Solid::from_soup(&exported(&plate_with_hole(), &pose)).unwrap();
        prop_assert_eq!(counts(&solid), [16, 24, 10, 20, 4, 8]);
        prop_assert_eq!(solid.genus(), 1);
        let with_two_loops = solid.faces().filter(|&f| solid.loops_of_face(f).len() == 2).count();
        prop_assert_eq!(with_two_loops, 2);
    }

    #[test]
    fn fine_grids_on_flat_faces_stay_flat_in_single_precision(pose in any_pose(), n in 1usize..12) {
        let solid = Solid::from_soup(&exported(&gridded_box(n), &pose)).unwrap();
        prop_assert_eq!(solid.face_count(), 6);
        prop_assert_eq!(solid.edge_count(), 12 * n);
        prop_assert_eq!(solid.edge_counts().concave, 0);
        prop_assert_eq!(solid.vertices().filter(|&v| solid.is_extremal(v)).count(), 8);
        prop_assert!(solid.is_convex());
    }

    #[test]
    fn a_torus_keeps_its_handle_in_single_precision(pose in any_pose()) {
        let solid =
            Solid::from_soup(&exported(&primitives::torus(2.0, 0.5, 24, 12).unwrap(), &pose)).unwrap();
        prop_assert_eq!((solid.genus(), solid.component_count()), (1, 1));
        prop_assert!(!solid.is_convex());
    }

    #[test]
    fn a_sphere_keeps_all_its_faces_and_corners_in_single_precision(
        pose in any_pose(), frequency in 1usize..16,
    ) {
        let soup = primitives::sphere(1.0, frequency).unwrap();
        let solid = Solid::from_soup(&exported(&soup, &pose)).unwrap();
        let n = 20 * frequency * frequency;
        prop_assert_eq!(counts(&solid), [n / 2 + 2, 3 * n / 2, n, 3 * n / 2, 0, n / 2 + 2]);
        prop_assert!(solid.is_convex());
    }
}

#[test]
fn two_boxes_are_two_components() {
    let first = primitives::cuboid(Vec3::ONE).unwrap();
    let second = first.posed(&Pose::from_translation(Vec3::new(3.0, 0.0, 0.0)).unwrap());
    let solid = Solid::from_soup(&Soup::joined([&first, &second]).unwrap()).unwrap();
    assert_eq!((solid.component_count(), solid.genus(), solid.is_convex()), (2, 0, false));
    assert_eq!(counts(&solid), [16, 24, 12, 24, 0, 16]);
}

#[test]
fn a_cavity_is_part_of_the_solid_and_takes_volume_away() {
    let outer = primitives::cuboid(Vec3::splat(3.0)).unwrap();
    let inner = primitives::cuboid(Vec3::ONE).unwrap();
    let flipped: Vec<[u32; 3]> = inner.triangles().iter().map(|&[a, b, c]| [a, c, b]).collect();
    let cavity = Soup::new(inner.points().to_vec(), flipped).unwrap();
    let solid = Solid::from_soup(&Soup::joined([&outer, &cavity]).unwrap()).unwrap();
    assert!((solid.mass().volume - 26.0).abs() < 1e-13);
    assert_eq!(solid.edge_counts().concave, 12);
    assert_eq!(solid.vertices().filter(|&v| solid.is_extremal(v)).count(), 8);
}

/// The spike of a star sticks out though its edges alternate between ridge and groove.
#[test]
fn the_tip_of_a_star_shaped_pyramid_sticks_out() {
    let n = 10;
    let mut points = vec![Vec3::new(0.0, 0.0, 1.0), Vec3::ZERO];
    for i in 0..n {
        let (s, c) = (std::f64::consts::TAU * f64::from(i) / f64::from(n)).sin_cos();
        let r = if i % 2 == 0 { 1.0 } else { 0.4 };
        points.push(Vec3::new(r * c, r * s, 0.0));
    }
    let ring = |i: i32| (2 + i.rem_euclid(n)) as u32;
    let triangles = (0..n).flat_map(|i| [[0, ring(i), ring(i + 1)], [1, ring(i + 1), ring(i)]]).collect();
    let star = Solid::from_soup(&Soup::new(points, triangles).unwrap()).unwrap();
    let extremal: Vec<bool> = star.vertices().map(|v| star.is_extremal(v)).collect();
    let tip = star.vertices().find(|&v| star.point(v).z == 1.0).unwrap();
    assert!(extremal[tip.index()]);
    assert_eq!(extremal.iter().filter(|&&e| e).count(), 6, "the tip and five points of the star");
    assert_eq!(star.edge_counts().concave, 5);
}

/// Every adjacency is consistent with every other, by brute force over the triangles.
#[test]
fn adjacencies_agree_with_each_other() {
    for soup in
        [plate_with_hole(), gridded_box(3), primitives::TorusKnot::TREFOIL.soup_with_triangles(2000).unwrap()]
    {
        let solid = Solid::from_soup(&soup).unwrap();
        for side in (0..3 * solid.triangle_count() as u32).map(SideId) {
            let mate = solid.mate(side);
            assert_eq!(solid.mate(mate), side);
            assert_eq!(solid.start_of_side(mate), solid.start_of_side(side.next()));
            let same_face =
                solid.face_of_triangle(side.triangle()) == solid.face_of_triangle(mate.triangle());
            assert_eq!(solid.edge_of_side(side).is_none(), same_face);
            assert_eq!(solid.edge_of_side(side), solid.edge_of_side(mate));
        }
        for v in solid.vertices() {
            let around: HashSet<SideId> = solid.sides_of_vertex(v).collect();
            let all =
                (0..3 * solid.triangle_count() as u32).map(SideId).filter(|&s| solid.start_of_side(s) == v);
            assert_eq!(around, all.collect());
        }
        for e in solid.edges() {
            let edge = solid.edge(e);
            for (k, side) in edge.sides.into_iter().enumerate() {
                assert_eq!(solid.edge_of_side(side), Some(e));
                assert_eq!(solid.face_of_triangle(side.triangle()), edge.faces[k]);
                assert_eq!(solid.start_of_side(side), edge.vertices[k]);
            }
            assert!(edge.vertices.iter().all(|&v| solid.edges_of_vertex(v).any(|other| other == e)));
        }
        let mut border = 0;
        for f in solid.faces() {
            for triangle in solid.triangles_of_face(f) {
                assert_eq!(solid.face_of_triangle(triangle), f);
                for v in solid.vertices_of_triangle(triangle) {
                    assert!(solid.plane(f).distance(solid.point(v)).abs() <= solid.face_tolerance());
                }
            }
            for sides in solid.loops_of_face(f) {
                border += sides.len();
                for (i, &side) in sides.iter().enumerate() {
                    assert_eq!(solid.face_of_triangle(side.triangle()), f);
                    let following = sides[(i + 1) % sides.len()];
                    assert_eq!(solid.start_of_side(solid.mate(side)), solid.start_of_side(following));
                }
            }
        }
        assert_eq!(border, 2 * solid.edge_count());
        assert_eq!(
            solid.faces().map(|f| solid.triangles_of_face(f).len()).sum::<usize>(),
            solid.triangle_count()
        );
    }
}

#[test]
fn a_smaller_tolerance_tells_a_shallow_roof_from_a_flat_lid() {
    // A box whose lid is raised by a ten-millionth along the middle.
    let profile = [[0., 0.], [2., 0.], [2., 1.], [1., 1.0000001], [0., 1.]];
    let soup = primitives::extrusion(&profile, &[], 1.0).unwrap();
    assert_eq!(Solid::from_soup(&soup).unwrap().face_count(), 6);
    let fine = Solid::with_options(&soup, &SolidOptions { face_tolerance: 1e-9 }).unwrap();
    assert_eq!(fine.face_count(), 7);
    assert_eq!(fine.edge_counts().concave, 0);
    assert!(fine.edges().all(|e| fine.edge(e).class == EdgeClass::Convex));
}

#[test]
fn tetrahedra_cones_and_cylinders_are_convex() {
    let corner = Soup::new(
        vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z],
        vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
    );
    let bodies = [
        corner.unwrap(),
        primitives::cone(1.0, 1.0, 32).unwrap(),
        primitives::cylinder(1.0, 9.0, 7).unwrap(),
    ];
    assert!(bodies.iter().all(|soup| Solid::from_soup(soup).unwrap().is_convex()));
}

#[test]
fn a_pentagram_that_winds_twice_is_not_convex() {
    // A double cone over a pentagram: no edge is concave, yet it is no convex body.
    let mut points = vec![Vec3::Z, Vec3::NEG_Z];
    for i in 0..5 {
        let (s, c) = (std::f64::consts::TAU * f64::from(2 * i) / 5.0).sin_cos();
        points.push(Vec3::new(c, s, 0.0));
    }
    let ring = |i: u32| 2 + i % 5;
    let triangles = (0..5).flat_map(|i| [[0, ring(i), ring(i + 1)], [1, ring(i + 1), ring(i)]]).collect();
    let solid = Solid::from_soup(&Soup::new(points, triangles).unwrap()).unwrap();
    assert_eq!(solid.edge_counts().concave, 0);
    assert!(!solid.is_convex());
}

#[test]
fn an_open_box_is_refused_with_the_place_of_the_hole() {
    let closed = primitives::cuboid(Vec3::ONE).unwrap();
    let (points, mut triangles) = closed.into_parts();
    triangles.pop();
    let error = Solid::from_soup(&Soup::new(points, triangles).unwrap()).unwrap_err();
    let SolidError::Unfit { report } = &error else { panic!("{error}") };
    assert!(!report.is_closed() && report.is_manifold());
    assert!(error.to_string().contains("3 open edges, the first at triangle"), "{error}");
}

#[test]
fn a_flat_pillow_has_no_volume() {
    let soup = Soup::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2], [0, 2, 1]]).unwrap();
    let error = Solid::from_soup(&soup).unwrap_err();
    assert!(matches!(error, SolidError::NoVolume { .. }), "{error}");
}

#[test]
fn a_solid_of_polygons_has_their_faces() {
    // A square frame: two faces with a hole each, four outer and four inner walls.
    let ring = |r: f64, z: f64| [[-r, -r], [r, -r], [r, r], [-r, r]].map(|[x, y]| Vec3::new(x, y, z));
    let points: Vec<Vec3> = [ring(2.0, 0.0), ring(1.0, 0.0), ring(2.0, 1.0), ring(1.0, 1.0)].concat();
    let wall =
        |low: u32, high: u32, k: u32| vec![vec![low + k, low + (k + 1) % 4, high + (k + 1) % 4, high + k]];
    let reversed = |walls: Vec<Vec<u32>>| walls.into_iter().map(|w| w.into_iter().rev().collect()).collect();
    let mut polygons =
        vec![vec![vec![3, 2, 1, 0], vec![4, 5, 6, 7]], vec![vec![8, 9, 10, 11], vec![15, 14, 13, 12]]];
    for k in 0..4 {
        polygons.push(wall(0, 8, k));
        polygons.push(reversed(wall(4, 12, k)));
    }
    let solid = Solid::from_soup(&Soup::from_polygons(points, &polygons).unwrap()).unwrap();
    assert_eq!(counts(&solid), [16, 24, 10, 20, 4, 8]);
    assert!((solid.mass().volume - 12.0).abs() < 1e-14);
}
