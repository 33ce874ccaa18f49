//! A path in small steps, with and without the cache.

use crate::duel::Body;
use crate::peer::{Peer, Question};
use crate::work::{Way, knot, longest_step, path, write_poses};
use bench_common::{Options, median};
use silvia::proximity::DistanceOptions;
use silvia::proximity::mesh::{DistanceCache, distance};
use silvia::solid::{Pose, Solid};
use std::error::Error;
use std::time::Instant;

/// Mean times of a distance query along the path, s.
pub(crate) struct Path {
    pub(crate) triangles: usize,
    pub(crate) way: Way,
    pub(crate) poses: usize,
    /// The furthest that a point moves from one pose to the next, m.
    pub(crate) step: f64,
    pub(crate) touching: f64,
    pub(crate) plain: f64,
    pub(crate) cached: f64,
    pub(crate) coal: f64,
    pub(crate) fcl: f64,
    /// The largest difference of a distance with the cache from one without, m.
    pub(crate) difference: f64,
}

pub(crate) fn run(
    options: &Options,
    triangles: usize,
    (way, part): (Way, f64),
    count: usize,
    rounds: usize,
) -> Result<Path, Box<dyn Error>> {
    let soup = knot(triangles)?;
    let body = Body::new(Solid::from_soup(&soup)?);
    let poses = path(way, part, count)?;
    let file = options.scratch().join(format!("proximity-path-{way:?}-{part}.csv"));
    write_poses(&file, &poses)?;
    let (mut coal, mut fcl) = (Peer::start(options, "coal", &soup)?, Peer::start(options, "fcl", &soup)?);
    let mut means: [Vec<f64>; 4] = Default::default();
    let (mut plain, mut cached) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        plain = timed(&mut means[0], &poses, |pose| {
            Ok(distance(&body, &Pose::IDENTITY, &body, pose, &DistanceOptions::default())?.upper)
        })?;
        let mut cache = DistanceCache::new();
        cached = timed(&mut means[1], &poses, |pose| {
            Ok(cache.distance(&body, &Pose::IDENTITY, &body, pose, &DistanceOptions::default())?.upper)
        })?;
        means[2].push(coal.ask(Question::Distance, &file)?.mean);
        means[3].push(fcl.ask(Question::Distance, &file)?.mean);
    }
    let [plain_time, cached_time, coal, fcl] = means.map(|m| median(&m));
    let found = Path {
        triangles,
        way,
        poses: count,
        step: longest_step(&poses),
        touching: plain.iter().filter(|d| **d == 0.0).count() as f64 / count as f64,
        plain: plain_time,
        cached: cached_time,
        coal,
        fcl,
        difference: plain.iter().zip(&cached).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max),
    };
    println!(
        "path {way:?} {part}, {triangles}: {:.1} us, with the cache {:.1} us",
        1e6 * plain_time,
        1e6 * cached_time
    );
    Ok(found)
}

fn timed(
    means: &mut Vec<f64>,
    poses: &[Pose],
    mut query: impl FnMut(&Pose) -> Result<f64, Box<dyn Error>>,
) -> Result<Vec<f64>, Box<dyn Error>> {
    let start = Instant::now();
    let answers = poses.iter().map(&mut query).collect::<Result<Vec<f64>, _>>()?;
    means.push(start.elapsed().as_secs_f64() / poses.len() as f64);
    Ok(answers)
}
