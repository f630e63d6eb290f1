//! Nodes that look at one value or one mapping.

use std::sync::Arc;

use num_traits::Zero;
use wf_core::value::{Object, Value};

use super::payload::{object, optional, required, text, texts, unexpected};
use super::{Answer, OpResult};
use crate::handler::HandlerError;

/// `coalesce` and `default_if_none`.
pub(super) fn coalesce(input: &Object) -> OpResult {
    let fallback = required(input, "fallback")?;
    let value = optional(input, "value");
    Ok(Answer::first(if value.is_null() { fallback.clone() } else { value.clone() }))
}

pub(super) fn constant(input: &Object) -> OpResult {
    Ok(Answer::first(required(input, "value")?.clone()))
}

pub(super) fn pick_key(input: &Object) -> OpResult {
    let mapping = object(input, "mapping")?;
    Ok(Answer::first(optional(mapping, text(input, "key")?).clone()))
}

/// Steps through nested objects; the path has no quoting, so every dot separates.
pub(super) fn pick_path(input: &Object) -> OpResult {
    let mut here = required(input, "mapping")?;
    object(input, "mapping")?;
    for part in text(input, "path")?.split('.') {
        here = match here.as_object().and_then(|mapping| mapping.get(part)) {
            Some(next) => next,
            None => return Ok(Answer::first(Value::Null)),
        };
    }
    Ok(Answer::first(here.clone()))
}

pub(super) fn project_fields(input: &Object) -> OpResult {
    let mapping = object(input, "mapping")?;
    let mut kept = Object::new();
    for field in texts(input, "fields")? {
        if let Some(value) = mapping.get(field) {
            kept.insert(field.clone(), value.clone());
        }
    }
    Ok(Answer::first(kept.into()))
}

pub(super) fn rename_fields(input: &Object) -> OpResult {
    let mapping = object(input, "mapping")?;
    let mut renamed = Object::new();
    for (source, target) in object(input, "renames")? {
        let Value::String(target) = target else {
            return Err(unexpected("renames", "texts only", target));
        };
        if let Some(value) = mapping.get(source) {
            renamed.insert(Arc::clone(target), value.clone());
        }
    }
    Ok(Answer::first(renamed.into()))
}

pub(super) fn truthy(input: &Object) -> OpResult {
    let truth = is_true(required(input, "value")?);
    Ok(Answer { outcome: usize::from(!truth), value: truth.into() })
}

/// Always fails; the details, when there are any, are written behind the message.
pub(super) fn runtime_error(input: &Object) -> OpResult {
    let message = text(input, "message")?;
    let details = match optional(input, "details") {
        Value::Null => None,
        Value::Object(details) => Some(details).filter(|details| !details.is_empty()),
        other => return Err(unexpected("details", "an object", other)),
    };
    Err(HandlerError::new(
        "RuntimeError",
        details.map_or_else(
            || message.to_owned(),
            |details| format!("{message}: {}", Value::Object(details.clone()).repr()),
        ),
    ))
}

/// The truth of a value as Python sees it: null, false, zero and whatever is empty are false.
pub(super) fn is_true(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(flag) => *flag,
        Value::Int(number) => *number != 0,
        Value::BigInt(number) => !number.is_zero(),
        Value::Float(number) => *number != 0.0,
        Value::String(text) => !text.is_empty(),
        Value::List(items) => !items.is_empty(),
        Value::Object(object) => !object.is_empty(),
    }
}
