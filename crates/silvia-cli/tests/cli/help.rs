//! Help texts, as a terminal shows them.

use std::process::Command;

/// Columns of the terminal.
const WIDTH: usize = 72;

#[test]
fn help_texts_fill_the_lines_of_a_narrow_terminal() {
    for command in ["run", "check", "render", "make", "inspect", "resume", "report", "fit"] {
        let mut silvia = Command::new(env!("CARGO_BIN_EXE_silvia"));
        let output = silvia.args([command, "--help"]).env("COLUMNS", WIDTH.to_string()).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for pair in lines.windows(2) {
            // A line that goes on could not have taken the next word.
            let is_text = |line: &str| !line.is_empty() && !line.starts_with([' ', '-']);
            if is_text(pair[0]) && is_text(pair[1]) {
                let next = pair[1].split(' ').next().unwrap();
                let longer = pair[0].chars().count() + 1 + next.chars().count();
                assert!(longer > WIDTH, "{command}: ends too soon: {}", pair[0]);
            }
        }
    }
}

#[test]
fn the_help_of_check_names_every_severity() {
    let mut silvia = Command::new(env!("CARGO_BIN_EXE_silvia"));
    let text = String::from_utf8(silvia.args(["check", "--help"]).output().unwrap().stdout).unwrap();
    for word in ["`error`", "`warning`", "`note`"] {
        assert!(text.contains(word), "{word}");
    }
}
