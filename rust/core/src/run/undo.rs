//! Taking writes back.
//!
//! Items of a serial foreach write through to the state around them, so that a list that grows with every item grows in
//! place. What an item wrote has to vanish when it fails; so before each write it is noted what was there, in a form
//! that shares nothing with the place: a shared container would have to be copied by the very write.

use crate::reducer::{BuiltinReducer, Reducer};
use crate::state::StateTarget;
use crate::value::{Key, Object, Value};

/// What one place of the state held before a write.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Undo {
    pub(crate) target: StateTarget,
    /// How many of the path's segments lead to what is restored: all of them, or fewer where an object on the way did
    /// not exist.
    pub(crate) depth: usize,
    pub(crate) was: Was,
}

/// What was there.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Was {
    /// Nothing.
    Absent,
    /// This value.
    Value(Value),
    /// A list of this length, which only grew.
    Length(usize),
    /// An object; these keys are touched, and held what stands beside them.
    Entries(Vec<(Key, Option<Value>)>),
}

impl Undo {
    /// Notes what a place holds that `incoming` values are about to be merged into.
    pub(crate) fn note<'v>(target: &StateTarget, state: &Object, incoming: impl Iterator<Item = &'v Value>) -> Self {
        let parts = target.path().parts();
        let mut object = state;
        for (at, part) in parts.iter().enumerate() {
            let depth = at + 1;
            let found = object.get(part);
            match found {
                Some(Value::Object(inner)) if depth < parts.len() => object = inner,
                Some(value) => {
                    let was =
                        if depth == parts.len() { was(target, value, incoming) } else { Was::Value(value.clone()) };
                    return Self { target: target.clone(), depth, was };
                }
                None => return Self { target: target.clone(), depth, was: Was::Absent },
            }
        }
        Self { target: target.clone(), depth: 0, was: Was::Absent }
    }

    /// Restores what was noted. A place that is gone by now was restored by another note.
    pub(crate) fn revert(self, state: &mut Object) {
        let Self { target, depth, was } = self;
        let Some((last, way)) = target.path().parts().get(..depth).and_then(<[Key]>::split_last) else { return };
        let mut object = state;
        for part in way {
            let Some(Value::Object(inner)) = object.get_mut(part) else { return };
            object = inner;
        }
        match was {
            Was::Absent => {
                object.remove(last);
            }
            Was::Value(value) => {
                object.insert(last.clone(), value);
            }
            Was::Length(length) => {
                if let Some(Value::List(list)) = object.get_mut(last) {
                    list.make_mut().truncate(length);
                }
            }
            Was::Entries(entries) => {
                let Some(Value::Object(inner)) = object.get_mut(last) else { return };
                // Backwards: new keys stand at the end, in the order in which they came.
                for (key, value) in entries.into_iter().rev() {
                    match value {
                        Some(value) => {
                            inner.insert(key, value);
                        }
                        None => {
                            inner.remove(&key);
                        }
                    }
                }
            }
        }
    }
}

/// What to note of a value that is there. Built-in reducers that grow a container leave what it held as it was.
fn was<'v>(target: &StateTarget, value: &Value, incoming: impl Iterator<Item = &'v Value>) -> Was {
    match (target.reducer(), value) {
        (Reducer::Builtin(BuiltinReducer::Append | BuiltinReducer::Add), Value::List(list)) => Was::Length(list.len()),
        (Reducer::Builtin(BuiltinReducer::MergeObject), Value::Object(object)) => {
            let mut entries: Vec<(Key, Option<Value>)> = Vec::new();
            for key in incoming.filter_map(Value::as_object).flat_map(Object::keys) {
                entries.push((key.clone(), object.get(key).cloned()));
            }
            Was::Entries(entries)
        }
        _ => Was::Value(value.clone()),
    }
}
