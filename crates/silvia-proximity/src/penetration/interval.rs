//! How far a triangle must go along a direction until it has left another.

use silvia_solid::Vec3;

/// How far outside a triangle or a segment, as a fraction of it, a place still counts as on it. The end found
/// is late by no more than this; without it, rounding would lose the end and with it the whole step.
const BORDER: f64 = 1e-12;

/// The largest `s` for which `a` and `b + s direction` share a point; negative infinity if there is none. The
/// places where they part are a vertex of one on the other, or a point of two sides.
pub(crate) fn last_touch(a: &[Vec3; 3], b: &[Vec3; 3], direction: Vec3) -> f64 {
    let mut last = f64::NEG_INFINITY;
    let across_a = (a[1] - a[0]).cross(a[2] - a[0]);
    let across_b = (b[1] - b[0]).cross(b[2] - b[0]);
    for k in 0..3 {
        if let Some(s) = meet(b[k], direction, a, across_a) {
            last = last.max(s);
        }
        if let Some(s) = meet(a[k], -direction, b, across_b) {
            last = last.max(s);
        }
    }
    for i in 0..3 {
        for j in 0..3 {
            let (u, v) = (a[(i + 1) % 3] - a[i], b[(j + 1) % 3] - b[j]);
            if let Some(s) = cross(a[i], u, b[j], v, direction) {
                last = last.max(s);
            }
        }
    }
    last
}

/// Where a segment meets a triangle, as a fraction of its length.
pub(crate) fn segment_meets(p: Vec3, q: Vec3, t: &[Vec3; 3]) -> Option<f64> {
    meet(p, q - p, t, (t[1] - t[0]).cross(t[2] - t[0])).filter(|s| (0.0..=1.0).contains(s))
}

/// Where the line through `p` meets a triangle.
fn meet(p: Vec3, direction: Vec3, t: &[Vec3; 3], across: Vec3) -> Option<f64> {
    let slope = across.dot(direction);
    if slope == 0.0 {
        return None;
    }
    let s = across.dot(t[0] - p) / slope;
    let at = p + s * direction;
    let least = -BORDER * across.length_squared();
    let inside = |k: usize| (t[(k + 1) % 3] - t[k]).cross(at - t[k]).dot(across) >= least;
    (s.is_finite() && (0..3).all(inside)).then_some(s)
}

/// The `s` for which the segment `q, q + v`, moved by `s direction`, crosses the segment `p, p + u`.
fn cross(p: Vec3, u: Vec3, q: Vec3, v: Vec3, direction: Vec3) -> Option<f64> {
    // p + x u = q + y v + s direction
    let n = v.cross(u);
    let slope = n.dot(direction);
    if slope == 0.0 {
        return None;
    }
    let w = p - q;
    let (x, y) = (w.cross(v).dot(direction) / slope, w.cross(u).dot(direction) / slope);
    let on = |t: f64| (-BORDER..=1.0 + BORDER).contains(&t);
    let s = n.dot(w) / slope;
    (on(x) && on(y) && s.is_finite()).then_some(s)
}

#[cfg(test)]
mod tests {
    use super::*;
    use seeded::Random;
    use silvia_solid::triangles_intersect;

    #[test]
    fn triangles_touch_up_to_the_end_and_not_beyond() {
        let mut random = Random::new(7);
        let mut touching = 0;
        for _ in 0..20_000 {
            let mut vector = || random.vector(1.0);
            let (a, b) = ([vector(), vector(), vector()], [vector(), vector(), vector()]);
            let direction = vector().normalize();
            let moved = |s: f64| b.map(|p| p + s * direction);
            let last = last_touch(&a, &b, direction);
            if triangles_intersect(&a, &b) {
                touching += 1;
                assert!(last >= 0.0);
                assert!(triangles_intersect(&a, &moved(last - 1e-9)) || last < 1e-9);
            }
            if last > f64::NEG_INFINITY {
                // No touch anywhere beyond, sampled.
                assert!((1..20).all(|k| !triangles_intersect(&a, &moved(last + 1e-9 + 0.1 * f64::from(k)))));
                assert!(!triangles_intersect(&a, &moved(last + 1e-9)));
            }
        }
        assert!(touching > 1000, "{touching}");
    }
}
