//! The index of a file: written at its end, or rebuilt by scanning it.

use super::frame::Frame;
use super::kept::StateInfo;
use super::words::{WordReader, Words, words};

/// The places of all blocks in a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Index {
    /// The frame blocks, in order.
    pub(crate) blocks: Vec<FrameBlock>,
    /// Step and time, s, of each frame.
    pub(crate) frames: Vec<(u64, f64)>,
    pub(crate) states: Vec<StateBlock>,
    /// The end time of the run, s, if it was changed after the header was written.
    pub(crate) until: Option<f64>,
    /// The place of the block with the end of the run.
    pub(crate) ending: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FrameBlock {
    /// Byte at which it begins.
    pub(crate) at: u64,
    /// Index of its first frame.
    pub(crate) first: usize,
    pub(crate) count: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct StateBlock {
    /// Bytes at which it begins and ends.
    pub(crate) at: u64,
    pub(crate) end: u64,
    /// Number of the block after it.
    pub(crate) next_number: u32,
    /// Number of frames before it.
    pub(crate) frames: usize,
    pub(crate) info: StateInfo,
}

impl Index {
    pub(crate) fn add_frames(&mut self, at: u64, frames: &[Frame]) {
        self.blocks.push(FrameBlock { at, first: self.frames.len(), count: frames.len() });
        self.frames.extend(frames.iter().map(|frame| (frame.step, frame.time)));
    }

    pub(crate) fn add_state(&mut self, at: u64, end: u64, next_number: u32, info: StateInfo) {
        self.states.push(StateBlock { at, end, next_number, frames: self.frames.len(), info });
    }

    /// The block that contains a frame.
    pub(crate) fn block_of(&self, frame: usize) -> Option<FrameBlock> {
        let after = self.blocks.partition_point(|block| block.first <= frame);
        after.checked_sub(1).map(|last| self.blocks[last]).filter(|block| frame - block.first < block.count)
    }

    pub(crate) fn encoded(&self) -> Vec<u8> {
        let Index { blocks, frames, states, until, ending } = self;
        let mut out = Words::default();
        [blocks.len(), frames.len(), states.len()].iter().for_each(|&count| out.word(count as u64));
        out.word(u64::from(until.is_some()));
        out.real(until.unwrap_or(0.0));
        out.word(ending.unwrap_or(0));
        out.column(blocks.iter().map(|block| block.at));
        out.column(blocks.iter().map(|block| block.count as u64));
        out.column(frames.iter().map(|(step, _)| *step));
        out.column(frames.iter().map(|(_, time)| time.to_bits()));
        out.column(states.iter().map(|state| state.at));
        out.column(states.iter().map(|state| state.end));
        out.column(states.iter().map(|state| u64::from(state.next_number)));
        out.column(states.iter().map(|state| state.frames as u64));
        out.column(states.iter().map(|state| state.info.step));
        out.column(states.iter().map(|state| state.info.time.to_bits()));
        out.column(states.iter().map(|state| state.info.hash));
        out.bytes()
    }

    pub(crate) fn decoded(content: &[u8]) -> Option<Index> {
        let words = words(content)?;
        let mut from = WordReader::new(&words);
        let [blocks, frames, states] = [from.count(2)?, from.count(2)?, from.count(7)?];
        let has_until = from.word()? == 1;
        let until = has_until.then_some(from.real()?);
        let ending = Some(from.word()?).filter(|&at| at > 0);
        let (at, counts) = (from.column(blocks)?, from.column(blocks)?);
        let (steps, times) = (from.column(frames)?, from.column(frames)?);
        let [begins, ends, numbers] = [from.column(states)?, from.column(states)?, from.column(states)?];
        let before = from.column(states)?;
        let [state_steps, state_times, hashes] =
            [from.column(states)?, from.column(states)?, from.column(states)?];
        let mut index = Index { until, ending, ..Index::default() };
        let mut first = 0_usize;
        for (&at, &count) in at.iter().zip(&counts) {
            let count = usize::try_from(count).ok()?;
            index.blocks.push(FrameBlock { at, first, count });
            first = first.checked_add(count)?;
        }
        index.frames = steps.into_iter().zip(times.into_iter().map(f64::from_bits)).collect();
        for i in 0..states {
            let info =
                StateInfo { step: state_steps[i], time: f64::from_bits(state_times[i]), hash: hashes[i] };
            let next_number = u32::try_from(numbers[i]).ok()?;
            let frames = usize::try_from(before[i]).ok()?;
            index.states.push(StateBlock { at: begins[i], end: ends[i], next_number, frames, info });
        }
        let is_good = from.left() == 0 && first == index.frames.len();
        is_good.then_some(index)
    }
}
