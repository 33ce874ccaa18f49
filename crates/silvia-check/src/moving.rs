//! Moving simple pieces, and whether a moving direction separates two of them over a span of time.
//!
//! Over a span, each piece is the hull of a few points on straight lines, each with a ball, a disc or an
//! ellipsoid around it. What a disc that turns, or the plane of a half-space, strays from that is added to
//! its ball. A direction is a quadratic polynomial in time, like the cross product of two edges whose ends
//! move straight. The distance of two points along it is then cubic, and is positive if its Bernstein
//! coefficients are. Each coefficient is linear in the points, so the minimum over all pairs of points is a
//! difference of two extremes.

use crate::body::Way;
use crate::piece::Simple;
use silvia_solid::Vec3;

/// One of two pieces, between two states; time runs from 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Actor<'a> {
    /// A triangle whose corners move on straight lines.
    Straight { before: [Vec3; 3], now: [Vec3; 3] },
    /// A piece in the frame of its body. Its ends or corners move on straight lines; a half-space moves
    /// rigidly. For a half-space, `foot` is a point on its plane and `reach` bounds the distance of the other
    /// piece from it, m.
    Simple { piece: Simple, way: &'a Way, foot: Vec3, reach: f64 },
}

/// Bernstein coefficients of a direction over a span of time.
pub(crate) type Direction = [Vec3; 3];

/// A piece at a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// The piece in the world frame.
    pub(crate) piece: Simple,
    /// Its points; for a half-space, the foot.
    points: [Vec3; 3],
}

impl Place {
    /// The mean of its points.
    pub(crate) fn middle(&self) -> Vec3 {
        (self.points[0] + self.points[1] + self.points[2]) / 3.0
    }
}

impl Actor<'_> {
    pub(crate) fn at(&self, time: f64) -> Place {
        match self {
            Actor::Straight { before, now } => {
                // Exact at both ends.
                let points = [0, 1, 2].map(|k| (1.0 - time) * before[k] + time * now[k]);
                Place { piece: Simple::Triangle(points), points }
            }
            Actor::Simple { piece, way, foot, .. } => {
                let piece = piece.between(way, time);
                let points = match piece {
                    Simple::Ball { center, .. } => [center; 3],
                    Simple::Ellipsoid(ellipsoid) => [ellipsoid.middle; 3],
                    Simple::Rod { ends: [a, b], .. } => [a, b, b],
                    Simple::Round(round) => {
                        let [a, b] = round.ends();
                        [a, b, b]
                    }
                    Simple::Cavity(cavity) => [cavity.center; 3],
                    Simple::HalfSpace(_) => [way.at(time).transform_point(*foot); 3],
                    Simple::Triangle(corners) => corners,
                };
                Place { piece, points }
            }
        }
    }

    /// An upper bound, over a part of the time, of how far a point of the piece strays from its straight
    /// line, m.
    fn bulge(&self, part: f64) -> f64 {
        let Actor::Simple { piece, way, foot, reach } = self else { return 0.0 };
        match piece {
            Simple::Ball { .. }
            | Simple::Rod { .. }
            | Simple::Round(_)
            | Simple::Ellipsoid(_)
            | Simple::Cavity(_)
            | Simple::Triangle(_) => 0.0,
            Simple::HalfSpace(plane) => {
                way.bulge(*foot, part) + 2.0 * reach * way.bulge_of_vector(plane.normal, part)
            }
        }
    }
}

/// A piece over a span of time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moving {
    /// At the start and at the end, relative to a common origin, m.
    points: [[Vec3; 3]; 2],
    /// Radius of the ball around all points, m, including the bulge.
    ball: f64,
    /// How far a point can stray from its straight line, m.
    pub(crate) bulge: f64,
    /// Radius of the disc around each point, perpendicular to the axis, m.
    discs: [f64; 3],
    axis: [Vec3; 2],
    /// Of an ellipsoid, where unit vectors go at the start and at the end, m; zero for others.
    arms: [[Vec3; 3]; 2],
}

/// How far the discs of a piece stray from straight lines between those at the ends of a span, m.
pub(crate) fn stray(before: &Simple, now: &Simple) -> f64 {
    let (Simple::Round(before), Simple::Round(now)) = (before, now) else { return 0.0 };
    // The direction of the axis goes along an arc, faster where its ends are nearer.
    let chord = before.axis.distance(now.axis);
    let uneven = (before.half - now.half).abs() / (before.half + now.half);
    before.radius * chord * (uneven + 0.25 * chord)
}

impl Moving {
    /// The motion of an actor over a part of the time, from its places at both ends.
    pub(crate) fn new(actor: &Actor<'_>, ends: [&Place; 2], part: f64, origin: Vec3) -> Moving {
        let points = ends.map(|place| place.points.map(|p| p - origin));
        let mut bulge = actor.bulge(part);
        let (mut ball, mut discs, mut axis) = (bulge, [0.0; 3], [Vec3::ZERO; 2]);
        let mut arms = [[Vec3::ZERO; 3]; 2];
        match (&ends[0].piece, &ends[1].piece) {
            (Simple::Ball { radius, .. } | Simple::Rod { radius, .. }, _) => ball += radius,
            (Simple::Round(before), Simple::Round(now)) => {
                bulge = stray(&ends[0].piece, &ends[1].piece);
                ball = bulge;
                axis = [before.axis, now.axis];
                let tip = if before.is_cone { 0.0 } else { before.radius };
                discs = [before.radius, tip, tip];
            }
            (Simple::Ellipsoid(before), Simple::Ellipsoid(now)) => arms = [before.arms, now.arms],
            _ => {}
        }
        Moving { points, ball, bulge, discs, axis, arms }
    }

    /// Twice the mean of its points.
    fn middle(&self) -> Vec3 {
        self.points.as_flattened().iter().sum::<Vec3>() / 3.0
    }

    /// The largest coordinate, m.
    pub(crate) fn magnitude(&self) -> f64 {
        let points = self.points.as_flattened().iter();
        let arms: f64 = self.arms[0].iter().map(|arm| arm.length()).sum();
        points.map(|p| p.abs().max_element()).fold(self.ball + self.discs[0] + arms, f64::max)
    }

    /// Coefficients of an upper bound of the piece's extent along a direction.
    fn reach(&self, d: &Direction, lengths: &[f64; 4]) -> [f64; 4] {
        let mut reach = [f64::NEG_INFINITY; 4];
        for (i, &disc) in self.discs.iter().enumerate() {
            let [p, q] = [self.points[0][i], self.points[1][i]];
            let along = product(d, |n, end| n.dot([p, q][end]), |x, y| x + y, |s, x| s * x);
            let mut aside = [0.0; 4];
            if disc > 0.0 {
                let across = product(d, |n, end| n.cross(self.axis[end]), |x, y| x + y, |s, x| s * x);
                aside = across.map(|c| disc * c.length());
            }
            for k in 0..4 {
                reach[k] = reach[k].max(along[k] + aside[k]);
            }
        }
        // The image of the unit ball reaches as far as the direction is long, seen from there.
        let seen = |n: Vec3, end: usize| Vec3::from(self.arms[end].map(|arm| arm.dot(n)));
        let arms = product(d, seen, |x, y| x + y, |s, x| s * x).map(|c| c.length());
        [0, 1, 2, 3].map(|k| reach[k] + arms[k] + self.ball * lengths[k])
    }
}

/// A lower bound of the gap of two pieces along a direction over the span, from the first to the second, m.
pub(crate) fn gap_along(a: &Moving, b: &Moving, d: &Direction) -> f64 {
    let [first, middle, last] = d.map(|n| n.length());
    // The direction is never longer than the polynomial with these coefficients.
    let lengths = [first, (2.0 * middle + first) / 3.0, (last + 2.0 * middle) / 3.0, last];
    let reach_a = a.reach(d, &lengths);
    let reach_b = b.reach(&d.map(|n| -n), &lengths);
    let gap =
        |k: usize| if lengths[k] > 0.0 { -(reach_a[k] + reach_b[k]) / lengths[k] } else { f64::NEG_INFINITY };
    gap(0).min(gap(1)).min(gap(2)).min(gap(3))
}

/// The direction or its opposite, whichever points from the first to the second.
pub(crate) fn turned(a: &Moving, b: &Moving, d: Direction) -> Direction {
    if d[1].dot(b.middle() - a.middle()) < 0.0 { d.map(|n| -n) } else { d }
}

/// The cross product of two vectors, each given at the start and the end of the span.
pub(crate) fn cross(u: [Vec3; 2], v: [Vec3; 2]) -> Direction {
    [u[0].cross(v[0]), 0.5 * (u[0].cross(v[1]) + u[1].cross(v[0])), u[1].cross(v[1])]
}

/// A direction that changes linearly from one to another.
pub(crate) fn straight(d: [Vec3; 2]) -> Direction {
    [d[0], 0.5 * (d[0] + d[1]), d[1]]
}

/// The coefficients of the product of a direction and a quantity that changes linearly from its value at 0 to
/// that at 1.
fn product<T: Copy>(
    d: &Direction,
    times: impl Fn(Vec3, usize) -> T,
    plus: impl Fn(T, T) -> T,
    scaled: impl Fn(f64, T) -> T,
) -> [T; 4] {
    let third = 1.0 / 3.0;
    [
        times(d[0], 0),
        scaled(third, plus(scaled(2.0, times(d[1], 0)), times(d[0], 1))),
        scaled(third, plus(times(d[2], 0), scaled(2.0, times(d[1], 1)))),
        times(d[2], 1),
    ]
}
