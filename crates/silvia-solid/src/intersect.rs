//! Decides whether two triangles share a point, exactly for every input: touching, coplanar and degenerate
//! ones too.
//!
//! All decisions are signs of determinants in adaptive exact arithmetic, so the answer is right as long as no
//! product of four coordinates over- or underflows (coordinates up to about 1e70 m are safe). The general
//! case follows Guigue and Devillers (2003): relabel the corners so that one corner of each triangle is alone
//! on its side of the other's plane, then two more determinants compare the two intervals on the common line.

use crate::Vec3;
use crate::predicates::{COORDINATE_PLANES, is_collinear, side, turn};

/// Whether two closed triangles share a point.
pub fn triangles_intersect(a: &[Vec3; 3], b: &[Vec3; 3]) -> bool {
    match (is_collinear(*a), is_collinear(*b)) {
        (false, false) => proper_triangles(a, b),
        (false, true) => segment_meets_triangle(span(b), a),
        (true, false) => segment_meets_triangle(span(a), b),
        (true, true) => segments_intersect(span(a), span(b)),
    }
}

/// Whether a closed segment (or point) shares a point with a triangle of nonzero area.
pub(crate) fn segment_meets_triangle([p, q]: [Vec3; 2], t: &[Vec3; 3]) -> bool {
    let (sp, sq) = (side_of(t, p), side_of(t, q));
    if sp * sq > 0 {
        return false;
    }
    if sp == 0 && sq == 0 {
        return !separated_in_plane(t, &[p, q]);
    }
    // The line passes the three edges on the same side, and meets the plane between p and q.
    let turns = [(0, 1), (1, 2), (2, 0)].map(|(i, j)| sign(side(p, q, t[i], t[j])));
    turns.iter().all(|&s| s >= 0) || turns.iter().all(|&s| s <= 0)
}

/// The test for two triangles of nonzero area.
fn proper_triangles(a: &[Vec3; 3], b: &[Vec3; 3]) -> bool {
    let on_a = b.map(|p| side_of(a, p));
    if one_sided(on_a) {
        return false;
    }
    let on_b = a.map(|p| side_of(b, p));
    if one_sided(on_b) {
        return false;
    }
    if on_a == [0; 3] || on_b == [0; 3] {
        return !separated_in_plane(a, b) && !separated_in_plane(b, a);
    }
    let (mut a, swap_b) = lone_first(a, on_b);
    let (mut b, swap_a) = lone_first(b, on_a);
    if swap_b {
        b.swap(1, 2);
    }
    if swap_a {
        a.swap(1, 2);
    }
    side(a[0], a[1], b[0], b[1]) <= 0.0 && side(a[0], a[2], b[2], b[0]) <= 0.0
}

fn one_sided(signs: [i8; 3]) -> bool {
    signs == [1; 3] || signs == [-1; 3]
}

/// Rotates a triangle so that its first corner is alone on its side of the other plane (the others are on the
/// plane or beyond it). Returns true if that is the negative side: the other triangle must then be flipped to
/// make it the positive side.
fn lone_first(t: &[Vec3; 3], signs: [i8; 3]) -> ([Vec3; 3], bool) {
    let turned = |first: usize| [t[first], t[(first + 1) % 3], t[(first + 2) % 3]];
    // A corner is alone if its sign is not zero and differs from those of both others. If there is none (two
    // corners on the plane, or one on the plane and the others on the same side), take the first zero or the
    // only nonzero one.
    for first in 0..3 {
        let (s, others) = (signs[first], [signs[(first + 1) % 3], signs[(first + 2) % 3]]);
        if s != 0 && others.iter().all(|&o| o != s) {
            return (turned(first), s < 0);
        }
    }
    for first in 0..3 {
        let others = [signs[(first + 1) % 3], signs[(first + 2) % 3]];
        if signs[first] == 0 && others[0] == others[1] && others[0] != 0 {
            return (turned(first), others[0] > 0);
        }
    }
    (*t, false)
}

/// For points in the plane of the triangle `t`: whether a line along one of its edges, or (for two points)
/// the line through them, has `t` and the points strictly on opposite sides.
fn separated_in_plane(t: &[Vec3; 3], points: &[Vec3]) -> bool {
    let plane = projection(t);
    let turn = |a: Vec3, b: Vec3, p: Vec3| sign(turn(plane, a, b, p));
    let inward = turn(t[0], t[1], t[2]);
    let by_edge =
        [(0, 1), (1, 2), (2, 0)].iter().any(|&(i, j)| points.iter().all(|&p| turn(t[i], t[j], p) == -inward));
    let by_line = || {
        let [p, q] = *points else { return false };
        let signs = t.map(|c| turn(p, q, c));
        signs == [1; 3] || signs == [-1; 3]
    };
    by_edge || by_line()
}

/// A coordinate plane onto which the triangle, whose area is not zero, projects with nonzero area.
fn projection(&[a, b, c]: &[Vec3; 3]) -> (usize, usize) {
    COORDINATE_PLANES.into_iter().find(|&plane| turn(plane, a, b, c) != 0.0).unwrap_or(COORDINATE_PLANES[0])
}

/// Whether two closed segments, either of which may be a point, share a point.
fn segments_intersect([a, b]: [Vec3; 2], [c, d]: [Vec3; 2]) -> bool {
    if side(a, b, c, d) != 0.0 {
        return false;
    }
    // Either three of the points span the plane, or all lie on one line.
    for triple in [[a, b, c], [a, b, d], [a, c, d], [b, c, d]] {
        if !is_collinear(triple) {
            let plane = projection(&triple);
            let turn = |p: Vec3, q: Vec3, r: Vec3| sign(turn(plane, p, q, r));
            return turn(a, b, c) * turn(a, b, d) <= 0 && turn(c, d, a) * turn(c, d, b) <= 0;
        }
    }
    let ([a, b], [c, d]) = (sorted([a, b]), sorted([c, d]));
    !precedes(b, c) && !precedes(d, a)
}

/// The segment covered by a triangle whose corners lie on one line.
fn span(t: &[Vec3; 3]) -> [Vec3; 2] {
    let [a, b] = sorted([t[0], t[1]]);
    [sorted([a, t[2]])[0], sorted([b, t[2]])[1]]
}

fn sorted([a, b]: [Vec3; 2]) -> [Vec3; 2] {
    if precedes(b, a) { [b, a] } else { [a, b] }
}

/// Lexicographic order, which along a line is the order of the points.
fn precedes(a: Vec3, b: Vec3) -> bool {
    a.to_array() < b.to_array()
}

/// The side of a triangle's plane that a point is on: 1 where the normal points, 0 on the plane.
fn side_of(t: &[Vec3; 3], p: Vec3) -> i8 {
    sign(side(t[0], t[1], t[2], p))
}

fn sign(x: f64) -> i8 {
    i8::from(x > 0.0) - i8::from(x < 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    type Int = [i64; 3];

    fn sub(a: Int, b: Int) -> Int {
        [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
    }

    fn cross(a: Int, b: Int) -> Int {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    }

    fn dot(a: Int, b: Int) -> i128 {
        (0..3).map(|i| i128::from(a[i]) * i128::from(b[i])).sum()
    }

    /// Oracle: the separating axis theorem over integers, with more axes than any case needs (an axis too
    /// many can do no harm: one that separates proves that there is no common point).
    fn separable(a: &[Int; 3], b: &[Int; 3]) -> bool {
        let edges = |t: &[Int; 3]| [sub(t[1], t[0]), sub(t[2], t[1]), sub(t[0], t[2])];
        let (ea, eb) = (edges(a), edges(b));
        let mut along: Vec<Int> = ea.iter().chain(&eb).copied().collect();
        for p in a {
            for q in b {
                along.push(sub(*p, *q));
            }
        }
        let mut axes = along.clone();
        for (i, &u) in along.iter().enumerate() {
            for &v in &along[..i] {
                let n = cross(u, v);
                axes.push(n);
                axes.extend(ea.iter().chain(&eb).map(|&e| cross(e, n)));
            }
        }
        axes.iter().any(|&n| {
            let range = |t: &[Int; 3]| {
                let d = t.map(|p| dot(n, p));
                (d.into_iter().min().unwrap(), d.into_iter().max().unwrap())
            };
            let ((a0, a1), (b0, b1)) = (range(a), range(b));
            a1 < b0 || b1 < a0
        })
    }

    fn triangle(reach: i64) -> impl Strategy<Value = [Int; 3]> {
        prop::array::uniform3(prop::array::uniform3(-reach..=reach))
    }

    fn check(a: [Int; 3], b: [Int; 3], scale: f64) -> Result<(), TestCaseError> {
        let real = |t: [Int; 3]| t.map(|p| scale * Vec3::from(p.map(|x| x as f64)));
        let expected = !separable(&a, &b);
        for turn in 0..3 {
            let mut a = real(a);
            a.rotate_left(turn);
            let b = real(b);
            prop_assert_eq!(triangles_intersect(&a, &b), expected);
            prop_assert_eq!(triangles_intersect(&b, &a), expected);
            let flipped = [b[0], b[2], b[1]];
            prop_assert_eq!(triangles_intersect(&a, &flipped), expected);
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        /// On so small a grid more than half the pairs touch, are coplanar or have no area.
        #[test]
        fn small_lattice_triangles_agree_with_separating_axes(a in triangle(1), b in triangle(1)) {
            check(a, b, 1.0)?;
        }

        #[test]
        fn lattice_triangles_agree_with_separating_axes(a in triangle(4), b in triangle(4)) {
            check(a, b, 1.0)?;
        }

        #[test]
        fn coplanar_triangles_agree_with_separating_axes(
            a in triangle(3), b in triangle(3), k in -2i64..=2, l in -2i64..=2,
        ) {
            let tilted = |t: [Int; 3]| t.map(|[x, y, _]| [x, y, k * x + l * y]);
            check(tilted(a), tilted(b), 0.125)?;
        }
    }
}
