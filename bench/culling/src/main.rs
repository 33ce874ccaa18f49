//! `cargo xtask bench culling`: overlapping pairs of boxes that move, Silvia and its peers on the same boxes.
//!
//! All sides take turns, round after round, so that a busy machine hurts all alike; what is shown is the
//! median over the rounds of the mean time of a step.

mod duel;
mod ipctk;
mod page;
mod parry;
mod work;

use bench_common::Options;
use duel::Effort;
use std::error::Error;
use std::process::ExitCode;
use work::Scene;

fn main() -> ExitCode {
    bench_common::run(|options| compare(options, if options.quick { &QUICK } else { &FULL }))
}

const FULL: Effort = Effort {
    sizes: &[1_000, 10_000, 100_000],
    shares: &[0.01, 0.1, 1.0],
    jumping: 20_000,
    rounds: 3,
    steps: 40,
    sheet_triangles: 100_000,
    sheet_steps: 6,
};

const QUICK: Effort = Effort {
    sizes: &[1_000, 5_000],
    shares: &[0.01, 0.1, 1.0],
    jumping: 2_000,
    rounds: 2,
    steps: 20,
    sheet_triangles: 5_000,
    sheet_steps: 3,
};

/// Of boxes that jump: fewer in a step than would have everything searched anew, so that the order of the
/// tree decays.
const JUMPING_SHARE: f64 = 0.05;

fn compare(options: &Options, effort: &Effort) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(options.scratch())?;
    std::fs::create_dir_all(options.output())?;
    let mut ipctk = ipctk::Ipctk::start(options)?;
    let mut duels = Vec::new();
    let flying = effort
        .sizes
        .iter()
        .flat_map(|&boxes| effort.shares.iter().map(move |&share| (boxes, share, Scene::Flying)));
    let jumping = [Scene::Jumping, Scene::JumpingAboveFloor, Scene::JumpingFlat]
        .map(|scene| (effort.jumping, JUMPING_SHARE, scene));
    for (boxes, share, scene) in flying.chain(jumping) {
        eprintln!("{boxes} boxes, {:.0} % {}", 100.0 * share, scene.motion());
        duels.push(duel::crowd(options, &mut ipctk, effort, boxes, (share, scene))?);
    }
    eprintln!("the sheet");
    duels.push(duel::sheet(options, &mut ipctk, effort)?);

    let write = |name: &str, text: String| -> Result<(), Box<dyn Error>> {
        let file = options.output().join(name);
        std::fs::write(&file, &text)?;
        if name.ends_with(".md") {
            println!("\n{text}");
        }
        println!("written: {}", file.display());
        Ok(())
    };
    write("bench-culling.md", page::text(&duels, effort, ipctk.hello(), &options.commit))?;
    write("bench-culling-growth.svg", page::growth(&duels))
}
