//! The header of a PLY file: the elements that follow, the number of each, and their properties.

use super::Format;
use super::error::{At, Fault, FileProblem, Place};
use super::input::{self, Input, Words};

/// The most elements, and properties per element, in a header: far beyond any genuine one.
const MAX_ENTRIES: usize = 256;

/// The content of the header.
pub(super) struct Header {
    pub(super) format: Format,
    pub(super) elements: Vec<Element>,
}

/// A number of records with the same properties.
pub(super) struct Element {
    pub(super) name: String,
    pub(super) count: u64,
    pub(super) properties: Vec<Property>,
}

/// A property of every record of an element.
pub(super) struct Property {
    pub(super) name: String,
    /// The type of the list's length, if this is a list.
    pub(super) list: Option<Scalar>,
    /// The type of the number, or of the list's items.
    pub(super) scalar: Scalar,
}

/// A number type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Scalar {
    pub(super) fn size(self) -> usize {
        match self {
            Scalar::I8 | Scalar::U8 => 1,
            Scalar::I16 | Scalar::U16 => 2,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::F64 => 8,
        }
    }

    pub(super) fn is_whole(self) -> bool {
        !matches!(self, Scalar::F32 | Scalar::F64)
    }

    fn named(name: &[u8]) -> Result<Scalar, FileProblem> {
        Ok(match name {
            b"char" | b"int8" => Scalar::I8,
            b"uchar" | b"uint8" => Scalar::U8,
            b"short" | b"int16" => Scalar::I16,
            b"ushort" | b"uint16" => Scalar::U16,
            b"int" | b"int32" => Scalar::I32,
            b"uint" | b"uint32" => Scalar::U32,
            b"float" | b"float32" => Scalar::F32,
            b"double" | b"float64" => Scalar::F64,
            _ => return Err(FileProblem::unexpected("a type such as \"float\" or \"int\"", name)),
        })
    }
}

/// Reads the header, up to and including `end_header`.
pub(super) fn read(input: &mut Input<'_>) -> Result<Header, Fault> {
    match input.next_line()? {
        Some(line) if line.text == b"ply" => {}
        _ => {
            let rule = "begins with a line \"ply\"";
            return Err(FileProblem::WrongFormat { format: "PLY", rule }).at(Place::Line(1));
        }
    }
    let mut format = None;
    let mut elements = Vec::new();
    loop {
        let end = input.last_line();
        let Some(line) = input.next_filled_line()? else {
            return Err(FileProblem::Cut { expected: "\"end_header\"".to_owned() }).at(end);
        };
        let mut words = Words::of(line.text);
        let place = Place::Line(line.number);
        match words.next().unwrap_or_default() {
            b"comment" | b"obj_info" => {}
            b"format" => format = Some(format_named(words.rest()).at(place)?),
            b"element" => add_element(&mut elements, words).at(place)?,
            b"property" => add_property(&mut elements, words).at(place)?,
            b"end_header" => {
                let format =
                    format.ok_or_else(|| FileProblem::unexpected("a line \"format\" before", line.text));
                return Ok(Header { format: format.at(place)?, elements });
            }
            _ => return Err(FileProblem::unexpected("a statement of a PLY header", line.text)).at(place),
        }
    }
}

fn format_named(rest: &[u8]) -> Result<Format, FileProblem> {
    let mut words = Words::of(rest);
    match (words.next().unwrap_or_default(), words.rest()) {
        (b"ascii", b"1.0") => Ok(Format::PlyText),
        (b"binary_little_endian", b"1.0") => Ok(Format::PlyBinary),
        (b"binary_big_endian", b"1.0") => Ok(Format::PlyBinaryBig),
        _ => Err(FileProblem::unexpected(
            "\"ascii 1.0\", \"binary_little_endian 1.0\" or \"binary_big_endian 1.0\"",
            rest,
        )),
    }
}

fn add_element(elements: &mut Vec<Element>, mut words: Words<'_>) -> Result<(), FileProblem> {
    let line = words.rest();
    let name = words.next().unwrap_or_default();
    let count = std::str::from_utf8(words.rest()).ok().and_then(|text| text.parse().ok());
    let Some(count) = count else {
        return Err(FileProblem::unexpected("a name and how many there are", line));
    };
    let name = new_name(elements.iter().map(|e| &e.name), name, line)?;
    elements.push(Element { name, count, properties: Vec::new() });
    Ok(())
}

fn add_property(elements: &mut [Element], mut words: Words<'_>) -> Result<(), FileProblem> {
    let line = words.rest();
    let Some(element) = elements.last_mut() else {
        return Err(FileProblem::unexpected("an \"element\" before its properties", line));
    };
    let first = words.next().unwrap_or_default();
    let (list, scalar) = if first == b"list" {
        let length = Scalar::named(words.next().unwrap_or_default())?;
        if !length.is_whole() {
            return Err(FileProblem::unexpected("a type of whole numbers for the list's length", line));
        }
        (Some(length), Scalar::named(words.next().unwrap_or_default())?)
    } else {
        (None, Scalar::named(first)?)
    };
    let name = new_name(element.properties.iter().map(|p| &p.name), words.rest(), line)?;
    element.properties.push(Property { name, list, scalar });
    Ok(())
}

/// Reads the name of a new element or property; refuses duplicates.
fn new_name<'a>(
    mut others: impl ExactSizeIterator<Item = &'a String>,
    name: &[u8],
    line: &[u8],
) -> Result<String, FileProblem> {
    let Some(name) = input::name(name) else {
        return Err(FileProblem::unexpected("a name", line));
    };
    if others.len() >= MAX_ENTRIES {
        let what = format!("a header with more than {MAX_ENTRIES} elements, or properties of one");
        return Err(FileProblem::Unsupported { what, advice: "export the part with fewer" });
    }
    if others.any(|other| *other == name) {
        return Err(FileProblem::unexpected("a name that is not taken", line));
    }
    Ok(name)
}
