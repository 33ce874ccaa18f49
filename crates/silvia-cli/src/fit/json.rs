//! The answer for programs, in metres.

use super::products::Files;
use crate::distance::named;
use serde_json::{Value, json};
use silvia::fit::{Answer, Blocked, Move, Part};
use silvia::proximity::Feature;
use silvia::solid::{Pose, Vec3};

pub(super) fn of(parts: &[Part], answer: &Answer, files: &Files, seconds: f64) -> Value {
    let names: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
    let files: Vec<String> = files.all().map(|file| file.display().to_string()).collect();
    let mut all = match answer {
        Answer::Assembled(assembly) => json!({
            "answer": "found",
            "moves": assembly.moves.iter().map(|step| of_move(&names, step)).collect::<Vec<_>>(),
            "tries": assembly.tries,
            "samples": assembly.samples,
        }),
        Answer::NotFound { removed, blocked, tries, samples } => json!({
            "answer": "not found",
            "removed": removed.iter().map(|step| of_move(&names, step)).collect::<Vec<_>>(),
            "blocked": blocked.iter().map(|part| of_blocked(&names, part)).collect::<Vec<_>>(),
            "tries": tries,
            "samples": samples,
        }),
        Answer::Impossible { overlaps } => json!({
            "answer": "impossible",
            "overlaps": overlaps
                .iter()
                .map(|overlap| {
                    json!({ "parts": overlap.parts.map(|part| names[part]), "depth": overlap.depth })
                })
                .collect::<Vec<_>>(),
        }),
        _ => json!({}),
    };
    if let Some(fields) = all.as_object_mut() {
        fields.insert("parts".to_owned(), json!(names));
        fields.insert("files".to_owned(), json!(files));
        fields.insert("seconds".to_owned(), json!(seconds));
    }
    all
}

fn of_move(names: &[&str], step: &Move) -> Value {
    let push =
        |push: &silvia::fit::Push| json!({ "along": of_vector(push.along), "about": of_vector(push.about) });
    json!({
        "part": names[step.part],
        "method": step.method.name(),
        "pushes": step.pushes.iter().map(push).collect::<Vec<_>>(),
        "path": step.path.iter().map(of_pose).collect::<Vec<_>>(),
        "proved": true,
        "sag": step.sag,
        "short": step.short,
        "drawn_in": step.drawn_in,
    })
}

fn of_blocked(names: &[&str], blocked: &Blocked) -> Value {
    let stop = |stop: &silvia::fit::Stop| {
        json!({
            "other": names[stop.other],
            "features": stop.features.map(of_feature),
            "at": of_vector(stop.at),
            "normal": of_vector(stop.normal),
            "share": stop.share,
        })
    };
    let narrow = blocked.narrow.map(|narrow| {
        json!({
            "clearance": narrow.clearance,
            "scale": narrow.scale,
            "at": of_vector(narrow.at),
            "pose": of_pose(&narrow.pose),
            "other": names[narrow.other],
            "feature": narrow.feature.map(of_feature),
        })
    });
    json!({
        "part": names[blocked.part],
        "path": blocked.path.iter().map(of_pose).collect::<Vec<_>>(),
        "stops": blocked.stops.iter().map(stop).collect::<Vec<_>>(),
        "narrowest": narrow,
    })
}

fn of_feature(feature: Feature) -> Value {
    let (kind, number) = named(feature);
    json!({ kind: number })
}

/// tx, ty, tz, qw, qx, qy, qz, as on the command line.
pub(super) fn of_pose(pose: &Pose) -> [f64; 7] {
    let ([x, y, z], q) = (pose.translation().to_array(), pose.rotation());
    [x, y, z, q.w, q.x, q.y, q.z].map(|number| number + 0.0)
}

fn of_vector(v: Vec3) -> [f64; 3] {
    (v + Vec3::ZERO).to_array()
}
