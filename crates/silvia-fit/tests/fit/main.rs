//! Parts that go together, and parts that do not.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod found;
mod not_found;
mod shapes;
