//! Takes in each step of a run: adds it to the totals, and has it checked and recorded.

use super::checking::Checking;
use super::writing::Written;
use crate::recording::{FrameImpact, ProfileRow, Tally, Watch, WatchRow};
use crate::scene::Goal;
use silvia_world::{BodyId, Profile, StepReport, World, WorldError};
use std::time::Instant;

/// Where steps go.
pub(super) struct Taking<'a> {
    pub(super) ids: &'a [BodyId],
    /// What is to be reached.
    pub(super) goals: &'a [Goal],
    /// What is recorded in every step; nothing if there is no recording.
    pub(super) watches: &'a [Watch],
    pub(super) tally: &'a mut Tally,
    pub(super) profiling: &'a mut Profiling,
    pub(super) checking: &'a mut Checking,
    /// Of the last step.
    pub(super) contacts: usize,
    /// Whether nothing began or ended in any step.
    pub(super) is_smooth: bool,
    /// How long all this took, s.
    pub(super) seconds: f64,
    /// The first error.
    pub(super) failed: Option<WorldError>,
}

impl Taking<'_> {
    /// Takes in a step that the world has just made.
    pub(super) fn step(&mut self, world: &World, report: &StepReport) {
        let start = Instant::now();
        self.contacts = report.contacts.len();
        self.is_smooth &= report.is_smooth();
        note(self.tally, world, report, self.ids);
        self.profiling.note(report);
        let sent = self.send(world, report).and_then(|()| self.look_at_goals(world));
        self.failed = self.failed.take().or(sent.err());
        self.seconds += start.elapsed().as_secs_f64();
    }

    fn look_at_goals(&mut self, world: &World) -> Result<(), WorldError> {
        self.goals.iter().zip(&mut self.tally.goals).try_for_each(|(goal, so_far)| goal.look(world, so_far))
    }

    fn send(&mut self, world: &World, report: &StepReport) -> Result<(), WorldError> {
        self.checking.step(world, self.ids, report)?;
        if !self.watches.is_empty() {
            let row = WatchRow::of(world, self.ids, self.watches, report)?;
            self.checking.write(Written::Watched(row));
        }
        Ok(())
    }
}

/// Adds a step to the totals.
fn note(tally: &mut Tally, world: &World, report: &StepReport, ids: &[BodyId]) {
    if let Some(account) = &mut tally.account {
        account.add(world, report);
    }
    let cost = &mut tally.cost;
    cost.islands = report.islands as u32;
    cost.pieces = cost.pieces.max(report.pieces as u32);
    cost.cuts = cost.cuts.saturating_add(report.cuts as u32);
    cost.iterations = cost.iterations.saturating_add(report.iterations as u32);
    cost.residual = cost.residual.max(report.residual);
    cost.smallest_gap = report.smallest_gap;
    tally.contacts_max = tally.contacts_max.max(report.contacts.len() as u64);
    tally.cut_steps += u64::from(report.pieces > 1);
    tally.shortfall_steps += u64::from(!report.shortfalls.is_empty());
    tally.numerical_loss += report.shortfalls.iter().map(|shortfall| shortfall.energy).sum::<f64>();
    // Only existing bodies take part in impacts.
    let place = |id: BodyId| ids.binary_search(&id).unwrap_or(ids.len()) as u32;
    tally.impacts.extend(report.impacts.iter().map(|impact| FrameImpact {
        time: impact.time,
        bodies: impact.bodies.map(place),
        point: impact.point,
        normal: impact.normal,
        speed: impact.speed,
        impulse: impact.impulse,
    }));
}

/// Collects the profiles of steps.
#[derive(Default)]
pub(super) struct Profiling {
    /// The steps since the last row.
    waiting: Profile,
    pub(super) all: Profile,
}

impl Profiling {
    fn note(&mut self, report: &StepReport) {
        if let Some(profile) = &report.profile {
            self.waiting.add(profile);
            self.all.add(profile);
        }
    }

    /// Sends a row for the steps since the last one.
    pub(super) fn tell(&mut self, world: &World, checking: &mut Checking) {
        let profile = std::mem::take(&mut self.waiting);
        if profile.steps > 0 {
            let row = ProfileRow { step: world.steps(), time: world.time(), profile };
            checking.write(Written::Profile(row));
        }
    }
}
