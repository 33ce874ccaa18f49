//! The solvers, one file each.

mod admm;
mod auto;
mod bilateral;
mod fischer;
mod fischer_gaps;
mod gauss_seidel;
mod lemke;
mod proximal;

pub use admm::Admm;
pub use auto::Auto;
pub use bilateral::Bilateral;
pub use fischer::Fischer;
pub use gauss_seidel::GaussSeidel;
pub use lemke::Lemke;
pub use proximal::Proximal;

use crate::solver::Solver;

/// The names of all solvers, in the order in which people should try them.
pub const NAMES: [&str; 7] = ["auto", "proximal", "gauss-seidel", "admm", "fischer", "lemke", "bilateral"];

/// The solver that goes by `name`.
pub fn by_name(name: &str) -> Option<Box<dyn Solver>> {
    Some(match name {
        "auto" => Box::new(Auto),
        "proximal" => Box::new(Proximal),
        "gauss-seidel" => Box::new(GaussSeidel),
        "admm" => Box::new(Admm),
        "fischer" => Box::new(Fischer),
        "lemke" => Box::new(Lemke::default()),
        "bilateral" => Box::new(Bilateral),
        _ => return None,
    })
}
