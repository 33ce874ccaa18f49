//! What floating point could not tell, with exact coefficients in whole numbers of fixed width.
//!
//! This decides what is degenerate at the start or the end of the motion, and, on coefficients that are
//! rounded only once, nearly all that is close to degenerate. What is degenerate at a time between goes on to
//! [`exact`](super::exact).

use super::filter::{Cubic, Verdict, View, search, search_in_plane};
use super::place::{Ask, Product, apart, place};
use super::whole::{common_exponent, parts};
use super::wide::Wide;
use super::{Kind, MovingPair, Touch};

/// Coordinates (in units of the last place of all) below this many bits: then differences have one more,
/// products of three differences, 18 of which are summed, stay below 2^383.
const MOST_BITS: i32 = 119;

/// Examines a pair over [0, 1].
pub(super) fn examine(pair: &MovingPair) -> Verdict {
    match Fixed::new(pair) {
        Some(fixed) => fixed.examine(pair.kind),
        None => Verdict::Unsure { free_until: 0.0 },
    }
}

/// The ways from point 0 to the others, at the start and at the end.
struct Fixed {
    way: [[[Wide<2>; 3]; 3]; 2],
}

/// A component of a cross product, by its Bernstein coefficients; the middle one twice.
type Quadratic = [Wide<4>; 3];

impl Fixed {
    fn new(pair: &MovingPair) -> Option<Fixed> {
        let mut way = [[[Wide::ZERO; 3]; 3]; 2];
        for axis in 0..3 {
            let exponent = common_exponent(pair.start.iter().chain(&pair.end).map(|p| p[axis]));
            for (points, way) in [&pair.start, &pair.end].into_iter().zip(&mut way) {
                let origin = whole(points[0][axis], exponent)?;
                for i in 0..3 {
                    way[i][axis] = Wide::new(whole(points[i + 1][axis], exponent)? - origin);
                }
            }
        }
        Some(Fixed { way })
    }

    fn examine(&self, kind: Kind) -> Verdict {
        let u: [Quadratic; 3] = std::array::from_fn(|axis| self.cross(0, axis));
        let f = self.coplanarity(&u);
        let signs = f.map(|b| b.sign());
        let touch = |time: f64, place| Verdict::Touch(Touch { lower: time, upper: time, place });
        if signs[0] == 0
            && let Some(place) = self.place_at(kind, 0)
        {
            return touch(0.0, place);
        }
        let (above, below) = (signs.contains(&1), signs.contains(&-1));
        if above && below || !above && !below {
            match self.between(kind, &u, &f) {
                Verdict::Free => {}
                other => return other,
            }
        }
        match if signs[3] == 0 { self.place_at(kind, 1) } else { None } {
            Some(place) => touch(1.0, place),
            None => Verdict::Free,
        }
    }

    /// Examines the times strictly between 0 and 1.
    fn between(&self, kind: Kind, u: &[Quadratic; 3], f: &[Wide<6>; 4]) -> Verdict {
        let v: [Quadratic; 3] = std::array::from_fn(|axis| self.cross(1, axis));
        let w: [Quadratic; 3] = std::array::from_fn(|axis| self.cross(2, axis));
        let s: [Quadratic; 3] = std::array::from_fn(|axis| {
            std::array::from_fn(|i| u[axis][i].plus(&v[axis][i]).plus(&w[axis][i]))
        });
        let views: [[&Quadratic; 4]; 3] =
            std::array::from_fn(|axis| [&u[axis], &v[axis], &w[axis], &s[axis]]);
        if views.iter().any(|view| apart(kind, view.map(|q| sign_between(q).unwrap_or(0)))) {
            return Verdict::Free;
        }
        let rounded = |q: &Quadratic| [q[0].rounded(), 0.5 * q[1].rounded(), q[2].rounded()];
        let views = views.map(|view| View::new(view.map(rounded), 0.0));
        match without_roots_at_the_ends(f) {
            Some(f) => search(kind, &Cubic::new(f, 0.0), views, 1.0),
            None => search_in_plane(kind, views),
        }
    }

    /// The place of touch at the start or the end, at which the points are in one plane.
    fn place_at(&self, kind: Kind, end: usize) -> Option<super::Place> {
        let way = &self.way[end];
        let component = |x: usize, y: usize, axis: usize| -> Wide<4> {
            let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
            way[x][i].times::<2, 4>(&way[y][j]).minus(&way[x][j].times(&way[y][i]))
        };
        place(kind, &mut |ask| match ask {
            Ask::Cross(Product::U, axis) => component(1, 2, axis).sign(),
            Ask::Cross(Product::V, axis) => component(2, 0, axis).sign(),
            Ask::Cross(Product::W, axis) => component(0, 1, axis).sign(),
            Ask::Cross(Product::S, axis) => {
                component(1, 2, axis).plus(&component(2, 0, axis)).plus(&component(0, 1, axis)).sign()
            }
            Ask::Way { from, to, axis } => {
                let at = |i: usize| if i == 0 { Wide::ZERO } else { way[i - 1][axis] };
                at(to).minus(&at(from)).sign()
            }
        })
    }

    /// The Bernstein coefficients of f = A · U; the middle two thrice.
    fn coplanarity(&self, u: &[Quadratic; 3]) -> [Wide<6>; 4] {
        let dot = |end: usize, i: usize| -> Wide<6> {
            let a = &self.way[end][0];
            let term = |axis: usize| -> Wide<6> { a[axis].times(&u[axis][i]) };
            term(0).plus(&term(1)).plus(&term(2))
        };
        [dot(0, 0), dot(1, 0).plus(&dot(0, 1)), dot(1, 1).plus(&dot(0, 2)), dot(1, 2)]
    }

    /// A component of U, V or W.
    #[inline]
    fn cross(&self, which: usize, axis: usize) -> Quadratic {
        let (x, y) = ((which + 1) % 3, (which + 2) % 3);
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        let at = |s: usize, e: usize| -> Wide<4> {
            let (x, y) = (&self.way[s][x], &self.way[e][y]);
            x[i].times::<2, 4>(&y[j]).minus(&x[j].times(&y[i]))
        };
        [at(0, 0), at(0, 1).plus(&at(1, 0)), at(1, 1)]
    }
}

/// The sign strictly between 0 and 1, if there is only one.
fn sign_between(q: &Quadratic) -> Option<i32> {
    let signs = q.map(|b| b.sign());
    match (signs.contains(&1), signs.contains(&-1)) {
        (true, true) => None,
        (above, below) => Some(i32::from(above) - i32::from(below)),
    }
}

/// A cubic with the roots of f strictly between 0 and 1, rounded: f divided by t and by 1 - t as often as
/// they divide it. `None` if f is zero.
fn without_roots_at_the_ends(f: &[Wide<6>; 4]) -> Option<[f64; 4]> {
    let first = f.iter().position(|b| b.sign() != 0)?;
    let last = f.iter().rposition(|b| b.sign() != 0)?;
    // As sums of binomial(3, i) b_i t^i (1 - t)^(3 - i), whose binomials the middle coefficients already
    // hold.
    let scaled = f.map(|b| b.rounded());
    let third = 1.0 / 3.0;
    Some(match scaled[first..=last] {
        [a, b, c, d] => [a, third * b, third * c, d],
        // Of a quadratic a (1 - t)² + b t (1 - t) + c t²: times t + (1 - t).
        [a, b, c] => [a, third * (a + b), third * (b + c), c],
        // a (1 - t) + b t
        [a, b] => [a, third * (2.0 * a + b), third * (a + 2.0 * b), b],
        [a] => [a; 4],
        _ => return None,
    })
}

/// `value / 2^exponent`, if it is small enough.
fn whole(value: f64, exponent: i32) -> Option<i128> {
    let (mantissa, power) = parts(value);
    if mantissa == 0 {
        return Some(0);
    }
    let zeros = mantissa.trailing_zeros() as i32;
    let shift = power + zeros - exponent;
    let odd = mantissa >> zeros;
    let bits = 64 - odd.unsigned_abs().leading_zeros() as i32;
    (shift + bits <= MOST_BITS).then(|| i128::from(odd) << shift)
}
