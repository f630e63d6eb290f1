//! `serde` for [`Value`], and the way from and to `serde_json`'s own value.
//!
//! JSON text itself is read and written by [`Value::parse_json`] and [`Value::to_json`]; this is for values inside
//! other types that derive `serde`'s traits, and for libraries that speak `serde_json`.

use std::fmt;
use std::str::FromStr;

use num_bigint::BigInt;
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::ser::{Error as _, Serialize, SerializeMap, SerializeSeq, Serializer};

use super::{MAX_DEPTH, Object, Value};

/// How `serde_json` marks a number it hands over as exact text (feature `arbitrary_precision`).
const NUMBER_KEY: &str = "$serde_json::private::Number";

impl Value {
    /// The same value as `serde_json` has it.
    ///
    /// # Errors
    /// Refuses a value nested deeper than [`MAX_DEPTH`], since `serde_json` recurses over its values.
    pub fn to_serde_json(&self) -> Result<serde_json::Value, TooDeep> {
        if self.is_deeper_than(MAX_DEPTH) { Err(TooDeep) } else { Ok(to_serde_json(self)) }
    }

    /// The same value as this crate has it.
    ///
    /// # Errors
    /// A number beyond the floats is no value.
    pub fn from_serde_json(value: &serde_json::Value) -> Result<Self, NumberOutOfRange> {
        Ok(match value {
            serde_json::Value::Null => Self::Null,
            serde_json::Value::Bool(flag) => Self::Bool(*flag),
            serde_json::Value::Number(number) => parse_number(&number.to_string())?,
            serde_json::Value::String(text) => Self::from(text.as_str()),
            serde_json::Value::Array(items) => {
                Self::List(items.iter().map(Self::from_serde_json).collect::<Result<Vec<_>, _>>()?.into())
            }
            serde_json::Value::Object(entries) => {
                let mut object = Object::with_capacity(entries.len());
                for (key, value) in entries {
                    object.insert(key.as_str(), Self::from_serde_json(value)?);
                }
                Self::Object(object)
            }
        })
    }
}

/// A value is nested deeper than [`MAX_DEPTH`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the value is nested more than {MAX_DEPTH} deep")]
pub struct TooDeep;

/// A number is not finite once it is read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("number {0} is out of range; JSON numbers must be finite")]
pub struct NumberOutOfRange(pub String);

fn to_serde_json(value: &Value) -> serde_json::Value {
    match value {
        Value::Null => serde_json::Value::Null,
        Value::Bool(flag) => (*flag).into(),
        Value::Int(number) => (*number).into(),
        Value::BigInt(number) => exact_number(number).map_or(serde_json::Value::Null, serde_json::Value::Number),
        Value::Float(number) => (*number).into(),
        Value::String(text) => text.as_ref().into(),
        Value::List(items) => items.iter().map(to_serde_json).collect(),
        Value::Object(object) => object.iter().map(|(key, value)| (key.to_string(), to_serde_json(value))).collect(),
    }
}

fn exact_number(number: &BigInt) -> Option<serde_json::Number> {
    serde_json::Number::from_str(&number.to_string()).ok()
}

/// Reads a JSON number exactly: an integer of any size, else a finite float.
fn parse_number(text: &str) -> Result<Value, NumberOutOfRange> {
    if let Ok(number) = text.parse::<i64>() {
        return Ok(Value::Int(number));
    }
    if let Ok(number) = text.parse::<BigInt>() {
        return Ok(Value::big_int(number));
    }
    text.parse::<f64>().ok().and_then(Value::float).ok_or_else(|| NumberOutOfRange(text.to_owned()))
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.is_deeper_than(MAX_DEPTH) {
            return Err(S::Error::custom(TooDeep));
        }
        Bounded(self).serialize(serializer)
    }
}

impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Value::Object(self.clone()).serialize(serializer)
    }
}

/// A value whose depth has been checked.
struct Bounded<'a>(&'a Value);

impl Serialize for Bounded<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(flag) => serializer.serialize_bool(*flag),
            Value::Int(number) => serializer.serialize_i64(*number),
            Value::BigInt(number) => {
                exact_number(number).ok_or_else(|| S::Error::custom("unwritable integer"))?.serialize(serializer)
            }
            Value::Float(number) => serializer.serialize_f64(*number),
            Value::String(text) => serializer.serialize_str(text),
            Value::List(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                for item in items.iter() {
                    list.serialize_element(&Bounded(item))?;
                }
                list.end()
            }
            Value::Object(object) => {
                let mut map = serializer.serialize_map(Some(object.len()))?;
                for (key, value) in object {
                    map.serialize_entry(key.as_ref(), &Bounded(value))?;
                }
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::Object(object) => Ok(object),
            other => Err(D::Error::custom(format_args!("expected an object, got {}", other.type_name()))),
        }
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        Value::deserialize(deserializer)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Value, E> {
        Ok(Value::Bool(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Int(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(Value::big_int(BigInt::from(number)))
    }

    fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<Value, E> {
        Value::float(number).ok_or_else(|| E::custom("JSON numbers must be finite"))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::from(text))
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(Value::from(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::List(list.into()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Object::new();
        while let Some(key) = entries.next_key::<String>()? {
            if key == NUMBER_KEY {
                match number_or_entry::<A>() {
                    Some(Marked::Number) => {
                        return parse_number(&entries.next_value::<String>()?).map_err(A::Error::custom);
                    }
                    Some(Marked::Entry) => {}
                    None => return Err(A::Error::custom(format_args!("cannot tell what the key {key:?} means here"))),
                }
            }
            let value: Value = entries.next_value()?;
            if object.insert(key.as_str(), value).is_some() {
                return Err(A::Error::custom(format_args!("the key {key:?} occurs twice in one object")));
            }
        }
        Ok(Value::Object(object))
    }
}

/// What the key [`NUMBER_KEY`] stands for.
enum Marked {
    /// `serde_json` hands over a number.
    Number,
    /// The data has an entry with this very key.
    Entry,
}

/// Tells `serde_json`'s numbers from data that only looks like one, by who hands the entries over.
///
/// There is no other way: both arrive as a map with the same key. `None`: somebody in between has buffered the
/// entries, and the two cannot be told apart any more.
fn number_or_entry<A>() -> Option<Marked> {
    let source = std::any::type_name::<A>();
    if source.starts_with("serde_json::number::NumberDeserializer") {
        Some(Marked::Number)
    } else if source.starts_with("serde_json::") || source.starts_with("&mut serde_json::") {
        Some(Marked::Entry)
    } else {
        None
    }
}
