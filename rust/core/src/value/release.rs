//! Letting go of deeply nested values without deep recursion.

use super::Value;

/// Drops the values one by one from a work list, so that the depth of nesting never becomes depth of stack.
///
/// Only containers that nobody else shares are taken apart; a shared one merely loses a reference.
pub(super) fn release(mut pending: Vec<Value>) {
    if !pending.iter().any(Value::is_container) {
        return;
    }
    while let Some(value) = pending.pop() {
        match value {
            Value::List(mut list) => {
                if let Some(items) = list.take_unique() {
                    pending.extend(items.into_iter().filter(Value::is_container));
                }
            }
            Value::Object(mut object) => {
                if let Some(values) = object.take_unique() {
                    pending.extend(values.filter(Value::is_container));
                }
            }
            _ => {}
        }
    }
}
