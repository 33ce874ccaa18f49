//! Which features of two bodies can come to face each other by a small turn: most near ones cannot, and need
//! not be looked at again.
//!
//! Never stricter than the judge of contacts, which asks the same at each pose with its own roundings: what
//! is left out here is no contact until the bodies have turned by more than was allowed for.

use super::gauss::{Angle, Arc, arcs_meet};
use crate::bounds::Bound;
use crate::contacts::tuning;
use crate::duo::Duo;
use crate::feature::Feature;
use crate::hierarchy::Surface;
use silvia_solid::{EdgeId, FaceId, Mat3, Vec3, VertexId};

/// Two bodies, the second seen in the frame of the first.
pub(super) struct Facing<'a> {
    surfaces: [&'a Surface; 2],
    /// From the frame of the second to that of the first.
    rotation: Mat3,
    /// By how much they may turn, with something to spare, rad; `None` if so far that nothing can be said.
    turn: Option<f64>,
    angle: Angle,
}

impl<'a> Facing<'a> {
    pub(super) fn new<B: Bound>(duo: &Duo<'a, B>, turn: f64) -> Facing<'a> {
        let turn = turn + tuning::FACING_SPARE;
        Facing {
            surfaces: [&duo.a.surface, &duo.b.surface],
            rotation: duo.b_in_a.matrix(),
            turn: (turn <= tuning::LARGEST_TURN).then_some(turn),
            angle: Angle::new(turn),
        }
    }

    /// Whether a vertex of one body (0 or 1) may stick out towards a face of the other: no side that leaves
    /// the vertex goes behind the face by more than the turn.
    pub(super) fn vertex_face(&self, of_vertex: usize, vertex: Feature, face: Feature) -> bool {
        let (Some(turn), Feature::Vertex(vertex), Feature::Face(face)) = (self.turn, vertex, face) else {
            return true;
        };
        let (Surface::Solid(with_vertex), Surface::Solid(with_face)) =
            (self.surfaces[of_vertex], self.surfaces[1 - of_vertex])
        else {
            return true;
        };
        let normal = with_face.plane(FaceId(face)).normal;
        let normal = if of_vertex == 0 { self.rotation * normal } else { self.rotation.transpose() * normal };
        let at = with_vertex.point(VertexId(vertex));
        with_vertex.sides_of_vertex(VertexId(vertex)).all(|side| {
            let along = with_vertex.point(with_vertex.start_of_side(side.next())) - at;
            along.dot(normal) >= -turn * along.length()
        })
    }

    /// Whether an edge of each may have a normal in common.
    pub(super) fn edges(&self, first: Feature, second: Feature) -> bool {
        let (Some(turn), Feature::Edge(first), Feature::Edge(second)) = (self.turn, first, second) else {
            return true;
        };
        let (Some(a), Some(b)) = (arc(self.surfaces[0], first), arc(self.surfaces[1], second)) else {
            return true;
        };
        let turned = |v: Vec3| -(self.rotation * v);
        let b = Arc { axis: self.rotation * b.axis, ends: b.ends.map(turned) };
        let is_flat =
            |arc: &Arc| arc.ends[0].distance_squared(arc.ends[1]) < tuning::FACING_FLAT * tuning::FACING_FLAT;
        let least = tuning::FACING_PARALLEL + turn;
        a.axis.cross(b.axis).length_squared() < least * least
            || is_flat(&a)
            || is_flat(&b)
            || arcs_meet(&a, &b, &self.angle)
    }
}

/// The normals of planes that touch a solid at an edge alone, in its frame.
fn arc(surface: &Surface, edge: u32) -> Option<Arc> {
    let Surface::Solid(solid) = surface else { return None };
    let found = solid.edge(EdgeId(edge));
    let [start, end] = found.vertices.map(|v| solid.point(v));
    let ends = found.faces.map(|face| solid.plane(face).normal);
    Some(Arc { axis: (end - start).normalize_or_zero(), ends })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::pair::PlacedMesh;
    use super::*;
    use crate::bounds::Obb;
    use crate::hierarchy::Hierarchy;
    use seeded::Random;
    use silvia_solid::primitives::{extrusion, torus};
    use silvia_solid::{Pose, Quat, Solid};

    /// What the judge of contacts asks at a turn that is allowed for.
    fn judge_would_refuse(bodies: &[PlacedMesh<'_, Obb>; 2], features: [Feature; 2], turn: f64) -> bool {
        let angle = Angle::new(turn);
        let sticks_out = |of_vertex: usize, vertex: u32, face: u32| {
            let (_, normal) = bodies[1 - of_vertex].plane(face);
            bodies[of_vertex].lowest_side(vertex, normal, -(angle.sine + tuning::LEVEL)).is_some()
        };
        !match features {
            [Feature::Vertex(v), Feature::Face(f)] => sticks_out(0, v, f),
            [Feature::Face(f), Feature::Vertex(v)] => sticks_out(1, v, f),
            [Feature::Edge(e), Feature::Edge(f)] => {
                arcs_meet(&bodies[0].edge(e).arc.unwrap(), &bodies[1].edge(f).arc.unwrap().opposite(), &angle)
            }
            _ => false,
        }
    }

    #[test]
    fn what_is_left_out_faces_nothing_after_any_turn_that_was_allowed_for() {
        let profile = [[0., 0.], [1., 0.], [1., 0.4], [0.4, 0.4], [0.4, 1.], [0., 1.]];
        let bracket: Hierarchy<Obb> =
            Hierarchy::new(Solid::from_soup(&extrusion(&profile, &[], 0.5).unwrap()).unwrap());
        let ring: Hierarchy<Obb> = Hierarchy::new(Solid::from_soup(&torus(0.5, 0.2, 8, 5).unwrap()).unwrap());
        let mut random = Random::new(7);
        let (mut left_out, mut kept) = (0, 0);
        for number in 0..40 {
            let turn = [0.0, 1e-3, 0.05, 0.3][number % 4];
            let pose = |random: &mut Random| {
                Pose::new(random.vector(1.0), Quat::from_scaled_axis(3.0 * random.vector(1.0))).unwrap()
            };
            // Some lie along each other's axes, where normals are shared to rounding.
            let [pose_a, pose_b] =
                if number % 5 == 0 { [Pose::IDENTITY; 2] } else { [0, 1].map(|_| pose(&mut random)) };
            let facing = Facing::new(&Duo::new(&bracket, &pose_a, &ring, &pose_b), turn);
            for (i, of_a) in bracket.touching().iter().enumerate() {
                for (j, of_b) in ring.touching().iter().enumerate() {
                    let faces = [(&bracket, i), (&ring, j)].map(|(body, t)| {
                        Feature::of(&body.surface, t as u32, crate::triangle::TriangleFeature::Face)
                    });
                    let edges = (0..3).flat_map(|k| (0..3).map(move |l| [of_a.side(k), of_b.side(l)]));
                    let corners = (0..3)
                        .flat_map(|k| [[of_a.corner(k), Some(faces[1])], [Some(faces[0]), of_b.corner(k)]]);
                    for features in edges.chain(corners) {
                        let [Some(first), Some(second)] = features else { continue };
                        let may_face = match (first, second) {
                            (Feature::Edge(_), _) => facing.edges(first, second),
                            (Feature::Vertex(_), _) => facing.vertex_face(0, first, second),
                            _ => facing.vertex_face(1, second, first),
                        };
                        if may_face {
                            kept += 1;
                            continue;
                        }
                        left_out += 1;
                        // All of the turn used up by the bodies, none of it, and half.
                        let share = [0.0, 0.5, 1.0][left_out % 3];
                        let by = Quat::from_axis_angle(random.vector(1.0).normalize(), share * turn);
                        let there = Pose::new(pose_b.translation(), by * pose_b.rotation()).unwrap();
                        let bodies = [
                            PlacedMesh { body: &bracket, pose: pose_a },
                            PlacedMesh { body: &ring, pose: there },
                        ];
                        let rest = (1.0 - share) * turn;
                        assert!(judge_would_refuse(&bodies, [first, second], rest), "{first:?} {second:?}");
                    }
                }
            }
        }
        assert!(left_out > 3 * kept && kept > 1000, "{left_out} left out, {kept} kept");
    }
}
