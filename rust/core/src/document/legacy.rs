//! Deprecated maps of bindings, turned into the lists of today.

use std::borrow::Cow;

use super::form::Reader;
use crate::value::{Object, Value};

/// What the entries of a deprecated map mean.
#[derive(Clone, Copy)]
pub(super) enum Conversion {
    /// Key: where to read; value: where in the payload; into the named list.
    PathToTarget(&'static str),
    /// Key: where in the payload; value: the literal; into the named list.
    TargetToValue(&'static str),
    /// Key: where in the output; value: where in the state; into the named list.
    SourceToTarget(&'static str),
}

/// Replaces the deprecated maps that are there; refuses them beside their successors, which `canonical` names.
///
/// Entries land in the order of `maps`, whatever the order in the document.
pub(super) fn canonical_bindings<'v>(
    value: &'v Value,
    reader: &mut Reader,
    canonical: &str,
    maps: &[(&'static str, Conversion)],
) -> Option<Cow<'v, Value>> {
    let Value::Object(object) = value else { return Some(Cow::Borrowed(value)) };
    let mut present: Vec<&str> = maps.iter().map(|(name, _)| *name).filter(|name| object.contains_key(name)).collect();
    if present.is_empty() {
        return Some(Cow::Borrowed(value));
    }
    if canonical.split('/').any(|name| object.contains_key(name)) {
        // Named in the order in which they have always been named.
        present.sort_by_key(|name| ["in_map", "request_map", "input_values", "out_map"].iter().position(|n| n == name));
        let names = present.join(", ");
        reader.hinted_problem(
            "document.conflict",
            format!("cannot mix canonical {canonical} with deprecated fields: {names}"),
            Some(format!("move the entries of {names} into {canonical}")),
        );
        return None;
    }
    let mut converted = object.clone();
    let mut clean = true;
    for (name, conversion) in maps {
        let Some(entries) = converted.remove(name) else { continue };
        let Value::Object(entries) = entries else {
            reader.in_field(name, |reader| reader.problem("document.type", format!("{name} must be a mapping")));
            clean = false;
            continue;
        };
        let (list, [from, to]) = match conversion {
            Conversion::PathToTarget(list) => (list, ["path", "target"]),
            Conversion::TargetToValue(list) => (list, ["target", "value"]),
            Conversion::SourceToTarget(list) => (list, ["source", "target"]),
        };
        let bindings = entries.iter().map(|(key, value)| {
            Value::Object(Object::from_iter([(from, Value::String(key.clone())), (to, value.clone())]))
        });
        let mut all: Vec<Value> =
            converted.get(list).and_then(Value::as_list).map(|known| known.to_vec()).unwrap_or_default();
        all.extend(bindings);
        converted.insert(*list, all);
    }
    clean.then_some(Cow::Owned(Value::Object(converted)))
}
