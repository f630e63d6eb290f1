//! Reading and writing places of a payload.

use super::error::LocalPathError;
use super::path::descend_object;
use crate::path::LocalPath;
use crate::value::{Key, Object, Value};

/// What a payload holds at a path; the root path is the whole payload.
///
/// # Errors
/// It holds nothing there; an explicit `null` is something.
pub fn get_local(payload: &Object, path: &LocalPath) -> Result<Value, LocalPathError> {
    lookup_local(payload, path).ok_or_else(|| LocalPathError::Unresolved { path: path.to_string() })
}

/// Like [`get_local`], without an error to build.
pub(crate) fn lookup_local(payload: &Object, path: &LocalPath) -> Option<Value> {
    if path.0.is_empty() {
        return Some(Value::Object(payload.clone()));
    }
    descend_object(payload, &path.0).cloned()
}

/// Puts a value at a path of a payload; objects on the way are made where there are none.
///
/// # Errors
/// The root takes objects only, and something that is no object may stand on the way.
pub fn set_local(payload: &mut Object, path: &LocalPath, value: Value) -> Result<(), LocalPathError> {
    if let Some((leaf, way)) = path.0.split_last() {
        if set_below(payload, way, leaf, value) {
            return Ok(());
        }
        return Err(LocalPathError::Overlap { path: path.to_string() });
    }
    match value {
        Value::Object(object) => {
            *payload = object;
            Ok(())
        }
        _ => Err(LocalPathError::RootNeedsObject),
    }
}

/// False when something that is no object stands on the way; then nothing has changed.
fn set_below(object: &mut Object, way: &[Key], leaf: &Key, value: Value) -> bool {
    let Some((first, rest)) = way.split_first() else {
        object.insert(leaf.clone(), value);
        return true;
    };
    match object.get(first) {
        None => {
            let mut inner = Object::new();
            // Nothing stands on the way through a new object.
            set_below(&mut inner, rest, leaf, value);
            object.insert(first.clone(), inner);
            true
        }
        Some(Value::Object(_)) => match object.get_mut(first) {
            Some(Value::Object(inner)) => set_below(inner, rest, leaf, value),
            _ => false,
        },
        Some(_) => false,
    }
}
