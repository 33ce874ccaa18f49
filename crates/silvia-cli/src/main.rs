//! The `silvia` command: one file per subcommand. Whatever a library user would want is in the other crates.

mod ccd;
mod check;
mod collide;
mod contacts;
mod convert;
mod crowd;
mod decompose;
mod distance;
mod export;
mod failure;
mod fit;
mod help;
mod impact;
mod inspect;
mod lengths;
mod make;
mod numbers;
mod pair;
mod penetration;
mod poses;
mod product;
mod render;
mod report;
mod resume;
mod run;
mod running;
mod solve;
mod validate;
mod values;
mod words;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use failure::Failure;
use std::process::ExitCode;

/// Collision detection and response: parts, whether they touch, how far apart they are, what holds them
/// apart, which impulses act.
#[derive(Parser)]
#[command(
    name = "silvia",
    version,
    propagate_version = true,
    subcommand_required = true,
    arg_required_else_help = true
)]
#[command(after_help = "\
Exit codes: 0 all well; 1 a file or a value is bad, and standard error says which; 2 the command line is \
wrong; `silvia fit` has two of its own.

`silvia COMMAND --help` shows examples.")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Inspect(inspect::Inspect),
    Make(make::Make),
    Convert(convert::Convert),
    Collide(collide::Collide),
    Distance(distance::Measure),
    Penetration(penetration::Depth),
    Decompose(decompose::Decompose),
    Impact(impact::Find),
    Ccd(ccd::Ccd),
    Crowd(crowd::Crowd),
    Contacts(contacts::Contacts),
    Fit(fit::Fit),
    Solve(solve::Solve),
    Run(run::Run),
    Resume(resume::Resume),
    Check(check::Check),
    Validate(validate::Validate),
    Render(render::Render),
    Report(report::Report),
    Export(export::Export),
    /// As `--version`, which not everybody tries first.
    #[command(hide = true)]
    Version,
}

fn main() -> ExitCode {
    // A panic is a bug of ours: report it like any other error, without a trace that only we can read.
    std::panic::set_hook(Box::new(|panic| {
        eprintln!("error: silvia itself failed, which is a bug ({panic}); please report it with the input");
    }));
    let parsed = help::with_negative_numbers(help::unfolded(Arguments::command())).try_get_matches();
    let parsed = parsed.and_then(|matches| Arguments::from_arg_matches(&matches));
    let arguments = parsed.unwrap_or_else(|error| words::answered(error).exit());
    let outcome = match &arguments.command {
        Command::Inspect(inspect) => inspect.run(),
        Command::Make(make) => make.run(),
        Command::Convert(convert) => convert.run(),
        Command::Collide(collide) => collide.run(),
        Command::Distance(distance) => distance.run(),
        Command::Penetration(penetration) => penetration.run(),
        Command::Decompose(decompose) => decompose.run(),
        Command::Impact(impact) => impact.run(),
        Command::Ccd(ccd) => ccd.run(),
        Command::Crowd(crowd) => crowd.run(),
        Command::Contacts(contacts) => contacts.run(),
        Command::Fit(fit) => fit.run(),
        Command::Solve(solve) => solve.run(),
        Command::Run(run) => run.run(),
        Command::Resume(resume) => resume.run(),
        Command::Check(check) => check.run(),
        Command::Validate(validate) => validate.run(),
        Command::Render(render) => render.run(),
        Command::Report(report) => report.run(),
        Command::Export(export) => export.run(),
        Command::Version => {
            println!("silvia {}", env!("CARGO_PKG_VERSION"));
            Ok(())
        }
    };
    match outcome {
        // The reader of our output has seen enough, as `head` does.
        Ok(()) | Err(Failure::OutputClosed) => ExitCode::SUCCESS,
        Err(Failure::AlreadyTold) => ExitCode::FAILURE,
        Err(Failure::Answered(code)) => ExitCode::from(code),
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}
