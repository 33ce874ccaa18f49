//! What is wrong with a scene, where, and what to do about it.

use std::fmt;
use std::path::PathBuf;
use thiserror::Error;

/// Something that is wrong with a scene, or looks as if it were.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Whether the scene can be run all the same.
    pub severity: Severity,
    /// In the scene's text, if it is about one place of it.
    pub place: Option<Place>,
    /// The way to the field, such as `body[box].mass`; empty if it is about the whole.
    pub field: String,
    /// What is wrong.
    pub what: String,
    /// What to do.
    pub remedy: String,
}

/// How bad something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The scene cannot be run.
    Error,
    /// It can be run, but is hardly what was meant.
    Warning,
}

/// A place in a text, both counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Lines end with a line feed.
    pub line: usize,
    /// In characters.
    pub column: usize,
}

/// Why a scene cannot be read or run.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{}", self.listed())]
pub enum SceneError {
    /// No file, or one that may not be read.
    Unreadable {
        /// Of the scene.
        path: PathBuf,
        /// What is wrong.
        what: String,
        /// What to do.
        remedy: String,
    },
    /// Bytes that are no text.
    NotText {
        /// Of the scene.
        path: PathBuf,
        /// The first that is wrong, from 0.
        byte: usize,
        /// Where it is, from 1.
        line: usize,
    },
    /// A file beyond all scenes.
    TooLarge {
        /// Of the scene.
        path: PathBuf,
        /// As it is.
        bytes: u64,
        /// As it may be at most.
        most: u64,
    },
    /// Something in it.
    Refused {
        /// Of the file, for messages.
        name: String,
        /// All that was found, in the order of the text. Warnings are among them.
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
    /// One line: file, line, column, field, what is wrong and what to do.
    pub fn in_file(&self, name: &str) -> String {
        let place = self.place.map_or(String::new(), |Place { line, column }| format!("{line}:{column}:"));
        format!("{name}:{place} {self}")
    }
}

impl fmt::Display for Finding {
    /// Without the file and the place in it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.severity == Severity::Warning {
            f.write_str("warning: ")?;
        }
        if !self.field.is_empty() {
            write!(f, "{}: ", self.field)?;
        }
        f.write_str(&self.what)?;
        if self.remedy.is_empty() { Ok(()) } else { write!(f, ": {}", self.remedy) }
    }
}
