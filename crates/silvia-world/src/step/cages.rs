//! Boxes that bodies do not leave within a step, and the islands of those whose boxes overlap.

use crate::body::{Body, BodyState};
use crate::buffers::{BODIES, refill, refill_each};
use crate::flight::{Until, free_end};
use crate::report::StepError;
use crate::step::chord_limit::{box_around, box_with_turn};
use crate::step::neighbours::Neighbours;
use crate::step::tuning;
use crate::world::World;
use silvia_proximity::{RigidPath, swept_box};
use silvia_solid::Aabb;

/// Bodies that may meet within the step.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Island {
    /// Those that contacts can move, in order, then the others, in order.
    pub(crate) bodies: Vec<u32>,
    /// How many can be moved.
    pub(crate) movable: usize,
    /// Pairs that may meet, as indices into `bodies`; of each pair the body with the lower number first.
    pub(crate) pairs: Vec<[usize; 2]>,
    /// Of each body.
    pub(crate) cages: Vec<Aabb>,
}

impl Island {
    /// Whether pieces of the island may be of second order. Those of bodies in hand are of first, and with
    /// them those of all that they may touch.
    pub(crate) fn has_second_order(&self, world: &World) -> bool {
        let is_in_hand = |&body: &u32| world.body(body).is_in_hand();
        world.may_be_of_second_order() && !self.bodies[..self.movable].iter().any(is_in_hand)
    }

    /// The numbers of the bodies of each pair.
    pub(crate) fn numbered_pairs(&self) -> impl Iterator<Item = [u32; 2]> + '_ {
        self.pairs.iter().map(|pair| pair.map(|at| self.bodies[at]))
    }
}

/// The cages of all bodies, and the islands of those that overlap; in memory that is kept from step to step.
#[derive(Debug, Default)]
pub(crate) struct Cages {
    /// By number; `None` for removed bodies.
    boxes: Vec<Option<Aabb>>,
    /// As they are made.
    new: Vec<Result<Caged, StepError>>,
    /// By number: where bodies are after the step if nothing touches them; `None` for those asleep.
    flights: Vec<Option<BodyState>>,
    is_movable: Vec<bool>,
    /// By how much cages are larger than the free ways of their bodies, m; and by how much they are to be.
    spares: Vec<f64>,
    widest: Vec<f64>,
    last: Vec<f64>,
    neighbours: Neighbours,
    /// Bodies that may meet, in order.
    pairs: Vec<[u32; 2]>,
    /// By number: another body of the same island, and in the end the first; the body itself, if it is that.
    parent: Vec<u32>,
    /// By number, of first bodies: which island it is.
    number: Vec<usize>,
    /// Those found, and after them what is left of earlier ones.
    islands: Vec<Island>,
}

impl Cages {
    /// Makes cages that hold each body on its free way, and on any other that takes it no farther.
    pub(crate) fn build(&mut self, world: &World, start: &[BodyState], length: f64) -> Result<(), StepError> {
        let Cages { boxes, is_movable, spares, new, flights, .. } = self;
        refill_each(new, world.bodies.len(), BODIES, |index| cage(world, index, start, length));
        refill(is_movable, world.bodies.iter().map(|body| body.as_ref().is_some_and(Body::is_movable)));
        boxes.clear();
        spares.clear();
        flights.clear();
        for caged in new.drain(..) {
            let Caged { cage, spare, flight } = caged?;
            boxes.push(cage);
            spares.push(spare);
            flights.push(flight);
        }
        self.spread(world);
        Ok(())
    }

    /// A body that may be hit may be sent as far as what hits it goes, and hit others in turn.
    fn spread(&mut self, world: &World) {
        let Cages { boxes, is_movable, spares, widest, last, neighbours, pairs, .. } = self;
        neighbours.meeting_pairs(world, boxes, pairs);
        refill(widest, spares.iter().copied());
        hand_on(pairs, is_movable, tuning::HITS_IN_A_ROW, widest, last);
        for ((cage, &spare), &wide) in boxes.iter_mut().zip(&*spares).zip(&*widest) {
            // Bodies that sleep have no spare, and stay where they are until something else comes near.
            if let Some(cage) = cage
                && spare > 0.0
            {
                *cage = cage.widened(wide - spare);
            }
        }
    }

    /// Makes the cages of bodies hold boxes too, and more; and those of bodies that may be hit by them: the
    /// more of them, the more often that was not enough.
    pub(crate) fn grow(&mut self, escaped: &[(u32, Aabb)], often: u32) {
        let Cages { boxes, is_movable, spares, widest, last, pairs, .. } = self;
        spares.fill(0.0);
        for &(body, bounds) in escaped {
            if let Some(cage) = &mut boxes[body as usize] {
                let wide = cage.merged(bounds);
                let spare = tuning::CAGE_GROWTH * wide.size().max_element().min(f64::MAX);
                *cage = wide.widened(spare);
                spares[body as usize] = spare;
            }
        }
        refill(widest, spares.iter().copied());
        let hits = tuning::HITS_IN_A_ROW << often.min(tuning::MOST_DOUBLINGS);
        hand_on(pairs, is_movable, hits, widest, last);
        for ((cage, &spare), &wide) in boxes.iter_mut().zip(&*spares).zip(&*widest) {
            if let Some(cage) = cage
                && wide > spare
            {
                *cage = cage.widened(wide - spare);
            }
        }
    }

    /// All pairs of bodies that may meet, in order: those of the islands.
    pub(crate) fn pairs(&self) -> &[[u32; 2]] {
        &self.pairs
    }

    /// By number: where bodies are after the step if nothing touches them; `None` for those asleep.
    pub(crate) fn flights(&self) -> &[Option<BodyState>] {
        &self.flights
    }

    /// The islands, in the order of their first bodies. Bodies that cannot be moved join every island they
    /// may meet and connect none.
    pub(crate) fn islands(&mut self, world: &World) -> &mut [Island] {
        let Cages { boxes, is_movable, neighbours, pairs, parent, number, islands, .. } = self;
        neighbours.meeting_pairs(world, boxes, pairs);
        refill(parent, 0..boxes.len() as u32);
        for &[a, b] in &*pairs {
            if is_movable[a as usize] && is_movable[b as usize] {
                let (a, b) = (root(parent, a), root(parent, b));
                // The lower number stays the root, so that islands come in order.
                parent[a.max(b) as usize] = a.min(b);
            }
        }
        refill(number, boxes.iter().map(|_| usize::MAX));
        let mut count = 0;
        for body in 0..boxes.len() as u32 {
            if boxes[body as usize].is_some() && is_movable[body as usize] {
                let first = root(parent, body) as usize;
                if number[first] == usize::MAX {
                    number[first] = count;
                    count += 1;
                    if islands.len() < count {
                        islands.push(Island::default());
                    }
                    islands[count - 1].empty();
                }
                let island = &mut islands[number[first]];
                island.bodies.push(body);
                island.movable += 1;
            }
        }
        for &[a, b] in &*pairs {
            let mover = if is_movable[a as usize] { a } else { b };
            let island = &mut islands[number[root(parent, mover) as usize]];
            island.pairs.push([a as usize, b as usize]);
            island.bodies.extend([a, b].into_iter().filter(|&body| !is_movable[body as usize]));
        }
        let islands = &mut islands[..count];
        islands.iter_mut().for_each(|island| island.number_within(boxes));
        islands
    }
}

impl Island {
    fn empty(&mut self) {
        let Island { bodies, movable, pairs, cages } = self;
        bodies.clear();
        pairs.clear();
        cages.clear();
        *movable = 0;
    }

    /// Once all pairs are there by the numbers of their bodies, and those that cannot be moved perhaps
    /// several times: puts them in order.
    fn number_within(&mut self, boxes: &[Option<Aabb>]) {
        let Island { bodies, movable, pairs, cages } = self;
        bodies[*movable..].sort_unstable();
        // The others have other numbers than those before them.
        bodies.dedup();
        let (movers, others) = bodies.split_at(*movable);
        let local = |body: usize| match movers.binary_search(&(body as u32)) {
            Ok(at) => at,
            Err(_) => movers.len() + others.partition_point(|&other| (other as usize) < body),
        };
        pairs.iter_mut().for_each(|pair| *pair = pair.map(local));
        refill(cages, bodies.iter().filter_map(|&body| boxes[body as usize]));
    }
}

/// Gives bodies that may be hit the spare of what hits them, if that is more, and those that they may hit in
/// turn, for so many hits in a row.
fn hand_on(pairs: &[[u32; 2]], is_movable: &[bool], hits: usize, spares: &mut [f64], last: &mut Vec<f64>) {
    for _ in 0..hits {
        refill(last, spares.iter().copied());
        for [a, b] in pairs.iter().map(|pair| pair.map(|body| body as usize)) {
            if is_movable[a] && is_movable[b] {
                spares[a] = spares[a].max(last[b]);
                spares[b] = spares[b].max(last[a]);
            }
        }
        if spares == &last[..] {
            return;
        }
    }
}

/// What is found for a body before the step.
#[derive(Debug)]
struct Caged {
    /// A box that holds it on its free way, and on any other that takes it no farther; `None` for a body that
    /// was removed.
    cage: Option<Aabb>,
    /// By how much it is larger than the free way asks for, m.
    spare: f64,
    /// Where it is after the step if nothing touches it; `None` if it sleeps.
    flight: Option<BodyState>,
}

fn cage(world: &World, index: usize, start: &[BodyState], length: f64) -> Result<Caged, StepError> {
    let Some(body) = &world.bodies[index] else { return Ok(Caged { cage: None, spare: 0.0, flight: None }) };
    let about = body.inertia.centre;
    let box_at = |state: &BodyState| {
        let at = world.pose_of_state(index, state);
        swept_box(&body.contact_body, &RigidPath { from: at, to: at, about })
    };
    let shells = tuning::CAGE_SHELLS * world.settings.shell_in_use() * body.size;
    let is_movable = body.is_movable();
    if is_movable && world.is_drowsy(index as u32) {
        let here = box_at(&start[index]);
        return Ok(Caged { cage: Some(here.widened(shells)), spare: 0.0, flight: None });
    }
    let [from, until] = [world.state.time, world.state.time + length];
    let end = free_end(world, index, &start[index], from, length, Until { time: until, later: 0.0 });
    if !(end.centre.is_finite() && end.rotation.is_finite()) {
        return Err(StepError::OutOfRange {
            body: body.name.clone(),
            speed: start[index].velocity.linear.length(),
        });
    }
    let states = [&start[index], &end];
    if !is_movable {
        let cage = box_around(world, index, states, [from, until]);
        return Ok(Caged { cage: Some(cage), spare: 0.0, flight: Some(end) });
    }
    let [here, there] = states.map(box_at);
    let cage = box_with_turn(body, states, length, here.merged(there));
    // It may as well be sent the opposite way.
    let way = (there.min - here.min).abs().max((there.max - here.max).abs()).max_element();
    let fallen = 0.5 * world.outside().gravity.length() * length * length;
    let spare = tuning::CAGE_SPARE * (way + fallen) + shells;
    Ok(Caged { cage: Some(cage.widened(spare)), spare, flight: Some(end) })
}

fn root(parent: &mut [u32], mut body: u32) -> u32 {
    while parent[body as usize] != body {
        parent[body as usize] = parent[parent[body as usize] as usize];
        body = parent[body as usize];
    }
    body
}
