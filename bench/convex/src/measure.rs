//! Times of both sides on the same poses.

use crate::work;
use bench_common::median;
use parry3d_f64::math;
use parry3d_f64::query::details::closest_points_support_map_support_map_with_params;
use parry3d_f64::query::gjk::{GJKResult, VoronoiSimplex};
use parry3d_f64::shape::ConvexPolyhedron;
use silvia::proximity::{Convex, FeatureCache, closest_features};
use silvia::solid::Pose;
use std::error::Error;
use std::time::Instant;

/// How much is measured.
pub(crate) struct Effort {
    pub(crate) frequencies: &'static [usize],
    pub(crate) poses: usize,
    pub(crate) rounds: usize,
}

/// One size at one level of coherence: median times of a query, s.
pub(crate) struct Duel {
    pub(crate) vertices: usize,
    /// Degrees between queries.
    pub(crate) step: f64,
    /// With a cache, and without: silvia and parry.
    pub(crate) warm: [f64; 2],
    pub(crate) cold: [f64; 2],
    /// Mean pairs of features that silvia looks at, with a cache and without.
    pub(crate) looks: [f64; 2],
    /// Largest difference of the distances, m.
    pub(crate) difference: f64,
    /// Answers of silvia that needed its fallback.
    pub(crate) fallbacks: usize,
}

/// All sizes at all levels of coherence.
pub(crate) fn run(effort: &Effort) -> Result<Vec<Duel>, Box<dyn Error>> {
    let mut duels = Vec::new();
    for &frequency in effort.frequencies {
        let body = work::round(frequency)?;
        let peer = polyhedron(&body)?;
        for step in work::STEPS {
            let poses = work::motion(step, effort.poses)?;
            duels.push(duel(&body, &peer, step, &poses, effort.rounds));
        }
    }
    Ok(duels)
}

fn duel(body: &Convex, peer: &ConvexPolyhedron, step: f64, poses: &[[Pose; 2]], rounds: usize) -> Duel {
    let placed: Vec<[math::Pose; 2]> = poses.iter().map(|pair| pair.each_ref().map(converted)).collect();
    let mut times: [Vec<f64>; 4] = Default::default();
    let (mut difference, mut fallbacks, mut looks) = (0f64, 0, [0.0; 2]);
    // The sides take turns, so that a busy machine hurts both alike.
    for _ in 0..rounds {
        let mut all = Vec::new();
        for (side, is_warm) in [(0, true), (0, false), (1, true), (1, false)] {
            let run = if side == 0 { ours(body, poses, is_warm) } else { theirs(peer, &placed, is_warm) };
            times[2 * side + usize::from(!is_warm)].push(run.mean);
            if side == 0 {
                looks[usize::from(!is_warm)] = run.looks as f64 / poses.len() as f64;
            }
            fallbacks += run.fallbacks;
            all.push(run.distances);
        }
        for distances in &all[1..] {
            let apart = distances.iter().zip(&all[0]).map(|(x, y)| (x - y).abs());
            difference = apart.fold(difference, f64::max);
        }
    }
    let [warm, cold, peer_warm, peer_cold] = times.map(|t| median(&t));
    Duel {
        vertices: body.points().len(),
        step,
        warm: [warm, peer_warm],
        cold: [cold, peer_cold],
        looks,
        difference,
        fallbacks,
    }
}

/// One pass over all poses.
struct Run {
    mean: f64,
    distances: Vec<f64>,
    looks: u64,
    fallbacks: usize,
}

fn ours(body: &Convex, poses: &[[Pose; 2]], is_warm: bool) -> Run {
    let mut distances = Vec::with_capacity(poses.len());
    let (mut looks, mut fallbacks) = (0, 0);
    let mut cache = FeatureCache::default();
    let start = Instant::now();
    for [a, b] in poses {
        if !is_warm {
            cache = FeatureCache::default();
        }
        let answer = closest_features(body, a, body, b, &mut cache);
        distances.push(answer.distance);
        looks += u64::from(answer.steps);
        fallbacks += usize::from(answer.fallback);
    }
    Run { mean: start.elapsed().as_secs_f64() / poses.len() as f64, distances, looks, fallbacks }
}

/// Parry's GJK. What it can take over from the last query is the direction between the closest points.
fn theirs(body: &ConvexPolyhedron, poses: &[[math::Pose; 2]], is_warm: bool) -> Run {
    let mut distances = Vec::with_capacity(poses.len());
    let mut simplex = VoronoiSimplex::new();
    let mut direction = None;
    let start = Instant::now();
    for [a, b] in poses {
        let between = a.inv_mul(b);
        let known = if is_warm { direction } else { None };
        let answer = closest_points_support_map_support_map_with_params(
            &between,
            body,
            body,
            f64::MAX,
            &mut simplex,
            known,
        );
        distances.push(match answer {
            GJKResult::ClosestPoints(p, q, along) => {
                direction = Some(-along);
                (q - p).length()
            }
            _ => 0.0,
        });
    }
    Run { mean: start.elapsed().as_secs_f64() / poses.len() as f64, distances, looks: 0, fallbacks: 0 }
}

fn polyhedron(body: &Convex) -> Result<ConvexPolyhedron, Box<dyn Error>> {
    let soup = body.solid().soup();
    let points = soup.points().iter().map(|p| math::Vector::new(p.x, p.y, p.z)).collect();
    Ok(ConvexPolyhedron::from_convex_mesh(points, soup.triangles())
        .ok_or("parry takes the polyhedron for not convex")?)
}

fn converted(pose: &Pose) -> math::Pose {
    let (t, q) = (pose.translation(), pose.rotation());
    math::Pose::from_parts(math::Vector::new(t.x, t.y, t.z), math::Rotation::from_xyzw(q.x, q.y, q.z, q.w))
}
