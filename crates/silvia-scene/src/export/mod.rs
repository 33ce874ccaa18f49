//! Recordings as files of other programs: tables, ParaView, glTF players, Foxglove.

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

/// What a recording is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A folder of tables, for spreadsheets and scripts.
    Csv,
    /// A folder of unstructured grids with their times, for ParaView.
    Vtu,
    /// One binary glTF file with an animation, for Blender and web pages.
    Gltf,
    /// One file of messages, for Foxglove.
    Mcap,
}

/// What was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exported {
    /// Frames in it.
    pub frames: usize,
    /// How many files.
    pub files: usize,
    /// In all files together.
    pub bytes: u64,
}

impl Format {
    /// Whether it is a folder of files rather than one file.
    pub fn is_folder(self) -> bool {
        match self {
            Format::Csv | Format::Vtu => true,
            Format::Gltf | Format::Mcap => false,
        }
    }
}

/// Writes frames of a recording. Frames are read one by one, so a recording may be larger than the memory;
/// only glTF, whose layout is by body and not by time, keeps the motion (28 bytes a frame and moving body).
///
/// `replace` allows an existing file to be replaced, or files of an earlier export in an existing folder;
/// without it the path must be free, or an empty folder. After a failure nothing half written is left.
/// `progress` is told after each frame how many are done, and of how many.
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
