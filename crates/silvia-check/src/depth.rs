//! The depth of two simple pieces, and the direction from one to the other.

use crate::axes;
use crate::largest;
use crate::nearest;
use crate::piece::Simple;
use crate::signed::Curved;
use silvia_solid::Vec3;

/// How far around a direction to search for a better one, as a tangent.
const WINDOW: f64 = 1.5;

/// Depth and direction of two pieces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Closest {
    /// The greatest sum of the signed depths over all points, m. If they are apart, minus their distance.
    pub(crate) depth: f64,
    /// From the first to the second at their nearest points, of unit length; zero if undefined.
    pub(crate) direction: Vec3,
}

/// The depth of two simple pieces in one frame, m; 0 if a quick test shows that they are apart.
pub(crate) fn simple_depth(a: &Simple, b: &Simple) -> f64 {
    if let (Simple::Round(p), Simple::Round(q)) = (a, b) {
        let across = p.axis.cross(q.axis);
        let between = q.middle - p.middle;
        let directions =
            [p.axis, q.axis, across, between, between.reject_from(p.axis), between.reject_from(q.axis)];
        let parts = |d: Vec3| a.support(d).dot(d) <= b.support(-d).dot(d);
        let unit = directions.into_iter().filter_map(Vec3::try_normalize);
        if unit.into_iter().any(|d| parts(d) || parts(-d)) {
            return 0.0;
        }
    } else if let (Some(p), Some(q)) = (a.curved(), b.curved()) {
        let ((from, axes, _), (to, others, _)) = (p.frame(), q.frame());
        let between = to - from;
        let parts = |d: Vec3| a.support(d).dot(d) <= b.support(-d).dot(d);
        let unit = [between].into_iter().chain(axes).chain(others).filter_map(Vec3::try_normalize);
        if unit.into_iter().any(|d| parts(d) || parts(-d)) {
            return 0.0;
        }
    }
    closest(a, b).depth
}

/// Depth and direction of two simple pieces in one frame. Never called for two of half-spaces and cavities:
/// they overlap unless they are parallel planes.
pub(crate) fn closest(a: &Simple, b: &Simple) -> Closest {
    if rank(a) > rank(b) {
        let Closest { depth, direction } = closest(b, a);
        return Closest { depth, direction: -direction };
    }
    match (a, b) {
        (Simple::HalfSpace(_) | Simple::Cavity(_), Simple::HalfSpace(_) | Simple::Cavity(_)) => {
            Closest { depth: f64::NEG_INFINITY, direction: Vec3::ZERO }
        }
        (Simple::HalfSpace(plane), other) => {
            let lowest = other.support(-plane.normal);
            Closest { depth: -plane.distance(lowest), direction: plane.normal }
        }
        (Simple::Cavity(cavity), other) => {
            let (depth, direction) = cavity.depth_of(other);
            Closest { depth, direction }
        }
        (Simple::Ball { center, radius }, other) => {
            let (depth, direction) = of_point(*center, other);
            Closest { depth: depth + radius, direction }
        }
        (Simple::Rod { ends, radius }, other) => {
            let (depth, direction) = of_segment(*ends, other);
            Closest { depth: depth + radius, direction }
        }
        (Simple::Round(p), Simple::Round(q)) => of_curved((p, a), (q, b)),
        (Simple::Round(p), Simple::Ellipsoid(q)) => of_curved((p, a), (q, b)),
        (Simple::Ellipsoid(p), Simple::Ellipsoid(q)) => of_curved((p, a), (q, b)),
        (Simple::Round(round), Simple::Triangle(corners)) => of_triangle(round, *corners),
        (Simple::Ellipsoid(ellipsoid), Simple::Triangle(corners)) => of_triangle(ellipsoid, *corners),
        (Simple::Triangle(a), Simple::Triangle(b)) => {
            let (gap, direction) = axes::gap_of_triangles(a, b);
            Closest { depth: -gap, direction }
        }
        // Unreachable: the kinds are sorted.
        (
            Simple::Triangle(_),
            Simple::HalfSpace(_)
            | Simple::Cavity(_)
            | Simple::Ball { .. }
            | Simple::Rod { .. }
            | Simple::Round(_)
            | Simple::Ellipsoid(_),
        )
        | (
            Simple::Ellipsoid(_),
            Simple::HalfSpace(_) | Simple::Cavity(_) | Simple::Ball { .. } | Simple::Rod { .. },
        )
        | (Simple::Ellipsoid(_), Simple::Round(_))
        | (
            Simple::Round(_),
            Simple::HalfSpace(_) | Simple::Cavity(_) | Simple::Ball { .. } | Simple::Rod { .. },
        ) => closest(b, a),
    }
}

fn rank(piece: &Simple) -> u8 {
    match piece {
        Simple::HalfSpace(_) => 0,
        Simple::Cavity(_) => 1,
        Simple::Ball { .. } => 2,
        Simple::Rod { .. } => 3,
        Simple::Round(_) => 4,
        Simple::Ellipsoid(_) => 5,
        Simple::Triangle(_) => 6,
    }
}

/// The signed depth of a point, and the direction from the point to the piece.
fn of_point(p: Vec3, other: &Simple) -> (f64, Vec3) {
    let around = |q: Vec3, radius: f64| (radius - p.distance(q), (q - p).normalize_or_zero());
    match other {
        Simple::Ball { center, radius } => around(*center, *radius),
        Simple::Rod { ends, radius } => around(nearest::on_segment(*ends, p), *radius),
        Simple::Round(round) => (round.signed(p), -round.away(p)),
        Simple::Ellipsoid(ellipsoid) => (ellipsoid.signed(p), -ellipsoid.away(p)),
        Simple::HalfSpace(plane) => (-plane.distance(p), -plane.normal),
        Simple::Cavity(cavity) => {
            let (depth, inward) = cavity.depth_of(&Simple::Ball { center: p, radius: 0.0 });
            (depth, -inward)
        }
        Simple::Triangle(corners) => around(nearest::on_triangle(corners, p).0, 0.0),
    }
}

/// The greatest signed depth over a segment, and the direction from that point to the piece.
fn of_segment(ends: [Vec3; 2], other: &Simple) -> (f64, Vec3) {
    let around = |[p, q]: [Vec3; 2], radius: f64| (radius - p.distance(q), (q - p).normalize_or_zero());
    match other {
        Simple::Ball { center, radius } => around([nearest::on_segment(ends, *center), *center], *radius),
        Simple::Rod { ends: others, radius } => around(nearest::of_segments(ends, *others), *radius),
        Simple::Triangle(corners) => around(nearest::of_segment_and_triangle(ends, corners), 0.0),
        Simple::Round(round) => of_segment_and_curved(ends, round),
        Simple::Ellipsoid(ellipsoid) => of_segment_and_curved(ends, ellipsoid),
        Simple::Cavity(cavity) => {
            let (depth, inward) = cavity.depth_of(&Simple::Rod { ends, radius: 0.0 });
            (depth, -inward)
        }
        Simple::HalfSpace(plane) => {
            let lowest = ends.map(|p| plane.distance(p)).into_iter().fold(f64::INFINITY, f64::min);
            (-lowest, -plane.normal)
        }
    }
}

fn of_segment_and_curved(ends: [Vec3; 2], curved: &dyn Curved) -> (f64, Vec3) {
    let top = largest::on_segment(ends, |p| curved.signed(p));
    (top.value, -curved.away(top.at))
}

fn of_triangle(curved: &dyn Curved, corners: [Vec3; 3]) -> Closest {
    let top = largest::on_triangle(corners, |p| curved.signed(p));
    Closest { depth: top.value, direction: curved.away(top.at) }
}

/// Maximises the sum of two concave functions over the first piece's bounding box along its axes. The
/// greatest sum is attained in the first piece: moving from a point outside to its surface loses no more of
/// one depth than it gains of the other.
fn of_curved((a, piece_a): (&dyn Curved, &Simple), (b, piece_b): (&dyn Curved, &Simple)) -> Closest {
    let is_ellipsoid = |piece: &Simple| matches!(piece, Simple::Ellipsoid(_));
    if is_ellipsoid(piece_a) || is_ellipsoid(piece_b) {
        let (gap, direction) = widest_of_all(piece_a, piece_b);
        if gap > 0.0 {
            return Closest { depth: -gap, direction };
        }
    }
    let (middle, [u, v, axis], half) = a.frame();
    let place = |p: Vec3| middle + p.x * u + p.y * v + p.z * axis;
    let sum = |p: Vec3| {
        let p = place(p);
        a.signed(p) + b.signed(p)
    };
    let about = place(largest::on_box(largest::COARSE, half, sum).at);
    let direction = (a.away(about) - b.away(about)).normalize_or_zero();
    let (gap, direction) = widest(piece_a, piece_b, direction);
    if gap > 0.0 {
        return Closest { depth: -gap, direction };
    }
    Closest { depth: largest::on_box(largest::FINE, half, sum).value, direction }
}

/// The gap of two smooth pieces along the direction in which it is widest, and that direction: from window to
/// window, from the direction between their middles on.
fn widest_of_all(a: &Simple, b: &Simple) -> (f64, Vec3) {
    /// More windows than lie between any two directions.
    const WINDOWS: usize = 6;
    /// Cosine of the turn beyond which the window may not have held the best direction.
    const HELD: f64 = 0.8;
    let mut best = widest(a, b, b.middle() - a.middle());
    for _ in 0..WINDOWS {
        let better = widest(a, b, best.1);
        let turn = better.1.dot(best.1);
        best = better;
        if turn > HELD {
            break;
        }
    }
    best
}

/// The gap of two pieces along the direction in which it is about widest, m, and that direction, of unit
/// length. Negative if they overlap along it. The search starts from `about`, which need only be within a
/// radian.
///
/// Where the nearest points nearly coincide, or lie on a sharp rim, they do not give the direction. But the
/// gap along a direction, times the direction's length, is a concave function of the direction.
pub(crate) fn widest(a: &Simple, b: &Simple, about: Vec3) -> (f64, Vec3) {
    let about =
        about.try_normalize().or_else(|| (b.middle() - a.middle()).try_normalize()).unwrap_or(Vec3::X);
    let (u, v) = about.any_orthonormal_pair();
    let gap = |d: Vec3| {
        let unit = d.normalize_or_zero();
        d.dot(b.support(-unit) - a.support(unit))
    };
    let top = largest::on_square(about, [u, v], WINDOW, gap);
    (top.value / top.at.length(), top.at.normalize_or_zero())
}
