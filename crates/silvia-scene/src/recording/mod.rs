//! Recordings of runs.
//!
//! The guide's chapter on recordings describes the file byte by byte. In short: a preamble that never
//! changes, then blocks, each with its length and checksums (`block`): the header (`head`), frames (`frames`,
//! `words`), accounts of energy and momentum (`account`), profiles (`profile`), what is watched (`watch`),
//! states to resume from (`kept`), and at the end an index (`index`). A truncated file is read (`reader`) and
//! continued (`writer`) from its last complete block.

mod account;
mod block;
mod ending;
mod error;
mod estimate;
mod frame;
mod frames;
mod head;
mod header;
mod index;
mod kept;
mod profile;
mod reader;
mod watch;
mod words;
mod writer;

pub use account::AccountRow;
pub(crate) use block::MAGIC;
pub use ending::{
    AccuracySummary, Ending, EnergySummary, GoalSummary, MOST_ERROR, MomentumSummary, Summary, Why,
};
pub use error::RecordingError;
pub use estimate::MotionEstimate;
pub use frame::{Frame, FrameContact, FrameImpact, StepCost};
pub use header::{Header, RecordedBody, View};
pub use kept::{Checked, KeptState, StateInfo, Tally};
pub use profile::{ProfileRow, ProfileTable, StageShare};
pub use watch::{Watch, WatchRow};
pub use writer::{RecordingWriter, file_of};

use reader::Reader;
use std::path::Path;
use std::sync::Arc;

/// The file name in a run's folder.
pub const FILE_NAME: &str = "recording.silvia";

/// This program and its version, as written into recordings.
pub const PROGRAM: &str = concat!("silvia ", env!("CARGO_PKG_VERSION"));

/// A recording, open for reading.
///
/// From a file, frames are read one block at a time, when needed; a few blocks stay in memory.
#[derive(Clone, Debug)]
pub struct Recording(Source);

#[derive(Clone, Debug)]
enum Source {
    Memory {
        header: Box<Header>,
        frames: Vec<Frame>,
        accounts: Vec<AccountRow>,
        profile: Vec<ProfileRow>,
        watched: Vec<WatchRow>,
    },
    File(Arc<Reader>),
}

impl Recording {
    /// A recording in memory.
    pub fn in_memory(header: Header, frames: Vec<Frame>) -> Recording {
        let (accounts, profile, watched) = Default::default();
        Recording(Source::Memory { header: Box::new(header), frames, accounts, profile, watched })
    }

    /// Adds accounts to a recording in memory; a recording in a file stays as it is.
    #[must_use]
    pub fn with_accounts(mut self, rows: Vec<AccountRow>) -> Recording {
        if let Source::Memory { accounts, .. } = &mut self.0 {
            *accounts = rows;
        }
        self
    }

    /// Adds a profile to a recording in memory; a recording in a file stays as it is.
    #[must_use]
    pub fn with_profile(mut self, rows: Vec<ProfileRow>) -> Recording {
        if let Source::Memory { profile, .. } = &mut self.0 {
            *profile = rows;
        }
        self
    }

    /// Adds what the header's watches saw to a recording in memory; a recording in a file stays as it is.
    #[must_use]
    pub fn with_watched(mut self, rows: Vec<WatchRow>) -> Recording {
        if let Source::Memory { watched, .. } = &mut self.0 {
            *watched = rows;
        }
        self
    }

    /// Opens the recording in a file or in the folder of a run. If its writer was interrupted, it is read as
    /// far as it goes: see [`Recording::lost`].
    pub fn open(path: &Path) -> Result<Recording, RecordingError> {
        Ok(Recording(Source::File(Arc::new(Reader::open(&file_of(path))?))))
    }

    /// The header.
    pub fn header(&self) -> &Header {
        match &self.0 {
            Source::Memory { header, .. } => header,
            Source::File(reader) => &reader.header,
        }
    }

    /// Number of frames.
    pub fn len(&self) -> usize {
        match &self.0 {
            Source::Memory { frames, .. } => frames.len(),
            Source::File(reader) => reader.index.frames.len(),
        }
    }

    /// Whether there is no frame at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The time of a frame, s, without reading the rest of it.
    pub fn time(&self, number: usize) -> Option<f64> {
        match &self.0 {
            Source::Memory { frames, .. } => frames.get(number).map(|frame| frame.time),
            Source::File(reader) => reader.index.frames.get(number).map(|(_, time)| *time),
        }
    }

    /// A frame by its index, from 0.
    pub fn frame(&self, number: usize) -> Result<Frame, RecordingError> {
        match &self.0 {
            Source::Memory { frames, .. } => {
                let count = frames.len();
                frames.get(number).cloned().ok_or(RecordingError::NoSuchFrame { number, count })
            }
            Source::File(reader) => reader.frame(number),
        }
    }

    /// All frames in order.
    pub fn frames(&self) -> impl Iterator<Item = Result<Frame, RecordingError>> + '_ {
        (0..self.len()).map(|number| self.frame(number))
    }

    /// The index of the frame nearest to a time, s; none if there are no frames.
    pub fn number_at(&self, time: f64) -> Option<usize> {
        let after = match &self.0 {
            Source::Memory { frames, .. } => frames.partition_point(|frame| frame.time < time),
            Source::File(reader) => reader.index.frames.partition_point(|(_, other)| *other < time),
        };
        let far = |number: usize| self.time(number).map_or(f64::INFINITY, |other| (other - time).abs());
        (!self.is_empty()).then(|| match after.checked_sub(1) {
            Some(before) if far(before) <= far(after) => before,
            _ => after,
        })
    }

    /// Where energy and momentum went, in order: a row for each frame, and for some states between them.
    /// Empty for recordings of versions that did not keep accounts. For a file, this reads all of it.
    pub fn accounts(&self) -> Result<Vec<AccountRow>, RecordingError> {
        match &self.0 {
            Source::Memory { accounts, .. } => Ok(accounts.clone()),
            Source::File(reader) => reader.accounts(),
        }
    }

    /// The profiles of the steps, in order; empty for steps that were not profiled. For a file, this reads
    /// all of it.
    pub fn profile(&self) -> Result<Vec<ProfileRow>, RecordingError> {
        match &self.0 {
            Source::Memory { profile, .. } => Ok(profile.clone()),
            Source::File(reader) => reader.profile(u64::MAX),
        }
    }

    /// What the [watches](Header::watches) saw in every step, in order. For a file, this reads all of it.
    pub fn watched(&self) -> Result<Vec<WatchRow>, RecordingError> {
        match &self.0 {
            Source::Memory { watched, .. } => Ok(watched.clone()),
            Source::File(reader) => reader.watched(),
        }
    }

    /// The states to resume from, in order; none for a recording in memory.
    pub fn states(&self) -> Vec<StateInfo> {
        match &self.0 {
            Source::Memory { .. } => Vec::new(),
            Source::File(reader) => reader.index.states.iter().map(|state| state.info).collect(),
        }
    }

    /// A kept state by its index, from 0.
    pub fn state(&self, number: usize) -> Result<KeptState, RecordingError> {
        match &self.0 {
            Source::Memory { .. } => Err(RecordingError::NoSuchState { number, count: 0 }),
            Source::File(reader) => reader.state(number),
        }
    }

    /// How the run ended; none if its writer was interrupted or is still running.
    pub fn ending(&self) -> Option<&Ending> {
        match &self.0 {
            Source::Memory { .. } => None,
            Source::File(reader) => reader.ending.as_ref(),
        }
    }

    /// Number of bytes at the end of the file that are incomplete or damaged; 0 if the file is whole.
    pub fn lost(&self) -> u64 {
        match &self.0 {
            Source::Memory { .. } => 0,
            Source::File(reader) => reader.lost,
        }
    }
}
