//! Encodes a soup in each format.

use std::io::{self, Write};

use super::error::FileProblem;
use super::write::failed;
use super::{Format, Unit, stl};
use crate::{Soup, Vec3};

pub(super) fn encode(
    out: &mut impl Write,
    soup: &Soup,
    soup_in: Unit,
    format: Format,
    unit: Unit,
) -> Result<(), FileProblem> {
    let part = Scaled { soup, is_in_unit: soup_in == unit, unit };
    check_fit(part, format)?;
    match format {
        Format::StlBinary => stl_binary(out, part),
        Format::StlText => stl_text(out, part),
        Format::Obj => obj(out, part),
        Format::PlyBinary => {
            ply_binary(out, part, "binary_little_endian", f64::to_le_bytes, u32::to_le_bytes)
        }
        Format::PlyBinaryBig => {
            ply_binary(out, part, "binary_big_endian", f64::to_be_bytes, u32::to_be_bytes)
        }
        Format::PlyText => ply_text(out, part),
    }
    .map_err(failed)
}

/// Checks that every coordinate stays finite in the file's number format.
fn check_fit(part: Scaled<'_>, format: Format) -> Result<(), FileProblem> {
    let unit = part.unit;
    let fits = |given: f64| {
        let x = part.number(given);
        if format == Format::StlBinary { (x as f32).is_finite() } else { x.is_finite() }
    };
    for (point, p) in part.soup.points().iter().enumerate() {
        if let Some(value) = p.to_array().into_iter().find(|&x| !fits(x)) {
            return Err(FileProblem::DoesNotFit { value, point, format, unit });
        }
    }
    Ok(())
}

/// A soup in the file's unit.
#[derive(Clone, Copy)]
struct Scaled<'a> {
    soup: &'a Soup,
    /// Whether the soup is in that unit already; otherwise it is in metres.
    is_in_unit: bool,
    unit: Unit,
}

impl Scaled<'_> {
    fn points(&self) -> impl Iterator<Item = Vec3> {
        self.soup.points().iter().map(|&p| self.point(p))
    }

    fn triangles(&self) -> impl Iterator<Item = [Vec3; 3]> {
        (0..self.soup.triangles().len()).map(|t| self.soup.corners(t).map(|p| self.point(p)))
    }

    fn point(&self, p: Vec3) -> Vec3 {
        p.map(|x| self.number(x))
    }

    fn number(&self, given: f64) -> f64 {
        if self.is_in_unit { given } else { self.unit.from_metres(given) }
    }
}

fn stl_binary(out: &mut impl Write, part: Scaled<'_>) -> io::Result<()> {
    let mut title = format!("Silvia, binary STL, unit {}", part.unit).into_bytes();
    title.resize(stl::TITLE, 0);
    out.write_all(&title)?;
    // No overflow: a soup has fewer than 2^32 triangles.
    out.write_all(&(part.soup.triangles().len() as u32).to_le_bytes())?;
    for [a, b, c] in part.triangles() {
        let mut record = [0; 50];
        let numbers = [normal(a, b, c), a, b, c].into_iter().flat_map(|p| p.to_array());
        for (bytes, x) in record.as_chunks_mut::<4>().0.iter_mut().zip(numbers) {
            *bytes = (x as f32).to_le_bytes();
        }
        out.write_all(&record)?;
    }
    Ok(())
}

fn stl_text(out: &mut impl Write, part: Scaled<'_>) -> io::Result<()> {
    writeln!(out, "solid silvia, unit {}", part.unit)?;
    for [a, b, c] in part.triangles() {
        writeln!(out, "facet normal {}\nouter loop", Words(normal(a, b, c)))?;
        for corner in [a, b, c] {
            writeln!(out, "vertex {}", Words(corner))?;
        }
        writeln!(out, "endloop\nendfacet")?;
    }
    writeln!(out, "endsolid silvia")
}

fn obj(out: &mut impl Write, part: Scaled<'_>) -> io::Result<()> {
    writeln!(out, "# Silvia, unit {}", part.unit)?;
    for point in part.points() {
        writeln!(out, "v {}", Words(point))?;
    }
    for [a, b, c] in part.soup.triangles() {
        writeln!(out, "f {} {} {}", a + 1, b + 1, c + 1)?;
    }
    Ok(())
}

fn ply_header(out: &mut impl Write, part: Scaled<'_>, format: &str) -> io::Result<()> {
    let (vertices, faces) = (part.soup.points().len(), part.soup.triangles().len());
    writeln!(out, "ply\nformat {format} 1.0\ncomment Silvia, unit {}", part.unit)?;
    writeln!(out, "element vertex {vertices}\nproperty double x\nproperty double y\nproperty double z")?;
    writeln!(out, "element face {faces}\nproperty list uchar uint vertex_indices\nend_header")
}

fn ply_binary(
    out: &mut impl Write,
    part: Scaled<'_>,
    format: &str,
    float: impl Fn(f64) -> [u8; 8],
    index: impl Fn(u32) -> [u8; 4],
) -> io::Result<()> {
    ply_header(out, part, format)?;
    for point in part.points() {
        out.write_all(point.to_array().map(&float).as_flattened())?;
    }
    for triangle in part.soup.triangles() {
        out.write_all(&[3])?;
        out.write_all(triangle.map(&index).as_flattened())?;
    }
    Ok(())
}

fn ply_text(out: &mut impl Write, part: Scaled<'_>) -> io::Result<()> {
    ply_header(out, part, "ascii")?;
    for point in part.points() {
        writeln!(out, "{}", Words(point))?;
    }
    for [a, b, c] in part.soup.triangles() {
        writeln!(out, "3 {a} {b} {c}")?;
    }
    Ok(())
}

/// Unit normal of a triangle; zero, as the format requires, if the triangle is too flat to have one.
fn normal(a: Vec3, b: Vec3, c: Vec3) -> Vec3 {
    let (u, v) = (b - a, c - a);
    // Scale the sides to about 1, so that the product neither overflows nor vanishes.
    let size = u.abs().max(v.abs()).max_element();
    (u / size).cross(v / size).normalize_or_zero()
}

/// Three numbers, each with the fewest digits that read back as the same `f64`.
struct Words(Vec3);

impl std::fmt::Display for Words {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (i, x) in self.0.to_array().into_iter().enumerate() {
            if i > 0 {
                f.write_str(" ")?;
            }
            // Outside this range the plain form would be mostly zeros.
            if x == 0.0 || (1e-5..1e16).contains(&x.abs()) { write!(f, "{x}") } else { write!(f, "{x:e}") }?;
        }
        Ok(())
    }
}
