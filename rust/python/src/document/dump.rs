//! Dumping documents: aliases, selections, JSON text.

use std::collections::HashSet;
use std::sync::Arc;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use serde::Serialize;
use wf_core::value::{JsonError, Object, Value};

use super::base::PyDocument;
use super::info::ClassInfo;
use crate::error::{Class, Exception, raised};

/// Which parts of a document a dump shows, and under which names.
pub(super) struct Filter {
    include: Option<HashSet<String>>,
    exclude: HashSet<String>,
    by_alias: bool,
    exclude_none: bool,
}

impl Filter {
    /// Reads the options of `model_dump`; `include` and `exclude` hold field names.
    pub(super) fn new(
        include: Option<&Bound<'_, PyAny>>,
        exclude: Option<&Bound<'_, PyAny>>,
        by_alias: bool,
        exclude_none: bool,
    ) -> PyResult<Self> {
        Ok(Self {
            include: include.map(field_names).transpose()?,
            exclude: exclude.map(field_names).transpose()?.unwrap_or_default(),
            by_alias,
            exclude_none,
        })
    }

    /// The dump.
    pub(super) fn apply(&self, document: &PyDocument) -> Value {
        let info = document.info();
        let dumped = document.dump();
        let Value::Object(fields) = dumped else {
            return dumped;
        };
        let mut shown = Object::with_capacity(fields.len());
        for (key, value) in &fields {
            let attribute = attribute_of(info, key);
            let named = |names: &HashSet<String>| names.contains(attribute) || names.contains(key.as_ref());
            if self.include.as_ref().is_some_and(|include| !named(include)) || named(&self.exclude) {
                continue;
            }
            if self.exclude_none && value.is_null() {
                continue;
            }
            let value = if self.exclude_none { without_nulls(value) } else { value.clone() };
            let value = if self.by_alias { value } else { attributes_inside(info, key, value) };
            if self.by_alias || attribute == key.as_ref() {
                shown.insert(Arc::clone(key), value);
            } else {
                shown.insert(attribute, value);
            }
        }
        Value::Object(shown)
    }
}

fn attribute_of<'a>(info: &ClassInfo, key: &'a str) -> &'a str {
    info.aliases.iter().find(|(_, alias)| *alias == key).map_or(key, |(attribute, _)| attribute)
}

/// Names the attributes of the documents inside a workflow, as a dump without aliases does.
///
/// Only two classes have an alias, and both live directly in a workflow.
fn attributes_inside(info: &ClassInfo, key: &str, value: Value) -> Value {
    let Value::List(items) = &value else {
        return value;
    };
    let rename = match (info.name, key) {
        ("Workflow", "edges") => ("from", "from_"),
        ("Workflow", "nodes") => ("as", "as_"),
        _ => return value,
    };
    Value::List(items.iter().map(|item| renamed(item, rename)).collect())
}

/// A workflow by the names that documents have, also when it was dumped without aliases.
///
/// The document itself is strict about `from`; this is for whoever hands over a dump as a plan.
pub(crate) fn document_names(plan: &Object) -> Object {
    let edges = |value: &Value| match value {
        Value::List(edges) => Value::List(edges.iter().map(|edge| renamed(edge, ("from_", "from"))).collect()),
        other => other.clone(),
    };
    plan.iter()
        .map(|(key, value)| (Arc::clone(key), if &**key == "edges" { edges(value) } else { value.clone() }))
        .collect()
}

fn renamed(item: &Value, (from, to): (&str, &str)) -> Value {
    match item {
        Value::Object(object) if object.contains_key(from) && !object.contains_key(to) => object
            .iter()
            .map(|(key, value)| (if key.as_ref() == from { Arc::from(to) } else { Arc::clone(key) }, value.clone()))
            .collect::<Object>()
            .into(),
        other => other.clone(),
    }
}

fn without_nulls(value: &Value) -> Value {
    match value {
        Value::List(items) => Value::List(items.iter().map(without_nulls).collect()),
        Value::Object(object) => object
            .iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(key, value)| (Arc::clone(key), without_nulls(value)))
            .collect::<Object>()
            .into(),
        other => other.clone(),
    }
}

/// `include` and `exclude` take any iterable of field names.
fn field_names(names: &Bound<'_, PyAny>) -> PyResult<HashSet<String>> {
    names.try_iter()?.map(|name| name?.extract::<String>()).collect()
}

/// Refuses a mode that is none.
pub(super) fn check_mode(mode: &str) -> PyResult<()> {
    match mode {
        "python" | "json" => Ok(()),
        other => Err(PyValueError::new_err(format!("unknown dump mode `{other}`; expected `python` or `json`"))),
    }
}

/// Refuses what no schema can be given for: there is one per document, by alias.
pub(super) fn check_schema_options(by_alias: bool, mode: &str) -> PyResult<()> {
    match mode {
        "validation" | "serialization" if by_alias => Ok(()),
        "validation" | "serialization" => Err(PyValueError::new_err("JSON Schemas of documents are by alias only")),
        other => Err(PyValueError::new_err(format!(
            "unknown schema mode `{other}`; expected `validation` or `serialization`"
        ))),
    }
}

/// JSON text, compact or indented.
pub(super) fn to_text(value: &Value, indent: Option<usize>) -> PyResult<String> {
    let Some(indent) = indent else {
        return Ok(value.to_json());
    };
    let spaces = vec![b' '; indent];
    let mut text = Vec::new();
    let formatter = serde_json::ser::PrettyFormatter::with_indent(&spaces);
    value
        .serialize(&mut serde_json::Serializer::with_formatter(&mut text, formatter))
        .map_err(|error| PyTypeError::new_err(error.to_string()))?;
    Ok(String::from_utf8(text)?)
}

/// The exception of a text that is no JSON.
pub(super) fn json_text_error(py: Python<'_>, info: &ClassInfo, error: &JsonError) -> PyErr {
    raised((|| {
        let message = error.to_string();
        let problems = [("document.not_json", "", message.as_str(), None::<&str>)];
        Exception::new(py, Class::Document, format!("invalid `{}`: {message}", info.name))?
            .with("code", "document.not_json")?
            .with("document", info.name)?
            .with("problems", problems)?
            .build()
    })())
}
