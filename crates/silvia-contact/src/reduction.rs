//! Fewer contacts that do the same: what of a patch with hundreds of pairs is needed.

use crate::gap_row::GapRow;
use crate::nnls::non_negative_least_squares;
use silvia_solid::Vec3;

/// A contact is taken to follow from others if what is left of it is below this, lengths measured by the patch.
const SAME: f64 = 1e-10;

/// Two normals that differ by less than this, as a chord, belong to one patch.
const SAME_NORMAL: f64 = 1e-7;

/// What a reduction keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The velocities that the contacts admit, over a step: `gap + step * rate >= 0` for those kept implies it for all. Enough
    /// without friction.
    Velocities,
    /// Each patch's extent: of contacts with one normal, those that the others of the same patch do not enclose. Friction
    /// acts where contacts are, so that one that follows from another patch's is kept.
    Extent,
}

/// Which of the contacts between two bodies to keep, in their order. None of those kept follows from the others;
/// of equal ones the first stays.
pub fn reduce(rows: &[GapRow], keep: Keep) -> Vec<usize> {
    let generators = generators(rows);
    let mut kept = vec![true; rows.len()];
    // From the last, so that of equal ones the first stays.
    for i in (0..rows.len()).rev() {
        let same_patch = |j: usize| rows[i].normal.distance(rows[j].normal) <= SAME_NORMAL;
        let may_use =
            |j: usize| j == rows.len() || j != i && kept[j] && (keep == Keep::Velocities || same_patch(j));
        let (_, rest) = non_negative_least_squares(&generators, may_use, &generators[i], 0.1 * SAME);
        if rest.iter().all(|r| r.abs() <= SAME) {
            kept[i] = false;
        }
    }
    (0..rows.len()).filter(|&i| kept[i]).collect()
}

/// By Farkas' lemma, where any velocity is admissible, a condition `row . v >= -gap` follows from others if and only if `(row, -gap)` is a sum of theirs with factors
/// that are not negative, and of `(0, -1)`, which comes last. Lengths are measured from the middle of the contacts, by their spread.
fn generators(rows: &[GapRow]) -> Vec<[f64; 7]> {
    let points: Vec<Vec3> = rows.iter().map(|row| row.arms[1]).collect();
    let middle = points.iter().sum::<Vec3>() / points.len().max(1) as f64;
    let spread = points.iter().map(|p| p.distance(middle)).fold(0.0, f64::max);
    let scale = if spread > 0.0 { 1.0 / spread } else { 1.0 };
    let of_row = |row: &GapRow| {
        let torque = scale * (row.arms[1] - middle).cross(row.normal);
        let [x, y, z] = row.normal.to_array();
        let [u, v, w] = torque.to_array();
        [x, y, z, u, v, w, -scale * row.gap]
    };
    let slack = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0];
    rows.iter().map(of_row).chain([slack]).collect()
}
