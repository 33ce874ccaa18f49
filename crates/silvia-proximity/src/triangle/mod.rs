//! Elementary questions about triangles.

mod distance;
mod point;

pub(crate) use distance::closest_on_segments;
pub use distance::{TriangleFeature, TrianglePair, triangle_distance};
pub use point::closest_on_triangle;
