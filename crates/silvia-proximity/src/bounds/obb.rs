//! Boxes turned to fit (paper 1 §2.2, after Gottschalk, Lin and Manocha).
//!
//! A patch of size h on a surface of curvature radius R has a box of thickness h²/R, so that far fewer pairs
//! need opening than with balls. The distance of two boxes is costly; but *any* direction gives a lower
//! bound: how far the boxes are apart along it. One step from the middle of one box to the nearest point of
//! the other and back gives a direction so good that it costs a few percent of the visits and a fraction of
//! the exact test.

use super::{Bound, Rows, slab};
use crate::lanes::{LANES, Lanes, Lanes3, Narrow, Narrow3};
use silvia_solid::{Mat3, Pose, Vec3, symmetric_eigen};

/// A box with any orientation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obb {
    /// Its middle.
    pub center: Vec3,
    /// Unit vectors across its faces, at right angles to each other.
    pub axes: [Vec3; 3],
    /// From the middle to the faces, m.
    pub half: [f64; 3],
}

impl Obb {
    /// The box along given axes (an orthonormal frame) around some triangles.
    pub(crate) fn along<'a>(axes: &Mat3, triangles: impl Iterator<Item = &'a [Vec3; 3]>) -> Obb {
        let turn = axes.transpose();
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for &p in triangles.flatten() {
            let q = turn * p;
            low = low.min(q);
            high = high.max(q);
        }
        // What rounding in the turning can lose.
        let slack = 4.0 * f64::EPSILON * low.abs().max(high.abs()).max_element();
        let half = 0.5 * (high - low) + Vec3::splat(slack);
        Obb {
            center: *axes * (0.5 * (low + high)),
            axes: [axes.x_axis, axes.y_axis, axes.z_axis],
            half: half.to_array(),
        }
    }

    /// Its axes and extents in all lanes. (Written out: `map` on arrays is not always inlined, and this is
    /// the hot path.)
    #[inline(always)]
    fn splat(&self) -> ([Lanes3; 3], [Lanes; 3]) {
        (
            [Lanes3::splat(self.axes[0]), Lanes3::splat(self.axes[1]), Lanes3::splat(self.axes[2])],
            [Lanes::splat(self.half[0]), Lanes::splat(self.half[1]), Lanes::splat(self.half[2])],
        )
    }

    /// Area of its faces over 8, m².
    fn surface(&self) -> f64 {
        let [a, b, c] = self.half;
        a * b + b * c + c * a
    }
}

/// Four boxes, in single precision and larger by what that may lose.
#[derive(Clone, Debug)]
pub struct ObbPack {
    center: Narrow3,
    axes: [Narrow3; 3],
    half: [Narrow; 3],
}

/// How much a box grows when it is packed, as a fraction of its size and its distance from the origin: four
/// times what rounding its middle and its axes to single precision can do.
const NARROWING: f64 = 4.0 * f32::EPSILON as f64;

/// Four boxes, ready to compute with.
struct Wide {
    center: Lanes3,
    axes: [Lanes3; 3],
    half: [Lanes; 3],
}

impl ObbPack {
    #[inline(always)]
    fn wide(&self) -> Wide {
        Wide {
            center: self.center.wide(),
            axes: [self.axes[0].wide(), self.axes[1].wide(), self.axes[2].wide()],
            half: [self.half[0].wide(), self.half[1].wide(), self.half[2].wide()],
        }
    }
}

/// A rotation and a translation, ready to use.
#[derive(Clone, Copy, Debug)]
pub struct View {
    rotation: Mat3,
    translation: Vec3,
}

impl Bound for Obb {
    const NAME: &'static str = "obb";
    type Pack = ObbPack;
    type View = View;
    type Placed = Obb;

    /// Along the principal axes of the triangles' area, turned further about the thinnest one to where the
    /// box is smallest.
    fn fit<'a>(triangles: impl Iterator<Item = &'a [Vec3; 3]> + Clone) -> Obb {
        let axes = principal_axes(triangles.clone());
        let first = Obb::along(&axes, triangles.clone());
        // The principal axes find the thin direction well, but not the best turn about it.
        let thin = (0..3).min_by(|&i, &j| first.half[i].total_cmp(&first.half[j])).unwrap_or(2);
        let (x, z) = (axes.col((thin + 1) % 3), axes.col(thin));
        let y = z.cross(x);
        const TURNS: u32 = 8;
        let mut best = first;
        for turn in 1..TURNS {
            let angle = std::f64::consts::FRAC_PI_2 * f64::from(turn) / f64::from(TURNS);
            let (s, c) = angle.sin_cos();
            let u = c * x + s * y;
            let turned = Obb::along(&Mat3::from_cols(u, z.cross(u), z), triangles.clone());
            if turned.surface() < best.surface() {
                best = turned;
            }
        }
        best
    }

    /// Along the same axes.
    fn refit<'a>(&self, triangles: impl Iterator<Item = &'a [Vec3; 3]> + Clone) -> Obb {
        Obb::along(&Mat3::from_cols(self.axes[0], self.axes[1], self.axes[2]), triangles)
    }

    fn volume(&self) -> f64 {
        8.0 * self.half[0] * self.half[1] * self.half[2]
    }

    fn size(&self) -> f64 {
        Vec3::from(self.half).length()
    }

    fn pack(four: [&Obb; LANES]) -> ObbPack {
        // Below the smallest numbers of single precision a box grows to their size: slow, but never too
        // small.
        let least = 4.0 * f64::from(f32::MIN_POSITIVE);
        let grown = |b: &Obb, i: usize| b.half[i] + NARROWING * (b.size() + b.center.length()) + least;
        ObbPack {
            center: Narrow3::of(four.map(|b| b.center)),
            axes: [0, 1, 2].map(|i| Narrow3::of(four.map(|b| b.axes[i]))),
            half: [0, 1, 2].map(|i| Narrow::of(four.map(|b| grown(b, i)))),
        }
    }

    fn unpack(pack: &ObbPack, lane: usize) -> Obb {
        Obb {
            center: pack.center.lane(lane),
            axes: [0, 1, 2].map(|i| pack.axes[i].lane(lane)),
            half: [0, 1, 2].map(|i| pack.half[i].lane(lane)),
        }
    }

    fn view(pose: &Pose) -> View {
        View { rotation: pose.matrix(), translation: pose.translation() }
    }

    #[inline(always)]
    fn place(pack: &ObbPack, lane: usize, view: &View) -> Obb {
        Obb {
            center: view.rotation * pack.center.lane(lane) + view.translation,
            axes: [
                view.rotation * pack.axes[0].lane(lane),
                view.rotation * pack.axes[1].lane(lane),
                view.rotation * pack.axes[2].lane(lane),
            ],
            half: [pack.half[0].lane(lane), pack.half[1].lane(lane), pack.half[2].lane(lane)],
        }
    }

    #[inline(always)]
    fn lower_bounds(pack: &ObbPack, other: &Obb) -> [f64; LANES] {
        let pack = pack.wide();
        let d = Lanes3::splat(other.center) - pack.center;
        let (axes, half) = other.splat();
        // r: from the pack's point nearest to the other's middle, to the other's point nearest to that.
        let mut q = d;
        for i in 0..3 {
            q = q.minus_scaled(pack.axes[i].dot(&d).clamped(pack.half[i]), &pack.axes[i]);
        }
        let mut r = q;
        for i in 0..3 {
            r = r.minus_scaled(axes[i].dot(&q).clamped(half[i]), &axes[i]);
        }
        // How far apart they are along r. Taken from r itself, not from the steps that led to it: where the
        // boxes overlap r is nothing but rounding errors, and the bound must still hold for that direction.
        let mut apart = d.dot(&r);
        for i in 0..3 {
            apart = apart - pack.half[i] * pack.axes[i].dot(&r).abs() - half[i] * axes[i].dot(&r).abs();
        }
        apart.div((r.dot(&r) + Lanes::splat(f64::MIN_POSITIVE)).sqrt()).0
    }

    fn direction(pack: &ObbPack, lane: usize, other: &Obb) -> Vec3 {
        let own = Obb::unpack(pack, lane);
        let d = other.center - own.center;
        let beyond = |v: Vec3, b: &Obb| {
            (0..3).fold(v, |r, i| r - b.axes[i] * b.axes[i].dot(v).clamp(-b.half[i], b.half[i]))
        };
        beyond(beyond(d, &own), other)
    }

    #[inline(always)]
    fn separations(pack: &ObbPack, other: &Obb, direction: Vec3) -> [f64; LANES] {
        let pack = pack.wide();
        let n = Lanes3::splat(direction);
        let reach: f64 = (0..3).map(|i| other.half[i] * other.axes[i].dot(direction).abs()).sum();
        let mut apart = (Lanes3::splat(other.center) - pack.center).dot(&n) - Lanes::splat(reach);
        for i in 0..3 {
            apart = apart - pack.half[i] * pack.axes[i].dot(&n).abs();
        }
        apart.0
    }

    /// The same as [`Bound::lower_bounds`] uses: from the pack's point nearest to the other's middle, to the
    /// other's point nearest to that.
    #[inline(always)]
    fn directions(pack: &ObbPack, other: &Obb) -> Rows {
        let pack = pack.wide();
        let d = Lanes3::splat(other.center) - pack.center;
        let (axes, half) = other.splat();
        let mut q = d;
        for i in 0..3 {
            q = q.minus_scaled(pack.axes[i].dot(&d).clamped(pack.half[i]), &pack.axes[i]);
        }
        let mut r = q;
        for i in 0..3 {
            r = r.minus_scaled(axes[i].dot(&q).clamped(half[i]), &axes[i]);
        }
        r.rows()
    }

    #[inline(always)]
    fn flat_directions(pack: &ObbPack, other: &Obb) -> [Rows; 2] {
        let towards = |n: Vec3, lane: usize| {
            let is_away = n.dot(other.center - pack.center.lane(lane)) < 0.0;
            if is_away { -n } else { n }
        };
        let own = |lane: usize| {
            let half = [0, 1, 2].map(|i| pack.half[i].lane(lane));
            towards(pack.axes[thinnest(half)].lane(lane), lane)
        };
        let others = other.axes[thinnest(other.half)];
        let rows = |v: [Vec3; LANES]| [0, 1, 2].map(|i| v.map(|v| v[i]));
        let lanes = [0, 1, 2, 3];
        [rows(lanes.map(own)), rows(lanes.map(|lane| towards(others, lane)))]
    }

    #[inline(always)]
    fn gaps(pack: &ObbPack, other: &Obb, directions: &Rows) -> [f64; LANES] {
        let pack = pack.wide();
        let n = Lanes3::of_rows(directions);
        let (axes, half) = other.splat();
        let mut apart = (Lanes3::splat(other.center) - pack.center).dot(&n);
        for i in 0..3 {
            apart = apart - pack.half[i] * pack.axes[i].dot(&n).abs() - half[i] * axes[i].dot(&n).abs();
        }
        apart.0
    }

    fn ball(placed: &Obb) -> (Vec3, f64) {
        (placed.center, placed.size())
    }

    #[inline(always)]
    fn balls(pack: &ObbPack) -> (Rows, [f64; LANES]) {
        let half = [pack.half[0].wide(), pack.half[1].wide(), pack.half[2].wide()];
        let radius = (half[0] * half[0] + half[1] * half[1] + half[2] * half[2]).sqrt();
        (pack.center.wide().rows(), radius.0)
    }

    /// The fifteen separating directions of two boxes; but first the one between their middles, which tells
    /// most that are apart.
    #[inline(always)]
    fn disjoint(pack: &ObbPack, other: &Obb) -> [bool; LANES] {
        /// Where edges are nearly parallel their cross product is rounding (the axes are right to single
        /// precision), and so may be a gap along it: ask for more than that.
        const PARALLEL: f64 = 1e-6;
        let pack = pack.wide();
        let d = Lanes3::splat(other.center) - pack.center;
        let (axes, half) = other.splat();
        let mut apart = d.dot(&d);
        for i in 0..3 {
            apart = apart - pack.half[i] * pack.axes[i].dot(&d).abs() - half[i] * axes[i].dot(&d).abs();
        }
        if apart.0.iter().all(|&a| a > 0.0) {
            return [true; LANES];
        }
        let zero = Lanes::splat(0.0);
        let (mut dots, mut abs) = ([[zero; 3]; 3], [[zero; 3]; 3]);
        let (mut in_pack, mut in_other) = ([zero; 3], [zero; 3]);
        for i in 0..3 {
            for j in 0..3 {
                dots[i][j] = pack.axes[i].dot(&axes[j]);
                abs[i][j] = dots[i][j].abs();
            }
            in_pack[i] = pack.axes[i].dot(&d);
            in_other[i] = axes[i].dot(&d);
        }
        let mut gap = Lanes::splat(f64::NEG_INFINITY);
        for i in 0..3 {
            let reach = pack.half[i] + half[0] * abs[i][0] + half[1] * abs[i][1] + half[2] * abs[i][2];
            gap = gap.max(in_pack[i].abs() - reach);
            let reach =
                half[i] + pack.half[0] * abs[0][i] + pack.half[1] * abs[1][i] + pack.half[2] * abs[2][i];
            gap = gap.max(in_other[i].abs() - reach);
        }
        gap = gap.max(apart);
        if gap.0.iter().all(|&g| g > 0.0) {
            return [true; LANES];
        }
        let slack = Lanes::splat(PARALLEL) * d.dot(&d).sqrt();
        for i in 0..3 {
            let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
            for j in 0..3 {
                let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
                let apart = (in_pack[i2] * dots[i1][j] - in_pack[i1] * dots[i2][j]).abs();
                let reach = pack.half[i1] * abs[i2][j]
                    + pack.half[i2] * abs[i1][j]
                    + half[j1] * abs[i][j2]
                    + half[j2] * abs[i][j1];
                gap = gap.max(apart - reach - slack);
            }
        }
        [gap.0[0] > 0.0, gap.0[1] > 0.0, gap.0[2] > 0.0, gap.0[3] > 0.0]
    }

    #[inline(always)]
    fn point_bounds(pack: &ObbPack, point: Vec3) -> [f64; LANES] {
        let pack = pack.wide();
        let d = Lanes3::splat(point) - pack.center;
        let mut outside2 = Lanes::splat(0.0);
        for i in 0..3 {
            let c = pack.axes[i].dot(&d);
            let beyond = c - c.clamped(pack.half[i]);
            outside2 = outside2 + beyond * beyond;
        }
        outside2.sqrt().0
    }

    #[inline(always)]
    fn ray_bounds(pack: &ObbPack, origin: Vec3, direction: Vec3, slack: f64) -> [f64; LANES] {
        std::array::from_fn(|lane| {
            let from = origin - pack.center.lane(lane);
            let (mut enter, mut leave) = (0.0f64, f64::INFINITY);
            for i in 0..3 {
                let axis = pack.axes[i].lane(lane);
                let (first, last) =
                    slab(axis.dot(from), axis.dot(direction), pack.half[i].lane(lane) + slack);
                enter = enter.max(first);
                leave = leave.min(last);
            }
            if enter <= leave { enter } else { f64::INFINITY }
        })
    }
}

/// The axis along which a box is thinnest.
#[inline(always)]
fn thinnest([x, y, z]: [f64; 3]) -> usize {
    if x <= y && x <= z {
        0
    } else if y <= z {
        1
    } else {
        2
    }
}

/// An orthonormal frame along the principal axes of the area of some triangles.
fn principal_axes<'a>(triangles: impl Iterator<Item = &'a [Vec3; 3]> + Clone) -> Mat3 {
    let mut count = 0.0;
    let mut mean = Vec3::ZERO;
    let mut area = 0.0;
    let mut center = Vec3::ZERO;
    for [a, b, c] in triangles.clone() {
        let weight = (*b - *a).cross(*c - *a).length();
        area += weight;
        center += weight * (*a + *b + *c);
        mean += *a + *b + *c;
        count += 1.0;
    }
    // Without area (needles) the corners alone must do.
    let by_area = area > 0.0;
    let center = if by_area { center / (3.0 * area) } else { mean / (3.0 * count) };
    let mut covariance = Mat3::ZERO;
    for t in triangles {
        let [a, b, c] = t.map(|p| p - center);
        let weight = if by_area { (b - a).cross(c - a).length() / area } else { 1.0 };
        let s = a + b + c;
        for v in [a, b, c, s] {
            covariance += Mat3::from_cols(weight * v * v.x, weight * v * v.y, weight * v * v.z);
        }
    }
    symmetric_eigen(covariance).1
}
