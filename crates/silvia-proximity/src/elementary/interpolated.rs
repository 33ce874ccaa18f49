//! Paper 1 §2.3: the signed distance of vertex and face, or of the lines of two edges, is taken to change
//! linearly.
//!
//! It is fast and, for steps in which bodies turn little, close; it is not exact. A vertex is looked for in
//! the prism over the face and edges by the closest points of their lines, so that what rounding or
//! interpolation leaves between them does not matter. The paper's slips are mended: a pair has no inside, so
//! both directions count, and t_c of two edges is a fraction of its interval.

use super::{Kind, MovingPair};
use silvia_solid::Vec3;

/// The approximate time in [0, 1] at which a pair first touches, by linearly interpolated distances (paper 1
/// §2.3). May be wrong; the guide says how often. Meant for comparison, and where speed matters more than
/// certainty.
pub fn interpolated_touch(pair: &MovingPair) -> Option<f64> {
    match pair.kind {
        Kind::VertexFace => vertex_face(pair),
        Kind::EdgeEdge => edge_edge(pair),
    }
}

fn vertex_face(pair: &MovingPair) -> Option<f64> {
    let distance = |p: &[Vec3; 4]| {
        let n = (p[2] - p[1]).cross(p[3] - p[1]).normalize_or_zero();
        n.dot(p[0] - p[1])
    };
    let time = crossing(distance(&pair.start), distance(&pair.end))?;
    let [v, face @ ..] = at(pair, time);
    let n = (face[1] - face[0]).cross(face[2] - face[0]);
    let in_prism = (0..3).all(|i| (v - face[i]).dot(n.cross(face[(i + 1) % 3] - face[i])) >= 0.0);
    in_prism.then_some(time)
}

fn edge_edge(pair: &MovingPair) -> Option<f64> {
    // The paper's plane F of a face at the second edge; without a face, the one that the first edge crosses
    // most directly.
    let across = |t: f64| {
        let [a0, a1, b0, b1] = at(pair, t);
        (a1 - a0).cross(b1 - b0)
    };
    let m = [0.5, 0.0, 1.0].map(across).into_iter().find(|m| *m != Vec3::ZERO)?;
    let sides = |t: f64| {
        let [a0, a1, b0, b1] = at(pair, t);
        let n = (b1 - b0).cross(m);
        [n.dot(a0 - b0), n.dot(a1 - b0)]
    };
    let [start, middle, end] = [0.0, 0.5, 1.0].map(sides);
    let mut times = vec![0.0, 1.0];
    for i in 0..2 {
        times.extend(roots(start[i], middle[i], end[i]).into_iter().filter(|t| (0.0..1.0).contains(t)));
    }
    times.sort_by(f64::total_cmp);
    times.windows(2).find_map(|interval| {
        let [t1, t2] = [interval[0], interval[1]];
        let [a, b] = sides(0.5 * (t1 + t2));
        if a * b >= 0.0 {
            return None;
        }
        let time = t1 + (t2 - t1) * crossing(line_distance(pair, t1), line_distance(pair, t2))?;
        on_both_edges(pair, time).then_some(time)
    })
}

/// The signed distance of the lines of the edges: (2) of the paper.
fn line_distance(pair: &MovingPair, t: f64) -> f64 {
    let [a0, a1, b0, b1] = at(pair, t);
    (a1 - a0).cross(b1 - b0).normalize_or_zero().dot(a0 - b0)
}

/// Whether the closest points of the lines are on the edges.
fn on_both_edges(pair: &MovingPair, t: f64) -> bool {
    let [a0, a1, b0, b1] = at(pair, t);
    let (u, v, w) = (a1 - a0, b1 - b0, b0 - a0);
    let n = u.cross(v);
    let nn = n.length_squared();
    let inside = |x: f64| (0.0..=nn).contains(&x);
    nn > 0.0 && inside(w.cross(v).dot(n)) && inside(w.cross(u).dot(n))
}

/// When a distance that changes linearly is zero, as a fraction of the interval.
fn crossing(from: f64, to: f64) -> Option<f64> {
    let t = from / (from - to);
    (0.0..=1.0).contains(&t).then_some(t)
}

/// The roots of the quadratic with these values at 0, 1/2 and 1.
fn roots(start: f64, middle: f64, end: f64) -> Vec<f64> {
    let (a, b, c) = (2.0 * (start - 2.0 * middle + end), 4.0 * middle - 3.0 * start - end, start);
    let discriminant = b * b - 4.0 * a * c;
    if discriminant < 0.0 {
        return Vec::new();
    }
    // Without cancellation; a quotient that is not finite is no root.
    let q = -0.5 * (b + discriminant.sqrt().copysign(b));
    [q / a, c / q].into_iter().filter(|t| t.is_finite()).collect()
}

fn at(pair: &MovingPair, t: f64) -> [Vec3; 4] {
    std::array::from_fn(|i| pair.start[i].lerp(pair.end[i], t))
}
