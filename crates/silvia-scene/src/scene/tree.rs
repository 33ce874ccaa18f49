//! The values of a scene with their places in the text.

use super::finding::{Finding, Place, Severity};
use std::fmt;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The values of a TOML text with their places.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    root: Node,
    /// Byte offsets of the lines.
    lines: Vec<usize>,
    text: String,
}

/// A value and its byte range.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) span: Range<usize>,
    pub(super) value: Value,
}

#[derive(Clone, Debug)]
pub(super) enum Value {
    Table(Vec<Entry>),
    List(Vec<Node>),
    Text(String),
    /// None if it exceeds 64 bits.
    Integer(Option<i64>),
    Float(f64),
    Boolean,
    Datetime,
}

/// A key of a table and its value.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) span: Range<usize>,
    pub(super) node: Node,
}

/// The path to a value.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Path(Vec<Step>);

#[derive(Clone, Debug, PartialEq)]
enum Step {
    Key(String),
    Index(usize),
}

impl Path {
    pub(super) fn root() -> Path {
        Path::default()
    }

    /// Number of steps.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The path extended by a key.
    pub(super) fn key(&self, key: impl Into<String>) -> Path {
        let mut longer = self.clone();
        longer.0.push(Step::Key(key.into()));
        longer
    }

    /// The path extended by a list index, from 0.
    pub(super) fn index(&self, index: usize) -> Path {
        let mut longer = self.clone();
        longer.0.push(Step::Index(index));
        longer
    }

    /// The last key, if it ends with one.
    pub(super) fn last_key(&self) -> Option<&str> {
        match self.0.last() {
            Some(Step::Key(key)) => Some(key),
            _ => None,
        }
    }

    /// Whether it is at or below another path.
    pub(super) fn is_within(&self, outer: &Path) -> bool {
        self.0.starts_with(&outer.0)
    }

    /// Removes the value at this path. Entries of lists stay: without one, the others would change places.
    pub(super) fn remove_from(&self, table: &mut toml::Table) {
        let [Step::Key(first), rest @ ..] = &self.0[..] else { return };
        let Some((last, between)) = rest.split_last() else {
            table.remove(first);
            return;
        };
        let mut value = table.get_mut(first);
        for step in between {
            value = value.and_then(|value| match step {
                Step::Key(key) => value.get_mut(key.as_str()),
                Step::Index(index) => value.get_mut(*index),
            });
        }
        if let (Some(toml::Value::Table(table)), Step::Key(key)) = (value, last) {
            table.remove(key);
        }
    }
}

impl Tree {
    /// Parses a text; or returns its first syntax error. What is said of the text after it may only follow
    /// from it: a bracket that is not closed makes errors of the lines below.
    pub(super) fn parse(text: &str) -> Result<Tree, Finding> {
        let (table, errors) = DeTable::parse_recoverable(text);
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let root = Node { span: 0..0, value: Value::Table(entries(table.get_ref())) };
        let tree = Tree { root, lines, text: text.to_owned() };
        let first = errors.iter().map(|error| tree.syntax(error)).min_by_key(|finding| finding.place);
        first.map_or(Ok(tree), Err)
    }

    fn syntax(&self, error: &toml::de::Error) -> Finding {
        let told = error.message().trim().replace('\n', "; ");
        let remedy = if told.contains("duplicate key") {
            "remove one of the two"
        } else if error.span().is_some_and(|span| has_decimal_comma(self.line_of(span.start))) {
            "write numbers with a point, as 0.1; or check quotes, brackets and commas here"
        } else if error.span().is_some_and(|span| lacks_commas(self.line_of(span.start))) {
            "separate the numbers of a list with commas, as in [0, 0, 1]"
        } else {
            "check quotes, brackets and commas here and on the lines before"
        };
        Finding {
            severity: Severity::Error,
            place: error.span().map(|span| self.place(span.start)),
            field: String::new(),
            what: format!("this is not TOML: {told}"),
            remedy: remedy.to_owned(),
        }
    }

    pub(super) fn root(&self) -> &Node {
        &self.root
    }

    /// A finding about a value, at its place or, if it is missing, at the place of its nearest parent.
    pub(super) fn finding(&self, severity: Severity, path: &Path, what: String, remedy: String) -> Finding {
        let span = self.nearest(path);
        Finding {
            severity,
            place: span.map(|span| self.place(span.start)),
            field: self.words(path),
            what,
            remedy,
        }
    }

    /// The same, at the key rather than the value.
    pub(super) fn finding_at(
        &self,
        span: &Range<usize>,
        path: &Path,
        what: String,
        remedy: String,
    ) -> Finding {
        let place = Some(self.place(span.start));
        Finding { severity: Severity::Error, place, field: self.words(path), what, remedy }
    }

    /// The number of the line that a byte is in, counted from 1.
    fn line_number(&self, byte: usize) -> usize {
        self.lines.partition_point(|&start| start <= byte).max(1)
    }

    /// The whole line that a byte is in.
    fn line_of(&self, byte: usize) -> &str {
        let rest = self.text.get(self.lines[self.line_number(byte) - 1]..).unwrap_or_default();
        rest.lines().next().unwrap_or_default()
    }

    /// Line and column of a byte.
    fn place(&self, byte: usize) -> Place {
        let line = self.line_number(byte);
        let before = self.text.get(self.lines[line - 1]..byte).unwrap_or_default();
        Place { line, column: 1 + before.chars().count() }
    }

    /// The byte range of the value, or of its nearest existing parent.
    fn nearest(&self, path: &Path) -> Option<Range<usize>> {
        let mut node = &self.root;
        let mut span = None;
        for step in &path.0 {
            match node.child(step) {
                Some(child) => {
                    node = child;
                    span = Some(node.span.clone());
                }
                None => break,
            }
        }
        span
    }

    /// The path in words: list entries by their name, or by their number from 1.
    fn words(&self, path: &Path) -> String {
        let mut node = Some(&self.root);
        let mut words = String::new();
        for step in &path.0 {
            node = node.and_then(|node| node.child(step));
            match step {
                Step::Key(key) if words.is_empty() => words.push_str(key),
                Step::Key(key) => words.push_str(&format!(".{key}")),
                Step::Index(index) => match node.and_then(Node::name) {
                    Some(name) => words.push_str(&format!("[{name}]")),
                    None => words.push_str(&format!("[#{}]", index + 1)),
                },
            }
        }
        words
    }
}

impl Node {
    /// A number as it would be written; a mark in place of anything else.
    pub(super) fn number(&self) -> String {
        match self.value {
            Value::Integer(Some(number)) => number.to_string(),
            Value::Float(number) => number.to_string(),
            _ => "…".to_owned(),
        }
    }

    fn child(&self, step: &Step) -> Option<&Node> {
        match (&self.value, step) {
            (Value::Table(entries), Step::Key(key)) => {
                entries.iter().find(|entry| entry.key == *key).map(|entry| &entry.node)
            }
            (Value::List(nodes), Step::Index(index)) => nodes.get(*index),
            _ => None,
        }
    }

    /// The `name` of a table, if it can be shown.
    fn name(&self) -> Option<&str> {
        match self.child(&Step::Key("name".to_owned())) {
            Some(Node { value: Value::Text(name), .. })
                if !name.trim().is_empty() && name.len() <= 60 && !name.contains(char::is_control) =>
            {
                Some(name)
            }
            _ => None,
        }
    }
}

impl fmt::Display for Value {
    /// The type in words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Value::Table(_) => "a table",
            Value::List(_) => "a list",
            Value::Text(_) => "a string",
            Value::Integer(_) => "a whole number",
            Value::Float(_) => "a number",
            Value::Boolean => "a boolean",
            Value::Datetime => "a date",
        })
    }
}

fn entries(table: &DeTable<'_>) -> Vec<Entry> {
    let entry = |(key, value): (&Spanned<_>, &Spanned<DeValue<'_>>)| {
        let key: &Spanned<std::borrow::Cow<'_, str>> = key;
        Entry { key: key.get_ref().to_string(), span: key.span(), node: node(value) }
    };
    table.iter().map(entry).collect()
}

fn node(value: &Spanned<DeValue<'_>>) -> Node {
    let inner = match value.get_ref() {
        DeValue::Table(table) => Value::Table(entries(table)),
        DeValue::Array(list) => Value::List(list.iter().map(node).collect()),
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(number) => Value::Integer(i64::from_str_radix(number.as_str(), number.radix()).ok()),
        // The parser accepts nothing else.
        DeValue::Float(number) => Value::Float(number.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(_) => Value::Boolean,
        DeValue::Datetime(_) => Value::Datetime,
    };
    Node { span: value.span(), value: inner }
}

/// Whether a line has a list of numbers with blanks between them, as some programs have it: `[0 0 1]`.
fn lacks_commas(line: &str) -> bool {
    let list = line.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
    list.is_some_and(|(list, _)| {
        let words: Vec<&str> = list.split_whitespace().collect();
        let is_apart =
            words.split_last().is_some_and(|(_, rest)| rest.iter().any(|word| !word.ends_with(',')));
        is_apart && words.iter().all(|word| word.trim_end_matches(',').parse::<f64>().is_ok())
    })
}

/// Whether a line has a value like `0,1` that is not in a list.
fn has_decimal_comma(line: &str) -> bool {
    let is_digit = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_digit());
    line.split('=').skip(1).map(str::trim_start).filter(|value| !value.starts_with('[')).any(|value| {
        let comma = value.split_once(',');
        comma.is_some_and(|(before, after)| {
            before.parse::<f64>().is_ok() && is_digit(before.chars().last()) && is_digit(after.chars().next())
        })
    })
}
