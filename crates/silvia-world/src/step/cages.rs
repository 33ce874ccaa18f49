//! Boxes that bodies do not leave within a step, and the islands of those whose boxes overlap.

use crate::body::{BodyState, Role};
use crate::flight::fly;
use crate::report::StepError;
use crate::step::likeness::box_around;
use crate::world::World;
use silvia_proximity::culling::overlapping_pairs;
use silvia_proximity::{Path, swept_box};
use silvia_solid::{Aabb, Vec3};

/// How much larger than asked for a cage becomes when a body needs a larger one, as a fraction of the box asked for: a body that
/// was hit by a fast one may be hit again.
const GROWTH: f64 = 0.5;

/// Bodies that may meet within the step.
#[derive(Clone, Debug, PartialEq)]
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
    /// The numbers of the bodies of each pair.
    pub(crate) fn numbered_pairs(&self) -> impl Iterator<Item = [u32; 2]> + '_ {
        self.pairs.iter().map(|pair| pair.map(|at| self.bodies[at]))
    }
}

/// The cages of all bodies.
pub(crate) struct Cages {
    /// By number; `None` for removed bodies.
    boxes: Vec<Option<Aabb>>,
    is_movable: Vec<bool>,
    /// By how much cages are larger than the free ways of their bodies, m.
    spares: Vec<f64>,
}

impl Cages {
    /// Cages that hold each body on its free way, and on any other that takes it no farther.
    pub(crate) fn new(world: &World, start: &[BodyState], length: f64) -> Result<Cages, StepError> {
        let mut boxes = Vec::with_capacity(world.bodies.len());
        let mut is_movable = Vec::with_capacity(world.bodies.len());
        let mut spares = vec![0.0; world.bodies.len()];
        for (index, body) in world.bodies.iter().enumerate() {
            let Some(body) = body else {
                boxes.push(None);
                is_movable.push(false);
                continue;
            };
            let from = world.pose_of_state(index, &start[index]);
            let about = body.inertia.centre;
            let movable = body.is_movable();
            is_movable.push(movable);
            if movable && world.is_drowsy(index as u32) {
                let here = swept_box(&body.contact_body, &Path { from, to: from, about });
                let spare = Vec3::splat(8.0 * world.settings.shell * body.size);
                boxes.push(Some(Aabb { min: here.min - spare, max: here.max + spare }));
                continue;
            }
            let until = Moment { time: world.state.time + length, later: 0.0 };
            let end = free_end(world, index, &start[index], world.state.time, length, until);
            if !(end.centre.is_finite() && end.rotation.is_finite()) {
                return Err(StepError::OutOfRange {
                    body: body.name.clone(),
                    speed: start[index].velocity.linear.length(),
                });
            }
            let to = world.pose_of_state(index, &end);
            let times = [world.state.time, world.state.time + length];
            let mut cage = box_around(world, index, [&start[index], &end], times);
            if movable {
                // It may as well be sent the opposite way.
                let there = swept_box(&body.contact_body, &Path { from: to, to, about });
                let here = swept_box(&body.contact_body, &Path { from, to: from, about });
                let way = (there.min - here.min).abs().max((there.max - here.max).abs()).max_element();
                let fallen = 0.5 * world.settings.gravity.length() * length * length;
                spares[index] = 1.5 * (way + fallen) + 8.0 * world.settings.shell * body.size;
                cage = widened(cage, spares[index]);
            }
            boxes.push(Some(cage));
        }
        let mut cages = Cages { boxes, is_movable, spares };
        cages.spread(world);
        Ok(cages)
    }

    /// A body that may be hit may be sent as far as what hits it goes.
    fn spread(&mut self, world: &World) {
        let mut widest = self.spares.clone();
        for [a, b] in meeting_pairs(world, &self.boxes).into_iter().map(|pair| pair.map(|body| body as usize))
        {
            if self.is_movable[a] && self.is_movable[b] {
                widest[a] = widest[a].max(self.spares[b]);
                widest[b] = widest[b].max(self.spares[a]);
            }
        }
        for ((cage, &spare), wide) in self.boxes.iter_mut().zip(&self.spares).zip(widest) {
            // Bodies that sleep have no spare, and stay where they are until something else comes near.
            if let Some(cage) = cage
                && spare > 0.0
            {
                *cage = widened(*cage, wide - spare);
            }
        }
    }

    /// Makes a body's cage hold a box too, and more.
    pub(crate) fn grow(&mut self, body: u32, bounds: Aabb) {
        if let Some(cage) = &mut self.boxes[body as usize] {
            let wide = cage.merged(bounds);
            let spare = GROWTH * wide.size().max_element().min(f64::MAX);
            *cage = Aabb { min: wide.min - spare, max: wide.max + spare };
        }
    }

    /// The islands, in the order of their first bodies. Bodies that cannot be moved join every island they may meet and connect none.
    pub(crate) fn islands(&self, world: &World) -> Vec<Island> {
        let pairs = meeting_pairs(world, &self.boxes);
        let mut parent: Vec<u32> = (0..self.boxes.len() as u32).collect();
        for &[a, b] in &pairs {
            if self.is_movable[a as usize] && self.is_movable[b as usize] {
                let (a, b) = (root(&mut parent, a), root(&mut parent, b));
                // The lower number stays the root, so that islands come in order.
                parent[a.max(b) as usize] = a.min(b);
            }
        }
        let mut number = vec![usize::MAX; self.boxes.len()];
        let mut islands: Vec<Island> = Vec::new();
        for body in 0..self.boxes.len() as u32 {
            if self.boxes[body as usize].is_some() && self.is_movable[body as usize] {
                let first = root(&mut parent, body) as usize;
                if number[first] == usize::MAX {
                    number[first] = islands.len();
                    islands.push(Island { bodies: vec![], movable: 0, pairs: vec![], cages: vec![] });
                }
                let island = &mut islands[number[first]];
                island.bodies.push(body);
                island.movable += 1;
            }
        }
        let mut global: Vec<Vec<[u32; 2]>> = vec![Vec::new(); islands.len()];
        for &[a, b] in &pairs {
            let mover = if self.is_movable[a as usize] { a } else { b };
            global[number[root(&mut parent, mover) as usize]].push([a, b]);
        }
        for (island, pairs) in islands.iter_mut().zip(global) {
            let still = |body: &u32| !self.is_movable[*body as usize];
            let mut others: Vec<u32> = pairs.iter().flatten().copied().filter(still).collect();
            others.sort_unstable();
            others.dedup();
            island.bodies.extend(others);
            let movable = &island.bodies[..island.movable];
            let others = &island.bodies[island.movable..];
            let local = |body: u32| match movable.binary_search(&body) {
                Ok(at) => at,
                Err(_) => island.movable + others.partition_point(|&other| other < body),
            };
            island.pairs = pairs.iter().map(|&[a, b]| [local(a), local(b)]).collect();
            island.cages = island.bodies.iter().filter_map(|&body| self.boxes[body as usize]).collect();
        }
        islands
    }
}

/// Pairs of bodies that are asked about and whose boxes overlap, at least one of which can be moved, in order. There is a
/// box for each number of a body that there is.
pub(crate) fn meeting_pairs(world: &World, boxes: &[Option<Aabb>]) -> Vec<[u32; 2]> {
    let is_bounded = |bounds: &Aabb| bounds.min.is_finite() && bounds.max.is_finite();
    let (mut numbers, mut bounded, mut unbounded) = (Vec::new(), Vec::new(), Vec::new());
    for (body, bounds) in boxes.iter().enumerate() {
        match bounds {
            Some(bounds) if is_bounded(bounds) => {
                numbers.push(body as u32);
                bounded.push(*bounds);
            }
            Some(bounds) => unbounded.push((body as u32, *bounds)),
            None => {}
        }
    }
    // Finite boxes are never refused.
    let found = overlapping_pairs(&bounded).unwrap_or_default();
    let mut pairs: Vec<[u32; 2]> = found.iter().map(|pair| pair.map(|at| numbers[at as usize])).collect();
    for (at, &(wide, bounds)) in unbounded.iter().enumerate() {
        let near =
            numbers.iter().copied().zip(bounded.iter().copied()).chain(unbounded[at + 1..].iter().copied());
        let near = near.filter(|(_, other)| bounds.overlaps(other));
        pairs.extend(near.map(|(other, _)| [wide.min(other), wide.max(other)]));
    }
    let can_move = |body: u32| world.body(body).is_movable();
    pairs.retain(|&[a, b]| (can_move(a) || can_move(b)) && world.filter.admits(a, b));
    pairs.sort_unstable();
    pairs
}

/// When a body is to be somewhere: some time (s) after another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    pub(crate) time: f64,
    pub(crate) later: f64,
}

/// Where a body is a time `length` (s) after `time` if nothing touches it; that is at the moment `until`, to the last bit.
pub(crate) fn free_end(
    world: &World,
    number: usize,
    from: &BodyState,
    time: f64,
    length: f64,
    until: Moment,
) -> BodyState {
    let body = world.body(number as u32);
    match &body.role {
        Role::Fixed => *from,
        Role::Scripted(_) => world.scripted_after(number, until.time, until.later),
        Role::Held(_) => drift(from, length),
        Role::Free => fly(body, from, world.settings.gravity, time, length),
    }
}

/// Where a body is that goes on as it does.
pub(crate) fn drift(from: &BodyState, length: f64) -> BodyState {
    let turn = silvia_solid::Quat::from_scaled_axis(length * from.velocity.angular);
    BodyState {
        centre: from.centre + length * from.velocity.linear,
        rotation: (turn * from.rotation).normalize(),
        velocity: from.velocity,
    }
}

fn widened(cage: Aabb, by: f64) -> Aabb {
    Aabb { min: cage.min - Vec3::splat(by), max: cage.max + Vec3::splat(by) }
}

fn root(parent: &mut [u32], mut body: u32) -> u32 {
    while parent[body as usize] != body {
        parent[body as usize] = parent[parent[body as usize] as usize];
        body = parent[body as usize];
    }
    body
}
