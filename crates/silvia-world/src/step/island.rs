//! An island advances through a step, piece by piece.

use crate::body::{Body, BodyId, BodyState, Role};
use crate::profile::{Stage, Stopwatch, timed};
use crate::report::{Certificate, ContactRecord, ImpactRecord, StepError, Traded};
use crate::response::refill;
use crate::state::{ContactOf, Memory};
use crate::step::cages::{Island, Moment, free_end};
use crate::step::contacts::PairOf;
use crate::step::room::Room;
use crate::threads::{BODIES, refill_each};
use crate::world::World;
use silvia_solid::{Aabb, Pose, Vec3};
use std::collections::BTreeMap;

/// Most pieces of a step of an island.
const MOST_PIECES: usize = 2_000;

/// Contact forces that were found before cages had to grow, N: something to start from.
pub(crate) type Guesses = BTreeMap<ContactOf, Vec3>;

/// How an island came through a step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ran {
    /// Of its bodies, in the island's order.
    pub(crate) states: Vec<BodyState>,
    /// Mean contact forces, N.
    pub(crate) forces: Memory,
    /// Of pairs that are kept farther apart than their shell, m.
    pub(crate) lifts: Vec<([u32; 2], f64)>,
    pub(crate) contacts: Vec<ContactRecord>,
    pub(crate) impacts: Vec<ImpactRecord>,
    pub(crate) pieces: usize,
    pub(crate) cuts: usize,
    pub(crate) iterations: usize,
    pub(crate) residual: f64,
    pub(crate) smallest_gap: f64,
    pub(crate) certificate: Certificate,
    pub(crate) traded: Traded,
    /// The ends of all pieces, one after the other, each of all bodies of the island.
    pub(crate) way: Vec<(BodyId, BodyState)>,
    pub(crate) notes: Vec<String>,
}

/// Why an island did not come through.
#[derive(Clone, Debug)]
pub(crate) enum Ended {
    /// Bodies need larger cages.
    Escaped {
        /// What these must hold.
        boxes: Vec<(u32, Aabb)>,
        /// Contact forces as they were then, N: something to start from.
        forces: Vec<(ContactOf, Vec3)>,
    },
    /// The step cannot be made.
    Failed(StepError),
}

impl Ran {
    /// As it is before a step, with all its memory.
    fn empty(&mut self) {
        let Ran { states, forces, lifts, contacts, impacts, way, notes, .. } = self;
        states.clear();
        forces.clear();
        lifts.clear();
        contacts.clear();
        impacts.clear();
        way.clear();
        notes.clear();
        self.pieces = 0;
        self.cuts = 0;
        self.iterations = 0;
        self.residual = 0.0;
        self.smallest_gap = f64::INFINITY;
        self.certificate = Certificate::default();
        self.traded = Traded::default();
    }
}

/// An island on its way.
pub(crate) struct Run<'a> {
    pub(crate) world: &'a World,
    pub(crate) watch: Option<&'a Stopwatch>,
    pub(crate) island: &'a Island,
    /// Contact forces that were found before cages had to grow, N.
    pub(crate) guesses: &'a Guesses,
    /// Of the whole step, s.
    pub(crate) length: f64,
    /// How much of it is done, s.
    pub(crate) done: f64,
    /// Of all bodies of the island, now.
    pub(crate) states: Vec<BodyState>,
    pub(crate) pairs: Vec<PairOf>,
    /// How often bodies have rebounded.
    pub(crate) rebounds: usize,
    /// Contact impulses so far, those of impacts left out, N s, in the order in which they came.
    pub(crate) impulses: Vec<(ContactOf, Vec3)>,
    pub(crate) ran: Ran,
    pub(crate) room: &'a mut Room,
}

/// Takes an island through a step. What earlier steps left in `ran` and `room` is memory and no more.
pub(crate) fn run(
    world: &World,
    start: &[BodyState],
    (island, guesses): (&Island, &Guesses),
    length: f64,
    watch: Option<&Stopwatch>,
    (ran, room): (&mut Ran, &mut Room),
) -> Result<(), Ended> {
    ran.empty();
    let mut states = std::mem::take(&mut ran.states);
    refill(&mut states, island.bodies.iter().map(|&body| start[body as usize]));
    let mut pairs = std::mem::take(&mut room.pairs);
    let mut impulses = std::mem::take(&mut room.impulses);
    pairs.clear();
    impulses.clear();
    let ran_so_far = std::mem::take(ran);
    let mut run = Run {
        world,
        watch,
        island,
        guesses,
        length,
        done: 0.0,
        states,
        pairs,
        rebounds: 0,
        impulses,
        ran: ran_so_far,
        room,
    };
    run.describe_pairs();
    let ended = run.advance();
    run.tell();
    let Run { states, mut pairs, impulses, ran: told, room, .. } = run;
    refill(&mut room.memories, pairs.iter_mut().map(|pair| std::mem::take(&mut pair.memory)));
    (room.pairs, room.impulses) = (pairs, impulses);
    *ran = Ran { states, ..told };
    ended
}

impl Run<'_> {
    /// Piece by piece.
    fn advance(&mut self) -> Result<(), Ended> {
        let (length, watch) = (self.length, self.watch);
        while self.done < length {
            self.take_in_hand();
            self.room.flown = None;
            let mut near = std::mem::take(&mut self.room.near);
            timed(watch, Stage::Contacts, |&found| found, || self.find_near(length - self.done, &mut near));
            let has_rebounded = near.iter().any(|n| self.is_impact(n)) && self.rebound(&near)?;
            if !has_rebounded {
                self.piece(&mut near)?;
                self.ran.pieces += 1;
            }
            self.room.near = near;
            if self.ran.pieces > MOST_PIECES {
                return Err(self.stuck(format!("it was cut into more than {MOST_PIECES} pieces")));
            }
        }
        Ok(())
    }

    /// Says how it came through.
    fn tell(&mut self) {
        let mut lifts = std::mem::take(&mut self.ran.lifts);
        refill(&mut lifts, self.lifts_to_keep());
        self.ran.lifts = lifts;
        if !self.impulses.is_sorted_by(|a, b| a.0 < b.0) {
            // Those of one contact stay in the order in which they came: so they are added up.
            self.impulses.sort_by_key(|(contact, _)| *contact);
        }
        let length = self.length;
        let of_contacts = self.impulses.chunk_by(|a, b| a.0 == b.0);
        self.ran.forces.clear();
        self.ran.forces.extend(of_contacts.map(|of_contact| {
            let sum = of_contact.iter().fold(Vec3::ZERO, |sum, (_, impulse)| sum + *impulse);
            (of_contact[0].0, sum / length)
        }));
        for contact in &mut self.ran.contacts {
            let key = (contact.bodies.map(|body| body.0), contact.name);
            contact.force = self.ran.forces.get(&key).copied().unwrap_or_default();
        }
    }

    pub(crate) fn body(&self, index: usize) -> &Body {
        self.world.body(self.island.bodies[index])
    }

    pub(crate) fn pose(&self, index: usize, state: &BodyState) -> Pose {
        self.world.pose_of_state(self.island.bodies[index] as usize, state)
    }

    /// Where all bodies are in given states.
    pub(crate) fn poses_in(&self, states: &[BodyState]) -> Vec<Pose> {
        let mut poses = Vec::new();
        self.put_poses_in(states, &mut poses);
        poses
    }

    /// The same in place of what a list holds.
    pub(crate) fn put_poses_in(&self, states: &[BodyState], poses: &mut Vec<Pose>) {
        refill(poses, states.iter().enumerate().map(|(i, state)| self.pose(i, state)));
    }

    /// Now, s.
    pub(crate) fn time(&self) -> f64 {
        self.world.state.time + self.done
    }

    /// Hands set velocities anew for each piece.
    fn take_in_hand(&mut self) {
        for index in 0..self.states.len() {
            if let Role::Held(hand) = self.body(index).role {
                self.states[index].velocity = hand;
            }
        }
    }

    /// Where a body is after a time if nothing touches it.
    pub(crate) fn free_end(&self, index: usize, length: f64) -> BodyState {
        let number = self.island.bodies[index] as usize;
        let time = self.world.state.time;
        // The last piece ends where the next step starts, though its parts may not add up to that by a
        // rounding.
        let until = if length == self.length - self.done {
            Moment { time: time + self.length, later: 0.0 }
        } else {
            Moment { time, later: self.done + length }
        };
        free_end(self.world, number, &self.states[index], self.time(), length, until)
    }

    /// Finds where all bodies are after a time if nothing touches them, unless that is known; how many
    /// flights that took.
    pub(super) fn fly(&mut self, length: f64) -> usize {
        if self.room.flown == Some(length) {
            return 0;
        }
        let mut flight = std::mem::take(&mut self.room.flight);
        refill_each(&mut flight, self.states.len(), BODIES, |i| self.free_end(i, length));
        self.room.flight = flight;
        self.room.flown = Some(length);
        self.states.len()
    }

    /// No point of a body that flies to an end within a time moves farther than this, about, m.
    pub(super) fn way(&self, index: usize, end: &BodyState, length: f64) -> f64 {
        let start = &self.states[index];
        let radius = self.body(index).size;
        let turn = start.velocity.angular.length().max(end.velocity.angular.length()) * length;
        let speed = start.velocity.linear.length().max(end.velocity.linear.length());
        let turned = if turn > 0.0 { turn * radius } else { 0.0 };
        (speed * length).max(end.centre.distance(start.centre)) + turned
    }

    /// Tells the user something, once a step.
    pub(crate) fn note(&mut self, note: &str) {
        if !self.ran.notes.iter().any(|n| n == note) {
            self.ran.notes.push(note.to_owned());
        }
    }

    pub(crate) fn stuck(&self, why: String) -> Ended {
        let bodies = (0..self.island.movable).map(|i| format!("`{}`", self.body(i).name)).collect();
        Ended::Failed(StepError::Stuck { time: self.time(), bodies, why })
    }
}
