//! JSON Schemas of the messages. Foxglove knows its own by name; the fields are described for other readers.

use serde_json::{Value, json};

/// The name and the schema of a topic's messages.
pub(super) fn of(topic: &str) -> (&'static str, Value) {
    let vector = || object(&[("x", number()), ("y", number()), ("z", number())]);
    let time = || object(&[("sec", whole()), ("nsec", whole())]);
    match topic {
        "/tf" => {
            let transform = object(&[
                ("timestamp", time()),
                ("parent_frame_id", text()),
                ("child_frame_id", text()),
                ("translation", vector()),
                ("rotation", rotation()),
            ]);
            ("foxglove.FrameTransforms", object(&[("transforms", list(transform))]))
        }
        "/bodies" | "/forces" => ("foxglove.SceneUpdate", scene_update(vector(), time())),
        "/contacts" => {
            let contact = object(&[
                ("body_a", text()),
                ("body_b", text()),
                ("point_m", vector()),
                ("normal", vector()),
                ("gap_m", number()),
                ("force_N", vector()),
            ]);
            let fields = [("time_s", number()), ("count", whole()), ("contacts", list(contact))];
            ("silvia.Contacts", object(&fields))
        }
        "/impacts" => {
            let fields = [
                ("time_s", number()),
                ("body_a", text()),
                ("body_b", text()),
                ("point_m", vector()),
                ("normal", vector()),
                ("speed_m_per_s", number()),
                ("impulse_N_s", vector()),
            ];
            ("silvia.Impact", object(&fields))
        }
        "/energy" => {
            let names = ["time_s", "kinetic_J", "potential_J", "total_J"];
            ("silvia.Energy", object(&names.map(|name| (name, number()))))
        }
        "/account" => {
            let numbers = [
                "time_s",
                "kinetic_gained_J",
                "potential_gained_J",
                "loads_J",
                "driven_J",
                "friction_J",
                "impacts_J",
                "numerical_J",
                "flowed_J",
            ];
            let vectors =
                ["momentum_gained_N_s", "gravity_N_s", "loads_N_s", "contacts_N_s", "numerical_N_s"];
            let mut fields: Vec<(&str, Value)> = numbers.map(|name| (name, number())).into();
            fields.extend(vectors.map(|name| (name, vector())));
            fields.extend([("step", whole()), ("motion_error", json!({ "type": ["number", "null"] }))]);
            ("silvia.Account", object(&fields))
        }
        _ => {
            let counts = ["step", "contacts", "impacts", "islands", "pieces", "cuts", "iterations"];
            let mut fields: Vec<(&str, Value)> = counts.map(|name| (name, whole())).into();
            fields.extend(["time_s", "wall_s", "residual"].map(|name| (name, number())));
            fields.push(("smallest_gap_m", json!({ "type": ["number", "null"] })));
            ("silvia.Step", object(&fields))
        }
    }
}

fn scene_update(vector: Value, time: Value) -> Value {
    let pose = object(&[("position", vector.clone()), ("orientation", rotation())]);
    let colour = object(&["r", "g", "b", "a"].map(|name| (name, number())));
    let drawn = [
        ("pose", pose),
        ("points", list(vector)),
        ("color", colour.clone()),
        ("colors", list(colour)),
        ("indices", list(whole())),
    ];
    let line =
        [("type", whole()), ("thickness", number()), ("scale_invariant", json!({ "type": "boolean" }))];
    let line = object(&[drawn.as_slice(), &line].concat());
    // Kinds that are never written are empty lists of any type.
    let unused = ["arrows", "cubes", "spheres", "cylinders", "texts", "models"];
    let mut entity = vec![
        ("timestamp", time.clone()),
        ("frame_id", text()),
        ("id", text()),
        ("lifetime", time.clone()),
        ("frame_locked", json!({ "type": "boolean" })),
        ("metadata", list(object(&[("key", text()), ("value", text())]))),
        ("lines", list(line)),
        ("triangles", list(object(&drawn))),
    ];
    entity.extend(unused.map(|name| (name, list(json!({ "type": "object" })))));
    let deletion = object(&[("timestamp", time), ("type", whole()), ("id", text())]);
    object(&[("deletions", list(deletion)), ("entities", list(object(&entity)))])
}

fn rotation() -> Value {
    object(&["x", "y", "z", "w"].map(|name| (name, number())))
}

fn object(fields: &[(&str, Value)]) -> Value {
    let properties: serde_json::Map<String, Value> =
        fields.iter().map(|(name, kind)| ((*name).to_owned(), kind.clone())).collect();
    json!({ "type": "object", "properties": properties })
}

fn list(items: Value) -> Value {
    json!({ "type": "array", "items": items })
}

fn number() -> Value {
    json!({ "type": "number" })
}

fn whole() -> Value {
    json!({ "type": "integer" })
}

fn text() -> Value {
    json!({ "type": "string" })
}
