//! How deep two convex cores are in each other, curved ones too: the distance of the origin to the surface of
//! their difference.
//!
//! The expanding polytope as for polyhedra ([`crate::mesh::penetration`]); of flat-faced cores it is refined
//! until the bounds meet. A curved surface has no last facet, though. Where many directions are equally good,
//! as around two cylinders on one axis, refining all of them would take for ever. So there the polytope is
//! refined everywhere until a budget is spent, which bounds the depth from below; then around the best
//! direction alone, in a window that closes on it.

use super::common_normal::{applies, widest_gap};
use super::core::Core;
use super::gjk::PlacedCore;
use crate::penetration::{Corner, Polytope, start};
use silvia_solid::Vec3;

/// The bounds have met when they differ by less than this fraction of the size of the coordinates.
const CLOSE: f64 = 32.0 * f64::EPSILON;

/// Points of the polytope of a curved core before it is refined around the best direction alone.
const CURVED_BUDGET: usize = 400;

/// How wide the window around the best direction is at first, rad; and how many windows, each half as wide,
/// follow, with how many points each.
const WINDOW: f64 = 0.5;
const WINDOWS: usize = 26;
const POINTS_PER_WINDOW: usize = 8;

/// How deep two cores are in each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct CoreDepth {
    /// It is not less than this, m.
    pub(super) lower: f64,
    /// Moving the second core this far along `direction` takes it to the other side of a plane, m.
    pub(super) depth: f64,
    /// Unit length.
    pub(super) direction: Vec3,
}

/// The depth of two cores, given that they share a point.
pub(super) fn depth(a: &PlacedCore<'_>, b: &PlacedCore<'_>) -> CoreDepth {
    let size = a.magnitude() + b.magnitude();
    let mut search = DepthSearch { a, b, best: (f64::INFINITY, Vec3::X) };
    let Some(mut polytope) = start(|direction| search.ask(direction)) else {
        return flat(&search);
    };
    let tolerance = CLOSE * size;
    // Of flat-faced cores every point is a difference of two vertices, so they run out.
    let is_curved = [a, b]
        .iter()
        .any(|c| matches!(c.core, Core::Cylinder { .. } | Core::Cone { .. } | Core::Ellipsoid(_)));
    let budget = if is_curved { CURVED_BUDGET } else { usize::MAX };
    let lower = search.everywhere(&mut polytope, tolerance, budget).min(search.best.0);
    if search.best.0 - lower > tolerance {
        search.around_best(&mut polytope, tolerance);
    }
    if applies(a, b) {
        let (gap, normal) = widest_gap(a, b, search.best.1);
        search.best = (-gap, normal);
    }
    let (depth, direction) = search.best;
    let lower = lower.min(depth);
    CoreDepth { lower: lower.max(0.0), depth: depth.max(0.0), direction }
}

struct DepthSearch<'a> {
    a: &'a PlacedCore<'a>,
    b: &'a PlacedCore<'a>,
    /// The least translation so far that a plane proves to separate, m, and its direction.
    best: (f64, Vec3),
}

impl DepthSearch<'_> {
    fn ask(&mut self, direction: Vec3) -> Corner {
        let (of_a, of_b) = (self.a.support(direction), self.b.support(-direction));
        let at = of_a - of_b;
        let reach = at.dot(direction);
        if reach < self.best.0 {
            self.best = (reach, direction);
        }
        Corner { at, of_a, of_b }
    }

    /// Refines the facet nearest to the origin until none can be better than the best, or the budget is
    /// spent. Returns a lower bound of the depth.
    fn everywhere(&mut self, polytope: &mut Polytope, tolerance: f64, budget: usize) -> f64 {
        let mut lower = f64::INFINITY;
        while let Some((index, facet)) = polytope.take_nearest() {
            if facet.offset >= self.best.0 - tolerance || polytope.corners.len() >= budget {
                return lower.min(facet.offset);
            }
            let found = self.ask(facet.normal);
            let height = found.at.dot(facet.normal) - facet.offset;
            if height > tolerance && polytope.is_in_front(index, found.at) {
                polytope.grow(index, found);
            } else {
                lower = lower.min(polytope.distance(index));
            }
        }
        lower
    }

    /// Refines facets that face about the best direction.
    fn around_best(&mut self, polytope: &mut Polytope, tolerance: f64) {
        let mut window = WINDOW;
        for _ in 0..WINDOWS {
            for _ in 0..POINTS_PER_WINDOW {
                let (best, direction) = self.best;
                let faces = polytope
                    .numbered_surface()
                    .filter(|(_, f)| f.normal.distance(direction) <= window && f.offset < best - tolerance);
                let nearest = faces.min_by(|(_, f), (_, g)| f.offset.total_cmp(&g.offset));
                let Some((index, &facet)) = nearest else { break };
                let found = self.ask(facet.normal);
                if !polytope.is_in_front(index, found.at) {
                    break;
                }
                polytope.grow(index, found);
            }
            window *= 0.5;
        }
    }
}

/// Of cores whose difference has no volume: they touch, and moving one across the difference takes them
/// apart.
fn flat(search: &DepthSearch<'_>) -> CoreDepth {
    let span = |d: Vec3| {
        let reach = |d: Vec3| search.a.support(d) - search.b.support(-d);
        reach(d) - reach(-d)
    };
    let longest = |u: Vec3, v: Vec3| if v.length_squared() > u.length_squared() { v } else { u };
    let along = Vec3::AXES.map(span).into_iter().fold(Vec3::ZERO, longest).try_normalize();
    let Some(along) = along else {
        return CoreDepth { lower: 0.0, depth: 0.0, direction: Vec3::X };
    };
    let (u, v) = along.any_orthonormal_pair();
    let aside = longest(span(u), span(v));
    let across = along.cross(aside).try_normalize().unwrap_or(u);
    CoreDepth { lower: 0.0, depth: 0.0, direction: across }
}
