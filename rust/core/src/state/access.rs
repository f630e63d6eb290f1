//! Reading and writing places of the state.

use super::error::StateError;
use crate::eval::descend_object;
use crate::value::{Key, Object, Value};

/// What the state holds at a path.
pub(super) fn get<'s>(state: &'s Object, parts: &[Key]) -> Option<&'s Value> {
    descend_object(state, parts)
}

/// Whether a value can be written at a path: everything on the way is an object, `null` or missing.
pub(super) fn can_reach(state: &Object, parts: &[Key]) -> Result<(), StateError> {
    let mut object = state;
    for part in parts.split_last().map_or(parts, |(_, way)| way) {
        match object.get(part) {
            Some(Value::Object(inner)) => object = inner,
            None | Some(Value::Null) => return Ok(()),
            Some(_) => return Err(StateError::NotAnObject { segment: part.to_string() }),
        }
    }
    Ok(())
}

/// The place at a path, for changing; objects on the way are made where there is nothing or `null`.
///
/// Objects that others share are copied, one level each, and no deeper than the path goes.
pub(super) fn with_place(
    object: &mut Object,
    parts: &[Key],
    write: impl FnOnce(&mut Object, &Key),
) -> Result<(), StateError> {
    let Some((first, rest)) = parts.split_first() else { return Ok(()) };
    if rest.is_empty() {
        write(object, first);
        return Ok(());
    }
    if matches!(object.get(first), None | Some(Value::Null)) {
        object.insert(first.clone(), Object::new());
    }
    match object.get_mut(first) {
        Some(Value::Object(inner)) => with_place(inner, rest, write),
        _ => Err(StateError::NotAnObject { segment: first.to_string() }),
    }
}

/// Writes a value at a path.
pub(super) fn set(state: &mut Object, parts: &[Key], value: Value) -> Result<(), StateError> {
    with_place(state, parts, |object, key| {
        object.insert(key.clone(), value);
    })
}
