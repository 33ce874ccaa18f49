//! Bodies that fit others without any clearance.
//!
//! A peg exactly as wide as its hole touches both sides of it, and no motion opens both gaps. Rounding alone
//! decides whether it overlaps them. Such a body is *drawn in*: its surface goes inwards by some shells
//! (1e-9 of its size), so that there is a clearance that rounding cannot close. So is one that overlaps
//! others by no more than that. What overlaps all the same is refused.

use crate::body::{Body, BodyState};
use crate::report::StepError;
use crate::step::opening::{Overlapping, shell_of, touches};
use crate::step::tuning;
use crate::world::World;

/// Bodies as they were before they were drawn in, by number: put back if a step is not made.
#[derive(Default)]
pub(super) struct Whole(Vec<(u32, Body)>);

impl Whole {
    /// Makes bodies what they were.
    pub(super) fn put_back(self, world: &mut World) {
        for (number, body) in self.0.into_iter().rev() {
            world.replace(number, body);
        }
    }

    /// What a user should know about bodies that were drawn in.
    pub(super) fn notes<'a>(&'a self, world: &'a World) -> impl Iterator<Item = String> + 'a {
        self.0.iter().map(|(number, body)| {
            let inset = world.body(*number).inset;
            format!("`{}` fits without clearance: its surface is drawn in by {inset:.1e} m", body.name)
        })
    }
}

/// Draws in one body of each pair that moving bodies does not take apart. An error if a pair still overlaps
/// where it was placed.
pub(super) fn draw_in(
    world: &mut World,
    states: &[BodyState],
    closed: &[Overlapping],
    whole: &mut Whole,
) -> Result<(), StepError> {
    let known = whole.0.len();
    for overlap in closed {
        let is_done = whole.0[known..].iter().any(|(number, _)| overlap.pair.contains(number));
        if !is_done {
            let (number, body) = thinner(world, states, overlap).ok_or_else(|| overlap.refused(world))?;
            whole.0.push((number, world.body(number).clone()));
            world.replace(number, body);
        }
        if touches(world, states, overlap.pair) {
            return Err(overlap.refused(world));
        }
    }
    Ok(())
}

/// One body of a pair, drawn in; of two, the one that is made anew sooner. `None` if neither can be.
fn thinner(world: &World, states: &[BodyState], overlap: &Overlapping) -> Option<(u32, Body)> {
    let shell = shell_of(world, states, overlap.pair);
    let mut bodies = overlap.pair;
    bodies.sort_by_key(|&number| world.body(number).triangles);
    let drawn_in = |number: u32| {
        let mut body = world.body(number).clone();
        // Shells go by the smaller body of a pair: so there is room for any neighbour.
        let own = world.settings.shell_in_use() * body.size;
        let inset = tuning::DRAWN_IN * own.max(shell);
        (body.is_movable() && body.inset < inset && body.set_inset(inset)).then_some((number, body))
    };
    bodies.into_iter().find_map(drawn_in)
}

impl World {
    /// Puts a body with another shape in the place of one.
    fn replace(&mut self, number: u32, body: Body) {
        self.bodies[number as usize] = Some(body);
        self.workspace.forget(number);
    }
}
