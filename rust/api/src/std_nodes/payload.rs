//! Typed access to a payload.
//!
//! The engine checks a payload against the contract before it calls a handler. A handler called in another way
//! must not panic on what the contract would have refused, so each access names what it expected.

use std::sync::Arc;

use wf_core::value::{List, Object, Value};

use crate::handler::HandlerError;

static NULL: Value = Value::Null;

/// The value at `field`, or `null` when it is absent.
pub(crate) fn optional<'a>(input: &'a Object, field: &str) -> &'a Value {
    input.get(field).unwrap_or(&NULL)
}

/// The value at `field`, which must be there.
pub(crate) fn required<'a>(input: &'a Object, field: &str) -> Result<&'a Value, HandlerError> {
    input.get(field).ok_or_else(|| invalid(format!("'{field}' is a required property")))
}

/// The text at `field`.
pub(crate) fn text<'a>(input: &'a Object, field: &str) -> Result<&'a str, HandlerError> {
    let value = required(input, field)?;
    value.as_str().ok_or_else(|| unexpected(field, "a string", value))
}

/// The list at `field`.
pub(crate) fn list<'a>(input: &'a Object, field: &str) -> Result<&'a List, HandlerError> {
    let value = required(input, field)?;
    value.as_list().ok_or_else(|| unexpected(field, "an array", value))
}

/// The object at `field`.
pub(crate) fn object<'a>(input: &'a Object, field: &str) -> Result<&'a Object, HandlerError> {
    let value = required(input, field)?;
    value.as_object().ok_or_else(|| unexpected(field, "an object", value))
}

/// The texts in the list at `field`.
pub(crate) fn texts<'a>(input: &'a Object, field: &str) -> Result<Vec<&'a Arc<str>>, HandlerError> {
    list(input, field)?
        .iter()
        .map(|item| match item {
            Value::String(text) => Ok(text),
            other => Err(unexpected(&format!("{field}[]"), "a string", other)),
        })
        .collect()
}

/// The objects in the list at `field`.
pub(crate) fn objects<'a>(input: &'a Object, field: &str) -> Result<Vec<&'a Object>, HandlerError> {
    list(input, field)?
        .iter()
        .map(|item| item.as_object().ok_or_else(|| unexpected(&format!("{field}[]"), "an object", item)))
        .collect()
}

/// The error for a value of another kind than `field` takes.
pub(crate) fn unexpected(field: &str, expected: &str, value: &Value) -> HandlerError {
    invalid(format!("`{field}` must be {expected}, got {}", value.type_name()))
}

/// The error for a payload that the contract would have refused.
pub(crate) fn invalid(message: String) -> HandlerError {
    HandlerError { code: Some("node.input_invalid"), ..HandlerError::new("ValueError", message) }
}
