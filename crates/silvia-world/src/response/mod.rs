//! How contacts answer: methods that find the velocities at the end of a step, one a file.
//!
//! A method is given an island over a step ([`IslandProblem`]): bodies with their free velocities, and pairs
//! of features that may come into contact. It finds contact impulses such that at the *end* of the step no
//! gap is below its shell, and impulses act only where a gap is closed (papers 1 §3 and 2); the gaps are the
//! true ones at the poses that the velocities lead to.

mod auto;
mod bilateral;
mod fixpoint;
mod impact;
mod lcp;
mod ncp;
mod problem;
mod scratch;
mod tuning;

pub use auto::Auto;
pub use bilateral::Bilateral;
pub use lcp::Lcp;
pub use ncp::Ncp;
pub use problem::{Answer, IslandProblem, ProblemBody, ProblemContact};
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

/// A way to find contact forces.
pub trait Response: Send + Sync {
    /// The name by which people choose it.
    fn name(&self) -> &'static str;

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
    /// `u_N + e u_N(before) >= 0` complementary to the impulse, with friction.
    fn collide(&self, problem: &IslandProblem<'_>, settings: &Settings) -> Answer;

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
