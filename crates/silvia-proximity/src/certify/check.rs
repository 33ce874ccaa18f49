//! One match over all pairs of parts, and what each pair comes to.

use super::Crossing;
use super::cavity::{CavityMet, all_vertices_in_cavity, in_cavity};
use super::mesh::{self, Met};
use super::mover::{Mover, PartWay, between};
use super::pair::{Look, Pair, Touch};
use super::path::{BodyPath, MeshEnds};
use super::plane::{self, MovingPlane, VertexMet};
use crate::bounds::Obb;
use crate::contacts::ContactGeometry;
use crate::duo::Pair as BoundPair;
use crate::feature::Feature;
use crate::hierarchy::Hierarchy;
use crate::impact::{Impact, ImpactContact, ImpactError, ImpactOptions, Motion, Outcome, Travel, touch_by};
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
pub(super) struct Found {
    features: [Option<Feature>; 2],
    points: [Vec3; 2],
    normal: Vec3,
    pub(super) free_until: f64,
    pub(super) upper: f64,
    sag: Option<f64>,
}

impl Check {
    pub(super) fn new() -> Check {
        Check { free_until: 1.0, crossing: None, work: 0 }
    }

    /// Looks for an earlier crossing of two parts. `near`: rigid meshes touch nowhere but under these pairs
    /// of bounds of their patches.
    pub(super) fn look(&mut self, parts: [u32; 2], [a, b]: [Side<'_>; 2], near: Option<&[BoundPair]>) {
        let limit = self.free_until;
        let work = &mut self.work;
        let found = match (a.part, b.part) {
            (ContactGeometry::Mesh(of_a), ContactGeometry::Mesh(of_b)) => {
                meshes([a.ends(of_a), b.ends(of_b)], [&a, &b], limit, near, work)
            }
            (ContactGeometry::Mesh(mesh), ContactGeometry::Round(shape)) => {
                on_mesh(a.ends(mesh), &a, shape, &b, limit, work)
            }
            (ContactGeometry::Round(shape), ContactGeometry::Mesh(mesh)) => {
                on_mesh(b.ends(mesh), &b, shape, &a, limit, work).map(Found::mirrored)
            }
            (ContactGeometry::HalfSpace(plane), ContactGeometry::Mesh(mesh)) => {
                vertices(plane, &a, b.ends(mesh), &b, limit, work)
            }
            (ContactGeometry::Mesh(mesh), ContactGeometry::HalfSpace(plane)) => {
                vertices(plane, &b, a.ends(mesh), &a, limit, work).map(Found::mirrored)
            }
            (ContactGeometry::Cavity(cavity), ContactGeometry::Mesh(mesh)) => {
                let all = all_vertices_in_cavity(cavity, &a, b.ends(mesh), &b, work);
                all.into_iter().next()
            }
            (ContactGeometry::Mesh(mesh), ContactGeometry::Cavity(cavity)) => {
                let all = all_vertices_in_cavity(cavity, &b, a.ends(mesh), &a, work);
                all.into_iter().next().map(Found::mirrored)
            }
            (ContactGeometry::Cavity(cavity), ContactGeometry::Round(shape)) => {
                in_cavity(cavity, &a, shape, &b, work)
            }
            (ContactGeometry::Round(shape), ContactGeometry::Cavity(cavity)) => {
                in_cavity(cavity, &b, shape, &a, work).map(Found::mirrored)
            }
            // Both go on for ever, the cavity in all directions.
            (ContactGeometry::Cavity(_), ContactGeometry::HalfSpace(_) | ContactGeometry::Cavity(_))
            | (ContactGeometry::HalfSpace(_), ContactGeometry::Cavity(_)) => {
                Some(Found::unknown(a.way.poses[0].translation()))
            }
            (ContactGeometry::HalfSpace(plane), ContactGeometry::Round(shape)) => {
                on_plane(plane, &a, shape, &b, limit, work)
            }
            (ContactGeometry::Round(shape), ContactGeometry::HalfSpace(plane)) => {
                on_plane(plane, &b, shape, &a, limit, work).map(Found::mirrored)
            }
            (ContactGeometry::Round(of_a), ContactGeometry::Round(of_b)) => {
                round([of_a, of_b], [&a, &b], limit, work)
            }
            (ContactGeometry::HalfSpace(of_a), ContactGeometry::HalfSpace(of_b)) => {
                half_spaces([of_a, of_b], [&a, &b], limit, work)
            }
        };
        if let Some(found) = found
            && (self.crossing.is_none() || found.free_until < self.free_until)
        {
            self.free_until = found.free_until;
            self.crossing = Some(found.crossing(parts));
        }
    }
}

impl Found {
    pub(super) fn crossing(self, parts: [u32; 2]) -> Crossing {
        let Found { features, points, normal, upper, sag, .. } = self;
        Crossing { parts, features, points, normal, upper, sag }
    }

    /// With the parts in the other order.
    pub(super) fn mirrored(self) -> Found {
        let ([f, g], [p, q]) = (self.features, self.points);
        Found { features: [g, f], points: [q, p], normal: -self.normal, ..self }
    }

    /// Parts of which nothing is known but that they are not certainly apart.
    pub(super) fn unknown(at: Vec3) -> Found {
        Found {
            features: [None; 2],
            points: [at; 2],
            normal: Vec3::ZERO,
            free_until: 0.0,
            upper: 0.0,
            sag: None,
        }
    }

    /// Two features of meshes that touch.
    fn of_contact(contact: &ImpactContact) -> Found {
        Found {
            features: contact.features.map(Some),
            points: contact.points,
            normal: contact.normal,
            free_until: contact.lower,
            upper: contact.upper,
            sag: None,
        }
    }

    /// What comes to a cavity, which counts as the first.
    pub(super) fn in_cavity(met: &CavityMet, feature: Feature) -> Found {
        Found {
            features: [Some(Feature::Patch(0)), Some(feature)],
            points: met.points,
            normal: met.normal,
            free_until: met.time,
            upper: met.time,
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
fn meshes(
    of: [MeshEnds<'_>; 2],
    sides: [&Side<'_>; 2],
    limit: f64,
    near: Option<&[BoundPair]>,
    work: &mut u64,
) -> Option<Found> {
    let Ok(impact) = impact(of, sides, (0.0, usize::MAX), limit, near) else {
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
    let upper = impact.upper.unwrap_or(contact.upper);
    Some(Found { free_until: impact.lower, upper, ..Found::of_contact(contact) })
}

/// All features of two meshes that touch on the way, those that touch first at the front; if they touch at
/// the start, those that do so there. Beyond `most` that are the first of one of their features, later ones
/// may be missing.
pub(super) fn all_of_meshes(
    of: [MeshEnds<'_>; 2],
    sides: [&Side<'_>; 2],
    near: Option<&[BoundPair]>,
    most: usize,
) -> Vec<Found> {
    let Ok(impact) = impact(of, sides, (f64::INFINITY, most), 1.0, near) else {
        return vec![Found::unknown(sides[0].way.poses[0].translation())];
    };
    if impact.outcome == Outcome::Free {
        return Vec::new();
    }
    let mut all: Vec<Found> = impact.contacts.iter().map(Found::of_contact).collect();
    match all.first_mut() {
        Some(first) => {
            first.free_until = impact.lower;
            first.upper = impact.upper.unwrap_or(first.upper);
        }
        None => all.push(Found::unknown(sides[0].way.poses[0].translation())),
    }
    all
}

/// What touches by the fraction `limit` of the path: first, and within a band after that until there is
/// enough.
fn impact(
    of: [MeshEnds<'_>; 2],
    sides: [&Side<'_>; 2],
    (band, enough): (f64, usize),
    limit: f64,
    near: Option<&[BoundPair]>,
) -> Result<Impact, ImpactError> {
    let travels = [0, 1].map(|i| {
        let ([from, to], MeshEnds { start, end }) = (sides[i].way.poses, of[i]);
        let [start, end] = if near.is_some() { [start.patches(); 2] } else { [start, end] };
        Travel { start, end, motion: Motion::linear(from, to) }
    });
    let options = ImpactOptions { band, ..ImpactOptions::default() };
    let from = near.unwrap_or(&[BoundPair::ROOTS]);
    touch_by(&travels[0], &travels[1], &options, limit, None, (from, enough))
}

/// A mesh, which counts as the first, and a round part.
fn on_mesh(
    mesh: MeshEnds<'_>,
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
            let flat = Mover::corners(mesh.corners(triangle).map(|c| &c[..]), 0.0, &side.way);
            let features =
                [feature_of_mesh(mesh.start, triangle, &touch.look), feature_of_round(shape, &touch.look, 1)];
            Found::of_touch(&touch, &Pair::new(&flat, &round, None), features)
        }
        Met::Inside(p) => Found::unknown(side.way.poses[0].transform_point(p)),
    })
}

/// A half-space, which counts as the first, and a mesh.
fn vertices(
    plane: &Plane,
    side: &Side<'_>,
    mesh: MeshEnds<'_>,
    mesh_side: &Side<'_>,
    limit: f64,
    work: &mut u64,
) -> Option<Found> {
    let plane = side.plane(plane);
    let met = plane::first_vertex(&plane, mesh, &mesh_side.way, limit, work)?;
    Some(vertex(&plane, mesh, mesh_side, &met))
}

/// All vertices of a mesh that come to a half-space, which counts as the first; that which is the first for
/// [`vertices`] at the front.
pub(super) fn all_vertices(
    plane: &Plane,
    side: &Side<'_>,
    mesh: MeshEnds<'_>,
    mesh_side: &Side<'_>,
) -> Vec<Found> {
    let plane = side.plane(plane);
    let mut work = 0;
    let first = plane::first_vertex(&plane, mesh, &mesh_side.way, 1.0, &mut work);
    let mut all = Vec::from_iter(first);
    plane::each_vertex(&plane, mesh, &mesh_side.way, &mut work, |met| all.push(met));
    all.iter().map(|met| vertex(&plane, mesh, mesh_side, met)).collect()
}

/// A vertex of a mesh that comes to a plane.
fn vertex(plane: &MovingPlane, mesh: MeshEnds<'_>, mesh_side: &Side<'_>, met: &VertexMet) -> Found {
    let part = TriangleFeature::Vertex(met.corner as u8);
    let triangle = &mesh.start.triangles[met.triangle];
    let corner = mesh.corners(met.triangle).map(|corners| &corners[met.corner..=met.corner]);
    let vertex = Mover::corners(corner, 0.0, &mesh_side.way);
    let normal = plane.normal(met.time);
    let at = vertex.middle(met.time);
    let height = normal.dot(between(plane.foot.ways_to(&vertex), met.time));
    Found {
        features: [Some(Feature::Face(0)), Some(Feature::of(mesh.start.surface(), triangle.id, part))],
        points: [at - height * normal, at],
        normal,
        free_until: met.time,
        upper: met.time,
        sag: None,
    }
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

/// The triangle is given by its position among those of the leaves.
fn feature_of_mesh(mesh: &Hierarchy<Obb>, triangle: usize, look: &Look<'_>) -> Feature {
    let (vertices, inward) = look.place(0);
    let triangle = &mesh.triangles[triangle];
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
        Class::HalfSpace(_) | Class::Cavity(_) | Class::Mesh(_) | Class::Compound(_) => Feature::Patch(0),
    }
}

/// A part of a body on its way.
pub(super) struct Side<'a> {
    pub(super) part: &'a ContactGeometry,
    /// As it is at the end: the same, or its refit.
    end: &'a ContactGeometry,
    /// Of the part in its body.
    pose: &'a Pose,
    path: &'a BodyPath<'a>,
    pub(super) way: PartWay,
}

impl<'a> Side<'a> {
    /// A part by its number.
    pub(super) fn new(path: &'a BodyPath<'a>, part: usize) -> Side<'a> {
        let (start, end) = (&path.start[part], &path.end[part]);
        let way = PartWay::new(path.poses, &start.pose);
        Side { part: &start.part, end: &end.part, pose: &start.pose, path, way }
    }

    /// What there is of a mesh, at the start.
    pub(super) fn mesh(&self) -> Option<(&Hierarchy<Obb>, &PartWay)> {
        match self.part {
            ContactGeometry::Mesh(mesh) => Some((mesh, &self.way)),
            ContactGeometry::Round(_) | ContactGeometry::HalfSpace(_) | ContactGeometry::Cavity(_) => None,
        }
    }

    /// The part at both ends, given that it is this mesh at the start.
    pub(super) fn ends(&self, start: &'a Hierarchy<Obb>) -> MeshEnds<'a> {
        match self.end {
            ContactGeometry::Mesh(end) => MeshEnds { start, end },
            // What deforms is a mesh at both ends.
            ContactGeometry::Round(_) | ContactGeometry::HalfSpace(_) | ContactGeometry::Cavity(_) => {
                MeshEnds { start, end: start }
            }
        }
    }

    /// The plane of a half-space.
    fn plane(&self, plane: &Plane) -> MovingPlane {
        MovingPlane::new(plane, self.pose, &self.way, self.path.poses, self.path.about)
    }
}
