//! Selects the frames to export.

use super::ExportError;
use crate::fitting::Fitting;
use crate::recording::{AccountRow, Frame, FrameImpact, Header, Recording, StepCost, WatchRow};
use std::num::NonZeroUsize;

/// The frames to export: a span of time, and every how many frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The earliest time, s, to within half a step; minus infinity for the first frame.
    pub from: f64,
    /// The latest time, s, to within half a step; infinity for the last frame.
    pub until: f64,
    /// Takes one frame out of this many, and always the last one.
    pub every: NonZeroUsize,
}

impl Default for Choice {
    /// All frames.
    fn default() -> Choice {
        Choice { from: f64::NEG_INFINITY, until: f64::INFINITY, every: NonZeroUsize::MIN }
    }
}

/// A recording and the indices of the frames to export, ascending, at least one.
pub(super) struct Chosen<'a> {
    recording: &'a Recording,
    numbers: Vec<usize>,
    /// The times asked for, s, half a step wider at both ends.
    span: [f64; 2],
}

impl Choice {
    pub(super) fn of<'a>(&self, recording: &'a Recording) -> Result<Chosen<'a>, ExportError> {
        let &Choice { from, until, every } = self;
        // Also false for NaN.
        let in_order = from <= until;
        if !in_order {
            return Err(ExportError::BadTimes { from, until });
        }
        let ends = recording.time(0).zip(recording.len().checked_sub(1).and_then(|n| recording.time(n)));
        let (first, last) = ends.ok_or(ExportError::NoFrames)?;
        // Times are sums of steps, so they rarely equal the decimal number that a person writes.
        let slack = 0.5 * recording.header().step.max(0.0);
        let span = [from - slack, until + slack];
        let inside =
            |&number: &usize| recording.time(number).is_some_and(|time| time >= span[0] && time <= span[1]);
        let inside: Vec<usize> = (0..recording.len()).filter(inside).collect();
        let Some(&end) = inside.last() else {
            return Err(ExportError::NoneChosen { from, until, first, last });
        };
        let mut numbers: Vec<usize> = inside.iter().copied().step_by(every.get()).collect();
        if numbers.last() != Some(&end) {
            numbers.push(end);
        }
        Ok(Chosen { recording, numbers, span })
    }
}

impl Chosen<'_> {
    pub(super) fn header(&self) -> &Header {
        self.recording.header()
    }

    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The index of the last frame in the recording, from 0.
    pub(super) fn last_number(&self) -> usize {
        self.numbers.last().copied().unwrap_or(0)
    }

    /// The frames with their indices, in order. Impacts and costs of skipped frames are added to the next
    /// one.
    pub(super) fn frames(&self) -> impl Iterator<Item = Result<(usize, Frame), ExportError>> + '_ {
        let mut next = self.numbers.first().copied().unwrap_or(0);
        self.numbers.iter().map(move |&number| {
            let mut impacts: Vec<FrameImpact> = Vec::new();
            let mut cost: Option<StepCost> = None;
            while next < number {
                let passed = self.checked(next)?;
                impacts.extend(passed.impacts);
                cost = Some(added(cost, passed.cost));
                next += 1;
            }
            next = number + 1;
            let mut frame = self.checked(number)?;
            impacts.append(&mut frame.impacts);
            frame.impacts = impacts;
            frame.cost = added(cost, frame.cost);
            Ok((number, frame))
        })
    }

    /// What was watched in the steps of the span of time, be they before the first frame or after the last.
    pub(super) fn watched(&self) -> Result<Vec<WatchRow>, ExportError> {
        let [from, until] = self.span;
        let mut rows = self.recording.watched()?;
        rows.retain(|row| row.time >= from && row.time <= until);
        Ok(rows)
    }

    /// The accounts of the span of time.
    pub(super) fn accounts(&self) -> Result<Vec<AccountRow>, ExportError> {
        let [from, until] = self.span;
        let mut rows = self.recording.accounts()?;
        rows.retain(|row| row.time >= from && row.time <= until);
        Ok(rows)
    }

    /// What came of the goals of the scene, at the chosen frames.
    pub(super) fn fitting(&self) -> Result<Option<Fitting>, ExportError> {
        Ok(Fitting::at(self.recording, self.numbers.iter().copied())?)
    }

    /// A frame, checked against the header.
    fn checked(&self, number: usize) -> Result<Frame, ExportError> {
        let frame = self.recording.frame(number)?;
        let bodies = self.header().bodies.len();
        let known = |places: &[u32; 2]| places.iter().all(|&place| (place as usize) < bodies);
        let what = if frame.poses.len() != bodies || frame.velocities.len() != bodies {
            "it has another number of bodies"
        } else if !frame.contacts.iter().all(|contact| known(&contact.bodies)) {
            "a contact is of a body that is not there"
        } else if !frame.impacts.iter().all(|impact| known(&impact.bodies)) {
            "an impact is of a body that is not there"
        } else {
            return Ok(frame);
        };
        Err(ExportError::BadFrame { number, what })
    }
}

/// The combined cost of two sequences of steps, the later one second.
fn added(first: Option<StepCost>, then: StepCost) -> StepCost {
    let Some(first) = first else { return then };
    StepCost {
        wall_seconds: first.wall_seconds + then.wall_seconds,
        pieces: first.pieces.max(then.pieces),
        cuts: first.cuts + then.cuts,
        iterations: first.iterations + then.iterations,
        residual: first.residual.max(then.residual),
        ..then
    }
}
