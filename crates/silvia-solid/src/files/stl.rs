//! STL: tells text from binary, and reads binary.
//!
//! Binary STL: 80 arbitrary bytes, the number of triangles, then 50 bytes for each: normal and three corners
//! in single precision, and 16 bits of attributes. All numbers are little-endian.

use super::error::{At, Fault, FileProblem, Place, is_control};
use super::input::{Input, name};
use super::mesh::Mesh;
use super::{Format, Part, ReadOptions, stl_text};

/// Bytes before the number of triangles.
pub(super) const TITLE: usize = 80;
/// Bytes before the first triangle.
const HEADER: usize = TITLE + 4;
/// Bytes of a triangle.
const RECORD: usize = 50;
/// Offset of the corners in a triangle's bytes.
const CORNERS_AT: usize = 12;
/// Triangles decoded at once; affects speed only.
const BATCH: usize = 4096;
/// How many bytes are examined to tell text from binary.
const SAMPLE: usize = 512;

pub(super) fn read(mut input: Input<'_>, options: &ReadOptions) -> Result<Part, Fault> {
    match kind(&mut input)? {
        Format::StlText => stl_text::read(input, options),
        _ => read_binary(input, options),
    }
}

/// Text or binary. A binary file may begin with `solid`, so the word alone proves nothing. First compare the
/// size with the count, then search the first bytes for some that no text contains. A binary triangle
/// practically always has some: its two attribute bytes are zero.
fn kind(input: &mut Input<'_>) -> Result<Format, Fault> {
    let size = input.size;
    let sample = input.peek(SAMPLE)?;
    let sample = &sample[..sample.len().min(SAMPLE)];
    let exact_size = claimed_triangles(sample).map(|n| HEADER as u64 + RECORD as u64 * u64::from(n));
    if size.is_some() && size == exact_size {
        return Ok(Format::StlBinary);
    }
    if sample.iter().any(|&b| is_control(b)) {
        return Ok(Format::StlBinary);
    }
    let text = sample.strip_prefix(b"\xef\xbb\xbf").unwrap_or(sample).trim_ascii_start();
    if text.len() >= 5 && text[..5].eq_ignore_ascii_case(b"solid") {
        return Ok(Format::StlText);
    }
    Err(FileProblem::WrongFormat { format: "STL", rule: "begins with \"solid\" if it is text" })
        .at(Place::Byte(0))
}

fn claimed_triangles(start: &[u8]) -> Option<u32> {
    start.get(TITLE..HEADER).and_then(|bytes| bytes.try_into().ok()).map(u32::from_le_bytes)
}

fn read_binary(mut input: Input<'_>, options: &ReadOptions) -> Result<Part, Fault> {
    let start = input.peek(HEADER)?;
    let Some(claimed) = claimed_triangles(start) else {
        let place = Place::Byte(start.len() as u64);
        return Err(FileProblem::Cut { expected: "the rest of the header of 84 bytes".to_owned() }).at(place);
    };
    let title = title(&start[..TITLE]);
    input.consume(HEADER);

    let claimed = u64::from(claimed);
    let mut mesh = Mesh::new(options);
    // Reserve only as much as the actual file size justifies.
    let fitting = input.size.map_or(0, |size| size / RECORD as u64);
    mesh.reserve_loose(fitting.min(claimed) as usize);
    let mut found = 0;
    while found < claimed {
        let wanted = (claimed - found).min(BATCH as u64) as usize;
        let Place::Byte(offset) = input.place() else { break };
        let (records, _) = input.peek(wanted * RECORD)?.as_chunks::<RECORD>();
        let records = &records[..records.len().min(wanted)];
        for (i, record) in records.iter().enumerate() {
            let added = mesh.loose_triangle(corners(record));
            added.map_err(|problem| in_record(problem, offset + (i * RECORD) as u64, record))?;
        }
        let got = records.len();
        input.consume(got * RECORD);
        found += got as u64;
        if got < wanted {
            let end = offset + (got * RECORD) as u64 + input.peek(RECORD)?.len() as u64;
            let elements = "triangles".to_owned();
            return Err(FileProblem::EndsEarly { elements, claimed, found }).at(Place::Byte(end));
        }
    }
    if !input.peek(1)?.is_empty() {
        let elements = "triangles".to_owned();
        return Err(FileProblem::Trailing { elements, claimed }).at(input.place());
    }
    Ok(Part { soup: mesh.finish().at(Place::Whole)?, format: Format::StlBinary, name: title })
}

#[inline]
fn corners(record: &[u8; RECORD]) -> [[f64; 3]; 3] {
    let coordinate = |i: usize| {
        let at = CORNERS_AT + 4 * i;
        f64::from(f32::from_le_bytes([record[at], record[at + 1], record[at + 2], record[at + 3]]))
    };
    [0, 3, 6].map(|corner| [0, 1, 2].map(|axis| coordinate(corner + axis)))
}

/// A problem with a triangle: at its first coordinate that is not finite, or else at the triangle.
#[cold]
fn in_record(problem: FileProblem, offset: u64, record: &[u8; RECORD]) -> Fault {
    let bad = corners(record).iter().flatten().position(|x| !x.is_finite());
    let within = bad.map_or(0, |i| CORNERS_AT + 4 * i);
    Fault { place: Place::Byte(offset + within as u64), problem }
}

/// The header as a name, if it is text.
fn title(header: &[u8]) -> Option<String> {
    header.split(|&b| b == 0).next().and_then(name)
}
