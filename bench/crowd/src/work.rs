//! The scene: knots in a cube, each on its own small way.

use bench_common::Random;
use silvia::prelude::*;
use std::error::Error;

/// Time of each stage of a step, s, and what was found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Step {
    /// Telling where the objects are.
    pub(crate) move_: f64,
    /// Finding the pairs whose boxes overlap.
    pub(crate) cull: f64,
    /// Asking about these.
    pub(crate) query: f64,
    pub(crate) candidates: usize,
    /// The pairs that touch or are near, with their distance, m.
    pub(crate) pairs: Vec<(usize, usize, f64)>,
}

pub(crate) struct Scene {
    pub(crate) knot: Soup,
    /// By step, then by knot.
    pub(crate) steps: Vec<Vec<Pose>>,
}

/// Between the middles of neighbours, m: less than the knot is wide, so that boxes overlap and some knots
/// touch.
const SPACING: f64 = 5.5;

/// How far a knot strays from its place, m.
const STRAY: f64 = 1.0;

/// From a knot's middle to its farthest point, m.
const KNOT_RADIUS: f64 = 3.3;

impl Scene {
    /// `pace` is the furthest that a point of a knot moves in a step, m.
    pub(crate) fn new(
        edge: usize,
        triangles: usize,
        steps: usize,
        pace: f64,
    ) -> Result<Scene, Box<dyn Error>> {
        let knot = primitives::TorusKnot::TREFOIL.soup_with_triangles(triangles)?;
        let mut random = Random::new(7);
        let ways: Vec<Way> = (0..edge.pow(3))
            .map(|i| {
                let cell = Vec3::new((i % edge) as f64, (i / edge % edge) as f64, (i / edge / edge) as f64);
                Way {
                    place: SPACING * cell,
                    phase: random.vector(std::f64::consts::PI),
                    axis: random.vector(1.0).normalize(),
                    start: Quat::from_scaled_axis(random.vector(std::f64::consts::PI)),
                }
            })
            .collect();
        // Straying moves all points by up to STRAY √3 a radian of phase, turning by up to the radius a
        // radian.
        let rate = pace / (STRAY * 3f64.sqrt() + KNOT_RADIUS);
        let steps = (0..steps)
            .map(|step| ways.iter().map(|way| way.at(rate * step as f64)).collect::<Result<Vec<Pose>, _>>())
            .collect::<Result<_, _>>()?;
        Ok(Scene { knot, steps })
    }
}

struct Way {
    place: Vec3,
    phase: Vec3,
    axis: Vec3,
    start: Quat,
}

impl Way {
    fn at(&self, time: f64) -> Result<Pose, silvia::solid::PoseError> {
        let stray = STRAY * (self.phase + Vec3::splat(time)).map(f64::sin);
        Pose::new(self.place + stray, Quat::from_axis_angle(self.axis, time) * self.start)
    }
}
