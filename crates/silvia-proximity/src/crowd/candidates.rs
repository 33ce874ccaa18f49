//! The pairs whose boxes overlap, each with what is remembered about it.

use super::boxes::bounds;
use super::objects::Objects;
use crate::culling::{BoxId, Culling, CullingError, CullingMethod, Pair};
use crate::filter::Filter;
use rayon::prelude::*;
use silvia_solid::{Aabb, Vec3};

/// Follows the objects of a crowd with a culling of its own.
pub(super) struct Candidates<M> {
    culling: Box<dyn Culling>,
    /// How much wider than its object a box is on each side, m.
    margin: f64,
    /// By place: its box, if it has one.
    box_of: Vec<Option<BoxId>>,
    /// By box: its place.
    place_of: Vec<u32>,
    /// Places whose boxes no longer hold, each once.
    marked: Vec<u32>,
    /// By place: whether it is among them.
    is_marked: Vec<bool>,
    /// Whether boxes were removed since the last update.
    has_removed: bool,
    /// In order.
    pub(super) pairs: Vec<Candidate<M>>,
}

/// Two objects whose boxes overlap.
pub(super) struct Candidate<M> {
    /// Their places, the lesser first.
    pub(super) places: [u32; 2],
    /// Kept as long as the boxes overlap.
    pub(super) memory: M,
}

impl<M: Default + Send> Candidates<M> {
    /// For all objects there are.
    pub(super) fn new(method: CullingMethod, margin: f64, objects: &Objects) -> Candidates<M> {
        let mut candidates = Candidates {
            culling: method.start(),
            margin,
            box_of: Vec::new(),
            place_of: Vec::new(),
            marked: Vec::new(),
            is_marked: Vec::new(),
            has_removed: false,
            pairs: Vec::new(),
        };
        objects.ids().for_each(|id| candidates.mark(id.index));
        candidates
    }

    pub(super) fn margin(&self) -> f64 {
        self.margin
    }

    /// An object was added, moved, or switched on or off.
    pub(super) fn mark(&mut self, place: u32) {
        let index = place as usize;
        if index >= self.is_marked.len() {
            self.is_marked.resize(index + 1, false);
            self.box_of.resize(index + 1, None);
        }
        if !std::mem::replace(&mut self.is_marked[index], true) {
            self.marked.push(place);
        }
    }

    /// An object is gone. At once: its place may be given to another before the next update.
    pub(super) fn remove(&mut self, place: u32) {
        if let Some(id) = self.box_of.get_mut(place as usize).and_then(Option::take) {
            self.take_out(&[id]);
        }
    }

    /// Finds the pairs for the objects as they are now. Objects that are switched off have no boxes.
    pub(super) fn update(&mut self, objects: &Objects, filter: &Filter) {
        let mut marked = std::mem::take(&mut self.marked);
        // Boxes get their numbers in the order of the objects.
        marked.sort_unstable();
        let margin = Vec3::splat(self.margin);
        let boxes: Vec<Option<Aabb>> = marked
            .par_iter()
            .with_min_len(64)
            .map(|&place| {
                let object = objects.at(place).filter(|_| filter.object(place))?;
                let around = bounds(&object.shape, &object.pose);
                Some(Aabb { min: around.min - margin, max: around.max + margin })
            })
            .collect();
        let (mut fresh, mut moved, mut gone) = (Vec::new(), Vec::new(), Vec::new());
        for (&place, bounds) in marked.iter().zip(boxes) {
            self.is_marked[place as usize] = false;
            match (&mut self.box_of[place as usize], bounds) {
                (Some(id), Some(bounds)) => moved.push((*id, bounds)),
                (None, Some(bounds)) => fresh.push((place, bounds)),
                (there, None) => gone.extend(there.take()),
            }
        }
        self.take_out(&gone);
        // A box that gets the number of one that went would inherit its pairs.
        if self.has_removed && !fresh.is_empty() {
            self.follow();
        }
        self.put_in(&fresh);
        accepted(self.culling.relocate(&moved));
        self.follow();
    }

    fn take_out(&mut self, ids: &[BoxId]) {
        if !ids.is_empty() {
            self.has_removed = true;
            accepted(self.culling.remove(ids));
        }
    }

    fn put_in(&mut self, fresh: &[(u32, Aabb)]) {
        let boxes: Vec<Aabb> = fresh.iter().map(|&(_, bounds)| bounds).collect();
        let ids = accepted(self.culling.insert(&boxes));
        for (&(place, _), id) in fresh.iter().zip(ids) {
            self.box_of[place as usize] = Some(id);
            if id.index() >= self.place_of.len() {
                self.place_of.resize(id.index() + 1, 0);
            }
            self.place_of[id.index()] = place;
        }
    }

    /// Lets the culling find its pairs, and takes over what changed.
    fn follow(&mut self) {
        self.has_removed = false;
        let place_of = &self.place_of;
        let named = |pairs: &[Pair]| {
            let places = |pair: &Pair| {
                let [a, b] = [pair.first, pair.second].map(|id| place_of[id.index()]);
                [a.min(b), a.max(b)]
            };
            let mut named: Vec<[u32; 2]> = pairs.iter().map(places).collect();
            named.sort_unstable();
            named
        };
        let changes = self.culling.update();
        let (began, ended) = (named(&changes.began), named(&changes.ended));
        if !ended.is_empty() {
            self.pairs.retain(|pair| ended.binary_search(&pair.places).is_err());
        }
        if !began.is_empty() {
            self.pairs.extend(began.into_iter().map(|places| Candidate { places, memory: M::default() }));
            // Two runs in order: nearly a merge.
            self.pairs.sort_by_key(|pair| pair.places);
        }
    }
}

/// What a culling cannot refuse.
#[allow(
    clippy::expect_used,
    reason = "objects are kept within a limit when they are added and moved, so that boxes are finite; the \
     numbers of \
              boxes come from the culling itself; and there are fewer objects than numbers"
)]
fn accepted<T>(outcome: Result<T, CullingError>) -> T {
    outcome.expect("boxes are finite and known")
}
