//! Fields with stricter rules than their type.

use std::sync::Arc;

use super::definitions::{any_of, typed};
use super::{Codec, Definitions, Part, Reader, View};
use crate::value::Value;

/// The rules of the type and no others.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

impl<T: Part> Codec<T> for Plain {
    fn read(value: &Value, reader: &mut Reader) -> Option<T> {
        T::read(value, reader)
    }

    fn write(part: &T) -> Value {
        part.write()
    }

    fn schema(definitions: &mut Definitions) -> Value {
        T::schema(definitions)
    }

    fn view(part: &T) -> View {
        part.view()
    }
}

/// A list with at least one item, or a text with at least one character.
#[derive(Clone, Copy, Debug)]
pub struct NonEmpty;

impl<T: Part> Codec<Vec<T>> for NonEmpty {
    fn read(value: &Value, reader: &mut Reader) -> Option<Vec<T>> {
        let parts = Vec::<T>::read(value, reader)?;
        if parts.is_empty() {
            reader.problem("document.empty", "expected at least one item");
        }
        Some(parts)
    }

    fn write(part: &Vec<T>) -> Value {
        part.write()
    }

    fn schema(definitions: &mut Definitions) -> Value {
        with(Vec::<T>::schema(definitions), "minItems", 1)
    }

    fn view(part: &Vec<T>) -> View {
        part.view()
    }
}

impl Codec<Arc<str>> for NonEmpty {
    fn read(value: &Value, reader: &mut Reader) -> Option<Arc<str>> {
        let text = Arc::<str>::read(value, reader)?;
        if text.is_empty() {
            reader.problem("document.empty", "expected a text that is not empty");
        }
        Some(text)
    }

    fn write(part: &Arc<str>) -> Value {
        part.write()
    }

    fn schema(definitions: &mut Definitions) -> Value {
        with(Arc::<str>::schema(definitions), "minLength", 1)
    }
}

/// An integer from 1.
#[derive(Clone, Copy, Debug)]
pub struct Positive;

impl Codec<u32> for Positive {
    fn read(value: &Value, reader: &mut Reader) -> Option<u32> {
        let number = u32::read(value, reader)?;
        if number == 0 {
            reader.problem("document.value", "expected an integer of at least 1, got 0");
        }
        Some(number)
    }

    fn write(part: &u32) -> Value {
        part.write()
    }

    fn schema(definitions: &mut Definitions) -> Value {
        with(u32::schema(definitions), "minimum", 1)
    }
}

/// A finite number with a lower bound, written as an integer when it is whole.
///
/// `FROM` is the bound; `OPEN` says that the number must lie above it.
#[derive(Clone, Copy, Debug)]
pub struct Number<const FROM: i64, const OPEN: bool>;

impl<const FROM: i64, const OPEN: bool> Codec<f64> for Number<FROM, OPEN> {
    fn read(value: &Value, reader: &mut Reader) -> Option<f64> {
        let number = match value {
            Value::Int(_) | Value::BigInt(_) | Value::Float(_) => value.to_json().parse::<f64>().ok(),
            _ => {
                reader.expected("a number", value);
                return None;
            }
        };
        let bound = Value::Int(FROM);
        let fits = match value.order(&bound) {
            Some(order) if OPEN => order.is_gt(),
            Some(order) => order.is_ge(),
            None => false,
        };
        let number = number.filter(|number| fits && number.is_finite());
        if number.is_none() {
            let relation = if OPEN { "above" } else { "of at least" };
            let message = format!("expected a number {relation} {FROM}, got {}", super::reader::brief(value));
            reader.problem("document.value", message);
        }
        number
    }

    fn write(part: &f64) -> Value {
        // Whole numbers beyond 2**53 keep the float form; they would not be exact as integers.
        let exact = -9_007_199_254_740_992.0..=9_007_199_254_740_992.0;
        if part.fract() == 0.0 && exact.contains(part) {
            return part.to_string().parse().map_or(Value::Float(*part), Value::Int);
        }
        Value::float(*part).unwrap_or_default()
    }

    fn schema(_: &mut Definitions) -> Value {
        with(typed("number"), if OPEN { "exclusiveMinimum" } else { "minimum" }, FROM)
    }
}

impl<const FROM: i64, const OPEN: bool> Codec<Option<f64>> for Number<FROM, OPEN> {
    fn read(value: &Value, reader: &mut Reader) -> Option<Option<f64>> {
        if value.is_null() { Some(None) } else { <Self as Codec<f64>>::read(value, reader).map(Some) }
    }

    fn write(part: &Option<f64>) -> Value {
        part.as_ref().map_or(Value::Null, <Self as Codec<f64>>::write)
    }

    fn schema(definitions: &mut Definitions) -> Value {
        any_of(vec![<Self as Codec<f64>>::schema(definitions), typed("null")])
    }
}

/// A schema with one more keyword.
pub(crate) fn with(schema: Value, keyword: &str, bound: i64) -> Value {
    let Value::Object(mut schema) = schema else { return schema };
    schema.insert(keyword, bound);
    Value::Object(schema)
}
