//! Up to four points of the difference of two cores, and where their hull is nearest to the origin.
//!
//! The nearest point is sought among all corners, sides and faces: slower than by case analysis, but no
//! rounding can lead it astray.

use crate::triangle::across;
use silvia_solid::Vec3;

/// A point of the difference, and the two it is the difference of.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Corner {
    pub(crate) at: Vec3,
    pub(crate) of_a: Vec3,
    pub(crate) of_b: Vec3,
    /// Of the vertices of the two cores.
    pub(crate) numbers: [u32; 2],
}

/// The hull of these points.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Simplex {
    corners: [Corner; 4],
    count: usize,
}

/// Up to four different vertices of a core, by number.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Vertices {
    numbers: [u32; 4],
    count: usize,
}

impl Vertices {
    pub(crate) fn one(number: u32) -> Vertices {
        Vertices { numbers: [number, 0, 0, 0], count: 1 }
    }

    /// Of a triangle's corners, or of a flatter thing whose last corner is repeated.
    pub(crate) fn of(corners: [u8; 3], last: usize) -> Vertices {
        let mut vertices = Vertices::default();
        corners.iter().for_each(|&k| vertices.add(u32::from(k).min(last as u32)));
        vertices
    }

    pub(crate) fn two(first: u32, second: u32) -> Vertices {
        Vertices { numbers: [first, second, 0, 0], count: 2 }
    }

    pub(crate) fn numbers(&self) -> &[u32] {
        &self.numbers[..self.count]
    }

    fn add(&mut self, number: u32) {
        if !self.numbers().contains(&number) {
            self.numbers[self.count] = number;
            self.count += 1;
        }
    }
}

/// Where a simplex is nearest to the origin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nearest {
    /// The point, as weights of the corners.
    pub(crate) weights: [f64; 4],
    /// The distance, m.
    pub(crate) height: f64,
    pub(crate) is_inside: bool,
}

/// The plane with the simplex behind it, seen from the origin, that is farthest away.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FarPlane {
    /// Unit length, away from the origin. Of a face or a side it is across it, so that it is precise even
    /// next to the origin.
    pub(crate) normal: Vec3,
    /// From the origin, m.
    pub(crate) height: f64,
    /// The corners that it goes through, as bits.
    pub(crate) corners: u8,
}

impl Simplex {
    pub(crate) fn push(&mut self, corner: Corner) {
        if self.count < 4 {
            self.corners[self.count] = corner;
            self.count += 1;
        }
    }

    pub(crate) fn has(&self, at: Vec3) -> bool {
        self.corners[..self.count].iter().any(|c| c.at == at)
    }

    /// Keeps the corners given by bits.
    pub(crate) fn keep(&mut self, corners: u8) {
        let all = *self;
        self.count = 0;
        for i in (0..all.count).filter(|i| corners >> i & 1 == 1) {
            self.push(all.corners[i]);
        }
    }

    pub(crate) fn blend(&self, weights: &[f64; 4], of: impl Fn(&Corner) -> Vec3) -> Vec3 {
        (0..self.count).map(|i| weights[i] * of(&self.corners[i])).sum()
    }

    /// The corner with the largest weight: the first of equals.
    pub(crate) fn heaviest(&self, weights: &[f64; 4]) -> Corner {
        let heavier = |best: usize, i: usize| if weights[i] > weights[best] { i } else { best };
        self.corners[(0..self.count).fold(0, heavier)]
    }

    /// The vertices of the two cores that have a weight.
    pub(crate) fn vertices(&self, weights: &[f64; 4]) -> [Vertices; 2] {
        let mut both = [Vertices::default(); 2];
        for i in (0..self.count).filter(|&i| weights[i] != 0.0) {
            for (vertices, number) in both.iter_mut().zip(self.corners[i].numbers) {
                vertices.add(number);
            }
        }
        both
    }

    /// Where it is nearest to the origin; and of the planes across its corners, sides and faces, the farthest
    /// one that has no corner in front of it. In exact numbers these are two views of one thing. But where a
    /// corner lies just in front of the nearest side, a long way off sidewards, it changes the distance by
    /// less than its rounding, and only the plane shows it.
    pub(crate) fn nearest(&self) -> (Nearest, FarPlane) {
        let mut best = Nearest { weights: [0.0; 4], height: f64::INFINITY, is_inside: false };
        let mut plane = FarPlane { normal: Vec3::X, height: f64::NEG_INFINITY, corners: 0 };
        let at = |i: usize| self.corners[i].at;
        for &subset in self.subsets() {
            let mut weights = [0.0; 4];
            let (height, normal) = match *subset {
                [i] => {
                    weights[i] = 1.0;
                    // At the origin itself any direction does.
                    (at(i).length(), at(i).try_normalize().unwrap_or(Vec3::X))
                }
                [i, j] => {
                    let side = Side::new(at(i), at(j));
                    (weights[i], weights[j]) = (1.0 - side.t, side.t);
                    (side.height, side.normal)
                }
                [i, j, k] => {
                    let face = Face::new(at(i), at(j), at(k));
                    [weights[i], weights[j], weights[k]] = face.weights;
                    (face.height, face.normal)
                }
                _ => continue,
            };
            if height < best.height && subset.iter().all(|&i| weights[i] > 0.0) {
                best = Nearest { weights, height, is_inside: false };
            }
            let least = (0..self.count).map(|i| at(i).dot(normal)).fold(f64::INFINITY, f64::min);
            if least > plane.height {
                let corners = subset.iter().fold(0, |bits, i| bits | 1 << i);
                plane = FarPlane { normal, height: least, corners };
            }
        }
        if self.count == 4
            && let Some(weights) = inside([at(0), at(1), at(2), at(3)])
        {
            best = Nearest { weights, height: 0.0, is_inside: true };
        }
        (best, plane)
    }

    /// The corners, sides and faces.
    fn subsets(&self) -> &'static [&'static [usize]] {
        match self.count {
            1 => &[&[0]],
            2 => &[&[0], &[1], &[0, 1]],
            3 => &[&[0], &[1], &[2], &[0, 1], &[0, 2], &[1, 2], &[0, 1, 2]],
            _ => &[
                &[0],
                &[1],
                &[2],
                &[3],
                &[0, 1],
                &[0, 2],
                &[0, 3],
                &[1, 2],
                &[1, 3],
                &[2, 3],
                &[0, 1, 2],
                &[0, 1, 3],
                &[0, 2, 3],
                &[1, 2, 3],
            ],
        }
    }
}

/// The line through two corners. All NaN if they are one.
struct Side {
    /// Where it is nearest to the origin: from 0 at the first to 1 at the second corner.
    t: f64,
    /// Unit length, away from the origin.
    normal: Vec3,
    /// Along the normal, m.
    height: f64,
}

impl Side {
    fn new(p: Vec3, q: Vec3) -> Side {
        let u = q - p;
        let uu = u.length_squared();
        let t = -p.dot(u) / uu;
        let foot = p + t * u;
        let foot = foot - u * (foot.dot(u) / uu);
        let height = foot.length();
        // Through the origin itself any direction across does.
        let normal = if height > 0.0 { foot / height } else { (u / uu.sqrt()).any_orthonormal_vector() };
        Side { t, normal, height }
    }
}

/// The plane through three corners. All NaN if they are on one line.
struct Face {
    /// Of the corners, at the point nearest to the origin.
    weights: [f64; 3],
    /// Unit length, away from the origin.
    normal: Vec3,
    /// Along the normal, m.
    height: f64,
}

impl Face {
    fn new(p: Vec3, q: Vec3, r: Vec3) -> Face {
        let n = across(&[p, q, r]);
        let nn = n.length_squared();
        let (u, v) = (q - p, r - p);
        let (beta, gamma) = (v.cross(p).dot(n) / nn, p.cross(u).dot(n) / nn);
        let normal = n / nn.sqrt();
        // Of the three corners the nearest has the least rounding.
        let least = |x: Vec3, y: Vec3| if y.length_squared() < x.length_squared() { y } else { x };
        let height = least(least(p, q), r).dot(normal);
        let normal = if height < 0.0 { -normal } else { normal };
        Face { weights: [1.0 - beta - gamma, beta, gamma], normal, height: height.abs() }
    }
}

/// The weights of the corners of a tetrahedron that give the origin, if it is inside.
fn inside([a, b, c, d]: [Vec3; 4]) -> Option<[f64; 4]> {
    let (u, v, w) = (b - a, c - a, d - a);
    let volume = u.dot(v.cross(w));
    let beta = -a.dot(v.cross(w)) / volume;
    let gamma = -u.dot(a.cross(w)) / volume;
    let delta = -u.dot(v.cross(a)) / volume;
    let alpha = 1.0 - beta - gamma - delta;
    let all = [alpha, beta, gamma, delta];
    all.iter().all(|&x| x >= 0.0).then_some(all)
}
