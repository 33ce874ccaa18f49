//! The curves plotted over time.

use crate::recording::Frame;
use silvia_solid::files::Unit;

/// A curve of a plot.
pub(super) struct Series {
    pub(super) name: &'static str,
    pub(super) unit: &'static str,
    /// Index of its plot.
    pub(super) plot: usize,
    /// One value per point; NaN where there is none.
    pub(super) values: Vec<f64>,
    of: Box<dyn Fn(&Frame) -> f64>,
    joined: Joined,
}

/// How the numbers of several frames combine into one.
#[derive(Clone, Copy)]
enum Joined {
    Last,
    Largest,
    Least,
}

/// The plots: name, unit of the axis, and whether the axis is logarithmic.
pub(super) const PLOTS: [(&str, &str, bool); 6] = [
    ("Energy", "J", false),
    ("Contact forces, mean over a step", "N", false),
    ("Contacts of a step, impacts between frames", "", false),
    ("Smallest gap after a step", LENGTH, true),
    ("Time for a step, mean between frames", "ms", false),
    ("Work of the stepper between frames: most pieces, all cuts and iterations", "", false),
];
/// Stands for the unit of lengths.
pub(super) const LENGTH: &str = "length";
/// The most points of a curve; beyond, several frames share a point.
pub(super) const MOST_POINTS: usize = 4000;

/// Curves over all frames, and the time of each of their points.
pub(super) struct Curves {
    pub(super) times: Vec<f64>,
    pub(super) all: Vec<Series>,
    frames_a_point: usize,
    frames: usize,
}

impl Curves {
    /// Empty curves for this many frames.
    pub(super) fn new(frames: usize, steps_a_frame: u64, unit: Unit) -> Curves {
        let steps = steps_a_frame.max(1) as f64;
        // The first frame has no steps before it.
        let step_time = move |frame: &Frame| {
            if frame.step > 0 { 1e3 * frame.cost.wall_seconds / steps } else { f64::NAN }
        };
        let all = vec![
            series("total", "J", 0, Joined::Last, |frame| frame.energy.total()),
            series("kinetic", "J", 0, Joined::Last, |frame| frame.energy.kinetic),
            series("potential", "J", 0, Joined::Last, |frame| frame.energy.potential),
            series("all normal forces", "N", 1, Joined::Largest, |frame| {
                frame.contacts.iter().map(|contact| contact.force.dot(contact.normal).abs()).sum()
            }),
            series("largest force", "N", 1, Joined::Largest, |frame| {
                frame.contacts.iter().map(|contact| contact.force.length()).fold(0.0, f64::max)
            }),
            series("contacts", "", 2, Joined::Largest, |frame| frame.contacts.len() as f64),
            series("impacts", "", 2, Joined::Largest, |frame| frame.impacts.len() as f64),
            series("smallest gap", unit.symbol(), 3, Joined::Least, move |frame| {
                unit.from_metres(frame.cost.smallest_gap)
            }),
            series("wall time a step", "ms", 4, Joined::Largest, step_time),
            series("pieces", "", 5, Joined::Largest, |frame| f64::from(frame.cost.pieces)),
            series("cuts", "", 5, Joined::Largest, |frame| f64::from(frame.cost.cuts)),
            series("iterations", "", 5, Joined::Largest, |frame| f64::from(frame.cost.iterations)),
        ];
        let frames_a_point = frames.div_ceil(MOST_POINTS).max(1);
        Curves { times: Vec::new(), all, frames_a_point, frames: 0 }
    }

    /// Adds the next frame.
    pub(super) fn add(&mut self, frame: &Frame) {
        if self.frames.is_multiple_of(self.frames_a_point) {
            self.times.push(frame.time);
            for curve in &mut self.all {
                curve.values.push((curve.of)(frame));
            }
        } else if let Some(time) = self.times.last_mut() {
            *time = frame.time;
            for curve in &mut self.all {
                curve.join((curve.of)(frame));
            }
        }
        self.frames += 1;
    }
}

impl Series {
    fn join(&mut self, next: f64) {
        if let Some(last) = self.values.last_mut() {
            *last = match self.joined {
                Joined::Last => next,
                // `max` of a number and NaN is the number.
                Joined::Largest => last.max(next),
                Joined::Least => last.min(next),
            };
        }
    }
}

fn series(
    name: &'static str,
    unit: &'static str,
    plot: usize,
    joined: Joined,
    of: impl Fn(&Frame) -> f64 + 'static,
) -> Series {
    Series { name, unit, plot, values: Vec::new(), of: Box::new(of), joined }
}
