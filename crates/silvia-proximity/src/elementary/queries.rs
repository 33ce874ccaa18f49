//! Files of moving pairs, one a line: `kind,label,` and 24 numbers.

use super::{Kind, MovingPair};
use silvia_solid::Vec3;

/// Fields of a line: kind, label, and 8 points of 3 coordinates.
const FIELDS: usize = 26;

/// One query from a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Query {
    /// What is asked about.
    pub pair: MovingPair,
    /// Whether it touches, if the file says so.
    pub label: Option<bool>,
}

/// What is wrong with a file of queries. Lines and columns (fields) count from 1.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// A line has too few or too many fields.
    #[error(
        "line {line}, column {}: there are {found} fields but a query has 26: \
         give `vf` or `ee`, the label, and 8 points of 3 coordinates, all with commas between",
        (*found + 1).min(27)
    )]
    Fields {
        /// Where.
        line: usize,
        /// How many there are.
        found: usize,
    },
    /// The first field is no kind.
    #[error(
        "line {line}, column 1: `{found}` is not a kind of query: write `vf` (vertex-face) or `ee` \
         (edge-edge)"
    )]
    Kind {
        /// Where.
        line: usize,
        /// What is there.
        found: String,
    },
    /// The second field is no label.
    #[error(
        "line {line}, column 2: `{found}` is not a label: write 1 if the pair touches, 0 if not, or nothing \
         if that is not known"
    )]
    Label {
        /// Where.
        line: usize,
        /// What is there.
        found: String,
    },
    /// A coordinate is not a finite number.
    #[error("line {line}, column {column}: `{found}` is not a coordinate: write a finite number")]
    Coordinate {
        /// Where.
        line: usize,
        /// The field.
        column: usize,
        /// What is there.
        found: String,
    },
    /// There is no query.
    #[error("there is no query: a file has one a line, `kind,label,` and 24 numbers")]
    Empty,
}

/// Reads queries from text. Each line holds `vf` or `ee`, the label (1, 0, or empty if unknown), then the
/// points at the start and the points at the end, numbered as in [`Kind`]. Empty lines and lines that begin
/// with `#` are skipped.
pub fn read_queries(text: &str) -> Result<Vec<Query>, QueryError> {
    let queries = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
        .map(|(at, line)| query(line, at + 1))
        .collect::<Result<Vec<Query>, QueryError>>()?;
    if queries.is_empty() { Err(QueryError::Empty) } else { Ok(queries) }
}

fn query(text: &str, line: usize) -> Result<Query, QueryError> {
    let fields: Vec<&str> = text.split(',').map(str::trim).collect();
    let kind = match fields[0] {
        "vf" => Kind::VertexFace,
        "ee" => Kind::EdgeEdge,
        other => return Err(QueryError::Kind { line, found: other.into() }),
    };
    if fields.len() != FIELDS {
        return Err(QueryError::Fields { line, found: fields.len() });
    }
    let label = match fields[1] {
        "1" => Some(true),
        "0" => Some(false),
        "" => None,
        other => return Err(QueryError::Label { line, found: other.into() }),
    };
    let mut points = [[0.0; 3]; 8];
    for (i, field) in fields[2..].iter().enumerate() {
        points[i / 3][i % 3] = field
            .parse()
            .ok()
            .filter(|x: &f64| x.is_finite())
            .ok_or_else(|| QueryError::Coordinate { line, column: i + 3, found: (*field).into() })?;
    }
    let four = |from: usize| std::array::from_fn(|i| Vec3::from(points[from + i]));
    Ok(Query { pair: MovingPair { kind, start: four(0), end: four(4) }, label })
}
