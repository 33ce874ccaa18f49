//! Questions about bodies in space: do they touch, how far apart are they, what is near.
//!
//! Every query is a function of bodies and poses; there is no world, and caches belong to the caller. A body is a
//! [`Hierarchy`] of [`bounds`] over a solid or a soup; build it once, ask it often.
//!
//! [`collide`] · [`distance`] ([`DistanceCache`] for bodies that move a little) · [`within`] ·
//! [`penetration`] ([`deepest_points`], [`separation_along`]) · [`point_distance`] · [`cast_ray`]
//!
//! A [`Shape`] is a body of any kind, from a point to a compound; every pair answers the questions of [`mod@shape`].

pub mod bounds;
mod collide;
mod contacts;
mod containment;
mod convex;
mod distance;
mod duo;
pub mod elementary;
mod feature;
mod hierarchy;
mod lanes;
mod penetration;
mod point;
mod ray;
pub mod shape;
pub mod triangle;
mod within;

pub use collide::{Collision, Extent, collide};
pub use contacts::{
    ContactBody, ContactCache, ContactKey, ContactName, ContactOptions, ContactPair, ContactState,
    ContactsError, ShapeContact, ShapeContactCache, contact_at, contacts, shape_contact_at, shape_contacts,
};
pub use convex::{ClosestFeatures, Convex, ConvexError, FeatureCache, closest_features};
pub use distance::{Distance, DistanceCache, DistanceError, DistanceOptions, Strategy, Witness, distance};
pub use feature::Feature;
pub use hierarchy::{BuildOptions, Hierarchy, RefitError, Split, Statistics, Surface};
pub use penetration::{
    AlongError, ClosestFaces, ConvexDepth, DeepPoint, Expansion, Penetration, PenetrationError,
    PenetrationMethod, PenetrationOptions, convex_depth, deepest_points, expand, penetration,
    separation_along, spread_directions,
};
pub use point::{NotFinite, PointDistance, point_distance};
pub use ray::{Ray, RayError, RayHit, cast_ray};
pub use shape::{Shape, ShapeError, ShapeKind};
pub use within::{FeaturePair, ReachError, within};
