//! The curves of what a scene watches: a point a step, where there are not too many.

use super::data::doubles;
use super::series::MOST_POINTS;
use crate::recording::{Header, Recording, RecordingError, Watch, WatchRow};
use serde_json::{Value, json};
use silvia_solid::files::Unit;

/// A plot of up to three values of a watch.
struct Plot {
    /// After the name of what is watched.
    name: &'static str,
    unit: &'static str,
    /// The columns of the watch that it shows.
    columns: &'static [&'static str],
    /// Whether of several steps in one point the value farthest from zero is shown, not the last.
    is_peak: bool,
}

const OF_BODY: [Plot; 4] = [
    Plot { name: "position", unit: "m", columns: &["x", "y", "z"], is_peak: false },
    Plot { name: "rotation, quaternion", unit: "", columns: &["qx", "qy", "qz"], is_peak: false },
    Plot { name: "contact force, mean over a step", unit: "N", columns: &["fx", "fy", "fz"], is_peak: true },
    Plot { name: "torque of contacts", unit: "N m", columns: &["tx", "ty", "tz"], is_peak: true },
];
const OF_PAIR: [Plot; 1] = [Plot {
    name: "contact force, mean over a step",
    unit: "N",
    columns: &["fx", "fy", "fz"],
    is_peak: true,
}];

const OF_HAND: [Plot; 3] = [
    Plot { name: "force, mean over a step", unit: "N", columns: &["fx", "fy", "fz"], is_peak: true },
    Plot { name: "torque about the grip", unit: "N m", columns: &["tx", "ty", "tz"], is_peak: true },
    Plot { name: "grip", unit: "m", columns: &["x", "y", "z"], is_peak: false },
];

/// What is smaller than this fraction of the scene's size, of a full turn or of the largest force is
/// rounding.
const ROUNDING: f64 = 1e-9;

impl Plot {
    /// Values that differ by less are drawn as one; in the unit of the plot but for lengths, which are in m.
    /// `size` is that of the scene, m; `force` the largest of what is watched, N.
    fn least(&self, size: f64, force: f64) -> f64 {
        match self.unit {
            "m" => ROUNDING * size,
            "N" => ROUNDING * force,
            "N m" => ROUNDING * force * size,
            _ => ROUNDING,
        }
    }
}

/// Times, plots and curves as a page has them; null if nothing is watched. `size` is that of the scene, m.
/// Notes what was left out.
pub(super) fn embedded(
    recording: &Recording,
    unit: Unit,
    size: f64,
    notes: &mut Vec<String>,
) -> Result<Value, RecordingError> {
    let header = recording.header();
    if header.watches.is_empty() {
        return Ok(Value::Null);
    }
    let rows = recording.watched()?;
    let steps_a_point = rows.len().div_ceil(MOST_POINTS).max(1);
    if steps_a_point > 1 {
        notes.push(format!(
            "Each point of a watched curve stands for {steps_a_point} steps: the largest force and torque of \
             them, the last pose. `silvia export` writes every step."
        ));
    }
    let points: Vec<&[WatchRow]> = rows.chunks(steps_a_point).collect();
    let times: Vec<f64> = points.iter().filter_map(|rows| Some(rows.last()?.time)).collect();
    let (mut plots, mut curves) = (Vec::new(), Vec::new());
    let mut first = 0;
    for watch in &header.watches {
        let shown: &[Plot] = match watch {
            Watch::Body(_) => &OF_BODY,
            Watch::Pair(_) => &OF_PAIR,
            Watch::Hand { .. } => &OF_HAND,
        };
        let column = |name: &str| watch.columns().iter().position(|[known, _]| *known == name).unwrap_or(0);
        let forces = ["fx", "fy", "fz"].map(|name| first + column(name));
        let force_of = |row: &WatchRow| {
            forces.iter().filter_map(|&at| row.values.get(at)).map(|force| force.abs()).fold(0.0, f64::max)
        };
        let force = rows.iter().map(force_of).fold(0.0, f64::max);
        for plot in shown {
            let is_length = plot.unit == "m";
            let of = if is_length { unit.symbol() } else { plot.unit };
            let in_unit = |value: f64| if is_length { unit.from_metres(value) } else { value };
            for &name in plot.columns {
                let at = column(name);
                let value = |rows: &&[WatchRow]| in_unit(one(rows, first + at, plot.is_peak));
                let values: Vec<f64> = points.iter().map(value).collect();
                curves.push(json!({
                    "name": name, "unit": of, "plot": plots.len(), "values": doubles(&values),
                }));
            }
            let name = format!("{}: {}", title(watch, header), plot.name);
            let least = in_unit(plot.least(size, force));
            plots.push(json!({ "name": name, "unit": of, "log": false, "least": least }));
        }
        first += watch.columns().len();
    }
    Ok(json!({ "times": doubles(&times), "plots": plots, "curves": curves }))
}

/// The value that stands for some steps.
fn one(rows: &[WatchRow], column: usize, is_peak: bool) -> f64 {
    let mut values = rows.iter().map(|row| row.values.get(column).copied().unwrap_or(f64::NAN));
    if is_peak {
        values.fold(0.0, |peak: f64, value| if value.abs() > peak.abs() { value } else { peak })
    } else {
        values.next_back().unwrap_or(f64::NAN)
    }
}

/// `peg`, or `block on peg` for the force of the block on the peg.
fn title(watch: &Watch, header: &Header) -> String {
    header.title_of(watch, " on ")
}
