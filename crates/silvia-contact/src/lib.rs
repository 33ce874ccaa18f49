//! Contact problems and their solvers: masses, gaps, normals and friction in; impulses out.
//!
//! This crate knows of no files, meshes or time steps. It reads top to bottom like this: a [`System`] holds
//! mass [nodes](Node), [contacts](Contact) and [rows](ConstraintRow) of joints and limits over one step.
//! [`solve_system`] finds their impulses and the velocities after the step. For other methods the system
//! assembles into a [`ContactProblem`] (`u = W r + q` with friction); a [`Solver`] finds the impulses `r` and
//! gives a [`Report`]; [`Assembled`] then says what they do to the nodes. [`from_json`] and [`to_json`] carry
//! problems in files, [`residual`](residual()) judges answers, [`islands`] cuts problems apart. Methods that
//! solve for true distances take a [`GapFunction`] instead.
//!
//! Contacts come from [`silvia_proximity::contacts`]: a [`GapRow`] is the gap of one with its derivatives,
//! and [`reduce`] leaves out those that the others imply.
//!
//! ```
//! use silvia_contact::solvers::Auto;
//! use silvia_contact::{ContactProblem, Outcome, Settings, Solver};
//!
//! // One contact of unit mass that closes at 1 m/s and slips at 2 m/s, with friction 0.5.
//! let at = [0, 1, 2];
//! let problem = ContactProblem::from_triplets(&at, &at, &[1.0; 3], vec![-1.0, 2.0, 0.0], vec![0.5])?;
//! let report = Auto.solve(&problem, None, &Settings::default());
//! assert_eq!(report.outcome, Outcome::Solved);
//! assert!((report.r[0] - 1.0).abs() < 1e-7); // stops the approach
//! assert!((report.r[1] + 0.5).abs() < 1e-7); // and brakes the slip by mu times as much
//! # Ok::<(), silvia_contact::ProblemError>(())
//! ```
//!
//! A new method is a file in `solvers/` with a type that implements [`Solver`], a name in [`solvers::NAMES`]
//! and a line in [`solvers::by_name`]; one that solves another law adds it to [`Law`].

mod assembled;
mod attachment;
mod bodies;
mod certificate;
mod cone;
mod constraint_row;
mod contact;
mod elimination;
mod fischer_function;
mod fischer_newton;
mod gap;
mod gap_row;
mod islands;
mod json;
mod lcp;
mod linalg;
mod mass_matrix;
mod matrix;
mod nnls;
mod node;
mod problem;
mod reduction;
mod residual;
pub mod samples;
mod solver;
pub mod solvers;
mod system;
pub mod tuning;

pub use assembled::Assembled;
pub use attachment::Attachment;
pub use bodies::{SystemReport, SystemSolver, solve_system};
pub use cone::{natural_map, project, solve_alone};
pub use constraint_row::{ConstraintRow, RowEnd, RowLaw};
pub use contact::Contact;
pub use gap::{GapFunction, GapReport, LinearGap};
pub use gap_row::GapRow;
pub use islands::islands;
pub use json::{JsonError, NamedProblem, from_json, to_json};
pub use lcp::{LcpReport, lemke};
pub use mass_matrix::MassMatrix;
pub use matrix::{Block, BlockMatrix};
pub use node::{Node, Twist};
pub use problem::{ASYMMETRY_WARNING, ContactProblem, ProblemError};
pub use reduction::{Keep, Reducer, reduce};
pub use residual::{residual, residual_at};
pub use solver::{Law, Outcome, Report, Settings, Solver, TracePoint};
pub use system::{System, SystemError};
