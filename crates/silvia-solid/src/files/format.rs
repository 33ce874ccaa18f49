//! The formats, and how file names map to them.

use std::ffi::OsStr;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

use super::error::FileProblem;

/// A file format. Readers detect it; writers choose it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Binary STL: single precision, three separate corners per triangle.
    StlBinary,
    /// Text STL.
    StlText,
    /// Wavefront OBJ: polygons from `v` and `f` statements.
    Obj,
    /// Binary PLY, little-endian.
    PlyBinary,
    /// Binary PLY, big-endian.
    PlyBinaryBig,
    /// Text PLY.
    PlyText,
}

/// A text that names no format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a format: use stl, stl-text, obj, ply, ply-big or ply-text")]
pub struct FormatError {
    /// The text.
    pub text: String,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 6] = [
        Format::StlBinary,
        Format::StlText,
        Format::Obj,
        Format::PlyBinary,
        Format::PlyBinaryBig,
        Format::PlyText,
    ];

    /// The file extension, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Format::StlBinary | Format::StlText => "stl",
            Format::Obj => "obj",
            Format::PlyBinary | Format::PlyBinaryBig | Format::PlyText => "ply",
        }
    }

    /// The name that [`Format::from_str`] reads.
    pub fn name(self) -> &'static str {
        match self {
            Format::StlBinary => "stl",
            Format::StlText => "stl-text",
            Format::Obj => "obj",
            Format::PlyBinary => "ply",
            Format::PlyBinaryBig => "ply-big",
            Format::PlyText => "ply-text",
        }
    }
}

impl FromStr for Format {
    type Err = FormatError;

    fn from_str(text: &str) -> Result<Format, FormatError> {
        let found = Format::ALL.into_iter().find(|format| format.name() == text);
        found.ok_or_else(|| FormatError { text: text.to_owned() })
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The formats that share an extension; the content tells which of them a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    Stl,
    Obj,
    Ply,
}

impl Family {
    pub(super) fn of(path: &Path) -> Result<Family, FileProblem> {
        let extension = path.extension().map(OsStr::to_string_lossy).unwrap_or_default();
        match extension.to_ascii_lowercase().as_str() {
            "stl" => Ok(Family::Stl),
            "obj" => Ok(Family::Obj),
            "ply" => Ok(Family::Ply),
            _ => Err(FileProblem::UnknownExtension { extension: extension.into_owned() }),
        }
    }

    /// The name that people know it by.
    pub(super) fn name(self) -> &'static str {
        match self {
            Family::Stl => "STL",
            Family::Obj => "OBJ",
            Family::Ply => "PLY",
        }
    }

    /// The format written by default.
    pub(super) fn default_format(self) -> Format {
        match self {
            Family::Stl => Format::StlBinary,
            Family::Obj => Format::Obj,
            Family::Ply => Format::PlyBinary,
        }
    }
}
