//! Where the time of a step goes, stage by stage.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A stage of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Stage {
    /// Where bodies go if nothing touches them; counted: flights of bodies.
    Predict,
    /// Cages, and the islands of those that overlap; counted: pairs of bodies that may meet.
    Cull,
    /// Pairs of features that may come into contact; counted: those found.
    Contacts,
    /// Contact problems made of them; counted: contacts taken in.
    Assemble,
    /// Contact problems solved; counted: iterations of solvers.
    Solve,
    /// Where bodies and contacts are at the end; counted: contacts looked at.
    Integrate,
    /// The certificate; counted: ways of pairs of bodies looked at.
    Certify,
}

impl Stage {
    /// All, in the order of a step.
    pub const ALL: [Stage; 7] = [
        Stage::Predict,
        Stage::Cull,
        Stage::Contacts,
        Stage::Assemble,
        Stage::Solve,
        Stage::Integrate,
        Stage::Certify,
    ];

    /// Its name, one word.
    pub fn as_str(self) -> &'static str {
        match self {
            Stage::Predict => "predict",
            Stage::Cull => "cull",
            Stage::Contacts => "contacts",
            Stage::Assemble => "assemble",
            Stage::Solve => "solve",
            Stage::Integrate => "integrate",
            Stage::Certify => "certify",
        }
    }

    /// What its counts are of.
    pub fn counted(self) -> &'static str {
        match self {
            Stage::Predict => "flights of bodies",
            Stage::Cull => "pairs of bodies",
            Stage::Contacts => "pairs of features",
            Stage::Assemble => "contacts taken in",
            Stage::Solve => "iterations",
            Stage::Integrate => "contacts looked at",
            Stage::Certify => "ways of pairs",
        }
    }
}

/// What a stage cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// By the clock, s; what goes on at once on several threads is added up.
    pub seconds: f64,
    /// How much was done; of what, [`Stage`] says.
    pub count: u64,
}

/// Where the time of a step, or of several, went.
///
/// ```
/// use silvia_proximity::Shape;
/// use silvia_world::{BodyBuilder, Stage, World, WorldSettings};
/// let mut world = World::new(WorldSettings::default())?;
/// world.add(BodyBuilder::free(Shape::sphere(0.1)?))?;
/// world.set_profiling(true);
/// let profile = world.step(1e-3)?.profile.ok_or("no profile")?;
/// assert!(profile.cost(Stage::Predict).count >= 1);
/// assert!(profile.seconds > 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Profile {
    /// How many steps it tells of.
    pub steps: u64,
    /// From the beginning to the end, s. Stages are added up over threads, so that they may come to more;
    /// what they leave is bookkeeping.
    pub seconds: f64,
    costs: [Cost; Stage::ALL.len()],
}

impl Profile {
    /// Of so many steps that took so long by the clock, s, and what each stage cost in the order of
    /// [`Stage::ALL`].
    pub fn new(steps: u64, seconds: f64, costs: [Cost; Stage::ALL.len()]) -> Profile {
        Profile { steps, seconds, costs }
    }

    /// What a stage cost.
    pub fn cost(&self, stage: Stage) -> Cost {
        self.costs[stage as usize]
    }

    /// All stages, in the order of a step.
    pub fn costs(&self) -> impl Iterator<Item = (Stage, Cost)> + '_ {
        Stage::ALL.into_iter().map(|stage| (stage, self.cost(stage)))
    }

    /// What the stages leave of the time by the clock: bookkeeping, s. 0 if they come to more, which they can
    /// on several threads.
    pub fn rest(&self) -> f64 {
        let stages: f64 = self.costs.iter().map(|cost| cost.seconds).sum();
        (self.seconds - stages).max(0.0)
    }

    /// Adds other steps to these.
    pub fn add(&mut self, other: &Profile) {
        self.steps = self.steps.saturating_add(other.steps);
        self.seconds += other.seconds;
        for (sum, more) in self.costs.iter_mut().zip(&other.costs) {
            sum.seconds += more.seconds;
            sum.count = sum.count.saturating_add(more.count);
        }
    }
}

/// Takes the time of stages, from any thread. It never changes what is computed.
#[derive(Debug)]
pub struct Stopwatch {
    began: Instant,
    nanoseconds: [AtomicU64; Stage::ALL.len()],
    counts: [AtomicU64; Stage::ALL.len()],
}

impl Stopwatch {
    /// One that begins now.
    pub(crate) fn start() -> Stopwatch {
        Stopwatch { began: Instant::now(), nanoseconds: Default::default(), counts: Default::default() }
    }

    fn add(&self, stage: Stage, time: Duration, count: u64) {
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.nanoseconds[stage as usize].fetch_add(nanoseconds, Ordering::Relaxed);
        self.counts[stage as usize].fetch_add(count, Ordering::Relaxed);
    }

    /// What it has seen.
    pub(crate) fn profile(&self) -> Profile {
        let cost = |stage: usize| Cost {
            seconds: 1e-9 * self.nanoseconds[stage].load(Ordering::Relaxed) as f64,
            count: self.counts[stage].load(Ordering::Relaxed),
        };
        Profile { steps: 1, seconds: self.began.elapsed().as_secs_f64(), costs: std::array::from_fn(cost) }
    }
}

/// Does something that belongs to a stage, under a watch if there is one; `count` says how much it was.
pub(crate) fn timed<T>(
    watch: Option<&Stopwatch>,
    stage: Stage,
    count: impl FnOnce(&T) -> usize,
    work: impl FnOnce() -> T,
) -> T {
    let Some(watch) = watch else { return work() };
    let began = Instant::now();
    let done = work();
    watch.add(stage, began.elapsed(), count(&done) as u64);
    done
}
