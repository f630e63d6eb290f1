//! Whether a JSON Schema is one.
//!
//! The dialect's own metaschema decides. It is compiled once per process, and nothing is ever fetched.

use std::sync::Arc;

use jsonschema::Draft;
use jsonschema::paths::LocationSegment;

use super::form::Reader;
use crate::value::{Object, Value, repr_text};

/// Of more mistakes than this in one schema, the rest is left for the next attempt.
const MOST_PROBLEMS: usize = 20;

/// Checks a schema against its metaschema; says what is wrong and where.
pub(super) fn check(schema: &Object, reader: &mut Reader) -> Option<()> {
    let draft = dialect(schema, reader)?;
    let value = match Value::Object(schema.clone()).to_serde_json() {
        Ok(value) => value,
        Err(error) => {
            reader.problem("document.too_deep", error.to_string());
            return None;
        }
    };
    let validator = match draft {
        Draft::Draft4 => jsonschema::draft4::meta::validator(),
        Draft::Draft6 => jsonschema::draft6::meta::validator(),
        Draft::Draft7 => jsonschema::draft7::meta::validator(),
        Draft::Draft201909 => jsonschema::draft201909::meta::validator(),
        _ => jsonschema::draft202012::meta::validator(),
    };
    if validator.is_valid(&value) {
        return Some(());
    }
    for error in validator.iter_errors(&value).take(MOST_PROBLEMS) {
        let location: Vec<Place> = error.instance_path().iter().map(Place::from).collect();
        note(reader, &location, &format!("invalid JSON Schema: {error}"));
    }
    None
}

/// A step down into the schema.
enum Place {
    Key(Arc<str>),
    Index(usize),
}

impl From<LocationSegment<'_>> for Place {
    fn from(segment: LocationSegment<'_>) -> Self {
        match segment {
            LocationSegment::Property(name) => Self::Key(Arc::from(name.as_ref())),
            LocationSegment::Index(index) => Self::Index(index),
        }
    }
}

fn note(reader: &mut Reader, location: &[Place], message: &str) {
    match location.split_first() {
        Some((Place::Key(key), rest)) => reader.in_key(key, |reader| note(reader, rest, message)),
        Some((Place::Index(index), rest)) => reader.in_item(*index, |reader| note(reader, rest, message)),
        None => reader.problem("schema.invalid", message),
    }
}

/// The dialect that `$schema` names; without it, the newest.
fn dialect(schema: &Object, reader: &mut Reader) -> Option<Draft> {
    let Some(name) = schema.get("$schema") else { return Some(Draft::Draft202012) };
    let Some(name) = name.as_str() else {
        reader.in_field("$schema", |reader| reader.expected("the URI of a dialect", name));
        return None;
    };
    match Draft::from_schema_uri(name) {
        Draft::Unknown => {
            reader.in_field("$schema", |reader| {
                reader.hinted_problem(
                    "schema.dialect",
                    format!("invalid JSON Schema: unknown dialect {}", repr_text(name)),
                    Some("leave $schema out for https://json-schema.org/draft/2020-12/schema".to_owned()),
                );
            });
            None
        }
        draft => Some(draft),
    }
}
