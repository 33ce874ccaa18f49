//! The solvers, one file each.

mod admm;
mod auto;
mod fischer;
mod gauss_seidel;
mod proximal;

pub use admm::Admm;
pub use auto::Auto;
pub use fischer::Fischer;
pub use gauss_seidel::GaussSeidel;
pub use proximal::Proximal;
