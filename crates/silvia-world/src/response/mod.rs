//! How contacts answer: methods that find the velocities at the end of a step, one a file.
//!
//! A method is given an island over a step ([`IslandProblem`]): bodies with their free velocities, and pairs
//! of features that may come into contact. It finds contact impulses such that at the *end* of the step no
//! gap is below its shell, and impulses act only where a gap is closed (papers 1 §3 and 2); the gaps are the
//! true ones at the poses that the velocities lead to.
//!
//! Methods of [second order](Response::is_of_second_order) answer twice. First velocities are *mean* ones
//! over the step, which bodies with twice their mass would have at its end, and slip is the mean slip. Then,
//! with bodies where these led, the method finds the velocities at the end ([`Response::end_velocities`]).

mod auto;
mod bilateral;
mod fixpoint;
mod impact;
mod lcp;
mod ncp;
mod problem;
mod scratch;
mod tuning;
mod velocities;

pub use auto::Auto;
pub(crate) use auto::nearest_motion;
pub use bilateral::Bilateral;
pub use lcp::Lcp;
pub use ncp::Ncp;
pub(crate) use problem::Slips;
pub use problem::{Answer, IslandProblem, ProblemBody, ProblemContact, Sprung};
pub use scratch::Scratch;

use silvia_contact::{Outcome, Settings};

/// The names of all methods, in the order in which people should try them.
pub const NAMES: [&str; 4] = ["auto", "ncp", "lcp", "bilateral"];

/// The method that goes by `name`.
pub fn by_name(name: &str) -> Option<Box<dyn Response>> {
    Some(match name {
        "auto" => Box::new(Auto),
        "ncp" => Box::new(Ncp),
        "lcp" => Box::new(Lcp),
        "bilateral" => Box::new(Bilateral),
        _ => return None,
    })
}

/// What a response method promises. A step treats its answers accordingly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Guarantee {
    /// Bodies never overlap: every answer is certified before it is taken, and a step is shortened until it
    /// is free. Fast contacts are impacts.
    NonPenetrating,
    /// Bodies may overlap: answers are taken as they are. The overlap at the end of each step is measured and
    /// reported ([`StepReport::overlap`](crate::StepReport::overlap)).
    Compliant,
}

/// A way to find contact forces.
///
/// A method needs nothing from inside this crate. Here is a plain spring penalty: a ball rests on the ground
/// at the depth where the spring bears its weight.
/// ```
/// use silvia_contact::{Outcome, Settings};
/// use silvia_proximity::Shape;
/// use silvia_solid::{Plane, Pose, Vec3};
/// use silvia_world::response::{Answer, Guarantee, IslandProblem, Response, Scratch};
/// use silvia_world::{BodyBuilder, World, WorldSettings};
/// use std::sync::Arc;
///
/// struct Spring {
///     /// N/m
///     stiffness: f64,
/// }
///
/// impl Response for Spring {
///     fn name(&self) -> &'static str {
///         "spring"
///     }
///
///     fn guarantee(&self) -> Guarantee {
///         Guarantee::Compliant
///     }
///
///     fn respond(&self, problem: &IslandProblem<'_>, _: &Settings, _: &mut Scratch, answer: &mut Answer) {
///         *answer = Answer::free(problem);
///         for (k, contact) in problem.contacts.iter().enumerate() {
///             if contact.start.holds && contact.start.gap < 0.0 {
///                 let force = -self.stiffness * contact.start.gap * contact.start.normal;
///                 answer.push(problem, k, problem.time_step * force);
///             }
///         }
///         answer.outcome = Outcome::Solved;
///     }
/// }
///
/// let spring = Spring { stiffness: 1000.0 };
/// let mut world = World::with_response(WorldSettings::default(), Arc::new(spring))?;
/// world.add(BodyBuilder::fixed(Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 })?))?;
/// let depth = 1.0 * 9.81 / 1000.0;
/// let at = Pose::from_translation(Vec3::new(0.0, 0.0, 0.1 - depth))?;
/// let ball = world.add(BodyBuilder::free(Shape::sphere(0.1)?).mass(1.0).at(at))?;
/// for _ in 0..100 {
///     let overlap = world.step(1e-3)?.overlap.ok_or("no overlap")?;
///     assert!((overlap.depth - depth).abs() < 1e-12);
/// }
/// assert!(world.velocity(ball)?.linear.length() < 1e-10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Response: Send + Sync {
    /// The name by which people choose it.
    fn name(&self) -> &'static str;

    /// What it promises.
    fn guarantee(&self) -> Guarantee;

    /// Whether it knows friction. A method that does not refuses a problem with friction.
    fn handles_friction(&self) -> bool {
        true
    }

    /// Finds the velocities at the end of the step, and the impulses that make them. They replace the
    /// contents of `answer`. `scratch` is the method's own memory: it affects speed, never results.
    fn respond(
        &self,
        problem: &IslandProblem<'_>,
        settings: &Settings,
        scratch: &mut Scratch,
        answer: &mut Answer,
    );

    /// The same with fresh memory.
    fn answer(&self, problem: &IslandProblem<'_>, settings: &Settings) -> Answer {
        let mut answer = Answer::default();
        self.respond(problem, settings, &mut Scratch::default(), &mut answer);
        answer
    }

    /// Velocities just after impacts: for each contact of the problem (all of them touch)
    /// `u_N + e u_N(before) >= 0` complementary to the impulse, with friction. A method that has no law of
    /// impact leaves this out: fast contacts then close without a rebound. Compliant methods are never asked.
    fn collide(&self, problem: &IslandProblem<'_>, settings: &Settings) -> Answer {
        let _ = settings;
        Answer::unsolved(problem, vec![format!("`{}` does not handle impacts", self.name())])
    }

    /// Whether it finds [velocities at the end](Response::end_velocities) of a step as well. If the world
    /// wants it ([`WorldSettings::second_order`](crate::WorldSettings::second_order)), steps are then of
    /// second order while what contacts do lasts, and [`Response::respond`] is asked for *mean* velocities
    /// over the step, of bodies with twice their mass.
    fn is_of_second_order(&self) -> bool {
        false
    }

    /// Finds the velocities at the end of the step, where bodies no longer move: for each contact of the
    /// problem (all of them are closed) `u_N >= 0` complementary to the impulse of the whole step, with
    /// friction. Each contact's `guess` is what it bore by [`Response::respond`]. They replace the contents
    /// of `answer`.
    fn end_velocities(
        &self,
        problem: &IslandProblem<'_>,
        settings: &Settings,
        scratch: &mut Scratch,
        answer: &mut Answer,
    ) {
        let _ = (settings, scratch);
        let note = format!("`{}` finds no velocities at the end of a step", self.name());
        *answer = Answer::unsolved(problem, vec![note]);
    }

    /// The method's way to answer quickly, if it has one. Without one, interactive worlds get exact answers.
    fn quick(&self) -> Option<&dyn QuickResponse> {
        None
    }
}

/// A way to find contact forces that are quick rather than exact: no impulse pulls, none leaves its friction
/// cone, and no gap is crossed, but forces are right to one or two digits only.
pub trait QuickResponse: Send + Sync {
    /// As [`Response::respond`], by the work of at most so many sweeps over the contacts.
    fn respond_quickly(
        &self,
        problem: &IslandProblem<'_>,
        sweeps: usize,
        scratch: &mut Scratch,
        answer: &mut Answer,
    );
}

/// Whether a solver's answer can be gone on with.
fn is_usable(outcome: Outcome, residual: f64) -> bool {
    outcome == Outcome::Solved || residual <= tuning::USABLE_RESIDUAL
}
