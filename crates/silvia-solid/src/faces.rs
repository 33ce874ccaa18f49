//! Groups triangles into polygonal faces: maximal connected sets that lie in one plane within a tolerance.
//!
//! Points that a CAD system rounded to single precision no longer lie in one plane, and the normal of a thin
//! triangle then means nothing. So a face grows outwards from its largest triangle, ring by ring. Its plane
//! is the area-weighted mean of the triangles so far, and improves as the face grows.

use crate::topology::{from, next, previous};
use crate::{Plane, Vec3};
use rayon::prelude::*;

/// The label of each triangle, and the plane of each face.
pub(crate) struct Faces {
    pub(crate) of_triangle: Vec<u32>,
    pub(crate) planes: Vec<Plane>,
}

/// Groups the triangles of a closed manifold mesh with nonzero area. `mate` pairs the sides; `tolerance` is
/// the largest distance of a face's corner from the face's plane, m. Faces are numbered by their first
/// triangle.
pub(crate) fn group(points: &[Vec3], triangles: &[[u32; 3]], mate: &[u32], tolerance: f64) -> Faces {
    let mut grouping = Grouping {
        points,
        triangles,
        mate,
        tolerance,
        label: vec![UNLABELLED; triangles.len()],
        planes: Vec::new(),
    };
    for seed in grouping.seeds() {
        if grouping.label[seed as usize] == UNLABELLED {
            grouping.grow(seed);
        }
    }
    grouping.adopt_flat_triangles();
    grouping.numbered()
}

const UNLABELLED: u32 = u32::MAX;

/// The normal of a triangle lower than this many tolerances is ignored: rounding can turn it any way.
const THIN: f64 = 8.0;

struct Grouping<'a> {
    points: &'a [Vec3],
    triangles: &'a [[u32; 3]],
    mate: &'a [u32],
    tolerance: f64,
    label: Vec<u32>,
    planes: Vec<Plane>,
}

impl Grouping<'_> {
    /// Labels the triangles that cannot share a face with any neighbour. Returns the others that have an
    /// area, largest first (among equals, the lower number first).
    fn seeds(&mut self) -> Vec<u32> {
        let shapes: Vec<TriangleShape> = (0..self.triangles.len() as u32)
            .into_par_iter()
            .map(|t| TriangleShape::of(self.corners(t)))
            .collect();
        let lonely: Vec<bool> = (0..self.triangles.len() as u32)
            .into_par_iter()
            .map(|t| (3 * t..3 * t + 3).all(|side| self.is_crease(side, &shapes)))
            .collect();
        let mut seeds = Vec::new();
        for t in 0..self.triangles.len() as u32 {
            if lonely[t as usize] {
                self.label[t as usize] = self.planes.len() as u32;
                self.planes.push(Fit::of(self.corners(t)).plane());
            } else if shapes[t as usize].area2 > 0.0 {
                seeds.push(t);
            }
        }
        let area = |t: u32| shapes[t as usize].area2;
        seeds.par_sort_unstable_by(|&a, &b| area(b).total_cmp(&area(a)).then(a.cmp(&b)));
        seeds
    }

    /// Whether the two triangles at a side certainly lie in no common plane within the tolerance.
    ///
    /// Suppose they did. Each corner of one triangle would be within the tolerance of the common plane, and
    /// so would that triangle's own plane over the triangle. Beyond it, the error grows with the distance
    /// divided by its height. This bounds the distance of the other triangle's far corner from this plane.
    fn is_crease(&self, side: u32, shapes: &[TriangleShape]) -> bool {
        let mate = self.mate[side as usize];
        let beyond = |side: u32, mate: u32| {
            let shape = &shapes[side as usize / 3];
            if shape.height == 0.0 {
                return false;
            }
            let base = self.points[from(self.triangles, side) as usize];
            let far = self.points[from(self.triangles, previous(mate)) as usize];
            let reach = (far - base).length();
            shape.normal.dot(far - base).abs() > self.tolerance * (2.0 + 4.0 * reach / shape.height)
        };
        beyond(side, mate) || beyond(mate, side)
    }

    /// Labels the face around a seed.
    fn grow(&mut self, seed: u32) {
        let mut fit = Fit::of(self.corners(seed));
        // Use half the tolerance against the growing plane; the other half is for how far the plane may still
        // move.
        let members = self.flood(seed, 0.5 * self.tolerance, &mut fit, true);
        let plane = fit.plane();
        let is_within = |&t: &u32| self.corners(t).iter().all(|&p| plane.distance(p).abs() <= self.tolerance);
        if members.iter().all(is_within) {
            self.planes.push(plane);
            return;
        }
        // The plane moved too far: the surface has a very small curvature. Keep what lies in the seed's own
        // plane.
        members.iter().for_each(|&t| self.label[t as usize] = UNLABELLED);
        let mut fixed = Fit::of(self.corners(seed));
        self.flood(seed, self.tolerance, &mut fixed, false);
        self.planes.push(fixed.plane());
    }

    /// Labels the triangles connected to the seed across shared sides and admitted by the plane, and returns
    /// them. With `refit`, the plane follows them.
    fn flood(&mut self, seed: u32, tolerance: f64, fit: &mut Fit, refit: bool) -> Vec<u32> {
        let face = self.planes.len() as u32;
        self.label[seed as usize] = face;
        let mut members = vec![seed];
        let mut plane = fit.plane();
        let mut done = 0;
        while done < members.len() {
            let first = 3 * members[done];
            done += 1;
            for side in first..first + 3 {
                let neighbour = self.mate[side as usize] / 3;
                let corners = self.corners(neighbour);
                if self.label[neighbour as usize] == UNLABELLED && self.admits(&plane, corners, tolerance) {
                    self.label[neighbour as usize] = face;
                    members.push(neighbour);
                    if refit {
                        fit.add(corners);
                        plane = fit.plane();
                    }
                }
            }
        }
        members
    }

    /// Whether a triangle lies in a plane and faces the same way; a triangle that is too thin may face any
    /// way.
    fn admits(&self, plane: &Plane, corners: [Vec3; 3], tolerance: f64) -> bool {
        if !corners.iter().all(|&p| plane.distance(p).abs() <= tolerance) {
            return false;
        }
        let shape = TriangleShape::of(corners);
        shape.height <= THIN * self.tolerance || shape.normal.dot(plane.normal) > 0.0
    }

    /// Gives each triangle that no plane took (it has no area) to the face across its longest side.
    fn adopt_flat_triangles(&mut self) {
        let mut orphans: Vec<u32> =
            (0..self.label.len() as u32).filter(|&t| self.label[t as usize] == UNLABELLED).collect();
        // Each round labels at least the orphans next to a face. A component has a face, or no area at all.
        while !orphans.is_empty() {
            let adopted: Vec<(u32, u32)> = orphans
                .iter()
                .filter_map(|&t| {
                    (3 * t..3 * t + 3)
                        .map(|side| (self.length(side), self.label[self.mate[side as usize] as usize / 3]))
                        .filter(|&(_, face)| face != UNLABELLED)
                        .max_by(|a, b| a.0.total_cmp(&b.0))
                        .map(|(_, face)| (t, face))
                })
                .collect();
            if adopted.is_empty() {
                // A component without area becomes one face with an arbitrary plane.
                let seed = orphans[0];
                self.label[seed as usize] = self.planes.len() as u32;
                self.planes.push(Fit::of(self.corners(seed)).plane());
            }
            adopted.iter().for_each(|&(t, face)| self.label[t as usize] = face);
            orphans.retain(|&t| self.label[t as usize] == UNLABELLED);
        }
    }

    /// Numbers the faces by their first triangle.
    fn numbered(self) -> Faces {
        let mut number = vec![UNLABELLED; self.planes.len()];
        let mut planes = Vec::with_capacity(self.planes.len());
        let of_triangle = self
            .label
            .iter()
            .map(|&face| {
                if number[face as usize] == UNLABELLED {
                    number[face as usize] = planes.len() as u32;
                    planes.push(self.planes[face as usize]);
                }
                number[face as usize]
            })
            .collect();
        Faces { of_triangle, planes }
    }

    fn corners(&self, triangle: u32) -> [Vec3; 3] {
        self.triangles[triangle as usize].map(|i| self.points[i as usize])
    }

    fn length(&self, side: u32) -> f64 {
        let (a, b) = (from(self.triangles, side), from(self.triangles, next(side)));
        (self.points[a as usize] - self.points[b as usize]).length()
    }
}

/// Size of a single triangle.
struct TriangleShape {
    normal: Vec3,
    /// Twice the area, m².
    area2: f64,
    /// The least of its three heights, m.
    height: f64,
}

impl TriangleShape {
    fn of([a, b, c]: [Vec3; 3]) -> TriangleShape {
        let cross = (b - a).cross(c - a);
        let area2 = cross.length();
        let longest =
            (b - a).length_squared().max((c - b).length_squared()).max((a - c).length_squared()).sqrt();
        let height = if longest > 0.0 { area2 / longest } else { 0.0 };
        TriangleShape { normal: cross.normalize_or_zero(), area2, height }
    }
}

/// The mean plane of some triangles, weighted by area.
pub(crate) struct Fit {
    /// Where the sums start from, so that parts far from the origin lose no digits.
    origin: Vec3,
    normal_sum: Vec3,
    center_sum: Vec3,
    area_sum: f64,
}

impl Fit {
    pub(crate) fn of(corners: [Vec3; 3]) -> Fit {
        let mut fit =
            Fit { origin: corners[0], normal_sum: Vec3::ZERO, center_sum: Vec3::ZERO, area_sum: 0.0 };
        fit.add(corners);
        fit
    }

    pub(crate) fn add(&mut self, corners: [Vec3; 3]) {
        let [a, b, c] = corners.map(|p| p - self.origin);
        let cross = (b - a).cross(c - a);
        let area = cross.length();
        self.normal_sum += cross;
        self.center_sum += area * (a + b + c) / 3.0;
        self.area_sum += area;
    }

    pub(crate) fn plane(&self) -> Plane {
        self.plane_or(Vec3::Z)
    }

    /// The plane, with a unit vector for its normal where the triangles have no area.
    pub(crate) fn plane_or(&self, normal: Vec3) -> Plane {
        let normal = self.normal_sum.try_normalize().unwrap_or(normal);
        let center = if self.area_sum > 0.0 { self.center_sum / self.area_sum } else { Vec3::ZERO };
        Plane::through(self.origin + center, normal)
    }
}
