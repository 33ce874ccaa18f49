//! Contacts of close fits under random displacements: none missing, none imagined.
//!
//! The measure is the exact test of all vertex-face and edge-edge pairs along the displacement, linear in the vertices; it
//! shares nothing with the search for contacts.

mod fits;
mod path;

use crate::random::Random;
use fits::{Start, start};
use path::first_crossing;
use silvia::proximity::{ContactCache, ContactOptions, ContactPair, contact_at, contacts};
use silvia::solid::{Pose, Quat};

/// Gaps above this fraction of the parts' size are not negative but rounded.
const ROUNDING: f64 = 1e-13;

/// One trial: the deepest gap of a pair that was told to hold after a free displacement, as a fraction of the size; or what
/// was missing.
pub(crate) fn trial(random: &mut Random) -> Result<f64, String> {
    let Some(Start { name, a, b, pose_b, clearance }) = start(random) else { return Ok(0.0) };
    let pose_a = Pose::IDENTITY;
    // From far within the clearance to a few times more than it.
    let reach = clearance * 10_f64.powf(random.between(-1.5, 0.7));
    let end = displaced(random, &pose_b, b.surface().soup().points(), reach)?;
    let options = ContactOptions::within(reach, a, b);
    let found =
        contacts(a, &pose_a, b, &pose_b, &options, &mut ContactCache::new()).map_err(|e| e.to_string())?;
    let say = |what: &str| format!("{name}: {what}; reach {reach:e}, from {pose_b:?} to {end:?}");

    let gap_at = |pair: &ContactPair, pose: &Pose| contact_at(a, &pose_a, b, pose, &pair.key);
    let size = a.bounds().size().length();
    match first_crossing(a.surface().soup(), b.surface().soup(), &pose_b, &end)? {
        Some(time) => {
            // Just after, on the rigid path: off the linear one by no more than the bend of that.
            let after = between(&pose_b, &end, (time + 1e-3).min(1.0))?;
            let bend = reach * options.turn + 2e-3 * reach;
            if !found.iter().any(|pair| pair.state.gap >= -bend && gap_at(pair, &end).gap < bend * 1e-3) {
                return Err(say("a crossing that makes no gap negative"));
            }
            let blocks = |pair: &ContactPair| {
                let state = gap_at(pair, &after);
                state.gap <= bend && state.holds
            };
            if !found.iter().any(blocks) {
                return Err(say("a crossing where no pair holds"));
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
fn displaced(
    random: &mut Random,
    from: &Pose,
    points: &[silvia::solid::Vec3],
    reach: f64,
) -> Result<Pose, String> {
    let placed: Vec<_> = points.iter().map(|&p| from.transform_point(p)).collect();
    let size = silvia::solid::Aabb::of(placed.iter().copied());
    let centre = size.center();
    let (shift, turn) = (random.in_cube(1.0), random.in_cube(2.0) * random.between(0.0, 1.0));
    let mut scale = reach;
    loop {
        let turned = turn * (scale / size.size().length());
        let rotation = Quat::from_scaled_axis(turned);
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
