//! Parry's tree, used in every way that its documentation and its users offer; the fastest counts.
//!
//! The tree gives the pairs of leaves of which one has changed; that pairs began or ended is found with a
//! hash map of the pairs there are, and in some ways with a list for each box of its partners. The time of
//! the tree alone is noted too.

use parry3d_f64::bounding_volume::{Aabb as ParryBox, BoundingVolume};
use parry3d_f64::math::Vector;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhLeafUpdateStatus, BvhWorkspace};
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
    upkeep: Upkeep,
    /// With a list for each box of its partners: only those of boxes that moved are looked through, instead
    /// of all pairs.
    lists: bool,
}

/// How the tree is kept in order.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Upkeep {
    /// Made anew in every step.
    Rebuild,
    /// Leaves grow where they are and all is refitted; the optimiser runs every so many steps.
    Refit { optimise_every: usize },
    /// Leaves that changed are put in anew. What is above them is refitted, or everything if they are many;
    /// the optimiser runs when as many leaves have changed as there are. This is nearest to what rapier does.
    Reinsert,
}

/// Hardly a margin: the leaves are the boxes.
const TIGHT: f64 = 1e-9;
/// A tenth of a mean side: a box stays in its leaf for two steps or more.
const LOOSE: f64 = 0.1;

/// Every so many steps, where the optimiser does not run in each.
const SELDOM: usize = 8;
/// All is refitted if more than one leaf in this many has changed.
const REFIT_SHARE: usize = 16;

const OFTEN: Upkeep = Upkeep::Refit { optimise_every: 1 };
const NOW_AND_THEN: Upkeep = Upkeep::Refit { optimise_every: SELDOM };

pub(crate) const USAGES: [Usage; 8] = [
    Usage { name: "tight", margin: TIGHT, parallel: false, upkeep: OFTEN, lists: false },
    Usage { name: "loose", margin: LOOSE, parallel: false, upkeep: OFTEN, lists: false },
    Usage { name: "loose, parallel", margin: LOOSE, parallel: true, upkeep: OFTEN, lists: false },
    Usage { name: "rebuilt, parallel", margin: TIGHT, parallel: true, upkeep: Upkeep::Rebuild, lists: false },
    Usage { name: "loose, refit", margin: LOOSE, parallel: false, upkeep: NOW_AND_THEN, lists: false },
    Usage { name: "loose, refit, lists", margin: LOOSE, parallel: false, upkeep: NOW_AND_THEN, lists: true },
    Usage {
        name: "re-inserted, lists",
        margin: LOOSE,
        parallel: false,
        upkeep: Upkeep::Reinsert,
        lists: true,
    },
    Usage {
        name: "re-inserted, lists, parallel",
        margin: LOOSE,
        parallel: true,
        upkeep: Upkeep::Reinsert,
        lists: true,
    },
];

pub(crate) struct Parry {
    usage: Usage,
    tree: Bvh,
    workspace: BvhWorkspace,
    boxes: Vec<ParryBox>,
    moved: Vec<bool>,
    /// Leaves that overlap, and whether their boxes do.
    pairs: HashMap<u64, bool, BuildHasherDefault<Mix>>,
    /// By box, the others of its pairs; empty unless lists are in use.
    partners: Vec<Vec<u32>>,
    /// Leaves that changed in the step before.
    changed: Vec<u32>,
    /// Leaves that changed since the optimiser ran.
    debt: usize,
    steps: usize,
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
        let mut partners = vec![Vec::new(); if usage.lists { boxes.len() } else { 0 }];
        if usage.lists {
            for &pair in pairs.keys() {
                let [a, b] = ends(pair);
                partners[a as usize].push(b);
                partners[b as usize].push(a);
            }
        }
        let (changed, debt, steps) = (Vec::new(), 0, 0);
        Parry { usage, tree, workspace, boxes, moved, pairs, partners, changed, debt, steps }
    }

    pub(crate) fn step(&mut self, moves: &[(u32, Aabb)]) -> Outcome {
        let moves: Vec<(u32, ParryBox)> = moves.iter().map(|(id, b)| (*id, converted(b))).collect();
        let start = Instant::now();
        for (id, b) in &moves {
            self.boxes[*id as usize] = *b;
        }
        let found = self.search(&moves);
        let tree_seconds = start.elapsed().as_secs_f64();
        let (mut began, mut ended) = if self.usage.lists {
            self.compare_partners(&moves, &found)
        } else {
            self.compare(&moves, &found)
        };
        began.sort_unstable();
        ended.sort_unstable();
        let seconds = start.elapsed().as_secs_f64();
        Outcome { began: began.len(), ended: ended.len(), seconds, tree_seconds }
    }

    /// Moves all boxes and lists all pairs: the time, s, and how many there are.
    pub(crate) fn list_all(&mut self, boxes: &[Aabb]) -> (f64, usize) {
        let moves: Vec<(u32, ParryBox)> = (0..).zip(boxes.iter().map(converted)).collect();
        let start = Instant::now();
        for (id, b) in &moves {
            self.boxes[*id as usize] = *b;
        }
        self.place(&moves);
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
        self.place(moves);
        if self.usage.parallel {
            return self.tree.traverse_bvtt_single_tree_parallel::<true>();
        }
        let mut found = Vec::new();
        self.tree.traverse_bvtt_single_tree::<true>(&mut self.workspace, &mut |a, b| found.push((a, b)));
        found
    }

    /// Brings the tree up to date.
    fn place(&mut self, moves: &[(u32, ParryBox)]) {
        let Usage { margin, upkeep, .. } = self.usage;
        self.steps += 1;
        if upkeep == Upkeep::Reinsert {
            return self.reinsert(moves);
        }
        for (id, b) in moves {
            self.tree.insert_or_update_partially(*b, *id, margin);
        }
        match upkeep {
            Upkeep::Rebuild => self.tree.rebuild(&mut self.workspace, BvhBuildStrategy::Binned),
            Upkeep::Refit { optimise_every } if self.steps.is_multiple_of(optimise_every) => {
                self.tree.optimize_incremental(&mut self.workspace);
            }
            Upkeep::Refit { .. } | Upkeep::Reinsert => {}
        }
        self.refit();
    }

    fn reinsert(&mut self, moves: &[(u32, ParryBox)]) {
        let mut changed = Vec::new();
        for (id, b) in moves {
            let status = self.tree.reinsert_or_update_with_change_detection(*b, *id, self.usage.margin);
            if !matches!(status, BvhLeafUpdateStatus::Unchanged) {
                changed.push(*id);
            }
        }
        self.debt += changed.len();
        let optimises = self.debt > self.boxes.len();
        if optimises {
            self.debt = 0;
            self.tree.optimize_incremental(&mut self.workspace);
        }
        if optimises || changed.len() * REFIT_SHARE > self.boxes.len() {
            self.refit();
        } else {
            self.tree.refit_partial(&self.changed, &changed);
        }
        self.changed = changed;
    }

    fn refit(&mut self) {
        if self.usage.parallel {
            self.tree.refit_parallel(&mut self.workspace);
        } else {
            self.tree.refit(&mut self.workspace);
        }
    }

    /// Brings the map and the lists up to date: of those there are, the pairs of boxes that moved get looked
    /// at.
    fn compare_partners(&mut self, moves: &[(u32, ParryBox)], found: &[(u32, u32)]) -> (Vec<u64>, Vec<u64>) {
        let (mut began, mut ended) = (Vec::new(), Vec::new());
        for (id, _) in moves {
            self.moved[*id as usize] = true;
        }
        for &(a, b) in found {
            if let Entry::Vacant(entry) = self.pairs.entry(word(a, b)) {
                entry.insert(false);
                self.partners[a as usize].push(b);
                self.partners[b as usize].push(a);
            }
        }
        let reach = 2.0 * self.usage.margin;
        for &(id, ref bounds) in moves {
            let mut at = 0;
            while let Some(&other) = self.partners[id as usize].get(at) {
                // A pair of two that moved is looked at once.
                if self.moved[other as usize] && other < id {
                    at += 1;
                    continue;
                }
                let pair = word(id, other);
                let now = bounds.intersects(&self.boxes[other as usize]);
                if self.pairs.insert(pair, now) != Some(now) {
                    if now { began.push(pair) } else { ended.push(pair) }
                }
                // Leaves may still overlap when boxes are as near as this.
                if now || bounds.loosened(2.0 * reach).intersects(&self.boxes[other as usize]) {
                    at += 1;
                    continue;
                }
                self.pairs.remove(&pair);
                self.partners[id as usize].swap_remove(at);
                let theirs = &mut self.partners[other as usize];
                if let Some(at) = theirs.iter().position(|&partner| partner == id) {
                    theirs.swap_remove(at);
                }
            }
        }
        for (id, _) in moves {
            self.moved[*id as usize] = false;
        }
        (began, ended)
    }

    /// Brings the map up to date: what was found goes in, and all there is gets looked through.
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
            let [a, b] = ends(pair).map(|id| id as usize);
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
        (began, ended)
    }
}

fn word(a: u32, b: u32) -> u64 {
    u64::from(a.min(b)) << 32 | u64::from(a.max(b))
}

fn ends(pair: u64) -> [u32; 2] {
    [(pair >> 32) as u32, pair as u32]
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
