//! What can be wrong with a file, and where.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::SoupError;

/// Why a file could not be read or written: which file, where in it, what was wrong and what to do.
#[derive(Debug, thiserror::Error)]
#[error("{}{place}: {problem}", path.display())]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// Where in the file.
    pub place: Place,
    /// What was wrong; part of the message above, so not its `source`.
    pub problem: FileProblem,
}

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The file as a whole.
    Whole,
    /// A line of text, counted from 1.
    Line(u64),
    /// A byte, counted from 0.
    Byte(u64),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Whole => Ok(()),
            Place::Line(line) => write!(f, ", line {line}"),
            Place::Byte(byte) => write!(f, ", byte {byte}"),
        }
    }
}

/// What was wrong with a file. Points and triangles are counted from 0, as in a [`crate::Soup`].
#[derive(Debug, thiserror::Error)]
pub enum FileProblem {
    /// No file of that name.
    #[error("there is no such file or folder: check the name")]
    Missing,
    /// The system refuses access.
    #[error("no permission to {action} it: change its permissions or choose another place")]
    Denied {
        /// "read" or "write".
        action: &'static str,
    },
    /// A directory where a file is needed.
    #[error("this is a directory: name a file in it")]
    Directory,
    /// Something that a finished file cannot take the place of: a device, a pipe.
    #[error("this is not an ordinary file and will not be replaced: choose another name")]
    NotAFile,
    /// Any other failure of the system.
    #[error("cannot {action} it ({source}): see to the cause and try again")]
    Io {
        /// "read" or "write".
        action: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// The format cannot be told.
    #[error("cannot tell the format from the extension {extension:?}: name it .stl, .obj or .ply")]
    UnknownExtension {
        /// The extension, without the dot; empty if there is none.
        extension: String,
    },
    /// No bytes at all.
    #[error("the file is empty: export the part again")]
    Empty,
    /// Well formed, but holds no triangle.
    #[error("there are no triangles in it: export the part as a mesh of triangles or polygons")]
    NoTriangles,
    /// The content is not what the extension says.
    #[error(
        "this is not {format}, which {rule}: give it the extension of its true format, or export it again"
    )]
    WrongFormat {
        /// The format the extension asks for.
        format: &'static str,
        /// What a file of that format does.
        rule: &'static str,
    },
    /// Fewer elements than the header claims.
    #[error(
        "the header claims {claimed} {elements}, the file ends after {found}: it was cut short, or the \
         header lies; \
         export it again"
    )]
    EndsEarly {
        /// "triangles", "vertices", ...
        elements: String,
        /// How many there should be.
        claimed: u64,
        /// How many whole ones there are.
        found: u64,
    },
    /// A text or header that stops before its last statement.
    #[error("the file ends where {expected} should follow: it was cut short; export it again")]
    Cut {
        /// What should have come.
        expected: String,
    },
    /// More bytes than the header accounts for.
    #[error(
        "the header claims {claimed} {elements}, but more data follows them: the header lies; export it again"
    )]
    Trailing {
        /// "triangles", "faces", ...
        elements: String,
        /// How many there should be.
        claimed: u64,
    },
    /// A line longer than any real one.
    #[error("the line is longer than {limit} bytes: this is no text file, or it is damaged; export it again")]
    LineTooLong {
        /// The longest line that is read.
        limit: usize,
    },
    /// A word that does not belong.
    #[error("expected {expected}, found \"{found}\": correct it or export the file again")]
    Unexpected {
        /// What should have been there.
        expected: String,
        /// What was, escaped and shortened.
        found: String,
    },
    /// Bytes that are no text, where text is expected.
    #[error("expected {expected}, found binary data \"{found}\": text and binary are mixed; export it again")]
    BinaryInText {
        /// What should have been there.
        expected: String,
        /// What was, escaped and shortened.
        found: String,
    },
    /// A coordinate that is NaN, infinite, or infinite once in metres.
    #[error(
        "coordinate {axis} of {of} {number} is {value}, but must be a finite number of metres: correct it or \
         export again"
    )]
    NotFinite {
        /// `x`, `y` or `z`.
        axis: char,
        /// "triangle" or "vertex".
        of: &'static str,
        /// Which one, counted from 0.
        number: u64,
        /// The number in the file.
        value: f64,
    },
    /// A face names a vertex that is not there (yet).
    #[error("{}", index_message(*index, *vertices, *first))]
    Index {
        /// The index as it is in the file.
        index: i64,
        /// How many vertices were given before.
        vertices: usize,
        /// What the format counts from.
        first: u8,
    },
    /// A face of fewer than three corners.
    #[error("a face has {corners} corners, it needs at least 3: remove it or export the file again")]
    TooFewCorners {
        /// How many it has.
        corners: usize,
    },
    /// A face of more corners than is taken for real.
    #[error("a face has more than {limit} corners: export the part as triangles")]
    TooManyCorners {
        /// The most that are read.
        limit: usize,
    },
    /// A polygon that no triangles fill.
    #[error(
        "a face of {corners} corners cannot be cut into triangles ({reason}): export the part as triangles"
    )]
    Polygon {
        /// How many corners it has.
        corners: usize,
        /// Why not.
        reason: String,
    },
    /// More triangles or points than [`super::ReadOptions::max_triangles`] allows.
    #[error("there are more than {limit} {elements}: raise `max_triangles` or split the part")]
    TooMany {
        /// "triangles" or "vertices".
        elements: &'static str,
        /// How many are allowed.
        limit: usize,
    },
    /// A header without something that triangles need.
    #[error("the header has no {what}: export the part as a mesh of triangles or polygons")]
    HeaderLacks {
        /// The element or property.
        what: &'static str,
    },
    /// Something a format has, but this reader has not.
    #[error("{what} is not supported: {advice}")]
    Unsupported {
        /// The statement or type.
        what: String,
        /// What to do about it.
        advice: &'static str,
    },
    /// No soup can be made of what was read.
    #[error("{0}")]
    Soup(SoupError),
    /// A coordinate does not fit into the numbers of the format to be written.
    #[error(
        "point {point} has a coordinate of {value} m, too large for {format} in {unit}: choose another unit \
         or format"
    )]
    DoesNotFit {
        /// The coordinate, in metres.
        value: f64,
        /// The point of the soup.
        point: usize,
        /// The format.
        format: super::Format,
        /// The unit.
        unit: super::Unit,
    },
}

impl FileProblem {
    /// What to say of a failure of the system.
    pub(super) fn of_io(action: &'static str, source: io::Error) -> FileProblem {
        match source.kind() {
            io::ErrorKind::NotFound => FileProblem::Missing,
            io::ErrorKind::PermissionDenied => FileProblem::Denied { action },
            io::ErrorKind::IsADirectory => FileProblem::Directory,
            _ => FileProblem::Io { action, source },
        }
    }

    /// What to say of bytes that are not what should be there.
    #[cold]
    pub(super) fn unexpected(expected: impl Into<String>, found: &[u8]) -> FileProblem {
        let expected = expected.into();
        let is_binary = found.iter().any(|&b| is_control(b));
        let shown = found.trim_ascii();
        let mut text = shown[..shown.len().min(SHOWN_BYTES)].escape_ascii().to_string();
        if shown.len() > SHOWN_BYTES {
            text.push_str("...");
        }
        if is_binary {
            FileProblem::BinaryInText { expected, found: text }
        } else {
            FileProblem::Unexpected { expected, found: text }
        }
    }
}

/// Whether a byte never occurs in a text file.
pub(super) fn is_control(byte: u8) -> bool {
    byte < b' ' && !byte.is_ascii_whitespace() && byte != b'\x0b'
}

/// How much of a wrong line is shown in a message.
const SHOWN_BYTES: usize = 40;

fn index_message(index: i64, vertices: usize, first: u8) -> String {
    let problem = match index {
        0 if first == 1 => "a face names vertex 0, but vertices are counted from 1".to_owned(),
        _ => format!(
            "a face names vertex {index}, but only {vertices} vertices come before it (counted from {first})"
        ),
    };
    problem + ": correct the face or export the file again"
}

/// A problem at its place, before the file's name is known.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) place: Place,
    pub(super) problem: FileProblem,
}

impl Fault {
    /// The same, for whoever asked for the file.
    pub(super) fn of(self, path: &Path) -> FileError {
        FileError { path: path.to_owned(), place: self.place, problem: self.problem }
    }
}

/// Says where a problem is.
pub(super) trait At<T> {
    fn at(self, place: Place) -> Result<T, Fault>;
}

impl<T> At<T> for Result<T, FileProblem> {
    #[inline]
    fn at(self, place: Place) -> Result<T, Fault> {
        self.map_err(|problem| Fault { place, problem })
    }
}
