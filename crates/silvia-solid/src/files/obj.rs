//! OBJ: `v` gives a vertex. `f` gives a face by vertex numbers, counted from 1 or, if negative, back from the
//! last.
//!
//! A line that ends in `\` continues on the next one. Vertices must come before the faces that name them. Of
//! a vertex only the three coordinates are read, not the weight or colour after them; of a face's corner only
//! the vertex, not texture and normal. Other statements are skipped, except those that would add geometry.

use super::error::{At, Fault, FileProblem, Place};
use super::input::{Input, MAX_LINE, Words, name, three_numbers, whole_number};
use super::mesh::Mesh;
use super::{Format, Part, ReadOptions};

pub(super) fn read(mut input: Input<'_>, options: &ReadOptions) -> Result<Part, Fault> {
    input.skip_byte_order_mark()?;
    let mut reader = Reader { mesh: Mesh::new(options), name: None, corners: Vec::new() };
    let mut joined = Vec::new();
    while let Some(line) = input.next_filled_line()? {
        let place = Place::Line(line.number);
        match continued(line.text) {
            None => reader.statement(line.text).at(place)?,
            Some(start) => {
                joined.clear();
                joined.extend_from_slice(start);
                join_continuation(&mut input, &mut joined)
                    .and_then(|()| reader.statement(&joined).at(place))?;
            }
        }
    }
    Ok(Part { soup: reader.mesh.finish().at(Place::Whole)?, format: Format::Obj, name: reader.name })
}

/// The line without its `\`, if it continues on the next one.
#[inline]
fn continued(line: &[u8]) -> Option<&[u8]> {
    line.trim_ascii_end().strip_suffix(b"\\")
}

/// Appends the lines that follow, up to and including the first that does not end in `\`.
fn join_continuation(input: &mut Input<'_>, joined: &mut Vec<u8>) -> Result<(), Fault> {
    loop {
        let end = input.last_line();
        let Some(line) = input.next_line()? else {
            return Err(FileProblem::Cut { expected: "the line that \"\\\" announces".to_owned() }).at(end);
        };
        let part = continued(line.text);
        joined.push(b' ');
        joined.extend_from_slice(part.unwrap_or(line.text));
        if joined.len() > MAX_LINE {
            return Err(FileProblem::LineTooLong { limit: MAX_LINE }).at(Place::Line(line.number));
        }
        if part.is_none() {
            return Ok(());
        }
    }
}

struct Reader {
    mesh: Mesh,
    name: Option<String>,
    /// Corners of the current face, kept to save allocations.
    corners: Vec<u32>,
}

impl Reader {
    #[inline]
    fn statement(&mut self, line: &[u8]) -> Result<(), FileProblem> {
        let mut words = Words::of(line);
        match words.next().unwrap_or_default() {
            b"v" => three_numbers(&mut words).and_then(|raw| self.mesh.vertex(raw)),
            b"f" | b"fo" => self.face(words),
            b"o" => {
                self.name = self.name.take().or_else(|| name(words.rest()));
                Ok(())
            }
            other => skip(other, line),
        }
    }

    #[inline]
    fn face(&mut self, words: Words<'_>) -> Result<(), FileProblem> {
        self.corners.clear();
        for word in words.take_while(|word| word[0] != b'#') {
            self.corners.push(vertex_of(word, self.mesh.point_count())?);
        }
        self.mesh.face(&self.corners)
    }
}

/// Skips a statement. Refuses text that is not a statement, and statements whose geometry would be lost.
fn skip(keyword: &[u8], line: &[u8]) -> Result<(), FileProblem> {
    let unsupported = |advice| {
        let what = format!("the statement \"{}\"", keyword.escape_ascii());
        Err(FileProblem::Unsupported { what, advice })
    };
    match keyword {
        b"surf" | b"curv" => unsupported("export the part as triangles or polygons"),
        b"call" | b"csh" => unsupported("put all of the part into one file"),
        // Only blanks remain of a line whose continuation is blank.
        [] | [b'#', ..] => Ok(()),
        [b'a'..=b'z' | b'A'..=b'Z', rest @ ..]
            if rest.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_') =>
        {
            Ok(())
        }
        _ => Err(FileProblem::unexpected("a statement such as \"v\" or \"f\"", line)),
    }
}

/// The vertex that a corner `v`, `v/vt`, `v//vn` or `v/vt/vn` names, counted from 0.
#[inline]
fn vertex_of(word: &[u8], vertices: usize) -> Result<u32, FileProblem> {
    let mut parts = word.split(|&b| b == b'/');
    let index = parts.next().unwrap_or_default();
    let index = whole_number(index).map_err(|_| not_a_corner(word))?;
    let is_number = |part: &[u8]| part.is_empty() || whole_number(part).is_ok();
    if !parts.by_ref().take(2).all(is_number) || parts.next().is_some() {
        return Err(not_a_corner(word));
    }
    let from_zero = if index > 0 { index - 1 } else { (vertices as i64).saturating_add(index) };
    match u32::try_from(from_zero) {
        Ok(vertex) if index != 0 && (vertex as usize) < vertices => Ok(vertex),
        _ => Err(FileProblem::Index { index, vertices, first: 1 }),
    }
}

#[cold]
fn not_a_corner(word: &[u8]) -> FileProblem {
    FileProblem::unexpected("a corner like 1, 1/2, 1//3 or 1/2/3", word)
}
