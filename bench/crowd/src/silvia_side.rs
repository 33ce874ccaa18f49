//! Silvia's side.

use crate::work::{Scene, Step};
use silvia::prelude::*;
use silvia::proximity::bounds::Obb;
use silvia::proximity::mesh::distance;
use silvia::proximity::{DistanceOptions, Hierarchy, ObjectId, Shape};
use std::error::Error;
use std::time::Instant;

/// How distances are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// As a crowd does: no farther than the reach, and remembering what was found in the step before.
    Needed,
    /// Each pair of candidates by itself, however far apart, as FCL must do: it can be given no bound.
    Full,
}

/// Runs all steps on so many threads; 0 for all there are.
pub(crate) fn run(
    scene: &Scene,
    reach: Option<f64>,
    effort: Effort,
    threads: usize,
) -> Result<Vec<Step>, Box<dyn Error>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    pool.install(|| steps(scene, reach, effort)).map_err(|e| e.to_string().into())
}

fn steps(
    scene: &Scene,
    reach: Option<f64>,
    effort: Effort,
) -> Result<Vec<Step>, Box<dyn Error + Send + Sync>> {
    let solid = Solid::from_soup(&scene.knot)?;
    let hierarchy = Hierarchy::<Obb>::new(solid.clone());
    let knot = Shape::solid(solid);
    let mut crowd = Crowd::new();
    let add = |pose: &Pose| crowd.add(knot.clone(), *pose);
    let ids = scene.steps[0].iter().map(add).collect::<Result<Vec<ObjectId>, _>>()?;
    let mut steps = Vec::new();
    for poses in &scene.steps {
        let moves: Vec<(ObjectId, Pose)> = ids.iter().copied().zip(poses.iter().copied()).collect();
        let start = Instant::now();
        crowd.set_poses(&moves)?;
        let moved = Instant::now();
        let candidates = match reach {
            None => crowd.candidates(),
            Some(reach) => crowd.candidates_within(reach)?,
        };
        let culled = Instant::now();
        let index = |objects: [ObjectId; 2]| objects.map(ObjectId::index);
        let pairs: Vec<([usize; 2], f64)> = match reach {
            None => crowd.collide(Extent::Any).iter().map(|m| (index(m.objects), 0.0)).collect(),
            Some(reach) if effort == Effort::Full => {
                let mut near = Vec::new();
                for &objects in &candidates {
                    let [a, b] = index(objects);
                    let options = DistanceOptions::default();
                    let found = distance(&hierarchy, &poses[a], &hierarchy, &poses[b], &options)?;
                    if found.upper < reach {
                        near.push(([a, b], found.upper));
                    }
                }
                near
            }
            Some(reach) => crowd.near(reach)?.iter().map(|n| (index(n.objects), n.distance.upper)).collect(),
        };
        let asked = Instant::now();
        steps.push(Step {
            move_: (moved - start).as_secs_f64(),
            cull: (culled - moved).as_secs_f64(),
            query: (asked - culled).as_secs_f64(),
            candidates: candidates.len(),
            pairs: pairs.into_iter().map(|([a, b], distance)| (a, b, distance)).collect(),
        });
    }
    Ok(steps)
}
