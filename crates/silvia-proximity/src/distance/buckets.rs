//! A priority queue of pairs at constant cost: buckets of equal width, the last of which takes all beyond.
//!
//! The order within a bucket is last in, first out, so the search is best first across buckets and goes deep
//! within one. Measured against a binary heap it opens about as many pairs in half the time.

const BUCKETS: usize = 512;
const NONE: u32 = u32::MAX;

/// Things `T` in the order of their lower bounds, to within the width of a bucket.
#[derive(Clone, Debug)]
pub(super) struct Buckets<T> {
    /// Where the first bucket begins.
    base: f64,
    /// Buckets a metre.
    scale: f64,
    /// The first entry of each bucket, or [`NONE`].
    head: Vec<u32>,
    entries: Vec<Entry<T>>,
    /// The first unused place in `entries`.
    free: u32,
    /// No bucket before this one has an entry.
    first: usize,
    len: usize,
}

#[derive(Clone, Copy, Debug)]
struct Entry<T> {
    lower: f64,
    what: T,
    /// The next in the same bucket, or of the unused ones.
    next: u32,
}

impl<T: Copy> Buckets<T> {
    /// For bounds that are mostly between `low` and `high`.
    pub(super) fn between(low: f64, high: f64) -> Buckets<T> {
        let range = high - low;
        let scale = if range > 0.0 && range.is_finite() { (BUCKETS - 1) as f64 / range } else { 1.0 };
        Buckets {
            base: low,
            scale,
            head: vec![NONE; BUCKETS],
            entries: Vec::with_capacity(1024),
            free: NONE,
            first: BUCKETS,
            len: 0,
        }
    }

    #[inline(always)]
    fn bucket(&self, lower: f64) -> usize {
        // What is below the base goes to the first, what is beyond to the last. (A cast to 32 bits costs half
        // of one to 64.)
        ((lower - self.base) * self.scale).max(0.0).min((BUCKETS - 1) as f64) as u32 as usize
    }

    #[inline(always)]
    pub(super) fn push(&mut self, lower: f64, what: T) {
        let bucket = self.bucket(lower);
        let entry = Entry { lower, what, next: self.head[bucket] };
        let place = if self.free == NONE {
            self.entries.push(entry);
            self.entries.len() as u32 - 1
        } else {
            let place = self.free;
            self.free = self.entries[place as usize].next;
            self.entries[place as usize] = entry;
            place
        };
        self.head[bucket] = place;
        self.first = self.first.min(bucket);
        self.len += 1;
    }

    /// Takes an entry from the first bucket that has one, if that bucket begins below `threshold`.
    #[inline(always)]
    pub(super) fn pop_first(&mut self, threshold: f64) -> Option<(f64, T)> {
        let bucket = self.first_bucket(threshold)?;
        Some(self.unlink(bucket))
    }

    /// The first bucket that has an entry, unless it begins at or above `threshold`.
    #[inline(always)]
    fn first_bucket(&mut self, threshold: f64) -> Option<usize> {
        if self.len == 0 {
            return None;
        }
        while self.head[self.first] == NONE {
            self.first += 1;
        }
        if self.first == BUCKETS - 1 {
            self.spread();
        }
        (self.first <= self.bucket(threshold)).then_some(self.first)
    }

    /// Takes the first entry out of a bucket that has one.
    #[inline(always)]
    fn unlink(&mut self, bucket: usize) -> (f64, T) {
        let place = self.head[bucket];
        let Entry { lower, what, next } = self.entries[place as usize];
        self.head[bucket] = next;
        self.entries[place as usize].next = self.free;
        self.free = place;
        self.len -= 1;
        (lower, what)
    }

    /// All entries are in the last bucket: begins anew at the least of them.
    #[cold]
    fn spread(&mut self) {
        let lower = self.lower();
        if self.bucket(lower) == BUCKETS - 1 && lower > self.base {
            let all: Vec<(f64, T)> = (0..BUCKETS).flat_map(|b| self.chain(b)).collect();
            self.base = lower;
            self.head.fill(NONE);
            self.entries.clear();
            (self.free, self.first, self.len) = (NONE, BUCKETS, 0);
            all.into_iter().for_each(|(lower, what)| self.push(lower, what));
        }
    }

    /// The least bound; infinite if there are no entries.
    pub(super) fn lower(&self) -> f64 {
        let filled = (self.first..BUCKETS).find(|&b| self.head[b] != NONE);
        filled.map_or(f64::INFINITY, |b| self.chain(b).map(|(lower, _)| lower).fold(f64::INFINITY, f64::min))
    }

    fn chain(&self, bucket: usize) -> impl Iterator<Item = (f64, T)> + '_ {
        let entry = |i: u32| self.entries.get(i as usize);
        std::iter::successors(entry(self.head[bucket]), move |e| entry(e.next)).map(|e| (e.lower, e.what))
    }
}
