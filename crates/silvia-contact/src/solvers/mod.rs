//! The solvers, one file each.

mod fischer;
mod gauss_seidel;
mod proximal;

pub use fischer::Fischer;
pub use gauss_seidel::GaussSeidel;
pub use proximal::Proximal;
