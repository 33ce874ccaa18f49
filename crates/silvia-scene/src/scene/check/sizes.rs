//! Finds mixed-up units and bodies far away from everything.

use super::{Check, body_path, length};
use crate::scene::finding::Severity;
use silvia_solid::{Pose, Vec3};

/// Sizes that differ by this factor were probably given in metres and in millimetres.
const MIXED_UP: f64 = 1e3;
/// A body is far away if its distance from the middle is this many times the size of the bodies.
const LOST: f64 = 1e4;

impl Check<'_> {
    pub(super) fn sizes(&mut self) {
        let world = &self.setup.world;
        // Entry, size and place of each bounded body.
        let mut bodies: Vec<(usize, f64, Vec3)> = Vec::new();
        for (id, entry) in self.firsts() {
            let (Ok(shape), Ok(pose)) = (world.shape(id), world.pose(id)) else { continue };
            let size = shape.aabb(&Pose::IDENTITY).size().length();
            if size.is_finite() && size > 0.0 {
                bodies.push((entry, size, pose.translation()));
            }
        }
        if bodies.len() < 2 {
            return;
        }
        let mut sizes: Vec<f64> = bodies.iter().map(|(_, size, _)| *size).collect();
        sizes.sort_by(f64::total_cmp);
        let [lower, upper] = [sizes[(sizes.len() - 1) / 2], sizes[sizes.len() / 2]];
        let has_giants = bodies.iter().any(|(_, size, _)| *size >= MIXED_UP * lower);
        let middle = median(&bodies);
        for (entry, size, at) in bodies {
            let told = if size >= MIXED_UP * lower {
                Some((size / lower, "larger", lower))
            } else if !has_giants && size * MIXED_UP <= upper {
                Some((upper / size, "smaller", upper))
            } else {
                None
            };
            if let Some((ratio, word, usual)) = told {
                let what = format!(
                    "it is {} across, {ratio:.0} times {word} than the others (about {})",
                    length(size),
                    length(usual)
                );
                let remedy = "check its unit: millimetres taken for metres are off by 1000".to_owned();
                self.find(Severity::Warning, &body_path(entry), what, remedy);
            }
            let far = (at - middle).length();
            if far > LOST * upper.max(size) {
                let what = format!(
                    "it is {} away from the others, which are about {} large",
                    length(far),
                    length(upper)
                );
                let remedy = "check its position and its unit".to_owned();
                self.find(Severity::Warning, &body_path(entry).key("position"), what, remedy);
            }
        }
    }
}

/// The median of the places, coordinate by coordinate.
fn median(bodies: &[(usize, f64, Vec3)]) -> Vec3 {
    let of = |coordinate: fn(&Vec3) -> f64| {
        let mut all: Vec<f64> = bodies.iter().map(|(_, _, at)| coordinate(at)).collect();
        all.sort_by(f64::total_cmp);
        all[(all.len() - 1) / 2]
    };
    Vec3::new(of(|at| at.x), of(|at| at.y), of(|at| at.z))
}
