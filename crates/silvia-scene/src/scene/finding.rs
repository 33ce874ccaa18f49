//! Problems of a scene: the place, the problem and the remedy.

use std::fmt;
use std::path::PathBuf;
use thiserror::Error;

/// A problem, or possible problem, of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Whether the scene can still be run.
    pub severity: Severity,
    /// The place in the scene's text, if there is one.
    pub place: Option<Place>,
    /// The path of the field, such as `body[box].mass`; empty if the finding is about the whole scene.
    pub field: String,
    /// What is wrong.
    pub what: String,
    /// The remedy.
    pub remedy: String,
}

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The scene cannot be run.
    Error,
    /// The scene can be run, but is probably not what was meant.
    Warning,
    /// Nothing is wrong: something was done that the author asked for and may want to look at.
    Note,
}

/// A place in a text; both numbers are counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Line; lines end with a line feed.
    pub line: usize,
    /// Column, in characters.
    pub column: usize,
}

/// Why a scene cannot be read or run.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{}", self.listed())]
pub enum SceneError {
    /// A missing or unreadable file.
    Unreadable {
        /// The scene file.
        path: PathBuf,
        /// What is wrong.
        what: String,
        /// What to do.
        remedy: String,
    },
    /// A file that is not text.
    NotText {
        /// The scene file.
        path: PathBuf,
        /// The first wrong byte, from 0.
        byte: usize,
        /// Its line, from 1.
        line: usize,
    },
    /// A file that is too large.
    TooLarge {
        /// The scene file.
        path: PathBuf,
        /// Its size, bytes.
        bytes: u64,
        /// The largest size allowed, bytes.
        most: u64,
    },
    /// Problems in the scene.
    Refused {
        /// The file name, for messages.
        name: String,
        /// All findings, warnings included, in the order of the text.
        findings: Vec<Finding>,
    },
}

impl SceneError {
    /// All that is wrong, each with a remedy. One thing, without a place, if the file could not be read.
    pub fn findings(&self) -> Vec<Finding> {
        let (what, remedy) = match self {
            SceneError::Unreadable { what, remedy, .. } => (what.clone(), remedy.clone()),
            SceneError::NotText { byte, line, .. } => (
                format!("byte {byte} (line {line}) is not UTF-8 text"),
                "save the scene as UTF-8, or give a TOML file".to_owned(),
            ),
            SceneError::TooLarge { bytes, most, .. } => (
                format!("it has {bytes} bytes, more than the {most} a scene may have"),
                "use `row`, `grid` or `ring` for many bodies, and `file` for many points".to_owned(),
            ),
            SceneError::Refused { findings, .. } => return findings.clone(),
        };
        vec![Finding { severity: Severity::Error, place: None, field: String::new(), what, remedy }]
    }

    /// The errors, one a line.
    fn listed(&self) -> String {
        let name = match self {
            SceneError::Unreadable { path, .. }
            | SceneError::NotText { path, .. }
            | SceneError::TooLarge { path, .. } => path.display().to_string(),
            SceneError::Refused { name, .. } => name.clone(),
        };
        let errors = self.findings().into_iter().filter(|finding| finding.severity == Severity::Error);
        errors.map(|finding| finding.in_file(&name)).collect::<Vec<_>>().join("\n")
    }
}

impl Finding {
    /// The finding as one line: file, line, column, field, problem and remedy.
    pub fn in_file(&self, name: &str) -> String {
        let place = self.place.map_or(String::new(), |Place { line, column }| format!("{line}:{column}:"));
        format!("{name}:{place} {self}")
    }
}

impl fmt::Display for Finding {
    /// Without the file and the place.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.severity {
            Severity::Error => "",
            Severity::Warning => "warning: ",
            Severity::Note => "note: ",
        })?;
        if !self.field.is_empty() {
            write!(f, "{}: ", self.field)?;
        }
        f.write_str(&self.what)?;
        if self.remedy.is_empty() { Ok(()) } else { write!(f, ": {}", self.remedy) }
    }
}
