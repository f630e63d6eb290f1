//! JSON pointers within a schema document.

use std::borrow::Cow;

use crate::value::Value;

/// Appends one segment to a pointer.
pub(super) fn join(pointer: &str, segment: &str) -> String {
    let mut joined = String::with_capacity(pointer.len() + 1 + segment.len());
    joined.push_str(pointer);
    joined.push('/');
    for character in segment.chars() {
        match character {
            '~' => joined.push_str("~0"),
            '/' => joined.push_str("~1"),
            other => joined.push(other),
        }
    }
    joined
}

/// The segments of a pointer, unescaped.
pub(super) fn segments(pointer: &str) -> impl Iterator<Item = Cow<'_, str>> {
    pointer.split('/').skip(1).map(|segment| {
        if segment.contains('~') {
            Cow::Owned(segment.replace("~1", "/").replace("~0", "~"))
        } else {
            Cow::Borrowed(segment)
        }
    })
}

/// One step into a value: a key of an object or an index of a list.
pub(super) fn step<'v>(value: &'v Value, segment: &str) -> Option<&'v Value> {
    match value {
        Value::Object(object) => object.get(segment),
        Value::List(items) => items.get(index(segment)?),
        _ => None,
    }
}

/// A list index as a pointer spells it.
pub(super) fn index(segment: &str) -> Option<usize> {
    let canonical = segment == "0" || !segment.starts_with('0');
    let digits = !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit());
    if canonical && digits { segment.parse().ok() } else { None }
}

/// What a pointer refers to.
pub(super) fn resolve<'v>(root: &'v Value, pointer: &str) -> Option<&'v Value> {
    segments(pointer).try_fold(root, |value, segment| step(value, &segment))
}

/// The canonical pointer of a reference into the same document (`#`, `#/…`); `None` for every other reference.
pub(super) fn local(reference: &str) -> Option<String> {
    let fragment = reference.strip_prefix('#')?;
    if fragment.is_empty() {
        return Some(String::new());
    }
    if !fragment.starts_with('/') {
        return None;
    }
    let decoded = percent_decode(fragment)?;
    // A canonical spelling makes equal references meet in one node.
    Some(segments(&decoded).fold(String::new(), |pointer, segment| join(&pointer, &segment)))
}

fn percent_decode(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('%') {
        return Some(Cow::Borrowed(text));
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        if first == b'%' {
            let digits = tail.get(..2)?;
            let digits = std::str::from_utf8(digits).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = tail.get(2..)?;
        } else {
            bytes.push(first);
            rest = tail;
        }
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}
