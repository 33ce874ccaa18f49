//! Contact problems and their solvers.

mod cone;
mod fischer_function;
mod gap;
mod islands;
mod joints;
mod json;
mod lcp;
mod linalg;
mod matrix;
mod newton;
mod problem;
mod residual;
pub mod samples;
mod solver;
pub mod solvers;
mod system;

pub use cone::{natural_map, project, solve_alone};
pub use gap::{GapFunction, GapReport, LinearGap};
pub use islands::islands;
pub use joints::JointRow;
pub use json::{JsonError, NamedProblem, from_json, to_json};
pub use lcp::{LcpReport, lemke};
pub use matrix::{Block, BlockMatrix};
pub use problem::{ASYMMETRY_WARNING, ContactProblem, ProblemError};
pub use residual::{residual, residual_at};
pub use solver::{Law, Outcome, Report, Settings, Solver, TracePoint};
pub use system::{Assembled, Body, Contact, ContactId, System, SystemError, Twist, WarmStart};
