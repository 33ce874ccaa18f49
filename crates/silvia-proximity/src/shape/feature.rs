//! Which feature of a convex shape a nearest point lies on.
//!
//! Of flat-faced shapes the vertices between which the point lies tell it, so no tolerance is needed. Of
//! round ones the direction to the other shape does.

use super::Shape;
use super::core::{Class, Core, Rounded};
use super::simplex::Vertices;
use crate::convex::Convex;
use crate::feature::Feature;
use silvia_solid::Vec3;

/// A direction within this angle of the normal of a flat end or of a side is taken as that, rad. Ten times
/// what the search leaves of error where shapes almost touch.
const ANGLE: f64 = 1e-7;

/// Corners of a box are numbered by bits, edges `4 axis + number`, faces `2 axis`, one more for the positive
/// one. Round ends: 0 is the lower one, 1 the upper.
impl Rounded<'_> {
    /// A point that is farthest in a direction, and its feature.
    pub(super) fn featured_support(&self, direction: Vec3) -> (Vec3, Feature) {
        let normal = direction.normalize_or_zero();
        let (p, number) = self.core.numbered_support(direction);
        (p + self.margin * normal, self.feature(&Vertices::one(number), normal))
    }

    /// `normal` is the direction to the other shape, in the frame of this one.
    pub(crate) fn feature(&self, vertices: &Vertices, normal: Vec3) -> Feature {
        match self.core {
            Core::Points(_) if self.margin > 0.0 => Feature::Patch(0),
            Core::Points(points) => among_points(points.len() as u32, vertices.numbers()),
            Core::Axis(_) => match vertices.numbers() {
                [end] => Feature::Patch(1 + end),
                _ => Feature::Patch(0),
            },
            Core::Box(_) => of_box(vertices.numbers()),
            Core::Cylinder { .. } => {
                let climb = normal.z.atan2(normal.truncate().length());
                let end = u32::from(climb > 0.0);
                if climb.abs() <= ANGLE {
                    Feature::Patch(0)
                } else if climb.abs() >= std::f64::consts::FRAC_PI_2 - ANGLE {
                    Feature::Face(end)
                } else {
                    Feature::Edge(end)
                }
            }
            Core::Cone { radius, half } => {
                let climb = normal.z.atan2(normal.truncate().length());
                let side = radius.atan2(2.0 * half);
                if (climb - side).abs() <= ANGLE {
                    Feature::Patch(0)
                } else if climb > side {
                    Feature::Vertex(0)
                } else if climb <= ANGLE - std::f64::consts::FRAC_PI_2 {
                    Feature::Face(0)
                } else {
                    Feature::Edge(0)
                }
            }
            Core::Ellipsoid(_) => Feature::Patch(0),
            Core::Solid(convex) => of_solid(convex, vertices.numbers()),
        }
    }
}

impl Shape {
    /// Which feature of a cylinder or cone another shape meets in a direction, in the frame of this one.
    /// `None` of others.
    pub(crate) fn feature_towards(&self, normal: Vec3) -> Option<Feature> {
        match self {
            Shape::Cylinder(_) | Shape::Cone(_) => {
                let Class::Rounded(round) = self.class() else { return None };
                Some(round.feature(&Vertices::one(0), normal))
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
            | Shape::Compound(_) => None,
        }
    }
}

/// Of a segment, a triangle or a polygon.
fn among_points(count: u32, vertices: &[u32]) -> Feature {
    match *vertices {
        [v] => Feature::Vertex(v),
        [v, w] => {
            let (v, w) = (v.min(w), v.max(w));
            if w == v + 1 {
                Feature::Edge(v)
            } else if v == 0 && w == count - 1 {
                Feature::Edge(w)
            } else {
                Feature::Face(0)
            }
        }
        _ => Feature::Face(0),
    }
}

/// The feature of a box that has these corners.
pub(crate) fn of_box(vertices: &[u32]) -> Feature {
    let Some(&first) = vertices.first() else { return Feature::Vertex(0) };
    // Coordinates that are not the same for all.
    let free = vertices.iter().fold(0, |free, v| free | (v ^ first));
    match free.count_ones() {
        0 => Feature::Vertex(first),
        1 => {
            let axis = free.trailing_zeros();
            let bit = |k: u32| (first >> ((axis + k) % 3)) & 1;
            Feature::Edge(4 * axis + bit(1) + 2 * bit(2))
        }
        // Three are free only where the point is inside: then any face does.
        _ => {
            let axis = (!free & 7).trailing_zeros() % 3;
            Feature::Face(2 * axis + ((first >> axis) & 1))
        }
    }
}

fn of_solid(convex: &Convex, vertices: &[u32]) -> Feature {
    let data = &*convex.data;
    let vertex = |v: u32| Feature::Vertex(data.vertex_ids[v as usize].0);
    let (first, rest) = match *vertices {
        [] => return vertex(0),
        [v] => return vertex(v),
        [v, ref rest @ ..] => (v, rest),
    };
    if let [other] = *rest
        && let Some(spoke) = data.spokes_of(first).iter().find(|s| s.far == other)
    {
        return data.edge_features[spoke.edge as usize];
    }
    let faces = data.spokes_of(first).iter().flat_map(|s| data.edges[s.edge as usize].faces);
    let has = |face: u32, v: u32| convex.vertices_of_face(face as usize).any(|w| w == v);
    // The face at the first vertex with most of the others.
    let shared = |face: u32| rest.iter().filter(|&&v| has(face, v)).count();
    let best = faces.max_by_key(|&face| (shared(face), std::cmp::Reverse(face)));
    best.map_or(vertex(first), |face| data.face_features[face as usize])
}
