//! Bodies to ask about, and answers by brute force that share no code with the queries.

#![allow(dead_code, clippy::unwrap_used)]

pub(crate) mod random;
pub(crate) mod thread;

use proptest::prelude::*;
use silvia_proximity::{Hierarchy, bounds::Bound};
use silvia_solid::{Pose, Quat, Solid, Soup, Vec3, primitives};

/// Calls a generic function with every bound.
#[macro_export]
macro_rules! for_every_bound {
    ($function:ident ( $($argument:expr),* )) => {{
        use silvia_proximity::bounds::{Aabb, Dop14, Dop18, Dop26, Obb, Sphere};
        $function::<Sphere>($($argument),*)?;
        $function::<Aabb>($($argument),*)?;
        $function::<Dop14>($($argument),*)?;
        $function::<Dop18>($($argument),*)?;
        $function::<Dop26>($($argument),*)?;
        $function::<Obb>($($argument),*)?;
    }};
}

pub(crate) fn vector(reach: f64) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-reach..reach).prop_map(Vec3::from)
}

pub(crate) fn rotation() -> impl Strategy<Value = Quat> {
    prop::array::uniform4(-1.0..1.0f64)
        .prop_map(Quat::from_array)
        .prop_filter("too short to normalise", |q| q.length() > 0.1)
        .prop_map(Quat::normalize)
}

pub(crate) fn pose(reach: f64) -> impl Strategy<Value = Pose> {
    (vector(reach), rotation()).prop_map(|(t, q)| Pose::new(t, q).unwrap())
}

/// Loose triangles of many kinds: random, on a lattice (touching, coplanar, degenerate), in one plane,
/// slivers.
pub(crate) fn soup() -> impl Strategy<Value = Soup> {
    let points = prop_oneof![
        prop::collection::vec(vector(1.0), 3..30),
        prop::collection::vec(
            prop::array::uniform3(-2i8..=2).prop_map(|p| Vec3::from(p.map(f64::from))),
            3..30
        ),
        prop::collection::vec(vector(1.0).prop_map(|p| Vec3::new(p.x, p.y, 0.5)), 3..30),
        prop::collection::vec(vector(1.0).prop_map(|p| p * Vec3::new(1.0, 1e-7, 1e-3)), 3..30),
    ];
    points.prop_map(|points| {
        let triangles = (0..points.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        Soup::new(points, triangles).unwrap()
    })
}

/// Closed bodies.
pub(crate) fn solid() -> impl Strategy<Value = Solid> {
    prop_oneof![
        prop::array::uniform3(0.2..2.0f64).prop_map(|s| primitives::cuboid(s.into()).unwrap()),
        (0.2..1.0f64, 1usize..4).prop_map(|(r, f)| primitives::sphere(r, f).unwrap()),
        (0.5..1.0f64, 0.1..0.4f64).prop_map(|(r, t)| primitives::torus(r, t, 9, 5).unwrap()),
        Just(
            primitives::extrusion(&[[0., 0.], [2., 0.], [2., 1.], [1., 1.], [1., 2.], [0., 2.]], &[], 0.5)
                .unwrap()
        ),
    ]
    .prop_map(|soup| Solid::from_soup(&soup).unwrap())
}

pub(crate) fn hierarchy<B: Bound>(soup: &Soup) -> Hierarchy<B> {
    Hierarchy::new(soup.clone())
}

/// The least distance of all pairs of triangles.
pub(crate) fn brute_distance(a: &Soup, b: &Soup) -> f64 {
    let mut least = f64::INFINITY;
    for i in 0..a.triangles().len() {
        for j in 0..b.triangles().len() {
            least = least.min(triangle_distance(&a.corners(i), &b.corners(j)));
        }
    }
    least
}

pub(crate) fn triangle_distance(a: &[Vec3; 3], b: &[Vec3; 3]) -> f64 {
    if crosses(a, b) || crosses(b, a) {
        return 0.0;
    }
    let mut least = f64::INFINITY;
    for i in 0..3 {
        least = least.min(point_triangle(a[i], b)).min(point_triangle(b[i], a));
        for j in 0..3 {
            least = least.min(segment_segment([a[i], a[(i + 1) % 3]], [b[j], b[(j + 1) % 3]]));
        }
    }
    least
}

/// Whether a side of `a` passes through the inside of `b`: by solving for the point, not by signs.
fn crosses(a: &[Vec3; 3], b: &[Vec3; 3]) -> bool {
    (0..3).any(|i| {
        let (p, d) = (a[i], a[(i + 1) % 3] - a[i]);
        let m = silvia_solid::Mat3::from_cols(-d, b[1] - b[0], b[2] - b[0]);
        if m.determinant().abs() < 1e-30 {
            return false;
        }
        let x = m.inverse() * (p - b[0]);
        (0.0..=1.0).contains(&x.x) && x.y >= 0.0 && x.z >= 0.0 && x.y + x.z <= 1.0
    })
}

/// By barycentric coordinates from the normal equations; where the foot is outside, the sides decide.
pub(crate) fn point_triangle(p: Vec3, t: &[Vec3; 3]) -> f64 {
    let (u, v, w) = (t[1] - t[0], t[2] - t[0], p - t[0]);
    let n = u.cross(v);
    let mut least = (0..3).map(|i| point_segment(p, [t[i], t[(i + 1) % 3]])).fold(f64::INFINITY, f64::min);
    if n.length_squared() > 0.0 {
        let beta = w.cross(v).dot(n) / n.length_squared();
        let gamma = u.cross(w).dot(n) / n.length_squared();
        if beta >= 0.0 && gamma >= 0.0 && beta + gamma <= 1.0 {
            least = least.min(w.dot(n.normalize()).abs());
        }
    }
    least
}

fn point_segment(p: Vec3, [a, b]: [Vec3; 2]) -> f64 {
    let u = b - a;
    let s = if u == Vec3::ZERO { 0.0 } else { (p - a).dot(u) / u.length_squared() };
    p.distance(a + s.clamp(0.0, 1.0) * u)
}

/// The ends against the other segment, and the common perpendicular where it meets both.
pub(crate) fn segment_segment(s: [Vec3; 2], t: [Vec3; 2]) -> f64 {
    let mut least = point_segment(s[0], t)
        .min(point_segment(s[1], t))
        .min(point_segment(t[0], s))
        .min(point_segment(t[1], s));
    let (u, v, w) = (s[1] - s[0], t[1] - t[0], t[0] - s[0]);
    let n = u.cross(v);
    if n.length_squared() > 1e-24 * u.length_squared() * v.length_squared() {
        let x = w.cross(v).dot(n) / n.length_squared();
        let y = w.cross(u).dot(n) / n.length_squared();
        if (0.0..=1.0).contains(&x) && (0.0..=1.0).contains(&y) {
            least = least.min(w.dot(n.normalize()).abs());
        }
    }
    least
}

/// The largest coordinate of both: what errors are measured by.
pub(crate) fn extent(a: &Soup, b: &Soup) -> f64 {
    a.bounds().magnitude().max(b.bounds().magnitude())
}
