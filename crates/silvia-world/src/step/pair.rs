//! A pair of bodies of an island: how near they may come, how they rub and rebound, and lifts.
//!
//! A pair whose path *sags* (round on round, edges that slide and turn) is *lifted*: kept farther apart than
//! its shell, for as long as it sags.

use crate::body::{Body, BodyState, Role};
use crate::buffers::refill;
use crate::step::cages::Island;
use crate::step::island::IslandNow;
use crate::step::tuning;
use crate::world::World;
use silvia_proximity::PathCheck;

/// A pair of bodies of an island that may meet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    /// Indices in the island.
    pub(crate) bodies: [usize; 2],
    /// Gaps are kept at or above this, m: the shell, and the lift.
    pub(crate) shell: f64,
    /// By how much more than the shell the bodies are kept apart, m.
    pub(crate) lift: f64,
    /// Coulomb's coefficient where they slide on each other.
    pub(crate) friction: f64,
    /// The same where they do not; at least that.
    pub(crate) static_friction: f64,
    /// 0 if a hand holds one of them.
    pub(crate) restitution: f64,
    /// If they approach faster than this they collide, which ends a piece, m/s.
    pub(crate) impact_speed: f64,
    /// Size of the smaller one, m.
    pub(crate) size: f64,
    /// Whether the bodies have so many features that contacts are found on demand: those that touch, and
    /// those that the certifier names.
    pub(crate) is_fine: bool,
}

/// Replaces the contents of `pairs` by the pairs of an island.
pub(super) fn describe_pairs(
    world: &World,
    island: &Island,
    states: &[BodyState],
    step: f64,
    pairs: &mut Vec<Pair>,
) {
    let few = match island.has_second_order(world) {
        true => tuning::FEW_BODIES,
        false => tuning::FEW_TO_FIRST_ORDER,
    };
    let describe = |&[a, b]: &[usize; 2]| {
        let numbers = [a, b].map(|i| island.bodies[i]);
        let [of_a, of_b] = numbers.map(|number| world.body(number));
        let law = world.materials.law(of_a.material, of_b.material);
        let size = of_a.size.min(of_b.size);
        let is_held = [of_a, of_b].iter().any(|body| matches!(body.role, Role::Held(_)));
        let level = world.settings.level;
        let [friction, static_friction] = match level.has_forces() {
            true => [law.friction, law.static_friction.unwrap_or(law.friction)],
            false => [0.0; 2],
        };
        let restitution = if is_held || !level.has_rebounds() { 0.0 } else { law.restitution };
        let lift = world.state.lifts.get(&numbers).copied().unwrap_or(0.0);
        // Bodies that do not rebound stay together, as the forces of a piece keep them too. Among many
        // bodies, where something lands in every step, that is no event, unless they come so far in a step
        // that it matters when they meet.
        let least = world.settings.impact_speed;
        let is_event = restitution > 0.0 || island.movable <= few;
        let impact_speed = match (is_held, is_event) {
            (true, _) => f64::INFINITY,
            (false, true) => least,
            (false, false) => least.max(tuning::FAR_IN_A_STEP * size / step),
        };
        Pair {
            bodies: [a, b],
            shell: shell(world, [of_a, of_b], [&states[a], &states[b]]) + lift,
            lift,
            friction,
            static_friction,
            restitution,
            impact_speed,
            size,
            is_fine: is_fine(of_a.triangles + of_b.triangles),
        }
    };
    refill(pairs, island.pairs.iter().map(describe));
}

/// Whether bodies of so many triangles have so many features that contacts are found on demand.
pub(crate) fn is_fine(triangles: usize) -> bool {
    triangles >= tuning::FINE
}

/// What the gaps between two bodies are kept at, m: a fraction of the smaller one's size, but never so little
/// that rounding of coordinates could bridge it, or what their faces are off their planes.
pub(super) fn shell(world: &World, bodies: [&Body; 2], states: [&BodyState; 2]) -> f64 {
    let size = bodies[0].size.min(bodies[1].size);
    let far = |i: usize| if bodies[i].size.is_finite() { states[i].centre.abs().max_element() } else { 0.0 };
    let uneven = bodies[0].flatness + bodies[1].flatness;
    (world.settings.shell_in_use() * size)
        .max(tuning::ROUNDING * far(0).max(far(1)))
        .max(tuning::UNEVEN * uneven)
}

impl Pair {
    /// What does not matter where bodies rest on each other, m: the shell, without the lift, where it is no
    /// larger than by default.
    pub(super) fn speck(&self) -> f64 {
        (self.shell - self.lift).min(tuning::SPECK * self.size)
    }

    /// The lift that a pair which crosses because its path sags needs, m; `None` if it cannot be lifted more.
    /// A pair that ends farther apart than it begins, by more than four times what its path sags, does not
    /// cross, however little it is apart where it begins. No path sags by more than its points go (`way`, m):
    /// where less is enough for a crossing, it is no sag.
    pub(super) fn higher_lift(&self, check: &PathCheck, start_gap: f64, way: f64) -> Option<f64> {
        let needed = tuning::LIFT_SPARE * sag(check, start_gap)?;
        let most = (tuning::LIFT_SPARE * way).min(tuning::HIGHEST_LIFT * self.size);
        let lift = needed.max(2.0 * self.lift).min(most);
        (lift > self.lift).then_some(lift)
    }

    pub(super) fn lift_to(&mut self, lift: f64) {
        self.shell += lift - self.lift;
        self.lift = lift;
    }

    /// What part of its path a pair that cannot be lifted more may go, for it to sag less. `None` if it does
    /// not cross for that.
    pub(super) fn until_sagging(&self, check: &PathCheck, start_gap: f64) -> Option<f64> {
        let sag = sag(check, start_gap)?;
        let room = start_gap.max(self.lift / tuning::LIFT_SPARE);
        // What a path sags goes with the square of its length.
        Some((room / sag).sqrt().clamp(0.5 * check.free_until, 0.9))
    }
}

/// The lifts with which the next step begins.
pub(super) fn lifts_to_keep(now: &IslandNow<'_>) -> impl Iterator<Item = ([u32; 2], f64)> {
    let left = |pair: &Pair| tuning::LIFT_KEPT * pair.lift;
    let is_kept = move |pair: &&Pair| left(pair) > tuning::NO_LIFT * (pair.shell - pair.lift);
    now.pairs.iter().filter(is_kept).map(move |pair| (now.numbers(pair), left(pair)))
}

/// How far a path that crosses is below the straight line between its ends, m; `None` if it crosses at one of
/// them.
fn sag(check: &PathCheck, start_gap: f64) -> Option<f64> {
    let until = check.free_until;
    if !(until > 0.0 && until < 1.0) {
        return None;
    }
    // A parabola that begins and ends at the gap of the start and touches zero there.
    let from_parabola = start_gap / (4.0 * until * (1.0 - until));
    Some(check.crossing.as_ref().and_then(|c| c.sag).unwrap_or(from_parabola))
}
