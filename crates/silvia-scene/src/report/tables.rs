//! The text and tables of a page, all escaped.

use super::html::escaped;
use crate::recording::{Ending, Frame, FrameImpact, Header, Recording, RecordingError, Why};
use silvia_solid::files::Unit;

/// The most rows in a table of bodies or impacts.
const MOST_ROWS: usize = 500;

/// Totals over all frames.
pub(super) struct Told {
    first: Frame,
    last: Frame,
    most_contacts: usize,
    /// Wall-clock time of the steps alone, s.
    wall_seconds: f64,
    /// Smallest gap, m.
    smallest_gap: f64,
    impacts: Vec<FrameImpact>,
}

impl Told {
    /// Reads all frames.
    pub(super) fn of(recording: &Recording) -> Result<Told, RecordingError> {
        let (first, last) = (recording.frame(0)?, recording.frame(recording.len().saturating_sub(1))?);
        let (most_contacts, wall_seconds, impacts) = Default::default();
        let mut told =
            Told { first, last, most_contacts, wall_seconds, smallest_gap: f64::INFINITY, impacts };
        for frame in recording.frames() {
            let frame = frame?;
            told.most_contacts = told.most_contacts.max(frame.contacts.len());
            told.wall_seconds += frame.cost.wall_seconds;
            told.smallest_gap = told.smallest_gap.min(frame.cost.smallest_gap);
            told.impacts.extend(frame.impacts);
        }
        Ok(told)
    }
}

/// What was run, and the results.
pub(super) fn summary(recording: &Recording, told: &Told, unit: Unit) -> String {
    let header = recording.header();
    let (first, last) = (&told.first, &told.last);
    let moving = header.bodies.iter().filter(|body| body.role != "fixed").count();
    let frames = match header.steps_a_frame {
        1 if header.accuracy.is_none() => format!("{}, one a step", recording.len()),
        steps if header.accuracy.is_some() => {
            format!("{}, one every {} s", recording.len(), number(steps as f64 * header.step))
        }
        steps => format!("{}, one every {steps} steps", recording.len()),
    };
    let steps = match header.accuracy {
        Some(_) => format!("{} of at most {} s", last.step, number(header.step)),
        None => format!("{} of {} s", last.step, number(header.step)),
    };
    let mut rows = vec![
        ("bodies", format!("{} ({moving} that can move)", header.bodies.len())),
        ("method", header.method.clone()),
        ("steps", steps),
        ("time in the scene", format!("{} s to {} s", number(first.time), number(last.time))),
        ("took", took(recording.ending(), told.wall_seconds)),
        ("frames", frames),
        ("gravity", format!("{}/s²", length(header.gravity.length(), unit))),
        ("impacts", told.impacts.len().to_string()),
        ("energy at first", format!("{} J", number(first.energy.total()))),
        ("energy at last", format!("{} J", number(last.energy.total()))),
    ];
    match recording.ending() {
        Some(ending) => rows.extend(ended(ending, unit)),
        None => rows.push(("most contacts in a frame", told.most_contacts.to_string())),
    }
    if told.smallest_gap.is_finite() {
        rows.push(("smallest gap", length(told.smallest_gap, unit)));
    }
    if !header.made_by.is_empty() {
        rows.push(("made by", header.made_by.clone()));
    }
    let row = |(name, value): &(&str, String)| {
        format!("<tr><th scope=\"row\">{name}</th><td>{}</td></tr>\n", escaped(value))
    };
    rows.iter().map(row).collect()
}

/// The time that `silvia run` tells, in which states were also checked and written; and that of the steps.
fn took(ending: Option<&Ending>, steps: f64) -> String {
    match ending {
        Some(ending) => {
            format!("{} s, {} s of it in steps", number(ending.summary.wall_seconds), number(steps))
        }
        None => format!("{} s in steps; the run has not ended", number(steps)),
    }
}

/// The summary of the run at its end.
fn ended(ending: &Ending, unit: Unit) -> Vec<(&'static str, String)> {
    let summary = &ending.summary;
    let why = match &ending.why {
        Why::Finished => "it reached its end time".to_owned(),
        Why::Stopped => "someone stopped it".to_owned(),
        Why::Refused(why) => format!("a step was refused: {why}"),
    };
    let unknown = || "not recorded".to_owned();
    let of_flow = |part: f64| format!("{} of what flowed", number(part));
    let mut rows = vec![
        ("end", why),
        ("most contacts", summary.contacts_max.to_string()),
        ("steps in pieces", summary.cut_steps.to_string()),
        ("steps with shortfalls", summary.shortfall_steps.to_string()),
        ("energy", summary.energy.map_or_else(unknown, |energy| energy.in_words(number))),
        ("numerical error of energy", summary.energy.map_or_else(unknown, |e| e.error_in_words(number))),
        ("numerical error of momentum", summary.momentum_error.map_or_else(unknown, of_flow)),
        ("hash of the last state", summary.hash.clone()),
    ];
    rows.extend(summary.accuracy.map(|told| ("accuracy", told.in_words(number))));
    rows.extend(summary.warning(number).map(|warning| ("note", warning)));
    if let Some(depth) = summary.max_penetration {
        rows.push(("deepest penetration, by the checker", length(depth, unit)));
    }
    rows
}

/// One row per body; clicking a row selects the body.
pub(super) fn bodies(header: &Header) -> String {
    let mut rows = String::new();
    for (number_, body) in header.bodies.iter().take(MOST_ROWS).enumerate() {
        let [red, green, blue] = body.colour;
        let mass = if body.mass > 0.0 { number(body.mass) } else { "–".to_owned() };
        rows += &format!(
            "<tr data-body=\"{number_}\"><td><span class=\"swatch\" \
             style=\"background:rgb({red},{green},{blue})\"></span>\
             <button type=\"button\" class=\"link\">{}</button></td><td>{}</td><td \
             class=\"n\">{mass}</td><td class=\"n\">{}</td></tr>\n",
            escaped(&body.name),
            escaped(&body.role),
            body.mesh.triangles.len(),
        );
    }
    rows + &left_out(header.bodies.len(), 4, "bodies")
}

/// One row per impact, in order of time; only the strongest if there are too many.
pub(super) fn impacts(header: &Header, told: &Told, unit: Unit) -> String {
    let mut all = told.impacts.clone();
    let count = all.len();
    if count > MOST_ROWS {
        all.sort_by(|a, b| b.impulse.length_squared().total_cmp(&a.impulse.length_squared()));
        all.truncate(MOST_ROWS);
    }
    all.sort_by(|a, b| a.time.total_cmp(&b.time));
    let bodies = &header.bodies;
    let name = |body: u32| bodies.get(body as usize).map_or(String::new(), |body| escaped(&body.name));
    let mut rows = String::new();
    for impact in &all {
        rows += &format!(
            "<tr data-time=\"{}\"><td class=\"n\"><button type=\"button\" \
             class=\"link\">{:.4}</button></td><td>{}</td><td>{}</td>\
             <td class=\"n\">{}</td><td class=\"n\">{}</td></tr>\n",
            impact.time,
            impact.time,
            name(impact.bodies[0]),
            name(impact.bodies[1]),
            number(unit.from_metres(impact.speed)),
            number(impact.impulse.length()),
        );
    }
    if count == 0 {
        rows += "<tr><td colspan=\"5\">none</td></tr>\n";
    }
    rows + &left_out(count, 5, "impacts; these are the strongest")
}

/// The text of the scene, if it is known.
pub(super) fn scene(header: &Header) -> String {
    if header.source.text.is_empty() {
        return "<p>The recording was made by a program: there is no scene file.</p>".to_owned();
    }
    format!(
        "<p><code>{}</code></p><pre tabindex=\"0\"><code>{}</code></pre>",
        escaped(&header.source.name),
        escaped(&header.source.text)
    )
}

fn left_out(count: usize, columns: usize, what: &str) -> String {
    if count <= MOST_ROWS {
        return String::new();
    }
    format!("<tr><td colspan=\"{columns}\">{MOST_ROWS} of {count} {what}</td></tr>\n")
}

/// A length with its unit.
pub(super) fn length(metres: f64, unit: Unit) -> String {
    format!("{} {}", number(unit.from_metres(metres)), unit.symbol())
}

/// Four digits without trailing zeros; very large and small numbers with a power of ten.
pub(super) fn number(x: f64) -> String {
    if x == 0.0 {
        return "0".to_owned();
    }
    let power = x.abs().log10().floor();
    if !(-4.0..6.0).contains(&power) {
        return format!("{x:.3e}");
    }
    let digits = (3.0 - power).max(0.0) as usize;
    let text = format!("{x:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_four_digits() {
        for (x, text) in [
            (0.0, "0"),
            (1.0, "1"),
            (0.5, "0.5"),
            (9.80665, "9.807"),
            (123_456.0, "123456"),
            (1e-9, "1.000e-9"),
            (-0.012_34, "-0.01234"),
        ] {
            assert_eq!(number(x), text);
        }
    }
}
