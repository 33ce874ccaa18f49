//! The names that most programs need: `use silvia::prelude::*;`.

pub use silvia_proximity::{DistanceCache, DistanceOptions, Extent, Hierarchy, Shape, collide, distance};
pub use silvia_solid::check::Report;
pub use silvia_solid::{Aabb, EdgeClass, MassProperties, Mat3, Plane, Pose, Quat, Solid, Soup, Vec3};
pub use silvia_solid::{files, primitives};
