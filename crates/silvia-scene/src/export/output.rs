//! Files that appear only when complete.

use super::{ExportError, Exported};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// How much is handed to the system at once, bytes.
const CHUNK: usize = 256 * 1024;

/// A file that is written under a temporary name and renamed when complete.
pub(super) struct NewFile {
    out: BufWriter<File>,
    temporary: Temporary,
    target: PathBuf,
}

/// Removes the file when dropped, unless it has been renamed.
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        // After success it is already gone; if removal fails after an error, nothing can be done.
        let _ = fs::remove_file(&self.0);
    }
}

impl NewFile {
    pub(super) fn create(target: &Path, replace: bool) -> Result<NewFile, ExportError> {
        if target.is_dir() {
            let path = target.to_owned();
            return Err(ExportError::WrongKind { path, found: "a folder", wanted: "a file" });
        }
        if !replace && target.symlink_metadata().is_ok() {
            return Err(ExportError::Exists { path: target.to_owned() });
        }
        let mut name = std::ffi::OsString::from(".");
        name.push(target.file_name().unwrap_or_default());
        name.push(format!(".{}.tmp", std::process::id()));
        let path = target.with_file_name(name);
        let file = OpenOptions::new().write(true).create_new(true).open(&path);
        let file = file.map_err(ExportError::at(target))?;
        let out = BufWriter::with_capacity(CHUNK, file);
        Ok(NewFile { out, temporary: Temporary(path), target: target.to_owned() })
    }

    /// Renames the file to its final name.
    pub(super) fn finish(mut self, frames: usize) -> Result<Exported, ExportError> {
        let in_place = |out: &mut BufWriter<File>| {
            out.flush()?;
            out.get_ref().sync_all()?;
            let bytes = out.get_ref().metadata()?.len();
            fs::rename(&self.temporary.0, &self.target)?;
            Ok(bytes)
        };
        let bytes = in_place(&mut self.out).map_err(ExportError::at(&self.target))?;
        Ok(Exported { frames, files: 1, bytes })
    }

    pub(super) fn path(&self) -> PathBuf {
        self.target.clone()
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Seek for NewFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.out.seek(to)
    }
}

/// A new folder of files. If it is not finished, the files written so far are removed.
pub(super) struct NewFolder {
    path: PathBuf,
    made: bool,
    written: Vec<PathBuf>,
    bytes: u64,
    finished: bool,
}

impl NewFolder {
    /// With `replace`, removes files whose names an export uses; leaves others alone.
    pub(super) fn create(
        path: &Path,
        replace: bool,
        is_ours: fn(&str) -> bool,
    ) -> Result<NewFolder, ExportError> {
        let folder =
            |made| NewFolder { path: path.to_owned(), made, written: Vec::new(), bytes: 0, finished: false };
        match fs::metadata(path) {
            Ok(found) if !found.is_dir() => {
                let path = path.to_owned();
                Err(ExportError::WrongKind { path, found: "a file", wanted: "a folder" })
            }
            Ok(_) => {
                for entry in fs::read_dir(path).map_err(ExportError::at(path))? {
                    let entry = entry.map_err(ExportError::at(path))?;
                    if !replace {
                        return Err(ExportError::Exists { path: path.to_owned() });
                    }
                    if entry.file_name().to_str().is_some_and(is_ours) {
                        fs::remove_file(entry.path()).map_err(ExportError::at(&entry.path()))?;
                    }
                }
                Ok(folder(false))
            }
            Err(_) => {
                fs::create_dir(path).map_err(ExportError::at(path))?;
                Ok(folder(true))
            }
        }
    }

    /// Creates a file in it; close it with [`NewFolder::close`].
    pub(super) fn file(&mut self, name: &str) -> Result<FolderFile, ExportError> {
        let path = self.path.join(name);
        let file = OpenOptions::new().write(true).create_new(true).open(&path);
        let file = file.map_err(ExportError::at(&path))?;
        self.written.push(path.clone());
        Ok(FolderFile { out: BufWriter::with_capacity(CHUNK, file), path })
    }

    pub(super) fn close(&mut self, mut file: FolderFile) -> Result<(), ExportError> {
        let ended = file.out.flush().and_then(|()| Ok(file.out.get_ref().metadata()?.len()));
        self.bytes += ended.map_err(ExportError::at(&file.path))?;
        Ok(())
    }

    pub(super) fn finish(mut self, frames: usize) -> Exported {
        self.finished = true;
        Exported { frames, files: self.written.len(), bytes: self.bytes }
    }
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        if self.finished {
            return;
        }
        // Report the first failure, not this one.
        for path in &self.written {
            let _ = fs::remove_file(path);
        }
        if self.made {
            let _ = fs::remove_dir(&self.path);
        }
    }
}

/// A file of a [`NewFolder`].
pub(super) struct FolderFile {
    out: BufWriter<File>,
    path: PathBuf,
}

impl FolderFile {
    /// Runs a write, and names the file on failure.
    pub(super) fn put(
        &mut self,
        write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> Result<(), ExportError> {
        write(&mut self.out).map_err(ExportError::at(&self.path))
    }
}
