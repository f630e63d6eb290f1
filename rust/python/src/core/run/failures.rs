//! Exceptions of handlers as the machine keeps them, and failures of the machine as exceptions.

use std::sync::Arc;

use pyo3::exceptions::PyBaseExceptionGroup;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};
use wf_core::plan::PlanError;
use wf_core::run::{CallError, RunError, RunFailure, codes};
use wf_core::value::{Object, Value};

use crate::convert::{Instances, object_to_python, to_value};
use crate::error::{Class, Exception, raised};

/// What the machine keeps of an exception: its type, the types it descends from, its text, and what it carries.
pub(super) fn call_error(py: Python<'_>, error: &PyErr) -> CallError {
    let value = error.value(py);
    let class = error.get_type(py);
    let mut kept = CallError::new(type_name(&class), text_of(value));
    kept.bases = class
        .mro()
        .iter()
        .skip(1)
        .filter_map(|base| base.cast::<PyType>().ok().map(type_name))
        .filter(|name| !matches!(name.as_str(), "object" | "BaseException"))
        .map(Arc::from)
        .collect();
    // An exception says by an attribute when trying again is pointless.
    if let Ok(Some(retryable)) = value.getattr_opt(intern!(py, "retryable")) {
        kept.retryable = retryable.is_truthy().unwrap_or(true);
    }
    kept.data = carried(value).unwrap_or_default();
    kept
}

fn type_name(class: &Bound<'_, PyType>) -> String {
    class.name().map_or_else(|_| String::from("Exception"), |name| name.to_string_lossy().into_owned())
}

/// The code, path and context of an exception of ours, and the exception behind it.
fn carried(value: &Bound<'_, PyAny>) -> PyResult<Object> {
    let py = value.py();
    let mut data = Object::new();
    if value.is_instance(&py.import(intern!(py, "wf_core.errors"))?.getattr(intern!(py, "WfError"))?)? {
        for key in ["code", "path", "context"] {
            // What is no JSON is left out: it is a courtesy to readers of the record, and no contract.
            if let Ok(kept) = to_value(&value.getattr(key)?, Instances::Refuse)
                && !kept.is_null()
                && kept.as_object().is_none_or(|object| !object.is_empty())
            {
                data.insert(key, kept);
            }
        }
    }
    let mut left = MOST_BEHIND;
    behind(value, &mut data, &mut left)?;
    Ok(data)
}

/// How many exceptions behind another one a record keeps: causes, causes of causes, members of groups.
const MOST_BEHIND: usize = 32;

/// Adds what is behind an exception: the members of a group, and its cause.
fn behind(value: &Bound<'_, PyAny>, data: &mut Object, left: &mut usize) -> PyResult<()> {
    let py = value.py();
    if value.is_instance_of::<PyBaseExceptionGroup>() {
        let mut members = Vec::new();
        for member in value.getattr(intern!(py, "exceptions"))?.try_iter()? {
            members.extend(about_other(&member?, left)?);
        }
        data.insert("exceptions", members);
    }
    let cause = value.getattr(intern!(py, "__cause__"))?;
    if !cause.is_none()
        && let Some(about) = about_other(&cause, left)?
    {
        data.insert("cause", about);
    }
    Ok(())
}

/// What the record says of an exception behind another one; nothing when it holds enough of them.
fn about_other(other: &Bound<'_, PyAny>, left: &mut usize) -> PyResult<Option<Object>> {
    let Some(rest) = left.checked_sub(1) else { return Ok(None) };
    *left = rest;
    let mut about = Object::new();
    about.insert("type", type_name(&other.get_type()));
    about.insert("message", text_of(other));
    behind(other, &mut about, left)?;
    Ok(Some(about))
}

/// The text of an exception; one whose own text cannot be made still says so.
fn text_of(value: &Bound<'_, PyAny>) -> String {
    match value.str() {
        Ok(text) => text.to_string_lossy().into_owned(),
        Err(problem) => format!("(its text cannot be shown: {problem})"),
    }
}

/// The exception of a run that failed without a handler's own exception.
pub(super) fn failed(py: Python<'_>, failure: &RunFailure) -> PyErr {
    let class = match &*failure.failure.code {
        codes::CALL_TIMEOUT => Class::NodeTimeout,
        codes::RUN_DEADLINE => Class::RunDeadline,
        _ => Class::WorkflowExecution,
    };
    raised((|| {
        Exception::new(py, class, failure.failure.message.to_string())?
            .with("code", &*failure.failure.code)?
            .with("path", failure.failure.path.as_deref())?
            .with("context", about(py, failure)?)?
            .build()
    })())
}

/// Where a failure happened, for the context of an exception.
fn about<'py>(py: Python<'py>, failure: &RunFailure) -> PyResult<Bound<'py, PyDict>> {
    let facts = [
        ("node_id", failure.node_id.clone().into()),
        ("frame_id", failure.frame_id.clone().into()),
        ("attempt", Value::Int(failure.failure.attempt.into())),
        ("error_type", Arc::clone(&failure.failure.error_type).into()),
    ];
    object_to_python(py, &facts.into_iter().filter(|(_, value): &(_, Value)| !value.is_null()).collect())
}

/// The exception of an event that the run refused.
pub(crate) fn refused(py: Python<'_>, error: &RunError) -> PyErr {
    raised((|| {
        let hint = match error.code() {
            codes::RUN_NOT_FAILED => Some("only a failed run can be tried again"),
            codes::RUN_NOT_INTERRUPTED => Some("only an interrupted run takes a payload"),
            _ => None,
        };
        Exception::new(py, Class::RunEvent, error.to_string())?
            .with("code", error.code())?
            .with("path", error.path())?
            .with("hint", hint)?
            .build()
    })())
}

/// The exception of a workflow that cannot be compiled, with the whole report.
pub(super) fn invalid(py: Python<'_>, error: &PlanError) -> PyErr {
    raised((|| {
        let rows: Vec<_> = error
            .problems
            .iter()
            .map(|problem| (&*problem.code, &*problem.path, &*problem.message, "error", problem.hint.as_deref()))
            .collect();
        let report =
            py.import(intern!(py, "wf_core.validation.workflow"))?.getattr(intern!(py, "report_of"))?.call1((rows,))?;
        let first = error.problems.first();
        Exception::new(py, Class::WorkflowValidation, error.to_string())?
            .with("path", first.map(|problem| &*problem.path))?
            .with("hint", first.filter(|_| error.problems.len() == 1).and_then(|problem| problem.hint.as_deref()))?
            .with("report", report)?
            .build()
    })())
}
