//! Where bodies were placed from outside: overlaps are refused, touching ones are opened to their shell.
//!
//! Bodies placed exactly on each other touch, and by rounding may overlap. An overlap below the shell counts
//! as touching: the bodies are moved apart, by no more than some shells (1e-9 of their size), before the
//! first step. Where no motion does it, they [fit exactly](super::exact_fit). Larger overlaps are refused, or
//! on request taken apart.

use crate::body::BodyState;
use crate::buffers::{BODIES, PAIRS, refill_each};
use crate::flight::drift;
use crate::report::StepError;
use crate::response::Guarantee;
use crate::step::exact_fit::{Whole, draw_in};
use crate::step::find::PairMemory;
use crate::step::neighbours::{Neighbours, may_meet};
use crate::step::pair::{is_fine, shell};
use crate::step::tuning;
use crate::world::World;
use silvia_contact::{GapRow, Node, Settings, System, Twist, solve_system};
use silvia_proximity::shape::{Overlap, penetration};
use silvia_proximity::{
    ContactOptions, RigidPath, ShapeContact, ShapeContactCache, check_path, check_path_with, shape_contacts,
    swept_box,
};
use silvia_solid::{Aabb, Mat3, Vec3};

impl World {
    /// Does now what the next step would do first: refuses bodies that overlap, moves those that touch apart
    /// by some billionths of their size, or draws them in ([`World::inset`]), and looks where fine meshes are
    /// near each other. Steps come to the same results without it. With it the first takes no longer than
    /// others, which matters where someone waits. (Once bodies rest that may sleep, overlaps and gaps are
    /// left to the step.)
    ///
    /// ```
    /// use silvia_proximity::Shape;
    /// use silvia_solid::{Plane, Pose, Vec3};
    /// use silvia_world::{BodyBuilder, StepError, World, WorldSettings};
    /// let mut world = World::new(WorldSettings::default())?;
    /// let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 })?;
    /// world.add(BodyBuilder::fixed(ground).named("ground"))?;
    /// let low = Pose::from_translation(Vec3::new(0.0, 0.0, 0.05))?;
    /// let ball = world.add(BodyBuilder::free(Shape::sphere(0.1)?).named("ball").at(low))?;
    /// assert!(matches!(world.prepare(), Err(StepError::Overlap { .. })));
    /// world.set_pose(ball, Pose::from_translation(Vec3::new(0.0, 0.0, 0.1))?)?;
    /// world.prepare()?;
    /// assert!(world.distance_between("ball", "ground")?.lower > 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn prepare(&mut self) -> Result<(), StepError> {
        if self.response.guarantee() == Guarantee::Compliant {
            return Ok(());
        }
        // What is placed beside sleepers wakes them for a step: that is left to the step.
        if self.state.rest.iter().all(|&steps| steps == 0) {
            let (opened, _) = open_gaps(self)?;
            if let Some(states) = opened {
                self.state.bodies = states;
            }
            self.state.unchecked.clear();
            self.mirror_all();
        }
        let states = &self.state.bodies;
        let all: Vec<u32> = (0..states.len() as u32).collect();
        let mut pairs = near_pairs(self, states, &all);
        pairs.retain(|pair| is_fine(pair.iter().map(|&i| self.body(i).triangles).sum()));
        let mut memories = Vec::new();
        refill_each(&mut memories, pairs.len(), PAIRS, |at| (pairs[at], looked_at(self, states, pairs[at])));
        self.workspace.remember(memories);
        Ok(())
    }

    /// Makes a step of a length, s, in a copy of the world, and keeps what searches learn in it about fine
    /// meshes near each other. The next step then takes no longer than others, and comes to the same result.
    /// For whoever waits for steps, after [`World::prepare`].
    pub fn rehearse(&mut self, length: f64) {
        // What the step would draw in is whole here: what is learnt about it would not be true.
        if self.workspace.knows_nothing() || !self.state.unchecked.is_empty() {
            return;
        }
        let mut copy = self.clone();
        copy.workspace.exchange_memories(&mut self.workspace);
        // What is wrong with the step, the step says.
        let _ = copy.step(length);
        copy.workspace.exchange_memories(&mut self.workspace);
    }

    /// Takes bodies apart that overlap, the lighter ones farther, each pair by the shortest translation
    /// known. Gives the number of pairs that overlapped at first.
    pub fn separate(&mut self) -> Result<usize, StepError> {
        let mut states = self.state.bodies.clone();
        let mut found = overlaps(self, &states);
        let first_count = found.len();
        for _ in 0..tuning::PARTING_ROUNDS {
            if found.is_empty() {
                break;
            }
            found.iter().for_each(|overlap| part(self, &mut states, overlap));
            found = overlaps(self, &states);
        }
        if let Some(left) = found.first() {
            return Err(left.refused(self));
        }
        self.state.bodies = states;
        self.mirror_all();
        self.state.uncheck_all();
        self.wake();
        Ok(first_count)
    }
}

/// Opens all gaps of bodies that were placed from outside; all others are open since the last step. Where
/// bodies are then, `None` if none was placed; and those that had to be drawn in, as they were.
pub(super) fn open_gaps(world: &mut World) -> Result<(Option<Vec<BodyState>>, Whole), StepError> {
    let mut whole = Whole::default();
    if world.state.unchecked.is_empty() {
        return Ok((None, whole));
    }
    let placed = world.state.bodies.clone();
    loop {
        let mut states = placed.clone();
        let closed = open_by_moving(world, &mut states);
        if closed.is_empty() {
            return Ok((Some(states), whole));
        }
        if let Err(error) = draw_in(world, &placed, &closed, &mut whole) {
            whole.put_back(world);
            return Err(error);
        }
    }
}

/// Moves bodies that were placed from outside apart until all gaps are open; the pairs of which the gaps are
/// not.
fn open_by_moving(world: &World, states: &mut [BodyState]) -> Vec<Overlapping> {
    let mut doubtful = world.state.unchecked.clone();
    for round in 0..=tuning::OPENING_ROUNDS {
        let near = near_pairs(world, states, &doubtful);
        let mut are_below = Vec::new();
        refill_each(&mut are_below, near.len(), PAIRS, |at| is_below_shell(world, states, near[at]));
        let touching: Vec<[u32; 2]> =
            near.iter().zip(are_below).filter(|(_, is_below)| *is_below).map(|(&pair, _)| pair).collect();
        // In the end a gap may be open by less than the shell: the first step makes it more.
        let shells = [1.0, 4.0][round.min(1)];
        let is_closed = |o: &Overlapping| match round {
            tuning::OPENING_ROUNDS => touches(world, states, o.pair),
            _ => o.depth > shells * shell_of(world, states, o.pair),
        };
        let mut closed = depths(world, states, &touching);
        closed.retain(is_closed);
        if touching.is_empty() || round == tuning::OPENING_ROUNDS || !closed.is_empty() {
            return closed;
        }
        open(world, states, &touching);
        // What was moved may now be too near to something else.
        doubtful.extend(touching.iter().flatten());
        doubtful.sort_unstable();
        doubtful.dedup();
    }
    Vec::new()
}

/// What searches and certificates remember of two bodies once they have looked at them.
fn looked_at(world: &World, states: &[BodyState], pair: [u32; 2]) -> PairMemory {
    let mut memory = PairMemory::default();
    let [of_a, of_b] = pair.map(|i| &world.body(i).contact_body);
    let [path_a, path_b] = pair.map(|i| still(world, i, states));
    let reach = tuning::NEAR * shell_of(world, states, pair);
    let options = ContactOptions::within_shapes(reach, of_a, of_b);
    // The options are in order, and what is found is found again by the step.
    let _ = shape_contacts(of_a, &path_a.from, of_b, &path_b.from, &options, &mut memory.cache);
    check_path_with(of_a, &path_a, of_b, &path_b, &mut memory.cache);
    memory
}

/// Two bodies that touch or share points.
pub(super) struct Overlapping {
    pub(super) pair: [u32; 2],
    depth: f64,
    /// Of the second, to take them apart, m; zero if there is none.
    translation: Vec3,
}

impl Overlapping {
    pub(super) fn refused(&self, world: &World) -> StepError {
        let name = |i: usize| world.body(self.pair[i]).name.clone();
        StepError::Overlap { a: name(0), b: name(1), depth: self.depth }
    }
}

fn overlaps(world: &World, states: &[BodyState]) -> Vec<Overlapping> {
    let all: Vec<u32> = (0..states.len() as u32).collect();
    let pairs = near_pairs(world, states, &all);
    let mut found = depths(world, states, &pairs);
    found.retain(|overlap| overlap.depth > 0.0);
    found
}

/// How deep the bodies of pairs are in each other, those with 0 that are not.
fn depths(world: &World, states: &[BodyState], pairs: &[[u32; 2]]) -> Vec<Overlapping> {
    let look = |&pair: &[u32; 2]| {
        let [a, b] = pair;
        let poses = pair.map(|i| world.pose_of_state(i as usize, &states[i as usize]));
        let (depth, translation) =
            match penetration(&world.body(a).shape, &poses[0], &world.body(b).shape, &poses[1]) {
                Overlap::Apart => (0.0, Vec3::ZERO),
                Overlap::Deep(found) => (found.depth, found.translation()),
                Overlap::Inseparable => (f64::INFINITY, Vec3::ZERO),
            };
        Overlapping { pair, depth, translation }
    };
    pairs.iter().map(look).collect()
}

/// Moves two bodies apart, each by the other's share of their masses.
fn part(world: &World, states: &mut [BodyState], overlap: &Overlapping) {
    let [a, b] = overlap.pair;
    let shell = shell_of(world, states, overlap.pair);
    let inverse = |i: u32| if world.body(i).is_movable() { 1.0 / world.body(i).inertia.mass } else { 0.0 };
    let (of_a, of_b) = (inverse(a), inverse(b));
    let way = overlap.translation + tuning::OPENED_TO * shell * overlap.translation.normalize_or_zero();
    states[a as usize].centre -= of_a / (of_a + of_b) * way;
    states[b as usize].centre += of_b / (of_a + of_b) * way;
}

/// Opens all contacts of some pairs to their shells, by the least motion.
fn open(world: &World, states: &mut [BodyState], pairs: &[[u32; 2]]) {
    let mut system = System { time_step: 1.0, ..System::default() };
    let mut numbers: Vec<u32> = pairs.iter().flatten().copied().collect();
    numbers.sort_unstable();
    numbers.dedup();
    for &number in &numbers {
        let body = world.body(number);
        system.nodes.push(if body.is_movable() {
            // All alike: what is to move how far has nothing to do with weight, and masses far apart would
            // lose digits.
            let inertia =
                Mat3::from_diagonal(Vec3::splat((body.size * body.size).max(tuning::LEAST_INERTIA)));
            Node::rigid(1.0, inertia, Twist::default(), Twist::default())
        } else {
            Node::immovable(Twist::default())
        });
    }
    for &pair in pairs {
        let [a, b] = pair;
        let shell = shell_of(world, states, pair);
        let local = pair.map(|number| numbers.partition_point(|&n| n < number));
        let poses = pair.map(|i| world.pose_of_state(i as usize, &states[i as usize]));
        let shapes = [&world.body(a).contact_body, &world.body(b).contact_body];
        let options = ContactOptions::within_shapes(tuning::OPENED_FROM * shell, shapes[0], shapes[1]);
        let mut cache = ShapeContactCache::new();
        // The options are in order.
        let found = shape_contacts(shapes[0], &poses[0], shapes[1], &poses[1], &options, &mut cache);
        // What bodies are far behind is before another side of theirs: to open it would throw them through.
        let is_near = |c: &&ShapeContact| c.state.holds && c.state.gap >= -tuning::OPENED_FROM * shell;
        for contact in found.unwrap_or_default().iter().filter(is_near) {
            let mut row = GapRow::new(&contact.state, pair.map(|i| states[i as usize].centre));
            row.gap -= tuning::OPENED_TO * shell;
            system.contacts.push(row.contact(local, 0.0, 0.0));
        }
    }
    let start = vec![Vec3::ZERO; system.contacts.len()];
    let settings = Settings { tolerance: 1e-6, ..Settings::default() };
    let Ok(solved) = solve_system(&system, &start, 0.0, &settings) else { return };
    let moves = solved.velocities;
    for (&number, &velocity) in numbers.iter().zip(&moves) {
        let moved = drift(&BodyState { velocity, ..states[number as usize] }, 1.0);
        let is_sound = moved.centre.is_finite() && moved.rotation.is_finite();
        if world.body(number).is_movable() && is_sound {
            let velocity = states[number as usize].velocity;
            states[number as usize] = BodyState { velocity, ..moved };
        }
    }
}

/// Whether two bodies touch or overlap.
pub(super) fn touches(world: &World, states: &[BodyState], pair: [u32; 2]) -> bool {
    let [a, b] = pair.map(|i| (&world.body(i).contact_body, still(world, i, states)));
    check_path(a.0, &a.1, b.0, &b.1).at_start
}

/// Whether two bodies touch, overlap, or are nearer than their shell.
fn is_below_shell(world: &World, states: &[BodyState], pair: [u32; 2]) -> bool {
    if touches(world, states, pair) {
        return true;
    }
    let [a, b] = pair;
    let shapes = [&world.body(a).contact_body, &world.body(b).contact_body];
    let paths = pair.map(|i| still(world, i, states));
    let shell = shell_of(world, states, pair);
    let options = ContactOptions::within_shapes(2.0 * shell, shapes[0], shapes[1]);
    let mut cache = ShapeContactCache::new();
    let found = shape_contacts(shapes[0], &paths[0].from, shapes[1], &paths[1].from, &options, &mut cache);
    found.unwrap_or_default().iter().any(|c| c.state.holds && c.state.gap < 0.5 * shell)
}

/// Pairs of bodies whose boxes overlap, of which one is doubtful; in order. One of the two can be moved, and
/// they may touch.
fn near_pairs(world: &World, states: &[BodyState], doubtful: &[u32]) -> Vec<[u32; 2]> {
    let around = |number: usize| {
        let body = world.bodies[number].as_ref()?;
        let bounds = swept_box(&body.contact_body, &still(world, number as u32, states));
        let spare = if body.size.is_finite() { 4.0 * world.settings.shell_in_use() * body.size } else { 0.0 };
        Some(bounds.widened(spare))
    };
    let mut boxes: Vec<Option<Aabb>> = Vec::new();
    refill_each(&mut boxes, world.bodies.len(), BODIES, around);
    let mut pairs = Vec::new();
    if doubtful.len() * tuning::FEW_DOUBTFUL < boxes.len() {
        for &a in doubtful {
            let overlaps = |b: &u32| match (&boxes[a as usize], &boxes[*b as usize]) {
                (Some(of_a), Some(of_b)) => *b != a && of_a.overlaps(of_b) && may_meet(world, [a, *b]),
                _ => false,
            };
            let others = (0..boxes.len() as u32).filter(overlaps);
            pairs.extend(others.map(|b| [a.min(b), a.max(b)]));
        }
        pairs.sort_unstable();
        pairs.dedup();
    } else {
        Neighbours::default().meeting_pairs(world, &boxes, &mut pairs);
        pairs.retain(|pair| pair.iter().any(|number| doubtful.binary_search(number).is_ok()));
    }
    pairs
}

/// The way of a body that stays where it is.
fn still(world: &World, number: u32, states: &[BodyState]) -> RigidPath {
    let pose = world.pose_of_state(number as usize, &states[number as usize]);
    RigidPath { from: pose, to: pose, about: world.body(number).inertia.centre }
}

pub(super) fn shell_of(world: &World, states: &[BodyState], pair: [u32; 2]) -> f64 {
    shell(world, pair.map(|i| world.body(i)), pair.map(|i| &states[i as usize]))
}
