//! Following paths through the input, the state and the context.

use std::borrow::Cow;
use std::sync::Arc;

use super::View;
use super::error::PathError;
use crate::path::{GraphRoot, GraphSourcePath};
use crate::value::{Object, Value};

/// What a path holds.
///
/// # Errors
/// It leads to nothing; an explicit `null` is something.
pub fn resolve_path(path: &GraphSourcePath, view: &View<'_>) -> Result<Value, PathError> {
    lookup(path, view).map(Cow::into_owned).ok_or_else(|| PathError { path: path.to_string() })
}

/// Whether a path holds something, `null` included.
pub fn path_exists(path: &GraphSourcePath, view: &View<'_>) -> bool {
    lookup(path, view).is_some()
}

/// What a path holds, borrowed where it is stored.
pub(super) fn lookup<'v>(path: &GraphSourcePath, view: &View<'v>) -> Option<Cow<'v, Value>> {
    let object = match path.root {
        GraphRoot::Input => view.input,
        GraphRoot::State => view.state,
        GraphRoot::Context => return lookup_context(&path.parts, view),
    };
    match path.parts.split_first() {
        None => Some(Cow::Owned(Value::Object(object.clone()))),
        Some((first, rest)) => descend(object.get(first)?, rest).map(Cow::Borrowed),
    }
}

fn lookup_context<'v>(parts: &[Arc<str>], view: &View<'v>) -> Option<Cow<'v, Value>> {
    let Some((first, rest)) = parts.split_first() else {
        return Some(Cow::Owned(Value::Object(view.context.all())));
    };
    let value = view.context.get(first)?;
    if rest.is_empty() {
        return Some(Cow::Owned(value));
    }
    descend(&value, rest).cloned().map(Cow::Owned)
}

/// Follows segments through nested objects; there is no way into lists.
pub(crate) fn descend<'v>(value: &'v Value, parts: &[Arc<str>]) -> Option<&'v Value> {
    parts.iter().try_fold(value, |value, part| value.as_object()?.get(part))
}

/// Like [`descend`], from an object.
pub(crate) fn descend_object<'v>(object: &'v Object, parts: &[Arc<str>]) -> Option<&'v Value> {
    let (first, rest) = parts.split_first()?;
    descend(object.get(first)?, rest)
}
