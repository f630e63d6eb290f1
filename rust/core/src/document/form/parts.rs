//! The plain parts of documents: text, numbers, JSON, lists of parts, optional parts.

use std::sync::Arc;

use super::definitions::{any_of, object, typed};
use super::{Definitions, Part, Reader, View};
use crate::value::{Object, Value};

impl Part for Arc<str> {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        if let Value::String(text) = value {
            return Some(text.clone());
        }
        reader.expected("a string", value);
        None
    }

    fn write(&self) -> Value {
        Value::String(self.clone())
    }

    fn schema(_: &mut Definitions) -> Value {
        typed("string")
    }
}

impl Part for bool {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        if let Value::Bool(flag) = value {
            return Some(*flag);
        }
        reader.expected("true or false", value);
        None
    }

    fn write(&self) -> Value {
        Value::Bool(*self)
    }

    fn schema(_: &mut Definitions) -> Value {
        typed("boolean")
    }
}

impl Part for u32 {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        let number = match value {
            Value::Int(number) => Self::try_from(*number).ok(),
            // A whole float is the same number in JSON.
            Value::Float(number) if number.fract() == 0.0 && (0.0..=f64::from(Self::MAX)).contains(number) => {
                number.to_string().parse().ok()
            }
            Value::BigInt(_) => None,
            _ => {
                reader.expected("an integer", value);
                return None;
            }
        };
        if number.is_none() {
            let message = format!("expected an integer from 0 to {}, got {}", Self::MAX, super::reader::brief(value));
            reader.problem("document.value", message);
        }
        number
    }

    fn write(&self) -> Value {
        Value::from(*self)
    }

    fn schema(_: &mut Definitions) -> Value {
        object([("type", Value::from("integer")), ("minimum", Value::Int(0))])
    }
}

/// Any JSON value, strictly: every way into [`Value`] has checked it already.
impl Part for Value {
    fn read(value: &Value, _: &mut Reader) -> Option<Self> {
        Some(value.clone())
    }

    fn write(&self) -> Value {
        self.clone()
    }

    fn schema(definitions: &mut Definitions) -> Value {
        definitions.reference("JsonValue", |definitions| {
            let nested = Self::schema(definitions);
            any_of(vec![
                typed("boolean"),
                typed("integer"),
                typed("number"),
                typed("string"),
                object([("type", "array".into()), ("items", nested.clone())]),
                object([("type", "object".into()), ("additionalProperties", nested)]),
                typed("null"),
            ])
        })
    }
}

impl Part for Object {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        if let Value::Object(object) = value {
            return Some(object.clone());
        }
        reader.expected("an object", value);
        None
    }

    fn write(&self) -> Value {
        Value::Object(self.clone())
    }

    fn schema(_: &mut Definitions) -> Value {
        object([("type", Value::from("object")), ("additionalProperties", Value::Bool(true))])
    }
}

impl<T: Part> Part for Box<T> {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        T::read(value, reader).map(Self::new)
    }

    fn write(&self) -> Value {
        T::write(self)
    }

    fn schema(definitions: &mut Definitions) -> Value {
        T::schema(definitions)
    }

    fn view(&self) -> View {
        T::view(self)
    }
}

impl<T: Part> Part for Option<T> {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        if value.is_null() { Some(None) } else { T::read(value, reader).map(Some) }
    }

    fn write(&self) -> Value {
        self.as_ref().map_or(Value::Null, T::write)
    }

    fn schema(definitions: &mut Definitions) -> Value {
        any_of(vec![T::schema(definitions), typed("null")])
    }

    fn view(&self) -> View {
        self.as_ref().map_or(View::Value(Value::Null), T::view)
    }
}

impl<T: Part> Part for Vec<T> {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        let Value::List(items) = value else {
            reader.expected("a list", value);
            return None;
        };
        let mut parts = Self::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            // Every item is read, whatever is wrong with those before it.
            parts.extend(reader.in_item(index, |reader| T::read(item, reader)));
        }
        (parts.len() == items.len()).then_some(parts)
    }

    fn write(&self) -> Value {
        Value::List(self.iter().map(T::write).collect())
    }

    fn schema(definitions: &mut Definitions) -> Value {
        object([("type", Value::from("array")), ("items", T::schema(definitions))])
    }

    fn view(&self) -> View {
        View::List(self.iter().map(T::view).collect())
    }
}

/// Entries by key, in the order written.
impl<T: Part> Part for Vec<(Arc<str>, T)> {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        let object = Object::read(value, reader)?;
        let mut parts = Self::with_capacity(object.len());
        for (key, value) in &object {
            parts.extend(reader.in_key(key, |reader| T::read(value, reader)).map(|part| (key.clone(), part)));
        }
        (parts.len() == object.len()).then_some(parts)
    }

    fn write(&self) -> Value {
        Value::Object(self.iter().map(|(key, part)| (key.clone(), part.write())).collect())
    }

    fn schema(definitions: &mut Definitions) -> Value {
        object([("type", Value::from("object")), ("additionalProperties", T::schema(definitions))])
    }

    fn view(&self) -> View {
        View::Map(self.iter().map(|(key, part)| (key.clone(), part.view())).collect())
    }
}
