//! `cargo xtask bench crowd`: a thousand knots that move, Silvia and FCL's dynamic tree manager at the same
//! poses.
//!
//! FCL runs in a Python process that holds the mesh and all poses. Both sides take turns, round after round,
//! so that a busy machine hurts both alike; each step counts with the median over the rounds.

mod peer;
mod silvia_side;
mod table;
mod work;

use bench_common::Options;
use peer::Peer;
use silvia_side::Effort;
use std::error::Error;
use std::process::ExitCode;
use work::{Scene, Step};

fn main() -> ExitCode {
    bench_common::run(|options| compare(options, if options.quick { &QUICK } else { &FULL }))
}

/// How much is measured.
struct Plan {
    /// Knots along each edge of a cube.
    edge: usize,
    triangles: usize,
    steps: usize,
    rounds: usize,
}

const FULL: Plan = Plan { edge: 10, triangles: 1000, steps: 25, rounds: 3 };
const QUICK: Plan = Plan { edge: 4, triangles: 200, steps: 10, rounds: 3 };

/// How near is near, m: about the knot's tube.
const REACH: f64 = 0.5;

/// How fast the knots go: the furthest that a point moves in a step, m. A knot is 6.6 m wide.
const PACES: [f64; 2] = [0.0066, 0.066];

/// One question at one pace: the steps of each side, round after round.
pub(crate) struct Duel {
    /// m; none for collisions.
    pub(crate) reach: Option<f64>,
    /// m a step
    pub(crate) pace: f64,
    pub(crate) silvia_one: Vec<Vec<Step>>,
    pub(crate) silvia_all: Vec<Vec<Step>>,
    /// With the effort that FCL must make; for distances only.
    pub(crate) silvia_full: Vec<Vec<Step>>,
    pub(crate) fcl: Vec<Vec<Step>>,
}

fn compare(options: &Options, plan: &Plan) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(options.scratch())?;
    std::fs::create_dir_all(options.output())?;
    let mut duels = Vec::new();
    let mut version = String::new();
    for pace in PACES {
        let scene = Scene::new(plan.edge, plan.triangles, plan.steps, pace)?;
        let mut peer = Peer::start(options, &scene)?;
        peer.version().clone_into(&mut version);
        for reach in [None, Some(REACH)] {
            let mut duel = Duel {
                reach,
                pace,
                silvia_one: Vec::new(),
                silvia_all: Vec::new(),
                silvia_full: Vec::new(),
                fcl: Vec::new(),
            };
            for round in 0..plan.rounds {
                println!("pace {pace} m, reach {reach:?}: round {} of {}", round + 1, plan.rounds);
                duel.silvia_one.push(silvia_side::run(&scene, reach, Effort::Needed, 1)?);
                duel.silvia_all.push(silvia_side::run(&scene, reach, Effort::Needed, 0)?);
                if reach.is_some() {
                    duel.silvia_full.push(silvia_side::run(&scene, reach, Effort::Full, 1)?);
                }
                duel.fcl.push(peer.run(reach)?);
            }
            duels.push(duel);
        }
    }
    let text = table::page(&duels, plan.edge.pow(3), plan.triangles, &version, &options.commit);
    let file = options.output().join("bench-crowd.md");
    std::fs::write(&file, &text)?;
    println!("\n{text}\nwritten: {}", file.display());
    Ok(())
}
