//! Solids and soups against convex shapes: by the hierarchy, with the nearest points of a triangle and the
//! shape.

use super::core::{Class, Core, Rounded};
use super::gjk::PlacedCore;
use super::near::NearestPoints;
use super::rounded::nearest_placed;
use super::{Mesh, Shape};
use crate::bounds::{Bound, Obb};
use crate::collide::{Extent, collide};
use crate::distance::{Distance, DistanceOptions, distance};
use crate::duo::{Duo, Pair, Under};
use crate::feature::Feature;
use crate::hierarchy::{Child, Hierarchy, LeafTriangle, Slot, Surface};
use crate::lanes::LANES;
use crate::point::point_distance;
use crate::triangle::TriangleFeature;
use silvia_solid::{Pose, Vec3};

impl Mesh {
    /// The corner that is farthest in a direction, and its feature.
    pub(super) fn featured_support(&self, direction: Vec3) -> (Vec3, Feature) {
        self.featured_best(|corner| corner.dot(direction))
    }

    /// The corner of which a number is the greatest, and its feature.
    pub(super) fn featured_best(&self, number: impl Fn(Vec3) -> f64) -> (Vec3, Feature) {
        let triangles = &self.hierarchy.triangles;
        let mut best = (0, 0);
        let mut most = f64::NEG_INFINITY;
        for (t, triangle) in triangles.iter().enumerate() {
            for (k, corner) in triangle.corners.iter().enumerate() {
                let along = number(*corner);
                if along > most {
                    (best, most) = ((t, k), along);
                }
            }
        }
        let LeafTriangle { corners, id } = triangles[best.0];
        let part = TriangleFeature::Vertex(best.1 as u8);
        (corners[best.1], Feature::of(self.hierarchy.surface(), id, part))
    }
}

/// The nearest points of a mesh and a convex shape at a pose in its frame.
pub(super) fn nearest(mesh: &Mesh, shape: &Rounded<'_>, pose: &Pose, limit: f64) -> NearestPoints {
    let hierarchy = &*mesh.hierarchy;
    let placed = PlacedCore::at(shape.core, pose);
    let found = nearest_triangle(hierarchy, shape, &placed, limit);
    if found.upper > 0.0 && matches!(hierarchy.surface(), Surface::Solid(_)) {
        // As it meets no triangle, all of it is inside or none.
        let p = placed.support(Vec3::X);
        if is_inside(hierarchy, p) {
            return NearestPoints::shared(p);
        }
    }
    found
}

/// Whether a point is inside a solid.
pub(crate) fn is_inside(hierarchy: &Hierarchy<Obb>, p: Vec3) -> bool {
    let bounds = hierarchy.bounds();
    p.cmpge(bounds.min).all()
        && p.cmple(bounds.max).all()
        && point_distance(hierarchy, &Pose::IDENTITY, p).is_ok_and(|d| d.distance < 0.0)
}

fn nearest_triangle(
    hierarchy: &Hierarchy<Obb>,
    shape: &Rounded<'_>,
    placed: &PlacedCore<'_>,
    limit: f64,
) -> NearestPoints {
    let bound = shape_bound(shape, placed);
    // What rounding can do to a bound, m.
    let slack = 16.0 * f64::EPSILON * (hierarchy.magnitude + placed.magnitude() + shape.margin);
    let mut best = NearestPoints::beyond(f64::INFINITY);
    let mut lower = f64::INFINITY;
    let mut stack = vec![(0.0, Slot::ROOT)];
    while let Some((apart, slot)) = stack.pop() {
        let reach = limit.min(best.upper);
        if apart > reach || best.upper == 0.0 {
            lower = lower.min(apart);
            continue;
        }
        let child = hierarchy.child(slot);
        if child.is_leaf() {
            for triangle in hierarchy.leaf(child).triangles {
                let near = measure(hierarchy, triangle, shape, placed, limit.min(best.upper));
                lower = lower.min(near.lower);
                if near.upper < best.upper {
                    best = near;
                }
            }
            continue;
        }
        let node = &hierarchy.nodes[child.index()];
        let apart = bound.lower_bounds(&node.pack).map(|x| (x - slack).max(0.0));
        let mut order: [usize; LANES] = [0, 1, 2, 3];
        order.sort_unstable_by(|&i, &j| apart[j].total_cmp(&apart[i]));
        for lane in order {
            if node.child[lane] != Child::NONE {
                stack.push((apart[lane], Slot::new(child.index(), lane)));
            }
        }
    }
    best.lower = lower.min(best.upper);
    best
}

/// Calls a function with the corners of each triangle of a mesh that may be nearer than `reach` to a convex
/// shape.
pub(super) fn visit_near(
    mesh: &Mesh,
    shape: &Rounded<'_>,
    placed: &PlacedCore<'_>,
    reach: f64,
    mut visit: impl FnMut(&[Vec3; 3]),
) {
    near_triangles(&mesh.hierarchy, shape, placed, reach, |triangle| visit(&triangle.corners));
}

/// The numbers of the triangles of a body that may be nearer than `reach` to a convex shape at a pose in its
/// frame; none for shapes of other kinds.
pub(crate) fn triangles_near(hierarchy: &Hierarchy<Obb>, shape: &Shape, pose: &Pose, reach: f64) -> Vec<u32> {
    let mut found = Vec::new();
    if let Class::Rounded(shape) = shape.class() {
        let placed = PlacedCore::at(shape.core, pose);
        near_triangles(hierarchy, &shape, &placed, reach, |triangle| found.push(triangle.id));
    }
    found.sort_unstable();
    found
}

fn near_triangles(
    hierarchy: &Hierarchy<Obb>,
    shape: &Rounded<'_>,
    placed: &PlacedCore<'_>,
    reach: f64,
    mut visit: impl FnMut(&LeafTriangle),
) {
    let bound = shape_bound(shape, placed);
    let limit = reach + 16.0 * f64::EPSILON * (hierarchy.magnitude + placed.magnitude() + shape.margin);
    let mut stack = vec![Slot::ROOT];
    while let Some(slot) = stack.pop() {
        let child = hierarchy.child(slot);
        if child.is_leaf() {
            hierarchy.leaf(child).triangles.iter().for_each(&mut visit);
            continue;
        }
        let node = &hierarchy.nodes[child.index()];
        let apart = bound.lower_bounds(&node.pack);
        let near = (0..LANES).filter(|&l| node.child[l] != Child::NONE && apart[l] <= limit);
        stack.extend(near.map(|lane| Slot::new(child.index(), lane)));
    }
}

/// Normals of the triangles that a convex shape at a pose touches; taken evenly from all, so that their
/// number is bounded.
pub(super) fn touched_normals(mesh: &Mesh, shape: &Rounded<'_>, pose: &Pose, most: usize) -> Vec<Vec3> {
    let placed = PlacedCore::at(shape.core, pose);
    let mut all = Vec::new();
    visit_near(mesh, shape, &placed, 0.0, |[p, q, r]| all.push((q - p).cross(r - p)));
    let stride = all.len().div_ceil(most).max(1);
    all.into_iter().step_by(stride).collect()
}

/// Calls a function with the corners of each two triangles of two meshes that may be nearer than `reach`, in
/// the frame of the first.
pub(super) fn visit_near_two(
    a: &Mesh,
    b: &Mesh,
    b_in_a: &Pose,
    reach: f64,
    mut visit: impl FnMut(&[Vec3; 3], &[Vec3; 3]),
) {
    let duo = Duo::new(&*a.hierarchy, &Pose::IDENTITY, &*b.hierarchy, b_in_a);
    let limit = reach + duo.rounding();
    let mut stack = vec![Pair::ROOTS];
    while let Some(pair) = stack.pop() {
        match duo.under(pair) {
            Under::Triangles(of_a, of_b) => {
                for tb in of_b.triangles {
                    let corners = duo.corners_of_b(tb);
                    of_a.triangles.iter().for_each(|ta| visit(&ta.corners, &corners));
                }
            }
            Under::Node(opened) => {
                let lower = duo.lower_bounds(&opened);
                stack.extend((0..LANES).filter(|&l| lower[l] <= limit).map(|l| opened.child(l)));
            }
        }
    }
}

/// What a convex shape is within, in the frame of a mesh.
enum ShapeBound {
    /// A sphere, or a point.
    Ball { center: Vec3, radius: f64 },
    /// Along the axes of the shape.
    Box(Obb),
}

impl ShapeBound {
    fn lower_bounds(&self, pack: &<Obb as Bound>::Pack) -> [f64; LANES] {
        match self {
            ShapeBound::Ball { center, radius } => Obb::point_bounds(pack, *center).map(|x| x - radius),
            ShapeBound::Box(obb) => Obb::lower_bounds(pack, obb),
        }
    }
}

fn shape_bound(shape: &Rounded<'_>, placed: &PlacedCore<'_>) -> ShapeBound {
    if let Core::Points(&[center]) = shape.core {
        return ShapeBound::Ball { center: placed.placed_point(center), radius: shape.margin };
    }
    ShapeBound::Box(box_around(shape, placed))
}

/// A box around a convex shape at a pose, along the axes of the shape; none for shapes of other kinds.
pub(crate) fn shape_box(shape: &Shape, pose: &Pose) -> Option<Obb> {
    let Class::Rounded(rounded) = shape.class() else { return None };
    Some(box_around(&rounded, &PlacedCore::at(rounded.core, pose)))
}

fn box_around(shape: &Rounded<'_>, placed: &PlacedCore<'_>) -> Obb {
    let size = |axis: Vec3| shape.core.support(axis).dot(axis) + shape.margin;
    let max = Vec3::new(size(Vec3::X), size(Vec3::Y), size(Vec3::Z));
    let min = -Vec3::new(size(-Vec3::X), size(-Vec3::Y), size(-Vec3::Z));
    let corner = |i: usize| {
        let pick = |k: usize| if i >> k & 1 == 1 { max[k] } else { min[k] };
        placed.placed_point(Vec3::new(pick(0), pick(1), pick(2)))
    };
    // Between them these have all corners of the box.
    let triangles = [[0, 1, 2], [3, 5, 6], [7, 4, 0]].map(|t| t.map(corner));
    Obb::along(&placed.axes(), triangles.iter())
}

/// One triangle and the shape.
fn measure(
    hierarchy: &Hierarchy<Obb>,
    triangle: &LeafTriangle,
    shape: &Rounded<'_>,
    placed: &PlacedCore<'_>,
    limit: f64,
) -> NearestPoints {
    let flat = Rounded { core: Core::Points(&triangle.corners), margin: 0.0 };
    let mut near = nearest_placed((&flat, &PlacedCore::here(flat.core)), (shape, placed), limit);
    near.features[0] = near.features[0].map(|feature| {
        let part = match feature {
            Feature::Vertex(k) => TriangleFeature::Vertex(k as u8),
            Feature::Edge(k) => TriangleFeature::Edge(k as u8),
            Feature::Face(_) | Feature::Patch(_) => TriangleFeature::Face,
        };
        Feature::of(hierarchy.surface(), triangle.id, part)
    });
    near
}

/// Two meshes.
pub(super) fn nearest_two(a: &Mesh, b: &Mesh, b_in_a: &Pose, limit: f64) -> NearestPoints {
    if limit == 0.0 {
        let found = collide(&*a.hierarchy, &Pose::IDENTITY, &b.hierarchy, b_in_a, Extent::Any);
        return if found.is_some() {
            NearestPoints::shared(b_in_a.translation())
        } else {
            NearestPoints::beyond(0.0)
        };
    }
    let options = DistanceOptions { cutoff: limit, ..DistanceOptions::default() };
    let Ok(found) = distance(&*a.hierarchy, &Pose::IDENTITY, &b.hierarchy, b_in_a, &options) else {
        // Only of a limit that is negative or NaN.
        return NearestPoints::beyond(0.0);
    };
    NearestPoints::of_meshes(&found)
}

impl NearestPoints {
    /// What is known about the distance of two meshes.
    pub(super) fn of_meshes(found: &Distance) -> NearestPoints {
        let features = if found.upper > 0.0 { found.witness.features.map(Some) } else { [None; 2] };
        NearestPoints {
            lower: found.lower,
            upper: found.upper,
            points: found.witness.points,
            features,
            parts: [0; 2],
        }
    }
}
