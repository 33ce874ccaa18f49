//! An order of boxes in which neighbours in space are mostly neighbours in the list.

use silvia_solid::{Aabb, Vec3};

/// Boxes in a block of the tree: what one comparison of vector registers can take.
pub(super) const WIDTH: usize = 8;

/// Fewer boxes than this are not worth handing to another thread.
const PARALLEL_FROM: usize = 4096;

/// The ids of boxes, so ordered that every run of 8, 64, 512... from a multiple of that length is compact: cut at the
/// median along the longest side, again and again. Unlike a curve through a grid, this does not mind if boxes crowd in a corner
/// of the world.
pub(super) fn spatial_order(boxes: impl Iterator<Item = (u32, Aabb)>) -> Vec<u32> {
    // Half first, so that the sum stays finite.
    let mut seeds: Vec<Seed> = boxes.map(|(id, b)| Seed { center: 0.5 * b.min + 0.5 * b.max, id }).collect();
    let mut span = WIDTH;
    while span < seeds.len() {
        span *= WIDTH;
    }
    cut(&mut seeds, span);
    seeds.iter().map(|seed| seed.id).collect()
}

#[derive(Clone, Copy)]
struct Seed {
    center: Vec3,
    id: u32,
}

/// `span`: what the run would hold if it were full.
fn cut(seeds: &mut [Seed], span: usize) {
    if span <= WIDTH {
        return;
    }
    let half = span / 2;
    if half >= seeds.len() {
        return cut(seeds, half);
    }
    let around = Aabb::of(seeds.iter().map(|s| s.center));
    let sides = 0.5 * around.max - 0.5 * around.min;
    let axis = (0..3).max_by(|&a, &b| sides[a].total_cmp(&sides[b])).unwrap_or(0);
    // Equal coordinates are told apart by id, so that the order depends on nothing but the boxes.
    seeds
        .select_nth_unstable_by(half, |a, b| a.center[axis].total_cmp(&b.center[axis]).then(a.id.cmp(&b.id)));
    let (low, high) = seeds.split_at_mut(half);
    if low.len() >= PARALLEL_FROM {
        rayon::join(|| cut(low, half), || cut(high, half));
    } else {
        cut(low, half);
        cut(high, half);
    }
}
