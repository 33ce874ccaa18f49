//! Writes recordings as files for other programs: tables, ParaView, glTF players, Foxglove.

mod choice;
mod csv;
mod error;
mod gltf;
mod mcap;
mod output;
mod vtu;

pub use choice::Choice;
pub use error::ExportError;

use crate::recording::Recording;
use std::path::Path;

/// An export format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A folder of CSV tables, for spreadsheets and scripts.
    Csv,
    /// A folder of unstructured grids over time, for ParaView.
    Vtu,
    /// A binary glTF file with an animation, for Blender and web pages.
    Gltf,
    /// An MCAP file of messages, for Foxglove.
    Mcap,
}

/// The size of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exported {
    /// Number of frames.
    pub frames: usize,
    /// Number of files.
    pub files: usize,
    /// Total size of all files, bytes.
    pub bytes: u64,
}

impl Format {
    /// Whether it is a folder rather than a single file.
    pub fn is_folder(self) -> bool {
        match self {
            Format::Csv | Format::Vtu => true,
            Format::Gltf | Format::Mcap => false,
        }
    }
}

/// Writes frames of a recording. Frames are read one by one, so a recording may be larger than the memory.
/// Only glTF, whose layout is by body rather than by time, keeps the motion in memory (28 bytes per frame and
/// moving body).
///
/// `replace` allows replacing an existing file, or the files of an earlier export in an existing folder.
/// Without it the path must not exist, or must be an empty folder. A failure leaves no partial files. After
/// each frame, `progress` receives the number of frames done and the total.
pub fn export(
    recording: &Recording,
    format: Format,
    path: &Path,
    choice: &Choice,
    replace: bool,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Exported, ExportError> {
    let chosen = choice.of(recording)?;
    match format {
        Format::Csv => csv::write(&chosen, path, replace, progress),
        Format::Vtu => vtu::write(&chosen, path, replace, progress),
        Format::Gltf => gltf::write(&chosen, path, replace, progress),
        Format::Mcap => mcap::write(&chosen, path, replace, progress),
    }
}
