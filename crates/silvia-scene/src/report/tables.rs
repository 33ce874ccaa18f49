//! What is said in words and tables, every text of it escaped.

use super::html::escaped;
use crate::recording::{FrameImpact, Header, Recording, RecordingError};

/// Rows of a table of bodies or impacts.
const MOST_ROWS: usize = 500;

/// What was run and what came of it.
pub(super) fn summary(recording: &Recording) -> Result<String, RecordingError> {
    let header = recording.header();
    let last = recording.frame(recording.len().saturating_sub(1))?;
    let first = recording.frame(0)?;
    let (mut contacts, mut cuts, mut wall, mut least, mut impacts) = (0, 0_u64, 0.0, f64::INFINITY, 0);
    for frame in recording.frames() {
        let frame = frame?;
        contacts = contacts.max(frame.contacts.len());
        cuts += u64::from(frame.cost.cuts);
        wall += frame.cost.wall_seconds;
        least = least.min(frame.cost.smallest_gap);
        impacts += frame.impacts.len();
    }
    let moving = header.bodies.iter().filter(|body| body.role != "fixed").count();
    let mut rows = vec![
        ("bodies", format!("{} ({moving} that can move)", header.bodies.len())),
        ("method", header.method.clone()),
        ("steps", format!("{} of {} s", last.step, number(header.step))),
        ("time in the scene", format!("{} s to {} s", number(first.time), number(last.time))),
        (
            "time by the clock",
            if wall > 0.0 { format!("{} s", number(wall)) } else { "not recorded".to_owned() },
        ),
        ("frames", format!("{}, one every {} steps", recording.len(), header.steps_a_frame)),
        ("gravity", format!("{} m/s²", number(header.gravity.length()))),
        ("most contacts at once", contacts.to_string()),
        ("impacts", impacts.to_string()),
        ("pieces cut", cuts.to_string()),
        ("energy at first", format!("{} J", number(first.energy.total()))),
        ("energy at last", format!("{} J", number(last.energy.total()))),
    ];
    if least.is_finite() {
        rows.push(("smallest gap", format!("{} m", number(least))));
    }
    if !header.made_by.is_empty() {
        rows.push(("made by", header.made_by.clone()));
    }
    Ok(rows
        .iter()
        .map(|(name, value)| format!("<tr><th scope=\"row\">{name}</th><td>{}</td></tr>\n", escaped(value)))
        .collect())
}

/// A row a body; clicking on one selects it.
pub(super) fn bodies(header: &Header) -> String {
    let mut rows = String::new();
    for (number_, body) in header.bodies.iter().take(MOST_ROWS).enumerate() {
        let [red, green, blue] = body.colour;
        let mass = if body.mass > 0.0 { number(body.mass) } else { "–".to_owned() };
        rows += &format!(
            "<tr data-body=\"{number_}\"><td><span class=\"swatch\" style=\"background:rgb({red},{green},{blue})\"></span>\
             <button type=\"button\" class=\"link\">{}</button></td><td>{}</td><td class=\"n\">{mass}</td><td class=\"n\">{}</td></tr>\n",
            escaped(&body.name),
            escaped(&body.role),
            body.mesh.triangles.len(),
        );
    }
    rows + &left_out(header.bodies.len(), 4, "bodies")
}

/// A row an impact, in order of time; the strongest if there are too many.
pub(super) fn impacts(recording: &Recording) -> Result<String, RecordingError> {
    let mut all: Vec<FrameImpact> = Vec::new();
    for frame in recording.frames() {
        all.extend(frame?.impacts);
    }
    let count = all.len();
    if count > MOST_ROWS {
        all.sort_by(|a, b| b.impulse.length_squared().total_cmp(&a.impulse.length_squared()));
        all.truncate(MOST_ROWS);
    }
    all.sort_by(|a, b| a.time.total_cmp(&b.time));
    let bodies = &recording.header().bodies;
    let name = |body: u32| bodies.get(body as usize).map_or(String::new(), |body| escaped(&body.name));
    let mut rows = String::new();
    for impact in &all {
        rows += &format!(
            "<tr data-time=\"{}\"><td class=\"n\"><button type=\"button\" class=\"link\">{:.4}</button></td><td>{}</td><td>{}</td>\
             <td class=\"n\">{}</td><td class=\"n\">{}</td></tr>\n",
            impact.time,
            impact.time,
            name(impact.bodies[0]),
            name(impact.bodies[1]),
            number(impact.speed),
            number(impact.impulse.length()),
        );
    }
    if count == 0 {
        rows += "<tr><td colspan=\"5\">none</td></tr>\n";
    }
    Ok(rows + &left_out(count, 5, "impacts; these are the strongest"))
}

/// The text of the scene, if there is one.
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

/// Four digits, without zeros that say nothing; very large and small ones with a power of ten.
fn number(x: f64) -> String {
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
