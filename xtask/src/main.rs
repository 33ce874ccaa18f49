//! `cargo xtask`: one command each for testing, benchmarking and proving.

fn main() {}
