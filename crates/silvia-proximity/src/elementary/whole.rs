//! Whole numbers without overflow, and polynomials of degree up to three in them.

use dashu_int::IBig;

/// Exact whole numbers.
pub(super) trait Whole: Clone {
    /// A small number.
    fn small(value: i32) -> Self;
    /// `value / 2^exponent`, which must be whole.
    fn of(value: f64, exponent: i32) -> Self;
    fn plus(&self, other: &Self) -> Self;
    fn minus(&self, other: &Self) -> Self;
    fn times(&self, other: &Self) -> Self;
    /// `self · 2^by`
    fn doubled(&self, by: u32) -> Self;
    /// -1, 0 or 1.
    fn sign(&self) -> i32;

    fn is_zero(&self) -> bool {
        self.sign() == 0
    }

    fn scaled(&self, by: i32) -> Self {
        self.times(&Self::small(by))
    }
}

impl Whole for IBig {
    fn small(value: i32) -> Self {
        IBig::from(value)
    }

    fn of(value: f64, exponent: i32) -> Self {
        let (mantissa, power) = parts(value);
        // Trailing zeros let a value whose last place is below 2^exponent be whole all the same.
        let zeros = if mantissa == 0 { 0 } else { mantissa.trailing_zeros() as i32 };
        IBig::from(mantissa >> zeros) << (power + zeros - exponent).max(0) as usize
    }

    fn plus(&self, other: &Self) -> Self {
        self + other
    }

    fn minus(&self, other: &Self) -> Self {
        self - other
    }

    fn times(&self, other: &Self) -> Self {
        self * other
    }

    fn doubled(&self, by: u32) -> Self {
        self << by as usize
    }

    fn sign(&self) -> i32 {
        match self.cmp(&IBig::ZERO) {
            std::cmp::Ordering::Less => -1,
            std::cmp::Ordering::Equal => 0,
            std::cmp::Ordering::Greater => 1,
        }
    }
}

/// A finite number as a whole one times a power of two.
pub(super) fn parts(value: f64) -> (i64, i32) {
    let bits = value.to_bits();
    let raw = (bits >> 52 & 0x7ff) as i32;
    let fraction = (bits & ((1 << 52) - 1)) as i64;
    let (mantissa, power) = if raw == 0 { (fraction, -1074) } else { (fraction | 1 << 52, raw - 1075) };
    (if value.is_sign_negative() { -mantissa } else { mantissa }, power)
}

/// The largest e such that every value is a multiple of 2^e; 0 if all are zero.
pub(super) fn common_exponent(values: impl Iterator<Item = f64>) -> i32 {
    values
        .filter(|&v| v != 0.0)
        .map(|v| {
            let (mantissa, power) = parts(v);
            power + mantissa.trailing_zeros() as i32
        })
        .min()
        .unwrap_or(0)
}

/// A polynomial c[0] + c[1] t + c[2] t² + c[3] t³.
#[derive(Clone)]
pub(super) struct Polynomial<W> {
    pub(super) c: [W; 4],
}

impl<W: Whole> Polynomial<W> {
    /// `None` of zero.
    pub(super) fn degree(&self) -> Option<usize> {
        self.c.iter().rposition(|c| !c.is_zero())
    }

    pub(super) fn is_zero(&self) -> bool {
        self.degree().is_none()
    }

    pub(super) fn plus(&self, other: &Self) -> Self {
        Polynomial { c: std::array::from_fn(|i| self.c[i].plus(&other.c[i])) }
    }

    pub(super) fn minus(&self, other: &Self) -> Self {
        Polynomial { c: std::array::from_fn(|i| self.c[i].minus(&other.c[i])) }
    }

    /// The product, of degree at most three.
    pub(super) fn times(&self, other: &Self) -> Self {
        let mut c = std::array::from_fn(|_| W::small(0));
        for i in (0..4).filter(|&i| !self.c[i].is_zero()) {
            for j in (0..4).filter(|&j| !other.c[j].is_zero()) {
                debug_assert!(i + j < 4);
                c[i + j] = c[i + j].plus(&self.c[i].times(&other.c[j]));
            }
        }
        Polynomial { c }
    }

    /// The sign at `numerator / denominator`, the latter positive.
    pub(super) fn sign_at(&self, numerator: &W, denominator: &W) -> i32 {
        let Some(degree) = self.degree() else { return 0 };
        let mut value = self.c[degree].clone();
        let mut power = W::small(1);
        for c in self.c[..degree].iter().rev() {
            power = power.times(denominator);
            value = value.times(numerator).plus(&c.times(&power));
        }
        value.sign()
    }

    /// As a function of u, where t = (k + u) / 2^s; times a positive number.
    pub(super) fn seen_from(&self, k: &W, s: u32) -> Self {
        let mut c: [W; 4] = std::array::from_fn(|i| self.c[i].doubled((3 - i as u32) * s));
        // Taylor's shift by k, after Horner.
        for i in 0..3 {
            for j in (i..3).rev() {
                c[j] = c[j].plus(&k.times(&c[j + 1]));
            }
        }
        Polynomial { c }
    }

    /// The signs of the Bernstein coefficients over [0, 1]: if all agree, so does the polynomial there.
    pub(super) fn bernstein_signs(&self) -> [i32; 4] {
        let [c0, c1, c2, c3] = &self.c;
        let second = c0.scaled(3).plus(c1);
        let third = c0.scaled(3).plus(&c1.doubled(1)).plus(c2);
        let last = c0.plus(c1).plus(c2).plus(c3);
        [c0.sign(), second.sign(), third.sign(), last.sign()]
    }
}
