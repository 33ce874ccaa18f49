//! Fewer contacts that do the same: what of a patch with hundreds of pairs is needed.

use crate::gap_row::GapRow;
use crate::nnls::{NnlsScratch, dot, non_negative_least_squares};
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
    generators: Vec<Generator>,
    patches: Patches,
    kept: Vec<usize>,
    patch: PatchReducer,
}

/// A contact's condition, see [`put_generators`].
type Generator = [f64; 7];

/// What is always implied: any gap may be larger.
const SLACK: Generator = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0];

impl Reducer {
    /// Finds which contacts to keep: see [`reduce`].
    pub fn reduce(&mut self, rows: &[GapRow], keep: Keep) -> &[usize] {
        let Reducer { generators, patches, kept, patch } = self;
        put_generators(rows, generators);
        patches.split(rows, keep);
        kept.clear();
        for of_patch in patches.each() {
            kept.extend(patch.reduce(generators, of_patch));
        }
        kept.sort_unstable();
        kept
    }
}

/// Contacts by the patch they are in.
#[derive(Clone, Debug, Default)]
struct Patches {
    patch_of: Vec<usize>,
    /// All contacts, those of a patch together and ascending.
    order: Vec<usize>,
    /// One contact of each patch.
    first: Vec<usize>,
}

impl Patches {
    /// Contacts with one normal are a patch; where velocities are kept, all are one.
    fn split(&mut self, rows: &[GapRow], keep: Keep) {
        let Patches { patch_of, order, first } = self;
        patch_of.clear();
        patch_of.resize(rows.len(), 0);
        order.clear();
        order.extend(0..rows.len());
        if keep == Keep::Velocities {
            return;
        }
        first.clear();
        let along = |i: usize| rows[i].normal.x;
        order.sort_unstable_by(|&i, &j| along(i).total_cmp(&along(j)).then(i.cmp(&j)));
        for &i in &*order {
            let near = first.iter().rev().take_while(|&&j| along(i) - along(j) <= tuning::SAME_NORMAL);
            let mut same = near.filter(|&&j| rows[i].normal.distance(rows[j].normal) <= tuning::SAME_NORMAL);
            patch_of[i] = match same.next() {
                Some(&j) => patch_of[j],
                None => {
                    first.push(i);
                    first.len() - 1
                }
            };
        }
        order.sort_unstable_by_key(|&i| (patch_of[i], i));
    }

    fn each(&self) -> impl Iterator<Item = &[usize]> {
        self.order.chunk_by(|&i, &j| self.patch_of[i] == self.patch_of[j])
    }
}

/// Reduces the contacts of one patch.
#[derive(Clone, Debug, Default)]
struct PatchReducer {
    kept: Vec<usize>,
    is_kept: Vec<bool>,
    /// Of those kept, and the slack.
    of_kept: Vec<Generator>,
    scratch: NnlsScratch,
}

impl PatchReducer {
    /// Those of some contacts from which the others follow.
    fn reduce(&mut self, generators: &[Generator], contacts: &[usize]) -> &[usize] {
        self.kept.clear();
        if contacts.len() > tuning::MANY {
            self.choose(generators, contacts);
        } else {
            self.kept.extend(contacts);
        }
        self.leave_out(generators);
        &self.kept
    }

    /// Chooses contacts from which all others follow: for each that does not follow from those chosen so far,
    /// the one that lies farthest out on its side. Patches of thousands have few of these.
    fn choose(&mut self, generators: &[Generator], contacts: &[usize]) {
        let PatchReducer { kept, is_kept, of_kept, scratch } = self;
        of_kept.clear();
        of_kept.push(SLACK);
        is_kept.clear();
        is_kept.resize(contacts.len(), false);
        for at in 0..contacts.len() {
            while !is_kept[at] {
                let rest = left_of(&generators[contacts[at]], of_kept, |_| true, scratch);
                if follows(&rest) {
                    break;
                }
                // What is left points away from all that were chosen, and along some that were not: this one
                // at least.
                let along = |at: usize| {
                    let generator = &generators[contacts[at]];
                    dot(generator, &rest) / dot(generator, generator).sqrt()
                };
                let open = (0..contacts.len()).filter(|&other| !is_kept[other]);
                let farthest = open.map(|other| (along(other), other));
                let farthest = farthest.reduce(|a, b| if b.0 > a.0 { b } else { a });
                let farthest = farthest.map_or(at, |(_, other)| other);
                is_kept[farthest] = true;
                of_kept.push(generators[contacts[farthest]]);
            }
        }
        kept.extend(contacts.iter().zip(is_kept).filter_map(|(&i, is_kept)| is_kept.then_some(i)));
    }

    /// Leaves out those of the contacts that follow from the others.
    fn leave_out(&mut self, generators: &[Generator]) {
        let PatchReducer { kept, of_kept, scratch, .. } = self;
        of_kept.clear();
        of_kept.extend(kept.iter().map(|&i| generators[i]));
        of_kept.push(SLACK);
        // From the last, so that of equal ones the first stays.
        for at in (0..kept.len()).rev() {
            let rest = left_of(&of_kept[at], of_kept, |other| other != at, scratch);
            if follows(&rest) {
                kept.remove(at);
                of_kept.remove(at);
            }
        }
    }
}

/// What is left of a generator after the sum of others that is nearest to it.
fn left_of(
    generator: &Generator,
    others: &[Generator],
    may_use: impl Fn(usize) -> bool,
    scratch: &mut NnlsScratch,
) -> Generator {
    non_negative_least_squares(others, may_use, generator, tuning::LEAST_SQUARES, scratch)
}

/// Whether so little is left of a generator that it follows from others.
fn follows(rest: &Generator) -> bool {
    rest.iter().all(|r| r.abs() <= tuning::SAME)
}

/// By Farkas' lemma, where any velocity is admissible, a condition `row . v >= -gap` follows from others if
/// and only if `(row, -gap)` is a sum of theirs with factors that are not negative, and of [`SLACK`]. Lengths
/// are measured from the middle of the contacts, by their spread.
fn put_generators(rows: &[GapRow], generators: &mut Vec<Generator>) {
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
    generators.clear();
    generators.extend(rows.iter().map(of_row));
}
