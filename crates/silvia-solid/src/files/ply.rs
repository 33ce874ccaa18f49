//! PLY: a header that describes the content, then vertices and faces as text or binary.
//!
//! Read are the properties `x`, `y` and `z` of the element `vertex` and the list `vertex_indices` (or
//! `vertex_index`) of `face`, in any number type. Other properties and elements are skipped. Vertices must
//! come before faces.

use super::error::{At, Fault, FileProblem, Place};
use super::input::Input;
use super::mesh::Mesh;
use super::ply_body::{BinaryBody, Body, Stop, TextBody};
use super::ply_header::{self, Element, Header, Property};
use super::{Format, MAX_CORNERS, Part, ReadOptions};

pub(super) fn read(mut input: Input<'_>, options: &ReadOptions) -> Result<Part, Fault> {
    let header = ply_header::read(&mut input)?;
    let header_end = input.last_line();
    let jobs: Vec<Job> = header.elements.iter().map(Job::of).collect::<Result<_, _>>().at(header_end)?;
    let mut mesh = Mesh::new(options);
    match header.format {
        Format::PlyBinary => read_elements(BinaryBody::<false>::new(input), &header, &jobs, &mut mesh)?,
        Format::PlyBinaryBig => read_elements(BinaryBody::<true>::new(input), &header, &jobs, &mut mesh)?,
        _ => read_elements(TextBody::new(input), &header, &jobs, &mut mesh)?,
    }
    Ok(Part { soup: mesh.finish().at(Place::Whole)?, format: header.format, name: None })
}

/// What to do with the records of an element; the numbers are property indices.
enum Job {
    Vertices { axes: [usize; 3] },
    Faces { corners: usize },
    Skip,
}

impl Job {
    fn of(element: &Element) -> Result<Job, FileProblem> {
        let find = |name: &str, is_list: bool| {
            element.properties.iter().position(|p| p.name == name && p.list.is_some() == is_list)
        };
        match element.name.as_str() {
            "vertex" => match ["x", "y", "z"].map(|axis| find(axis, false)) {
                [Some(x), Some(y), Some(z)] => Ok(Job::Vertices { axes: [x, y, z] }),
                _ => Err(FileProblem::HeaderLacks { what: "x, y and z for the element \"vertex\"" }),
            },
            "face" => {
                let corners = find("vertex_indices", true).or_else(|| find("vertex_index", true));
                let corners = corners.filter(|&i| element.properties[i].scalar.is_whole());
                let lacking = "list of whole numbers \"vertex_indices\" for the element \"face\"";
                corners
                    .map(|corners| Job::Faces { corners })
                    .ok_or(FileProblem::HeaderLacks { what: lacking })
            }
            "tristrips" => {
                let what = "the element \"tristrips\"".to_owned();
                Err(FileProblem::Unsupported { what, advice: "export the part with faces" })
            }
            _ => Ok(Job::Skip),
        }
    }
}

fn read_elements(mut body: impl Body, header: &Header, jobs: &[Job], mesh: &mut Mesh) -> Result<(), Fault> {
    let mut corners = Vec::new();
    for (element, job) in header.elements.iter().zip(jobs) {
        // Records without properties take no bytes, so the file's size would not bound their number.
        let count = if element.properties.is_empty() { 0 } else { element.count };
        for number in 0..count {
            let record = match *job {
                Job::Vertices { axes } => read_vertex(&mut body, element, axes, mesh),
                Job::Faces { corners: list } => read_face(&mut body, element, list, &mut corners, mesh),
                Job::Skip => skip_record(&mut body, element),
            };
            match record {
                Ok(()) => {}
                Err(Stop::Fault(fault)) => return Err(fault),
                Err(Stop::Ended(end)) => {
                    let elements = plural(&element.name);
                    return Err(FileProblem::EndsEarly { elements, claimed: count, found: number }).at(end);
                }
            }
        }
    }
    match (body.more()?, header.elements.last()) {
        (Some(place), Some(last)) => {
            Err(FileProblem::Trailing { elements: plural(&last.name), claimed: last.count }).at(place)
        }
        _ => Ok(()),
    }
}

#[inline]
fn read_vertex(
    body: &mut impl Body,
    element: &Element,
    axes: [usize; 3],
    mesh: &mut Mesh,
) -> Result<(), Stop> {
    let place = body.begin()?;
    let mut raw = [0.0; 3];
    for (i, property) in element.properties.iter().enumerate() {
        match axes.iter().position(|&axis| axis == i) {
            Some(axis) => raw[axis] = body.number(property.scalar)?,
            None => skip_property(body, property)?,
        }
    }
    body.finish()?;
    Ok(mesh.vertex(raw).at(place)?)
}

#[inline]
fn read_face(
    body: &mut impl Body,
    element: &Element,
    list: usize,
    corners: &mut Vec<u32>,
    mesh: &mut Mesh,
) -> Result<(), Stop> {
    let place = body.begin()?;
    for (i, property) in element.properties.iter().enumerate() {
        match property.list {
            Some(length) if i == list => {
                let length = body.length(length)?;
                if length > MAX_CORNERS as u64 {
                    return Ok(Err(FileProblem::TooManyCorners { limit: MAX_CORNERS }).at(place)?);
                }
                corners.clear();
                for _ in 0..length {
                    let at = body.place();
                    let index = body.whole(property.scalar)?;
                    corners.push(existing(index, mesh.point_count()).at(at)?);
                }
            }
            _ => skip_property(body, property)?,
        }
    }
    body.finish()?;
    Ok(mesh.face(corners).at(place)?)
}

fn skip_record(body: &mut impl Body, element: &Element) -> Result<(), Stop> {
    body.begin()?;
    for property in &element.properties {
        skip_property(body, property)?;
    }
    body.finish()
}

fn skip_property(body: &mut impl Body, property: &Property) -> Result<(), Stop> {
    let numbers = match property.list {
        Some(length) => body.length(length)?,
        None => 1,
    };
    body.skip(numbers, property.scalar)
}

#[inline]
fn existing(index: i64, vertices: usize) -> Result<u32, FileProblem> {
    match u32::try_from(index) {
        Ok(vertex) if (vertex as usize) < vertices => Ok(vertex),
        _ => Err(FileProblem::Index { index, vertices, first: 0 }),
    }
}

fn plural(element: &str) -> String {
    match element {
        "vertex" => "vertices".to_owned(),
        "face" => "faces".to_owned(),
        other => format!("elements \"{other}\""),
    }
}
