//! What came of a fit: whether parts reached their goals, what stopped them, as a table and a picture; depth
//! and clearance over time, as plots.

use super::base64;
use super::data::doubles;
use super::html::escaped;
use super::tables::{length, number};
use crate::fitting::{FittedGoal, Fitting, Stopped, StoppedBy};
use crate::picture::{Artist, PictureError, PictureOptions};
use crate::recording::{Header, View};
use crate::stage::Stage;
use serde_json::{Value, json};
use silvia_proximity::Feature;
use silvia_solid::Vec3;
use silvia_solid::files::Unit;

/// Contacts told that stopped a body, at most.
const SHOWN: usize = 8;
/// Size of the picture of where a body stopped, pixels.
const SIZE: [usize; 2] = [720, 480];
/// The picture is taken from so many times nearer than the whole.
const NEARER: f64 = 0.45;

/// The section of the page; empty without goals.
pub(super) fn section(
    fitting: Option<&Fitting>,
    artist: &Artist<'_>,
    header: &Header,
    unit: Unit,
) -> Result<String, PictureError> {
    let Some(fitting) = fitting else { return Ok(String::new()) };
    let mut html =
        "<section aria-label=\"Fit\">\n<h2>Did it fit?</h2>\n<table class=\"pairs\"><tbody>\n".to_owned();
    for goal in &fitting.goals {
        let name = escaped(&header.bodies[goal.body].name);
        html += &format!("<tr><th scope=\"row\">{name}</th><td>{}</td></tr>\n", escaped(&told(goal, unit)));
    }
    html += "</tbody></table>\n";
    for goal in &fitting.goals {
        if let Some(stopped) = &goal.stopped {
            html += &jam(stopped, goal.body, artist, header, unit)?;
        }
    }
    Ok(html + "</section>\n")
}

/// Whether a goal was reached, and how.
fn told(goal: &FittedGoal, unit: Unit) -> String {
    let mut words = match &goal.summary {
        Some(summary) => match summary.reached_at {
            Some(at) => format!("yes, at {} s: {}", number(at), summary.about),
            None => format!("no: {}", summary.about),
        },
        None => "the run has not ended".to_owned(),
    };
    let least = goal.clearance.iter().copied().fold(f64::INFINITY, f64::min);
    if least.is_finite() {
        words += &format!("; least clearance {}", length(least, unit));
    }
    words
}

/// Where a body stopped: a picture, and the features that pressed on it.
fn jam(
    stopped: &Stopped,
    body: usize,
    artist: &Artist<'_>,
    header: &Header,
    unit: Unit,
) -> Result<String, PictureError> {
    let name = escaped(&header.bodies[body].name);
    let time = number(stopped.time);
    let mut html = format!("<h3>Where {name} stopped, at {time} s</h3>\n");
    let options = PictureOptions {
        width: SIZE[0],
        height: SIZE[1],
        view: stopped.by.first().map(|by| near(artist.stage(), by.at)),
        contacts: true,
        labels: true,
        caption: true,
    };
    let picture = base64::encoded(&artist.frame(stopped.frame, &options)?.png()?);
    html += &format!(
        "<img class=\"jam\" alt=\"{name} where it stopped, with the forces of contacts\" \
         src=\"data:image/png;base64,{picture}\">\n"
    );
    if stopped.by.is_empty() {
        return Ok(html + "<p>Nothing pressed on it then.</p>\n");
    }
    html += "<table><thead><tr><th scope=\"col\">its feature</th><th scope=\"col\">against</th>\
             <th scope=\"col\" class=\"n\">at</th>\
             <th scope=\"col\" class=\"n\">force on it, N</th></tr></thead><tbody>\n";
    for by in stopped.by.iter().take(SHOWN) {
        html += &row(by, header, unit);
    }
    if stopped.by.len() > SHOWN {
        html += &format!("<tr><td colspan=\"4\">and {} more</td></tr>\n", stopped.by.len() - SHOWN);
    }
    Ok(html + "</tbody></table>\n")
}

fn row(by: &StoppedBy, header: &Header, unit: Unit) -> String {
    let [own, theirs] = by.features.map(feature);
    let other = header.bodies.get(by.other).map_or(String::new(), |body| escaped(&body.name));
    let [x, y, z] = by.at.to_array().map(|c| number(unit.from_metres(c)));
    format!(
        "<tr><td>{own}</td><td>{theirs} of {other}</td><td class=\"n\">({x}, {y}, {z}) {}</td>\
         <td class=\"n\">{}</td></tr>\n",
        unit.symbol(),
        number(by.force.length())
    )
}

fn feature(feature: Option<Feature>) -> String {
    match feature {
        Some(Feature::Vertex(id)) => format!("vertex {id}"),
        Some(Feature::Edge(id)) => format!("edge {id}"),
        Some(Feature::Face(id)) => format!("face {id}"),
        Some(Feature::Patch(id)) => format!("patch {id}"),
        None => "its surface".to_owned(),
    }
}

/// The view of the page, nearer to a place.
fn near(stage: &Stage, at: Vec3) -> View {
    let whole = stage.view_in(SIZE[0] as f64 / SIZE[1] as f64);
    View { eye: at + NEARER * (whole.eye - whole.target), target: at, angle: whole.angle }
}

/// Depth, distance, angle and clearance over time, as the page has plots; null without goals.
pub(super) fn embedded(fitting: Option<&Fitting>, header: &Header, unit: Unit) -> Value {
    let Some(fitting) = fitting else { return Value::Null };
    let (mut plots, mut curves) = (Vec::new(), Vec::new());
    for goal in &fitting.goals {
        let name = &header.bodies[goal.body].name;
        let mut plot = |what: &str, curve: &str, of: &str, values: &[f64]| {
            let is_length = of == "m";
            let of = if is_length { unit.symbol() } else { of };
            // What is far from all others has no clearance to draw.
            let drawn = |value: &f64| if value.is_finite() { *value } else { f64::NAN };
            let in_unit = |value: &f64| if is_length { unit.from_metres(drawn(value)) } else { drawn(value) };
            let values: Vec<f64> = values.iter().map(in_unit).collect();
            curves
                .push(json!({ "name": curve, "unit": of, "plot": plots.len(), "values": doubles(&values) }));
            plots.push(json!({ "name": format!("{name}: {what}"), "unit": of, "log": false }));
        };
        for curve in &goal.curves {
            let what = match curve.name {
                "depth" => "insertion depth",
                "distance" => "distance to its place",
                _ => "angle to its goal",
            };
            plot(what, curve.name, curve.unit, &curve.values);
        }
        if !goal.clearance.is_empty() {
            plot("clearance", "clearance", "m", &goal.clearance);
        }
    }
    json!({ "times": doubles(&fitting.times), "plots": plots, "curves": curves })
}
