//! Questions about bodies in space: do they touch, how far apart are they, what is near.
//!
//! Every query is a function of bodies and poses; there is no world, and caches belong to the caller. A body is a
//! [`Hierarchy`] of [`bounds`] over a solid or a soup; build it once, ask it often.
//!
//! [`collide`] · [`distance`] ([`DistanceCache`] for bodies that move a little) · [`within`] ·
//! [`point_distance`] · [`cast_ray`]

pub mod bounds;
mod collide;
mod contacts;
mod containment;
mod distance;
mod duo;
pub mod elementary;
mod feature;
mod hierarchy;
mod lanes;
mod point;
mod ray;
pub mod triangle;
mod within;

pub use collide::{Collision, Extent, collide};
pub use contacts::{
    ContactCache, ContactKey, ContactOptions, ContactPair, ContactState, ContactsError, contact_at, contacts,
};
pub use distance::{Distance, DistanceCache, DistanceError, DistanceOptions, Strategy, Witness, distance};
pub use feature::Feature;
pub use hierarchy::{BuildOptions, Hierarchy, RefitError, Split, Statistics, Surface};
pub use point::{NotFinite, PointDistance, point_distance};
pub use ray::{Ray, RayError, RayHit, cast_ray};
pub use within::{FeaturePair, ReachError, within};
