//! Queries about two meshes alone: solids and soups as a [`Hierarchy`] of any of the
//! [`bounds`](crate::bounds).
//!
//! The functions at the [root of the crate](crate) take a [`Shape`](crate::Shape) of any kind, meshes among
//! them, and are the ones to begin with. Those here answer in terms of triangles, let you choose the bound,
//! and have all options. [`Mesh::hierarchy`](crate::shape::Mesh::hierarchy) gives the hierarchy of a shape.
//!
//! [`collide`] ([`CollisionCache`]) · [`distance`] ([`DistanceCache`]) · [`within`] · [`penetration`]
//! ([`deepest_points`], [`separation_along`]) · [`time_of_impact`] · [`contacts`] ([`ContactCache`]) ·
//! [`point_distance`] · [`cast_ray`]

pub use crate::collide::{Collision, CollisionCache, Extent, collide};
pub use crate::contacts::{
    ContactCache, ContactKey, ContactOptions, ContactPair, ContactState, ContactsError, contact_at, contacts,
};
pub use crate::distance::{
    Distance, DistanceCache, DistanceError, DistanceOptions, Strategy, Witness, distance,
};
pub use crate::hierarchy::{BuildOptions, Hierarchy, RefitError, Split, Statistics, Surface};
pub use crate::impact::{
    Deforming, Impact, ImpactContact, ImpactError, ImpactOptions, Motion, MotionError, Moving, Outcome,
    time_of_impact,
};
pub use crate::penetration::{
    AlongError, ClosestFaces, DeepPoint, Penetration, PenetrationError, PenetrationMethod,
    PenetrationOptions, deepest_points, penetration, separation_along,
};
pub use crate::point::{NotFinite, PointDistance, point_distance};
pub use crate::ray::{Ray, RayError, RayHit, cast_ray};
pub use crate::within::{FeaturePair, ReachError, within};
