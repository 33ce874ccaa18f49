//! An edge along the side of a can touches it from rim to rim; one along the flat end of a can or cone, from
//! where it comes in under the rim to where it goes out. The two places hold it, as the ends of an edge in a
//! face do.
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

/// How far from square the way may be after them, as a fraction of the rim's radius.
const SQUARE: f64 = 1e-9;

/// A place where an edge along a can or cone is held.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// Under a rim, along the flat end: where the edge comes in, or where it goes out.
    Crossing { rim: u32, goes_out: bool },
    /// Beside a rim, along the side.
    Side { rim: u32 },
}

/// How many rims a shape has.
fn count(shape: &Shape) -> u32 {
    ends(shape).filter(|end| matches!(end, Feature::Edge(_))).count() as u32
}

/// The names of all such places of a shape: its patches from 1 on, which nothing else names.
pub(super) fn names(shape: &Shape) -> impl Iterator<Item = Feature> + use<> {
    let rims = count(shape);
    // Nothing along the side of a cone is along its axis.
    let sides = if rims == 2 { 2 } else { 0 };
    (1..=2 * rims + sides).map(Feature::Patch)
}

/// The place that a name means; none if it is another feature of the shape.
pub(super) fn place(shape: &Shape, name: Feature) -> Option<Place> {
    let Feature::Patch(number @ 1..) = name else { return None };
    let rims = count(shape);
    match number - 1 {
        n if n < 2 * rims => Some(Place::Crossing { rim: n / 2, goes_out: n % 2 == 1 }),
        n if n < 3 * rims => Some(Place::Side { rim: n - 2 * rims }),
        _ => None,
    }
}

/// How an edge and a shape over it lie in such a place; none if there is no such place now. The edge counts
/// as the first.
pub(super) fn state(edge: &PlacedEdge, round: &Shape, pose: &Pose, place: Place) -> Option<ContactState> {
    match place {
        Place::Crossing { rim, goes_out } => crossing(edge, &Rim::new(round, pose, rim), goes_out),
        Place::Side { rim } => along_side(edge, &Rim::new(round, pose, rim)),
    }
}

/// Whether a contact of an edge with the whole of a shape is one with a flat end along it, which crossings
/// hold.
pub(super) fn is_of_crossings(state: &ContactState, edge: &PlacedEdge, round: &Shape, pose: &Pose) -> bool {
    let lies_flat = state.normal.cross(pose.transform_vector(Vec3::Z)).length() <= tuning::NEARLY;
    let holds = |name: Feature| match place(round, name) {
        Some(place @ Place::Crossing { .. }) => {
            self::state(edge, round, pose, place).is_some_and(|state| state.holds)
        }
        Some(Place::Side { .. }) | None => false,
    };
    lies_flat && names(round).any(holds)
}

fn crossing(edge: &PlacedEdge, rim: &Rim, goes_out: bool) -> Option<ContactState> {
    let [start, along] = edge.segment;
    let level = |v: Vec3| v - v.dot(rim.outward) * rim.outward;
    // Under the rim: |from + t way| = radius.
    let (from, way) = (level(start - rim.centre), level(along));
    let (square, half) = (way.length_squared(), way.dot(from));
    let rest = half * half - square * (from.length_squared() - rim.radius * rim.radius);
    // The chord is then not so short that its ends are hardly to be told from each other.
    let is_chord = rest > (tuning::NEARLY * rim.radius).powi(2) * square;
    if !is_chord || along.dot(rim.outward).abs() > tuning::NEARLY * along.length() {
        return None;
    }
    let root = if goes_out { rest.sqrt() } else { -rest.sqrt() };
    let t = (root - half) / square;
    let mut state = rim.square_to(edge, t, (from + t * way) / rim.radius, rim.outward)?;
    let past = (from + way * (-half / square).clamp(0.0, 1.0)).length();
    state.holds &= rim.is_nearest_side(-state.gap, past);
    state.nearly = state.holds;
    Some(state)
}

fn along_side(edge: &PlacedEdge, rim: &Rim) -> Option<ContactState> {
    let [start, along] = edge.segment;
    let rise = along.dot(rim.outward);
    let aside = along.cross(rim.outward).length();
    let t = (rim.centre - start).dot(rim.outward) / rise;
    let radial = (start + t * along - rim.centre) / rim.radius;
    // What is farther inside than half the radius is nearer to another side.
    let is_along = aside <= tuning::NEARLY * rise.abs() && radial.length() > 0.5;
    if is_along { rim.square_to(edge, t, radial, radial) } else { None }
}

/// A rim where it is.
struct Rim {
    radius: f64,
    /// From the middle of the shape, m.
    height: f64,
    centre: Vec3,
    /// Out of the flat end.
    outward: Vec3,
    /// By how much the shape is narrower than the rim behind it, m for each m.
    narrows: f64,
}

impl Rim {
    fn new(round: &Shape, pose: &Pose, number: u32) -> Rim {
        let (radius, middle) = rim(round, Feature::Edge(number));
        let outward = pose.transform_vector(Vec3::Z * middle.z.signum());
        let height = middle.z.abs();
        let narrows = if count(round) == 1 { 0.5 * radius / height } else { 0.0 };
        Rim { radius, height, centre: pose.transform_point(middle), outward, narrows }
    }

    /// Whether an edge along the flat end that is so deep behind it and passes the axis at a distance, both
    /// in m, is nearer to this end than to any other side. Behind the end of a cone most of what is under the
    /// rim is beside the cone.
    fn is_nearest_side(&self, depth: f64, past: f64) -> bool {
        let from_side = (self.radius - self.narrows * depth - past) / self.narrows.hypot(1.0);
        depth < self.height && (self.narrows == 0.0 || depth <= from_side)
    }

    /// Where the way from an edge to the rim is square to both, near a place on the edge (its parameter) and
    /// one on the rim (its direction from the centre), by Newton's method; none if that does not get there.
    /// The shape looks at the edge in a direction.
    fn square_to(&self, edge: &PlacedEdge, t: f64, radial: Vec3, looks: Vec3) -> Option<ContactState> {
        let Rim { radius, centre, outward, .. } = *self;
        let [start, along] = edge.segment;
        let (mut t, mut radial) = (t, radial.normalize_or_zero());
        let between = |t: f64, radial: Vec3| centre + radius * radial - (start + t * along);
        for _ in 0..ROUNDS {
            let (tangent, way) = (outward.cross(radial), between(t, radial));
            // Of the way along the edge and along the rim: both are to be 0.
            let off = [way.dot(along), way.dot(tangent)];
            let (lean, arm) = (along.dot(tangent), radius - way.dot(radial));
            let scale = lean * lean * radius - along.length_squared() * arm;
            t += (lean * radius * off[1] - arm * off[0]) / scale;
            let turn = (along.length_squared() * off[1] - lean * off[0]) / scale;
            radial = (radial + turn * tangent).normalize_or_zero();
        }
        let (tangent, way) = (outward.cross(radial), between(t, radial));
        let off = (way.dot(along) / along.length()).abs().max(way.dot(tangent).abs());
        let normal = along.cross(tangent).normalize_or_zero();
        let normal = if normal.dot(looks) > 0.0 { -normal } else { normal };
        let is_square = off <= SQUARE * radius && normal.dot(looks) < -0.5;
        let gap = way.dot(normal);
        let holds = t > 0.0 && t < 1.0 && edge.arc.is_none_or(|arc| arc.holds(normal));
        let on_edge = start + t * along;
        let points = [on_edge, on_edge + gap * normal];
        is_square.then_some(ContactState { points, normal, gap, holds, nearly: holds })
    }
}
