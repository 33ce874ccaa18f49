//! The profile of the steps: a plot and a table.

use super::data::doubles;
use super::html::escaped;
use super::series::MOST_POINTS;
use crate::recording::{ProfileRow, ProfileTable};
use serde_json::{Value, json};
use silvia_world::Stage;

/// The text for a run without a profile.
const NONE: &str = "<p>This run was not profiled. <code>silvia run SCENE --profile</code> records where the \
 time of its steps goes, \
     and changes nothing of what is computed.</p>";

/// A sentence and a table around the plot; or how to get a profile.
pub(super) fn section(rows: &[ProfileRow]) -> String {
    let Some(ProfileTable { steps, ms_a_step, stages }) = ProfileTable::of(&ProfileRow::sum(rows)) else {
        return NONE.to_owned();
    };
    let mut body = String::new();
    for (layer, row) in stages.iter().enumerate() {
        let (count, of) = match (row.count_a_step, &row.counted) {
            (Some(count), Some(of)) => (format!("{count:.1}"), of.as_str()),
            _ => (String::new(), "bookkeeping"),
        };
        body += &format!(
            "<tr><td><span class=\"swatch\" style=\"background:var(--s{layer})\"></span>{}</td><td \
             class=\"n\">{:.1} %</td>\
             <td class=\"n\">{:.4}</td><td class=\"n\">{count}</td><td>{}</td></tr>\n",
            escaped(&row.stage),
            100.0 * row.share,
            row.ms_a_step,
            escaped(of),
        );
    }
    format!(
        "<p class=\"hint\">{steps} steps of {ms_a_step:.3} ms by the clock. What goes on at once on several \
         threads is added up, so that the \
         stages may come to more.</p>\n<div id=\"profile-plot\"></div>\n<table id=\"profile\"><thead><tr><th \
         scope=\"col\">stage</th>\
         <th scope=\"col\" class=\"n\">share</th><th scope=\"col\" class=\"n\">ms a step</th><th \
         scope=\"col\" class=\"n\">done a step</th>\
         <th scope=\"col\">of what</th></tr></thead><tbody>\n{body}</tbody></table>"
    )
}

/// Times, and one layer per stage in ms per step; `null` without a profile. A point of NaN marks steps that
/// were not profiled.
pub(super) fn embedded(rows: &[ProfileRow]) -> Value {
    if rows.is_empty() {
        return Value::Null;
    }
    let mut times = Vec::new();
    let mut layers = vec![Vec::new(); Stage::ALL.len() + 1];
    let mut clock = Vec::new();
    for rows in runs(rows) {
        if !times.is_empty() {
            times.push(times[times.len() - 1]);
            layers.iter_mut().chain([&mut clock]).for_each(|values| values.push(f64::NAN));
        }
        for rows in rows.chunks(rows.len().div_ceil(MOST_POINTS).max(1)) {
            let profile = ProfileRow::sum(rows);
            let each = |seconds: f64| 1e3 * seconds / profile.steps.max(1) as f64;
            times.extend(rows.last().map(|row| row.time));
            let stages = profile.costs().map(|(_, cost)| cost.seconds).chain([profile.rest()]);
            layers.iter_mut().zip(stages).for_each(|(values, seconds)| values.push(each(seconds)));
            clock.push(each(profile.seconds));
        }
    }
    let names = Stage::ALL.iter().map(|stage| stage.as_str()).chain(["rest"]);
    let layer = |(name, values): (&str, &Vec<f64>)| json!({ "name": name, "values": doubles(values) });
    let layers: Vec<Value> = names.zip(&layers).map(layer).collect();
    json!({ "times": doubles(&times), "layers": layers, "clock": doubles(&clock) })
}

/// Splits rows into runs of consecutive steps.
fn runs(rows: &[ProfileRow]) -> impl Iterator<Item = &[ProfileRow]> {
    rows.chunk_by(|before, after| after.step.saturating_sub(after.profile.steps) == before.step)
}
