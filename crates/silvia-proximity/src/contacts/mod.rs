//! Which features hold two bodies apart (paper 1 §2.3, paper 4 §3).
//!
//! Two polyhedra can touch first in two ways only: a vertex on a face, or an edge on an edge. A vertex can if
//! it sticks out and the face looks at it; edges can if both are convex and some plane through them keeps the
//! bodies on its two sides, that is, if their arcs of normals cross on the Gauss sphere. [`contacts`] finds
//! all such pairs within reach, those that only a small turn makes possible included, so that no displacement
//! within reach can bring the bodies together other than through one of them. [`contact_at`] asks again about
//! one pair at other poses.

mod cache;
mod corners;
mod facing;
mod gauss;
mod pair;
mod search;
mod shapes;
mod tuning;

pub use cache::ContactCache;
pub(crate) use cache::farthest_moved;
pub use pair::{ContactKey, ContactState, contact_at};
pub use shapes::{
    ContactBody, ContactName, Implied, ShapeContact, ShapeContactCache, contacts_of_shapes,
    distinct_shape_contacts_into, shape_contact_at, shape_contacts, shape_contacts_into,
};
pub(crate) use shapes::{ContactGeometry, PlacedPart};
pub(crate) use shapes::{end, ends, is_one_feature, rim, whole};

use crate::bounds::Bound;
use crate::hierarchy::Hierarchy;
use silvia_solid::Pose;

/// A pair of features that keeps, or soon may keep, two bodies apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPair {
    /// Which features they are.
    pub key: ContactKey,
    /// How they lie to each other.
    pub state: ContactState,
}

/// How far to look for contacts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactOptions {
    /// Report features nearer to each other than this, m.
    pub reach: f64,
    /// How far the bodies may turn relative to each other before the next query, rad. Features that such a
    /// turn would bring face to face count as contacts.
    pub turn: f64,
}

impl ContactOptions {
    /// Options for displacements that move no point of one body, seen from the other, by more than `reach`
    /// (m). The turn is the largest that such a displacement can contain.
    pub fn within<B: Bound>(reach: f64, a: &Hierarchy<B>, b: &Hierarchy<B>) -> ContactOptions {
        ContactOptions::for_girth(reach, a.girth().min(b.girth()))
    }

    /// As [`ContactOptions::within`], for shapes.
    pub fn within_shapes(reach: f64, a: &ContactBody, b: &ContactBody) -> ContactOptions {
        ContactOptions::for_girth(reach, a.girth().min(b.girth()))
    }

    /// Whatever the axis, a turn moves two points that are `girth` apart across it against each other, one of
    /// them by at least half of that.
    fn for_girth(reach: f64, girth: f64) -> ContactOptions {
        let sine = if girth > 0.0 { (reach / girth).min(1.0) } else { 1.0 };
        ContactOptions { reach, turn: 2.0 * sine.asin() }
    }
}

impl ContactOptions {
    fn check(&self) -> Result<(), ContactsError> {
        let &ContactOptions { reach, turn } = self;
        if !reach.is_finite() || reach < 0.0 {
            return Err(ContactsError::Reach { given: reach });
        }
        if turn.is_nan() || turn < 0.0 {
            return Err(ContactsError::Turn { given: turn });
        }
        Ok(())
    }
}

/// Why a search for contacts was refused.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ContactsError {
    /// A reach that is no length.
    #[error("the reach must be a finite length of at least 0 m, not {given}")]
    Reach {
        /// As given, m.
        given: f64,
    },
    /// A turn that is no angle.
    #[error("the turn must be an angle of at least 0 rad, not {given}")]
    Turn {
        /// As given, rad.
        given: f64,
    },
}

/// All pairs of features that can bring two bodies together within a displacement of `options.reach`, sorted
/// by feature. The bodies should be apart, or overlap by no more than rounding.
///
/// Normals point from the first body to the second. Exchanging the bodies mirrors the answer to the bit. The
/// cache saves the search while the bodies have moved less than the reach since the last one.
pub fn contacts<B: Bound>(
    a: &Hierarchy<B>,
    pose_a: &Pose,
    b: &Hierarchy<B>,
    pose_b: &Pose,
    options: &ContactOptions,
    cache: &mut ContactCache,
) -> Result<Vec<ContactPair>, ContactsError> {
    options.check()?;
    let mut found = Vec::new();
    search::search(a, pose_a, b, pose_b, (options, 0.0), cache, |pair| found.push(pair));
    Ok(found)
}
