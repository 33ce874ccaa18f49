//! The first touch of a vertex and a face, or of two edges, by exact arithmetic alone.
//!
//! The four points are in one plane where f(t) = 0, a cubic. At a root of it the pair touches if, seen along an axis along
//! which neither is degenerate, the vertex is inside or the edges cross: signs of quadratics. Where there is no such axis the
//! face is a segment or the edges are parallel, and touching means that a point is on a segment. If f is zero throughout,
//! the motion is in a (turning) plane: the pair touches from the start, or first when a point comes onto a segment.

use super::roots::{Root, halve, roots, sign_at_root};
use super::whole::{Polynomial, Whole};
use super::{EdgePart, Kind, Place, TIME_RESOLUTION_BITS, Touch};
use crate::triangle::TriangleFeature;
use silvia_solid::Vec3;

/// The first touch of a pair whose coordinates are all multiples of 2^exponent.
pub(super) fn first_touch<W: Whole>(
    kind: Kind,
    start: &[Vec3; 4],
    end: &[Vec3; 4],
    exponent: i32,
) -> Option<Touch> {
    let points: [Point<W>; 4] = std::array::from_fn(|i| Point::new(start[i], end[i], exponent));
    let f = coplanarity(&points);
    if f.is_zero() {
        return first_in_plane(kind, &points);
    }
    first_root(&f, |sign| place(kind, &points, sign))
}

/// The place of touch in a configuration in one plane, given the signs of polynomials at that time.
fn place<W: Whole>(
    kind: Kind,
    p: &[Point<W>; 4],
    sign: &mut dyn FnMut(&Polynomial<W>) -> i32,
) -> Option<Place> {
    for axis in 0..3 {
        let found = match kind {
            Kind::VertexFace => seen_in_face(p, axis, sign),
            Kind::EdgeEdge => seen_crossing(p, axis, sign),
        };
        if let Some(decided) = found {
            return decided;
        }
    }
    // A face without area, or edges that are parallel.
    segments(kind).into_iter().find_map(|s| {
        let on = (0..3).all(|axis| sign(&cross(&p[s.point], &p[s.from], &p[s.to], axis)) == 0);
        (on && sign(&dot(&p[s.point], &p[s.from], &p[s.to])) <= 0)
            .then(|| end_of(s, p, sign).unwrap_or(s.place))
    })
}

/// Whether the vertex is in the face, seen along an axis; `None` if the face has no area from there.
fn seen_in_face<W: Whole>(
    p: &[Point<W>; 4],
    axis: usize,
    sign: &mut dyn FnMut(&Polynomial<W>) -> i32,
) -> Option<Option<Place>> {
    // The area opposite of each corner, and that of the whole.
    let areas = [(2, 3), (3, 1), (1, 2)].map(|(i, j)| cross(&p[0], &p[i], &p[j], axis));
    let whole = sign(&areas[0].plus(&areas[1]).plus(&areas[2]));
    if whole == 0 {
        return None;
    }
    let mut signs = [0; 3];
    for (one, area) in signs.iter_mut().zip(&areas) {
        *one = sign(area) * whole;
        if *one < 0 {
            return Some(None);
        }
    }
    Some(Some(Place::VertexFace(match signs {
        [_, 0, 0] => TriangleFeature::Vertex(0),
        [0, _, 0] => TriangleFeature::Vertex(1),
        [0, 0, _] => TriangleFeature::Vertex(2),
        [0, _, _] => TriangleFeature::Edge(1),
        [_, 0, _] => TriangleFeature::Edge(2),
        [_, _, 0] => TriangleFeature::Edge(0),
        _ => TriangleFeature::Face,
    })))
}

/// Whether two edges cross, seen along an axis; `None` if they are parallel or of no length from there.
fn seen_crossing<W: Whole>(
    p: &[Point<W>; 4],
    axis: usize,
    sign: &mut dyn FnMut(&Polynomial<W>) -> i32,
) -> Option<Option<Place>> {
    // On which side of one edge the start and the end of the other are.
    let b_of_a = [2, 3].map(|i| cross(&p[i], &p[0], &p[1], axis));
    if sign(&b_of_a[0].minus(&b_of_a[1])) == 0 {
        return None;
    }
    let side = |sides: [i32; 2]| match sides {
        [0, _] => Some(EdgePart::Start),
        [_, 0] => Some(EdgePart::End),
        [s, e] if s == e => None,
        _ => Some(EdgePart::Inside),
    };
    let b_of_a = b_of_a.map(|q| sign(&q));
    let Some(b) = side(b_of_a) else { return Some(None) };
    let a_of_b = [0, 1].map(|i| sign(&cross(&p[i], &p[2], &p[3], axis)));
    Some(side(a_of_b).map(|a| Place::EdgeEdge(a, b)))
}

/// A point that may come onto a segment, and what that means.
#[derive(Clone, Copy)]
struct OnSegment {
    point: usize,
    from: usize,
    to: usize,
    place: Place,
}

/// The ways in which a flat configuration begins to touch.
fn segments(kind: Kind) -> Vec<OnSegment> {
    let on = |point, from, to, place| OnSegment { point, from, to, place };
    match kind {
        Kind::VertexFace => [(1, 2, 0), (2, 3, 1), (3, 1, 2)]
            .map(|(from, to, k)| on(0, from, to, Place::VertexFace(TriangleFeature::Edge(k))))
            .to_vec(),
        Kind::EdgeEdge => vec![
            on(0, 2, 3, Place::EdgeEdge(EdgePart::Start, EdgePart::Inside)),
            on(1, 2, 3, Place::EdgeEdge(EdgePart::End, EdgePart::Inside)),
            on(2, 0, 1, Place::EdgeEdge(EdgePart::Inside, EdgePart::Start)),
            on(3, 0, 1, Place::EdgeEdge(EdgePart::Inside, EdgePart::End)),
        ],
    }
}

/// The place with an end of the segment instead of its inside, if the point is there.
fn end_of<W: Whole>(
    s: OnSegment,
    p: &[Point<W>; 4],
    sign: &mut dyn FnMut(&Polynomial<W>) -> i32,
) -> Option<Place> {
    let mut at = |i: usize| (0..3).all(|axis| sign(&p[i].x[axis].minus(&p[s.point].x[axis])) == 0);
    let end = if at(s.from) {
        0
    } else if at(s.to) {
        1
    } else {
        return None;
    };
    let part = if end == 0 { EdgePart::Start } else { EdgePart::End };
    Some(match s.place {
        Place::VertexFace(TriangleFeature::Edge(k)) => {
            Place::VertexFace(TriangleFeature::Vertex((k + end) % 3))
        }
        Place::EdgeEdge(a, EdgePart::Inside) => Place::EdgeEdge(a, part),
        Place::EdgeEdge(_, b) => Place::EdgeEdge(part, b),
        other => other,
    })
}

/// The first touch of points that are in one plane all the time.
fn first_in_plane<W: Whole>(kind: Kind, p: &[Point<W>; 4]) -> Option<Touch> {
    let (zero, one) = (W::small(0), W::small(1));
    if let Some(place) = place(kind, p, &mut |q| q.sign_at(&zero, &one)) {
        return Some(Touch { lower: 0.0, upper: 0.0, place });
    }
    let mut first: Option<Touch> = None;
    for s in segments(kind) {
        let crosses: [Polynomial<W>; 3] =
            std::array::from_fn(|axis| cross(&p[s.point], &p[s.from], &p[s.to], axis));
        let between = dot(&p[s.point], &p[s.from], &p[s.to]);
        let touch = match crosses.iter().find(|c| !c.is_zero()) {
            Some(leading) => first_root(leading, |sign| {
                let on = crosses.iter().all(|c| sign(c) == 0) && sign(&between) <= 0;
                on.then(|| end_of(s, p, sign).unwrap_or(s.place))
            }),
            // In one line all the time, and apart at the start: they meet when the angle at the point opens.
            None if between.is_zero() => None,
            None => first_root(&between, |sign| Some(end_of(s, p, sign).unwrap_or(s.place))),
        };
        first = match (first, touch) {
            (Some(a), Some(b)) if b.lower < a.lower || (b.lower == a.lower && b.upper < a.upper) => Some(b),
            (None, found) => found,
            (known, _) => known,
        };
    }
    first
}

/// The first root of a polynomial at which there is a touch.
fn first_root<W: Whole>(
    p: &Polynomial<W>,
    mut place: impl FnMut(&mut dyn FnMut(&Polynomial<W>) -> i32) -> Option<Place>,
) -> Option<Touch> {
    roots(p).into_iter().find_map(|mut root| {
        let place = place(&mut |q| sign_at_root(&mut root, p, q))?;
        let (lower, upper) = bracket(root);
        Some(Touch { lower, upper, place })
    })
}

/// Times of which one is not after and the other not before a root, as close as [`super::TIME_RESOLUTION`].
fn bracket<W: Whole>(mut root: Root<W>) -> (f64, f64) {
    let bits = TIME_RESOLUTION_BITS;
    while let Root::Between { s, .. } = root
        && s < bits
    {
        halve(&mut root);
    }
    let (numerator, denominator) = match root {
        Root::Rational { numerator, denominator } => (numerator, denominator),
        Root::Between { k, s, .. } => (k.doubled(1).plus(&W::small(1)), W::small(1).doubled(s + 1)),
    };
    // The first digits of the fraction, one by one.
    let mut rest = numerator;
    let mut digits = 0u64;
    for _ in 0..=bits {
        let less = rest.minus(&denominator);
        digits <<= 1;
        if less.sign() >= 0 {
            digits |= 1;
            rest = less;
        }
        rest = rest.doubled(1);
    }
    let unit = super::TIME_RESOLUTION;
    let lower = digits as f64 * unit;
    (lower, if rest.is_zero() { lower } else { lower + unit })
}

/// A point that moves linearly: each coordinate as a polynomial of time.
struct Point<W> {
    x: [Polynomial<W>; 3],
}

impl<W: Whole> Point<W> {
    fn new(start: Vec3, end: Vec3, exponent: i32) -> Point<W> {
        let (start, end) = (start.to_array(), end.to_array());
        Point {
            x: std::array::from_fn(|i| {
                let at_start = W::of(start[i], exponent);
                let speed = W::of(end[i], exponent).minus(&at_start);
                Polynomial { c: [at_start, speed, W::small(0), W::small(0)] }
            }),
        }
    }

    fn minus(&self, other: &Point<W>) -> [Polynomial<W>; 3] {
        std::array::from_fn(|i| self.x[i].minus(&other.x[i]))
    }
}

/// Six times the volume of the tetrahedron.
fn coplanarity<W: Whole>(p: &[Point<W>; 4]) -> Polynomial<W> {
    let [a, b, c] = [1, 2, 3].map(|i| p[i].minus(&p[0]));
    let minor = |i: usize, j: usize| b[i].times(&c[j]).minus(&b[j].times(&c[i]));
    let x = a[0].times(&minor(1, 2));
    let y = a[1].times(&minor(2, 0));
    let z = a[2].times(&minor(0, 1));
    x.plus(&y).plus(&z)
}

/// A component of (a - p) x (b - p).
fn cross<W: Whole>(p: &Point<W>, a: &Point<W>, b: &Point<W>, axis: usize) -> Polynomial<W> {
    let (a, b) = (a.minus(p), b.minus(p));
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    a[i].times(&b[j]).minus(&a[j].times(&b[i]))
}

/// (a - p) · (b - p)
fn dot<W: Whole>(p: &Point<W>, a: &Point<W>, b: &Point<W>) -> Polynomial<W> {
    let (a, b) = (a.minus(p), b.minus(p));
    a[0].times(&b[0]).plus(&a[1].times(&b[1])).plus(&a[2].times(&b[2]))
}
