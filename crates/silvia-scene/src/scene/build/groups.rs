//! Collision groups and pairs.

use super::Build;
use crate::scene::tree::Path;
use crate::scene::written::WrittenBody;
use silvia_proximity::Groups;
use silvia_world::{BodyId, World, WorldError};
use std::collections::BTreeMap;

impl Build<'_> {
    /// A bit for each group that a body belongs to. A group in `meets` that no body belongs to is an error.
    pub(super) fn group_bits<'b>(&mut self, bodies: &'b [WrittenBody]) -> BTreeMap<&'b str, u32> {
        let mut bits: BTreeMap<&str, u32> = BTreeMap::new();
        let at = |body: usize, field: &str, index: usize| {
            Path::root().key("body").index(body).key(field).index(index)
        };
        for (number, body) in bodies.iter().enumerate() {
            for (index, group) in body.groups.iter().flatten().enumerate() {
                let next = bits.len() as u32;
                if next == u32::BITS && !bits.contains_key(group.as_str()) {
                    let what = format!("\"{group}\" is one group more than the {} there can be", u32::BITS);
                    self.error(&at(number, "groups", index), what, "use fewer groups, or `pairs_off`");
                    return bits;
                }
                bits.entry(group).or_insert(next);
            }
        }
        let known: Vec<String> = bits.keys().map(|group| (*group).to_owned()).collect();
        for (number, body) in bodies.iter().enumerate() {
            for (index, group) in body.meets.iter().flatten().enumerate() {
                if !bits.contains_key(group.as_str()) {
                    let path = at(number, "meets", index);
                    if known.is_empty() {
                        let what = format!("no body is in a group \"{group}\"");
                        self.error(&path, what, "name it in the `groups` of a body");
                    } else {
                        self.no_such(&path, "group", group, &known);
                    }
                }
            }
        }
        bits
    }

    pub(super) fn switch_pairs_off(&mut self, world: &mut World, by_name: &BTreeMap<String, Vec<BodyId>>) {
        for (index, pair) in self.scene.written().pairs_off.iter().enumerate() {
            let path = Path::root().key("pairs_off").index(index);
            // If bodies were refused, their names may be missing for that reason.
            let is_whole = self.findings.is_empty();
            let ids = [0, 1].map(|side| {
                let ids = by_name.get(&pair[side]);
                if ids.is_none() && is_whole {
                    let known: Vec<String> = by_name.keys().cloned().collect();
                    self.no_such(&path.index(side), "body", &pair[side], &known);
                }
                ids
            });
            let [Some(first), Some(second)] = ids else { continue };
            if first == second && first.len() == 1 {
                let what = format!("\"{}\" is no pair with itself", pair[0]);
                self.error(&path, what, "name two bodies");
                continue;
            }
            for &a in first {
                for &b in second.iter().filter(|&&b| b != a) {
                    // Both exist and differ.
                    let _: Result<(), WorldError> = world.set_pair_active(a, b, false);
                }
            }
        }
    }
}

/// The group masks of a body; by default it belongs to all groups and meets all.
pub(super) fn mask(bits: &BTreeMap<&str, u32>, body: &WrittenBody) -> Groups {
    let mask = |names: &Option<Vec<String>>| match names {
        Some(names) => {
            names.iter().filter_map(|name| bits.get(name.as_str())).fold(0, |mask, bit| mask | 1 << bit)
        }
        None => u32::MAX,
    };
    Groups { member_of: mask(&body.groups), meets: mask(&body.meets) }
}
