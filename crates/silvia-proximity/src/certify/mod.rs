//! Whether a step of two bodies is free.
//!
//! Every body goes on a [`Path`], all its points on straight lines: from one pose to another, or, if it
//! deforms, from where its vertices are to where they shall be. At both ends it is the body as it is given;
//! on the way a rigid one that turns is bent a little. So the ends of one step are the starts of the next,
//! and a chain of free steps is free as a whole. Nothing below `path` knows where the straight lines come
//! from.

mod cavity;
mod check;
mod crossings;
mod itself;
mod known;
mod mesh;
mod mover;
mod pair;
mod path;
mod plane;
mod plane_between;
mod tuning;

pub use crossings::crossings_of_path;
pub use itself::check_path_of_itself;
use known::Foresight;
pub(crate) use known::WayCache;
pub use path::{Path, PathError, RigidPath, VertexPath};
pub use plane_between::is_plane_between;

use crate::contacts::{ContactBody, ShapeContactCache};
use crate::feature::Feature;
use check::{Check, Side};
use path::BodyPath;
use silvia_solid::{Aabb, Vec3};

/// What comes first in the way of two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Of compounds, the numbers of the parts; else 0.
    pub parts: [u32; 2],
    /// What touches, numbered as in [`ShapeDistance`](crate::shape::ShapeDistance); none where all of one
    /// part is inside the other.
    pub features: [Option<Feature>; 2],
    /// Where, on the first and on the second body, m, at [`PathCheck::free_until`].
    pub points: [Vec3; 2],
    /// A unit vector from the first body to the second; zero where parts overlap so far that none is known.
    pub normal: Vec3,
    /// The fraction of the step by which they touch: exactly for two meshes; for others they are then nearer
    /// than the bound that [`check_path`] states.
    pub upper: f64,
    /// Of two parts that are apart again at the end, as where a ball rolls over another and its centre cuts
    /// the corner: by how much they overlap on the way, at most, m. Were both ends so much farther apart, the
    /// step would be free. `None` if they are not apart at the end; never known of meshes against meshes or
    /// half-spaces.
    pub sag: Option<f64>,
}

/// Whether a step is free.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathCheck {
    /// From 0 to this fraction of the step the bodies are certainly apart; 1 if the step is free.
    pub free_until: f64,
    /// What they come to; `None` if the whole step is free, its end included.
    pub crossing: Option<Crossing>,
    /// Whether they touch or overlap at the start, so that nothing can be said of the step.
    pub at_start: bool,
    /// How much was looked at: opened nodes, triangles, and moments of pairs.
    pub work: u64,
}

impl PathCheck {
    /// Whether the step is free, its end included.
    pub fn is_free(&self) -> bool {
        self.crossing.is_none()
    }

    /// Nothing is known.
    fn unknown() -> PathCheck {
        let crossing = Crossing {
            parts: [0; 2],
            features: [None; 2],
            points: [Vec3::ZERO; 2],
            normal: Vec3::ZERO,
            upper: 0.0,
            sag: None,
        };
        PathCheck { free_until: 0.0, crossing: Some(crossing), at_start: true, work: 0 }
    }
}

/// Whether two bodies are apart all the way, both ends included. Touching is not apart: bodies that touch or
/// overlap at the start, or of which one is inside the other, are [`PathCheck::at_start`], with a crossing
/// whose `upper` is 0, and nothing is said of the rest of the step.
///
/// Two meshes are decided exactly once their vertices are placed, which depends on the pose alone: where a
/// step ends, the next one starts with the same bits. All other pairs are decided up to rounding, and never
/// the wrong way: what is called free is free, and what is nearer than 2e-14 of the size of the two parts
/// and their distance counts as touching (with a mesh, of the triangle's size; with a half-space, of the
/// distance to the foot of [`RigidPath::about`]; with a cavity, of its radius too), at the edges and round
/// places of cans and cones 1e-12 of the sizes. A free step ends farther apart than that, or comes no
/// nearer, so that the next one does not start with a touch. Coordinates beyond 1e100 m are never
/// certified, nor is a [`VertexPath`] with another body than its own.
///
/// Of a mesh that deforms the same holds, triangle by triangle as it is at each moment. Whether it meets
/// itself, [`check_path_of_itself`] tells. One that is a solid must not, else its inside, which only counts
/// at the start, means nothing.
///
/// ```
/// use silvia_proximity::{ContactBody, RigidPath, check_path, shape::Shape};
/// use silvia_solid::{Plane, Pose, Quat, Vec3};
/// let ground = ContactBody::new(&Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 })?);
/// let can = ContactBody::new(&Shape::cylinder(0.1, 0.3)?);
/// // It lies on its side, a nanometre above the ground, and rolls a millimetre.
/// let lying = Quat::from_rotation_x(std::f64::consts::FRAC_PI_2);
/// let from = Pose::new(Vec3::new(0.0, 0.0, 0.1 + 1e-9), lying)?;
/// let to = Pose::new(Vec3::new(1e-3, 0.0, 0.1 + 1e-9), Quat::from_rotation_y(1e-2) * lying)?;
/// let roll = RigidPath { from, to, about: Vec3::ZERO };
/// assert!(check_path(&ground, &RigidPath::still(Pose::IDENTITY), &can, &roll).is_free());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check_path<'a>(
    a: &'a ContactBody,
    path_a: impl Into<Path<'a>>,
    b: &'a ContactBody,
    path_b: impl Into<Path<'a>>,
) -> PathCheck {
    match (BodyPath::new(a, path_a.into()), BodyPath::new(b, path_b.into())) {
        (Some(a), Some(b)) => checked([&a, &b], |_, _, _| Foresight::Nothing),
        _ => PathCheck::unknown(),
    }
}

/// The same answer as from [`check_path`], but for [`PathCheck::work`], sooner where the same two bodies are
/// asked about step by step: the cache, which belongs to the caller and may be that of
/// [`shape_contacts`](crate::shape_contacts), keeps which triangles of two rigid meshes were near each other,
/// how far they were apart and along which direction. So what moves too little to close a gap is not looked
/// at, and little else of bodies that rest on each other. Of bodies that deform nothing is kept.
pub fn check_path_with<'a>(
    a: &'a ContactBody,
    path_a: impl Into<Path<'a>>,
    b: &'a ContactBody,
    path_b: impl Into<Path<'a>>,
    cache: &mut ShapeContactCache,
) -> PathCheck {
    match (BodyPath::new(a, path_a.into()), BodyPath::new(b, path_b.into())) {
        (Some(a), Some(b)) => checked_with([&a, &b], &mut cache.ways),
        _ => PathCheck::unknown(),
    }
}

fn checked_with(paths: [&BodyPath<'_>; 2], ways: &mut WayCache) -> PathCheck {
    if !paths.iter().all(|path| path.is_rigid()) {
        return checked(paths, |_, _, _| Foresight::Nothing);
    }
    let mut foresee = foresight(ways);
    if paths.iter().all(|path| path.start.len() == 1) {
        // Their boxes tell nothing that the cache does not.
        let mut work = 0;
        let sides = [Side::new(paths[0], 0), Side::new(paths[1], 0)];
        let mut foreseen = foresee([0; 2], &sides, &mut work);
        if foreseen == Foresight::Free {
            return PathCheck { free_until: 1.0, crossing: None, at_start: false, work };
        }
        return checked(paths, |_, _, _| std::mem::replace(&mut foreseen, Foresight::Nothing));
    }
    checked(paths, foresee)
}

/// What is known of parts before they are looked at, by their numbers.
fn foresight(ways: &mut WayCache) -> impl FnMut([u32; 2], &[Side<'_>; 2], &mut u64) -> Foresight {
    |parts, sides, work| match sides.each_ref().map(Side::mesh) {
        [Some((mesh_a, way_a)), Some((mesh_b, way_b))] => {
            ways.foresee(parts, [mesh_a, mesh_b], [way_a, way_b], work)
        }
        _ => Foresight::Nothing,
    }
}

/// Looks at all parts whose boxes meet, but those that are known to be apart.
fn checked(
    [a, b]: [&BodyPath<'_>; 2],
    mut foresee: impl FnMut([u32; 2], &[Side<'_>; 2], &mut u64) -> Foresight,
) -> PathCheck {
    let mut check = Check::new();
    let (boxes_a, boxes_b) = (swept_boxes(a), swept_boxes(b));
    for (i, box_a) in boxes_a.iter().enumerate() {
        for (j, box_b) in boxes_b.iter().enumerate() {
            if !box_a.overlaps(box_b) {
                continue;
            }
            let parts = [i as u32, j as u32];
            let sides = [Side::new(a, i), Side::new(b, j)];
            match foresee(parts, &sides, &mut check.work) {
                Foresight::Free => {}
                Foresight::Near(pairs) => check.look(parts, sides, Some(&pairs)),
                Foresight::Nothing => check.look(parts, sides, None),
            }
        }
    }
    let Check { free_until, crossing, work } = check;
    let at_start = crossing.is_some_and(|c| c.upper <= 0.0);
    PathCheck { free_until, crossing, at_start, work }
}

/// A box around a body all over its path, rounding included; of half-spaces as of
/// [`Shape::aabb`](crate::Shape::aabb). All of space if the path is that of another body.
pub fn swept_box<'a>(body: &'a ContactBody, path: impl Into<Path<'a>>) -> Aabb {
    match BodyPath::new(body, path.into()) {
        Some(path) => (0..path.start.len()).map(|i| swept(&path, i)).fold(Aabb::EMPTY, Aabb::merged),
        None => Aabb { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY },
    }
}

/// A box around each part.
fn swept_boxes(path: &BodyPath<'_>) -> Vec<Aabb> {
    (0..path.start.len()).map(|i| swept(path, i)).collect()
}

/// What goes straight stays between its ends.
fn swept(path: &BodyPath<'_>, part: usize) -> Aabb {
    let [from, to] = path.poses;
    path.start[part].place(from, 0.0).1.merged(path.end[part].place(to, 0.0).1)
}
