//! An island advances through a step, piece by piece.
//!
//! [`IslandNow`] is the island where it is now; every stage reads it. [`Stages`] are the stages, each with
//! its own scratch memory. [`IslandOutcome`] is what comes of the step.

use crate::account::MomentumAccount;
use crate::body::{Body, BodyId, BodyState, Role};
use crate::buffers::refill;
use crate::flight::{Until, fly, free_end, held, in_hand};
use crate::hand::{HandId, HandRecord, Hold, Span};
use crate::profile::{Stage, Stopwatch, timed};
use crate::report::{
    Certificate, ContactRecord, EnergyAccount, ImpactRecord, OverlapRecord, Shortfall, StepError,
    StuckReason, Traded,
};
use crate::response::Guarantee;
use crate::state::{ContactOf, Memory};
use crate::step::accept::Acceptor;
use crate::step::cages::Island;
use crate::step::certify::Certifier;
use crate::step::find::{Candidate, ContactFinder, PairMemory};
use crate::step::give_way::Held;
use crate::step::pair::{Pair, describe_pairs, lifts_to_keep};
use crate::step::predict::Predictor;
use crate::step::respond::Responder;
use crate::step::rest::is_settled;
use crate::step::spent::{Pace, Spent};
use crate::step::tuning;
use crate::step::velocity::VelocityStage;
use crate::world::World;
use silvia_contact::Twist;
use silvia_proximity::{ContactState, shape_contact_at};
use silvia_solid::{Aabb, Pose, Vec3};
use std::collections::BTreeMap;

/// Contact forces found before a cage had to grow, N: a place to start from.
pub(crate) type Guesses = BTreeMap<ContactOf, Vec3>;

/// What came of an island's step.
#[derive(Clone, Debug, Default)]
pub(crate) struct IslandOutcome {
    /// Mean contact forces, N.
    pub(crate) forces: Memory,
    /// Pairs that are kept farther apart than their shell, and by how much, m.
    pub(crate) lifts: Vec<([u32; 2], f64)>,
    pub(crate) contacts: Vec<ContactRecord>,
    pub(crate) impacts: Vec<ImpactRecord>,
    /// What hands did; as impulses until the end of the step.
    pub(crate) hands: Vec<HandRecord>,
    pub(crate) pieces: usize,
    pub(crate) cuts: usize,
    pub(crate) iterations: usize,
    pub(crate) residual: f64,
    pub(crate) smallest_gap: f64,
    pub(crate) certificate: Certificate,
    pub(crate) traded: Traded,
    pub(crate) energy: EnergyAccount,
    pub(crate) momentum: MomentumAccount,
    pub(crate) shortfalls: Vec<Shortfall>,
    /// The deepest overlap at the end, under a compliant method.
    pub(crate) overlap: Option<OverlapRecord>,
    /// The ends of all pieces, one after the other, each of all bodies of the island.
    pub(crate) way: Vec<(BodyId, BodyState)>,
    pub(crate) notes: Vec<String>,
    /// It was at rest, and stayed where it is.
    pub(crate) is_at_rest: bool,
    /// The next step, if nothing changes, comes to the same end.
    pub(crate) is_settled: bool,
}

/// Why an island did not come through its step.
#[derive(Clone, Debug)]
pub(crate) enum Ended {
    /// Bodies need larger cages.
    Escaped {
        /// What the cages must hold.
        boxes: Vec<(u32, Aabb)>,
        /// Contact forces found so far, N.
        forces: Vec<(ContactOf, Vec3)>,
        /// What was spent so far: a step that begins again does not begin to spend again.
        spent: Spent,
    },
    /// Scripted bodies cannot go on: the step is made with these held where they are.
    Blocked(Vec<Held>),
    /// The step cannot be made.
    Failed(StepError),
}

/// The stages of a step, and the lists they hand to each other; kept from step to step, so that a steady step
/// allocates nothing. What they hold between steps affects speed, never results.
#[derive(Debug, Default)]
pub(crate) struct Stages {
    pub(super) predictor: Predictor,
    pub(super) finder: ContactFinder,
    pub(super) responder: Responder,
    pub(super) certifier: Certifier,
    pub(super) velocities: VelocityStage,
    pub(super) acceptor: Acceptor,
    pub(super) candidates: Vec<Candidate>,
    /// What searches remember, by pair of the island: filled before the step, and given back after it.
    pub(crate) memories: Vec<PairMemory>,
    pairs: Vec<Pair>,
    /// Contact impulses so far, those of impacts left out, N s, in the order in which they came.
    impulses: Vec<(ContactOf, Vec3)>,
}

/// An island where it is now: at the start of a piece. Every stage reads it.
pub(crate) struct IslandNow<'a> {
    pub(crate) world: &'a World,
    pub(crate) watch: Option<&'a Stopwatch>,
    pub(crate) island: &'a Island,
    /// Contact forces found before a cage had to grow, N.
    pub(crate) guesses: &'a Guesses,
    /// Length of the whole step, s.
    pub(crate) step: f64,
    /// How much of it is done, s.
    pub(crate) done: f64,
    /// Where all bodies of the island are.
    pub(crate) states: &'a mut Vec<BodyState>,
    pub(crate) pairs: &'a mut Vec<Pair>,
    /// How often bodies have rebounded.
    pub(crate) impacts: usize,
    pub(crate) spent: Spent,
    pub(crate) pace: Pace,
    /// Scripted bodies that are held where they are.
    pub(crate) held: &'a [Held],
    /// By which shares of their springs hands pull that an attempt at this piece saw beyond their limits.
    pub(crate) shares: Vec<(HandId, [f64; 2])>,
}

/// An island on its way through a step.
pub(super) struct IslandRun<'a> {
    pub(super) now: IslandNow<'a>,
    pub(super) predictor: &'a mut Predictor,
    pub(super) finder: &'a mut ContactFinder,
    pub(super) responder: &'a mut Responder,
    pub(super) certifier: &'a mut Certifier,
    pub(super) velocities: &'a mut VelocityStage,
    pub(super) acceptor: &'a mut Acceptor,
    pub(super) candidates: &'a mut Vec<Candidate>,
    pub(super) memories: &'a mut [PairMemory],
    pub(super) impulses: &'a mut Vec<(ContactOf, Vec3)>,
    pub(super) outcome: &'a mut IslandOutcome,
}

/// What an island's step is made of.
pub(super) struct IslandStep<'a> {
    pub(super) world: &'a World,
    pub(super) watch: Option<&'a Stopwatch>,
    /// Where all bodies of the world start.
    pub(super) start: &'a [BodyState],
    pub(super) island: &'a Island,
    /// By number: where bodies are after the step if nothing touches them, if that is known.
    pub(super) flights: &'a [Option<BodyState>],
    pub(super) guesses: &'a Guesses,
    /// Scripted bodies that are held where they are.
    pub(super) held: &'a [Held],
    /// Of the step, s.
    pub(super) length: f64,
    /// What was spent before cages had to grow.
    pub(super) spent: Spent,
}

/// Takes an island through a step: `states` become those at its end, in the island's order.
pub(super) fn run(
    step: &IslandStep<'_>,
    stages: &mut Stages,
    states: &mut Vec<BodyState>,
    outcome: &mut IslandOutcome,
) -> Result<(), Ended> {
    let &IslandStep { world, watch, start, island, flights, guesses, held, length, spent } = step;
    let Stages { predictor, finder, responder, certifier, velocities, acceptor, .. } = stages;
    let Stages { candidates, memories, pairs, impulses, .. } = stages;
    outcome.clear();
    impulses.clear();
    refill(states, island.bodies.iter().map(|&body| start[body as usize]));
    describe_pairs(world, island, states, length, pairs);
    let now = IslandNow {
        world,
        watch,
        island,
        guesses,
        step: length,
        done: 0.0,
        states,
        pairs,
        impacts: 0,
        spent,
        pace: Pace::FREE,
        held,
        shares: Vec::new(),
    };
    let mut run = IslandRun {
        now,
        predictor,
        finder,
        responder,
        certifier,
        velocities,
        acceptor,
        candidates,
        memories,
        impulses,
        outcome,
    };
    run.predictor.begin(&run.now, flights);
    let ended = run.advance();
    run.sum_up();
    let IslandOutcome { energy, momentum, forces, impacts, .. } = &mut *run.outcome;
    energy.close(&run.now, &world.state.bodies);
    momentum.close(&run.now, &world.state.bodies, forces, impacts);
    // A budget that was spent before, or forces that were found before, are not there the next time.
    run.outcome.is_settled = run.outcome.is_at_rest
        && spent == Spent::default()
        && guesses.is_empty()
        && run.outcome.shortfalls.is_empty()
        && is_settled(&run.now, start, &run.outcome.forces);
    ended
}

impl IslandRun<'_> {
    /// Advances piece by piece, as the guarantee of the response method asks for. Under a non-penetrating one
    /// impacts come first.
    fn advance(&mut self) -> Result<(), Ended> {
        let guarantee = self.now.world.response.guarantee();
        while self.now.done < self.now.step {
            self.now.take_in_hand();
            self.forget_shares();
            self.find_contacts();
            match guarantee {
                Guarantee::NonPenetrating if self.rebound() => {
                    self.predictor.forget();
                    continue;
                }
                Guarantee::NonPenetrating if self.outcome.pieces >= tuning::MOST_PIECES => {
                    self.give_way(self.too_many_pieces())?;
                }
                Guarantee::NonPenetrating => self.piece()?,
                Guarantee::Compliant => self.compliant_piece()?,
            }
            self.predictor.forget();
            self.outcome.pieces += 1;
            // Pieces that give way are as long as they may be, and fewer than those before them.
            let most = match guarantee {
                Guarantee::NonPenetrating => 2 * tuning::MOST_PIECES,
                Guarantee::Compliant => tuning::MOST_PIECES,
            };
            if self.outcome.pieces > most {
                return Err(self.now.stuck(self.too_many_pieces()));
            }
        }
        Ok(())
    }

    /// Lets hands pull with all of their strength again: shares are for one piece of one length.
    pub(super) fn forget_shares(&mut self) {
        if !self.now.shares.is_empty() {
            self.now.shares.clear();
            self.predictor.forget();
        }
    }

    fn too_many_pieces(&self) -> StuckReason {
        let near = self.now.tightest(self.candidates);
        StuckReason::TooManyPieces { most: tuning::MOST_PIECES, near }
    }

    /// Finds the candidates for contact over what is left of the step.
    fn find_contacts(&mut self) {
        let left = self.now.step - self.now.done;
        let flight = self.predictor.fly(&self.now, left);
        timed(
            self.now.watch,
            Stage::Contacts,
            |&found| found,
            || {
                self.finder.find(&self.now, flight, left, self.memories, self.candidates);
                self.candidates.len()
            },
        );
        self.now.allow(self.candidates.len());
        self.now.spent.add(self.candidates.len());
    }

    /// Sums up the impulses of all pieces to mean forces.
    fn sum_up(&mut self) {
        refill(&mut self.outcome.lifts, lifts_to_keep(&self.now));
        if !self.impulses.is_sorted_by(|a, b| a.0 < b.0) {
            // Those of one contact stay in the order in which they came: so they are added up.
            self.impulses.sort_by_key(|(contact, _)| *contact);
        }
        let of_contacts = self.impulses.chunk_by(|a, b| a.0 == b.0);
        let (step, memory) = (self.now.step, &self.now.world.state.memory);
        // Where bodies rest, forces stay as they are, to the bit: dividing by the step would round them.
        let is_at_rest = self.outcome.is_at_rest;
        let same = |contact: &ContactOf, sum: Vec3| match is_at_rest {
            true => memory.get(contact).copied().filter(|&force| step * force == sum),
            false => None,
        };
        self.outcome.forces.clear();
        self.outcome.forces.extend(of_contacts.map(|of_contact| {
            let contact = of_contact[0].0;
            let sum = of_contact.iter().fold(Vec3::ZERO, |sum, (_, impulse)| sum + *impulse);
            (contact, same(&contact, sum).unwrap_or(sum / step))
        }));
        for hand in &mut self.outcome.hands {
            (hand.force, hand.torque) = (hand.force / step, hand.torque / step);
        }
        for contact in &mut self.outcome.contacts {
            let key = (contact.bodies.map(|id| id.number), contact.name);
            contact.force = self.outcome.forces.get(&key).copied().unwrap_or_default();
        }
    }
}

impl IslandNow<'_> {
    pub(super) fn body(&self, index: usize) -> &Body {
        self.world.body(self.island.bodies[index])
    }

    /// Numbers in the world of the bodies of a pair.
    pub(super) fn numbers(&self, pair: &Pair) -> [u32; 2] {
        pair.bodies.map(|i| self.island.bodies[i])
    }

    pub(super) fn pose(&self, index: usize, state: &BodyState) -> Pose {
        self.world.pose_of_state(self.island.bodies[index] as usize, state)
    }

    /// Replaces the contents of a list by where all bodies are in given states.
    pub(super) fn put_poses(&self, states: &[BodyState], poses: &mut Vec<Pose>) {
        refill(poses, states.iter().enumerate().map(|(i, state)| self.pose(i, state)));
    }

    /// How a candidate lies when all bodies of the island are at given poses.
    pub(super) fn state_at(&self, candidate: &Candidate, poses: &[Pose]) -> ContactState {
        let [a, b] = self.pairs[candidate.pair].bodies;
        let (of_a, of_b) = (&self.body(a).contact_body, &self.body(b).contact_body);
        shape_contact_at(of_a, &poses[a], of_b, &poses[b], &candidate.name)
    }

    /// No piece is cut to less than this, s.
    pub(super) fn shortest_piece(&self) -> f64 {
        self.world.settings.shortest_cut * self.step
    }

    /// The time in the world, s.
    pub(super) fn time(&self) -> f64 {
        self.world.state.time + self.done
    }

    /// Whether a body is held although a script moves it.
    pub(super) fn is_held(&self, index: usize) -> bool {
        self.held.iter().any(|held| held.body == self.island.bodies[index])
    }

    /// Where a body is after a time if nothing touches it.
    pub(super) fn free_end(&self, index: usize, length: f64) -> BodyState {
        let number = self.island.bodies[index] as usize;
        if self.is_held(index) {
            return BodyState { velocity: Twist::default(), ..self.states[index] };
        }
        let (body, state) = (self.body(index), &self.states[index]);
        if body.is_in_hand() {
            return in_hand(body, state, self.world.outside(), self.span(length), &self.shares);
        }
        free_end(self.world, number, state, self.time(), length, self.until(length))
    }

    /// When a piece of a length ends, s.
    fn until(&self, length: f64) -> Until {
        let time = self.world.state.time;
        // The last piece ends where the next step starts, though its parts may not add up to that by a
        // rounding.
        if length == self.step - self.done {
            Until { time: time + self.step, later: 0.0 }
        } else {
            Until { time, later: self.done + length }
        }
    }

    /// A piece of a length, s, that begins now.
    pub(super) fn span(&self, length: f64) -> Span {
        Span { start: self.time(), until: self.until(length), length }
    }

    /// What hands make of a body over a piece of a length, s; `None` if none holds it.
    pub(super) fn hold(&self, index: usize, length: f64) -> Option<Hold> {
        let body = self.body(index);
        let outside = self.world.outside();
        let held = || held(body, &self.states[index], outside, self.span(length), &self.shares);
        body.is_in_hand().then(held).flatten()
    }

    /// Where a body is after a time that neither contacts nor hands touch, but loads.
    pub(super) fn alone(&self, index: usize, length: f64) -> BodyState {
        fly(self.body(index), &self.states[index], self.world.outside(), self.time(), length)
    }

    /// Bodies need cages that hold these boxes; with the contact forces found so far, N.
    pub(super) fn escaped(&self, boxes: Vec<(u32, Aabb)>, forces: Vec<(ContactOf, Vec3)>) -> Ended {
        Ended::Escaped { boxes, forces, spent: self.spent }
    }

    /// The error of a step that cannot go on from here.
    pub(super) fn stuck(&self, reason: StuckReason) -> Ended {
        let bodies = (0..self.island.movable).map(|i| format!("`{}`", self.body(i).name)).collect();
        Ended::Failed(StepError::Stuck { time: self.time(), bodies, reason })
    }

    /// Hands set velocities anew for each piece.
    fn take_in_hand(&mut self) {
        for index in 0..self.states.len() {
            if let Role::Held(hand) = self.body(index).role {
                self.states[index].velocity = hand;
            }
        }
    }
}

impl IslandOutcome {
    /// Forgets an earlier step, but not its memory.
    fn clear(&mut self) {
        let IslandOutcome { forces, lifts, contacts, impacts, hands, shortfalls, way, notes, .. } = self;
        forces.clear();
        lifts.clear();
        contacts.clear();
        impacts.clear();
        hands.clear();
        shortfalls.clear();
        way.clear();
        notes.clear();
        self.pieces = 0;
        self.cuts = 0;
        self.iterations = 0;
        self.residual = 0.0;
        self.smallest_gap = f64::INFINITY;
        self.certificate = Certificate::default();
        self.traded = Traded::default();
        self.energy = EnergyAccount::default();
        self.momentum = MomentumAccount::default();
        self.overlap = None;
        (self.is_at_rest, self.is_settled) = (false, false);
    }

    /// Tells the user something, once a step.
    pub(super) fn note(&mut self, note: &str) {
        if !self.notes.iter().any(|n| n == note) {
            self.notes.push(note.to_owned());
        }
    }
}
