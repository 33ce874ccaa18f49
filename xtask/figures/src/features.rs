//! Pictures of Voronoi regions and of closest features.

use crate::{INK, Outcome, PALETTE, WHITE, save, seen_from};
use silvia::proximity::{Convex, Feature, FeatureCache, closest_features};
use silvia::scene::picture::{Canvas, Colour};
use silvia::solid::hull::convex_hull;
use silvia::solid::{EdgeId, FaceId, Pose, Quat, Solid, Vec3, VertexId, primitives};
use std::path::Path;

const GREY: Colour = [0.75, 0.75, 0.75];
const GREEN: Colour = [0.0, 0.38, 0.08];
/// The regions of faces, edges and vertices.
const REGIONS: [Colour; 3] = [PALETTE[0], PALETTE[1], PALETTE[2]];
/// How far the regions are drawn, m; in truth they have no end.
const REACH: f64 = 0.7;
/// Into how many parts a round is drawn.
const ROUNDS: usize = 8;
/// An edge is drawn if the cosine of the angle between its faces' normals is less than this.
const SHARP: f64 = 0.8;

/// A prism with the regions of one face, one edge and one vertex; the same with all of them; a body passing
/// another.
pub(crate) fn voronoi(path: &Path) -> Outcome {
    let camera = seen_from(Vec3::new(0.0, -30.0, 14.0), Vec3::new(0.0, 0.0, 0.1), 8.4);
    let mut canvas = Canvas::new(1200, 400, WHITE, camera);
    let prism = primitives::prism(5, 1.0, 1.4)?;
    let placed = |x: f64| Pose::new(Vec3::new(x, 0.0, -0.1), Quat::from_rotation_z(-1.9));
    let left = Convex::new(&Solid::from_soup(&prism.posed(&placed(-4.4)?))?)?;
    solid(&mut canvas, left.solid(), GREY);
    // A face on top, an edge in front on the left, a vertex on the right: none hides another.
    let directions = [Vec3::Z, Vec3::new(-0.6, -0.8, 0.0), Vec3::new(0.8, -0.5, 0.6)];
    for (kind, (color, towards)) in REGIONS.into_iter().zip(directions).enumerate() {
        let height = |points: &[Vec3]| middle(points).dot(towards);
        let furthest = regions(&left, kind).into_iter().max_by(|p, q| height(p).total_cmp(&height(q)));
        let region = Solid::from_soup(&convex_hull(&furthest.ok_or("no region")?)?.soup)?;
        solid(&mut canvas, &region, color);
    }
    let centre = Convex::new(&Solid::from_soup(&prism.posed(&placed(-0.9)?))?)?;
    for (kind, color) in REGIONS.into_iter().enumerate() {
        for points in regions(&centre, kind) {
            let region = Solid::from_soup(&convex_hull(&points)?.soup)?;
            canvas.triangles(region.soup(), |_| color);
        }
    }
    passing(&mut canvas)?;
    save(&canvas, path)
}

/// A cube that passes another body: its closest features at five places, found each from those before.
fn passing(canvas: &mut Canvas) -> Outcome {
    let base = primitives::prism(6, 1.6, 0.7)?.posed(&Pose::from_translation(Vec3::new(3.9, 0.0, -0.8))?);
    let base = Convex::new(&Solid::from_soup(&base)?)?;
    let cube = Convex::new(&Solid::from_soup(&primitives::cuboid(Vec3::splat(0.55))?)?)?;
    solid(canvas, base.solid(), GREY);
    let mut cache = FeatureCache::default();
    for i in 0..5 {
        let turn = Quat::from_axis_angle(Vec3::new(1.0, 0.4, 0.7).normalize(), 0.5 + 0.45 * f64::from(i));
        let x = 2.0 + 1.0 * f64::from(i);
        let pose = Pose::new(Vec3::new(x, -0.5, 0.75), turn)?;
        let answer = closest_features(&base, &Pose::IDENTITY, &cube, &pose, &mut cache);
        solid(canvas, &Solid::from_soup(&cube.solid().soup().posed(&pose))?, PALETTE[0]);
        mark(canvas, base.solid(), &Pose::IDENTITY, answer.features[0]);
        mark(canvas, cube.solid(), &pose, answer.features[1]);
        let [p, q] = answer.points;
        canvas.line(p, q, 2.5, GREEN);
        [p, q].into_iter().for_each(|at| canvas.dot(at, 7.0, GREEN));
    }
    Ok(())
}

/// A feature in green: its edges, if it is a face.
fn mark(canvas: &mut Canvas, solid: &Solid, pose: &Pose, feature: Feature) {
    let at = |v: VertexId| pose.transform_point(solid.point(v));
    match feature {
        Feature::Vertex(v) => canvas.dot(at(VertexId(v)), 10.0, GREEN),
        Feature::Edge(e) => {
            let [a, b] = solid.edge(EdgeId(e)).vertices.map(at);
            canvas.line(a, b, 5.0, GREEN);
        }
        Feature::Face(f) => {
            for &side in solid.loops_of_face(FaceId(f)).flatten() {
                canvas.line(at(solid.start_of_side(side)), at(solid.start_of_side(side.next())), 3.0, GREEN);
            }
        }
        // A solid has none.
        Feature::Patch(_) => {}
    }
}

/// Points around the Voronoi regions of all faces (0), edges (1) or vertices (2), as far as they are drawn.
fn regions(body: &Convex, kind: usize) -> Vec<Vec<Vec3>> {
    let (points, planes) = (body.points(), body.planes());
    let normal = |f: u32| planes[f as usize].normal;
    let on = |corners: &[Vec3], normals: &[Vec3]| -> Vec<Vec3> {
        let lifted = corners.iter().flat_map(|&c| normals.iter().map(move |n| c + REACH * n.normalize()));
        corners.iter().copied().chain(lifted).collect()
    };
    match kind {
        0 => (0..body.face_count())
            .map(|f| {
                let corners: Vec<Vec3> = body.vertices_of_face(f).map(|v| points[v as usize]).collect();
                on(&corners, &[normal(f as u32)])
            })
            .collect(),
        1 => {
            let between = |[f, g]: [u32; 2]| -> Vec<Vec3> {
                (0..=ROUNDS).map(|i| normal(f).lerp(normal(g), i as f64 / ROUNDS as f64)).collect()
            };
            let ends = body.edges().map(|e| e.map(|v| points[v as usize]));
            ends.zip(body.faces_of_edges()).map(|(ends, faces)| on(&ends, &between(faces))).collect()
        }
        _ => (0..points.len())
            .map(|v| {
                let around: Vec<Vec3> = (0..body.face_count())
                    .filter(|&f| body.vertices_of_face(f).any(|w| w as usize == v))
                    .map(|f| normal(f as u32))
                    .collect();
                on(&[points[v]], &mixtures(&around))
            })
            .collect(),
    }
}

/// Vectors spread over the triangle between each three of some vectors.
fn mixtures(around: &[Vec3]) -> Vec<Vec3> {
    let mut all = Vec::new();
    let [a, b, c] = [0, 1, 2].map(|i| around[i % around.len()]);
    for i in 0..=ROUNDS {
        for j in 0..=ROUNDS - i {
            let [s, t] = [i, j].map(|x| x as f64 / ROUNDS as f64);
            all.push(s * a + t * b + (1.0 - s - t) * c);
        }
    }
    all
}

fn middle(points: &[Vec3]) -> Vec3 {
    points.iter().sum::<Vec3>() / points.len() as f64
}

/// A solid with its sharp edges; a rounded region has many that are not.
fn solid(canvas: &mut Canvas, solid: &Solid, color: Colour) {
    canvas.triangles(solid.soup(), |_| color);
    for edge in solid.edges().map(|id| solid.edge(id)) {
        let [n, m] = edge.faces.map(|f| solid.plane(f).normal);
        if n.dot(m) < SHARP {
            let [a, b] = edge.vertices.map(|v| solid.point(v));
            canvas.line(a, b, 1.5, INK);
        }
    }
}
