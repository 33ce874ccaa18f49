//! Why an export failed.

use crate::recording::RecordingError;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a recording could not be exported.
#[derive(Debug, Error)]
pub enum ExportError {
    /// There is nothing in it.
    #[error("the recording has no frames: the run ended before its first one; run the scene again")]
    NoFrames,
    /// None of its frames is in the time asked for.
    #[error("there is no frame {}: the recording goes from {first} s to {last} s", span(*from, *until))]
    NoneChosen {
        /// s
        from: f64,
        /// s
        until: f64,
        /// Time of its first frame, s.
        first: f64,
        /// Time of its last frame, s.
        last: f64,
    },
    /// A time that is not a number, or an end before its beginning.
    #[error("frames from {from} s until {until} s were asked for: give two times, the earlier one first")]
    BadTimes {
        /// s
        from: f64,
        /// s
        until: f64,
    },
    /// A frame that does not go with the header.
    #[error("frame {number} is not like the recording's header: {what}; the recording is damaged")]
    BadFrame {
        /// From 0.
        number: usize,
        /// What does not fit.
        what: &'static str,
    },
    /// Something that is not to be replaced is in the way.
    #[error("{path} is there already: choose another name, or allow it to be replaced (--force)")]
    Exists {
        /// What is in the way.
        path: PathBuf,
    },
    /// A folder where a file goes, or the other way round.
    #[error("{path} is {found}, and {wanted} is to be written: choose another name")]
    WrongKind {
        /// What is in the way.
        path: PathBuf,
        /// What it is.
        found: &'static str,
        /// What was to be there.
        wanted: &'static str,
    },
    /// The disk, or the user's share of it, is full.
    #[error(
        "{path}: no space is left on the disk: make room, choose another disk, or export fewer frames \
         (--every)"
    )]
    DiskFull {
        /// The file that did not fit.
        path: PathBuf,
    },
    /// Any other trouble with a file.
    #[error("cannot write {path}: {source}")]
    File {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A number that a single-precision format cannot hold.
    #[error("{what} is {value:e}, beyond what glTF's single precision holds: export as csv or vtu")]
    TooFar {
        /// Of what.
        what: String,
        /// m
        value: f64,
    },
    /// Times so near to each other that single precision makes them one.
    #[error(
        "the frames at {before} s and {after} s have the same time in glTF's single precision: export fewer \
         (--every), or a later part alone (--from)"
    )]
    TooFine {
        /// s
        before: f64,
        /// s
        after: f64,
    },
    /// More than 4 GiB, the most that a binary glTF file may have.
    #[error(
        "a binary glTF file has at most 4 GiB, and this one would have {bytes} bytes: export fewer frames \
         (--every)"
    )]
    TooLarge {
        /// So many.
        bytes: u64,
    },
    /// The recording could not be read.
    #[error(transparent)]
    Recording(#[from] RecordingError),
}

/// In words, with infinity for an end that was not asked for.
fn span(from: f64, until: f64) -> String {
    match (from.is_finite(), until.is_finite()) {
        (_, false) => format!("from {from} s on"),
        (false, _) => format!("until {until} s"),
        _ => format!("from {from} s until {until} s"),
    }
}

impl ExportError {
    /// For `map_err`: trouble with a file, a full disk told apart from the rest.
    pub(super) fn at(path: &Path) -> impl FnOnce(io::Error) -> ExportError + '_ {
        move |source| match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                ExportError::DiskFull { path: path.to_owned() }
            }
            _ => ExportError::File { path: path.to_owned(), source },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Linux has a device that is always full.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk_is_told_apart_from_other_trouble() {
        let path = Path::new("/dev/full");
        let written = std::fs::write(path, b"x").map_err(ExportError::at(path));
        let message = written.unwrap_err().to_string();
        assert!(message.starts_with("/dev/full: no space is left on the disk"), "{message}");
        let path = Path::new("/no/such/folder");
        let written = std::fs::write(path, b"x").map_err(ExportError::at(path));
        assert!(matches!(written, Err(ExportError::File { .. })));
    }
}
