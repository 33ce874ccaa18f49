//! Where a pair touches at a moment at which its four points are in one plane, from signs alone.
//!
//! With A, B, C the ways from point 0 to the others, see [`filter`](super::filter) for U, V, W and S.

use super::{EdgePart, Kind, Place};
use crate::triangle::TriangleFeature;

/// A cross product: of B and C, of C and A, of A and B, or the sum of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Product {
    U,
    V,
    W,
    S,
}

impl Product {
    pub(super) const EACH: [Product; 4] = [Product::U, Product::V, Product::W, Product::S];
}

/// A number whose sign matters.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ask {
    /// A component of a cross product.
    Cross(Product, usize),
    /// A component of the way from one point to another.
    Way { from: usize, to: usize, axis: usize },
}

/// The place of touch, or `None` if the pair does not.
pub(super) fn place(kind: Kind, sign: &mut dyn FnMut(Ask) -> i32) -> Option<Place> {
    for axis in 0..3 {
        let signs = Product::EACH.map(|product| sign(Ask::Cross(product, axis)));
        match seen(kind, signs) {
            Seen::Apart => return None,
            Seen::At(place) => return Some(place),
            Seen::EdgeOn => {}
        }
    }
    // A face without area, or edges that are parallel.
    segments(kind).iter().find_map(|s| s.touched(sign))
}

/// What is seen along an axis.
pub(super) enum Seen {
    Apart,
    At(Place),
    /// Nothing: the face has no area from there, or the edges are parallel.
    EdgeOn,
}

/// Whether they are certainly apart, given the signs of U, V, W and S along an axis, where 0 may also be an
/// unknown sign.
#[inline(always)]
pub(super) fn apart(kind: Kind, [u, v, w, s]: [i32; 4]) -> bool {
    match kind {
        // The vertex is on different sides of two sides of the face.
        Kind::VertexFace => u * v < 0 || v * w < 0 || w * u < 0,
        // Both ends of an edge are on one side of the other: W and -V, U and S say on which.
        Kind::EdgeEdge => v * w < 0 || u * s > 0,
    }
}

/// What the signs of U, V, W and S along an axis tell.
pub(super) fn seen(kind: Kind, signs: [i32; 4]) -> Seen {
    if apart(kind, signs) {
        return Seen::Apart;
    }
    let [u, v, w, s] = signs;
    let part = |start: i32, end: i32| match (start, end) {
        (0, _) => EdgePart::Start,
        (_, 0) => EdgePart::End,
        _ => EdgePart::Inside,
    };
    match kind {
        // The area opposite of a corner, or two, may be zero.
        Kind::VertexFace => Seen::At(Place::VertexFace(match [u, v, w] {
            [0, 0, 0] => return Seen::EdgeOn,
            [_, 0, 0] => TriangleFeature::Vertex(0),
            [0, _, 0] => TriangleFeature::Vertex(1),
            [0, 0, _] => TriangleFeature::Vertex(2),
            [0, _, _] => TriangleFeature::Edge(1),
            [_, 0, _] => TriangleFeature::Edge(2),
            [_, _, 0] => TriangleFeature::Edge(0),
            _ => TriangleFeature::Face,
        })),
        Kind::EdgeEdge if v == 0 && w == 0 => Seen::EdgeOn,
        Kind::EdgeEdge => Seen::At(Place::EdgeEdge(part(u, s), part(w, v))),
    }
}

/// A point that may be on a segment, and what that means.
#[derive(Clone, Copy)]
pub(super) struct OnSegment {
    pub(super) point: usize,
    /// The points of the segment.
    pub(super) ends: [usize; 2],
    /// Zero if the point is on the line of the segment.
    pub(super) off: Product,
    /// Inside the segment.
    pub(super) inside: Place,
    /// At its ends.
    pub(super) at_end: [Place; 2],
}

impl OnSegment {
    /// Where they touch, if they do.
    pub(super) fn touched(&self, sign: &mut dyn FnMut(Ask) -> i32) -> Option<Place> {
        if (0..3).any(|axis| sign(Ask::Cross(self.off, axis)) != 0) {
            return None;
        }
        let mut equal = [true; 2];
        for axis in 0..3 {
            let ways = self.ends.map(|to| sign(Ask::Way { from: self.point, to, axis }));
            if ways[0] * ways[1] > 0 {
                return None;
            }
            equal = [equal[0] && ways[0] == 0, equal[1] && ways[1] == 0];
        }
        Some(match equal {
            [true, _] => self.at_end[0],
            [_, true] => self.at_end[1],
            _ => self.inside,
        })
    }
}

/// The ways in which a pair that stays in one plane begins to touch.
pub(super) fn segments(kind: Kind) -> &'static [OnSegment] {
    use EdgePart::{End, Inside, Start};
    use TriangleFeature::{Edge, Vertex};
    const fn face(k: u8, off: Product) -> OnSegment {
        let next = (k + 1) % 3;
        OnSegment {
            point: 0,
            ends: [k as usize + 1, next as usize + 1],
            off,
            inside: Place::VertexFace(Edge(k)),
            at_end: [Place::VertexFace(Vertex(k)), Place::VertexFace(Vertex(next))],
        }
    }
    const fn first(point: usize, part: EdgePart, off: Product) -> OnSegment {
        OnSegment {
            point,
            ends: [2, 3],
            off,
            inside: Place::EdgeEdge(part, Inside),
            at_end: [Place::EdgeEdge(part, Start), Place::EdgeEdge(part, End)],
        }
    }
    const fn second(point: usize, part: EdgePart, off: Product) -> OnSegment {
        OnSegment {
            point,
            ends: [0, 1],
            off,
            inside: Place::EdgeEdge(Inside, part),
            at_end: [Place::EdgeEdge(Start, part), Place::EdgeEdge(End, part)],
        }
    }
    const FACE: [OnSegment; 3] = [face(0, Product::W), face(1, Product::U), face(2, Product::V)];
    const EDGES: [OnSegment; 4] = [
        first(0, Start, Product::U),
        first(1, End, Product::S),
        second(2, Start, Product::W),
        second(3, End, Product::V),
    ];
    match kind {
        Kind::VertexFace => &FACE,
        Kind::EdgeEdge => &EDGES,
    }
}
