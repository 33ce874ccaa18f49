//! Reads a recording from a file: the header and the index when it is opened, a block of frames when one of
//! them is needed.

use super::block::{BLOCK_HEAD, BlockHead, ContentFault, PREAMBLE, PreambleFault, TRAILER, Tag};
use super::block::{FORMAT, check_preamble, index_at};
use super::frame::Frame;
use super::header::Header;
use super::index::Index;
use super::kept::{self, KeptFault, KeptState};
use super::{AccountRow, Ending, ProfileRow, RecordingError, Watch, WatchRow};
use super::{account, frames, head, profile, watch};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Number of frame blocks kept in memory: a player jumps back and forth, and two may read at once.
const CACHE: usize = 4;

/// A recording in a file.
#[derive(Debug)]
pub(crate) struct Reader {
    path: PathBuf,
    pub(crate) header: Header,
    pub(crate) index: Index,
    pub(crate) ending: Option<Ending>,
    /// Number of bytes after the last complete block.
    pub(crate) lost: u64,
    /// The place of the first block after the header.
    start: u64,
    open: Mutex<Open>,
}

#[derive(Debug)]
struct Open {
    file: BufReader<File>,
    length: u64,
    /// Blocks by their place, the most recently used last.
    cache: Vec<(u64, Arc<Vec<Frame>>)>,
}

impl Reader {
    pub(crate) fn open(path: &Path) -> Result<Reader, RecordingError> {
        let file = File::open(path).map_err(RecordingError::read(path))?;
        Reader::of_file(path, file)
    }

    pub(crate) fn of_file(path: &Path, file: File) -> Result<Reader, RecordingError> {
        let read = RecordingError::read(path);
        let is_file = file.metadata().map(|data| (data.is_file(), data.len()));
        let (is_file, length) = is_file.map_err(read)?;
        if !is_file {
            return Err(RecordingError::NoRecording { path: path.to_owned() });
        }
        let mut open = Open { file: BufReader::new(file), length, cache: Vec::new() };
        open.preamble(path)?;
        let mut place = (PREAMBLE as u64, 0_u32);
        let header = head::header(
            |tag| match open.block(path, place.0)? {
                (head, content) if head.tag == tag && head.number == place.1 => {
                    place = (place.0 + BLOCK_HEAD as u64 + head.stored, place.1 + 1);
                    Ok(content)
                }
                _ => Err(RecordingError::damaged(path, place.0, "another block is expected here")),
            },
            |what| RecordingError::damaged(path, PREAMBLE as u64, what),
        );
        let header = header.map_err(|error| match error {
            RecordingError::Damaged { path, what, .. } => RecordingError::NoHeader { path, what },
            other => other,
        })?;
        let found = match open.indexed(path, place.0)? {
            Some(found) => found,
            None => open.scanned(path, place, header.bodies.len())?,
        };
        let Found { index, lost } = found;
        let ending = match index.ending {
            Some(at) => {
                let (_, content) = open.block(path, at)?;
                let wrong = RecordingError::damaged(path, at, "the end of the run is not as it must be");
                Some(serde_json::from_slice(&content).map_err(|_| wrong)?)
            }
            None => None,
        };
        let mut header = header;
        header.until = index.until.unwrap_or(header.until);
        Ok(Reader {
            path: path.to_owned(),
            header,
            index,
            ending,
            lost,
            start: place.0,
            open: Mutex::new(open),
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn frame(&self, number: usize) -> Result<Frame, RecordingError> {
        let count = self.index.frames.len();
        let block = self.index.block_of(number).ok_or(RecordingError::NoSuchFrame { number, count })?;
        let damaged = |what| RecordingError::damaged(&self.path, block.at, what);
        // A panic in another thread at worst leaves a missing cache entry.
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let known = open.cache.iter().position(|(at, _)| *at == block.at);
        let decoded = match known {
            Some(place) => open.cache.remove(place).1,
            None => {
                let (head, content) = open.block(&self.path, block.at)?;
                if head.tag != Tag::FRAMES {
                    return Err(damaged("the index names a block that has no frames"));
                }
                Arc::new(frames::decoded(&content, self.header.bodies.len()).map_err(damaged)?)
            }
        };
        let frame = decoded.get(number - block.first).cloned();
        if open.cache.len() >= CACHE {
            open.cache.remove(0);
        }
        open.cache.push((block.at, decoded));
        frame.ok_or_else(|| damaged("a block has fewer frames than the index says"))
    }

    /// The rows of all blocks of accounts.
    pub(crate) fn accounts(&self) -> Result<Vec<AccountRow>, RecordingError> {
        self.rows(Tag::ACCOUNT, u64::MAX, account::decoded, "an account is not as it must be")
    }

    /// The rows of all profile blocks before a place in the file.
    pub(crate) fn profile(&self, before: u64) -> Result<Vec<ProfileRow>, RecordingError> {
        self.rows(Tag::PROFILE, before, profile::decoded, "a profile is not as it must be")
    }

    /// What was watched.
    pub(crate) fn watched(&self) -> Result<Vec<WatchRow>, RecordingError> {
        let width = Watch::width(&self.header.watches);
        let decoded = |content: &[u8]| watch::decoded(content, width);
        self.rows(Tag::WATCH, u64::MAX, decoded, "what is watched is not as it must be")
    }

    /// The rows of all blocks of a kind before a place in the file. The index does not list them, so the
    /// heads of all blocks are read.
    fn rows<T>(
        &self,
        tag: Tag,
        before: u64,
        decoded: impl Fn(&[u8]) -> Option<Vec<T>>,
        wrong: &'static str,
    ) -> Result<Vec<T>, RecordingError> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let before = before.min(open.length - self.lost);
        let (mut rows, mut at) = (Vec::new(), self.start);
        while at < before {
            let head = open.head(&self.path, at)?;
            if head.tag == tag {
                let (_, content) = open.block(&self.path, at)?;
                let damaged = || RecordingError::damaged(&self.path, at, wrong);
                rows.extend(decoded(&content).ok_or_else(damaged)?);
            } else if head.tag == Tag::INDEX {
                break;
            }
            at += BLOCK_HEAD as u64 + head.stored;
        }
        Ok(rows)
    }

    pub(crate) fn state(&self, number: usize) -> Result<KeptState, RecordingError> {
        let count = self.index.states.len();
        let block = self.index.states.get(number).ok_or(RecordingError::NoSuchState { number, count })?;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let (head, content) = open.block(&self.path, block.at)?;
        let damaged = || RecordingError::damaged(&self.path, block.at, "a kept state is not as it must be");
        if head.tag != Tag::KEPT {
            return Err(damaged());
        }
        kept::decoded(&content, self.header.bodies.len()).map_err(|fault| match fault {
            KeptFault::Damaged => damaged(),
            KeptFault::Refused { step, source } => {
                RecordingError::State { path: self.path.clone(), step, source }
            }
        })
    }
}

/// The result of opening a file.
struct Found {
    index: Index,
    lost: u64,
}

impl Open {
    fn preamble(&mut self, path: &Path) -> Result<(), RecordingError> {
        let mut bytes = [0; PREAMBLE];
        let path = path.to_owned();
        match self.file.read_exact(&mut bytes) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                return Err(RecordingError::NoRecording { path });
            }
            Err(source) => return Err(RecordingError::Read { path, source }),
        }
        check_preamble(&bytes).map_err(|fault| match fault {
            PreambleFault::Foreign => RecordingError::NoRecording { path },
            PreambleFault::Damaged => RecordingError::NoHeader { path, what: "its first bytes are damaged" },
            PreambleFault::Newer { found, made_by } => {
                RecordingError::Newer { path, found, known: FORMAT, made_by }
            }
        })
    }

    /// Reads the head of the block at a place; its content comes next.
    fn head(&mut self, path: &Path, at: u64) -> Result<BlockHead, RecordingError> {
        let damaged = |what| RecordingError::damaged(path, at, what);
        let Some(left) = self.length.checked_sub(at.saturating_add(BLOCK_HEAD as u64)) else {
            return Err(damaged("the file ends before a block"));
        };
        let mut bytes = [0; BLOCK_HEAD];
        self.file.seek(SeekFrom::Start(at)).map_err(RecordingError::read(path))?;
        self.file.read_exact(&mut bytes).map_err(RecordingError::read(path))?;
        BlockHead::read(&bytes, left).map_err(damaged)
    }

    /// Reads the block at a place.
    fn block(&mut self, path: &Path, at: u64) -> Result<(BlockHead, Vec<u8>), RecordingError> {
        let damaged = |what| RecordingError::damaged(path, at, what);
        let head = self.head(path, at)?;
        match head.content(&mut self.file) {
            Ok(content) => Ok((head, content)),
            Err(ContentFault::Damaged(what)) => Err(damaged(what)),
            Err(ContentFault::Io(source)) => Err(RecordingError::Read { path: path.to_owned(), source }),
        }
    }

    /// Reads the index at the end of the file, if there is one and it is valid.
    fn indexed(&mut self, path: &Path, start: u64) -> Result<Option<Found>, RecordingError> {
        let Some(trailer_at) = self.length.checked_sub(TRAILER as u64).filter(|&at| at >= start) else {
            return Ok(None);
        };
        let mut bytes = [0; TRAILER];
        self.file.seek(SeekFrom::Start(trailer_at)).map_err(RecordingError::read(path))?;
        self.file.read_exact(&mut bytes).map_err(RecordingError::read(path))?;
        let Some(at) = index_at(&bytes).filter(|&at| at >= start) else { return Ok(None) };
        let Ok((head, content)) = self.block(path, at) else { return Ok(None) };
        let index = Index::decoded(&content).filter(|_| head.tag == Tag::INDEX);
        Ok(index.map(|index| Found { index, lost: 0 }))
    }

    /// Rebuilds the index by reading all blocks up to the first incomplete one.
    fn scanned(&mut self, path: &Path, start: (u64, u32), bodies: usize) -> Result<Found, RecordingError> {
        let mut index = Index::default();
        let (mut at, mut number) = start;
        while at < self.length {
            let (head, content) = match self.block(path, at) {
                Ok(block) => block,
                Err(RecordingError::Damaged { .. }) => break,
                Err(error) => return Err(error),
            };
            if head.number != number || head.tag == Tag::INDEX {
                break;
            }
            let end = at + BLOCK_HEAD as u64 + head.stored;
            let is_good = match head.tag {
                Tag::FRAMES => {
                    frames::decoded(&content, bodies).map(|frames| index.add_frames(at, &frames)).is_ok()
                }
                Tag::ACCOUNT => account::decoded(&content).is_some(),
                Tag::PROFILE => profile::decoded(&content).is_some(),
                Tag::KEPT => {
                    kept::info(&content).map(|info| index.add_state(at, end, number + 1, info)).is_some()
                }
                Tag::PLAN => match serde_json::from_slice(&content) {
                    Ok(Plan { until }) => {
                        index.until = Some(until);
                        true
                    }
                    Err(_) => false,
                },
                Tag::ENDING => {
                    index.ending = Some(at);
                    true
                }
                // Skip block types that a later version added.
                _ => true,
            };
            if !is_good {
                break;
            }
            (at, number) = (end, number + 1);
        }
        Ok(Found { index, lost: self.length.saturating_sub(at) })
    }
}

/// The end time of the run, if it was changed after the header was written.
#[derive(serde::Serialize, serde::Deserialize)]
pub(crate) struct Plan {
    /// End time, s.
    pub(crate) until: f64,
}
