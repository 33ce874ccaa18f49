//! What a run leaves behind.

mod frame;
mod header;

pub use frame::{Frame, FrameContact, FrameImpact, StepCost};
pub use header::{Header, RecordedBody, View};

use thiserror::Error;

/// A recording, open for reading.
#[derive(Clone, Debug)]
pub struct Recording {
    header: Header,
    frames: Vec<Frame>,
}

/// Why a recording could not be read or written.
#[derive(Debug, Error)]
pub enum RecordingError {
    /// A frame that it does not have.
    #[error("there is no frame {number}: the recording has {count}")]
    NoSuchFrame {
        /// As asked for, from 0.
        number: usize,
        /// How many there are.
        count: usize,
    },
}

impl Recording {
    /// One that was never in a file.
    pub fn in_memory(header: Header, frames: Vec<Frame>) -> Recording {
        Recording { header, frames }
    }

    /// What was run.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// How many frames there are.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Whether there is no frame at all.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// The time of a frame without reading the rest of it, s.
    pub fn time(&self, number: usize) -> Option<f64> {
        self.frames.get(number).map(|frame| frame.time)
    }

    /// A frame by its number, from 0.
    pub fn frame(&self, number: usize) -> Result<Frame, RecordingError> {
        let count = self.len();
        self.frames.get(number).cloned().ok_or(RecordingError::NoSuchFrame { number, count })
    }

    /// All frames in order.
    pub fn frames(&self) -> impl Iterator<Item = Result<Frame, RecordingError>> + '_ {
        (0..self.len()).map(|number| self.frame(number))
    }

    /// The frame nearest to a time, s; none if there are no frames.
    pub fn number_at(&self, time: f64) -> Option<usize> {
        let after = self.frames.partition_point(|frame| frame.time < time);
        let far = |number: usize| self.time(number).map_or(f64::INFINITY, |other| (other - time).abs());
        (!self.is_empty()).then(|| match after.checked_sub(1) {
            Some(before) if far(before) <= far(after) => before,
            _ => after,
        })
    }
}
