//! Cuts a solid in two by a plane.
//!
//! Each vertex is assigned to a side once, and everything follows from that. Two triangles at an edge cannot
//! disagree, so both parts close, whatever the rounding. A vertex whose distance from the plane is within
//! rounding of zero is on the plane and stays where it is.

mod cap;

use crate::{Plane, Pose, Solid, SolidError, SolidOptions, Soup, SoupError, Vec3};
use std::collections::HashMap;

/// Why a solid could not be cut.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CutError {
    /// A plane whose normal is not of unit length, or which is not finite.
    #[error(
        "the plane's normal ({}, {}, {}) must have unit length and its offset {} must be finite",
        plane.normal.x, plane.normal.y, plane.normal.z, plane.offset
    )]
    Plane {
        /// The given plane.
        plane: Plane,
    },
    /// A part that is not a solid: it touches itself in the plane, at a vertex or where a cavity reaches the
    /// plane.
    #[error(
        "the part {side} the plane is not a solid, because it touches itself in the plane; move the plane a \
         little: {source}"
    )]
    Part {
        /// `"behind"` or `"in front of"`.
        side: &'static str,
        /// What is wrong with it.
        source: SolidError,
    },
    /// A part with too many triangles.
    #[error(transparent)]
    TooLarge(#[from] SoupError),
}

/// Returns the part of a solid behind a plane and the part in front of it (where the normal points). Each is
/// closed by a flat cap; `None` means no material on that side. A plane that only touches the solid leaves it
/// whole, and so does one that would cut off a sliver whose volume is lost in rounding
/// ([`SolidError::NoVolume`]).
///
/// ```
/// use silvia_solid::{Plane, Solid, Vec3, cut::cut, primitives};
/// let brick = Solid::from_soup(&primitives::cuboid(Vec3::new(2.0, 1.0, 1.0))?)?;
/// let (left, right) = cut(&brick, &Plane { normal: Vec3::X, offset: 0.5 })?;
/// assert_eq!(left.map(|part| part.mass().volume), Some(1.5));
/// assert_eq!(right.map(|part| part.mass().volume), Some(0.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cut(solid: &Solid, plane: &Plane) -> Result<(Option<Solid>, Option<Solid>), CutError> {
    cut_within(solid, plane, 0.0)
}

/// Like [`cut`], but vertices within `tolerance` (m) of the plane also count as on it: for planes along a
/// face, whose corners are in the plane only to rounding. They stay where they are, so the cap is flat within
/// the tolerance.
pub(crate) fn cut_within(
    solid: &Solid,
    plane: &Plane,
    tolerance: f64,
) -> Result<(Option<Solid>, Option<Solid>), CutError> {
    let unit = (plane.normal.length() - 1.0).abs() <= Pose::UNIT_TOLERANCE;
    if !unit || !plane.offset.is_finite() {
        return Err(CutError::Plane { plane: *plane });
    }
    let section = Section::new(solid.soup(), plane, tolerance);
    if section.sides.iter().all(|&s| s <= 0) {
        return Ok((Some(solid.clone()), None));
    }
    if section.sides.iter().all(|&s| s >= 0) {
        return Ok((None, Some(solid.clone())));
    }
    let options = SolidOptions {
        face_tolerance: solid.face_tolerance() / solid.bounds().magnitude().max(f64::MIN_POSITIVE),
    };
    let part = |keep: i8, side: &'static str| -> Result<Option<Solid>, CutError> {
        match Solid::with_options(&section.part(keep)?, &options) {
            Ok(part) => Ok(Some(part)),
            Err(SolidError::NoVolume { .. }) => Ok(None),
            Err(source) => Err(CutError::Part { side, source }),
        }
    };
    Ok(match (part(-1, "behind")?, part(1, "in front of")?) {
        (Some(_), None) => (Some(solid.clone()), None),
        (None, Some(_)) => (None, Some(solid.clone())),
        parts => parts,
    })
}

/// How far from a plane a point may be and still count as on it, in units of rounding of the terms of its
/// distance. Four additions and multiplications make at most 3 units; the rest is for points that were
/// rounded themselves, such as those of a rotated solid.
const ON_PLANE: f64 = 16.0 * f64::EPSILON;

/// The points of a solid, plus those where its edges cross the plane.
struct Section<'a> {
    triangles: &'a [[u32; 3]],
    plane: Plane,
    points: Vec<Vec3>,
    /// By point: -1 behind the plane, 0 on it, 1 in front.
    sides: Vec<i8>,
    /// Index of the crossing point of each edge, lower vertex first.
    crossings: HashMap<[u32; 2], u32>,
}

impl<'a> Section<'a> {
    fn new(soup: &'a Soup, plane: &Plane, tolerance: f64) -> Section<'a> {
        let mut section = Section {
            triangles: soup.triangles(),
            plane: *plane,
            points: soup.points().to_vec(),
            sides: soup.points().iter().map(|&p| side_of(plane, p, tolerance)).collect(),
            crossings: HashMap::new(),
        };
        let mut numbers: HashMap<[u64; 3], u32> = HashMap::new();
        for t in soup.triangles() {
            for i in 0..3 {
                let (a, b) = (t[i], t[(i + 1) % 3]);
                // Each edge appears in both directions; take one.
                if a < b && section.crosses(a, b) {
                    let p = crossing(plane, section.points[a as usize], section.points[b as usize]);
                    // Edges from a vertex within rounding of the plane may cross it at the same point.
                    let number =
                        *numbers.entry(p.to_array().map(|x| (x + 0.0).to_bits())).or_insert_with(|| {
                            section.points.push(p);
                            section.sides.push(0);
                            section.points.len() as u32 - 1
                        });
                    section.crossings.insert([a, b], number);
                }
            }
        }
        section
    }

    fn crosses(&self, a: u32, b: u32) -> bool {
        self.sides[a as usize] * self.sides[b as usize] < 0
    }

    /// The closed surface of the part on one side.
    fn part(&self, keep: i8) -> Result<Soup, SoupError> {
        let mut kept = Vec::new();
        for &t in self.triangles {
            let sides = t.map(|i| self.sides[i as usize] * keep);
            if sides == [0; 3] {
                // A triangle in the plane closes the part whose material is behind the triangle.
                let [a, b, c] = t.map(|i| self.points[i as usize]);
                let facing = (b - a).cross(c - a).dot(self.plane.normal);
                if (facing > 0.0) == (keep < 0) {
                    kept.push(t);
                }
            } else if sides.iter().all(|&s| s >= 0) {
                kept.push(t);
            } else if sides.contains(&1) {
                self.clip(t, keep, &mut kept);
            }
        }
        let facing = -f64::from(keep) * self.plane.normal;
        cap::close(&self.points, &self.sides, &mut kept, facing);
        compact(&self.points, kept)
    }

    /// Clips a triangle to the side to keep: three or four corners remain.
    fn clip(&self, t: [u32; 3], keep: i8, kept: &mut Vec<[u32; 3]>) {
        let mut corners = Vec::with_capacity(4);
        for i in 0..3 {
            let (a, b) = (t[i], t[(i + 1) % 3]);
            if self.sides[a as usize] * keep >= 0 {
                corners.push(a);
            }
            if let Some(&c) = self.crossings.get(&[a.min(b), a.max(b)]) {
                corners.push(c);
            }
        }
        let distance = |i: usize, j: usize| {
            self.points[corners[i] as usize].distance_squared(self.points[corners[j] as usize])
        };
        let pieces: &[[usize; 3]] = match corners.len() {
            3 => &[[0, 1, 2]],
            4 if distance(0, 2) <= distance(1, 3) => &[[0, 1, 2], [0, 2, 3]],
            4 => &[[0, 1, 3], [1, 2, 3]],
            _ => &[],
        };
        // Crossings that coincide leave a degenerate triangle; drop it.
        let whole = |t: &[u32; 3]| t[0] != t[1] && t[1] != t[2] && t[2] != t[0];
        kept.extend(pieces.iter().map(|p| p.map(|i| corners[i])).filter(whole));
    }
}

pub(crate) fn side_of(plane: &Plane, p: Vec3, tolerance: f64) -> i8 {
    let distance = plane.distance(p);
    let terms = plane.normal.abs().dot(p.abs()) + plane.offset.abs();
    if distance.abs() <= (ON_PLANE * terms).max(tolerance) {
        0
    } else if distance > 0.0 {
        1
    } else {
        -1
    }
}

/// Where the plane cuts the segment between two points on different sides.
pub(crate) fn crossing(plane: &Plane, a: Vec3, b: Vec3) -> Vec3 {
    let (da, db) = (plane.distance(a), plane.distance(b));
    // Start from the nearer end and project onto the plane: in axis-aligned planes the coordinate is then
    // exact.
    let p = if da.abs() < db.abs() { a + (b - a) * (da / (da - db)) } else { b + (a - b) * (db / (db - da)) };
    p - plane.distance(p) * plane.normal
}

/// Drops unused points.
pub(crate) fn compact(points: &[Vec3], mut triangles: Vec<[u32; 3]>) -> Result<Soup, SoupError> {
    let mut number = vec![u32::MAX; points.len()];
    let mut used = Vec::new();
    for i in triangles.iter_mut().flatten() {
        let n = &mut number[*i as usize];
        if *n == u32::MAX {
            *n = used.len() as u32;
            used.push(points[*i as usize]);
        }
        *i = *n;
    }
    Soup::new(used, triangles)
}

#[cfg(test)]
mod tests;
