//! The judge: the `jsonschema` crate decides about every value that the filter does not accept.

use jsonschema::error::ValidationErrorKind;
use jsonschema::{Draft, PatternOptions, Registry, ValidationError, Validator};
use num_bigint::BigInt;
use serde_json::Value as Json;

use super::error::SchemaError;
use super::order;
use super::repr::ReprStr;
use super::{Violation, message};
use crate::value::Value;

/// Deepest nesting of a value or a schema that is checked; the judge recurses along both.
pub(super) const MAX_DEPTH: usize = 256;

/// Where a document stands when only a part of it is the schema.
const DOCUMENT: &str = "urn:wf:schema";

/// A schema as the `jsonschema` crate has compiled it.
#[derive(Debug)]
pub(super) struct Judge {
    validator: Validator,
}

impl Judge {
    /// Compiles a whole document.
    pub(super) fn new(root: &Value) -> Result<Self, SchemaError> {
        let document = to_json(root).ok_or(SchemaError::TooDeep { limit: MAX_DEPTH })?;
        let validator = options().build(&document).map_err(|error| schema_error(&error))?;
        Ok(Self { validator })
    }

    /// Compiles the part of a document at a pointer; references in it still mean the whole document.
    pub(super) fn part(root: &Value, pointer: &str) -> Result<Self, SchemaError> {
        let document = to_json(root).ok_or(SchemaError::TooDeep { limit: MAX_DEPTH })?;
        let dialect = document.get("$schema").cloned();
        let registry = Registry::new()
            .draft(Draft::default().detect(&document))
            .retriever(Nowhere)
            .add(DOCUMENT, document)
            .and_then(jsonschema::RegistryBuilder::prepare)
            .map_err(|error| SchemaError::UnresolvedReference { message: error.to_string() })?;
        let mut entry = serde_json::Map::new();
        entry.extend(dialect.map(|dialect| ("$schema".to_owned(), dialect)));
        entry.insert("$ref".to_owned(), Json::String(format!("{DOCUMENT}#{}", fragment(pointer))));
        let validator =
            options().with_registry(&registry).build(&Json::Object(entry)).map_err(|error| schema_error(&error))?;
        Ok(Self { validator })
    }

    /// The first violation in the order of the schema's keywords, if there is one.
    pub(super) fn first_violation(&self, root: &Value, pointer: &str, value: &Value) -> Option<Violation> {
        let Some(json) = to_json(value) else {
            return Some(Violation {
                path: String::new(),
                keyword: String::new(),
                message: format!("value is nested deeper than {MAX_DEPTH} levels"),
            });
        };
        if self.validator.is_valid(&json) {
            return None;
        }
        let errors: Vec<ValidationError<'_>> = self.validator.iter_errors(&json).collect();
        let first = order::first(root, pointer, value, &errors)?;
        Some(message::violation(value, &first))
    }
}

fn options<'r>() -> jsonschema::ValidationOptions<'r> {
    jsonschema::options()
        .offline()
        .should_validate_formats(false)
        .without_content_media_type_support("application/json")
        .without_content_encoding_support("base64")
        .with_pattern_options(PatternOptions::regex())
}

/// Fetches nothing.
struct Nowhere;

impl jsonschema::Retrieve for Nowhere {
    fn retrieve(&self, uri: &jsonschema::Uri<String>) -> Result<Json, Box<dyn std::error::Error + Send + Sync>> {
        Err(format!("remote schemas are not fetched, and {uri} is none of the known ones").into())
    }
}

/// A pointer as a URI fragment.
fn fragment(pointer: &str) -> String {
    let mut fragment = String::with_capacity(pointer.len());
    for byte in pointer.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            fragment.push(char::from(byte));
        } else {
            use std::fmt::Write;
            // Writing into a `String` cannot fail.
            let _ = write!(fragment, "%{byte:02X}");
        }
    }
    fragment
}

fn schema_error(error: &ValidationError<'_>) -> SchemaError {
    let path = error.instance_path().as_str().to_owned();
    match error.kind() {
        ValidationErrorKind::Referencing(cause) => SchemaError::UnresolvedReference { message: cause.to_string() },
        ValidationErrorKind::Format { format } if format == "regex" => {
            let pattern = match error.instance().as_ref() {
                Json::String(pattern) => ReprStr(pattern).to_string(),
                other => other.to_string(),
            };
            let message = "a linear-time engine cannot run it".to_owned();
            SchemaError::UnsupportedPattern { path, pattern, message }
        }
        _ => SchemaError::Invalid { path, message: message::plain(error) },
    }
}

/// The value in the judge's own representation; `None` when it is nested too deep.
pub(super) fn to_json(value: &Value) -> Option<Json> {
    convert(value, MAX_DEPTH)
}

fn convert(value: &Value, depth: usize) -> Option<Json> {
    Some(match value {
        Value::Null => Json::Null,
        Value::Bool(flag) => Json::Bool(*flag),
        Value::Int(number) => Json::from(*number),
        Value::BigInt(number) => Json::Number(number.to_string().parse().ok()?),
        Value::Float(number) => Json::from(*number),
        Value::String(text) => Json::String(text.as_ref().to_owned()),
        Value::List(items) => {
            let depth = depth.checked_sub(1)?;
            Json::Array(items.iter().map(|item| convert(item, depth)).collect::<Option<_>>()?)
        }
        Value::Object(object) => {
            let depth = depth.checked_sub(1)?;
            Json::Object(
                object.iter().map(|(key, item)| Some((key.as_ref().to_owned(), convert(item, depth)?))).collect::<Option<_>>()?,
            )
        }
    })
}

/// The way back, for the operands that errors carry; they are no deeper than what was converted.
pub(super) fn from_json(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(flag) => Value::Bool(*flag),
        Json::Number(number) => from_number(number),
        Json::String(text) => Value::from(text.as_str()),
        Json::Array(items) => Value::List(items.iter().map(from_json).collect()),
        Json::Object(entries) => {
            Value::Object(entries.iter().map(|(key, value)| (key.as_str(), from_json(value))).collect())
        }
    }
}

fn from_number(number: &serde_json::Number) -> Value {
    if let Some(number) = number.as_i64() {
        return Value::Int(number);
    }
    let text = number.to_string();
    if let Ok(number) = text.parse::<BigInt>() {
        return Value::big_int(number);
    }
    // Every number here was made from a value, and those are finite.
    text.parse().ok().and_then(Value::float).unwrap_or_default()
}
