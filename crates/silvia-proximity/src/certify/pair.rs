//! The first touch of two convex things whose points go on straight lines.
//!
//! Take a direction that goes straight as well, `n(t) = (1 - t) n0 + t n1`. Along it, the gap between a point
//! of each is a quadratic in t, whose Bernstein coefficients are sums over the two: so the least coefficients
//! over all pairs of points are three questions to the support functions, and the quadratic they make is
//! nowhere above the gap. Where it is positive they are apart. With the directions between the nearest points
//! at both ends of a span of time it is off by the fourth power of the angle between these; so things that
//! rest, slide or roll on each other are decided in a step or two, however near.

use super::mover::{Mover, Still, between};
use crate::certify::tuning;
use crate::impact::sweep::first_zero;
use crate::shape::simplex::Vertices;
use crate::shape::{Closest, closest};
use silvia_solid::Vec3;

/// What placing points and adding up the way along a direction may lose, as a fraction of the sizes and the
/// distance.
const ROUNDING: f64 = 32.0 * f64::EPSILON;

/// Two convex things on their ways.
pub(super) struct Pair<'p, 'a> {
    pub(super) movers: [&'p Mover<'a>; 2],
    /// From middle to middle at both ends, m.
    ways: [Vec3; 2],
    /// The first is what is behind a plane with these normals; its mover is a point on it.
    normals: Option<[Vec3; 2]>,
    /// Of both, m.
    margin: f64,
    /// Of both with their margins, at both ends, m.
    sizes: [f64; 2],
    /// What rounding may do to a gap on the way, m.
    slack: f64,
    is_searched: bool,
}

/// The two at a moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look<'a> {
    pub(super) time: f64,
    stills: [Still<'a>; 2],
    way: Vec3,
    near: Closest,
    /// From the first to the second along which they are far apart; zero if none is known.
    pub(super) normal: Vec3,
    /// They are at least this far apart, m.
    gap: f64,
}

/// Two that come together.
pub(super) struct Touch<'a> {
    /// Until then they are certainly apart.
    pub(super) time: f64,
    /// How they lie then, or shortly before, where their nearest points can be told.
    pub(super) look: Look<'a>,
}

impl<'p, 'a> Pair<'p, 'a> {
    pub(super) fn new(a: &'p Mover<'a>, b: &'p Mover<'a>, normals: Option<[Vec3; 2]>) -> Pair<'p, 'a> {
        let ways = a.ways_to(b);
        let margin = a.margin + b.margin;
        let sizes = [0, 1].map(|i| a.reach[i] + b.reach[i] + margin);
        let slack = ROUNDING * (sizes[0].max(sizes[1]) + ways[0].length().max(ways[1].length()));
        let is_searched = normals.is_none() && [a, b].iter().any(|m| m.at(0.0).is_curved());
        Pair { movers: [a, b], ways, normals, margin, sizes, slack, is_searched }
    }

    /// What rounding may do to a gap at a time, m. At the ends it depends on these alone: the end of a step
    /// is the start of the next.
    fn slack(&self, time: f64) -> f64 {
        match time {
            0.0 => ROUNDING * (self.sizes[0] + self.ways[0].length()),
            1.0 => ROUNDING * (self.sizes[1] + self.ways[1].length()),
            _ => self.slack,
        }
    }

    /// Whether so much is left at the end that the same place is apart when asked about again; or no less
    /// than at the start, as for what stands still.
    fn keeps_apart(&self, at_start: f64, at_end: f64) -> bool {
        let searched = if self.is_searched { tuning::SEARCHED * self.sizes[1] } else { 0.0 };
        at_end > searched.max(2.0 * self.slack(1.0)) || at_end >= at_start
    }

    /// Until when they are certainly apart, and how they lie then; `None` if they are until `limit`, or
    /// throughout with the end.
    pub(super) fn first_touch(&self, limit: f64, work: &mut u64) -> Option<Touch<'a>> {
        let last = self.last_apart(limit, work)?;
        let time = last.time;
        // So far before, as fractions of the step, that the nearest points can be told, yet not so far that
        // they matter.
        let before = [0.0, 1e-12, 1e-10, 1e-8].map(|less| (time - less).max(0.0));
        let looks = before.into_iter().map(|time| self.look(time));
        let look = looks.into_iter().find(|look| look.gap > 0.0 && look.near.upper > 0.0).unwrap_or(last);
        Some(Touch { time, look })
    }

    fn last_apart(&self, limit: f64, work: &mut u64) -> Option<Look<'a>> {
        let mut here = self.look(0.0);
        let at_start = here.gap;
        let mut step = 1.0;
        for _ in 0..tuning::MOST_LOOKS {
            *work += 1;
            if !self.is_apart(&here) {
                return Some(here);
            }
            if here.time >= 1.0 {
                return (!self.keeps_apart(at_start, here.gap)).then_some(here);
            }
            if here.time > limit {
                return None;
            }
            let end = (here.time + step).min(1.0);
            let there = self.look(end);
            let until = self.free_until(&here, &there);
            if until > 1.0 {
                here = there;
                step *= 4.0;
                continue;
            }
            let gained = until * (end - here.time);
            let next = (here.time + gained * (1.0 - 4.0 * f64::EPSILON)).next_down();
            if next.is_nan() || next <= here.time {
                return Some(here);
            }
            step = step.min(4.0 * gained);
            here = self.look(next);
        }
        Some(here)
    }

    /// If they are apart at both ends: by how much they overlap on the way, at most, m.
    pub(super) fn sag(&self) -> Option<f64> {
        let (here, there) = (self.look(0.0), self.look(1.0));
        let is_apart = self.is_apart(&here) && self.keeps_apart(here.gap, there.gap);
        is_apart.then(|| {
            let (n, m) = match self.normals {
                Some([n, m]) => (n, m),
                None => (here.normal, there.normal),
            };
            let [first, middle, last] = self.coefficients([&here, &there], n, m);
            // The least of a quadratic that is convex, as one that comes down and goes up again is.
            let bend = first - 2.0 * middle + last;
            let least = if bend > 0.0 && middle < first.min(last) {
                (first * last - middle * middle) / bend
            } else {
                first.min(last)
            };
            (-least).max(0.0)
        })
    }

    /// Whether a triangle's own plane keeps them apart over the whole path, with the end.
    pub(super) fn is_parted_by_face(&self) -> bool {
        let ends = [0.0, 1.0].map(|t| self.place(t));
        let normal = |look: &Look<'_>| self.face_normal(&look.stills, look.way);
        let (Some(n), Some(m)) = (normal(&ends[0]), normal(&ends[1])) else { return false };
        let [first, middle, last] = self.coefficients([&ends[0], &ends[1]], n, m);
        first > self.slack(0.0)
            && middle > 0.0
            && last > self.slack(1.0)
            && (last > 2.0 * self.slack(1.0) || last >= first)
    }

    fn is_apart(&self, look: &Look<'_>) -> bool {
        look.gap > self.slack(look.time)
    }

    /// Where they are at a time.
    fn place(&self, time: f64) -> Look<'a> {
        let (stills, way) = (self.movers.map(|m| m.at(time)), between(self.ways, time));
        Look { time, stills, way, near: Closest::default(), normal: Vec3::ZERO, gap: f64::NEG_INFINITY }
    }

    /// How they lie at a time.
    fn look(&self, time: f64) -> Look<'a> {
        let mut look = self.place(time);
        let Look { stills, way, .. } = look;
        if let Some(normals) = self.normals {
            look.normal = between(normals, time).normalize_or_zero();
            look.gap = self.gap(&look, look.normal);
            let (p, number) = stills[1].farthest(-look.normal);
            let p = way + p;
            look.near.points = [p - look.normal * p.dot(look.normal), p];
            look.near.vertices = [Vertices::one(0), Vertices::one(number)];
            look.near.upper = look.gap;
            return look;
        }
        look.near = closest(&stills[0].placed(Vec3::ZERO), &stills[1].placed(way), f64::INFINITY);
        let face = self.face_normal(&stills, way).unwrap_or(Vec3::ZERO);
        let between = (look.near.points[1] - look.near.points[0]).normalize_or_zero();
        for normal in [look.near.direction, face, between] {
            let gap = self.gap(&look, normal);
            if normal != Vec3::ZERO && gap > look.gap {
                (look.gap, look.normal) = (gap, normal);
            }
        }
        look
    }

    /// Across a triangle, from the first to the second.
    fn face_normal(&self, stills: &[Still<'_>; 2], way: Vec3) -> Option<Vec3> {
        let across = stills[0].across().or_else(|| stills[1].across())?;
        Some(if across.dot(way) < 0.0 { -across } else { across })
    }

    /// How far they are apart along a unit vector, at least, m.
    fn gap(&self, look: &Look<'_>, n: Vec3) -> f64 {
        n.dot(look.way)
            - look.stills[1].high(-n)
            - look.stills[0].high(n)
            - self.margin
            - self.slack(look.time)
    }

    /// For which fraction of the time between two looks they are certainly apart; more than 1 if all the
    /// time.
    fn free_until(&self, here: &Look<'_>, there: &Look<'_>) -> f64 {
        let along = |n: Vec3, m: Vec3| self.coefficients([here, there], n, m);
        if let Some(normals) = self.normals {
            return first_zero_of(along(between(normals, here.time), between(normals, there.time)));
        }
        let (n, m) = (here.normal, there.normal);
        let fixed = along(n, n);
        let mut until = first_zero_of(fixed);
        let mut after: f64 = 1.0;
        if until > 1.0 {
            return until;
        }
        // From middle to middle where these are nearest on their way, for things that pass each other.
        let travel = there.way - here.way;
        let s = -(here.way.dot(travel) / travel.length_squared().max(f64::MIN_POSITIVE)).clamp(-1.0, 0.0);
        let passing = (here.way + s * travel).normalize_or_zero();
        let directions = if there.gap > 0.0 {
            [Some((n, m)), Some((m, m)), Some((passing, passing))]
        } else {
            [Some((passing, passing)), None, None]
        };
        for (n, m) in directions.into_iter().flatten() {
            let [first, middle, last] = along(n, m);
            until = until.max(first_zero_of([first, middle, last]));
            after = after.min(1.0 - first_zero_of([last, middle, first]));
            if until > 1.0 || after < until {
                return f64::INFINITY;
            }
        }
        until
    }

    /// The Bernstein coefficients of a quadratic that is nowhere above the gap between two moments, along a
    /// direction that goes straight from `n` to `m`, times its length.
    fn coefficients(&self, looks: [&Look<'_>; 2], n: Vec3, m: Vec3) -> [f64; 3] {
        let ([from, to], ways) = (looks.map(|l| &l.stills), looks.map(|l| l.way));
        let (long, short) = (n.length(), m.length());
        let first = n.dot(ways[0]) - from[1].high(-n) - from[0].high(n) - self.margin * long;
        let last = m.dot(ways[1]) - to[1].high(-m) - to[0].high(m) - self.margin * short;
        let crossed = m.dot(ways[0]) + n.dot(ways[1])
            - from[1].high_together(-m, &to[1], -n)
            - from[0].high_together(m, &to[0], n);
        // The length of the direction is nowhere above the quadratic with this coefficient in the middle: the
        // root of 1 - x is not above 1 - x / 2.
        let bow = 0.5 * (n - m).length_squared() - 0.5 * (long - short) * (long - short);
        let length = 0.5 * (long + short - bow / long.max(short).max(f64::MIN_POSITIVE));
        let slacks = looks.map(|l| self.slack(l.time));
        [first - slacks[0], 0.5 * crossed - self.margin * length - self.slack, last - slacks[1]]
    }
}

impl<'a> Look<'a> {
    /// The nearest points, about the middle of the first at this time, m.
    pub(super) fn points(&self, margins: [f64; 2]) -> [Vec3; 2] {
        let [p, q] = self.near.points;
        [p + margins[0] * self.normal, q - margins[1] * self.normal]
    }

    /// Between which corners the nearest point of each lies, and in which direction it sees the other.
    pub(super) fn place(&self, i: usize) -> (&Vertices, Vec3) {
        let n = if i == 0 { self.normal } else { -self.normal };
        (&self.near.vertices[i], self.stills[i].inward(n))
    }
}

/// The first zero in [0, 1] of a quadratic in Bernstein form, never late; 0 if it does not start above zero,
/// infinite if there is none.
pub(super) fn first_zero_of([first, middle, last]: [f64; 3]) -> f64 {
    if first.is_nan() || middle.is_nan() || last.is_nan() || first <= 0.0 {
        return 0.0;
    }
    first_zero(first, last, (0.25 * (first + last) - 0.5 * middle).max(0.0))
}
