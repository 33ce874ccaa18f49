//! Two shapes of which the second moves without turning: where it comes free of the first.
//!
//! Two convex pieces are in touch over one interval of the way. So from any place that is not free one can go
//! on to the farthest end of the intervals that hold it; the first free place reached is the least. (As for
//! solids: [`separation_along`].)

use super::compound::box_distance;
use super::core::{Class, Core, Rounded};
use super::gjk::{PlacedCore, TOUCH, closest, plane_between};
use super::near::touches;
use super::{Cavity, HalfSpace, Mesh, Shape, half_space, mesh};
use crate::hierarchy::Surface;
use crate::penetration::{FreeSide, separation_along};
use crate::ray::{Ray, cast_ray};
use silvia_solid::{Aabb, Plane, Pose, Vec3};

/// How far beyond the end of an interval a place is free, as a fraction of the size of the coordinates: more
/// than what counts as touching.
const MARGIN: f64 = 64.0 * f64::EPSILON;

/// More intervals than any way has, unless the shapes have millions of triangles. A way that needs more is
/// given up.
const MAX_INTERVALS: usize = 10_000;

/// Steps back to where two convex shapes touch. Each at least halves what is left where they are curved; flat
/// ones take few.
const MAX_STEPS_BACK: usize = 60;

/// The parts of two shapes, in the frame of the first; the second moves.
pub(super) struct Sweep<'a> {
    pub(super) a: Vec<SweptPart<'a>>,
    pub(super) b: Vec<SweptPart<'a>>,
    /// How far beyond touch is free, m; and how near to touch a place is taken for touching.
    pub(super) margin: f64,
}

/// A shape that is no compound.
pub(super) struct SweptPart<'a> {
    pub(super) shape: &'a Shape,
    pub(super) pose: Pose,
    pub(super) bounds: Aabb,
}

impl SweptPart<'_> {
    fn all<'a>(shape: &'a Shape, pose: &Pose) -> Vec<SweptPart<'a>> {
        let piece = |shape: &'a Shape, pose: Pose| SweptPart { shape, pose, bounds: shape.aabb(&pose) };
        match shape.as_compound() {
            Some(c) => c.parts().iter().map(|part| piece(&part.shape, pose.compose(&part.pose))).collect(),
            None => vec![piece(shape, *pose)],
        }
    }

    /// How large coordinates can be, m; of a half-space, that of its plane.
    fn magnitude(&self) -> f64 {
        let own = match self.shape.class() {
            Class::HalfSpace(h) => h.plane.offset.abs(),
            Class::Cavity(c) => c.radius,
            Class::Rounded(_) | Class::Mesh(_) | Class::Compound(_) => self.shape.reach(),
        };
        own + self.pose.translation().length()
    }
}

impl<'a> Sweep<'a> {
    pub(super) fn new(a: &'a Shape, b: &'a Shape, b_in_a: &Pose) -> Sweep<'a> {
        let (a, b) = (SweptPart::all(a, &Pose::IDENTITY), SweptPart::all(b, b_in_a));
        let size = a.iter().chain(&b).map(SweptPart::magnitude).fold(0.0, f64::max);
        Sweep { a, b, margin: MARGIN * size }
    }

    /// The same for a quick look: only so near to touch, m.
    #[must_use]
    pub(super) fn rough(a: &'a Shape, b: &'a Shape, b_in_a: &Pose, margin: f64) -> Sweep<'a> {
        let sweep = Sweep::new(a, b, b_in_a);
        Sweep { margin: margin.max(sweep.margin), ..sweep }
    }

    /// The least distance found along a unit vector at which the second shape is free; `None` if there is
    /// none up to `limit`.
    pub(super) fn least(&self, direction: Vec3, limit: f64) -> Option<f64> {
        let mut s = 0.0;
        for _ in 0..MAX_INTERVALS {
            match self.end_of_touch(s * direction, direction) {
                None => return Some(s),
                Some(further) => s += further + self.margin,
            }
            // Also of an endless way.
            if !s.is_finite() || s > limit {
                return None;
            }
        }
        None
    }

    pub(super) fn is_free(&self, by: Vec3) -> bool {
        self.pairs(by, 0.0).all(|(a, b, b_in_a)| !touches(a.shape, b.shape, &b_in_a))
    }

    /// If the shapes touch at a translation: how much further they do, along a unit vector, as far as the
    /// pairs that touch here tell; perhaps for ever.
    fn end_of_touch(&self, at: Vec3, direction: Vec3) -> Option<f64> {
        let mut most: Option<f64> = None;
        for (a, b, b_in_a) in self.pairs(at, 0.0) {
            let local = a.pose.rotation().conjugate() * direction;
            if let Some(further) = pair_end(a.shape, b.shape, &b_in_a, local, self.margin) {
                most = Some(most.map_or(further, |m: f64| m.max(further)));
            }
        }
        most
    }

    /// The planes that keep pairs of pieces apart at a free translation, of pairs nearer than `reach`: as the
    /// translations that they allow.
    pub(super) fn free_sides(&self, at: Vec3, reach: f64) -> Vec<FreeSide> {
        let mut sides = Vec::new();
        for (a, b, b_in_a) in self.pairs(at, reach) {
            let add = |normal: Vec3, gap: f64| {
                let normal = a.pose.transform_vector(normal);
                sides.push(FreeSide { normal, offset: normal.dot(at) - gap.max(0.0) });
            };
            planes_between(a.shape, b.shape, &b_in_a, reach, add);
        }
        sides
    }

    /// All pairs of pieces whose boxes are nearer than `reach` after a translation, with the pose of the
    /// second in the frame of the first.
    fn pairs(&self, by: Vec3, reach: f64) -> impl Iterator<Item = (&SweptPart<'a>, &SweptPart<'a>, Pose)> {
        self.a.iter().flat_map(move |a| {
            self.b.iter().filter_map(move |b| {
                let moved = Aabb { min: b.bounds.min + by, max: b.bounds.max + by };
                let near = box_distance(&a.bounds, &moved) <= reach + self.margin;
                // A translation between finite places is finite.
                let shift = near.then(|| Pose::from_translation(by).ok()).flatten()?;
                Some((a, b, a.pose.inverse().compose(&shift.compose(&b.pose))))
            })
        })
    }
}

/// If two shapes, no compounds, touch: how much further the second does when it goes along a unit vector.
/// `near` (m) is near enough to touch.
fn pair_end(a: &Shape, b: &Shape, b_in_a: &Pose, direction: Vec3, near: f64) -> Option<f64> {
    match (a.class(), b.class()) {
        (Class::Rounded(p), Class::Rounded(q)) => touches(a, b, b_in_a).then(|| {
            let placed = (PlacedCore::here(p.core), PlacedCore::at(q.core, b_in_a));
            last_touch((&p, &placed.0), (&q, &placed.1), direction, near)
        }),
        (Class::HalfSpace(h), Class::HalfSpace(k)) => {
            let (p, q) = (h.plane, half_space::placed(k, b_in_a));
            if !touches(a, b, b_in_a) {
                return None;
            }
            let gap = half_space::opposite_gap(&p, &q);
            Some(gap.map_or(f64::INFINITY, |gap| leave_plane(-gap, p.normal.dot(direction))))
        }
        (Class::Cavity(c), _) => into_cavity(c, b, b_in_a, direction),
        (_, Class::Cavity(c)) => {
            let a_in_b = b_in_a.inverse();
            into_cavity(c, a, &a_in_b, a_in_b.transform_vector(-direction))
        }
        (Class::HalfSpace(h), _) => out_of_half_space(h, b, b_in_a, direction),
        (_, Class::HalfSpace(k)) => {
            let a_in_b = b_in_a.inverse();
            out_of_half_space(k, a, &a_in_b, a_in_b.transform_vector(-direction))
        }
        (Class::Mesh(m), Class::Rounded(q)) => out_of_mesh(m, &q, b_in_a, direction, near),
        (Class::Rounded(p), Class::Mesh(m)) => {
            let a_in_b = b_in_a.inverse();
            out_of_mesh(m, &p, &a_in_b, a_in_b.transform_vector(-direction), near)
        }
        (Class::Mesh(m), Class::Mesh(n)) => {
            if !touches(a, b, b_in_a) {
                return None;
            }
            let here = Pose::IDENTITY;
            let found = separation_along(&*m.hierarchy, &here, &n.hierarchy, b_in_a, direction);
            Some(found.unwrap_or(f64::INFINITY))
        }
        (Class::Compound(_), _) | (_, Class::Compound(_)) => {
            // Pieces are no compounds; of one, nothing shorter than for ever is known here.
            touches(a, b, b_in_a).then_some(f64::INFINITY)
        }
    }
}

/// The end of the interval in which two convex shapes touch when the second goes along a unit vector: from
/// far away back to where they touch, by the plane between them each time.
fn last_touch(
    (a, placed_a): (&Rounded<'_>, &PlacedCore<'_>),
    (b, placed_b): (&Rounded<'_>, &PlacedCore<'_>),
    direction: Vec3,
    near: f64,
) -> f64 {
    let margin = a.margin + b.margin;
    let size = placed_a.magnitude() + placed_b.magnitude() + margin;
    let near = near.max(TOUCH * size);
    let reach = placed_a.support(direction) - placed_b.support(-direction);
    let mut s = reach.dot(direction) + margin;
    for _ in 0..MAX_STEPS_BACK {
        let plane = plane_between(placed_a, &placed_b.shifted(s * direction), margin);
        let gap = plane.lower - margin;
        let climb = plane.direction.dot(direction);
        if gap <= near || climb <= 0.0 {
            break;
        }
        s -= gap / climb;
    }
    s.max(0.0)
}

/// How far something must go that is `depth` behind a plane, if it climbs by `climb` per metre.
fn leave_plane(depth: f64, climb: f64) -> f64 {
    if climb > 0.0 { depth.max(0.0) / climb } else { f64::INFINITY }
}

/// A bounded shape at a pose in the frame of a half-space.
fn out_of_half_space(h: &HalfSpace, shape: &Shape, pose: &Pose, direction: Vec3) -> Option<f64> {
    let Plane { normal, offset } = h.plane;
    let lowest = shape.support(pose.rotation().conjugate() * -normal)?;
    let p = pose.transform_point(lowest);
    let gap = normal.dot(p) - offset;
    (gap <= TOUCH * (p.length() + offset.abs())).then(|| leave_plane(-gap, normal.dot(direction)))
}

/// A shape at a pose in the frame of a cavity: to where it is all in the ball. At each place its farthest
/// point must come into the ball still, so the way is never too long.
fn into_cavity(c: &Cavity, shape: &Shape, pose: &Pose, direction: Vec3) -> Option<f64> {
    let touch = |s: f64| {
        let moved = pose.moved(s * direction);
        let found = c.clearance(shape, &moved)?;
        (found.gap <= c.touch(&found.farthest)).then_some(found.farthest)
    };
    // What is unbounded always touches.
    if shape.farthest_from(Vec3::ZERO).is_none() {
        return Some(f64::INFINITY);
    }
    touch(0.0)?;
    let mut s = 0.0;
    for _ in 0..MAX_STEPS_BACK {
        let Some(farthest) = touch(s) else { return Some(s) };
        let radius = c.radius - farthest.margin;
        let along = -farthest.at.dot(direction);
        let aside = (farthest.at + along * direction).length();
        let further = along - ((radius - aside) * (radius + aside)).sqrt();
        // It goes by, or out already.
        if !(aside <= radius && along > 0.0) {
            return Some(f64::INFINITY);
        }
        s += further.max(0.0) + TOUCH * (c.radius + farthest.at.length());
    }
    Some(s)
}

/// A convex shape at a pose in the frame of a mesh: past the triangles that it touches; if it is inside and
/// touches none, to where one of its points meets one.
fn out_of_mesh(m: &Mesh, shape: &Rounded<'_>, pose: &Pose, direction: Vec3, near: f64) -> Option<f64> {
    let placed = PlacedCore::at(shape.core, pose);
    let mut most: Option<f64> = None;
    mesh::visit_near(m, shape, &placed, 0.0, |corners| {
        let flat = Rounded { core: Core::Points(corners), margin: 0.0 };
        let at = PlacedCore::here(flat.core);
        // By its support alone it cannot touch for longer than this.
        let reach = (at.support(direction) - placed.support(-direction)).dot(direction) + shape.margin;
        if most.is_none_or(|m| reach > m)
            && super::rounded::nearest_placed((&flat, &at), (shape, &placed), 0.0).upper == 0.0
        {
            let end = last_touch((&flat, &at), (shape, &placed), direction, near);
            most = Some(most.map_or(end, |m: f64| m.max(end)));
        }
    });
    if most.is_some() || !matches!(m.hierarchy.surface(), Surface::Solid(_)) {
        return most;
    }
    let p = placed.support(Vec3::X);
    if !mesh::is_inside(&m.hierarchy, p) {
        return None;
    }
    let ray = Ray { origin: p, direction, reach: f64::INFINITY };
    let hit = cast_ray(&m.hierarchy, &Pose::IDENTITY, &ray).ok().flatten();
    Some(hit.map_or(f64::INFINITY, |hit| hit.parameter))
}

/// Calls a function with a plane between each two convex pieces of two shapes (no compounds) that are apart
/// but nearer than `reach`: its normal, in the frame of the first, and the gap, m.
fn planes_between(a: &Shape, b: &Shape, b_in_a: &Pose, reach: f64, mut add: impl FnMut(Vec3, f64)) {
    let back = b_in_a.inverse();
    match (a.class(), b.class()) {
        (Class::Rounded(p), Class::Rounded(q)) => {
            let near = closest(&PlacedCore::here(p.core), &PlacedCore::at(q.core, b_in_a), f64::INFINITY);
            add(near.direction, near.lower - p.margin - q.margin);
        }
        (Class::HalfSpace(h), Class::HalfSpace(k)) => {
            let (p, q) = (h.plane, half_space::placed(k, b_in_a));
            add(p.normal, half_space::opposite_gap(&p, &q).unwrap_or(0.0));
        }
        (Class::Cavity(c), _) => {
            if let Some(found) = c.clearance(b, b_in_a) {
                add(found.normal, found.gap);
            }
        }
        (_, Class::Cavity(c)) => {
            if let Some(found) = c.clearance(a, &back) {
                add(-b_in_a.transform_vector(found.normal), found.gap);
            }
        }
        (Class::HalfSpace(h), _) => {
            if let Some(p) = b.support(back.transform_vector(-h.plane.normal)) {
                add(h.plane.normal, h.plane.distance(b_in_a.transform_point(p)));
            }
        }
        (_, Class::HalfSpace(k)) => {
            let plane = half_space::placed(k, b_in_a);
            if let Some(p) = a.support(-plane.normal) {
                add(-plane.normal, plane.distance(p));
            }
        }
        (Class::Mesh(m), Class::Rounded(q)) => planes_to_mesh(m, &q, b_in_a, reach, add),
        (Class::Rounded(p), Class::Mesh(m)) => {
            planes_to_mesh(m, &p, &back, reach, |normal, gap| add(b_in_a.transform_vector(-normal), gap));
        }
        (Class::Mesh(m), Class::Mesh(n)) => mesh::visit_near_two(m, n, b_in_a, reach, |p, q| {
            let near = closest(
                &PlacedCore::here(Core::Points(p)),
                &PlacedCore::here(Core::Points(q)),
                f64::INFINITY,
            );
            add(near.direction, near.lower);
        }),
        (Class::Compound(_), _) | (_, Class::Compound(_)) => {}
    }
}

fn planes_to_mesh(m: &Mesh, shape: &Rounded<'_>, pose: &Pose, reach: f64, mut add: impl FnMut(Vec3, f64)) {
    let placed = PlacedCore::at(shape.core, pose);
    mesh::visit_near(m, shape, &placed, reach, |corners| {
        let near = closest(&PlacedCore::here(Core::Points(corners)), &placed, reach + shape.margin);
        add(near.direction, near.lower - shape.margin);
    });
}
