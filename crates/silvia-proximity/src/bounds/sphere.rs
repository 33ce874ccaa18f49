//! Spheres: the cheapest test, the loosest fit (paper 1 §2.2, after Hubbard and Quinlan).

use super::{Bound, Rows};
use crate::lanes::{LANES, Lanes, Lanes3};
use silvia_solid::{Aabb, Pose, Vec3};

/// A ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    /// Its middle.
    pub center: Vec3,
    /// Its radius, m.
    pub radius: f64,
}

/// Four balls.
#[derive(Clone, Debug)]
pub struct SpherePack {
    center: Lanes3,
    radius: Lanes,
}

impl Bound for Sphere {
    const NAME: &'static str = "sphere";
    type Pack = SpherePack;
    type View = Pose;
    type Placed = Sphere;

    /// Ritter's ball, grown from two far points, or the one about the box's middle if that is smaller.
    fn fit<'a>(triangles: impl Iterator<Item = &'a [Vec3; 3]> + Clone) -> Sphere {
        let points = || triangles.clone().flatten().copied();
        let bounds = Aabb::of(points());
        let about = |center: Vec3| {
            let radius = points().map(|p| p.distance_squared(center)).fold(0.0, f64::max).sqrt();
            // What rounding can lose, here and when the ball is placed.
            Sphere { center, radius: radius + 4.0 * f64::EPSILON * bounds.magnitude() }
        };
        let boxed = about(bounds.center());
        let far_from = |p: Vec3| {
            points()
                .fold(p, |best, q| if q.distance_squared(p) > best.distance_squared(p) { q } else { best })
        };
        let first = far_from(bounds.min);
        let second = far_from(first);
        let mut center = 0.5 * (first + second);
        let mut radius = 0.5 * first.distance(second);
        for p in points() {
            let distance = p.distance(center);
            if distance > radius {
                let grown = 0.5 * (radius + distance);
                center = p + (center - p) * (grown / distance);
                radius = grown;
            }
        }
        let grown = about(center);
        if grown.radius < boxed.radius { grown } else { boxed }
    }

    fn volume(&self) -> f64 {
        4.0 / 3.0 * std::f64::consts::PI * self.radius.powi(3)
    }

    fn size(&self) -> f64 {
        self.radius
    }

    fn pack(four: [&Sphere; LANES]) -> SpherePack {
        SpherePack { center: Lanes3::of(four.map(|s| s.center)), radius: Lanes(four.map(|s| s.radius)) }
    }

    fn unpack(pack: &SpherePack, lane: usize) -> Sphere {
        Sphere { center: pack.center.lane(lane), radius: pack.radius.0[lane] }
    }

    fn view(pose: &Pose) -> Pose {
        *pose
    }

    #[inline(always)]
    fn place(pack: &SpherePack, lane: usize, view: &Pose) -> Sphere {
        Sphere { center: view.transform_point(pack.center.lane(lane)), radius: pack.radius.0[lane] }
    }

    #[inline(always)]
    fn lower_bounds(pack: &SpherePack, other: &Sphere) -> [f64; LANES] {
        let d = Lanes3::splat(other.center) - pack.center;
        (d.dot(&d).sqrt() - pack.radius - Lanes::splat(other.radius)).0
    }

    fn direction(pack: &SpherePack, lane: usize, other: &Sphere) -> Vec3 {
        other.center - pack.center.lane(lane)
    }

    #[inline(always)]
    fn separations(pack: &SpherePack, other: &Sphere, direction: Vec3) -> [f64; LANES] {
        let d = Lanes3::splat(other.center) - pack.center;
        (d.dot(&Lanes3::splat(direction)) - pack.radius - Lanes::splat(other.radius)).0
    }

    #[inline(always)]
    fn directions(pack: &SpherePack, other: &Sphere) -> Rows {
        (Lanes3::splat(other.center) - pack.center).rows()
    }

    #[inline(always)]
    fn gaps(pack: &SpherePack, other: &Sphere, directions: &Rows) -> [f64; LANES] {
        let n = Lanes3::of_rows(directions);
        let d = Lanes3::splat(other.center) - pack.center;
        (d.dot(&n) - (pack.radius + Lanes::splat(other.radius)) * n.dot(&n).sqrt()).0
    }

    fn ball(placed: &Sphere) -> (Vec3, f64) {
        (placed.center, placed.radius)
    }

    #[inline(always)]
    fn balls(pack: &SpherePack) -> (Rows, [f64; LANES]) {
        (pack.center.rows(), pack.radius.0)
    }

    #[inline(always)]
    fn disjoint(pack: &SpherePack, other: &Sphere) -> [bool; LANES] {
        Sphere::lower_bounds(pack, other).map(|lower| lower > 0.0)
    }

    #[inline(always)]
    fn point_bounds(pack: &SpherePack, point: Vec3) -> [f64; LANES] {
        Sphere::lower_bounds(pack, &Sphere { center: point, radius: 0.0 })
    }

    #[inline(always)]
    fn ray_bounds(pack: &SpherePack, origin: Vec3, direction: Vec3, slack: f64) -> [f64; LANES] {
        std::array::from_fn(|lane| {
            let to = pack.center.lane(lane) - origin;
            let (along, length2) = (to.dot(direction), direction.length_squared());
            let radius = pack.radius.0[lane] + slack;
            if to.length_squared() <= radius * radius {
                return 0.0;
            }
            // By the distance of the line from the middle: the textbook discriminant cancels far away.
            let across2 = to.cross(direction).length_squared() / length2;
            let chord2 = radius * radius - across2;
            if along < 0.0 || chord2 < 0.0 {
                f64::INFINITY
            } else {
                (along - (chord2 * length2).sqrt()) / length2
            }
        })
    }
}
