//! How contacts answer: methods that find the velocities at the end of a step, one a file.
//!
//! A method is given an island over a step ([`Task`]): bodies with their free velocities, and pairs of
//! features that may come into contact. It finds contact impulses such that at the *end* of the step no gap
//! is below its shell, and impulses act only where a gap is closed (papers 1 §3 and 2); the gaps are the true
//! ones at the poses that the velocities lead to.

mod auto;
mod bilateral;
mod by_gaps;
mod by_problem;
mod by_system;
mod digits;
mod fixpoint;
mod gain;
mod impact;
mod iterate;
mod lcp;
mod ncp;
mod part;
mod scratch;
mod task;

pub use auto::Auto;
pub use bilateral::Bilateral;
pub use lcp::Lcp;
pub use ncp::Ncp;
pub use scratch::Scratch;
pub(crate) use scratch::refill;
pub(crate) use task::pose_of;
pub use task::{Answer, Task, TaskBody, TaskContact};

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

    /// Whether it knows friction. A method that does not refuses a task with friction.
    fn handles_friction(&self) -> bool {
        true
    }

    /// Whether it knows quick answers ([`Task::sweeps`]). A method that does not answers as exactly as ever.
    fn handles_sweeps(&self) -> bool {
        false
    }

    /// Velocities at the end of the step, and the impulses that make them.
    fn respond(&self, task: &Task<'_>, settings: &Settings) -> Answer;

    /// The same in place of another answer, with memory that is kept; to the same bits. This is what a world
    /// asks for.
    fn respond_into(&self, task: &Task<'_>, settings: &Settings, scratch: &mut Scratch, answer: &mut Answer) {
        let _ = scratch;
        *answer = self.respond(task, settings);
    }

    /// Velocities just after impacts: for each contact of the task (all are touching) `u_N + e u_N(before) >=
    /// 0` complementary to the impulse, with friction.
    fn collide(&self, task: &Task<'_>, settings: &Settings) -> Answer;
}

/// An answer with a residual up to this is good enough to go on with, even if the solver had been asked for
/// more.
const USABLE_RESIDUAL: f64 = 1e-8;

/// Whether a solver's answer can be gone on with.
fn is_usable(outcome: Outcome, residual: f64) -> bool {
    outcome == Outcome::Solved || residual <= USABLE_RESIDUAL
}
