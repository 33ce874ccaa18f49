//! The first touch of a vertex and a face, or of two edges, by exact arithmetic alone.
//!
//! The four points are in one plane where f(t) = 0, a cubic; [`place`] says whether they touch there. If f is
//! zero throughout, the motion is in a (turning) plane: the pair touches from the start, or first when a
//! point comes onto a segment.

use super::place::{Ask, OnSegment, Product, place, segments};
use super::roots::{Root, narrow, roots, sign_at_root};
use super::whole::{Polynomial, Whole, common_exponent};
use super::{MovingPair, Place, TIME_RESOLUTION, TIME_RESOLUTION_BITS, Touch};
use std::cell::OnceCell;

/// The first touch of a pair.
pub(super) fn first_touch<W: Whole>(pair: &MovingPair) -> Option<Touch> {
    let moving = MovingWays::<W>::new(pair);
    let f = moving.coplanarity();
    if f.is_zero() {
        return first_in_plane(pair, &moving);
    }
    first_root(&moving, &f, |sign| place(pair.kind, sign))
}

/// The first touch of points that are in one plane all the time.
fn first_in_plane<W: Whole>(pair: &MovingPair, moving: &MovingWays<W>) -> Option<Touch> {
    let (zero, one) = (W::small(0), W::small(1));
    if let Some(place) = place(pair.kind, &mut |ask| moving.polynomial(ask).sign_at(&zero, &one)) {
        return Some(Touch { lower: 0.0, upper: 0.0, place });
    }
    let mut first: Option<Touch> = None;
    for segment in segments(pair.kind) {
        for candidate in times_of_arrival(moving, segment) {
            let Some(touch) = first_root(moving, &candidate, |sign| segment.touched(sign)) else { continue };
            let earlier = first.is_none_or(|f| (touch.lower, touch.upper) < (f.lower, f.upper));
            if earlier {
                first = Some(touch);
            }
        }
    }
    first
}

/// Polynomials among whose roots is the first time at which a point comes onto a segment.
fn times_of_arrival<W: Whole>(moving: &MovingWays<W>, segment: &OnSegment) -> Vec<Polynomial<W>> {
    let nonzero =
        |asks: &mut dyn Iterator<Item = Ask>| asks.map(|ask| moving.polynomial(ask)).find(|p| !p.is_zero());
    if let Some(off) = nonzero(&mut (0..3).map(|axis| Ask::Cross(segment.off, axis))) {
        return vec![off];
    }
    // In one line all the time: the point arrives at an end.
    segment
        .ends
        .iter()
        .filter_map(|&to| nonzero(&mut (0..3).map(|axis| Ask::Way { from: segment.point, to, axis })))
        .collect()
}

/// The first root of a polynomial at which there is a touch.
fn first_root<W: Whole>(
    moving: &MovingWays<W>,
    p: &Polynomial<W>,
    mut place: impl FnMut(&mut dyn FnMut(Ask) -> i32) -> Option<Place>,
) -> Option<Touch> {
    roots(p).into_iter().find_map(|mut root| {
        let place = place(&mut |ask| sign_at_root(&mut root, p, &moving.polynomial(ask)))?;
        let (lower, upper) = bracket(root);
        Some(Touch { lower, upper, place })
    })
}

/// Times of which one is not after and the other not before a root, as close as [`TIME_RESOLUTION`].
fn bracket<W: Whole>(mut root: Root<W>) -> (f64, f64) {
    let bits = TIME_RESOLUTION_BITS;
    while let Root::Between { s, .. } = root
        && s < bits
    {
        narrow(&mut root);
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
    let lower = digits as f64 * TIME_RESOLUTION;
    (lower, if rest.is_zero() { lower } else { lower + TIME_RESOLUTION })
}

/// The ways from point 0 to the others and their cross products, as polynomials of time.
struct MovingWays<W> {
    /// `way[i]` leads to point `i + 1`; each axis has its own power of two as unit.
    way: [[Polynomial<W>; 3]; 3],
    /// U, V and W, made when asked for.
    products: [[OnceCell<Polynomial<W>>; 3]; 3],
}

impl<W: Whole> MovingWays<W> {
    fn new(pair: &MovingPair) -> MovingWays<W> {
        let exponents: [i32; 3] =
            std::array::from_fn(|axis| common_exponent(pair.start.iter().chain(&pair.end).map(|p| p[axis])));
        let whole = |value: f64, axis: usize| W::of(value, exponents[axis]);
        let way = |i: usize, axis: usize| {
            let at = |p: &[silvia_solid::Vec3; 4]| whole(p[i][axis], axis).minus(&whole(p[0][axis], axis));
            let start = at(&pair.start);
            let speed = at(&pair.end).minus(&start);
            Polynomial { c: [start, speed, W::small(0), W::small(0)] }
        };
        MovingWays {
            way: std::array::from_fn(|i| std::array::from_fn(|axis| way(i + 1, axis))),
            products: Default::default(),
        }
    }

    /// A · U, six times the volume of the tetrahedron.
    fn coplanarity(&self) -> Polynomial<W> {
        let term = |axis: usize| self.way[0][axis].times(self.product(0, axis));
        term(0).plus(&term(1)).plus(&term(2))
    }

    fn polynomial(&self, ask: Ask) -> Polynomial<W> {
        match ask {
            Ask::Cross(Product::U, axis) => self.product(0, axis).clone(),
            Ask::Cross(Product::V, axis) => self.product(1, axis).clone(),
            Ask::Cross(Product::W, axis) => self.product(2, axis).clone(),
            Ask::Cross(Product::S, axis) => {
                self.product(0, axis).plus(self.product(1, axis)).plus(self.product(2, axis))
            }
            Ask::Way { from, to, axis } => match (from, to) {
                (0, to) => self.way[to - 1][axis].clone(),
                (from, 0) => Polynomial::zero().minus(&self.way[from - 1][axis]),
                (from, to) => self.way[to - 1][axis].minus(&self.way[from - 1][axis]),
            },
        }
    }

    fn product(&self, which: usize, axis: usize) -> &Polynomial<W> {
        self.products[which][axis].get_or_init(|| {
            let (x, y) = (&self.way[(which + 1) % 3], &self.way[(which + 2) % 3]);
            let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
            x[i].times(&y[j]).minus(&x[j].times(&y[i]))
        })
    }
}
