//! Volume, area, centre and inertia of the region inside a closed surface.
//!
//! By the divergence theorem, each triangle contributes the signed tetrahedron that it spans with a reference
//! point. The integrals of 1, x and x xᵀ over a tetrahedron are polynomials in its corners, so for polyhedra
//! nothing is approximated. The reference point is the centre of the bounding box, so a part far from the
//! origin loses no digits. Sums run over fixed blocks in a fixed order: the same bits on any number of
//! threads.

use crate::{Aabb, Mat3, Pose, Vec3};
use rayon::prelude::*;

/// Mass properties for a density of 1 kg/m³. For another density, multiply `volume` and the inertias by it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Volume, m³; negative for a surface that is inside out.
    pub volume: f64,
    /// Surface area, m².
    pub area: f64,
    /// Centre of mass, m.
    pub center: Vec3,
    /// Inertia about the centre along the coordinate axes, for unit density, kg m².
    pub inertia: Mat3,
}

/// The three principal moments of inertia about the centre, ascending, and their right-handed axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Principal {
    /// Moments for unit density, ascending, kg m².
    pub moments: Vec3,
    /// Column `i` is the axis of moment `i`.
    pub axes: Mat3,
}

impl MassProperties {
    /// The mass properties of the region inside triangles that are anticlockwise seen from outside. They are
    /// meaningful only for a closed surface; [`crate::Solid::mass`] guarantees one.
    pub fn of_triangles(points: &[Vec3], triangles: &[[u32; 3]]) -> MassProperties {
        const BLOCK: usize = 4096;
        let reference = Aabb::of(points.iter().copied()).center();
        let blocks: Vec<Integrals> = triangles
            .par_chunks(BLOCK)
            .map(|block| {
                let mut sum = Integrals::default();
                for t in block {
                    sum.add_triangle(t.map(|i| points[i as usize] - reference));
                }
                sum
            })
            .collect();
        let mut sum = Integrals::default();
        blocks.iter().for_each(|b| sum.add(b));
        sum.properties(reference)
    }

    /// Inertia about any point along the coordinate axes, for unit density, kg m² (parallel axis theorem).
    pub fn inertia_about(&self, point: Vec3) -> Mat3 {
        let d = self.center - point;
        self.inertia + self.volume * (Mat3::from_diagonal(Vec3::splat(d.length_squared())) - outer(d, d))
    }

    /// Inertia about the origin of a frame and along its axes, for unit density, kg m².
    pub fn inertia_in(&self, frame: &Pose) -> Mat3 {
        let r = frame.matrix();
        r.transpose() * self.inertia_about(frame.translation()) * r
    }

    /// The principal axes, about which the body turns without wobbling, and their moments.
    pub fn principal(&self) -> Principal {
        let (moments, axes) = symmetric_eigen(self.inertia);
        Principal { moments, axes }
    }
}

#[derive(Clone, Copy, Default)]
struct Integrals {
    area: f64,
    /// Six times the volume.
    volume6: f64,
    /// Twenty-four times the first moment.
    first24: Vec3,
    /// 120 times the integral of x xᵀ: xx, yy, zz, and xy, yz, zx.
    square120: Vec3,
    mixed120: Vec3,
}

impl Integrals {
    fn add_triangle(&mut self, [a, b, c]: [Vec3; 3]) {
        let det = a.dot(b.cross(c));
        let s = a + b + c;
        self.area += 0.5 * (b - a).cross(c - a).length();
        self.volume6 += det;
        self.first24 += det * s;
        self.square120 += det * (a * a + b * b + c * c + s * s);
        let turned = |v: Vec3| Vec3::new(v.y, v.z, v.x);
        self.mixed120 += det * (a * turned(a) + b * turned(b) + c * turned(c) + s * turned(s));
    }

    fn add(&mut self, other: &Integrals) {
        self.area += other.area;
        self.volume6 += other.volume6;
        self.first24 += other.first24;
        self.square120 += other.square120;
        self.mixed120 += other.mixed120;
    }

    fn properties(&self, reference: Vec3) -> MassProperties {
        let volume = self.volume6 / 6.0;
        let c = if volume == 0.0 { Vec3::ZERO } else { self.first24 / (24.0 * volume) };
        let square = self.square120 / 120.0 - volume * c * c;
        let mixed = self.mixed120 / 120.0 - volume * c * Vec3::new(c.y, c.z, c.x);
        let inertia = Mat3::from_cols(
            Vec3::new(square.y + square.z, -mixed.x, -mixed.z),
            Vec3::new(-mixed.x, square.z + square.x, -mixed.y),
            Vec3::new(-mixed.z, -mixed.y, square.x + square.y),
        );
        MassProperties { volume, area: self.area, center: reference + c, inertia }
    }
}

/// `a bᵀ`.
fn outer(a: Vec3, b: Vec3) -> Mat3 {
    Mat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// Eigenvalues (ascending) and right-handed eigenvectors (columns) of a symmetric matrix, by Jacobi
/// rotations.
pub fn symmetric_eigen(m: Mat3) -> (Vec3, Mat3) {
    let mut a = m.to_cols_array_2d();
    let mut v = Mat3::IDENTITY.to_cols_array_2d();
    // Jacobi converges quadratically: a 3 by 3 matrix takes about 5 sweeps and never reaches 32.
    for _ in 0..32 {
        if a[0][1] == 0.0 && a[0][2] == 0.0 && a[1][2] == 0.0 {
            break;
        }
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            rotate(&mut a, &mut v, p, q);
        }
    }
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| a[i][i].total_cmp(&a[j][j]));
    let moments = Vec3::new(a[order[0]][order[0]], a[order[1]][order[1]], a[order[2]][order[2]]);
    let (x, y) = (Vec3::from(v[order[0]]), Vec3::from(v[order[1]]));
    (moments, Mat3::from_cols(x, y, x.cross(y)))
}

/// One Jacobi rotation that zeroes `a[p][q]`; the columns of `v` accumulate the rotations.
fn rotate(a: &mut [[f64; 3]; 3], v: &mut [[f64; 3]; 3], p: usize, q: usize) {
    if a[p][q] == 0.0 {
        return;
    }
    let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    let t = theta.signum() / (theta.abs() + theta.hypot(1.0));
    let c = 1.0 / t.hypot(1.0);
    let s = t * c;
    let (app, aqq, apq) = (a[p][p], a[q][q], a[p][q]);
    a[p][p] = app - t * apq;
    a[q][q] = aqq + t * apq;
    a[p][q] = 0.0;
    a[q][p] = 0.0;
    let r = 3 - p - q;
    let (arp, arq) = (a[r][p], a[r][q]);
    a[r][p] = c * arp - s * arq;
    a[r][q] = s * arp + c * arq;
    a[p][r] = a[r][p];
    a[q][r] = a[r][q];
    let (vp, vq) = (Vec3::from(v[p]), Vec3::from(v[q]));
    v[p] = (c * vp - s * vq).into();
    v[q] = (s * vp + c * vq).into();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Quat;

    #[test]
    fn the_eigenvectors_of_a_turned_diagonal_are_the_turned_axes() {
        let r = Mat3::from_quat(Quat::from_axis_angle(Vec3::new(1.0, -2.0, 0.5).normalize(), 1.1));
        let m = r * Mat3::from_diagonal(Vec3::new(3.0, 1.0, 2.0)) * r.transpose();
        let (moments, axes) = symmetric_eigen(m);
        assert!((moments - Vec3::new(1.0, 2.0, 3.0)).length() < 1e-14, "{moments}");
        assert!((axes.determinant() - 1.0).abs() < 1e-14);
        assert!(axes.x_axis.dot(r.y_axis).abs() > 1.0 - 1e-14);
    }

    #[test]
    fn a_multiple_of_the_identity_has_any_axes_but_right_handed_ones() {
        let (moments, axes) = symmetric_eigen(Mat3::from_diagonal(Vec3::splat(2.0)));
        assert_eq!(moments, Vec3::splat(2.0));
        assert_eq!(axes.determinant(), 1.0);
    }
}
