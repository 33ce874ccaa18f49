//! Separating axes of two triangles.

use silvia_solid::Vec3;

/// Below this sine two edges count as parallel and have no common perpendicular. The gap along a face or edge
/// direction is then wrong by less than this fraction of their length: far less than what counts as touching.
const PARALLEL: f64 = 1e-14;

/// The widest gap between two triangles over all candidate directions, m, and that direction, from the first
/// to the second. Negative if they overlap along all of them.
pub(crate) fn gap_of_triangles(a: &[Vec3; 3], b: &[Vec3; 3]) -> (f64, Vec3) {
    let mut best = (f64::NEG_INFINITY, Vec3::ZERO);
    for_each_axis(a, b, |axis| {
        let Some(d) = axis.try_normalize() else { return };
        // Measure from one corner, so that triangles far from the origin lose no digits.
        let reach = |t: &[Vec3; 3]| t.map(|p| d.dot(p - a[0]));
        let span = |x: [f64; 3]| (x[0].min(x[1]).min(x[2]), x[0].max(x[1]).max(x[2]));
        let ((low_a, high_a), (low_b, high_b)) = (span(reach(a)), span(reach(b)));
        for (gap, direction) in [(low_b - high_a, d), (low_a - high_b, -d)] {
            if gap > best.0 {
                best = (gap, direction);
            }
        }
    });
    best
}

/// Calls a function with all candidate separating directions of two triangles: both normals, the cross
/// products of edges and, for coplanar triangles, the in-plane normals of edges. One of the two may be a
/// segment or a point.
fn for_each_axis(a: &[Vec3; 3], b: &[Vec3; 3], mut f: impl FnMut(Vec3)) {
    let edges = |t: &[Vec3; 3]| [t[1] - t[0], t[2] - t[1], t[0] - t[2]];
    let (edges_a, edges_b) = (edges(a), edges(b));
    let normals = [edges_a[0].cross(edges_a[1]), edges_b[0].cross(edges_b[1])];
    normals.into_iter().for_each(&mut f);
    for e in edges_a {
        for g in edges_b {
            // Cross with the rejection of one edge from the other. It stays accurate for nearly parallel
            // edges, where the cross product of the edges themselves is mostly rounding.
            let aside = g.reject_from(e);
            if e != Vec3::ZERO && aside.length_squared() > PARALLEL * PARALLEL * g.length_squared() {
                f(e.cross(aside));
            }
        }
    }
    for normal in normals {
        edges_a.into_iter().chain(edges_b).for_each(|e| f(normal.cross(e)));
    }
}
