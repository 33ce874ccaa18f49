//! What governs all steps of a world.

use silvia_solid::Vec3;

/// What governs all steps of a world.
#[derive(Clone, Debug, PartialEq)]
pub struct WorldSettings {
    /// Acceleration of everything free, m/s².
    pub gravity: Vec3,
    /// Gaps are kept at or above this fraction of the size of the smaller body, so that rounding never turns touching into
    /// penetrating.
    pub shell: f64,
    /// A pair that closes faster than this is an impact, and rebounds, m/s; slower ones come to rest on each other.
    pub impact_speed: f64,
    /// Most impacts of an island in a step: after that its bodies no longer rebound until the step ends.
    pub most_impacts: usize,
    /// A step is cut where it must be, but to no less than this fraction of it.
    pub shortest_cut: f64,
    /// To what residual contact problems are solved, relative to the velocities that contacts must stop.
    pub tolerance: f64,
}

impl Default for WorldSettings {
    fn default() -> WorldSettings {
        WorldSettings {
            gravity: Vec3::new(0.0, 0.0, -9.81),
            shell: 1e-9,
            impact_speed: 1e-3,
            most_impacts: 64,
            shortest_cut: 1e-6,
            tolerance: 1e-11,
        }
    }
}
