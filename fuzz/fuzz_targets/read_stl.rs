//! Any bytes as a file `.stl`.
#![no_main]

#[path = "check.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check::check(bytes, "part.stl"));
