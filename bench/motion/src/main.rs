//! `cargo xtask bench motion`: bodies that roll, in Silvia, Rapier and MuJoCo, against their equations of
//! motion.
//!
//! Every engine gets the same body and start, and a row of step lengths; the peers also some settings each.
//! How far the body is at the end from where it should be is set against the time that took, so that engines
//! are compared at equal cost, not at equal steps.

mod mujoco_side;
mod page;
mod rapier_side;
mod scene;
mod silvia_side;
mod truth;

use bench_common::Options;
use mujoco_side::Mujoco;
use scene::Scene;
use std::error::Error;
use std::process::ExitCode;
use truth::State;

/// Steps a second.
const RATES: [f64; 15] = [
    125.0, 180.0, 250.0, 360.0, 500.0, 720.0, 1000.0, 1440.0, 2000.0, 2880.0, 4000.0, 5760.0, 8000.0,
    11520.0, 16000.0,
];

/// How often a run is timed; the least counts.
const ROUNDS: usize = 3;

/// What came of one engine with one setting and one length of steps.
pub(crate) struct Run {
    /// s
    pub(crate) step: f64,
    /// Time on the processor for each simulated second, s.
    pub(crate) cost: f64,
    /// How far the end is from the truth, as a share of the body's radius.
    pub(crate) error: f64,
    /// How much energy was lost, of all; negative if gained.
    pub(crate) lost: f64,
}

/// An engine with one setting.
pub(crate) struct Series {
    pub(crate) engine: &'static str,
    pub(crate) setting: &'static str,
    /// By falling length of step.
    pub(crate) runs: Vec<Run>,
}

/// All engines on one scene.
pub(crate) struct Duel {
    pub(crate) scene: Scene,
    pub(crate) series: Vec<Series>,
}

fn main() -> ExitCode {
    bench_common::run(compare)
}

fn compare(options: &Options) -> Result<(), Box<dyn Error>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build()?;
    let mut mujoco = Mujoco::start(options)?;
    let mut duels = Vec::new();
    for scene in scene::all() {
        println!("{}", scene.what);
        duels.push(pool.install(|| duel(scene, &mut mujoco, options).map_err(|error| error.to_string()))?);
    }
    let (page, plots) = page::make(&duels, mujoco.version(), options);
    std::fs::create_dir_all(options.output())?;
    let file = options.output().join("bench-motion.md");
    std::fs::write(&file, page)?;
    for (name, plot) in plots {
        std::fs::write(options.output().join(name), plot)?;
    }
    println!("\n{}\nwritten: {}", std::fs::read_to_string(&file)?, file.display());
    Ok(())
}

fn duel(scene: Scene, mujoco: &mut Mujoco, options: &Options) -> Result<Duel, Box<dyn Error>> {
    let truth = truth::after(&scene.form, scene.start, scene.time);
    let mut series = vec![each_step("Silvia", "as it comes", &scene, &truth, options, |step| {
        silvia_side::run(&scene, step).map(Some)
    })?];
    for tuning in &rapier_side::TUNINGS {
        series.push(each_step("Rapier", tuning.name, &scene, &truth, options, |step| {
            rapier_side::run(&scene, step, tuning).map(Some)
        })?);
    }
    for tuning in &mujoco_side::TUNINGS {
        series.push(each_step("MuJoCo", tuning.name, &scene, &truth, options, |step| {
            mujoco.run(&scene, step, tuning)
        })?);
    }
    Ok(Duel { scene, series })
}

/// Runs of one engine with one setting, by length of step; without those that it gave up.
fn each_step(
    engine: &'static str,
    setting: &'static str,
    scene: &Scene,
    truth: &State,
    options: &Options,
    mut run: impl FnMut(f64) -> Result<Option<(State, f64)>, Box<dyn Error>>,
) -> Result<Series, Box<dyn Error>> {
    let (rates, rounds) = if options.quick { (&RATES[2..5], 1) } else { (&RATES[..], ROUNDS) };
    let before = scene.energy(&scene.start);
    let mut runs = Vec::new();
    for step in rates.iter().map(|rate| 1.0 / rate) {
        let mut cost = f64::INFINITY;
        let mut end = None;
        for _ in 0..rounds {
            let Some((state, seconds)) = run(step)? else { break };
            cost = cost.min(seconds / scene.time);
            end = Some(state);
        }
        if let Some(end) = end {
            let (error, lost) = (scene.apart(&end, truth), 1.0 - scene.energy(&end) / before);
            runs.push(Run { step, cost, error, lost });
        }
    }
    println!("  {engine}, {setting}: {}", page::told(&runs));
    Ok(Series { engine, setting, runs })
}
