//! Words of other programs for our commands, shapes and options.

use clap::error::{ContextKind, ContextValue, Error};

/// What others call a command or a shape, and its name here.
const SYNONYMS: [(&str, &str); 33] = [
    ("animate", "render"),
    ("ball", "sphere"),
    ("brick", "box"),
    ("bullet", "stone"),
    ("create", "make"),
    ("cube", "box"),
    ("cuboid", "box"),
    ("cyl", "cylinder"),
    ("depth", "penetration"),
    ("disc", "cylinder"),
    ("disk", "cylinder"),
    ("donut", "torus"),
    ("draw", "render"),
    ("frustum", "cone"),
    ("generate", "make"),
    ("html", "report"),
    ("info", "inspect"),
    ("lint", "check"),
    ("measure", "distance"),
    ("new", "make"),
    ("overlap", "collide"),
    ("play", "report"),
    ("plot", "report"),
    ("ring", "torus"),
    ("rock", "stone"),
    ("rod", "cylinder"),
    ("show", "render"),
    ("sim", "run"),
    ("simulate", "run"),
    ("start", "run"),
    ("toi", "impact"),
    ("verify", "check"),
    ("view", "report"),
];

/// What others call an option of `silvia run`, and its name here.
const OPTIONS: [(&str, &str); 9] = [
    ("--duration", "--until"),
    ("--end", "--until"),
    ("--output", "--out"),
    ("--solver", "--method"),
    ("--step", "--dt"),
    ("--steps", "--until"),
    ("--time", "--until"),
    ("--time-step", "--dt"),
    ("--timestep", "--dt"),
];

/// The error of a command line, with our name for a word of another program as its tip.
pub(crate) fn answered(mut error: Error) -> Error {
    let here = match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(word)) => {
            SYNONYMS.iter().find(|(other, _)| *other == word.to_lowercase()).map(|(_, here)| *here)
        }
        _ => None,
    };
    // Shapes are names after `make` alone, commands elsewhere: only what would be understood is suggested.
    let is_shape_wanted = error.to_string().contains("Usage: silvia make");
    if let Some(here) = here
        && is_shape_wanted == SHAPES.contains(&here)
    {
        error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(vec![here.to_owned()]));
    }
    let option = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(word)) => OPTIONS.iter().find(|(other, _)| other == word),
        _ => None,
    };
    if let Some((_, here)) = option
        && error.to_string().contains("Usage: silvia run")
    {
        error.insert(ContextKind::SuggestedArg, ContextValue::String((*here).to_owned()));
        // Nobody means to pass an option as a value.
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(Vec::new()));
    }
    error
}

/// The shapes among them.
const SHAPES: [&str; 6] = ["box", "cone", "cylinder", "sphere", "stone", "torus"];
