//! Directions worth trying.

use super::along::Sweep;
use super::deepest::DeepPoint;
use crate::bounds::Bound;
use crate::collide::{Extent, collide};
use crate::hierarchy::{Hierarchy, Surface};
use silvia_solid::{Pose, Soup, Vec3};

/// Directions nearer to each other than this (cosine; about 3 degrees) are one.
const SAME: f64 = 0.9986;

/// How many normals of touching triangles are tried, of each body.
const NORMALS: usize = 48;

/// How many of the deepest points say where to go.
const DEEP: usize = 16;

/// Unit vectors spread evenly over all directions, on a spiral by the golden angle.
pub fn spread_directions(count: usize) -> impl Iterator<Item = Vec3> {
    let golden = std::f64::consts::PI * (3.0 - 5f64.sqrt());
    (0..count).map(move |i| {
        let z = 1.0 - (2 * i + 1) as f64 / count as f64;
        let (sine, cosine) = (golden * i as f64).sin_cos();
        let r = (1.0 - z * z).sqrt();
        Vec3::new(r * cosine, r * sine, z)
    })
}

/// What the bodies suggest and then all around, each direction once; in the frame of A. As no two are nearer
/// than [`SAME`], there are at most some five thousand, and the time grows with `count` alone.
pub(crate) fn candidates<B: Bound>(sweep: &Sweep<'_, B>, deep: &[DeepPoint], count: usize) -> Vec<Vec3> {
    let mut list = Vec::new();
    let add = |list: &mut Vec<Vec3>, v: Vec3| {
        let v = v.normalize_or_zero();
        if v != Vec3::ZERO && list.iter().all(|u: &Vec3| u.dot(v) < SAME) {
            list.push(v);
        }
    };
    deep.iter().take(DEEP).for_each(|d| add(&mut list, d.normal));
    add(&mut list, sweep.b_in_a.transform_point(sweep.b.bounds.center()) - sweep.a.bounds.center());
    for v in touching_normals(sweep) {
        add(&mut list, v);
    }
    for (body, pose) in [(sweep.a, Pose::IDENTITY), (sweep.b, sweep.b_in_a)] {
        for axis in axes(body) {
            let axis = pose.transform_vector(axis);
            add(&mut list, axis);
            add(&mut list, -axis);
        }
    }
    spread_directions(count).for_each(|v| add(&mut list, v));
    list
}

/// Away from the triangles of A that B touches, and against those of B; taken evenly from all, so that the
/// number is bounded.
fn touching_normals<B: Bound>(sweep: &Sweep<'_, B>) -> Vec<Vec3> {
    let found = collide(sweep.a, &Pose::IDENTITY, sweep.b, &sweep.b_in_a, Extent::All);
    let normal = |soup: &Soup, t: usize| {
        let [p, q, r] = soup.corners(t);
        (q - p).cross(r - p)
    };
    let mut normals = Vec::new();
    for body in [0, 1] {
        let mut ids: Vec<usize> = found.pairs().iter().map(|pair| pair[body].index()).collect();
        ids.sort_unstable();
        ids.dedup();
        for &t in ids.iter().step_by(ids.len().div_ceil(NORMALS).max(1)) {
            normals.push(match body {
                0 => normal(sweep.a.surface.soup(), t),
                _ => -sweep.b_in_a.transform_vector(normal(sweep.b.surface.soup(), t)),
            });
        }
    }
    normals
}

/// The principal axes of a solid, the coordinate axes of a soup.
fn axes<B: Bound>(body: &Hierarchy<B>) -> [Vec3; 3] {
    match &body.surface {
        Surface::Solid(solid) => {
            let axes = silvia_solid::symmetric_eigen(solid.mass().inertia).1;
            [axes.x_axis, axes.y_axis, axes.z_axis]
        }
        Surface::Soup(_) => Vec3::AXES,
    }
}
