//! `cargo xtask prove AREA`: long proofs. The package `proofs` holds them and does the work; this builds and
//! starts it.

use crate::{Failure, command};

pub(crate) fn help() -> String {
    "Usage: cargo xtask prove [AREA [--trials N] [--seed N] [--restart | --from N] [--scene NAME]]\n\n\
     Runs the long proof of an area in release mode, in chunks. Its state is kept in proofs/AREA.json: stop \
     it whenever\n\
     you like, and the same command goes on where it stopped, as long as the sources are at the same commit. \
     The last\n\
     figures go into docs/src/generated/proof-AREA.md with that commit. Without an area, lists them.\n\n\
     \x20 --trials N   how many trials in all (each proof has its own default)\n\
     \x20 --seed N     where the random input starts\n\
     \x20 --restart    forget the state and start over\n\
     \x20 --from N     run the trial of this number alone, or --trials M from it on, to look into a failure; \
     keeps\n\
     \x20              neither state nor figures\n\
     \x20 --scene NAME of `steps` and `degenerate`: run the trials of this scene alone, --trials M of them, \
     from\n\
     \x20              --from N on; keeps neither state nor figures. An unknown name lists the scenes\n"
        .into()
}

pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    command::run(
        command::cargo()
            .args(["run", "--quiet", "--release", "--package", "proofs", "--"])
            .arg("--root")
            .arg(command::root())
            .args(["--commit", &command::commit()])
            .args(arguments),
    )
}
