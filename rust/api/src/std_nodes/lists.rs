//! Nodes that look at a list.

use wf_core::value::{Object, Value};

use super::payload::{invalid, list, objects, optional, required, text, texts, unexpected};
use super::{Answer, OpResult};

pub(super) fn first_item(input: &Object) -> OpResult {
    end_item(list(input, "items")?.first())
}

pub(super) fn last_item(input: &Object) -> OpResult {
    end_item(list(input, "items")?.last())
}

/// The contract refuses an empty list; a caller that skipped it hears the same words.
fn end_item(item: Option<&Value>) -> OpResult {
    item.map(|item| Answer::first(item.clone())).ok_or_else(|| invalid("[] should be non-empty".to_owned()))
}

pub(super) fn first_item_or_none(input: &Object) -> OpResult {
    Ok(Answer::first(list(input, "items")?.first().cloned().unwrap_or_default()))
}

pub(super) fn last_item_or_none(input: &Object) -> OpResult {
    Ok(Answer::first(list(input, "items")?.last().cloned().unwrap_or_default()))
}

/// Answers `found` or `missing`.
pub(super) fn first_item_maybe(input: &Object) -> OpResult {
    let first = list(input, "items")?.first();
    Ok(Answer { outcome: usize::from(first.is_none()), value: first.cloned().unwrap_or_default() })
}

pub(super) fn length(input: &Object) -> OpResult {
    let count = i64::try_from(list(input, "items")?.len()).map_err(|_| invalid("too many items".to_owned()))?;
    Ok(Answer::first(count.into()))
}

pub(super) fn is_empty(input: &Object) -> OpResult {
    Ok(Answer::first(list(input, "items")?.is_empty().into()))
}

/// An absent key counts as null; equality is JSON equality.
pub(super) fn filter_items(input: &Object) -> OpResult {
    let key = text(input, "key")?;
    let wanted = required(input, "value")?;
    keep(input, |item| optional(item, key) == wanted)
}

pub(super) fn filter_items_present(input: &Object) -> OpResult {
    let key = text(input, "key")?;
    keep(input, |item| item.contains_key(key))
}

fn keep(input: &Object, wanted: impl Fn(&Object) -> bool) -> OpResult {
    let kept: Vec<Value> =
        objects(input, "items")?.into_iter().filter(|item| wanted(item)).map(|item| item.clone().into()).collect();
    Ok(Answer::first(kept.into()))
}

pub(super) fn extract_field(input: &Object) -> OpResult {
    let field = text(input, "field")?;
    let values: Vec<Value> = objects(input, "items")?.into_iter().filter_map(|item| item.get(field).cloned()).collect();
    Ok(Answer::first(values.into()))
}

pub(super) fn concat(input: &Object) -> OpResult {
    let separator = match optional(input, "separator") {
        Value::Null => "",
        Value::String(separator) => separator,
        other => return Err(unexpected("separator", "a string", other)),
    };
    let parts: Vec<&str> = texts(input, "items")?.into_iter().map(AsRef::as_ref).collect();
    Ok(Answer::first(parts.join(separator).into()))
}
