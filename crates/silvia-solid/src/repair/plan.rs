//! Repairs by name, in a fixed order, and which of them would make a solid of a soup.

use super::{RepairError, Repaired, drop_degenerate, drop_duplicates, orient, split_t_junctions, weld};
use crate::{Solid, Soup, Vec3, self_crossings};
use std::fmt;
use std::str::FromStr;

/// A repair, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Repair {
    /// [`weld`].
    Weld,
    /// [`drop_degenerate`].
    DropDegenerate,
    /// [`drop_duplicates`].
    DropDuplicates,
    /// [`split_t_junctions`].
    SplitTJunctions,
    /// [`unite`](super::unite).
    #[cfg(feature = "boolean")]
    Unite,
    /// [`orient`].
    Orient,
}

/// What a repair did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Done {
    /// Which.
    pub repair: Repair,
    /// See [`Repaired::changed`].
    pub changed: usize,
    /// See [`Repaired::moved`], m.
    pub moved: f64,
}

/// Repairs that make a solid of a soup, having been tried.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// In the order in which they run.
    pub repairs: Vec<Repair>,
    /// The tolerance that they need, m; 0 if none does.
    pub tolerance: f64,
    /// What they did.
    pub done: Vec<Done>,
    /// A place where its surface then passes through itself, m, if it does: a scene refuses such a part.
    pub crossing: Option<Vec3>,
}

/// A text that names no repair.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a repair: use {}", Repair::ALL.map(Repair::name).join(", "))]
pub struct RepairNameError {
    /// The text.
    pub text: String,
}

impl Repair {
    /// All of them, in the order in which they run: each may leave work for those after it.
    pub const ALL: [Repair; if cfg!(feature = "boolean") { 6 } else { 5 }] = [
        Repair::Weld,
        Repair::DropDegenerate,
        Repair::DropDuplicates,
        Repair::SplitTJunctions,
        #[cfg(feature = "boolean")]
        Repair::Unite,
        Repair::Orient,
    ];

    /// The name, as scenes have it.
    pub fn name(self) -> &'static str {
        match self {
            Repair::Weld => "weld",
            Repair::DropDegenerate => "drop_degenerate",
            Repair::DropDuplicates => "drop_duplicates",
            Repair::SplitTJunctions => "split_t_junctions",
            #[cfg(feature = "boolean")]
            Repair::Unite => "unite",
            Repair::Orient => "orient",
        }
    }

    /// What is counted: "points welded".
    pub fn counted(self) -> &'static str {
        match self {
            Repair::Weld => "points welded",
            Repair::DropDegenerate => "degenerate triangles dropped",
            Repair::DropDuplicates => "duplicate triangles dropped",
            Repair::SplitTJunctions => "T-junctions split",
            #[cfg(feature = "boolean")]
            Repair::Unite => "shells united",
            Repair::Orient => "triangles turned over",
        }
    }

    /// Whether it takes a tolerance.
    pub fn has_tolerance(self) -> bool {
        matches!(self, Repair::Weld | Repair::SplitTJunctions)
    }

    /// Does it, with a tolerance in m for those that take one.
    pub fn apply(self, soup: &Soup, tolerance: f64) -> Result<Repaired, RepairError> {
        match self {
            Repair::Weld => weld(soup, tolerance),
            Repair::DropDegenerate => drop_degenerate(soup),
            Repair::DropDuplicates => drop_duplicates(soup),
            Repair::SplitTJunctions => split_t_junctions(soup, tolerance),
            #[cfg(feature = "boolean")]
            Repair::Unite => super::unite(soup),
            Repair::Orient => orient(soup),
        }
    }
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Repair {
    type Err = RepairNameError;

    fn from_str(text: &str) -> Result<Repair, RepairNameError> {
        let found = Repair::ALL.into_iter().find(|repair| repair.name() == text);
        found.ok_or_else(|| RepairNameError { text: text.to_owned() })
    }
}

/// Does repairs in their order, whatever the order of the list.
pub fn repaired(soup: &Soup, repairs: &[Repair], tolerance: f64) -> Result<(Soup, Vec<Done>), RepairError> {
    let mut soup = soup.clone();
    let mut all = Vec::new();
    for repair in Repair::ALL.into_iter().filter(|repair| repairs.contains(repair)) {
        let Repaired { soup: next, changed, moved } = repair.apply(&soup, tolerance)?;
        soup = next;
        all.push(Done { repair, changed, moved });
    }
    Ok((soup, all))
}

/// Tolerances that are tried, as fractions of the part's size. A larger one would change its form.
const TRIED: [f64; 6] = [0.0, 1e-9, 1e-7, 1e-6, 1e-5, 1e-4];

/// The repairs that make a solid of a soup whose surface does not pass through itself, with the least
/// tolerance of a few that are tried. If it passes through itself whatever is done, those that make a solid;
/// none if none does, or if there is nothing to repair.
pub fn plan(soup: &Soup) -> Option<Plan> {
    let size = soup.bounds().size().length();
    // What is a solid already needs no tolerance.
    let tried = if Solid::from_soup(soup).is_ok() { &TRIED[..1] } else { &TRIED[..] };
    let found = tried.iter().find_map(|fraction| with_tolerance(soup, round(fraction * size)));
    found.filter(|plan| !plan.repairs.is_empty())
}

/// Two digits, rounded up: what is told is what was tried.
fn round(length: f64) -> f64 {
    if length == 0.0 {
        return 0.0;
    }
    let power = length.log10().floor() as i32 - 1;
    let digits = (length / 10_f64.powi(power)).ceil();
    format!("{digits}e{power}").parse().unwrap_or(length)
}

/// Those that close a surface and orient it.
const CLOSING: [Repair; 5] =
    [Repair::Weld, Repair::DropDegenerate, Repair::DropDuplicates, Repair::SplitTJunctions, Repair::Orient];

/// The repairs that make a solid with a tolerance, m. Shells that cannot be united may make one all the same,
/// if one that passes through itself.
fn with_tolerance(soup: &Soup, tolerance: f64) -> Option<Plan> {
    let (whole, done) = [&Repair::ALL[..], &CLOSING].into_iter().find_map(|repairs| {
        repaired(soup, repairs, tolerance).ok().filter(|(whole, _)| Solid::from_soup(whole).is_ok())
    })?;
    let done: Vec<Done> = done.into_iter().filter(|done| done.changed > 0).collect();
    let repairs: Vec<Repair> = done.iter().map(|done| done.repair).collect();
    let needs_tolerance = repairs.iter().any(|repair| repair.has_tolerance());
    let crossing = self_crossings(&whole, 1).map(|found| {
        let [a, b, c] = whole.corners(found.first.0.index());
        (a + b + c) / 3.0
    });
    Some(Plan { repairs, tolerance: if needs_tolerance { tolerance } else { 0.0 }, done, crossing })
}
