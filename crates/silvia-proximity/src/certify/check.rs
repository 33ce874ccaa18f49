//! One match over all pairs of parts, and what each pair comes to.

use super::mesh::{self, Met};
use super::mover::{Mover, PartWay, between};
use super::pair::{Look, Pair, Touch};
use super::plane::{self, MovingPlane};
use super::{Crossing, Path};
use crate::bounds::Obb;
use crate::contacts::{ContactGeometry as Part, PlacedPart};
use crate::feature::Feature;
use crate::hierarchy::{Hierarchy, LeafTriangle};
use crate::impact::{ImpactOptions, Motion, Moving, Outcome, touch_by};
use crate::shape::{Class, Core, Rounded, Shape};
use crate::triangle::TriangleFeature;
use silvia_solid::{Plane, Pose, Vec3};

/// What is known so far.
pub(super) struct Check {
    pub(super) free_until: f64,
    pub(super) crossing: Option<Crossing>,
    pub(super) work: u64,
}

/// Two parts that come together, as in [`Crossing`].
struct Found {
    features: [Option<Feature>; 2],
    points: [Vec3; 2],
    normal: Vec3,
    free_until: f64,
    upper: f64,
    sag: Option<f64>,
}

impl Check {
    pub(super) fn new() -> Check {
        Check { free_until: 1.0, crossing: None, work: 0 }
    }

    /// Looks for an earlier crossing of two parts.
    pub(super) fn look(&mut self, parts: [u32; 2], [a, b]: [Side<'_>; 2]) {
        let limit = self.free_until;
        let work = &mut self.work;
        let found = match (a.part, b.part) {
            (Part::Mesh(of_a), Part::Mesh(of_b)) => meshes([of_a, of_b], [&a, &b], limit, work),
            (Part::Mesh(mesh), Part::Round(shape)) => on_mesh(mesh, &a, shape, &b, limit, work),
            (Part::Round(shape), Part::Mesh(mesh)) => {
                on_mesh(mesh, &b, shape, &a, limit, work).map(Found::mirrored)
            }
            (Part::HalfSpace(plane), Part::Mesh(mesh)) => vertices(plane, &a, mesh, &b, limit, work),
            (Part::Mesh(mesh), Part::HalfSpace(plane)) => {
                vertices(plane, &b, mesh, &a, limit, work).map(Found::mirrored)
            }
            (Part::HalfSpace(plane), Part::Round(shape)) => on_plane(plane, &a, shape, &b, limit, work),
            (Part::Round(shape), Part::HalfSpace(plane)) => {
                on_plane(plane, &b, shape, &a, limit, work).map(Found::mirrored)
            }
            (Part::Round(of_a), Part::Round(of_b)) => round([of_a, of_b], [&a, &b], limit, work),
            (Part::HalfSpace(of_a), Part::HalfSpace(of_b)) => {
                half_spaces([of_a, of_b], [&a, &b], limit, work)
            }
        };
        if let Some(found) = found
            && (self.crossing.is_none() || found.free_until < self.free_until)
        {
            let Found { features, points, normal, free_until, upper, sag } = found;
            self.free_until = free_until;
            self.crossing = Some(Crossing { parts, features, points, normal, upper, sag });
        }
    }
}

impl Found {
    /// With the parts in the other order.
    fn mirrored(self) -> Found {
        let ([f, g], [p, q]) = (self.features, self.points);
        Found { features: [g, f], points: [q, p], normal: -self.normal, ..self }
    }

    /// Parts of which nothing is known but that they are not certainly apart.
    fn unknown(at: Vec3) -> Found {
        Found {
            features: [None; 2],
            points: [at; 2],
            normal: Vec3::ZERO,
            free_until: 0.0,
            upper: 0.0,
            sag: None,
        }
    }

    /// How two movers touch.
    fn of_touch(touch: &Touch<'_>, pair: &Pair<'_, '_>, features: [Feature; 2]) -> Found {
        let ([a, b], look) = (pair.movers, &touch.look);
        let middle = a.middle(look.time);
        Found {
            features: features.map(Some),
            points: look.points([a.margin, b.margin]).map(|p| middle + p),
            normal: look.normal,
            free_until: touch.time,
            upper: touch.time,
            sag: pair.sag(),
        }
    }
}

/// Two meshes: exactly.
fn meshes(of: [&Hierarchy<Obb>; 2], sides: [&Side<'_>; 2], limit: f64, work: &mut u64) -> Option<Found> {
    let motions = sides.map(|side| Motion::linear(side.way.poses[0], side.way.poses[1]));
    let moving = [0, 1].map(|i| Moving::new(of[i], &motions[i]));
    let options = ImpactOptions::default();
    let Ok(impact) = touch_by(&moving[0], &moving[1], &options, limit, None) else {
        // Coordinates too large to compute with.
        return Some(Found::unknown(sides[0].way.poses[0].translation()));
    };
    *work += impact.visits + impact.triangle_tests;
    if impact.outcome == Outcome::Free {
        return None;
    }
    let Some(contact) = impact.contacts.first() else {
        return Some(Found::unknown(sides[0].way.poses[0].translation()));
    };
    Some(Found {
        features: contact.features.map(Some),
        points: contact.points,
        normal: contact.normal,
        free_until: impact.lower,
        upper: impact.upper.unwrap_or(contact.upper),
        sag: None,
    })
}

/// A mesh, which counts as the first, and a round part.
fn on_mesh(
    mesh: &Hierarchy<Obb>,
    side: &Side<'_>,
    shape: &Shape,
    round_side: &Side<'_>,
    limit: f64,
    work: &mut u64,
) -> Option<Found> {
    let Some(round) = Mover::round(shape, &round_side.way) else {
        return Some(Found::unknown(side.way.poses[0].translation()));
    };
    Some(match mesh::first_touch(mesh, &side.way, shape, &round, &round_side.way, limit, work)? {
        Met::Triangle(touch, triangle) => {
            let flat = Mover::corners(&triangle.corners, 0.0, &side.way);
            let features =
                [feature_of_mesh(mesh, triangle, &touch.look), feature_of_round(shape, &touch.look, 1)];
            Found::of_touch(&touch, &Pair::new(&flat, &round, None), features)
        }
        Met::Inside(p) => Found::unknown(side.way.poses[0].transform_point(p)),
    })
}

/// A half-space, which counts as the first, and a mesh.
fn vertices(
    plane: &Plane,
    side: &Side<'_>,
    mesh: &Hierarchy<Obb>,
    mesh_side: &Side<'_>,
    limit: f64,
    work: &mut u64,
) -> Option<Found> {
    let plane = side.plane(plane);
    let met = plane::first_vertex(&plane, mesh, &mesh_side.way, limit, work)?;
    let part = TriangleFeature::Vertex(met.corner as u8);
    let vertex = Mover::corners(&[met.triangle.corners[met.corner]], 0.0, &mesh_side.way);
    let normal = plane.normal(met.time);
    let at = vertex.middle(met.time);
    let height = normal.dot(between(plane.foot.ways_to(&vertex), met.time));
    Some(Found {
        features: [Some(Feature::Face(0)), Some(Feature::of(mesh.surface(), met.triangle.id, part))],
        points: [at - height * normal, at],
        normal,
        free_until: met.time,
        upper: met.time,
        sag: None,
    })
}

/// A half-space, which counts as the first, and a round part.
fn on_plane(
    plane: &Plane,
    side: &Side<'_>,
    shape: &Shape,
    round_side: &Side<'_>,
    limit: f64,
    work: &mut u64,
) -> Option<Found> {
    let Some(round) = Mover::round(shape, &round_side.way) else {
        return Some(Found::unknown(side.way.poses[0].translation()));
    };
    let plane = side.plane(plane);
    let pair = Pair::new(&plane.foot, &round, Some(plane.normals));
    let touch = pair.first_touch(limit, work)?;
    let features = [Feature::Face(0), feature_of_round(shape, &touch.look, 1)];
    Some(Found::of_touch(&touch, &pair, features))
}

fn round(of: [&Shape; 2], sides: [&Side<'_>; 2], limit: f64, work: &mut u64) -> Option<Found> {
    let movers = [0, 1].map(|i| Mover::round(of[i], &sides[i].way));
    let [Some(a), Some(b)] = &movers else {
        return Some(Found::unknown(sides[0].way.poses[0].translation()));
    };
    let pair = Pair::new(a, b, None);
    let touch = pair.first_touch(limit, work)?;
    let features = [0, 1].map(|i| feature_of_round(of[i], &touch.look, i));
    Some(Found::of_touch(&touch, &pair, features))
}

/// Two half-spaces meet somewhere, unless they look away from each other.
fn half_spaces(of: [&Plane; 2], sides: [&Side<'_>; 2], limit: f64, work: &mut u64) -> Option<Found> {
    /// Opposite normals within this angle, rad, count as parallel: else the planes would meet no nearer than
    /// 1e12 times their gap.
    const PARALLEL: f64 = 1e-12;
    let [a, b] = [0, 1].map(|i| sides[i].plane(of[i]));
    if (0..2).any(|i| (a.normals[i] + b.normals[i]).length() > PARALLEL) {
        return Some(Found::unknown(a.foot.middle(0.0)));
    }
    let pair = Pair::new(&a.foot, &b.foot, Some(a.normals));
    let touch = pair.first_touch(limit, work)?;
    Some(Found::of_touch(&touch, &pair, [Feature::Face(0); 2]))
}

fn feature_of_mesh(mesh: &Hierarchy<Obb>, triangle: &LeafTriangle, look: &Look<'_>) -> Feature {
    let (vertices, inward) = look.place(0);
    let flat = Rounded { core: Core::Points(&triangle.corners), margin: 0.0 };
    let part = match flat.feature(vertices, inward) {
        Feature::Vertex(k) => TriangleFeature::Vertex(k as u8),
        Feature::Edge(k) => TriangleFeature::Edge(k as u8),
        Feature::Face(_) | Feature::Patch(_) => TriangleFeature::Face,
    };
    Feature::of(mesh.surface(), triangle.id, part)
}

fn feature_of_round(shape: &Shape, look: &Look<'_>, i: usize) -> Feature {
    let (vertices, inward) = look.place(i);
    match shape.class() {
        Class::Rounded(rounded) => rounded.feature(vertices, inward),
        Class::HalfSpace(_) | Class::Mesh(_) | Class::Compound(_) => Feature::Patch(0),
    }
}

/// A part of a body on its way.
pub(super) struct Side<'a> {
    part: &'a Part,
    pose: Pose,
    path: Path,
    way: PartWay,
}

impl<'a> Side<'a> {
    pub(super) fn new(placed: &'a PlacedPart, path: &Path) -> Side<'a> {
        let way = PartWay::new(path, &placed.pose);
        Side { part: &placed.part, pose: placed.pose, path: *path, way }
    }

    /// What there is of a mesh.
    pub(super) fn mesh(&self) -> Option<(&Hierarchy<Obb>, &PartWay)> {
        match self.part {
            Part::Mesh(mesh) => Some((mesh, &self.way)),
            Part::Round(_) | Part::HalfSpace(_) => None,
        }
    }

    /// The plane of a half-space.
    fn plane(&self, plane: &Plane) -> MovingPlane {
        MovingPlane::new(plane, &self.pose, &self.way, self.path.bodies(), self.path.about)
    }
}
