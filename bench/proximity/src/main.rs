//! `cargo xtask bench proximity`: collision and distance of two knots, Silvia and its peers on the same
//! poses.
//!
//! Coal and FCL run in Python processes that hold the mesh and time the queries alone. All sides take turns,
//! round after round, so that a busy machine hurts all alike; what is shown is the median over the rounds.

mod duel;
mod path;
mod peer;
mod table;
mod variants;
mod work;

use bench_common::Options;
use duel::Effort;
use std::error::Error;
use std::process::ExitCode;
use work::Way;

fn main() -> ExitCode {
    bench_common::run(|options| compare(options, if options.quick { &QUICK } else { &FULL }))
}

/// How much is measured.
struct Plan {
    duels: Effort,
    path_poses: usize,
    variant_triangles: usize,
    variant_poses: usize,
    growth_sizes: &'static [usize],
}

const FULL: Plan = Plan {
    duels: Effort { sizes: &[10_000, 100_000], poses: 300, rounds: 7 },
    path_poses: 2400,
    variant_triangles: 100_000,
    variant_poses: 50,
    growth_sizes: &[1_000, 10_000, 100_000, 1_000_000],
};

const QUICK: Plan = Plan {
    duels: Effort { sizes: &[1_000, 2_000], poses: 20, rounds: 3 },
    path_poses: 100,
    variant_triangles: 1_000,
    variant_poses: 10,
    growth_sizes: &[1_000, 4_000],
};

fn compare(options: &Options, plan: &Plan) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(options.scratch())?;
    std::fs::create_dir_all(options.output())?;
    let duels = duel::run(options, &plan.duels)?;
    let mut paths = Vec::new();
    for &size in plan.duels.sizes {
        for way in [(Way::Around, 1.0), (Way::Around, 0.25), (Way::Through, 1.0), (Way::Through, 0.25)] {
            paths.push(path::run(options, size, way, plan.path_poses, plan.duels.rounds.min(3))?);
        }
    }
    let bounds = variants::bounds(plan.variant_triangles, plan.variant_poses)?;
    let builds = variants::builds(plan.variant_triangles, plan.variant_poses)?;
    let growth = variants::growth(plan.growth_sizes, plan.variant_poses)?;

    let write = |name: &str, text: String| -> Result<(), Box<dyn Error>> {
        let file = options.output().join(name);
        std::fs::write(&file, &text)?;
        if name.ends_with(".md") {
            println!("\n{text}");
        }
        println!("written: {}", file.display());
        Ok(())
    };
    write(
        "bench-proximity.md",
        table::peers(&duels, &paths, plan.duels.rounds, plan.duels.poses, &options.commit),
    )?;
    write(
        "bench-proximity-bounds.md",
        table::variants(&bounds, &builds, plan.variant_triangles, &options.commit),
    )?;
    write("bench-proximity-growth.svg", table::growth_plot(&growth))
}
