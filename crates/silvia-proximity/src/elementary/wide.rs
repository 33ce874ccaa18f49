//! Whole numbers of fixed width, in two's complement: no memory is allocated, and products are exact.

/// A number of 64 N bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wide<const N: usize>([u64; N]);

impl Wide<2> {
    pub(super) fn new(value: i128) -> Wide<2> {
        Wide([value as u64, (value >> 64) as u64])
    }
}

impl<const N: usize> Wide<N> {
    pub(super) const ZERO: Wide<N> = Wide([0; N]);

    /// The sum; it must fit.
    #[inline(always)]
    pub(super) fn plus(&self, other: &Wide<N>) -> Wide<N> {
        let mut sum = self.0;
        let mut carry = false;
        for (limb, &added) in sum.iter_mut().zip(&other.0) {
            let (part, first) = limb.overflowing_add(added);
            let (part, second) = part.overflowing_add(u64::from(carry));
            *limb = part;
            carry = first | second;
        }
        Wide(sum)
    }

    /// The difference; it must fit.
    #[inline(always)]
    pub(super) fn minus(&self, other: &Wide<N>) -> Wide<N> {
        let mut difference = self.0;
        subtract_at(&mut difference, &other.0, 0);
        Wide(difference)
    }

    /// The product, of N + M limbs.
    #[inline(always)]
    pub(super) fn times<const M: usize, const P: usize>(&self, other: &Wide<M>) -> Wide<P> {
        const { assert!(P == N + M) };
        let mut product = [0u64; P];
        for i in 0..N {
            let mut carry = 0u128;
            for j in 0..M {
                let sum = u128::from(self.0[i]) * u128::from(other.0[j]) + u128::from(product[i + j]) + carry;
                product[i + j] = sum as u64;
                carry = sum >> 64;
            }
            product[i + M] = carry as u64;
        }
        // So far a negative number x counted as 2^(64 N) + x.
        if self.is_negative() {
            subtract_at(&mut product, &other.0, N);
        }
        if other.is_negative() {
            subtract_at(&mut product, &self.0, M);
        }
        Wide(product)
    }

    /// -1, 0 or 1.
    #[inline(always)]
    pub(super) fn sign(&self) -> i32 {
        if self.is_negative() { -1 } else { i32::from(self.0.iter().any(|&limb| limb != 0)) }
    }

    /// Rounded, with a relative error of at most 2^-52.
    #[inline]
    pub(super) fn rounded(&self) -> f64 {
        let magnitude = if self.is_negative() { Wide::ZERO.minus(self).0 } else { self.0 };
        let Some(top) = magnitude.iter().rposition(|&limb| limb != 0) else { return 0.0 };
        let below = if top == 0 { 0 } else { magnitude[top - 1] };
        let leading = (u128::from(magnitude[top]) << 64 | u128::from(below)) as f64;
        // 2^(64 (top - 1)), in range for up to 15 limbs.
        let unit = f64::from_bits(((1023 + 64 * (top as i64 - 1)) as u64) << 52);
        let value = leading * unit;
        if self.is_negative() { -value } else { value }
    }

    #[inline(always)]
    fn is_negative(&self) -> bool {
        self.0[N - 1] >> 63 == 1
    }
}

/// `from -= number · 2^(64 limbs)`, modulo its width.
#[inline(always)]
fn subtract_at<const N: usize, const P: usize>(from: &mut [u64; P], number: &[u64; N], limbs: usize) {
    let mut borrow = false;
    for i in limbs..P {
        let taken = if i - limbs < N { number[i - limbs] } else { 0 };
        let (part, first) = from[i].overflowing_sub(taken);
        let (part, second) = part.overflowing_sub(u64::from(borrow));
        from[i] = part;
        borrow = first | second;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dashu_int::IBig;
    use proptest::prelude::*;

    fn big<const N: usize>(number: &Wide<N>) -> IBig {
        let low = (0..N).rev().fold(IBig::ZERO, |sum, i| (sum << 64) + IBig::from(number.0[i]));
        if number.is_negative() { low - (IBig::ONE << (64 * N)) } else { low }
    }

    proptest! {
        #[test]
        fn sums_and_products_are_those_of_big_integers(a: i128, b: i128, c: i128) {
            // Quarters, so that the sum fits.
            let [x, y, z] = [a >> 2, b >> 2, c >> 2].map(Wide::new);
            prop_assert_eq!(big(&x.plus(&y)), IBig::from(a >> 2) + IBig::from(b >> 2));
            prop_assert_eq!(big(&x.minus(&y)), IBig::from(a >> 2) - IBig::from(b >> 2));
            let xy: Wide<4> = x.times(&y);
            prop_assert_eq!(big(&xy), IBig::from(a >> 2) * IBig::from(b >> 2));
            let xyz: Wide<6> = z.times(&xy);
            prop_assert_eq!(big(&xyz), IBig::from(c >> 2) * big(&xy));
            prop_assert_eq!(
                xyz.sign(),
                (a >> 2).signum() as i32 * (b >> 2).signum() as i32 * (c >> 2).signum() as i32
            );
            let rounded = big(&xyz).to_f64().value();
            prop_assert!((xyz.rounded() - rounded).abs() <= rounded.abs() * f64::EPSILON);
        }
    }

    #[test]
    fn the_smallest_numbers_have_signs_and_values() {
        for value in [-1i128, 0, 1, 1 << 64, -(1 << 64), i128::MIN >> 2] {
            assert_eq!(Wide::new(value).sign(), value.signum() as i32);
            assert_eq!(Wide::new(value).rounded(), value as f64);
        }
    }
}
