//! Findings as aligned lines of text, in the unit of the file.

use super::findings::{Findings, PLACES_SHOWN, Problem};
use crate::numbers::number;
use silvia::solid::files::Unit;
use silvia::solid::repair::Plan;
use silvia::solid::{Solid, Vec3};
use std::fmt::Write;

/// The report, ending in a newline.
pub(crate) fn of(findings: &Findings, unit: Unit, density: Option<f64>) -> String {
    let size = findings.bounds.size().length();
    let mut page = Page { text: format!("{}\n", findings.file.display()), unit, size };
    let report = &findings.report;
    let kind = if findings.solid.is_some() { "a solid" } else { "not a solid; usable as a soup" };
    page.row("this is", format!("{kind} ({} file)", findings.format.name()));
    page.row("triangles", report.triangles);
    page.row("vertices", report.vertices);
    if let Some(solid) = &findings.solid {
        let edges = solid.edge_counts();
        let (convex, concave) = (edges.convex, edges.concave);
        page.row("edges", format!("{} ({convex} convex, {concave} concave)", solid.edge_count()));
        page.row("flat sides", format!("{} (between triangles of one face)", edges.flat));
        page.row("faces", solid.face_count());
    } else {
        page.row("sides", format!("{} (of triangles)", report.sides));
    }
    page.row("closed", yes(report.is_closed()));
    page.row("manifold", yes(report.is_manifold()));
    page.row("components", report.components);
    if let Some(solid) = &findings.solid {
        page.row("genus", solid.genus());
        page.row("convex", yes(solid.is_convex()));
        page.row("volume", page.amount(solid.mass().volume, 3));
    }
    page.row("area", page.amount(findings.area, 2));
    if let Some(solid) = &findings.solid {
        page.mass(solid, density);
    }
    page.row("bounds", format!("{} to {}", page.point(findings.bounds.min), page.point(findings.bounds.max)));
    page.row("size", page.point(findings.bounds.size()));
    page.defects(&findings.problems);
    if !findings.problems.is_empty() {
        page.repair(findings.repair.as_ref());
    }
    page.text
}

struct Page {
    text: String,
    unit: Unit,
    /// Diagonal of the bounding box, m.
    size: f64,
}

/// Values smaller than this fraction of the part, or of the largest inertia, are rounding and are shown as 0.
const ROUNDING: f64 = 1e-13;

impl Page {
    fn row(&mut self, label: &str, value: impl std::fmt::Display) {
        let _ = writeln!(self.text, "  {label:<11} {value}");
    }

    fn mass(&mut self, solid: &Solid, density: Option<f64>) {
        let properties = solid.mass();
        self.row("center", self.point(properties.center));
        let (factor, symbol) = match density {
            Some(density) => {
                self.row("mass", format!("{} kg (at {density} kg/m³)", number(density * properties.volume)));
                (density, "kg m², about the center".to_string())
            }
            None => {
                let unit = self.unit;
                (self.unit.metres().powi(-5), format!("{unit}⁵, about the center, for density 1"))
            }
        };
        let largest = properties.inertia.diagonal().max_element();
        let shown = |x: f64| number(factor * without_rounding(x, largest));
        let rows = properties.inertia.transpose().to_cols_array_2d().map(|row| row.map(shown));
        let width = rows.iter().flatten().map(String::len).max().unwrap_or(0);
        let note = ["", &symbol, ""];
        for (index, row) in rows.iter().enumerate() {
            let cells: Vec<String> = row.iter().map(|cell| format!("{cell:>width$}")).collect();
            let line = format!("[{}]  {}", cells.join("  "), note[index]);
            self.row(if index == 0 { "inertia" } else { "" }, line.trim_end());
        }
    }

    fn defects(&mut self, problems: &[Problem]) {
        if problems.is_empty() {
            self.row("defects", "none");
        }
        for (index, problem) in problems.iter().enumerate() {
            self.row(if index == 0 { "defects" } else { "" }, format!("{} {}", problem.count, problem.name));
            for place in &problem.places {
                let at = self.point(place.at);
                self.row("", format!("  at triangle {}, near {at}", place.triangle));
            }
            if problem.count > PLACES_SHOWN {
                self.row("", format!("  and {} more", problem.count - PLACES_SHOWN));
            }
            self.row("", format!("  to do: {}", problem.remedy));
        }
    }

    /// What of `silvia convert` helps, having been tried.
    fn repair(&mut self, plan: Option<&Plan>) {
        let Some(Plan { repairs, tolerance, done, crossing }) = plan else {
            return self.row("repair", "none here mends it: do that where it was made");
        };
        let within = number(self.unit.from_metres(*tolerance));
        let options = repairs.iter().map(|repair| {
            let option = format!("--{}", repair.name().replace('_', "-"));
            if repair.has_tolerance() { format!("{option} {within}") } else { option }
        });
        let unit = if self.unit == Unit::Metre { String::new() } else { format!("--unit-in {} ", self.unit) };
        self.row("repair", format!("silvia convert {unit}{}", options.collect::<Vec<_>>().join(" ")));
        let counts: Vec<String> =
            done.iter().map(|done| format!("{}: {}", done.repair.counted(), done.changed)).collect();
        self.row("", format!("  makes a solid of it ({})", counts.join(", ")));
        if let Some(place) = crossing {
            let place = self.point(*place);
            self.row("", format!("  that passes through itself near {place}: mend that where it was made"));
        }
    }

    /// Formats a length, area or volume given in SI units.
    fn amount(&self, value: f64, power: i32) -> String {
        let exponent = match power {
            2 => "²",
            3 => "³",
            _ => "",
        };
        format!("{} {}{exponent}", number(value / self.unit.metres().powi(power)), self.unit)
    }

    fn point(&self, p: Vec3) -> String {
        let [x, y, z] = p.to_array().map(|c| number(self.unit.from_metres(without_rounding(c, self.size))));
        format!("({x}, {y}, {z}) {}", self.unit)
    }
}

fn yes(is_so: bool) -> &'static str {
    if is_so { "yes" } else { "no" }
}

fn without_rounding(value: f64, largest: f64) -> f64 {
    if value.abs() < ROUNDING * largest { 0.0 } else { value }
}
