//! Questions about bodies in space: do they touch, how far apart are they, what is near.
//!
//! Every query is a function of shapes and poses. There is no world, and caches belong to the caller. A
//! [`Shape`] is a body of any kind, from a point to a compound of meshes; every pair of kinds answers every
//! question. Build it once, ask it often.
//!
//! | question | of any shapes | with options or a cache |
//! |---|---|---|
//! | do they touch? | [`collide`] | [`collide_with`], [`collisions`] for all parts and triangles |
//! | how far apart? | [`distance`] | [`distance_with`] |
//! | how deep in each other? | [`penetration`] | |
//! | when do they first touch? | [`time_of_impact`] | [`ImpactOptions`] |
//! | which features hold them apart? | [`contacts`] | [`shape_contacts`], [`shape_contacts_into`] |
//! | is a step free? | [`check_path`] | [`check_path_with`], [`crossings_of_path`] for all that is in the way |
//! | how far is a point? | [`point_distance`] | |
//! | what does a ray meet? | [`cast_ray`] | |
//!
//! [`mesh`] has the same questions for two meshes alone, over a [`Hierarchy`] of any of the [`bounds`], and
//! more that only meshes answer.
//!
//! Convex solids have [`closest_features`], and bodies made of them [`closest_pieces`]. [`culling`] finds the
//! pairs that are worth asking about, and a [`Crowd`] asks about many bodies at once. [`elementary`] decides
//! exactly about moving vertices, edges and faces.

pub mod bounds;
mod certify;
mod clearance;
mod collide;
mod contacts;
mod containment;
mod convex;
mod crowd;
pub mod culling;
mod distance;
mod duo;
pub mod elementary;
mod feature;
mod filter;
mod front;
mod hierarchy;
mod impact;
mod lanes;
pub mod mesh;
mod penetration;
mod point;
mod ray;
pub mod shape;
pub mod triangle;
mod within;

pub use certify::{Crossing, Path, PathCheck, PathError, RigidPath, VertexPath};
pub use certify::{check_path, check_path_of_itself, check_path_with, crossings_of_path};
pub use certify::{is_plane_between, swept_box};
pub use collide::Extent;
pub use contacts::{
    ContactBody, ContactKey, ContactName, ContactOptions, ContactState, ContactsError, Implied, ShapeContact,
    ShapeContactCache, distinct_shape_contacts_into, shape_contact_at, shape_contacts, shape_contacts_into,
};
pub use convex::{ClosestFeatures, Convex, ConvexError, FeatureCache, closest_features};
pub use convex::{ClosestPieces, DecomposedError, Pieces, PiecesCache, PiecesError, closest_pieces};
pub use crowd::{Crowd, CrowdError, Meeting, Nearby, ObjectId};
pub use distance::{DistanceError, DistanceOptions, Strategy};
pub use feature::Feature;
pub use filter::{Filter, Groups};
pub use hierarchy::{BuildOptions, Hierarchy, RefitError, Split, Statistics, Surface};
pub use impact::{ImpactError, ImpactOptions, Motion, MotionError};
// For the solver of `silvia-contact`.
#[doc(hidden)]
pub use lanes::with_simd;
pub use penetration::{
    ConvexDepth, ConvexDepthError, Expansion, convex_depth, convex_penetration, expand, spread_directions,
};
pub use point::NotFinite;
pub use ray::{Ray, RayError};
pub use shape::{
    Overlap, PartCollision, Shape, ShapeCollisionCache, ShapeDistance, ShapeDistanceCache, ShapeError,
    ShapeImpact, ShapeImpactContact, ShapeKind, ShapeOutcome, ShapePenetration, ShapePointDistance,
    ShapeRayHit,
};
pub use shape::{
    cast_ray, collide, collide_with, collisions, contacts, distance, distance_with, penetration,
    point_distance, time_of_impact,
};
