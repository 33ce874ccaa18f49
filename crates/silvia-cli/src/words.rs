//! Words of other programs for our commands, shapes and options.

use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

/// What others call a command or a shape, and its name here.
const SYNONYMS: [(&str, &str); 49] = [
    ("animate", "render"),
    ("ball", "sphere"),
    ("brick", "box"),
    ("bbox", "inspect"),
    ("bullet", "stone"),
    ("continue", "resume"),
    ("create", "make"),
    ("cube", "box"),
    ("cuboid", "box"),
    ("cyl", "cylinder"),
    ("depth", "penetration"),
    ("disc", "cylinder"),
    ("disk", "cylinder"),
    ("donut", "torus"),
    ("draw", "render"),
    ("fix", "convert"),
    ("frustum", "cone"),
    ("generate", "make"),
    ("gif", "render"),
    ("heal", "convert"),
    ("html", "report"),
    ("info", "inspect"),
    ("lint", "check"),
    ("measure", "distance"),
    ("movie", "render"),
    ("new", "make"),
    ("open", "report"),
    ("overlap", "collide"),
    ("play", "report"),
    ("plot", "report"),
    ("repair", "convert"),
    ("replay", "report"),
    ("restart", "resume"),
    ("ring", "torus"),
    ("rock", "stone"),
    ("rod", "cylinder"),
    ("rotate", "convert"),
    ("scale", "convert"),
    ("screenshot", "render"),
    ("show", "render"),
    ("sim", "run"),
    ("simulate", "run"),
    ("start", "run"),
    ("toi", "impact"),
    ("transform", "convert"),
    ("translate", "convert"),
    ("verify", "check"),
    ("video", "render"),
    ("view", "report"),
];

/// What others call an option of a command, and its name here.
const OPTIONS: [(&str, &str, &str); 14] = [
    ("run", "--duration", "--until"),
    ("run", "--end", "--until"),
    ("run", "--output", "--out"),
    ("run", "--solver", "--method"),
    ("run", "--step", "--dt"),
    ("run", "--steps", "--until"),
    ("run", "--time", "--until"),
    ("run", "--time-step", "--dt"),
    ("run", "--timestep", "--dt"),
    ("convert", "--move", "--translate"),
    ("convert", "--offset", "--translate"),
    ("convert", "--fix", "--repair"),
    ("convert", "--merge", "--weld"),
    ("convert", "--rotation", "--rotate"),
];

/// The error of a command line, with our name for a word of another program as its tip.
pub(crate) fn answered(mut error: Error) -> Error {
    let here = match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(word)) => {
            let known = SYNONYMS.iter().find(|(other, _)| *other == word.to_lowercase());
            known.map(|(_, here)| *here).or_else(|| transposed(word))
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
        Some(ContextValue::String(word)) => {
            let usage = error.to_string();
            let is_of = |command: &str| usage.contains(&format!("Usage: silvia {command}"));
            OPTIONS.iter().find(|(command, other, _)| other == word && is_of(command))
        }
        _ => None,
    };
    let stray = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(word)) => word.parse::<f64>().is_ok(),
        _ => false,
    };
    if stray && error.kind() == ErrorKind::UnknownArgument {
        let tip = "the numbers of one value are separated by commas, without blanks: 1,2,3";
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    if let Some((.., here)) = option {
        error.insert(ContextKind::SuggestedArg, ContextValue::String((*here).to_owned()));
        // Nobody means to pass an option as a value.
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(Vec::new()));
    }
    error
}

/// The command with the same letters in another order: `rnu` is too short a word to look like `run`.
fn transposed(word: &str) -> Option<&'static str> {
    const COMMANDS: [&str; 5] = ["check", "make", "render", "resume", "run"];
    let sorted = |word: &str| {
        let mut letters: Vec<char> = word.to_lowercase().chars().collect();
        letters.sort_unstable();
        letters
    };
    COMMANDS.into_iter().find(|command| sorted(command) == sorted(word))
}

/// The shapes among them.
const SHAPES: [&str; 6] = ["box", "cone", "cylinder", "sphere", "stone", "torus"];
