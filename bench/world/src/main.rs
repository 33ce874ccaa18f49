//! `cargo xtask bench world`: worlds of many bodies in Silvia, Rapier and MuJoCo, and Silvia alone as it
//! grows.
//!
//! All engines get the same scene: forms, masses, friction, gravity, step and number of steps, and none lets
//! bodies sleep. Their states at the same steps are looked at by one judge, which belongs to none of them.
//! Each run has a process of its own (`task`), which tells of every step as it is made, so that one that
//! takes too long can be ended at any moment and only its last step is lost.
//!
//! Every part of the comparison can be run by itself; what each has found is kept beside the page, which is
//! made anew of all of them.

mod duel;
mod growth;
mod judge;
mod live;
mod mujoco_side;
mod page;
mod rapier_side;
mod run;
mod scene;
mod scenes;
mod silvia_side;
mod store;
mod summary;
mod task;
mod threads;
mod tuning;

use bench_common::Options;
use std::error::Error;
use std::process::ExitCode;
use store::{Outcome, Store};

/// All parts, in the order of the page; each ends within eight minutes.
fn parts() -> Vec<&'static str> {
    let others = [
        "rapier",
        "growth-stacks",
        "growth-pile",
        "growth-interactive",
        "threads",
        "threads-interactive",
        "live",
    ];
    scenes::NAMES.into_iter().chain(others).collect()
}

/// What is asked for beyond what every comparison takes.
#[derive(Default)]
struct Request {
    /// These parts alone; all if there are none.
    parts: Vec<String>,
    /// No part: the page alone.
    is_page_only: bool,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    bench_common::finish(match &arguments[..] {
        [word, task] if word == task::WORD => task::work(task),
        _ => asked(arguments),
    })
}

fn asked(arguments: Vec<String>) -> Result<(), Box<dyn Error>> {
    let mut request = Request::default();
    let mut rest = Vec::new();
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--part" => {
                let names = arguments.next().ok_or("--part needs a name")?;
                request.parts.extend(names.split(',').map(str::to_owned));
            }
            "--growth" => {
                request
                    .parts
                    .extend(["growth-stacks", "growth-pile", "growth-interactive"].map(str::to_owned));
            }
            "--threads" => request.parts.extend(["threads", "threads-interactive"].map(str::to_owned)),
            "--page" => request.is_page_only = true,
            _ => rest.push(argument),
        }
    }
    let options = Options::read(rest.into_iter()).map_err(|error| {
        format!("{error}, --part NAME[,NAME], --growth, --threads, --page; parts are {}", parts().join(", "))
    })?;
    if let Some(unknown) = request.parts.iter().find(|name| !parts().contains(&name.as_str())) {
        return Err(format!("there is no part `{unknown}`: there are {}", parts().join(", ")).into());
    }
    compare(&options, &request)
}

fn compare(options: &Options, request: &Request) -> Result<(), Box<dyn Error>> {
    let store = Store::open(options)?;
    let wanted = |part: &&str| {
        !request.is_page_only && (request.parts.is_empty() || request.parts.iter().any(|p| p == part))
    };
    for part in parts().into_iter().filter(wanted) {
        let outcome = match part {
            "rapier" => Outcome::Tuning(tuning::run(options)?),
            "growth-stacks" => Outcome::Growth(growth::run("stacks", options)?),
            "growth-pile" => Outcome::Growth(growth::run("pile", options)?),
            "growth-interactive" => Outcome::Growth(growth::run("pile, interactive", options)?),
            "threads" => Outcome::Threads(threads::run(false, options)?),
            "threads-interactive" => Outcome::Threads(threads::run(true, options)?),
            "live" => Outcome::Live(live::run(options)?),
            scene => Outcome::Duel(duel::run(scene, options)?),
        };
        store.keep(part, outcome)?;
        // Whatever happens to the parts that follow, the page has this one.
        page::write(&store, options)?;
    }
    let file = page::write(&store, options)?;
    println!("\n{}\nwritten: {}", std::fs::read_to_string(&file)?, file.display());
    Ok(())
}
