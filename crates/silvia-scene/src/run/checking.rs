//! The checker thread. Frames and states pass through it on their way to the writer.

use super::RunError;
use super::writing::Written;
use crate::recording::Checked;
use silvia_check::{CheckError, Checker};
use silvia_solid::Pose;
use silvia_world::{BodyId, Role, StepReport, World, WorldError};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{Builder, JoinHandle};

/// The most steps that the checker may lag behind: enough to keep both threads busy, few enough that a crash
/// costs little.
const BEHIND: usize = 16;

/// A time, s, and where some bodies are then, by their numbers.
type Move = (f64, Vec<(usize, Pose)>);

/// A message to the checker.
pub(super) enum Work {
    /// What moved on the way, in order of time (s), and where all bodies are at the end.
    Step(Vec<Move>, (f64, Vec<Pose>)),
    /// Something to pass on to the writer; kept states get the verdict on all states before them.
    Write(Written),
}

/// Where steps, frames and states are sent.
pub(super) enum Checking {
    /// To the checker, and from there to the writer.
    On { to: SyncSender<Work>, thread: JoinHandle<Result<Checked, CheckError>>, has_failed: bool },
    /// To the writer, if there is one.
    Off { to: Option<SyncSender<Written>>, has_failed: bool },
}

impl Checking {
    /// No checker.
    pub(super) fn none(to: Option<SyncSender<Written>>) -> Checking {
        Checking::Off { to, has_failed: false }
    }

    /// Starts a checker. The current state of the world is not checked: the world's first step verifies it.
    pub(super) fn begin(
        world: &World,
        ids: &[BodyId],
        before: Checked,
        writer: Option<SyncSender<Written>>,
    ) -> Result<Checking, RunError> {
        let mut checker = checker_for(world, ids)?;
        checker.start(world.time(), &poses(world, ids)?)?;
        let (to, from) = sync_channel(BEHIND);
        let check = move || check(checker, before, &from, writer.as_ref());
        let thread = Builder::new().name("checker".to_owned()).spawn(check)?;
        Ok(Checking::On { to, thread, has_failed: false })
    }

    /// Whether going on is useless: [`Checking::end`] and the writer know why.
    pub(super) fn has_failed(&self) -> bool {
        match self {
            Checking::On { has_failed, .. } | Checking::Off { has_failed, .. } => *has_failed,
        }
    }

    /// Sends the states of a step to the checker.
    pub(super) fn step(
        &mut self,
        world: &World,
        ids: &[BodyId],
        report: &StepReport,
    ) -> Result<(), WorldError> {
        let Checking::On { to, has_failed, .. } = self else { return Ok(()) };
        let end = poses(world, ids)?;
        let mut moves: Vec<Move> = Vec::with_capacity(report.way.len());
        // If a step was made in pieces, the straight line between its ends is not the certified path. A body
        // waits until a piece names it, and one that no piece names moves straight to its end after all
        // others. That does no harm: islands cannot meet.
        for (number, update) in report.way.iter().enumerate() {
            let mut moved = Vec::with_capacity(update.len());
            for (id, state) in update {
                if let Ok(place) = ids.binary_search(id) {
                    moved.push((place, world.pose_in(*id, state)?));
                }
            }
            let left = 1.0 - (number + 1) as f64 / (report.way.len() + 1) as f64;
            moves.push((world.time() - report.length * left, moved));
        }
        *has_failed |= to.send(Work::Step(moves, (world.time(), end))).is_err();
        Ok(())
    }

    /// Sends something to be written, after everything before it.
    pub(super) fn write(&mut self, written: Written) {
        match self {
            Checking::On { to, has_failed, .. } => *has_failed |= to.send(Work::Write(written)).is_err(),
            Checking::Off { to: Some(to), has_failed } => *has_failed |= to.send(written).is_err(),
            Checking::Off { to: None, .. } => {}
        }
    }

    /// The findings, once everything has been checked.
    pub(super) fn end(self) -> Result<Option<Checked>, RunError> {
        match self {
            Checking::On { to, thread, .. } => {
                drop(to);
                let checked = thread.join().map_err(|_| RunError::Panic)?;
                Ok(Some(checked?))
            }
            Checking::Off { .. } => Ok(None),
        }
    }
}

/// The checker thread: runs until no more work comes, or the writer has stopped.
fn check(
    mut checker: Checker,
    before: Checked,
    from: &Receiver<Work>,
    writer: Option<&SyncSender<Written>>,
) -> Result<Checked, CheckError> {
    let pass = |written: Written| writer.is_none_or(|writer| writer.send(written).is_ok());
    for work in from {
        let goes_on = match work {
            Work::Step(moves, (time, end)) => {
                if !moves.is_empty() {
                    checker.moves(&moves)?;
                }
                checker.state(time, &end)?;
                true
            }
            Work::Write(mut written) => {
                if let Written::Keep(state) = &mut written {
                    state.tally.checked = Some(before.and(found(&checker)));
                }
                pass(written)
            }
        };
        if !goes_on {
            break;
        }
    }
    Ok(before.and(found(&checker)))
}

fn found(checker: &Checker) -> Checked {
    let verdict = checker.verdict();
    Checked {
        depth: verdict.depth(),
        fraction: verdict.fraction(),
        crossings: verdict.crossings.len() as u64,
        undecided: verdict.undecided.len() as u64,
    }
}

/// A checker for the bodies of a world. It checks pairs that may collide and of which at least one body
/// moves.
fn checker_for(world: &World, ids: &[BodyId]) -> Result<Checker, RunError> {
    let bodies = ids.iter().map(|&id| Ok((world.name(id)?.to_owned(), world.shape(id)?.clone())));
    let mut checker = Checker::new(bodies.collect::<Result<Vec<_>, WorldError>>()?)?;
    let roles = ids.iter().map(|&id| world.role(id)).collect::<Result<Vec<_>, WorldError>>()?;
    for (i, &a) in ids.iter().enumerate() {
        checker.centre(i, world.inertia(a)?.centre)?;
        for (j, &b) in ids.iter().enumerate().skip(i + 1) {
            // Two that are fixed are never looked at: a pair that does not move is not.
            let are_fixed = matches!((roles[i], roles[j]), (Role::Fixed, Role::Fixed));
            let can_move = roles[i].is_movable() || roles[j].is_movable();
            if !are_fixed && (!can_move || !world.admits(a, b)?) {
                checker.ignore(i, j)?;
            }
        }
    }
    Ok(checker)
}

fn poses(world: &World, ids: &[BodyId]) -> Result<Vec<Pose>, WorldError> {
    ids.iter().map(|&id| world.pose(id)).collect()
}
