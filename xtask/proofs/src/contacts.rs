//! Contacts of close fits under random displacements: none missing, none imagined.
//!
//! The measure is the exact test of all vertex-face and edge-edge pairs along the displacement, linear in the
//! vertices; it shares nothing with the search for contacts.

mod fits;
mod path;

use fits::{Start, start};
use path::first_crossing;
use seeded::Random;
use silvia::proximity::mesh::{ContactCache, ContactPair, contact_at, contacts};
use silvia::proximity::{ContactOptions, Surface};
use silvia::solid::{Aabb, Pose, Quat, Vec3};

/// Gaps above this fraction of the parts' size are not negative but rounded.
const ROUNDING: f64 = 1e-13;

/// One trial: the deepest gap of a pair that was told to hold after a free displacement, as a fraction of the
/// size; or what was missing.
pub(crate) fn trial(random: &mut Random) -> Result<f64, String> {
    let Start { name, a, b, pose_b, clearance } = start(random)?;
    let pose_a = Pose::IDENTITY;
    // From far within the clearance to a few times more than it.
    let reach = clearance * 10_f64.powf(random.between(-1.5, 0.7));
    let (Surface::Solid(solid_a), Surface::Solid(solid_b)) = (a.surface(), b.surface()) else {
        return Err("the parts of the proof are solids".into());
    };
    let end = displaced(random, &pose_b, solid_b.soup().points(), reach)?;
    let options = ContactOptions::within(reach, a, b);
    let found =
        contacts(a, &pose_a, b, &pose_b, &options, &mut ContactCache::new()).map_err(|e| e.to_string())?;
    let say = |what: &str| format!("{name}: {what}; reach {reach:e}, from {pose_b:?} to {end:?}");

    let gap_at = |pair: &ContactPair, pose: &Pose| contact_at(a, &pose_a, b, pose, &pair.key);
    let size = a.bounds().size().length();
    match first_crossing(solid_a, solid_b, &pose_b, &end)? {
        Some(crossing) => {
            // Just after, on the rigid path: off the linear one by no more than the bend of that.
            let after = between(&pose_b, &end, (crossing.time + 1e-3).min(1.0))?;
            let bend = reach * options.turn.min(1.0) + 2e-3 * reach;
            let closes = |pair: &&ContactPair| {
                crossing.features.contains(&pair.key.features) && gap_at(pair, &after).gap <= bend
            };
            if !found.iter().any(|pair| closes(&pair)) {
                let features = &crossing.features;
                return Err(say(&format!(
                    "a crossing of {features:?}, none of which is a contact that closes"
                )));
            }
            if !found.iter().any(|pair| gap_at(pair, &after).gap <= bend && gap_at(pair, &after).holds) {
                return Err(say("a crossing where no pair holds"));
            }
            let has_negative =
                [&after, &end].iter().any(|pose| found.iter().any(|pair| gap_at(pair, pose).gap < 0.0));
            // What only grazes need not go below zero.
            if !has_negative && crossing.time < 1.0 - 1e-2 {
                return Err(say("a crossing that makes no gap negative"));
            }
            Ok(0.0)
        }
        None => {
            let mut deepest: f64 = 0.0;
            for pair in &found {
                let state = gap_at(pair, &end);
                if state.holds {
                    deepest = deepest.max(-state.gap / size);
                    if deepest > ROUNDING {
                        return Err(say(&format!("a ghost {pair:?}, then {state:?}")));
                    }
                }
            }
            Ok(deepest)
        }
    }
}

/// A pose from which no point is farther than `reach` away.
fn displaced(random: &mut Random, from: &Pose, points: &[Vec3], reach: f64) -> Result<Pose, String> {
    let placed: Vec<_> = points.iter().map(|&p| from.transform_point(p)).collect();
    let size = Aabb::of(placed.iter().copied());
    let centre = size.center();
    // About each axis as far as the reach allows: a slender part can turn far about its length.
    let extent = size.size();
    let girth = Vec3::new(extent.y.hypot(extent.z), extent.z.hypot(extent.x), extent.x.hypot(extent.y));
    let (shift, turn) = (random.vector(1.0), random.vector(2.0) * random.between(0.0, 1.0) / girth);
    let mut scale = reach;
    loop {
        let rotation = Quat::from_scaled_axis(turn * scale);
        let translation = rotation * (from.translation() - centre) + centre + scale * shift;
        let end =
            Pose::new(translation, (rotation * from.rotation()).normalize()).map_err(|e| e.to_string())?;
        let farthest = points.iter().zip(&placed).map(|(&p, q)| end.transform_point(p).distance(*q));
        if farthest.fold(0.0, f64::max) <= reach {
            return Ok(end);
        }
        scale *= 0.8;
    }
}

fn between(from: &Pose, to: &Pose, time: f64) -> Result<Pose, String> {
    let translation = from.translation().lerp(to.translation(), time);
    Pose::new(translation, from.rotation().slerp(to.rotation(), time).normalize()).map_err(|e| e.to_string())
}
