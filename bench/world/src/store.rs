//! What each part has found, kept from run to run so that one page can be made of parts that were run one by
//! one.

use crate::duel::Duel;
use crate::growth::Grown;
use crate::live::Live;
use crate::parts;
use crate::threads::Threads;
use crate::tuning::Tried;
use bench_common::{Options, machine};
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::path::PathBuf;

/// What a part has found.
#[derive(Serialize, Deserialize)]
pub(crate) enum Outcome {
    Duel(Duel),
    Tuning(Tried),
    Growth(Grown),
    Threads(Threads),
    Live(Live),
}

/// With where it was found.
#[derive(Serialize, Deserialize)]
pub(crate) struct Kept {
    pub(crate) part: String,
    /// Of Silvia.
    pub(crate) commit: String,
    pub(crate) machine: String,
    pub(crate) outcome: Outcome,
}

/// A folder with a file for each part; quick runs and full ones have one each.
pub(crate) struct Store {
    folder: PathBuf,
    commit: String,
}

impl Store {
    pub(crate) fn open(options: &Options) -> Result<Store, Box<dyn Error>> {
        let folder = options.scratch().join(if options.quick { "world-quick" } else { "world" });
        std::fs::create_dir_all(&folder)?;
        std::fs::create_dir_all(options.output())?;
        Ok(Store { folder, commit: options.commit.clone() })
    }

    pub(crate) fn keep(&self, part: &str, outcome: Outcome) -> Result<(), Box<dyn Error>> {
        let kept = Kept { part: part.into(), commit: self.commit.clone(), machine: machine(), outcome };
        Ok(std::fs::write(self.file(part), serde_json::to_vec(&kept)?)?)
    }

    /// Of all parts that were ever run, in the order of the page. What another version has kept and this one
    /// cannot read is left out.
    pub(crate) fn all(&self) -> Result<Vec<Kept>, Box<dyn Error>> {
        let mut all = Vec::new();
        for part in parts() {
            let file = self.file(part);
            match std::fs::read(&file) {
                Ok(bytes) => match serde_json::from_slice(&bytes) {
                    Ok(kept) => all.push(kept),
                    Err(error) => {
                        eprintln!("{}: left out ({error}): run the part again", file.display())
                    }
                },
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(all)
    }

    fn file(&self, part: &str) -> PathBuf {
        self.folder.join(format!("{part}.json"))
    }
}
