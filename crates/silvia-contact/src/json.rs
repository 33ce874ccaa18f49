//! Contact problems as JSON: `name`, `contacts`, `mu`, `q`, and `W` as coordinate lists `rows`, `cols`,
//! `vals`.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::problem::{ContactProblem, ProblemError};

/// A contact problem with its name.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedProblem {
    /// Its name, for people to read.
    pub name: String,
    /// The problem.
    pub problem: ContactProblem,
}

/// Why text is not a contact problem.
#[derive(Debug, Error)]
pub enum JsonError {
    /// The text is not JSON, or a field is missing or of another type.
    #[error("not a contact problem in JSON: {0}")]
    Syntax(#[from] serde_json::Error),
    /// A value is one of the words that some programs write for numbers that are not finite.
    #[error(
        "not a contact problem in JSON: `{entry}` is {word} (line {line}), but every value must be a finite \
         number"
    )]
    NotFinite {
        /// The list and the position in it, such as `q[0]`.
        entry: String,
        /// The word found.
        word: &'static str,
        /// Line in the text, from 1.
        line: usize,
    },
    /// The numbers do not make a problem.
    #[error("contact problem `{name}`: {source}")]
    Problem {
        /// The name in the file.
        name: String,
        /// What is wrong.
        source: ProblemError,
    },
}

/// Reads a problem from JSON text.
pub fn from_json(text: &str) -> Result<NamedProblem, JsonError> {
    let file: File = match serde_json::from_str(text) {
        Ok(file) => file,
        Err(error) => return Err(first_not_finite(text).unwrap_or(JsonError::Syntax(error))),
    };
    let name = file.name;
    let contacts = file.contacts;
    if file.mu.len() != contacts {
        let (found, needed) = (file.mu.len(), contacts);
        let source = ProblemError::WrongLength { list: "mu", found, needed, contacts };
        return Err(JsonError::Problem { name, source });
    }
    match ContactProblem::from_triplets(&file.w.rows, &file.w.cols, &file.w.vals, file.q, file.mu) {
        Ok(problem) => Ok(NamedProblem { name, problem }),
        Err(source) => Err(JsonError::Problem { name, source }),
    }
}

/// Writes a problem as JSON text that [`from_json`] reads back to the same bits.
pub fn to_json(named: &NamedProblem) -> Result<String, JsonError> {
    let problem = &named.problem;
    let mut w = Triplets { rows: Vec::new(), cols: Vec::new(), vals: Vec::new() };
    for (row, column, value) in problem.w().triplets() {
        w.rows.push(row);
        w.cols.push(column);
        w.vals.push(value);
    }
    let file = File {
        name: named.name.clone(),
        contacts: problem.contacts(),
        mu: problem.mu().to_vec(),
        q: problem.q().to_vec(),
        w,
    };
    Ok(serde_json::to_string(&file)?)
}

/// The words that programs write for numbers that JSON does not have; longer ones first.
const WORDS: [&str; 6] = ["-Infinity", "Infinity", "-NaN", "NaN", "-inf", "nan"];

/// The first entry of a list that is such a word, where there is one. Only text that is no JSON gets here, so
/// this follows just strings, keys, brackets and commas.
fn first_not_finite(text: &str) -> Option<JsonError> {
    let (mut key, mut list) = (String::new(), String::new());
    let (mut position, mut line) = (0, 1);
    let mut in_list = false;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        match first {
            '"' => {
                let end = rest[1..].find('"')?;
                key = rest[1..=end].to_string();
                rest = &rest[end + 2..];
                continue;
            }
            '[' => {
                (list, position, in_list) = (key.clone(), 0, true);
            }
            ']' => in_list = false,
            ',' if in_list => position += 1,
            '\n' => line += 1,
            _ => {
                if let Some(word) = WORDS.into_iter().find(|word| rest.starts_with(word)) {
                    let entry = if in_list { format!("{list}[{position}]") } else { key };
                    return Some(JsonError::NotFinite { entry, word, line });
                }
            }
        }
        rest = &rest[first.len_utf8()..];
    }
    None
}

#[derive(Serialize, Deserialize)]
struct File {
    name: String,
    contacts: usize,
    mu: Vec<f64>,
    q: Vec<f64>,
    #[serde(rename = "W")]
    w: Triplets,
}

#[derive(Serialize, Deserialize)]
struct Triplets {
    rows: Vec<usize>,
    cols: Vec<usize>,
    vals: Vec<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = r#"{"name":"one","contacts":1,"mu":[0.7],"q":[-1.5,0.1,0.30000000000000004],
        "W":{"rows":[0,1,2,0],"cols":[0,1,2,1],"vals":[1.0,2.0,3.0,0.1]}}"#;

    #[test]
    fn what_is_written_reads_back_to_the_same_bits() {
        let named = from_json(ONE).unwrap();
        assert_eq!(named.problem.w().diagonal(0)[1], 0.1);
        assert_eq!(from_json(&to_json(&named).unwrap()).unwrap(), named);
    }

    #[test]
    fn broken_files_are_refused_with_the_reason() {
        let broken = |from: &str, to: &str| from_json(&ONE.replace(from, to)).unwrap_err().to_string();
        assert!(broken("{\"name\"", "name").contains("line 1"), "position given");
        assert!(broken("\"mu\":[0.7],", "").contains("missing field `mu`"));
        assert!(broken("[0.7]", "[-0.7]").contains("`mu`[0] is -0.7"));
        assert!(broken("[0.7]", "[0.7,0.7]").contains("`mu` has 2 values but 1 contacts need 1"));
        assert!(broken("-1.5,", "").contains("`q` has 2 values"));
        assert!(broken("[0,1,2,0]", "[0,1,3,0]").contains("W entry 2 is at row 3"));
        assert!(broken("[0,1,2,1]", "[0,1,2]").contains("4 rows, 3 cols and 4 vals"));
        assert!(broken("-1.5", "NaN").contains("`q[0]` is NaN (line 1)"), "{}", broken("-1.5", "NaN"));
        assert!(broken("0.30000000000000004", "-Infinity").contains("`q[2]` is -Infinity"));
        assert!(broken("[1.0,2.0,3.0", "[1.0,2.0,NaN").contains("`vals[2]` is NaN (line 2)"));
        assert!(broken("[0.7]", "NaN").contains("`mu` is NaN"));
        // A word within a name is none; what is wrong is then the syntax.
        assert!(broken("\"one\",", "\"NaN\"").contains("line 1 column"));
        assert!(broken("-1.5", "1e999").contains("number out of range"));
        assert!(broken("[0,1,2,1]", "[0,1,2,-1]").contains("invalid value"));
    }
}
