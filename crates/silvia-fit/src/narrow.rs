//! The narrowest place: where the largest copy of a part that does pass leaves the least room.
//!
//! Smaller copies of the part, about its centre of mass, look for a way out as the part itself did, and ever
//! smaller or larger ones bracket the largest that finds one. Along its way the part itself is put in its
//! place: the narrowest place is where it is deepest in the others, or they in it.

use crate::answer::Narrow;
use crate::legs::Still;
use crate::options::FitOptions;
use crate::part::{FitError, Part};
use crate::pusher::Pusher;
use crate::pushing::Pushing;
use silvia_proximity::{Feature, Shape, point_distance};
use silvia_solid::{Aabb, Pose, Vec3};
use silvia_world::StepError;

/// Copies that are tried: the largest that passes is then known to a sixty-fourth of the part's size.
const COPIES: usize = 6;
/// Each copy has this fraction of the pushes of the part, but not fewer than `LEAST`.
const SHARE: usize = 8;
const LEAST: usize = 64;
/// Points of each shape that are looked at, at most.
const POINTS: usize = 2000;

/// The narrowest place for a part among others; `None` if no smaller copy found a way out, or no part has an
/// inside.
pub(crate) fn narrowest(
    part: &Part,
    others: &[(usize, &Part)],
    pusher: &Pusher,
    options: &FitOptions,
) -> Result<Option<Narrow>, FitError> {
    let (mut passes, mut too_large, mut widest) = (0.0, 1.0, None);
    for _ in 0..COPIES {
        let scale = 0.5 * (passes + too_large);
        match way_of_copy(part, others, pusher.metric.centre, scale, options)? {
            Some(path) => (passes, widest) = (scale, Some(path)),
            None => too_large = scale,
        }
    }
    let Some(path) = widest else { return Ok(None) };
    let (shape, others) = (pusher.shape()?, pusher.stills()?);
    let own = points(shape);
    let of_others: Vec<Vec<Vec3>> = others
        .iter()
        .map(|other| points(other.shape).into_iter().map(|p| other.pose.transform_point(p)).collect())
        .collect();
    let mut narrow: Option<Narrow> = None;
    for pose in path {
        let found = deepest_point(shape, &own, &pose, &others, &of_others);
        if let Some((depth, at, other, feature)) = found
            && narrow.is_none_or(|known| depth > -known.clearance)
        {
            narrow = Some(Narrow { clearance: -depth, scale: passes, pose, at, other, feature });
        }
    }
    Ok(narrow)
}

/// The way out of a smaller copy of a part, as poses of the part itself.
fn way_of_copy(
    part: &Part,
    others: &[(usize, &Part)],
    centre: Vec3,
    scale: f64,
    options: &FitOptions,
) -> Result<Option<Vec<Pose>>, FitError> {
    // A part too small to be scaled has no smaller copy.
    let Ok(shape) = part.shape.scaled(scale) else { return Ok(None) };
    let aside = Pose::IDENTITY.moved((1.0 - scale) * centre);
    let copy = Part { name: part.name.clone(), shape, goal: part.goal.compose(&aside) };
    let mut pusher = match Pusher::new(&copy, others) {
        Ok(pusher) => pusher,
        // What winds around another, like a nut, does not shrink away from it.
        Err(FitError::Step(StepError::Overlap { .. }) | FitError::Body(_)) => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut pushing = Pushing::new(&mut pusher, options.seed)?;
    let most = (options.tries / SHARE).max(LEAST);
    let way = pushing.go_on(&mut pusher, most, options)?;
    Ok(way.map(|way| way.path.iter().map(|pose| pose.compose(&aside.inverse())).collect()))
}

/// How deep, where, in or of which part, and the feature of that part nearest to it.
type Deepest = (f64, Vec3, usize, Option<Feature>);

/// The deepest point of a shape at a pose in others, or of others in the shape.
fn deepest_point(
    shape: &Shape,
    own: &[Vec3],
    pose: &Pose,
    others: &[Still<'_>],
    of_others: &[Vec<Vec3>],
) -> Option<Deepest> {
    let bounds = shape.aabb(pose);
    let is_in = |bounds: &Aabb, p: Vec3| p.cmpge(bounds.min).all() && p.cmple(bounds.max).all();
    let mut deepest: Option<Deepest> = None;
    let mut look = |shape: &Shape, pose: &Pose, at: Vec3, other: usize, is_theirs: bool| {
        let Ok(found) = point_distance(shape, pose, at) else { return };
        if found.distance < 0.0 && deepest.is_none_or(|(depth, ..)| -found.distance > depth) {
            deepest = Some((-found.distance, at, other, found.feature.filter(|_| is_theirs)));
        }
    };
    for (other, theirs) in others.iter().zip(of_others) {
        let their_bounds = other.shape.aabb(&other.pose);
        for p in own.iter().map(|p| pose.transform_point(*p)).filter(|p| is_in(&their_bounds, *p)) {
            look(other.shape, &other.pose, p, other.number, true);
        }
        for p in theirs.iter().filter(|p| is_in(&bounds, **p)) {
            look(shape, pose, *p, other.number, false);
        }
    }
    deepest
}

/// Corners of a mesh and middles of its triangles, no more than some; none of other shapes.
fn points(shape: &Shape) -> Vec<Vec3> {
    let Some(mesh) = shape.as_mesh() else { return Vec::new() };
    let soup = mesh.hierarchy().surface().soup();
    let middles = (0..soup.triangles().len()).map(|t| soup.corners(t).iter().sum::<Vec3>() / 3.0);
    let all: Vec<Vec3> = soup.points().iter().copied().chain(middles).collect();
    all.iter().copied().step_by(all.len().div_ceil(POINTS).max(1)).collect()
}
