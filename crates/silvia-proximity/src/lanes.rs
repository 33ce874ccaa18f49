//! Four numbers side by side.
//!
//! Plain arrays and plain loops: the compiler turns them into vector instructions where [`with_simd`] has
//! switched those on. Each lane does the same IEEE operations in the same order on every machine (nothing is
//! fused), so the bits of a result do not depend on the processor.

use silvia_solid::Vec3;
use std::ops::{Add, Mul, Sub};
use std::sync::OnceLock;

/// Number of lanes: the children of a node.
pub(crate) const LANES: usize = 4;

/// Four numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(32))]
pub(crate) struct Lanes(pub(crate) [f64; LANES]);

/// Runs loops over plain arrays with the widest vector instructions this processor has. Everything in them
/// that should profit must be `#[inline(always)]`.
#[inline(always)]
pub fn with_simd<R>(query: impl FnOnce() -> R) -> R {
    static ARCH: OnceLock<pulp::Arch> = OnceLock::new();
    ARCH.get_or_init(pulp::Arch::new).dispatch(query)
}

impl Lanes {
    #[inline(always)]
    pub(crate) fn splat(x: f64) -> Lanes {
        Lanes([x; LANES])
    }

    #[inline(always)]
    pub(crate) fn map(self, f: impl Fn(f64) -> f64) -> Lanes {
        Lanes([f(self.0[0]), f(self.0[1]), f(self.0[2]), f(self.0[3])])
    }

    #[inline(always)]
    fn zip(self, other: Lanes, f: impl Fn(f64, f64) -> f64) -> Lanes {
        Lanes([
            f(self.0[0], other.0[0]),
            f(self.0[1], other.0[1]),
            f(self.0[2], other.0[2]),
            f(self.0[3], other.0[3]),
        ])
    }

    #[inline(always)]
    pub(crate) fn abs(self) -> Lanes {
        self.map(f64::abs)
    }

    #[inline(always)]
    pub(crate) fn sqrt(self) -> Lanes {
        self.map(f64::sqrt)
    }

    /// The greater in each lane. Neither may be NaN.
    #[inline(always)]
    pub(crate) fn max(self, other: Lanes) -> Lanes {
        self.zip(other, |a, b| if a > b { a } else { b })
    }

    /// Each lane moved into [-limit, limit].
    #[inline(always)]
    pub(crate) fn clamped(self, limit: Lanes) -> Lanes {
        let low = self.zip(limit, |x, l| if x < -l { -l } else { x });
        low.zip(limit, |x, l| if x > l { l } else { x })
    }

    #[inline(always)]
    pub(crate) fn div(self, other: Lanes) -> Lanes {
        self.zip(other, |a, b| a / b)
    }
}

impl Add for Lanes {
    type Output = Lanes;

    #[inline(always)]
    fn add(self, other: Lanes) -> Lanes {
        self.zip(other, |a, b| a + b)
    }
}

impl Sub for Lanes {
    type Output = Lanes;

    #[inline(always)]
    fn sub(self, other: Lanes) -> Lanes {
        self.zip(other, |a, b| a - b)
    }
}

impl Mul for Lanes {
    type Output = Lanes;

    #[inline(always)]
    fn mul(self, other: Lanes) -> Lanes {
        self.zip(other, |a, b| a * b)
    }
}

/// Four numbers kept in single precision, to halve what a query must fetch from memory; they are widened
/// before use.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(16))]
pub(crate) struct Narrow(pub(crate) [f32; LANES]);

impl Narrow {
    /// Rounded to nearest.
    pub(crate) fn of(x: [f64; LANES]) -> Narrow {
        Narrow(x.map(|x| x as f32))
    }

    #[inline(always)]
    pub(crate) fn wide(&self) -> Lanes {
        Lanes([f64::from(self.0[0]), f64::from(self.0[1]), f64::from(self.0[2]), f64::from(self.0[3])])
    }

    #[inline(always)]
    pub(crate) fn lane(&self, lane: usize) -> f64 {
        f64::from(self.0[lane])
    }
}

/// Four vectors kept in single precision, a coordinate a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Narrow3(pub(crate) [Narrow; 3]);

impl Narrow3 {
    /// Rounded to nearest.
    pub(crate) fn of(vectors: [Vec3; LANES]) -> Narrow3 {
        Narrow3([0, 1, 2].map(|i| Narrow::of(vectors.map(|v| v[i]))))
    }

    #[inline(always)]
    pub(crate) fn wide(&self) -> Lanes3 {
        Lanes3([self.0[0].wide(), self.0[1].wide(), self.0[2].wide()])
    }

    /// The vector in one lane.
    #[inline(always)]
    pub(crate) fn lane(&self, lane: usize) -> Vec3 {
        Vec3::new(self.0[0].lane(lane), self.0[1].lane(lane), self.0[2].lane(lane))
    }
}

/// Four vectors, a coordinate a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lanes3(pub(crate) [Lanes; 3]);

impl Lanes3 {
    #[inline(always)]
    pub(crate) fn splat(v: Vec3) -> Lanes3 {
        Lanes3([Lanes::splat(v.x), Lanes::splat(v.y), Lanes::splat(v.z)])
    }

    #[inline(always)]
    pub(crate) fn of(vectors: [Vec3; LANES]) -> Lanes3 {
        Lanes3([0, 1, 2].map(|i| Lanes(vectors.map(|v| v[i]))))
    }

    /// A coordinate a row.
    #[inline(always)]
    pub(crate) fn rows(&self) -> [[f64; LANES]; 3] {
        [self.0[0].0, self.0[1].0, self.0[2].0]
    }

    #[inline(always)]
    pub(crate) fn of_rows(rows: &[[f64; LANES]; 3]) -> Lanes3 {
        Lanes3([Lanes(rows[0]), Lanes(rows[1]), Lanes(rows[2])])
    }

    /// The vector in one lane.
    #[inline(always)]
    pub(crate) fn lane(&self, lane: usize) -> Vec3 {
        Vec3::new(self.0[0].0[lane], self.0[1].0[lane], self.0[2].0[lane])
    }

    /// `self - k v`.
    #[inline(always)]
    pub(crate) fn minus_scaled(&self, k: Lanes, v: &Lanes3) -> Lanes3 {
        Lanes3([self.0[0] - k * v.0[0], self.0[1] - k * v.0[1], self.0[2] - k * v.0[2]])
    }

    #[inline(always)]
    pub(crate) fn dot(&self, other: &Lanes3) -> Lanes {
        self.0[0] * other.0[0] + self.0[1] * other.0[1] + self.0[2] * other.0[2]
    }
}

impl Sub for Lanes3 {
    type Output = Lanes3;

    #[inline(always)]
    fn sub(self, other: Lanes3) -> Lanes3 {
        Lanes3([self.0[0] - other.0[0], self.0[1] - other.0[1], self.0[2] - other.0[2]])
    }
}
