//! An assembly from beginning to end: where all parts are at each moment.

use crate::answer::Assembly;
use crate::part::Part;
use crate::pusher::left;
use silvia_solid::{Aabb, Pose, Vec3};

/// How far apart waiting parts are, beyond the size of the largest.
const SPACE: f64 = 1.2;

/// Poses of all parts, moment by moment, all legs about equally long. Parts that have not been moved yet wait
/// outside: the one that comes last, farthest away.
#[derive(Clone, Debug, PartialEq)]
pub struct Timeline {
    /// Of each moment, the frame of each part.
    pub moments: Vec<Vec<Pose>>,
    /// The moment at which each move begins, with its number in [`Assembly::moves`].
    pub begins: Vec<usize>,
}

impl Assembly {
    /// The whole assembly as one motion. Parts that wait are where nothing was looked at: there they may
    /// overlap each other.
    pub fn timeline(&self, parts: &[Part]) -> Timeline {
        let boxes: Vec<Aabb> = parts.iter().map(|part| part.shape.aabb(&part.goal)).collect();
        let largest = boxes.iter().map(|bounds| bounds.size().length()).fold(0.0, f64::max);
        let mut now: Vec<Pose> = parts.iter().map(|part| part.goal).collect();
        let mut cage = boxes[0];
        let mut paths = Vec::new();
        for (number, step) in self.moves.iter().enumerate() {
            let Some(&start) = step.path.first() else { continue };
            let way = way_out(&parts[step.part].shape.aabb(&start), &cage);
            let parked = start.moved(number as f64 * SPACE * largest * way);
            let mut path = straight(&parked, &start, stride(&step.path));
            path.extend(&step.path);
            now[step.part] = path[0];
            cage = cage.merged(boxes[step.part]);
            paths.push((step.part, path));
        }
        let (mut moments, mut begins) = (vec![now.clone()], Vec::new());
        for (part, path) in paths {
            begins.push(moments.len() - 1);
            for pose in path {
                now[part] = pose;
                moments.push(now.clone());
            }
        }
        Timeline { moments, begins }
    }
}

/// The direction along an axis in which a box is clear of another, or nearest to it.
fn way_out(own: &Aabb, cage: &Aabb) -> Vec3 {
    let total = left(own, cage);
    for (axis, way) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
        if cage.max[axis] - own.min[axis] <= total {
            return way;
        }
        if own.max[axis] - cage.min[axis] <= total {
            return -way;
        }
    }
    Vec3::Z
}

/// The mean length of the legs of a way, m.
fn stride(path: &[Pose]) -> f64 {
    let length: f64 = path.windows(2).map(|ends| ends[0].translation().distance(ends[1].translation())).sum();
    length / (path.len() - 1).max(1) as f64
}

/// From one pose towards another of the same rotation, without the last, in legs of a length.
fn straight(from: &Pose, to: &Pose, leg: f64) -> Vec<Pose> {
    let way = to.translation() - from.translation();
    let most = 200.0;
    let count = if leg > 0.0 { (way.length() / leg).ceil().min(most) } else { most } as usize;
    (0..count).map(|i| from.moved(i as f64 / count as f64 * way)).collect()
}
