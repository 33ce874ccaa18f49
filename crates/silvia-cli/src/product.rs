//! Files that a command makes from a recording.

use crate::failure::Failure;
use silvia::scene::Recording;
use silvia::scene::recording::file_of;
use std::path::{Path, PathBuf};

/// Opens the recording in a file or in the folder of a run. Reports lost data on standard error.
pub(crate) fn opened(path: &Path) -> Result<Recording, Failure> {
    let recording = Recording::open(path).map_err(|e| Failure::Bad(e.to_string()))?;
    if recording.lost() > 0 {
        let note = "its end was not written whole, and is left out";
        eprintln!("note: {}: {note} ({} bytes)", path.display(), recording.lost());
    }
    Ok(recording)
}

/// Refuses to replace a file that is there, unless that was asked for. Call this before the work is done.
pub(crate) fn must_be_new(path: &Path, replace: bool) -> Result<(), Failure> {
    if !replace && path.is_file() {
        return Err(Failure::with_file(path, "is there already: name another file, or add --force"));
    }
    Ok(())
}

/// Where a product goes, and whether an existing file may be replaced.
pub(crate) struct Place {
    pub(crate) path: PathBuf,
    replace: bool,
}

impl Place {
    /// The given path; by default beside the recording, as `run/NAME` in a run's folder and as `other.EXT`
    /// for a file `other.silvia`. An existing file is replaced with `force`, and at the default path in a
    /// run's folder, where it is a product of the same recording.
    pub(crate) fn new(given: Option<&Path>, recording: &Path, name: &str, force: bool) -> Place {
        if let Some(path) = given {
            return Place { path: path.to_owned(), replace: force };
        }
        let file = file_of(recording);
        let in_folder = file.file_name().is_some_and(|own| own == silvia::scene::recording::FILE_NAME);
        let extension = Path::new(name).extension().unwrap_or_default();
        let path = if in_folder { file.with_file_name(name) } else { file.with_extension(extension) };
        Place { path, replace: force || in_folder }
    }

    /// The path of one of several products.
    pub(crate) fn numbered(&self, number: usize) -> Place {
        let stem = self.path.file_stem().unwrap_or_default().to_string_lossy();
        let extension = self.path.extension().unwrap_or_default().to_string_lossy();
        let path = self.path.with_file_name(format!("{stem}-{number:04}.{extension}"));
        Place { path, replace: self.replace }
    }

    /// Refuses to replace a file that must stay. Call this before the work is done.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        must_be_new(&self.path, self.replace)
    }

    /// Writes the product.
    pub(crate) fn write(&self, content: &[u8]) -> Result<(), Failure> {
        self.check()?;
        std::fs::write(&self.path, content).map_err(|error| {
            let folder = self.path.parent().filter(|folder| !folder.exists());
            let what = match folder {
                Some(folder) => {
                    format!("there is no folder {}: make it first, or choose another", folder.display())
                }
                None => format!("cannot be written ({error}): choose another place"),
            };
            Failure::with_file(&self.path, what)
        })
    }
}
