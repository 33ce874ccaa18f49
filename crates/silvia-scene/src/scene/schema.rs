//! The JSON Schema of scene files, generated from the types that read them.

use super::written::WrittenScene;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};
use std::sync::LazyLock;

/// The JSON Schema (draft 2020-12) of scene files, for editors and for the guide. The scene reader uses it
/// too.
pub fn schema() -> &'static Value {
    &SCHEMA
}

static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    let generator = SchemaSettings::draft2020_12().into_generator();
    let mut schema = generator.into_root_schema_for::<WrittenScene>().to_value();
    tidy(&mut schema);
    schema
});

/// Removes what TOML does not need: values are never null. Tables accept only the fields described.
fn tidy(schema: &mut Value) {
    match schema {
        Value::Array(all) => all.iter_mut().for_each(tidy),
        Value::Object(object) => {
            object.shift_remove("default");
            object.shift_remove("format");
            if let Some(Value::Array(types)) = object.get_mut("type") {
                types.retain(|word| word != "null");
                if let [only] = &types[..] {
                    let only = only.clone();
                    object.insert("type".to_owned(), only);
                }
            }
            if let Some(Value::Array(choices)) = object.get_mut("anyOf") {
                choices.retain(|choice| *choice != json!({ "type": "null" }));
                if let [Value::Object(only)] = &choices[..] {
                    let only = only.clone();
                    object.shift_remove("anyOf");
                    object.extend(only);
                }
            }
            if object.contains_key("properties") {
                object.insert("additionalProperties".to_owned(), Value::Bool(false));
            }
            object.values_mut().for_each(tidy);
        }
        _ => {}
    }
}
