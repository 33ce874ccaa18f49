//! What newcomers get wrong, and what they are told: commands (`commands.txt`) and scenes of
//! `tests/mistakes`, each with the words it is answered with in the `.snap` file of its name. After a change
//! that is meant,
//! `INSTA_UPDATE=always cargo test -p silvia-cli mistakes` writes them anew, to be read with a newcomer's eye
//! before they are committed.

use crate::folder::Folder;
use std::path::{Path, PathBuf};

/// The scene without a mistake.
const GOOD: &str = "ball";

#[test]
fn a_hundred_mistakes_are_each_answered_with_what_to_do() {
    let commands = std::fs::read_to_string(folder().join("commands.txt")).unwrap();
    let commands = commands.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let commands = commands.map(|line| line.split_once(": ").expect("a name and a command"));
    let mut mistakes: Vec<(String, String)> =
        commands.map(|(name, command)| (name.to_owned(), command.to_owned())).collect();
    mistakes.extend(scenes().into_iter().map(|name| (name.clone(), format!("silvia run {name}.toml"))));
    assert!(mistakes.len() >= 100, "{}", mistakes.len());
    for (name, command) in mistakes {
        snapshot(&name, &answer(&command));
    }
}

/// The command, what it says, and how it ends.
fn answer(command: &str) -> String {
    let folder = prepared(command.contains("runs/ball"));
    let words = words(command);
    let arguments: Vec<&str> = words[1..].iter().map(String::as_str).collect();
    let output = folder.silvia(&arguments);
    let code = output.status.code().expect("it ends by itself");
    assert!(code == 1 || code == 2, "{command} ends with {code}");
    let [said, told] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(!said.contains("panicked") && !told.contains("panicked"), "{command}: {told}");
    // A run that began says how long it took.
    let said = if words[1..].first().is_some_and(|word| word == "run") { String::new() } else { said };
    let here = folder.path("");
    let told = format!("{said}{told}").replace(here.to_str().unwrap(), "");
    format!("$ {command}\n{}\nexit code {code}", told.trim_end())
}

/// A folder with all that commands and scenes name, and the recording of a run, if that is asked for.
fn prepared(has_a_run: bool) -> Folder {
    let prepared = Folder::new();
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if !name.ends_with(".snap") && !name.ends_with(".new") {
            prepared.put(name, std::fs::read(&path).unwrap());
        }
    }
    prepared.ok(&["make", "bolt", "-o", "bolt.stl"]);
    if has_a_run {
        prepared.ok(&["run", "ball.toml"]);
    }
    prepared
}

/// The names of the scenes that are wrong, in order.
fn scenes() -> Vec<String> {
    let paths = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let scenes = paths.filter(|path| path.extension().is_some_and(|ending| ending == "toml"));
    let names = scenes.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned());
    let mut names: Vec<String> = names.filter(|name| name != GOOD).collect();
    names.sort();
    names
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes")
}

/// Words of a command; those in double quotes are one.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in command.split('"').enumerate() {
        match index % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}

fn snapshot(name: &str, told: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../mistakes");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, told));
}
