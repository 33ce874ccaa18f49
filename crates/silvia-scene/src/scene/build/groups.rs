//! Collision groups and pairs.

use super::{Added, Build};
use crate::scene::tree::Path;
use crate::scene::written::WrittenBody;
use silvia_proximity::Groups;
use silvia_world::{World, WorldError};
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

    /// Reports a name that no body has, unless a body that was refused may have it.
    pub(super) fn no_such_body(&mut self, path: &Path, name: &str, added: &Added) {
        let count = self.scene.written().body.len();
        let body = |index: usize| Path::root().key("body").index(index);
        let lacks_names = (0..count).any(|index| self.scene.has_left_out(&body(index).key("name")));
        let may_be = |base: &String| {
            let number = name.strip_prefix(base.as_str());
            number.is_some_and(|number| number.is_empty() || number.trim_start().parse::<usize>().is_ok())
        };
        if !lacks_names && !added.refused.iter().any(may_be) {
            let known: Vec<String> = added.by_name.keys().chain(&added.refused).cloned().collect();
            self.no_such(path, "body", name, &known);
        }
    }

    pub(super) fn switch_pairs_off(&mut self, world: &mut World, added: &Added) {
        for (index, pair) in self.scene.written().pairs_off.iter().enumerate() {
            let path = Path::root().key("pairs_off").index(index);
            let ids = [0, 1].map(|side| {
                let ids = added.by_name.get(&pair[side]);
                if ids.is_none() {
                    self.no_such_body(&path.index(side), &pair[side], added);
                }
                ids
            });
            let [Some(first), Some(second)] = ids else { continue };
            if first == second && first.len() == 1 {
                let what = format!("\"{}\" cannot be paired with itself", pair[0]);
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
