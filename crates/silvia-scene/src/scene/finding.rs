//! Problems of a scene: the place, the problem and the remedy.

use std::collections::{HashMap, HashSet};
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

/// The findings with warnings that are alike told once: more than three that differ in nothing but the body
/// and a number become the first of them, which says how many more there are.
pub fn folded(findings: &[Finding]) -> Vec<Finding> {
    /// As many are told one by one.
    const MOST: usize = 3;
    // The last word of the field, and the remedy.
    let kind = |finding: &Finding| {
        let field = finding.field.rsplit('.').next().unwrap_or_default();
        (field.split('[').next().unwrap_or_default().to_owned(), finding.remedy.clone())
    };
    let is_warning = |finding: &&Finding| finding.severity == Severity::Warning;
    let mut counts: HashMap<(String, String), usize> = HashMap::new();
    findings.iter().filter(is_warning).for_each(|finding| *counts.entry(kind(finding)).or_default() += 1);
    let mut told = HashSet::new();
    let fold = |finding: &Finding| {
        let kind = kind(finding);
        let alike = counts.get(&kind).copied().unwrap_or_default();
        if !is_warning(&finding) || alike <= MOST {
            return Some(finding.clone());
        }
        let what = format!("{} (and {} more like this)", finding.what, alike - 1);
        told.insert(kind).then(|| Finding { what, ..finding.clone() })
    };
    findings.iter().filter_map(fold).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_warnings_of_one_kind_are_told_once_and_errors_each() {
        let finding = |severity, field: String, what: String| Finding {
            severity,
            place: None,
            field,
            what,
            remedy: "check it".to_owned(),
        };
        let warning = |i: usize| {
            finding(Severity::Warning, format!("body[box {i}].density"), format!("it has {i} kg/m³"))
        };
        let error = |i: usize| finding(Severity::Error, format!("body[box {i}].density"), "bad".to_owned());
        let three: Vec<Finding> = (0..3).map(warning).collect();
        assert_eq!(folded(&three), three);
        let mut many: Vec<Finding> = (0..6).map(warning).chain((0..6).map(error)).collect();
        many.insert(2, Finding { field: "body[a].mass".to_owned(), ..warning(9) });
        let told = folded(&many);
        assert_eq!(told[0].what, "it has 0 kg/m³ (and 5 more like this)");
        assert_eq!(told[1], many[2]);
        assert_eq!(told[2..], (0..6).map(error).collect::<Vec<_>>());
    }
}
