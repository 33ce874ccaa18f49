//! Makes the steps of a run, records them, and has each one checked.
//!
//! ```text
//! this thread: steps ─► checker's thread ─► writer's thread ─► file
//! ```
//!
//! Frames and states pass through the checker, so that a kept state carries the verdict on all steps before
//! it; the checker lags at most a few steps behind. A step that the world refuses ends the run: steps are
//! deterministic, so the world would refuse it again, and a smaller step would be a different run.

mod again;
mod checking;
mod estimating;
mod options;
mod taking;
mod writing;

pub use again::setup_again;
pub use options::{Ended, Progress, RunError, RunOptions};

use crate::recording::{
    AccountRow, AccuracySummary, Ending, EnergySummary, Frame, GoalSummary, KeptState, MomentumSummary,
    ProfileTable, RecordingWriter, StepCost, Summary, Tally, Why,
};
use crate::scene::{GoalProgress, Setup, length_unit};
use checking::Checking;
use estimating::Again;
use rayon::{ThreadPool, ThreadPoolBuilder};
use silvia_world::{BodyId, Profile, RunAccount, StepError};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use taking::{Profiling, Taking};
use writing::{Writing, Written};

/// A state is kept, and all frames are written, at least this often by the clock: a crash costs less than a
/// second.
pub const KEEP_EVERY: Duration = Duration::from_millis(500);
/// At the beginning states are kept more often, so that short runs have some too: whenever the run has grown
/// by one part in this many.
pub const KEEP_AFTER: u32 = 8;
/// But not more often than this.
pub const KEEP_LEAST: Duration = Duration::from_millis(20);
/// The most bytes of states per second: larger states are kept less often, to spare the disk.
pub const STATE_BYTES_A_SECOND: u64 = 1 << 20;

/// A run of a setup.
///
/// ```
/// use silvia_proximity::Shape;
/// use silvia_scene::recording::{Header, Why};
/// use silvia_scene::scene::RunSettings;
/// use silvia_scene::{RunOptions, Runner, Setup};
/// use silvia_world::{BodyBuilder, World, WorldSettings};
///
/// let mut world = World::new(WorldSettings::default())?;
/// world.add(BodyBuilder::free(Shape::sphere(0.1)?))?;
/// let run = RunSettings { step: 1e-2, accuracy: None, until: 0.5, steps_a_frame: 5, threads: None };
/// let setup = Setup { world, header: Header::default(), run, hands: Vec::new(), goals: Vec::new() };
/// let ended = Runner::new(setup, RunOptions::default())?.run(|_| ())?;
/// assert_eq!((ended.ending.why, ended.ending.summary.steps), (Why::Finished, 50));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Runner {
    setup: Setup,
    options: RunOptions,
    pool: ThreadPool,
    writer: Option<RecordingWriter>,
    tally: Tally,
    /// Whether it continues from a kept state.
    is_resumed: bool,
}

impl Runner {
    /// A run that starts from the setup's current state. It is recorded only after [`Runner::recorded`].
    /// Refuses bodies that overlap; those that touch or fit exactly are made ready
    /// ([`World::prepare`](silvia_world::World::prepare)).
    pub fn new(mut setup: Setup, options: RunOptions) -> Result<Runner, RunError> {
        if setup.run.steps_a_frame == 0 {
            return Err(RunError::NoFrames);
        }
        let threads = options.threads.or(setup.run.threads).unwrap_or(0);
        let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
        // What else is wrong, the first step says.
        if let Err(StepError::Overlap { a, b, depth }) = pool.install(|| setup.world.prepare()) {
            let unit = setup.header.source.unit_of_length();
            return Err(RunError::Overlap { a, b, depth, unit });
        }
        let account = Some(RunAccount::begin(&setup.world));
        let tally = Tally { account, cost: no_cost(), ..Tally::default() };
        Ok(Runner { setup, options, pool, writer: None, tally, is_resumed: false })
    }

    /// The bodies that fit others without clearance, by name, and by how much their surfaces are drawn in
    /// for that, m ([`World::inset`](silvia_world::World::inset)).
    pub fn drawn_in(&self) -> impl Iterator<Item = (&str, f64)> {
        let world = &self.setup.world;
        let inset = |id| Some((world.name(id).ok()?, world.inset(id).ok().filter(|by| *by > 0.0)?));
        world.ids().filter_map(inset)
    }

    /// Records the run with a writer whose header belongs to this setup.
    #[must_use]
    pub fn recorded(mut self, writer: RecordingWriter) -> Runner {
        self.writer = Some(writer);
        self
    }

    /// Continues from a state that a run of the same setup kept, to the same bits.
    pub fn resumed(mut self, state: KeptState) -> Result<Runner, RunError> {
        let KeptState { step, time: _, hash, tally, snapshot } = state;
        self.setup.world.restore(&snapshot)?;
        let found = self.setup.world.hash();
        if found != hash || self.setup.world.steps() != step {
            return Err(RunError::OtherHash { step, expected: hash, found });
        }
        self.tally = tally;
        self.is_resumed = true;
        Ok(self)
    }

    /// Makes all steps. Everything computed is kept, however the run ends.
    pub fn run(self, mut progress: impl FnMut(&Progress)) -> Result<Ended, RunError> {
        let Runner { mut setup, options, pool, writer, mut tally, is_resumed } = self;
        let ids: Vec<BodyId> = setup.world.ids().collect();
        let is_recorded = writer.is_some();
        let writing = writer.map(Writing::begin).transpose()?;
        let (to_writer, writing) =
            writing.map_or((None, None), |(sender, writing)| (Some(sender), Some(writing)));
        let before = tally.checked.take().unwrap_or_default();
        let mut checking = if options.is_checked {
            Checking::begin(&setup.world, &ids, before, to_writer)?
        } else {
            Checking::none(to_writer)
        };
        if is_recorded && !is_resumed {
            write_frame(&setup, &mut tally, &mut checking)?;
            checking.write(Written::Keep(kept_state(&setup, &tally)));
        }
        if options.is_profiled {
            setup.world.set_profiling(true);
        }
        let mut profiling = Profiling::default();
        let begun = Instant::now();
        pool.install(|| {
            if is_resumed {
                // The state is another since. What is refused here, the first step refuses again.
                let _ = setup.world.prepare();
            }
            setup.world.rehearse(setup.run.step);
        });
        let watches = setup.header.watches.clone();
        let unit = setup.header.source.unit_of_length();
        let goals = setup.goals.clone();
        tally.goals.resize_with(goals.len(), GoalProgress::default);
        let mut stepper = match tally.stepper.clone() {
            Some(stepper) => Some(stepper),
            None => setup.stepper()?,
        };
        let (wall_before, first) = (tally.wall_seconds, setup.world.steps());
        let mut kept = Instant::now();
        let mut why = Why::Finished;
        let mut stuck_steps = 0;
        while !setup.is_over() && !checking.has_failed() {
            if options.stop.load(Ordering::Relaxed) {
                why = Why::Stopped;
                break;
            }
            setup.set_hands();
            let again = if stepper.is_none() { Again::of(&setup.world) } else { None };
            let start = Instant::now();
            let mut taking = Taking {
                ids: &ids,
                goals: &goals,
                watches: if is_recorded { &watches } else { &[] },
                tally: &mut tally,
                profiling: &mut profiling,
                checking: &mut checking,
                contacts: 0,
                is_smooth: true,
                seconds: 0.0,
                failed: None,
            };
            let advanced =
                pool.install(|| setup.advance(stepper.as_mut(), |world, report| taking.step(world, report)));
            let Taking { contacts, is_smooth, seconds, failed, .. } = taking;
            if let Some(error) = failed {
                return Err(error.into());
            }
            tally.cost.wall_seconds += (start.elapsed().as_secs_f64() - seconds).max(0.0);
            tally.stepper.clone_from(&stepper);
            if let Err(error) = advanced {
                stuck_steps = u64::from(matches!(error, StepError::Stuck { .. }));
                why = Why::Refused(error.message_in(length_unit(&unit)));
                break;
            }
            if let Some(again) = again.filter(|_| is_smooth) {
                pool.install(|| again.compare(setup.run.step, &setup.world, &mut tally.estimate));
            }
            if is_recorded && setup.strides().is_multiple_of(setup.run.steps_a_frame) {
                write_frame(&setup, &mut tally, &mut checking)?;
                profiling.tell(&setup.world, &mut checking);
            }
            tally.wall_seconds = wall_before + begun.elapsed().as_secs_f64();
            if is_recorded
                && kept.elapsed() >= keep_after(begun)
                && !writing.as_ref().is_some_and(|w| w.is_busy(kept))
            {
                // No row extends across a state, so a resumed run has all rows before it and none after.
                profiling.tell(&setup.world, &mut checking);
                checking.write(Written::Keep(kept_state(&setup, &tally)));
                kept = Instant::now();
            }
            progress(&Progress {
                time: setup.world.time(),
                until: setup.run.until,
                steps: setup.world.steps(),
                steps_here: setup.world.steps() - first,
                contacts,
                wall_seconds: begun.elapsed().as_secs_f64(),
            });
        }
        if is_recorded {
            // First keep the state, with all that waits for the next frame: a resumed run continues as if
            // there had been no end.
            profiling.tell(&setup.world, &mut checking);
            checking.write(Written::Keep(kept_state(&setup, &tally)));
            if !setup.is_at_frame() {
                write_frame(&setup, &mut tally, &mut checking)?;
            }
        }
        let checked = checking.end();
        tally.wall_seconds = wall_before + begun.elapsed().as_secs_f64();
        // If the writer failed, the checker stopped because of it: the writer's error is the cause.
        let (checked, writer) = match (checked, writing.map(Writing::end).transpose()) {
            (_, Err(error)) => return Err(error),
            (Err(error), Ok(_)) => return Err(error),
            (Ok(checked), Ok(writer)) => (checked, writer),
        };
        tally.checked = checked;
        let profile = writer.as_ref().map_or(&profiling.all, RecordingWriter::profiled);
        let ending = Ending { why, summary: summary(&setup, &tally, profile, stuck_steps) };
        if let Some(writer) = writer {
            writer.finish(&ending)?;
        }
        Ok(Ended { ending, setup })
    }
}

/// Writes the current frame, with everything that has waited for it, and the account so far.
fn write_frame(setup: &Setup, tally: &mut Tally, checking: &mut Checking) -> Result<(), RunError> {
    let world = &setup.world;
    let impacts = std::mem::take(&mut tally.impacts);
    let cost = std::mem::replace(&mut tally.cost, no_cost());
    checking.write(Written::Frame(Frame { impacts, cost, ..Frame::of(world)? }));
    if let Some(account) = tally.account {
        let motion_error = tally.motion_error(world.steps());
        let row = AccountRow { step: world.steps(), time: world.time(), account, motion_error };
        checking.write(Written::Account(Box::new(row)));
    }
    Ok(())
}

fn kept_state(setup: &Setup, tally: &Tally) -> Box<KeptState> {
    let world = &setup.world;
    Box::new(KeptState {
        step: world.steps(),
        time: world.time(),
        hash: world.hash(),
        tally: tally.clone(),
        snapshot: world.snapshot(),
    })
}

/// How long to wait after the last state before keeping the next, in a run that began at `begun`.
fn keep_after(begun: Instant) -> Duration {
    (begun.elapsed() / KEEP_AFTER).clamp(KEEP_LEAST, KEEP_EVERY)
}

/// The cost of no steps.
fn no_cost() -> StepCost {
    StepCost { smallest_gap: f64::INFINITY, ..StepCost::default() }
}

fn summary(setup: &Setup, tally: &Tally, profile: &Profile, stuck_steps: u64) -> Summary {
    let world = &setup.world;
    // Levels without inertia keep no account.
    let account = tally.account.as_ref().filter(|_| world.settings().level.has_inertia());
    let mut summary = Summary {
        steps: world.steps(),
        sim_seconds: world.time(),
        wall_seconds: tally.wall_seconds,
        max_penetration: tally.checked.map(|checked| checked.depth),
        contacts_max: tally.contacts_max,
        cut_steps: tally.cut_steps,
        shortfall_steps: tally.shortfall_steps,
        numerical_loss: tally.numerical_loss,
        stuck_steps,
        energy_error: account.map(RunAccount::energy_error),
        energy: account.map(EnergySummary::from),
        momentum_error: account.map(RunAccount::momentum_error),
        momentum: account.map(MomentumSummary::from),
        motion_error: tally.motion_error(world.steps()),
        advised_step: None,
        accuracy: tally.stepper.as_ref().map(AccuracySummary::from),
        success: match setup.goals.is_empty() {
            true => None,
            false => Some(tally.goals.iter().all(|progress| progress.reached_at.is_some())),
        },
        goals: setup
            .goals
            .iter()
            .zip(&tally.goals)
            .map(|(goal, so_far)| GoalSummary::of(goal, so_far))
            .collect(),
        hash: format!("{:016x}", world.hash()),
        profile: ProfileTable::of(profile),
    };
    let order = if world.is_of_second_order() { 2 } else { 1 };
    let step = |error| Summary::step_for(error, setup.run.step, order);
    summary.advised_step = summary.large_error().filter(|_| tally.stepper.is_none()).and_then(step);
    summary
}
