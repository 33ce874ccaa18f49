//! V-Clip: from a pair of features to a neighbouring pair that is nearer, until each holds its closest point
//! in the Voronoi region of the other (paper 4 §2; Mirtich 1998).
//!
//! The Voronoi plane between two features is one set of numbers, whichever of them asks; a point on the plane
//! belongs to both; and a feature is only left for one of lower dimension that is as near, or for one of
//! higher dimension that is strictly nearer. The states compare signs, never closest points. Where points are
//! on a plane but for rounding, two signs in different frames can still contradict each other: see
//! [`walk`](super::walk) for what ends the walk then. Here there are no tolerances.

use super::clip::Clip;
use super::frames::{HullFeature, Two};
use super::segments::nearest_points;
use silvia_solid::Vec3;

/// What to do after looking at a pair of features.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Step {
    /// They are the closest features.
    Closest,
    /// Feature of body `0` or `1` to be replaced.
    Replace(usize, HullFeature),
    /// A vertex of one body is not outside the other: where it is, in the frame of its own body, and the face
    /// of the other through which it could leave.
    Inside { vertex_of: usize, at: Vec3, exit: u32 },
    /// An edge of one body passes through the face of the other: where, in the frame of the edge's body.
    Pierced { edge_of: usize, at: Vec3 },
}

/// Looks at a pair of features.
#[inline(always)]
pub(crate) fn step(two: &Two<'_>, parts: [HullFeature; 2]) -> Step {
    match parts {
        [HullFeature::Vertex(v), HullFeature::Vertex(w)] => vertex_vertex(two, [v, w]),
        [HullFeature::Vertex(v), HullFeature::Edge(e)] => vertex_edge(two, 0, v, e),
        [HullFeature::Edge(e), HullFeature::Vertex(v)] => vertex_edge(two, 1, v, e),
        [HullFeature::Vertex(v), HullFeature::Face(f)] => vertex_face(two, 0, v, f),
        [HullFeature::Face(f), HullFeature::Vertex(v)] => vertex_face(two, 1, v, f),
        [HullFeature::Edge(e), HullFeature::Edge(g)] => edge_edge(two, [e, g]),
        [HullFeature::Edge(e), HullFeature::Face(f)] => edge_face(two, 0, e, f),
        [HullFeature::Face(f), HullFeature::Edge(e)] => edge_face(two, 1, e, f),
        // Never reached from the other states. A corner of one of the faces is as good a start.
        [HullFeature::Face(_), HullFeature::Face(f)] => {
            Step::Replace(1, HullFeature::Vertex(two.body[1].corner_of(f)))
        }
    }
}

/// Two vertices: each must be beyond all edges of the other.
#[inline(always)]
fn vertex_vertex(two: &Two<'_>, vertices: [u32; 2]) -> Step {
    for i in 0..2 {
        let other = two.vertex(i, vertices[1 - i]);
        let (mut worst, mut edge) = (0.0, None);
        for spoke in two.body[i].spokes_of(vertices[i]) {
            let beyond = spoke.plane.distance(other);
            if beyond > worst {
                (worst, edge) = (beyond, Some(spoke.edge));
            }
        }
        if let Some(edge) = edge {
            return Step::Replace(i, HullFeature::Edge(edge));
        }
    }
    Step::Closest
}

/// A vertex of body `i` and an edge of the other.
fn vertex_edge(two: &Two<'_>, i: usize, vertex: u32, edge: u32) -> Step {
    let j = 1 - i;
    let ridge = &two.body[j].edges[edge as usize];
    let point = two.vertex(j, vertex);
    for end in 0..2 {
        if ridge.end_planes[end].distance(point) < 0.0 {
            return Step::Replace(j, HullFeature::Vertex(ridge.ends[end]));
        }
    }
    for side in 0..2 {
        if ridge.face_planes[side].distance(point) > 0.0 {
            return Step::Replace(j, HullFeature::Face(ridge.faces[side]));
        }
    }

    let [tail, head] = two.ends(i, edge);
    let mut clip = Clip::WHOLE;
    for spoke in two.body[i].spokes_of(vertex) {
        let within = |p: Vec3| -spoke.plane.distance(p);
        if !clip.cut([within(tail), within(head)], spoke.edge) {
            return Step::Replace(i, HullFeature::Edge(spoke.edge));
        }
    }
    let at = two.body[i].points[vertex as usize];
    let grows = |fraction: f64| (head - tail).dot(tail + fraction * (head - tail) - at);
    match localize(&clip, grows) {
        Some(edge) => Step::Replace(i, HullFeature::Edge(edge)),
        None => Step::Closest,
    }
}

/// Two edges. Of each, the part of the other within its span, and of that the part outside of its faces'
/// prisms, must hold the closest point.
#[inline(always)]
fn edge_edge(two: &Two<'_>, edges: [u32; 2]) -> Step {
    for i in 0..2 {
        let ridge = &two.body[i].edges[edges[i] as usize];
        let [tail, head] = two.ends(i, edges[1 - i]);
        let along = head - tail;

        let mut clip = Clip::WHOLE;
        for end in 0..2 {
            let within = |p: Vec3| ridge.end_planes[end].distance(p);
            if !clip.cut([within(tail), within(head)], end) {
                return Step::Replace(i, HullFeature::Vertex(ridge.ends[end]));
            }
        }
        let beyond = |end: Option<usize>, fraction: f64, sign: f64| {
            end.filter(|&end| sign * along.dot(tail + fraction * along - ridge.points[end]) > 0.0)
        };
        if let Some(end) = beyond(clip.enters_at, clip.from, 1.0).or(beyond(clip.leaves_at, clip.to, -1.0)) {
            return Step::Replace(i, HullFeature::Vertex(ridge.ends[end]));
        }

        let span = clip;
        let mut clip = Clip { from: span.from, to: span.to, enters_at: None, leaves_at: None };
        for side in 0..2 {
            let within = |p: Vec3| -ridge.face_planes[side].distance(p);
            let is_left = clip.cut([within(tail), within(head)], side);
            // All that is within the span is in the prism of this one face.
            if !is_left || clip.from > span.to || clip.to < span.from {
                return Step::Replace(i, HullFeature::Face(ridge.faces[side]));
            }
        }
        // On the plane between edge and face, the way to the edge is along the face's normal.
        let grows = |side: usize, fraction: f64| {
            let face = ridge.faces[side];
            let height = two.body[i].planes[face as usize].distance(tail + fraction * along);
            if height == 0.0 {
                return 0.0;
            }
            height.signum() * two.slope(1 - i, edges[1 - i], face)
        };
        let enters = clip.enters_at.filter(|&side| grows(side, clip.from) > 0.0);
        let leaves = || clip.leaves_at.filter(|&side| grows(side, clip.to) < 0.0);
        // If nothing is left, the closest point is before or after it for certain, whatever rounding makes of
        // the signs.
        let forced = || clip.enters_at.filter(|_| clip.is_empty());
        if let Some(side) = enters.or_else(leaves).or_else(forced) {
            return Step::Replace(i, HullFeature::Face(ridge.faces[side]));
        }
    }
    Step::Closest
}

/// A vertex of body `i` and a face of the other.
fn vertex_face(two: &Two<'_>, i: usize, vertex: u32, face: u32) -> Step {
    let j = 1 - i;
    let point = two.vertex(j, vertex);
    let (mut worst, mut edge) = (0.0, None);
    for rim in two.body[j].rims_of(face) {
        let within = rim.plane.distance(point);
        if within < worst {
            (worst, edge) = (within, Some(rim.edge));
        }
    }
    if let Some(edge) = edge {
        return Step::Replace(j, HullFeature::Edge(edge));
    }

    let plane = &two.body[j].planes[face as usize];
    let height = plane.distance(point);
    let towards = -two.turn(i, plane.normal).copysign_of(height);
    let (mut steepest, mut edge) = (0.0, None);
    for spoke in two.body[i].spokes_of(vertex) {
        let gain = spoke.plane.normal.dot(towards);
        if gain > steepest {
            (steepest, edge) = (gain, Some(spoke.edge));
        }
    }
    if let Some(edge) = edge {
        return Step::Replace(i, HullFeature::Edge(edge));
    }
    if height >= 0.0 {
        return Step::Closest;
    }
    // A local minimum: the face is nearest from behind. The face through which the vertex could leave tells
    // whether it is outside.
    match two.body[j].exit(point, face) {
        (out, true) => Step::Replace(j, HullFeature::Face(out)),
        (exit, false) => Step::Inside { vertex_of: i, at: two.body[i].points[vertex as usize], exit },
    }
}

/// An edge of body `i` and a face of the other: never closest, only on the way or through.
fn edge_face(two: &Two<'_>, i: usize, edge: u32, face: u32) -> Step {
    let j = 1 - i;
    let [tail, head] = two.ends(j, edge);
    let mut clip = Clip::WHOLE;
    let mut excluded = false;
    for rim in two.body[j].rims_of(face) {
        let within = |p: Vec3| rim.plane.distance(p);
        if !clip.cut([within(tail), within(head)], rim.edge) || clip.is_empty() {
            excluded = true;
            break;
        }
    }
    if excluded {
        return Step::Replace(j, HullFeature::Edge(nearest_rim(two, j, face, [tail, head])));
    }

    let plane = &two.body[j].planes[face as usize];
    let (low, high) = (plane.distance(tail), plane.distance(head));
    let height = |fraction: f64| {
        // Exact at the ends.
        if fraction == 0.0 {
            low
        } else if fraction == 1.0 {
            high
        } else {
            low + fraction * (high - low)
        }
    };
    let (first, last) = (height(clip.from), height(clip.to));
    if (first <= 0.0 && last >= 0.0) || (first >= 0.0 && last <= 0.0) {
        let at = if first == last {
            clip.from
        } else {
            clip.from + (clip.to - clip.from) * (first / (first - last))
        };
        let [tail, head] = two.body[i].edges[edge as usize].points;
        return Step::Pierced { edge_of: i, at: tail + at * (head - tail) };
    }
    let ends = two.body[i].edges[edge as usize].ends;
    let (out, end) = if two.slope(i, edge, face) * first.signum() >= 0.0 {
        (clip.enters_at, ends[0])
    } else {
        (clip.leaves_at, ends[1])
    };
    match out {
        Some(rim) => Step::Replace(j, HullFeature::Edge(rim)),
        None => Step::Replace(i, HullFeature::Vertex(end)),
    }
}

/// The neighbour towards which the closest point lies, if it is not within what is left of an edge. `grows`
/// is how the distance changes along the edge.
#[inline(always)]
fn localize<N: Copy>(clip: &Clip<N>, grows: impl Fn(f64) -> f64) -> Option<N> {
    let enters = clip.enters_at.filter(|_| grows(clip.from) > 0.0);
    let leaves = || clip.leaves_at.filter(|_| grows(clip.to) < 0.0);
    // If nothing is left, it is before or after for certain, whatever rounding makes of the signs.
    let forced = || clip.enters_at.filter(|_| clip.is_empty());
    enters.or_else(leaves).or_else(forced)
}

/// The edge of a face of body `j` that is nearest to a segment in its frame, which is outside of the face's
/// prism.
///
/// Where two edges are as near but for rounding, as at a corner, one of them may have the segment's nearest
/// point on the side of the face, and would send it back there; the other has not.
fn nearest_rim(two: &Two<'_>, j: usize, face: u32, segment: [Vec3; 2]) -> u32 {
    let body = two.body[j];
    let (mut least, mut nearest) = ((true, f64::INFINITY), 0);
    for rim in body.rims_of(face) {
        let [p, q] = nearest_points(segment, body.edges[rim.edge as usize].points);
        let rank = (rim.plane.distance(p) > 0.0, p.distance_squared(q));
        if rank < least {
            (least, nearest) = (rank, rim.edge);
        }
    }
    nearest
}

/// To write "towards" without a branch.
trait CopySign {
    fn copysign_of(self, sign: f64) -> Self;
}

impl CopySign for Vec3 {
    /// The vector, or its opposite if `sign` is negative; 0 counts as positive.
    #[inline(always)]
    fn copysign_of(self, sign: f64) -> Vec3 {
        if sign < 0.0 { -self } else { self }
    }
}
