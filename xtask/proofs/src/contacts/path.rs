//! The first time at which two surfaces meet while one moves, all pairs tested.

use silvia::proximity::Feature;
use silvia::proximity::elementary::{MovingPair, first_touch};
use silvia::solid::{Aabb, EdgeId, FaceId, Pose, SideId, Solid, TriangleId, Vec3, VertexId};

/// Touches within this time of the first, of the whole way, may be the first for all that rounding of the
/// poses tells.
const AT_ONCE: f64 = 1e-9;

/// When, from 0 to 1, two surfaces first touch, and which features do: vertex and face, or edge and edge.
pub(super) struct Crossing {
    pub(super) time: f64,
    pub(super) features: Vec<[Feature; 2]>,
}

/// The first crossing while `b` goes from pose to pose, its points on straight lines, and `a` rests.
pub(super) fn first_crossing(
    a: &Solid,
    b: &Solid,
    from: &Pose,
    to: &Pose,
) -> Result<Option<Crossing>, String> {
    let place =
        |pose: &Pose| b.soup().points().iter().map(|&p| pose.transform_point(p)).collect::<Vec<Vec3>>();
    let (start, end) = (place(from), place(to));
    let swept = |t: &[u32; 3]| Aabb::of(t.iter().flat_map(|&i| [start[i as usize], end[i as usize]]));
    let boxes: Vec<Aabb> = b.soup().triangles().iter().map(swept).collect();
    let whole = boxes.iter().copied().reduce(Aabb::merged).ok_or("no triangles")?;
    let mut touches: Vec<(f64, Option<[Feature; 2]>)> = Vec::new();
    let mut consider = |pair: Result<MovingPair, _>, features: Option<[Feature; 2]>| -> Result<(), String> {
        let pair = pair.map_err(|e: silvia::proximity::NotFinite| e.to_string())?;
        touches.extend(first_touch(&pair).map(|touch| (touch.upper, features)));
        Ok(())
    };
    for s in 0..a.triangle_count() {
        let rest = a.soup().corners(s);
        let own = Aabb::of(rest);
        if !own.overlaps(&whole) {
            continue;
        }
        for (t, other) in b.soup().triangles().iter().enumerate() {
            if !own.overlaps(&boxes[t]) {
                continue;
            }
            let [from, to] = [&start, &end].map(|points| other.map(|i| points[i as usize]));
            let (of_a, of_b) = (Parts::of(a, s), Parts::of(b, t));
            for k in 0..3 {
                let pair = MovingPair::vertex_face([rest[k]; 2], [from, to]);
                consider(pair, Some([of_a.vertices[k], of_b.face]))?;
                let pair = MovingPair::vertex_face([from[k], to[k]], [rest; 2]);
                consider(pair, Some([of_a.face, of_b.vertices[k]]))?;
                let edge = [rest[k], rest[(k + 1) % 3]];
                for l in 0..3 {
                    let m = (l + 1) % 3;
                    let pair = MovingPair::edge_edge([edge; 2], [[from[l], from[m]], [to[l], to[m]]]);
                    consider(pair, of_a.edges[k].zip(of_b.edges[l]).map(|(e, f)| [e, f]))?;
                }
            }
        }
    }
    let first = touches.iter().map(|touch| touch.0).reduce(f64::min);
    Ok(first.map(|time| {
        let at_once = touches.iter().filter(|touch| touch.0 <= time + AT_ONCE);
        Crossing { time, features: at_once.filter_map(|touch| touch.1).collect() }
    }))
}

/// The features of a solid that a triangle is part of; a side within a face is none.
struct Parts {
    vertices: [Feature; 3],
    edges: [Option<Feature>; 3],
    face: Feature,
}

impl Parts {
    fn of(solid: &Solid, triangle: usize) -> Parts {
        let id = TriangleId(triangle as u32);
        let FaceId(face) = solid.face_of_triangle(id);
        let edge = |k: u32| {
            let EdgeId(edge) = solid.edge_of_side(SideId(3 * id.0 + k))?;
            Some(Feature::Edge(edge))
        };
        Parts {
            vertices: solid.vertices_of_triangle(id).map(|VertexId(v)| Feature::Vertex(v)),
            edges: [edge(0), edge(1), edge(2)],
            face: Feature::Face(face),
        }
    }
}
