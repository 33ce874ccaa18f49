//! File errors, with their place in the file.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::{Remedy, SoupError};

/// Why a file could not be read or written: the file, the place, the problem and the remedy.
#[derive(Debug, thiserror::Error)]
#[error("{}{place}: {problem}", path.display())]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// Where in the file.
    pub place: Place,
    /// The problem. It is part of the message above, so it is not the `source`.
    pub problem: FileProblem,
}

/// Every problem is worded "what is wrong: what to do", and no remedy has a colon.
impl Remedy for FileError {
    fn what(&self) -> String {
        let message = self.to_string();
        let rest = format!(": {}", self.remedy());
        message.strip_suffix(&rest).map(str::to_owned).unwrap_or(message)
    }

    fn remedy(&self) -> String {
        self.problem.to_string().rsplit_once(": ").map_or(String::new(), |(_, remedy)| remedy.to_owned())
    }
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

/// A problem with a file. Points and triangles are counted from 0, as in a [`crate::Soup`].
#[derive(Debug, thiserror::Error)]
pub enum FileProblem {
    /// No file of that name.
    #[error("there is no such file or folder: check the name")]
    Missing,
    /// The system denies access.
    #[error("no permission to {action} it: change its permissions or choose another place")]
    Denied {
        /// "read" or "write".
        action: &'static str,
    },
    /// A directory where a file is needed.
    #[error("this is a directory: name a file in it")]
    Directory,
    /// Something that cannot be replaced by a file, such as a device or a pipe.
    #[error("this is not an ordinary file and will not be replaced: choose another name")]
    NotAFile,
    /// Any other system failure.
    #[error("cannot {action} it ({source}): fix the cause and try again")]
    Io {
        /// "read" or "write".
        action: &'static str,
        /// The system's error.
        source: io::Error,
    },
    /// The extension names no known format.
    #[error("the format {extension:?} is not known here: use .stl, .obj or .ply")]
    UnknownExtension {
        /// The extension, without the dot; empty if there is none.
        extension: String,
    },
    /// The file is empty.
    #[error("the file is empty: export the part again")]
    Empty,
    /// The file is well formed but has no triangles.
    #[error("there are no triangles in it: export the part as a mesh of triangles or polygons")]
    NoTriangles,
    /// The content does not match the extension.
    #[error(
        "this is not {format}, which {rule}: give it the extension of its true format, or export it again"
    )]
    WrongFormat {
        /// The format that the extension names.
        format: &'static str,
        /// What a file of that format must contain.
        rule: &'static str,
    },
    /// A picture in place of a part.
    #[error("this is a PNG picture, not {format}: export the part as a mesh")]
    Picture {
        /// The format that the extension names.
        format: &'static str,
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
        /// Number claimed.
        claimed: u64,
        /// Number of complete elements found.
        found: u64,
    },
    /// A text or header that ends early.
    #[error("the file ends where {expected} should follow: it was cut short; export it again")]
    Cut {
        /// What should have followed.
        expected: String,
    },
    /// More bytes than the header accounts for.
    #[error(
        "the header claims {claimed} {elements}, but more data follows them: the header lies; export it again"
    )]
    Trailing {
        /// "triangles", "faces", ...
        elements: String,
        /// Number claimed.
        claimed: u64,
    },
    /// A line longer than any genuine one.
    #[error(
        "the line is longer than {limit} bytes: this is not a text file, or it is damaged; export it again"
    )]
    LineTooLong {
        /// The longest line allowed, bytes.
        limit: usize,
    },
    /// An unexpected word.
    #[error("expected {expected}, found \"{found}\": correct it or export the file again")]
    Unexpected {
        /// What was expected.
        expected: String,
        /// What was found, escaped and shortened.
        found: String,
    },
    /// Binary bytes where text is expected.
    #[error("expected {expected}, found binary data \"{found}\": text and binary are mixed; export it again")]
    BinaryInText {
        /// What was expected.
        expected: String,
        /// What was found, escaped and shortened.
        found: String,
    },
    /// A coordinate that is NaN or infinite, in the file or after conversion to metres.
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
    /// A face that names a vertex that does not exist (yet).
    #[error("{}", index_message(*index, *vertices, *first))]
    Index {
        /// The index as written in the file.
        index: i64,
        /// Number of vertices so far.
        vertices: usize,
        /// The first index in this format, 0 or 1.
        first: u8,
    },
    /// A face with fewer than three corners.
    #[error("a face has {corners} corners, it needs at least 3: remove it or export the file again")]
    TooFewCorners {
        /// Number of corners.
        corners: usize,
    },
    /// A face with too many corners.
    #[error("a face has more than {limit} corners: export the part as triangles")]
    TooManyCorners {
        /// The most corners allowed.
        limit: usize,
    },
    /// A polygon that cannot be triangulated.
    #[error(
        "a face of {corners} corners cannot be cut into triangles ({reason}): export the part as triangles"
    )]
    Polygon {
        /// Number of corners.
        corners: usize,
        /// Why not.
        reason: String,
    },
    /// More triangles or points than [`super::ReadOptions::max_triangles`] allows.
    #[error("there are more than {limit} {elements}: raise `max_triangles` or split the part")]
    TooMany {
        /// "triangles" or "vertices".
        elements: &'static str,
        /// The most allowed.
        limit: usize,
    },
    /// A header that lacks something required.
    #[error("the header has no {what}: export the part as a mesh of triangles or polygons")]
    HeaderLacks {
        /// The missing element or property.
        what: &'static str,
    },
    /// A feature of the format that this reader does not support.
    #[error("{what} is not supported: {advice}")]
    Unsupported {
        /// The statement or type.
        what: String,
        /// The remedy.
        advice: &'static str,
    },
    /// The content does not form a soup.
    #[error("{0}")]
    Soup(SoupError),
    /// A coordinate that does not fit into the number format of the output.
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
    /// Converts a system failure.
    pub(super) fn of_io(action: &'static str, source: io::Error) -> FileProblem {
        match source.kind() {
            io::ErrorKind::NotFound => FileProblem::Missing,
            io::ErrorKind::PermissionDenied => FileProblem::Denied { action },
            io::ErrorKind::IsADirectory => FileProblem::Directory,
            _ => FileProblem::Io { action, source },
        }
    }

    /// A problem for bytes that are not what was expected.
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

/// How many bytes of a wrong line a message shows.
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

/// A problem and its place, before the file name is known.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) place: Place,
    pub(super) problem: FileProblem,
}

impl Fault {
    /// Adds the file name.
    pub(super) fn of(self, path: &Path) -> FileError {
        FileError { path: path.to_owned(), place: self.place, problem: self.problem }
    }
}

/// Adds the place to a problem.
pub(super) trait At<T> {
    fn at(self, place: Place) -> Result<T, Fault>;
}

impl<T> At<T> for Result<T, FileProblem> {
    #[inline]
    fn at(self, place: Place) -> Result<T, Fault> {
        self.map_err(|problem| Fault { place, problem })
    }
}
