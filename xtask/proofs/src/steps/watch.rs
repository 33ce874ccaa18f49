//! Makes the steps of a scene under the eyes of the checker.

use super::energy;
use super::stage::{Stage, said};
use crate::outcome::Course;
use rustix::time::{ClockId, clock_gettime};
use silvia::check::Checker;
use silvia::prelude::*;
use silvia::world::{StepError, StepReport};
use std::path::{Path, PathBuf};

/// Nothing may be deeper in anything than this fraction of the smaller part's size.
const DEEPEST: f64 = 1e-9;

/// No step is begun after so long, s on the processor.
pub(super) const LONGEST: f64 = 60.0;

/// What is placed exactly on something else may be moved by so many shells before the first step.
const OPENED_BY: f64 = 100.0;

/// Makes the steps: the deepest penetration, or what was wrong.
pub(super) fn watched(stage: Stage, course: &mut Course) -> Result<f64, String> {
    let mut seconds = Vec::new();
    let mut touching = Vec::new();
    course.asked = stage.steps as u64;
    let told = stage.told.clone();
    let figure = stepped(stage, course, &mut seconds, &mut touching)
        .map_err(|what| if told.is_empty() { what } else { format!("{what} ({told})") });
    course.seconds = seconds.iter().sum();
    let longest = seconds.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
    course.longest = longest.map_or((0.0, 0), |(number, &longest)| (longest, number as u64));
    touching.sort_by(f64::total_cmp);
    course.median = touching.get(touching.len() / 2).copied().unwrap_or(0.0);
    figure
}

fn stepped(
    stage: Stage,
    course: &mut Course,
    seconds: &mut Vec<f64>,
    touching: &mut Vec<f64>,
) -> Result<f64, String> {
    let Stage { bodies, friction, restitution, step, steps, hand, spring, settings, keeps_energy, .. } =
        stage;
    let mut world = World::new(settings).map_err(said)?;
    let steel = Material::new("steel", friction, restitution);
    let steel = world.add_material(steel).map_err(said)?;
    let mut ids = Vec::new();
    for body in bodies {
        ids.push(world.add(body.material(steel)).map_err(said)?);
    }
    let spring = match spring {
        Some(spring) => Some((world.take(ids[spring.body], spring.hand).map_err(said)?, spring.targets)),
        None => None,
    };
    // The first step says what is wrong if bodies cannot be opened.
    let mut opened = world.clone();
    let is_open = steps > 0 && opened.prepare().is_ok();
    let mut judge = Judge::new(if is_open { &opened } else { &world }, &ids)?;
    let start = world.energy();
    let mut was_exact = true;
    judge.look(&world)?;
    if is_open {
        judge.see_opened(&world, &opened)?;
    }
    for number in 0..steps {
        if seconds.iter().sum::<f64>() > LONGEST {
            break;
        }
        if let Some(hand) = &hand {
            world.set_hand(ids[hand.body], hand.at(number)).map_err(said)?;
        }
        if let Some((id, targets)) = &spring
            && let Some(&target) = targets.get(number)
        {
            world.move_hand(*id, target).map_err(said)?;
        }
        let before = world.energy();
        let begun = thread_time();
        let made = world.step(step);
        let took = thread_time() - begun;
        seconds.push(took);
        course.is_stuck = matches!(made, Err(StepError::Stuck { .. }));
        let report = made.map_err(|e| format!("step {number}: {e}"))?;
        course.steps += 1;
        if !report.contacts.is_empty() {
            touching.push(took);
        }
        let looked = judge.follow(&world, &report);
        course.deepest = judge.checker.verdict().fraction();
        looked.map_err(|what| format!("step {number}: {what}"))?;
        check_finite(&world, &ids).map_err(|what| format!("step {number}: {what}"))?;
        // Where a step says that forces are not exact, it books what comes of it.
        let is_exact = report.shortfalls.is_empty() && report.traded.forces == 0;
        was_exact &= is_exact;
        if keeps_energy && is_exact {
            let gained = energy::check(&world, &ids, [start, before], (step, was_exact))
                .map_err(|what| format!("step {number}: {what}"))?;
            course.gained = course.gained.max(gained);
        }
    }
    Ok(judge.checker.verdict().fraction())
}

/// The checker, and what it has been shown.
struct Judge {
    checker: Checker,
    ids: Vec<BodyId>,
    poses: Vec<Pose>,
    /// Counts the states shown.
    clock: f64,
}

impl Judge {
    fn new(world: &World, ids: &[BodyId]) -> Result<Judge, String> {
        let mut shapes = Vec::new();
        for &id in ids {
            let name = world.name(id).map_err(said)?.to_owned();
            shapes.push((name, world.shape(id).map_err(said)?.clone()));
        }
        let mut checker = Checker::new(shapes).map_err(said)?;
        for (index, &id) in ids.iter().enumerate() {
            let centre = world.inertia(id).map_err(said)?.centre;
            checker.centre(index, centre).map_err(said)?;
        }
        let poses = poses(world, ids)?;
        Ok(Judge { checker, ids: ids.to_vec(), poses, clock: 0.0 })
    }

    /// Shows where the first step starts: bodies that are placed exactly on each other are first moved apart,
    /// or drawn in, by some shells, and their certified way begins there.
    fn see_opened(&mut self, world: &World, opened: &World) -> Result<(), String> {
        let placed = self.poses.clone();
        self.look(opened).map_err(|what| format!("as they are moved apart: {what}"))?;
        for (index, &id) in self.ids.iter().enumerate() {
            let way = (self.poses[index].translation() - placed[index].translation()).length();
            let way = way.max(opened.inset(id).map_err(said)?);
            let size = 2.0 * world.shape(id).map_err(said)?.reach();
            if way > OPENED_BY * energy::shell(world.settings()) * size {
                let name = world.name(id).map_err(said)?;
                return Err(format!(
                    "{name} is moved or drawn in by {way:.1e} m where it was placed, size {size:.1e} m"
                ));
            }
        }
        Ok(())
    }

    /// Shows the states on the way of a step, and its end.
    fn follow(&mut self, world: &World, report: &StepReport) -> Result<(), String> {
        for update in &report.way {
            for (id, state) in update {
                let at = self.ids.iter().position(|other| other == id).ok_or("a body that is not there")?;
                self.poses[at] = world.pose_in(*id, state).map_err(said)?;
            }
            self.show()?;
        }
        self.look(world)
    }

    /// Shows the state of the world.
    fn look(&mut self, world: &World) -> Result<(), String> {
        self.poses = poses(world, &self.ids)?;
        self.show()?;
        let verdict = self.checker.verdict();
        if verdict.is_clean(DEEPEST) { Ok(()) } else { Err(format!("{verdict:?}")) }
    }

    fn show(&mut self) -> Result<(), String> {
        self.clock += 1.0;
        self.checker.state(self.clock, &self.poses).map_err(said)
    }
}

/// Whether every body is somewhere, and moves at some velocity.
fn check_finite(world: &World, ids: &[BodyId]) -> Result<(), String> {
    for &id in ids {
        let (pose, velocity) = (world.pose(id).map_err(said)?, world.velocity(id).map_err(said)?);
        let is_finite = pose.translation().is_finite()
            && pose.rotation().is_finite()
            && velocity.linear.is_finite()
            && velocity.angular.is_finite();
        if !is_finite {
            return Err(format!("not finite: {} at {pose:?}, {velocity:?}", world.name(id).map_err(said)?));
        }
    }
    Ok(())
}

fn poses(world: &World, ids: &[BodyId]) -> Result<Vec<Pose>, String> {
    ids.iter().map(|&id| world.pose(id).map_err(said)).collect()
}

/// How long this thread has been on the processor, s.
fn thread_time() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

/// The name of this thread for [`time_of`]; empty where the system has none.
pub(super) fn this_thread() -> PathBuf {
    let own = std::fs::read_link("/proc/thread-self").unwrap_or_default();
    if own.as_os_str().is_empty() { own } else { Path::new("/proc").join(own) }
}

/// How long a thread of this process has been on the processor, s, as Linux tells it; 0 elsewhere.
pub(super) fn time_of(thread: &Path) -> f64 {
    let told = std::fs::read_to_string(thread.join("schedstat")).unwrap_or_default();
    let nanoseconds = told.split_whitespace().next().and_then(|first| first.parse::<f64>().ok());
    1e-9 * nanoseconds.unwrap_or(0.0)
}
