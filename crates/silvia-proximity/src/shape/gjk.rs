//! The nearest points of two convex cores by their support functions (Gilbert, Johnson and Keerthi, 1988).
//!
//! The difference `{b - a}` is convex and the distance is that of the origin to it. A simplex of its points is moved to
//! where it is nearest. Each support point also bounds the distance from below, by the plane through it; the search ends
//! when the two bounds meet, so the answer comes with its error. The nearest point of a simplex is sought among all its
//! corners, sides and faces: slower than by case analysis, but no rounding can lead it astray.

use super::core::Core;
use crate::triangle::across;
use silvia_solid::{Mat3, Pose, Vec3};

/// The bounds have met when they differ by less than this fraction of the size of the coordinates: a few roundings.
const CLOSE: f64 = 8.0 * f64::EPSILON;

/// Cores nearer than this fraction of the size of the coordinates touch: rounding can tell no more.
pub(super) const TOUCH: f64 = 4.0 * f64::EPSILON;

/// Many more than polytopes take; curved shapes gain a digit or so every second step.
const MAX_STEPS: usize = 200;

/// Curved shapes that nearly touch leave a simplex too thin to tell a direction. The search then starts again from points
/// around the best direction, this far from it, rad.
const SPREADS: [f64; 3] = [1e-3, 1e-5, 1e-4];

/// A core in a frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed<'a> {
    pub(super) core: Core<'a>,
    pose: Pose,
    rotation: Mat3,
    back: Mat3,
    translation: Vec3,
}

impl<'a> Placed<'a> {
    pub(super) fn here(core: Core<'a>) -> Placed<'a> {
        let (pose, unit) = (Pose::IDENTITY, Mat3::IDENTITY);
        Placed { core, pose, rotation: unit, back: unit, translation: Vec3::ZERO }
    }

    pub(super) fn at(core: Core<'a>, pose: &Pose) -> Placed<'a> {
        let rotation = pose.matrix();
        Placed { core, pose: *pose, rotation, back: rotation.transpose(), translation: pose.translation() }
    }

    /// A point that is farthest in a direction.
    pub(super) fn support(&self, direction: Vec3) -> Vec3 {
        self.numbered_support(direction).0
    }

    /// With its number among the vertices, see [`Core::numbered_support`].
    fn numbered_support(&self, direction: Vec3) -> (Vec3, u32) {
        let (p, number) = self.core.numbered_support(self.back * direction);
        (self.rotation * p + self.translation, number)
    }

    /// A direction of the frame, as seen from the core.
    pub(super) fn inward(&self, direction: Vec3) -> Vec3 {
        self.back * direction
    }

    /// Of the core in the frame.
    pub(super) fn pose(&self) -> &Pose {
        &self.pose
    }

    /// How large coordinates can be, m.
    pub(super) fn magnitude(&self) -> f64 {
        self.core.reach() + self.translation.length()
    }
}

/// What is known about the distance of two cores.
#[derive(Clone, Copy, Debug)]
pub(super) struct Closest {
    /// It is not less than this, m.
    pub(super) lower: f64,
    /// It is not more than this, m: that of the points. Zero if they touch.
    pub(super) upper: f64,
    /// On the first and the second.
    pub(super) points: [Vec3; 2],
    /// From the first to the second, unit length; zero if they share a point.
    pub(super) direction: Vec3,
    /// The vertices of each core between which its point lies.
    pub(super) vertices: [Vertices; 2],
}

/// Up to four different vertices of a core, by number.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Vertices {
    numbers: [u32; 4],
    count: usize,
}

impl Vertices {
    pub(super) fn one(number: u32) -> Vertices {
        Vertices { numbers: [number, 0, 0, 0], count: 1 }
    }

    pub(super) fn numbers(&self) -> &[u32] {
        &self.numbers[..self.count]
    }

    fn add(&mut self, number: u32) {
        if !self.numbers().contains(&number) {
            self.numbers[self.count] = number;
            self.count += 1;
        }
    }
}

/// The nearest points of two cores. May stop when they are known to be farther apart than `limit` (m).
pub(super) fn closest(a: &Placed<'_>, b: &Placed<'_>, limit: f64) -> Closest {
    let mut search = Search {
        a,
        b,
        size: a.magnitude() + b.magnitude(),
        limit,
        best: Closest {
            lower: 0.0,
            upper: f64::INFINITY,
            points: [a.translation, b.translation],
            direction: Vec3::ZERO,
            vertices: [Vertices::default(); 2],
        },
        lower: (0.0, Vec3::ZERO),
    };
    let mut simplex = Simplex::default();
    let first = b.translation - a.translation;
    simplex.push(search.support(if first == Vec3::ZERO { Vec3::X } else { first }));
    search.run(simplex);
    for spread in SPREADS {
        if search.is_done() {
            break;
        }
        // Three points around the best direction so far make a face of good shape.
        let n = search.lower.1.try_normalize().unwrap_or(search.best.direction);
        let (u, v) = n.any_orthonormal_pair();
        let mut simplex = Simplex::default();
        for (x, y) in [(1.0, 0.0), (-0.5, 0.75f64.sqrt()), (-0.5, -(0.75f64.sqrt()))] {
            simplex.push(search.support((n + spread * (x * u + y * v)).normalize()));
        }
        search.run(simplex);
    }
    search.best
}

struct Search<'a> {
    a: &'a Placed<'a>,
    b: &'a Placed<'a>,
    /// Of the coordinates, m.
    size: f64,
    limit: f64,
    best: Closest,
    /// The best lower bound and the direction that gave it.
    lower: (f64, Vec3),
}

impl Search<'_> {
    fn support(&self, d: Vec3) -> Corner {
        let ((of_a, in_a), (of_b, in_b)) = (self.a.numbered_support(d), self.b.numbered_support(-d));
        Corner { at: of_b - of_a, of_a, of_b, numbers: [in_a, in_b] }
    }

    fn is_done(&self) -> bool {
        self.best.upper == 0.0
            || self.lower.0 >= self.best.upper - CLOSE * self.size
            || self.lower.0 > self.limit + TOUCH * self.size
    }

    /// Goes on from a simplex until the bounds meet or rounding stops it.
    fn run(&mut self, mut simplex: Simplex) {
        let mut last = f64::INFINITY;
        for _ in 0..MAX_STEPS {
            let nearest = simplex.nearest();
            let upper = nearest.height;
            let points =
                [simplex.blend(&nearest.weights, |c| c.of_a), simplex.blend(&nearest.weights, |c| c.of_b)];
            let vertices = simplex.vertices(&nearest.weights);
            // A plane between them is proof that they are apart, whatever a thin simplex says.
            let is_apart = self.lower.0 > TOUCH * self.size;
            if !is_apart && (nearest.is_inside || upper <= TOUCH * self.size) {
                self.best = Closest { lower: 0.0, upper: 0.0, points, direction: Vec3::ZERO, vertices };
                return;
            }
            if nearest.is_inside || upper >= last {
                return;
            }
            last = upper;
            simplex.keep(&nearest.weights);
            let found = self.support(nearest.normal);
            let apart = found.at.dot(nearest.normal);
            if apart > self.lower.0 {
                self.lower = (apart, nearest.normal);
            }
            if upper < self.best.upper {
                self.best = Closest { lower: 0.0, upper, points, direction: nearest.normal, vertices };
            }
            self.best.lower = self.lower.0.min(self.best.upper);
            if self.is_done() || simplex.has(found.at) {
                return;
            }
            simplex.push(found);
        }
    }
}

/// A point of the difference, and the two it is the difference of.
#[derive(Clone, Copy, Debug, Default)]
struct Corner {
    at: Vec3,
    of_a: Vec3,
    of_b: Vec3,
    /// Of the vertices of the two cores.
    numbers: [u32; 2],
}

#[derive(Clone, Copy, Debug, Default)]
struct Simplex {
    corners: [Corner; 4],
    count: usize,
}

/// Where a simplex is nearest to the origin.
#[derive(Clone, Copy, Debug)]
struct Nearest {
    /// The point, as weights of the corners.
    weights: [f64; 4],
    /// Unit length, from the origin to the point. Of a face or a side it is across it, so that it is precise even where
    /// the point is next to the origin.
    normal: Vec3,
    /// The distance, m.
    height: f64,
    is_inside: bool,
}

impl Simplex {
    fn push(&mut self, corner: Corner) {
        if self.count < 4 {
            self.corners[self.count] = corner;
            self.count += 1;
        }
    }

    fn has(&self, at: Vec3) -> bool {
        self.corners[..self.count].iter().any(|c| c.at == at)
    }

    /// Drops the corners without weight.
    fn keep(&mut self, weights: &[f64; 4]) {
        let all = *self;
        self.count = 0;
        for i in (0..all.count).filter(|&i| weights[i] != 0.0) {
            self.push(all.corners[i]);
        }
    }

    fn blend(&self, weights: &[f64; 4], of: impl Fn(&Corner) -> Vec3) -> Vec3 {
        (0..self.count).map(|i| weights[i] * of(&self.corners[i])).sum()
    }

    /// The vertices of the two cores that have a weight.
    fn vertices(&self, weights: &[f64; 4]) -> [Vertices; 2] {
        let mut both = [Vertices::default(); 2];
        for i in (0..self.count).filter(|&i| weights[i] != 0.0) {
            for (vertices, number) in both.iter_mut().zip(self.corners[i].numbers) {
                vertices.add(number);
            }
        }
        both
    }

    fn nearest(&self) -> Nearest {
        let mut best =
            Nearest { weights: [0.0; 4], normal: Vec3::X, height: f64::INFINITY, is_inside: false };
        let mut offer = |weights: [f64; 4], normal: Vec3, height: f64| {
            if height < best.height && normal != Vec3::ZERO {
                best = Nearest { weights, normal, height, is_inside: false };
            }
        };
        let n = self.count;
        let at = |i: usize| self.corners[i].at;
        for i in 0..n {
            let mut weights = [0.0; 4];
            weights[i] = 1.0;
            let height = at(i).length();
            // At the origin itself any direction does.
            offer(weights, at(i).try_normalize().unwrap_or(Vec3::X), height);
        }
        for i in 0..n {
            for j in i + 1..n {
                if let Some((t, normal, height)) = on_side(at(i), at(j)) {
                    let mut weights = [0.0; 4];
                    (weights[i], weights[j]) = (1.0 - t, t);
                    offer(weights, normal, height);
                }
            }
        }
        for skipped in 0..n {
            let [i, j, k] = match (n, skipped) {
                (3, 0) => [0, 1, 2],
                (4, 0) => [1, 2, 3],
                (4, 1) => [0, 2, 3],
                (4, 2) => [0, 1, 3],
                (4, 3) => [0, 1, 2],
                _ => continue,
            };
            if let Some((w, normal, height)) = on_face(at(i), at(j), at(k)) {
                let mut weights = [0.0; 4];
                (weights[i], weights[j], weights[k]) = (w[0], w[1], w[2]);
                offer(weights, normal, height);
            }
        }
        if n == 4
            && let Some(weights) = inside([at(0), at(1), at(2), at(3)])
        {
            best = Nearest { weights, normal: Vec3::ZERO, height: 0.0, is_inside: true };
        }
        best
    }
}

/// Where the inside of a side is nearest to the origin: the weight of its second end, the direction, the distance.
fn on_side(p: Vec3, q: Vec3) -> Option<(f64, Vec3, f64)> {
    let u = q - p;
    let uu = u.length_squared();
    let t = -p.dot(u) / uu;
    if !(t > 0.0 && t < 1.0) {
        return None;
    }
    let foot = p + t * u;
    let foot = foot - u * (foot.dot(u) / uu);
    // On the origin any direction across does.
    let normal = foot.try_normalize().unwrap_or((u / uu.sqrt()).any_orthonormal_vector());
    Some((t, normal, foot.length()))
}

/// Where the inside of a face is nearest to the origin: the weights of its corners, the direction, the distance.
fn on_face(p: Vec3, q: Vec3, r: Vec3) -> Option<([f64; 3], Vec3, f64)> {
    let n = across(&[p, q, r]);
    let nn = n.length_squared();
    let (u, v) = (q - p, r - p);
    let (beta, gamma) = (v.cross(p).dot(n) / nn, p.cross(u).dot(n) / nn);
    let alpha = 1.0 - beta - gamma;
    if !(alpha > 0.0 && beta > 0.0 && gamma > 0.0) {
        return None;
    }
    let normal = n / nn.sqrt();
    // Of the three corners the nearest has the least rounding.
    let least = |x: Vec3, y: Vec3| if y.length_squared() < x.length_squared() { y } else { x };
    let height = least(least(p, q), r).dot(normal);
    let normal = if height < 0.0 { -normal } else { normal };
    Some(([alpha, beta, gamma], normal, height.abs()))
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
