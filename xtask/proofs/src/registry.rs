//! All long proofs.

use crate::outcome::Outcome;
use crate::random::of_trial;
use crate::steps::{self, Scene};
use crate::{ccd, contacts, convex, degenerate, flight, hands, hull, lemke, penetration, solids, stacks};
use seeded::Random;

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
    /// How many of them the tests run.
    pub(crate) sample: u64,
    /// The share of trials that may fail: 0 unless the claim is about most.
    pub(crate) may_fail: f64,
    /// One trial.
    pub(crate) trial: Trial,
}

/// How a trial is made.
pub(crate) enum Trial {
    /// Its figure, or what was wrong.
    Figure(fn(&mut Random) -> Result<f64, String>),
    /// Steps of a scene; trials take the scenes in turn.
    Scenes(&'static [Scene]),
}

impl Proof {
    /// The trial of a number. It depends on the seed and the number alone.
    pub(crate) fn outcome(&self, seed: u64, number: u64) -> Outcome {
        let mut random = of_trial(seed, number);
        match self.trial {
            Trial::Figure(trial) => trial(&mut random).into(),
            Trial::Scenes(scenes) => {
                let scene = &scenes[(number % scenes.len() as u64) as usize];
                steps::trial(scene, &mut random)
            }
        }
    }

    /// The names of its scenes; none if it has no scenes.
    pub(crate) fn scenes(&self) -> Vec<&'static str> {
        match self.trial {
            Trial::Figure(_) => Vec::new(),
            Trial::Scenes(scenes) => scenes.iter().map(|scene| scene.name).collect(),
        }
    }
}

pub(crate) const PROOFS: &[Proof] = &[
    Proof {
        name: "solids",
        claim: "random non-convex solids of genus 0 and 1 with whole coordinates have the volume, centre and \
         inertia that exact \
            integers give by another formula, and the genus they were made with",
        figure: "largest relative error",
        trials: 1_000_000,
        sample: 200,
        may_fail: 0.0,
        trial: Trial::Figure(solids::trial),
    },
    Proof {
        name: "hull",
        claim: "the hull of random points of small lattices, most of them degenerate, holds all of them, has \
         its corners among \
            them and needs every one, decided in exact integers; only points in one plane are refused",
        figure: "largest relative error of its volume",
        trials: 1_000_000,
        sample: 200,
        may_fail: 0.0,
        trial: Trial::Figure(hull::trial),
    },
    Proof {
        name: "contacts",
        claim: "whenever a random displacement within reach makes parts in close fit cross (pegs, bolt, \
         dovetail, gears, knot), some \
            contact blocks it, and whenever it does not, no contact that holds has a negative gap",
        figure: "deepest gap without a crossing, as a fraction of the size",
        trials: 100_000,
        sample: 60,
        may_fail: 0.0,
        trial: Trial::Figure(contacts::trial),
    },
    Proof {
        name: "convex",
        claim: "V-Clip finds the distance of convex bodies that brute force over all pairs of features \
         finds, to 1e-12 of \
            their size, and whether they penetrate: random poses, parallel faces and edges, coincident \
            vertices, exactly \
            touching, one inside the other, regular polyhedra at lattice poses, and in one trial of 64 \
            bodies of 100 to 1000 \
            vertices, where a plane between them is the oracle; three poses a trial, each from cached \
            features, from none and with \
            the bodies swapped, in at most 128 steps and never by its fallback",
        figure: "largest error as a fraction of the size",
        trials: 1_000_000,
        sample: 200,
        may_fail: 0.0,
        trial: Trial::Figure(convex::trial),
    },
    Proof {
        name: "minkowski",
        claim: "the depth of convex solids is the distance of the origin to the hull of all differences of \
         their vertices, at random \
            poses and where faces and edges are parallel, and the translation separates them, by all pairs \
            of triangles",
        figure: "largest error as a fraction of the size",
        trials: 100_000,
        sample: 200,
        may_fail: 0.0,
        trial: Trial::Figure(penetration::convex),
    },
    Proof {
        name: "penetration",
        claim: "two knots of 1000 triangles, two brackets and a peg tilted in a hole, overlapping at random \
         poses, are separated by \
            the translation found, by all pairs of triangles",
        figure: "largest gap left, as a fraction of the size",
        trials: 10_000,
        sample: 12,
        may_fail: 0.0,
        trial: Trial::Figure(penetration::separates),
    },
    Proof {
        name: "shortest",
        claim: "for the same pairs, in at least 95% of the trials the translation is at most 5% longer than \
         the best of 2,000 \
            directions, each answered exactly",
        figure: "largest ratio of the two where it is",
        trials: 200,
        sample: 3,
        may_fail: 0.05,
        trial: Trial::Figure(penetration::is_short),
    },
    Proof {
        name: "lemke",
        claim: "Lemke's method solves redundant and degenerate contacts, checked condition by condition, \
         without cycling",
        figure: "largest relative violation",
        trials: 10_000,
        sample: 200,
        may_fail: 0.0,
        trial: Trial::Figure(lemke::trial),
    },
    Proof {
        name: "ccd",
        claim: "whether and when a moving vertex meets a face, or an edge an edge, is what exact rationals \
         say by another way, \
            for random pairs of which three quarters are degenerate: in one plane, parallel, touching at an \
            end or between, \
            resting, of no size, off by one last place, or at the ends of the range of numbers",
        figure: "widest bracket of the time",
        trials: 1_000_000,
        sample: 200,
        may_fail: 0.0,
        trial: Trial::Figure(ccd::trial),
    },
    Proof {
        name: "flight",
        claim: "random bodies, from rods to discs, in 10,000 steps of free flight at up to 0.1 rad a step \
         keep their angular momentum to a \
            rounding a step and their energy without drift, and their centres stay on the parabola",
        figure: "largest relative error of the angular momentum",
        trials: 1_000,
        sample: 4,
        may_fail: 0.0,
        trial: Trial::Figure(flight::trial),
    },
    Proof {
        name: "steps",
        claim: "in 150 or 200 certified steps each, parts penetrate nothing and pass through nothing, by a \
         checker that shares no code with the stepper: at every state, and between states on the way that \
         was certified; and no step is refused. Knots that fall on an L-bracket, a hanging chain of 20 \
         links, a peg over its hole; a nut that a hand turns along its screw, one that is pushed and \
         twisted there, one that falls on the screw's end; gears in mesh, one driven or both free; a \
         dovetail that is pushed and twisted in its groove; a bolt that falls into its countersink; a \
         rectangular peg that falls into its chamfered pocket, tilted about one of its axes; rough stones \
         that fall on the ground and each other",
        figure: "deepest penetration as a fraction of the smaller part's size",
        trials: 480,
        sample: 3,
        may_fail: 0.0,
        trial: Trial::Scenes(steps::SCENES),
    },
    Proof {
        name: "degenerate",
        claim: "in 30 to 120 certified steps each, worlds that are degenerate by construction penetrate \
         nothing and pass through nothing, by the same checker; no step is refused, and all states are \
         finite. Energy grows in no step by more than gravity's work in it, which a method of first order \
         may be off by where contacts change, but for steps that say that their forces are not exact; the \
         table tells how often it grows at all, and by how much. Pegs tilted about exactly one or two of \
         their axes over their chamfered pockets; bodies balanced on an edge or a corner, on two parallel \
         edges, ridge on ridge; cubes with coincident corners, edges and faces; fits without clearance; \
         nuts, prisms and gears exactly on their axes; balls in lattices, on corners, edges and seams; \
         rollers on edges. Friction of 0, 0.3 or 1, masses equal or 1 : 1000, one trial in four \
         interactive, each scene moved as a whole",
        figure: "deepest penetration as a fraction of the smaller part's size",
        trials: 3_200,
        sample: 24,
        may_fail: 0.0,
        trial: Trial::Scenes(degenerate::SCENES),
    },
    Proof {
        name: "hands",
        claim: "whatever a hand of springs does in 150 certified steps with a bolt and its countersunk hole, \
         a peg and its hole or a nut on its screw, nothing penetrates anything or passes through it, by the \
         same checker; no step is refused, and all states are finite. Its target jumps, jerks, or goes \
         through the other part at up to 10 m/s, turned by anything; springs of 10 to 10⁶ N/m, with and \
         without a largest force and torque, gripped anywhere",
        figure: "deepest penetration as a fraction of the smaller part's size",
        trials: 1_000,
        sample: 6,
        may_fail: 0.0,
        trial: Trial::Scenes(hands::SCENES),
    },
    Proof {
        name: "stacks",
        claim: "random stacks of 2 to 12 boxes, masses up to 1 : 1000 in any order, stand for 1 s in steps \
         of 1 ms under `auto`: no box \
            moves by more than 1e-9 of its size, or turns by more than 1e-9 rad",
        figure: "largest motion as a fraction of the size",
        trials: 1_000,
        sample: 1,
        may_fail: 0.0,
        trial: Trial::Figure(stacks::random),
    },
    Proof {
        name: "minute",
        claim: "stacks of 10 and of 20 equal boxes, and one of 4 with a thousand times the mass on top, \
         stand for 60 s in steps of 1 ms \
            under `auto`: no box moves by more than 1e-9 of its size, or turns by more than 1e-9 rad",
        figure: "largest motion as a fraction of the size",
        trials: 1,
        // It takes minutes: the tests of silvia-world let the same stacks stand for less.
        sample: 0,
        may_fail: 0.0,
        trial: Trial::Figure(stacks::minute),
    },
];
