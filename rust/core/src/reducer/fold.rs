//! Running a built-in reducer over one or many incoming values.
//!
//! The result is not always a whole new value: appending to a list, or merging into an object, is described by
//! what is added, so that it costs nothing in proportion to what is already there. Many incoming values (a barrier
//! replays those of every item) are folded in one pass, so that uniting or joining them stays linear.

use std::cmp::Ordering;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::error::{ReduceError, python_type};
use super::{BuiltinReducer, number};
use crate::value::{List, Object, Value};

/// What a reducer makes of a place in the state.
#[derive(Clone, Debug, PartialEq)]
pub enum Merged {
    /// The place holds this value.
    Value(Value),
    /// The list that is there grows by these items.
    Append(List),
    /// The object that is there takes these entries.
    Entries(Object),
}

impl Merged {
    /// The value of the place afterwards, given what it held before.
    pub fn into_value(self, current: Option<&Value>) -> Value {
        match (self, current) {
            (Self::Value(value), _) => value,
            (Self::Append(items), Some(Value::List(current))) => {
                let mut list = current.clone();
                list.make_mut().extend(items.iter().cloned());
                Value::List(list)
            }
            (Self::Append(items), _) => Value::List(items),
            (Self::Entries(entries), Some(Value::Object(current))) => {
                let mut object = current.clone();
                for (key, value) in &entries {
                    object.insert(key.clone(), value.clone());
                }
                Value::Object(object)
            }
            (Self::Entries(entries), _) => Value::Object(entries),
        }
    }
}

impl BuiltinReducer {
    /// Merges one incoming value; `current` is what the place holds, and `null` counts as nothing. `path` is the
    /// state path's canonical form, for errors.
    ///
    /// # Errors
    /// The values are of kinds the reducer cannot merge.
    pub fn merge(self, current: Option<&Value>, incoming: &Value, path: &Arc<str>) -> Result<Value, ReduceError> {
        Ok(self.fold(current, std::slice::from_ref(incoming), path)?.into_value(current))
    }

    /// Merges incoming values one after the other.
    ///
    /// # Errors
    /// The values are of kinds the reducer cannot merge.
    pub fn fold(self, current: Option<&Value>, incoming: &[Value], path: &Arc<str>) -> Result<Merged, ReduceError> {
        let current = current.filter(|value| !value.is_null());
        let merged = match self {
            Self::Replace => Ok(Merged::Value(incoming.last().or(current).cloned().unwrap_or_default())),
            Self::Append => append(current, incoming),
            Self::MergeObject => merge_object(current, incoming),
            Self::Add => add(current, incoming),
            Self::SetUnion => set_union(current, incoming),
            Self::Max => max(current, incoming),
        };
        merged.map_err(|message| ReduceError { message, path: Arc::clone(path) })
    }
}

/// Items of `values`, where a value that is a list stands for its items.
fn flattened(values: &[Value]) -> List {
    if let [Value::List(only)] = values {
        return only.clone();
    }
    let mut items = Vec::with_capacity(values.len());
    for value in values {
        match value {
            Value::List(list) => items.extend(list.iter().cloned()),
            other => items.push(other.clone()),
        }
    }
    items.into()
}

fn append(current: Option<&Value>, incoming: &[Value]) -> Result<Merged, String> {
    match current {
        None => Ok(Merged::Value(Value::List(flattened(incoming)))),
        Some(Value::List(_)) => Ok(Merged::Append(flattened(incoming))),
        Some(_) => Err("cannot append into non-list state value".to_owned()),
    }
}

fn merge_object(current: Option<&Value>, incoming: &[Value]) -> Result<Merged, String> {
    let mut entries: Option<Object> = None;
    for value in incoming {
        let Value::Object(object) = value else {
            // The first value has nothing to merge with when the place is empty.
            let alone = current.is_none() && entries.is_none();
            return Err(
                if alone { "cannot merge non-object value" } else { "merge_object requires dict values" }.to_owned()
            );
        };
        match &mut entries {
            None => entries = Some(object.clone()),
            Some(entries) => {
                for (key, value) in object {
                    entries.insert(key.clone(), value.clone());
                }
            }
        }
    }
    let entries = entries.unwrap_or_default();
    match current {
        None => Ok(Merged::Value(Value::Object(entries))),
        Some(Value::Object(_)) => Ok(Merged::Entries(entries)),
        Some(_) => Err("merge_object requires dict values".to_owned()),
    }
}

fn add(current: Option<&Value>, incoming: &[Value]) -> Result<Merged, String> {
    // Without a current value the first incoming one takes its place, whatever it is; `null` stays nothing.
    let mut rest = incoming;
    let mut start = current;
    while start.is_none() {
        let Some((first, tail)) = rest.split_first() else { return Ok(Merged::Value(Value::Null)) };
        start = Some(first).filter(|value| !value.is_null());
        rest = tail;
    }
    let Some(start) = start else { return Ok(Merged::Value(Value::Null)) };
    match start {
        Value::List(list) => {
            if let Some(other) = rest.iter().find(|value| value.as_list().is_none()) {
                return Err(format!("can only concatenate list (not \"{}\") to list", python_type(other)));
            }
            if current.is_some() {
                return Ok(Merged::Append(flattened(rest)));
            }
            let mut list = list.clone();
            if !rest.is_empty() {
                list.make_mut().extend(flattened(rest).iter().cloned());
            }
            Ok(Merged::Value(Value::List(list)))
        }
        Value::String(text) if !rest.is_empty() => {
            let mut joined = String::from(&**text);
            for value in rest {
                let Value::String(text) = value else {
                    return Err(format!("can only concatenate str (not \"{}\") to str", python_type(value)));
                };
                joined.push_str(text);
            }
            Ok(Merged::Value(Value::from(joined)))
        }
        _ => {
            let mut sum = start.clone();
            for value in rest {
                sum = number::add(&sum, value).unwrap_or_else(|| {
                    let (a, b) = (python_type(&sum), python_type(value));
                    Err(format!("unsupported operand type(s) for +: '{a}' and '{b}'"))
                })?;
            }
            Ok(Merged::Value(sum))
        }
    }
}

fn set_union(current: Option<&Value>, incoming: &[Value]) -> Result<Merged, String> {
    let list_of = |value| Value::as_list(value).ok_or_else(|| "set_union requires list values".to_owned());
    let known = current.map(list_of).transpose()?;
    let mut seen = FxHashSet::default();
    let mut unique = Vec::new();
    let mut current_is_unique = true;
    for item in known.into_iter().flat_map(|list| list.iter()) {
        if seen.insert(item) {
            unique.push(item.clone());
        } else {
            current_is_unique = false;
        }
    }
    let added_from = unique.len();
    for value in incoming {
        for item in list_of(value)?.iter() {
            if seen.insert(item) {
                unique.push(item.clone());
            }
        }
    }
    if known.is_some() && current_is_unique {
        return Ok(Merged::Append(unique.split_off(added_from).into()));
    }
    Ok(Merged::Value(Value::List(unique.into())))
}

fn max(current: Option<&Value>, incoming: &[Value]) -> Result<Merged, String> {
    let mut best = current;
    for value in incoming {
        best = match best.filter(|value| !value.is_null()) {
            None => Some(value),
            // Ties keep what was there.
            Some(known) => match value.order(known) {
                Some(Ordering::Greater) => Some(value),
                Some(_) => Some(known),
                None => {
                    let (a, b) = (python_type(value), python_type(known));
                    return Err(format!("'>' not supported between instances of '{a}' and '{b}'"));
                }
            },
        };
    }
    Ok(Merged::Value(best.cloned().unwrap_or_default()))
}
