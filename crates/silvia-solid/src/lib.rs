//! Solids: topology (vertices, edges, faces) on geometry (points, lines, planes).
//!
//! A [`Soup`] is a list of triangles, as a file or a program gives them. A [`Solid`] is a soup that has been
//! checked to be closed, manifold and outward, with all its adjacencies; it is immutable and cheap to share.
//! Everything is in SI units and `f64`, and knows nothing of motion.
//!
//! The usual path through this crate: [`Soup`] → [`check`] (find defects) → [`repair`] (fix the ones you
//! name) → [`Solid`] → [`MassProperties`].

#[cfg(feature = "boolean")]
pub mod boolean;
mod build;
pub mod check;
mod classify;
pub mod cut;
mod faces;
pub mod files;
pub mod hull;
mod ids;
mod inset;
mod intersect;
mod mass;
mod math;
mod moved;
pub mod parts;
pub mod pieces;
mod pose;
pub mod predicates;
pub mod primitives;
mod remedy;
pub mod repair;
mod self_intersection;
mod solid;
mod soup;
#[cfg(test)]
mod testing;
mod topology;
mod transform;
pub mod triangulate;
mod winding;

pub use classify::EdgeClass;
pub use ids::{EdgeId, FaceId, SideId, TriangleId, VertexId};
pub use intersect::triangles_intersect;
pub use mass::{MassProperties, Principal, symmetric_eigen};
pub use math::{Aabb, Mat3, Plane, Quat, Vec3};
pub use moved::MoveError;
pub use pose::{Pose, PoseError};
pub use remedy::Remedy;
pub use self_intersection::{SelfCrossings, self_crossings, self_intersections};
pub use solid::{Edge, EdgeCounts, Solid, SolidError, SolidOptions};
pub use soup::{Soup, SoupError};
pub use transform::TransformError;
pub use winding::winding_number;
