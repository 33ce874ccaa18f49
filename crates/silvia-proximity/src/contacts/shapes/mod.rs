//! Contacts of shapes of all kinds: flat-faced ones by their features, round ones by their patches, mixed
//! pairs by both.
//!
//! A round shape (sphere, capsule, ellipsoid, cylinder, cone; a point and a segment too, as round ones
//! without a radius) meets
//! - a plane with what of it can be lowest: its middle, its lowest point or its round ends, the lowest point
//!   of each rim, and three points of each rim that stay where they are on it, so that a can that stands is
//!   held all around;
//! - a cavity with what of it can be farthest from the cavity's centre: the same;
//! - an edge or a vertex of a flat-faced shape with its whole surface, where their normals agree;
//! - another round shape with its whole surface, and with the ends of each against the whole of the other, so
//!   that two cans side by side, or one on the other, are held along the line or the face in which they
//!   touch.
//!
//! The gap of each is a signed distance of convex shapes. Numbers of features are those of
//! [`ShapeDistance`](crate::shape::ShapeDistance); vertices of a cylinder are the fixed points of its rims,
//! three on the lower and three on the upper one, those of a cone the tip and three on its rim. A compound's
//! parts are taken one by one; two of half-spaces and cavities have no contacts.

mod body;
mod in_cavity;
mod on_plane;
mod rims;
mod round;

pub use body::ContactBody;
pub(crate) use body::{ContactGeometry, PlacedPart};
pub(crate) use round::{end, ends, is_one_feature, rim, whole};

use super::cache::ContactCache;
use super::pair::{ContactKey, ContactState, contact_at};
use super::search::search;
use super::{ContactOptions, ContactsError};
use crate::certify::WayCache;
use crate::shape::Shape;
use silvia_solid::{Aabb, Pose};
use std::collections::BTreeMap;

/// Which parts and features of two shapes make a contact. It identifies the contact over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContactName {
    /// Numbers of the parts of compounds; 0 for other shapes.
    pub parts: [u32; 2],
    /// Which features of these parts.
    pub key: ContactKey,
}

/// A contact of two shapes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeContact {
    /// Its identity.
    pub name: ContactName,
    /// How its features lie to each other.
    pub state: ContactState,
}

/// Speeds up repeated searches for contacts of one pair of shapes, and repeated checks of their paths.
/// Belongs to the caller. It affects speed, never results.
#[derive(Clone, Debug, Default)]
pub struct ShapeContactCache {
    of_parts: BTreeMap<[u32; 2], ContactCache>,
    scratch: Scratch,
    pub(crate) ways: WayCache,
}

/// Memory of a search, kept for the next.
#[derive(Clone, Debug, Default)]
struct Scratch {
    /// Of the parts of both shapes.
    boxes: [Vec<(Pose, Aabb)>; 2],
    keys: Vec<ContactKey>,
}

impl ShapeContactCache {
    /// An empty cache.
    pub fn new() -> ShapeContactCache {
        ShapeContactCache::default()
    }
}

/// All contacts of two shapes that a displacement of `reach` (m) can bring together, sorted by part and
/// feature. The shapes should be apart, or overlap by no more than rounding.
///
/// Prepares the shapes anew at every call. To ask often, make a [`ContactBody`] of each and call
/// [`shape_contacts`] with a cache.
///
/// ```
/// use silvia_proximity::{Shape, contacts};
/// use silvia_solid::{Plane, Pose, Vec3};
/// let table = Shape::half_space(Plane { normal: Vec3::Z, offset: 0.0 })?;
/// let ball = Shape::sphere(0.5)?;
/// let above = Pose::from_translation(Vec3::new(0.0, 0.0, 0.51))?;
/// let found = contacts(&table, &Pose::IDENTITY, &ball, &above, 0.02)?;
/// assert!(found.len() == 1 && (found[0].state.gap - 0.01).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn contacts_of_shapes(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    reach: f64,
) -> Result<Vec<ShapeContact>, ContactsError> {
    let (a, b) = (ContactBody::new(a), ContactBody::new(b));
    let options = ContactOptions::within_shapes(reach, &a, &b);
    shape_contacts(&a, pose_a, &b, pose_b, &options, &mut ShapeContactCache::new())
}

/// All contacts of two prepared shapes within reach, sorted by part and feature. Meshes are handled as by
/// [`contacts`](super::contacts).
pub fn shape_contacts(
    a: &ContactBody,
    pose_a: &Pose,
    b: &ContactBody,
    pose_b: &Pose,
    options: &ContactOptions,
    cache: &mut ShapeContactCache,
) -> Result<Vec<ShapeContact>, ContactsError> {
    let mut found = Vec::new();
    shape_contacts_into(a, pose_a, b, pose_b, options, cache, &mut found)?;
    Ok(found)
}

/// As [`shape_contacts`], replacing the content of a list. Allocates nothing while the cache is valid and the
/// list is large enough.
pub fn shape_contacts_into(
    a: &ContactBody,
    pose_a: &Pose,
    b: &ContactBody,
    pose_b: &Pose,
    options: &ContactOptions,
    cache: &mut ShapeContactCache,
    found: &mut Vec<ShapeContact>,
) -> Result<(), ContactsError> {
    distinct_shape_contacts_into(a, pose_a, b, pose_b, (options, Implied::default()), cache, found)
}

/// What a search leaves out, since other contacts imply it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Implied {
    /// Where corners of flat-faced shapes lie on each other, nearer than this (m), one pair of their features
    /// is enough.
    pub same: f64,
    /// Of a solid near a half-space, vertices that are not corners of its hull: the corners enclose them.
    pub enclosed: bool,
}

/// As [`shape_contacts_into`], without some that others imply.
pub fn distinct_shape_contacts_into(
    a: &ContactBody,
    pose_a: &Pose,
    b: &ContactBody,
    pose_b: &Pose,
    (options, implied): (&ContactOptions, Implied),
    cache: &mut ShapeContactCache,
    found: &mut Vec<ShapeContact>,
) -> Result<(), ContactsError> {
    found.clear();
    options.check()?;
    let ShapeContactCache { of_parts, scratch: Scratch { boxes, keys }, .. } = cache;
    for (boxes, (body, pose)) in boxes.iter_mut().zip([(a, pose_a), (b, pose_b)]) {
        boxes.clear();
        boxes.extend(body.boxes(*pose, options.reach));
    }
    for (i, of_a) in a.parts.iter().enumerate() {
        for (j, of_b) in b.parts.iter().enumerate() {
            let (in_a, in_b) = (&boxes[0][i], &boxes[1][j]);
            if !in_a.1.overlaps(&in_b.1) {
                continue;
            }
            let poses = [in_a.0, in_b.0];
            let parts = [i as u32, j as u32];
            let mut add = |key, state| found.push(ShapeContact { name: ContactName { parts, key }, state });
            if let (ContactGeometry::Mesh(of_a), ContactGeometry::Mesh(of_b)) = (&of_a.part, &of_b.part) {
                let cache = of_parts.entry(parts).or_default();
                let asked = (options, implied.same);
                search(of_a, &poses[0], of_b, &poses[1], asked, cache, |pair| add(pair.key, pair.state));
            } else {
                keys.clear();
                round::gather_keys([&of_a.part, &of_b.part], &poses, (options, implied), keys);
                keys.sort_unstable();
                keys.dedup();
                for &key in &*keys {
                    let state = round::state([&of_a.part, &of_b.part], &poses, &key);
                    if state.gap <= options.reach {
                        add(key, state);
                    }
                }
            }
        }
    }
    Ok(())
}

/// The state of a contact of two shapes at other poses.
pub fn shape_contact_at(
    a: &ContactBody,
    pose_a: &Pose,
    b: &ContactBody,
    pose_b: &Pose,
    name: &ContactName,
) -> ContactState {
    let ContactName { parts, key } = name;
    let (Some(of_a), Some(of_b)) = (a.parts.get(parts[0] as usize), b.parts.get(parts[1] as usize)) else {
        return ContactState::NONE;
    };
    let poses = [pose_a.compose(&of_a.pose), pose_b.compose(&of_b.pose)];
    match (&of_a.part, &of_b.part) {
        (ContactGeometry::Mesh(of_a), ContactGeometry::Mesh(of_b)) => {
            contact_at(of_a, &poses[0], of_b, &poses[1], key)
        }
        (
            ContactGeometry::Mesh(_)
            | ContactGeometry::Round(_)
            | ContactGeometry::HalfSpace(_)
            | ContactGeometry::Cavity(_),
            _,
        ) => round::state([&of_a.part, &of_b.part], &poses, key),
    }
}
