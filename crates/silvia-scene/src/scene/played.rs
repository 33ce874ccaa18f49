//! A setup that plays a motion computed elsewhere: a way that `silvia fit` found, poses measured or planned.

use super::setup::{RunSettings, Setup};
use super::source::SceneSource;
use crate::recording::Header;
use silvia_proximity::Shape;
use silvia_solid::{Pose, Vec3};
use silvia_world::{BodyBuilder, BodyError, Script, SettingsError, World, WorldError, WorldSettings};
use thiserror::Error;

/// A motion to play: bodies, and where they are at each moment.
#[derive(Clone, Debug)]
pub struct Played {
    /// Title for headings.
    pub title: String,
    /// What it shows, one sentence or more.
    pub about: String,
    /// The symbol of the unit in which lengths are told: `mm`.
    pub unit: String,
    /// Names and shapes.
    pub bodies: Vec<(String, Shape)>,
    /// The pose of each body, moment by moment.
    pub moments: Vec<Vec<Pose>>,
    /// Time from one moment to the next, s.
    pub step: f64,
}

/// Why a motion cannot be played.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum PlayedError {
    /// No motion.
    #[error("a motion of {given} moments cannot be played: give at least 2")]
    TooShort {
        /// How many there are.
        given: usize,
    },
    /// A moment without a pose for each body.
    #[error("moment {number} has {given} poses for {bodies} bodies: give one for each")]
    Poses {
        /// Which moment, from 0.
        number: usize,
        /// How many poses it has.
        given: usize,
        /// How many bodies there are.
        bodies: usize,
    },
    /// A body that is none.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// The world refused its settings.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The world refused what it was asked.
    #[error(transparent)]
    World(#[from] WorldError),
}

impl Setup {
    /// A setup whose bodies go where they are told, one step a moment, without gravity. Recorded, it can be
    /// shown and exported as any run can. Nothing is judged: the checker of a run looks at what contacts can
    /// move.
    ///
    /// ```
    /// use silvia_proximity::Shape;
    /// use silvia_scene::scene::Played;
    /// use silvia_scene::{RunOptions, Runner, Setup};
    /// use silvia_solid::{Pose, Vec3};
    ///
    /// let at = |x: f64| Pose::from_translation(Vec3::new(x, 0.0, 0.0));
    /// let played = Played {
    ///     title: "A ball passes another".to_owned(),
    ///     about: String::new(),
    ///     unit: "m".to_owned(),
    ///     bodies: vec![("a".to_owned(), Shape::sphere(0.1)?), ("b".to_owned(), Shape::sphere(0.1)?)],
    ///     moments: vec![vec![at(0.0)?, at(1.0)?], vec![at(0.0)?, at(0.5)?], vec![at(0.0)?, at(0.3)?]],
    ///     step: 0.1,
    /// };
    /// let ended = Runner::new(Setup::played(&played)?, RunOptions::default())?.run(|_| ())?;
    /// let world = &ended.setup.world;
    /// assert!((world.pose(world.body_id("b")?)?.translation().x - 0.3).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn played(played: &Played) -> Result<Setup, PlayedError> {
        let Played { bodies, moments, step, .. } = played;
        if moments.len() < 2 {
            return Err(PlayedError::TooShort { given: moments.len() });
        }
        let wrong = moments.iter().position(|poses| poses.len() != bodies.len());
        if let Some(number) = wrong {
            let given = moments[number].len();
            return Err(PlayedError::Poses { number, given, bodies: bodies.len() });
        }
        let mut world = World::new(WorldSettings::default().with_gravity(Vec3::ZERO))?;
        for (number, (name, shape)) in bodies.iter().enumerate() {
            let poses: Vec<Pose> = moments.iter().map(|moment| moment[number]).collect();
            let start = poses[0];
            let body = if poses.iter().all(|pose| *pose == start) {
                BodyBuilder::fixed(shape.clone()).at(start)
            } else {
                let timed = poses.into_iter().enumerate().map(|(moment, pose)| (moment as f64 * step, pose));
                BodyBuilder::scripted(shape.clone(), Script::Poses(timed.collect()))
            };
            world.add(body.named(name))?;
        }
        let until = (moments.len() - 1) as f64 * step;
        let text = format!("[units]\nlength = \"{}\"\n", played.unit);
        let header = Header {
            title: played.title.clone(),
            about: played.about.clone(),
            source: SceneSource { name: played.title.clone(), text, ..SceneSource::default() },
            method: world.response().name().to_owned(),
            step: *step,
            until,
            steps_a_frame: 1,
            bodies: Header::bodies_of(&world)?,
            made_by: crate::recording::PROGRAM.to_owned(),
            ..Header::default()
        };
        let run = RunSettings { step: *step, accuracy: None, until, steps_a_frame: 1, threads: None };
        Ok(Setup { world, header, run, hands: Vec::new(), goals: Vec::new() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_motion_needs_a_pose_for_each_body_at_each_moment() {
        let ball = || ("a".to_owned(), Shape::sphere(0.1).unwrap());
        let mut played = Played {
            title: String::new(),
            about: String::new(),
            unit: "mm".to_owned(),
            bodies: vec![ball()],
            moments: vec![vec![Pose::IDENTITY]],
            step: 0.1,
        };
        assert_eq!(Setup::played(&played).unwrap_err(), PlayedError::TooShort { given: 1 });
        played.moments.push(Vec::new());
        let wrong = PlayedError::Poses { number: 1, given: 0, bodies: 1 };
        assert_eq!(Setup::played(&played).unwrap_err(), wrong);
    }
}
