//! `cargo xtask bench world`: worlds of many bodies in Silvia, Rapier and MuJoCo.
//!
//! All engines get the same scene: forms, masses, friction, gravity, step and number of steps. Each runs on one thread. Their
//! states at the same steps are looked at by one judge, which belongs to none of them. A run that takes too long is
//! stopped; then only the steps that both sides have made are compared.

mod growth;
mod judge;
mod mujoco_side;
mod page;
mod rapier_side;
mod run;
mod scene;
mod scenes;
mod silvia_side;
mod summary;

use bench_common::Options;
use judge::{Finding, Judge};
use mujoco_side::Mujoco;
use rapier_side::{Rapier, Tuning};
use run::{Run, drive};
use scene::Scene;
use silvia_side::Silvia;
use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;

/// Longest time of one engine for one scene: with six scenes and four engines the whole ends within 20 minutes, and the
/// judge's time is in that.
const LIMIT: Duration = Duration::from_secs(60);
/// The same with `--quick`.
const QUICK_LIMIT: Duration = Duration::from_secs(4);

/// What is asked for beyond what every comparison takes.
#[derive(Default)]
struct Request {
    /// These scenes alone; all if there are none.
    scenes: Vec<String>,
    /// Growth instead of the comparison.
    growth: bool,
}

/// A scene, and what became of it in each engine, Silvia first.
struct Duel {
    scene: Scene,
    runs: Vec<(Run, Finding)>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    bench_common::finish(match &arguments[..] {
        [word, task] if word == "grow" => growth::measure(task),
        _ => asked(arguments),
    })
}

fn asked(arguments: Vec<String>) -> Result<(), Box<dyn Error>> {
    let mut request = Request::default();
    let mut rest = Vec::new();
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--growth" => request.growth = true,
            "--scene" => request.scenes.push(arguments.next().ok_or("--scene needs a name")?),
            _ => rest.push(argument),
        }
    }
    let options = Options::read(rest.into_iter())?;
    if request.growth { growth::run(&options) } else { compare(&options, &request) }
}

fn compare(options: &Options, request: &Request) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(options.scratch())?;
    std::fs::create_dir_all(options.output())?;
    // Peers use one thread unless told otherwise, so Silvia gets one too.
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let names: Vec<&str> = match &request.scenes[..] {
        [] => scenes::NAMES.to_vec(),
        some => some.iter().map(String::as_str).collect(),
    };
    let mut mujoco = Mujoco::start(options)?;
    let mut duels = Vec::new();
    for name in names {
        let scene = scenes::named(name, options.quick)?;
        println!("{}: {} bodies, {} steps", scene.title, scene.free(), scene.steps);
        let limit = if options.quick { QUICK_LIMIT } else { LIMIT };
        let mut runs = Vec::new();
        let mut silvia = Silvia::new(&scene)?;
        runs.push(one.install(|| drive(&mut silvia, "Silvia", &scene, limit)));
        for (name, tuning) in [("Rapier", Tuning::Defaults), ("Rapier, tuned", Tuning::Accurate)] {
            runs.push(drive(&mut Rapier::new(&scene, tuning)?, name, &scene, limit));
        }
        if scene.is_convex() {
            runs.push(mujoco.run(options, &scene, limit)?);
        }
        let judge = Judge::new(&scene)?;
        let mut judged = Vec::new();
        for run in runs {
            let finding = judge.look(&scene, &run)?;
            println!("  {}", page::told(&run, &finding));
            judged.push((run, finding));
        }
        duels.push(Duel { scene, runs: judged });
    }
    let text = page::text(&duels, mujoco.version(), options);
    let file = options.output().join("bench-world.md");
    std::fs::write(&file, &text)?;
    println!("\n{text}\nwritten: {}", file.display());
    Ok(())
}
