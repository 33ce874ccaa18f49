//! The nearest points of an ellipsoid and another core, to the last digits.
//!
//! The search by support points gains a digit or so every second step where surfaces are curved, and stalls
//! where they all but touch. But two convex things are as far apart as the gap along the best direction `n`,
//! and the gap is smooth in n: so Newton's method on the sphere of directions, from where the search has got
//! to, finds the normal that both surfaces have at their nearest points. What the other core shows to the
//! ellipsoid decides among which directions: all (a vertex, a rim, an ellipsoid), those across an edge or
//! along the side of a cone, or the one normal of a face.
//!
//! Whatever the method comes to, the gap along a direction is a lower bound of the distance, and the distance
//! of two points an upper one.

use super::core::Core;
use super::gjk::{Closest, PlacedCore};
use super::simplex::Vertices;
use crate::triangle::{across, closest_on_triangle};
use silvia_solid::{Mat3, Vec3};

/// More rounds than Newton's method takes from a direction that is right to a digit or two.
const MOST_ROUNDS: usize = 60;

/// How often a step is halved that leads to a narrower gap.
const MOST_HALVINGS: usize = 30;

/// The longest step, rad: the sphere of directions is nearly flat over it.
const LONGEST_STEP: f64 = 0.5;

/// Steps shorter than this, rad, change the gap by less than its rounding: whether they are good is told by
/// the slope alone.
const SHORT_STEP: f64 = 1e-6;

/// What rounding may do to a gap, as a fraction of the coordinates.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// Of the slope, as a fraction of the coordinates: rounding leaves no less.
const LEVEL: f64 = 1e-17;

/// The image of the unit ball under a matrix, about a middle: an ellipsoid; a disc with its rim, or a point,
/// where the matrix has no full rank. It reaches `|Aᵀ n| + c · n` far in a direction.
#[derive(Clone, Copy, Debug)]
struct Smooth {
    matrix: Mat3,
    middle: Vec3,
}

/// Among which directions the best one is.
#[derive(Clone, Copy, Debug)]
enum Directions {
    All,
    /// Those whose part along a unit vector is this: a circle.
    Around {
        axis: Vec3,
        along: f64,
    },
    One(Vec3),
}

/// What the other core may show to the ellipsoid.
#[derive(Clone, Copy, Debug)]
struct Shown {
    smooth: Smooth,
    directions: Directions,
    vertices: Vertices,
}

/// The gap along a unit vector, m, and how it changes.
#[derive(Clone, Copy, Debug)]
struct Gap {
    /// From the ellipsoid to the other.
    normal: Vec3,
    gap: f64,
    /// From the point of the other to that of the ellipsoid: the gap shrinks along what of it is across the
    /// normal, m.
    slope: Vec3,
    /// How both points move as the normal turns, m/rad.
    bend: Mat3,
}

/// Whether the nearest points of two cores are found by this method.
pub(super) fn applies(a: &PlacedCore<'_>, b: &PlacedCore<'_>) -> bool {
    [a, b].iter().any(|placed| matches!(placed.core, Core::Ellipsoid(_)))
}

/// What is known of two cores, one of them an ellipsoid, made precise from a search that ended early or was
/// lost in rounding.
pub(super) fn polished(a: &PlacedCore<'_>, b: &PlacedCore<'_>, rough: &Closest, enough: f64) -> Closest {
    if !matches!(a.core, Core::Ellipsoid(_)) {
        return polished(b, a, &rough.swapped(), enough).swapped();
    }
    let mut best = *rough;
    let Some(about) = rough.direction.try_normalize() else { return best };
    // Where a surface is curved much, a direction that is off by a millionth leaves the bounds where they
    // are.
    let mut is_precise = false;
    each_shown(b, &rough.vertices[1], about, &mut |shown| {
        if is_precise && best.upper - best.lower <= enough {
            return;
        }
        let found = closest_shown(a, b, about, &shown);
        if found.lower > best.lower || !is_precise && found.lower >= best.lower - enough {
            (best.lower, best.direction) = (best.lower.max(found.lower), found.direction);
            is_precise = true;
        }
        if found.upper < best.upper {
            (best.upper, best.points, best.vertices) = (found.upper, found.points, found.vertices);
        }
    });
    best.lower = best.lower.min(best.upper);
    best
}

/// The direction along which two cores, one of them an ellipsoid, are farthest apart or least deep in each
/// other, and how far they are apart, m, negative if they overlap. From one that is about right.
pub(super) fn widest_gap(a: &PlacedCore<'_>, b: &PlacedCore<'_>, about: Vec3) -> (f64, Vec3) {
    if !matches!(a.core, Core::Ellipsoid(_)) {
        let (gap, normal) = widest_gap(b, a, -about);
        return (gap, -normal);
    }
    let along = |n: Vec3| (b.support(-n) - a.support(n)).dot(n);
    let vertices = match b.core {
        Core::Points(points) if points.len() <= 3 => Vertices::of([0, 1, 2], points.len() - 1),
        Core::Axis(_) => Vertices::two(0, 1),
        Core::Points(_)
        | Core::Box(_)
        | Core::Cylinder { .. }
        | Core::Cone { .. }
        | Core::Ellipsoid(_)
        | Core::Solid(_) => Vertices::one(b.numbered_support(-about).1),
    };
    let rounding = ROUNDING * (a.magnitude() + b.magnitude());
    let mut best = (along(about), about);
    let mut is_precise = false;
    each_shown(b, &vertices, about, &mut |shown| {
        let normal = best_normal(a, &shown, about);
        let gap = along(normal);
        if gap > best.0 || !is_precise && gap >= best.0 - rounding {
            best = (gap.max(best.0), normal);
            is_precise = true;
        }
    });
    best
}

/// The nearest points, if the other core shows this.
fn closest_shown(a: &PlacedCore<'_>, b: &PlacedCore<'_>, about: Vec3, shown: &Shown) -> Closest {
    let normal = best_normal(a, shown, about);
    let (p, farthest) = (a.support(normal), b.support(-normal));
    let lower = (farthest - p).dot(normal);
    let onto = nearest_point(b, p, &shown.vertices);
    let q = if onto.distance_squared(p) < farthest.distance_squared(p) { onto } else { farthest };
    Closest {
        lower,
        upper: p.distance(q),
        points: [p, q],
        direction: normal,
        vertices: [Vertices::one(0), shown.vertices],
    }
}

/// The normal along which the ellipsoid and what is shown are farthest apart.
fn best_normal(ellipsoid: &PlacedCore<'_>, shown: &Shown, about: Vec3) -> Vec3 {
    let ellipsoid = Smooth::of(ellipsoid);
    let Some(start) = shown.directions.nearest(about) else { return about };
    if let Directions::One(normal) = shown.directions {
        return if normal.dot(about) < 0.0 { -normal } else { normal };
    }
    let size = ellipsoid.size() + shown.smooth.size() + (shown.smooth.middle - ellipsoid.middle).length();
    let mut here = Gap::along(&ellipsoid, &shown.smooth, start);
    let mut off = shown.directions.across(&here).length();
    for _ in 0..MOST_ROUNDS {
        let mut step = shown.directions.step(&here).clamp_length_max(LONGEST_STEP);
        if off <= LEVEL * size || step == Vec3::ZERO {
            break;
        }
        let mut next = None;
        for _ in 0..MOST_HALVINGS {
            let turned = shown.directions.nearest(here.normal + step).unwrap_or(here.normal);
            let there = Gap::along(&ellipsoid, &shown.smooth, turned);
            let off_there = shown.directions.across(&there).length();
            let is_short = step.length() <= SHORT_STEP;
            if if is_short { off_there < off } else { there.gap > here.gap } {
                next = Some((there, off_there));
                break;
            }
            if is_short {
                break;
            }
            step *= 0.5;
        }
        let Some(better) = next else { break };
        (here, off) = better;
    }
    here.normal
}

impl Smooth {
    /// An ellipsoid at its place.
    fn of(placed: &PlacedCore<'_>) -> Smooth {
        let matrix = match placed.core {
            Core::Ellipsoid(semi_axes) => placed.axes() * Mat3::from_diagonal(semi_axes),
            Core::Points(_)
            | Core::Axis(_)
            | Core::Box(_)
            | Core::Cylinder { .. }
            | Core::Cone { .. }
            | Core::Solid(_) => Mat3::ZERO,
        };
        Smooth { matrix, middle: placed.placed_point(placed.core.middle()) }
    }

    fn point(at: Vec3) -> Smooth {
        Smooth { matrix: Mat3::ZERO, middle: at }
    }

    /// The rim of a round core that is horizontal there.
    fn rim(placed: &PlacedCore<'_>, radius: f64, height: f64) -> Smooth {
        let matrix = placed.axes() * Mat3::from_diagonal(Vec3::new(radius, radius, 0.0));
        Smooth { matrix, middle: placed.placed_point(height * Vec3::Z) }
    }

    fn size(&self) -> f64 {
        self.matrix.x_axis.length() + self.matrix.y_axis.length() + self.matrix.z_axis.length()
    }

    /// From the middle to the farthest point in a direction, how far that is, and how it moves as the
    /// direction turns.
    fn support(&self, n: Vec3) -> (Vec3, f64, Mat3) {
        let seen = self.matrix.transpose() * n;
        let reach = seen.length();
        if reach == 0.0 {
            return (Vec3::ZERO, 0.0, Mat3::ZERO);
        }
        let p = self.matrix * (seen / reach);
        let square = self.matrix * self.matrix.transpose();
        (p, reach, (square - Mat3::from_cols(p * p.x, p * p.y, p * p.z)) * reach.recip())
    }
}

impl Gap {
    fn along(ellipsoid: &Smooth, other: &Smooth, normal: Vec3) -> Gap {
        let (p, reach, bend) = ellipsoid.support(normal);
        let (q, reach_other, bend_other) = other.support(-normal);
        let between = other.middle - ellipsoid.middle;
        Gap {
            normal,
            gap: between.dot(normal) - reach - reach_other,
            slope: p - q - between,
            bend: bend + bend_other,
        }
    }
}

impl Directions {
    /// The one of them that is nearest to a direction.
    fn nearest(&self, direction: Vec3) -> Option<Vec3> {
        match *self {
            Directions::All => direction.try_normalize(),
            Directions::Around { axis, along } => {
                let aside = (direction - direction.dot(axis) * axis).try_normalize()?;
                // Once more, for where little is left of it.
                let aside = (aside - aside.dot(axis) * axis).try_normalize()?;
                Some(((1.0 - along * along).max(0.0).sqrt() * aside + along * axis).normalize())
            }
            Directions::One(normal) => Some(normal),
        }
    }

    /// What of the slope of a gap is along these directions.
    fn across(&self, gap: &Gap) -> Vec3 {
        let slope = gap.slope - gap.slope.dot(gap.normal) * gap.normal;
        match *self {
            Directions::All => slope,
            Directions::Around { axis, .. } => {
                let along = axis.cross(gap.normal).normalize_or_zero();
                slope.dot(along) * along
            }
            Directions::One(_) => Vec3::ZERO,
        }
    }

    /// Newton's step to where the gap is widest.
    fn step(&self, gap: &Gap) -> Vec3 {
        let n = gap.normal;
        match *self {
            Directions::All => {
                let (u, v) = n.any_orthonormal_pair();
                let (down_u, down_v) = (gap.slope.dot(u), gap.slope.dot(v));
                let (bend_u, bend_v) = (gap.bend * u, gap.bend * v);
                let (uu, uv, vv) = (u.dot(bend_u), u.dot(bend_v), v.dot(bend_v));
                // As the normal turns, the gap itself turns with it.
                for turning in [gap.gap, gap.gap.abs()] {
                    let (a, c) = (uu + turning, vv + turning);
                    let scale = a * c - uv * uv;
                    if a + c > 0.0 && scale > 0.0 {
                        return ((uv * down_v - c * down_u) * u + (uv * down_u - a * down_v) * v) / scale;
                    }
                }
                Vec3::ZERO
            }
            Directions::Around { axis, along } => {
                let Some(onward) = axis.cross(n).try_normalize() else { return Vec3::ZERO };
                let radius = (1.0 - along * along).max(0.0).sqrt();
                let down = gap.slope.dot(onward) * radius;
                let bend = onward.dot(gap.bend * onward) * radius * radius;
                let turning = -gap.slope.dot(n - along * axis);
                let most = [bend + turning, bend + turning.abs()].into_iter().find(|&most| most > 0.0);
                most.map_or(Vec3::ZERO, |most| -down / most * radius * onward)
            }
            Directions::One(_) => Vec3::ZERO,
        }
    }
}

/// Calls a function with what a core may show in a direction to it, the likeliest first. Of flat-faced ones
/// by the vertices between which the nearest point is.
fn each_shown(placed: &PlacedCore<'_>, vertices: &Vertices, about: Vec3, found: &mut impl FnMut(Shown)) {
    let numbers = vertices.numbers();
    let at = |number: u32| placed.placed_point(vertex(&placed.core, number));
    let all = |smooth: Smooth, vertices| Shown { smooth, directions: Directions::All, vertices };
    let turned = |axis: Vec3| (placed.axes() * axis).normalize_or_zero();
    let around = |axis: Vec3, along: f64| Directions::Around { axis, along };
    let one = Vertices::one(0);
    match placed.core {
        Core::Ellipsoid(_) => found(all(Smooth::of(placed), one)),
        Core::Cylinder { radius, half } => {
            let axis = turned(Vec3::Z);
            let height = if about.dot(axis) > 0.0 { -half } else { half };
            let rim = Smooth::rim(placed, radius, height);
            found(all(rim, one));
            found(Shown { smooth: rim, directions: around(axis, 0.0), vertices: one });
            found(Shown { smooth: rim, directions: Directions::One(axis), vertices: one });
        }
        Core::Cone { radius, half } => {
            let (axis, tip) = (turned(Vec3::Z), Smooth::point(placed.placed_point(half * Vec3::Z)));
            let base = Smooth::rim(placed, radius, -half);
            // The normals of its side; seen from the ellipsoid they point the other way.
            let side = around(axis, -radius / radius.hypot(2.0 * half));
            found(all(base, one));
            found(Shown { smooth: tip, directions: side, vertices: one });
            found(all(tip, one));
            found(Shown { smooth: base, directions: Directions::One(axis), vertices: one });
        }
        Core::Points(_) | Core::Axis(_) | Core::Box(_) | Core::Solid(_) => {
            if let [i, j, k, ..] = *numbers
                && let Some(normal) = across(&[at(i), at(j), at(k)]).try_normalize()
            {
                let (smooth, directions) = (Smooth::point(at(i)), Directions::One(normal));
                found(Shown { smooth, directions, vertices: *vertices });
            }
            for (first, &i) in numbers.iter().enumerate() {
                for &j in &numbers[first + 1..] {
                    if let Some(axis) = (at(j) - at(i)).try_normalize() {
                        let (smooth, directions) = (Smooth::point(at(i)), around(axis, 0.0));
                        found(Shown { smooth, directions, vertices: Vertices::two(i, j) });
                    }
                }
            }
            for &i in numbers {
                found(all(Smooth::point(at(i)), Vertices::one(i)));
            }
        }
    }
}

/// A vertex of a flat-faced core by its number.
fn vertex(core: &Core<'_>, number: u32) -> Vec3 {
    match *core {
        Core::Points(points) => points[number as usize],
        Core::Axis(half) => Vec3::new(0.0, 0.0, if number == 1 { half } else { -half }),
        Core::Box(half) => {
            let bit = |k: u32, x: f64| if number >> k & 1 == 1 { x } else { -x };
            Vec3::new(bit(0, half.x), bit(1, half.y), bit(2, half.z))
        }
        Core::Solid(convex) => convex.points()[number as usize],
        Core::Cylinder { .. } | Core::Cone { .. } | Core::Ellipsoid(_) => core.middle(),
    }
}

/// A point of a core near another one, the nearest of what these vertices span; of round ones, the nearest of
/// all.
fn nearest_point(placed: &PlacedCore<'_>, p: Vec3, vertices: &Vertices) -> Vec3 {
    let seen = placed.local_point(p);
    let (aside, level) = (seen.truncate().extend(0.0), |z: f64| Vec3::new(0.0, 0.0, z));
    match placed.core {
        Core::Ellipsoid(semi_axes) => {
            let (distance, normal) = super::ellipsoid::signed_distance(semi_axes, seen);
            placed.placed_point(seen - distance.max(0.0) * normal)
        }
        Core::Cylinder { radius, half } => {
            placed.placed_point(aside.clamp_length_max(radius) + level(seen.z.clamp(-half, half)))
        }
        Core::Cone { radius, half } => {
            let rim = aside.normalize_or_zero() * radius + level(-half);
            let section = [level(half), rim, level(-half)];
            placed.placed_point(closest_on_triangle(seen, &section).0)
        }
        Core::Points(_) | Core::Axis(_) | Core::Box(_) | Core::Solid(_) => {
            let numbers = vertices.numbers();
            let last = numbers.len().max(1) - 1;
            let corner = |k: usize| {
                placed.placed_point(vertex(&placed.core, numbers.get(k.min(last)).copied().unwrap_or(0)))
            };
            closest_on_triangle(p, &[corner(0), corner(1), corner(2)]).0
        }
    }
}
