//! Elementary questions about points that move linearly: when does a vertex meet a face, or an edge another?
//!
//! The answer of [`first_touch`] is exact for every finite input: whether the pair touches at some time in
//! [0, 1], both ends included, where faces and edges hold their borders. Coplanar motion, parallel edges,
//! edges of no length, faces of no area and points that rest are decided like any other. Only the time is
//! rounded, to a bracket that holds the true one.

mod approach;
mod exact;
mod filter;
mod fixed;
mod interpolated;
mod place;
mod queries;
mod roots;
mod whole;
mod wide;

pub use approach::{APPROACH_TOLERANCE, Approach, SeparationError, first_approach};
pub use interpolated::interpolated_touch;
pub use queries::{Query, QueryError, read_queries};

use crate::point::NotFinite;
use crate::triangle::TriangleFeature;
use dashu_int::IBig;
use filter::Verdict;
use silvia_solid::Vec3;

/// The bracket around a time of touch is never wider than this fraction of the interval.
pub const TIME_RESOLUTION: f64 = 1.0 / (1u64 << TIME_RESOLUTION_BITS) as f64;
/// [`TIME_RESOLUTION`] is 2 to the minus this: finer than any step needs, and exact in f64.
const TIME_RESOLUTION_BITS: u32 = 40;

/// Which features of two bodies move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Point 0 against the triangle of points 1, 2, 3.
    VertexFace,
    /// The edge from point 0 to 1 against that from 2 to 3.
    EdgeEdge,
}

/// A vertex and a face, or two edges, whose points move linearly from `start` at time 0 to `end` at time 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovingPair {
    kind: Kind,
    start: [Vec3; 4],
    end: [Vec3; 4],
}

impl MovingPair {
    /// A pair of this kind; its points as [`Kind`] says.
    pub fn new(kind: Kind, start: [Vec3; 4], end: [Vec3; 4]) -> Result<MovingPair, NotFinite> {
        match start.iter().chain(&end).find(|p| !p.is_finite()) {
            Some(&at) => Err(NotFinite { at }),
            None => Ok(MovingPair { kind, start, end }),
        }
    }

    /// A vertex and a face, each point given at the start and at the end.
    pub fn vertex_face(vertex: [Vec3; 2], face: [[Vec3; 3]; 2]) -> Result<MovingPair, NotFinite> {
        let points = |t: usize| [vertex[t], face[t][0], face[t][1], face[t][2]];
        MovingPair::new(Kind::VertexFace, points(0), points(1))
    }

    /// Two edges, each given at the start and at the end.
    pub fn edge_edge(a: [[Vec3; 2]; 2], b: [[Vec3; 2]; 2]) -> Result<MovingPair, NotFinite> {
        let points = |t: usize| [a[t][0], a[t][1], b[t][0], b[t][1]];
        MovingPair::new(Kind::EdgeEdge, points(0), points(1))
    }

    /// A vertex and an edge: a face without area, of which the edge is side 0.
    pub fn vertex_edge(vertex: [Vec3; 2], edge: [[Vec3; 2]; 2]) -> Result<MovingPair, NotFinite> {
        MovingPair::vertex_face(vertex, edge.map(|[from, to]| [from, to, to]))
    }

    /// Two vertices: the second as a face that is a point, its corner 0.
    pub fn vertex_vertex(first: [Vec3; 2], second: [Vec3; 2]) -> Result<MovingPair, NotFinite> {
        MovingPair::vertex_face(first, second.map(|p| [p; 3]))
    }

    /// Which features these are.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The points at time 0.
    pub fn start(&self) -> &[Vec3; 4] {
        &self.start
    }

    /// The points at time 1.
    pub fn end(&self) -> &[Vec3; 4] {
        &self.end
    }
}

/// Where on an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EdgePart {
    /// Its first point.
    Start,
    /// Between its points.
    Inside,
    /// Its second point.
    End,
}

/// Where a pair touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// The vertex is on this part of the face.
    VertexFace(TriangleFeature),
    /// These parts of the two edges meet.
    EdgeEdge(EdgePart, EdgePart),
}

/// The first time at which a pair touches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// Not after the true time; the pair does not touch before.
    pub lower: f64,
    /// Not before the true time; at most [`TIME_RESOLUTION`] after `lower`.
    pub upper: f64,
    /// Where they touch at that time.
    pub place: Place,
}

impl Touch {
    fn is_narrow(&self) -> bool {
        self.upper - self.lower <= TIME_RESOLUTION
    }
}

/// Whether and when a pair touches first in [0, 1]. Exact: see the [module](self).
pub fn first_touch(pair: &MovingPair) -> Option<Touch> {
    match filter::examine(pair, 1.0) {
        Verdict::Free => None,
        Verdict::Touch(touch) if touch.is_narrow() => Some(touch),
        _ => exactly(pair),
    }
}

/// Whether a pair touches at some time in [0, 1]. Exact, and cheaper than [`first_touch`].
pub fn touches(pair: &MovingPair) -> bool {
    match filter::examine(pair, 1.0) {
        Verdict::Free => false,
        Verdict::Touch(_) => true,
        Verdict::Unsure { .. } => exactly(pair).is_some(),
    }
}

/// Whether a pair certainly does not touch at any time from 0 to `until`. Never wrong when `true`, and always
/// fast: call it in bulk before [`first_touch`].
///
/// `false` proves nothing, though it nearly always means a touch. Times beyond 1 count as 1.
pub fn certainly_free(pair: &MovingPair, until: f64) -> bool {
    filter::examine(pair, until.clamp(0.0, 1.0)) == Verdict::Free
}

/// A time before which a pair certainly does not touch; infinite if it does not touch in [0, 1]. Always fast,
/// and nearly always equal to the lower bound of [`first_touch`].
pub fn free_until(pair: &MovingPair) -> f64 {
    match filter::examine(pair, 1.0) {
        Verdict::Free => f64::INFINITY,
        Verdict::Touch(touch) => touch.lower,
        Verdict::Unsure { free_until } => free_until,
    }
}

/// How the elementary question is decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// By [`first_touch`]: never wrong.
    #[default]
    Exact,
    /// By [`interpolated_touch`], the test of paper 1. It may be wrong.
    Interpolated,
}

impl Method {
    /// The first time of touch: not after the true one if exact, about it if interpolated.
    pub fn time(self, pair: &MovingPair) -> Option<f64> {
        match self {
            Method::Exact => first_touch(pair).map(|touch| touch.lower),
            Method::Interpolated => interpolated_touch(pair),
        }
    }
}

/// With exact arithmetic: of fixed width where that does, else of any.
#[cold]
fn exactly(pair: &MovingPair) -> Option<Touch> {
    match fixed::examine(pair) {
        Verdict::Free => None,
        Verdict::Touch(touch) if touch.is_narrow() => Some(touch),
        _ => exact::first_touch::<IBig>(pair),
    }
}
