//! What came of a fit: how deep parts went, how much room they had, whether they reached their goals, and
//! what stopped them. Computed from the recording of a scene with goals, frame by frame.

use crate::recording::{Frame, GoalSummary, Recording, RecordingError};
use crate::run::setup_again;
use crate::scene::{Condition, Goal};
use silvia_proximity::{Feature, Shape, distance, point_distance};
use silvia_solid::{Pose, Vec3};

/// Most frames at which the clearance is measured, evenly spread: a distance of two fine meshes takes
/// milliseconds.
const MEASURED: usize = 400;
/// Bodies farther from the one that is fitted than this many times its size are not its partners.
const NEAR: f64 = 1.0;

/// What came of the goals of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitting {
    /// Times of the frames looked at, s.
    pub times: Vec<f64>,
    /// The goals, in the order of the scene.
    pub goals: Vec<FittedGoal>,
}

/// What came of a goal.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedGoal {
    /// The body, by index in the header.
    pub body: usize,
    /// Whether it was reached, and how near it came; `None` if the run has not ended.
    pub summary: Option<GoalSummary>,
    /// What is wanted of its pose, over time.
    pub curves: Vec<FitCurve>,
    /// The distance to the nearest other body over time, m; empty if there is none near.
    pub clearance: Vec<f64>,
    /// Where it was when the run ended without the goal being reached.
    pub stopped: Option<Stopped>,
}

/// A quantity over time.
#[derive(Clone, Debug, PartialEq)]
pub struct FitCurve {
    /// `depth`, `distance` or `angle`: insertion depth, distance of a point to its place, angle to the wanted
    /// rotation.
    pub name: &'static str,
    /// `m` or `rad`.
    pub unit: &'static str,
    /// At each of [`Fitting::times`].
    pub values: Vec<f64>,
}

/// Where a body stopped.
#[derive(Clone, Debug, PartialEq)]
pub struct Stopped {
    /// The frame.
    pub frame: usize,
    /// When, s.
    pub time: f64,
    /// What pressed on it, the hardest first.
    pub by: Vec<StoppedBy>,
}

/// A contact that pressed on a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StoppedBy {
    /// The other body, by index in the header.
    pub other: usize,
    /// The features nearest to the contact, of the body and of the other.
    pub features: [Option<Feature>; 2],
    /// Where, m.
    pub at: Vec3,
    /// The force on the body, N.
    pub force: Vec3,
}

impl Fitting {
    /// What came of the goals of a recording, at some hundred of its frames; `None` of one whose scene has
    /// none, or that was made by a program.
    pub fn of(recording: &Recording) -> Result<Option<Fitting>, RecordingError> {
        let every = recording.len().div_ceil(MEASURED).max(1);
        let last = recording.len().saturating_sub(1);
        let numbers = (0..recording.len()).filter(|number| number % every == 0 || *number == last);
        Fitting::at(recording, numbers)
    }

    /// The same at frames of your choice.
    pub fn at(
        recording: &Recording,
        frames: impl IntoIterator<Item = usize>,
    ) -> Result<Option<Fitting>, RecordingError> {
        let header = recording.header();
        let Ok(setup) = setup_again(header, None) else { return Ok(None) };
        if setup.goals.is_empty() || recording.is_empty() {
            return Ok(None);
        }
        let world = &setup.world;
        let shapes: Vec<&Shape> = world.ids().filter_map(|id| world.shape(id).ok()).collect();
        let of_goal = |goal: &Goal| world.ids().position(|id| id == goal.body);
        let bodies: Vec<usize> = setup.goals.iter().filter_map(of_goal).collect();
        if shapes.len() != header.bodies.len() || bodies.len() != setup.goals.len() {
            return Ok(None);
        }
        let told = recording.ending().map_or(&[][..], |ending| &ending.summary.goals);
        let mut fitting = Fitting { times: Vec::new(), goals: Vec::new() };
        for (number, (goal, &body)) in setup.goals.iter().zip(&bodies).enumerate() {
            let summary = told.get(number).cloned();
            let curves = goal.conditions.iter().filter_map(curve).collect();
            let (clearance, stopped) = Default::default();
            fitting.goals.push(FittedGoal { body, summary, curves, clearance, stopped });
        }
        let last = recording.len() - 1;
        for number in frames {
            let frame = recording.frame(number)?;
            fitting.times.push(frame.time);
            for (goal, fitted) in setup.goals.iter().zip(&mut fitting.goals) {
                fitted.look(goal, &frame, &shapes);
            }
        }
        let frame = recording.frame(last)?;
        for fitted in &mut fitting.goals {
            let is_missed = fitted.summary.as_ref().is_some_and(|summary| summary.reached_at.is_none());
            fitted.stopped = is_missed.then(|| stopped(fitted.body, last, &frame, &shapes));
            // Nothing was ever near.
            if fitted.clearance.iter().all(|clearance| clearance.is_infinite()) {
                fitted.clearance.clear();
            }
        }
        Ok(Some(fitting))
    }
}

impl FittedGoal {
    fn look(&mut self, goal: &Goal, frame: &Frame, shapes: &[&Shape]) {
        let Some(pose) = frame.poses.get(self.body) else { return };
        let values = goal.conditions.iter().filter_map(|condition| condition.of_pose(pose));
        self.curves.iter_mut().zip(values).for_each(|(curve, value)| curve.values.push(value));
        self.clearance.push(clearance(self.body, &frame.poses, shapes));
    }
}

/// The empty curve of a condition on poses.
fn curve(condition: &Condition) -> Option<FitCurve> {
    let (name, unit) = match condition {
        Condition::Position { .. } => ("distance", "m"),
        Condition::Rotation { .. } => ("angle", "rad"),
        Condition::Depth { .. } => ("depth", "m"),
        Condition::Speed(_) | Condition::Force(_) | Condition::Torque(_) => return None,
    };
    Some(FitCurve { name, unit, values: Vec::new() })
}

/// The distance of a body to the nearest other, m; infinite if none is near.
fn clearance(body: usize, poses: &[Pose], shapes: &[&Shape]) -> f64 {
    let own = shapes[body].aabb(&poses[body]);
    let near = own.widened(NEAR * own.size().length());
    let mut least = f64::INFINITY;
    for (other, (shape, pose)) in shapes.iter().zip(poses).enumerate() {
        let theirs = shape.aabb(pose);
        let is_near = near.min.cmple(theirs.max).all() && theirs.min.cmple(near.max).all();
        if other != body && is_near {
            least = least.min(distance(shapes[body], &poses[body], shape, pose).upper);
        }
    }
    least
}

/// What pressed on a body in a frame.
fn stopped(body: usize, number: usize, frame: &Frame, shapes: &[&Shape]) -> Stopped {
    let feature = |of: usize, at: Vec3| {
        let found = point_distance(shapes[of], frame.poses.get(of)?, at).ok()?;
        found.feature
    };
    let mut by: Vec<StoppedBy> = Vec::new();
    for contact in &frame.contacts {
        let Some(at) = contact.bodies.iter().position(|known| *known as usize == body) else { continue };
        let other = contact.bodies[1 - at] as usize;
        if contact.force == Vec3::ZERO || other >= shapes.len() {
            continue;
        }
        let force = if at == 1 { contact.force } else { -contact.force };
        let features = [feature(body, contact.point), feature(other, contact.point)];
        by.push(StoppedBy { other, features, at: contact.point, force });
    }
    by.sort_by(|a, b| b.force.length().total_cmp(&a.force.length()));
    Stopped { frame: number, time: frame.time, by }
}
