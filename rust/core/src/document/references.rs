//! Paths and refs as parts of documents.

use super::form::{Definitions, Document, Part, Reader, View};
use crate::path::{GraphSourcePath, LocalPath, PathError, StatePath};
use crate::refs::{CapabilityRef, RefError, SourceRef};
use crate::value::{Object, Value};

/// A path is text in canonical JSON; its structural form is accepted too.
macro_rules! path_part {
    ($Path:ident, $roots:expr, $least:literal, $description:literal) => {
        impl Part for $Path {
            fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
                Self::from_value(value).map_err(|error| note_path(&error, reader)).ok()
            }

            fn write(&self) -> Value {
                Value::from(self.to_string())
            }

            fn schema(_: &mut Definitions) -> Value {
                path_schema($description, $roots, $least)
            }

            fn view(&self) -> View {
                View::document(self)
            }
        }

        impl Document for $Path {
            const NAME: &'static str = stringify!($Path);
        }
    };
}

path_part!(LocalPath, &["local"], 0, "A place in a payload: `.` for all of it, or a TOML key.");
path_part!(
    GraphSourcePath,
    &["input", "state", "context"],
    0,
    "A place to read from: a TOML key that begins with input, state, or context."
);
path_part!(StatePath, &["state"], 1, "A place to write to: a TOML key that begins with state and goes on.");

fn note_path(error: &PathError, reader: &mut Reader) {
    let hint =
        match error {
            PathError::UnknownRoot(root) => Some(super::nearest(root, ["input", "state", "context"]).map_or_else(
                || "begin with input, state or context".to_owned(),
                |near| format!("did you mean {near}?"),
            )),
            PathError::Syntax(_) => Some("quote a segment like this: state.\"page title\"".to_owned()),
            PathError::NoStatePath => Some("outputs are written into the state, for example state.report".to_owned()),
            _ => None,
        };
    reader.hinted_problem(error.code(), error.to_string(), hint);
}

fn path_schema(description: &str, roots: &[&str], least: i64) -> Value {
    let root = match roots {
        [root] => Object::from_iter([("type", Value::from("string")), ("const", Value::from(*root))]),
        _ => Object::from_iter([
            ("type", Value::from("string")),
            ("enum", Value::List(roots.iter().map(|root| Value::from(*root)).collect())),
        ]),
    };
    let segment = Object::from_iter([("type", Value::from("string")), ("minLength", Value::Int(1))]);
    let parts = Object::from_iter([
        ("type", Value::from("array")),
        ("items", Value::Object(segment)),
        ("minItems", Value::Int(least)),
    ]);
    let text = Object::from_iter([("type", Value::from("string")), ("minLength", Value::Int(1))]);
    let structural = Object::from_iter([
        ("type", Value::from("object")),
        ("additionalProperties", Value::Bool(false)),
        ("required", vec!["root", "parts"].into()),
        ("properties", Value::Object(Object::from_iter([("root", root), ("parts", parts)]))),
    ]);
    Value::Object(Object::from_iter([
        ("description", Value::from(description)),
        ("oneOf", Value::from(vec![text, structural])),
    ]))
}

impl Part for CapabilityRef {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        Self::from_value(value).map_err(|error| note_ref(error, reader)).ok()
    }

    fn write(&self) -> Value {
        self.to_value()
    }

    fn schema(_: &mut Definitions) -> Value {
        let text = Object::from_iter([("type", Value::from("string")), ("minLength", Value::Int(1))]);
        let properties = Object::from_iter([("source", text.clone()), ("capability_key", text)]);
        Value::Object(Object::from_iter([
            ("type", Value::from("object")),
            ("properties", Value::Object(properties)),
            ("required", vec!["source", "capability_key"].into()),
        ]))
    }

    fn view(&self) -> View {
        View::document(self)
    }
}

impl Document for CapabilityRef {
    const NAME: &'static str = "CapabilityRef";
}

impl Part for SourceRef {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        Self::from_value(value).map_err(|error| note_ref(error, reader)).ok()
    }

    fn write(&self) -> Value {
        Value::from(self.to_string())
    }

    fn schema(_: &mut Definitions) -> Value {
        Value::Object(Object::from_iter([("type", Value::from("string")), ("minLength", Value::Int(1))]))
    }

    fn view(&self) -> View {
        View::document(self)
    }
}

impl Document for SourceRef {
    const NAME: &'static str = "SourceRef";
}

fn note_ref(error: RefError, reader: &mut Reader) {
    let hint =
        matches!(error, RefError::NoSource).then(|| "write it as source and name, for example wf.std.add".to_owned());
    reader.hinted_problem(error.code(), error.to_string(), hint);
}
