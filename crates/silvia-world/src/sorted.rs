//! A map that is filled all at once: entries side by side in the order of their keys, in memory that is kept.

use crate::bytes::{Bytes, Coded};
use crate::error::SnapshotError;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// A map whose entries lie in the order of their keys. Unlike a tree, it asks for no memory when it is filled
/// again with as much.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sorted<K, V> {
    entries: Vec<(K, V)>,
}

impl<K, V> Default for Sorted<K, V> {
    fn default() -> Sorted<K, V> {
        Sorted { entries: Vec::new() }
    }
}

impl<K: Ord, V> Sorted<K, V> {
    pub(crate) fn get(&self, key: &K) -> Option<&V> {
        let at = self.entries.binary_search_by(|(known, _)| known.cmp(key)).ok()?;
        Some(&self.entries[at].1)
    }

    pub(crate) fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        let at = self.entries.binary_search_by(|(known, _)| known.cmp(key)).ok()?;
        Some(&mut self.entries[at].1)
    }

    /// The entries that an order puts neither before nor after what is asked for, side by side.
    pub(crate) fn run(&self, order: impl Fn(&K) -> Ordering) -> &[(K, V)] {
        let from = self.entries.partition_point(|(key, _)| order(key) == Ordering::Less);
        let count = self.entries[from..].partition_point(|(key, _)| order(key) == Ordering::Equal);
        &self.entries[from..from + count]
    }

    /// In the order of keys.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.entries.iter().map(|(key, value)| (key, value))
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = &K> {
        self.entries.iter().map(|(key, _)| key)
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &V> {
        self.entries.iter().map(|(_, value)| value)
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn clear(&mut self) {
        self.entries.clear();
    }

    pub(crate) fn retain(&mut self, mut is_kept: impl FnMut(&K) -> bool) {
        self.entries.retain(|(key, _)| is_kept(key));
    }

    /// Adds entries whose keys it does not have, none of them twice.
    pub(crate) fn extend(&mut self, new: impl IntoIterator<Item = (K, V)>) {
        let known = self.entries.len();
        self.entries.extend(new);
        if self.entries.len() == known {
            return;
        }
        if !self.entries.is_sorted_by(|a, b| a.0 < b.0) {
            self.entries.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        }
        debug_assert!(self.entries.is_sorted_by(|a, b| a.0 < b.0), "a key came twice");
    }
}

impl<K: Ord, V> From<BTreeMap<K, V>> for Sorted<K, V> {
    fn from(map: BTreeMap<K, V>) -> Sorted<K, V> {
        Sorted { entries: map.into_iter().collect() }
    }
}

/// As a tree is written.
impl<K: Coded + Ord, V: Coded> Coded for Sorted<K, V> {
    fn put(&self, out: &mut Vec<u8>) {
        self.entries.put(out);
    }

    fn take(from: &mut Bytes<'_>) -> Result<Sorted<K, V>, SnapshotError> {
        BTreeMap::take(from).map(Sorted::from)
    }
}

#[cfg(test)]
mod tests {
    use super::Sorted;
    use std::collections::BTreeMap;

    #[test]
    fn it_answers_as_a_tree_does_in_whatever_order_it_was_filled() {
        let entries = [(5, 'e'), (1, 'a'), (9, 'i'), (2, 'b'), (7, 'g')];
        let tree = BTreeMap::from(entries);
        let mut sorted = Sorted::default();
        sorted.extend(entries[..2].iter().copied());
        sorted.extend(entries[2..].iter().copied());
        assert_eq!(sorted, Sorted::from(tree.clone()));
        assert!(sorted.iter().eq(&tree));
        assert!(sorted.keys().eq(tree.keys()) && sorted.values().eq(tree.values()));
        for key in 0..11 {
            assert_eq!(sorted.get(&key), tree.get(&key), "{key}");
        }
        sorted.retain(|key| key % 2 == 1);
        assert_eq!((sorted.len(), sorted.get(&2), sorted.get(&9)), (4, None, Some(&'i')));
    }
}
