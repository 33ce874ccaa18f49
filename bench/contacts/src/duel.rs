//! Silvia and parry in turn on the same poses.

use crate::fits::{Fit, Parts};
use crate::judge::{Point, Verdict, judge};
use crate::parry::Parry;
use bench_common::median;
use silvia::proximity::ContactOptions;
use silvia::proximity::mesh::{ContactCache, ContactPair, contacts};
use silvia::solid::Pose;
use std::error::Error;
use std::time::Instant;

/// The reach, as a multiple of the clearance: all around is within it.
const REACH: f64 = 2.0;

/// How much is done.
pub(crate) struct Effort {
    /// Poses without anything kept from one to the next.
    pub(crate) cold: usize,
    /// Poses of a path in small steps.
    pub(crate) path: usize,
    pub(crate) rounds: usize,
    /// The same for parry, which takes much longer.
    pub(crate) peer: Peer,
    /// Contacts of a pose whose normals are judged.
    pub(crate) judged: usize,
}

/// How much parry is asked.
pub(crate) struct Peer {
    pub(crate) cold: usize,
    pub(crate) path: usize,
    pub(crate) rounds: usize,
    /// Parts of more triangles than this are not put to it.
    pub(crate) largest: usize,
}

/// What was measured for one fit.
pub(crate) struct Duel {
    pub(crate) fit: Fit,
    pub(crate) triangles: [usize; 2],
    /// m
    pub(crate) reach: f64,
    /// Pairs of features that may come to hold, in the mean: what only our side gives.
    pub(crate) pairs: f64,
    pub(crate) silvia: Side,
    pub(crate) parry: Side,
}

/// How a side did. Times are s a query; NaN where it was not asked.
pub(crate) struct Side {
    /// Contacts that hold, or points of manifolds within reach, in the mean.
    pub(crate) points: f64,
    pub(crate) cold: f64,
    pub(crate) coherent: f64,
    pub(crate) verdict: Verdict,
}

pub(crate) fn run(fit: Fit, triangles: usize, effort: &Effort) -> Result<Duel, Box<dyn Error>> {
    let parts = fit.parts(triangles)?;
    let [a, b] = &parts.bodies;
    let (scattered, path) = (parts.scattered(effort.cold)?, parts.path(effort.path)?);
    let reach = REACH * parts.clearance;
    let options = ContactOptions::within(reach, a, b);
    let mut parry = Parry::new(&parts.soups)?;

    let ask = |pose: &Pose, cache: &mut ContactCache| contacts(a, &Pose::IDENTITY, b, pose, &options, cache);
    let mut times: [Vec<f64>; 4] = Default::default();
    let few = |poses: &[Pose], count: usize| poses[..count.min(poses.len())].to_vec();
    let peer = &effort.peer;
    let (peer_scattered, peer_path) = (few(&scattered, peer.cold), few(&path, peer.path));
    let asks_peer = triangles <= peer.largest;
    for round in 0..effort.rounds {
        times[0].push(timed(&scattered, |pose| Ok(ask(pose, &mut ContactCache::new())?.len()))?);
        let mut cache = ContactCache::new();
        times[2].push(timed(&path, |pose| Ok(ask(pose, &mut cache)?.len()))?);
        if asks_peer && round < peer.rounds {
            times[1].push(timed(&peer_scattered, |pose| {
                parry.forget();
                parry.ask(pose, reach)
            })?);
            parry.forget();
            times[3].push(timed(&peer_path, |pose| parry.ask(pose, reach))?);
        }
    }

    let mut found: [Found; 2] = Default::default();
    let mut pairs = 0;
    for pose in &scattered {
        let ours = ask(pose, &mut ContactCache::new())?;
        pairs += ours.len();
        let held: Vec<Point> = ours.iter().filter(|pair| pair.state.holds).map(point).collect();
        found[0].add(&parts, pose, &held, effort.judged)?;
    }
    for pose in peer_scattered.iter().filter(|_| asks_peer) {
        parry.forget();
        parry.ask(pose, reach)?;
        found[1].add(&parts, pose, &parry.points(pose, reach), effort.judged)?;
    }
    let mean = |sum: usize| sum as f64 / scattered.len() as f64;
    let [cold, parry_cold, coherent, parry_coherent] = times.map(|t| median(&t));
    let [ours, theirs] = found;
    let duel = Duel {
        fit,
        triangles: [0, 1].map(|i| parts.soups[i].triangles().len()),
        reach,
        pairs: mean(pairs),
        silvia: Side { points: mean(ours.points), cold, coherent, verdict: ours.verdict },
        parry: Side {
            points: theirs.points as f64 / peer_scattered.len() as f64,
            cold: parry_cold,
            coherent: parry_coherent,
            verdict: theirs.verdict,
        },
    };
    println!("{}", duel.line());
    Ok(duel)
}

impl Duel {
    fn line(&self) -> String {
        let side = |name: &str, side: &Side| {
            let Verdict { judged, wrong, askew } = side.verdict;
            format!(
                "{name}: {:.0} points, {:.2} ms cold, {:.2} ms coherent, {wrong} wrong and {askew} askew of \
                 {judged}",
                side.points,
                1e3 * side.cold,
                1e3 * side.coherent
            )
        };
        let [m, n] = self.triangles;
        format!(
            "{}, {m} and {n} triangles, {:.0} pairs\n  {}\n  {}",
            self.fit.name(),
            self.pairs,
            side("silvia", &self.silvia),
            side("parry ", &self.parry)
        )
    }
}

/// What a side found at all poses.
#[derive(Default)]
struct Found {
    points: usize,
    verdict: Verdict,
}

impl Found {
    fn add(
        &mut self,
        parts: &Parts,
        pose: &Pose,
        points: &[Point],
        most: usize,
    ) -> Result<(), Box<dyn Error>> {
        self.points += points.len();
        let more = judge(&parts.bodies, pose, parts.clearance, points, most)?;
        let sum = &mut self.verdict;
        (sum.judged, sum.wrong, sum.askew) =
            (sum.judged + more.judged, sum.wrong + more.wrong, sum.askew + more.askew);
        Ok(())
    }
}

fn point(pair: &ContactPair) -> Point {
    Point { on: pair.state.points, normal: pair.state.normal }
}

/// The mean time of a question, s.
fn timed(
    poses: &[Pose],
    mut question: impl FnMut(&Pose) -> Result<usize, Box<dyn Error>>,
) -> Result<f64, Box<dyn Error>> {
    let start = Instant::now();
    for pose in poses {
        std::hint::black_box(question(pose)?);
    }
    Ok(start.elapsed().as_secs_f64() / poses.len() as f64)
}
