//! V-Clip against brute force over all pairs of features, mostly where rounding matters.
//!
//! The oracle knows the triangles alone: the distance is the least of all vertex-triangle and edge-edge pairs, unless none of all
//! axes (normals of triangles, cross products of sides) parts the bodies. Most trials are degenerate: lattice poses, parallel faces and
//! edges, vertices that coincide, bodies that just touch, one body inside the other.

mod bodies;
mod oracle;
mod poses;

use crate::random::Random;
use bodies::Body;
use oracle::Truth;
use silvia::proximity::{ClosestFeatures, Feature, FeatureCache, closest_features};
use silvia::solid::{EdgeId, FaceId, Pose, Vec3, VertexId};

/// How far the answer may be from the truth, as a fraction of the bodies' size.
const WANTED: f64 = 1e-12;

/// More steps than this are a walk that went astray, even if it ended well.
const MOST_STEPS: u32 = 128;

/// How many poses of a pair are asked about one after the other with one cache.
const POSES: usize = 3;

/// One trial: the relative error of the distance, or what was wrong.
pub(crate) fn trial(random: &mut Random) -> Result<f64, String> {
    let (a, b) = (bodies::random(random), bodies::random(random));
    let mut cache = FeatureCache::default();
    let mut worst = 0f64;
    for _ in 0..POSES {
        let [pose_a, pose_b] = poses::random(random, &a, &b);
        let truth = Truth::of(&a.placed(&pose_a), &b.placed(&pose_b));
        let warm = closest_features(&a.convex, &pose_a, &b.convex, &pose_b, &mut cache);
        let cold = closest_features(&a.convex, &pose_a, &b.convex, &pose_b, &mut FeatureCache::default());
        let swapped = closest_features(&b.convex, &pose_b, &a.convex, &pose_a, &mut FeatureCache::default());
        let turned = ClosestFeatures {
            features: [swapped.features[1], swapped.features[0]],
            points: [swapped.points[1], swapped.points[0]],
            ..swapped
        };
        for (name, answer) in [("warm", warm), ("cold", cold), ("swapped", turned)] {
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
    let outside = solid.faces().map(|f| solid.plane(f).distance(at)).fold(0.0, f64::max);
    let off = match feature {
        Feature::Vertex(v) => solid.point(VertexId(v)).distance(at),
        Feature::Edge(e) => {
            let [tail, head] = solid.edge(EdgeId(e)).vertices.map(|v| solid.point(v));
            let along = (head - tail).normalize();
            (at - tail).reject_from_normalized(along).length()
        }
        // A body inside the other may be far from the face that is in its way.
        Feature::Face(_) if penetrating => 0.0,
        Feature::Face(f) => solid.plane(FaceId(f)).distance(at).abs(),
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
}
