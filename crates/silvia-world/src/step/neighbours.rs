//! Which bodies are near each other, known from earlier steps.

use crate::body::Role;
use crate::step::tuning;
use crate::world::World;
use silvia_proximity::culling::overlapping_pairs;
use silvia_solid::Aabb;

/// The pairs of bodies whose boxes, made wider, overlapped some steps ago: as long as no body has left its
/// wide box, no others can overlap.
#[derive(Debug, Default)]
pub(crate) struct Neighbours {
    /// By number; `None` for removed bodies.
    wide: Vec<Option<Aabb>>,
    pairs: Vec<[u32; 2]>,
}

impl Neighbours {
    /// Puts in place of `found` the pairs of bodies that are asked about and whose boxes overlap, at least
    /// one of which can be moved, in order. There is a box for each number of a body that there is.
    pub(crate) fn meeting_pairs(&mut self, world: &World, boxes: &[Option<Aabb>], found: &mut Vec<[u32; 2]>) {
        if !self.holds(boxes) {
            self.wide.clear();
            let is_fixed = |number: usize| {
                world.bodies[number].as_ref().is_some_and(|body| matches!(body.role, Role::Fixed))
            };
            let wide = |(number, bounds): (usize, &Option<Aabb>)| {
                bounds.map(|bounds| if is_fixed(number) { bounds } else { widened(bounds) })
            };
            self.wide.extend(boxes.iter().enumerate().map(wide));
            overlapping(&self.wide, &mut self.pairs);
            self.pairs.sort_unstable();
        }
        let overlap = |&&[a, b]: &&[u32; 2]| match (&boxes[a as usize], &boxes[b as usize]) {
            (Some(of_a), Some(of_b)) => of_a.overlaps(of_b),
            _ => false,
        };
        let can_move = |body: u32| world.body(body).is_movable();
        let may_meet = |&&[a, b]: &&[u32; 2]| (can_move(a) || can_move(b)) && world.filter.admits(a, b);
        found.clear();
        found.extend(self.pairs.iter().filter(overlap).filter(may_meet));
    }

    /// Whether all boxes are within those that were asked about.
    fn holds(&self, boxes: &[Option<Aabb>]) -> bool {
        let is_within = |(wide, now): (&Option<Aabb>, &Option<Aabb>)| match (wide, now) {
            (Some(wide), Some(now)) => wide.min.cmple(now.min).all() && now.max.cmple(wide.max).all(),
            (None, None) => true,
            _ => false,
        };
        self.wide.len() == boxes.len() && self.wide.iter().zip(boxes).all(is_within)
    }
}

fn widened(bounds: Aabb) -> Aabb {
    let side = bounds.size().max_element();
    // What has no end has nowhere to go.
    bounds.widened(if side.is_finite() { tuning::NEIGHBOUR_MARGIN * side } else { 0.0 })
}

/// Puts in place of `pairs` those of the numbers of boxes that overlap, the lesser first, in any order.
fn overlapping(boxes: &[Option<Aabb>], pairs: &mut Vec<[u32; 2]>) {
    pairs.clear();
    let there = || (0u32..).zip(boxes).filter_map(|(number, bounds)| Some((number, (*bounds)?)));
    if boxes.len() <= tuning::FEW_BOXES {
        for (a, of_a) in there() {
            let later = there().skip_while(|&(b, _)| b <= a).filter(|(_, of_b)| of_a.overlaps(of_b));
            pairs.extend(later.map(|(b, _)| [a, b]));
        }
        return;
    }
    let is_bounded = |bounds: &Aabb| bounds.min.is_finite() && bounds.max.is_finite();
    let (finite, unbounded): (Vec<_>, Vec<_>) = there().partition(|(_, bounds)| is_bounded(bounds));
    let bounded: Vec<Aabb> = finite.iter().map(|&(_, bounds)| bounds).collect();
    // Finite boxes are never refused.
    let found = overlapping_pairs(&bounded).unwrap_or_default();
    pairs.extend(found.into_iter().map(|pair| pair.map(|at| finite[at as usize].0)));
    for (at, (wide, bounds)) in unbounded.iter().enumerate() {
        let others = finite.iter().chain(&unbounded[at + 1..]).filter(|(_, other)| bounds.overlaps(other));
        pairs.extend(others.map(|(other, _)| [*wide.min(other), *wide.max(other)]));
    }
    // Those found come in the order of places.
    pairs.iter_mut().for_each(|pair| pair.sort_unstable());
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
            places in prop::collection::vec(prop::array::uniform3(0.0..4.0_f64), 90),
            ways in prop::collection::vec(prop::array::uniform3(-0.04..0.04_f64), 90),
            endless in 0..90_usize,
            gone in 0..90_usize,
        ) {
            let world = world_of(count);
            let (mut neighbours, mut found) = (Neighbours::default(), Vec::new());
            for step in 0..12 {
                let around = |number: usize| {
                    let at = Vec3::from(places[number]) + f64::from(step) * Vec3::from(ways[number]);
                    let bounds = Aabb { min: at, max: at + Vec3::new(1.0, 0.5, 0.7) };
                    let below = Aabb { min: Vec3::NEG_INFINITY, ..bounds };
                    // In the sixth step a body is removed.
                    (number != gone || step < 6).then_some(if number == endless { below } else { bounds })
                };
                let boxes: Vec<Option<Aabb>> = (0..count).map(around).collect();
                neighbours.meeting_pairs(&world, &boxes, &mut found);
                prop_assert_eq!(&found, &by_brute_force(&boxes), "step {}", step);
            }
        }
    }
}
