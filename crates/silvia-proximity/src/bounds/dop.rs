//! Bodies between pairs of parallel planes in fixed directions: k-DOPs, fixed-directions hulls (paper 1 §2.2,
//! after Held and others, and Zachmann). The box along the axes is the one with three pairs.
//!
//! A turned body's planes no longer have the fixed directions. As Zachmann does, each fixed direction is
//! written, once a query, as a positive combination of three of the other body's turned directions; the same
//! combination of that body's planes then bounds it along the fixed direction.

use super::{Bound, Rows, slab};
use crate::lanes::{LANES, Lanes, Lanes3};
use silvia_solid::{Mat3, Pose, Vec3, hull::convex_hull};
use std::sync::OnceLock;

/// Between `N` pairs of planes (k = 2 N).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dop<const N: usize> {
    low: [f64; N],
    high: [f64; N],
}

/// A box along the axes of its body.
pub type Aabb = Dop<3>;
/// The axes and the corners of a cube.
pub type Dop14 = Dop<7>;
/// The axes and the edges of a cube.
pub type Dop18 = Dop<9>;
/// The axes, the edges and the corners of a cube.
pub type Dop26 = Dop<13>;

/// Four of them.
#[derive(Clone, Debug)]
pub struct DopPack<const N: usize> {
    low: [Lanes; N],
    high: [Lanes; N],
}

/// How each fixed direction is made of the other body's.
#[derive(Clone, Debug)]
pub struct DopView<const N: usize> {
    /// Which three of the other's directions, and how much of each (negative: of its opposite).
    parts: [[(usize, f64); 3]; N],
    /// What the translation adds.
    shift: [f64; N],
}

impl<const N: usize> Bound for Dop<N> {
    const NAME: &'static str = match N {
        3 => "aabb",
        7 => "dop14",
        9 => "dop18",
        _ => "dop26",
    };
    type Pack = DopPack<N>;
    type View = DopView<N>;
    type Placed = Dop<N>;

    fn fit<'a>(triangles: impl Iterator<Item = &'a [Vec3; 3]> + Clone) -> Dop<N> {
        let normals = normals::<N>();
        let (mut low, mut high) = ([f64::INFINITY; N], [f64::NEG_INFINITY; N]);
        for &p in triangles.flatten() {
            for i in 0..N {
                let h = normals[i].dot(p);
                low[i] = low[i].min(h);
                high[i] = high[i].max(h);
            }
        }
        // What rounding can lose, here and when the planes are combined.
        let magnitude = (0..N).map(|i| low[i].abs().max(high[i].abs())).fold(0.0, f64::max);
        let slack = 8.0 * f64::EPSILON * magnitude;
        Dop { low: low.map(|h| h - slack), high: high.map(|h| h + slack) }
    }

    /// Of the box along the axes, an upper bound; good enough to compare splits by.
    fn volume(&self) -> f64 {
        (0..3).map(|i| self.high[i] - self.low[i]).product()
    }

    fn size(&self) -> f64 {
        0.5 * (0..3).map(|i| (self.high[i] - self.low[i]).powi(2)).sum::<f64>().sqrt()
    }

    fn pack(four: [&Dop<N>; LANES]) -> DopPack<N> {
        DopPack {
            low: std::array::from_fn(|i| Lanes(four.map(|d| d.low[i]))),
            high: std::array::from_fn(|i| Lanes(four.map(|d| d.high[i]))),
        }
    }

    fn unpack(pack: &DopPack<N>, lane: usize) -> Dop<N> {
        Dop { low: pack.low.map(|l| l.0[lane]), high: pack.high.map(|h| h.0[lane]) }
    }

    fn view(pose: &Pose) -> DopView<N> {
        let (normals, cones) = (normals::<N>(), cones::<N>());
        let back = pose.matrix().transpose();
        DopView {
            parts: normals.map(|n| split(back * n, cones)),
            shift: normals.map(|n| n.dot(pose.translation())),
        }
    }

    #[inline(always)]
    fn place(pack: &DopPack<N>, lane: usize, view: &DopView<N>) -> Dop<N> {
        let (mut low, mut high) = (view.shift, view.shift);
        for i in 0..N {
            for &(k, amount) in &view.parts[i] {
                let (l, h) = (amount * pack.low[k].0[lane], amount * pack.high[k].0[lane]);
                low[i] += l.min(h);
                high[i] += l.max(h);
            }
        }
        Dop { low, high }
    }

    #[inline(always)]
    fn lower_bounds(pack: &DopPack<N>, other: &Dop<N>) -> [f64; LANES] {
        let gap = |i: usize| {
            (pack.low[i] - Lanes::splat(other.high[i])).max(Lanes::splat(other.low[i]) - pack.high[i])
        };
        // Along the axes, which are at right angles, gaps add up by Pythagoras.
        let mut best = Lanes::splat(f64::NEG_INFINITY);
        let mut outside2 = Lanes::splat(0.0);
        for i in 0..N {
            let g = gap(i);
            best = best.max(g);
            if i < 3 {
                let g = g.max(Lanes::splat(0.0));
                outside2 = outside2 + g * g;
            }
        }
        let along_axes = outside2.sqrt().0;
        std::array::from_fn(
            |lane| if along_axes[lane] > best.0[lane] { along_axes[lane] } else { best.0[lane] },
        )
    }

    fn direction(pack: &DopPack<N>, lane: usize, other: &Dop<N>) -> Vec3 {
        Dop::ball(other).0 - Dop::ball(&Dop::unpack(pack, lane)).0
    }

    /// By the balls around the boxes along the axes.
    #[inline(always)]
    fn separations(pack: &DopPack<N>, other: &Dop<N>, direction: Vec3) -> [f64; LANES] {
        let (to, reach) = Dop::ball(other);
        std::array::from_fn(|lane| {
            let (from, radius) = Dop::ball(&Dop::unpack(pack, lane));
            (to - from).dot(direction) - radius - reach
        })
    }

    /// By the gaps along the axes; where there is none, along the axis on which they overlap least.
    #[inline(always)]
    fn directions(pack: &DopPack<N>, other: &Dop<N>) -> Rows {
        let lanes: [Vec3; LANES] = std::array::from_fn(|lane| {
            let (mut widest, mut along) = (f64::NEG_INFINITY, Vec3::ZERO);
            let mut apart = Vec3::ZERO;
            for (i, axis) in Vec3::AXES.into_iter().enumerate() {
                let above = other.low[i] - pack.high[i].0[lane];
                let below = pack.low[i].0[lane] - other.high[i];
                let (gap, out) = if above >= below { (above, axis) } else { (below, -axis) };
                if gap > 0.0 {
                    apart += gap * out;
                }
                if gap > widest {
                    (widest, along) = (gap, out);
                }
            }
            if widest > 0.0 { apart } else { along }
        });
        Lanes3::of(lanes).rows()
    }

    /// By the boxes along the axes.
    #[inline(always)]
    fn gaps(pack: &DopPack<N>, other: &Dop<N>, directions: &Rows) -> [f64; LANES] {
        let mut apart = Lanes::splat(0.0);
        let half = Lanes::splat(0.5);
        for (i, row) in directions.iter().enumerate() {
            let n = Lanes(*row);
            let middle = half * (pack.low[i] + pack.high[i]);
            let reach =
                half * (pack.high[i] - pack.low[i]) + Lanes::splat(0.5 * (other.high[i] - other.low[i]));
            apart =
                apart + (Lanes::splat(0.5 * (other.low[i] + other.high[i])) - middle) * n - reach * n.abs();
        }
        apart.0
    }

    fn ball(placed: &Dop<N>) -> (Vec3, f64) {
        let middle = |i: usize| 0.5 * (placed.low[i] + placed.high[i]);
        (Vec3::new(middle(0), middle(1), middle(2)), placed.size())
    }

    #[inline(always)]
    fn balls(pack: &DopPack<N>) -> (Rows, [f64; LANES]) {
        let half = Lanes::splat(0.5);
        let middle = |i: usize| (half * (pack.low[i] + pack.high[i])).0;
        let side = |i: usize| half * (pack.high[i] - pack.low[i]);
        let radius = (side(0) * side(0) + side(1) * side(1) + side(2) * side(2)).sqrt();
        ([middle(0), middle(1), middle(2)], radius.0)
    }

    #[inline(always)]
    fn disjoint(pack: &DopPack<N>, other: &Dop<N>) -> [bool; LANES] {
        let mut gap = Lanes::splat(f64::NEG_INFINITY);
        for i in 0..N {
            gap = gap
                .max(pack.low[i] - Lanes::splat(other.high[i]))
                .max(Lanes::splat(other.low[i]) - pack.high[i]);
        }
        gap.0.map(|g| g > 0.0)
    }

    #[inline(always)]
    fn point_bounds(pack: &DopPack<N>, point: Vec3) -> [f64; LANES] {
        let heights = normals::<N>().map(|n| n.dot(point));
        Dop::lower_bounds(pack, &Dop { low: heights, high: heights })
    }

    #[inline(always)]
    fn ray_bounds(pack: &DopPack<N>, origin: Vec3, direction: Vec3, slack: f64) -> [f64; LANES] {
        let normals = normals::<N>();
        std::array::from_fn(|lane| {
            let (mut enter, mut leave) = (0.0f64, f64::INFINITY);
            for (i, normal) in normals.iter().enumerate() {
                let (low, high) = (pack.low[i].0[lane], pack.high[i].0[lane]);
                let height = normal.dot(origin) - 0.5 * (low + high);
                let (first, last) = slab(height, normal.dot(direction), 0.5 * (high - low) + slack);
                enter = enter.max(first);
                leave = leave.min(last);
            }
            if enter <= leave { enter } else { f64::INFINITY }
        })
    }
}

/// The fixed directions, unit vectors, the axes first.
#[inline(always)]
fn normals<const N: usize>() -> [Vec3; N] {
    const { assert!(matches!(N, 3 | 7 | 9 | 13), "there are directions for 3, 7, 9 and 13 pairs of planes") };
    const D2: f64 = std::f64::consts::FRAC_1_SQRT_2;
    const D3: f64 = 0.577_350_269_189_625_8;
    const AXES: [[f64; 3]; 3] = [[1., 0., 0.], [0., 1., 0.], [0., 0., 1.]];
    const EDGES: [[f64; 3]; 6] =
        [[D2, D2, 0.], [D2, -D2, 0.], [0., D2, D2], [0., D2, -D2], [D2, 0., D2], [-D2, 0., D2]];
    const CORNERS: [[f64; 3]; 4] = [[D3, D3, D3], [D3, D3, -D3], [D3, -D3, D3], [D3, -D3, -D3]];
    std::array::from_fn(|i| {
        let v = match (N, i) {
            (_, 0..3) => AXES[i],
            (7, _) => CORNERS[i - 3],
            (_, 3..9) => EDGES[i - 3],
            _ => CORNERS[i - 9],
        };
        Vec3::from(v)
    })
}

/// Three directions next to each other, as numbers and signs, and what turns a vector into its parts along
/// them.
#[derive(Clone, Copy, Debug)]
struct Cone {
    direction: [(usize, f64); 3],
    parts: Mat3,
}

/// All cones of three neighbouring directions: the triangles of their hull. They cover all directions.
fn cones<const N: usize>() -> &'static [Cone] {
    static CONES: [OnceLock<Vec<Cone>>; 14] = [const { OnceLock::new() }; 14];
    CONES[N].get_or_init(|| {
        let signed: Vec<Vec3> = normals::<N>().iter().flat_map(|&n| [n, -n]).collect();
        let name = |p: Vec3| {
            let i = signed.iter().position(|&q| q == p).unwrap_or(0);
            (i / 2, if i % 2 == 0 { 1.0 } else { -1.0 })
        };
        // The directions of a cube's faces, edges and corners span space, so there is a hull.
        let Ok(hull) = convex_hull(&signed) else { return Vec::new() };
        let soup = &hull.soup;
        (0..soup.triangles().len())
            .map(|t| {
                let corners = soup.corners(t);
                Cone {
                    direction: corners.map(name),
                    parts: Mat3::from_cols_array_2d(&corners.map(Into::into)).inverse(),
                }
            })
            .collect()
    })
}

/// Writes a direction as a combination of three of the fixed ones: those of the cone it lies in.
fn split(v: Vec3, cones: &[Cone]) -> [(usize, f64); 3] {
    let inside = |c: &Cone| (c.parts * v).min_element();
    let best = cones.iter().max_by(|a, b| inside(a).total_cmp(&inside(b)));
    best.map_or([(0, v.x), (1, v.y), (2, v.z)], |cone| {
        let amounts = (cone.parts * v).to_array();
        std::array::from_fn(|i| {
            let (k, sign) = cone.direction[i];
            (k, sign * amounts[i])
        })
    })
}
