//! Errors of reading and writing recordings.

use silvia_world::SnapshotError;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a recording could not be read or written.
#[derive(Debug, Error)]
pub enum RecordingError {
    /// A frame that does not exist.
    #[error("there is no frame {number}: the recording has {count}")]
    NoSuchFrame {
        /// The requested index, from 0.
        number: usize,
        /// Number of frames.
        count: usize,
    },
    /// A kept state that does not exist.
    #[error("there is no kept state {number}: the recording has {count}")]
    NoSuchState {
        /// The requested index, from 0.
        number: usize,
        /// Number of kept states.
        count: usize,
    },
    /// The file cannot be opened or read.
    #[error("{}: {}", path.display(), unread(source))]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The file cannot be written.
    #[error(
        "{}: cannot be written ({source}): fix the cause; what was written before is kept, and `silvia \
         resume` goes on from there",
        path.display()
    )]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A file that exists already.
    #[error("{}: is there already: choose another folder, or use `--force` to overwrite it", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// A file that another run is writing to.
    #[error("{}: another run is writing to it: wait until it ends, or choose another folder", path.display())]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// A file that is not a recording.
    #[error(
        "{}: this is not a recording of silvia: name the file `recording.silvia` of a run, or its folder; a \
         scene is run first, by `silvia run`",
        path.display()
    )]
    NoRecording {
        /// The file.
        path: PathBuf,
    },
    /// A format of a later version.
    #[error(
        "{}: has format {found}, written by {made_by}; this is {} and knows format {known} and before: use \
         {made_by} or newer",
        path.display(),
        super::PROGRAM
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// The format of the file.
        found: u32,
        /// The latest known format.
        known: u32,
        /// The program that wrote the file.
        made_by: String,
    },
    /// A damaged part of the file.
    #[error(
        "{}: damaged at byte {at}: {what}; `silvia resume` goes on from the last whole state before",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The byte at which the damaged block begins.
        at: u64,
        /// What is wrong with it.
        what: &'static str,
    },
    /// A file that ends or is damaged before the first frame.
    #[error(
        "{}: its header is not whole ({what}), so that nothing of it can be read: run the scene again",
        path.display()
    )]
    NoHeader {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: &'static str,
    },
    /// A recording without a state to resume from.
    #[error("{}: has no kept state to go on from: run the scene again", path.display())]
    NoState {
        /// The file.
        path: PathBuf,
    },
    /// A header with a number that is not finite.
    #[error("the header's {what} is {given}: it must be finite")]
    NotFinite {
        /// The number's name.
        what: &'static str,
        /// Its value.
        given: f64,
    },
    /// A header with a watch of a body that is not in it.
    #[error("the header has a watch of body {body}, but its bodies are {bodies}: name them from 0")]
    NoSuchWatched {
        /// The body's index, from 0.
        body: u32,
        /// Number of bodies in the header.
        bodies: usize,
    },
    /// A frame that does not match the header.
    #[error("the frame of step {step} does not fit the header, which has {bodies} bodies")]
    WrongFrame {
        /// Step of the frame.
        step: u64,
        /// Number of bodies in the header.
        bodies: usize,
    },
    /// A kept state with invalid content.
    #[error("{}: the state kept after step {step} is refused: {source}", path.display())]
    State {
        /// The file.
        path: PathBuf,
        /// The step after which it was kept.
        step: u64,
        /// The reason.
        source: SnapshotError,
    },
}

/// Why a file was not read, and what to do.
fn unread(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => {
            "there is no such file or folder: check the name (`silvia run` says where its recording is)"
                .to_owned()
        }
        _ => format!("cannot be read ({error}): check the path and who may read it"),
    }
}

impl RecordingError {
    pub(crate) fn read(path: &Path) -> impl FnOnce(io::Error) -> RecordingError {
        let path = path.to_owned();
        |source| RecordingError::Read { path, source }
    }

    pub(crate) fn write(path: &Path) -> impl FnOnce(io::Error) -> RecordingError {
        let path = path.to_owned();
        |source| RecordingError::Write { path, source }
    }

    pub(crate) fn damaged(path: &Path, at: u64, what: &'static str) -> RecordingError {
        RecordingError::Damaged { path: path.to_owned(), at, what }
    }
}
