//! Writes a self-contained web page: playback in 3D, plots, tables. It needs no network.
//!
//! The page's own files (`page.html`, `style.css`, the scripts) are beside this file and are included as they
//! are. Text from the recording is escaped, and its numbers are embedded as base64.

mod base64;
mod data;
mod fit;
mod html;
mod profile;
mod series;
mod tables;
mod thin;
mod unit;
mod watch;

use crate::fitting::Fitting;
use crate::picture::{Artist, PictureError, PictureOptions};
use crate::recording::Recording;
use html::escaped;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("style.css");
/// The scripts, joined in this order inside one function: none of their names is visible outside.
const SCRIPTS: [&str; 6] = [
    include_str!("data.js"),
    include_str!("math.js"),
    include_str!("shaders.js"),
    include_str!("viewer.js"),
    include_str!("plots.js"),
    include_str!("main.js"),
];
/// Size of the fallback picture for browsers without 3D, pixels.
const STILL: [usize; 2] = [960, 540];

/// The page of a recording. Fails under the same conditions as pictures.
///
/// ```
/// # use silvia_scene::{Recording, recording::Header};
/// let nothing = Recording::in_memory(Header::default(), Vec::new());
/// assert!(silvia_scene::report::page(&nothing).is_err(), "there is nothing to show");
/// ```
pub fn page(recording: &Recording) -> Result<String, PictureError> {
    let artist = Artist::new(recording)?;
    let header = recording.header();
    let options = PictureOptions { width: STILL[0], height: STILL[1], ..PictureOptions::default() };
    let still = artist.frame(recording.len() / 3, &options)?.png()?;
    let profile = recording.profile()?;
    let unit = unit::length_unit(header);
    let fitting = Fitting::of(recording)?;
    let fit = fit::embedded(fitting.as_ref(), header, unit);
    let embedded = data::embedded(recording, &profile, artist.stage(), unit, fit)?;
    let told = tables::Told::of(recording)?;
    let title = if header.title.is_empty() { "Recording" } else { &header.title };
    let notes: String = embedded.notes.iter().map(|note| format!("<li>{}</li>", escaped(note))).collect();
    // In order: inserted text is never scanned again.
    let parts = [
        ("title", escaped(title)),
        ("about", escaped(&header.about)),
        ("style", STYLE.to_owned()),
        ("still", base64::encoded(&still)),
        ("notes", notes),
        ("fit", fit::section(fitting.as_ref(), &artist, header, unit)?),
        ("profile", profile::section(&profile)),
        ("summary", tables::summary(recording, &told, unit)),
        ("bodies", tables::bodies(header)),
        ("impacts", tables::impacts(header, &told, unit)),
        ("length", unit.symbol().to_owned()),
        ("scene", tables::scene(header)),
        ("data", html::in_script(&embedded.json)),
        ("script", SCRIPTS.concat()),
    ];
    Ok(filled(PAGE, &parts))
}

/// The template with each `{{name}}` replaced in one pass: inserted text may itself contain braces.
fn filled(template: &str, parts: &[(&str, String)]) -> String {
    let mut page =
        String::with_capacity(template.len() + parts.iter().map(|part| part.1.len()).sum::<usize>());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        page.push_str(before);
        let (name, after) = after.split_once("}}").unwrap_or((after, ""));
        if let Some((_, text)) = parts.iter().find(|(known, _)| *known == name) {
            page.push_str(text);
        }
        rest = after;
    }
    page.push_str(rest);
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_of_the_template_is_filled_once() {
        for name in [
            "title", "about", "style", "still", "notes", "fit", "profile", "summary", "bodies", "impacts",
            "length", "scene", "data", "script",
        ] {
            let count = PAGE.matches(&format!("{{{{{name}}}}}")).count();
            assert!(count >= 1, "{name}");
        }
        let parts = [("a", "{{b}}".to_owned()), ("b", "never".to_owned())];
        assert_eq!(filled("x{{a}}y", &parts), "x{{b}}y");
    }
}
