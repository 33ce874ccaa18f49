//! What all commands share: help texts that fill the terminal, whatever its width, and negative numbers.

use clap::Command;

/// Takes a number below 0 for the value of an option, so that it is answered as one; it would be taken for an
/// option of its own.
pub(crate) fn with_negative_numbers(command: Command) -> Command {
    let takes = |arg: clap::Arg| {
        if arg.get_action().takes_values() && !arg.is_positional() {
            arg.allow_negative_numbers(true)
        } else {
            arg
        }
    };
    command.mut_args(takes).mut_subcommands(with_negative_numbers)
}

/// Takes the line breaks out of the paragraphs after the options, here and in all subcommands: the terminal's
/// width decides where lines end. Broken twice, they would be ragged.
pub(crate) fn unfolded(command: Command) -> Command {
    let text = command.get_after_help().map(|text| paragraphs(&text.to_string()));
    let command = match text {
        Some(text) => command.after_help(text),
        None => command,
    };
    command.mut_subcommands(unfolded)
}

/// Joins lines that go on; those that are indented stand for themselves, as examples do.
fn paragraphs(text: &str) -> String {
    let mut joined = String::new();
    let mut goes_on = false;
    for line in text.lines() {
        let is_text = !line.is_empty() && !line.starts_with(' ');
        if goes_on && is_text {
            joined.push(' ');
        } else if !joined.is_empty() {
            joined.push('\n');
        }
        joined.push_str(line);
        goes_on = is_text;
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::paragraphs;

    #[test]
    fn lines_of_a_paragraph_are_joined_and_examples_are_not() {
        let text = "Examples:\n  silvia a\n  silvia b\n\nOne line\nand its end.\n\nAnother.";
        assert_eq!(
            paragraphs(text),
            "Examples:\n  silvia a\n  silvia b\n\nOne line and its end.\n\nAnother."
        );
    }
}
