//! The one JSON value of the engine: cheap to clone, insertion-ordered, exact for integers.
//!
//! Containers are shared and copied on write, so handing a value to a step, the trace and the state costs a
//! reference count each. Equality is JSON equality: `1` equals `1.0`, `true` does not equal `1`, and the order
//! of an object's keys does not matter.

mod compare;
mod json;
mod list;
mod object;
mod release;
mod repr;
mod serde_impl;

use std::fmt;
use std::sync::Arc;

use num_bigint::BigInt;

pub use json::{JsonError, JsonErrorCode, MAX_DEPTH};
pub use list::List;
pub use object::{Iter, Key, Object};
pub use repr::repr_text;

pub(crate) use repr::short_repr_text;
pub use serde_impl::{NumberOutOfRange, TooDeep};

/// One JSON value.
///
/// A float is always finite and an integer that fits `i64` is always [`Value::Int`]; the constructors keep both
/// invariants, so comparing and hashing never meet a second spelling of the same number.
#[derive(Clone, Default)]
pub enum Value {
    /// JSON `null`.
    #[default]
    Null,
    /// JSON `true` or `false`.
    Bool(bool),
    /// An integer that fits 64 bits.
    Int(i64),
    /// An integer that does not fit 64 bits.
    BigInt(Arc<BigInt>),
    /// A finite number with a fraction or an exponent.
    Float(f64),
    /// A text of Unicode scalar values.
    String(Arc<str>),
    /// An array.
    List(List),
    /// An object; keys keep the order in which they were inserted.
    Object(Object),
}

impl Value {
    /// A float value, or `None` when it is not finite and therefore no JSON.
    pub fn float(number: f64) -> Option<Self> {
        number.is_finite().then_some(Self::Float(number))
    }

    /// An integer of any size, in its canonical variant.
    pub fn big_int(number: BigInt) -> Self {
        i64::try_from(&number).map_or_else(|_| Self::BigInt(Arc::new(number)), Self::Int)
    }

    /// A text value.
    pub fn string(text: impl Into<Arc<str>>) -> Self {
        Self::String(text.into())
    }

    /// The JSON Schema name of the value's type: `null`, `boolean`, `integer`, `number`, `string`, `array` or
    /// `object`.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "boolean",
            Self::Int(_) | Self::BigInt(_) => "integer",
            Self::Float(_) => "number",
            Self::String(_) => "string",
            Self::List(_) => "array",
            Self::Object(_) => "object",
        }
    }

    /// The text, if this is a string.
    pub fn as_str(&self) -> Option<&str> {
        if let Self::String(text) = self { Some(text) } else { None }
    }

    /// The list, if this is an array.
    pub fn as_list(&self) -> Option<&List> {
        if let Self::List(list) = self { Some(list) } else { None }
    }

    /// The object, if this is an object.
    pub fn as_object(&self) -> Option<&Object> {
        if let Self::Object(object) = self { Some(object) } else { None }
    }

    /// The truth value, if this is a boolean.
    pub fn as_bool(&self) -> Option<bool> {
        if let Self::Bool(flag) = self { Some(*flag) } else { None }
    }

    /// The integer, if this is one that fits `i64`.
    pub fn as_i64(&self) -> Option<i64> {
        if let Self::Int(number) = self { Some(*number) } else { None }
    }

    /// Whether this is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// Whether this is an array or an object.
    pub fn is_container(&self) -> bool {
        matches!(self, Self::List(_) | Self::Object(_))
    }

    /// Whether containers are nested more than `limit` deep; a scalar has depth 0, an empty list depth 1.
    ///
    /// Asked before anything that recurses over a value; it stops at the first place that is too deep.
    pub fn is_deeper_than(&self, limit: usize) -> bool {
        let mut pending = vec![(self, 0)];
        while let Some((value, above)) = pending.pop() {
            if value.is_container() && above == limit {
                return true;
            }
            let nested = |child: &&Self| child.is_container();
            match value {
                Self::List(items) => pending.extend(items.iter().filter(nested).map(|child| (child, above + 1))),
                Self::Object(object) => pending.extend(object.values().filter(nested).map(|child| (child, above + 1))),
                _ => {}
            }
        }
        false
    }
}

impl fmt::Debug for Value {
    /// Shows JSON text, which also keeps a deep value from recursing.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.to_json())
    }
}

impl fmt::Debug for List {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Value::List(self.clone()).fmt(formatter)
    }
}

impl fmt::Debug for Object {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Value::Object(self.clone()).fmt(formatter)
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Bool(flag)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Int(number.into())
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::String(Arc::from(text))
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::String(Arc::from(text))
    }
}

impl From<Arc<str>> for Value {
    fn from(text: Arc<str>) -> Self {
        Self::String(text)
    }
}

impl From<List> for Value {
    fn from(list: List) -> Self {
        Self::List(list)
    }
}

impl From<Object> for Value {
    fn from(object: Object) -> Self {
        Self::Object(object)
    }
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl<T: Into<Self>> From<Vec<T>> for Value {
    fn from(items: Vec<T>) -> Self {
        Self::List(items.into_iter().map(Into::into).collect())
    }
}
