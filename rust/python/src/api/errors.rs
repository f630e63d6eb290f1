//! Which error of `wf-api` becomes which exception of `wf_api.errors`.

use std::error::Error as _;

use pyo3::prelude::*;
use wf_api::error::ApiError;
use wf_api::file::FileRootError;
use wf_api::handler::HandlerError;
use wf_api::resource::ResourceError;
use wf_api::store::StoreError;

use crate::core::refused;
use crate::document::document_error;
use crate::error::{Exception, raised};
use crate::platform::platform_error;

const MODULE: &str = "wf_api.errors";

/// Whether an object is an exception of a failed read.
pub(crate) fn is_resource_error(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    object.is_instance(&object.py().import(MODULE)?.getattr("ResourceError")?)
}

/// The exception of a failed read.
pub(crate) fn resource_error(py: Python<'_>, error: &ResourceError) -> PyErr {
    if let ResourceError::ResolveFailed { cause, .. } | ResourceError::ReaderFailed { cause, .. } = error
        && let Some(cause) = cause.0.downcast_ref::<PyErr>()
        && (matches!(error, ResourceError::ResolveFailed { .. }) || is_resource_error(cause.value(py)).unwrap_or(false))
    {
        // A platform object's own refusal, or an exception that says everything already, is raised as it is.
        return cause.clone_ref(py);
    }
    raised((|| {
        let exception = Exception::named(py, MODULE, error.type_name(), error.to_string())?
            .with("code", error.code())?
            .with("hint", error.hint())?
            .with("source_id", error.source_name())?
            .with("uri", error.uri())?
            .build()?;
        exception.set_cause(py, python_cause(py, error));
        Ok(exception)
    })())
}

/// The Python exception behind an error, if there is one.
fn python_cause(py: Python<'_>, error: &ResourceError) -> Option<PyErr> {
    match error {
        ResourceError::ReaderFailed { cause, .. } | ResourceError::TimedOut { cause, .. } => cause
            .0
            .downcast_ref::<PyErr>()
            .map(|cause| cause.clone_ref(py))
            .or_else(|| cause.0.downcast_ref::<std::io::Error>().map(|cause| os_error(py, cause))),
        ResourceError::AccessDenied { cause, .. } => Some(os_error(py, cause)),
        _ => None,
    }
}

/// The exception that Python itself would raise for an error of the system.
fn os_error(py: Python<'_>, error: &std::io::Error) -> PyErr {
    let _ = py;
    match error.raw_os_error() {
        Some(number) => pyo3::exceptions::PyOSError::new_err((number, error.to_string())),
        None => pyo3::exceptions::PyOSError::new_err(error.to_string()),
    }
}

/// The exception of a directory that cannot become a source.
pub(crate) fn root_error(py: Python<'_>, error: &FileRootError) -> PyErr {
    raised((|| {
        let exception = Exception::named(py, MODULE, "SourceRootError", error.to_string())?
            .with("code", error.code())?
            .with("hint", "name a directory that exists and that the process may read")?
            .build()?;
        let cause = error.source().and_then(|cause| cause.downcast_ref::<std::io::Error>());
        exception.set_cause(py, cause.map(|cause| os_error(py, cause)));
        Ok(exception)
    })())
}

/// The exception of a native handler: the built-in that its type names, or the class of a failed read.
pub(crate) fn handler_error(py: Python<'_>, error: HandlerError) -> PyErr {
    if let Some(resource) = error.cause.as_ref().and_then(|cause| cause.downcast_ref::<ResourceError>()) {
        return resource_error(py, resource);
    }
    let HandlerError { type_name, code, message, .. } = error;
    raised((|| {
        if let Some(code) = code {
            return Exception::named(py, MODULE, "NodePayloadError", message)?.with("code", code)?.build();
        }
        let class = py.import("builtins")?.getattr(type_name)?;
        Ok(PyErr::from_value(class.call1((message,))?))
    })())
}

/// The exception of an operation that was refused or failed.
pub(crate) fn api_error(py: Python<'_>, error: &ApiError) -> PyErr {
    match error {
        ApiError::Platform(error) => platform_error(py, error),
        ApiError::Store(error) => store_error(py, error),
        ApiError::Document(error) => document_error(py, error),
        ApiError::Run(error) => refused(py, error),
        ApiError::RunDamaged { .. } => named(py, "StoreDamagedError", error.to_string(), error.code(), error.hint()),
        _ => named(py, "OperationError", error.to_string(), error.code(), error.hint()),
    }
}

/// The exception of an argument that is none.
pub(crate) fn argument_error(py: Python<'_>, name: &str, problem: &str) -> PyErr {
    raised(
        (|| Exception::named(py, MODULE, "ArgumentError", format!("{name} {problem}"))?.with("path", name)?.build())(),
    )
}

/// The exception of a store.
pub(crate) fn store_error(py: Python<'_>, error: &StoreError) -> PyErr {
    let class = match error {
        StoreError::ArtifactUnknown { .. } | StoreError::DeploymentUnknown { .. } | StoreError::RunUnknown { .. } => {
            "UnknownRecordError"
        }
        StoreError::ArtifactExists { .. } => "ArtifactExistsError",
        StoreError::IdInvalid { .. } => "InvalidIdError",
        StoreError::RunExists { .. }
        | StoreError::KeyTaken { .. }
        | StoreError::JournalConflict { .. }
        | StoreError::LeaseLost { .. }
        | StoreError::LeaseTaken { .. } => "RunConflictError",
        StoreError::RecordDamaged { .. } | StoreError::DocumentDamaged { .. } | StoreError::Damaged { .. } => {
            "StoreDamagedError"
        }
        _ => "StoreUnavailableError",
    };
    let hint = match error {
        StoreError::ArtifactExists { .. } => Some("save it under the next version".to_owned()),
        _ => None,
    };
    named(py, class, error.to_string(), error.code(), hint)
}

fn named(py: Python<'_>, class: &str, message: String, code: &str, hint: Option<String>) -> PyErr {
    raised(
        Exception::named(py, MODULE, class, message)
            .and_then(|exception| exception.with("code", code))
            .and_then(|exception| exception.with("hint", hint))
            .and_then(Exception::build),
    )
}
