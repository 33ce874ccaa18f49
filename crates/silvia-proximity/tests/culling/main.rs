//! Every method of culling against brute force, which shares none of the search.

#![allow(clippy::unwrap_used)]

mod agreement;
mod once;
mod refusal;
mod scenes;
mod threads;
