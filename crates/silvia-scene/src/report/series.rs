//! The curves plotted over time.

use crate::recording::{AccountRow, Frame};
use silvia_solid::files::Unit;

/// A curve of a plot.
pub(super) struct Series {
    pub(super) name: &'static str,
    pub(super) unit: &'static str,
    /// Index of its plot.
    pub(super) plot: usize,
    /// One value per point; NaN where there is none.
    pub(super) values: Vec<f64>,
    of: Box<dyn Fn(&Moment<'_>) -> f64>,
    joined: Joined,
}

/// What curves are made of.
struct Moment<'a> {
    frame: &'a Frame,
    /// Where the energy went up to the frame, if the recording has it.
    account: Option<&'a AccountRow>,
}

/// How the numbers of several frames combine into one.
#[derive(Clone, Copy)]
enum Joined {
    Last,
    Largest,
    Least,
}

/// The plots: name, unit of the axis, and whether the axis is logarithmic.
pub(super) const PLOTS: [(&str, &str, bool); 9] = [
    ("Energy", "J", false),
    ("Energy exchanged since the start", "J", false),
    ("Numerical error of the energy since the start", "J", false),
    ("Error of the motion by estimate, by size or speed of a body", "", false),
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
            account("work of loads, scripts and hands", "J", 1, |row| {
                row.account.energy.loads + row.account.energy.driven
            }),
            account("lost to friction", "J", 1, |row| row.account.energy.friction),
            account("lost to impacts", "J", 1, |row| row.account.energy.impacts),
            account("numerical", "J", 2, |row| row.account.energy.numerical),
            account("error", "", 3, |row| row.motion_error.unwrap_or(f64::NAN)),
            series("all normal forces", "N", 4, Joined::Largest, |frame| {
                frame.contacts.iter().map(|contact| contact.force.dot(contact.normal).abs()).sum()
            }),
            series("largest force", "N", 4, Joined::Largest, |frame| {
                frame.contacts.iter().map(|contact| contact.force.length()).fold(0.0, f64::max)
            }),
            series("contacts", "", 5, Joined::Largest, |frame| frame.contacts.len() as f64),
            series("impacts", "", 5, Joined::Largest, |frame| frame.impacts.len() as f64),
            series("smallest gap", unit.symbol(), 6, Joined::Least, move |frame| {
                unit.from_metres(frame.cost.smallest_gap)
            }),
            series("wall time a step", "ms", 7, Joined::Largest, step_time),
            series("pieces", "", 8, Joined::Largest, |frame| f64::from(frame.cost.pieces)),
            series("cuts", "", 8, Joined::Largest, |frame| f64::from(frame.cost.cuts)),
            series("iterations", "", 8, Joined::Largest, |frame| f64::from(frame.cost.iterations)),
        ];
        let frames_a_point = frames.div_ceil(MOST_POINTS).max(1);
        Curves { times: Vec::new(), all, frames_a_point, frames: 0 }
    }

    /// Adds the next frame, with the recording's accounts.
    pub(super) fn add(&mut self, frame: &Frame, accounts: &[AccountRow]) {
        // Where a run was resumed, rows and frames are still in the order of steps.
        let row = accounts.binary_search_by_key(&frame.step, |row| row.step).ok();
        let moment = Moment { frame, account: row.and_then(|row| accounts.get(row)) };
        if self.frames.is_multiple_of(self.frames_a_point) {
            self.times.push(frame.time);
            for curve in &mut self.all {
                curve.values.push((curve.of)(&moment));
            }
        } else if let Some(time) = self.times.last_mut() {
            *time = frame.time;
            for curve in &mut self.all {
                curve.join((curve.of)(&moment));
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
    let of = Box::new(move |moment: &Moment<'_>| of(moment.frame));
    Series { name, unit, plot, values: Vec::new(), of, joined }
}

/// A curve of the account of energy.
fn account(
    name: &'static str,
    unit: &'static str,
    plot: usize,
    of: impl Fn(&AccountRow) -> f64 + 'static,
) -> Series {
    let of = Box::new(move |moment: &Moment<'_>| moment.account.map_or(f64::NAN, &of));
    Series { name, unit, plot, values: Vec::new(), of, joined: Joined::Last }
}
