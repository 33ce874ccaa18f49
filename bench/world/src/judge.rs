//! One judge for all: how deep bodies are in each other, and what became of the energy, at the same steps of
//! every engine.

use crate::run::Run;
use crate::scene::{GRAVITY, Part, Scene, State};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use silvia::check::{Checker, Penetration};
use silvia::prelude::*;
use std::error::Error;

/// What is found of a run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Finding {
    /// The deepest overlap of all samples.
    pub(crate) deepest: Option<Deepest>,
    /// By how much the energy has risen above its least value so far, at most, of the energy at the start
    /// (from z = 0).
    pub(crate) gain: f64,
    /// Where the centre of mass ends up, m; none if nothing was looked at.
    pub(crate) height: Option<f64>,
    /// The deepest overlap of each sample looked at, m; 0 for none.
    pub(crate) depths: Vec<f64>,
}

/// The deepest overlap.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Deepest {
    /// After so many steps.
    pub(crate) step: usize,
    /// m
    pub(crate) depth: f64,
    pub(crate) names: [String; 2],
}

pub(crate) struct Judge {
    /// Has not seen any state yet.
    blank: Checker,
}

impl Judge {
    pub(crate) fn new(scene: &Scene) -> Result<Judge, Box<dyn Error>> {
        let shape = |(i, part): (usize, &Part)| Ok((format!("body {i}"), part.form.shape()?));
        let shapes: Vec<(String, Shape)> =
            scene.parts.iter().enumerate().map(shape).collect::<Result<_, Box<dyn Error>>>()?;
        Ok(Judge { blank: Checker::new(shapes)? })
    }

    pub(crate) fn look(&self, scene: &Scene, run: &Run) -> Result<Finding, Box<dyn Error>> {
        let depths: Vec<Option<Penetration>> = run
            .samples
            .par_iter()
            .map(|(_, states)| {
                // Between two samples bodies take many steps, so that only the states are looked at.
                let mut checker = self.blank.clone();
                let poses: Vec<Pose> = states.iter().map(|state| state.pose).collect();
                checker.state(0.0, &poses).map_err(|error| error.to_string())?;
                Ok(checker.verdict().deepest)
            })
            .collect::<Result<_, String>>()?;
        let each = depths.iter().map(|found| found.as_ref().map_or(0.0, |found| found.depth)).collect();
        let deepest = run.samples.iter().zip(depths).filter_map(|((step, _), found)| {
            let Penetration { depth, names, .. } = found?;
            Some(Deepest { step: *step, depth, names })
        });
        let start = energy(scene, &scene.start());
        let (mut least, mut gain) = (start, 0.0_f64);
        for (_, states) in &run.samples {
            let now = energy(scene, states);
            gain = gain.max(now - least);
            least = least.min(now);
        }
        Ok(Finding {
            deepest: deepest.max_by(|a, b| a.depth.total_cmp(&b.depth)),
            gain: gain / start,
            height: run.samples.last().map(|(_, states)| height(scene, states)),
            depths: each,
        })
    }
}

/// Of motion and of height above z = 0, J.
fn energy(scene: &Scene, states: &[State]) -> f64 {
    weighed(scene, states)
        .map(|(mass, inertia, state)| {
            let v = state.velocity;
            let spin = state.pose.rotation().conjugate() * v.angular;
            let motion = mass * v.linear.length_squared() + spin.dot(inertia * spin);
            0.5 * motion + mass * GRAVITY * state.pose.translation().z
        })
        .sum()
}

/// Of the centre of mass of all that moves, m.
fn height(scene: &Scene, states: &[State]) -> f64 {
    let sums = weighed(scene, states)
        .map(|(mass, _, state)| (mass, mass * state.pose.translation().z))
        .fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    sums.1 / sums.0
}

fn weighed<'a>(scene: &'a Scene, states: &'a [State]) -> impl Iterator<Item = (f64, Mat3, &'a State)> + 'a {
    scene.parts.iter().zip(states).filter_map(|(part, state)| {
        let (mass, inertia) = part.weight?;
        Some((mass, inertia, state))
    })
}
