//! Findings as one JSON object in SI units. Properties that only a solid has are null for other input.

use super::findings::{Findings, Problem};
use serde_json::{Value, json};
use silvia::solid::repair::Plan;
use silvia::solid::{Mat3, Vec3};

/// The object; its keys are in the documented order.
pub(crate) fn of(findings: &Findings, density: Option<f64>) -> Value {
    let Findings { report, bounds, .. } = findings;
    let solid = findings.solid.as_ref();
    let edges = solid.map(|s| s.edge_counts());
    let mass = solid.map(|s| s.mass());
    let mut object = json!({
        "triangles": report.triangles,
        "vertices": report.vertices,
        "edges": solid.map(|s| s.edge_count()),
        "faces": solid.map(|s| s.face_count()),
        "closed": report.is_closed(),
        "manifold": report.is_manifold(),
        "components": report.components,
        "genus": solid.map(|s| s.genus()),
        "convex": solid.map(|s| s.is_convex()),
        "edges_convex": edges.map(|e| e.convex),
        "edges_concave": edges.map(|e| e.concave),
        "edges_flat": edges.map(|e| e.flat),
        "volume": mass.map(|m| m.volume),
        "area": findings.area,
        "center": mass.map(|m| vector(m.center)),
        "inertia": mass.map(|m| matrix(m.inertia)),
        "bounds": { "min": vector(bounds.min), "max": vector(bounds.max) },
        "defects": findings.problems.iter().map(problem).collect::<Vec<_>>(),
        "file": findings.file.to_string_lossy(),
        "format": findings.format.name(),
        "solid": solid.is_some(),
        "oriented": report.is_oriented(),
        "sides": report.sides,
        "repair": findings.repair.as_ref().filter(|plan| plan.crossing.is_none()).map(repair),
    });
    if let (Some(density), Some(fields)) = (density, object.as_object_mut()) {
        fields.insert("density".into(), json!(density));
        fields.insert("mass".into(), json!(mass.map(|m| density * m.volume)));
    }
    object
}

/// What `silvia convert` and scenes take.
fn repair(plan: &Plan) -> Value {
    let names: Vec<&str> = plan.repairs.iter().map(|repair| repair.name()).collect();
    json!({ "repairs": names, "within": plan.tolerance })
}

fn problem(problem: &Problem) -> Value {
    let places: Vec<Value> =
        problem.places.iter().map(|p| json!({ "triangle": p.triangle, "at": vector(p.at) })).collect();
    json!({ "kind": problem.kind, "count": problem.count, "where": places })
}

/// A vector; adding zero turns -0 into 0.
fn vector(v: Vec3) -> [f64; 3] {
    (v + Vec3::ZERO).to_array()
}

/// The rows; the matrix is symmetric.
fn matrix(m: Mat3) -> [[f64; 3]; 3] {
    (m.transpose() + Mat3::ZERO).to_cols_array_2d()
}
