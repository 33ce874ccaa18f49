//! Convex hulls.
//!
//! Quickhull with exact orientation tests: a point is outside a face, on its plane, or inside, whatever the
//! rounding. Points that are coplanar, collinear, equal or nearly so need no special cases and no tolerance.
//! (Exact as long as products of three coordinate differences neither overflow nor underflow: sizes from
//! 1e-90 to 1e90 metres.)

mod quick;

use crate::predicates::{is_collinear, side};
use crate::{Remedy, Soup, SoupError, Vec3};

/// The convex hull of a set of points.
#[derive(Clone, Debug, PartialEq)]
pub struct Hull {
    /// Its surface: closed and outward. It uses only the extreme points, in input order. Several triangles
    /// may lie in one plane.
    pub soup: Soup,
    /// For each point of the soup, its index in the input (for equal points, the index of one of them).
    pub sources: Vec<u32>,
}

/// Why a set of points has no hull with a volume.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", self.message())]
pub enum HullError {
    /// A NaN or infinite coordinate.
    NotFinite {
        /// Index of the point.
        point: usize,
        /// Its coordinates.
        at: Vec3,
    },
    /// No points at all.
    Empty,
    /// All points coincide.
    OnePoint {
        /// Number of points.
        points: usize,
        /// Their position.
        at: Vec3,
    },
    /// All points on one line, exactly.
    OneLine {
        /// Indices of two different points.
        line: [u32; 2],
    },
    /// All points in one plane, exactly.
    OnePlane {
        /// Indices of three points not on one line.
        plane: [u32; 3],
    },
    /// Too many points to number.
    #[error(transparent)]
    TooLarge(#[from] SoupError),
}

impl Remedy for HullError {
    fn what(&self) -> String {
        match self {
            HullError::NotFinite { point, at } => format!("point {point} is ({}, {}, {})", at.x, at.y, at.z),
            HullError::Empty => "there are no points".to_owned(),
            HullError::OnePoint { points, at } => {
                format!("all {points} points are at one place, ({}, {}, {})", at.x, at.y, at.z)
            }
            HullError::OneLine { line } => format!("all points are on one line, which {line:?} span"),
            HullError::OnePlane { plane } => format!("all points are in one plane, which {plane:?} span"),
            HullError::TooLarge(error) => error.what(),
        }
    }

    fn remedy(&self) -> String {
        match self {
            HullError::NotFinite { .. } => "every coordinate must be finite".to_owned(),
            HullError::OnePoint { .. } => "a hull needs four that are not in one plane".to_owned(),
            HullError::OneLine { .. } => "a hull needs four points that are not in one plane".to_owned(),
            HullError::OnePlane { .. } => "a hull needs four points that are not in one plane".to_owned(),
            HullError::TooLarge(error) => error.remedy(),
            HullError::Empty => String::new(),
        }
    }
}

/// The smallest convex body around the points. Only extreme points are vertices of the result; points inside
/// it, inside a face or on an edge are not.
///
/// ```
/// use silvia_solid::{Vec3, hull::convex_hull};
/// let lattice: Vec<Vec3> =
///     (0..27).map(|i| Vec3::new((i % 3) as f64, (i / 3 % 3) as f64, (i / 9) as f64)).collect();
/// assert_eq!(convex_hull(&lattice)?.sources, [0, 2, 6, 8, 18, 20, 24, 26]);
/// # Ok::<(), silvia_solid::hull::HullError>(())
/// ```
pub fn convex_hull(points: &[Vec3]) -> Result<Hull, HullError> {
    if points.len() > Soup::MAX_TRIANGLES {
        return Err(SoupError::TooLarge { count: points.len() }.into());
    }
    if let Some(point) = points.iter().position(|p| !p.is_finite()) {
        return Err(HullError::NotFinite { point, at: points[point] });
    }
    let all: Vec<u32> = (0..points.len() as u32).collect();
    let mut triangles = hull_of(points, &all)?;
    // A point of the first simplex may end up inside a face or an edge of the hull. The hull of the extreme
    // points alone is the same body without it.
    let extreme = extreme_points(points, &triangles);
    if extreme.len() < used_points(&triangles).len() {
        triangles = hull_of(points, &extreme)?;
    }
    let sources = used_points(&triangles);
    let number = |i: u32| sources.partition_point(|&s| s < i) as u32;
    let soup = Soup::new(
        sources.iter().map(|&i| points[i as usize]).collect(),
        triangles.iter().map(|t| t.map(number)).collect(),
    )?;
    Ok(Hull { soup, sources })
}

fn hull_of(points: &[Vec3], chosen: &[u32]) -> Result<Vec<[u32; 3]>, HullError> {
    let simplex = first_simplex(points, chosen)?;
    Ok(quick::hull(points, chosen, simplex))
}

/// Four points that are not in one plane, far apart if possible. The first three are anticlockwise seen from
/// the side opposite to the fourth.
fn first_simplex(points: &[Vec3], chosen: &[u32]) -> Result<[u32; 4], HullError> {
    let at = |i: u32| points[i as usize];
    let &start = chosen.first().ok_or(HullError::Empty)?;
    // Take the largest by a measure subject to rounding; if it fails the exact test, the first point that
    // passes.
    let pick = |measure: &dyn Fn(Vec3) -> f64, passes: &dyn Fn(u32) -> bool| {
        let best = chosen.iter().copied().max_by(|&a, &b| measure(at(a)).total_cmp(&measure(at(b))));
        best.filter(|&i| passes(i)).or_else(|| chosen.iter().copied().find(|&i| passes(i)))
    };
    let a = pick(&|p| p.distance_squared(at(start)), &|_| true).unwrap_or(start);
    let b = pick(&|p| p.distance_squared(at(a)), &|i| at(i) != at(a))
        .ok_or(HullError::OnePoint { points: points.len(), at: at(start) })?;
    let c = pick(&|p| (p - at(a)).cross(at(b) - at(a)).length_squared(), &|i| {
        !is_collinear([at(a), at(b), at(i)])
    })
    .ok_or(HullError::OneLine { line: [a, b] })?;
    let d = pick(&|p| side(at(a), at(b), at(c), p).abs(), &|i| side(at(a), at(b), at(c), at(i)) != 0.0)
        .ok_or(HullError::OnePlane { plane: [a, b, c] })?;
    // The fourth must be behind the first three.
    Ok(if side(at(a), at(b), at(c), at(d)) < 0.0 { [a, b, c, d] } else { [a, c, b, d] })
}

fn used_points(triangles: &[[u32; 3]]) -> Vec<u32> {
    let mut used: Vec<u32> = triangles.iter().flatten().copied().collect();
    used.sort_unstable();
    used.dedup();
    used
}

/// The vertices where at least three edges that are not flat meet. A point inside a face has no such edge, a
/// point on an edge has two.
fn extreme_points(points: &[Vec3], triangles: &[[u32; 3]]) -> Vec<u32> {
    let mut sides: Vec<([u32; 2], u32)> = triangles
        .iter()
        .flat_map(|&[a, b, c]| [(a, b, c), (b, c, a), (c, a, b)])
        .map(|(a, b, c)| ([a.min(b), a.max(b)], c))
        .collect();
    sides.sort_unstable();
    let mut bent: Vec<u32> = Vec::new();
    for pair in sides.chunks_exact(2) {
        let ([a, b], c, d) = (pair[0].0, pair[0].1, pair[1].1);
        let [pa, pb, pc, pd] = [a, b, c, d].map(|i| points[i as usize]);
        if side(pa, pb, pc, pd) != 0.0 {
            bent.extend([a, b]);
        }
    }
    bent.sort_unstable();
    bent.chunk_by(|a, b| a == b).filter(|ends| ends.len() >= 3).map(|ends| ends[0]).collect()
}

#[cfg(test)]
mod tests;
