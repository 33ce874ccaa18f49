//! Whether a step of two bodies is free (DESIGN "Stepping").
//!
//! Every body goes on a [`Path`] from one pose to another, all its points on straight lines. At both ends it
//! is the body at these poses; on the way one that turns is bent a little. So the ends of one step are the
//! starts of the next, and a chain of free steps is free as a whole.

mod check;
mod known;
mod mesh;
mod mover;
mod pair;
mod parted;
mod plane;
mod plane_between;

pub(crate) use known::WayCache;
pub use plane_between::is_plane_between;

use crate::contacts::{ContactBody, PlacedPart, ShapeContactCache};
use crate::feature::Feature;
use check::{Check, Side};
use silvia_solid::{Aabb, Pose, Vec3};

/// A body's way over a step: everything goes straight from where it is at the one pose to where it is at the
/// other.
///
/// That is each vertex of a mesh, the centre of a ball, each end of a capsule's axis, and each point of a can
/// or a cone; what these turn about their own axis does not move them and is left out, so one that rolls
/// stays as it is. A body that turns by an angle φ about a point at distance ρ is thus nowhere farther than ρ
/// φ² / 8 from its rigid way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Path {
    /// Where the body is at the start.
    pub from: Pose,
    /// Where it is at the end.
    pub to: Pose,
    /// The point about which it turns (its centre of mass), in its own frame, m. Only half-spaces need it:
    /// their plane goes through the foot of this point on it, which goes straight, and their normal goes
    /// straight from one direction to the other.
    pub about: Vec3,
}

impl Path {
    /// No motion.
    pub fn still(pose: Pose) -> Path {
        Path { from: pose, to: pose, about: Vec3::ZERO }
    }

    fn bodies(&self) -> [Pose; 2] {
        [self.from, self.to]
    }
}

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
}

/// Whether two bodies are apart all the way, both ends included. Touching is not apart: bodies that touch or
/// overlap at the start, or of which one is inside the other, are [`PathCheck::at_start`], with a crossing
/// whose `upper` is 0, and nothing is said of the rest of the step.
///
/// Two meshes are decided exactly once their vertices are placed, which depends on the pose alone: where a
/// step ends, the next one starts with the same bits. All other pairs are decided up to rounding, and never
/// the wrong way: what is called free is free, and what is nearer than 2e-14 of the size of the two parts and
/// their distance counts as touching (with a mesh, of the triangle's size; with a half-space, of the distance
/// to the foot of [`Path::about`]), at the edges and round places of cans and cones 1e-12 of the sizes. A
/// free step ends farther apart than that, or comes no nearer, so that the next one does not start with a
/// touch. Coordinates beyond 1e100 m are never certified.
///
/// ```
/// use silvia_proximity::{ContactBody, Path, check_path, shape::Shape};
/// use silvia_solid::{Plane, Pose, Quat, Vec3};
/// let ground = ContactBody::new(&Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 })?);
/// let can = ContactBody::new(&Shape::cylinder(0.1, 0.3)?);
/// // It lies on its side, a nanometre above the ground, and rolls a millimetre.
/// let lying = Quat::from_rotation_x(std::f64::consts::FRAC_PI_2);
/// let from = Pose::new(Vec3::new(0.0, 0.0, 0.1 + 1e-9), lying)?;
/// let to = Pose::new(Vec3::new(1e-3, 0.0, 0.1 + 1e-9), Quat::from_rotation_y(1e-2) * lying)?;
/// let roll = Path { from, to, about: Vec3::ZERO };
/// assert!(check_path(&ground, &Path::still(Pose::IDENTITY), &can, &roll).is_free());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check_path(a: &ContactBody, path_a: &Path, b: &ContactBody, path_b: &Path) -> PathCheck {
    checked(a, path_a, b, path_b, |_, _, _| false)
}

/// The same answer as from [`check_path`], but for [`PathCheck::work`], sooner where the same two bodies are
/// asked about step by step: the cache, which belongs to the caller and may be that of
/// [`shape_contacts`](crate::shape_contacts), keeps which triangles of two meshes were near each other, how
/// far they were apart and along which direction. So what moves too little to close a gap is not looked at,
/// and little else of bodies that rest on each other.
pub fn check_path_with(
    a: &ContactBody,
    path_a: &Path,
    b: &ContactBody,
    path_b: &Path,
    cache: &mut ShapeContactCache,
) -> PathCheck {
    let ways = &mut cache.ways;
    let mut is_known = |parts, sides: &[Side<'_>; 2], work: &mut u64| match sides.each_ref().map(Side::mesh) {
        [Some((mesh_a, way_a)), Some((mesh_b, way_b))] => {
            ways.is_free(parts, [mesh_a, mesh_b], [way_a, way_b], work)
        }
        _ => false,
    };
    if let ([part_a], [part_b]) = (&*a.parts, &*b.parts) {
        // Their boxes tell nothing that the list of near triangles does not.
        let mut work = 0;
        if is_known([0; 2], &[Side::new(part_a, path_a), Side::new(part_b, path_b)], &mut work) {
            return PathCheck { free_until: 1.0, crossing: None, at_start: false, work };
        }
        return check_path(a, path_a, b, path_b);
    }
    checked(a, path_a, b, path_b, is_known)
}

/// Looks at all parts whose boxes meet, but those that are known to be apart.
fn checked(
    a: &ContactBody,
    path_a: &Path,
    b: &ContactBody,
    path_b: &Path,
    mut is_known: impl FnMut([u32; 2], &[Side<'_>; 2], &mut u64) -> bool,
) -> PathCheck {
    let mut check = Check::new();
    let (boxes_a, boxes_b) = (swept_boxes(a, path_a), swept_boxes(b, path_b));
    for (i, part_a) in a.parts.iter().enumerate() {
        for (j, part_b) in b.parts.iter().enumerate() {
            if !boxes_a[i].overlaps(&boxes_b[j]) {
                continue;
            }
            let parts = [i as u32, j as u32];
            let sides = [(part_a, path_a), (part_b, path_b)].map(|(placed, path)| Side::new(placed, path));
            if !is_known(parts, &sides, &mut check.work) {
                check.look(parts, sides);
            }
        }
    }
    let Check { free_until, crossing, work } = check;
    let at_start = crossing.is_some_and(|c| c.upper <= 0.0);
    PathCheck { free_until, crossing, at_start, work }
}

/// A box around a body all over its path, rounding included; of half-spaces as of
/// [`Shape::aabb`](crate::Shape::aabb).
pub fn swept_box(body: &ContactBody, path: &Path) -> Aabb {
    body.parts.iter().map(|part| swept(part, path)).fold(Aabb::EMPTY, Aabb::merged)
}

/// A box around each part.
fn swept_boxes(body: &ContactBody, path: &Path) -> Vec<Aabb> {
    body.parts.iter().map(|part| swept(part, path)).collect()
}

/// What goes straight stays between its ends.
fn swept(part: &PlacedPart, path: &Path) -> Aabb {
    let [from, to] = path.bodies().map(|pose| part.place(&pose, 0.0).1);
    from.merged(to)
}
