//! A soup under construction.

use super::error::FileProblem;
use super::{MAX_CORNERS, ReadOptions, Unit, triangulate_corners};
use crate::{Soup, SoupError, Vec3};

/// Points and triangles as they are read, each checked.
pub(super) struct Mesh {
    points: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    unit: Unit,
    max_triangles: usize,
    max_points: usize,
}

impl Mesh {
    pub(super) fn new(options: &ReadOptions) -> Mesh {
        let max_triangles = options.max_triangles.min(Soup::MAX_TRIANGLES);
        let max_points = max_triangles.saturating_mul(3).min(Soup::MAX_TRIANGLES);
        Mesh { points: Vec::new(), triangles: Vec::new(), unit: options.unit, max_triangles, max_points }
    }

    /// Reserves memory for triangles with separate points. The caller has made sure that the file is long
    /// enough.
    pub(super) fn reserve_loose(&mut self, triangles: usize) {
        let triangles = triangles.min(self.max_triangles);
        self.triangles.reserve(triangles);
        self.points.reserve((3 * triangles).min(self.max_points));
    }

    pub(super) fn point_count(&self) -> usize {
        self.points.len()
    }

    /// Adds a vertex, given in the file's unit.
    #[inline]
    pub(super) fn vertex(&mut self, raw: [f64; 3]) -> Result<(), FileProblem> {
        self.point(raw, "vertex", self.points.len())
    }

    /// Adds a triangle with three separate points, given in the file's unit.
    #[inline]
    pub(super) fn loose_triangle(&mut self, corners: [[f64; 3]; 3]) -> Result<(), FileProblem> {
        let number = self.triangles.len();
        let first = self.points.len() as u32;
        for raw in corners {
            self.point(raw, "triangle", number)?;
        }
        self.triangle([first, first + 1, first + 2])
    }

    /// Adds a face over existing points; triangulates it if it has more than three corners.
    #[inline]
    pub(super) fn face(&mut self, corners: &[u32]) -> Result<(), FileProblem> {
        match *corners {
            [a, b, c] => self.triangle([a, b, c]),
            _ => self.polygon(corners),
        }
    }

    /// Makes a soup from everything added.
    pub(super) fn finish(self) -> Result<Soup, FileProblem> {
        Soup::new(self.points, self.triangles).map_err(|error| match error {
            SoupError::Empty => FileProblem::NoTriangles,
            other => FileProblem::Soup(other),
        })
    }

    #[inline]
    fn point(&mut self, raw: [f64; 3], of: &'static str, number: usize) -> Result<(), FileProblem> {
        let p = match self.unit {
            Unit::Metre => Vec3::from_array(raw),
            unit => Vec3::from_array(raw.map(|x| unit.to_metres(x))),
        };
        if !p.is_finite() {
            return Err(not_finite(raw, p, of, number));
        }
        if self.points.len() >= self.max_points {
            return Err(FileProblem::TooMany { elements: "vertices", limit: self.max_points });
        }
        self.points.push(p);
        Ok(())
    }

    #[inline]
    fn triangle(&mut self, triangle: [u32; 3]) -> Result<(), FileProblem> {
        if self.triangles.len() >= self.max_triangles {
            return Err(FileProblem::TooMany { elements: "triangles", limit: self.max_triangles });
        }
        self.triangles.push(triangle);
        Ok(())
    }

    fn polygon(&mut self, corners: &[u32]) -> Result<(), FileProblem> {
        match corners.len() {
            0..3 => return Err(FileProblem::TooFewCorners { corners: corners.len() }),
            n if n > MAX_CORNERS => return Err(FileProblem::TooManyCorners { limit: MAX_CORNERS }),
            _ => {}
        }
        for triangle in triangulate_corners(&self.points, corners)? {
            self.triangle(triangle)?;
        }
        Ok(())
    }
}

#[cold]
fn not_finite(raw: [f64; 3], p: Vec3, of: &'static str, number: usize) -> FileProblem {
    let axis = p.to_array().iter().position(|x| !x.is_finite()).unwrap_or_default();
    FileProblem::NotFinite { axis: ['x', 'y', 'z'][axis], of, number: number as u64, value: raw[axis] }
}
