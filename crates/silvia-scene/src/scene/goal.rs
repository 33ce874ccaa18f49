//! What a run is to reach.

use silvia_solid::{Pose, Quat, Vec3};
use silvia_world::{BodyId, World, WorldError};

/// What a body is to reach: all of it at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// The body.
    pub body: BodyId,
    /// Its name.
    pub name: String,
    /// What is wanted of it.
    pub conditions: Vec<Condition>,
    /// The latest time, s.
    pub by: f64,
}

/// What is wanted of a body.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// A point of it is at a place.
    Position {
        /// In its frame, m.
        point: Vec3,
        /// Where it is to be, m.
        at: Vec3,
        /// How far off is near enough, m.
        within: f64,
    },
    /// It is turned in a way.
    Rotation {
        /// How.
        to: Quat,
        /// By how much it may be off, rad.
        within: f64,
    },
    /// A point of it is as deep as this.
    Depth {
        /// In its frame, m.
        point: Vec3,
        /// Where depth is measured from, m.
        from: Vec3,
        /// The direction, of length 1.
        along: Vec3,
        /// The least depth, m.
        least: f64,
    },
    /// No point of it is faster, m/s.
    Speed(f64),
    /// Its hands hold it with such a force, N.
    Force(f64),
    /// Its hands hold it with such a torque, N m.
    Torque(f64),
}

/// How far a goal has come.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// When it was reached first, s.
    pub reached_at: Option<f64>,
    /// Of each condition, the best that was seen in time, as [`Condition::measure`] has it.
    pub best: Vec<f64>,
}

impl Condition {
    /// What it is about, of a world: m, rad, m/s, N or N m.
    pub fn measure(&self, world: &World, body: BodyId) -> Result<f64, WorldError> {
        let pose = world.pose(body)?;
        Ok(match self {
            Condition::Position { point, at, .. } => off(&pose, *point, *at),
            Condition::Rotation { to, .. } => turned_off(&pose, *to),
            Condition::Depth { point, from, along, .. } => depth(&pose, *point, *from, *along),
            Condition::Speed(_) => speed(world, body, &pose)?,
            Condition::Force(_) => hands(world, body).0.length(),
            Condition::Torque(_) => hands(world, body).1.length(),
        })
    }

    /// The same where it is about the pose of the body alone; `None` where it is not.
    pub fn of_pose(&self, pose: &Pose) -> Option<f64> {
        match self {
            Condition::Position { point, at, .. } => Some(off(pose, *point, *at)),
            Condition::Rotation { to, .. } => Some(turned_off(pose, *to)),
            Condition::Depth { point, from, along, .. } => Some(depth(pose, *point, *from, *along)),
            Condition::Speed(_) | Condition::Force(_) | Condition::Torque(_) => None,
        }
    }

    /// Whether a measure is good enough.
    pub fn is_met_by(&self, measure: f64) -> bool {
        match *self {
            Condition::Position { within: most, .. }
            | Condition::Rotation { within: most, .. }
            | Condition::Speed(most) => measure <= most,
            Condition::Depth { least, .. } | Condition::Force(least) | Condition::Torque(least) => {
                measure >= least
            }
        }
    }

    /// The better of two measures.
    fn better(&self, a: f64, b: f64) -> f64 {
        match self {
            Condition::Position { .. } | Condition::Rotation { .. } | Condition::Speed(_) => a.min(b),
            Condition::Depth { .. } | Condition::Force(_) | Condition::Torque(_) => a.max(b),
        }
    }

    /// What is wanted and what came of it at best, in words, with numbers as someone writes them.
    pub fn in_words(&self, best: Option<f64>, number: impl Fn(f64) -> String) -> String {
        let degrees = |angle: f64| number(angle.to_degrees());
        let came = |what: &str| best.map_or(String::new(), |best| format!(", {what} {}", number(best)));
        match *self {
            Condition::Position { within, .. } => {
                format!("within {} m of its place{}", number(within), came("came as near as"))
            }
            Condition::Rotation { within, .. } => {
                let came = best.map(|best| format!(", came as near as {}", degrees(best)));
                format!("turned to within {}°{}", degrees(within), came.unwrap_or_default())
            }
            Condition::Depth { least, .. } => {
                format!("{} m deep{}", number(least), came("came as deep as"))
            }
            Condition::Speed(most) => {
                format!("no faster than {} m/s{}", number(most), came("was never slower than"))
            }
            Condition::Force(least) => format!("held with {} N{}", number(least), came("with at most")),
            Condition::Torque(least) => format!("held with {} N m{}", number(least), came("with at most")),
        }
    }
}

impl Goal {
    /// Takes in where the world is after a step.
    pub fn look(&self, world: &World, progress: &mut Progress) -> Result<(), WorldError> {
        // Times are sums of steps.
        if progress.reached_at.is_some() || world.time() > self.by + 1e-9 * self.by.abs() {
            return Ok(());
        }
        let mut is_met = true;
        for (index, condition) in self.conditions.iter().enumerate() {
            let measure = condition.measure(world, self.body)?;
            is_met &= condition.is_met_by(measure);
            match progress.best.get_mut(index) {
                Some(best) => *best = condition.better(*best, measure),
                None => progress.best.push(measure),
            }
        }
        if is_met {
            progress.reached_at = Some(world.time());
        }
        Ok(())
    }
}

/// How far a point of a body is from a place, m.
fn off(pose: &Pose, point: Vec3, at: Vec3) -> f64 {
    pose.transform_point(point).distance(at)
}

/// By what angle a body is off a rotation, rad.
fn turned_off(pose: &Pose, to: Quat) -> f64 {
    angle(to * pose.rotation().conjugate())
}

/// How deep a point of a body is, m.
fn depth(pose: &Pose, point: Vec3, from: Vec3, along: Vec3) -> f64 {
    (pose.transform_point(point) - from).dot(along)
}

/// Force and torque of all hands on a body over the last step.
fn hands(world: &World, body: BodyId) -> (Vec3, Vec3) {
    let of_body = world.hands().filter(|(_, of, _)| *of == body);
    let records = of_body.filter_map(|(hand, _, _)| world.hand_record(hand).ok().flatten());
    records.fold((Vec3::ZERO, Vec3::ZERO), |(force, torque), record| {
        (force + record.force, torque + record.torque)
    })
}

/// No point of a body is faster, m/s.
fn speed(world: &World, body: BodyId, pose: &Pose) -> Result<f64, WorldError> {
    let velocity = world.velocity(body)?;
    let centre = pose.transform_point(world.inertia(body)?.centre);
    let corners = world.shape(body)?.aabb(pose);
    let reach = (corners.max - centre).abs().max((corners.min - centre).abs()).length();
    // What reaches without end does not turn.
    let turning = if velocity.angular == Vec3::ZERO { 0.0 } else { reach * velocity.angular.length() };
    Ok(velocity.linear.length() + turning)
}

/// The angle of a rotation, the shorter way, rad.
fn angle(rotation: Quat) -> f64 {
    2.0 * rotation.xyz().length().atan2(rotation.w.abs())
}
