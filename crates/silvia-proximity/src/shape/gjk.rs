//! The nearest points of two convex cores by their support functions (Gilbert, Johnson and Keerthi, 1988).
//!
//! The difference `{b - a}` is convex and the distance is that of the origin to it. A simplex of its points
//! is moved to where it is nearest. Each support point also bounds the distance from below, by the plane
//! through it; the search ends when the two bounds meet, so the answer comes with its error.

use super::common_normal;
use super::core::Core;
use super::simplex::{Corner, Simplex, Vertices};
use crate::triangle::{TriangleFeature, across, closest_on_triangle};
use silvia_solid::{Mat3, Pose, Vec3};

/// The bounds have met when they differ by less than this fraction of the size of the coordinates: a few
/// roundings.
const CLOSE: f64 = 8.0 * f64::EPSILON;

/// Cores nearer than this fraction of the size of the coordinates touch: rounding can tell no more.
pub(super) const TOUCH: f64 = 4.0 * f64::EPSILON;

/// Many more than polytopes take; curved shapes gain a digit or so every second step.
const MAX_STEPS: usize = 200;

/// How often the farthest plane may come no nearer before the search ends: rounding alone moves it.
const MAX_STALLED: usize = 12;

/// An answer with bounds that differ by less than this fraction of the size of the coordinates is not sought
/// again.
pub(super) const ENOUGH: f64 = 1e-13;

/// Curved shapes that nearly touch leave a simplex too thin to tell a direction. The search then starts again
/// from points around the best direction, this far from it, rad.
const SPREADS: [f64; 3] = [1e-3, 1e-5, 1e-4];

/// Where the last digits are found otherwise, the bounds have met when they differ by less than this
/// fraction of the size of the coordinates.
const QUICKLY: f64 = 1e-5;

/// How precise a distance is where that matters little, as a fraction of it.
const ROUGHLY: f64 = 0.05;

/// A core in a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacedCore<'a> {
    pub(crate) core: Core<'a>,
    rotation: Mat3,
    back: Mat3,
    translation: Vec3,
}

impl<'a> PlacedCore<'a> {
    pub(crate) fn here(core: Core<'a>) -> PlacedCore<'a> {
        PlacedCore { core, rotation: Mat3::IDENTITY, back: Mat3::IDENTITY, translation: Vec3::ZERO }
    }

    pub(super) fn at(core: Core<'a>, pose: &Pose) -> PlacedCore<'a> {
        PlacedCore::bent(core, pose.matrix(), pose.translation())
    }

    /// Turned and shrunk by a matrix of norm at most 1.
    pub(crate) fn bent(core: Core<'a>, matrix: Mat3, translation: Vec3) -> PlacedCore<'a> {
        PlacedCore { core, rotation: matrix, back: matrix.transpose(), translation }
    }

    /// The same, moved.
    #[must_use]
    pub(super) fn shifted(&self, by: Vec3) -> PlacedCore<'a> {
        PlacedCore { translation: self.translation + by, ..*self }
    }

    /// A point that is farthest in a direction.
    pub(super) fn support(&self, direction: Vec3) -> Vec3 {
        self.numbered_support(direction).0
    }

    /// With its number among the vertices, see [`Core::numbered_support`].
    pub(super) fn numbered_support(&self, direction: Vec3) -> (Vec3, u32) {
        let (p, number) = self.core.numbered_support(self.back * direction);
        (self.rotation * p + self.translation, number)
    }

    /// A direction of the frame, as seen from the core.
    pub(crate) fn inward(&self, direction: Vec3) -> Vec3 {
        self.back * direction
    }

    /// A direction of the core, as seen from the frame.
    pub(super) fn outward(&self, direction: Vec3) -> Vec3 {
        self.rotation * direction
    }

    /// The axes of the core, as seen from the frame.
    pub(super) fn axes(&self) -> Mat3 {
        self.rotation
    }

    /// A point of the core, as seen from the frame.
    pub(super) fn placed_point(&self, p: Vec3) -> Vec3 {
        self.rotation * p + self.translation
    }

    /// A point of the frame, as seen from the core.
    pub(super) fn local_point(&self, p: Vec3) -> Vec3 {
        self.back * (p - self.translation)
    }

    /// How large coordinates can be, m.
    pub(super) fn magnitude(&self) -> f64 {
        self.core.reach() + self.translation.length()
    }
}

/// What is known about the distance of two cores.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Closest {
    /// It is not less than this, m.
    pub(crate) lower: f64,
    /// It is not more than this, m: that of the points. Zero if they touch.
    pub(crate) upper: f64,
    /// On the first and the second.
    pub(crate) points: [Vec3; 2],
    /// From the first to the second, unit length; zero if they share a point.
    pub(crate) direction: Vec3,
    /// The vertices of each core between which its point lies.
    pub(crate) vertices: [Vertices; 2],
}

/// The nearest points of two cores. May stop when they are known to be farther apart than `limit` (m).
pub(crate) fn closest(a: &PlacedCore<'_>, b: &PlacedCore<'_>, limit: f64) -> Closest {
    match (a.core, b.core) {
        (Core::Points(p), Core::Points(&[_])) if p.len() <= 3 => to_point(a, p, b.support(Vec3::X)),
        (Core::Points(&[_]), Core::Points(q)) if q.len() <= 3 => to_point(b, q, a.support(Vec3::X)).swapped(),
        (
            Core::Points(_)
            | Core::Axis(_)
            | Core::Box(_)
            | Core::Cylinder { .. }
            | Core::Cone { .. }
            | Core::Ellipsoid(_)
            | Core::Solid(_),
            _,
        ) => search(a, b, limit, f64::INFINITY),
    }
}

/// A point, a segment or a triangle, and a point, in closed form.
fn to_point(flat: &PlacedCore<'_>, corners: &[Vec3], point: Vec3) -> Closest {
    let last = corners.len() - 1;
    let triangle = [0, 1, 2].map(|k: usize| flat.placed_point(corners[k.min(last)]));
    let (nearest, part) = closest_on_triangle(point, &triangle);
    let between = point - nearest;
    let upper = between.length();
    let mut direction = between.normalize_or_zero();
    if part == TriangleFeature::Face {
        // Precise even where the point is next to it.
        let across = across(&triangle).normalize_or_zero();
        direction = if across.dot(direction) < 0.0 { -across } else { across };
    }
    let vertices = match part {
        TriangleFeature::Vertex(k) => Vertices::of([k, k, k], last),
        TriangleFeature::Edge(k) => Vertices::of([k, (k + 1) % 3, k], last),
        TriangleFeature::Face => Vertices::of([0, 1, 2], last),
    };
    let size = flat.magnitude() + point.length();
    if upper <= TOUCH * size {
        let vertices = [vertices, Vertices::one(0)];
        return Closest { lower: 0.0, upper: 0.0, points: [nearest, point], direction: Vec3::ZERO, vertices };
    }
    Closest {
        lower: upper,
        upper,
        points: [nearest, point],
        direction,
        vertices: [vertices, Vertices::one(0)],
    }
}

/// A plane between two cores with a margin between them, if they are apart: how far apart it holds them is
/// enough to know to a few percent.
pub(super) fn plane_between(a: &PlacedCore<'_>, b: &PlacedCore<'_>, margin: f64) -> Closest {
    search(a, b, f64::INFINITY, margin)
}

/// As [`closest`]; beyond `margin` (m) only roughly.
fn search(a: &PlacedCore<'_>, b: &PlacedCore<'_>, limit: f64, margin: f64) -> Closest {
    if !common_normal::applies(a, b) {
        return search_until(a, b, limit, margin, CLOSE);
    }
    let size = a.magnitude() + b.magnitude();
    let mut found = Closest::default();
    for close in [QUICKLY, CLOSE] {
        let rough = search_until(a, b, limit, margin, close);
        found = common_normal::polished(a, b, &rough, CLOSE * size);
        if found.upper - found.lower <= ENOUGH * size || found.lower > limit + TOUCH * size {
            break;
        }
    }
    found
}

/// Ends when the bounds differ by less than `close`, a fraction of the size of the coordinates.
fn search_until(a: &PlacedCore<'_>, b: &PlacedCore<'_>, limit: f64, margin: f64, close: f64) -> Closest {
    let size = a.magnitude() + b.magnitude();
    let mut search = ClosestSearch {
        a,
        b,
        size,
        close: close * size,
        limit,
        margin,
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
    let first = b.placed_point(b.core.middle()) - a.placed_point(a.core.middle());
    simplex.push(search.support(if first == Vec3::ZERO { Vec3::X } else { first }));
    search.run(simplex);
    for spread in SPREADS {
        if search.is_done() || search.best.upper - search.lower.0 <= ENOUGH.max(close) * search.size {
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

impl Closest {
    /// With the cores in the other order.
    #[must_use]
    pub(super) fn swapped(self) -> Closest {
        let ([p, q], [v, w]) = (self.points, self.vertices);
        Closest { points: [q, p], vertices: [w, v], direction: -self.direction, ..self }
    }
}

struct ClosestSearch<'a> {
    a: &'a PlacedCore<'a>,
    b: &'a PlacedCore<'a>,
    /// Of the coordinates, m.
    size: f64,
    /// The bounds have met when they differ by no more, m.
    close: f64,
    limit: f64,
    /// What the distance exceeds this by need be known to [`ROUGHLY`] only, m.
    margin: f64,
    best: Closest,
    /// The best lower bound and the direction that gave it.
    lower: (f64, Vec3),
}

impl ClosestSearch<'_> {
    fn support(&self, d: Vec3) -> Corner {
        let ((of_a, in_a), (of_b, in_b)) = (self.a.numbered_support(d), self.b.numbered_support(-d));
        Corner { at: of_b - of_a, of_a, of_b, numbers: [in_a, in_b] }
    }

    fn is_done(&self) -> bool {
        let rough = ROUGHLY * (self.best.upper - self.margin).max(0.0);
        self.best.upper == 0.0
            || self.lower.0 >= self.best.upper - self.close - rough
            || self.lower.0 > self.limit + TOUCH * self.size
    }

    /// Goes on from a simplex until the bounds meet or rounding stops it.
    fn run(&mut self, mut simplex: Simplex) {
        let mut last = f64::INFINITY;
        let mut stalled = 0;
        for _ in 0..MAX_STEPS {
            let (nearest, plane) = simplex.nearest();
            let upper = nearest.height;
            let points =
                [simplex.blend(&nearest.weights, |c| c.of_a), simplex.blend(&nearest.weights, |c| c.of_b)];
            let vertices = simplex.vertices(&nearest.weights);
            // A plane between them is proof that they are apart, whatever a thin simplex says.
            let is_apart = self.lower.0 > TOUCH * self.size;
            if !is_apart && (nearest.is_inside || upper.min(plane.height) <= TOUCH * self.size) {
                self.best = Closest { lower: 0.0, upper: 0.0, points, direction: Vec3::ZERO, vertices };
                return;
            }
            if nearest.is_inside {
                return;
            }
            stalled += usize::from(plane.height >= last);
            if stalled > MAX_STALLED {
                return;
            }
            last = last.min(plane.height);
            simplex.keep(plane.corners);
            let found = self.support(plane.normal);
            let apart = found.at.dot(plane.normal);
            if apart > self.lower.0 {
                self.lower = (apart, plane.normal);
            }
            if upper < self.best.upper {
                self.best = Closest { lower: 0.0, upper, points, direction: plane.normal, vertices };
            }
            self.best.lower = self.lower.0.min(self.best.upper);
            if self.lower.0 > 0.0 {
                // The plane that proves the distance is more precise than the line between the points.
                self.best.direction = self.lower.1;
            }
            if self.is_done() || simplex.has(found.at) {
                return;
            }
            simplex.push(found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use seeded::Random;
    use silvia_solid::Quat;

    /// What the bounds may differ by, as a fraction of the size of the coordinates: of any cores, and of
    /// flat-faced ones.
    const GAP: f64 = 1e-12;
    const FLAT_GAP: f64 = 1e-14;

    #[test]
    fn bounds_meet_even_where_curved_cores_just_touch() {
        let triangle = [Vec3::new(0.0, 0.1, 0.3), Vec3::new(1.0, 0.0, 0.2), Vec3::new(0.3, 0.8, -0.4)];
        let cores = [
            Core::Points(&triangle),
            Core::Axis(0.7),
            Core::Box(Vec3::new(0.5, 0.6, 0.7)),
            Core::Cylinder { radius: 0.6, half: 0.5 },
            Core::Cone { radius: 0.6, half: 0.5 },
            Core::Ellipsoid(Vec3::new(0.7, 0.5, 0.4)),
            Core::Ellipsoid(Vec3::new(0.6, 0.6, 0.006)),
        ];
        let mut random = Random::new(1);
        for a in &cores {
            for b in &cores {
                for k in 0..60 {
                    let quarter = |n: f64| std::f64::consts::FRAC_PI_2 * n.floor();
                    let q = if k % 4 == 0 {
                        Quat::from_rotation_x(quarter(4.0 * random.unit()))
                            * Quat::from_rotation_y(quarter(4.0 * random.unit()))
                    } else {
                        Quat::from_axis_angle(random.direction(), 6.0 * random.unit())
                    };
                    let far = Pose::new(2.5 * random.direction(), q).unwrap();
                    let a = PlacedCore::here(*a);
                    let first = check(&a, &PlacedCore::at(*b, &far));
                    // As near as can be, or nearly so.
                    let gap = if k % 3 == 0 { 0.0 } else { 10f64.powf(-1.0 - 16.0 * random.unit()) };
                    let shift = first.direction * (first.upper - gap);
                    let near = Pose::new(far.translation() - shift, q).unwrap();
                    let second = check(&a, &PlacedCore::at(*b, &near));
                    assert!((second.upper - gap).abs() < 10.0 * GAP, "{} for {gap}", second.upper);
                }
            }
        }
    }

    fn check(a: &PlacedCore<'_>, b: &PlacedCore<'_>) -> Closest {
        let found = closest(a, b, f64::INFINITY);
        let is_curved = |p: &PlacedCore<'_>| matches!(p.core, Core::Cylinder { .. } | Core::Cone { .. });
        // Ellipsoids are as precise as flat-faced cores.
        let gap = if is_curved(a) || is_curved(b) { GAP } else { FLAT_GAP };
        let size = a.magnitude() + b.magnitude();
        assert!(
            found.lower <= found.upper && found.upper - found.lower <= gap * size,
            "{a:?} {b:?} {found:?}"
        );
        found
    }
}
