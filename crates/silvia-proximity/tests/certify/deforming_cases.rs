//! Bodies that deform: named cases, chains of steps, caches, and what is refused.

use super::deforming::{Soft, meshes, random_warp};
use super::{at, body, floor, ground, path};
use seeded::Random;
use silvia_proximity::shape::Shape;
use silvia_proximity::{
    ContactBody, Feature, PathCheck, PathError, RefitError, RigidPath, ShapeContactCache, VertexPath,
    check_path, check_path_with, swept_box,
};
use silvia_solid::{MoveError, Pose, Solid, Soup, Vec3, primitives};

/// A path that leads a body nowhere.
fn stay(body: &ContactBody) -> VertexPath<'_> {
    VertexPath::new(body, body).unwrap()
}

fn rest() -> RigidPath {
    RigidPath::still(Pose::IDENTITY)
}

fn cube(size: f64) -> Solid {
    Solid::from_soup(&primitives::cuboid(Vec3::splat(size)).unwrap()).unwrap().faceted()
}

/// Two triangles over four corners.
fn patch(corners: [Vec3; 4]) -> Shape {
    Shape::soup(Soup::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]]).unwrap())
}

fn square(z: f64) -> [Vec3; 4] {
    [[0., 0.], [1., 0.], [1., 1.], [0., 1.]].map(|[x, y]| Vec3::new(x, y, z))
}

#[test]
fn what_does_not_move_is_free_unless_it_touches() {
    let [below, above, crossing] = [0.0, 1e-300, 0.5].map(|z| body(&patch(square(z))));
    let check = |a: &ContactBody, b: &ContactBody| check_path(a, stay(a), b, stay(b));
    assert!(check(&below, &above).is_free());
    assert!(check(&below, &below).at_start);
    let upright = body(&patch([[0., 0.], [1., 0.], [1., 1.], [0., 1.]].map(|[x, z]| Vec3::new(x, 0.3, z))));
    assert!(check(&crossing, &upright).at_start);
    // A sheet on the ground touches it; a hair above it does not.
    assert!(check_path(&below, stay(&below), &body(&ground()), &rest()).at_start);
    let hair = body(&patch(square(1e-13)));
    assert!(check_path(&hair, stay(&hair), &body(&ground()), &rest()).is_free());
}

#[test]
fn flat_sheets_that_slide_in_one_plane_meet_edge_to_edge() {
    let slide = Soft::moved(&patch(square(0.0)), &at(2.0, 0.3, 0.0), |p| p - 2.0 * Vec3::X);
    let still = body(&patch(square(0.0)));
    let check = check_path(slide.body(), slide.path(), &still, &rest());
    assert!(check.free_until <= 0.5 && check.free_until > 0.5 - 1e-12, "{check:?}");
    assert!(!check.is_free());
    // By as little as a double tells, they pass in two planes.
    let above = Soft::moved(&patch(square(1e-300)), &at(2.0, 0.3, 0.0), |p| p - 2.0 * Vec3::X);
    assert!(check_path(above.body(), above.path(), &still, &rest()).is_free());
}

#[test]
fn a_sheet_that_shrinks_to_a_point_or_a_line_goes_through_a_hole() {
    let ring = Shape::solid(Solid::from_soup(&primitives::torus(1.0, 0.3, 24, 12).unwrap()).unwrap());
    let sheet = patch(square(0.0).map(|p| 0.6 * (p - Vec3::new(0.5, 0.5, 0.0))));
    for (shrunk, is_free) in [(Vec3::ZERO, true), (Vec3::X, true), (4.0 * Vec3::X, false)] {
        let through = Soft::moved(&sheet, &at(0.0, 0.0, 1.0), |p| p.with_z(0.0) * shrunk - 1.2 * Vec3::Z);
        let check = check_path(through.body(), through.path(), &body(&ring), &rest());
        assert_eq!(check.is_free(), is_free, "{shrunk} {check:?}");
        let ball = body(&Shape::sphere(0.1).unwrap());
        let hit = check_path(through.body(), through.path(), &ball, &rest());
        assert!(!hit.is_free() && hit.free_until < 0.5, "{shrunk} {hit:?}");
    }
}

#[test]
fn one_vertex_that_is_pulled_through_a_sheet_is_named() {
    let pulled = cube(1.0).soup().posed(&at(0.0, 0.0, 0.6));
    let top = pulled.points().iter().position(|p| p.distance(Vec3::new(0.5, 0.5, 0.1)) < 1e-9).unwrap();
    let mut points = pulled.points().to_vec();
    points[top].z = -0.1;
    let start = Shape::solid(Solid::from_soup(&pulled).unwrap().faceted());
    let soft = Soft::new(&start, &points);
    // Not on an edge of the floor.
    let aside = RigidPath::still(at(0.1, 0.2, 0.0));
    let check = check_path(soft.body(), soft.path(), &body(&floor(2.0, 3)), &aside);
    assert!((check.free_until - 0.5).abs() < 1e-12, "{check:?}");
    let crossing = check.crossing.unwrap();
    assert_eq!(crossing.features[0], Some(Feature::Vertex(top as u32)));
    assert!(crossing.normal.distance(-Vec3::Z) < 1e-12, "{check:?}");
    // The judge of the same is a half-space.
    let check = check_path(soft.body(), soft.path(), &body(&ground()), &rest());
    assert!((check.free_until - 0.5).abs() < 1e-12, "{check:?}");
    assert_eq!(check.crossing.unwrap().features[0], Some(Feature::Vertex(top as u32)));
    let around = swept_box(soft.body(), soft.path());
    assert!((around.min.z + 0.1).abs() < 1e-14 && (around.max.z - 1.1).abs() < 1e-14, "{around:?}");
}

#[test]
fn a_solid_that_deforms_keeps_its_inside() {
    let stretched: Vec<Vec3> =
        cube(1.0).soup().points().iter().map(|p| *p * Vec3::new(1.0, 1.0, 9.0)).collect();
    let crumb = at(0.1, 0.0, 3.0);
    for (shape, is_inside) in
        [(Shape::solid(cube(1.0)), true), (Shape::soup(cube(1.0).soup().clone()), false)]
    {
        let mut long = body(&shape);
        long.move_vertices(&stretched).unwrap();
        for thing in [Shape::sphere(0.1).unwrap(), Shape::cuboid(Vec3::splat(0.1)).unwrap()] {
            let check = check_path(&long, stay(&long), &body(&thing), &RigidPath::still(crumb));
            assert_eq!(check.at_start, is_inside, "{:?} {check:?}", thing.kind());
            let aside = RigidPath::still(at(0.7, 0.0, 3.0));
            assert!(check_path(&long, stay(&long), &body(&thing), &aside).is_free());
        }
    }
}

#[test]
fn where_a_free_soft_step_ends_the_next_one_can_start() {
    let mut random = Random::new(37);
    let others = [meshes().remove(2), Shape::sphere(0.4).unwrap(), Shape::cone(0.4, 0.8).unwrap(), ground()];
    let mut near = 0;
    for mesh in &meshes() {
        for other in &others {
            let other = body(other);
            let still = RigidPath::still(Pose::new(-0.9 * Vec3::Z, random.rotation()).unwrap());
            let from = Pose::new(1.1 * Vec3::Z + random.vector(0.3), random.rotation()).unwrap();
            let warp = random_warp(&mut random, from.translation(), -1.6 * Vec3::Z);
            let step = |s: f64| Soft::moved(mesh, &from, |p| p.lerp(warp(p), s));
            let is_free = |s: f64| {
                let soft = step(s);
                check_path(soft.body(), soft.path(), &other, &still).is_free()
            };
            if !is_free(0.0) || is_free(1.0) {
                continue;
            }
            let (mut low, mut high) = (0.0, 1.0);
            while 0.5 * (low + high) > low && 0.5 * (low + high) < high && high - low > 1e-16 {
                let middle = 0.5 * (low + high);
                (low, high) = if is_free(middle) { (middle, high) } else { (low, middle) };
            }
            near += 1;
            let here = &step(low).bodies[1];
            let check = check_path(here, stay(here), &other, &still);
            assert!(check.is_free(), "{:?} {check:?}", mesh.kind());
            // On to a form ten times as large.
            let mut there = here.clone();
            let far: Vec<Vec3> = step(low).end().iter().map(|p| 10.0 * *p + 20.0 * Vec3::Z).collect();
            there.move_vertices(&far).unwrap();
            let check = check_path(here, VertexPath::new(here, &there).unwrap(), &other, &still);
            assert!(!check.at_start, "{:?} {check:?}", mesh.kind());
        }
    }
    assert!(near > 8, "{near}");
}

#[test]
fn a_cache_changes_no_answer_whatever_path_it_has_seen() {
    let mut random = Random::new(41);
    let torus =
        Shape::solid(Solid::from_soup(&primitives::torus(0.5, 0.2, 12, 8).unwrap()).unwrap().faceted());
    let (fixed, mut here) = (body(&torus), body(&torus));
    let (Shape::Solid(mesh) | Shape::Soup(mesh)) = &torus else { panic!("no mesh") };
    let points: Vec<Vec3> =
        mesh.hierarchy().surface().soup().points().iter().map(|&p| p + 0.41 * Vec3::Z).collect();
    here.move_vertices(&points).unwrap();
    let mut there = here.clone();
    let mut cache = ShapeContactCache::new();
    let (mut free, mut met) = (0, 0);
    for step in 0..200 {
        let mut tally = |with: PathCheck, fresh: PathCheck| {
            assert_eq!(with.is_free(), fresh.is_free(), "{step}");
            assert_eq!(PathCheck { work: 0, ..with }, PathCheck { work: 0, ..fresh }, "{step}");
            free += u32::from(with.is_free());
            met += u32::from(!with.is_free());
        };
        // It wobbles where it is; now and then it moves on.
        let wobble = 2e-3 * random.between(-1.0, 1.0);
        let next: Vec<Vec3> =
            points.iter().map(|&p| p * Vec3::new(1.0 + wobble, 1.0, 1.0) + random.vector(8e-3)).collect();
        there.move_vertices(&next).unwrap();
        let soft = VertexPath::new(&here, &there).unwrap();
        tally(
            check_path_with(&here, soft, &fixed, &rest(), &mut cache),
            check_path(&here, soft, &fixed, &rest()),
        );
        // The same bodies as rigid ones, with the same cache.
        let nudge =
            path(Pose::IDENTITY, at(0.0, 1e-3 * random.between(-1.0, 1.0), 1e-2 * random.between(-1.0, 1.0)));
        tally(
            check_path_with(&here, &nudge, &fixed, &rest(), &mut cache),
            check_path(&here, &nudge, &fixed, &rest()),
        );
        if step % 7 == 0 && check_path(&here, soft, &fixed, &rest()).is_free() {
            std::mem::swap(&mut here, &mut there);
        }
    }
    assert!(free > 50 && met > 20, "{free} {met}");
}

#[test]
fn clones_keep_their_vertices_and_errors_change_nothing() {
    let here = body(&Shape::cuboid(Vec3::ONE).unwrap());
    let was = swept_box(&here, &rest());
    let corners = cube(1.0).soup().points().to_vec();
    let mut there = here.clone();
    let moved: Vec<Vec3> = corners.iter().map(|p| *p + Vec3::X).collect();
    there.move_vertices(&moved).unwrap();
    assert_eq!(swept_box(&here, &rest()), was);
    assert!((swept_box(&there, &rest()).max.x - 1.5).abs() < 1e-14);
    let refused = |points: &[Vec3]| there.clone().move_vertices(points).unwrap_err();
    assert!(matches!(refused(&moved[1..]), RefitError::Points(MoveError::Count { expected: 8, given: 7 })));
    let mut bad = moved.clone();
    bad[2].z = f64::INFINITY;
    assert!(matches!(refused(&bad), RefitError::Points(MoveError::NotFinite { point: 2, .. })));
    bad[2] = 1.1 * moved[2];
    // Its faces are squares, which do not bend.
    assert!(matches!(refused(&bad), RefitError::Points(MoveError::Bent { .. })));
    let mut same = there.clone();
    assert!(same.move_vertices(&bad).is_err());
    assert_eq!(swept_box(&same, &rest()), swept_box(&there, &rest()));
    for (shape, word) in [(Shape::sphere(1.0).unwrap(), "round"), (ground(), "a half-space")] {
        let error = body(&shape).move_vertices(&[]).unwrap_err();
        assert!(matches!(error, RefitError::NotOneMesh { what } if what == word), "{error}");
    }
    let one = Shape::compound([(at(1.0, 0.0, 0.0), Shape::cuboid(Vec3::ONE).unwrap())]).unwrap();
    assert!(matches!(body(&one).move_vertices(&moved), Err(RefitError::NotOneMesh { what: "a compound" })));
}

#[test]
fn the_path_of_another_body_certifies_nothing() {
    let [here, other] = [0, 1].map(|_| body(&Shape::cuboid(Vec3::ONE).unwrap()));
    assert_eq!(VertexPath::new(&here, &other).unwrap_err(), PathError::OtherBody);
    let ball = body(&Shape::sphere(1.0).unwrap());
    assert_eq!(VertexPath::new(&ball, &ball).unwrap_err(), PathError::OtherBody);
    let far = RigidPath::still(at(9.0, 0.0, 0.0));
    let check = check_path(&here, stay(&other), &ball, &far);
    assert!(check.at_start && !check.is_free() && check.free_until == 0.0);
    assert_eq!(swept_box(&here, stay(&other)).max.x, f64::INFINITY);
}
