//! Finds the pairs: near enough, and able to meet.

use super::cache::{Candidate, ContactCache};
use super::facing::Facing;
use super::gauss::{Angle, arcs_meet};
use super::pair::{ContactKey, Over, PlacedEdge, PlacedMesh, edge_edge, middle, placed};
use super::tuning;
use super::{ContactOptions, ContactPair};
use crate::bounds::Bound;
use crate::duo::Duo;
use crate::feature::Feature;
use crate::front::{Front, Query, Unsettled};
use crate::hierarchy::{Hierarchy, Surface, Touching};
use crate::lanes::with_simd;
use crate::triangle::{TriangleFeature, closest_on_segments, closest_on_triangle};
use crate::within::near_triangles;
use silvia_solid::{Pose, Vec3};

/// Calls with the contacts among what the cache knows to be near; it is filled first where it is not about
/// these bodies here. Contacts that one nearer to them than `same`, m, implies are left out, unless that is
/// 0.
pub(super) fn search<B: Bound>(
    a: &Hierarchy<B>,
    pose_a: &Pose,
    b: &Hierarchy<B>,
    pose_b: &Pose,
    (options, same): (&ContactOptions, f64),
    cache: &mut ContactCache,
    mut found: impl FnMut(ContactPair),
) {
    let duo = Duo::new(a, pose_a, b, pose_b);
    let mut candidates = std::mem::take(&mut cache.candidates);
    let travelled = cache.travelled(a, b, &duo.b_in_a, options).unwrap_or_else(|| {
        let wants_front = cache.wants_front(a, b, options);
        let looked = cache.renew(a, b, &duo.b_in_a, options);
        let front = (wants_front && looked.reach == options.reach)
            .then(|| &mut **cache.front.get_or_insert_default());
        gather(&duo, [*pose_a, *pose_b], &looked, front, &mut candidates);
        0.0
    });
    let within = options.reach + travelled;
    let bodies = placed(a, pose_a, b, pose_b);
    let rounding = duo.rounding();
    let judge = Judge {
        bodies: &bodies,
        reach_squared: options.reach * options.reach,
        // On a path that bends with the turn, a point can rise over a plane and come down again by no more
        // than this.
        slack: options.reach * options.turn.min(1.0) + rounding,
        rounding,
        turn: Angle::new(options.turn),
    };
    // Candidates come in order, so that a face of several triangles comes several times.
    let (mut settled, mut edges) = (None, [PlacedEdges::NONE; 2]);
    let origin = middle(pose_a, pose_b);
    let corners = &mut cache.corners;
    corners.clear();
    for candidate in candidates.iter_mut().filter(|candidate| candidate.apart <= within) {
        if settled == Some(candidate.features)
            || same > 0.0 && corners.imply(&bodies, candidate.features, same)
        {
            continue;
        }
        match judge.contact(candidate, &mut edges) {
            Verdict::Contact(mut pair) => {
                corners.note(&bodies, pair.key.features, &pair.state);
                pair.state.points = pair.state.points.map(|p| p + origin);
                found(pair);
            }
            Verdict::Never => {}
            Verdict::Apart(distance) => {
                candidate.apart = distance - 2.0 * rounding + travelled;
                continue;
            }
        }
        settled = Some(candidate.features);
    }
    cache.candidates = candidates;
}

/// All vertices and triangles, and edges and edges, that are nearer than a reach and may face each other
/// after a turn, in the order of features. By a front, if there is one, else from the roots.
fn gather<B: Bound>(
    duo: &Duo<'_, B>,
    poses: [Pose; 2],
    looked: &ContactOptions,
    front: Option<&mut Front>,
    candidates: &mut Vec<Candidate>,
) {
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
    let near = front.and_then(|front| {
        let patches = [duo.a.patches(), duo.b.patches()];
        let mut near = Vec::new();
        let query = Query::within(patches, poses, looked.reach);
        front.settle(&query, |_| false, usize::MAX, &mut near, &mut 0).ok().map(|()| (patches, near))
    });
    if let Some((patches, near)) = near {
        for Unsettled { triangles, .. } in near {
            let [a, b] = [0, 1].map(|i| &patches[i].triangles[triangles[i] as usize]);
            gatherer.compare([a.id, b.id], [&a.corners, &duo.corners_of_b(b)], candidates);
        }
    } else {
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
    }
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
    /// The candidates of two triangles. Vertices and edges are looked at in the triangle that owns them,
    /// faces in each of theirs.
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

/// The edges of a body that were looked at last: most come again with another edge of the other body.
struct PlacedEdges([Option<(u32, PlacedEdge)>; 8]);

impl PlacedEdges {
    const NONE: PlacedEdges = PlacedEdges([const { None }; 8]);

    fn get<B: Bound>(&mut self, body: &PlacedMesh<'_, B>, edge: u32) -> &PlacedEdge {
        let PlacedEdges(known) = self;
        let place = &mut known[edge as usize % 8];
        if place.as_ref().is_none_or(|(known, _)| *known != edge) {
            *place = None;
        }
        &place.get_or_insert_with(|| (edge, body.edge(edge))).1
    }
}

/// What a candidate is.
enum Verdict {
    /// A contact.
    Contact(ContactPair),
    /// None, whichever triangle of its face is near.
    Never,
    /// At least so far apart that it is out of reach, m: of a face, perhaps another triangle is nearer.
    Apart(f64),
}

/// Decides what of the candidates is a contact.
struct Judge<'a, B: Bound> {
    bodies: &'a [PlacedMesh<'a, B>; 2],
    reach_squared: f64,
    slack: f64,
    /// Of coordinates, m.
    rounding: f64,
    turn: Angle,
}

impl<B: Bound> Judge<'_, B> {
    fn contact(&self, candidate: &Candidate, edges: &mut [PlacedEdges; 2]) -> Verdict {
        let [a, b] = self.bodies;
        match candidate.features {
            [Feature::Vertex(vertex), Feature::Face(face)] => {
                match self.vertex_face(candidate, a, vertex, b, face) {
                    Verdict::Contact(ContactPair { key, state }) => {
                        Verdict::Contact(ContactPair { key, state: state.mirrored() })
                    }
                    verdict => verdict,
                }
            }
            [Feature::Face(face), Feature::Vertex(vertex)] => self.vertex_face(candidate, b, vertex, a, face),
            [Feature::Edge(first), Feature::Edge(second)] => {
                let [of_a, of_b] = edges;
                self.edge_edge(candidate, of_a.get(a, first), of_b.get(b, second))
            }
            _ => Verdict::Never,
        }
    }

    /// As if the face's body were the first.
    fn vertex_face(
        &self,
        candidate: &Candidate,
        of_vertex: &PlacedMesh<'_, B>,
        vertex: u32,
        of_face: &PlacedMesh<'_, B>,
        face: u32,
    ) -> Verdict {
        let over = Over::new(of_vertex.point(vertex), of_face, face);
        let steepest = -(self.turn.sine + tuning::LEVEL);
        // A soup's triangle meets on whichever side the vertex is; where it is on the triangle, its body
        // tells.
        let is_soup = matches!(of_face.body.surface, Surface::Soup(_));
        let is_on_it = over.height.abs() <= self.rounding;
        let reversed = is_soup
            && if is_on_it {
                of_vertex.lowest_side(vertex, over.outward, steepest).is_none()
            } else {
                over.height < 0.0
            };
        // A triangle without area looks nowhere: its sides are met as edges.
        if !reversed && over.height < -self.slack || over.outward == Vec3::ZERO {
            return Verdict::Never;
        }
        let Some(lowest) = of_vertex.lowest_side(vertex, over.normal(reversed), steepest) else {
            return Verdict::Never;
        };
        let state = over.state(of_face, reversed, Some(lowest));
        // Over the face it is as near as it is high.
        let is_near = state.nearly && over.height * over.height <= self.reach_squared;
        if !is_near {
            let corners = of_face.body.surface.soup().corners(candidate.triangle as usize);
            let (nearest, _) =
                closest_on_triangle(over.at, &corners.map(|p| of_face.pose.transform_point(p)));
            let squared = nearest.distance_squared(over.at);
            if squared > self.reach_squared {
                return Verdict::Apart(squared.sqrt());
            }
        }
        Verdict::Contact(ContactPair { key: ContactKey { features: candidate.features, reversed }, state })
    }

    fn edge_edge(&self, candidate: &Candidate, first: &PlacedEdge, second: &PlacedEdge) -> Verdict {
        let ([p, u], [q, v]) = (first.segment, second.segment);
        let (s, t) = closest_on_segments(p, u, q, v);
        let squared = (p + s * u).distance_squared(q + t * v);
        if squared > self.reach_squared {
            return Verdict::Apart(squared.sqrt());
        }
        let state = |reversed: bool| {
            let [a, b] = self.bodies;
            edge_edge([(a, first), (b, second)], reversed)
        };
        let reversed = match (first.arc, second.arc) {
            (Some(of_a), Some(of_b)) if !arcs_meet(&of_a, &of_b.opposite(), &self.turn) => {
                return Verdict::Never;
            }
            (None, None) => state(false).gap < 0.0,
            _ => false,
        };
        let key = ContactKey { features: candidate.features, reversed };
        Verdict::Contact(ContactPair { key, state: state(reversed) })
    }
}
