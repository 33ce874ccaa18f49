//! `silvia check`.

use crate::folder::Folder;
use serde_json::Value;

const GOOD: &str = "[[body]]\nname = \"ground\"\nhalf_space = {}\nrole = \"fixed\"\n\n\
                    [[body]]\nname = \"ball\"\nsphere = { radius = 0.1 }\nposition = [0, 0, 1]\n";

#[test]
fn a_good_scene_has_nothing_wrong_and_a_doubtful_one_can_be_run() {
    let folder = Folder::new();
    folder.put("good.toml", GOOD);
    folder.put("heavy.toml", format!("{GOOD}density = 50000\n"));
    assert_eq!(folder.ok(&["check", "good.toml"]), "good.toml: nothing is wrong\n");
    let told = folder.ok(&["check", "heavy.toml"]);
    assert!(told.starts_with("heavy.toml:10:11: warning: body[ball].density: "), "{told}");
    assert!(told.ends_with("heavy.toml: can be run, with 1 warning\n"), "{told}");
}

#[test]
fn all_that_is_wrong_in_all_scenes_is_told_and_the_exit_code_says_so() {
    let folder = Folder::new();
    folder.put("good.toml", GOOD);
    folder.put("bad.toml", format!("{GOOD}frction = 1\nmas = 2\n"));
    let output = folder.silvia(&["check", "bad.toml", "good.toml", "none.toml"]);
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(
        lines,
        [
            "bad.toml:10:1: body[ball].frction: there is no such field: did you mean `friction` of \
             [[material]] or [[law]]?",
            "bad.toml:11:1: body[ball].mas: there is no such field: did you mean `mass`?",
            "bad.toml: 2 errors",
            "good.toml: nothing is wrong",
            "none.toml: there is no such file: check the name",
        ]
    );
}

#[test]
fn programs_get_the_same_in_json() {
    let folder = Folder::new();
    folder.put("bad.toml", format!("{GOOD}mass = 0\n"));
    folder.put("bytes.toml", b"title = \"\xff\"");
    let output = folder.silvia(&["check", "--json", "bad.toml", "bytes.toml"]);
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stdout).unwrap();
    let found: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(found.len(), 2);
    assert_eq!((&found[0]["line"], &found[0]["column"]), (&Value::from(10), &Value::from(8)));
    assert_eq!(found[0]["field"], "body[ball].mass");
    assert_eq!(found[0]["severity"], "error");
    assert!(found[0]["what"].as_str().unwrap().contains("not 0 kg"));
    assert!(!found[0]["remedy"].as_str().unwrap().is_empty());
    assert!(found[1]["what"].as_str().unwrap().contains("byte 9"), "{}", found[1]);
}

#[test]
fn the_schema_is_json_and_has_every_table() {
    let schema: Value = serde_json::from_str(&Folder::new().ok(&["check", "--schema"])).unwrap();
    for table in ["units", "solver", "run", "record", "view", "material", "law", "part", "body"] {
        assert!(schema["properties"][table].is_object(), "{table}");
    }
}
