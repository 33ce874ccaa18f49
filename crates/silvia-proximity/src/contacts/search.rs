//! Finds the pairs: near enough, and able to meet.

use super::gauss::{Angle, arcs_meet};
use super::pair::{ContactKey, Placed, middle, placed, state};
use super::{ContactOptions, ContactPair};
use crate::bounds::Bound;
use crate::duo::Duo;
use crate::feature::Feature;
use crate::hierarchy::{Hierarchy, Surface};
use crate::lanes::with_simd;
use crate::triangle::{TriangleFeature, closest_on_segments, closest_on_triangle};
use crate::within::{near_triangles, owned_edge, owned_vertex};
use silvia_solid::{EdgeClass, EdgeId, Pose, VertexId};
use std::collections::HashSet;

pub(super) fn search<B: Bound>(
    a: &Hierarchy<B>,
    pose_a: &Pose,
    b: &Hierarchy<B>,
    pose_b: &Pose,
    options: &ContactOptions,
) -> Vec<ContactPair> {
    let bodies = placed(a, pose_a, b, pose_b);
    let mut found = Found {
        bodies: &bodies,
        reach_squared: options.reach * options.reach,
        // On a path that bends with the turn, a point can rise over a plane and come down again by no more than this.
        slack: options.reach * options.turn.min(1.0) + f64::EPSILON * (a.magnitude + b.magnitude),
        turn: Angle::new(options.turn),
        seen: HashSet::new(),
        pairs: Vec::new(),
    };
    let duo = Duo::new(a, pose_a, b, pose_b);
    with_simd(
        #[inline(always)]
        || {
            near_triangles(
                &duo,
                options.reach,
                #[inline(always)]
                |ids, _| found.compare(ids),
            );
        },
    );
    let mut pairs = found.pairs;
    pairs.sort_unstable_by_key(|pair| pair.key);
    let origin = middle(pose_a, pose_b);
    for pair in &mut pairs {
        pair.state.points = pair.state.points.map(|p| p + origin);
    }
    pairs
}

struct Found<'a, B: Bound> {
    bodies: &'a [Placed<'a, B>; 2],
    reach_squared: f64,
    slack: f64,
    turn: Angle,
    /// Pairs that have been looked at and need not be again.
    seen: HashSet<[Feature; 2]>,
    pairs: Vec<ContactPair>,
}

impl<B: Bound> Found<'_, B> {
    /// The pairs of two triangles. Vertices and edges are looked at in the triangle that owns them, faces in each of theirs.
    fn compare(&mut self, ids: [u32; 2]) {
        let surfaces = [0, 1].map(|i| &self.bodies[i].body.surface);
        let corners = [0, 1].map(|i| {
            surfaces[i].soup().corners(ids[i] as usize).map(|p| self.bodies[i].pose.transform_point(p))
        });
        for (with_vertex, with_face) in [(0, 1), (1, 0)] {
            let face = Feature::of(surfaces[with_face], ids[with_face], TriangleFeature::Face);
            for (k, &p) in corners[with_vertex].iter().enumerate() {
                let Some(vertex) = touching_vertex(surfaces[with_vertex], ids[with_vertex], k) else {
                    continue;
                };
                let (nearest, _) = closest_on_triangle(p, &corners[with_face]);
                if nearest.distance_squared(p) <= self.reach_squared {
                    let features = if with_vertex == 0 { [vertex, face] } else { [face, vertex] };
                    self.vertex_face(features, with_vertex);
                }
            }
        }
        for i in 0..3 {
            let Some(first) = touching_edge(surfaces[0], ids[0], i) else { continue };
            let (p, u) = (corners[0][i], corners[0][(i + 1) % 3] - corners[0][i]);
            for j in 0..3 {
                let Some(second) = touching_edge(surfaces[1], ids[1], j) else { continue };
                let (q, v) = (corners[1][j], corners[1][(j + 1) % 3] - corners[1][j]);
                let (s, t) = closest_on_segments(p, u, q, v);
                if (p + s * u).distance_squared(q + t * v) <= self.reach_squared {
                    self.edge_edge([first, second]);
                }
            }
        }
    }

    fn vertex_face(&mut self, features: [Feature; 2], with_vertex: usize) {
        if !self.seen.insert(features) {
            return;
        }
        let (Feature::Vertex(vertex), Feature::Face(face)) =
            (features[with_vertex], features[1 - with_vertex])
        else {
            return;
        };
        let (of_vertex, of_face) = (&self.bodies[with_vertex], &self.bodies[1 - with_vertex]);
        let (on_plane, normal) = of_face.plane(face);
        let height = normal.dot(of_vertex.point(vertex) - on_plane);
        // A soup's triangle meets on whichever side the vertex is.
        let reversed = matches!(of_face.body.surface, Surface::Soup(_)) && height < 0.0;
        if !reversed && height < -self.slack {
            return;
        }
        let outward = if reversed { -normal } else { normal };
        if of_vertex.sides(vertex).iter().all(|side| side.dot(outward) >= -self.turn.sine) {
            self.add(ContactKey { features, reversed });
        }
    }

    fn edge_edge(&mut self, features: [Feature; 2]) {
        let [Feature::Edge(first), Feature::Edge(second)] = features else { return };
        if !self.seen.insert(features) {
            return;
        }
        let [a, b] = self.bodies;
        let arcs = (a.arc(first), b.arc(second));
        let mut key = ContactKey { features, reversed: false };
        match arcs {
            (Some(of_a), Some(of_b)) if !arcs_meet(&of_a, &of_b.opposite(), &self.turn) => return,
            (None, None) => key.reversed = state(self.bodies, &key).gap < 0.0,
            _ => {}
        }
        self.add(key);
    }

    fn add(&mut self, key: ContactKey) {
        self.pairs.push(ContactPair { key, state: state(self.bodies, &key) });
    }
}

/// The vertex at a corner, if this triangle owns it and it can touch a face.
fn touching_vertex(surface: &Surface, triangle: u32, corner: usize) -> Option<Feature> {
    let vertex = owned_vertex(surface, triangle, corner)?;
    match (surface, vertex) {
        (Surface::Solid(solid), Feature::Vertex(id)) if !solid.is_extremal(VertexId(id)) => None,
        _ => Some(vertex),
    }
}

/// The edge at a side, if this triangle owns it and it can touch an edge.
fn touching_edge(surface: &Surface, triangle: u32, side: usize) -> Option<Feature> {
    let edge = owned_edge(surface, triangle, side)?;
    match (surface, edge) {
        (Surface::Solid(solid), Feature::Edge(id)) if solid.edge(EdgeId(id)).class != EdgeClass::Convex => {
            None
        }
        _ => Some(edge),
    }
}
