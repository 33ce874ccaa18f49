//! Running a scene in an engine, and what comes of it.

use crate::scene::{Scene, State};
use std::time::{Duration, Instant};

/// States are kept so often over a whole run; at these steps all engines are judged.
const SAMPLES: usize = 40;

/// An engine with a scene in it.
pub(crate) trait Engine {
    /// Goes on by one step.
    fn step(&mut self) -> Result<(), String>;
    /// How all bodies are.
    fn states(&self) -> Result<Vec<State>, String>;
    /// Where the time went so far, if it is known.
    fn stages(&self) -> Option<String> {
        None
    }
}

/// What an engine did with a scene.
pub(crate) struct Run {
    pub(crate) engine: String,
    /// Of each step, s.
    pub(crate) seconds: Vec<f64>,
    /// States after so many steps.
    pub(crate) samples: Vec<(usize, Vec<State>)>,
    /// Why it did not make all steps.
    pub(crate) ended: Option<String>,
    /// Where the time went, if the engine says so.
    pub(crate) stages: Option<String>,
}

/// Time of the first so many steps, s.
pub(crate) fn total(run: &Run, steps: usize) -> f64 {
    run.seconds[..steps].iter().sum()
}

/// After how many steps states are kept.
pub(crate) fn interval(scene: &Scene) -> usize {
    (scene.steps / SAMPLES).max(1)
}

/// Makes all steps, or as many as there is time for.
pub(crate) fn drive(engine: &mut impl Engine, name: &str, scene: &Scene, limit: Duration) -> Run {
    let mut run =
        Run { engine: name.into(), seconds: Vec::new(), samples: Vec::new(), ended: None, stages: None };
    let begin = Instant::now();
    let mut told = begin;
    for step in 1..=scene.steps {
        let start = Instant::now();
        if let Err(why) = engine.step() {
            run.ended = Some(why);
            break;
        }
        run.seconds.push(start.elapsed().as_secs_f64());
        if step % interval(scene) == 0 {
            match engine.states() {
                Ok(states) => run.samples.push((step, states)),
                Err(why) => {
                    run.ended = Some(why);
                    break;
                }
            }
        }
        if told.elapsed() > Duration::from_secs(5) {
            println!("  {name}: step {step} of {}", scene.steps);
            told = Instant::now();
        }
        if begin.elapsed() > limit && step < scene.steps {
            run.ended = Some(too_slow(limit));
            break;
        }
    }
    run.stages = engine.stages();
    run
}

/// What is said of a run that was too slow.
pub(crate) fn too_slow(limit: Duration) -> String {
    format!("the time limit of {} s", limit.as_secs())
}
