//! How much of mechanics a world knows.

use silvia_solid::Vec3;

/// How much of mechanics a world knows (paper 1 §4). Each level knows what those before it know; at all of
/// them nothing passes through anything.
///
/// Lower levels ask less of a scene: no masses that are right, no friction, no step that follows a motion.
/// They are for fitting parts by hand, and for finding out what can go where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Level {
    /// Bodies are moved by hands and scripts alone, and push each other aside: of all motions that let
    /// nothing pass, they make the one nearest to what hands want, weighed by mass. There is no gravity, no
    /// load, no friction, and what nothing moves stands still.
    NonPenetration,
    /// Loads, gravity and friction act, but no body keeps its speed: each step begins at rest, as in very
    /// thick grease. What is in balance stands still; what is not moves towards it. The time that takes is
    /// not that of a real body, and depends on the step. Friction is the static one.
    QuasiStatic,
    /// Bodies have inertia. What they hit, they do not rebound from.
    Dynamics,
    /// All of it: bodies rebound as their materials say.
    #[default]
    Impacts,
}

impl Level {
    /// The names of all levels, as scene files spell them.
    pub const NAMES: [&'static str; 4] = ["non-penetration", "quasi-static", "dynamics", "impacts"];

    /// The one that goes by a name, as scene files spell it.
    pub fn by_name(name: &str) -> Option<Level> {
        let all = [Level::NonPenetration, Level::QuasiStatic, Level::Dynamics, Level::Impacts];
        Level::NAMES.iter().position(|known| *known == name).map(|at| all[at])
    }

    /// Whether bodies keep their velocities from step to step. Where they do not, there is no account of
    /// energy: what would become motion is lost.
    pub fn has_inertia(self) -> bool {
        self >= Level::Dynamics
    }

    /// Whether gravity, loads and friction act.
    pub fn has_forces(self) -> bool {
        self >= Level::QuasiStatic
    }

    /// Whether bodies rebound.
    pub fn has_rebounds(self) -> bool {
        self >= Level::Impacts
    }
}

/// What acts on all bodies from outside.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outside {
    /// Of everything free, m/s².
    pub(crate) gravity: Vec3,
    /// Whether loads act.
    pub(crate) loads: bool,
}
