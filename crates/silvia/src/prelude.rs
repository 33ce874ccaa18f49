//! The names that most programs need: `use silvia::prelude::*;`.

pub use silvia_contact::Twist;
pub use silvia_proximity::{
    Crowd, DistanceOptions, Extent, Hierarchy, ImpactOptions, Motion, Ray, Shape, mesh,
};
pub use silvia_proximity::{
    cast_ray, collide, contacts, distance, penetration, point_distance, time_of_impact,
};
pub use silvia_solid::check::Report;
pub use silvia_solid::{Aabb, EdgeClass, MassProperties, Mat3, Plane, Pose, Quat, Remedy, Solid, Soup, Vec3};
pub use silvia_solid::{files, primitives};
pub use silvia_world::{
    BodyBuilder, BodyId, Hand, Load, Material, PairLaw, Role, Script, StepEvent, World, WorldSettings,
};
