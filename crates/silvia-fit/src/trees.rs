//! Rapidly exploring random trees with retraction, from the goal outwards.
//!
//! A placement is drawn at random (LaValle 1998); the nearest one of the tree goes towards it, in legs that
//! an exact test finds free. Where the end of a leg overlaps, it is moved out by the shortest translation
//! known, to contact: so narrow ways are followed, as in retraction-based planning (Zhang and Manocha 2008).

use crate::legs::{Leg, Still, leg};
use crate::options::FitOptions;
use crate::part::FitError;
use crate::pusher::{Pusher, left};
use crate::random::Random;
use silvia_proximity::{collide, penetration};
use silvia_solid::{Pose, Quat, Vec3};

/// A leg is at most this many strides long.
const LEG: f64 = 2.0;
/// Legs towards one placement, at most.
const LEGS: usize = 32;
/// Every so many placements lie outside, straight on from the place that is farthest out.
const OUTWARDS: usize = 4;
/// A placement has a rotation of its own with this chance; else that of the place it is reached from.
const TURNED: f64 = 0.5;
/// Translations out of overlap that are tried: one part may be in several others.
const RETRACTIONS: usize = 3;
/// How much farther than the translation known a placement is moved, as a fraction of it: to be clear.
const CLEAR: f64 = 1e-6;
/// A leg that touches is tried once more up to this fraction of what is free.
const SHORTER: f64 = 0.9;
/// A placement nearer to the tree than this many strides adds nothing.
const SAME: f64 = 0.01;

/// The search for the way of a part.
pub(crate) struct Trees {
    /// Each with the number of the one that it was reached from.
    nodes: Vec<(usize, Pose)>,
    random: Random,
    /// The one from which there is the least way to go, and how much, m.
    farthest: usize,
    pub(crate) left: f64,
    /// Placements drawn.
    pub(crate) drawn: usize,
}

impl Trees {
    pub(crate) fn new(pusher: &Pusher, seed: u64) -> Result<Trees, FitError> {
        let nodes = vec![(0, pusher.start)];
        // Not the numbers of the pushes.
        let random = Random::new(!seed);
        Ok(Trees { nodes, random, farthest: 0, left: pusher.left(&pusher.start)?, drawn: 0 })
    }

    /// Places reached so far.
    pub(crate) fn places(&self) -> usize {
        self.nodes.len()
    }

    /// Draws some more placements. The way from the goal outwards, if one is found.
    pub(crate) fn go_on(
        &mut self,
        pusher: &Pusher,
        most: usize,
        options: &FitOptions,
    ) -> Result<Option<Vec<Pose>>, FitError> {
        let others = pusher.stills()?;
        for _ in 0..most {
            if options.is_over() {
                return Ok(None);
            }
            let wanted = self.draw(pusher);
            self.drawn += 1;
            if let Some(out) = self.grow(pusher, &others, &wanted)? {
                return Ok(Some(self.way(out)));
            }
        }
        Ok(None)
    }

    /// A placement: somewhere around the others, or straight on from the farthest place.
    fn draw(&mut self, pusher: &Pusher) -> (Vec3, Option<Quat>) {
        let size = pusher.cage.size();
        if self.drawn % OUTWARDS == OUTWARDS - 1 {
            let from = self.nodes[self.farthest].1.transform_point(pusher.metric.centre);
            return (from + size.length() * self.random.direction(), None);
        }
        let at = self.random.between(pusher.cage.min - 0.5 * size, pusher.cage.max + 0.5 * size);
        let is_turned = self.random.unit() < TURNED;
        (at, is_turned.then(|| self.random.rotation()))
    }

    /// Grows from the nearest place towards a placement, as far as it goes. The number of a place that is
    /// out, if there is one.
    fn grow(
        &mut self,
        pusher: &Pusher,
        others: &[Still<'_>],
        wanted: &(Vec3, Option<Quat>),
    ) -> Result<Option<usize>, FitError> {
        let metric = &pusher.metric;
        let placed = |near: &Pose| {
            let rotation = wanted.1.unwrap_or(near.rotation());
            about(metric.centre, wanted.0, rotation)
        };
        let apart = |pose: &Pose| placed(pose).map_or(f64::INFINITY, |wanted| metric.distance(pose, &wanted));
        let nearest = (0..self.nodes.len())
            .min_by(|&i, &j| apart(&self.nodes[i].1).total_cmp(&apart(&self.nodes[j].1)));
        let Some(mut at) = nearest else { return Ok(None) };
        let Some(wanted) = placed(&self.nodes[at].1) else { return Ok(None) };
        for _ in 0..LEGS {
            let from = self.nodes[at].1;
            let distance = metric.distance(&from, &wanted);
            let fraction = (LEG * pusher.stride / distance).min(1.0);
            let Some(to) = between(metric.centre, &from, &wanted, fraction) else { break };
            let Some(to) = reached(pusher, others, &from, to)? else { break };
            if metric.distance(&from, &to) < SAME * pusher.stride {
                break;
            }
            self.nodes.push((at, to));
            at = self.nodes.len() - 1;
            let left = left(&pusher.shape()?.aabb(&to), &pusher.cage);
            if left < self.left {
                (self.left, self.farthest) = (left, at);
            }
            if left <= 0.0 {
                return Ok(Some(at));
            }
            if metric.distance(&to, &wanted) > distance - SAME * pusher.stride {
                break;
            }
        }
        Ok(None)
    }

    /// The way to a place.
    fn way(&self, mut at: usize) -> Vec<Pose> {
        let mut path = vec![self.nodes[at].1];
        while at != 0 {
            at = self.nodes[at].0;
            path.push(self.nodes[at].1);
        }
        path.reverse();
        path
    }
}

/// Where a leg comes to: its end, moved out of overlap; or a little short of what it touches.
fn reached(pusher: &Pusher, others: &[Still<'_>], from: &Pose, to: Pose) -> Result<Option<Pose>, FitError> {
    let shape = pusher.shape()?;
    let mut end = to;
    for _ in 0..RETRACTIONS {
        let deep = others.iter().find(|other| collide(other.shape, &other.pose, shape, &end));
        let Some(other) = deep else { break };
        let Some(way_out) = penetration(other.shape, &other.pose, shape, &end).penetration() else { break };
        if way_out.depth > 2.0 * LEG * pusher.stride {
            break;
        }
        end = end.moved((1.0 + CLEAR) * way_out.translation());
    }
    for end in [end, to] {
        match leg(shape, [from, &end], others)? {
            Leg::Free => return Ok(Some(end)),
            Leg::Touches { fraction, .. } => {
                let Some(short) = between(pusher.metric.centre, from, &end, SHORTER * fraction) else {
                    continue;
                };
                if fraction > 0.0 && leg(shape, [from, &short], others)? == Leg::Free {
                    return Ok(Some(short));
                }
            }
        }
    }
    Ok(None)
}

/// The pose with a rotation and a point of the body at a place.
fn about(point: Vec3, at: Vec3, rotation: Quat) -> Option<Pose> {
    Pose::new(at - rotation * point, rotation).ok()
}

/// A pose between two, its centre on the straight line.
fn between(centre: Vec3, from: &Pose, to: &Pose, fraction: f64) -> Option<Pose> {
    let at = from.transform_point(centre).lerp(to.transform_point(centre), fraction);
    about(centre, at, from.rotation().slerp(to.rotation(), fraction).normalize())
}
