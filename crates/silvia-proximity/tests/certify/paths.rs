//! Random paths of all kinds of parts, against the shapes at many moments; and what must hold of any two
//! paths.

use super::common::random::random_pose;
use super::{at, body, floor, ground, path};
use seeded::Random;
use silvia_proximity::elementary::{MovingPair, touches};
use silvia_proximity::shape::{Shape, distance};
use silvia_proximity::{ContactBody, RigidPath, check_path, swept_box};
use silvia_solid::{Pose, Quat, Solid, Soup, Vec3, primitives};

/// How round things look as polyhedra, and what these lack of a radius of 1 m.
const SEGMENTS: usize = 48;
const LACK: f64 = 2.2e-3;

fn bracket() -> Soup {
    primitives::extrusion(&[[0., 0.], [1., 0.], [1., 0.4], [0.4, 0.4], [0.4, 1.], [0., 1.]], &[], 0.5)
        .unwrap()
}

fn shapes() -> Vec<Shape> {
    vec![
        Shape::point(Vec3::new(0.1, 0.2, 0.0)).unwrap(),
        Shape::segment([Vec3::new(-0.5, 0.0, 0.2), Vec3::X]).unwrap(),
        Shape::sphere(0.5).unwrap(),
        Shape::capsule(0.2, 0.8).unwrap(),
        Shape::cylinder(0.4, 0.8).unwrap(),
        Shape::cone(0.5, 0.9).unwrap(),
        Shape::ellipsoid(Vec3::new(0.3, 0.5, 0.4)).unwrap(),
        Shape::cuboid(Vec3::new(0.4, 0.7, 1.0)).unwrap(),
        Shape::solid(Solid::from_soup(&bracket()).unwrap()),
        Shape::soup(bracket()),
        ground(),
        Shape::cavity(2.4).unwrap(),
    ]
}

/// A path that takes a shape past the origin. What is round about z turns about an axis across z only, so
/// that no turning about z has to be left out; the half-space stands still.
fn random_path(random: &mut Random, shape: &Shape, aside: Vec3) -> RigidPath {
    if matches!(shape, Shape::HalfSpace(_)) {
        return RigidPath::still(Pose::new(Vec3::ZERO, Quat::from_scaled_axis(random.vector(3.0))).unwrap());
    }
    let start = Pose::new(aside + random.vector(0.6), Quat::from_scaled_axis(random.vector(3.0))).unwrap();
    let tilt = Quat::from_scaled_axis(random.vector(0.5).with_z(0.0));
    let end = Pose::new(random.vector(1.0) - 0.6 * aside, start.rotation() * tilt).unwrap();
    path(start, end)
}

/// The shape at a moment of its path, worked out anew: something sharp that lies within it, how much is
/// around that, and what it lacks.
fn still(shape: &Shape, path: &RigidPath, t: f64) -> (Shape, f64, f64) {
    let place = |p: Vec3| path.from.transform_point(p).lerp(path.to.transform_point(p), t);
    let soup = |soup: &Soup| {
        let points = soup.points().iter().map(|&p| place(p)).collect();
        Shape::soup(Soup::new(points, soup.triangles().to_vec()).unwrap())
    };
    match shape {
        Shape::Point(point) => (Shape::point(place(point.at())).unwrap(), 0.0, 0.0),
        Shape::Segment(segment) => (Shape::segment(segment.ends().map(place)).unwrap(), 0.0, 0.0),
        Shape::Sphere(ball) => (Shape::point(place(Vec3::ZERO)).unwrap(), ball.radius(), 0.0),
        Shape::Capsule(capsule) => {
            let top = Vec3::new(0.0, 0.0, 0.5 * capsule.height());
            (Shape::segment([place(-top), place(top)]).unwrap(), capsule.radius(), 0.0)
        }
        Shape::Cylinder(can) => {
            let mesh = primitives::cylinder(can.radius(), can.height(), SEGMENTS).unwrap();
            (soup(&centred(mesh)), 0.0, LACK)
        }
        Shape::Cone(cone) => {
            let mesh = primitives::cone(cone.radius(), cone.height(), SEGMENTS).unwrap();
            (soup(&centred(mesh)), 0.0, LACK)
        }
        Shape::Ellipsoid(ellipsoid) => {
            let ball = primitives::sphere(1.0, 20).unwrap();
            // How far the middle of a triangle is below the unit ball.
            let lack = (0..ball.triangles().len())
                .map(|t| 1.0 - (ball.corners(t).iter().sum::<Vec3>() / 3.0).length());
            let most = lack.fold(0.0, f64::max) * ellipsoid.semi_axes().max_element();
            (soup(&ball.scaled_axes(ellipsoid.semi_axes()).unwrap()), 0.0, most)
        }
        Shape::Box(cube) => (soup(&primitives::cuboid(cube.size()).unwrap()), 0.0, 0.0),
        Shape::HalfSpace(half) => {
            let normal = path.from.transform_vector(half.plane().normal);
            let plane = silvia_solid::Plane { normal, offset: 0.0 };
            (Shape::half_space(plane).unwrap(), 0.0, 0.0)
        }
        // See `gap`.
        Shape::Cavity(_) => (Shape::point(place(Vec3::ZERO)).unwrap(), 0.0, 0.0),
        Shape::Triangle(_)
        | Shape::Polygon(_)
        | Shape::Convex(_)
        | Shape::Solid(_)
        | Shape::Soup(_)
        | Shape::Compound(_) => (soup(&bracket()), 0.0, 0.0),
    }
}

/// With the middle of its height at the origin.
fn centred(mesh: Soup) -> Soup {
    let z = silvia_solid::Aabb::of(mesh.points().iter().copied()).center().z;
    let points = mesh.points().iter().map(|&p| p - z * Vec3::Z).collect();
    Soup::new(points, mesh.triangles().to_vec()).unwrap()
}

/// Of something sharp.
fn corners(shape: &Shape) -> Vec<Vec3> {
    match shape {
        Shape::Point(point) => vec![point.at()],
        Shape::Segment(segment) => segment.ends().to_vec(),
        Shape::Solid(mesh) | Shape::Soup(mesh) => mesh.hierarchy().surface().soup().points().to_vec(),
        Shape::Triangle(_)
        | Shape::Polygon(_)
        | Shape::Sphere(_)
        | Shape::Box(_)
        | Shape::Cylinder(_)
        | Shape::Cone(_)
        | Shape::Capsule(_)
        | Shape::Ellipsoid(_)
        | Shape::HalfSpace(_)
        | Shape::Cavity(_)
        | Shape::Convex(_)
        | Shape::Compound(_) => unreachable!("{:?} is not sharp", shape.kind()),
    }
}

/// Whether two shapes both go on for ever, so that they always touch.
fn are_endless(a: &Shape, b: &Shape) -> bool {
    [a, b].iter().all(|shape| matches!(shape, Shape::HalfSpace(_) | Shape::Cavity(_)))
}

/// How far apart two shapes are at a moment, at least but for the second number.
fn gap(shapes: [&Shape; 2], paths: [&RigidPath; 2], t: f64) -> (f64, f64) {
    let [(a, around_a, lack_a), (b, around_b, lack_b)] = [0, 1].map(|i| still(shapes[i], paths[i], t));
    for (cavity, center, other, around, lack) in
        [(shapes[0], &a, &b, around_b, lack_b), (shapes[1], &b, &a, around_a, lack_a)]
    {
        if let (Shape::Cavity(cavity), Shape::Point(center)) = (cavity, center) {
            let farthest = corners(other).into_iter().map(|p| p.distance(center.at())).fold(0.0, f64::max);
            return (cavity.radius() - farthest - around, lack);
        }
    }
    let apart = distance(&a, &Pose::IDENTITY, &b, &Pose::IDENTITY).upper;
    (apart - around_a - around_b, lack_a + lack_b)
}

#[test]
fn bodies_are_apart_until_then_and_touch_by_then() {
    let mut random = Random::new(3);
    let (mut free, mut met, mut started) = (0, 0, 0);
    for (i, a) in shapes().iter().enumerate() {
        for (j, b) in shapes().iter().enumerate() {
            for _ in 0..4 {
                let path_a = random_path(&mut random, a, Vec3::X);
                let path_b = random_path(&mut random, b, Vec3::new(-1.0, 0.3, 0.0));
                let check = check_path(&body(a), &path_a, &body(b), &path_b);
                let what = format!("{i} {j} {path_a:?} {path_b:?} {check:?}");
                if are_endless(a, b) {
                    assert!(check.at_start, "{what}");
                    continue;
                }
                let gap = |t: f64| gap([a, b], [&path_a, &path_b], t);
                if check.at_start {
                    started += 1;
                } else {
                    for k in 0..16 {
                        let t = check.free_until * f64::from(k) / 16.0;
                        assert!(gap(t).0 > 0.0, "at {t}: {what}");
                    }
                }
                match check.crossing {
                    None => {
                        free += 1;
                        assert!(gap(1.0).0 > 0.0, "{what}");
                    }
                    // Of one inside the other, the skins need not touch.
                    Some(crossing) if crossing.features[0].is_none() => {
                        assert!(check.at_start, "{what}")
                    }
                    Some(crossing) => {
                        met += 1;
                        let (apart, lack) = gap(crossing.upper);
                        assert!(apart <= lack + 1e-9, "{apart}: {what}");
                        let distance = crossing.points[0].distance(crossing.points[1]);
                        assert!(check.at_start || distance < 1e-7, "{distance}: {what}");
                        assert!(check.at_start || (crossing.normal.length() - 1.0).abs() < 1e-9, "{what}");
                    }
                }
                for (shape, path) in [(a, &path_a), (b, &path_b)] {
                    if let (middle, around, _) = still(shape, path, 0.3)
                        && !matches!(shape, Shape::HalfSpace(_) | Shape::Cavity(_))
                    {
                        let (whole, part) = (swept_box(&body(shape), path), middle.aabb(&Pose::IDENTITY));
                        let around = Vec3::splat(around) - 1e-13;
                        let is_in = whole.min.cmple(part.min - around) & whole.max.cmpge(part.max + around);
                        assert!(is_in.all(), "{whole:?} {part:?}");
                    }
                }
            }
        }
    }
    assert!(free > 50 && met > 100 && started < 120, "{free} {met} {started}");
}

#[test]
fn neither_the_order_nor_a_common_motion_matters() {
    let mut random = Random::new(5);
    for a in &shapes() {
        for b in &shapes() {
            let path_a = random_path(&mut random, a, Vec3::X);
            let path_b = random_path(&mut random, b, Vec3::new(-1.0, 0.3, 0.0));
            let check = check_path(&body(a), &path_a, &body(b), &path_b);
            let swapped = check_path(&body(b), &path_b, &body(a), &path_a);
            let shift = random_pose(&mut random, 10.0);
            let moved = |p: &RigidPath| RigidPath {
                from: shift.compose(&p.from),
                to: shift.compose(&p.to),
                about: p.about,
            };
            let carried = check_path(&body(a), &moved(&path_a), &body(b), &moved(&path_b));
            for other in [swapped, carried] {
                let what = format!("{:?} {path_a:?} {:?} {path_b:?} {check:?} {other:?}", a.kind(), b.kind());
                assert_eq!(check.is_free(), other.is_free(), "{what}");
                assert_eq!(check.at_start, other.at_start, "{what}");
                assert!((check.free_until - other.free_until).abs() < 1e-7, "{what}");
            }
        }
    }
}

#[test]
fn where_a_free_step_ends_the_next_one_can_start() {
    let mut random = Random::new(7);
    let mut near = 0;
    for (i, a) in shapes().iter().enumerate() {
        for (j, b) in shapes().iter().enumerate() {
            if are_endless(a, b) {
                continue;
            }
            let (of_a, of_b) = (body(a), body(b));
            let path_a = random_path(&mut random, a, Vec3::X);
            let path_b = random_path(&mut random, b, Vec3::new(-1.0, 0.3, 0.0));
            let still = RigidPath::still(path_b.from);
            let step = |s: f64| {
                let (from, to) = (path_a.from, path_a.to);
                let place = from.translation().lerp(to.translation(), s);
                path(from, Pose::new(place, from.rotation()).unwrap())
            };
            let is_free = |s: f64| check_path(&of_a, &step(s), &of_b, &still).is_free();
            let (mut low, mut high) = (0.0, 1.0);
            if !is_free(0.0) || is_free(1.0) {
                continue;
            }
            while high - low > 1e-17 && 0.5 * (low + high) > low && 0.5 * (low + high) < high {
                let middle = 0.5 * (low + high);
                (low, high) = if is_free(middle) { (middle, high) } else { (low, middle) };
            }
            near += 1;
            let there = step(low).to;
            let next = check_path(&of_a, &RigidPath { from: there, ..path_a }, &of_b, &still);
            assert!(!next.at_start, "{i} {j} {there:?} {still:?} {next:?}");
            let stay = check_path(&of_a, &RigidPath::still(there), &of_b, &still);
            assert!(stay.is_free(), "{i} {j} {there:?} {still:?} {stay:?}");
        }
    }
    assert!(near > 20, "{near}");
}

/// All vertices of one against the faces of the other, and all edges.
fn brute_force(soup: &Soup, paths: [&RigidPath; 2]) -> bool {
    let corners = |i: usize, t: usize| {
        [paths[i].from, paths[i].to].map(|pose| soup.corners(t).map(|p| pose.transform_point(p)))
    };
    let count = soup.triangles().len();
    (0..count).any(|s| {
        (0..count).any(|t| {
            let (a, b) = (corners(0, s), corners(1, t));
            (0..3).any(|k| {
                touches(&MovingPair::vertex_face(a.map(|c| c[k]), b).unwrap())
                    || touches(&MovingPair::vertex_face(b.map(|c| c[k]), a).unwrap())
                    || (0..3).any(|l| {
                        let edges = (a.map(|c| [c[k], c[(k + 1) % 3]]), b.map(|c| [c[l], c[(l + 1) % 3]]));
                        touches(&MovingPair::edge_edge(edges.0, edges.1).unwrap())
                    })
            })
        })
    })
}

#[test]
fn meshes_are_free_exactly_where_all_elementary_tests_say_so() {
    let mut random = Random::new(11);
    let soup = bracket();
    let shape = Shape::solid(Solid::from_soup(&soup).unwrap());
    let thing = body(&shape);
    let mut free = 0;
    for _ in 0..60 {
        let path_a = random_path(&mut random, &shape, 1.6 * Vec3::X);
        let path_b = random_path(&mut random, &shape, Vec3::new(-1.6, 0.9, 0.4));
        let check = check_path(&thing, &path_a, &thing, &path_b);
        assert_eq!(
            check.is_free(),
            !brute_force(&soup, [&path_a, &path_b]),
            "{path_a:?} {path_b:?} {check:?}"
        );
        free += u32::from(check.is_free());
    }
    assert!((10..50).contains(&free), "{free}");
}

#[test]
fn parts_of_compounds_are_named() {
    let arm = Shape::compound([
        (at(-1.0, 0.0, 0.0), Shape::cuboid(Vec3::splat(0.4)).unwrap()),
        (at(1.0, 0.0, 0.0), Shape::sphere(0.2).unwrap()),
    ])
    .unwrap();
    // The arm turns, its ball downwards: the centre goes straight from (1, 0, 0) to (0.8, 0, -0.6).
    let turned = Pose::new(Vec3::ZERO, Quat::from_rotation_y(0.6f64.asin())).unwrap();
    let swing = path(Pose::IDENTITY, turned);
    let check = check_path(&body(&arm), &swing, &body(&floor(3.0, 4)), &RigidPath::still(at(0.0, 0.0, -0.5)));
    assert!((check.free_until - 0.5).abs() < 1e-9, "{check:?}");
    let crossing = check.crossing.unwrap();
    assert_eq!(crossing.parts, [1, 0]);
    assert!(crossing.normal.distance(-Vec3::Z) < 1e-9, "{check:?}");
}

#[test]
fn a_ball_that_rolls_over_another_is_told_how_far_it_cuts_the_corner() {
    let ball: ContactBody = body(&Shape::sphere(0.03).unwrap());
    let place = |angle: f64, gap: f64| at((0.06 + gap) * angle.sin(), 0.0, (0.06 + gap) * angle.cos());
    let (angle, gap) = (2e-3, 3e-11);
    let still = RigidPath::still(Pose::IDENTITY);
    let roll = |gap: f64| check_path(&ball, &still, &ball, &path(place(-angle, gap), place(angle, gap)));
    let check = roll(gap);
    let sag = check.crossing.unwrap().sag.unwrap();
    // The chord is 0.06 (1 - cos) lower than the arc.
    assert!((sag - (0.06 * (1.0 - angle.cos()) - gap)).abs() < 1e-12, "{check:?}");
    assert!(roll(gap + 1.001 * sag).is_free());
    assert!(!roll(gap + 0.999 * sag).is_free());
    assert!(check.work < 40, "{check:?}");
}
