//! The `silvia` command, run as a program.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

mod bad_files;
mod contacts;
mod convert;
mod folder;
mod guide;
mod inspect;
mod make;
mod proximity;
mod solve;
