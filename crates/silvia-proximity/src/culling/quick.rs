//! Boxes in single precision that still decide exactly.
//!
//! Rounding to nearest never swaps two numbers, it can only make them equal. So single precision decides
//! every comparison but those that come out equal; these are left to the boxes themselves.

use silvia_solid::Aabb;

/// (min, pad, -max, pad): with the upper corner negated, one comparison of eight lanes decides. Half a cache
/// line.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct Quick([f32; 8]);

/// A box that others are compared with: (max, pad, -min, pad).
#[derive(Clone, Copy, Debug)]
pub(super) struct Probe([f32; 8]);

/// What single precision can say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Overlap,
    Apart,
    /// Coordinates are equal after rounding.
    TooClose,
}

/// A pad that never decides: less in a box than in a probe.
const BOX_PAD: f32 = 0.0;
const PROBE_PAD: f32 = 1.0;

impl Quick {
    #[inline]
    pub(super) fn of(b: &Aabb) -> Quick {
        let (min, max) = (b.min.as_vec3(), b.max.as_vec3());
        Quick([min.x, min.y, min.z, BOX_PAD, -max.x, -max.y, -max.z, BOX_PAD])
    }

    #[inline(always)]
    pub(super) fn probe(&self) -> Probe {
        let [a, b, c, _, d, e, f, _] = self.0;
        Probe([-d, -e, -f, PROBE_PAD, -a, -b, -c, PROBE_PAD])
    }

    /// How far the corners of the box are from those of another, the farther corner along each axis, m,
    /// roughly.
    #[inline]
    pub(super) fn shift(&self, other: &Quick) -> [f32; 3] {
        let mut shift = [0.0; 3];
        for (i, farther) in shift.iter_mut().enumerate() {
            let (low, high) = ((self.0[i] - other.0[i]).abs(), (self.0[i + 4] - other.0[i + 4]).abs());
            *farther = if low > high { low } else { high };
        }
        shift
    }
}

impl Probe {
    #[inline(always)]
    pub(super) fn against(&self, other: &Quick) -> Verdict {
        let (mut less, mut not_more) = (true, true);
        for k in 0..8 {
            less &= other.0[k] < self.0[k];
            not_more &= other.0[k] <= self.0[k];
        }
        match (less, not_more) {
            (true, _) => Verdict::Overlap,
            (false, true) => Verdict::TooClose,
            (false, false) => Verdict::Apart,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use silvia_solid::Vec3;

    #[test]
    fn boxes_that_touch_are_left_to_double_precision() {
        let b = |x: f64| Quick::of(&Aabb { min: Vec3::new(x, 0.0, 0.0), max: Vec3::new(x + 1.0, 1.0, 1.0) });
        assert_eq!(b(0.0).probe().against(&b(1.0)), Verdict::TooClose);
        assert_eq!(b(0.0).probe().against(&b(1.0 + 1e-12)), Verdict::TooClose);
        assert_eq!(b(0.0).probe().against(&b(1.001)), Verdict::Apart);
        assert_eq!(b(1.001).probe().against(&b(0.0)), Verdict::Apart);
        assert_eq!(b(0.0).probe().against(&b(0.999)), Verdict::Overlap);
    }
}
