//! The commands in the README and the guide do what is shown.
//!
//! In a block marked `console`, a line `$ silvia …` is a command, and the lines up to the next are what it
//! prints; a line `...` stands for any number of lines, and at the end of a line `...` for the rest of it.
//! The blocks of a page run one after the other in one folder, which has the repository's `parts`. A block
//! marked `toml` whose first line is `# NAME.toml` is put into the file of that name first.

use crate::folder::Folder;
use std::path::{Path, PathBuf};

#[test]
fn every_command_shown_prints_what_is_shown() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut pages = vec![root.join("README.md")];
    collect(&root.join("docs"), &mut pages);
    let mut count = 0;
    for page in pages {
        let folder = Folder::new();
        std::fs::create_dir(folder.path("parts")).unwrap();
        for part in std::fs::read_dir(root.join("parts")).unwrap() {
            let part = part.unwrap();
            std::fs::copy(part.path(), folder.path("parts").join(part.file_name())).unwrap();
        }
        let text = std::fs::read_to_string(&page).unwrap();
        for (name, scene) in scenes(&text) {
            std::fs::write(folder.path(name), scene).unwrap();
        }
        for example in examples(&text) {
            count += 1;
            let words = split(&example.command);
            assert_eq!(
                words[0],
                "silvia",
                "{}: only silvia is run here: {}",
                page.display(),
                example.command
            );
            let arguments: Vec<&str> = words[1..].iter().map(String::as_str).collect();
            let output = folder.silvia(&arguments);
            let printed = [output.stdout, output.stderr].concat();
            let printed = String::from_utf8(printed).unwrap();
            let lines: Vec<&str> = printed.lines().map(str::trim_end).collect();
            let shown: Vec<&str> = example.shown.iter().map(String::as_str).collect();
            let (page, command) = (page.display(), &example.command);
            assert!(matches(&shown, &lines), "{page}: `{command}` prints\n{printed}");
        }
    }
    assert!(count > 5, "only {count} commands were found in the README and the guide");
}

/// Names and texts of the scenes that have a name.
fn scenes(markdown: &str) -> Vec<(&str, String)> {
    let named = |after: &str| after.lines().next().is_some_and(|line| line.ends_with(".toml"));
    let blocks = markdown.split("```toml\n# ").skip(1).filter(|after| named(after));
    let block = |after: &str| after.split("```").next().unwrap_or_default().to_owned();
    blocks.map(|after| (after.lines().next().unwrap_or_default(), format!("# {}", block(after)))).collect()
}

struct Example {
    command: String,
    shown: Vec<String>,
}

fn examples(markdown: &str) -> Vec<Example> {
    let mut found: Vec<Example> = Vec::new();
    let mut inside = false;
    for line in markdown.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if inside {
            match (line.strip_prefix("$ "), found.last_mut()) {
                (Some(command), _) => found.push(Example { command: command.into(), shown: Vec::new() }),
                (None, Some(example)) => example.shown.push(line.trim_end().into()),
                (None, None) => panic!("a console block starts with a command: {line}"),
            }
        }
    }
    found
}

/// Words as a shell splits them: double quotes keep spaces.
fn split(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in command.chars() {
        match c {
            '"' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            _ => words.last_mut().unwrap().push(c),
        }
    }
    words.retain(|w| !w.is_empty());
    words
}

fn matches(shown: &[&str], printed: &[&str]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((&"...", rest)) => (0..=printed.len()).any(|skipped| matches(rest, &printed[skipped..])),
        Some((first, rest)) => printed.split_first().is_some_and(|(line, others)| {
            let same = first.strip_suffix("...").map_or(line == first, |start| line.starts_with(start));
            same && matches(rest, others)
        }),
    }
}

fn collect(folder: &Path, pages: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(&path, pages);
        } else if path.extension().is_some_and(|e| e == "md") {
            pages.push(path);
        }
    }
}

#[test]
fn a_scene_with_a_name_is_found_with_all_its_lines() {
    let page = "```toml\n# a.toml\nx = 1\n```\n```toml\n# no name\n```\n";
    assert_eq!(scenes(page), [("a.toml", "# a.toml\nx = 1\n".to_owned())]);
}

#[test]
fn dots_stand_for_any_lines_and_nothing_else_does() {
    assert!(matches(&["a", "...", "d"], &["a", "b", "c", "d"]));
    assert!(matches(&["...", "d"], &["d"]));
    assert!(matches(&["ab...", "d"], &["abc", "d"]));
    assert!(!matches(&["a"], &["a", "b"]));
    assert!(!matches(&["a"], &["ab"]));
    assert!(!matches(&["a", "...", "e"], &["a", "b"]));
}
