//! Signs of determinants, exact for every input whose products neither over- nor underflow. Silvia's yes/no
//! decisions rest on them.

use crate::Vec3;

/// Positive if `p` is in front of the triangle `a b c` (the side from which it is anticlockwise), zero in its
/// plane. The sign is exact.
pub fn side(a: Vec3, b: Vec3, c: Vec3, p: Vec3) -> f64 {
    let coord = |p: Vec3| robust::Coord3D { x: p.x, y: p.y, z: p.z };
    -robust::orient3d(coord(a), coord(b), coord(c), coord(p))
}

/// The pairs of coordinates that remain when one is dropped.
pub(crate) const COORDINATE_PLANES: [(usize, usize); 3] = [(0, 1), (1, 2), (2, 0)];

/// Positive if `a b c` is anticlockwise in a coordinate plane, zero if the points are on one line. The sign
/// is exact.
pub(crate) fn turn((i, j): (usize, usize), a: Vec3, b: Vec3, c: Vec3) -> f64 {
    let coord = |p: Vec3| robust::Coord { x: p[i], y: p[j] };
    robust::orient2d(coord(a), coord(b), coord(c))
}

/// Whether three points lie on one line, exactly: they do if they do in all three coordinate planes.
pub(crate) fn is_collinear([a, b, c]: [Vec3; 3]) -> bool {
    // The differences are accurate to half a unit in the last place, so a cross product this large cannot
    // come from rounding alone.
    const CERTAIN: f64 = 1e-14;
    let (u, v) = (b - a, c - a);
    if u.cross(v).length_squared() > CERTAIN * CERTAIN * u.length_squared() * v.length_squared() {
        return false;
    }
    COORDINATE_PLANES.into_iter().all(|plane| turn(plane, a, b, c) == 0.0)
}
