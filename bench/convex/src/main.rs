//! `cargo xtask bench convex`: tracking the closest features of round polyhedra that rotate past each other,
//! Silvia's V-Clip and parry's GJK on the same poses, at three levels of coherence (paper 4, figure 4) and
//! without a cache.

mod measure;
mod table;
mod work;

use bench_common::Options;
use measure::Effort;
use std::error::Error;
use std::process::ExitCode;

const FULL: Effort = Effort { frequencies: &work::FREQUENCIES, poses: 20_000, rounds: 11 };
const QUICK: Effort = Effort { frequencies: &[1, 4, 16], poses: 8_000, rounds: 3 };

fn main() -> ExitCode {
    bench_common::run(compare)
}

fn compare(options: &Options) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(options.output())?;
    let effort = if options.quick { QUICK } else { FULL };
    let duels = measure::run(&effort)?;
    let text = table::page(&duels, &effort, &options.commit);
    println!("{text}");
    for (name, content) in [("bench-convex.md", text), ("bench-convex.svg", table::plot(&duels))] {
        let file = options.output().join(name);
        std::fs::write(&file, content)?;
        println!("written: {}", file.display());
    }
    Ok(())
}
