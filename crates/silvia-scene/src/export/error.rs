//! Export errors.

use crate::recording::RecordingError;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a recording could not be exported.
#[derive(Debug, Error)]
pub enum ExportError {
    /// A recording without frames.
    #[error("the recording has no frames: the run ended before its first one; run the scene again")]
    NoFrames,
    /// No frame in the requested time span.
    #[error(
        "there is no frame {}: the recording goes from {} s to {} s",
        span(*from, *until),
        shown(*first),
        shown(*last)
    )]
    NoneChosen {
        /// Start of the span, s.
        from: f64,
        /// End of the span, s.
        until: f64,
        /// Time of its first frame, s.
        first: f64,
        /// Time of its last frame, s.
        last: f64,
    },
    /// A time span with a NaN, or whose end is before its start.
    #[error("frames from {from} s until {until} s were asked for: give two times, the earlier one first")]
    BadTimes {
        /// Start of the span, s.
        from: f64,
        /// End of the span, s.
        until: f64,
    },
    /// A frame that does not match the header.
    #[error("frame {number} is not like the recording's header: {what}; the recording is damaged")]
    BadFrame {
        /// Index of the frame, from 0.
        number: usize,
        /// The mismatch.
        what: &'static str,
    },
    /// The path exists and may not be replaced.
    #[error("{path} is there already: choose another name, or allow it to be replaced (--force)")]
    Exists {
        /// The existing path.
        path: PathBuf,
    },
    /// A folder where a file should go, or the other way round.
    #[error("{path} is {found}, and {wanted} is to be written: choose another name")]
    WrongKind {
        /// The existing path.
        path: PathBuf,
        /// What is there.
        found: &'static str,
        /// What should be written.
        wanted: &'static str,
    },
    /// The disk or the user's quota is full.
    #[error(
        "{path}: no space is left on the disk: make room, choose another disk, or export fewer frames \
         (--every)"
    )]
    DiskFull {
        /// The file that did not fit.
        path: PathBuf,
    },
    /// Any other problem with a file.
    #[error("cannot write {path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A number that a single-precision format cannot hold.
    #[error("{what} is {value:e}, beyond what glTF's single precision holds: export as csv or vtu")]
    TooFar {
        /// The quantity.
        what: String,
        /// Its value, m.
        value: f64,
    },
    /// Times so close that single precision cannot tell them apart.
    #[error(
        "the frames at {before} s and {after} s have the same time in glTF's single precision: export fewer \
         (--every), or a later part alone (--from)"
    )]
    TooFine {
        /// The earlier time, s.
        before: f64,
        /// The later time, s.
        after: f64,
    },
    /// More than 4 GiB, the limit of a binary glTF file.
    #[error(
        "a binary glTF file has at most 4 GiB, and this one would have {bytes} bytes: export fewer frames \
         (--every)"
    )]
    TooLarge {
        /// Size, bytes.
        bytes: u64,
    },
    /// The recording could not be read.
    #[error(transparent)]
    Recording(#[from] RecordingError),
}

/// A time without the last digits, which are rounding errors of a sum of steps.
fn shown(seconds: f64) -> f64 {
    format!("{seconds:.12}").parse().unwrap_or(seconds)
}

/// The span in words; an infinite end was not asked for.
fn span(from: f64, until: f64) -> String {
    match (from.is_finite(), until.is_finite()) {
        (_, false) => format!("from {from} s on"),
        (false, _) => format!("until {until} s"),
        _ => format!("from {from} s until {until} s"),
    }
}

impl ExportError {
    /// For `map_err`: a file problem, with a full disk told apart.
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
