//! V-Clip against brute force over all pairs of features, mostly where rounding matters.
//!
//! The oracle knows the triangles alone: the distance is the least of all vertex-triangle and edge-edge
//! pairs, unless none of all axes (normals of triangles, cross products of sides) parts the bodies. Most
//! trials are degenerate: lattice poses, parallel faces and edges, vertices that coincide, bodies that just
//! touch, one body inside the other. Bodies of hundreds of vertices are too large for that: there all
//! vertices of both must be on the two sides of the space between the closest points.

mod bodies;
mod oracle;
mod poses;

use bodies::Body;
use oracle::Truth;
use seeded::Random;
use silvia::proximity::{ClosestFeatures, Feature, FeatureCache, closest_features};
use silvia::solid::{EdgeId, FaceId, Pose, Vec3, VertexId};

/// How far the answer may be from the truth, as a fraction of the bodies' size.
const WANTED: f64 = 1e-12;

/// More steps than this are a walk that went astray, even if it ended well.
const MOST_STEPS: u32 = 128;

/// Of so many trials one is of bodies of hundreds of vertices.
const LARGE_EVERY: u64 = 64;

/// Points nearer than this fraction of the bodies' size do not tell the way between them to the precision
/// wanted.
const PRECISE: f64 = 1e-3;

/// How many poses of a pair are asked about one after the other with one cache.
const POSES: usize = 3;

/// One trial: the relative error of the distance, or what was wrong.
pub(crate) fn trial(random: &mut Random) -> Result<f64, String> {
    let is_large = random.whole(1, LARGE_EVERY) == 1;
    let [a, b] = [0; 2].map(|_| if is_large { bodies::large(random) } else { bodies::random(random) });
    let mut cache = FeatureCache::default();
    let mut worst = 0f64;
    for _ in 0..POSES {
        let [pose_a, pose_b] = if is_large { poses::apart(random) } else { poses::random(random, &a, &b) };
        let placed = [a.placed(&pose_a), b.placed(&pose_b)];
        let truth = (!is_large).then(|| Truth::of(&placed[0], &placed[1]));
        let size = a.size.max(b.size);
        for (name, answer) in answers([(&a, &pose_a), (&b, &pose_b)], &mut cache) {
            let by_plane = || Truth::by_plane(&placed[0], &placed[1], answer.points, PRECISE * size);
            // Bodies that meet are known to by the point that they have in common, which is looked at in any
            // case.
            let truth = truth.or_else(by_plane).unwrap_or(Truth { distance: answer.distance, gap: 0.0 });
            let error = judge(&answer, &truth, [(&a, &pose_a), (&b, &pose_b)]).map_err(|what| {
                format!(
                    "{name}: {what}: {} at {pose_a:?}, {} at {pose_b:?}: {answer:?}, {truth:?}",
                    a.name, b.name
                )
            })?;
            worst = worst.max(error);
        }
    }
    Ok(worst)
}

/// From the features of the last time, from none, and with the bodies swapped.
fn answers(
    [(a, pose_a), (b, pose_b)]: [(&Body, &Pose); 2],
    cache: &mut FeatureCache,
) -> [(&'static str, ClosestFeatures); 3] {
    let warm = closest_features(&a.convex, pose_a, &b.convex, pose_b, cache);
    let cold = closest_features(&a.convex, pose_a, &b.convex, pose_b, &mut FeatureCache::default());
    let swapped = closest_features(&b.convex, pose_b, &a.convex, pose_a, &mut FeatureCache::default());
    let turned = ClosestFeatures {
        features: [swapped.features[1], swapped.features[0]],
        points: [swapped.points[1], swapped.points[0]],
        ..swapped
    };
    [("warm", warm), ("cold", cold), ("swapped", turned)]
}

/// The relative error of an answer, if it is right otherwise.
fn judge(answer: &ClosestFeatures, truth: &Truth, bodies: [(&Body, &Pose); 2]) -> Result<f64, String> {
    let size = bodies[0].0.size.max(bodies[1].0.size);
    let error = (answer.distance - truth.distance).abs() / size;
    if answer.fallback {
        return Err("a fallback".into());
    }
    if answer.steps > MOST_STEPS {
        return Err(format!("{} steps", answer.steps));
    }
    if error.is_nan() || error > WANTED {
        return Err(format!("the distance is off by {error:e} of the size"));
    }
    if answer.penetrating && truth.gap > WANTED * size || !answer.penetrating && truth.gap < -WANTED * size {
        return Err("wrong about penetration".into());
    }
    let apart = answer.points[0].distance(answer.points[1]);
    if (apart - answer.distance).abs() > WANTED * size {
        return Err(format!("the points are {apart} apart"));
    }
    for (i, (body, pose)) in bodies.into_iter().enumerate() {
        let at = pose.inverse().transform_point(answer.points[i]);
        let off = off_feature(body, answer.features[i], at, answer.penetrating);
        if off > WANTED * size {
            return Err(format!("point {i} is {off} off its feature"));
        }
    }
    Ok(error)
}

/// How far a point is from a feature of a body, and from the body.
fn off_feature(body: &Body, feature: Feature, at: Vec3, penetrating: bool) -> f64 {
    let solid = body.convex.solid();
    let heights = || body.convex.planes().iter().map(|plane| plane.distance(at));
    let outside = heights().fold(0.0, f64::max);
    let off = match feature {
        Feature::Vertex(v) => solid.point(VertexId(v)).distance(at),
        Feature::Edge(e) => {
            let [tail, head] = solid.edge(EdgeId(e)).vertices.map(|v| solid.point(v));
            let along = (head - tail).normalize();
            (at - tail).reject_from_normalized(along).length()
        }
        // A body inside the other may be far from the face that is in its way.
        Feature::Face(_) if penetrating => 0.0,
        // A face of the solid is flat within its tolerance; the hull's face that it stands for is so exactly.
        Feature::Face(f) if solid.plane(FaceId(f)).distance(at).abs() > solid.face_tolerance() => {
            f64::INFINITY
        }
        Feature::Face(_) => heights().map(f64::abs).fold(f64::INFINITY, f64::min),
        // A solid has none.
        Feature::Patch(_) => f64::INFINITY,
    };
    off.max(outside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_distance_a_wrong_flag_and_a_fallback_are_noticed() {
        let cube = bodies::cube();
        let pose = Pose::from_translation(Vec3::new(3.0, 0.5, 0.0)).unwrap();
        let here = Pose::IDENTITY;
        let truth = Truth::of(&cube.placed(&here), &cube.placed(&pose));
        assert_eq!((truth.distance, truth.gap), (1.0, 1.0));
        let right = closest_features(&cube.convex, &here, &cube.convex, &pose, &mut FeatureCache::default());
        let judged = |answer| judge(&answer, &truth, [(&cube, &here), (&cube, &pose)]);
        assert_eq!(judged(right), Ok(0.0));
        assert!(judged(ClosestFeatures { distance: 1.0 + 1e-11, ..right }).is_err());
        assert!(judged(ClosestFeatures { penetrating: true, ..right }).is_err());
        assert!(judged(ClosestFeatures { fallback: true, ..right }).is_err());
        assert!(judged(ClosestFeatures { points: [Vec3::ZERO, Vec3::X], ..right }).is_err());
    }

    /// Two edges that touch or are 1e-6 m apart, needles and faces that are parallel but for rounding, a disc
    /// along a ball; the side of a disc parallel to the cap of another, twice; a ball and a disc that share a
    /// point.
    #[test]
    fn walks_that_went_astray_once_end() {
        for number in [4297, 51949, 87235, 143_121, 165_369, 210_278, 214_545, 635_374, 734_427, 909_309] {
            trial(&mut crate::random::of_trial(1, number)).unwrap();
        }
    }
}
