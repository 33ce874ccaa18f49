//! All that comes in the way of two bodies, not only what does so first.

use super::cavity::all_vertices_in_cavity;
use super::check::{Check, Found, Side, all_of_meshes, all_vertices};
use super::known::{Foresight, WayCache};
use super::path::BodyPath;
use super::{Crossing, Path, PathCheck, foresight, swept_boxes};
use crate::contacts::{ContactBody, ContactGeometry, ShapeContactCache};
use crate::feature::Feature;
use std::collections::BTreeSet;

/// What touches on the way of two bodies, as in [`check_path`](crate::check_path): of two meshes all pairs
/// of features that touch at some time, each of which is the first that one of its two features comes to;
/// of a mesh and a half-space or a cavity all vertices that come to it (of a rigid solid with a simple
/// hull, those at its corners); of other parts what comes first. The first in time come first, then those
/// of the first parts, then by feature; no more than `most`. The first one is that of
/// [`check_path`](crate::check_path). Bodies that touch at the start give what touches there.
///
/// What is behind the first crossing is not what would happen: bodies do not go through each other. It tells
/// a response which features to hold apart, many at once. The answer does not depend on the cache.
///
/// ```
/// use silvia_proximity::{ContactBody, RigidPath, ShapeContactCache, crossings_of_path, shape::Shape};
/// use silvia_solid::{Plane, Pose, Vec3};
/// let ground = ContactBody::new(&Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 })?);
/// let cube = ContactBody::new(&Shape::cuboid(Vec3::ONE)?);
/// let from = Pose::from_translation(Vec3::new(0.0, 0.0, 0.6))?;
/// let fall = RigidPath { from, to: from.moved(-0.2 * Vec3::Z), about: Vec3::ZERO };
/// let rest = RigidPath::still(Pose::IDENTITY);
/// let found = crossings_of_path(&ground, &rest, &cube, &fall, 10, &mut ShapeContactCache::new());
/// assert_eq!(found.len(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn crossings_of_path<'a>(
    a: &'a ContactBody,
    path_a: impl Into<Path<'a>>,
    b: &'a ContactBody,
    path_b: impl Into<Path<'a>>,
    most: usize,
    cache: &mut ShapeContactCache,
) -> Vec<Crossing> {
    let mut found = match (BodyPath::new(a, path_a.into()), BodyPath::new(b, path_b.into())) {
        (Some(a), Some(b)) => all([&a, &b], most, &mut cache.ways),
        _ => Vec::from_iter(PathCheck::unknown().crossing),
    };
    found.truncate(most);
    found
}

/// A crossing, and its place in the order.
struct Timed {
    /// The fraction of the path until which its parts are apart from it.
    time: f64,
    /// It is not the one that is named first of its parts.
    is_other: bool,
    crossing: Crossing,
}

fn all(paths: [&BodyPath<'_>; 2], most: usize, ways: &mut WayCache) -> Vec<Crossing> {
    let is_rigid = paths.iter().all(|path| path.is_rigid());
    let mut foresee = foresight(ways);
    let mut found = Vec::new();
    let [boxes_a, boxes_b] = paths.map(swept_boxes);
    for (i, box_a) in boxes_a.iter().enumerate() {
        for (j, box_b) in boxes_b.iter().enumerate() {
            if !box_a.overlaps(box_b) {
                continue;
            }
            let parts = [i as u32, j as u32];
            let sides = [Side::new(paths[0], i), Side::new(paths[1], j)];
            let foreseen = if is_rigid { foresee(parts, &sides, &mut 0) } else { Foresight::Nothing };
            add(parts, sides, (&foreseen, most), &mut found);
        }
    }
    let feature = |timed: &Timed| timed.crossing.features;
    found.sort_by(|p, q| {
        p.time
            .total_cmp(&q.time)
            .then(p.crossing.parts.cmp(&q.crossing.parts))
            .then(p.is_other.cmp(&q.is_other))
            .then(feature(p).cmp(&feature(q)))
    });
    firsts(found)
}

/// Adds what two parts come to.
fn add(parts: [u32; 2], sides: [Side<'_>; 2], (foreseen, most): (&Foresight, usize), found: &mut Vec<Timed>) {
    let [a, b] = &sides;
    let near = match foreseen {
        Foresight::Free => return,
        Foresight::Near(pairs) => Some(&pairs[..]),
        Foresight::Nothing => None,
    };
    let all: Vec<Found> = match (a.part, b.part) {
        (ContactGeometry::Mesh(of_a), ContactGeometry::Mesh(of_b)) => {
            all_of_meshes([a.ends(of_a), b.ends(of_b)], [a, b], near, most)
        }
        (ContactGeometry::HalfSpace(plane), ContactGeometry::Mesh(mesh)) => {
            all_vertices(plane, a, b.ends(mesh), b)
        }
        (ContactGeometry::Mesh(mesh), ContactGeometry::HalfSpace(plane)) => {
            all_vertices(plane, b, a.ends(mesh), a).into_iter().map(Found::mirrored).collect()
        }
        (ContactGeometry::Cavity(cavity), ContactGeometry::Mesh(mesh)) => {
            all_vertices_in_cavity(cavity, a, b.ends(mesh), b, &mut 0)
        }
        (ContactGeometry::Mesh(mesh), ContactGeometry::Cavity(cavity)) => {
            let all = all_vertices_in_cavity(cavity, b, a.ends(mesh), a, &mut 0);
            all.into_iter().map(Found::mirrored).collect()
        }
        (ContactGeometry::Round(_), _)
        | (_, ContactGeometry::Round(_))
        | (
            ContactGeometry::HalfSpace(_) | ContactGeometry::Cavity(_),
            ContactGeometry::HalfSpace(_) | ContactGeometry::Cavity(_),
        ) => {
            let mut check = Check::new();
            check.look(parts, sides, None);
            let time = check.free_until;
            found.extend(check.crossing.map(|crossing| Timed { time, is_other: false, crossing }));
            return;
        }
    };
    found.extend(all.into_iter().enumerate().map(|(number, one)| Timed {
        time: one.free_until,
        is_other: number > 0,
        crossing: one.crossing(parts),
    }));
}

/// Those, of all in order, that are the first of one of their features.
fn firsts(all: Vec<Timed>) -> Vec<Crossing> {
    let mut seen: [BTreeSet<(u32, Feature)>; 2] = Default::default();
    let mut is_first = |crossing: &Crossing| {
        let mut is_new = |side: usize| {
            let part = crossing.parts[side];
            crossing.features[side].is_none_or(|feature| seen[side].insert((part, feature)))
        };
        // Both are seen from now on.
        let (first, second) = (is_new(0), is_new(1));
        first || second
    };
    all.into_iter().map(|timed| timed.crossing).filter(|crossing| is_first(crossing)).collect()
}
