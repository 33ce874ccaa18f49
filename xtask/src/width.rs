//! Lines of source within the width that `rustfmt.toml` sets. rustfmt leaves comments, strings, attributes
//! and macros alone, so they are looked at here.

use crate::{Failure, command};
use std::path::Path;
use std::process::Command;

/// Columns, one a character: `max_width` of `rustfmt.toml`.
const WIDTH: usize = 110;

/// Fails if a Rust file that git knows has a line that is too long, and names each such line.
pub(crate) fn check() -> Result<(), Failure> {
    let root = command::root();
    let files = command::output(Command::new("git").current_dir(&root).args(["ls-files", "*.rs"]))?;
    let mut found = Vec::new();
    // A file that git knows and that is gone is a deletion not yet committed.
    for file in files.lines().filter(|file| Path::new(&root).join(file).exists()) {
        let text =
            std::fs::read_to_string(root.join(file)).map_err(|e| format!("cannot read {file}: {e}"))?;
        found.extend(too_long(&text).into_iter().map(|(line, width)| format!("{file}:{line}: {width}")));
    }
    if found.is_empty() {
        return Ok(());
    }
    Err(format!("longer than {WIDTH} columns, break these lines:\n{}", found.join("\n")))
}

/// The number, from 1, and the width of each line that is too long and could be broken.
fn too_long(text: &str) -> Vec<(usize, usize)> {
    (text.lines().enumerate())
        .map(|(index, line)| (index + 1, line.chars().count(), line))
        .filter(|&(_, width, line)| width > WIDTH && !is_unbreakable(line))
        .map(|(number, width, _)| (number, width))
        .collect()
}

/// A row of a table in a doc comment, or a line that is one word but for its indentation and comment mark: a
/// URL, a literal.
fn is_unbreakable(line: &str) -> bool {
    let line = line.trim();
    let comment = ["///", "//!", "//"].iter().find_map(|mark| line.strip_prefix(mark));
    let content = comment.unwrap_or(line).trim();
    let is_row = !line.starts_with("// ") && comment.is_some() && content.starts_with('|');
    (is_row && content.ends_with('|')) || !content.contains(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_too_long_from_one_column_beyond_the_width_on() {
        let [fits, exceeds] = [105, 106].map(|letters| format!("let {};", "x".repeat(letters)));
        assert_eq!([fits.len(), exceeds.len()], [110, 111]);
        assert_eq!(too_long(&format!("{fits}\n{exceeds}\n{fits}\n")), [(2, 111)]);
    }

    #[test]
    fn columns_are_characters_not_bytes() {
        assert_eq!(too_long(&format!("// {}", "µ ".repeat(50))), []);
        assert_eq!(too_long(&format!("// {}µ", "µ ".repeat(54))), [(1, 112)]);
    }

    #[test]
    fn rows_of_doc_tables_may_be_long_and_other_lines_with_bars_may_not() {
        let row = format!("| {} |", "word ".repeat(30));
        assert_eq!(too_long(&format!("/// {row}\n    //! {row}")), []);
        for line in [row.clone(), format!("// {row}"), format!("/// a {row}"), format!("/// {row} end")] {
            assert_eq!(too_long(&line).len(), 1, "{line}");
        }
    }

    #[test]
    fn a_single_word_may_be_long() {
        let word = "x".repeat(120);
        assert_eq!(too_long(&format!("/// https://{word}\n    // {word}\n        \"{word}\",\n")), []);
        assert_eq!(too_long(&format!("/// see https://{word}")).len(), 1);
    }

    #[test]
    fn the_width_is_that_of_rustfmt() {
        let settings = std::fs::read_to_string(command::root().join("rustfmt.toml")).unwrap();
        assert!(settings.lines().any(|line| line == format!("max_width = {WIDTH}")), "{settings}");
    }
}
