//! The findings about a file, before they become text or JSON.

use silvia::solid::check::{DefectKind, Location, Report};
use silvia::solid::files::Format;
use silvia::solid::repair::{Plan, plan};
use silvia::solid::{
    Aabb, MassProperties, SelfCrossings, Solid, SolidError, Soup, TriangleId, self_crossings,
};
use std::path::{Path, PathBuf};

/// The findings about a file.
pub(crate) struct Findings {
    pub(crate) file: PathBuf,
    pub(crate) format: Format,
    pub(crate) report: Report,
    /// The solid, if the triangles form one.
    pub(crate) solid: Option<Solid>,
    /// Area, m².
    pub(crate) area: f64,
    pub(crate) bounds: Aabb,
    pub(crate) problems: Vec<Problem>,
    /// The repairs that make a solid of it, if something is wrong and any do.
    pub(crate) repair: Option<Plan>,
}

/// All defects of one kind.
pub(crate) struct Problem {
    /// The kind for programs: a word that will not change.
    pub(crate) kind: &'static str,
    /// The kind for people, one or many of it.
    pub(crate) name: &'static str,
    /// The remedy.
    pub(crate) remedy: &'static str,
    pub(crate) count: usize,
    /// Some or all of the places.
    pub(crate) places: Vec<Location>,
}

/// The most places shown for a kind of defect; all are counted.
pub(crate) const PLACES_SHOWN: usize = 5;

impl Findings {
    /// Examines the triangles of a file.
    /// `as_read`: before it was welded, if it was.
    pub(crate) fn of(
        file: &Path,
        format: Format,
        soup: &Soup,
        as_read: &Soup,
        self_intersections: bool,
    ) -> Findings {
        let (report, solid) = match Solid::from_soup(soup) {
            Ok(solid) => (solid.report().clone(), Some(solid)),
            Err(SolidError::Unfit { report }) => (*report, None),
            Err(_) => (Report::of(soup), None),
        };
        let area = match &solid {
            Some(solid) => solid.mass().area,
            None => MassProperties::of_triangles(soup.points(), soup.triangles()).area,
        };
        let mut problems: Vec<Problem> = report
            .defects
            .iter()
            .map(|defect| Problem {
                kind: word(defect.kind),
                name: match defect.places.len() {
                    1 => defect.kind.name_of_one(),
                    _ => defect.kind.name(),
                },
                remedy: defect.kind.remedy(),
                count: defect.places.len(),
                places: defect.places.iter().take(PLACES_SHOWN).copied().collect(),
            })
            .collect();
        if solid.is_none() && report.is_solid() {
            problems.push(Problem {
                kind: "no_volume",
                name: "surface that encloses nothing",
                remedy: "check that the part is not a flat sheet",
                count: 1,
                places: Vec::new(),
            });
        }
        if self_intersections {
            problems.extend(crossings(soup));
        } else if solid.is_some() {
            problems.extend(passes_through_itself(soup));
        }
        let repair = if problems.is_empty() { None } else { plan(as_read) };
        Findings {
            file: file.to_path_buf(),
            format,
            report,
            solid,
            area,
            bounds: soup.bounds(),
            problems,
            repair,
        }
    }
}

/// A solid of which some is inside twice, so that its mass is wrong; a scene refuses it. Triangles that
/// merely touch do not count.
fn passes_through_itself(soup: &Soup) -> Option<Problem> {
    /// More need not be counted.
    const MOST: usize = 1000;
    let SelfCrossings { first: (first, _), count } = self_crossings(soup, MOST)?;
    let [a, b, c] = soup.corners(first.index());
    Some(Problem {
        kind: "self_crossing",
        name: if count == 1 { PAIR } else { PAIRS },
        remedy: "unite the shells that pass through each other (unite), or mend it where it was made",
        count,
        places: vec![Location { triangle: first.0, at: a / 3.0 + b / 3.0 + c / 3.0 }],
    })
}

const PAIR: &str = "pair of triangles that cuts through each other";
const PAIRS: &str = "pairs of triangles that cut through each other";

/// Triangles that cut through others; one place per pair, at the first of the two.
fn crossings(soup: &Soup) -> Option<Problem> {
    let pairs = silvia::solid::self_intersections(soup);
    let place = |&(first, _): &(TriangleId, TriangleId)| {
        let [a, b, c] = soup.corners(first.index());
        Location { triangle: first.0, at: a / 3.0 + b / 3.0 + c / 3.0 }
    };
    (!pairs.is_empty()).then(|| Problem {
        kind: "self_intersection",
        name: if pairs.len() == 1 { PAIR } else { PAIRS },
        remedy: "separate the parts that overlap, or unite them (unite)",
        count: pairs.len(),
        places: pairs.iter().take(PLACES_SHOWN).map(place).collect(),
    })
}

/// The kind of defect for programs.
fn word(kind: DefectKind) -> &'static str {
    match kind {
        DefectKind::OpenEdge => "open_edge",
        DefectKind::NonManifoldEdge => "non_manifold_edge",
        DefectKind::NonManifoldVertex => "non_manifold_vertex",
        DefectKind::InconsistentOrientation => "inconsistent_orientation",
        DefectKind::ZeroAreaTriangle => "zero_area_triangle",
        DefectKind::DuplicateTriangle => "duplicate_triangle",
        DefectKind::InsideOut => "inside_out",
    }
}
