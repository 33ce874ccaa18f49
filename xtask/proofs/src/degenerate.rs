//! Worlds that are degenerate by construction: tilts about exactly one axis, symmetric touches, parallel
//! edges, coincident features, exact fits.
//!
//! Sizes and places are whole multiples of powers of two, so that what is to coincide does so to the last
//! bit. A scene may then be moved as a whole, with gravity, by a motion that keeps every bit or by any other:
//! the placement of its bodies to each other stays degenerate, exactly or to rounding. The checker of `steps`
//! looks at every state and between states; energy may not grow.

mod coaxial;
mod coincident;
mod edges;
mod exact;
mod pegs;
mod placing;
mod round;

use crate::steps::Scene;

/// All kinds. Trial `n` is of kind `n` modulo their number: one that is added or removed renumbers the
/// trials.
pub(crate) const SCENES: &[Scene] = &[
    Scene { name: "tilted-peg", make: pegs::tilted },
    Scene { name: "balanced", make: edges::balanced },
    Scene { name: "two-edges", make: edges::on_two_edges },
    Scene { name: "ridges", make: edges::ridge_on_ridge },
    Scene { name: "stacked", make: coincident::stacked },
    Scene { name: "cube-on-cube", make: coincident::cube_on_cube },
    Scene { name: "slot", make: exact::between_walls },
    Scene { name: "exact-peg", make: exact::peg_without_clearance },
    Scene { name: "flush-dovetail", make: exact::flush_dovetail },
    Scene { name: "three-walls", make: exact::in_a_corner },
    Scene { name: "coaxial-nut", make: coaxial::nut },
    Scene { name: "coaxial-prism", make: coaxial::prism_in_hole },
    Scene { name: "symmetric-gears", make: coaxial::gears },
    Scene { name: "lattice", make: round::lattice },
    Scene { name: "ball-on-feature", make: round::ball_on_feature },
    Scene { name: "roller", make: round::roller },
];

#[cfg(test)]
mod tests {
    use super::SCENES;
    use crate::steps::tests::start_clean;

    #[test]
    fn no_placement_overlaps_by_more_than_rounding() {
        start_clean(SCENES, 30);
    }
}
