//! For each slot, the slots it may overlap: lists in one arena, each pair in both of its lists.

use std::ops::Range;

/// A neighbour and whether it overlaps, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Neighbour(u32);

impl Neighbour {
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

/// Lists by slot. Fresh lists are *halves*: a pair is in the list of its lesser slot alone, which is enough as long as all
/// boxes move; [`Neighbours::complete`] puts it into both. A list that outgrows its place moves to the arena's end; the gaps are closed when they are too many.
#[derive(Clone, Debug, Default)]
pub(super) struct Neighbours {
    spans: Vec<Span>,
    arena: Vec<Neighbour>,
    /// Neighbours in all lists together.
    live: usize,
    halves: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Span {
    start: usize,
    len: u32,
    room: u32,
}

/// Gaps are closed when they and this many words more exceed the lists themselves.
const GAPS_ALLOWED: usize = 4096;

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

    /// Takes a pair out of both lists.
    pub(super) fn part(&mut self, a: u32, b: u32) {
        self.erase(a, b);
        self.erase(b, a);
    }

    /// Notes in both lists whether a pair overlaps.
    pub(super) fn mark(&mut self, a: u32, b: u32, overlaps: bool) {
        for (slot, other) in [(a, b), (b, a)] {
            let list = &mut self.arena[self.spans[slot as usize].range()];
            if let Some(entry) = list.iter_mut().find(|n| n.slot() == other) {
                *entry = Neighbour::new(other, overlaps);
            }
        }
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
        span.len += 1;
        self.live += 1;
    }

    fn erase(&mut self, slot: u32, other: u32) {
        let span = &mut self.spans[slot as usize];
        let list = &mut self.arena[span.range()];
        if let Some(at) = list.iter().position(|n| n.slot() == other) {
            list.swap(at, span.len as usize - 1);
            span.len -= 1;
            self.live -= 1;
        }
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
