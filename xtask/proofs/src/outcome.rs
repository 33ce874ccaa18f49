//! What comes of a trial, and of all trials of a scene.

use serde::{Deserialize, Serialize};

/// A step that takes more than this many times the median of its trial is worth a look.
pub(crate) const SPIKE: f64 = 20.0;

/// But not if it takes less than this, s.
const SPIKE_LEAST: f64 = 0.01;

/// What came of a trial.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    /// Its figure, or what was wrong.
    pub(crate) figure: Result<f64, String>,
    /// How it went, if it was a scene that was stepped.
    pub(crate) course: Option<Course>,
}

impl From<Result<f64, String>> for Outcome {
    fn from(figure: Result<f64, String>) -> Outcome {
        Outcome { figure, course: None }
    }
}

/// How the steps of a scene went.
#[derive(Clone, Debug, Default)]
pub(crate) struct Course {
    pub(crate) scene: &'static str,
    /// Steps made.
    pub(crate) steps: u64,
    /// Steps asked for.
    pub(crate) asked: u64,
    /// Whether a step was refused because no way on was found.
    pub(crate) is_stuck: bool,
    /// As a fraction of the smaller body's size.
    pub(crate) deepest: f64,
    /// Energy gained in a step, as a fraction of the work that gravity can do in it.
    pub(crate) gained: f64,
    /// The median of the steps with contacts, s on the processor; 0 if there were none.
    pub(crate) median: f64,
    /// The longest step, s, and its number.
    pub(crate) longest: (f64, u64),
    /// Of all steps, s.
    pub(crate) seconds: f64,
}

impl Course {
    /// The longest step over the median; 0 if nothing touched.
    pub(crate) fn spike(&self) -> f64 {
        if self.median > 0.0 { self.longest.0 / self.median } else { 0.0 }
    }

    /// Whether a step took far longer than the others.
    pub(crate) fn has_spike(&self) -> bool {
        self.spike() > SPIKE && self.longest.0 > SPIKE_LEAST
    }

    /// In a few words.
    pub(crate) fn told(&self) -> String {
        format!(
            "{} of {} steps, {:.2} ms median, {:.1} ms longest (step {}, {:.0} times the median), {:.1} s",
            self.steps,
            self.asked,
            1e3 * self.median,
            1e3 * self.longest.0,
            self.longest.1,
            self.spike(),
            self.seconds
        )
    }
}

/// All trials of a scene.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub(crate) struct SceneTally {
    pub(crate) scene: String,
    pub(crate) trials: u64,
    pub(crate) steps: u64,
    pub(crate) failed: u64,
    pub(crate) stuck: u64,
    /// Trials whose time was over before their steps.
    pub(crate) unfinished: u64,
    /// As a fraction of the smaller body's size.
    pub(crate) deepest: f64,
    /// The most energy gained in a step, as a fraction of the work that gravity can do in it.
    #[serde(default)]
    pub(crate) gained: f64,
    /// Trials in which that is more than nothing.
    #[serde(default)]
    pub(crate) gaining: u64,
    /// The largest ratio of a trial's longest step to its median.
    pub(crate) spike: f64,
    /// Trials where that is more than [`SPIKE`], and the step longer than [`SPIKE_LEAST`].
    pub(crate) spikes: u64,
    /// Time of all steps, s.
    pub(crate) seconds: f64,
}

/// Adds a trial to the tally of its scene.
pub(crate) fn add(tallies: &mut Vec<SceneTally>, course: &Course, has_failed: bool) {
    let found = tallies.iter().position(|tally| tally.scene == course.scene);
    let at = found.unwrap_or_else(|| {
        tallies.push(SceneTally { scene: course.scene.to_owned(), ..SceneTally::default() });
        tallies.len() - 1
    });
    let tally = &mut tallies[at];
    tally.trials += 1;
    tally.steps += course.steps;
    tally.failed += u64::from(has_failed);
    tally.stuck += u64::from(course.is_stuck);
    tally.unfinished += u64::from(!has_failed && course.steps < course.asked);
    tally.deepest = tally.deepest.max(course.deepest);
    tally.gained = tally.gained.max(course.gained);
    tally.gaining += u64::from(course.gained > 0.0);
    tally.spike = tally.spike.max(course.spike());
    tally.spikes += u64::from(course.has_spike());
    tally.seconds += course.seconds;
}

/// A table of scenes, as the guide shows it.
pub(crate) fn table(tallies: &[SceneTally]) -> String {
    let mut text = format!(
        "\n| scene | trials | steps | failed | of these stuck | out of time | deepest penetration | gained \
         energy in a step | at most, of gravity's work in it | longest step over median, worst | above \
         {SPIKE}, and 10 ms | ms a step |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|\n"
    );
    for t in tallies {
        text += &format!(
            "| {} | {} | {} | {} | {} | {} | {:.1e} | {} | {:.1e} | {:.0} | {} | {:.2} |\n",
            t.scene,
            t.trials,
            t.steps,
            t.failed,
            t.stuck,
            t.unfinished,
            t.deepest,
            t.gaining,
            t.gained,
            t.spike,
            t.spikes,
            1e3 * t.seconds / t.steps.max(1) as f64
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenes_are_tallied_apart() {
        let mut tallies = Vec::new();
        let fine =
            Course { scene: "a", steps: 5, asked: 5, median: 1.0, longest: (2.0, 1), ..Course::default() };
        let spiky = Course { longest: (30.0, 2), ..fine.clone() };
        let stuck = Course { scene: "b", steps: 1, is_stuck: true, ..fine.clone() };
        let slow = Course { steps: 4, ..fine.clone() };
        for (course, has_failed) in [(&fine, false), (&stuck, true), (&spiky, false), (&slow, false)] {
            add(&mut tallies, course, has_failed);
        }
        let [a, b] = &tallies[..] else { panic!("{tallies:?}") };
        assert_eq!((a.trials, a.steps, a.failed, a.spikes, a.unfinished), (3, 14, 0, 1, 1));
        assert_eq!((b.trials, b.stuck, b.failed, b.unfinished, a.spike), (1, 1, 1, 0, 30.0));
        assert_eq!(table(&tallies).lines().count(), 5);
    }
}
