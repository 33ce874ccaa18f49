//! The `silvia` command, run as a program.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

mod accuracy;
mod bad_files;
mod ccd;
mod check;
mod contacts;
mod convert;
mod crowd;
mod export;
mod fit;
mod folder;
mod goals;
mod guide;
mod help;
mod impact;
mod inspect;
mod make;
mod mistakes;
mod penetration;
mod proximity;
mod report;
mod running;
mod solve;
mod validate;
