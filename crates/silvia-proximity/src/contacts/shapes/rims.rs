//! An edge along a can or cone touches it all the way: along its side from rim to rim, or along its flat end
//! from where it comes in under the rim to where it goes out. The two places hold it, as the ends of an edge
//! in a face do.
//!
//! In each of them the way from edge to rim is square to both, as between two edges: then the gap changes as
//! its points move, and goes on below zero.

use super::super::pair::{ContactState, PlacedEdge};
use super::round::{ends, rim};
use crate::contacts::tuning;
use crate::feature::Feature;
use crate::shape::Shape;
use silvia_solid::{Pose, Vec3};

/// Rounds of Newton's method, which doubles the digits with each: gaps are small beside rims.
const ROUNDS: usize = 6;

/// Names for the places where an edge along a flat end crosses its rim: two a rim.
pub(super) fn crossings(shape: &Shape) -> impl Iterator<Item = Feature> + use<> {
    let rims = ends(shape).filter(|end| matches!(end, Feature::Edge(_))).count() as u32;
    (0..2 * rims).map(Feature::Face)
}

/// Where an edge along a flat end, which is over it, crosses its rim. The edge counts as the first.
pub(super) fn crossing(edge: &PlacedEdge, round: &Shape, pose: &Pose, number: u32) -> ContactState {
    let [start, along] = edge.segment;
    let rim = Rim::new(round, pose, number / 2);
    let level = |v: Vec3| v - v.dot(rim.outward) * rim.outward;
    // Under the rim: |from + t way| = radius.
    let (from, way) = (level(start - rim.centre), level(along));
    let (square, half) = (way.length_squared(), way.dot(from));
    let rest = half * half - square * (from.length_squared() - rim.radius * rim.radius);
    // The chord is then not so short that its ends are hardly to be told from each other.
    let is_chord = rest > (tuning::NEARLY * rim.radius).powi(2) * square;
    if !is_chord || along.dot(rim.outward).abs() > tuning::NEARLY * along.length() {
        return ContactState::NONE;
    }
    let root = if number % 2 == 0 { -rest.sqrt() } else { rest.sqrt() };
    let t = (root - half) / square;
    let mut state = rim.square_to(edge, t, (from + t * way) / rim.radius, rim.outward);
    // What is farther behind this end is nearer to another side.
    state.holds &= state.gap > -rim.height;
    state.nearly = state.holds;
    state
}

/// Where an edge along the side of a can, which is over it, is under a rim. The edge counts as the first.
pub(super) fn along_side(edge: &PlacedEdge, round: &Shape, pose: &Pose, number: u32) -> ContactState {
    let [start, along] = edge.segment;
    let rim = Rim::new(round, pose, number);
    let rise = along.dot(rim.outward);
    let aside = along.cross(rim.outward).length();
    let t = (rim.centre - start).dot(rim.outward) / rise;
    let radial = (start + t * along - rim.centre) / rim.radius;
    if aside > tuning::NEARLY * rise.abs() || radial.length() < 0.5 {
        return ContactState::NONE;
    }
    rim.square_to(edge, t, radial, radial)
}

/// Whether a contact of an edge with the whole of a shape is one with a flat end along it, which crossings
/// hold.
pub(super) fn is_of_crossings(state: &ContactState, edge: &PlacedEdge, round: &Shape, pose: &Pose) -> bool {
    let lies_flat = state.normal.cross(pose.transform_vector(Vec3::Z)).length() <= tuning::NEARLY;
    let holds = |name: Feature| match name {
        Feature::Face(number) => crossing(edge, round, pose, number).holds,
        Feature::Vertex(_) | Feature::Edge(_) | Feature::Patch(_) => false,
    };
    lies_flat && crossings(round).any(holds)
}

/// A rim where it is.
struct Rim {
    radius: f64,
    /// From the middle of the shape, m.
    height: f64,
    centre: Vec3,
    /// Out of the flat end.
    outward: Vec3,
}

impl Rim {
    fn new(round: &Shape, pose: &Pose, number: u32) -> Rim {
        let (radius, middle) = rim(round, Feature::Edge(number));
        let outward = pose.transform_vector(Vec3::Z * middle.z.signum());
        Rim { radius, height: middle.z.abs(), centre: pose.transform_point(middle), outward }
    }

    /// Where the way from an edge to the rim is square to both, near a place on the edge (its parameter) and
    /// one on the rim (its direction from the centre), by Newton's method. The shape looks at the edge in a
    /// direction.
    fn square_to(&self, edge: &PlacedEdge, t: f64, radial: Vec3, looks: Vec3) -> ContactState {
        let Rim { radius, centre, outward, .. } = *self;
        let [start, along] = edge.segment;
        let (mut t, mut radial) = (t, radial);
        let (mut tangent, mut between) = (Vec3::ZERO, Vec3::ZERO);
        for _ in 0..ROUNDS {
            radial = radial.normalize_or_zero();
            tangent = outward.cross(radial);
            between = centre + radius * radial - (start + t * along);
            // Of `between` along the edge and along the rim: both are to be 0.
            let off = [between.dot(along), between.dot(tangent)];
            let (lean, arm) = (along.dot(tangent), radius - between.dot(radial));
            let scale = lean * lean * radius - along.length_squared() * arm;
            let change = [
                (lean * radius * off[1] - arm * off[0]) / scale,
                (lean * off[0] - along.length_squared() * off[1]) / scale,
            ];
            t += change[0];
            radial -= change[1] * tangent;
        }
        let normal = along.cross(tangent).normalize_or_zero();
        let normal = if normal.dot(looks) > 0.0 { -normal } else { normal };
        let gap = between.dot(normal);
        let is_within = t > 0.0 && t < 1.0 && normal.dot(looks) < -0.5;
        let holds = is_within && edge.arc.is_none_or(|arc| arc.holds(normal));
        let on_edge = start + t * along;
        ContactState { points: [on_edge, on_edge + gap * normal], normal, gap, holds, nearly: holds }
    }
}
