//! Compares a text with the schema of scenes: unknown fields, missing fields, values of the wrong type. Finds
//! all of them at once.

use super::finding::{Finding, Severity};
use super::hints::{SPRINGS, form, hint, stands_for};
use super::schema::schema;
use super::spelling::{instead, meant};
use super::tree::{Entry, Node, Path, Tree, Value};
use super::written::WrittenShape;
use serde_json::Value as Json;

/// All deviations from the schema.
pub(super) fn walk(tree: &Tree) -> Deviations {
    let found = Deviations::default();
    let mut walk = Walk { tree, schema: schema(), found };
    walk.value(tree.root(), walk.schema, &Path::root());
    walk.found
}

/// What of a text is not as the schema has it.
#[derive(Debug, Default)]
pub(super) struct Deviations {
    pub(super) findings: Vec<Finding>,
    /// The values without which the text would fit the schema.
    pub(super) broken: Vec<Path>,
    /// The fields that there are not: without them, the rest is read all the same.
    pub(super) unknown: Vec<Path>,
    /// The known fields that unknown ones were probably meant to be.
    pub(super) meant: Vec<Path>,
    /// Whether something that others refer to by name may be missing without them.
    pub(super) lacks_names: bool,
}

struct Walk<'a> {
    tree: &'a Tree,
    /// The root, which contains the definitions.
    schema: &'static Json,
    found: Deviations,
}

impl Walk<'_> {
    fn value(&mut self, node: &Node, schema: &'static Json, path: &Path) {
        if let Value::Float(number) = node.value
            && !number.is_finite()
        {
            return self.wrong(
                path,
                format!("a number must be finite, not {number}"),
                "give a number".to_owned(),
            );
        }
        if let (Value::List(nodes), Some("colour")) = (&node.value, path.last_key())
            && let Some((what, remedy)) = of_fractions(nodes)
        {
            return self.wrong(path, what, remedy);
        }
        let schema = self.resolved(schema);
        if let Some(choices) = schema.get("anyOf").or(schema.get("oneOf")).and_then(Json::as_array) {
            let fits = |choice: &&'static Json| self.is_of_kind(node, self.resolved(choice));
            return match choices.iter().find(fits) {
                Some(choice) => self.value(node, choice, path),
                None => match constants(choices) {
                    Some(words) => self.word(node, &words, path),
                    None => self.kind(node, schema, path),
                },
            };
        }
        if !self.is_of_kind(node, schema) {
            return self.kind(node, schema, path);
        }
        if let Some(words) = schema.get("enum").and_then(Json::as_array) {
            let words: Vec<&str> = words.iter().filter_map(Json::as_str).collect();
            return self.word(node, &words, path);
        }
        match &node.value {
            Value::Table(entries) => self.table(node, entries, schema, path),
            Value::List(nodes) => self.list(nodes, schema, path),
            Value::Integer(number) => self.integer(*number, schema, path),
            _ => {}
        }
    }

    fn table(&mut self, node: &Node, entries: &[Entry], schema: &'static Json, path: &Path) {
        let Some(properties) = schema.get("properties").and_then(Json::as_object) else { return };
        let required = schema.get("required").and_then(Json::as_array).into_iter().flatten();
        let required = required.filter_map(Json::as_str);
        for entry in entries {
            let inner = path.key(&entry.key);
            match properties.get(&entry.key) {
                Some(property) => {
                    self.value(&entry.node, property, &inner);
                    let is_required = required.clone().any(|field| field == entry.key);
                    if is_required && self.found.broken.contains(&inner) {
                        self.found.broken.push(path.clone());
                    }
                }
                None => {
                    self.found.lacks_names |=
                        path_is_top(&inner) && matches!(entry.node.value, Value::List(_));
                    let known: Vec<&str> = properties.keys().map(String::as_str).collect();
                    let shape = self.shape_instead_of(entry, properties);
                    // Of the tables with a shape, bodies alone have a role.
                    let table = match properties.contains_key("turning_stiffness") {
                        true => Some(SPRINGS),
                        false => path.last_key().filter(|_| !properties.contains_key("role")),
                    };
                    let is_placed = table.is_some() || properties.contains_key("role");
                    let hint = is_placed.then(|| hint(table, entry)).flatten();
                    let word = match &shape {
                        Some((word, _)) => Some(*word),
                        None if hint.is_some() => None,
                        None if instead(&entry.key).is_some() => None,
                        None => meant(&entry.key, known.iter().copied()),
                    };
                    let word = word.filter(|word| !entries.iter().any(|entry| entry.key == *word));
                    let word = word.or(hint.as_ref().and_then(|_| stands_for(table, &entry.key)));
                    self.found.meant.extend(word.map(|word| path.key(word)));
                    let remedy = shape.map(|(_, remedy)| remedy).or(hint);
                    let remedy = remedy.unwrap_or_else(|| self.instead_of(&entry.key, known));
                    let what = "there is no such field".to_owned();
                    self.found.unknown.push(inner.clone());
                    self.found.findings.push(self.tree.finding_at(&entry.span, &inner, what, remedy));
                }
            }
        }
        for field in required {
            if entries.iter().any(|entry| entry.key == field) {
                continue;
            }
            self.found.broken.push(path.clone());
            // Under another name it has been told.
            if !self.found.meant.contains(&path.key(field)) {
                let of = |property: &'static Json| property.get("description").and_then(Json::as_str);
                let property = properties.get(field);
                let told = property.and_then(|property| of(property).or(of(self.resolved(property))));
                let what = format!("`{field}` is missing");
                let remedy = format!("give it ({})", first_sentence(told.unwrap_or(field)));
                self.found.findings.push(self.tree.finding_at(&node.span, path, what, remedy));
            }
        }
    }

    fn list(&mut self, nodes: &[Node], schema: &'static Json, path: &Path) {
        let bound = |name: &str| schema.get(name).and_then(Json::as_u64).map(|count| count as usize);
        let (least, most) = (bound("minItems").unwrap_or(0), bound("maxItems").unwrap_or(usize::MAX));
        if !(least..=most).contains(&nodes.len()) {
            let is_one = nodes.len() == 1;
            let what = format!("this list has {} {}", nodes.len(), if is_one { "entry" } else { "entries" });
            return self.wrong(path, what, format!("give {least}"));
        }
        let each = schema.get("prefixItems").and_then(Json::as_array);
        for (index, node) in nodes.iter().enumerate() {
            let schema = each.and_then(|each| each.get(index)).or(schema.get("items"));
            let inner = path.index(index);
            if let Some(schema) = schema {
                self.value(node, schema, &inner);
            }
            if self.found.broken.contains(&inner) {
                // Without the one, the others would change places.
                self.found.lacks_names |= path_is_top(path);
                self.found.broken.push(path.clone());
            }
        }
    }

    fn integer(&mut self, number: Option<i64>, schema: &Json, path: &Path) {
        if schema.get("type").and_then(Json::as_str) != Some("integer") {
            return;
        }
        let bound = |name: &str| schema.get(name).and_then(Json::as_i64);
        let (least, most) = (bound("minimum").unwrap_or(i64::MIN), bound("maximum").unwrap_or(i64::MAX));
        match number {
            None => {
                self.wrong(path, "this number is too large".to_owned(), "give a smaller one".to_owned());
            }
            Some(number) if number < least => {
                let what = format!("this must be {least} or more, not {number}");
                self.wrong(path, what, "give another number".to_owned());
            }
            Some(number) if number > most => {
                let what = format!("this must be {most} or less, not {number}");
                self.wrong(path, what, "give another number".to_owned());
            }
            Some(_) => {}
        }
    }

    /// Checks a word that must be one of several.
    fn word(&mut self, node: &Node, words: &[&str], path: &Path) {
        match &node.value {
            Value::Text(word) if words.contains(&word.as_str()) => {}
            Value::Text(word) => {
                let remedy = match meant(word, words.iter().copied()) {
                    Some(word) => format!("did you mean \"{word}\"? It can be {}", words.join(", ")),
                    None => format!("it can be {}", words.join(", ")),
                };
                self.wrong(path, format!("\"{word}\" is unknown here"), remedy);
            }
            other => {
                let remedy = format!("give one of {}, in quotes", words.join(", "));
                self.wrong(path, format!("this is {other}, but must be a string"), remedy);
            }
        }
    }

    /// Reports a value of the wrong type.
    fn kind(&mut self, node: &Node, schema: &'static Json, path: &Path) {
        let wanted = self.kinds(schema);
        let words: Vec<&str> = wanted.iter().map(|kind| in_words(kind)).collect();
        let remedy = match (wanted.first().copied(), schema.get("minItems").and_then(Json::as_u64)) {
            (Some("number"), _) if wanted.contains(&"string") => {
                let example = schema.pointer("/examples/0").and_then(Json::as_str).unwrap_or("5 mm");
                let remedy = format!("write it like 5 or \"{example}\"");
                let what = format!("this is {}, but must be {}", node.value, words.join(" or "));
                return self.wrong(path, what, remedy);
            }
            (Some("number"), _) if matches!(node.value, Value::List(_)) => "give a single one, like 0.5",
            (Some("number"), _) => "write it without quotes, like 0.5",
            (Some("integer"), _) => "write it without quotes and without a point, like 5",
            (Some("string"), _) if path.last_key() == Some("material") => {
                "give its name, like \"steel\", and its friction under [[material]]"
            }
            (Some("string"), _) => "write it in quotes, like \"name\"",
            (Some("boolean"), _) => "write true or false, without quotes",
            (Some("array"), Some(2)) => "write it in brackets: [a, b]",
            (Some("array"), Some(3)) => "write it in brackets: [x, y, z]",
            (Some("array"), _) if path_is_top(path) => {
                "begin each with its name in double brackets, like [[body]]"
            }
            (Some("array"), _) if matches!(node.value, Value::Table(_)) => {
                "put brackets around the braces: [{ ... }]"
            }
            (Some("array"), _) => "write it in brackets",
            _ => {
                let remedy = format!("write it in braces, like {}", self.example(node, schema, path));
                let what = format!("this is {}, but must be {}", node.value, words.join(" or "));
                return self.wrong(path, what, remedy);
            }
        };
        let what = format!("this is {}, but must be {}", node.value, words.join(" or "));
        self.found.lacks_names |= path_is_top(path);
        self.wrong(path, what, remedy.to_owned());
    }

    /// How a table that was given as something else is written: as what was meant, where that can be told.
    fn example(&self, node: &Node, schema: &'static Json, path: &Path) -> String {
        if let (Value::List(numbers), Some("rotation")) = (&node.value, path.last_key()) {
            let numbers: Vec<String> = numbers.iter().map(Node::number).collect();
            return match &numbers[..] {
                [w, x, y, z] => format!("{{ quaternion = [{w}, {x}, {y}, {z}] }}, the real part first"),
                [x, y, z] => format!("{{ x = {x}, y = {y}, z = {z} }}, angles about these axes"),
                _ => "{ z = 90 }, angles about axes".to_owned(),
            };
        }
        if let Some(form) = path.last_key().and_then(form) {
            return form.to_owned();
        }
        // With the numbers that were given, where they fit.
        let number = match &node.value {
            Value::Integer(_) | Value::Float(_) => node.number(),
            _ => "1".to_owned(),
        };
        let vector = match &node.value {
            Value::List(numbers) if numbers.len() == 3 => {
                numbers.iter().map(Node::number).collect::<Vec<_>>().join(", ")
            }
            _ => [number.as_str(); 3].join(", "),
        };
        let fields = self.resolved(schema).get("properties").and_then(Json::as_object);
        match fields.and_then(|fields| fields.iter().next()) {
            Some((field, inner)) if self.kinds(self.resolved(inner)).contains(&"array") => {
                format!("{{ {field} = [{vector}] }}")
            }
            Some((field, _)) => format!("{{ {field} = {number} }}"),
            None => format!("{{ radius = {number} }}"),
        }
    }

    fn wrong(&mut self, path: &Path, what: String, remedy: String) {
        self.found.findings.push(self.tree.finding(Severity::Error, path, what, remedy));
        self.found.broken.push(path.clone());
    }

    /// The schema with references followed.
    fn resolved(&self, schema: &'static Json) -> &'static Json {
        let target = schema.get("$ref").and_then(Json::as_str).and_then(|name| name.strip_prefix('#'));
        target.and_then(|pointer| self.schema.pointer(pointer)).unwrap_or(schema)
    }

    /// The types of value allowed.
    fn kinds(&self, schema: &'static Json) -> Vec<&'static str> {
        match (schema.get("type"), schema.get("anyOf").or(schema.get("oneOf")).and_then(Json::as_array)) {
            (Some(Json::String(kind)), _) => vec![kind],
            (Some(Json::Array(kinds)), _) => kinds.iter().filter_map(Json::as_str).collect(),
            (_, Some(choices)) => {
                choices.iter().flat_map(|choice| self.kinds(self.resolved(choice))).collect()
            }
            _ => Vec::new(),
        }
    }

    fn is_of_kind(&self, node: &Node, schema: &'static Json) -> bool {
        if let Some(word) = schema.get("const").and_then(Json::as_str) {
            return matches!(&node.value, Value::Text(text) if text == word);
        }
        let wanted = self.kinds(schema);
        wanted.is_empty()
            || wanted.iter().any(|kind| match &node.value {
                Value::Table(_) => *kind == "object",
                Value::List(_) => *kind == "array",
                Value::Text(_) => *kind == "string",
                Value::Integer(_) => matches!(*kind, "integer" | "number"),
                Value::Float(_) => *kind == "number",
                Value::Boolean => *kind == "boolean",
                Value::Datetime => false,
            })
    }

    /// The shape that is named by the value of a field, as in `type = "box"`, and the remedy: here the shape
    /// is the field. None if it names none.
    fn shape_instead_of(
        &self,
        entry: &Entry,
        properties: &'static serde_json::Map<String, Json>,
    ) -> Option<(&'static str, String)> {
        let Value::Text(text) = &entry.node.value else { return None };
        if !KINDS.contains(&entry.key.as_str()) || !properties.contains_key("sphere") {
            return None;
        }
        let shapes = WrittenShape::WORDS.into_iter().filter(|word| properties.contains_key(*word));
        let word = meant(text, shapes)?;
        let schema = self.resolved(&properties[word]);
        let example = match self.kinds(schema) {
            kinds if kinds.contains(&"object") => {
                match form(word).and_then(|form| form.split_inclusive('}').next()) {
                    Some(form) => form.to_owned(),
                    None => self.example(&entry.node, schema, &Path::root()),
                }
            }
            kinds if kinds.contains(&"string") => "\"...\"".to_owned(),
            _ => "[...]".to_owned(),
        };
        Some((word, format!("write `{word} = {example}`: a shape is named by its own field")))
    }

    /// The remedy for a field that is unknown at this place.
    fn instead_of(&self, field: &str, mut known: Vec<&'static str>) -> String {
        // First, or `fixed` would be taken for a misspelled `file`.
        if let Some(instead) = instead(field) {
            return instead.to_owned();
        }
        if let Some(word) = meant(field, known.iter().copied()) {
            return format!("did you mean `{word}`?");
        }
        let homes = self.homes();
        if let Some(word) = meant(field, homes.iter().map(|(word, _)| *word)) {
            let mut of: Vec<&str> =
                homes.iter().filter(|(other, _)| *other == word).map(|(_, home)| &home[..]).collect();
            of.dedup();
            let of = of.join(" or ");
            return if word == field {
                format!("it belongs to {of}")
            } else {
                format!("did you mean `{word}` of {of}?")
            };
        }
        known.sort_unstable();
        format!("the fields here are {}", known.join(", "))
    }

    /// All fields of the scene and of its tables, with the tables they belong to.
    fn homes(&self) -> Vec<(&'static str, String)> {
        let Some(tables) = self.schema.get("properties").and_then(Json::as_object) else { return Vec::new() };
        let mut homes: Vec<(&str, String)> = Vec::new();
        for (name, table) in tables {
            let table = self.resolved(table);
            let (inner, heading) = match table.get("items") {
                Some(item) => (self.resolved(item), format!("[[{name}]]")),
                None => (table, format!("[{name}]")),
            };
            homes.push((name, "the top of the file".to_owned()));
            let fields = inner.get("properties").and_then(Json::as_object).into_iter().flatten();
            homes.extend(fields.map(|(field, _)| (field.as_str(), heading.clone())));
        }
        homes
    }
}

/// Fields by which other programs say what shape something has.
const KINDS: [&str; 5] = ["type", "kind", "shape", "geometry", "geom"];

/// What is wrong with a colour of numbers that are not whole: fractions of 1, as other programs have them.
/// Told once, not once an entry.
fn of_fractions(nodes: &[Node]) -> Option<(String, String)> {
    let number = |node: &Node| match node.value {
        Value::Float(number) => Some(number),
        Value::Integer(Some(number)) => Some(number as f64),
        _ => None,
    };
    let numbers: Vec<f64> = nodes.iter().map(number).collect::<Option<_>>()?;
    if !nodes.iter().any(|node| matches!(node.value, Value::Float(_))) {
        return None;
    }
    let scale = if numbers.iter().all(|number| (0.0..=1.0).contains(number)) { 255.0 } else { 1.0 };
    let bytes: Vec<String> =
        numbers.iter().map(|number| (scale * number).round().clamp(0.0, 255.0).to_string()).collect();
    let what = "a colour has whole numbers from 0 to 255".to_owned();
    Some((what, format!("write it like [{}]", bytes.join(", "))))
}

/// The words of an enumeration.
fn constants(choices: &[Json]) -> Option<Vec<&str>> {
    choices.iter().map(|choice| choice.get("const").and_then(Json::as_str)).collect()
}

fn path_is_top(path: &Path) -> bool {
    path.len() == 1
}

fn in_words(kind: &str) -> &'static str {
    match kind {
        "number" => "a number",
        "integer" => "a whole number",
        "string" => "a string",
        "boolean" => "true or false",
        "array" => "a list",
        _ => "a table",
    }
}

fn first_sentence(text: &str) -> &str {
    let end = text.find(['.', ';', ':']).unwrap_or(text.len());
    &text[..end]
}
