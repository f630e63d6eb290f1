//! The judge: the `jsonschema` crate decides about every value that the filter does not accept.

use jsonschema::error::ValidationErrorKind;
use jsonschema::{Draft, PatternOptions, Registry, ValidationError, Validator};
use serde_json::Value as Json;

use super::error::SchemaError;
use super::{Violation, message};
use super::{order, pointer};
use crate::value::{MAX_DEPTH, Value};

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
        let document = root.to_serde_json().map_err(|_| SchemaError::TooDeep { limit: MAX_DEPTH })?;
        let validator = options().build(&document).map_err(|error| schema_error(&error))?;
        Ok(Self { validator })
    }

    /// Compiles the part of a document at a pointer; references in it still mean the whole document.
    pub(super) fn part(root: &Value, pointer: &str) -> Result<Self, SchemaError> {
        let document = root.to_serde_json().map_err(|_| SchemaError::TooDeep { limit: MAX_DEPTH })?;
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

    /// The first violation in the order of the schema's keywords, if there is one. `enumerable` says whether the
    /// list of all violations has a reasonable length.
    pub(super) fn first_violation(
        &self,
        root: &Value,
        entry: &str,
        value: &Value,
        enumerable: impl FnOnce() -> bool,
    ) -> Option<Violation> {
        // The judge recurses along the value.
        let Ok(json) = value.to_serde_json() else {
            return Some(Violation {
                path: String::new(),
                keyword: String::new(),
                message: format!("value is nested deeper than {MAX_DEPTH} levels"),
            });
        };
        if self.validator.is_valid(&json) {
            return None;
        }
        if !enumerable() {
            return Some(Violation {
                path: String::new(),
                keyword: String::new(),
                message: "value does not meet the schema, which is too intricate to say where".to_owned(),
            });
        }
        let errors: Vec<ValidationError<'_>> = self.validator.iter_errors(&json).collect();
        let (place, first) = order::first(root, entry, value, &errors)?;
        let matches = |at: &str, items: &[Json]| {
            let contains = Self::part(root, &pointer::join(at, "contains")).ok()?;
            Some(items.iter().filter(|item| contains.validator.is_valid(item)).count())
        };
        Some(message::violation(value, &place, &first, matches))
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
                Json::String(pattern) => message::repr_text(pattern),
                other => other.to_string(),
            };
            let message = "a linear-time engine cannot run it".to_owned();
            SchemaError::UnsupportedPattern { path, pattern, message }
        }
        _ => SchemaError::Invalid { path, message: message::plain(error) },
    }
}
