//! Parry's tree, used as rapier's broad phase uses it.
//!
//! The tree gives the pairs of leaves of which one has changed; that pairs began or ended is found with a hash map of the pairs
//! there are. The time of the tree alone is noted too.

use parry3d_f64::bounding_volume::{Aabb as ParryBox, BoundingVolume};
use parry3d_f64::math::Vector;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use silvia::solid::Aabb;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasherDefault, Hasher};
use std::time::Instant;

/// How the tree is used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Usage {
    pub(crate) name: &'static str,
    /// By how much leaves are larger than boxes, m. Parry notices changes only if it is positive.
    margin: f64,
    /// With parry's parallel functions.
    parallel: bool,
    /// The tree is made anew in every step, instead of refitted and optimised.
    rebuild: bool,
}

/// Hardly a margin: the leaves are the boxes.
const TIGHT: f64 = 1e-9;
/// A tenth of a mean side: a box stays in its leaf for two steps or more.
const LOOSE: f64 = 0.1;

pub(crate) const USAGES: [Usage; 4] = [
    Usage { name: "tight", margin: TIGHT, parallel: false, rebuild: false },
    Usage { name: "loose", margin: LOOSE, parallel: false, rebuild: false },
    Usage { name: "loose, parallel", margin: LOOSE, parallel: true, rebuild: false },
    Usage { name: "rebuilt, parallel", margin: TIGHT, parallel: true, rebuild: true },
];

pub(crate) struct Parry {
    usage: Usage,
    tree: Bvh,
    workspace: BvhWorkspace,
    boxes: Vec<ParryBox>,
    moved: Vec<bool>,
    /// Leaves that overlap, and whether their boxes do.
    pairs: HashMap<u64, bool, BuildHasherDefault<Mix>>,
}

/// What a step found and took.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) began: usize,
    pub(crate) ended: usize,
    /// Of the whole step, s.
    pub(crate) seconds: f64,
    /// Of the tree alone, s.
    pub(crate) tree_seconds: f64,
}

impl Parry {
    /// The first pairs are found here, untimed.
    pub(crate) fn new(boxes: &[Aabb], usage: Usage) -> Parry {
        let boxes: Vec<ParryBox> = boxes.iter().map(converted).collect();
        let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes);
        let mut workspace = BvhWorkspace::default();
        let mut pairs = HashMap::default();
        tree.traverse_bvtt_single_tree::<false>(&mut workspace, &mut |a, b| {
            pairs.insert(word(a, b), boxes[a as usize].intersects(&boxes[b as usize]));
        });
        let moved = vec![false; boxes.len()];
        Parry { usage, tree, workspace, boxes, moved, pairs }
    }

    pub(crate) fn step(&mut self, moves: &[(u32, Aabb)]) -> Outcome {
        let moves: Vec<(u32, ParryBox)> = moves.iter().map(|(id, b)| (*id, converted(b))).collect();
        let start = Instant::now();
        for (id, b) in &moves {
            self.boxes[*id as usize] = *b;
        }
        let found = self.search(&moves);
        let tree_seconds = start.elapsed().as_secs_f64();
        let (began, ended) = self.compare(&moves, &found);
        let seconds = start.elapsed().as_secs_f64();
        Outcome { began: began.len(), ended: ended.len(), seconds, tree_seconds }
    }

    /// Moves all boxes and lists all pairs: the time, s, and how many there are.
    pub(crate) fn list_all(&mut self, boxes: &[Aabb]) -> (f64, usize) {
        let moves: Vec<(u32, ParryBox)> = (0..).zip(boxes.iter().map(converted)).collect();
        let start = Instant::now();
        for (id, b) in &moves {
            self.boxes[*id as usize] = *b;
            self.tree.insert_or_update_partially(*b, *id, self.usage.margin);
        }
        self.tend();
        let boxes = &self.boxes;
        let overlap = |a: u32, b: u32| boxes[a as usize].intersects(&boxes[b as usize]);
        let pairs: Vec<(u32, u32)> = if self.usage.parallel {
            let mut found = self.tree.traverse_bvtt_single_tree_parallel::<false>();
            found.retain(|&(a, b)| overlap(a, b));
            found
        } else {
            let mut found = Vec::new();
            self.tree.traverse_bvtt_single_tree::<false>(&mut self.workspace, &mut |a, b| {
                if overlap(a, b) {
                    found.push((a, b));
                }
            });
            found
        };
        (start.elapsed().as_secs_f64(), pairs.len())
    }

    pub(crate) fn pair_count(&self) -> usize {
        self.pairs.values().filter(|overlaps| **overlaps).count()
    }

    /// Updates the tree and gives the pairs of leaves of which one has changed.
    fn search(&mut self, moves: &[(u32, ParryBox)]) -> Vec<(u32, u32)> {
        let margin = self.usage.margin;
        for (id, b) in moves {
            self.tree.insert_or_update_partially(*b, *id, margin);
        }
        self.tend();
        if self.usage.parallel {
            return self.tree.traverse_bvtt_single_tree_parallel::<true>();
        }
        let mut found = Vec::new();
        self.tree.traverse_bvtt_single_tree::<true>(&mut self.workspace, &mut |a, b| found.push((a, b)));
        found
    }

    /// Brings the tree up to date with its leaves.
    fn tend(&mut self) {
        if self.usage.rebuild {
            self.tree.rebuild(&mut self.workspace, BvhBuildStrategy::Binned);
        } else {
            self.tree.optimize_incremental(&mut self.workspace);
        }
        if self.usage.parallel {
            self.tree.refit_parallel(&mut self.workspace);
        } else {
            self.tree.refit(&mut self.workspace);
        }
    }

    /// Brings the map up to date, as rapier does: what was found goes in, and all there is gets looked through.
    fn compare(&mut self, moves: &[(u32, ParryBox)], found: &[(u32, u32)]) -> (Vec<u64>, Vec<u64>) {
        let (mut began, mut ended) = (Vec::new(), Vec::new());
        for (id, _) in moves {
            self.moved[*id as usize] = true;
        }
        for &(a, b) in found {
            if let Entry::Vacant(entry) = self.pairs.entry(word(a, b)) {
                entry.insert(false);
            }
        }
        let (boxes, moved, reach) = (&self.boxes, &self.moved, 2.0 * self.usage.margin);
        self.pairs.retain(|&pair, overlaps| {
            let (a, b) = ((pair >> 32) as usize, pair as u32 as usize);
            if !(moved[a] || moved[b]) {
                return true;
            }
            let now = boxes[a].intersects(&boxes[b]);
            if now != *overlaps {
                if now {
                    began.push(pair)
                } else {
                    ended.push(pair)
                }
                *overlaps = now;
            }
            // Leaves may still overlap when boxes are as near as this.
            now || boxes[a].loosened(2.0 * reach).intersects(&boxes[b])
        });
        for (id, _) in moves {
            self.moved[*id as usize] = false;
        }
        began.sort_unstable();
        ended.sort_unstable();
        (began, ended)
    }
}

fn word(a: u32, b: u32) -> u64 {
    u64::from(a.min(b)) << 32 | u64::from(a.max(b))
}

fn converted(b: &Aabb) -> ParryBox {
    let vector = |v: silvia::solid::Vec3| Vector::new(v.x, v.y, v.z);
    ParryBox::new(vector(b.min), vector(b.max))
}

/// One multiplication: pairs of ids need no more.
#[derive(Default)]
pub(crate) struct Mix(u64);

impl Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, word: u64) {
        let product =
            u128::from(self.0 ^ word ^ 0x243F_6A88_85A3_08D3) * 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835;
        self.0 = (product >> 64) as u64 ^ product as u64;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
