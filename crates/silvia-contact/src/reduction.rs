//! Fewer contacts that do the same: what of a patch with hundreds of pairs is needed.

use crate::gap_row::GapRow;
use crate::nnls::{NnlsScratch, non_negative_least_squares};
use crate::tuning::reduction as tuning;
use silvia_solid::Vec3;

/// What a reduction keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The velocities that the contacts admit, over a step: `gap + step * rate >= 0` for those kept implies
    /// it for all. Enough without friction.
    Velocities,
    /// The extent of each patch: of contacts with one normal, those that the others of the same patch do not
    /// enclose. Friction acts where contacts are, so contacts of other patches never replace one.
    Extent,
}

/// Finds which contacts between two bodies to keep, as ascending indices. None of those kept follows from the
/// others; of equal ones the first stays.
pub fn reduce(rows: &[GapRow], keep: Keep) -> Vec<usize> {
    let mut reducer = Reducer::default();
    reducer.reduce(rows, keep);
    reducer.kept
}

/// Reduces the contacts of one pair of bodies after the other and reuses its memory.
#[derive(Clone, Debug, Default)]
pub struct Reducer {
    generators: Vec<[f64; 7]>,
    is_kept: Vec<bool>,
    kept: Vec<usize>,
    scratch: NnlsScratch,
}

impl Reducer {
    /// Finds which contacts to keep: see [`reduce`].
    pub fn reduce(&mut self, rows: &[GapRow], keep: Keep) -> &[usize] {
        let Reducer { generators, is_kept, kept, scratch } = self;
        put_generators(rows, generators);
        is_kept.clear();
        is_kept.resize(rows.len(), true);
        // From the last, so that of equal ones the first stays.
        for i in (0..rows.len()).rev() {
            let same_patch = |j: usize| rows[i].normal.distance(rows[j].normal) <= tuning::SAME_NORMAL;
            let may_use = |j: usize| {
                j == rows.len() || j != i && is_kept[j] && (keep == Keep::Velocities || same_patch(j))
            };
            let rest = non_negative_least_squares(
                generators,
                may_use,
                &generators[i],
                tuning::LEAST_SQUARES,
                scratch,
            );
            if rest.iter().all(|r| r.abs() <= tuning::SAME) {
                is_kept[i] = false;
            }
        }
        kept.clear();
        kept.extend((0..rows.len()).filter(|&i| is_kept[i]));
        kept
    }
}

/// By Farkas' lemma, where any velocity is admissible, a condition `row . v >= -gap` follows from others if
/// and only if `(row, -gap)` is a sum of theirs with factors that are not negative, and of `(0, -1)`, which
/// comes last. Lengths are measured from the middle of the contacts, by their spread.
fn put_generators(rows: &[GapRow], generators: &mut Vec<[f64; 7]>) {
    let points = || rows.iter().map(|row| row.arms[1]);
    let middle = points().sum::<Vec3>() / rows.len().max(1) as f64;
    let spread = points().map(|p| p.distance(middle)).fold(0.0, f64::max);
    let scale = if spread > 0.0 { 1.0 / spread } else { 1.0 };
    let of_row = |row: &GapRow| {
        let torque = scale * (row.arms[1] - middle).cross(row.normal);
        let [x, y, z] = row.normal.to_array();
        let [u, v, w] = torque.to_array();
        [x, y, z, u, v, w, -scale * row.gap]
    };
    let slack = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0];
    generators.clear();
    generators.extend(rows.iter().map(of_row).chain([slack]));
}
