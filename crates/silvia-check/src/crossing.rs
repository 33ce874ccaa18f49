//! Decides whether two moving pieces cross between two states.

use crate::depth::{closest, widest};
use crate::moving::{Actor, Direction, Moving, Place, cross, gap_along, straight, turned};
use crate::piece::Simple;
use silvia_solid::Vec3;

/// Overlaps shallower than this fraction of the smaller body's size count as touching, not as crossing.
pub const TOUCHING: f64 = 1e-9;

/// The most halvings of the time between two states.
pub(crate) const HALVINGS: u32 = 50;

/// The most spans of time examined for a pair of pieces.
pub(crate) const SPANS: usize = 50_000;

/// A gap is certain if it exceeds this fraction of the coordinates it was computed from.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Two directions whose cosine is below this count as opposite.
const OPPOSITE: f64 = -0.5;

/// The result for two pieces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Outcome {
    /// They stay apart, or only touch.
    Free,
    /// They cross, at a time from 0 to 1.
    Crosses(f64),
    /// Undecided; the time, from 0 to 1, at which the search gave up.
    Undecided(f64),
}

/// The result for two pieces over a span of time.
#[derive(Clone, Copy, Debug)]
enum Span {
    /// A direction separates them.
    Apart(Parting),
    /// A direction would separate them if they moved straight; over a shorter span they nearly do.
    TooLong,
    Unknown,
}

/// A direction that separates two pieces over a span.
#[derive(Clone, Copy, Debug)]
struct Parting {
    /// The direction in the middle of the span, of unit length.
    direction: Vec3,
    /// Whether the gap exceeds rounding, so that they do not just touch.
    is_certain: bool,
}

impl Parting {
    /// Whether the pieces may have passed through each other between this span and the one after it: they
    /// touch and have changed sides.
    fn may_pass(&self, after: &Parting) -> bool {
        (!self.is_certain || !after.is_certain) && self.direction.dot(after.direction) < OPPOSITE
    }
}

/// A span of the time between two states.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    from: f64,
    until: f64,
    /// Number of halvings that produced it.
    level: u32,
}

impl Stretch {
    const ALL: Stretch = Stretch { from: 0.0, until: 1.0, level: 0 };

    fn middle(&self) -> f64 {
        0.5 * (self.from + self.until)
    }

    /// Both halves, the later one first, in stack order.
    fn halves(&self) -> [Stretch; 2] {
        let (middle, level) = (self.middle(), self.level + 1);
        [Stretch { from: middle, level, ..*self }, Stretch { until: middle, level, ..*self }]
    }
}

/// Searches for directions that separate two pieces, over spans of time that it halves until it finds one.
/// The pieces cross if they overlap by more than `tolerance` (m) in the middle of a span. They also cross if
/// they touch and a direction is followed by an opposite one: then one has passed through the other without
/// ever overlapping, as sheets do.
///
/// A direction that separates only to the tolerance does not tell a corner that passes through a sheet from
/// one that passes closely around its edge. If such a direction is next to an opposite one, its span is
/// halved too. Around the edge a certain direction exists at any time; through the sheet there is none at the
/// moment of touch, however short the span.
pub(crate) fn between(a: &Actor<'_>, b: &Actor<'_>, tolerance: f64) -> Outcome {
    let mut parted: Vec<(Stretch, Parting)> = Vec::new();
    let mut spans = vec![Stretch::ALL];
    let mut count = 0;
    while let Some(span) = spans.pop() {
        count += 1;
        let Stretch { from, until, level } = span;
        let places = [a.at(from), a.at(until), b.at(from), b.at(until)];
        match part([a, b], &places, until - from, tolerance) {
            Span::Apart(parting) => {
                let before = parted.last().copied().filter(|(_, before)| before.may_pass(&parting));
                let Some((earlier, before)) = before else {
                    parted.push((span, parting));
                    continue;
                };
                let can_halve_this = !parting.is_certain && level < HALVINGS;
                let can_halve_earlier = !before.is_certain && earlier.level < HALVINGS;
                if !can_halve_this && !can_halve_earlier {
                    return Outcome::Crosses(from);
                }
                if !can_halve_this && count < SPANS {
                    parted.pop();
                    spans.push(span);
                    spans.extend(earlier.halves());
                    continue;
                }
            }
            Span::TooLong => {}
            Span::Unknown => {
                let middle = span.middle();
                if closest(&a.at(middle).piece, &b.at(middle).piece).depth > tolerance {
                    return Outcome::Crosses(middle);
                }
            }
        }
        if level == HALVINGS || count >= SPANS {
            return Outcome::Undecided(span.middle());
        }
        spans.extend(span.halves());
    }
    Outcome::Free
}

/// Finds a direction that separates two pieces over a span to a tolerance, preferably a certain one.
fn part(actors: [&Actor<'_>; 2], places: &[Place; 4], length: f64, tolerance: f64) -> Span {
    let [a0, a1, b0, b1] = places;
    let origin = a0.middle();
    let a = Moving::new(actors[0], [a0, a1], length, origin);
    let b = Moving::new(actors[1], [b0, b1], length, origin);
    let rounding = ROUNDING * a.magnitude().max(b.magnitude());
    let mut best = Best { gap: f64::NEG_INFINITY, direction: [Vec3::ZERO; 3] };
    let pieces = [[&a0.piece, &a1.piece], [&b0.piece, &b1.piece]];
    let is_certain = by_features(pieces, &mut |d, is_turned| {
        let d = if is_turned { d } else { turned(&a, &b, d) };
        best.offer(gap_along(&a, &b, &d), d) > rounding
    });
    let would_be_apart = |best: &Best| best.gap + a.bulge + b.bulge >= -tolerance;
    if !is_certain && !would_be_apart(&best) {
        by_nearness(pieces, &mut |d| best.offer(gap_along(&a, &b, &d), d) >= -tolerance);
    }
    if best.gap >= -tolerance {
        let direction = best.direction[1].normalize_or_zero();
        Span::Apart(Parting { direction, is_certain: best.gap > rounding })
    } else if would_be_apart(&best) {
        Span::TooLong
    } else {
        Span::Unknown
    }
}

/// The direction with the widest gap so far, m.
struct Best {
    gap: f64,
    direction: Direction,
}

impl Best {
    /// Keeps the direction if its gap is the widest so far. Returns the given gap.
    fn offer(&mut self, gap: f64, direction: Direction) -> f64 {
        if gap > self.gap {
            *self = Best { gap, direction };
        }
        gap
    }
}

/// Calls a function with the directions given by the edges, faces and axes of two pieces over a span, until
/// it returns true; returns whether it did. The pieces are given at both ends of the span. The function's
/// second argument tells whether the direction already points from the first piece to the second.
fn by_features(pieces: [[&Simple; 2]; 2], try_one: &mut impl FnMut(Direction, bool) -> bool) -> bool {
    let [a, b] = pieces;
    // A half-space allows only one direction.
    if let [Simple::HalfSpace(before), Simple::HalfSpace(now)] = a {
        return try_one(straight([before.normal, now.normal]), true);
    }
    if let [Simple::HalfSpace(before), Simple::HalfSpace(now)] = b {
        return try_one(straight([-before.normal, -now.normal]), true);
    }
    let (of_a, of_b) = (Edges::of(a), Edges::of(b));
    let normals = [of_a.normal(), of_b.normal()];
    if normals.into_iter().flatten().any(|normal| try_one(normal, false)) {
        return true;
    }
    for &e in of_a.list() {
        if of_b.list().iter().any(|&f| try_one(cross(e, f), false)) {
            return true;
        }
    }
    let edges = || of_a.list().iter().chain(of_b.list());
    // Directions in the plane of a triangle, for coplanar triangles.
    for (of, normal) in [(&of_a, normals[0]), (&of_b, normals[1])] {
        let Some(normal) = normal.filter(|_| of.count == 3) else { continue };
        if edges().any(|e| try_one(straight([normal[0].cross(e[0]), normal[2].cross(e[1])]), false)) {
            return true;
        }
    }
    if of_a.count == 3 && of_b.count == 3 {
        // If edges are nearly parallel, their cross product over a span is mostly rounding; the one at each
        // state is not.
        return try_one(straight([0, 1].map(|end| closest(a[end], b[end]).direction)), true);
    }
    let middles = [0, 1].map(|end| b[end].middle() - a[end].middle());
    across(middles, edges()).any(|d| try_one(d, true))
}

/// The same for directions between nearest points and directions of the widest gap, which cost more. For two
/// triangles and for half-spaces, [`by_features`] has already tried them.
fn by_nearness([a, b]: [[&Simple; 2]; 2], try_one: &mut impl FnMut(Direction) -> bool) -> bool {
    let (of_a, of_b) = (Edges::of(a), Edges::of(b));
    let has_half_space = [a[0], b[0]].into_iter().any(|piece| matches!(piece, Simple::HalfSpace(_)));
    if has_half_space || (of_a.count == 3 && of_b.count == 3) {
        return false;
    }
    let edges = || of_a.list().iter().chain(of_b.list());
    let nearest = [0, 1].map(|end| closest(a[end], b[end]).direction);
    if across(nearest, edges()).any(&mut *try_one) {
        return true;
    }
    let widest = [0, 1].map(|end| widest(a[end], b[end], nearest[end]).1);
    across(widest, edges()).any(try_one)
}

/// A direction, and its rejection from each edge or axis: the right direction if the nearest point is on that
/// edge.
fn across<'a>(d: [Vec3; 2], edges: impl Iterator<Item = &'a [Vec3; 2]>) -> impl Iterator<Item = Direction> {
    let rejected = edges.map(move |e| straight([d[0].reject_from(e[0]), d[1].reject_from(e[1])]));
    std::iter::once(straight(d)).chain(rejected)
}

/// The edges of a triangle, or the axis of a rod, a cylinder or a cone, at the two ends of a span.
struct Edges {
    edges: [[Vec3; 2]; 3],
    count: usize,
}

impl Edges {
    fn of(pieces: [&Simple; 2]) -> Edges {
        let at = pieces.map(|piece| match piece {
            Simple::Triangle([a, b, c]) => ([*b - *a, *c - *b, *a - *c], 3),
            Simple::Rod { ends: [a, b], .. } => ([*b - *a; 3], 1),
            Simple::Round(round) => ([round.axis; 3], 1),
            Simple::Ball { .. } | Simple::Ellipsoid(_) | Simple::HalfSpace(_) | Simple::Cavity(_) => {
                ([Vec3::ZERO; 3], 0)
            }
        });
        Edges { edges: [0, 1, 2].map(|k| [at[0].0[k], at[1].0[k]]), count: at[0].1 }
    }

    fn list(&self) -> &[[Vec3; 2]] {
        &self.edges[..self.count]
    }

    /// The normal of a triangle, or the direction of the axis.
    fn normal(&self) -> Option<Direction> {
        match self.count {
            3 => Some(cross(self.edges[0], self.edges[1])),
            1 => Some(straight(self.edges[0])),
            _ => None,
        }
    }
}
