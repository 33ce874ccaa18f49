//! The validation scenes under every method, their convergence, stacks, and the bits of their results.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod bits;
mod convergence;
mod scenes;
mod stacks;
