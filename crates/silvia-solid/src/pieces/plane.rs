//! Chooses the plane to cut by.

use crate::cut::{crossing, side_of};
use crate::hull::convex_hull;
use crate::topology::Sets;
use crate::{Aabb, EdgeClass, MassProperties, Plane, Solid, Soup, Vec3, symmetric_eigen};
use rayon::prelude::*;

/// How many concave edges are tried at most: the longest, and evenly chosen ones along curved grooves.
const EDGES: usize = 24;

/// How many positions along each axis are tried.
const PLACES: usize = 7;

/// Planes are equally good if their hull volumes differ by less than this fraction. Then the one that
/// contains more of the grooves wins, then the smaller cut. Lengths are compared with the same fraction of
/// the size.
const SAME: f64 = 1e-6;

/// An oblique cut must save this fraction of the hull's excess volume. Otherwise a cut along a face is
/// preferred: it leaves parts that are easier to cut further.
const OBLIQUE: f64 = 0.1;

/// Planes to cut a part by, best first: the best leaves the least total volume of the hulls on both sides.
pub(super) fn best_first(part: &Solid) -> Vec<Plane> {
    let planes = candidates(part);
    let (total, size) = (part.mass().volume, part.bounds().size().length());
    let excess = convex_hull(part.soup().points()).map_or(0.0, |hull| volume_of(&hull.soup) - total);
    let grooves: Vec<[Vec3; 2]> = part
        .edges()
        .map(|id| part.edge(id))
        .filter(|edge| edge.class == EdgeClass::Concave)
        .map(|edge| edge.vertices.map(|v| part.point(v)))
        .collect();
    let mut scored: Vec<([f64; 3], usize)> = planes
        .par_iter()
        .enumerate()
        .filter_map(|(i, (plane, is_oblique))| {
            let (volume, extent) = cost(part.soup(), plane, part.face_tolerance())?;
            let volume = if *is_oblique { volume + OBLIQUE * excess } else { volume };
            // A groove in the plane is gone after the cut. This decides between planes if a hole keeps the
            // hulls as large as before.
            let is_in = |p: Vec3| side_of(plane, p, part.face_tolerance()) == 0;
            let gone: f64 =
                grooves.iter().filter(|g| is_in(g[0]) && is_in(g[1])).map(|g| g[0].distance(g[1])).sum();
            // Compare in steps, so that rounding does not decide between equally good planes.
            let step = |x: f64, unit: f64| (x / (SAME * unit)).round();
            Some(([step(volume, total), -step(gone, size), step(extent, size)], i))
        })
        .collect();
    scored.sort_by(|x, y| {
        let order = x.0.iter().zip(y.0).map(|(a, b)| a.total_cmp(&b)).find(|o| o.is_ne());
        order.unwrap_or(x.1.cmp(&y.1))
    });
    scored.into_iter().map(|(_, i)| planes[i].0).collect()
}

/// Candidate planes: along both faces of concave edges, along their bisectors (oblique), and perpendicular to
/// the principal and the coordinate axes.
fn candidates(part: &Solid) -> Vec<(Plane, bool)> {
    let mut concave: Vec<(f64, _)> = part
        .edges()
        .map(|id| part.edge(id))
        .filter(|edge| edge.class == EdgeClass::Concave)
        .map(|edge| {
            let [p, q] = edge.vertices.map(|v| part.point(v));
            (p.distance(q), edge)
        })
        .collect();
    concave.sort_by(|x, y| y.0.total_cmp(&x.0));
    let mut planes = Vec::new();
    for (_, edge) in concave.iter().step_by(concave.len().div_ceil(EDGES).max(1)) {
        let [p, q] = edge.vertices.map(|v| part.point(v));
        let [m, n] = edge.faces.map(|f| part.plane(f).normal);
        let middle = p.midpoint(q);
        // The bisector contains the edge and the mean of the normals.
        let bisector = (q - p).cross(m + n).normalize_or_zero();
        for (normal, is_oblique) in [(m, false), (n, false), (bisector, true)] {
            if normal != Vec3::ZERO {
                planes.push((Plane::through(middle, normal), is_oblique));
            }
        }
    }
    let principal = symmetric_eigen(part.mass().inertia).1;
    for axis in Vec3::AXES.into_iter().chain([principal.x_axis, principal.y_axis, principal.z_axis]) {
        let along = part.soup().points().iter().map(|p| p.dot(axis));
        let (low, high) = along.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
        for place in 1..=PLACES {
            let offset = low + (high - low) * place as f64 / (PLACES + 1) as f64;
            planes.push((Plane { normal: axis, offset }, false));
        }
    }
    planes
}

/// The total hull volume on both sides, each connected piece by itself, and the extent of the cut; `None` if
/// one side is empty.
fn cost(soup: &Soup, plane: &Plane, tolerance: f64) -> Option<(f64, f64)> {
    let sides: Vec<i8> = soup.points().iter().map(|&p| side_of(plane, p, tolerance)).collect();
    if !sides.contains(&1) || !sides.contains(&-1) {
        return None;
    }
    let mut rim = Aabb::EMPTY;
    let mut total = 0.0;
    for keep in [-1, 1] {
        let mut points = soup.points().to_vec();
        let mut triangles: Vec<Vec<u32>> = Vec::new();
        for t in soup.triangles() {
            if !t.iter().any(|&i| sides[i as usize] == keep) {
                continue;
            }
            let mut corners = Vec::with_capacity(5);
            for k in 0..3 {
                let (a, b) = (t[k] as usize, t[(k + 1) % 3] as usize);
                if sides[a] * keep >= 0 {
                    corners.push(a as u32);
                }
                if sides[a] * sides[b] < 0 {
                    let at = crossing(plane, points[a.min(b)], points[a.max(b)]);
                    rim = rim.grown(at);
                    points.push(at);
                    corners.push(points.len() as u32 - 1);
                }
            }
            triangles.push(corners);
        }
        total += hull_volumes(&points, &triangles);
    }
    Some((total, rim.size().max(Vec3::ZERO).length()))
}

/// The volumes of the hulls of connected pieces. A piece inside the box of another, such as the wall of a
/// hole, counts as part of it.
fn hull_volumes(points: &[Vec3], polygons: &[Vec<u32>]) -> f64 {
    let mut sets = Sets::new(points.len());
    for polygon in polygons {
        polygon.iter().for_each(|&i| sets.join(polygon[0], i));
    }
    let (group_of, count) = sets.number();
    let mut groups: Vec<(Aabb, Vec<Vec3>)> = vec![(Aabb::EMPTY, Vec::new()); count];
    let mut used = vec![false; points.len()];
    for &i in polygons.iter().flatten() {
        if !std::mem::replace(&mut used[i as usize], true) {
            let (bounds, members) = &mut groups[group_of[i as usize] as usize];
            *bounds = bounds.grown(points[i as usize]);
            members.push(points[i as usize]);
        }
    }
    groups.retain(|(_, members)| !members.is_empty());
    let within =
        |inner: &Aabb, outer: &Aabb| inner.min.cmpge(outer.min).all() && inner.max.cmple(outer.max).all();
    let is_free = |i: usize| {
        (0..groups.len()).all(|j| {
            j == i || !within(&groups[i].0, &groups[j].0) || (j > i && within(&groups[j].0, &groups[i].0))
        })
    };
    let volume = |members: &[Vec3]| convex_hull(members).map_or(0.0, |hull| volume_of(&hull.soup));
    (0..groups.len()).filter(|&i| is_free(i)).map(|i| volume(&groups[i].1)).sum()
}

fn volume_of(soup: &Soup) -> f64 {
    MassProperties::of_triangles(soup.points(), soup.triangles()).volume
}
