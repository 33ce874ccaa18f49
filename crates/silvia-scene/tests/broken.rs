//! Broken scenes, each with the words it must be refused with; and doubtful ones, each with its warnings. The
//! words are in the `.snap` file beside each; after a change that is meant, `INSTA_UPDATE=always cargo test
//! -p silvia-scene --test broken` writes them anew, to be read before they are committed.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use silvia_scene::scene::{Finding, Severity};
use silvia_scene::{Overrides, Scene};
use std::path::{Path, PathBuf};

/// Whether nothing but `check` finds it: the world can be made, and refuses its first step.
const RUN_FINDS_LATER: [&str; 5] = [
    "overlapping_bodies",
    "overlap_in_millimetres",
    "below_the_ground",
    "overlapping_row",
    "friction_with_a_method_without",
];

#[test]
fn every_broken_scene_is_refused_with_file_line_field_and_remedy() {
    let scenes = scenes("broken");
    assert!(scenes.len() >= 50, "{} scenes", scenes.len());
    let mut wrong: Vec<String> = Vec::new();
    for (name, path) in scenes {
        let told = match Scene::check_file(&path) {
            Ok(findings) => {
                if !findings.iter().any(|finding| finding.severity == Severity::Error) {
                    wrong.push(format!("{name} is not refused"));
                }
                let helpless = findings.iter().filter(|finding| finding.remedy.is_empty());
                wrong.extend(helpless.map(|finding| format!("{name}: no remedy: {finding}")));
                lines(&findings, &name)
            }
            Err(error) => error.to_string().replace(&path.display().to_string(), &format!("{name}.toml")),
        };
        let run = Scene::load(&path).and_then(|scene| scene.setup(&Overrides::default()).map(drop));
        if run.is_ok() != RUN_FINDS_LATER.contains(&name.as_str()) {
            wrong.push(format!("{name}: setup says {run:?}"));
        }
        snapshot("broken", &name, &told);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_doubtful_scene_has_its_warning_and_can_be_run() {
    for (name, path) in scenes("doubtful") {
        let findings = Scene::check_file(&path).unwrap();
        assert!(findings.iter().all(|finding| finding.severity == Severity::Warning), "{name}: {findings:?}");
        assert!(!findings.is_empty(), "{name} has no warning");
        Scene::load(&path).unwrap().setup(&Overrides::default()).unwrap();
        snapshot("doubtful", &name, &lines(&findings, &name));
    }
}

fn scenes(folder: &str) -> Vec<(String, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut scenes: Vec<(String, PathBuf)> = paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .map(|path| (path.file_stem().unwrap().to_string_lossy().into_owned(), path))
        .collect();
    scenes.sort();
    scenes
}

fn lines(findings: &[Finding], name: &str) -> String {
    findings.iter().map(|finding| finding.in_file(&format!("{name}.toml"))).collect::<Vec<_>>().join("\n")
}

fn snapshot(folder: &str, name: &str, told: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(folder);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, told));
}
