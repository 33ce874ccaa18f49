//! Certified steps of parts that are not convex, most of them in close fit, held against a checker that
//! shares no code with the stepper.
//!
//! Trials take the scenes in turn, each with random sizes, friction and restitution. States go to the checker
//! at the end of each piece of a step: between those, vertices go on straight lines.

mod energy;
mod falling;
mod fits;
mod gears;
pub(crate) mod nuts;
pub(crate) mod stage;
mod stones;
mod watch;

use crate::outcome::{Course, Outcome};
use rayon::ThreadPoolBuilder;
use seeded::Random;
use stage::Stage;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// A kind of scene.
pub(crate) struct Scene {
    /// What `--scene` calls it.
    pub(crate) name: &'static str,
    /// One of its kind.
    pub(crate) make: fn(&mut Random) -> Result<Stage, String>,
}

/// All kinds. Trial `n` is of kind `n` modulo their number: one that is added or removed renumbers the
/// trials.
pub(crate) const SCENES: &[Scene] = &[
    Scene { name: "knots", make: falling::knots_on_bracket },
    Scene { name: "chain", make: falling::chain },
    Scene { name: "peg", make: falling::peg_over_hole },
    Scene { name: "nut-turned", make: nuts::turned_by_hand },
    Scene { name: "nut-pushed", make: nuts::pushed },
    Scene { name: "nut-dropped", make: nuts::dropped },
    Scene { name: "gear-driven", make: gears::driven },
    Scene { name: "gears-free", make: gears::free },
    Scene { name: "dovetail", make: fits::dovetail },
    Scene { name: "countersink", make: fits::countersink },
    Scene { name: "key", make: fits::key },
    Scene { name: "stones", make: stones::dropped },
];

/// A trial that has been on the processor for so long is in a step that does not end, s.
const PATIENCE: f64 = 2.0 * watch::LONGEST;

/// How often a trial is looked at.
const LOOK: Duration = Duration::from_millis(500);

/// One trial of a scene: the deepest penetration, or what was wrong.
///
/// It has a thread of its own, and a pool of that thread alone, so that the time of its steps on the
/// processor is theirs, whatever else runs. If a step does not end, the thread is left to itself.
pub(crate) fn trial(scene: &'static Scene, random: &mut Random) -> Outcome {
    let mut random = random.clone();
    let (to, from) = channel();
    let (to_clock, from_clock) = channel();
    std::thread::spawn(move || {
        let _ = to_clock.send(watch::this_thread());
        let pool = ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
        let outcome = match pool {
            Ok(pool) => pool.install(|| staged(scene, &mut random)),
            Err(error) => Outcome::from(Err(error.to_string())),
        };
        // Nobody waits for a trial that was given up.
        let _ = to.send(outcome);
    });
    let thread = from_clock.recv().unwrap_or_default();
    let mut outcome = loop {
        match from.recv_timeout(LOOK) {
            Ok(outcome) => break outcome,
            Err(RecvTimeoutError::Disconnected) => {
                break Outcome::from(Err("it panicked: see above".to_owned()));
            }
            Err(RecvTimeoutError::Timeout) if watch::time_of(&thread) > PATIENCE => {
                let course = Course { scene: scene.name, seconds: PATIENCE, ..Course::default() };
                let figure = Err(format!("a step did not end: given up after {PATIENCE} s"));
                break Outcome { figure, course: Some(course) };
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    };
    outcome.figure = outcome.figure.map_err(|what| format!("{}: {what}", scene.name));
    outcome
}

fn staged(scene: &'static Scene, random: &mut Random) -> Outcome {
    let mut course = Course { scene: scene.name, ..Course::default() };
    let figure = (scene.make)(random).and_then(|stage| watch::watched(stage, &mut course));
    Outcome { figure, course: Some(course) }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::random::of_trial;

    /// Shows the checker how so many trials of each scene start.
    pub(crate) fn start_clean(scenes: &[Scene], trials: u64) {
        for (number, scene) in scenes.iter().enumerate() {
            for trial in 0..trials {
                let mut random = of_trial(1, trial * scenes.len() as u64 + number as u64);
                let stage = (scene.make)(&mut random).unwrap_or_else(|e| panic!("{}: {e}", scene.name));
                watch::watched(Stage { steps: 0, ..stage }, &mut Course::default())
                    .unwrap_or_else(|e| panic!("{}, trial {trial}: {e}", scene.name));
            }
        }
    }

    #[test]
    fn every_scene_is_made_without_overlaps() {
        start_clean(SCENES, 4);
    }
}
