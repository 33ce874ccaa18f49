//! Part files: STL, OBJ and PLY, text and binary, read into a [`Soup`] and written from one.
//!
//! Reading is streamed: memory grows with what is in the file, never with what its header claims. Nothing is
//! repaired on the way in: a file that is damaged, or that says two different things, is refused with its
//! name, the line or byte, and what to do. Flat and doubled triangles are not damage; the checks report them.
//!
//! What is ignored, since it is not geometry: normals, colours, textures, materials, groups, attributes, and
//! the statements and elements that a format lets one skip. Points are kept as they come: an STL gives three
//! of its own to every triangle.
//!
//! ```
//! use silvia_solid::files::{Format, ReadOptions, Unit, WriteOptions, read_bytes, write_to};
//!
//! let text = b"v 0 0 0\nv 40 0 0\nv 0 40 0\nf 1 2 3\n";
//! let part = read_bytes(text, "plate.obj", &ReadOptions { unit: Unit::Millimetre, ..Default::default() })?;
//! assert_eq!(part.soup.points()[1].x, 0.04);
//!
//! let mut out = Vec::new();
//! write_to(&mut out, &part.soup, Format::StlBinary, Unit::Metre)?;
//! assert_eq!(out.len(), 84 + 50);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod encode;
mod error;
mod format;
mod input;
mod mesh;
mod obj;
mod ply;
mod ply_body;
mod ply_header;
mod stl;
mod stl_text;
mod units;
mod write;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use error::{At, Fault};
use format::Family;
use input::Input;

pub use error::{FileError, FileProblem, Place};
pub use format::{Format, FormatError};
pub use units::{Unit, UnitError};
pub use write::{WriteOptions, write, write_to};

use crate::{Soup, Vec3, triangulate};

/// The most corners of a face that are read: beyond any real face, and it bounds the time to cut one into
/// triangles.
pub const MAX_CORNERS: usize = 10_000;

/// How to read a file.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadOptions {
    /// The unit of the numbers in the file; the soup is in metres.
    pub unit: Unit,
    /// More triangles than this are refused, so that no file can fill the memory. At most three times as many
    /// points.
    pub max_triangles: usize,
}

impl Default for ReadOptions {
    /// Metres; a hundred million triangles, which is about 8 GB as a soup.
    fn default() -> ReadOptions {
        ReadOptions { unit: Unit::Metre, max_triangles: 100_000_000 }
    }
}

/// What was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The triangles, in metres.
    pub soup: Soup,
    /// What the file turned out to be.
    pub format: Format,
    /// The name the file gives the part, after `solid` or the first `o` or as the header of a binary STL, if
    /// it is one that can be printed.
    pub name: Option<String>,
}

/// Reads a part. The extension says whether it is STL, OBJ or PLY; the content says of which kind.
pub fn read(path: &Path, options: &ReadOptions) -> Result<Part, FileError> {
    open(path)
        .and_then(|(mut file, size)| read_input(Input::new(&mut file, size), path, options))
        .map_err(|fault| fault.of(path))
}

/// Reads a part from memory, as if it were a file of that name.
pub fn read_bytes(bytes: &[u8], name: &str, options: &ReadOptions) -> Result<Part, FileError> {
    let (mut reader, path) = (bytes, Path::new(name));
    read_input(Input::new(&mut reader, Some(bytes.len() as u64)), path, options)
        .map_err(|fault| fault.of(path))
}

/// Reads a part from anything that gives bytes, to its end, as if it were a file of that name.
pub fn read_from(mut reader: impl Read, name: &str, options: &ReadOptions) -> Result<Part, FileError> {
    let path = Path::new(name);
    read_input(Input::new(&mut reader, None), path, options).map_err(|fault| fault.of(path))
}

/// An open file, and its size if it is an ordinary one.
fn open(path: &Path) -> Result<(File, Option<u64>), Fault> {
    let open = || {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        Ok((file, metadata))
    };
    let (file, metadata) = open().map_err(|e| FileProblem::of_io("read", e)).at(Place::Whole)?;
    if metadata.is_dir() {
        return Err(FileProblem::Directory).at(Place::Whole);
    }
    Ok((file, metadata.is_file().then_some(metadata.len())))
}

fn read_input(mut input: Input<'_>, path: &Path, options: &ReadOptions) -> Result<Part, Fault> {
    let family = Family::of(path).at(Place::Whole)?;
    if input.peek(1)?.is_empty() {
        return Err(FileProblem::Empty).at(Place::Whole);
    }
    match family {
        Family::Stl => stl::read(input, options),
        Family::Obj => obj::read(input, options),
        Family::Ply => ply::read(input, options),
    }
}

/// Cuts a face into triangles, of the same orientation.
///
/// A fan from the first corner that sees the whole face serves every convex polygon, every quad, and faces
/// without area, which stay to be reported by the checks; the exact, slower way does the rest.
fn triangulate_corners(points: &[Vec3], corners: &[u32]) -> Result<Vec<[u32; 3]>, FileProblem> {
    let fan = |apex: usize| {
        let corner = move |i: usize| corners[(apex + i) % corners.len()];
        (1..corners.len() - 1).map(move |i| [corner(0), corner(i), corner(i + 1)])
    };
    let area = |t: [u32; 3]| {
        let [a, b, c] = t.map(|i| points[i as usize]);
        (b - a).cross(c - a)
    };
    let whole: Vec3 = fan(0).map(area).sum();
    // A face without area is only a face if every part of it is: a bow tie is not.
    let agrees = |t| if whole == Vec3::ZERO { area(t) == Vec3::ZERO } else { area(t).dot(whole) >= 0.0 };
    match (0..corners.len()).find(|&apex| fan(apex).all(agrees)) {
        Some(apex) => Ok(fan(apex).collect()),
        None => triangulate::polygon(points, corners)
            .map_err(|e| FileProblem::Polygon { corners: corners.len(), reason: e.to_string() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dart_is_cut_along_its_only_inner_diagonal() {
        let points = [(0.0, 0.0), (2.0, 2.0), (0.0, 1.0), (-2.0, 2.0)].map(|(x, y)| Vec3::new(x, y, 0.0));
        assert_eq!(triangulate_corners(&points, &[0, 1, 2, 3]).unwrap(), [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(triangulate_corners(&points, &[1, 2, 3, 0]).unwrap(), [[2, 3, 0], [2, 0, 1]]);
    }

    #[test]
    fn a_bow_tie_is_refused() {
        let points = [(0.0, 0.0), (1.0, 1.0), (1.0, 0.0), (0.0, 1.0)].map(|(x, y)| Vec3::new(x, y, 0.0));
        let error = triangulate_corners(&points, &[0, 1, 2, 3]).unwrap_err();
        assert!(matches!(error, FileProblem::Polygon { corners: 4, .. }), "{error}");
    }
}
