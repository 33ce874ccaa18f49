//! All long proofs.

use crate::random::Random;
use crate::{contacts, convex, hull, lemke, solids};

/// One claim about the engine, shown by many random trials.
pub(crate) struct Proof {
    /// What `cargo xtask prove` calls it.
    pub(crate) name: &'static str,
    /// What is shown.
    pub(crate) claim: &'static str,
    /// What the figure of a trial measures; the largest is kept.
    pub(crate) figure: &'static str,
    /// How many trials make the proof.
    pub(crate) trials: u64,
    /// One trial: its figure, or what was wrong.
    pub(crate) trial: fn(&mut Random) -> Result<f64, String>,
}

pub(crate) const PROOFS: &[Proof] = &[
    Proof {
        name: "solids",
        claim: "random non-convex solids of genus 0 and 1 with whole coordinates have the volume, centre and inertia that exact \
            integers give by another formula, and the genus they were made with",
        figure: "largest relative error",
        trials: 1_000_000,
        trial: solids::trial,
    },
    Proof {
        name: "hull",
        claim: "the hull of random points of small lattices, most of them degenerate, holds all of them, has its corners among \
            them and needs every one, decided in exact integers; only points in one plane are refused",
        figure: "largest relative error of its volume",
        trials: 1_000_000,
        trial: hull::trial,
    },
    Proof {
        name: "contacts",
        claim: "whenever a random displacement within reach makes parts in close fit cross (pegs, bolt, dovetail, gears, knot), some \
            contact blocks it, and whenever it does not, no contact that holds has a negative gap",
        figure: "deepest gap without a crossing, as a fraction of the size",
        trials: 100_000,
        trial: contacts::trial,
    },
    Proof {
        name: "convex",
        claim: "V-Clip finds the distance of convex bodies that brute force over all pairs of features finds, to 1e-12 of \
            their size, and whether they penetrate: random poses, parallel faces and edges, coincident vertices, exactly \
            touching, one inside the other, regular polyhedra at lattice poses; three poses a trial, each from cached features, \
            from none and with the bodies swapped, in at most 128 steps and never by its fallback",
        figure: "largest error as a fraction of the size",
        trials: 1_000_000,
        trial: convex::trial,
    },
    Proof {
        name: "lemke",
        claim: "Lemke's method solves redundant and degenerate contacts, checked condition by condition, without cycling",
        figure: "largest relative violation",
        trials: 10_000,
        trial: lemke::trial,
    },
];
