//! Steps whose length an accuracy chooses.
//!
//! Step doubling (Hairer, Nørsett and Wanner, *Solving Ordinary Differential Equations I*, II.4): a step is
//! made at once and in two halves. How far the two ends are apart says how large the error is. If it is small
//! enough, the halves are kept; else a shorter step is tried. Where the order of the method is 2, the length
//! of the next step goes with the square root of accuracy by error, at events with their ratio.

use crate::body::{BodyState, Role};
use crate::report::{StepError, StepReport};
use crate::world::{Snapshot, World};
use silvia_solid::Remedy;
use thiserror::Error;

/// Advances a world by steps whose length it chooses, so that the error that they add is at most as large as
/// asked for.
///
/// The error is that of [`World::apart_from`]: of the place of a body by its size, and of its velocity by its
/// speed. The accuracy is the error that may be added in a second: with 1e-4, bodies may be off by 1e-4 of
/// their sizes after a second, and by 1e-3 after ten, if errors merely add up.
///
/// ```
/// use silvia_contact::Twist;
/// use silvia_proximity::Shape;
/// use silvia_solid::{Plane, Pose, Vec3};
/// use silvia_world::{AdaptiveStepper, BodyBuilder, Material, World, WorldSettings};
///
/// let mut world = World::new(WorldSettings::default())?;
/// let all = world.add_material(Material::new("all", 0.5, 0.0))?;
/// let ground = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 })?;
/// world.add(BodyBuilder::fixed(ground).material(all))?;
/// let at = Pose::from_translation(Vec3::new(0.0, 0.0, 0.05))?;
/// let slides = Twist { linear: Vec3::X, angular: Vec3::ZERO };
/// let block = BodyBuilder::free(Shape::cuboid(Vec3::new(0.2, 0.2, 0.1))?).velocity(slides);
/// let block = world.add(block.material(all).at(at))?;
///
/// let mut stepper = AdaptiveStepper::new(1e-3)?;
/// for _ in 0..30 {
///     // No step is longer than this, and one ends exactly here.
///     stepper.advance(&mut world, 1e-2, |_, _| ())?;
/// }
/// // It slides for 0.204 s: v² / 2 µ g.
/// let way = world.pose(block)?.translation().x;
/// assert!((way - 1.0 / 9.81).abs() < 1e-3 * 0.3 && (world.time() - 0.3).abs() < 1e-12);
/// assert!(stepper.told().estimated < 1e-3 * 0.3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct AdaptiveStepper {
    accuracy: f64,
    /// To be tried next, s; `None` before the first.
    next: Option<f64>,
    told: AdaptiveSteps,
}

/// The steps that an [`AdaptiveStepper`] has made.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AdaptiveSteps {
    /// The error of all of them by estimate, as [`World::apart_from`] has it. It is that of steps twice as
    /// long as those made: what was made is at least as good.
    pub estimated: f64,
    /// How many pairs of steps were made.
    pub pairs: u64,
    /// How many more were tried, and taken back.
    pub rejected: u64,
    /// How many pairs were kept although their error is larger than asked for: shorter ones were no better,
    /// or as short as they may be. So where bodies hit or catch each other.
    pub missed: u64,
    /// The shortest step, s; 0 before the first.
    pub shortest: f64,
    /// The longest step, s.
    pub longest: f64,
}

/// Why an accuracy was refused.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("{}", self.message())]
pub struct AccuracyError {
    /// As given.
    pub given: f64,
}

impl Remedy for AccuracyError {
    fn what(&self) -> String {
        format!("steps cannot be chosen for an accuracy of {}", self.given)
    }

    fn remedy(&self) -> String {
        format!("give one from {:e} to {}", AdaptiveStepper::FINEST, AdaptiveStepper::COARSEST)
    }
}

/// The next step is shorter by this factor than the error allows: else every second one would be taken back.
const CAUTION: f64 = 0.9;
/// The next step is longer than the last by at most this factor, and shorter by at most that.
const GROWTH: f64 = 2.0;
const SHRINKING: f64 = 0.2;
/// A step that is taken back is at least so much shorter when it is tried again.
const RETRY: f64 = 0.5;
/// No pair of steps is shorter than this part of what is to be advanced.
const SHORTEST: f64 = 1.0 / 1024.0;
/// Bodies at rest are on their shells only to so many of them, and regain what they lack in one step, however
/// short it is: that is no error.
const SHELLS: f64 = 4.0;
/// A part that is so much too long for a whole number of parts fits.
const ROUNDING: f64 = 1e-9;
/// A shorter step is better if it has less than this part of the error a second.
const BETTER: f64 = 0.7;
/// After so many shorter steps in a row that are not, a step is kept as it is. An impact that comes a little
/// earlier or later makes the same error in a step of any length.
const MOST_IN_VAIN: u32 = 2;

impl AdaptiveStepper {
    /// The least accuracy that can be asked for: below, estimates are rounding.
    pub const FINEST: f64 = 1e-9;
    /// The largest.
    pub const COARSEST: f64 = 1.0;

    /// Adds at most this error in a second of the world's time, 1/s.
    pub fn new(accuracy: f64) -> Result<AdaptiveStepper, AccuracyError> {
        match (AdaptiveStepper::FINEST..=AdaptiveStepper::COARSEST).contains(&accuracy) {
            true => Ok(AdaptiveStepper { accuracy, next: None, told: AdaptiveSteps::default() }),
            false => Err(AccuracyError { given: accuracy }),
        }
    }

    /// One that goes on where another was: with its next step (s), and the steps it had made.
    #[must_use]
    pub fn resumed(self, next: Option<f64>, told: AdaptiveSteps) -> AdaptiveStepper {
        AdaptiveStepper { next, told, ..self }
    }

    /// The error that may be added in a second, 1/s.
    pub fn accuracy(&self) -> f64 {
        self.accuracy
    }

    /// The length of the pair of steps to be tried next, s; `None` before the first.
    pub fn next(&self) -> Option<f64> {
        self.next
    }

    /// The steps made so far.
    pub fn told(&self) -> &AdaptiveSteps {
        &self.told
    }

    /// Advances a world by a length in s, to rounding, in steps that are no longer. `each` is called after
    /// each step that is kept, with the world as it was then. If a step cannot be made, the world stays as it
    /// was before that step.
    pub fn advance(
        &mut self,
        world: &mut World,
        length: f64,
        mut each: impl FnMut(&World, &StepReport),
    ) -> Result<(), StepError> {
        if !(length.is_finite() && length > 0.0) {
            return Err(StepError::Length { given: length });
        }
        let end = world.time() + length;
        let mut twin = world.clone();
        let mut ends = Vec::new();
        loop {
            let left = end - world.time();
            // What is left is rounding.
            if left <= 0.5 * SHORTEST * length {
                return Ok(());
            }
            self.pair(world, (&mut twin, &mut ends), left, SHORTEST * length, &mut each)?;
        }
    }

    /// Makes a pair of steps of at most so long, s.
    fn pair(
        &mut self,
        world: &mut World,
        (twin, ends): (&mut World, &mut Vec<BodyState>),
        left: f64,
        floor: f64,
        each: &mut impl FnMut(&World, &StepReport),
    ) -> Result<(), StepError> {
        let start = world.snapshot();
        let mut wanted = self.next.unwrap_or(left);
        let (mut last, mut in_vain) = (f64::INFINITY, 0);
        loop {
            // Parts of equal lengths, so that none is left that is next to nothing.
            let length = left / (left / wanted.max(floor) - ROUNDING).ceil().max(1.0);
            // Parts of equal lengths may be longer than the floor by a rounding.
            let is_floor = length <= floor * (1.0 + 4.0 * ROUNDING);
            let is_shortest = is_floor || in_vain >= MOST_IN_VAIN;
            let tried = two_ways(world, (twin, ends), length);
            let (reports, error) = match tried {
                Ok(tried) => tried,
                Err(error) => {
                    restore(world, &start);
                    restore(twin, &start);
                    if is_floor || !matches!(error, StepError::Stuck { .. }) {
                        return Err(error);
                    }
                    self.told.rejected += 1;
                    wanted = SHRINKING * length;
                    continue;
                }
            };
            let rate = error / length;
            let factor = CAUTION * (self.accuracy / rate).powf(1.0 / order(world, &reports));
            if rate > self.accuracy && !is_shortest {
                in_vain = if rate > BETTER * last { in_vain + 1 } else { 0 };
                last = rate;
                if in_vain < MOST_IN_VAIN {
                    restore(world, &start);
                    restore(twin, &start);
                    self.told.rejected += 1;
                    wanted = length * factor.clamp(SHRINKING, RETRY);
                    continue;
                }
            }
            self.told.estimated += error;
            self.told.pairs += 1;
            self.told.missed += u64::from(rate > self.accuracy);
            let step = 0.5 * length;
            let shortest = self.told.shortest;
            self.told.shortest = if shortest > 0.0 { shortest.min(step) } else { step };
            self.told.longest = self.told.longest.max(step);
            // Beyond an event the next step may be as long as this one.
            let least = if rate > self.accuracy { 1.0 } else { SHRINKING };
            self.next = Some(length * factor.clamp(least, GROWTH));
            each(twin, &reports[0]);
            each(world, &reports[1]);
            restore(twin, &world.snapshot());
            return Ok(());
        }
    }
}

/// Makes a step of a length, s, in two halves, of which the twin stays behind after the first; and how far
/// its end is from that of the step made at once. The twin is where the world is.
fn two_ways(
    world: &mut World,
    (twin, ends): (&mut World, &mut Vec<BodyState>),
    length: f64,
) -> Result<([StepReport; 2], f64), StepError> {
    twin.step(length)?;
    ends.clone_from(&twin.state.bodies);
    let first = world.step(0.5 * length)?;
    restore(twin, &world.snapshot());
    let second = world.step(0.5 * length)?;
    let error = world.apart(ends, &Tolerance::of_step(world, length));
    Ok(([first, second], error))
}

/// The order of steps like these.
fn order(world: &World, reports: &[StepReport; 2]) -> f64 {
    if world.is_of_second_order() && reports.iter().all(StepReport::is_smooth) { 2.0 } else { 1.0 }
}

/// Takes a world, or its twin, back to where one of them was.
fn restore(world: &mut World, to: &Snapshot) {
    #[allow(clippy::expect_used, reason = "both have the same bodies, of which none came or went since")]
    world.restore(to).expect("a snapshot of the same world fits");
}

/// # Comparing
impl World {
    /// How far this world is from another of the same bodies: the largest over the free bodies of how far
    /// their places are apart, by size, and how far their velocities, by speed. Turns and angular velocities
    /// count with half the size as arm. The size is the diagonal of the body's box; the speed is this one's,
    /// but at least a size a second. 0 if they are alike, 1 if nothing of the motion is.
    ///
    /// ```
    /// use silvia_proximity::Shape;
    /// use silvia_world::{BodyBuilder, World, WorldSettings};
    /// let mut world = World::new(WorldSettings::default())?;
    /// world.add(BodyBuilder::free(Shape::sphere(0.5)?))?;
    /// let mut other = world.clone();
    /// world.step(0.1)?;
    /// (0..4).try_for_each(|_| other.step(0.025).map(drop))?;
    /// assert!(world.apart_from(&other) < 1e-14);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn apart_from(&self, other: &World) -> f64 {
        self.apart(&other.state.bodies, &Tolerance::NONE)
    }

    /// How far off the last step is, by estimate, as [`World::apart_from`] has it: the world before that step
    /// makes it again, of a length in s, in two halves. `None` if something begins or ends in them, or if a
    /// half is refused: such errors do not stand for those of other steps. `None` without
    /// [inertia](crate::Level::has_inertia), where time means nothing. In worlds of first order
    /// velocities are mean ones of the last step; they count by what they do to places in a step.
    ///
    /// ```
    /// use silvia_proximity::Shape;
    /// use silvia_world::{BodyBuilder, World, WorldSettings};
    /// let mut world = World::new(WorldSettings::default())?;
    /// world.add(BodyBuilder::free(Shape::sphere(0.5)?))?;
    /// let before = world.clone();
    /// world.step(0.1)?;
    /// assert!(world.error_of_step(before, 0.1).is_some_and(|error| error < 1e-14));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn error_of_step(&self, mut before: World, length: f64) -> Option<f64> {
        if !self.settings.level.has_inertia() {
            return None;
        }
        for _ in 0..2 {
            before.step(0.5 * length).ok().filter(StepReport::is_smooth)?;
        }
        let apart = self.apart(&before.state.bodies, &Tolerance::of_step(self, length));
        // Halves leave a fraction of the error: a quarter to second order.
        Some(apart / if self.is_of_second_order() { 0.75 } else { 0.5 })
    }

    /// How far its bodies are from states of the same bodies, by number.
    fn apart(&self, others: &[BodyState], tolerance: &Tolerance) -> f64 {
        let free = self.numbered().filter(|(_, body)| matches!(body.role, Role::Free));
        let apart = free.filter_map(|(number, body)| {
            Some(apart(body.size, &self.state.bodies[number], others.get(number)?, tolerance))
        });
        apart.fold(0.0, f64::max)
    }
}

/// What the ends of two ways to make a step may differ by without being off.
struct Tolerance {
    /// Of places, by size.
    place: f64,
    /// Of velocities, sizes a second.
    velocity: f64,
    /// Where velocities are the mean ones of the last step: its length, s. They count by what they do to
    /// places in that. By themselves they lag behind by half of it, whatever it is, and stay no farther
    /// behind.
    lag: Option<f64>,
}

impl Tolerance {
    const NONE: Tolerance = Tolerance { place: 0.0, velocity: 0.0, lag: None };

    /// For a step of a length, s.
    fn of_step(world: &World, length: f64) -> Tolerance {
        let place = SHELLS * world.settings.shell;
        let lag = (!world.is_of_second_order()).then_some(length);
        Tolerance { place, velocity: 2.0 * place / length, lag }
    }
}

/// How far two states of a body of a size, m, are apart; 0 for what has no size to compare with.
fn apart(size: f64, here: &BodyState, there: &BodyState, tolerance: &Tolerance) -> f64 {
    if size == 0.0 {
        return 0.0;
    }
    let arm = 0.5 * size;
    // An arc cosine would be off by 1e-8.
    let (a, b) = (here.rotation, there.rotation);
    let turn = 4.0 * (0.5 * (a - b).length().min((a + b).length())).min(1.0).asin();
    let place = here.centre.distance(there.centre) + arm * turn;
    let (v, w) = (here.velocity, there.velocity);
    let velocity = v.linear.distance(w.linear) + arm * v.angular.distance(w.angular);
    let speed = v.linear.length() + arm * v.angular.length();
    let place = (place / size - tolerance.place).max(0.0);
    let velocity = (velocity / size - tolerance.velocity).max(0.0);
    place.max(match tolerance.lag {
        Some(length) => length * velocity,
        None => velocity / (speed / size).max(1.0 / SECOND),
    })
}

/// Bodies that move by less than their size in this time, s, have errors of velocity counted as they are.
const SECOND: f64 = 1.0;
