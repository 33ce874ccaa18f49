//! What an order of boxes costs its searches, told from the sizes of the leaf blocks alone.
//!
//! A search opens a block if its centre lies within the block widened by the size of what is searched for:
//! the larger that volume, the more searches open it. But no search opens a block more than once, however
//! large the block is; so each counts for one at most, and a half-space, or a box that has gone to the other
//! end of the world, spoils the measure no more than it spoils the searches. For the same reason all is
//! measured by medians.

use super::table::is_empty;
use silvia_solid::{Aabb, Vec3};

/// About as many leaf blocks are opened by a search in a fresh order: its own and those next to it.
const OPENED_WHEN_FRESH: f64 = 4.0;
/// Boxes and blocks are at least this fraction of their longest side thick, so that flat ones in one plane
/// have a volume.
const LEAST_THICKNESS: f64 = 1e-3;
/// Enough boxes for a median.
const SAMPLE: usize = 128;

/// Measures leaf blocks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Yardstick {
    /// 1 / the typical size of a box, 1/m.
    inverse: Vec3,
    /// The volume of a block that every search opens, in typical boxes.
    whole: f64,
}

impl Yardstick {
    /// From the sizes of leaf blocks in a fresh order, m, and of a typical box in them.
    pub(super) fn new(typical: Vec3, sizes: impl ExactSizeIterator<Item = Vec3>) -> Yardstick {
        let count = sizes.len();
        let sizes: Vec<Vec3> = sampled(sizes).collect();
        // Points have no size, but their blocks do.
        let least = LEAST_THICKNESS * median_size(&sizes).max_element();
        // Finite even where all is in one point.
        let inverse = typical.to_array().map(|side| (1.0 / side.max(least)).min(f64::MAX));
        let inverse = Vec3::from(inverse);
        let mut volumes: Vec<f64> = sizes.iter().map(|size| volume(*size, inverse)).collect();
        Yardstick { inverse, whole: median(&mut volumes) * count as f64 / OPENED_WHEN_FRESH }
    }

    /// The share of searches that open a leaf block of this size, m; 0 for one without boxes.
    pub(super) fn cost(&self, size: Vec3) -> f64 {
        if size.x < 0.0 {
            return 0.0;
        }
        let volume = volume(size, self.inverse);
        // Not so if both are infinite.
        if volume < self.whole { volume / self.whole } else { 1.0 }
    }
}

/// The volume in which the centre of a typical box must lie to overlap a block, in typical boxes.
fn volume(size: Vec3, inverse: Vec3) -> f64 {
    (size * inverse + Vec3::ONE).element_product()
}

/// The median size of boxes, m, none of its sides much shorter than the longest.
pub(super) fn typical_size(boxes: &[Aabb]) -> Vec3 {
    let sizes: Vec<Vec3> = sampled(boxes.iter()).filter(|b| !is_empty(b)).map(Aabb::size).collect();
    let typical = median_size(&sizes);
    typical.max(Vec3::splat(LEAST_THICKNESS * typical.max_element()))
}

/// Along each axis for itself.
fn median_size(sizes: &[Vec3]) -> Vec3 {
    let side = |axis: usize| median(&mut sizes.iter().map(|size| size[axis]).collect::<Vec<_>>());
    Vec3::new(side(0), side(1), side(2))
}

/// Some of many, evenly spread.
fn sampled<T>(all: impl ExactSizeIterator<Item = T>) -> impl Iterator<Item = T> {
    let stride = all.len().div_ceil(SAMPLE).max(1);
    all.step_by(stride)
}

fn median(values: &mut [f64]) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    let middle = values.len() / 2;
    *values.select_nth_unstable_by(middle, f64::total_cmp).1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What 100 blocks cost.
    fn cost(yardstick: &Yardstick, size: Vec3) -> f64 {
        100.0 * yardstick.cost(size)
    }

    fn of_equal(typical: Vec3, size: Vec3) -> Yardstick {
        Yardstick::new(typical, std::iter::repeat_n(size, 100))
    }

    #[test]
    fn a_fresh_order_costs_what_is_expected_whatever_the_shape_of_the_boxes() {
        for side in [1e-200, 1e-3, 1.0, 1e30, 1e200] {
            for shape in [Vec3::ONE, Vec3::new(1.0, 1.0, 0.0), Vec3::new(0.0, 1e-9, 1.0)] {
                let boxes = vec![Aabb { min: Vec3::ZERO, max: side * shape }; 300];
                let fresh = of_equal(typical_size(&boxes), 3.0 * side * shape);
                let told = cost(&fresh, 3.0 * side * shape);
                assert!((told - OPENED_WHEN_FRESH).abs() < 1e-9, "{side} {shape} {told}");
                // Blocks twice as large where they are not flat are dearer.
                assert!(cost(&fresh, 6.0 * side * shape) > 1.5 * told, "{side} {shape}");
            }
        }
    }

    #[test]
    fn a_block_counts_for_one_at_most() {
        let yardstick = of_equal(Vec3::ONE, Vec3::splat(3.0));
        for size in [1e3, 1e30, 1e300, f64::INFINITY] {
            assert_eq!(yardstick.cost(Vec3::splat(size)), 1.0);
        }
        assert_eq!(yardstick.cost(Vec3::NEG_INFINITY), 0.0);
    }

    #[test]
    fn points_in_one_place_have_a_measure_too() {
        let point = Aabb { min: Vec3::ONE, max: Vec3::ONE };
        let yardstick = of_equal(typical_size(&[point; 5]), Vec3::ZERO);
        assert!((cost(&yardstick, Vec3::ZERO) - OPENED_WHEN_FRESH).abs() < 1e-9);
        assert_eq!(yardstick.cost(Vec3::splat(1e-9)), 1.0);
    }

    #[test]
    fn points_are_measured_by_their_blocks() {
        let yardstick = of_equal(Vec3::ZERO, Vec3::splat(2.0));
        assert!((cost(&yardstick, Vec3::splat(2.0)) - OPENED_WHEN_FRESH).abs() < 1e-9);
        assert!(cost(&yardstick, Vec3::splat(4.0)) > 7.0 * OPENED_WHEN_FRESH);
    }

    #[test]
    fn one_large_box_does_not_change_what_is_typical() {
        let unit = Aabb { min: Vec3::ZERO, max: Vec3::ONE };
        let mut boxes = vec![unit; 1000];
        boxes[0] = Aabb { min: Vec3::splat(-1e30), max: Vec3::splat(1e30) };
        assert_eq!(typical_size(&boxes), Vec3::ONE);
    }
}
