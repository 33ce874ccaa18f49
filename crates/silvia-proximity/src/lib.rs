//! Questions about bodies in space: do they touch, how far apart are they, what is near.
//!
//! Every query is a function of bodies and poses; there is no world, and caches belong to the caller. A body
//! is a [`Hierarchy`] of [`bounds`] over a solid or a soup; build it once, ask it often.
//!
//! [`collide`] · [`distance`] ([`DistanceCache`] for bodies that move a little) · [`within`] ·
//! [`penetration`] ([`deepest_points`], [`separation_along`]) · [`time_of_impact`] · [`check_path`] ·
//! [`contacts`] · [`point_distance`] · [`cast_ray`]
//!
//! Convex solids have [`closest_features`], and bodies made of them [`closest_pieces`]. A [`Shape`] is a body
//! of any kind, from a point to a compound; every pair answers the questions of [`mod@shape`]. [`culling`]
//! finds the pairs that are worth asking about, and a [`Crowd`] asks about many bodies at once.
//! [`elementary`] decides exactly about moving vertices, edges and faces.

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
mod hierarchy;
mod impact;
mod lanes;
mod penetration;
mod point;
mod ray;
pub mod shape;
pub mod triangle;
mod within;

pub use certify::{Crossing, Path, PathCheck, PathError, RigidPath, VertexPath};
pub use certify::{check_path, check_path_of_itself, check_path_with, is_plane_between, swept_box};
pub use collide::{Collision, CollisionCache, Extent, collide};
pub use contacts::{
    ContactBody, ContactCache, ContactKey, ContactName, ContactOptions, ContactPair, ContactState,
    ContactsError, ShapeContact, ShapeContactCache, contact_at, contacts, shape_contact_at, shape_contacts,
    shape_contacts_into,
};
pub use convex::{ClosestFeatures, Convex, ConvexError, FeatureCache, closest_features};
pub use convex::{ClosestPieces, DecomposedError, Pieces, PiecesCache, PiecesError, closest_pieces};
pub use crowd::{Crowd, CrowdError, Meeting, Nearby, ObjectId};
pub use distance::{Distance, DistanceCache, DistanceError, DistanceOptions, Strategy, Witness, distance};
pub use feature::Feature;
pub use filter::{Filter, Groups};
pub use hierarchy::{BuildOptions, Hierarchy, RefitError, Split, Statistics, Surface};
pub use impact::{
    Deforming, Impact, ImpactContact, ImpactError, ImpactOptions, Motion, MotionError, Moving, Outcome,
    time_of_impact,
};
pub use penetration::{
    AlongError, ClosestFaces, ConvexDepth, ConvexDepthError, DeepPoint, Expansion, Penetration,
    PenetrationError, PenetrationMethod, PenetrationOptions, convex_depth, convex_penetration,
    deepest_points, expand, penetration, separation_along, spread_directions,
};
pub use point::{NotFinite, PointDistance, point_distance};
pub use ray::{Ray, RayError, RayHit, cast_ray};
pub use shape::{Shape, ShapeError, ShapeKind};
pub use within::{FeaturePair, ReachError, within};
