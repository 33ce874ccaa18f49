//! Eight boxes that are compared side by side: what the tree is made of.

use super::near_blocks::low_bits;
use super::order::WIDTH;
use super::table::is_empty;
use silvia_solid::{Aabb, Vec3};
use std::ops::Sub;

/// Eight boxes, a coordinate a row: lanes compare side by side.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Block<T> {
    pub(super) min: [[T; WIDTH]; 3],
    pub(super) max: [[T; WIDTH]; 3],
}

/// A box.
pub(super) struct Corners<T> {
    pub(super) min: [T; 3],
    pub(super) max: [T; 3],
}

impl<T: Coordinate> Corners<T> {
    const NONE: Corners<T> = Corners { min: [T::INFINITY; 3], max: [T::NEG_INFINITY; 3] };

    #[inline(always)]
    pub(super) fn of(b: &Aabb) -> Corners<T> {
        Corners { min: b.min.to_array().map(T::of), max: b.max.to_array().map(T::of) }
    }
}

impl<T: Coordinate> Block<T> {
    pub(super) const EMPTY: Block<T> =
        Block { min: [[T::INFINITY; WIDTH]; 3], max: [[T::NEG_INFINITY; WIDTH]; 3] };

    pub(super) fn of(boxes: &[Aabb]) -> Block<T> {
        let mut block = Block::EMPTY;
        for (lane, b) in boxes.iter().enumerate() {
            block.set(lane, b);
        }
        block
    }

    pub(super) fn set(&mut self, lane: usize, b: &Aabb) {
        let corners = if is_empty(b) { Corners::NONE } else { Corners::<T>::of(b) };
        for axis in 0..3 {
            self.min[axis][lane] = corners.min[axis];
            self.max[axis][lane] = corners.max[axis];
        }
    }

    #[inline(always)]
    pub(super) fn lane(&self, lane: usize) -> Corners<T> {
        Corners { min: self.min.map(|row| row[lane]), max: self.max.map(|row| row[lane]) }
    }

    /// Around all lanes.
    pub(super) fn bounds(&self) -> Aabb {
        let least = |row: &[T; WIDTH]| row.iter().fold(T::INFINITY, |a, &b| if b < a { b } else { a }).wide();
        let most =
            |row: &[T; WIDTH]| row.iter().fold(T::NEG_INFINITY, |a, &b| if b > a { b } else { a }).wide();
        Aabb {
            min: Vec3::new(least(&self.min[0]), least(&self.min[1]), least(&self.min[2])),
            max: Vec3::new(most(&self.max[0]), most(&self.max[1]), most(&self.max[2])),
        }
    }

    /// A bit for each lane that overlaps.
    #[inline(always)]
    pub(super) fn overlaps(&self, b: &Corners<T>) -> u32 {
        let mut apart = [0u32; WIDTH];
        for axis in 0..3 {
            for ((apart, &min), &max) in apart.iter_mut().zip(&self.min[axis]).zip(&self.max[axis]) {
                *apart |= T::difference_bits(b.max[axis], min) | T::difference_bits(max, b.min[axis]);
            }
        }
        low_bits(apart.map(|bits| (!bits >> 31) as u8)) as u32
    }
}

/// Numbers that boxes are rounded to. Rounding never swaps two numbers: boxes that overlap still do so
/// afterwards.
pub(super) trait Coordinate: Copy + Default + PartialOrd + Sub<Output = Self> + Send + Sync {
    const INFINITY: Self;
    const NEG_INFINITY: Self;
    /// Finite, and not the negative zero, which would spoil differences.
    fn of(x: f64) -> Self;
    fn wide(self) -> f64;
    /// Bits of which the highest is set if `a < b`. Unlike a comparison, this is the same few operations in
    /// every lane of a register, which the compiler sees. The numbers may not be equal infinities.
    fn difference_bits(a: Self, b: Self) -> u32;
}

impl Coordinate for f64 {
    const INFINITY: f64 = f64::INFINITY;
    const NEG_INFINITY: f64 = f64::NEG_INFINITY;

    #[inline(always)]
    fn of(x: f64) -> f64 {
        x + 0.0
    }

    #[inline(always)]
    fn wide(self) -> f64 {
        self
    }

    #[inline(always)]
    fn difference_bits(a: f64, b: f64) -> u32 {
        ((a - b).to_bits() >> 32) as u32
    }
}

impl Coordinate for f32 {
    const INFINITY: f32 = f32::INFINITY;
    const NEG_INFINITY: f32 = f32::NEG_INFINITY;

    #[inline(always)]
    fn of(x: f64) -> f32 {
        (x as f32).clamp(f32::MIN, f32::MAX) + 0.0
    }

    #[inline(always)]
    fn wide(self) -> f64 {
        f64::from(self)
    }

    #[inline(always)]
    fn difference_bits(a: f32, b: f32) -> u32 {
        (a - b).to_bits()
    }
}
