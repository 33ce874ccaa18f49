//! Opening pairs of bounds in the order of the time until which they are free.

use super::advance::{Approach, Late, Watch};
use super::course::{Course, WHOLE};
use super::exact::test_leaves;
use super::{ImpactContact, ImpactOptions};
use crate::bounds::Bound;
use crate::duo::{Pair, Under};
use crate::elementary::TIME_RESOLUTION;
use crate::feature::Feature;
use crate::hierarchy::Leaf;
use crate::triangle::{TriangleFeature, triangle_distance};
use silvia_solid::{TriangleId, Vec3, triangles_intersect};
use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::time::Instant;

/// The state of a search for the first touch. Times are fractions of the interval.
pub(super) struct ImpactSearch<'a, B: Bound> {
    course: Course<'a, B>,
    is_exact: bool,
    queue: BinaryHeap<Entry>,
    pushed: u32,
    contacts: HashMap<[Feature; 2], ImpactContact>,
    /// Triangles that meet at the start.
    at_start: Vec<[TriangleId; 2]>,
    /// The earliest upper end of a contact's bracket.
    earliest: f64,
    band: f64,
    max_visits: u64,
    /// Nothing later than this is looked for.
    latest: f64,
    /// The search may end once so many are found that are the first of one of their features.
    enough: usize,
    /// How many contacts there must be before these are counted.
    next_count: usize,
    watch: Watch,
    visits: u64,
    tests: u64,
    /// Nodes and tests at the last look at the watch.
    watched: u64,
}

/// A pair of bounds over a span, free until `lower`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Entry {
    lower: f64,
    /// Of entries with the same time the last pushed goes first: deeper.
    order: u32,
    span: u32,
    pair: Pair,
}

/// What a search has found.
pub(super) struct Impacts {
    pub(super) ended: Ended,
    /// The earliest first.
    pub(super) contacts: Vec<ImpactContact>,
    /// Whether the search came to its end.
    pub(super) is_complete: bool,
    pub(super) visits: u64,
    pub(super) tests: u64,
}

/// How a search has ended.
pub(super) enum Ended {
    Done,
    /// These triangles meet at the start; none if the bodies are only nearer than the separation.
    AtStart(Vec<[TriangleId; 2]>),
    /// The budget is spent; free until this time, which is not after any contact that has been found.
    Spent(f64),
}

impl<'a, B: Bound> ImpactSearch<'a, B> {
    /// A search for what touches by the fraction `latest` of the interval, given up at `deadline`.
    pub(super) fn new(
        course: Course<'a, B>,
        options: &ImpactOptions,
        latest: f64,
        deadline: Option<Instant>,
    ) -> ImpactSearch<'a, B> {
        let [start, end] = options.interval;
        let is_exact = course.is_linear() && course.separation == 0.0;
        ImpactSearch {
            course,
            is_exact,
            queue: BinaryHeap::new(),
            pushed: 0,
            contacts: HashMap::new(),
            at_start: Vec::new(),
            earliest: f64::INFINITY,
            band: options.band / (end - start),
            max_visits: options.max_visits.unwrap_or(u64::MAX),
            latest,
            enough: usize::MAX,
            next_count: usize::MAX,
            watch: Watch::new(deadline),
            visits: 0,
            tests: 0,
            watched: 0,
        }
    }

    /// With a band, ends once so many contacts are found that are the first of one of their features, with
    /// all that come no later.
    pub(super) fn until_enough(self, enough: usize) -> ImpactSearch<'a, B> {
        ImpactSearch { enough, next_count: enough, ..self }
    }

    /// Looks at what is under some pairs of bounds.
    #[inline(always)]
    pub(super) fn run(mut self, from: &[Pair]) -> Impacts {
        for &pair in from {
            let lower = self.course.pair_free_until(WHOLE, pair);
            self.push(lower, WHOLE, pair);
        }
        while let Some(entry) = self.queue.pop() {
            if entry.lower > self.limit() {
                break;
            }
            if self.contacts.len() >= self.next_count {
                self.count_firsts(entry.lower);
            }
            if self.is_spent() {
                return self.ended(Some(entry.lower));
            }
            match self.course.duo().under(entry.pair) {
                Under::Triangles(a, b) => {
                    if let Err(Late) = self.test(entry, [a, b]) {
                        return self.ended(Some(entry.lower));
                    }
                }
                Under::Node(_) if self.course.turns_too_far(entry.span, entry.pair) => self.halve(entry),
                Under::Node(opened) => {
                    self.visits += 1;
                    let free = self.course.free_until(entry.span, &opened);
                    for (lane, free) in free.into_iter().enumerate() {
                        // A part is never earlier than the whole.
                        self.push(free.max(entry.lower), entry.span, opened.child(lane));
                    }
                }
            }
        }
        self.ended(None)
    }

    /// Looks for nothing later if enough contacts come before a time, before which all are known.
    #[cold]
    fn count_firsts(&mut self, known_until: f64) {
        // What is not known yet has a bracket that ends later, and begins no earlier than its width before.
        let is_earlier = |contact: &&ImpactContact| contact.upper < known_until - TIME_RESOLUTION;
        let mut seen: [HashSet<Feature>; 2] = Default::default();
        let mut earlier: Vec<&ImpactContact> = self.contacts.values().filter(is_earlier).collect();
        earlier.sort_unstable_by(|a, b| a.lower.total_cmp(&b.lower).then(a.features.cmp(&b.features)));
        let is_first = |contact: &&&ImpactContact| {
            let [a, b] = contact.features;
            // Both are seen from now on.
            let (first, second) = (seen[0].insert(a), seen[1].insert(b));
            first || second
        };
        if earlier.iter().filter(is_first).count() >= self.enough {
            self.latest = self.latest.min(known_until);
            self.next_count = usize::MAX;
        } else {
            self.next_count = self.contacts.len() + self.contacts.len().div_ceil(2);
        }
    }

    /// Nothing that is free until after this time is of interest.
    #[inline(always)]
    fn limit(&self) -> f64 {
        if self.at_start.is_empty() { (self.earliest + self.band).min(self.latest) } else { 0.0 }
    }

    #[inline(always)]
    fn push(&mut self, lower: f64, span: u32, pair: Pair) {
        if lower <= self.limit() {
            self.pushed += 1;
            self.queue.push(Entry { lower, order: self.pushed, span, pair });
        }
    }

    /// Goes on with the halves of the span.
    #[inline(always)]
    fn halve(&mut self, entry: Entry) {
        self.visits += 1;
        for half in self.course.halves(entry.span) {
            let [from, to] = self.course.span_at(half).times;
            if to >= entry.lower {
                let lower = self.course.pair_free_until(half, entry.pair);
                self.push(lower.max(entry.lower).max(from), half, entry.pair);
            }
        }
    }

    /// Tests the triangles of two leaves.
    #[inline(always)]
    fn test(&mut self, entry: Entry, [a, b]: [Leaf<'_>; 2]) -> Result<(), Late> {
        self.tests += (a.triangles.len() * b.triangles.len()) as u64;
        if entry.lower <= 0.0 {
            self.test_start([a, b]);
        }
        let limit = self.limit();
        if self.is_exact {
            let (course, contacts, earliest) = (&self.course, &mut self.contacts, &mut self.earliest);
            let (band, latest, is_at_start) = (self.band, self.latest, !self.at_start.is_empty());
            test_leaves(course, [a, b], limit, |contact| {
                *earliest = earliest.min(contact.upper);
                keep(contacts, contact);
                if is_at_start { 0.0 } else { (*earliest + band).min(latest) }
            });
            return Ok(());
        }
        let [from, to] = self.course.span_at(entry.span).times;
        for i in 0..a.triangles.len() {
            for j in 0..b.triangles.len() {
                let approach = Approach::new(&self.course, [a.start as usize + i, b.start as usize + j]);
                let limit = self.limit();
                let touch = approach.first_touch(entry.lower.max(from), to, limit, &mut self.watch)?;
                if let Some(contact) = touch {
                    self.earliest = self.earliest.min(contact.upper);
                    keep(&mut self.contacts, contact);
                }
            }
        }
        Ok(())
    }

    /// Which triangles of two leaves meet at the start.
    fn test_start(&mut self, [a, b]: [Leaf<'_>; 2]) {
        for (i, ta) in a.triangles.iter().enumerate() {
            for (j, tb) in b.triangles.iter().enumerate() {
                let of_a = self.course.bodies[0].corners_at_ends(a.start as usize + i)[0];
                let of_b = self.course.bodies[1].corners_at_ends(b.start as usize + j)[0];
                if triangles_intersect(&of_a, &of_b) {
                    self.at_start.push([TriangleId(ta.id), TriangleId(tb.id)]);
                    self.earliest = 0.0;
                    let contact = self.crossing([ta.id, tb.id], [of_a, of_b]);
                    keep(&mut self.contacts, contact);
                }
            }
        }
    }

    /// The contact of two triangles that meet at the start, with the normal of a face that is met.
    fn crossing(&self, ids: [u32; 2], corners: [[Vec3; 3]; 2]) -> ImpactContact {
        let pair = triangle_distance(&corners[0], &corners[1]);
        let across = |c: &[Vec3; 3]| (c[1] - c[0]).cross(c[2] - c[0]).normalize_or_zero();
        let normal = match pair.features {
            [TriangleFeature::Face, _] => across(&corners[0]),
            [_, TriangleFeature::Face] => -across(&corners[1]),
            _ => Vec3::ZERO,
        };
        let surfaces = [&self.course.bodies[0].start.surface, &self.course.bodies[1].start.surface];
        ImpactContact {
            lower: 0.0,
            upper: 0.0,
            features: [0, 1].map(|i| Feature::of(surfaces[i], ids[i], pair.features[i])),
            triangles: ids.map(TriangleId),
            points: pair.points,
            normal,
            gap: 0.0,
        }
    }

    #[inline(always)]
    fn is_spent(&mut self) -> bool {
        if self.visits >= self.max_visits {
            return true;
        }
        let work = self.visits + self.tests;
        let since = work - self.watched;
        self.watched = work;
        self.watch.is_over(since)
    }

    fn ended(mut self, spent: Option<f64>) -> Impacts {
        let limit = self.limit();
        let mut contacts: Vec<ImpactContact> =
            self.contacts.into_values().filter(|c| c.lower <= limit).collect();
        contacts.sort_unstable_by(|a, b| a.lower.total_cmp(&b.lower).then(a.features.cmp(&b.features)));
        self.at_start.sort_unstable();
        let starts = contacts.iter().any(|c| c.upper == 0.0);
        let ended = match spent {
            _ if starts => Ended::AtStart(self.at_start),
            // With a band the search goes on behind the first contact: what waits may be later than that.
            Some(lower) => Ended::Spent(contacts.first().map_or(lower, |first| lower.min(first.lower))),
            None => Ended::Done,
        };
        Impacts { ended, contacts, is_complete: spent.is_none(), visits: self.visits, tests: self.tests }
    }
}

/// Keeps the earliest contact of two features; of several, as where a vertex comes to the side between two
/// triangles of a face, that of the first triangles, whatever the order of the search.
fn keep(contacts: &mut HashMap<[Feature; 2], ImpactContact>, contact: ImpactContact) {
    let kept = contacts.entry(contact.features).or_insert(contact);
    let order = contact.lower.total_cmp(&kept.lower).then(contact.triangles.cmp(&kept.triangles));
    if order.is_lt() {
        *kept = contact;
    }
}

impl Eq for Entry {}

impl Ord for Entry {
    /// The greatest is the next to open.
    fn cmp(&self, other: &Self) -> Ordering {
        other.lower.total_cmp(&self.lower).then(self.order.cmp(&other.order))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
