//! The reader: where in a document we are, and what was wrong so far.

use std::fmt::Write as _;
use std::sync::Arc;

use super::{Codec, DocumentError, FieldInfo, Problem, Tag, nearest};
use crate::path::format_segments;
use crate::value::{Object, Value, repr_text};

/// Walks a document and notes every problem with its place.
#[derive(Debug, Default)]
pub struct Reader {
    place: Vec<Step>,
    /// How many parts of a recursive kind are open.
    depth: usize,
    problems: Vec<Problem>,
}

/// One step down into a document.
#[derive(Debug)]
enum Step {
    Field(&'static str),
    Key(Arc<str>),
    Index(usize),
}

/// What a document does with keys that it does not declare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnknownKeys {
    /// Leaves them out.
    Ignore,
    /// Takes them as problems.
    Forbid,
}

impl Reader {
    pub(super) fn new() -> Self {
        Self::default()
    }

    pub(super) fn is_clean(&self) -> bool {
        self.problems.is_empty()
    }

    pub(super) fn into_error(self, document: &'static str) -> DocumentError {
        DocumentError { document, problems: self.problems }
    }

    /// How many problems there are so far.
    pub fn problem_count(&self) -> usize {
        self.problems.len()
    }

    /// Notes a problem here.
    pub fn problem(&mut self, code: &'static str, message: impl Into<String>) {
        self.hinted_problem(code, message, None);
    }

    /// Notes a problem here, with what to do about it.
    pub fn hinted_problem(&mut self, code: &'static str, message: impl Into<String>, hint: Option<String>) {
        let path = self.path();
        self.problems.push(Problem { code, path, message: message.into(), hint });
    }

    /// Notes that something else was expected here.
    pub fn expected(&mut self, expected: &str, value: &Value) {
        self.problem("document.type", format!("expected {expected}, got {}", brief(value)));
    }

    /// The place as text, such as `nodes[3].input[0].target`.
    pub fn path(&self) -> String {
        let mut path = String::new();
        for step in &self.place {
            match step {
                Step::Field(name) => push_key(&mut path, name),
                Step::Key(key) => push_key(&mut path, key),
                Step::Index(index) => write!(path, "[{index}]").expect("writing to a string does not fail"),
            }
        }
        path
    }

    /// Reads something that stands in a field.
    pub fn in_field<R>(&mut self, name: &'static str, read: impl FnOnce(&mut Self) -> R) -> R {
        self.within(Step::Field(name), read)
    }

    /// Reads something that stands at a key of the user's choice.
    pub fn in_key<R>(&mut self, key: &Arc<str>, read: impl FnOnce(&mut Self) -> R) -> R {
        self.within(Step::Key(key.clone()), read)
    }

    /// Reads a part of a kind that nests within itself, up to a limit.
    pub fn nested<R>(
        &mut self,
        limit: usize,
        code: &'static str,
        message: &str,
        read: impl FnOnce(&mut Self) -> Option<R>,
    ) -> Option<R> {
        if self.depth == limit {
            self.problem(code, format!("{message} at {}", self.path()));
            return None;
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// The name of the field that is being read.
    pub fn field_name(&self) -> &str {
        match self.place.last() {
            Some(Step::Field(name)) => name,
            Some(Step::Key(key)) => key,
            Some(Step::Index(_)) | None => "value",
        }
    }

    /// Puts words before the messages that came since there were `count` of them.
    pub fn prefix_since(&mut self, count: usize, prefix: &str) {
        for problem in self.problems.iter_mut().skip(count) {
            problem.message.insert_str(0, prefix);
        }
    }

    /// Reads an item of a list.
    pub fn in_item<R>(&mut self, index: usize, read: impl FnOnce(&mut Self) -> R) -> R {
        self.within(Step::Index(index), read)
    }

    fn within<R>(&mut self, step: Step, read: impl FnOnce(&mut Self) -> R) -> R {
        self.place.push(step);
        let result = read(self);
        self.place.pop();
        result
    }

    /// The object that should be here.
    pub fn object<'v>(&mut self, value: &'v Value, document: &str) -> Option<&'v Object> {
        if let Value::Object(object) = value {
            return Some(object);
        }
        let article = if document.starts_with(['A', 'E', 'I', 'O', 'U']) { "an" } else { "a" };
        self.expected(&format!("an object ({article} {document})"), value);
        None
    }

    /// Checks the constant that says which document this is; it may be missing.
    pub fn constant(&mut self, object: &Object, tag: Option<Tag>) {
        if let Some(tag) = tag
            && let Some(value) = object.get(tag.key)
            && value.as_str() != Some(tag.word)
        {
            self.in_field(tag.key, |reader| reader.expected(&repr_text(tag.word), value));
        }
    }

    /// Notes that none of the words is here.
    pub fn unknown_word(&mut self, value: &Value, words: &[&str]) {
        let Some(word) = value.as_str() else {
            self.expected(&format!("one of {}", words.join(", ")), value);
            return;
        };
        let hint = nearest(word, words.iter().copied()).map(|near| format!("did you mean {}?", repr_text(near)));
        let message = format!("expected one of {}, got {}", words.join(", "), brief(value));
        self.hinted_problem("document.value", message, hint);
    }

    /// Reads one declared field; without a default it must be there.
    pub fn field<T, C: Codec<T>>(
        &mut self,
        object: &Object,
        name: &'static str,
        default: Option<fn() -> T>,
    ) -> Option<T> {
        match (object.get(name), default) {
            (Some(value), _) => self.in_field(name, |reader| C::read(value, reader)),
            (None, Some(default)) => Some(default()),
            (None, None) => {
                self.in_field(name, |reader| {
                    reader.problem("document.missing", format!("missing required field {}", repr_text(name)));
                });
                None
            }
        }
    }

    /// Notes keys that are not declared, where they are forbidden.
    pub fn unknown(&mut self, object: &Object, fields: &[FieldInfo], tag: Option<Tag>, policy: UnknownKeys) {
        if policy == UnknownKeys::Ignore {
            return;
        }
        for key in undeclared(object, fields, tag).map(|(key, _)| key) {
            let names = fields.iter().map(|field| field.name);
            let hint = nearest(key, names.clone()).map_or_else(
                || format!("known fields: {}", names.collect::<Vec<_>>().join(", ")),
                |name| format!("did you mean {}?", repr_text(name)),
            );
            self.in_key(key, |reader| {
                let message = format!("unknown field {}", repr_text(key));
                reader.hinted_problem("document.unknown_field", message, Some(hint));
            });
        }
    }

    /// The keys that are not declared, for documents that keep them.
    pub fn extra(object: &Object, fields: &[FieldInfo], tag: Option<Tag>) -> Vec<(Arc<str>, Value)> {
        undeclared(object, fields, tag).map(|(key, value)| (key.clone(), value.clone())).collect()
    }
}

/// Which variant of a union stands here, by the word at `key`.
pub(crate) fn read_variant(
    value: &Value,
    reader: &mut Reader,
    union: &str,
    key: &'static str,
    words: &[&'static str],
) -> Option<&'static str> {
    let object = reader.object(value, union)?;
    let Some(found) = object.get(key) else {
        reader.in_field(key, |reader| {
            let hint = format!("one of {}", words.join(", "));
            reader.hinted_problem("document.missing", format!("missing required field {}", repr_text(key)), Some(hint));
        });
        return None;
    };
    let word = words.iter().find(|word| found.as_str() == Some(word));
    if word.is_none() {
        reader.in_field(key, |reader| reader.unknown_word(found, words));
    }
    word.copied()
}

fn undeclared<'a>(
    object: &'a Object,
    fields: &[FieldInfo],
    tag: Option<Tag>,
) -> impl Iterator<Item = (&'a Arc<str>, &'a Value)> {
    object.iter().filter(move |(key, _)| {
        tag.is_none_or(|tag| tag.key != key.as_ref()) && !fields.iter().any(|field| field.name == key.as_ref())
    })
}

/// Appends `.key`, quoted where a bare key would be ambiguous.
pub(crate) fn push_key(path: &mut String, key: &str) {
    if !path.is_empty() {
        path.push('.');
    }
    match format_segments(&[key]) {
        Ok(segment) => path.push_str(&segment),
        // No path could lead here, but a message can still show it.
        Err(_) => path.push_str(&repr_text(key)),
    }
}

/// A value in a message: scalars as they are, containers by their kind.
pub(crate) fn brief(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::List(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        Value::String(text) if text.chars().count() > 60 => {
            format!("{}…", repr_text(&text.chars().take(60).collect::<String>()))
        }
        Value::String(text) => repr_text(text),
        Value::Bool(_) | Value::Int(_) | Value::Float(_) => value.to_json(),
        Value::BigInt(_) => "a very large integer".to_owned(),
    }
}
