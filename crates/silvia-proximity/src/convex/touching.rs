//! Whether two bodies that share a point only touch there.
//!
//! Bodies are convex, so a plane through a common point that has them on its two sides near the point has
//! them there everywhere. Near the point a body is a cone; two cones can be parted exactly if a face of one
//! of them does it, or a plane along an edge of each.

use super::ConvexData;
use super::frames::{HullFeature, Two};
use super::query::{LEVEL, ROUNDING};
use super::witness::FeatureWitness;
use silvia_solid::Vec3;

/// The features at which the bodies touch, given a point that both have; nothing if no plane has them on its
/// two sides, within rounding.
pub(crate) fn touching(two: &Two<'_>, found: &FeatureWitness) -> Option<[HullFeature; 2]> {
    let near = ROUNDING * two.reach();
    let at = [found.points[0], two.into(1, found.points[0])];
    let place = |i: usize| two.body[i].place(found.parts[i], at[i], near);
    let (first, second) = (place(0)?, place(1)?);
    let (a, b) = (Cone::at(two.body[0], first), Cone::at(two.body[1], second).turned(|d| two.turn(0, d)));

    let parts =
        |n: Vec3| a.sides.iter().all(|s| s.dot(n) <= LEVEL) && b.sides.iter().all(|s| s.dot(n) >= -LEVEL);
    let by_face = || a.normals.iter().any(|&n| parts(n)) || b.normals.iter().any(|&n| parts(-n));
    let across = |u: Vec3, v: Vec3| u.cross(v).try_normalize().is_some_and(|n| parts(n) || parts(-n));
    let by_edges = || a.edges.iter().any(|&u| b.edges.iter().any(|&v| across(u, v)));
    (by_face() || by_edges()).then_some([first, second])
}

/// A body near one of its points: unit directions.
struct Cone {
    /// They span it.
    sides: Vec<Vec3>,
    /// Its edges.
    edges: Vec<Vec3>,
    /// Outward normals of its faces.
    normals: Vec<Vec3>,
}

impl Cone {
    fn at(body: &ConvexData, part: HullFeature) -> Cone {
        let normal = |f: u32| body.planes[f as usize].normal;
        match part {
            HullFeature::Vertex(v) => {
                let edges: Vec<Vec3> = body.spokes_of(v).iter().map(|s| s.plane.normal).collect();
                // Each face at the vertex is on the left of one of its edges as it leaves the vertex.
                let left = |edge: &super::Ridge| edge.faces[usize::from(edge.ends[0] != v)];
                let around = body.spokes_of(v).iter().map(|s| left(&body.edges[s.edge as usize]));
                Cone { normals: around.map(normal).collect(), sides: edges.clone(), edges }
            }
            HullFeature::Edge(e) => {
                let edge = &body.edges[e as usize];
                let [left, right] = edge.face_planes.map(|plane| plane.normal);
                Cone {
                    sides: vec![edge.direction, -edge.direction, left, right],
                    edges: vec![edge.direction],
                    normals: edge.faces.map(normal).to_vec(),
                }
            }
            HullFeature::Face(f) => {
                let (u, v) = normal(f).any_orthonormal_pair();
                Cone { sides: vec![u, -u, v, -v, -normal(f)], edges: Vec::new(), normals: vec![normal(f)] }
            }
        }
    }

    fn turned(self, turn: impl Fn(Vec3) -> Vec3) -> Cone {
        let all = |list: Vec<Vec3>| list.into_iter().map(&turn).collect();
        Cone { sides: all(self.sides), edges: all(self.edges), normals: all(self.normals) }
    }
}

impl ConvexData {
    /// The lowest feature that a point is on, within a distance, given one that it is on or inside of;
    /// nothing if the point is deeper inside.
    fn place(&self, part: HullFeature, point: Vec3, near: f64) -> Option<HullFeature> {
        match part {
            HullFeature::Vertex(_) => Some(part),
            HullFeature::Edge(e) => {
                let edge = &self.edges[e as usize];
                let end = (0..2).find(|&end| edge.points[end].distance(point) <= near);
                Some(end.map_or(part, |end| HullFeature::Vertex(edge.ends[end])))
            }
            HullFeature::Face(f) => {
                let face = if self.is_near(f, point, near) { f } else { self.surface_at(f, point, near)? };
                let rim = self.rims_of(face).iter().find(|rim| rim.plane.distance(point).abs() <= near);
                rim.map_or(Some(HullFeature::Face(face)), |rim| {
                    self.place(HullFeature::Edge(rim.edge), point, near)
                })
            }
        }
    }

    fn is_near(&self, face: u32, point: Vec3, near: f64) -> bool {
        self.planes[face as usize].distance(point).abs() <= near
    }

    /// The face that a point is on, though it would leave by another; nothing if the point is deeper inside.
    fn surface_at(&self, exit: u32, point: Vec3, near: f64) -> Option<u32> {
        // A point that is `near` a face of height h over the centre has a ratio of at least 1 - near / h.
        let depth = -self.planes[exit as usize].distance(point) * self.steepness[exit as usize];
        let steepest = self.steepness.iter().copied().fold(0.0, f64::max);
        if depth > near * steepest {
            return None;
        }
        (0..self.planes.len() as u32).find(|&face| self.is_near(face, point, near))
    }
}
