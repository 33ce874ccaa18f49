//! An order of boxes in which neighbours in space are mostly neighbours in the list.

use silvia_solid::{Aabb, Vec3};

/// Boxes in a block of the tree: what one comparison of vector registers can take.
pub(super) const WIDTH: usize = 8;

/// Fewer boxes than this are not worth handing to another thread.
const PARALLEL_FROM: usize = 4096;

/// The ids of boxes, so ordered that every run of 8, 64, 512... from a multiple of that length is compact:
/// cut at the median along the longest side, again and again. Unlike a curve through a grid, this does not
/// mind if boxes crowd in a corner of the world.
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

/// Cells along each side of the curve's cube, as a power of two.
const CURVE_BITS: u32 = 10;
/// The curve serves while there are, on average, no more boxes than this to a cell in use.
const CROWD_ALLOWED: usize = 4;

/// The ids of boxes along Morton's curve through a grid of cubes: cheaper than [`spatial_order`], and as good
/// while boxes are spread over the grid. `None` if they crowd in too few of its cells.
pub(super) fn curve_order(boxes: &[Aabb]) -> Option<Vec<u32>> {
    // Half of everything, so that differences stay finite.
    let center = |b: &Aabb| 0.25 * b.min + 0.25 * b.max;
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for b in boxes {
        let c = center(b);
        (low, high) = (low.min(c), high.max(c));
    }
    let cells = f64::from(1u32 << CURVE_BITS);
    let scale = cells / (high - low).max_element();
    // Casts saturate, and take NaN, from an extent of zero, to 0.
    let cell = |x: f64| spread(((x * scale) as u32).min((1 << CURVE_BITS) - 1));
    let keys = (0u64..).zip(boxes).map(|(id, b)| {
        let [x, y, z] = (center(b) - low).to_array().map(cell);
        u64::from(x | y << 1 | z << 2) << 32 | id
    });
    let sorted = radix_sorted(keys.collect());
    let used = 1 + sorted.windows(2).filter(|pair| pair[0] >> 32 != pair[1] >> 32).count();
    (used * CROWD_ALLOWED >= sorted.len()).then(|| sorted.iter().map(|&key| key as u32).collect())
}

/// Ten bits, with two zeros between each.
fn spread(x: u32) -> u32 {
    let x = (x | x << 16) & 0x0300_00FF;
    let x = (x | x << 8) & 0x0300_F00F;
    let x = (x | x << 4) & 0x030C_30C3;
    (x | x << 2) & 0x0924_9249
}

/// By the upper word, of which `3 * CURVE_BITS` bits are in use; equal ones stay in their order.
fn radix_sorted(mut keys: Vec<u64>) -> Vec<u64> {
    const BUCKETS: usize = 1 << CURVE_BITS;
    let mut counts = [[0u32; BUCKETS]; 3];
    let digit = |key: u64, pass: usize| (key >> (32 + CURVE_BITS * pass as u32)) as usize % BUCKETS;
    for &key in &keys {
        for (pass, counts) in counts.iter_mut().enumerate() {
            counts[digit(key, pass)] += 1;
        }
    }
    let mut other = vec![0; keys.len()];
    for (pass, counts) in counts.iter_mut().enumerate() {
        let mut start = 0;
        for count in counts.iter_mut() {
            start += std::mem::replace(count, start);
        }
        for &key in &keys {
            let place = &mut counts[digit(key, pass)];
            other[*place as usize] = key;
            *place += 1;
        }
        std::mem::swap(&mut keys, &mut other);
    }
    keys
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
