//! Cavities on their way.
//!
//! The centre of a cavity goes straight, and so do the points of the other body. How far such a point is from
//! the centre is then a convex function of time. So what is inside the empty ball at both ends is inside all
//! the way; and of what is not at the end, the time until which it is can be enclosed: on a chord of a convex
//! function it comes to a height no later than on the function itself.

use super::check::{Found, Side};
use super::mover::{Mover, PartWay, Still, between};
use super::path::MeshEnds;
use crate::bounds::{Bound, Obb};
use crate::feature::Feature;
use crate::hierarchy::{Child, HullCorner, Slot};
use crate::lanes::LANES;
use crate::shape::{Cavity, Class, Shape};
use crate::triangle::TriangleFeature;
use silvia_solid::Vec3;

/// What placing points and measuring how far they are may lose, as a fraction of the sizes and the distance.
const ROUNDING: f64 = 32.0 * f64::EPSILON;

/// The same of a curved thing on its way, which is sheared there.
const ROUNDING_SHEARED: f64 = 1e-12;

/// More rounds than the time of a touch takes: each halves what is left of it.
const MOST_ROUNDS: usize = 64;

/// A cavity, which counts as the first, and a round part.
pub(super) fn in_cavity(
    cavity: &Cavity,
    side: &Side<'_>,
    shape: &Shape,
    round_side: &Side<'_>,
    work: &mut u64,
) -> Option<Found> {
    let Some(round) = Mover::round(shape, &round_side.way) else {
        return Some(Found::unknown(side.way.poses[0].translation()));
    };
    let (met, feature) = MovingCavity::new(cavity, &side.way).first_touch(shape, &round, work)?;
    Some(Found::in_cavity(&met, feature))
}

/// All vertices of a mesh that come to the surface of a cavity, which counts as the first; that which does so
/// first at the front.
pub(super) fn all_vertices_in_cavity(
    cavity: &Cavity,
    side: &Side<'_>,
    mesh: MeshEnds<'_>,
    mesh_side: &Side<'_>,
    work: &mut u64,
) -> Vec<Found> {
    let cavity = MovingCavity::new(cavity, &side.way);
    let mut all = Vec::new();
    each_vertex(&cavity, mesh, &mesh_side.way, work, |VertexAtCavity { met, triangle, corner }| {
        let part = TriangleFeature::Vertex(corner as u8);
        let id = mesh.start.triangles[triangle].id;
        all.push(Found::in_cavity(&met, Feature::of(mesh.start.surface(), id, part)));
    });
    if let Some(first) = (0..all.len()).min_by(|&i, &j| all[i].free_until.total_cmp(&all[j].free_until)) {
        all.swap(0, first);
    }
    all
}

/// A cavity on its way.
struct MovingCavity {
    radius: f64,
    center: Mover<'static>,
}

/// What comes to the surface of a cavity.
pub(super) struct CavityMet {
    /// The fraction of the path until which it is certainly free.
    pub(super) time: f64,
    /// From the surface, unit length.
    pub(super) normal: Vec3,
    /// On the surface and on the other body, m.
    pub(super) points: [Vec3; 2],
}

impl MovingCavity {
    fn new(cavity: &Cavity, way: &PartWay) -> MovingCavity {
        MovingCavity { radius: cavity.radius(), center: Mover::point(way.frames, way.arms) }
    }

    /// At a time, with a point of another body given by its way from the centre, and what is around it.
    fn met(&self, time: f64, way: Vec3, margin: f64) -> CavityMet {
        let outward = way.normalize_or(Vec3::X);
        let center = self.center.middle(time);
        CavityMet {
            time,
            normal: -outward,
            points: [center + self.radius * outward, center + way + margin * outward],
        }
    }

    /// When a round part comes to the surface, and with which of its features; `None` if it does not.
    fn first_touch(&self, shape: &Shape, round: &Mover<'_>, work: &mut u64) -> Option<(CavityMet, Feature)> {
        let ways = self.center.ways_to(round);
        let look = |time: f64| {
            let (still, way) = (round.at(time), between(ways, time));
            let (p, number) = still.farthest_from(-way, time == 0.0 || time == 1.0);
            ((self.radius - round.margin) - (way + p).length(), way + p, number)
        };
        let slack =
            |end: usize| ROUNDING * (self.radius + round.margin + round.reach[end] + ways[end].length());
        *work += 2;
        let gaps = [look(0.0).0, look(1.0).0];
        let time = if gaps[0].is_nan() || gaps[0] <= slack(0) {
            0.0
        } else if gaps[1] > 2.0 * slack(1) || gaps[1] > slack(1) && gaps[1] >= gaps[0] {
            return None;
        } else if gaps[1] > slack(1) {
            1.0
        } else {
            let is_sheared = matches!(round.at(0.0), Still::Round { .. });
            let rounding = if is_sheared { ROUNDING_SHEARED / ROUNDING } else { 1.0 };
            let slack = rounding * slack(0).max(slack(1));
            last_above(slack, gaps, |time| {
                *work += 1;
                look(time).0
            })
        };
        let (_, way, number) = look(time);
        let feature = match shape.class() {
            Class::Rounded(rounded) => rounded.farthest_feature(number),
            Class::HalfSpace(_) | Class::Cavity(_) | Class::Mesh(_) | Class::Compound(_) => Feature::Patch(0),
        };
        Some((self.met(time, way, round.margin), feature))
    }
}

/// A time until which a concave function that is not above a height at 1 is above it, never late.
fn last_above(height: f64, [first, last]: [f64; 2], value: impl FnMut(f64) -> f64) -> f64 {
    let mut value = value;
    let (mut low, mut high) = ((0.0, first - height), (1.0, last - height));
    for _ in 0..MOST_ROUNDS {
        // Below the chord it is free. Above the height by no more than that is near enough.
        if low.1 <= height || high.0 - low.0 <= f64::EPSILON {
            break;
        }
        let chord = low.0 + (high.0 - low.0) * (low.1 / (low.1 - high.1)) * (1.0 - 4.0 * f64::EPSILON);
        for time in [chord, low.0.max(chord).midpoint(high.0)] {
            let above = value(time) - height;
            if above > 0.0 && time > low.0 {
                low = (time, above);
            } else if above <= 0.0 && time < high.0 && time > low.0 {
                high = (time, above);
            }
        }
    }
    low.0
}

/// A vertex that comes to the surface of a cavity.
struct VertexAtCavity {
    met: CavityMet,
    /// The position of a triangle among those of the leaves.
    triangle: usize,
    corner: usize,
}

/// All vertices of a mesh that come to the surface, or of a rigid one with a simple hull those at its
/// corners: some once for each triangle that has them.
fn each_vertex(
    cavity: &MovingCavity,
    mesh: MeshEnds<'_>,
    way: &PartWay,
    work: &mut u64,
    mut found: impl FnMut(VertexAtCavity),
) {
    let seen = SeenCavity::new(cavity, mesh, way);
    let mut look = |ends: [Vec3; 2], triangle: usize, corner: usize| {
        if let Some((time, ways)) = seen.free_until(ends) {
            let met = cavity.met(time, between(ways, time), 0.0);
            found(VertexAtCavity { met, triangle, corner });
        }
    };
    if mesh.is_rigid()
        && let Some(corners) = mesh.start.hull_corners()
    {
        *work += corners.len() as u64;
        for &HullCorner { at, triangle, corner, .. } in corners {
            look([at; 2], triangle as usize, corner.into());
        }
        return;
    }
    let mut stack = vec![Slot::ROOT];
    while let Some(slot) = stack.pop() {
        let child = mesh.start.child(slot);
        if child.is_leaf() {
            let leaf = mesh.start.leaf(child);
            for triangle in (leaf.start as usize..).take(leaf.triangles.len()) {
                *work += 1;
                let [start, end] = mesh.corners(triangle);
                (0..3).for_each(|corner| look([start[corner], end[corner]], triangle, corner));
            }
            continue;
        }
        *work += 1;
        let start = Obb::balls(&mesh.start.nodes[child.index()].pack);
        let end = if mesh.is_rigid() { start } else { Obb::balls(&mesh.end.nodes[child.index()].pack) };
        for lane in 0..LANES {
            let middles = [start, end].map(|([x, y, z], _)| Vec3::new(x[lane], y[lane], z[lane]));
            let is_some = mesh.start.nodes[child.index()].child[lane] != Child::NONE;
            if is_some && !seen.holds(middles, [start, end].map(|(_, radii)| radii[lane])) {
                stack.push(Slot::new(child.index(), lane));
            }
        }
    }
}

/// A cavity as seen from a mesh at both ends.
struct SeenCavity<'a> {
    way: &'a PartWay,
    radius: f64,
    /// The centre in the frame of the mesh, m.
    centers: [Vec3; 2],
    /// From the centre to the origin of the mesh, m.
    ways: [Vec3; 2],
    slacks: [f64; 2],
}

impl<'a> SeenCavity<'a> {
    fn new(cavity: &MovingCavity, mesh: MeshEnds<'_>, way: &'a PartWay) -> SeenCavity<'a> {
        let ways = cavity.center.ways_to(&Mover::point(way.frames, way.arms));
        let magnitudes = [mesh.start.magnitude, mesh.end.magnitude];
        SeenCavity {
            way,
            radius: cavity.radius,
            centers: [0, 1].map(|i| -(way.poses[i].rotation().conjugate() * ways[i])),
            ways,
            slacks: [0, 1].map(|i| ROUNDING * (cavity.radius + ways[i].length() + 2.0 * magnitudes[i])),
        }
    }

    /// Whether all that is within radii of a point certainly is in the ball at both ends.
    fn holds(&self, p: [Vec3; 2], radii: [f64; 2]) -> bool {
        (0..2).all(|i| {
            let reach = p[i].distance(self.centers[i]) + radii[i] * (1.0 + 1e-12);
            reach + 2.0 * self.slacks[i] < self.radius
        })
    }

    /// For which fraction of the path a point is certainly in the ball, and its way from the centre at both
    /// ends; `None` if it is all the way.
    fn free_until(&self, p: [Vec3; 2]) -> Option<(f64, [Vec3; 2])> {
        let gaps = [0, 1].map(|i| self.radius - p[i].distance(self.centers[i]));
        let is_apart = gaps[0] > self.slacks[0];
        if is_apart && (gaps[1] > 2.0 * self.slacks[1] || gaps[1] > self.slacks[1] && gaps[1] >= gaps[0]) {
            return None;
        }
        let ways = [0, 1].map(|i| self.ways[i] + self.way.poses[i].transform_vector(p[i]));
        let time = if !is_apart {
            0.0
        } else if gaps[1] > self.slacks[1] {
            1.0
        } else {
            leaves_ball(ways, self.radius - self.slacks[0].max(self.slacks[1]))
        };
        Some((time, ways))
    }
}

/// When a point that goes straight leaves a ball around the origin; 0 if it starts outside.
fn leaves_ball([from, to]: [Vec3; 2], radius: f64) -> f64 {
    let travel = to - from;
    let (a, b) = (travel.length_squared(), from.dot(travel));
    let inside = (radius - from.length()) * (radius + from.length());
    if inside <= 0.0 {
        return 0.0;
    }
    let root = (b * b + a * inside).sqrt();
    let time = if b > 0.0 { inside / (b + root) } else { (root - b) / a };
    if time.is_nan() { 0.0 } else { time.min(1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use seeded::Random;

    #[test]
    fn a_point_leaves_a_ball_at_the_root_of_its_quadratic() {
        let mut random = Random::new(3);
        for _ in 0..500 {
            let ways = [0.99 * random.unit() * random.direction(), 3.0 * random.direction()];
            let time = leaves_ball(ways, 1.0);
            assert!((between(ways, time).length() - 1.0).abs() < 1e-14, "{ways:?}");
        }
    }

    #[test]
    fn the_last_time_above_a_height_is_found_and_never_late() {
        for (peak, width) in [(0.0, 1.0), (0.3, 0.7), (0.9, 2.0), (-3.0, 3.2)] {
            let hill = |t: f64| 1.0 - ((t - peak) / width) * ((t - peak) / width);
            let height = 0.25 * hill(1.0).max(0.0) + 0.75 * hill(0.0).min(hill(peak.clamp(0.0, 1.0)));
            if hill(1.0) > height || hill(0.0) <= height {
                continue;
            }
            let root = peak + width * (1.0 - height).sqrt();
            let found = last_above(height, [hill(0.0), hill(1.0)], hill);
            assert!(found <= root && hill(found) >= height, "{found} for {root}");
        }
    }
}
