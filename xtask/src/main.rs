//! `cargo xtask`: one command each for testing, benchmarking, proving, drawing and packing.
//!
//! This program only starts others and reads what they print. It depends on nothing of the engine, so that it
//! still builds, and can say what is wrong, when the engine does not.

#[cfg(test)]
mod architecture;
mod bench;
mod command;
mod figures;
mod guide;
#[cfg(test)]
mod lean;
mod prove;
mod publish;
mod python;
#[cfg(test)]
mod sentences;
mod test;
mod width;

use std::process::ExitCode;

/// Why a task ended badly: one sentence for a person, saying what to do where that is known.
type Failure = String;

/// One thing that `cargo xtask` can do.
struct Task {
    name: &'static str,
    about: &'static str,
    help: fn() -> String,
    run: fn(&[String]) -> Result<(), Failure>,
}

const TASKS: &[Task] = &[
    Task {
        name: "test",
        about: "everything CI runs: format, lints, tests, doc tests, docs, guide",
        help: test::help,
        run: test::run,
    },
    Task {
        name: "bench",
        about: "compare an area with its peers, side by side; installs them",
        help: bench::help,
        run: bench::run,
    },
    Task {
        name: "prove",
        about: "run an area's long proof; stop it whenever you like, it resumes",
        help: prove::help,
        run: prove::run,
    },
    Task {
        name: "figures",
        about: "draw the pictures of the README and the guide again",
        help: figures::help,
        run: figures::run,
    },
    Task {
        name: "publish",
        about: "check that every crate can be published; publish nothing",
        help: publish::help,
        run: publish::run,
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((name, rest)) = arguments.split_first() else {
        eprintln!("{}", help());
        return ExitCode::from(2);
    };
    if matches!(name.as_str(), "help" | "-h" | "--help") {
        println!("{}", help());
        return ExitCode::SUCCESS;
    }
    let Some(task) = TASKS.iter().find(|t| t.name == name) else {
        eprintln!("error: there is no task `{name}`\n\n{}", help());
        return ExitCode::from(2);
    };
    if rest.iter().any(|a| a == "-h" || a == "--help") {
        println!("{}", (task.help)());
        return ExitCode::SUCCESS;
    }
    match (task.run)(rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn help() -> String {
    let mut text = String::from("Usage: cargo xtask TASK [OPTIONS]\n\nTasks:\n");
    for task in TASKS {
        text += &format!("  {:<8} {}\n", task.name, task.about);
    }
    text + "\n`cargo xtask TASK --help` says more. Each installs what it needs, inside this folder."
}
