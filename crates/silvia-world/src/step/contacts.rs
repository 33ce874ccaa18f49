//! The pairs of features of an island that may come into contact.

use crate::body::{Body, BodyState, Role};
use crate::response::refill;
use crate::step::island::Run;
use crate::threads::{PAIRS, for_each, refill_each};
use crate::world::World;
use silvia_contact::GapRow;
use silvia_proximity::{
    ContactName, ContactOptions, ContactState, ShapeContact, ShapeContactCache, shape_contact_at,
    shape_contacts_into,
};
use silvia_solid::{Aabb, Pose};

/// Contacts within this many shells touch: impacts are between those.
pub(crate) const TOUCH: f64 = 2.0;

/// Contacts are looked for no farther than this fraction of the smaller body's size: what comes from farther
/// off within the step is found by the certifier.
const FARTHEST: f64 = 0.1;

/// How much farther than the free ways of two bodies contacts are looked for, as a fraction of these: contact
/// forces change the ways.
const SPARE: f64 = 0.5;

/// Among so few bodies that can be moved all impacts are events.
const FEW_BODIES: usize = 1;

/// Bodies that approach by more than this fraction of the smaller one's size in a step come far.
const FAR_IN_A_STEP: f64 = 0.1;

/// So many bodies may be hit one after the other within a step, without that each has to be found out.
pub(super) const HITS_IN_A_ROW: usize = 3;

/// What is known about a pair of bodies of an island.
#[derive(Clone, Debug)]
pub(crate) struct PairOf {
    /// Indices in the island.
    pub(crate) bodies: [usize; 2],
    /// What gaps are kept at, m: the shell, and what the pair is lifted by.
    pub(crate) shell: f64,
    /// By how much more than the shell they are kept apart, m.
    pub(crate) lift: f64,
    pub(crate) friction: f64,
    /// 0 if a hand holds one of them.
    pub(crate) restitution: f64,
    /// Faster than this they collide, which is an event at which a piece ends, m/s.
    pub(crate) impact_speed: f64,
    /// Size of the smaller one, m.
    pub(crate) size: f64,
    /// How far contacts were looked for, m.
    pub(crate) reach: f64,
    pub(crate) memory: PairMemory,
}

/// What a search for contacts of a pair of bodies leaves for the next. Nothing but time comes of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct PairMemory {
    pub(crate) cache: ShapeContactCache,
    found: Vec<ShapeContact>,
}

/// A pair of features near each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Near {
    /// Which pair of bodies of the island.
    pub(crate) pair: usize,
    pub(crate) name: ContactName,
    /// At the start of the piece.
    pub(crate) state: ContactState,
    /// How fast the gap opens at the start, m/s.
    pub(crate) rate: f64,
    /// Whether it is held even where its points have left its features: without it the bodies crossed there.
    pub(crate) is_kept: bool,
}

impl Near {
    /// Whether its bodies are behind it, where the piece starts. They are apart there, so it is something
    /// else that keeps them apart: near a sharp corner they may be in front of one side of it and far behind
    /// the other. To push them out there would throw them through the corner.
    fn is_behind(&self, shell: f64) -> bool {
        self.state.holds && self.state.gap < -shell
    }
}

impl Run<'_> {
    /// Puts together what is known about the pairs of the island.
    pub(super) fn describe_pairs(&mut self) {
        let mut pairs = std::mem::take(&mut self.pairs);
        let mut memories = std::mem::take(&mut self.room.memories);
        let describe = |(&[a, b], memory): (&[usize; 2], PairMemory)| {
            let (of_a, of_b) = (self.body(a), self.body(b));
            let law = self.world.materials.law(of_a.material, of_b.material);
            let size = of_a.size.min(of_b.size);
            let is_held = [of_a, of_b].iter().any(|body| matches!(body.role, Role::Held(_)));
            let restitution = if is_held { 0.0 } else { law.restitution };
            let numbers = [a, b].map(|i| self.island.bodies[i]);
            let lift = self.world.state.lifts.get(&numbers).copied().unwrap_or(0.0);
            PairOf {
                bodies: [a, b],
                shell: shell(self.world, [of_a, of_b], [&self.states[a], &self.states[b]]) + lift,
                lift,
                friction: law.friction,
                restitution,
                impact_speed: self.impact_speed(is_held, restitution, size),
                size,
                reach: 0.0,
                memory,
            }
        };
        refill(&mut pairs, self.island.pairs.iter().zip(memories.drain(..)).map(describe));
        (self.pairs, self.room.memories) = (pairs, memories);
    }

    /// Faster than this two bodies collide, m/s. Those that do not rebound stay together, as the forces of a
    /// piece keep them too. Among many bodies, where something lands in every step, that is no event, unless
    /// they come so far in a step that it matters when they meet.
    fn impact_speed(&self, is_held: bool, restitution: f64, size: f64) -> f64 {
        let least = self.world.settings.impact_speed;
        let is_event = restitution > 0.0 || self.island.movable <= FEW_BODIES;
        match (is_held, is_event) {
            (true, _) => f64::INFINITY,
            (false, true) => least,
            (false, false) => least.max(FAR_IN_A_STEP * size / self.length),
        }
    }

    /// Puts in place of `near` all pairs of features that may come into contact within a time, s; how many
    /// these are.
    pub(super) fn find_near(&mut self, length: f64, near: &mut Vec<Near>) -> usize {
        let mut poses = std::mem::take(&mut self.room.poses[0]);
        self.put_poses_in(&self.states, &mut poses);
        let mut ways = std::mem::take(&mut self.room.ways);
        self.fly(length);
        refill(&mut ways, (0..self.states.len()).map(|i| self.way(i, &self.room.flight[i], length)));
        let mut pairs = std::mem::take(&mut self.pairs);
        let search = |_, pair: &mut PairOf| {
            let [a, b] = pair.bodies;
            let way = (1.0 + SPARE) * (ways[a] + ways[b]);
            pair.reach = (way + 2.0 * TOUCH * pair.shell).min(FARTHEST * pair.size);
            self.find([a, b], [&poses[a], &poses[b]], pair.reach, &mut pair.memory);
        };
        for_each(&mut pairs, PAIRS, search);
        near.clear();
        for (index, pair) in pairs.iter().enumerate() {
            let found = self.nears(index, pair.bodies, &pair.memory.found);
            near.extend(found.filter(|near| !near.is_behind(pair.shell)));
        }
        self.pairs = pairs;
        self.room.poses[0] = poses;
        self.room.ways = ways;
        near.len()
    }

    /// Looks for contacts of two bodies at given poses.
    fn find(&self, [a, b]: [usize; 2], poses: [&Pose; 2], reach: f64, memory: &mut PairMemory) {
        let [of_a, of_b] = [a, b].map(|i| &self.body(i).contact_body);
        let options = ContactOptions::within_shapes(reach, of_a, of_b);
        let PairMemory { cache, found } = memory;
        let searched = shape_contacts_into(of_a, poses[0], of_b, poses[1], &options, cache, found);
        // Reach and turn are finite and not negative.
        debug_assert!(searched.is_ok(), "a search was refused");
    }

    fn nears(&self, pair: usize, bodies: [usize; 2], found: &[ShapeContact]) -> impl Iterator<Item = Near> {
        found.iter().map(move |&ShapeContact { name, state }| {
            let rate = self.rate(bodies, &state);
            Near { pair, name, state, rate, is_kept: false }
        })
    }

    /// Pairs of features of two bodies that meet near given poses and are not among those known (paper 4
    /// §3.1), as they lie where the piece starts.
    pub(crate) fn not_yet_known(
        &self,
        pair: usize,
        poses: [&Pose; 2],
        start: &[Pose],
        known: &[Near],
    ) -> Vec<Near> {
        let PairOf { bodies, shell, size, .. } = self.pairs[pair];
        let reach = (4.0 * TOUCH * shell).max(NEAR_CROSSING * size);
        // A cache of its own: the one of the pair is for where the piece starts.
        let mut memory = PairMemory::default();
        self.find(bodies, poses, reach, &mut memory);
        let mut new: Vec<Near> = self
            .nears(pair, bodies, &memory.found)
            .filter(|near| near.state.holds)
            .filter(|near| !known.iter().any(|k| k.pair == pair && k.name == near.name))
            .collect();
        for near in &mut new {
            near.state = self.state_at(near, start);
            near.rate = self.rate(bodies, &near.state);
        }
        new
    }

    /// Looks farther for contacts of pairs that go farther than was thought when they were looked for: what
    /// something else hit. `ways` are those of the bodies, m, from where they start. Contacts that are known
    /// already are left out.
    pub(super) fn look_farther(
        &mut self,
        ways: &mut [f64],
        (start, boxes): (&[Pose], &[Aabb]),
        known: &[Near],
        new: &[Near],
    ) -> Vec<Near> {
        // What is hit hits others in turn, and may send them as far as it was sent itself.
        for _ in 0..HITS_IN_A_ROW {
            for pair in &self.pairs {
                let [a, b] = pair.bodies;
                if a < self.island.movable && b < self.island.movable {
                    let farther = ways[a].max(ways[b]);
                    (ways[a], ways[b]) = (farther, farther);
                }
            }
        }
        let mut names: Vec<(usize, ContactName)> =
            known.iter().chain(new).map(|k| (k.pair, k.name)).collect();
        names.sort_unstable();
        let look = |index: usize| -> Option<(f64, Vec<Near>)> {
            let PairOf { bodies: [a, b], shell, size, reach, .. } = self.pairs[index];
            let farther = (ways[a] + ways[b] + 2.0 * TOUCH * shell).min(FARTHEST * size);
            if farther <= reach || !boxes[a].widened(farther).overlaps(&boxes[b]) {
                return None;
            }
            // A cache of its own: the one of the pair is for what steps usually ask.
            let mut memory = PairMemory::default();
            self.find([a, b], [&start[a], &start[b]], farther, &mut memory);
            let is_new =
                |near: &Near| !near.is_behind(shell) && names.binary_search(&(index, near.name)).is_err();
            Some((farther, self.nears(index, [a, b], &memory.found).filter(is_new).collect()))
        };
        let mut of_pairs = Vec::new();
        refill_each(&mut of_pairs, self.pairs.len(), PAIRS, look);
        let mut found = Vec::new();
        for (pair, looked) in self.pairs.iter_mut().zip(of_pairs) {
            if let Some((farther, new)) = looked {
                pair.reach = farther;
                found.extend(new);
            }
        }
        found
    }

    /// How fast a gap opens now, m/s.
    fn rate(&self, bodies: [usize; 2], state: &ContactState) -> f64 {
        rate(state, bodies.map(|i| &self.states[i]))
    }

    /// How a contact lies when all bodies of the island are at given poses.
    pub(crate) fn state_at(&self, near: &Near, poses: &[Pose]) -> ContactState {
        let [a, b] = self.pairs[near.pair].bodies;
        let (of_a, of_b) = (&self.body(a).contact_body, &self.body(b).contact_body);
        shape_contact_at(of_a, &poses[a], of_b, &poses[b], &near.name)
    }
}

/// How fast a gap opens between bodies in given states, m/s.
pub(crate) fn rate(state: &ContactState, bodies: [&BodyState; 2]) -> f64 {
    GapRow::new(state, bodies.map(|b| b.centre)).rate(bodies.map(|b| b.velocity))
}

/// What the gaps between two bodies are kept at, m: a fraction of the smaller one's size, but never so little
/// that rounding of coordinates could bridge it.
pub(crate) fn shell(world: &World, bodies: [&Body; 2], states: [&BodyState; 2]) -> f64 {
    let size = bodies[0].size.min(bodies[1].size);
    let far = |i: usize| if bodies[i].size.is_finite() { states[i].centre.abs().max_element() } else { 0.0 };
    (world.settings.shell_in_use() * size).max(ROUNDING * far(0).max(far(1)))
}

/// Features that meet near a crossing are looked for within this fraction of the smaller body's size.
const NEAR_CROSSING: f64 = 1e-6;

/// The shell is at least this fraction of the coordinates: some hundred roundings.
const ROUNDING: f64 = 128.0 * f64::EPSILON;
