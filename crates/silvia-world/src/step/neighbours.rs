//! Which bodies are near each other, followed from step to step.

use crate::body::Role;
use crate::buffers::refill;
use crate::step::tuning;
use crate::world::World;
use silvia_proximity::culling::{BoxId, Culling, CullingMethod, Pair};
use silvia_solid::Aabb;
use std::fmt;

/// The pairs of bodies whose *wide* boxes overlap. A wide box is somewhat larger than its body's box; as long
/// as a body stays in it, no pair can be new. So a step costs what has left its wide box, was added or
/// removed, and nothing if that is none.
#[derive(Default)]
pub(crate) struct Neighbours {
    /// Wide boxes by number; `None` for removed bodies.
    wide: Vec<Option<Aabb>>,
    /// What finds the pairs of bounded boxes, once these are many.
    culling: Option<Box<dyn Culling>>,
    /// The box of each body in the culling, by number, and back.
    boxes: Vec<Option<BoxId>>,
    numbers: Vec<u32>,
    /// Pairs of wide boxes that overlap, in order.
    pairs: Vec<[u32; 2]>,
    /// Bodies whose boxes have no end, a half-space for instance: few.
    endless: Vec<u32>,
    /// The same at the last update.
    was_endless: Vec<u32>,
    scratch: Scratch,
}

/// Lists to be used again.
#[derive(Default)]
struct Scratch {
    /// Bodies whose wide boxes have changed, ascending.
    changed: Vec<u32>,
    relocated: Vec<(BoxId, Aabb)>,
    inserted: Vec<Aabb>,
    inserted_numbers: Vec<u32>,
    removed: Vec<BoxId>,
    ended: Vec<[u32; 2]>,
}

impl fmt::Debug for Neighbours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Neighbours").field("pairs", &self.pairs.len()).finish_non_exhaustive()
    }
}

impl Neighbours {
    /// Replaces the contents of `found` by the pairs of bodies whose boxes overlap, in order: those that may
    /// touch, and of which at least one can be moved. There is a box for each number of a body that is there.
    pub(crate) fn meeting_pairs(&mut self, world: &World, boxes: &[Option<Aabb>], found: &mut Vec<[u32; 2]>) {
        self.follow(world, boxes);
        let overlap = |&[a, b]: &[u32; 2]| match (&boxes[a as usize], &boxes[b as usize]) {
            (Some(of_a), Some(of_b)) => of_a.overlaps(of_b),
            _ => false,
        };
        found.clear();
        found.extend(self.pairs.iter().filter(|pair| overlap(pair) && may_meet(world, **pair)));
    }

    /// Brings wide boxes and their pairs up to date with the boxes.
    fn follow(&mut self, world: &World, boxes: &[Option<Aabb>]) {
        if self.culling.is_none() && boxes.len() > tuning::FEW_BOXES {
            *self = Neighbours { culling: Some(CullingMethod::default().start()), ..Neighbours::default() };
        }
        let Scratch { changed, relocated, inserted, inserted_numbers, removed, .. } = &mut self.scratch;
        changed.clear();
        relocated.clear();
        inserted.clear();
        inserted_numbers.clear();
        removed.clear();
        self.wide.resize(boxes.len(), None);
        self.boxes.resize(boxes.len(), None);
        for (number, bounds) in boxes.iter().enumerate() {
            let wide = &mut self.wide[number];
            let is_within = match (&*wide, bounds) {
                (Some(wide), Some(now)) => {
                    let is_inside = wide.min.cmple(now.min).all() && now.max.cmple(wide.max).all();
                    // One that is much too wide keeps pairs that nobody needs.
                    let longest = |bounds: &Aabb| bounds.size().max_element();
                    is_inside && !(is_bounded(wide) && longest(wide) > tuning::TOO_WIDE * longest(now))
                }
                (None, None) => true,
                _ => false,
            };
            if is_within {
                continue;
            }
            changed.push(number as u32);
            let was_endless = wide.as_ref().is_some_and(|wide| !is_bounded(wide));
            *wide = bounds.map(|bounds| {
                let body = world.bodies[number].as_ref();
                let is_fixed = body.is_some_and(|body| matches!(body.role, Role::Fixed));
                if is_fixed { bounds } else { widened(bounds) }
            });
            let is_endless = wide.as_ref().is_some_and(|wide| !is_bounded(wide));
            if was_endless || is_endless {
                self.endless.retain(|&endless| endless != number as u32);
            }
            if is_endless {
                let at = self.endless.partition_point(|&endless| endless < number as u32);
                self.endless.insert(at, number as u32);
            }
            match (self.boxes[number], wide.filter(is_bounded)) {
                (Some(id), Some(wide)) => relocated.push((id, wide)),
                (Some(id), None) => {
                    removed.push(id);
                    self.boxes[number] = None;
                }
                (None, Some(wide)) => {
                    inserted.push(wide);
                    inserted_numbers.push(number as u32);
                }
                (None, None) => {}
            }
        }
        if self.scratch.changed.is_empty() {
            return;
        }
        if self.culling.is_none() {
            self.compare_all();
            return;
        }
        self.drop_endless();
        self.update_bounded();
        self.add_endless();
        self.pairs.sort_unstable();
    }

    /// Compares each box with each other one.
    fn compare_all(&mut self) {
        let Neighbours { wide, pairs, .. } = self;
        let there = || (0u32..).zip(&*wide).filter_map(|(number, wide)| Some((number, wide.as_ref()?)));
        pairs.clear();
        for (a, of_a) in there() {
            let later = there().skip_while(|&(b, _)| b <= a).filter(|(_, of_b)| of_a.overlaps(of_b));
            pairs.extend(later.map(|(b, _)| [a, b]));
        }
    }

    /// Has the culling find which pairs of bounded boxes began and ended.
    fn update_bounded(&mut self) {
        let Scratch { relocated, inserted, inserted_numbers, removed, ended, .. } = &mut self.scratch;
        let Some(culling) = &mut self.culling else { return };
        let named = |numbers: &[u32], pair: &Pair| {
            let mut pair = [pair.first, pair.second].map(|id| numbers[id.index()]);
            pair.sort_unstable();
            pair
        };
        // First what ends, while the ids of removed boxes still are theirs. Bounded boxes with known ids are
        // never refused.
        let is_done = culling.remove(removed).and_then(|()| culling.relocate(relocated));
        debug_assert!(is_done.is_ok(), "{is_done:?}");
        for has_inserted in [false, true] {
            if has_inserted {
                let ids = culling.insert(inserted).unwrap_or_default();
                for (&number, id) in inserted_numbers.iter().zip(ids) {
                    self.boxes[number as usize] = Some(id);
                    let length = self.numbers.len().max(id.index() + 1);
                    self.numbers.resize(length, u32::MAX);
                    self.numbers[id.index()] = number;
                }
            }
            let changes = culling.update();
            if !changes.ended.is_empty() {
                refill(ended, changes.ended.iter().map(|pair| named(&self.numbers, pair)));
                ended.sort_unstable();
                self.pairs.retain(|pair| ended.binary_search(pair).is_err());
            }
            self.pairs.extend(changes.began.iter().map(|pair| named(&self.numbers, pair)));
            if inserted.is_empty() {
                break;
            }
        }
    }

    /// Drops the pairs of boxes that were endless of which one has changed.
    fn drop_endless(&mut self) {
        let Neighbours { pairs, was_endless, scratch: Scratch { changed, .. }, .. } = self;
        if !was_endless.is_empty() {
            let is_any_in =
                |list: &[u32], pair: &[u32; 2]| pair.iter().any(|n| list.binary_search(n).is_ok());
            pairs.retain(|pair| !(is_any_in(was_endless, pair) && is_any_in(changed, pair)));
        }
    }

    /// Finds the pairs of endless boxes of which one has changed.
    fn add_endless(&mut self) {
        let Neighbours { wide, pairs, endless, was_endless, scratch: Scratch { changed, .. }, .. } = self;
        let is_in = |list: &[u32], number: u32| list.binary_search(&number).is_ok();
        for &one in &*endless {
            for other in (0..wide.len() as u32).filter(|&other| other != one) {
                // Of two endless ones the first finds the pair.
                let is_mine = !is_in(endless, other) || one < other;
                if is_mine
                    && (is_in(changed, one) || is_in(changed, other))
                    && let (Some(of_one), Some(of_other)) = (&wide[one as usize], &wide[other as usize])
                    && of_one.overlaps(of_other)
                {
                    pairs.push([one.min(other), one.max(other)]);
                }
            }
        }
        was_endless.clone_from(endless);
    }
}

/// Whether two bodies may touch, and one of them can be moved.
pub(super) fn may_meet(world: &World, [a, b]: [u32; 2]) -> bool {
    (world.body(a).is_movable() || world.body(b).is_movable()) && world.filter.admits(a, b)
}

fn is_bounded(bounds: &Aabb) -> bool {
    bounds.min.is_finite() && bounds.max.is_finite()
}

fn widened(bounds: Aabb) -> Aabb {
    let side = bounds.size().max_element();
    // What has no end has nowhere to go.
    bounds.widened(if side.is_finite() { tuning::NEIGHBOUR_MARGIN * side } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BodyBuilder, WorldSettings};
    use proptest::prelude::*;
    use silvia_proximity::Shape;
    use silvia_solid::Vec3;

    /// Each with each, as they are now.
    fn by_brute_force(boxes: &[Option<Aabb>]) -> Vec<[u32; 2]> {
        let mut pairs = Vec::new();
        for (a, of_a) in boxes.iter().enumerate() {
            for (b, of_b) in boxes.iter().enumerate().skip(a + 1) {
                if let (Some(of_a), Some(of_b)) = (of_a, of_b)
                    && of_a.overlaps(of_b)
                {
                    pairs.push([a as u32, b as u32]);
                }
            }
        }
        pairs
    }

    fn world_of(count: usize) -> World {
        let mut world = World::new(WorldSettings::default()).unwrap();
        let ball = Shape::sphere(0.1).unwrap();
        (0..count).for_each(|_| {
            world.add(BodyBuilder::free(ball.clone())).unwrap();
        });
        world
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn what_is_remembered_never_hides_a_pair(
            count in prop_oneof![2..12_usize, 60..90_usize],
            more in 0..30_usize,
            places in prop::collection::vec(prop::array::uniform3(0.0..4.0_f64), 90),
            ways in prop::collection::vec(prop::array::uniform3(-0.04..0.04_f64), 90),
            endless in 0..90_usize,
            gone in 0..90_usize,
        ) {
            // Bodies are added as time goes by, so that few become many.
            let count_at = |step: i32| if step < 3 { count } else { (count + more).min(90) };
            let world = world_of(count_at(12));
            let (mut neighbours, mut found) = (Neighbours::default(), Vec::new());
            for step in 0..12 {
                let around = |number: usize| {
                    let at = Vec3::from(places[number]) + f64::from(step) * Vec3::from(ways[number]);
                    let bounds = Aabb { min: at, max: at + Vec3::new(1.0, 0.5, 0.7) };
                    let below = Aabb { min: Vec3::NEG_INFINITY, ..bounds };
                    // In the fifth step a body is removed, and in the eighth its number goes to another. Two
                    // bodies have no end, one of them for some steps only.
                    let is_there = number != gone || !(5..8).contains(&step);
                    let is_endless = number == endless || number + 1 == endless && step % 5 < 3;
                    is_there.then_some(if is_endless { below } else { bounds })
                };
                let boxes: Vec<Option<Aabb>> = (0..count_at(step)).map(around).collect();
                neighbours.meeting_pairs(&world, &boxes, &mut found);
                prop_assert_eq!(&found, &by_brute_force(&boxes), "step {}", step);
            }
        }
    }
}
