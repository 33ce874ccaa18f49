//! Writes a new file beside the target, which replaces the target once complete.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use super::encode;
use super::error::{At, Fault, FileError, FileProblem, Place};
use super::format::Family;
use super::{Format, Unit};
use crate::Soup;

/// How much is handed to the system at once, bytes.
const CHUNK: usize = 256 * 1024;

/// How to write a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WriteOptions {
    /// The format. By default the extension chooses: binary STL, OBJ, or binary PLY.
    pub format: Option<Format>,
    /// The unit of the numbers in the file.
    pub unit: Unit,
}

/// Writes a part. If it fails, the previous file stays as it was.
///
/// A binary STL holds single precision: every coordinate is rounded to it. All other formats written here
/// keep every `f64`: a part written and read in metres is the same to the bit.
pub fn write(path: &Path, soup: &Soup, options: &WriteOptions) -> Result<(), FileError> {
    write_beside(path, soup, Unit::Metre, options).at(Place::Whole).map_err(|fault: Fault| fault.of(path))
}

/// As [`write()`], for a soup whose numbers are in the unit of the options already: they go into the file
/// as they are.
pub fn write_numbers(path: &Path, soup: &Soup, options: &WriteOptions) -> Result<(), FileError> {
    write_beside(path, soup, options.unit, options).at(Place::Whole).map_err(|fault: Fault| fault.of(path))
}

/// Writes a part to any writer. If it fails, the output so far is incomplete.
pub fn write_to(writer: impl Write, soup: &Soup, format: Format, unit: Unit) -> Result<(), FileProblem> {
    let mut out = BufWriter::with_capacity(CHUNK, writer);
    encode::encode(&mut out, soup, Unit::Metre, format, unit)?;
    out.flush().map_err(failed)
}

fn write_beside(path: &Path, soup: &Soup, soup_in: Unit, options: &WriteOptions) -> Result<(), FileProblem> {
    let format = match options.format {
        Some(format) => format,
        None => Family::of(path)?.default_format(),
    };
    let (target, permissions) = target(path)?;
    let (file, temporary) = create_beside(&target).map_err(failed)?;
    let take_place = || {
        if let Some(permissions) = permissions {
            file.set_permissions(permissions)?;
        }
        file.sync_all()?;
        fs::rename(&temporary, &target)
    };
    let mut out = BufWriter::with_capacity(CHUNK, &file);
    let written = encode::encode(&mut out, soup, soup_in, format, options.unit)
        .and_then(|()| out.flush().map_err(failed))
        .and_then(|()| take_place().map_err(failed));
    if written.is_err() {
        // Report the first failure; if this one leaves a stray file, nothing can be done.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// The file to be replaced, with links resolved, and its permissions. Only a regular, writable file is
/// replaced.
fn target(path: &Path) -> Result<(PathBuf, Option<Permissions>), FileProblem> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Err(FileProblem::Directory),
        Ok(metadata) if !metadata.is_file() => Err(FileProblem::NotAFile),
        Ok(metadata) if metadata.permissions().readonly() => Err(FileProblem::Denied { action: "write" }),
        Ok(metadata) => Ok((fs::canonicalize(path).map_err(failed)?, Some(metadata.permissions()))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok((path.to_owned(), None)),
        Err(error) => Err(failed(error)),
    }
}

/// A new file in the same directory, so that renaming never copies.
fn create_beside(target: &Path) -> io::Result<(File, PathBuf)> {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    loop {
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let mut name = std::ffi::OsString::from(".");
        name.push(target.file_name().unwrap_or_default());
        name.push(format!(".{}-{number}.tmp", process::id()));
        let temporary = target.with_file_name(name);
        match OpenOptions::new().write(true).create_new(true).open(&temporary) {
            Ok(file) => return Ok((file, temporary)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

pub(super) fn failed(error: io::Error) -> FileProblem {
    FileProblem::of_io("write", error)
}
