//! The truth about a moving pair, in exact numbers: plain, and by another way than the engine's.
//!
//! All coordinates are made whole by one power of two, which changes no time; times are fractions whose
//! denominators are powers of two, or roots. So nothing is ever divided but what divides evenly, and no
//! fraction is reduced at every step. Roots are isolated by Sturm's theorem; the sign of a polynomial at one
//! is Tarski's query. A point is in a triangle by its barycentric coordinates in space. A closed set of times
//! that a sign condition cuts out begins at a root of one of its polynomials, or at 0; so those times are all
//! that must be looked at, whether or not the pair is always in one plane.

use dashu_int::IBig;
use dashu_int::ops::{Abs, Gcd};

/// Eight points: four at the start, four at the end.
pub(crate) type Query = [[f64; 3]; 8];

/// A polynomial, lowest coefficient first, without leading zeros.
type Poly = Vec<IBig>;
type Vector = [Poly; 3];

/// A time in [0, 1].
#[derive(Clone)]
pub(crate) enum Time {
    Rational(Fraction),
    /// The only root of the polynomial between two numbers that are none.
    Root(Poly, Fraction, Fraction),
}

/// A whole number over a power of two, in lowest terms.
#[derive(Clone)]
pub(crate) struct Fraction {
    top: IBig,
    /// The power.
    halvings: usize,
}

/// The first time at which a pair touches.
pub(crate) fn first_time(edges: bool, query: &Query) -> Option<Time> {
    let whole = whole(query);
    let points: [Vector; 4] = std::array::from_fn(|i| moving(&whole[i], &whole[i + 4]));
    let pair = if edges { Pair::edges(&points) } else { Pair::vertex(&points) };
    let mut first: Option<Time> = None;
    for time in pair.candidates() {
        if first.as_ref().is_some_and(|known| !before(&time, known)) {
            continue;
        }
        if pair.touches(&time) {
            first = Some(time);
        }
    }
    first
}

impl Time {
    /// Whether it is in a closed interval.
    pub(crate) fn is_within(&self, lower: f64, upper: f64) -> bool {
        let [lower, upper] = [lower, upper].map(Fraction::of);
        self.side(&lower) >= 0 && self.side(&upper) <= 0
    }

    /// The sign of the time less a number.
    fn side(&self, x: &Fraction) -> i32 {
        match self {
            Time::Rational(t) => t.less(x),
            Time::Root(_, low, _) if x.less(low) <= 0 => 1,
            Time::Root(_, _, high) if x.less(high) >= 0 => -1,
            Time::Root(p, _, _) if sign_at(p, x) == 0 => 0,
            Time::Root(p, low, _) => {
                if count(p, low, x) == 1 {
                    -1
                } else {
                    1
                }
            }
        }
    }

    fn sign_of(&self, q: &Poly) -> i32 {
        match self {
            Time::Rational(t) => sign_at(q, t),
            Time::Root(p, low, high) => query(p, q, low, high),
        }
    }
}

/// Whether one time is before another, both roots known to be apart or equal.
fn before(a: &Time, b: &Time) -> bool {
    match (a, b) {
        (_, Time::Rational(t)) => a.side(t) < 0,
        (Time::Rational(t), _) => b.side(t) > 0,
        (Time::Root(p, low, high), Time::Root(q, ..)) => {
            // Equal exactly if q vanishes at a; else halving tells them apart.
            if a.sign_of(q) == 0 && b.side(low) > 0 && b.side(high) < 0 && same_root(a, b) {
                return false;
            }
            let (mut low, mut high) = (low.clone(), high.clone());
            loop {
                if b.side(&high) >= 0 {
                    return true;
                }
                if b.side(&low) <= 0 {
                    return false;
                }
                let middle = low.middle(&high);
                if sign_at(p, &middle) == 0 {
                    return b.side(&middle) > 0;
                }
                if count(p, &low, &middle) == 1 { high = middle } else { low = middle }
            }
        }
    }
}

/// Whether two roots, each in its interval, are one number: then the polynomial of both squares summed has it
/// too.
fn same_root(a: &Time, b: &Time) -> bool {
    let (Time::Root(p, low, high), Time::Root(q, from, to)) = (a, b) else { return false };
    let low = if low.less(from) > 0 { low } else { from };
    let high = if high.less(to) < 0 { high } else { to };
    let both = add(&times(p, p), &times(q, q));
    low.less(high) < 0
        && sign_at(&both, low) != 0
        && sign_at(&both, high) != 0
        && count(&both, low, high) == 1
}

/// The polynomials whose signs say whether a pair touches.
struct Pair {
    coplanar: Poly,
    /// The square of the normal; zero where the pair is degenerate.
    normal: Poly,
    /// Not negative where a pair in one plane that is not degenerate touches.
    inside: Vec<Poly>,
    /// Of each point and segment: the square of the distance from the line, and the product of the ways to
    /// its ends.
    segments: Vec<[Poly; 2]>,
}

impl Pair {
    fn vertex(p: &[Vector; 4]) -> Pair {
        let [a, b, c] = [1, 2, 3].map(|i| minus(&p[i], &p[0]));
        let n = cross(&minus(&b, &a), &minus(&c, &a));
        Pair {
            coplanar: dot(&a, &cross(&b, &c)),
            normal: dot(&n, &n),
            inside: vec![dot(&cross(&b, &c), &n), dot(&cross(&c, &a), &n), dot(&cross(&a, &b), &n)],
            segments: vec![on(p, 0, 1, 2), on(p, 0, 2, 3), on(p, 0, 3, 1)],
        }
    }

    fn edges(p: &[Vector; 4]) -> Pair {
        let (d, e, r) = (minus(&p[1], &p[0]), minus(&p[3], &p[2]), minus(&p[2], &p[0]));
        let n = cross(&d, &e);
        let normal = dot(&n, &n);
        let (s, u) = (dot(&cross(&r, &e), &n), dot(&cross(&r, &d), &n));
        Pair {
            coplanar: dot(&r, &n),
            inside: vec![subtract(&normal, &s), subtract(&normal, &u), s, u],
            normal,
            segments: vec![on(p, 0, 2, 3), on(p, 1, 2, 3), on(p, 2, 0, 1), on(p, 3, 0, 1)],
        }
    }

    fn candidates(&self) -> Vec<Time> {
        let mut times = vec![Time::Rational(Fraction::ZERO), Time::Rational(Fraction::ONE)];
        if !self.coplanar.is_empty() {
            times.extend(roots(&self.coplanar));
            return times;
        }
        for p in self.inside.iter().chain([&self.normal]).chain(self.segments.iter().flatten()) {
            if !p.is_empty() {
                times.extend(roots(p));
            }
        }
        times
    }

    fn touches(&self, time: &Time) -> bool {
        if time.sign_of(&self.coplanar) != 0 {
            return false;
        }
        if time.sign_of(&self.normal) != 0 {
            return self.inside.iter().all(|p| time.sign_of(p) >= 0);
        }
        self.segments.iter().any(|[off, ends]| time.sign_of(off) == 0 && time.sign_of(ends) <= 0)
    }
}

/// Point `i` and the segment from `j` to `k`.
fn on(p: &[Vector; 4], i: usize, j: usize, k: usize) -> [Poly; 2] {
    let (a, b) = (minus(&p[j], &p[i]), minus(&p[k], &p[i]));
    let c = cross(&a, &b);
    [dot(&c, &c), dot(&a, &b)]
}

/// A number as one over a power of two; not infinite.
fn parts(x: f64) -> (IBig, i32) {
    /// The power of the lowest place of the smallest numbers.
    const LEAST: i32 = -1074;
    let bits = x.to_bits();
    let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
    let (digits, power) =
        if exponent == 0 { (fraction, LEAST) } else { (fraction | 1 << 52, LEAST + exponent - 1) };
    let zeros = if digits == 0 { 0 } else { digits.trailing_zeros() };
    let digits = IBig::from(digits >> zeros);
    (if x < 0.0 { -digits } else { digits }, power + zeros as i32)
}

/// All coordinates times one power of two.
fn whole(query: &Query) -> [[IBig; 3]; 8] {
    let parts = query.map(|p| p.map(parts));
    let used = parts.iter().flatten().filter(|(digits, _)| *digits != IBig::ZERO);
    let least = used.map(|&(_, power)| power).min().unwrap_or(0);
    parts.map(|p| p.map(|(digits, power)| digits << (power - least).max(0) as usize))
}

fn moving(start: &[IBig; 3], end: &[IBig; 3]) -> Vector {
    std::array::from_fn(|i| trimmed(vec![start[i].clone(), &end[i] - &start[i]]))
}

impl Fraction {
    const ZERO: Fraction = Fraction { top: IBig::ZERO, halvings: 0 };
    const ONE: Fraction = Fraction { top: IBig::ONE, halvings: 0 };

    fn of(x: f64) -> Fraction {
        let (digits, power) = parts(x);
        if power < 0 && digits != IBig::ZERO {
            Fraction { top: digits, halvings: -power as usize }
        } else {
            Fraction { top: digits << power.max(0) as usize, halvings: 0 }
        }
    }

    /// The sign of it less another.
    fn less(&self, other: &Fraction) -> i32 {
        sign(&((&self.top << other.halvings) - (&other.top << self.halvings)))
    }

    fn middle(&self, other: &Fraction) -> Fraction {
        let top = (&self.top << other.halvings) + (&other.top << self.halvings);
        let halvings = self.halvings + other.halvings + 1;
        let zeros = top.trailing_zeros().unwrap_or(halvings).min(halvings);
        Fraction { top: top >> zeros, halvings: halvings - zeros }
    }
}

/// The distinct roots strictly between 0 and 1.
fn roots(p: &Poly) -> Vec<Time> {
    let mut found = Vec::new();
    let p = without(&without(p, &Fraction::ZERO), &Fraction::ONE);
    isolate(p, Fraction::ZERO, Fraction::ONE, &mut found);
    found
}

fn isolate(p: Poly, low: Fraction, high: Fraction, found: &mut Vec<Time>) {
    match count(&p, &low, &high) {
        0 => {}
        1 => found.push(Time::Root(p, low, high)),
        _ => {
            let middle = low.middle(&high);
            if sign_at(&p, &middle) == 0 {
                found.push(Time::Rational(middle.clone()));
            }
            let rest = without(&p, &middle);
            isolate(rest.clone(), low, middle.clone(), found);
            isolate(rest, middle, high, found);
        }
    }
}

/// The polynomial divided as often as that leaves no rest by the one that is zero at x alone, with whole
/// coefficients that have no common divisor: so those of the quotient are whole (Gauss).
fn without(p: &Poly, x: &Fraction) -> Poly {
    let mut p = p.clone();
    while p.len() > 1 && sign_at(&p, x) == 0 {
        let mut carry = IBig::ZERO;
        let mut quotient = vec![IBig::ZERO; p.len() - 1];
        for i in (1..p.len()).rev() {
            carry = (&p[i] + carry * &x.top) >> x.halvings;
            quotient[i - 1] = carry.clone();
        }
        p = quotient;
    }
    p
}

/// How many distinct roots lie between two numbers that are none.
fn count(p: &Poly, low: &Fraction, high: &Fraction) -> i32 {
    query(p, &vec![IBig::ONE], low, high)
}

/// The roots of p between two numbers at which q is positive, less those at which it is negative (Tarski).
fn query(p: &Poly, q: &Poly, low: &Fraction, high: &Fraction) -> i32 {
    let mut chain = vec![p.clone(), remainder(&times(&derivative(p), q), p)];
    while let [.., a, b] = &chain[..] {
        if b.is_empty() {
            break;
        }
        let next = remainder(a, b).into_iter().map(|c| -c).collect();
        chain.push(next);
    }
    variations(&chain, low) - variations(&chain, high)
}

fn variations(chain: &[Poly], x: &Fraction) -> i32 {
    let signs: Vec<i32> = chain.iter().map(|p| sign_at(p, x)).filter(|&s| s != 0).collect();
    signs.windows(2).filter(|w| w[0] != w[1]).count() as i32
}

/// What division leaves, times a positive number that makes it whole.
fn remainder(p: &Poly, q: &Poly) -> Poly {
    let mut rest = p.clone();
    let last = &q[q.len() - 1];
    let (size, is_negative) = (last.clone().abs(), sign(last) < 0);
    while rest.len() >= q.len() {
        let shift = rest.len() - q.len();
        let mut factor = rest[rest.len() - 1].clone();
        if is_negative {
            factor = -factor;
        }
        rest = rest.into_iter().map(|c| c * &size).collect();
        for (i, c) in q.iter().enumerate() {
            rest[i + shift] -= &factor * c;
        }
        rest = trimmed(rest);
    }
    // A common divisor only makes numbers long.
    let nonzero = rest.iter().filter(|c| sign(c) != 0);
    let common = nonzero.fold(IBig::ZERO, |common, c| IBig::from((&common).gcd(c)));
    if common > IBig::ONE { rest.into_iter().map(|c| c / &common).collect() } else { rest }
}

fn derivative(p: &Poly) -> Poly {
    p.iter().enumerate().skip(1).map(|(i, c)| c * IBig::from(i)).collect()
}

/// The sign of a polynomial at a number, found from its value times a power of two.
fn sign_at(p: &Poly, x: &Fraction) -> i32 {
    let mut halvings = 0;
    let value = p.iter().rev().fold(IBig::ZERO, |sum, c| {
        let next = sum * &x.top + (c << halvings);
        halvings += x.halvings;
        next
    });
    sign(&value)
}

fn sign(x: &IBig) -> i32 {
    x.cmp(&IBig::ZERO) as i32
}

fn trimmed(mut p: Poly) -> Poly {
    while p.last().is_some_and(|c| *c == IBig::ZERO) {
        p.pop();
    }
    p
}

fn add(p: &Poly, q: &Poly) -> Poly {
    let at = |p: &Poly, i: usize| p.get(i).cloned().unwrap_or(IBig::ZERO);
    trimmed((0..p.len().max(q.len())).map(|i| at(p, i) + at(q, i)).collect())
}

fn subtract(p: &Poly, q: &Poly) -> Poly {
    add(p, &q.iter().map(|c| -c).collect())
}

fn times(p: &Poly, q: &Poly) -> Poly {
    let mut product = vec![IBig::ZERO; (p.len() + q.len()).saturating_sub(1)];
    for (i, a) in p.iter().enumerate() {
        for (j, b) in q.iter().enumerate() {
            product[i + j] = &product[i + j] + a * b;
        }
    }
    trimmed(product)
}

fn minus(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|i| subtract(&a[i], &b[i]))
}

fn dot(a: &Vector, b: &Vector) -> Poly {
    (0..3).fold(Poly::new(), |sum, i| add(&sum, &times(&a[i], &b[i])))
}

fn cross(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        subtract(&times(&a[j], &b[k]), &times(&a[k], &b[j]))
    })
}
