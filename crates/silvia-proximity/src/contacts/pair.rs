//! One pair of features: its gap, normal and points at given poses, and whether it still holds.

use super::gauss::Arc;
use crate::bounds::Bound;
use crate::contacts::tuning;
use crate::feature::Feature;
use crate::hierarchy::{Hierarchy, Surface};
use crate::ray::{Ray, cast_ray};
use crate::triangle::across;
use silvia_solid::{EdgeId, FaceId, Pose, Vec3, VertexId};

/// Rounding of a point, as a fraction of the coordinates.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Which features make a contact. It identifies the contact over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContactKey {
    /// Of the first and the second body: vertex and face, face and vertex, or edge and edge.
    pub features: [Feature; 2],
    /// Whether the bodies meet on the back of a soup's triangle or, for two edges of soups, with the normal
    /// against the cross product of the edges. A soup has no outside, so the side is part of the identity.
    /// Always `false` for solids.
    pub reversed: bool,
}

/// How the two features of a contact lie to each other. Coordinates are in the frame of the poses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactState {
    /// The nearest points of the vertex and the face's plane, or of the two edges' lines, m.
    pub points: [Vec3; 2],
    /// Unit vector from the first body to the second: across the face, or across both edges.
    pub normal: Vec3,
    /// From point to point along the normal, m; negative where one has passed through the other.
    pub gap: f64,
    /// Whether the points lie on the features themselves and the normal is one that both can have there. Only
    /// then does the pair keep the bodies apart now. A displacement may change this.
    pub holds: bool,
    /// Whether the points lie on the features, and the normal is one that both can have, now or after a small
    /// turn. Such a pair keeps the bodies apart while its gap is not negative, though others may be nearer.
    /// Implied by `holds`.
    pub nearly: bool,
}

impl ContactState {
    /// Of features that are not there.
    pub(super) const NONE: ContactState = ContactState {
        points: [Vec3::ZERO; 2],
        normal: Vec3::Z,
        gap: f64::INFINITY,
        holds: false,
        nearly: false,
    };

    /// With the bodies exchanged.
    #[must_use]
    pub(super) fn mirrored(self) -> ContactState {
        ContactState { points: [self.points[1], self.points[0]], normal: -self.normal, ..self }
    }
}

/// The state of a contact that [`contacts`](super::contacts) found, at other poses of the same bodies. If a
/// body has no such feature, the gap is infinite and nothing holds.
pub fn contact_at<B: Bound>(
    a: &Hierarchy<B>,
    pose_a: &Pose,
    b: &Hierarchy<B>,
    pose_b: &Pose,
    key: &ContactKey,
) -> ContactState {
    let bodies = placed(a, pose_a, b, pose_b);
    let mut state = state(&bodies, key);
    let origin = middle(pose_a, pose_b);
    state.points = state.points.map(|p| p + origin);
    state
}

/// A body at a pose, in a frame whose origin is between the bodies, so that coordinates are small.
pub(super) struct PlacedMesh<'a, B: Bound> {
    pub(super) body: &'a Hierarchy<B>,
    pub(super) pose: Pose,
}

/// Where that origin is.
pub(super) fn middle(pose_a: &Pose, pose_b: &Pose) -> Vec3 {
    0.5 * pose_a.translation() + 0.5 * pose_b.translation()
}

pub(super) fn placed<'a, B: Bound>(
    a: &'a Hierarchy<B>,
    pose_a: &Pose,
    b: &'a Hierarchy<B>,
    pose_b: &Pose,
) -> [PlacedMesh<'a, B>; 2] {
    let origin = middle(pose_a, pose_b);
    let place = |body, pose: &Pose| PlacedMesh { body, pose: pose.moved(-origin) };
    [place(a, pose_a), place(b, pose_b)]
}

fn state<B: Bound>(bodies: &[PlacedMesh<'_, B>; 2], key: &ContactKey) -> ContactState {
    let [a, b] = bodies;
    if !a.has(key.features[0]) || !b.has(key.features[1]) {
        return ContactState::NONE;
    }
    match key.features {
        [Feature::Face(face), Feature::Vertex(vertex)] => vertex_face(b, vertex, a, face, key.reversed),
        [Feature::Vertex(vertex), Feature::Face(face)] => {
            vertex_face(a, vertex, b, face, key.reversed).mirrored()
        }
        [Feature::Edge(first), Feature::Edge(second)] => {
            edge_edge([(a, &a.edge(first)), (b, &b.edge(second))], key.reversed)
        }
        // No other pair is made by the search; as a key made by hand, it never holds.
        _ => ContactState::NONE,
    }
}

/// The face's body counts as the first.
fn vertex_face<B: Bound>(
    of_vertex: &PlacedMesh<'_, B>,
    vertex: u32,
    of_face: &PlacedMesh<'_, B>,
    face: u32,
    reversed: bool,
) -> ContactState {
    let over = Over::new(of_vertex.point(vertex), of_face, face);
    let lowest = of_vertex.lowest_side(vertex, over.normal(reversed), -tuning::NEARLY);
    over.state(of_face, reversed, lowest)
}

/// A vertex over the plane of a face.
pub(super) struct Over {
    face: u32,
    /// The vertex.
    pub(super) at: Vec3,
    /// The face's.
    pub(super) outward: Vec3,
    /// Of the vertex along that, m.
    pub(super) height: f64,
    on_plane: Vec3,
}

impl Over {
    pub(super) fn new<B: Bound>(at: Vec3, of_face: &PlacedMesh<'_, B>, face: u32) -> Over {
        let (on_plane, outward) = of_face.plane(face);
        Over { face, at, outward, height: outward.dot(at - on_plane), on_plane }
    }

    /// From the face to the vertex's body.
    pub(super) fn normal(&self, reversed: bool) -> Vec3 {
        if reversed { -self.outward } else { self.outward }
    }

    /// The contact, of which the face's body counts as the first. `lowest`: by how much the sides of the
    /// vertex rise from the plane at least; `None` if one goes down steeply.
    pub(super) fn state<B: Bound>(
        &self,
        of_face: &PlacedMesh<'_, B>,
        reversed: bool,
        lowest: Option<f64>,
    ) -> ContactState {
        let normal = self.normal(reversed);
        let gap = normal.dot(self.at - self.on_plane);
        let foot = self.at - gap * normal;
        let nearly =
            lowest.is_some_and(|lowest| lowest >= -tuning::NEARLY) && of_face.is_over(self.face, foot);
        let holds = nearly
            && lowest.is_some_and(|lowest| lowest >= -tuning::LEVEL)
            && (gap >= 0.0 || of_face.is_clear_until(self.at, normal, -gap, &[self.face]));
        ContactState { points: [foot, self.at], normal, gap, holds, nearly }
    }
}

/// An edge of a body at a pose.
#[derive(Clone, Copy)]
pub(super) struct PlacedEdge {
    edge: u32,
    /// Where it starts, and how it runs.
    pub(super) segment: [Vec3; 2],
    /// The normals of planes that touch the body at the edge alone; `None` for a soup, where any plane does.
    pub(super) arc: Option<Arc>,
}

pub(super) fn edge_edge<B: Bound>(
    [(a, first), (b, second)]: [(&PlacedMesh<'_, B>, &PlacedEdge); 2],
    reversed: bool,
) -> ContactState {
    let ([p, u], [q, v]) = (first.segment, second.segment);
    let arcs = [first.arc, second.arc];
    let across = u.cross(v);
    let (uu, vv, square) = (u.length_squared(), v.length_squared(), across.length_squared());
    // Out of the first body and into the second.
    let outward = |arc: &Option<Arc>| arc.map_or(Vec3::ZERO, |arc| arc.ends[0] + arc.ends[1]);
    let way = outward(&arcs[0]) - outward(&arcs[1]);
    let between = q - p;
    let is_parallel = square <= tuning::PARALLEL * tuning::PARALLEL * uu * vv;
    if is_parallel {
        return parallel_edges([p, u], [q, v], &arcs, way);
    }
    let has_way = arcs.iter().any(Option::is_some);
    let flip = if has_way { across.dot(way) < 0.0 } else { reversed };
    let normal = if flip { -across.normalize() } else { across.normalize() };
    let s = between.cross(v).dot(across) / square;
    let t = between.cross(u).dot(across) / square;
    let points = [p + s * u, q + t * v];
    let gap = normal.dot(points[1] - points[0]);
    let spans = spans(s, [p, u], uu) && spans(t, [q, v], vv);
    let is_common =
        arcs[0].is_none_or(|arc| arc.holds(normal)) && arcs[1].is_none_or(|arc| arc.holds(-normal));
    let is_nearly =
        |arc: &Option<Arc>, normal: Vec3| arc.is_none_or(|arc| arc.nearly_holds(normal, tuning::NEARLY));
    let nearly = spans && (is_common || is_nearly(&arcs[0], normal) && is_nearly(&arcs[1], -normal));
    let holds = spans
        && is_common
        && (gap >= 0.0
            || b.is_clear_until(points[0], -normal, -gap, &b.faces_of_edge(second.edge))
                && a.is_clear_until(points[1], normal, -gap, &a.faces_of_edge(first.edge)));
    ContactState { points, normal, gap, holds, nearly }
}

/// Whether a point of an edge's line, given by its parameter, is on the edge, its ends included; `square` is
/// that of the edge's length.
fn spans(parameter: f64, [start, along]: [Vec3; 2], square: f64) -> bool {
    if (0.0..=1.0).contains(&parameter) {
        return true;
    }
    let beyond = if parameter < 0.0 { -parameter } else { parameter - 1.0 };
    let tolerance = tuning::BORDER * (start.abs().max_element() + along.abs().max_element());
    beyond * beyond * square <= tolerance * tolerance
}

/// Two edges side by side: they meet along a line, in the middle of which the contact is. The normal is
/// across them, or, where they touch or have passed each other, midway between the bodies.
fn parallel_edges([p, u]: [Vec3; 2], [q, v]: [Vec3; 2], arcs: &[Option<Arc>; 2], way: Vec3) -> ContactState {
    let uu = u.length_squared();
    let level = |w: Vec3| w - (w.dot(u) / uu) * u;
    let is_common =
        |n: Vec3| arcs[0].is_none_or(|arc| arc.holds(n)) && arcs[1].is_none_or(|arc| arc.holds(-n));
    let away = level(q - p);
    // Edges nearer than rounding have no direction to each other.
    let rounding = ROUNDING * (p.abs().max_element() + q.abs().max_element() + uu.sqrt());
    let sure = away.try_normalize().filter(|&n| away.length() > rounding && is_common(n));
    let normal = sure.or(level(way).try_normalize()).or(away.try_normalize()).unwrap_or(Vec3::Z);
    // Beside each other, with a face between them, they keep nothing apart, whatever the normal.
    let is_behind =
        |arc: &Option<Arc>, v: Vec3| arc.is_none_or(|arc| arc.ends.iter().all(|n| n.dot(v) <= rounding));
    let have_met = sure.is_some()
        || away.length() <= rounding
        || is_behind(&arcs[0], away)
        || is_behind(&arcs[1], -away);
    // Where on the first edge the second begins and ends.
    let ends = [q, q + v].map(|end| (end - p).dot(u) / uu);
    let (from, to) = (ends[0].min(ends[1]).max(0.0), ends[0].max(ends[1]).min(1.0));
    let first = p + 0.5 * (from + to) * u;
    let gap = normal.dot(away);
    let holds = have_met && from <= to && is_common(normal);
    ContactState { points: [first, first + gap * normal], normal, gap, holds, nearly: holds }
}

impl<B: Bound> PlacedMesh<'_, B> {
    /// Whether the body has a feature; a key made for another body may name one that it has not.
    pub(super) fn has(&self, feature: Feature) -> bool {
        let soup = self.body.surface.soup();
        let (vertices, edges, faces) = match &self.body.surface {
            Surface::Solid(solid) => (solid.vertex_count(), solid.edge_count(), solid.face_count()),
            Surface::Soup(_) => (soup.points().len(), 3 * soup.triangles().len(), soup.triangles().len()),
        };
        match feature {
            Feature::Vertex(v) => (v as usize) < vertices,
            Feature::Edge(e) => (e as usize) < edges,
            Feature::Face(f) => (f as usize) < faces,
            Feature::Patch(_) => false,
        }
    }

    pub(super) fn point(&self, vertex: u32) -> Vec3 {
        self.pose.transform_point(self.body.surface.soup().points()[vertex as usize])
    }

    /// How little the unit vectors along the sides that leave a vertex go along a direction; `None` if one
    /// goes by less than `least`. Infinite in a soup, where nothing says what is around a vertex.
    pub(super) fn lowest_side(&self, vertex: u32, direction: Vec3, least: f64) -> Option<f64> {
        let Surface::Solid(solid) = &self.body.surface else { return Some(f64::INFINITY) };
        // One direction is turned into the body's frame, instead of all sides out of it.
        let direction = self.pose.rotation().conjugate() * direction;
        let at = solid.point(VertexId(vertex));
        solid.sides_of_vertex(VertexId(vertex)).try_fold(f64::INFINITY, |lowest: f64, side| {
            let along = solid.point(solid.start_of_side(side.next())) - at;
            let rise = along.normalize_or_zero().dot(direction);
            (rise >= least).then_some(lowest.min(rise))
        })
    }

    /// A point of a face's plane, and its unit normal.
    pub(super) fn plane(&self, face: u32) -> (Vec3, Vec3) {
        let soup = self.body.surface.soup();
        let (point, normal) = match &self.body.surface {
            Surface::Solid(solid) => {
                let plane = solid.plane(FaceId(face));
                // The point of the plane nearest to a corner of the face: nearer than the origin's foot, and
                // rounded less.
                let corner = solid
                    .triangles_of_face(FaceId(face))
                    .next()
                    .map_or(Vec3::ZERO, |t| soup.corners(t.index())[0]);
                (corner - plane.distance(corner) * plane.normal, plane.normal)
            }
            Surface::Soup(_) => {
                let corners = soup.corners(face as usize);
                (corners[0], across(&corners).normalize_or_zero())
            }
        };
        (self.pose.transform_point(point), self.pose.transform_vector(normal))
    }

    /// Whether a point of a face's plane is on the face, its border included: whether a line from it crosses
    /// the border an odd number of times.
    pub(super) fn is_over(&self, face: u32, at: Vec3) -> bool {
        let at = self.pose.inverse().transform_point(at);
        let normal = self.normal_in_body(face);
        // Drop the coordinate that the face faces most.
        let size = normal.abs();
        let flat = |p: Vec3| {
            if size.x >= size.y && size.x >= size.z {
                [p.y, p.z]
            } else if size.y >= size.z {
                [p.z, p.x]
            } else {
                [p.x, p.y]
            }
        };
        let here = flat(at);
        let tolerance = tuning::BORDER * (self.body.magnitude + at.abs().max_element());
        let mut is_inside = false;
        let mut side = |from: Vec3, to: Vec3| {
            let (along, off) = (to - from, at - from);
            let square = along.length_squared();
            // The side is no nearer than its line.
            if off.cross(along).length_squared() <= tolerance * tolerance * square {
                let nearest = from + (off.dot(along) / square).clamp(0.0, 1.0) * along;
                if nearest.distance_squared(at) <= tolerance * tolerance {
                    return true;
                }
            }
            let (p, q) = (flat(from), flat(to));
            if (p[1] > here[1]) != (q[1] > here[1]) {
                let crossing = p[0] + (here[1] - p[1]) / (q[1] - p[1]) * (q[0] - p[0]);
                is_inside ^= here[0] < crossing;
            }
            false
        };
        match &self.body.surface {
            Surface::Solid(solid) => {
                for side_of in solid.loops_of_face(FaceId(face)).flatten() {
                    let ends = [*side_of, side_of.next()].map(|s| solid.point(solid.start_of_side(s)));
                    if side(ends[0], ends[1]) {
                        return true;
                    }
                }
            }
            Surface::Soup(soup) => {
                let corners = soup.corners(face as usize);
                for k in 0..3 {
                    if side(corners[k], corners[(k + 1) % 3]) {
                        return true;
                    }
                }
            }
        }
        is_inside
    }

    fn normal_in_body(&self, face: u32) -> Vec3 {
        match &self.body.surface {
            Surface::Solid(solid) => solid.plane(FaceId(face)).normal,
            Surface::Soup(soup) => across(&soup.corners(face as usize)).normalize_or_zero(),
        }
    }

    /// Whether the vertex at an end of an edge can touch something itself.
    pub(super) fn can_touch_end(&self, edge: u32, end: usize) -> bool {
        match &self.body.surface {
            Surface::Solid(solid) => solid.is_extremal(solid.edge(EdgeId(edge)).vertices[end]),
            Surface::Soup(_) => true,
        }
    }

    /// An edge at the body's pose.
    pub(super) fn edge(&self, edge: u32) -> PlacedEdge {
        let (ends, arc) = match &self.body.surface {
            Surface::Solid(solid) => {
                let found = solid.edge(EdgeId(edge));
                let [start, end] = found.vertices.map(|v| solid.point(v));
                let turned = |v: Vec3| self.pose.transform_vector(v);
                let ends = found.faces.map(|face| turned(solid.plane(face).normal));
                let arc = Arc { axis: turned((end - start).normalize_or_zero()), ends };
                ([start, end], Some(arc))
            }
            Surface::Soup(soup) => {
                let corners = soup.corners((edge / 3) as usize);
                let k = (edge % 3) as usize;
                ([corners[k], corners[(k + 1) % 3]], None)
            }
        };
        let segment = [self.pose.transform_point(ends[0]), self.pose.transform_vector(ends[1] - ends[0])];
        PlacedEdge { edge, segment, arc }
    }

    /// The faces that meet at an edge.
    fn faces_of_edge(&self, edge: u32) -> [u32; 2] {
        match &self.body.surface {
            Surface::Solid(solid) => solid.edge(EdgeId(edge)).faces.map(|FaceId(face)| face),
            Surface::Soup(_) => [edge / 3; 2],
        }
    }

    /// Whether a line from a point meets nothing of this body before a distance but the faces at which it is
    /// to arrive. From a point in the material right under a face it meets the face first; from one that went
    /// round a thin part to its other side it does not.
    pub(super) fn is_clear_until(&self, from: Vec3, direction: Vec3, distance: f64, arrival: &[u32]) -> bool {
        let ray = Ray { origin: from, direction, reach: distance * (1.0 - tuning::DEPTH_SLACK) };
        // The direction is a unit vector and the point finite wherever the body's own points are.
        let Ok(Some(hit)) = cast_ray(self.body, &self.pose, &ray) else { return true };
        let face = match &self.body.surface {
            Surface::Solid(solid) => solid.face_of_triangle(hit.triangle).0,
            Surface::Soup(_) => hit.triangle.0,
        };
        hit.parameter <= distance * tuning::DEPTH_SLACK || arrival.contains(&face)
    }
}
