//! Response methods on island problems made by hand, against closed forms.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod agreement;
mod edges;
mod impacts;
mod resting;
mod stage;
mod tumbling;
