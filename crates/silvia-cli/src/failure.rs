//! Why a command failed: the text after `error: `.

use silvia::solid::files::{FileError, FileProblem};
use std::fmt::Display;
use std::path::Path;

/// A failure of a command.
#[derive(Debug)]
pub(crate) enum Failure {
    /// To be reported: the file or value, the problem, and the remedy.
    Bad(String),
    /// Each file's own error has been reported.
    AlreadyTold,
    /// The answer was given, and is one that has an exit code of its own.
    Answered(u8),
    /// The reader of our output is gone.
    OutputClosed,
}

impl Failure {
    /// A problem with a file, other than reading or writing it.
    pub(crate) fn with_file(path: &Path, what: impl Display) -> Failure {
        Failure::Bad(format!("{}: {what}", path.display()))
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Bad(what) => f.write_str(what),
            Failure::AlreadyTold | Failure::Answered(_) => f.write_str("see above"),
            Failure::OutputClosed => f.write_str("the output was closed"),
        }
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Failure {
        let extension = match &error.problem {
            FileProblem::UnknownExtension { extension } => extension.as_str(),
            _ => "",
        };
        let what = match extension {
            "toml" => "this is a scene, not a part: `silvia check` and `silvia run` take scenes",
            "silvia" => {
                "this is a recording, not a part: `silvia report` and `silvia export` take recordings"
            }
            _ => return Failure::Bad(error.to_string()),
        };
        Failure::with_file(&error.path, what)
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Failure::OutputClosed,
            _ => Failure::Bad(format!("cannot write the output ({error}): fix the cause and try again")),
        }
    }
}
