//! What tests of made shapes measure them with. Shares no code with what it checks.

use crate::{Soup, Vec3};
use std::collections::{HashMap, HashSet};

/// Volume by the divergence theorem, about the first point.
pub(crate) fn volume(soup: &Soup) -> f64 {
    let base = soup.points()[0];
    (0..soup.triangles().len())
        .map(|t| {
            let [a, b, c] = soup.corners(t).map(|p| p - base);
            a.dot(b.cross(c)) / 6.0
        })
        .sum()
}

/// Points all different and all used, every directed edge once and with its opposite.
pub(crate) fn assert_closed(soup: &Soup) {
    let places: HashSet<[u64; 3]> =
        soup.points().iter().map(|p| p.to_array().map(|x| (x + 0.0).to_bits())).collect();
    assert_eq!(places.len(), soup.points().len(), "points repeat");
    let used: HashSet<u32> = soup.triangles().iter().flatten().copied().collect();
    assert_eq!(used.len(), soup.points().len(), "points without triangles");
    let mut edges: HashMap<(u32, u32), u32> = HashMap::new();
    for &[a, b, c] in soup.triangles() {
        assert!(a != b && b != c && c != a, "a triangle uses a point twice");
        for edge in [(a, b), (b, c), (c, a)] {
            *edges.entry(edge).or_default() += 1;
        }
    }
    for (&(a, b), &n) in &edges {
        assert_eq!(n, 1, "edge {a} -> {b} is used {n} times");
        assert!(edges.contains_key(&(b, a)), "edge {a} -> {b} is open");
    }
}

/// Vertices - edges + faces; 2 for a ball, 0 for a torus.
pub(crate) fn euler(soup: &Soup) -> i64 {
    soup.points().len() as i64 - soup.triangles().len() as i64 / 2
}

/// Whether no point is strictly outside the plane of any triangle; exact.
pub(crate) fn is_convex(soup: &Soup) -> bool {
    let coord = |p: Vec3| robust::Coord3D { x: p.x, y: p.y, z: p.z };
    (0..soup.triangles().len()).all(|t| {
        let [a, b, c] = soup.corners(t).map(coord);
        // orient3d is positive for a point below, seen from where the triangle is anticlockwise.
        soup.points().iter().all(|&p| robust::orient3d(a, b, c, coord(p)) >= 0.0)
    })
}
