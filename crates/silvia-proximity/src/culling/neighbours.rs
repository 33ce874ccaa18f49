//! For each slot, the slots it may overlap: lists in one arena, each pair in both of its lists.
//!
//! Most lists are short, and are searched from end to end. One large box among many small ones has a long
//! list, which gets an index the first time that it is searched, so that a small box that comes, goes or
//! meets it does not pay for all the others.

use super::mix::MixMap;
use std::ops::Range;

/// A neighbour and whether it overlaps, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Neighbour(u32);

impl Neighbour {
    /// So many slots can be told apart.
    pub(super) const SLOTS: usize = 1 << 31;

    pub(super) fn new(slot: u32, overlaps: bool) -> Neighbour {
        Neighbour(slot << 1 | u32::from(overlaps))
    }

    pub(super) fn slot(self) -> u32 {
        self.0 >> 1
    }

    pub(super) fn overlaps(self) -> bool {
        self.0 & 1 == 1
    }
}

/// Lists by slot. Fresh lists are *halves*: a pair is in the list of its lesser slot alone, which is enough
/// as long as all boxes move; [`Neighbours::complete`] puts it into both. A list that outgrows its place
/// moves to the arena's end; the gaps are closed when they are too many.
#[derive(Clone, Debug, Default)]
pub(super) struct Neighbours {
    spans: Vec<Span>,
    arena: Vec<Neighbour>,
    /// Neighbours in all lists together.
    live: usize,
    halves: bool,
    /// Of long lists, by slot: where in the list a neighbour is. For complete lists only.
    indices: MixMap<u32, MixMap<u32, u32>>,
    /// How many neighbours were looked at in searches.
    #[cfg(test)]
    pub(super) looks: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Span {
    start: usize,
    len: u32,
    room: u32,
}

/// Gaps are closed when they and this many words more exceed the lists themselves.
const GAPS_ALLOWED: usize = 4096;
/// Lists longer than this get an index when they are searched: as many as a search passes in the time of a
/// look into an index.
const LONG: usize = 256;

impl Neighbours {
    /// Adopts halves made in parts, one after the other: for each slot its number of neighbours, and these.
    /// `spare` gives its memory.
    pub(super) fn from_parts<'a>(
        parts: impl Iterator<Item = (&'a [u32], &'a [Neighbour])> + Clone,
        spare: Neighbours,
    ) -> Neighbours {
        let mut all = Neighbours { halves: true, live: 0, ..spare };
        all.spans.clear();
        all.arena.clear();
        all.indices.clear();
        all.arena.reserve(parts.clone().map(|(_, list)| list.len()).sum());
        let mut start = 0;
        for (lengths, list) in parts {
            all.arena.extend_from_slice(list);
            for &len in lengths {
                all.spans.push(Span { start, len, room: len });
                start += len as usize;
            }
        }
        all.live = start;
        all
    }

    pub(super) fn list(&self, slot: usize) -> &[Neighbour] {
        &self.arena[self.spans[slot].range()]
    }

    /// Whether each pair is in one list only.
    pub(super) fn are_halves(&self) -> bool {
        self.halves
    }

    /// Puts every pair into both of its lists.
    pub(super) fn complete(&mut self) {
        if !std::mem::take(&mut self.halves) {
            return;
        }
        let mut spans: Vec<Span> =
            self.spans.iter().map(|s| Span { start: 0, len: 0, room: s.len }).collect();
        for slot in 0..self.spans.len() {
            for neighbour in self.list(slot) {
                spans[neighbour.slot() as usize].room += 1;
            }
        }
        let mut start = 0;
        for span in &mut spans {
            span.start = start;
            start += span.room as usize;
        }
        let mut arena = vec![Neighbour(0); start];
        let mut put = |slot: usize, neighbour: Neighbour| {
            let span = &mut spans[slot];
            arena[span.start + span.len as usize] = neighbour;
            span.len += 1;
        };
        for slot in 0..self.spans.len() {
            for &neighbour in self.list(slot) {
                put(slot, neighbour);
                put(neighbour.slot() as usize, Neighbour::new(slot as u32, neighbour.overlaps()));
            }
        }
        (self.spans, self.arena, self.live) = (spans, arena, start);
    }

    /// Adds a slot without neighbours.
    pub(super) fn add_slot(&mut self) {
        self.spans.push(Span::default());
    }

    /// Puts a neighbour that does not overlap, as far as is known, into both lists.
    pub(super) fn join(&mut self, a: u32, b: u32) {
        self.push(a, Neighbour::new(b, false));
        self.push(b, Neighbour::new(a, false));
    }

    /// Takes a pair out of both lists, given by its position in the first; the last of that list takes this
    /// position.
    pub(super) fn part(&mut self, slot: u32, at: usize) {
        let other = self.list(slot as usize)[at].slot();
        self.erase(slot, at);
        if let Some(at) = self.position(other, slot) {
            self.erase(other, at);
        }
    }

    /// Empties the list of a slot, and takes the slot out of all others.
    pub(super) fn isolate(&mut self, slot: u32) {
        for at in self.spans[slot as usize].range() {
            let other = self.arena[at].slot();
            if let Some(at) = self.position(other, slot) {
                self.erase(other, at);
            }
        }
        self.indices.remove(&slot);
        self.live -= std::mem::take(&mut self.spans[slot as usize].len) as usize;
    }

    /// Notes whether a pair overlaps, in all lists where it is, given by its position in the first.
    pub(super) fn mark(&mut self, slot: u32, at: usize, overlaps: bool) {
        let start = self.spans[slot as usize].start;
        let other = self.arena[start + at].slot();
        self.arena[start + at] = Neighbour::new(other, overlaps);
        if !self.halves
            && let Some(at) = self.position(other, slot)
        {
            let start = self.spans[other as usize].start;
            self.arena[start + at] = Neighbour::new(slot, overlaps);
        }
    }

    /// Where in the list of a slot another is.
    fn position(&mut self, slot: u32, other: u32) -> Option<usize> {
        let list = &self.arena[self.spans[slot as usize].range()];
        let position = if list.len() <= LONG {
            list.iter().position(|n| n.slot() == other)
        } else {
            let index = self.indices.entry(slot).or_insert_with(|| {
                #[cfg(test)]
                {
                    self.looks += list.len();
                }
                list.iter().map(|n| n.slot()).zip(0..).collect()
            });
            index.get(&other).map(|&at| at as usize)
        };
        #[cfg(test)]
        {
            self.looks += if list.len() <= LONG { position.map_or(list.len(), |at| at + 1) } else { 1 };
        }
        position
    }

    fn push(&mut self, slot: u32, neighbour: Neighbour) {
        let span = &mut self.spans[slot as usize];
        if span.len == span.room {
            let old = span.range();
            let start = self.arena.len();
            span.room = (2 * span.room).max(4);
            span.start = start;
            self.arena.extend_from_within(old);
            self.arena.resize(start + span.room as usize, Neighbour(0));
        }
        self.arena[span.start + span.len as usize] = neighbour;
        if span.len as usize >= LONG
            && let Some(index) = self.indices.get_mut(&slot)
        {
            index.insert(neighbour.slot(), span.len);
        }
        span.len += 1;
        self.live += 1;
    }

    /// The last of the list takes the place.
    fn erase(&mut self, slot: u32, at: usize) {
        let span = &mut self.spans[slot as usize];
        let list = &mut self.arena[span.range()];
        let (gone, last) = (list[at].slot(), list.len() - 1);
        list.swap(at, last);
        if last > LONG {
            if let Some(index) = self.indices.get_mut(&slot) {
                index.insert(list[at].slot(), at as u32);
                index.remove(&gone);
            }
        } else if last == LONG {
            // Short from now on, and no longer kept up.
            self.indices.remove(&slot);
        }
        span.len -= 1;
        self.live -= 1;
    }

    /// Closes the gaps if they take more room than the lists.
    pub(super) fn tidy(&mut self) {
        if self.arena.len() <= 2 * self.live + GAPS_ALLOWED {
            return;
        }
        let mut arena = Vec::with_capacity(self.live + self.live / 2);
        for span in &mut self.spans {
            let start = arena.len();
            arena.extend_from_slice(&self.arena[span.range()]);
            *span = Span { start, len: span.len, room: span.len };
        }
        self.arena = arena;
    }
}

impl Span {
    fn range(&self) -> Range<usize> {
        self.start..self.start + self.len as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use seeded::Random;
    use std::collections::BTreeMap;

    /// Complete lists of so many slots, none of which has a neighbour.
    fn lonely(count: usize) -> Neighbours {
        let lengths = vec![0; count];
        let mut lists =
            Neighbours::from_parts(std::iter::once((&lengths[..], &[][..])), Neighbours::default());
        lists.complete();
        lists
    }

    fn place(lists: &Neighbours, slot: u32, other: u32) -> Option<usize> {
        lists.list(slot as usize).iter().position(|n| n.slot() == other)
    }

    #[test]
    fn lists_long_and_short_are_what_was_put_in_and_not_taken_out() {
        // Two hubs, all others being neighbours of them alone: their lists grow and shrink across the limit.
        let (count, hubs) = (3 * LONG as u32, 2);
        let mut lists = lonely(count as usize);
        let mut model: BTreeMap<(u32, u32), bool> = BTreeMap::new();
        let mut random = Random::new(1);
        for step in 0..40_000u32 {
            let (hub, other) =
                (random.below(hubs as usize) as u32, hubs + random.below((count - hubs) as usize) as u32);
            // Mostly growing, then mostly shrinking, in turns.
            let grows = (step / 4000 % 2 == 0) != (random.below(4) == 0);
            let (a, b) = if step % 2 == 0 { (hub, other) } else { (other, hub) };
            match (model.contains_key(&(hub, other)), step % 5) {
                (false, _) if grows => {
                    lists.join(a, b);
                    model.insert((hub, other), false);
                }
                (true, 0) => {
                    let overlaps = step % 3 == 0;
                    lists.mark(a, place(&lists, a, b).unwrap(), overlaps);
                    model.insert((hub, other), overlaps);
                }
                (true, 1) if step % 7 == 0 => {
                    lists.isolate(other);
                    model.retain(|pair, _| pair.1 != other);
                }
                (true, _) if !grows => {
                    lists.part(a, place(&lists, a, b).unwrap());
                    model.remove(&(hub, other));
                }
                _ => {}
            }
            if step % 500 == 0 {
                lists.tidy();
                check(&lists, &model, hubs);
            }
        }
        lists.isolate(0);
        model.retain(|pair, _| pair.0 != 0);
        check(&lists, &model, hubs);
    }

    fn check(lists: &Neighbours, model: &BTreeMap<(u32, u32), bool>, hubs: u32) {
        let mut from_hubs = BTreeMap::new();
        let mut from_others = BTreeMap::new();
        for slot in 0..lists.spans.len() as u32 {
            for n in lists.list(slot as usize) {
                let fresh = if slot < hubs {
                    from_hubs.insert((slot, n.slot()), n.overlaps())
                } else {
                    from_others.insert((n.slot(), slot), n.overlaps())
                };
                assert_eq!(fresh, None, "a neighbour is there twice");
            }
        }
        assert_eq!(&from_hubs, model);
        assert_eq!(&from_others, model);
        assert_eq!(lists.live, 2 * model.len());
    }

    #[test]
    fn a_change_at_a_long_list_does_not_pay_for_its_length() {
        let count = 20_000u32;
        let mut lists = lonely(count as usize);
        (1..count).for_each(|other| lists.join(0, other));
        // From either side: the large box moves, or the small ones do.
        for other in 1..count {
            lists.mark(0, other as usize - 1, true);
            lists.mark(other, 0, false);
        }
        for other in (1..count).step_by(2) {
            lists.part(other, 0);
            lists.join(other, 0);
        }
        lists.isolate(0);
        // A scan for each would be 4e8.
        assert!(lists.looks < 8 * count as usize, "{}", lists.looks);
        assert_eq!(lists.live, 0);
    }
}
