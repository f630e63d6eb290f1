//! The former `fields` of a state schema, turned into properties.

use super::StateField;
use super::form::{Part, Reader};
use crate::path::{StatePath, parse_segments};
use crate::value::{Object, Value, repr_text};

/// The schema without `fields`: each of them has become a property at its path.
pub(super) fn without_fields(schema: &Object, reader: &mut Reader) -> Option<Object> {
    let mut canonical = schema.clone();
    let Some(fields) = canonical.remove("fields") else { return Some(canonical) };
    let before = reader.problem_count();
    reader.in_field("fields", |reader| match &fields {
        Value::List(items) => {
            for (index, item) in items.iter().enumerate() {
                reader.in_item(index, |reader| {
                    if let Some(field) = StateField::read(item, reader) {
                        place(&mut canonical, &field, reader);
                    }
                });
            }
        }
        Value::Object(entries) => {
            for (key, entry) in entries {
                reader.in_key(key, |reader| {
                    if let Some(field) = map_entry(key, entry, reader) {
                        place(&mut canonical, &field, reader);
                    }
                });
            }
        }
        _ => reader.problem("document.type", "state_schema.fields must be a mapping or list"),
    });
    (reader.problem_count() == before).then_some(canonical)
}

/// An entry of the map form; its key is the path, with or without `state` before it.
fn map_entry(key: &str, entry: &Value, reader: &mut Reader) -> Option<StateField> {
    let typed = ["type", "schema", "validation_schema"];
    let Some(entry) = entry.as_object().filter(|entry| typed.iter().any(|key| entry.contains_key(key))) else {
        reader.problem(
            "state.legacy_field",
            "legacy state field map entries must include 'type'; use canonical list form for non-legacy declarations",
        );
        return None;
    };
    let path = parse_segments(key).and_then(|segments| {
        let below = match segments.split_first() {
            Some((first, rest)) if first.as_ref() == "state" && !rest.is_empty() => rest.to_vec(),
            _ => segments,
        };
        StatePath::new(below)
    });
    let path = path.map_err(|error| reader.problem(error.code(), error.to_string())).ok()?;
    let mut field = entry.clone();
    field.insert("path", path.to_string());
    StateField::read(&Value::Object(field), reader)
}

/// Puts a field at its path; parents that are missing become objects.
fn place(schema: &mut Object, field: &StateField, reader: &mut Reader) {
    let parts = field.path.parts();
    let dotted = repr_text(&parts.join("."));
    let Some((last, parents)) = parts.split_last() else { return };
    let mut properties = child_object(schema, "properties");
    for parent in parents {
        let Some(open) = properties else { break };
        if !open.contains_key(parent) {
            let empty = Object::from_iter([("type", Value::from("object")), ("properties", Object::new().into())]);
            open.insert(parent.clone(), empty);
        }
        properties = match open.get_mut(parent) {
            Some(Value::Object(parent)) if parent.get("type").is_none_or(|name| name.as_str() == Some("object")) => {
                child_object(parent, "properties")
            }
            _ => None,
        };
    }
    let Some(properties) = properties else {
        reader.problem("state.overlapping_field", format!("state field path {dotted} overlaps"));
        return;
    };
    if properties.contains_key(last) {
        reader.problem("state.duplicate_field", format!("duplicate state field path {dotted}"));
        return;
    }
    let mut leaf = field.schema.as_object().clone();
    leaf.insert("reducer", field.reducer.write_short());
    if !field.trace {
        leaf.insert("trace", false);
    }
    if let Some(default) = &field.default {
        leaf.insert("default", default.clone());
    }
    properties.insert(last.clone(), leaf);
}

/// The object at `key`, made when it is missing; `None` when something else is there.
fn child_object<'o>(object: &'o mut Object, key: &str) -> Option<&'o mut Object> {
    if !object.contains_key(key) {
        object.insert(key, Object::new());
    }
    match object.get_mut(key) {
        Some(Value::Object(child)) => Some(child),
        _ => None,
    }
}
