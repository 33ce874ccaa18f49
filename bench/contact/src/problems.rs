//! The problems that are solved.

use bench_common::{Options, Random};
use silvia::contact::samples::{Pile, chain, grid, pile, stack};
use silvia::contact::{NamedProblem, System, from_json, to_json};
use std::error::Error;
use std::path::PathBuf;

/// A problem and the file that Siconos reads it from.
pub(crate) struct Problem {
    pub(crate) named: NamedProblem,
    pub(crate) file: PathBuf,
}

/// The published problems where a folder of them is named, else some made by rule.
pub(crate) fn load(options: &Options) -> Result<Vec<Problem>, Box<dyn Error>> {
    match std::env::var_os("SILVIA_CONTACT_PROBLEMS") {
        Some(folder) => {
            let mut files: Vec<PathBuf> = Vec::new();
            for entry in std::fs::read_dir(&folder)? {
                let path = entry?.path();
                if path.extension().is_some_and(|e| e == "json") {
                    files.push(path);
                }
            }
            files.sort();
            files
                .into_iter()
                .map(|file| {
                    let named = from_json(&std::fs::read_to_string(&file)?)
                        .map_err(|e| format!("{}: {e}", file.display()))?;
                    Ok(Problem { named, file })
                })
                .collect()
        }
        None => made(options),
    }
}

fn made(options: &Options) -> Result<Vec<Problem>, Box<dyn Error>> {
    let stones = |side, layers, points, seed| {
        let mut random = Random::new(seed);
        let pattern = Pile { side, layers, points, friction: 0.5, mass_ratio: 10.0, agitation: 0.3 };
        pile(&pattern, || random.unit())
    };
    let systems: [(&str, System); 7] = [
        ("chain-100", chain(100, 0.5)),
        ("stack-20", stack(20, 1.0, 0.5)),
        ("stack-8-ratio-1000", stack(8, 1e3, 0.5)),
        ("wall-6x6", grid(6, 6, 0.4)),
        ("pile-small", stones(2, 2, 3, 1)),
        ("pile-thin", stones(3, 4, 1, 2)),
        ("pile-rough", stones(3, 3, 3, 3)),
    ];
    let mut problems = Vec::new();
    for (name, system) in systems {
        let problem = system.assemble()?.problem().clone();
        let named = NamedProblem { name: name.to_string(), problem };
        let file = options.scratch().join(format!("{name}.json"));
        std::fs::write(&file, to_json(&named)?)?;
        problems.push(Problem { named, file });
    }
    Ok(problems)
}
