//! An island advances through a step, piece by piece.

use crate::body::{Body, BodyId, BodyState, Role};
use crate::profile::{Stage, Stopwatch, timed};
use crate::report::{Certificate, ContactRecord, ImpactRecord, StepError, Traded};
use crate::state::Memory;
use crate::step::cages::{Island, Moment, free_end};
use crate::step::contacts::PairOf;
use crate::world::World;
use silvia_proximity::ShapeContactCache;
use silvia_solid::{Aabb, Pose};

/// Most pieces of a step of an island.
const MOST_PIECES: usize = 2_000;

/// How an island came through a step.
#[derive(Clone, Debug)]
pub(crate) struct Ran {
    /// Of the bodies that can be moved, in the island's order.
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
    /// The ends of all pieces.
    pub(crate) way: Vec<Vec<(BodyId, BodyState)>>,
    pub(crate) notes: Vec<String>,
}

/// Why an island did not come through.
#[derive(Clone, Debug)]
pub(crate) enum Ended {
    /// Bodies need larger cages.
    Escaped(Vec<(u32, Aabb)>),
    /// The step cannot be made.
    Failed(StepError),
}

/// An island on its way.
pub(crate) struct Run<'a> {
    pub(crate) world: &'a World,
    pub(crate) watch: Option<&'a Stopwatch>,
    pub(crate) island: &'a Island,
    /// Of the whole step, s.
    pub(crate) length: f64,
    /// How much of it is done, s.
    pub(crate) done: f64,
    /// Of all bodies of the island, now.
    pub(crate) states: Vec<BodyState>,
    pub(crate) pairs: Vec<PairOf>,
    /// How often bodies have rebounded.
    pub(crate) rebounds: usize,
    /// Contact impulses so far, those of impacts left out, N s.
    pub(crate) impulses: Memory,
    pub(crate) ran: Ran,
}

/// What searches for contacts of a pair left for the next, in the order of the island's pairs.
pub(crate) type Caches = Vec<ShapeContactCache>;

/// Takes an island through a step. What earlier searches for contacts know makes this quicker and changes nothing.
pub(crate) fn run(
    world: &World,
    start: &[BodyState],
    island: &Island,
    caches: Caches,
    length: f64,
    watch: Option<&Stopwatch>,
) -> (Result<Ran, Ended>, Caches) {
    let states = island.bodies.iter().map(|&body| start[body as usize]).collect();
    let ran = Ran {
        states: Vec::new(),
        forces: Memory::new(),
        lifts: Vec::new(),
        contacts: Vec::new(),
        impacts: Vec::new(),
        pieces: 0,
        cuts: 0,
        iterations: 0,
        residual: 0.0,
        smallest_gap: f64::INFINITY,
        certificate: Certificate::default(),
        traded: Traded::default(),
        way: Vec::new(),
        notes: Vec::new(),
    };
    let impulses = Memory::new();
    let mut run = Run {
        world,
        watch,
        island,
        length,
        done: 0.0,
        states,
        pairs: Vec::new(),
        rebounds: 0,
        impulses,
        ran,
    };
    run.pairs = run.pairs_of(caches);
    let ended = run.advance();
    let caches = run.pairs.iter_mut().map(|pair| std::mem::take(&mut pair.cache)).collect();
    (ended.map(|()| run.told()), caches)
}

impl Run<'_> {
    /// Piece by piece.
    fn advance(&mut self) -> Result<(), Ended> {
        let (length, watch) = (self.length, self.watch);
        while self.done < length {
            self.take_in_hand();
            let near = timed(watch, Stage::Contacts, Vec::len, || self.near(length - self.done));
            if self.rebound(&near)? {
                continue;
            }
            self.piece(near)?;
            self.ran.pieces += 1;
            if self.ran.pieces > MOST_PIECES {
                return Err(self.stuck(format!("it was cut into more than {MOST_PIECES} pieces")));
            }
        }
        Ok(())
    }

    /// How it came through.
    fn told(mut self) -> Ran {
        self.ran.lifts = self.lifts_to_keep();
        self.states.truncate(self.island.movable);
        self.ran.states = self.states;
        let length = self.length;
        self.ran.forces = self.impulses.into_iter().map(|(key, impulse)| (key, impulse / length)).collect();
        for contact in &mut self.ran.contacts {
            let key = (contact.bodies.map(|body| body.0), contact.name);
            contact.force = self.ran.forces.get(&key).copied().unwrap_or_default();
        }
        self.ran
    }

    pub(crate) fn body(&self, index: usize) -> &Body {
        self.world.body(self.island.bodies[index])
    }

    pub(crate) fn pose(&self, index: usize, state: &BodyState) -> Pose {
        self.world.pose_of_state(self.island.bodies[index] as usize, state)
    }

    /// Where all bodies are now.
    pub(crate) fn poses(&self) -> Vec<Pose> {
        self.poses_in(&self.states)
    }

    /// Where all bodies are in given states.
    pub(crate) fn poses_in(&self, states: &[BodyState]) -> Vec<Pose> {
        states.iter().enumerate().map(|(i, state)| self.pose(i, state)).collect()
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
        // The last piece ends where the next step starts, though its parts may not add up to that by a rounding.
        let until = if length == self.length - self.done {
            Moment { time: time + self.length, later: 0.0 }
        } else {
            Moment { time, later: self.done + length }
        };
        free_end(self.world, number, &self.states[index], self.time(), length, until)
    }

    /// No point of a body moves farther than this within a time if nothing touches it, about, m.
    pub(crate) fn way(&self, index: usize, length: f64) -> f64 {
        let end = self.free_end(index, length);
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
