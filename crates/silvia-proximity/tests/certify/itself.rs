//! Bodies that deform against themselves: brute force over all vertices, faces and edges, and named cases.

use super::deforming::{Soft, meshes, random_warp};
use super::{at, body, floor};
use seeded::Random;
use silvia_proximity::elementary::{MovingPair, touches};
use silvia_proximity::shape::Shape;
use silvia_proximity::{PathCheck, VertexPath, check_path_of_itself};
use silvia_solid::{Pose, Quat, Soup, Vec3, self_intersections};
use std::collections::BTreeSet;

fn check(soft: &Soft) -> PathCheck {
    check_path_of_itself(soft.body(), VertexPath::new(soft.body(), &soft.bodies[1]).unwrap())
}

/// All vertices against all faces and all edges against all edges that have no corner in common, and what
/// cuts through itself at the start.
fn meets_itself([start, end]: [&Soup; 2]) -> bool {
    let place = |v: u32| [start, end].map(|soup| soup.points()[v as usize]);
    let faces = start.triangles();
    let edges: BTreeSet<[u32; 2]> = faces
        .iter()
        .flat_map(|t| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]])
        .map(|[a, b]| [a.min(b), a.max(b)])
        .collect();
    let edges: Vec<[u32; 2]> = edges.into_iter().collect();
    let vertex_meets = |v: u32, t: &[u32; 3]| {
        let corners = [0, 1].map(|end| t.map(|w| place(w)[end]));
        !t.contains(&v) && touches(&MovingPair::vertex_face(place(v), corners).unwrap())
    };
    let edges_meet = |e: &[u32; 2], f: &[u32; 2]| {
        let ends = |edge: &[u32; 2]| [0, 1].map(|end| edge.map(|v| place(v)[end]));
        !e.iter().any(|v| f.contains(v)) && touches(&MovingPair::edge_edge(ends(e), ends(f)).unwrap())
    };
    !self_intersections(start).is_empty()
        || faces.iter().any(|t| (0..start.points().len() as u32).any(|v| vertex_meets(v, t)))
        || edges.iter().enumerate().any(|(i, e)| edges[..i].iter().any(|f| edges_meet(e, f)))
}

#[test]
fn a_body_is_free_of_itself_exactly_where_all_elementary_tests_say_so() {
    let mut random = Random::new(43);
    let (mut free, mut met) = (0, 0);
    for round in 0..24 {
        for mesh in meshes().iter().chain([&floor(0.7, 3)]) {
            let from = Pose::new(random.vector(1.0), random.rotation()).unwrap();
            let shift = random.vector(1.0);
            let warp = random_warp(&mut random, from.translation(), shift);
            // On top of a smooth motion, each vertex goes its own way, the farther the later the round.
            let rough = 0.025 * f64::from(round);
            let noise: Vec<Vec3> = (0..64).map(|_| random.vector(rough)).collect();
            let moved = Soft::moved(mesh, &from, warp);
            let end: Vec<Vec3> = moved.end().iter().zip(&noise).map(|(p, by)| *p + *by).collect();
            let start = Shape::soup(moved.start().clone());
            let soft = Soft::new(&start, &end);
            let check = check(&soft);
            let truth = meets_itself([soft.start(), soft.end_soup()]);
            assert_eq!(check.is_free(), !truth, "{round} {:?} {check:?}", mesh.kind());
            assert!(!check.at_start, "{round} {check:?}");
            free += u32::from(check.is_free());
            if let Some(crossing) = check.crossing {
                met += 1;
                assert!(check.free_until <= crossing.upper && crossing.upper <= 1.0, "{check:?}");
                assert!(crossing.points[0].distance(crossing.points[1]) < 1e-9, "{check:?}");
                // Until then it is free, and at the end of it not.
                let cut = |t: f64| {
                    let ends = soft.start().points().iter().zip(&end).map(|(p, q)| p.lerp(*q, t)).collect();
                    Soup::new(ends, soft.start().triangles().to_vec()).unwrap()
                };
                let before = cut(0.999 * check.free_until);
                assert!(!meets_itself([soft.start(), &before]), "{check:?}");
                assert!(meets_itself([soft.start(), &cut(1.001 * crossing.upper)]), "{check:?}");
            }
        }
    }
    assert!(free > 30 && met > 30, "{free} {met}");
}

#[test]
fn what_crosses_itself_at_the_start_is_told() {
    // Two triangles with one corner in common, the second through the first.
    let points = [[0., 0., 0.], [1., -1., 0.], [1., 1., 0.], [1., 0.1, -1.], [1., 0.1, 1.]];
    let crossed = |shift: f64| {
        let points = points.map(|p| Vec3::from(p) + if p[2] == 0.0 { Vec3::ZERO } else { shift * Vec3::Y });
        Shape::soup(Soup::new(points.to_vec(), vec![[0, 1, 2], [0, 3, 4]]).unwrap())
    };
    for (shift, at_start) in [(0.0, true), (2.0, false)] {
        let soft = Soft::moved(&crossed(shift), &Pose::IDENTITY, |p| p + Vec3::X);
        let check = check(&soft);
        assert_eq!((check.at_start, check.is_free()), (at_start, !at_start), "{check:?}");
    }
    // The same triangle twice.
    let points = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
    let doubled = Shape::soup(Soup::new(points, vec![[0, 1, 2], [0, 2, 1]]).unwrap());
    assert!(check(&Soft::moved(&doubled, &Pose::IDENTITY, |p| p)).at_start);
}

#[test]
fn a_sheet_that_is_folded_meets_itself_when_it_lies_on_itself() {
    // Half of a sheet is turned about the line x = 0.1, straight from level to level on the other side: the
    // vertices pass through the line half way.
    let over = Soft::moved(&floor(1.0, 4), &at(0.1, 0.0, 0.0), |p| {
        if p.x > 0.1 { p * Vec3::new(-1.0, 1.0, 1.0) } else { p }
    });
    assert!(!check(&over).is_free());
    // Upright is free, beyond as well; flat is not.
    let fold = |angle: f64| {
        Soft::moved(&floor(1.0, 4), &Pose::IDENTITY, |p| {
            if p.x > 0.0 { Quat::from_rotation_y(-angle) * p } else { p }
        })
    };
    assert!(check(&fold(1.5)).is_free());
    let upright = fold(1.5).bodies[1].clone();
    let mut flat = upright.clone();
    for (angle, is_free) in [(3.1, true), (std::f64::consts::PI, false)] {
        let folded = fold(angle);
        let end: Vec<Vec3> =
            folded.end().iter().map(|p| if p.z.abs() < 1e-9 { p.with_z(0.0) } else { *p }).collect();
        flat.move_vertices(&end).unwrap();
        let check = check_path_of_itself(&upright, VertexPath::new(&upright, &flat).unwrap());
        assert_eq!(check.is_free(), is_free, "{angle} {check:?}");
    }
    // The path of another body says nothing.
    let [one, two] = [0, 1].map(|_| body(&floor(1.0, 2)));
    assert!(check_path_of_itself(&one, VertexPath::new(&two, &two).unwrap()).at_start);
}
