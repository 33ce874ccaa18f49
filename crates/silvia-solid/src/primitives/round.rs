//! Spheres and tori.

use super::{PrimitiveError, at_least, check_triangles, length, turn_fraction};
use crate::{Soup, Vec3};
use std::collections::HashMap;

/// A geodesic sphere: an icosahedron with each edge divided into `frequency` parts and the corners projected
/// onto the sphere. It has `20 frequency^2` triangles of nearly equal size. True volume:
/// `4/3 * pi * radius^3`; at frequency 1 that of the icosahedron.
pub fn sphere(radius: f64, frequency: usize) -> Result<Soup, PrimitiveError> {
    length("radius", radius)?;
    at_least("frequency", frequency, 1)?;
    check_triangles(20.0 * (frequency as f64).powi(2))?;
    let (corners, faces) = icosahedron();
    let mut grid = Grid { corners, frequency, points: Vec::new(), number: HashMap::new() };
    let mut triangles = Vec::with_capacity(20 * frequency * frequency);
    for face in faces {
        // Rows from the first corner to the opposite edge; row r has r + 1 points.
        let rows: Vec<Vec<u32>> =
            (0..=frequency).map(|r| (0..=r).map(|k| grid.point(face, r, k)).collect()).collect();
        for r in 0..frequency {
            for k in 0..=r {
                triangles.push([rows[r][k], rows[r + 1][k], rows[r + 1][k + 1]]);
                if k < r {
                    triangles.push([rows[r][k], rows[r + 1][k + 1], rows[r][k + 1]]);
                }
            }
        }
    }
    let points = grid.points.iter().map(|p| p.normalize() * radius).collect();
    Ok(Soup::new(points, triangles)?)
}

/// Points of the subdivided icosahedron, each created once. A point is identified by its integer weights on
/// the corners, so that the two faces at an edge agree whatever their corner order.
struct Grid {
    corners: [Vec3; 12],
    frequency: usize,
    points: Vec<Vec3>,
    number: HashMap<[(usize, usize); 3], u32>,
}

impl Grid {
    fn point(&mut self, face: [usize; 3], row: usize, along: usize) -> u32 {
        let mut parts = [(face[0], self.frequency - row), (face[1], row - along), (face[2], along)];
        parts.iter_mut().filter(|p| p.1 == 0).for_each(|p| p.0 = usize::MAX);
        parts.sort_unstable();
        let Grid { corners, points, number, .. } = self;
        *number.entry(parts).or_insert_with(|| {
            points.push(parts.iter().filter(|p| p.1 > 0).map(|&(c, n)| corners[c] * n as f64).sum());
            points.len() as u32 - 1
        })
    }
}

fn icosahedron() -> ([Vec3; 12], [[usize; 3]; 20]) {
    // Even permutations of (0, ±1, ±golden ratio).
    let g = 0.5 * (1.0 + 5f64.sqrt());
    let mut corners = [Vec3::ZERO; 12];
    for (i, corner) in corners.iter_mut().enumerate() {
        let (a, b) = (if i & 1 == 0 { 1.0 } else { -1.0 }, if i & 2 == 0 { g } else { -g });
        *corner = match i / 4 {
            0 => Vec3::new(0.0, a, b),
            1 => Vec3::new(b, 0.0, a),
            _ => Vec3::new(a, b, 0.0),
        };
    }
    // Faces are the triples at distance 2 (the edge length) from each other, oriented outward.
    let near = |a: usize, b: usize| (corners[a].distance_squared(corners[b]) - 4.0).abs() < 0.1;
    let mut faces = [[0; 3]; 20];
    let mut slots = faces.iter_mut();
    for a in 0..12 {
        for b in a + 1..12 {
            for c in b + 1..12 {
                if near(a, b) && near(b, c) && near(a, c) {
                    let outward = corners[a].cross(corners[b]).dot(corners[c]) > 0.0;
                    if let Some(slot) = slots.next() {
                        *slot = if outward { [a, b, c] } else { [a, c, b] };
                    }
                }
            }
        }
    }
    (corners, faces)
}

/// A torus about the z axis: a tube of radius `tube` whose centre line runs at distance `ring` from the axis.
/// It has `along` segments along the ring and `around` segments around the tube: `2 along around` triangles.
/// True volume: `2 pi^2 * ring * tube^2`.
pub fn torus(ring: f64, tube: f64, along: usize, around: usize) -> Result<Soup, PrimitiveError> {
    length("ring radius", ring)?;
    length("tube radius", tube)?;
    if tube >= ring {
        return Err(PrimitiveError::TubeTooThick { tube, limit: ring });
    }
    let section = |i: usize| {
        let (s, c) = turn_fraction(i, along);
        let out = Vec3::new(c, s, 0.0);
        (ring * out, out, Vec3::Z)
    };
    closed_tube(along, around, tube, section)
}

/// A tube of circles, closed in both directions. `section` gives the centre of a circle and two unit vectors
/// across the tube; the first point lies along the first vector. (second, first, direction of travel) is
/// right-handed.
pub(super) fn closed_tube(
    along: usize,
    around: usize,
    radius: f64,
    section: impl Fn(usize) -> (Vec3, Vec3, Vec3),
) -> Result<Soup, PrimitiveError> {
    at_least("segments along", along, 3)?;
    at_least("segments around", around, 3)?;
    check_triangles(2.0 * along as f64 * around as f64)?;
    let mut points = Vec::with_capacity(along * around);
    for i in 0..along {
        let (middle, first, second) = section(i);
        points.extend((0..around).map(|j| {
            let (s, c) = turn_fraction(j, around);
            middle + radius * (c * first + s * second)
        }));
    }
    let number = |i: usize, j: usize| ((i % along) * around + j % around) as u32;
    let mut triangles = Vec::with_capacity(2 * along * around);
    for i in 0..along {
        for j in 0..around {
            let [a, b, c, d] = [number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    Ok(Soup::new(points, triangles)?)
}
