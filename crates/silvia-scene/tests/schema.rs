//! The JSON Schema and the tables of the guide are those of the types. After a change that is meant,
//! `INSTA_UPDATE=always cargo test -p silvia-scene --test schema` writes both anew.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use serde_json::Value;
use silvia_scene::scene::schema;
use silvia_scene::scene::written::WrittenShape;
use std::fmt::Write;
use std::path::Path;

#[test]
fn the_schema_in_the_guide_is_that_of_the_types() {
    compare("scene.schema.json", &format!("{:#}\n", schema()));
}

#[test]
fn the_tables_in_the_guide_have_every_field() {
    compare("scene-fields.md", &tables());
}

#[test]
fn every_field_is_described() {
    for (name, table) in all_tables() {
        for (field, value) in table["properties"].as_object().into_iter().flatten() {
            assert!(value["description"].is_string(), "{name}.{field}");
        }
    }
}

#[test]
fn the_words_for_shapes_are_fields() {
    for word in WrittenShape::WORDS {
        assert!(definition("part")["properties"][word].is_object(), "{word}");
    }
}

fn compare(name: &str, made: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/generated").join(name);
    if std::env::var_os("INSTA_UPDATE").is_some_and(|word| word == "always") {
        std::fs::write(&path, made).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == made, "{} is not what the types say: run with INSTA_UPDATE=always", path.display());
}

/// In the order in which people meet them; shapes come last.
fn all_tables() -> Vec<(&'static str, &'static Value)> {
    let first = [
        "units",
        "solver",
        "run",
        "record",
        "view",
        "material",
        "law",
        "watch",
        "hand-with-springs",
        "spiral",
        "wiggle",
        "goal",
        "part",
        "body",
        "rotation",
        "inertia",
        "load",
        "script",
        "hand",
        "timed-pose",
        "timed-velocity",
        "row",
        "grid",
        "ring",
        "placed",
    ];
    let definitions = schema()["$defs"].as_object().unwrap();
    let mut tables: Vec<(&str, &Value)> = vec![("scene", schema())];
    tables.extend(first.map(|name| (name, definition(name))));
    let is_rest = |name: &&String| !first.contains(&name.as_str());
    let rest = definitions.keys().filter(is_rest).map(|name| (name.as_str(), definition(name)));
    tables.extend(rest.filter(|(_, table)| table["properties"].is_object()));
    tables
}

fn definition(name: &str) -> &'static Value {
    let found = &schema()["$defs"][name];
    assert!(found.is_object(), "there is no table {name}");
    found
}

fn tables() -> String {
    let mut text = String::from("<!-- Made from the types by the tests of silvia-scene. -->\n");
    let is_of_shape =
        |field: &str| WrittenShape::WORDS.contains(&field) || ["unit", "surface"].contains(&field);
    for (name, table) in all_tables() {
        let heading = match name {
            "scene" => "The top of the file".to_owned(),
            "material" | "law" | "part" | "body" | "watch" | "goal" => format!("`[[{name}]]`"),
            "hand-with-springs" => "`[[hand]]`".to_owned(),
            "units" | "solver" | "run" | "record" | "view" => format!("`[{name}]`"),
            "load" => "`[[body.load]]`".to_owned(),
            "placed" => "An entry of `compound`".to_owned(),
            "timed-pose" => "An entry of `poses`".to_owned(),
            "timed-velocity" => "An entry of `velocities`".to_owned(),
            "peg" => "`peg`, `hole`".to_owned(),
            "bolt" => "`bolt`, `countersink`".to_owned(),
            "screw" => "`screw`, `nut`".to_owned(),
            "hex-bolt" => "`hex_bolt`, `hex_nut`".to_owned(),
            "snap-hook" => "`snap_hook`, `snap_slot`".to_owned(),
            "cross-screw" => "`cross_screw`, `screwdriver`".to_owned(),
            "key" => "`key`, `pocket`".to_owned(),
            "dovetail" => "`tail`, `socket`".to_owned(),
            "bracket" => "`l_bracket`, `t_bracket`".to_owned(),
            other => format!("`{}`", other.replace('-', "_")),
        };
        writeln!(text, "\n### {heading}\n").unwrap();
        if let Some(about) = table["description"].as_str() {
            writeln!(text, "{}\n", one_line(about)).unwrap();
        }
        if ["body", "placed"].contains(&name) {
            writeln!(text, "Besides these, one of the shapes of a [part](#part) as a field of its own.\n")
                .unwrap();
        }
        writeln!(text, "| field | value | |\n|---|---|---|").unwrap();
        let required: Vec<&str> =
            table["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        for (field, value) in table["properties"].as_object().unwrap() {
            if ["body", "placed"].contains(&name) && is_of_shape(field) {
                continue;
            }
            let star = if required.contains(&field.as_str()) { "*" } else { "" };
            let what = one_line(value["description"].as_str().unwrap_or_default());
            writeln!(text, "| `{field}`{star} | {} | {what} |", kind(value)).unwrap();
        }
    }
    text.push_str("\nFields with a star must be given.\n");
    text
}

/// The kind of a value in words.
fn kind(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str().and_then(|name| name.strip_prefix("#/$defs/")) {
        let target = definition(name);
        return match () {
            () if target["properties"].is_object() => "table".to_owned(),
            () if target["oneOf"].is_array() => "word".to_owned(),
            () if name.starts_with("one-or-three") => "number, or list of three".to_owned(),
            () if target["anyOf"].is_array() => "text or list".to_owned(),
            () => name.replace('-', " "),
        };
    }
    let count = schema["minItems"].as_u64();
    match schema["type"].as_str() {
        Some("array") if schema["prefixItems"].is_array() => {
            let each = schema["prefixItems"].as_array().into_iter().flatten().map(kind);
            format!("[{}]", each.collect::<Vec<_>>().join(", "))
        }
        Some("array") => match (count, kind(&schema["items"])) {
            (Some(count), inner) => format!("{count} × {inner}"),
            (None, inner) if inner == "table" => "tables".to_owned(),
            (None, inner) => format!("list of {inner}"),
        },
        Some("string") => "text".to_owned(),
        Some("integer") => "whole number".to_owned(),
        Some("boolean") => "true or false".to_owned(),
        Some(other) => other.to_owned(),
        None => "pair".to_owned(),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}
