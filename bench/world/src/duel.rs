//! One scene in all engines.

use crate::judge::{Finding, Judge};
use crate::mujoco_side::Mujoco;
use crate::page;
use crate::rapier_side::{TUNED, Tuning};
use crate::run::Run;
use crate::scene::Scene;
use crate::scenes;
use crate::task::{self, Task, Which, Who};
use bench_common::Options;
use serde::{Deserialize, Serialize};
use std::error::Error;

/// Longest time of one engine for one scene, on the processor, s: with five of them a scene is judged within
/// eight minutes.
const LIMIT: f64 = 60.0;
/// The same with `--quick`.
const QUICK_LIMIT: f64 = 4.0;

/// The name of Silvia as an interactive world.
pub(crate) const INTERACTIVE: &str = "Silvia, interactive";

/// A scene, and what became of it in each engine, Silvia first.
#[derive(Serialize, Deserialize)]
pub(crate) struct Duel {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) bodies: usize,
    pub(crate) steps: usize,
    /// What goes on in the first steps and in the others, and the step with which the second begins.
    pub(crate) windows: [String; 2],
    pub(crate) second: usize,
    pub(crate) sides: Vec<Side>,
    /// The version of MuJoCo, if it takes part.
    pub(crate) mujoco: Option<String>,
}

/// An engine in a scene.
#[derive(Serialize, Deserialize)]
pub(crate) struct Side {
    pub(crate) engine: String,
    /// Of each step made, s.
    pub(crate) seconds: Vec<f64>,
    pub(crate) ended: Option<String>,
    pub(crate) stages: Option<String>,
    pub(crate) finding: Finding,
}

impl Side {
    /// What a judge finds of a run.
    pub(crate) fn of(run: Run, judge: &Judge, scene: &Scene) -> Result<Side, Box<dyn Error>> {
        let finding = judge.look(scene, &run)?;
        let side =
            Side { engine: run.engine, seconds: run.seconds, ended: run.ended, stages: run.stages, finding };
        println!("  {}", page::told(&side));
        Ok(side)
    }

    /// Whether it is no peer.
    pub(crate) fn is_ours(&self) -> bool {
        self.engine.starts_with("Silvia")
    }

    /// Time of the first so many steps, s.
    pub(crate) fn total(&self, steps: usize) -> f64 {
        self.seconds[..steps].iter().sum()
    }
}

pub(crate) fn run(name: &str, options: &Options) -> Result<Duel, Box<dyn Error>> {
    let scene = scenes::named(name, options.quick)?;
    println!("{}: {} bodies, {} steps", scene.title, scene.free(), scene.steps);
    let limit = if options.quick { QUICK_LIMIT } else { LIMIT };
    let judge = Judge::new(&scene)?;
    let mut sides = Vec::new();
    // Peers use one thread unless told otherwise, so Silvia gets one too.
    for (engine, who) in [
        ("Silvia", Who::Silvia { profiled: true, interactive: false }),
        (INTERACTIVE, Who::Silvia { profiled: true, interactive: true }),
        ("Rapier", Who::Rapier(Tuning::Defaults)),
        ("Rapier, tuned", Who::Rapier(Tuning::Accurate(TUNED))),
    ] {
        let which = Which::Named { name: name.into(), quick: options.quick };
        let task = Task { scene: which, engine: who, threads: 1, limit };
        sides.push(Side::of(task::run(&task, engine, scene.steps)?, &judge, &scene)?);
    }
    let mut mujoco = None;
    if scene.is_convex() {
        let mut peer = Mujoco::start(options)?;
        sides.push(Side::of(peer.run(options, &scene, limit)?, &judge, &scene)?);
        mujoco = Some(peer.version().to_owned());
    }
    Ok(Duel {
        name: scene.name.into(),
        bodies: scene.free(),
        steps: scene.steps,
        windows: scene.windows.map(str::to_owned),
        second: scene.second,
        title: scene.title,
        sides,
        mujoco,
    })
}
