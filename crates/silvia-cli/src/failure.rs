//! Why a command ended badly, in the words that follow `error: `.

use silvia::solid::files::FileError;
use std::fmt::Display;
use std::path::Path;

/// What went wrong.
#[derive(Debug)]
pub(crate) enum Failure {
    /// To be told: the file or value, what is wrong with it, and what to do.
    Bad(String),
    /// Each file's own error has been told already.
    AlreadyTold,
    /// Nobody reads our output any more.
    OutputClosed,
}

impl Failure {
    /// Something wrong with a file, other than that it cannot be read or written.
    pub(crate) fn with_file(path: &Path, what: impl Display) -> Failure {
        Failure::Bad(format!("{}: {what}", path.display()))
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Bad(what) => f.write_str(what),
            Failure::AlreadyTold => f.write_str("see above"),
            Failure::OutputClosed => f.write_str("the output was closed"),
        }
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Failure {
        Failure::Bad(error.to_string())
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Failure::OutputClosed,
            _ => Failure::Bad(format!("cannot write the output ({error}): see to the cause and try again")),
        }
    }
}
