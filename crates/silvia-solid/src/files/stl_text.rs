//! Text STL: `facet`, `outer loop`, three times `vertex`, `endloop`, `endfacet`, between `solid` and
//! `endsolid`.
//!
//! One statement per line, in upper or lower case. Normals are not read: the order of the corners gives them.
//! Several solids in one file become one soup.

use super::error::{At, Fault, FileProblem, Place};
use super::input::{Input, Line, Words, name, three_numbers};
use super::mesh::Mesh;
use super::{Format, Part, ReadOptions};

pub(super) fn read(mut input: Input<'_>, options: &ReadOptions) -> Result<Part, Fault> {
    input.skip_byte_order_mark()?;
    let mut mesh = Mesh::new(options);
    let mut title = None;
    let mut is_first = true;
    while let Some(line) = input.next_filled_line()? {
        let mut words = Words::of(line.text);
        take(&mut words, &["solid"]).at(Place::Line(line.number))?;
        if is_first {
            title = name(words.rest());
            is_first = false;
        }
        read_solid(&mut input, &mut mesh)?;
    }
    Ok(Part { soup: mesh.finish().at(Place::Whole)?, format: Format::StlText, name: title })
}

/// Reads facets up to and including `endsolid`.
fn read_solid(input: &mut Input<'_>, mesh: &mut Mesh) -> Result<(), Fault> {
    loop {
        let (line, mut words) = statement(input, "\"facet\" or \"endsolid\"")?;
        let keyword = words.next().unwrap_or_default();
        if keyword.eq_ignore_ascii_case(b"endsolid") {
            return Ok(());
        }
        if !keyword.eq_ignore_ascii_case(b"facet") {
            let problem = FileProblem::unexpected("\"facet\" or \"endsolid\"", line.text);
            return Err(problem).at(Place::Line(line.number));
        }
        read_facet(input, mesh)?;
    }
}

/// Reads the rest of a facet, after the word `facet`.
fn read_facet(input: &mut Input<'_>, mesh: &mut Mesh) -> Result<(), Fault> {
    expect(input, &["outer", "loop"])?;
    let mut corners = [[0.0; 3]; 3];
    let mut lines = [0; 3];
    for (corner, number) in corners.iter_mut().zip(&mut lines) {
        let (line, mut words) = statement(input, "\"vertex\"")?;
        *number = line.number;
        *corner = take(&mut words, &["vertex"])
            .and_then(|()| three_numbers(&mut words))
            .and_then(|numbers| nothing_more(&words).map(|()| numbers))
            .at(Place::Line(line.number))?;
    }
    // Blame the line of the first corner that is not finite, if there is one.
    let bad = corners.iter().position(|c| c.iter().any(|x| !x.is_finite())).unwrap_or_default();
    mesh.loose_triangle(corners).at(Place::Line(lines[bad]))?;
    expect(input, &["endloop"])?;
    expect(input, &["endfacet"])
}

/// Requires the next line to be exactly these words.
fn expect(input: &mut Input<'_>, expected: &[&str]) -> Result<(), Fault> {
    let (line, mut words) = statement(input, expected[0])?;
    take(&mut words, expected).and_then(|()| nothing_more(&words)).at(Place::Line(line.number))
}

/// The next line that is not blank; an error if there is none.
fn statement<'a>(input: &'a mut Input<'_>, expected: &str) -> Result<(Line<'a>, Words<'a>), Fault> {
    let end = input.last_line();
    match input.next_filled_line()? {
        Some(line) => Ok((line, Words::of(line.text))),
        None => Err(FileProblem::Cut { expected: expected.to_owned() }).at(end),
    }
}

fn take(words: &mut Words<'_>, expected: &[&str]) -> Result<(), FileProblem> {
    let line = words.rest();
    for &keyword in expected {
        if !words.next().unwrap_or_default().eq_ignore_ascii_case(keyword.as_bytes()) {
            return Err(FileProblem::unexpected(format!("\"{}\"", expected.join(" ")), line));
        }
    }
    Ok(())
}

fn nothing_more(words: &Words<'_>) -> Result<(), FileProblem> {
    if words.rest().is_empty() {
        Ok(())
    } else {
        Err(FileProblem::unexpected("the end of the line", words.rest()))
    }
}
