//! All pairs of boxes that overlap, with no memory of an earlier step: for meshes that deform.

use super::finder::Finder;
use super::order::{curve_order, spatial_order};
use super::table::check;
use super::tree::Tree;
use super::{CullingError, MOST_BOXES, Which};
use crate::lanes::with_simd;
use rayon::prelude::*;
use silvia_solid::Aabb;
use std::ops::Range;

/// Boxes to a task; a multiple of the tree's width.
const TASK: usize = 4096;
/// No more boxes than this are not worth handing to other threads.
const PARALLEL_FROM: usize = 8000;

/// The pairs of boxes that overlap, by their positions in the list, the lesser first. Boxes are closed:
/// touching counts.
///
/// The order of the pairs depends on the boxes alone, not on the number of threads; sort them if another is
/// needed. Where most boxes stay near their places from step to step, a [`super::Culling`] is cheaper.
///
/// ```
/// use silvia_proximity::culling::overlapping_pairs;
/// use silvia_solid::{Aabb, Vec3};
///
/// let unit = |x: f64| Aabb { min: Vec3::new(x, 0.0, 0.0), max: Vec3::new(x + 1.0, 1.0, 1.0) };
/// assert_eq!(overlapping_pairs(&[unit(0.0), unit(5.0), unit(1.0)])?, [[0, 2]]);
/// # Ok::<(), silvia_proximity::culling::CullingError>(())
/// ```
pub fn overlapping_pairs(boxes: &[Aabb]) -> Result<Vec<[u32; 2]>, CullingError> {
    if boxes.len() > MOST_BOXES {
        return Err(CullingError::Full { more: boxes.len() });
    }
    for (position, bounds) in boxes.iter().enumerate() {
        check(bounds, Which::New(position))?;
    }
    let ids = curve_order(boxes).unwrap_or_else(|| spatial_order((0..).zip(boxes.iter().copied())));
    let sorted: Vec<Aabb> = ids.iter().map(|&id| boxes[id as usize]).collect();
    let mut tree = Tree::default();
    tree.rebuild(&sorted, true);
    let find = |run: Range<usize>| {
        with_simd(
            #[inline(always)]
            || pairs_of_run(&tree, &sorted, &ids, run),
        )
    };
    let count = boxes.len();
    if count <= PARALLEL_FROM || rayon::current_num_threads() == 1 {
        return Ok(find(0..count));
    }
    let tasks = (0..count.div_ceil(TASK)).into_par_iter();
    let parts: Vec<_> = tasks.map(|task| find(task * TASK..((task + 1) * TASK).min(count))).collect();
    Ok(parts.concat())
}

/// The pairs of the boxes of a run with those after them.
#[inline(always)]
fn pairs_of_run(tree: &Tree, sorted: &[Aabb], ids: &[u32], run: Range<usize>) -> Vec<[u32; 2]> {
    let mut pairs = Vec::with_capacity(4 * run.len());
    tree.later_overlaps(
        run,
        #[inline(always)]
        |a, b| overlap(&sorted[a as usize], &sorted[b as usize]),
        #[inline(always)]
        |slot, found| {
            let id = ids[slot as usize];
            pairs.extend(found.iter().map(|&other| {
                let other = ids[other as usize];
                [id.min(other), id.max(other)]
            }));
        },
    );
    pairs
}

/// Without a branch for each comparison: most of the boxes asked about overlap, but which ones touch is hard
/// to foretell.
#[inline(always)]
fn overlap(a: &Aabb, b: &Aabb) -> bool {
    let along = |axis: usize| (a.min[axis] <= b.max[axis]) & (b.min[axis] <= a.max[axis]);
    along(0) & along(1) & along(2)
}
