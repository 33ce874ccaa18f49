//! What `cargo xtask bench` hands to a comparison.

use std::path::PathBuf;

/// The options every comparison takes.
pub struct Options {
    /// The Python that has the peers.
    pub python: PathBuf,
    /// The folder of the repository.
    pub root: PathBuf,
    /// The sources that are measured, for the heading of a table.
    pub commit: String,
    /// A small run that only shows that everything works; its tables stay out of the guide.
    pub quick: bool,
}

impl Options {
    /// Reads `--python PATH --root PATH --commit HASH [--quick]`.
    pub fn read(mut arguments: impl Iterator<Item = String>) -> Result<Options, String> {
        let (mut python, mut root, mut commit, mut quick) = (None, None, None, false);
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("{argument} needs a value"));
            match argument.as_str() {
                "--python" => python = Some(PathBuf::from(value()?)),
                "--root" => root = Some(PathBuf::from(value()?)),
                "--commit" => commit = Some(value()?),
                "--quick" => quick = true,
                other => return Err(format!("`{other}` is not understood; there is --quick")),
            }
        }
        match (python, root, commit) {
            (Some(python), Some(root), Some(commit)) => Ok(Options { python, root, commit, quick }),
            _ => Err("start this with `cargo xtask bench AREA`, which says where Python is".into()),
        }
    }

    /// Where files made for the comparison go.
    pub fn scratch(&self) -> PathBuf {
        self.root.join("bench/out")
    }

    /// Where tables and plots go: the guide, or with `--quick` the scratch folder.
    pub fn output(&self) -> PathBuf {
        if self.quick { self.scratch() } else { self.root.join("docs/src/generated") }
    }
}
