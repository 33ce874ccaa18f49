//! Repairs by name, in a fixed order, and which of them would make a solid of a soup.

use super::{RepairError, Repaired, drop_degenerate, drop_duplicates, orient, split_t_junctions, weld};
use crate::{Solid, Soup};
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
}

/// A text that names no repair.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a repair: use weld, drop_degenerate, drop_duplicates, split_t_junctions or orient")]
pub struct RepairNameError {
    /// The text.
    pub text: String,
}

impl Repair {
    /// All of them, in the order in which they run: each may leave work for those after it.
    pub const ALL: [Repair; 5] = [
        Repair::Weld,
        Repair::DropDegenerate,
        Repair::DropDuplicates,
        Repair::SplitTJunctions,
        Repair::Orient,
    ];

    /// The name, as scenes have it.
    pub fn name(self) -> &'static str {
        match self {
            Repair::Weld => "weld",
            Repair::DropDegenerate => "drop_degenerate",
            Repair::DropDuplicates => "drop_duplicates",
            Repair::SplitTJunctions => "split_t_junctions",
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
            Repair::Orient => "triangles turned over",
        }
    }

    /// Does it, with a tolerance in m for those that take one.
    pub fn apply(self, soup: &Soup, tolerance: f64) -> Result<Repaired, RepairError> {
        match self {
            Repair::Weld => weld(soup, tolerance),
            Repair::DropDegenerate => drop_degenerate(soup),
            Repair::DropDuplicates => drop_duplicates(soup),
            Repair::SplitTJunctions => split_t_junctions(soup, tolerance),
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

/// The repairs that make a solid of a soup, with the least tolerance of a few that are tried; none if none
/// does.
pub fn plan(soup: &Soup) -> Option<Plan> {
    let bounds = soup.bounds();
    let size = (bounds.max - bounds.min).length();
    for tolerance in TRIED.map(|fraction| fraction * size) {
        let Ok((whole, done)) = repaired(soup, &Repair::ALL, tolerance) else { continue };
        if Solid::from_soup(&whole).is_err() {
            continue;
        }
        let needed: Vec<Done> = done.into_iter().filter(|done| done.changed > 0).collect();
        let repairs: Vec<Repair> = needed.iter().map(|done| done.repair).collect();
        let has_tolerance =
            repairs.iter().any(|repair| matches!(repair, Repair::Weld | Repair::SplitTJunctions));
        let tolerance = if has_tolerance { tolerance } else { 0.0 };
        return (!repairs.is_empty()).then_some(Plan { repairs, tolerance, done: needed });
    }
    None
}
