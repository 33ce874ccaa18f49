//! Elementary questions about triangles.

mod distance;
mod point;

pub use distance::{TriangleFeature, TrianglePair, triangle_distance};
pub use point::closest_on_triangle;
