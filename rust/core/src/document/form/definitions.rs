//! JSON Schemas of documents, with the documents inside them under `$defs`.

use indexmap::IndexMap;

use super::{Document, FieldInfo, Tag, UnknownKeys};
use crate::value::{Object, Value};

/// The definitions that a JSON Schema refers to.
#[derive(Debug, Default)]
pub struct Definitions {
    entries: IndexMap<&'static str, Definition>,
}

#[derive(Debug, Default)]
struct Definition {
    schema: Value,
    references: usize,
}

impl Definitions {
    /// A reference to the definition of that name; `build` makes it when it is not there yet.
    pub fn reference(&mut self, name: &'static str, build: impl FnOnce(&mut Self) -> Value) -> Value {
        if let Some(known) = self.entries.get_mut(name) {
            known.references += 1;
        } else {
            // The entry comes first, so that a definition may refer to itself.
            self.entries.insert(name, Definition { schema: Value::Null, references: 1 });
            let schema = build(self);
            if let Some(entry) = self.entries.get_mut(name) {
                entry.schema = schema;
            }
        }
        object([("$ref", Value::from(format!("#/$defs/{name}")))])
    }

    /// A reference to a document's own definition.
    pub fn document<D: Document>(&mut self, build: impl FnOnce(&mut Self) -> Value) -> Value {
        self.reference(D::NAME, build)
    }

    /// The schema of a text that is one of the words.
    pub fn words(words: &[&str]) -> Value {
        object([
            ("type", Value::from("string")),
            ("enum", Value::List(words.iter().map(|word| Value::from(*word)).collect())),
        ])
    }

    /// The schema of what meets one of the schemas.
    pub fn any_of(schemas: Vec<Value>) -> Value {
        any_of(schemas)
    }

    /// The schema of a union whose variants are told apart by the word at `key`.
    pub fn one_of(key: &str, words: &[&str], variants: Vec<Value>) -> Value {
        let mapping: Object = words
            .iter()
            .zip(&variants)
            .filter_map(|(word, variant)| Some((*word, variant.as_object()?.get("$ref")?.clone())))
            .collect();
        object([
            ("discriminator", object([("mapping", mapping.into()), ("propertyName", Value::from(key))])),
            ("oneOf", Value::List(variants.into())),
        ])
    }

    /// The schema of null.
    pub fn null() -> Value {
        typed("null")
    }

    /// The schema of a document that is written as an object; `schemas` holds each field's schema and default.
    pub fn object_schema(
        name: &str,
        description: &str,
        tag: Option<Tag>,
        fields: &[FieldInfo],
        schemas: Vec<(Value, Option<Value>)>,
        unknown: UnknownKeys,
    ) -> Value {
        let mut properties = Object::with_capacity(fields.len() + 1);
        if let Some(tag) = tag {
            properties.insert(tag.key, object([("type", Value::from("string")), ("const", Value::from(tag.word))]));
        }
        let mut required: Vec<Value> = Vec::new();
        for (field, (schema, default)) in fields.iter().zip(schemas) {
            properties.insert(field.name, described(schema, field.description, default));
            if field.required {
                required.push(Value::from(field.name));
            }
        }
        let mut schema = Object::from_iter([
            ("title", Value::from(name)),
            ("description", Value::from(description)),
            ("type", Value::from("object")),
            ("properties", Value::Object(properties)),
        ]);
        if !required.is_empty() {
            schema.insert("required", required);
        }
        if unknown == UnknownKeys::Forbid {
            schema.insert("additionalProperties", false);
        }
        Value::Object(schema)
    }

    /// The finished schema: the definition of `name` at the top, unless it refers to itself.
    pub(super) fn into_schema(mut self, schema: Value, name: &str) -> Value {
        let top = match self.entries.get(name) {
            Some(definition) if definition.references == 1 => {
                self.entries.shift_remove(name).map_or(Value::Null, |definition| definition.schema)
            }
            _ => schema,
        };
        let mut finished = Object::new();
        if !self.entries.is_empty() {
            self.entries.sort_unstable_keys();
            let definitions: Object =
                self.entries.into_iter().map(|(name, definition)| (name, definition.schema)).collect();
            finished.insert("$defs", definitions);
        }
        if let Value::Object(top) = top {
            for (key, value) in &top {
                finished.insert(key.clone(), value.clone());
            }
        }
        Value::Object(finished)
    }
}

/// A JSON object of the given entries.
pub(crate) fn object<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::Object(Object::from_iter(entries))
}

/// `{"type": …}`.
pub(crate) fn typed(name: &str) -> Value {
    object([("type", Value::from(name))])
}

/// `{"anyOf": […]}`.
pub(crate) fn any_of(schemas: Vec<Value>) -> Value {
    object([("anyOf", Value::List(schemas.into()))])
}

/// Describes a field: its schema with the description and the default beside it.
fn described(schema: Value, description: &str, default: Option<Value>) -> Value {
    let Value::Object(mut schema) = schema else { return schema };
    schema.insert("description", description);
    if let Some(default) = default {
        schema.insert("default", default);
    }
    Value::Object(schema)
}
