//! The one place where Rust errors become Python exceptions.
//!
//! The exception classes are written in Python (`wf_core.errors`), where they have attributes, docstrings and
//! types; here stands which Rust error becomes which class.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::convert::NotJson;

/// An exception class of `wf_core.errors`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Class {
    /// A value that is no JSON.
    JsonValue,
    /// A document that does not have the right form.
    Document,
    /// A document that cannot be changed.
    Frozen,
    /// An input or an answer that is no JSON object.
    Payload,
    /// A path that is none.
    Path,
    /// A reference that is none.
    Reference,
    /// A handler's answer that is no result.
    NodeResult,
    /// A handler that took too long.
    NodeTimeout,
    /// A run that took too long.
    RunDeadline,
    /// An event that does not fit the run.
    RunEvent,
    /// A stored run that cannot be loaded.
    Snapshot,
    /// A run that failed.
    WorkflowExecution,
    /// A workflow whose structure is wrong.
    WorkflowValidation,
}

impl Class {
    fn name(self) -> &'static str {
        match self {
            Self::JsonValue => "JsonValueError",
            Self::Document => "DocumentError",
            Self::Frozen => "FrozenError",
            Self::Payload => "PayloadError",
            Self::Path => "PathResolutionError",
            Self::Reference => "RefError",
            Self::NodeResult => "NodeResultError",
            Self::NodeTimeout => "NodeTimeoutError",
            Self::RunDeadline => "RunDeadlineError",
            Self::RunEvent => "RunEventError",
            Self::Snapshot => "SnapshotError",
            Self::WorkflowExecution => "WorkflowExecutionError",
            Self::WorkflowValidation => "WorkflowValidationError",
        }
    }
}

/// An exception in the making: a class of `wf_core.errors` and the fields that are known.
pub(crate) struct Exception<'py> {
    class: Bound<'py, PyAny>,
    message: String,
    fields: Bound<'py, PyDict>,
}

impl<'py> Exception<'py> {
    /// Starts an exception of `class`.
    pub(crate) fn new(py: Python<'py>, class: Class, message: impl Into<String>) -> PyResult<Self> {
        Self::named(py, "wf_core.errors", class.name(), message)
    }

    /// Starts an exception of the class `name` in `module`.
    pub(crate) fn named(py: Python<'py>, module: &str, name: &str, message: impl Into<String>) -> PyResult<Self> {
        let class = py.import(module)?.getattr(name)?;
        Ok(Self { class, message: message.into(), fields: PyDict::new(py) })
    }

    /// Sets a keyword of the exception's constructor.
    pub(crate) fn with(self, keyword: &str, value: impl IntoPyObject<'py>) -> PyResult<Self> {
        self.fields.set_item(keyword, value)?;
        Ok(self)
    }

    /// The exception, ready to be raised.
    pub(crate) fn build(self) -> PyResult<PyErr> {
        Ok(PyErr::from_value(self.class.call((self.message,), Some(&self.fields))?))
    }
}

/// A `WorkflowExecutionError` with a code and, if there is something to say, a hint.
pub(crate) fn execution_error(py: Python<'_>, code: &str, message: impl Into<String>, hint: Option<&str>) -> PyErr {
    raised((|| Exception::new(py, Class::WorkflowExecution, message)?.with("code", code)?.with("hint", hint)?.build())())
}

/// The code of [`no_object`].
pub(crate) const NO_OBJECT: &str = "payload.not_an_object";

/// The exception for something that must be a JSON object and is none; `what` names it, such as `workflow input`.
pub(crate) fn no_object(py: Python<'_>, what: &str) -> PyErr {
    raised((|| {
        Exception::new(py, Class::Payload, format!("{what} must be a dict"))?
            .with("code", NO_OBJECT)?
            .with("hint", "give a mapping with keys that are strings, `{}` for an empty one")?
            .build()
    })())
}

/// Folds a failure to build an exception into that failure.
pub(crate) fn raised(built: PyResult<PyErr>) -> PyErr {
    built.unwrap_or_else(|failure| failure)
}

impl NotJson {
    /// The exception; `place` says where the value stands, such as ``node `fetch` output``.
    pub(crate) fn into_exception(self, py: Python<'_>, place: Option<&str>) -> PyErr {
        let message = place.map_or_else(|| self.message(), |place| format!("{place}: {}", self.message()));
        let cause = self.cause().map(|cause| cause.clone_ref(py));
        raised((|| {
            let error = Exception::new(py, Class::JsonValue, message)?
                .with("code", self.code())?
                .with("path", self.place())?
                .with("hint", self.hint())?
                .with("python_type", self.python_type())?
                .build()?;
            error.set_cause(py, cause);
            Ok(error)
        })())
    }
}
