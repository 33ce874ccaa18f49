//! Parts whose triangles do not quite meet: what is told makes a solid of them.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use silvia_scene::Scene;
use silvia_scene::scene::{Finding, Severity};
use silvia_solid::primitives::cuboid;
use silvia_solid::{Soup, Vec3};
use std::fmt::Write as _;

/// A box of 0.1 x 0.2 x 0.3 as text in STL, each corner of each triangle off by up to a fraction of its size.
fn cracked(fraction: f64) -> String {
    let soup: Soup = cuboid(Vec3::new(0.1, 0.2, 0.3)).unwrap();
    let most = fraction * Vec3::new(0.1, 0.2, 0.3).length();
    let mut state = 1_u64;
    let mut off = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        most * ((state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0)
    };
    let mut text = "solid box\n".to_owned();
    for triangle in 0..soup.triangles().len() {
        text += "facet normal 0 0 0\nouter loop\n";
        for corner in soup.corners(triangle) {
            let [x, y, z] = corner.to_array().map(|x| x + off());
            writeln!(text, "vertex {x} {y} {z}").unwrap();
        }
        text += "endloop\nendfacet\n";
    }
    text + "endsolid box\n"
}

/// What is found in a scene of one cracked box, with more lines beside its file.
fn findings(fraction: f64, beside: &str) -> Vec<Finding> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("box.stl"), cracked(fraction)).unwrap();
    let path = folder.path().join("scene.toml");
    std::fs::write(&path, format!("[[body]]\nfile = \"box.stl\"\n{beside}\n")).unwrap();
    Scene::check_file(&path).unwrap()
}

fn errors(findings: &[Finding]) -> Vec<&Finding> {
    findings.iter().filter(|finding| finding.severity == Severity::Error).collect()
}

/// The lines that a remedy says to give.
fn said(remedy: &str) -> String {
    let quoted: Vec<&str> = remedy.split('`').skip(1).step_by(2).collect();
    let lines: Vec<&str> = quoted.into_iter().filter(|line| line.starts_with("repair")).collect();
    lines.join("\n")
}

#[test]
fn a_cracked_part_was_said_to_pass_through_itself() {
    for fraction in [1e-9, 1e-7, 1e-6, 1e-5, 2e-5] {
        for scale in ["", "scale = 0.01"] {
            let found = findings(fraction, scale);
            let told = errors(&found);
            assert_eq!(told.len(), 1, "{found:?}");
            assert!(told[0].what.contains("open edges"), "{}", told[0]);
            let lines = said(&told[0].remedy);
            assert!(lines.contains("weld") && lines.contains("repair_within"), "{}", told[0]);
            let mended = findings(fraction, &format!("{scale}\n{lines}"));
            assert!(errors(&mended).is_empty(), "{fraction} {scale} {lines}: {mended:?}");
        }
    }
}

#[test]
fn one_beyond_repair_has_open_edges_and_does_not_pass_through_itself() {
    let found = findings(1e-3, "");
    assert!(errors(&found)[0].what.contains("open edges"), "{found:?}");
}

#[test]
fn a_repair_that_breaks_a_whole_part_is_what_to_leave_out() {
    // It welds the corners of the shortest edges, and leaves a flat sheet.
    let found = findings(0.0, "repair = [\"weld\"]\nrepair_within = \"150 mm\"");
    assert!(errors(&found)[0].remedy.contains("leave `repair`"), "{found:?}");
}

#[test]
fn a_weld_that_does_not_reach_names_how_far_it_must() {
    let found = findings(2e-5, "repair = [\"weld\"]");
    let note = found.iter().find(|finding| finding.severity == Severity::Note).unwrap();
    assert!(note.what.contains("points welded: 0") && note.what.contains("repair_within"), "{note}");
    assert!(errors(&found)[0].remedy.contains("`repair_within = "), "{found:?}");
    // One that reaches says nothing of it.
    let found = findings(1e-9, "repair = [\"weld\"]");
    assert!(errors(&found).is_empty());
    assert!(found.iter().all(|finding| !finding.what.contains("repair_within")), "{found:?}");
}
