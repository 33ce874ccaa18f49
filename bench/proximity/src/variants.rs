//! Every bound with every strategy, both splits and several leaf sizes; and the growth with the number of
//! triangles.

use crate::duel::{Body, ours};
use crate::peer::Question;
use crate::work::{SEPARATIONS, knot, random_poses};
use bench_common::median;
use silvia::proximity::bounds::{Aabb, Bound, Dop14, Dop18, Dop26, Obb, Sphere};
use silvia::proximity::mesh::distance;
use silvia::proximity::{BuildOptions, DistanceOptions, Hierarchy, Split, Strategy};
use silvia::solid::{Pose, Solid};
use std::error::Error;
use std::time::Instant;

/// How often each measurement is made; the median counts.
const REPEATS: usize = 3;

/// One way to build and search.
pub(crate) struct Variant {
    pub(crate) bound: &'static str,
    pub(crate) strategy: Strategy,
    pub(crate) build: BuildOptions,
    /// s
    pub(crate) build_time: f64,
    pub(crate) bytes_per_triangle: f64,
    pub(crate) at: Vec<Cost>,
}

/// What a distance query costs at one separation, on average.
pub(crate) struct Cost {
    /// s
    pub(crate) time: f64,
    pub(crate) visits: f64,
    pub(crate) tests: f64,
}

impl Variant {
    /// The mean over the separations, s.
    pub(crate) fn time(&self) -> f64 {
        self.at.iter().map(|cost| cost.time).sum::<f64>() / self.at.len() as f64
    }

    pub(crate) fn is_default(&self) -> bool {
        self.bound == Obb::NAME
            && self.strategy == Strategy::default()
            && self.build == BuildOptions::default()
    }
}

/// Every bound with every strategy, built with the defaults.
pub(crate) fn bounds(triangles: usize, poses: usize) -> Result<Vec<Variant>, Box<dyn Error>> {
    let work = Work::new(triangles, poses)?;
    let build = BuildOptions::default();
    let mut all = work.try_out::<Sphere>(build)?;
    all.extend(work.try_out::<Aabb>(build)?);
    all.extend(work.try_out::<Dop14>(build)?);
    all.extend(work.try_out::<Dop18>(build)?);
    all.extend(work.try_out::<Dop26>(build)?);
    all.extend(work.try_out::<Obb>(build)?);
    Ok(all)
}

/// The default bound, built in other ways.
pub(crate) fn builds(triangles: usize, poses: usize) -> Result<Vec<Variant>, Box<dyn Error>> {
    let work = Work::new(triangles, poses)?;
    let mut all = Vec::new();
    for split in [Split::SurfaceArea, Split::Principal] {
        for leaf_size in [1, 2, 4] {
            let tried = work.try_out::<Obb>(BuildOptions { split, leaf_size })?;
            all.extend(tried.into_iter().filter(|v| v.strategy == Strategy::default()));
        }
    }
    Ok(all)
}

struct Work {
    solid: Solid,
    poses: Vec<Vec<Pose>>,
}

impl Work {
    fn new(triangles: usize, poses: usize) -> Result<Work, Box<dyn Error>> {
        let solid = Solid::from_soup(&knot(triangles)?)?;
        let poses = SEPARATIONS.iter().map(|&s| random_poses(s, poses)).collect::<Result<_, _>>()?;
        Ok(Work { solid, poses })
    }

    fn try_out<B: Bound>(&self, build: BuildOptions) -> Result<Vec<Variant>, Box<dyn Error>> {
        let start = Instant::now();
        let body: Hierarchy<B> = Hierarchy::with_options(self.solid.clone(), &build);
        let build_time = start.elapsed().as_secs_f64();
        let statistics = body.statistics();
        let mut found = Vec::new();
        for strategy in [Strategy::Greedy, Strategy::BestFirst] {
            let options = DistanceOptions { strategy, ..DistanceOptions::default() };
            let at = self.poses.iter().map(|p| cost(&body, p, &options)).collect::<Result<Vec<Cost>, _>>()?;
            let variant = Variant {
                bound: B::NAME,
                strategy,
                build,
                build_time,
                bytes_per_triangle: statistics.bytes as f64 / statistics.triangles as f64,
                at,
            };
            println!("{} {strategy:?} {build:?}: {:.1} us", B::NAME, 1e6 * variant.time());
            found.push(variant);
        }
        Ok(found)
    }
}

fn cost<B: Bound>(
    body: &Hierarchy<B>,
    poses: &[Pose],
    options: &DistanceOptions,
) -> Result<Cost, Box<dyn Error>> {
    let mut times = Vec::new();
    let (mut visits, mut tests) = (0, 0);
    for _ in 0..REPEATS {
        (visits, tests) = (0, 0);
        let start = Instant::now();
        for pose in poses {
            let answer = distance(body, &Pose::IDENTITY, body, pose, options)?;
            visits += answer.visits;
            tests += answer.triangle_tests;
        }
        times.push(start.elapsed().as_secs_f64() / poses.len() as f64);
    }
    let per_query = |count: u64| count as f64 / poses.len() as f64;
    Ok(Cost { time: median(&times), visits: per_query(visits), tests: per_query(tests) })
}

/// What a size costs, s.
pub(crate) struct Growth {
    pub(crate) triangles: usize,
    pub(crate) build: f64,
    /// At the middle separation.
    pub(crate) distance: f64,
    /// At the least separation, where most touch.
    pub(crate) any: f64,
    pub(crate) all: f64,
}

/// Build, distance and collide over the number of triangles.
pub(crate) fn growth(sizes: &[usize], poses: usize) -> Result<Vec<Growth>, Box<dyn Error>> {
    let mut all = Vec::new();
    let (near, apart) = (random_poses(SEPARATIONS[0], poses)?, random_poses(SEPARATIONS[1], poses)?);
    for &size in sizes {
        let solid = Solid::from_soup(&knot(size)?)?;
        let start = Instant::now();
        let body = Body::new(solid);
        let build = start.elapsed().as_secs_f64();
        let time = |question, poses: &[Pose]| {
            let runs = (0..REPEATS).map(|_| Ok(ours(&body, question, poses)?.mean));
            Ok::<f64, Box<dyn Error>>(median(&runs.collect::<Result<Vec<f64>, Box<dyn Error>>>()?))
        };
        let grown = Growth {
            triangles: body.surface().soup().triangles().len(),
            build,
            distance: time(Question::Distance, &apart)?,
            any: time(Question::Any, &near)?,
            all: time(Question::All, &near)?,
        };
        println!("{}: build {build:.3} s, distance {:.1} us", grown.triangles, 1e6 * grown.distance);
        all.push(grown);
    }
    Ok(all)
}
