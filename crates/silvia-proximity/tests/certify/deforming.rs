//! Bodies that deform: against brute force over all vertices, edges and faces, against the shapes at many
//! moments, and against rigid paths where the vertices go as a rigid body's do.

use super::{body, floor, ground, path};
use seeded::Random;
use silvia_proximity::elementary::{MovingPair, touches};
use silvia_proximity::shape::{Shape, distance};
use silvia_proximity::{
    ContactBody, Path, PathCheck, RigidPath, ShapeContactCache, ShapeKind, VertexPath, check_path,
    check_path_with, is_plane_between, swept_box,
};
use silvia_solid::{Pose, Quat, Solid, Soup, Vec3, primitives, triangles_intersect, winding_number};

/// A mesh at both ends of its way, with the bodies made of it.
pub(super) struct Soft {
    soups: [Soup; 2],
    pub(super) bodies: [ContactBody; 2],
}

impl Soft {
    pub(super) fn new(shape: &Shape, end: &[Vec3]) -> Soft {
        let (Shape::Solid(mesh) | Shape::Soup(mesh)) = shape else { panic!("no mesh") };
        let start = mesh.hierarchy().surface().soup().clone();
        let here = body(shape);
        let mut there = here.clone();
        there.move_vertices(end).unwrap();
        let moved = Soup::new(end.to_vec(), start.triangles().to_vec()).unwrap();
        Soft { soups: [start, moved], bodies: [here, there] }
    }

    /// A shape that is made soft, placed, and moved point by point.
    pub(super) fn moved(shape: &Shape, from: &Pose, to: impl Fn(Vec3) -> Vec3) -> Soft {
        let start = placed(shape, from);
        let (Shape::Solid(mesh) | Shape::Soup(mesh)) = &start else { panic!("no mesh") };
        let end: Vec<Vec3> = mesh.hierarchy().surface().soup().points().iter().map(|&p| to(p)).collect();
        Soft::new(&start, &end)
    }

    pub(super) fn path(&self) -> Path<'_> {
        VertexPath::new(&self.bodies[0], &self.bodies[1]).unwrap().into()
    }

    pub(super) fn body(&self) -> &ContactBody {
        &self.bodies[0]
    }

    pub(super) fn start(&self) -> &Soup {
        &self.soups[0]
    }

    pub(super) fn end_soup(&self) -> &Soup {
        &self.soups[1]
    }

    pub(super) fn end(&self) -> &[Vec3] {
        self.soups[1].points()
    }

    /// As it is at a moment.
    fn at(&self, t: f64) -> Soup {
        let [start, end] = &self.soups;
        let points = start.points().iter().zip(end.points()).map(|(p, q)| p.lerp(*q, t)).collect();
        Soup::new(points, start.triangles().to_vec()).unwrap()
    }
}

fn placed(shape: &Shape, pose: &Pose) -> Shape {
    let soup = shape.as_mesh().unwrap().hierarchy().surface().soup().posed(pose);
    if shape.kind() == ShapeKind::Solid {
        Shape::solid(Solid::from_soup(&soup).unwrap().faceted())
    } else {
        Shape::soup(soup)
    }
}

pub(super) fn meshes() -> Vec<Shape> {
    let solid = |soup: Soup| Shape::solid(Solid::from_soup(&soup).unwrap());
    let bracket = [[0., 0.], [1., 0.], [1., 0.4], [0.4, 0.4], [0.4, 1.], [0., 1.]];
    vec![
        solid(primitives::cuboid(Vec3::new(0.6, 0.8, 1.0)).unwrap()),
        solid(primitives::extrusion(&bracket, &[], 0.5).unwrap()),
        solid(primitives::torus(0.5, 0.2, 5, 4).unwrap()),
        floor(0.7, 2),
    ]
}

/// A twist, a stretch and a shift about a point, of random size.
pub(super) fn random_warp(random: &mut Random, about: Vec3, shift: Vec3) -> impl Fn(Vec3) -> Vec3 + use<> {
    let (turn, twist) = (random.rotation(), 1.5 * random.between(-1.0, 1.0));
    let stretch = Vec3::ONE + random.vector(0.5);
    let wave = random.vector(0.1);
    move |p: Vec3| {
        let q = turn * (p - about);
        let twisted = Quat::from_rotation_z(twist * q.z) * (q * stretch);
        about + shift + turn.conjugate() * twisted + (5.0 * q.x).sin() * wave
    }
}

/// All vertices of one against the faces of the other, and all edges; triangles that meet at the start; and,
/// by the winding number, one inside the other there.
fn meet(a: [&Soup; 2], b: [&Soup; 2], are_solid: [bool; 2]) -> bool {
    let corners = |soups: [&Soup; 2], t: usize| soups.map(|soup| soup.corners(t));
    let inside = |outer: &Soup, p: Vec3| winding_number(outer.points(), outer.triangles(), p) > 0.5;
    let triangles = |soups: [&Soup; 2]| 0..soups[0].triangles().len();
    are_solid[0] && b[0].points().iter().any(|&p| inside(a[0], p))
        || are_solid[1] && a[0].points().iter().any(|&p| inside(b[0], p))
        || triangles(a).any(|s| {
            triangles(b).any(|t| {
                let (a, b) = (corners(a, s), corners(b, t));
                triangles_intersect(&a[0], &b[0])
                    || (0..3).any(|k| {
                        touches(&MovingPair::vertex_face(a.map(|c| c[k]), b).unwrap())
                            || touches(&MovingPair::vertex_face(b.map(|c| c[k]), a).unwrap())
                            || (0..3).any(|l| {
                                let of_a = a.map(|c| [c[k], c[(k + 1) % 3]]);
                                let of_b = b.map(|c| [c[l], c[(l + 1) % 3]]);
                                touches(&MovingPair::edge_edge(of_a, of_b).unwrap())
                            })
                    })
            })
        })
}

fn is_solid(shape: &Shape) -> bool {
    matches!(shape, Shape::Solid(_))
}

#[test]
fn soft_meshes_are_free_exactly_where_all_elementary_tests_say_so() {
    let mut random = Random::new(23);
    let (mut free, mut met, mut started, mut parted) = (0, 0, 0, 0);
    for round in 0..6 {
        for a in &meshes() {
            for b in &meshes() {
                let (from_a, from_b) =
                    (1.3 * Vec3::X + random.vector(0.4), random.vector(0.4) - 1.3 * Vec3::X);
                let [warp_a, warp_b] = [from_a, from_b]
                    .map(|from| random_warp(&mut random, from, (f64::from(round) * 0.25 - 1.1) * from));
                let soft_a = Soft::moved(a, &Pose::new(from_a, random.rotation()).unwrap(), warp_a);
                let soft_b = Soft::moved(b, &Pose::new(from_b, random.rotation()).unwrap(), warp_b);
                let check = check_path(soft_a.body(), soft_a.path(), soft_b.body(), soft_b.path());
                let solid = [a, b].map(is_solid);
                let truth = meet(soft_a.soups.each_ref(), soft_b.soups.each_ref(), solid);
                assert_eq!(check.is_free(), !truth, "{round} {:?} {:?} {check:?}", a.kind(), b.kind());
                free += u32::from(check.is_free());
                met += u32::from(!check.is_free() && !check.at_start);
                started += u32::from(check.at_start);
                holds_at_moments(&check, |t| {
                    let [a, b] = [&soft_a, &soft_b].map(|soft| Shape::soup(soft.at(t)));
                    distance(&a, &Pose::IDENTITY, &b, &Pose::IDENTITY).upper
                });
                // A plane between them is never claimed of what meets.
                let between =
                    |n: Vec3| is_plane_between(soft_a.body(), soft_a.path(), soft_b.body(), soft_b.path(), n);
                let is_parted = between(from_b - from_a) || between(random.vector(1.0));
                assert!(check.is_free() || !is_parted, "{round} {:?} {:?} {check:?}", a.kind(), b.kind());
                parted += u32::from(is_parted);
                // The other way round, and with a cache.
                let swapped = check_path(soft_b.body(), soft_b.path(), soft_a.body(), soft_a.path());
                assert_eq!((check.is_free(), check.at_start), (swapped.is_free(), swapped.at_start));
                let mut cache = ShapeContactCache::new();
                let with = |cache: &mut _| {
                    check_path_with(soft_a.body(), soft_a.path(), soft_b.body(), soft_b.path(), cache)
                };
                assert_eq!((with(&mut cache), with(&mut cache)), (check, check));
            }
        }
    }
    assert!(free > 20 && met > 20 && started < 20 && parted > 10, "{free} {met} {started} {parted}");
}

/// Apart until then, touching by then, as the distance at moments says.
fn holds_at_moments(check: &PathCheck, gap: impl Fn(f64) -> f64) {
    if !check.at_start {
        for k in 0..8 {
            let t = check.free_until * f64::from(k) / 8.0;
            assert!(gap(t) > 0.0, "at {t}: {check:?}");
        }
    }
    match check.crossing {
        None => assert!(gap(1.0) > 0.0, "{check:?}"),
        Some(crossing) if crossing.features[0].is_none() => assert!(check.at_start, "{check:?}"),
        Some(crossing) => assert!(gap(crossing.upper) < 1e-9, "{}: {check:?}", gap(crossing.upper)),
    }
}

/// What is round: something sharp that lies in its middle, and how much is around that.
fn round_things() -> Vec<(Shape, f64)> {
    let tip = Vec3::new(0.0, 0.0, 0.4);
    vec![
        (Shape::point(Vec3::ZERO).unwrap(), 0.0),
        (Shape::segment([-tip, tip]).unwrap(), 0.0),
        (Shape::sphere(0.4).unwrap(), 0.4),
        (Shape::capsule(0.2, 0.8).unwrap(), 0.2),
    ]
}

#[test]
fn round_parts_and_half_spaces_meet_soft_meshes_when_their_middles_are_so_near() {
    let mut random = Random::new(29);
    let (mut free, mut met, mut started) = (0, 0, 0);
    let mut tally = |check: &PathCheck| {
        free += u32::from(check.is_free());
        met += u32::from(!check.is_free() && !check.at_start);
        started += u32::from(check.at_start);
    };
    for round in 0..6 {
        for mesh in &meshes() {
            let from = 1.2 * Vec3::X + random.vector(0.4);
            let warp = random_warp(&mut random, from, (f64::from(round) * 0.25 - 1.1) * from);
            let soft = Soft::moved(mesh, &Pose::new(from, random.rotation()).unwrap(), warp);
            for (shape, around) in round_things() {
                let start = Pose::new(random.vector(0.4) - 0.6 * Vec3::X, random.rotation()).unwrap();
                // About an axis across its own, so that nothing is left out.
                let tilt = Quat::from_scaled_axis(random.vector(0.4).with_z(0.0));
                let end = Pose::new(random.vector(0.6), start.rotation() * tilt).unwrap();
                let way = path(start, end);
                let check = check_path(soft.body(), soft.path(), &body(&shape), &way);
                tally(&check);
                let is_long = matches!(shape.kind(), ShapeKind::Segment | ShapeKind::Capsule);
                let tip = if is_long { Vec3::new(0.0, 0.0, 0.4) } else { Vec3::ZERO };
                holds_at_moments(&check, |t| {
                    let place = |p: Vec3| start.transform_point(p).lerp(end.transform_point(p), t);
                    let middle = Shape::segment([place(-tip), place(tip) + 1e-13 * Vec3::Y]).unwrap();
                    let skin = Shape::soup(soft.at(t));
                    distance(&skin, &Pose::IDENTITY, &middle, &Pose::IDENTITY).upper - around + 1e-12
                });
                let swapped = check_path(&body(&shape), &way, soft.body(), soft.path());
                assert_eq!((check.free_until, check.at_start), (swapped.free_until, swapped.at_start));
            }
            let upright = Quat::from_rotation_y(std::f64::consts::FRAC_PI_2);
            let start = Pose::new(-0.4 * Vec3::X, upright).unwrap();
            let height = |t: f64, normal: Vec3| {
                let height = |p: &Vec3| (*p + 0.4 * Vec3::X).dot(normal);
                soft.at(t).points().iter().map(height).fold(f64::INFINITY, f64::min)
            };
            let check = check_path(&body(&ground()), &RigidPath::still(start), soft.body(), soft.path());
            tally(&check);
            holds_at_moments(&check, |t| height(t, start.transform_vector(Vec3::Z)));
            // A plane that tilts, about the origin of its frame: never late, but perhaps early.
            let end = Pose::new(-0.4 * Vec3::X, Quat::from_rotation_y(0.3) * upright).unwrap();
            let check = check_path(&body(&ground()), &path(start, end), soft.body(), soft.path());
            tally(&check);
            let normal = |t: f64| start.transform_vector(Vec3::Z).lerp(end.transform_vector(Vec3::Z), t);
            let moments = (0..=64).map(|k| f64::from(k) / 64.0);
            assert!(
                moments.clone().all(|t| t >= check.free_until || height(t, normal(t)) > 0.0),
                "{check:?}"
            );
            let meets = moments.clone().any(|t| height(t, normal(t)) <= 0.0);
            assert_eq!(check.is_free(), !meets, "{check:?}");
        }
    }
    assert!(free > 20 && met > 40 && started < 30, "{free} {met} {started}");
}

#[test]
fn a_rigid_motion_given_by_vertices_is_judged_like_the_rigid_path() {
    let mut random = Random::new(31);
    let others =
        [meshes().remove(1), Shape::sphere(0.4).unwrap(), Shape::cylinder(0.3, 0.8).unwrap(), ground()];
    let (mut free, mut met) = (0, 0);
    for mesh in &meshes() {
        let body_of_mesh = body(mesh);
        for other in &others {
            for _ in 0..8 {
                let from = Pose::new(1.2 * Vec3::X + random.vector(0.5), random.rotation()).unwrap();
                let tilt = Quat::from_scaled_axis(random.vector(0.6));
                let to = Pose::new(random.vector(1.2) - 0.3 * Vec3::X, from.rotation() * tilt).unwrap();
                let start = Pose::new(random.vector(0.4) - 0.8 * Vec3::X, random.rotation()).unwrap();
                let still = RigidPath::still(start);
                // The vertices as the rigid path places them, bit for bit.
                let (Shape::Solid(hull) | Shape::Soup(hull)) = mesh else { panic!("no mesh") };
                let points = hull.hierarchy().surface().soup().points();
                let ends = [from, to]
                    .map(|pose| -> Vec<Vec3> { points.iter().map(|&p| pose.transform_point(p)).collect() });
                let bodies = ends.map(|end| {
                    let mut moved = body_of_mesh.clone();
                    moved.move_vertices(&end).unwrap();
                    moved
                });
                let soft = VertexPath::new(&bodies[0], &bodies[1]).unwrap();
                let other = body(other);
                let rigid = check_path(&body_of_mesh, &path(from, to), &other, &still);
                let check = check_path(&bodies[0], soft, &other, &still);
                let what = format!("{:?} {rigid:?} {check:?}", mesh.kind());
                assert_eq!((rigid.is_free(), rigid.at_start), (check.is_free(), check.at_start), "{what}");
                assert!((rigid.free_until - check.free_until).abs() < 1e-9, "{what}");
                if let (Some(one), Some(two)) = (rigid.crossing, check.crossing)
                    && !rigid.at_start
                {
                    met += 1;
                    assert!(one.normal.distance(two.normal) < 1e-6, "{what}");
                    assert!(one.points[0].distance(two.points[0]) < 1e-6, "{what}");
                }
                free += u32::from(check.is_free());
                let boxes = [swept_box(&body_of_mesh, &path(from, to)), swept_box(&bodies[0], soft)];
                // A box is turned with the body, and so wider than that of its vertices.
                let slack = Vec3::splat(1e-12);
                assert!((boxes[0].min - slack).cmple(boxes[1].min).all());
                assert!((boxes[0].max + slack).cmpge(boxes[1].max).all());
                let n = random.vector(1.0);
                let planes = [
                    is_plane_between(&body_of_mesh, &path(from, to), &other, &still, n),
                    is_plane_between(&bodies[0], soft, &other, &still, n),
                ];
                assert_eq!(planes[0], planes[1], "{what}");
            }
        }
    }
    assert!(free > 20 && met > 20, "{free} {met}");
}
