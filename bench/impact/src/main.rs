//! `cargo xtask bench impact`: the first touch of two knots in rigid motion and of two sheets that deform,
//! Silvia and its peers on the same work.
//!
//! FCL and the IPC Toolkit run in Python processes that time their calls alone. All sides take turns, round
//! after round; what is shown is the median over the rounds. Answers are judged by fine sub-sampling with the
//! static test, which shares no code with any time of impact.

mod knots;
mod peer;
mod sheets;
mod table;
mod work;

use bench_common::Options;
use std::error::Error;
use std::process::ExitCode;

fn main() -> ExitCode {
    bench_common::run(|options| compare(options, if options.quick { &QUICK } else { &FULL }))
}

/// How much is measured.
pub(crate) struct Plan {
    pub(crate) knot_triangles: usize,
    pub(crate) motions: usize,
    pub(crate) rounds: usize,
    /// Parry takes so long that it is asked about few motions, once.
    pub(crate) parry_motions: usize,
    /// How finely the truth is sampled.
    pub(crate) samples: usize,
    pub(crate) sheet_triangles: &'static [usize],
}

const FULL: Plan = Plan {
    knot_triangles: 10_000,
    motions: 100,
    rounds: 5,
    parry_motions: 5,
    samples: 4000,
    sheet_triangles: &[1_000, 10_000, 100_000],
};

const QUICK: Plan = Plan {
    knot_triangles: 10_000,
    motions: 10,
    rounds: 2,
    parry_motions: 1,
    samples: 200,
    sheet_triangles: &[1_000, 10_000],
};

fn compare(options: &Options, plan: &Plan) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(options.scratch())?;
    std::fs::create_dir_all(options.output())?;
    let knots = knots::run(options, plan)?;
    let sheets = sheets::run(options, plan)?;
    let write = |name: &str, text: String| -> Result<(), Box<dyn Error>> {
        let file = options.output().join(name);
        std::fs::write(&file, &text)?;
        if name.ends_with(".md") {
            println!("\n{text}");
        }
        println!("written: {}", file.display());
        Ok(())
    };
    write("bench-impact.md", table::text(&knots, &sheets, plan, &options.commit))?;
    write("bench-impact-growth.svg", table::growth(&sheets))
}
