//! Topology and mass properties of random solids, against exact integers.
//!
//! The engine sums signed tetrahedra; the oracle sums prisms over the coordinate planes (the divergence
//! theorem with another field), in i128, so that the two share neither formula nor rounding.

use seeded::Random;
use silvia::solid::{MassProperties, Solid, Soup, Vec3};

/// The largest relative error allowed, of volume, centre and inertia.
const TOLERANCE: f64 = 1e-12;
/// Coordinates are whole numbers up to about this.
const SIZE: f64 = 1000.0;

/// One trial: the largest relative error, or what was wrong.
pub(crate) fn trial(random: &mut Random) -> Result<f64, String> {
    let genus = random.whole(0, 1);
    let offset = (3.0 * random.vector(SIZE)).round();
    let (points, triangles) = if genus == 0 { lumpy_ball(random) } else { lumpy_ring(random) };
    let points: Vec<Vec3> = points.iter().map(|p| (*p + offset).round()).collect();
    let exact = Exact::of(&points, &triangles);
    let soup = Soup::new(points, triangles).map_err(|e| e.to_string())?;
    let solid = Solid::from_soup(&soup).map_err(|e| e.to_string())?;
    if solid.genus() as u64 != genus || solid.component_count() != 1 {
        return Err(format!(
            "genus {} and {} components, not {genus} and 1",
            solid.genus(),
            solid.component_count()
        ));
    }
    let error = exact.error_of(solid.mass());
    if error <= TOLERANCE { Ok(error) } else { Err(format!("the relative error is {error:e}")) }
}

type Triangles = (Vec<Vec3>, Vec<[u32; 3]>);

/// A ball of parallels and meridians, each corner at a random distance from the centre.
fn lumpy_ball(random: &mut Random) -> Triangles {
    let (rows, columns) = (random.whole(1, 6) as u32, random.whole(3, 9) as u32);
    let mut points = Vec::new();
    for row in 1..=rows {
        let polar = std::f64::consts::PI * f64::from(row) / f64::from(rows + 1);
        for column in 0..columns {
            let turn = std::f64::consts::TAU * f64::from(column) / f64::from(columns);
            let direction = Vec3::new(polar.sin() * turn.cos(), polar.sin() * turn.sin(), polar.cos());
            points.push(random.between(0.4, 1.0) * SIZE * direction);
        }
    }
    let (north, south) = (points.len() as u32, points.len() as u32 + 1);
    points.push(SIZE * Vec3::Z);
    points.push(-SIZE * Vec3::Z);
    let at = |row: u32, column: u32| row * columns + column % columns;
    let mut triangles = Vec::new();
    for column in 0..columns {
        triangles.push([north, at(0, column), at(0, column + 1)]);
        triangles.push([south, at(rows - 1, column + 1), at(rows - 1, column)]);
        for row in 0..rows - 1 {
            triangles.push([at(row, column), at(row + 1, column), at(row + 1, column + 1)]);
            triangles.push([at(row, column), at(row + 1, column + 1), at(row, column + 1)]);
        }
    }
    (points, triangles)
}

/// A ring, its tube of a random width at each corner.
fn lumpy_ring(random: &mut Random) -> Triangles {
    let (around, across) = (random.whole(3, 9) as u32, random.whole(3, 7) as u32);
    let mut points = Vec::new();
    for i in 0..around {
        let turn = std::f64::consts::TAU * f64::from(i) / f64::from(around);
        let outward = Vec3::new(turn.cos(), turn.sin(), 0.0);
        for j in 0..across {
            let angle = std::f64::consts::TAU * f64::from(j) / f64::from(across);
            let tube = random.between(0.1, 0.3) * SIZE;
            points.push((0.7 * SIZE + tube * angle.cos()) * outward + tube * angle.sin() * Vec3::Z);
        }
    }
    let at = |i: u32, j: u32| i % around * across + j % across;
    let mut triangles = Vec::new();
    for i in 0..around {
        for j in 0..across {
            triangles.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
            triangles.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    (points, triangles)
}

/// Integrals over the solid, exact: 6, 24 and 360 (or 240) times those of 1, x and x xᵀ, with x from the
/// first point.
struct Exact {
    first_point: Vec3,
    volume6: i128,
    first24: [i128; 3],
    square360: [i128; 3],
    /// Of xy, yz, zx.
    mixed240: [i128; 3],
}

impl Exact {
    /// Sums, for each axis z with x and y the following two, the integrals over z of the prisms under the
    /// triangles.
    fn of(points: &[Vec3], triangles: &[[u32; 3]]) -> Exact {
        let mut sum = Exact {
            first_point: points[0],
            volume6: 0,
            first24: [0; 3],
            square360: [0; 3],
            mixed240: [0; 3],
        };
        // Whole numbers far below 2^53: differences and conversion are exact.
        let whole = |i: u32| (points[i as usize] - points[0]).to_array().map(|c| c as i128);
        for triangle in triangles {
            let corners = triangle.map(whole);
            for axis in 0..3 {
                let (x, y) = ((axis + 1) % 3, (axis + 2) % 3);
                let [a, b, c] = corners;
                // Twice the signed area of the shadow.
                let area2 = (b[x] - a[x]) * (c[y] - a[y]) - (b[y] - a[y]) * (c[x] - a[x]);
                let z = corners.map(|p| p[axis]);
                if axis == 2 {
                    sum.volume6 += area2 * z.iter().sum::<i128>();
                }
                sum.first24[axis] += area2
                    * (z[0] * z[0] + z[1] * z[1] + z[2] * z[2] + z[0] * z[1] + z[1] * z[2] + z[2] * z[0]);
                sum.square360[axis] += area2 * cubic(z, z, z);
                // The integral of z² x / 2 over the shadow is that of z x over the prism.
                sum.mixed240[axis] += area2 * cubic(z, z, corners.map(|p| p[x]));
            }
        }
        // Axis 0 gave xy, 1 gave yz, 2 gave zx.
        sum
    }

    /// The largest relative error of computed properties.
    fn error_of(&self, found: &MassProperties) -> f64 {
        let volume = self.volume6 as f64 / 6.0;
        let v = self.volume6;
        let mut worst = ((found.volume - volume) / volume).abs();
        let center = self.first_point + Vec3::from(self.first24.map(|m| m as f64 / (4.0 * v as f64)));
        worst = worst.max((found.center - center).length() / SIZE);
        // The second moments about the centre.
        let moments: [f64; 3] = std::array::from_fn(|axis| {
            let m = self.first24[axis];
            (96 * v * self.square360[axis] - 360 * m * m) as f64 / (34560.0 * v as f64)
        });
        let inertia = found.inertia.to_cols_array_2d();
        let scale = moments.iter().sum::<f64>();
        for (axis, column) in inertia.iter().enumerate() {
            let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
            let mixed = 96 * v * self.mixed240[axis] - 240 * self.first24[axis] * self.first24[next];
            let product = mixed as f64 / (23040.0 * v as f64);
            worst = worst
                .max((column[axis] - (moments[next] + moments[last])).abs() / scale)
                .max((column[next] + product).abs() / scale);
        }
        worst
    }
}

/// 120 times the mean, over a triangle of twice unit area, of the product of three linear functions with
/// these values at the corners.
fn cubic(f: [i128; 3], g: [i128; 3], h: [i128; 3]) -> i128 {
    let sum = |v: [i128; 3]| v.iter().sum::<i128>();
    let dot = |v: [i128; 3], w: [i128; 3]| v.iter().zip(w).map(|(a, b)| a * b).sum::<i128>();
    let all = f.iter().zip(g).zip(h).map(|((a, b), c)| a * b * c).sum::<i128>();
    // Corner triples weigh 1 if all differ, 2 if two are equal, 6 if all are: 1 everywhere, 1 more for each
    // equal pair, and 2 more where there are three.
    sum(f) * sum(g) * sum(h) + dot(f, g) * sum(h) + dot(g, h) * sum(f) + dot(h, f) * sum(g) + 2 * all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oracle_knows_the_unit_tetrahedron() {
        let points = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
        let exact = Exact::of(&points, &[[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]);
        // Over x, y, z >= 0, x + y + z <= 1: 1/6, 1/24, 1/60 and 1/120.
        assert_eq!(exact.volume6, 1);
        assert_eq!(exact.first24, [1; 3]);
        assert_eq!(exact.square360, [6; 3]);
        assert_eq!(exact.mixed240, [2; 3]);
    }

    #[test]
    fn the_oracle_sees_a_wrong_volume_and_a_wrong_inertia() {
        let (points, triangles) = lumpy_ring(&mut crate::random::of_trial(1, 1));
        let points: Vec<Vec3> = points.iter().map(|p| p.round()).collect();
        let exact = Exact::of(&points, &triangles);
        let right = MassProperties::of_triangles(&points, &triangles);
        assert!(exact.error_of(&right) < TOLERANCE);
        assert!(
            exact.error_of(&MassProperties { volume: right.volume * (1.0 + 1e-11), ..right }) > TOLERANCE
        );
        assert!(
            exact.error_of(&MassProperties { inertia: right.inertia * (1.0 + 1e-11), ..right }) > TOLERANCE
        );
    }
}
