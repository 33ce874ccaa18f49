//! How far a hull sticks out of its part: the greatest distance from a point of the hull to the part.
//!
//! Branch and bound over boxes. In a box with centre `c` and half diagonal `r`, no point is further from the
//! part than the distance of `c` plus `r`; a box outside the hull or inside the part counts for nothing. The
//! answer is therefore an upper bound for every point, not for samples.

use super::nearest::Triangles;
use crate::{Plane, Solid, Vec3, winding_number};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Stop when the upper bound exceeds the lower by at most this fraction of it,
const RELATIVE: f64 = 0.05;

/// or by this fraction of the size of the hull.
const ABSOLUTE: f64 = 1e-3;

/// Stop after this many boxes, with the bound reached so far.
const MAX_BOXES: usize = 40_000;

/// A triangle lies on the hull if its corners are within this distance of a plane of the hull, as a fraction
/// of the hull's size.
const ON_HULL: f64 = 1e-9;

/// An upper bound of the concavity, m.
pub(super) fn concavity(part: &Solid, hull: &Solid) -> f64 {
    if part.is_convex() {
        return part.face_tolerance();
    }
    let search = Search::new(part, hull);
    let bounds = hull.bounds();
    let size = bounds.size().length();
    let mut waiting = BinaryHeap::new();
    let mut lower: f64 = 0.0;
    waiting.extend(search.look(bounds.center(), 0.5 * bounds.size(), &mut lower));
    for _ in 0..MAX_BOXES {
        let Some(Cell { center, half, upper }) = waiting.pop() else { return lower };
        if upper <= lower * (1.0 + RELATIVE) + ABSOLUTE * size {
            return upper;
        }
        let axis = (0..3).fold(0, |best, k| if half[k] > half[best] { k } else { best });
        let mut smaller = half;
        smaller[axis] *= 0.5;
        let mut shift = Vec3::ZERO;
        shift[axis] = smaller[axis];
        for center in [center - shift, center + shift] {
            waiting.extend(search.look(center, smaller, &mut lower));
        }
    }
    waiting.peek().map_or(lower, |cell| cell.upper)
}

struct Search<'a> {
    part: &'a Solid,
    planes: Vec<Plane>,
    all: Triangles,
    /// Triangles of the part that are not on the hull.
    inner: Triangles,
}

/// A box, and an upper bound of the distance to the part over the points of the hull in it.
struct Cell {
    center: Vec3,
    half: Vec3,
    upper: f64,
}

impl<'a> Search<'a> {
    fn new(part: &'a Solid, hull: &Solid) -> Search<'a> {
        let planes: Vec<Plane> = hull.faces().map(|f| hull.plane(f)).collect();
        let slack = ON_HULL * hull.bounds().magnitude() + hull.face_tolerance() + part.face_tolerance();
        let corners: Vec<[Vec3; 3]> = (0..part.triangle_count()).map(|t| part.soup().corners(t)).collect();
        let on_hull =
            |t: &[Vec3; 3]| planes.iter().any(|plane| t.iter().all(|&p| plane.distance(p) >= -slack));
        let inner = corners.iter().filter(|t| !on_hull(t)).copied().collect();
        Search { part, planes, all: Triangles::new(corners), inner: Triangles::new(inner) }
    }

    /// The cell for a box; `None` if it contains nothing to measure. Raises `lower` by the distance at its
    /// centre.
    fn look(&self, center: Vec3, half: Vec3, lower: &mut f64) -> Option<Cell> {
        let mut centre_in_hull = true;
        for plane in &self.planes {
            let (at, spread) = (plane.distance(center), plane.normal.abs().dot(half));
            if at > spread {
                return None;
            }
            centre_in_hull &= at <= 0.0;
        }
        let radius = half.length();
        let distance = self.all.distance(center, f64::INFINITY);
        // The only surface in the box is shared by the part and the hull, so the box contains no point of the
        // hull outside the part.
        if distance <= radius && self.inner.distance(center, radius * (1.0 + 1e-12)).is_infinite() {
            return None;
        }
        let soup = self.part.soup();
        let is_inside = || winding_number(soup.points(), soup.triangles(), center) > 0.5;
        if distance > radius || (centre_in_hull && distance > *lower) {
            if is_inside() {
                // The points outside the part in this box lie beyond its surface.
                return (distance <= radius).then_some(Cell { center, half, upper: radius - distance });
            }
            if centre_in_hull {
                *lower = lower.max(distance);
            }
        }
        Some(Cell { center, half, upper: distance + radius })
    }
}

impl Ord for Cell {
    fn cmp(&self, other: &Cell) -> Ordering {
        let at = |c: &Cell| c.center.to_array();
        self.upper.total_cmp(&other.upper).then_with(|| {
            at(self).iter().zip(at(other)).fold(Ordering::Equal, |o, (x, y)| o.then(x.total_cmp(&y)))
        })
    }
}

impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Cell) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Cell {
    fn eq(&self, other: &Cell) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Cell {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hull::convex_hull;
    use crate::primitives;

    fn measured(soup: &crate::Soup) -> f64 {
        let part = Solid::from_soup(soup).unwrap();
        let hull = Solid::from_soup(&convex_hull(soup.points()).unwrap().soup).unwrap();
        concavity(&part, &hull)
    }

    #[test]
    fn a_notch_is_as_concave_as_the_middle_of_its_mouth_is_far_from_its_walls() {
        // The hull of an L closes its notch by a slope; the middle of that slope is half a metre from both
        // walls.
        let l = [[0., 0.], [2., 0.], [2., 1.], [1., 1.], [1., 2.], [0., 2.]];
        let found = measured(&primitives::extrusion(&l, &[], 1.0).unwrap());
        assert!((0.5..0.5 * 1.06).contains(&found), "{found}");
    }

    #[test]
    fn the_hole_of_a_ring_is_as_concave_as_its_radius() {
        // Right in the middle of the hole, at the height where the tube bulges least: on the lid of the hull.
        let ring = primitives::torus(1.0, 0.25, 64, 32).unwrap();
        let truth = (1.0f64 + 0.25 * 0.25).sqrt() - 0.25;
        let found = measured(&ring);
        assert!((truth - 0.01..truth * 1.07).contains(&found), "{found} {truth}");
    }

    #[test]
    fn a_cavity_counts() {
        let outer = primitives::cuboid(Vec3::splat(4.0)).unwrap();
        let inner = primitives::cuboid(Vec3::splat(2.0)).unwrap();
        let mut points = outer.points().to_vec();
        points.extend(inner.points());
        let shift = outer.points().len() as u32;
        let mut triangles = outer.triangles().to_vec();
        triangles.extend(inner.triangles().iter().map(|&[a, b, c]| [a + shift, c + shift, b + shift]));
        let found = measured(&crate::Soup::new(points, triangles).unwrap());
        assert!((1.0..1.06).contains(&found), "{found}");
    }

    #[test]
    fn what_is_convex_is_not_concave() {
        assert!(measured(&primitives::sphere(1.0, 4).unwrap()) < 1e-6);
    }
}
