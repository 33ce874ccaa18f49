//! Reads and writes part files: STL, OBJ and PLY, text and binary.
//!
//! Reading is streamed: memory grows with the content of the file, never with what its header claims. Reading
//! repairs nothing: a file that is damaged or contradicts itself is refused, with its name, the line or byte,
//! and the remedy. Flat and duplicate triangles are not damage; the checks report them.
//!
//! Everything that is not geometry is ignored: normals, colours, textures, materials, groups, attributes, and
//! the statements and elements that a format allows readers to skip. Points stay as they are: an STL file has
//! three separate points per triangle.
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
pub use write::{WriteOptions, write, write_numbers, write_to};

use crate::{Soup, Vec3, triangulate};

/// The most corners of a face. It is beyond any genuine face and bounds the time to triangulate one.
pub const MAX_CORNERS: usize = 10_000;

/// How to read a file.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadOptions {
    /// The unit of the numbers in the file. The soup is in metres.
    pub unit: Unit,
    /// The most triangles allowed, so that no file can fill the memory. Points are limited to three times as
    /// many.
    pub max_triangles: usize,
}

impl Default for ReadOptions {
    /// Metres, and a hundred million triangles (about 8 GB as a soup).
    fn default() -> ReadOptions {
        ReadOptions { unit: Unit::Metre, max_triangles: 100_000_000 }
    }
}

/// A part read from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The triangles, in metres.
    pub soup: Soup,
    /// The detected format.
    pub format: Format,
    /// The part's name in the file, if it is printable: after `solid` or the first `o`, or the header of a
    /// binary STL.
    pub name: Option<String>,
}

/// Reads a part whose numbers are in metres. The ending of its name tells STL, OBJ or PLY; the content tells
/// which variant. [`read_with`] takes other units.
///
/// ```
/// # let folder = std::env::temp_dir().join(format!("silvia-read-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// # let path = folder.join("plate.obj");
/// # std::fs::write(&path, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")?;
/// let part = silvia_solid::files::read(&path)?;
/// assert_eq!(part.soup.triangles().len(), 1);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read(path: impl AsRef<Path>) -> Result<Part, FileError> {
    read_with(path, &ReadOptions::default())
}

/// Reads a part as [`read`] does, with a unit for its numbers and a limit to its size.
pub fn read_with(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Part, FileError> {
    let path = path.as_ref();
    open(path)
        .and_then(|(mut file, size)| read_input(Input::new(&mut file, size), path, options))
        .map_err(|fault| fault.of(path))
}

/// Reads a part from memory, as if from a file called `name`.
pub fn read_bytes(bytes: &[u8], name: &str, options: &ReadOptions) -> Result<Part, FileError> {
    let (mut reader, path) = (bytes, Path::new(name));
    read_input(Input::new(&mut reader, Some(bytes.len() as u64)), path, options)
        .map_err(|fault| fault.of(path))
}

/// Reads a part from any reader to its end, as if from a file called `name`.
pub fn read_from(mut reader: impl Read, name: &str, options: &ReadOptions) -> Result<Part, FileError> {
    let path = Path::new(name);
    read_input(Input::new(&mut reader, None), path, options).map_err(|fault| fault.of(path))
}

/// Opens a file; returns its size too if it is a regular file.
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
    if input.peek(PNG.len())?.starts_with(PNG) {
        return Err(FileProblem::Picture { format: family.name() }).at(Place::Whole);
    }
    match family {
        Family::Stl => stl::read(input, options),
        Family::Obj => obj::read(input, options),
        Family::Ply => ply::read(input, options),
    }
}

/// The bytes that every PNG picture begins with.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Cuts a face into triangles of the same orientation.
///
/// A fan from the first corner that sees the whole face handles every convex polygon, every quad, and faces
/// without area (which the checks report later). The exact, slower algorithm handles the rest.
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
    // A face counts as having no area only if each of its triangles has none: a bow tie does not.
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
