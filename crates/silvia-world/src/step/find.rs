//! Find contacts: the pairs of features that may come into contact within a piece.

use crate::body::BodyState;
use crate::buffers::{PAIRS, for_each, refill, refill_each, refill_from};
use crate::kinematics::pose_on_path;
use crate::response::Guarantee;
use crate::step::island::IslandNow;
use crate::step::pair::Pair;
use crate::step::redundant::Redundancy;
use crate::step::tuning;
use silvia_contact::GapRow;
use silvia_proximity::{
    ContactKey, ContactName, ContactOptions, ContactState, Crossing, Implied, RigidPath, ShapeContact,
    ShapeContactCache, crossings_of_path, distinct_shape_contacts_into, shape_contact_at,
};
use silvia_solid::{Aabb, Pose};

/// A pair of features that may come into contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    /// Which pair of bodies of the island.
    pub(crate) pair: usize,
    pub(crate) name: ContactName,
    /// Gap, normal and points at the start of the piece.
    pub(crate) state: ContactState,
    /// How fast the gap opens at the start, m/s.
    pub(crate) rate: f64,
    /// Whether it is held even where its points have left its features: without it the bodies crossed there.
    pub(crate) is_kept: bool,
}

impl Candidate {
    /// Whether its bodies are behind it at the start. They are apart there, so it is something else that
    /// keeps them apart: near a sharp corner they may be in front of one side of it and far behind the other.
    /// To push them out there would throw them through the corner.
    fn is_behind(&self, shell: f64) -> bool {
        self.state.holds && self.state.gap < -shell
    }

    /// Whether its gap may close if it closes by so much, m, with something to spare, and by `fall` (m) at
    /// most besides. What forces bring together beyond that, the certifier finds.
    pub(super) fn may_close(&self, shell: f64, closing: f64, fall: f64) -> bool {
        let closing = (1.0 + tuning::REACH_SPARE) * closing.max(0.0) + fall;
        self.state.gap <= tuning::NEAR * shell + closing
    }
}

/// What a search for the contacts of a pair of bodies remembers for the next. It affects speed, never
/// results.
#[derive(Clone, Debug, Default)]
pub(crate) struct PairMemory {
    pub(crate) cache: ShapeContactCache,
    found: Vec<ShapeContact>,
    redundancy: Redundancy,
}

/// Where bodies move, contacts that others enclose are left out.
const ENCLOSED: Implied = Implied { same: 0.0, enclosed: true };

/// The stage that finds contacts.
#[derive(Debug, Default)]
pub(super) struct ContactFinder {
    poses: Vec<Pose>,
    ways: Vec<f64>,
    /// How far contacts were looked for, by pair, m.
    reaches: Vec<f64>,
}

impl ContactFinder {
    /// Replaces the contents of `candidates` by all pairs of features that may come into contact while bodies
    /// fly freely for a time, s.
    pub(super) fn find(
        &mut self,
        now: &IslandNow<'_>,
        flight: &[BodyState],
        time: f64,
        memories: &mut [PairMemory],
        candidates: &mut Vec<Candidate>,
    ) {
        let ContactFinder { poses, ways, reaches } = self;
        now.put_poses(now.states, poses);
        refill(ways, (0..flight.len()).map(|i| way(now, i, &flight[i], time)));
        let is_compliant = now.world.response.guarantee() == Guarantee::Compliant;
        let reach = |pair: &Pair| {
            // Bodies that overlap may be deep in each other: all that they have is looked at.
            if is_compliant {
                return pair.size;
            }
            if pair.is_fine {
                return tuning::NEAR * pair.shell;
            }
            let way = (1.0 + tuning::REACH_SPARE) * (ways[pair.bodies[0]] + ways[pair.bodies[1]]);
            (way + tuning::NEAR * pair.shell).min(tuning::FARTHEST * pair.size)
        };
        refill(reaches, now.pairs.iter().map(reach));
        let is_quiet = !is_compliant && is_quiet(now, time);
        for_each(memories, PAIRS, |at, memory| {
            let [a, b] = now.pairs[at].bodies;
            let same = if is_quiet { tuning::SAME_PLACE * now.pairs[at].speck() } else { 0.0 };
            let implied = Implied { same, enclosed: !is_compliant };
            search(now, [a, b], [&poses[a], &poses[b]], (reaches[at], implied), memory);
        });
        if !is_compliant {
            leave_out_redundant(now, memories, is_quiet);
        }
        candidates.clear();
        let fall = now.world.outside().gravity.length() * time * time;
        for (index, (pair, memory)) in now.pairs.iter().zip(&*memories).enumerate() {
            let found = candidates_of(now, index, &memory.found);
            candidates.extend(found.filter(|candidate| match is_compliant {
                true => candidate.state.gap <= tuning::FARTHEST * pair.size,
                false => {
                    let closing = -candidate.rate * time;
                    !candidate.is_behind(pair.shell) && candidate.may_close(pair.shell, closing, fall)
                }
            }));
        }
    }

    /// Looks farther for contacts of pairs that go farther than was thought when they were looked for: of
    /// what something else hit. `ways` are those of the bodies from where they start, m, to where an attempt
    /// ended. Contacts that are `known` are left out, and those that it did not close.
    pub(super) fn find_farther(
        &mut self,
        now: &IslandNow<'_>,
        ways: &[f64],
        (start, end, boxes): (&[Pose], &[Pose], &[Aabb]),
        known: impl Iterator<Item = (usize, ContactName)>,
    ) -> Vec<Candidate> {
        let mut known: Vec<(usize, ContactName)> = known.collect();
        known.sort_unstable();
        let reaches = &self.reaches;
        let look = |index: usize| -> Option<(f64, Vec<Candidate>)> {
            let Pair { bodies: [a, b], shell, size, .. } = now.pairs[index];
            let farther = (ways[a] + ways[b] + tuning::NEAR * shell).min(tuning::FARTHEST * size);
            if now.pairs[index].is_fine
                || farther <= reaches[index]
                || !boxes[a].widened(farther).overlaps(&boxes[b])
            {
                return None;
            }
            // A cache of its own: the one of the pair is for what steps usually ask.
            let mut memory = PairMemory::default();
            search(now, [a, b], [&start[a], &start[b]], (farther, ENCLOSED), &mut memory);
            // Of all within reach those that the attempt closed, or nearly: others may be closed by the next.
            // Where features face each other neither before nor after it, there is nothing to close.
            let is_closed = |candidate: &Candidate| {
                let there = now.state_at(candidate, end);
                let is_there = [&candidate.state, &there].iter().any(|state| state.holds || state.nearly);
                is_there && candidate.may_close(shell, candidate.state.gap - there.gap, 0.0)
            };
            let is_new = |candidate: &Candidate| {
                !candidate.is_behind(shell)
                    && known.binary_search(&(index, candidate.name)).is_err()
                    && is_closed(candidate)
            };
            Some((farther, candidates_of(now, index, &memory.found).filter(is_new).collect()))
        };
        let mut of_pairs = Vec::new();
        refill_each(&mut of_pairs, now.pairs.len(), PAIRS, look);
        let mut found = Vec::new();
        for (reach, looked) in self.reaches.iter_mut().zip(of_pairs) {
            if let Some((farther, new)) = looked {
                *reach = farther;
                found.extend(new);
            }
        }
        found
    }
}

/// Pairs of features of a pair of bodies that meet near given poses and are not among those known (paper 4
/// §3.1), as they lie where the piece starts.
pub(super) fn find_near_crossing(
    now: &IslandNow<'_>,
    pair: usize,
    poses: [&Pose; 2],
    start: &[Pose],
    known: &[Candidate],
) -> Vec<Candidate> {
    let Pair { bodies, shell, size, .. } = now.pairs[pair];
    let reach = (2.0 * tuning::NEAR * shell).max(tuning::NEAR_CROSSING * size);
    // A cache of its own: the one of the pair is for where the piece starts.
    let mut memory = PairMemory::default();
    search(now, bodies, poses, (reach, ENCLOSED), &mut memory);
    let is_known = |new: &Candidate| known.iter().any(|k| k.pair == pair && k.name == new.name);
    let mut new: Vec<Candidate> = candidates_of(now, pair, &memory.found)
        .filter(|candidate| candidate.state.holds && !is_known(candidate))
        .collect();
    for candidate in &mut new {
        candidate.state = now.state_at(candidate, start);
        candidate.rate = rate(&candidate.state, bodies.map(|i| &now.states[i]));
    }
    new
}

/// The pairs of features of two bodies that cross each other on their paths and are not among those known, as
/// they lie where the piece starts.
pub(super) fn find_crossings(
    now: &IslandNow<'_>,
    pair: usize,
    paths: &[RigidPath],
    start: &[Pose],
    known: &[Candidate],
    PairMemory { cache, .. }: &mut PairMemory,
) -> Vec<Candidate> {
    let Pair { bodies: [a, b], shell, .. } = now.pairs[pair];
    let [of_a, of_b] = [a, b].map(|i| &now.body(i).contact_body);
    let crossings = crossings_of_path(of_a, &paths[a], of_b, &paths[b], tuning::MOST_CROSSINGS, cache);
    let candidate = |crossing: &Crossing| {
        let [Some(first), Some(second)] = crossing.features else { return None };
        let key = ContactKey { features: [first, second], reversed: false };
        let name = ContactName { parts: crossing.parts, key };
        if known.iter().any(|k| k.pair == pair && k.name == name) {
            return None;
        }
        let [there_a, there_b] = [a, b].map(|i| pose_on_path(&paths[i], crossing.upper));
        let there = shape_contact_at(of_a, &there_a, of_b, &there_b, &name);
        let state = shape_contact_at(of_a, &start[a], of_b, &start[b], &name);
        let rate = rate(&state, [a, b].map(|i| &now.states[i]));
        let candidate = Candidate { pair, name, state, rate, is_kept: false };
        (there.nearly && state.gap >= -shell).then_some(candidate)
    };
    crossings.iter().filter_map(candidate).collect()
}

/// The pairs of which some contact, known or not, ends at given poses as next to nothing of its shell, and as
/// less than it is where the piece starts.
pub(super) fn worn_pairs(now: &IslandNow<'_>, ends: &[Pose], memories: &mut [PairMemory]) -> Vec<usize> {
    let mut start = Vec::new();
    now.put_poses(now.states, &mut start);
    let mut is_worn = Vec::new();
    refill_from(&mut is_worn, memories, PAIRS, |at, memory: &mut PairMemory| {
        let Pair { bodies: [a, b], shell, .. } = now.pairs[at];
        search(now, [a, b], [&ends[a], &ends[b]], (tuning::WORN * shell, ENCLOSED), memory);
        let [of_a, of_b] = [a, b].map(|i| &now.body(i).contact_body);
        memory.found.iter().any(|ShapeContact { name, state }| {
            state.holds && state.gap < shape_contact_at(of_a, &start[a], of_b, &start[b], name).gap
        })
    });
    (0..is_worn.len()).filter(|&pair| is_worn[pair]).collect()
}

/// How fast a gap opens between bodies in given states, m/s.
pub(super) fn rate(state: &ContactState, bodies: [&BodyState; 2]) -> f64 {
    GapRow::new(state, bodies.map(|b| b.centre)).rate(bodies.map(|b| b.velocity))
}

/// Looks for contacts of two bodies at given poses, without those that others in the same place imply.
fn search(
    now: &IslandNow<'_>,
    [a, b]: [usize; 2],
    poses: [&Pose; 2],
    (reach, implied): (f64, Implied),
    PairMemory { cache, found, .. }: &mut PairMemory,
) {
    let [of_a, of_b] = [a, b].map(|i| &now.body(i).contact_body);
    let options = ContactOptions::within_shapes(reach, of_a, of_b);
    let searched =
        distinct_shape_contacts_into(of_a, poses[0], of_b, poses[1], (&options, implied), cache, found);
    // Reach and turn are finite and not negative.
    debug_assert!(searched.is_ok(), "a search was refused");
}

/// Whether no two bodies of the island that may meet move against each other by more than a speck within a
/// time, s, at the velocities that they have.
fn is_quiet(now: &IslandNow<'_>, time: f64) -> bool {
    let turned = |i: usize| match now.states[i].velocity.angular.length() {
        0.0 => 0.0,
        turn => turn * now.body(i).size,
    };
    now.pairs.iter().all(|pair| {
        let [a, b] = pair.bodies.map(|i| &now.states[i].velocity);
        let speed = a.linear.distance(b.linear) + turned(pair.bodies[0]) + turned(pair.bodies[1]);
        speed * time <= pair.speck()
    })
}

/// Of what searches found, leaves out what says nothing new.
fn leave_out_redundant(now: &IslandNow<'_>, memories: &mut [PairMemory], is_quiet: bool) {
    for (pair, PairMemory { found, redundancy, .. }) in now.pairs.iter().zip(memories) {
        if found.len() <= tuning::FEW_OF_A_PAIR {
            continue;
        }
        let numbers = now.numbers(pair);
        let loaded = now.world.state.memory.run(|(bodies, _)| bodies.cmp(&numbers));
        let bore_load = |name: &ContactName| loaded.iter().any(|((_, known), _)| known == name);
        redundancy.leave_out_enclosed(found, bore_load);
        if is_quiet {
            redundancy.leave_out(found, pair.speck(), bore_load);
        }
    }
}

/// The contacts that a search of a pair found, as candidates.
fn candidates_of<'a>(
    now: &'a IslandNow<'_>,
    pair: usize,
    found: &'a [ShapeContact],
) -> impl Iterator<Item = Candidate> + 'a {
    let bodies = now.pairs[pair].bodies.map(|i| &now.states[i]);
    found.iter().map(move |&ShapeContact { name, state }| Candidate {
        pair,
        name,
        state,
        rate: rate(&state, bodies),
        is_kept: false,
    })
}

/// No point of a body that flies to an end within a time moves farther than this, about, m.
fn way(now: &IslandNow<'_>, index: usize, end: &BodyState, time: f64) -> f64 {
    let start = &now.states[index];
    let radius = now.body(index).size;
    let turn = start.velocity.angular.length().max(end.velocity.angular.length()) * time;
    let speed = start.velocity.linear.length().max(end.velocity.linear.length());
    let turned = if turn > 0.0 { turn * radius } else { 0.0 };
    (speed * time).max(end.centre.distance(start.centre)) + turned
}
