//! `silvia run` tells whether a scene's goals were reached: in words, as JSON and as exit code.

use crate::folder::Folder;
use serde_json::Value;

/// A ball that falls from 0.2 m onto the ground.
const FALLING: &str = "
[run]
until = 0.5
[[body]]
name = \"ground\"
half_space = {}
role = \"fixed\"
[[body]]
name = \"ball\"
sphere = { radius = 0.1 }
position = [0, 0, 0.3]
";

fn goal(depth: f64) -> String {
    format!("[[goal]]\nbody = \"ball\"\nfrom = [0, 0, 0.3]\ndepth = {depth}\nslower_than = 0.01\n")
}

#[test]
fn success_is_in_the_summary_in_the_json_and_in_the_exit_code() {
    let folder = Folder::new();
    for (name, goals, success) in [
        ("reached", goal(0.19), Value::Bool(true)),
        ("missed", goal(0.19) + &goal(0.3), Value::Bool(false)),
        ("none", String::new(), Value::Null),
    ] {
        let scene = format!("{name}.toml");
        folder.put(&scene, format!("{FALLING}{goals}"));
        let json = folder.ok(&["run", &scene, "--json", "--out", &format!("{name} json")]);
        let summary: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(summary["success"], success, "{name}: {summary}");
        let required = ["run", &scene, "--require-success", "--out", name];
        match name {
            "reached" => {
                let at = summary["goals"][0]["reached_at"].as_f64().unwrap();
                assert!((0.2..0.5).contains(&at), "{at}");
                let told = folder.ok(&required);
                assert!(told.contains("\nsuccess      yes: ball at 0."), "{told}");
            }
            "missed" => {
                let told = folder.ok(&["run", &scene, "--out", "missed in words"]);
                assert!(told.contains("\nsuccess      no: ball at 0."), "{told}");
                let (code, why) = folder.fails(&required);
                assert_eq!(code, 1);
                let words = "the run did not succeed: ball: 0.3 m deep, came as deep as 0.2";
                assert!(why.contains(words), "{why}");
                // Also of a run that has come to its end before.
                let (code, why) = folder.fails(&["resume", "missed", "--require-success"]);
                assert!(code == 1 && why.contains(words), "{why}");
            }
            _ => {
                let (code, why) = folder.fails(&required);
                assert!(code == 1 && why.contains("give it a [[goal]]"), "{why}");
            }
        }
    }
}
