//! `cargo xtask bench contacts`: what holds two parts in close fit apart, Silvia and parry on the same poses.
//!
//! Both sides take turns, round after round, so that a busy machine hurts both alike; what is shown is the
//! median over the rounds. Points and normals of both are judged by the same measure (`judge`), which uses
//! neither side's contacts.

mod duel;
mod fits;
mod judge;
mod parry;
mod table;

use bench_common::Options;
use duel::{Effort, Peer};
use fits::Fit;
use std::error::Error;
use std::process::ExitCode;

fn main() -> ExitCode {
    bench_common::run(|options| compare(options, if options.quick { &QUICK } else { &FULL }))
}

/// How much is measured.
struct Plan {
    /// Triangles of each part in the comparison.
    triangles: usize,
    growth: &'static [usize],
    effort: Effort,
    growth_effort: Effort,
}

const FULL: Plan = Plan {
    triangles: 10_000,
    growth: &[1_000, 3_000, 10_000, 30_000, 100_000],
    effort: Effort {
        cold: 20,
        path: 200,
        rounds: 7,
        peer: Peer { cold: 3, path: 6, rounds: 3, largest: 10_000 },
        judged: 300,
    },
    growth_effort: Effort {
        cold: 5,
        path: 50,
        rounds: 3,
        peer: Peer { cold: 1, path: 3, rounds: 1, largest: 10_000 },
        judged: 0,
    },
};

const QUICK: Plan = Plan {
    triangles: 2_000,
    growth: &[1_000, 4_000],
    effort: Effort {
        cold: 3,
        path: 20,
        rounds: 3,
        peer: Peer { cold: 2, path: 4, rounds: 1, largest: 2_000 },
        judged: 50,
    },
    growth_effort: Effort {
        cold: 2,
        path: 10,
        rounds: 1,
        peer: Peer { cold: 1, path: 2, rounds: 1, largest: 1_000 },
        judged: 0,
    },
};

fn compare(options: &Options, plan: &Plan) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(options.output())?;
    let mut duels = Vec::new();
    for fit in Fit::EVERY {
        duels.push(duel::run(fit, plan.triangles, &plan.effort)?);
    }
    let mut growth = Vec::new();
    for fit in [Fit::Peg, Fit::Knots] {
        for &triangles in plan.growth {
            growth.push(duel::run(fit, triangles, &plan.growth_effort)?);
        }
    }
    let write = |name: &str, text: String| -> Result<(), Box<dyn Error>> {
        let file = options.output().join(name);
        std::fs::write(&file, &text)?;
        if name.ends_with(".md") {
            println!("\n{text}");
        }
        println!("written: {}", file.display());
        Ok(())
    };
    write("bench-contacts.md", table::page(&duels, &growth, &plan.effort, &options.commit))?;
    write("bench-contacts-growth.svg", table::growth_plot(&growth))
}
