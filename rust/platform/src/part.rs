//! Parts of this crate's documents that the core does not have.

use std::sync::Arc;

use wf_core::document::{Codec, Definitions, Part, Reader, View};
use wf_core::refs::SourceRef;
use wf_core::value::{Object, Value};

use crate::glob::Globs;

/// A count: an integer from 0 up to what 64 signed bits hold.
#[derive(Clone, Copy, Debug)]
pub struct Count;

impl Codec<u64> for Count {
    fn read(value: &Value, reader: &mut Reader) -> Option<u64> {
        let number = value.as_i64().and_then(|number| u64::try_from(number).ok());
        if number.is_none() {
            reader.expected("an integer of at least 0", value);
        }
        number
    }

    fn write(part: &u64) -> Value {
        Value::Int(i64::try_from(*part).unwrap_or(i64::MAX))
    }

    fn schema(_: &mut Definitions) -> Value {
        Value::Object(Object::from_iter([("type", Value::from("integer")), ("minimum", Value::Int(0))]))
    }
}

impl Codec<Option<u64>> for Count {
    fn read(value: &Value, reader: &mut Reader) -> Option<Option<u64>> {
        if value.is_null() { Some(None) } else { <Self as Codec<u64>>::read(value, reader).map(Some) }
    }

    fn write(part: &Option<u64>) -> Value {
        part.as_ref().map_or(Value::Null, <Self as Codec<u64>>::write)
    }

    fn schema(definitions: &mut Definitions) -> Value {
        nullable(<Self as Codec<u64>>::schema(definitions))
    }
}

/// The id of a source: dotted text, or `{"parts": […]}`.
#[derive(Clone, Copy, Debug)]
pub struct SourceText;

impl Codec<Arc<str>> for SourceText {
    fn read(value: &Value, reader: &mut Reader) -> Option<Arc<str>> {
        match SourceRef::from_value(value) {
            Ok(source) => Some(source.to_string().into()),
            Err(error) => {
                reader.problem(error.code(), error.to_string());
                None
            }
        }
    }

    fn write(part: &Arc<str>) -> Value {
        Value::String(Arc::clone(part))
    }

    fn schema(_: &mut Definitions) -> Value {
        Value::Object(Object::from_iter([("type", Value::from("string")), ("minLength", Value::Int(1))]))
    }
}

impl Part for Globs {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        let patterns = Vec::<Arc<str>>::read(value, reader)?;
        for (index, pattern) in patterns.iter().enumerate() {
            if pattern.is_empty() {
                reader
                    .in_item(index, |reader| reader.problem("document.empty", "expected a pattern that is not empty"));
            }
        }
        Some(patterns.into_iter().collect())
    }

    fn write(&self) -> Value {
        Value::List(self.patterns().iter().map(|pattern| Value::String(Arc::clone(pattern))).collect())
    }

    fn schema(definitions: &mut Definitions) -> Value {
        Vec::<Arc<str>>::schema(definitions)
    }

    fn view(&self) -> View {
        View::Value(self.write())
    }
}

/// A schema that also lets `null` in.
pub(crate) fn nullable(schema: Value) -> Value {
    let null = Value::Object(Object::from_iter([("type", Value::from("null"))]));
    Value::Object(Object::from_iter([("anyOf", Value::List(vec![schema, null].into()))]))
}
