//! Checks of the README and the guide that no doc test makes: every chapter is listed, every link and picture
//! is there.
//!
//! The Rust programs in them are run as doc tests of the `silvia` crate, the commands by the tests of
//! `silvia-cli`.

use crate::Failure;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Everything wrong with the README and the guide under this root, one sentence each.
pub(crate) fn problems(root: &Path) -> Result<Vec<String>, Failure> {
    let mut pages = markdown_under(&root.join("docs"))?;
    pages.extend(["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"].map(|name| root.join(name)));
    let mut problems = Vec::new();
    for page in &pages {
        let text = read(page)?;
        for target in link_targets(&text) {
            if !target_exists(page, &target) {
                problems.push(format!("{}: the link to `{target}` leads nowhere", relative(page, root)));
            }
        }
    }
    problems.extend(chapters_not_listed(root)?);
    problems.extend(chapters_without_a_way_in_or_out(root)?);
    problems.extend(citations_not_listed(root)?);
    problems.extend(programs_not_run(root)?);
    Ok(problems)
}

/// Pages of the guide with a Rust program that the doc tests of `silvia` do not include.
fn programs_not_run(root: &Path) -> Result<Vec<String>, Failure> {
    let tests = read(&root.join("crates/silvia/src/guide.rs"))?;
    let mut problems = Vec::new();
    for page in markdown_under(&root.join("docs"))? {
        let name = relative(&page, root);
        let has_program = read(&page)?.lines().any(|line| line.starts_with("```rust"));
        if has_program && !tests.contains(&format!("/{name}\"")) {
            problems.push(format!("crates/silvia/src/guide.rs does not run the programs in {name}"));
        }
    }
    Ok(problems)
}

/// Chapters that `SUMMARY.md` does not list: mdBook would leave them out without a word.
fn chapters_not_listed(root: &Path) -> Result<Vec<String>, Failure> {
    let folder = root.join("docs/src");
    let summary = folder.join("SUMMARY.md");
    let mut listed: BTreeSet<PathBuf> = BTreeSet::new();
    let mut problems = Vec::new();
    for chapter in link_targets(&read(&summary)?).into_iter().map(|t| folder.join(t)) {
        if listed.contains(&chapter) {
            problems.push(format!("docs/src/SUMMARY.md lists {} twice", relative(&chapter, root)));
        }
        listed.insert(chapter);
    }
    let chapters = markdown_under(&folder)?;
    problems.extend(
        chapters
            .into_iter()
            .filter(|c| *c != summary && !c.starts_with(folder.join("generated")) && !listed.contains(c))
            .map(|c| format!("docs/src/SUMMARY.md does not list {}", relative(&c, root))),
    );
    Ok(problems)
}

/// The list at the end of the guide: nobody reads it from its beginning to its end.
const NO_CHAPTER: &str = "references.md";

/// Chapters that do not open with a picture, or do not end with what to read next.
fn chapters_without_a_way_in_or_out(root: &Path) -> Result<Vec<String>, Failure> {
    let folder = root.join("docs/src");
    let mut problems = Vec::new();
    for chapter in link_targets(&read(&folder.join("SUMMARY.md"))?) {
        if chapter != NO_CHAPTER {
            let text = read(&folder.join(&chapter))?;
            problems.extend(lacks(&text).into_iter().map(|what| format!("docs/src/{chapter}: {what}")));
        }
    }
    Ok(problems)
}

/// What a chapter lacks: words and a picture before its first section, a line that leads on at its end.
fn lacks(chapter: &str) -> Vec<&'static str> {
    let mut lacks = Vec::new();
    let opening = chapter.split("\n## ").next().unwrap_or_default();
    let mut paragraphs = opening.split("\n\n").skip(1);
    if paragraphs.next().is_none_or(|first| !first.starts_with(char::is_alphabetic)) {
        lacks.push("it does not open with what it is for");
    }
    if !opening.contains("\n![") {
        lacks.push("it has no picture before its first section");
    }
    // Targets of links may follow.
    let last = chapter.trim_end().split("\n\n").filter(|paragraph| !paragraph.starts_with('[')).last();
    if !last.is_some_and(|last| last.starts_with("**Next:** ") && last.contains("](")) {
        lacks.push("it does not end with `**Next:** ` and a link");
    }
    lacks
}

/// Articles that a chapter cites and the list of references does not have.
fn citations_not_listed(root: &Path) -> Result<Vec<String>, Failure> {
    let list = root.join("docs/src/references.md");
    let listed = read(&list)?;
    let mut problems = Vec::new();
    for page in markdown_under(&root.join("docs"))?.into_iter().filter(|page| *page != list) {
        for (cited, words) in citations(&read(&page)?) {
            let has_all = |line: &str| words.iter().all(|word| line.contains(word.as_str()));
            if !listed.lines().any(has_all) {
                let name = relative(&page, root);
                problems.push(format!("{name}: `{cited}` is not in docs/src/references.md"));
            }
        }
    }
    Ok(problems)
}

/// Citations, each with what its line in the list of references must have: `paper 4`, and `(Name, 1988)` or
/// `(Name and Name 1988)` with the first name and the year.
fn citations(text: &str) -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    for after in text.split("paper ").skip(1) {
        let number: String = after.chars().take_while(char::is_ascii_digit).collect();
        if !number.is_empty() {
            found.push((format!("paper {number}"), vec![format!("| paper {number} |")]));
        }
    }
    for inner in text.split('(').skip(1).filter_map(|after| after.split_once(')').map(|(inner, _)| inner)) {
        let Some((authors, year)) = inner.rsplit_once([' ', '\n']) else { continue };
        let is_year = year.parse().is_ok_and(|year: u32| (1900..2100).contains(&year));
        let first = authors.split([',', ' ']).next().unwrap_or_default();
        let is_name = first.len() > 3 && first.starts_with(char::is_uppercase) && !first.starts_with("RFC");
        if is_year && is_name {
            found.push((inner.to_owned(), vec![first.to_owned(), year.to_owned()]));
        }
    }
    found
}

/// The targets of `[text](target)`, `![alt](target)` and mdBook's include directive, outside code blocks.
fn link_targets(text: &str) -> Vec<String> {
    let mut targets = Vec::new();
    let mut in_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        if in_code {
            continue;
        }
        let mut rest = line;
        while let Some((_, after)) = rest.split_once("](") {
            let (target, after) = after.split_once(')').unwrap_or((after, ""));
            targets.push(target.to_string());
            rest = after;
        }
        if let Some((_, after)) = line.split_once("{{#include ") {
            targets.extend(after.split_once("}}").map(|(target, _)| target.trim().to_string()));
        }
    }
    targets
}

/// Links to other sites are not followed: a test must not depend on the network.
fn target_exists(page: &Path, target: &str) -> bool {
    if target.contains("://") || target.starts_with("mailto:") {
        return true;
    }
    let path = target.split('#').next().unwrap_or_default();
    path.is_empty() || page.parent().is_some_and(|folder| folder.join(path).exists())
}

fn markdown_under(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    let entries = std::fs::read_dir(folder).map_err(|e| format!("cannot list {}: {e}", folder.display()))?;
    for entry in entries {
        let path = entry.map_err(|e| format!("cannot list {}: {e}", folder.display()))?.path();
        // `docs/book` is what mdBook makes of `docs/src`.
        if path.is_dir() && !path.ends_with("docs/book") {
            found.extend(markdown_under(&path)?);
        } else if path.extension().is_some_and(|e| e == "md") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn read(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|e| format!("cannot read {}: {e}", path.display()))
}

fn relative(path: &Path, root: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_pictures_and_includes_are_found_but_not_those_in_code() {
        let text =
            "See [a](a.md#top) and ![b](b.svg).\n```rust\nlet x = v[0](c.md);\n```\n{{#include d/e.md}}\n";
        assert_eq!(link_targets(text), ["a.md#top", "b.svg", "d/e.md"]);
    }

    #[test]
    fn a_chapter_opens_with_a_picture_and_ends_with_what_is_next() {
        let whole = "# A\n\nWhy.\n\n![a](a.png)\n\n## B\nText.\n\n**Next:** [c](c.md).\n\n[`C`]: c.md\n";
        assert!(lacks(whole).is_empty());
        assert_eq!(lacks(&whole.replace("Why", "| a |")).len(), 1);
        assert_eq!(lacks(&whole.replace("![a](a.png)\n\n## B", "## B\n![a](a.png)")).len(), 1);
        assert_eq!(lacks(&whole.replace("**Next:**", "Then")).len(), 1);
    }

    #[test]
    fn citations_are_found_by_number_and_by_author_and_year() {
        let text = "As in paper 4 §2, V-Clip (Mirtich 1998) and (Gilbert, Johnson and Keerthi, 1988), \
                    not (in 2 s of 1999).";
        let found: Vec<Vec<String>> = citations(text).into_iter().map(|(_, words)| words).collect();
        assert_eq!(found, [vec!["| paper 4 |"], vec!["Mirtich", "1998"], vec!["Gilbert", "1988"]]);
    }

    #[test]
    fn a_link_that_leads_nowhere_is_told_from_one_that_leads_somewhere() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        assert!(target_exists(&here, "src/main.rs#L3"));
        assert!(target_exists(&here, "#section"));
        assert!(!target_exists(&here, "src/absent.rs"));
    }
}
