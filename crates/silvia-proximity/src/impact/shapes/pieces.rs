//! The features of a shape as shapes of their own, and which of the features of two shapes can meet first.
//!
//! Flat-faced shapes meet vertex on face or edge on edge. A round one meets vertices and edges with its whole
//! surface, and faces with what of it can be lowest over a plane: its ends, as the contacts of shapes have
//! them.

use crate::contacts::{end, ends, is_one_feature, rim, whole};
use crate::convex::Convex;
use crate::feature::Feature;
use crate::shape::{Cuboid, Cylinder, Mesh, Point, Segment, Shape, Sphere, Triangle, of_box, triangles_near};
use crate::triangle::TriangleFeature;
use silvia_solid::{Aabb, Pose, Vec3};
use std::collections::BTreeMap;

/// A feature of a shape, as a shape.
pub(super) struct FeaturePiece {
    pub(super) shape: Shape,
    /// In the frame of the shape that it is of.
    pub(super) pose: Pose,
    names: Names,
}

/// What the features of a piece are called as features of the shape that it is of.
enum Names {
    One(Feature),
    /// Of the corners and sides of a triangle or segment, and of what is between.
    Corners {
        vertices: [Feature; 3],
        sides: [Feature; 3],
        inner: Feature,
    },
    /// The number of a flat round end.
    Disc(u32),
    /// The whole shape: as they are.
    Own,
}

/// The features of a shape that are near another one.
pub(super) enum FeaturePieces {
    Flat { vertices: Vec<FeaturePiece>, edges: Vec<FeaturePiece>, faces: Vec<FeaturePiece> },
    Round { whole: FeaturePiece, ends: Vec<FeaturePiece> },
    Unbounded(FeaturePiece),
}

/// The shape that another one comes near to, in the frame of that one.
pub(super) struct OtherShape<'a> {
    pub(super) shape: &'a Shape,
    pub(super) pose: Pose,
    /// No point is farther from the origin of its frame, m.
    pub(super) reach: f64,
}

impl FeaturePieces {
    /// Those of a part that is no compound.
    pub(super) fn of(shape: &Shape, other: &OtherShape<'_>) -> FeaturePieces {
        match shape {
            Shape::Box(cuboid) => Flat::of_box(cuboid).pieces(other),
            Shape::Triangle(triangle) => Flat::of_polygon(&triangle.corners).pieces(other),
            Shape::Polygon(polygon) => Flat::of_polygon(&polygon.corners).pieces(other),
            Shape::Convex(convex) => Flat::of_convex(convex).pieces(other),
            Shape::Solid(mesh) | Shape::Soup(mesh) => Flat::of_mesh(mesh, other).pieces(other),
            Shape::HalfSpace(_) | Shape::Cavity(_) => FeaturePieces::Unbounded(FeaturePiece::whole(shape)),
            Shape::Point(_)
            | Shape::Segment(_)
            | Shape::Sphere(_)
            | Shape::Cylinder(_)
            | Shape::Cone(_)
            | Shape::Capsule(_)
            | Shape::Ellipsoid(_)
            | Shape::Compound(_) => {
                let ends = ends(shape).map(|feature| FeaturePiece::end(shape, feature)).collect();
                FeaturePieces::Round { whole: FeaturePiece::whole(shape), ends }
            }
        }
    }

    /// What can be lowest over a plane, or farthest from the centre of a cavity.
    fn lows(&self) -> &[FeaturePiece] {
        match self {
            FeaturePieces::Flat { vertices, .. } => vertices,
            FeaturePieces::Round { whole, ends } if ends.is_empty() => std::slice::from_ref(whole),
            FeaturePieces::Round { ends, .. } => ends,
            FeaturePieces::Unbounded(whole) => std::slice::from_ref(whole),
        }
    }
}

/// Which pieces can meet: each of the first with each of the second of every group. Faces meet round shapes
/// first with their ends; where shapes overlap already, with any part of them.
pub(super) fn groups<'p>(
    a: &'p FeaturePieces,
    b: &'p FeaturePieces,
    overlap: bool,
) -> Vec<[&'p [FeaturePiece]; 2]> {
    use FeaturePieces::{Flat, Round, Unbounded};
    let one = std::slice::from_ref::<FeaturePiece>;
    let low =
        |pieces: &'p FeaturePieces, whole: &'p FeaturePiece| if overlap { one(whole) } else { pieces.lows() };
    match (a, b) {
        (Flat { vertices, edges, faces }, Flat { vertices: v, edges: e, faces: f }) => {
            vec![[vertices, f], [faces, v], [edges, e]]
        }
        (Flat { vertices, edges, faces }, Round { whole, .. }) => {
            vec![[vertices, one(whole)], [edges, one(whole)], [faces, low(b, whole)]]
        }
        (Round { whole, .. }, Flat { vertices, edges, faces }) => {
            vec![[one(whole), vertices], [one(whole), edges], [low(a, whole), faces]]
        }
        (Round { whole, ends }, Round { whole: w, ends: e }) => {
            vec![[one(whole), one(w)], [ends, one(w)], [one(whole), e]]
        }
        (Unbounded(_), _) | (_, Unbounded(_)) => vec![[a.lows(), b.lows()]],
    }
}

impl FeaturePiece {
    fn whole(shape: &Shape) -> FeaturePiece {
        let names = if is_one_feature(shape) { Names::One(whole(shape)) } else { Names::Own };
        FeaturePiece { shape: shape.clone(), pose: Pose::IDENTITY, names }
    }

    /// An end of a round shape.
    fn end(shape: &Shape, feature: Feature) -> FeaturePiece {
        let place = |at: Vec3, shape, names| FeaturePiece { shape, pose: Pose::IDENTITY.moved(at), names };
        match (end(shape, feature), feature) {
            (Some((at, 0.0)), _) => place(at, Shape::Point(Point { at: Vec3::ZERO }), Names::One(feature)),
            (Some((at, radius)), _) => place(at, Shape::Sphere(Sphere { radius }), Names::One(feature)),
            (None, Feature::Edge(number)) => {
                let (radius, middle) = rim(shape, feature);
                place(middle, Shape::Cylinder(Cylinder { radius, half: 0.0 }), Names::Disc(number))
            }
            (None, _) => FeaturePiece::whole(shape),
        }
    }

    /// Which of its own features is touched: the one found, or of a cylinder and a cone, where directions
    /// tell little, the one at a point, given the direction to the other shape; all in the frame of the
    /// piece.
    pub(super) fn own_feature(&self, found: Option<Feature>, at: Vec3, normal: Vec3) -> Option<Feature> {
        /// How far from a rim or a tip a point is taken to be on it, as a fraction of the shape's size: what
        /// curved shapes leave of the digits of their nearest points.
        const BORDER: f64 = 1e-6;
        let aside = at.truncate().length();
        match &self.shape {
            Shape::Cylinder(can) => {
                let border = BORDER * (can.radius + can.half);
                match (can.radius - aside <= border, can.half - at.z.abs() <= border) {
                    (true, false) => Some(Feature::Patch(0)),
                    (false, true) => Some(Feature::Face(u32::from(normal.z > 0.0))),
                    _ => self.shape.feature_towards(normal),
                }
            }
            Shape::Cone(cone) => {
                let border = BORDER * (cone.radius + cone.half);
                match (at.z + cone.half <= border, cone.half - at.z <= border) {
                    (false, false) => Some(Feature::Patch(0)),
                    (true, _) if aside < cone.radius - border => Some(Feature::Face(0)),
                    _ => self.shape.feature_towards(normal),
                }
            }
            Shape::Point(_)
            | Shape::Segment(_)
            | Shape::Triangle(_)
            | Shape::Polygon(_)
            | Shape::Sphere(_)
            | Shape::Box(_)
            | Shape::Capsule(_)
            | Shape::Ellipsoid(_)
            | Shape::HalfSpace(_)
            | Shape::Cavity(_)
            | Shape::Convex(_)
            | Shape::Solid(_)
            | Shape::Soup(_)
            | Shape::Compound(_) => found,
        }
    }

    /// What a feature of the piece is called as one of the shape.
    pub(super) fn name(&self, own: Option<Feature>) -> Option<Feature> {
        match &self.names {
            Names::One(feature) => Some(*feature),
            Names::Corners { vertices, sides, inner } => Some(match own {
                Some(Feature::Vertex(k)) => vertices[k as usize % 3],
                Some(Feature::Edge(k)) => sides[k as usize % 3],
                Some(Feature::Face(_) | Feature::Patch(_)) | None => *inner,
            }),
            Names::Disc(number) => Some(match own {
                Some(Feature::Face(_)) => Feature::Face(*number),
                Some(Feature::Vertex(_) | Feature::Edge(_) | Feature::Patch(_)) | None => {
                    Feature::Edge(*number)
                }
            }),
            Names::Own => own,
        }
    }
}

impl OtherShape<'_> {
    /// Whether the box around points is near, or of a half-space or a cavity one of the points.
    fn is_near(&self, bounds: &Aabb, points: &[Vec3]) -> bool {
        if let Shape::HalfSpace(space) = self.shape {
            let (plane, back) = (space.plane(), self.pose.inverse());
            return points.iter().any(|&p| plane.distance(back.transform_point(p)) <= self.reach);
        }
        if let Shape::Cavity(cavity) = self.shape {
            let center = self.pose.translation();
            return points.iter().any(|p| cavity.radius() - p.distance(center) <= self.reach);
        }
        bounds.overlaps(&Aabb::of(points.iter().copied()))
    }

    fn bounds(&self) -> Aabb {
        let Aabb { min, max } = self.shape.aabb(&self.pose);
        Aabb { min: min - self.reach, max: max + self.reach }
    }
}

/// A flat-faced shape: its vertices, edges and faces by number, with what they are called.
#[derive(Default)]
struct Flat {
    vertices: BTreeMap<u32, (Vec3, Feature)>,
    /// The lesser end first.
    edges: BTreeMap<[u32; 2], Feature>,
    /// Convex; their corners anticlockwise seen from outside.
    faces: Vec<(Vec<u32>, Feature)>,
}

impl Flat {
    fn of_box(cuboid: &Cuboid) -> Flat {
        let mut flat = Flat::default();
        let sign = |v: u32, k: u32| if (v >> k) & 1 == 1 { 1.0 } else { -1.0 };
        for v in 0..8 {
            let at = cuboid.half * Vec3::new(sign(v, 0), sign(v, 1), sign(v, 2));
            flat.vertices.insert(v, (at, of_box(&[v])));
        }
        for axis in 0..3 {
            let [along, u, w] = [0, 1, 2].map(|k| 1 << ((axis + k) % 3));
            // Around the axis, at its lower end.
            let around = [0, u, u | w, w];
            for v in around {
                flat.edges.insert([v, v | along], of_box(&[v, v | along]));
            }
            let upper = around.map(|v| v | along).to_vec();
            let lower: Vec<u32> = around.into_iter().rev().collect();
            flat.faces.push((lower, Feature::Face(2 * axis)));
            flat.faces.push((upper, Feature::Face(2 * axis + 1)));
        }
        flat
    }

    fn of_polygon(corners: &[Vec3]) -> Flat {
        let count = corners.len() as u32;
        let mut flat = Flat { faces: vec![((0..count).collect(), Feature::Face(0))], ..Flat::default() };
        for (v, &at) in (0..).zip(corners) {
            flat.vertices.insert(v, (at, Feature::Vertex(v)));
            flat.edges.insert(sorted([v, (v + 1) % count]), Feature::Edge(v));
        }
        flat
    }

    fn of_convex(convex: &Convex) -> Flat {
        let data = &*convex.data;
        let vertices = (0..).zip(&data.vertex_ids).zip(&data.points);
        let face = |f: usize| (convex.vertices_of_face(f).collect(), data.face_features[f]);
        Flat {
            vertices: vertices.map(|((v, id), &at)| (v, (at, Feature::Vertex(id.0)))).collect(),
            edges: convex.edges().map(sorted).zip(data.edge_features.iter().copied()).collect(),
            faces: (0..convex.face_count()).map(face).collect(),
        }
    }

    /// Of a mesh only the triangles that are near.
    fn of_mesh(mesh: &Mesh, other: &OtherShape<'_>) -> Flat {
        let surface = mesh.hierarchy.surface();
        let soup = surface.soup();
        let near = match other.shape {
            Shape::HalfSpace(_) | Shape::Cavity(_) => (0..soup.triangles().len() as u32).collect(),
            shape @ (Shape::Point(_)
            | Shape::Segment(_)
            | Shape::Triangle(_)
            | Shape::Polygon(_)
            | Shape::Sphere(_)
            | Shape::Box(_)
            | Shape::Cylinder(_)
            | Shape::Cone(_)
            | Shape::Capsule(_)
            | Shape::Ellipsoid(_)
            | Shape::Convex(_)
            | Shape::Solid(_)
            | Shape::Soup(_)
            | Shape::Compound(_)) => triangles_near(&mesh.hierarchy, shape, &other.pose, other.reach),
        };
        let mut flat = Flat::default();
        for id in near {
            let corners = soup.triangles()[id as usize];
            for k in 0..3 {
                let v = corners[k];
                flat.vertices.insert(v, (soup.points()[v as usize], Feature::Vertex(v)));
                let side = Feature::of(surface, id, TriangleFeature::Edge(k as u8));
                // A side within a flat face is no edge.
                if let Feature::Edge(_) = side {
                    flat.edges.entry(sorted([v, corners[(k + 1) % 3]])).or_insert(side);
                }
            }
            flat.faces.push((corners.to_vec(), Feature::of(surface, id, TriangleFeature::Face)));
        }
        flat
    }

    /// What of it is near, faces as triangles.
    fn pieces(&self, other: &OtherShape<'_>) -> FeaturePieces {
        let (at, name) = (|v: u32| self.vertices[&v].0, |v: u32| self.vertices[&v].1);
        let bounds = other.bounds();
        let piece = |points: &[Vec3], shape, names| {
            other.is_near(&bounds, points).then_some(FeaturePiece { shape, pose: Pose::IDENTITY, names })
        };
        let vertex = |(_, &(at, feature)): (&u32, &(Vec3, Feature))| {
            piece(&[at], Shape::Point(Point { at }), Names::One(feature))
        };
        let edge = |(&[v, w], &feature): (&[u32; 2], &Feature)| {
            let ends = [at(v), at(w)];
            let names =
                Names::Corners { vertices: [name(v), name(w), feature], sides: [feature; 3], inner: feature };
            piece(&ends, Shape::Segment(Segment { ends }), names)
        };
        let triangle = |numbers: [u32; 3], inner: Feature| {
            let corners = numbers.map(at);
            let side = |k: usize| sorted([numbers[k], numbers[(k + 1) % 3]]);
            let sides = [0, 1, 2].map(|k| self.edges.get(&side(k)).copied().unwrap_or(inner));
            let names = Names::Corners { vertices: numbers.map(name), sides, inner };
            piece(&corners, Shape::Triangle(Triangle { corners }), names)
        };
        let fans = self.faces.iter().flat_map(|(corners, feature)| {
            corners[1..].windows(2).map(|next| ([corners[0], next[0], next[1]], *feature))
        });
        FeaturePieces::Flat {
            vertices: self.vertices.iter().filter_map(vertex).collect(),
            edges: self.edges.iter().filter_map(edge).collect(),
            faces: fans.filter_map(|(numbers, feature)| triangle(numbers, feature)).collect(),
        }
    }
}

fn sorted([v, w]: [u32; 2]) -> [u32; 2] {
    [v.min(w), v.max(w)]
}
