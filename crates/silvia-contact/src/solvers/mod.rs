//! The solvers, one file each.

mod fischer;
mod gauss_seidel;

pub use fischer::Fischer;
pub use gauss_seidel::GaussSeidel;
