//! `cargo xtask bench AREA`: Silvia and its peers on the same work, in one run; or Silvia alone.
//!
//! Each area is a package of the `bench/` workspace, which has its own lock file and heavy dependencies.
//! Peers that come as Python packages go into a virtual environment in `bench/.peers`, at the versions pinned
//! in `bench/peers.txt`.

use crate::{Failure, command, python};
use std::path::{Path, PathBuf};

/// Something to measure, with peers if it has any.
struct Area {
    name: &'static str,
    /// Its package in the `bench/` workspace. It is given `--root PATH`, `--commit HASH`, `--python PATH` if
    /// it has peers, and what the user adds.
    package: &'static str,
    what: &'static str,
    /// Whether it needs Python, for its peers.
    has_peers: bool,
}

const AREAS: &[Area] = &[
    Area {
        name: "ccd",
        package: "bench-ccd",
        what: "elementary continuous collision queries, against ipc-toolkit's additive CCD and Tight \
         Inclusion",
        has_peers: true,
    },
    Area {
        name: "proximity",
        package: "bench-proximity",
        what: "collision and distance of meshes, against coal, FCL and parry",
        has_peers: true,
    },
    Area {
        name: "impact",
        package: "bench-impact",
        what: "time of impact of moving meshes, against parry, FCL and the IPC Toolkit",
        has_peers: true,
    },
    Area {
        name: "crowd",
        package: "bench-crowd",
        what: "a thousand moving meshes, collisions and distances, against FCL's dynamic tree manager",
        has_peers: true,
    },
    Area {
        name: "solids",
        package: "bench-solids",
        what: "read an STL file, topology, checks and mass properties, against trimesh",
        has_peers: true,
    },
    Area {
        name: "convex",
        package: "bench-convex",
        what: "closest features of convex solids that rotate past each other, against parry's GJK",
        has_peers: true,
    },
    Area {
        name: "culling",
        package: "bench-culling",
        what: "overlapping pairs of moving boxes, against parry and ipctk",
        has_peers: true,
    },
    Area {
        name: "contact",
        package: "bench-contact",
        what: "contact problems with friction, against Siconos (Debian's python3-siconos)",
        has_peers: true,
    },
    Area {
        name: "contacts",
        package: "bench-contacts",
        what: "contacts of parts in close fit, against parry's contact manifolds",
        has_peers: true,
    },
    Area {
        name: "world",
        package: "bench-world",
        what: "worlds of many bodies, against Rapier and MuJoCo, and how they grow; --part NAME for one part \
         of it",
        has_peers: true,
    },
    Area {
        name: "motion",
        package: "bench-motion",
        what: "bodies that roll, against their equations of motion, beside Rapier and MuJoCo",
        has_peers: true,
    },
    Area {
        name: "scenes",
        package: "bench-scenes",
        what: "scene files of a folder and scenes of our own parts, exact and interactive; no peers. \
         --folder PATH, --limit SECONDS, --only NAME[,NAME], --mode MODE",
        has_peers: false,
    },
];

pub(crate) fn help() -> String {
    let mut text = String::from(
        "Usage: cargo xtask bench AREA [OPTIONS]\n\n\
         Installs the peers into bench/.peers, builds the comparison in release mode, runs it and writes its \
         tables\n\
         and plots into docs/src/generated/. Other options are handed to the comparison; `--quick` makes a \
         small one\n\
         that only shows that everything works and writes into bench/out/.\n\nAreas:\n",
    );
    for area in AREAS {
        text += &format!("  {:<9} {}\n", area.name, area.what);
    }
    text
}

pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let (name, rest) =
        arguments.split_first().ok_or_else(|| format!("which area?\n\n{}", help().trim_end()))?;
    let area = AREAS
        .iter()
        .find(|a| a.name == name)
        .ok_or_else(|| format!("there is no area `{name}`: see `cargo xtask bench --help`"))?;
    let root = command::root();
    let mut cargo = command::cargo();
    cargo.args(["run", "--release", "--manifest-path", "bench/Cargo.toml", "--package", area.package, "--"]);
    if area.has_peers {
        cargo.arg("--python").arg(install_peers(&root, area.name)?);
    }
    command::run(cargo.arg("--root").arg(&root).args(["--commit", &command::commit()]).args(rest))
}

/// Makes the virtual environment, puts the area's packages into it unless they are there, and gives its
/// Python.
fn install_peers(root: &Path, area: &str) -> Result<PathBuf, Failure> {
    let list = root.join("bench/peers.txt");
    let pins = std::fs::read_to_string(&list).map_err(|e| format!("cannot read {}: {e}", list.display()))?;
    let wanted = packages_for(&pins, area);
    python::environment(&root.join("bench/.peers"), area, &wanted)
}

/// The pinned packages of an area: lines `package==version  # area, area`.
fn packages_for<'a>(pins: &'a str, area: &str) -> Vec<&'a str> {
    pins.lines()
        .filter_map(|line| line.split_once('#'))
        .filter(|(package, areas)| !package.trim().is_empty() && areas.split(',').any(|a| a.trim() == area))
        .map(|(package, _)| package.trim())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_area_gets_its_own_packages_only() {
        let pins = "# area names follow the package\nnumpy==2.0 # solids, proximity\ncoal==3.0 # proximity\n";
        assert_eq!(packages_for(pins, "solids"), ["numpy==2.0"]);
        assert_eq!(packages_for(pins, "proximity"), ["numpy==2.0", "coal==3.0"]);
        assert!(packages_for(pins, "culling").is_empty());
    }
}
