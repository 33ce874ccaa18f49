//! Finds the pairs: near enough, and able to meet.

use super::cache::{Candidate, ContactCache};
use super::facing::Facing;
use super::gauss::{Angle, LEVEL, arcs_meet};
use super::pair::{ContactKey, Placed, middle, placed, state};
use super::{ContactOptions, ContactPair};
use crate::bounds::Bound;
use crate::duo::Duo;
use crate::feature::Feature;
use crate::hierarchy::{Hierarchy, Surface, Touching};
use crate::lanes::with_simd;
use crate::triangle::{TriangleFeature, closest_on_segments, closest_on_triangle};
use crate::within::near_triangles;
use silvia_solid::{Pose, Vec3};

/// The contacts among what the cache knows to be near; it is filled first where it is not about these bodies here.
pub(super) fn search<B: Bound>(
    a: &Hierarchy<B>,
    pose_a: &Pose,
    b: &Hierarchy<B>,
    pose_b: &Pose,
    options: &ContactOptions,
    cache: &mut ContactCache,
) -> Vec<ContactPair> {
    let duo = Duo::new(a, pose_a, b, pose_b);
    let mut candidates = std::mem::take(&mut cache.candidates);
    let travelled = cache.travelled(a, b, &duo.b_in_a, options).unwrap_or_else(|| {
        let looked = cache.renew(a, b, &duo.b_in_a, options);
        gather(&duo, &looked, &mut candidates);
        0.0
    });
    let within = options.reach + travelled;
    let bodies = placed(a, pose_a, b, pose_b);
    let rounding = duo.rounding();
    let judge = Judge {
        bodies: &bodies,
        reach_squared: options.reach * options.reach,
        // On a path that bends with the turn, a point can rise over a plane and come down again by no more than this.
        slack: options.reach * options.turn.min(1.0) + rounding,
        rounding,
        turn: Angle::new(options.turn),
    };
    let mut pairs: Vec<ContactPair> = Vec::new();
    let origin = middle(pose_a, pose_b);
    for candidate in candidates.iter_mut().filter(|candidate| candidate.apart <= within) {
        // A face of several triangles is found near by several.
        if pairs.last().is_some_and(|last| last.key.features == candidate.features) {
            continue;
        }
        match judge.judged(candidate) {
            Judged::Contact(key) => {
                let mut state = state(&bodies, &key);
                state.points = state.points.map(|p| p + origin);
                pairs.push(ContactPair { key, state });
            }
            Judged::Apart(distance) => candidate.apart = distance - 2.0 * rounding + travelled,
            Judged::Averted => {}
        }
    }
    cache.candidates = candidates;
    pairs
}

/// All vertices and triangles, and edges and edges, that are nearer than a reach and may face each other after a turn, in the order of
/// features.
fn gather<B: Bound>(duo: &Duo<'_, B>, looked: &ContactOptions, candidates: &mut Vec<Candidate>) {
    candidates.clear();
    let rounding = duo.rounding();
    // What is a little too far is left to the judge.
    let limit = looked.reach + rounding;
    let facing = Facing::new(duo, looked.turn);
    let gatherer = Gatherer {
        surfaces: [&duo.a.surface, &duo.b.surface],
        touching: [duo.a.touching(), duo.b.touching()],
        limit_squared: limit * limit,
        rounding,
        facing: &facing,
    };
    with_simd(
        #[inline(always)]
        || {
            near_triangles(
                duo,
                looked.reach,
                #[inline(always)]
                |ids, corners| gatherer.compare(ids, corners, candidates),
            );
        },
    );
    candidates.sort_unstable_by_key(|candidate| (candidate.features, candidate.triangle));
}

/// Decides what becomes a candidate.
struct Gatherer<'a> {
    surfaces: [&'a Surface; 2],
    /// By the numbers of triangles.
    touching: [&'a [Touching]; 2],
    limit_squared: f64,
    /// Of coordinates, m.
    rounding: f64,
    facing: &'a Facing<'a>,
}

impl Gatherer<'_> {
    /// The candidates of two triangles. Vertices and edges are looked at in the triangle that owns them, faces in each of theirs.
    fn compare(&self, ids: [u32; 2], corners: [&[Vec3; 3]; 2], candidates: &mut Vec<Candidate>) {
        let touching = [0, 1].map(|i| &self.touching[i][ids[i] as usize]);
        let apart = |squared: f64| squared.sqrt() - 2.0 * self.rounding;
        for (with_vertex, with_face) in [(0, 1), (1, 0)] {
            for (k, &p) in corners[with_vertex].iter().enumerate() {
                let Some(vertex) = touching[with_vertex].corner(k) else { continue };
                let squared = closest_on_triangle(p, corners[with_face]).0.distance_squared(p);
                if squared > self.limit_squared {
                    continue;
                }
                let triangle = ids[with_face];
                let face = Feature::of(self.surfaces[with_face], triangle, TriangleFeature::Face);
                if self.facing.vertex_face(with_vertex, vertex, face) {
                    let features = if with_vertex == 0 { [vertex, face] } else { [face, vertex] };
                    candidates.push(Candidate { features, triangle, apart: apart(squared) });
                }
            }
        }
        for i in 0..3 {
            let Some(first) = touching[0].side(i) else { continue };
            let (p, u) = (corners[0][i], corners[0][(i + 1) % 3] - corners[0][i]);
            for j in 0..3 {
                let Some(second) = touching[1].side(j) else { continue };
                let (q, v) = (corners[1][j], corners[1][(j + 1) % 3] - corners[1][j]);
                let (s, t) = closest_on_segments(p, u, q, v);
                let squared = (p + s * u).distance_squared(q + t * v);
                if squared <= self.limit_squared && self.facing.edges(first, second) {
                    let features = [first, second];
                    candidates.push(Candidate { features, triangle: ids[0], apart: apart(squared) });
                }
            }
        }
    }
}

/// Decides what of the candidates is a contact.
struct Judge<'a, B: Bound> {
    bodies: &'a [Placed<'a, B>; 2],
    reach_squared: f64,
    slack: f64,
    /// Of coordinates, m.
    rounding: f64,
    turn: Angle,
}

/// What a candidate is.
enum Judged {
    Contact(ContactKey),
    /// At least so far apart that it is out of reach, m.
    Apart(f64),
    /// The features do not face each other.
    Averted,
}

impl<B: Bound> Judge<'_, B> {
    fn judged(&self, candidate: &Candidate) -> Judged {
        let [a, b] = self.bodies;
        match candidate.features {
            [Feature::Vertex(vertex), Feature::Face(face)] => self.vertex_face(candidate, a, vertex, b, face),
            [Feature::Face(face), Feature::Vertex(vertex)] => self.vertex_face(candidate, b, vertex, a, face),
            [Feature::Edge(first), Feature::Edge(second)] => self.edge_edge(candidate, first, second),
            _ => Judged::Averted,
        }
    }

    fn vertex_face(
        &self,
        candidate: &Candidate,
        of_vertex: &Placed<'_, B>,
        vertex: u32,
        of_face: &Placed<'_, B>,
        face: u32,
    ) -> Judged {
        let at = of_vertex.point(vertex);
        let (on_plane, normal) = of_face.plane(face);
        let height = normal.dot(at - on_plane);
        // A soup's triangle meets on whichever side the vertex is; where it is on the triangle, its body tells.
        let is_soup = matches!(of_face.body.surface, Surface::Soup(_));
        let is_on_it = height.abs() <= self.rounding;
        let reversed = is_soup
            && if is_on_it {
                !of_vertex.all_sides(vertex, |side| side.dot(normal) >= -(self.turn.sine + LEVEL))
            } else {
                height < 0.0
            };
        // A triangle without area looks nowhere: its sides are met as edges.
        if !reversed && height < -self.slack || normal == Vec3::ZERO {
            return Judged::Averted;
        }
        let corners = of_face.body.surface.soup().corners(candidate.triangle as usize);
        let (nearest, _) = closest_on_triangle(at, &corners.map(|p| of_face.pose.transform_point(p)));
        let squared = nearest.distance_squared(at);
        if squared > self.reach_squared {
            return Judged::Apart(squared.sqrt());
        }
        let outward = if reversed { -normal } else { normal };
        if of_vertex.all_sides(vertex, |side| side.dot(outward) >= -(self.turn.sine + LEVEL)) {
            Judged::Contact(ContactKey { features: candidate.features, reversed })
        } else {
            Judged::Averted
        }
    }

    fn edge_edge(&self, candidate: &Candidate, first: u32, second: u32) -> Judged {
        let [a, b] = self.bodies;
        let ([p, u], [q, v]) = (a.segment(first), b.segment(second));
        let (s, t) = closest_on_segments(p, u, q, v);
        let squared = (p + s * u).distance_squared(q + t * v);
        if squared > self.reach_squared {
            return Judged::Apart(squared.sqrt());
        }
        let mut key = ContactKey { features: candidate.features, reversed: false };
        match (a.arc(first), b.arc(second)) {
            (Some(of_a), Some(of_b)) if !arcs_meet(&of_a, &of_b.opposite(), &self.turn) => {
                return Judged::Averted;
            }
            (None, None) => key.reversed = state(self.bodies, &key).gap < 0.0,
            _ => {}
        }
        Judged::Contact(key)
    }
}
