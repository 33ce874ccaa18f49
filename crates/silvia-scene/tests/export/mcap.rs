//! MCAP, read by the reader of the crate that wrote it; another one reads it in `readers.rs`.

use crate::{all, common, frames};
use serde_json::Value;
use silvia_scene::export::Format;
use std::collections::BTreeMap;

fn near(value: &Value, expected: f64) -> bool {
    value.as_f64().is_some_and(|value| value.to_bits() == expected.to_bits())
}

#[test]
fn messages_hold_what_was_recorded_at_its_time() {
    let sample = common::sample();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.mcap");
    all(&sample, Format::Mcap, &path);
    let bytes = std::fs::read(&path).unwrap();
    let mut by_topic: BTreeMap<String, Vec<(u64, Value)>> = BTreeMap::new();
    for message in mcap::MessageStream::new(&bytes).unwrap() {
        let message = message.unwrap();
        let schema = message.channel.schema.clone().unwrap();
        assert_eq!(
            (message.channel.message_encoding.as_str(), schema.encoding.as_str()),
            ("json", "jsonschema")
        );
        let schema: Value = serde_json::from_slice(&schema.data).unwrap();
        let content: Value = serde_json::from_slice(&message.data).unwrap();
        assert_described(&content, &schema);
        by_topic.entry(message.channel.topic.clone()).or_default().push((message.log_time, content));
    }
    let (frames, bodies) = (frames(&sample), &sample.header().bodies);
    let impacts: Vec<_> = frames.iter().flat_map(|frame| &frame.impacts).collect();
    let counts: Vec<(&str, usize)> =
        by_topic.iter().map(|(topic, all)| (topic.as_str(), all.len())).collect();
    let expected = [("/account", 51), ("/bodies", 1), ("/contacts", 51), ("/energy", 51), ("/forces", 51)];
    assert_eq!(counts[..5], expected);
    assert_eq!(counts[5..], [("/impacts", impacts.len()), ("/step", 51), ("/tf", 51)]);

    for (number, frame) in frames.iter().enumerate() {
        let (time, poses) = &by_topic["/tf"][number];
        assert_eq!(*time, 10_000_000 * number as u64, "a frame every 10 ms, in ns");
        for ((transform, body), pose) in
            poses["transforms"].as_array().unwrap().iter().zip(bodies).zip(&frame.poses)
        {
            assert_eq!(
                (&transform["parent_frame_id"], &transform["child_frame_id"]),
                (&"world".into(), &body.name.as_str().into())
            );
            assert_eq!(transform["timestamp"]["nsec"], *time);
            assert!(near(&transform["translation"]["z"], pose.translation().z));
            assert!(near(&transform["rotation"]["w"], pose.rotation().w));
        }
        let contacts = by_topic["/contacts"][number].1["contacts"].as_array().unwrap();
        let points = &by_topic["/forces"][number].1["entities"][0]["lines"][0]["points"];
        assert_eq!(
            (contacts.len(), points.as_array().unwrap().len()),
            (frame.contacts.len(), 2 * frame.contacts.len())
        );
        for (contact, expected) in contacts.iter().zip(&frame.contacts) {
            assert!(
                near(&contact["gap_m"], expected.gap) && near(&contact["force_N"]["z"], expected.force.z)
            );
        }
        assert!(near(&by_topic["/energy"][number].1["kinetic_J"], frame.energy.kinetic));
        assert_eq!(by_topic["/step"][number].1["step"], frame.step);
    }
    for ((time, message), row) in by_topic["/account"].iter().zip(sample.accounts().unwrap()) {
        assert_eq!((*time, &message["step"]), ((1e9 * row.time).round() as u64, &row.step.into()));
        assert!(near(&message["friction_J"], row.account.energy.friction));
        assert!(near(&message["flowed_J"], row.account.flowed()));
        assert!(near(&message["contacts_N_s"]["z"], row.account.momentum.contacts.z));
        assert!(message["motion_error"].is_null());
    }
    for ((time, message), impact) in by_topic["/impacts"].iter().zip(&impacts) {
        assert!(
            (*time as f64 - 1e9 * impact.time).abs() <= 0.5 && near(&message["speed_m_per_s"], impact.speed)
        );
    }
    let entities = by_topic["/bodies"][0].1["entities"].as_array().unwrap();
    for (entity, body) in entities.iter().zip(bodies) {
        assert_eq!(
            (&entity["id"], &entity["frame_id"]),
            (&body.name.as_str().into(), &body.name.as_str().into())
        );
        let triangles = &entity["triangles"][0];
        assert_eq!(triangles["indices"].as_array().unwrap().len(), 3 * body.mesh.triangles.len());
        assert!(near(&triangles["points"][3]["x"], body.mesh.points[3].x));
    }
    assert_eq!(entities.len(), bodies.len());
}

/// As far as our schemas go: kinds of values, and no field that is not in them.
fn assert_described(value: &Value, schema: &Value) {
    let is = |kind: &str| match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64(),
        "number" => value.is_number(),
        "null" => value.is_null(),
        other => panic!("{other}"),
    };
    let kinds = schema["type"].as_array().cloned().unwrap_or_else(|| vec![schema["type"].clone()]);
    assert!(kinds.iter().any(|kind| is(kind.as_str().unwrap())), "{value} is not {schema}");
    for (name, field) in value.as_object().into_iter().flatten() {
        assert!(!schema["properties"][name].is_null(), "no schema for {name}");
        assert_described(field, &schema["properties"][name]);
    }
    for item in value.as_array().into_iter().flatten() {
        assert_described(item, &schema["items"]);
    }
}
