//! Every pair of kinds of shapes, against their tessellations, closed forms and themselves.

#![allow(clippy::unwrap_used)]

mod bad_input;
mod bodies;
mod cached;
mod cavities;
#[path = "../common/mod.rs"]
mod common;
mod distance;
mod ellipsoids;
mod membership;
mod penetration;
mod penetration_exact;
mod points;
mod rays;
