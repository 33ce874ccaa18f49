use super::*;
use crate::primitives::{self, TorusKnot};
use crate::{Vec3, winding_number};

fn solid(soup: &crate::Soup) -> Solid {
    Solid::from_soup(soup).unwrap()
}

fn ring() -> Solid {
    solid(&primitives::torus(1.0, 0.3, 24, 10).unwrap())
}

/// Points all over the box around a solid, the same on every run.
fn scattered(within: &Solid, count: u32) -> impl Iterator<Item = Vec3> {
    let bounds = within.bounds();
    (0..count).map(move |i| {
        let turn = |ratio: f64| (f64::from(i) * ratio).fract();
        bounds.min + bounds.size() * Vec3::new(turn(0.819_172_513), turn(0.671_043_607), turn(0.549_700_478))
    })
}

fn is_in(solid: &Solid, p: Vec3) -> bool {
    winding_number(solid.soup().points(), solid.soup().triangles(), p) > 0.5
}

/// By trying every triangle, with the distance to it by sampling-free projection onto planes and sides.
fn distance(solid: &Solid, p: Vec3) -> f64 {
    if is_in(solid, p) {
        return 0.0;
    }
    let side = |a: Vec3, b: Vec3| {
        let t = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
        p.distance(a.lerp(b, t))
    };
    let triangle = |[a, b, c]: [Vec3; 3]| {
        let n = (b - a).cross(c - a).normalize();
        let foot = p - (p - a).dot(n) * n;
        let inside = [(a, b), (b, c), (c, a)].iter().all(|&(u, v)| (v - u).cross(foot - u).dot(n) >= 0.0);
        if inside { p.distance(foot) } else { side(a, b).min(side(b, c)).min(side(c, a)) }
    };
    (0..solid.triangle_count()).map(|t| triangle(solid.soup().corners(t))).fold(f64::INFINITY, f64::min)
}

#[test]
fn pieces_cover_the_solid_and_stick_out_no_further_than_stated() {
    let knot = solid(&TorusKnot::TREFOIL.soup_with_triangles(600).unwrap());
    for (part, options) in [
        (ring(), DecomposeOptions::default()),
        (ring(), DecomposeOptions { error: 0.1, max_pieces: 64 }),
        (knot, DecomposeOptions { error: 0.05, max_pieces: 64 }),
    ] {
        let found = decompose(&part, &options).unwrap();
        let size = part.bounds().size().length();
        assert!(found.complete && found.concavity <= options.error * size, "{}", found.concavity / size);
        assert!(found.pieces.len() > 2 && found.pieces.iter().all(|p| p.hull.is_convex()));
        assert!(found.piece_volume > found.solid_volume);
        let (mut inside, mut furthest) = (0, 0.0f64);
        for p in scattered(&part, 4000) {
            // To rounding: two pieces meet in a plane.
            let holds = |piece: &Piece| piece.hull.faces().all(|f| piece.hull.plane(f).distance(p) < 1e-9);
            let held = found.pieces.iter().any(holds);
            if is_in(&part, p) {
                inside += 1;
                assert!(held, "{p} is in no piece");
            } else if held {
                furthest = furthest.max(distance(&part, p));
            }
        }
        assert!(
            inside > 100 && furthest <= found.concavity && furthest > 0.1 * found.concavity,
            "{furthest}"
        );
        for piece in &found.pieces {
            let out = |&p: &Vec3| piece.hull.faces().any(|f| piece.hull.plane(f).distance(p) > 1e-9);
            assert!(!piece.part.soup().points().iter().any(out), "a hull must hold its part");
        }
        let parts: f64 = found.pieces.iter().map(|p| p.part.mass().volume).sum();
        assert!((parts / found.solid_volume - 1.0).abs() < 1e-9);
    }
}

#[test]
fn brackets_and_crosses_fall_into_boxes() {
    let l = [[0., 0.], [2., 0.], [2., 1.], [1., 1.], [1., 2.], [0., 2.]];
    let found =
        decompose(&solid(&primitives::extrusion(&l, &[], 1.0).unwrap()), &DecomposeOptions::default())
            .unwrap();
    assert_eq!(found.pieces.len(), 2);
    assert!((found.piece_volume - 3.0).abs() < 1e-12 && found.concavity < 1e-5, "{found:?}");
    let plus = [
        [1., 0.],
        [2., 0.],
        [2., 1.],
        [3., 1.],
        [3., 2.],
        [2., 2.],
        [2., 3.],
        [1., 3.],
        [1., 2.],
        [0., 2.],
        [0., 1.],
        [1., 1.],
    ];
    let found =
        decompose(&solid(&primitives::extrusion(&plus, &[], 1.0).unwrap()), &DecomposeOptions::default())
            .unwrap();
    assert_eq!(found.pieces.len(), 3);
    assert!((found.piece_volume - 5.0).abs() < 1e-12);
}

/// Turned, the corners of a face are in its plane only to rounding; a plane along it must cut cleanly all the
/// same.
#[test]
fn a_turned_plate_with_a_hole_falls_into_few_pieces_without_excess() {
    let outline = [[-1.0, -1.0], [1.0, -1.0], [1.0, -0.3], [-0.3, -0.3], [-0.3, 1.0], [-1.0, 1.0]];
    let hole = vec![[-0.85, 0.2], [-0.45, 0.2], [-0.45, 0.7], [-0.85, 0.7]];
    let plate = primitives::extrusion(&outline, &[hole], 0.8).unwrap();
    for angle in [0.0, 0.3, 1.1, 2.0] {
        let axis = Vec3::new(0.3, -0.5, 0.8).normalize();
        let pose =
            crate::Pose::new(Vec3::new(0.1, 0.2, -0.3), crate::Quat::from_axis_angle(axis, angle)).unwrap();
        let found = decompose(&solid(&plate.posed(&pose)), &DecomposeOptions::default()).unwrap();
        assert!(found.pieces.len() <= 6, "{} when turned by {angle}", found.pieces.len());
        assert!((found.piece_volume / found.solid_volume - 1.0).abs() < 1e-6);
    }
}

#[test]
fn a_convex_solid_is_one_piece() {
    let ball = solid(&primitives::sphere(1.0, 4).unwrap());
    let found = decompose(&ball, &DecomposeOptions::default()).unwrap();
    assert_eq!(found.pieces.len(), 1);
    assert!(found.complete && (found.piece_volume - found.solid_volume).abs() < 1e-12);
}

#[test]
fn what_is_convex_is_never_cut_even_if_no_error_is_allowed() {
    let l = [[0., 0.], [2., 0.], [2., 1.], [1., 1.], [1., 2.], [0., 2.]];
    for (soup, count) in [
        (primitives::cuboid(Vec3::ONE).unwrap(), 1),
        (primitives::sphere(1.0, 4).unwrap(), 1),
        (primitives::extrusion(&l, &[], 1.0).unwrap(), 2),
    ] {
        let found = decompose(&solid(&soup), &DecomposeOptions { error: 0.0, ..DecomposeOptions::default() })
            .unwrap();
        assert!(found.complete && found.pieces.len() == count, "{} for {count}", found.pieces.len());
    }
}

#[test]
fn each_component_needs_a_piece_of_its_own() {
    let cube = primitives::cuboid(Vec3::ONE).unwrap();
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for i in 0..5u32 {
        points.extend(cube.points().iter().map(|&p| p + 2.0 * f64::from(i) * Vec3::X));
        triangles.extend(cube.triangles().iter().map(|t| t.map(|v| v + 8 * i)));
    }
    let five = solid(&crate::Soup::new(points, triangles).unwrap());
    let allowed = |max_pieces| decompose(&five, &DecomposeOptions { error: 0.02, max_pieces });
    assert_eq!(allowed(5).unwrap().pieces.len(), 5);
    let error = allowed(3).unwrap_err();
    assert_eq!(error, DecomposeError::TooManyComponents { components: 5, max_pieces: 3 });
}

#[test]
fn pieces_that_run_out_leave_the_error_stated() {
    let found = decompose(&ring(), &DecomposeOptions { error: 0.001, max_pieces: 3 }).unwrap();
    assert!(found.pieces.len() <= 3 && !found.complete);
    assert!(found.concavity > 0.001 * ring().bounds().size().length());
}

#[test]
fn a_hollow_ball_is_cut_open() {
    let outer = primitives::sphere(1.0, 3).unwrap();
    let inner = primitives::sphere(0.8, 3).unwrap();
    let mut points = outer.points().to_vec();
    points.extend(inner.points());
    let shift = outer.points().len() as u32;
    let mut triangles = outer.triangles().to_vec();
    triangles.extend(inner.triangles().iter().map(|&[a, b, c]| [a + shift, c + shift, b + shift]));
    let hollow = solid(&crate::Soup::new(points, triangles).unwrap());
    let found = decompose(&hollow, &DecomposeOptions { error: 0.1, max_pieces: 100 }).unwrap();
    assert!(found.complete && found.pieces.len() > 4, "{} {}", found.concavity, found.pieces.len());
}

#[test]
fn what_makes_no_sense_is_refused() {
    for given in [-1.0, f64::NAN] {
        let options = DecomposeOptions { error: given, ..DecomposeOptions::default() };
        assert!(matches!(decompose(&ring(), &options), Err(DecomposeError::Error { .. })));
    }
    let options = DecomposeOptions { max_pieces: 0, ..DecomposeOptions::default() };
    assert!(matches!(decompose(&ring(), &options), Err(DecomposeError::NoPieces)));
}

#[test]
fn the_same_solid_falls_into_the_same_pieces() {
    let options = DecomposeOptions { error: 0.05, ..DecomposeOptions::default() };
    let points = |d: &Decomposition| d.pieces.iter().map(|p| p.hull.soup().clone()).collect::<Vec<_>>();
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let first = one.install(|| decompose(&ring(), &options)).unwrap();
    assert_eq!(points(&first), points(&decompose(&ring(), &options).unwrap()));
}
