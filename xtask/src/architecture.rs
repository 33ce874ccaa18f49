//! Holds `docs/architecture.md` to what can be looked up: which crate depends on which, and that every file,
//! module, type and function that the page names exists.

use crate::command;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Words in backticks that are neither files nor items of the sources.
const OTHER_WORDS: [&str; 2] = ["console", "silvia"];

/// Folders that the page's paths may begin in, and in the same way all `crates/*/src`.
const FOLDERS: [&str; 4] = ["", "crates", "docs", "docs/src"];

#[test]
fn the_page_is_true() {
    let root = command::root();
    let page = std::fs::read_to_string(root.join("docs/architecture.md")).unwrap();
    let truth = Truth::of(&root);
    assert!(truth.items.contains("World") && truth.items.contains("time_of_impact"), "the sources were read");
    let problems = truth.problems(&page);
    assert!(problems.is_empty(), "docs/architecture.md:\n{}", problems.join("\n"));
}

/// What the repository says.
struct Truth {
    /// The crates of the project that each of its library crates needs.
    edges: BTreeMap<String, BTreeSet<String>>,
    /// Names of modules, types, traits, functions and constants.
    items: BTreeSet<String>,
    /// Where paths may begin.
    folders: Vec<PathBuf>,
}

impl Truth {
    fn of(root: &Path) -> Truth {
        let (mut edges, mut items) = (BTreeMap::new(), BTreeSet::new());
        let mut folders: Vec<PathBuf> = FOLDERS.iter().map(|folder| root.join(folder)).collect();
        for folder in entries(&root.join("crates")) {
            let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
            let (name, needs) = edges_of(&manifest);
            edges.insert(name, needs);
            add_items(&folder.join("src"), &mut items);
            folders.push(folder.join("src"));
        }
        Truth { edges, items, folders }
    }

    /// What is not so on a page, one sentence each.
    fn problems(&self, page: &str) -> Vec<String> {
        let mut problems = self.wrong_edges(page);
        for word in code_words(page) {
            let is_there = self.folders.iter().any(|folder| folder.join(word).exists());
            match (is_there, is_path(word)) {
                (true, _) => {}
                (false, true) => problems.push(format!("there is no file or folder `{word}`")),
                (false, false) => problems.extend(self.missing(word)),
            }
        }
        for word in drawn_words(page) {
            problems.extend(self.missing(word));
        }
        problems
    }

    /// The page lists them in lines like `a ──► b, c`, each crate below those that it needs.
    fn wrong_edges(&self, page: &str) -> Vec<String> {
        let mut problems = Vec::new();
        let mut above = BTreeSet::new();
        for (name, needs) in stated_edges(page) {
            if let Some(below) = needs.iter().find(|need| !above.contains(*need)) {
                problems.push(format!("{name} needs {below}, which does not stand above it"));
            }
            match self.edges.get(&name) {
                None => problems.push(format!("there is no crate {name}")),
                Some(actual) if *actual != needs => {
                    problems.push(format!("{name} needs {actual:?}, and the page says {needs:?}"));
                }
                Some(_) => {}
            }
            above.insert(name);
        }
        let unstated = self.edges.keys().filter(|name| !above.contains(*name));
        problems.extend(unstated.map(|name| format!("the page does not say what {name} needs")));
        problems
    }

    /// The names in `a::b::{c, d}` of which there is no item.
    fn missing(&self, word: &str) -> Vec<String> {
        let names = word.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|name| !name.is_empty());
        names
            .filter(|name| !self.items.contains(*name))
            .map(|name| format!("nothing in the sources is called `{name}` (of `{word}`)"))
            .collect()
    }
}

/// The name in a manifest, and the crates of the project that it needs, but for its tests.
fn edges_of(manifest: &str) -> (String, BTreeSet<String>) {
    let manifest: toml::Table = manifest.parse().unwrap();
    let name = manifest["package"]["name"].as_str().unwrap().to_owned();
    let needs = manifest.get("dependencies").and_then(|needs| needs.as_table());
    let own = needs.into_iter().flat_map(|needs| needs.keys()).filter(|need| need.starts_with("silvia"));
    (name, own.cloned().collect())
}

fn stated_edges(page: &str) -> Vec<(String, BTreeSet<String>)> {
    let lines = page.lines().filter(|line| line.starts_with("silvia"));
    lines
        .filter_map(|line| line.split_once("──►"))
        .map(|(name, needs)| {
            let needs = needs.split(',').map(str::trim).filter(|need| *need != "nothing");
            (name.trim().to_owned(), needs.map(str::to_owned).collect())
        })
        .collect()
}

/// Everything in backticks that could be a path or an item: commands and fragments of files are not looked
/// at.
fn code_words(page: &str) -> Vec<&str> {
    let prose = outside_of_blocks(page);
    let words = prose.into_iter().flat_map(|line| line.split('`').skip(1).step_by(2));
    words.filter(|word| !OTHER_WORDS.contains(word) && (is_path(word) || is_item(word))).collect()
}

fn outside_of_blocks(page: &str) -> Vec<&str> {
    let mut in_block = false;
    page.lines()
        .filter(|line| {
            let is_fence = line.starts_with("```");
            in_block ^= is_fence;
            !in_block && !is_fence
        })
        .collect()
}

fn is_path(word: &str) -> bool {
    let is_plain = word.chars().all(|c| c.is_alphanumeric() || "/._-".contains(c));
    is_plain && (word.contains('/') || [".rs", ".md", ".toml"].iter().any(|end| word.ends_with(end)))
}

fn is_item(word: &str) -> bool {
    let starts = word.starts_with(|c: char| c.is_alphabetic());
    starts && word.chars().all(|c| c.is_alphanumeric() || "_:{}, ".contains(c)) && !word.contains(' ')
        || word.contains("::")
}

/// Types and functions in the drawing: `CamelCase` and `snake_case`, and paths of them. Other words there may
/// be prose, and words with a hyphen (V-Clip) are.
fn drawn_words(page: &str) -> Vec<&str> {
    let Some((_, after)) = page.split_once("## How data flows") else { return Vec::new() };
    let Some(drawing) = after.split("```").nth(1) else { return Vec::new() };
    let is_part = |c: char| c.is_alphanumeric() || "_:-".contains(c);
    let words = drawing.split(|c: char| !is_part(c)).map(|word| word.trim_matches([':', '-']));
    words
        .filter(|word| !word.contains('-'))
        .filter(|word| word.starts_with(char::is_uppercase) || word.contains(['_', ':']))
        .collect()
}

/// Adds the names of the modules in a folder, and of what they declare.
fn add_items(folder: &Path, items: &mut BTreeSet<String>) {
    const KEYWORDS: [&str; 9] =
        ["fn", "struct", "enum", "trait", "type", "const", "static", "mod", "macro_rules!"];
    for entry in entries(folder) {
        if entry.is_dir() {
            add_items(&entry, items);
        } else if entry.extension().is_some_and(|end| end == "rs") {
            let text = std::fs::read_to_string(&entry).unwrap();
            // Comments are prose.
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            for line in code {
                let words: Vec<&str> = line.split_whitespace().collect();
                let declared = words.windows(2).filter(|pair| KEYWORDS.contains(&pair[0]));
                items.extend(declared.map(|pair| identifier(pair[1]).to_owned()));
            }
        }
    }
}

fn identifier(word: &str) -> &str {
    word.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    entries.map(|entry| entry.unwrap().path()).collect()
}

/// A small project, and a page that is true of it.
mod made_up {
    use super::*;

    const PAGE: &str = "\
## What is where
`docs/architecture.md` and `xtask` stand; `cargo xtask test` and `console` are not looked up.
```text
silvia-solid ──► nothing
silvia-world ──► silvia-solid
```
## How data flows
```text
file ──► Soup ──► World::step ──► free_flight, by V-Clip
```
A `Soup` is made by `Soup::new`, in `soup.rs`.
";

    fn truth() -> Truth {
        let manifests = [
            "[package]\nname = \"silvia-solid\"\n[dependencies]\nglam = \"1\"\n",
            "[package]\nname = \"silvia-world\"\n[dependencies]\nsilvia-solid.workspace = true\n\
             [dev-dependencies]\nsilvia-check.workspace = true\n",
        ];
        let items = ["Soup", "World", "step", "new", "free_flight"].map(str::to_owned);
        let root = command::root();
        Truth {
            edges: manifests.map(edges_of).into(),
            items: items.into(),
            folders: vec![root.clone(), root.join("crates/silvia-solid/src")],
        }
    }

    #[test]
    fn a_true_page_has_no_problems() {
        assert_eq!(truth().problems(PAGE), Vec::<String>::new());
    }

    #[test]
    fn an_edge_that_is_added_or_taken_away_is_found() {
        let mut more = truth();
        more.edges.entry("silvia-solid".into()).or_default().insert("silvia-world".into());
        assert_eq!(more.problems(PAGE).len(), 1);
        let mut less = truth();
        less.edges.insert("silvia-world".into(), BTreeSet::new());
        assert_eq!(less.problems(PAGE).len(), 1);
        let mut another = truth();
        another.edges.insert("silvia-soft".into(), BTreeSet::new());
        assert_eq!(another.problems(PAGE), ["the page does not say what silvia-soft needs"]);
    }

    #[test]
    fn crates_that_need_what_stands_below_them_are_found() {
        let turned = PAGE.replace("silvia-solid ──► nothing\n", "") + "silvia-solid ──► nothing\n";
        assert_eq!(
            truth().problems(&turned),
            ["silvia-world needs silvia-solid, which does not stand above it"]
        );
    }

    #[test]
    fn a_file_that_was_renamed_is_found() {
        let problems = truth().problems(&PAGE.replace("soup.rs", "broth.rs"));
        assert_eq!(problems, ["there is no file or folder `broth.rs`"]);
    }

    #[test]
    fn items_that_are_gone_are_found_in_prose_and_in_the_drawing() {
        for name in ["World", "step", "free_flight", "new"] {
            let mut gone = truth();
            gone.items.remove(name);
            let problems = gone.problems(PAGE);
            assert!(problems.len() == 1 && problems[0].contains(name), "{name}: {problems:?}");
        }
    }
}
