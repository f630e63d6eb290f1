//! What handlers return, and how it becomes a result of the machine.

use std::sync::Arc;

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use wf_core::document::{Document, NodeResult};
use wf_core::value::{Object, Value};

use crate::convert::{Instances, NotJson, to_object, to_value};
use crate::core::models::PyNodeResult;
use crate::document::{data, document_error};
use crate::error::{Class, Exception, raised};

/// Reads what a handler returned.
///
/// A `NodeResult` is taken as it is. A dict with both `outcome` and `output` says the same in plain data. Any other
/// dict is the output, with the outcome `ok`.
pub(crate) fn read_result(raw: &Bound<'_, PyAny>) -> Result<NodeResult, BadResult> {
    if let Ok(dict) = raw.cast_exact::<PyDict>() {
        return read_dict(dict);
    }
    if let Ok(result) = raw.cast::<PyNodeResult>() {
        return data::<NodeResult>(result.as_super()).cloned().map_err(BadResult::Raised);
    }
    match raw.cast::<PyDict>() {
        Ok(dict) => read_dict(dict),
        Err(_) => Err(BadResult::Kind(
            raw.get_type()
                .qualname()
                .map_or_else(|_| String::from("object"), |name| name.to_string_lossy().into_owned()),
        )),
    }
}

/// Why what a handler returned is no result.
pub(crate) enum BadResult {
    /// It is no dict; the name of its type.
    Kind(String),
    /// A value in it is no JSON.
    NotJson(Box<NotJson>),
    /// It says `outcome` and `output`, but not in the right form.
    Document(wf_core::document::DocumentError),
    /// Looking at it raised something.
    Raised(PyErr),
}

impl From<NotJson> for BadResult {
    fn from(error: NotJson) -> Self {
        Self::NotJson(Box::new(error))
    }
}

impl BadResult {
    /// The exception; `place` says whose result it is.
    pub(crate) fn into_exception(self, py: Python<'_>, place: Option<&str>) -> PyErr {
        let prefix = place.map_or_else(String::new, |place| format!("{place}: "));
        match self {
            Self::NotJson(error) => error.into_exception(py, place),
            Self::Document(error) => document_error(py, &error),
            Self::Raised(error) => error,
            Self::Kind(kind) => raised((|| {
                let message = format!("{prefix}expected a dict or a NodeResult, got `{kind}`");
                let hint = match kind.as_str() {
                    "NoneType" => "return `{}` when there is nothing to say",
                    "coroutine" => "the handler's coroutine was never awaited; return its awaited result",
                    _ => "return a dict such as `{\"value\": …}`, or use `@node`, which wraps plain results",
                };
                Exception::new(py, Class::NodeResult, message)?.with("hint", hint)?.build()
            })()),
        }
    }
}

fn read_dict(dict: &Bound<'_, PyDict>) -> Result<NodeResult, BadResult> {
    let py = dict.py();
    let outcome = item(dict, intern!(py, "outcome"))?;
    let output = match outcome {
        Some(_) => item(dict, intern!(py, "output"))?,
        None => None,
    };
    let (Some(outcome), Some(output)) = (outcome, output) else {
        let output = to_object(dict, Instances::Refuse)?.unwrap_or_default();
        return Ok(NodeResult { outcome: ok(), output, meta: Object::new(), extra: Vec::new() });
    };
    // The two entries alone, in their plain form, are nearly every result.
    if dict.len() == 2
        && let Ok(outcome) = outcome.cast::<PyString>()
        && let Ok(outcome) = outcome.to_str()
        && output.is_instance_of::<PyDict>()
    {
        let outcome = if outcome == "ok" { ok() } else { Arc::from(outcome) };
        let output = to_object(&output, Instances::Refuse).map_err(|error| error.inside("output"))?.unwrap_or_default();
        return Ok(NodeResult { outcome, output, meta: Object::new(), extra: Vec::new() });
    }
    let value: Value = to_value(dict, Instances::Refuse)?;
    NodeResult::parse(&value).map_err(BadResult::Document)
}

fn item<'py>(dict: &Bound<'py, PyDict>, key: &Bound<'py, PyString>) -> Result<Option<Bound<'py, PyAny>>, BadResult> {
    dict.get_item(key).map_err(BadResult::Raised)
}

/// The outcome of a result that names none; shared, since most results have it.
fn ok() -> Arc<str> {
    thread_local! {
        static OK: Arc<str> = Arc::from("ok");
    }
    OK.with(Arc::clone)
}

/// Reads what a handler returned, for callers outside of a run.
#[pyfunction]
#[pyo3(signature = (raw_result, /))]
pub(super) fn coerce_node_result<'py>(raw_result: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = raw_result.py();
    if raw_result.is_instance_of::<PyNodeResult>() {
        return Ok(raw_result.clone());
    }
    let result = read_result(raw_result).map_err(|error| error.into_exception(py, None))?;
    crate::document::show(py, result)
}
