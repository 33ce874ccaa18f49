//! Triangles without topology.

use crate::triangulate::{self, TriangulateError};
use crate::{Aabb, Pose, Remedy, Vec3};

/// Triangles without topology, for input that may be open, non-manifold or worse.
///
/// A soup has at least one triangle, every index is in range, and every coordinate is finite. Nothing else is
/// guaranteed: points may repeat, triangles may be flat or duplicated.
///
/// ```
/// use silvia_solid::{Soup, Vec3};
///
/// // Corners of a triangle run anticlockwise, seen from outside.
/// let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
/// let tetrahedron = Soup::new(corners.clone(), vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
/// assert_eq!(tetrahedron.bounds().max, Vec3::ONE);
///
/// let error = Soup::new(corners, vec![[0, 1, 4]]).unwrap_err();
/// println!("{error}"); // there is no point 4
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Soup {
    points: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

/// Why points and triangles do not form a soup.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", self.message())]
pub enum SoupError {
    /// No triangles.
    Empty,
    /// A NaN or infinite coordinate.
    NotFinite {
        /// Index of the point.
        point: usize,
        /// Its coordinates.
        at: Vec3,
    },
    /// An index past the end of the points.
    IndexOutOfRange {
        /// Index of the triangle.
        triangle: usize,
        /// The index it names.
        index: u32,
        /// How many points there are.
        points: usize,
    },
    /// A polygon that cannot be triangulated.
    Polygon {
        /// Index of the polygon.
        polygon: usize,
        /// Why not.
        reason: TriangulateError,
    },
    /// More than [`Soup::MAX_TRIANGLES`] triangles or as many points.
    TooLarge {
        /// How many there are.
        count: usize,
    },
}

impl Remedy for SoupError {
    fn what(&self) -> String {
        match self {
            SoupError::Empty => "there are no triangles".to_owned(),
            SoupError::NotFinite { point, at } => format!("point {point} is ({}, {}, {})", at.x, at.y, at.z),
            SoupError::IndexOutOfRange { triangle, index, points } => format!(
                "triangle {triangle} names point {index}, but there are only {points} points \
                 (numbered from 0)"
            ),
            SoupError::Polygon { polygon, reason } => {
                format!("polygon {polygon} cannot be cut into triangles: {}", reason.what())
            }
            SoupError::TooLarge { count } => {
                format!("{count} triangles or points are more than the {} that fit", Soup::MAX_TRIANGLES)
            }
        }
    }

    fn remedy(&self) -> String {
        match self {
            SoupError::NotFinite { .. } => "every coordinate must be finite".to_owned(),
            SoupError::Polygon { reason, .. } => reason.remedy(),
            SoupError::TooLarge { .. } => "split the part".to_owned(),
            SoupError::Empty | SoupError::IndexOutOfRange { .. } => String::new(),
        }
    }
}

impl Soup {
    /// The largest number of triangles (or points) in a soup. It lets 32 bits number the sides of triangles.
    pub const MAX_TRIANGLES: usize = (u32::MAX / 3) as usize - 1;

    /// Makes a soup from points and triangles that index them, anticlockwise seen from outside.
    pub fn new(points: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Result<Soup, SoupError> {
        if triangles.is_empty() {
            return Err(SoupError::Empty);
        }
        let count = triangles.len().max(points.len());
        if count > Soup::MAX_TRIANGLES {
            return Err(SoupError::TooLarge { count });
        }
        if let Some(point) = points.iter().position(|p| !p.is_finite()) {
            return Err(SoupError::NotFinite { point, at: points[point] });
        }
        let n = points.len();
        for (triangle, t) in triangles.iter().enumerate() {
            if let Some(&index) = t.iter().find(|&&i| i as usize >= n) {
                return Err(SoupError::IndexOutOfRange { triangle, index, points: n });
            }
        }
        Ok(Soup { points, triangles })
    }

    /// Makes a soup from points and polygons that index them, anticlockwise seen from outside. Polygons may
    /// be concave. A polygon with holes is its outer boundary followed by the holes.
    ///
    /// ```
    /// use silvia_solid::{Soup, Vec3};
    /// let points = vec![Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y];
    /// let square = Soup::from_polygons(points, &[vec![vec![0, 1, 2, 3]]])?;
    /// assert_eq!(square.triangles().len(), 2);
    /// # Ok::<(), silvia_solid::SoupError>(())
    /// ```
    pub fn from_polygons(points: Vec<Vec3>, polygons: &[Vec<Vec<u32>>]) -> Result<Soup, SoupError> {
        let mut triangles = Vec::new();
        for (polygon, boundaries) in polygons.iter().enumerate() {
            let (outer, holes) = boundaries.split_first().ok_or(SoupError::Empty)?;
            let cut = triangulate::polygon_with_holes(&points, outer, holes);
            triangles.extend(cut.map_err(|reason| SoupError::Polygon { polygon, reason })?);
        }
        Soup::new(points, triangles)
    }

    /// Makes a soup from arrays that are known to be valid.
    pub(crate) fn trusted(points: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Soup {
        debug_assert!(!triangles.is_empty());
        Soup { points, triangles }
    }

    /// The points, in the order given.
    pub fn points(&self) -> &[Vec3] {
        &self.points
    }

    /// The triangles, as indices into [`Soup::points`].
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The corners of a triangle. Panics if there is no such triangle.
    pub fn corners(&self, triangle: usize) -> [Vec3; 3] {
        self.triangles[triangle].map(|i| self.points[i as usize])
    }

    /// The axis-aligned bounding box of the triangles; unused points do not count.
    pub fn bounds(&self) -> Aabb {
        Aabb::of(self.triangles.iter().flatten().map(|&i| self.points[i as usize]))
    }

    /// Returns the points and the triangles.
    pub fn into_parts(self) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        (self.points, self.triangles)
    }

    /// Joins several soups into one, in order.
    pub fn joined<'a>(soups: impl IntoIterator<Item = &'a Soup>) -> Result<Soup, SoupError> {
        let (mut points, mut triangles) = (Vec::new(), Vec::new());
        for soup in soups {
            let count = points.len() + soup.points.len();
            if count > Soup::MAX_TRIANGLES {
                return Err(SoupError::TooLarge { count });
            }
            let base = points.len() as u32;
            points.extend_from_slice(&soup.points);
            triangles.extend(soup.triangles.iter().map(|t| t.map(|i| i + base)));
        }
        Soup::new(points, triangles)
    }

    /// The same triangles, moved by a pose.
    #[must_use]
    pub fn posed(&self, pose: &Pose) -> Soup {
        Soup {
            points: self.points.iter().map(|&p| pose.transform_point(p)).collect(),
            triangles: self.triangles.clone(),
        }
    }
}
