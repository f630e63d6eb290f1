//! The platform's errors as exceptions of `wf_platform.errors`.

use pyo3::prelude::*;
use wf_platform::PlatformError;

use crate::error::{Exception, raised};

/// The exception of an error of the platform's rules.
pub(crate) fn platform_error(py: Python<'_>, error: &PlatformError) -> PyErr {
    raised((|| {
        Exception::named(py, "wf_platform.errors", class_of(error), error.to_string())?
            .with("code", error.code())?
            .with("hint", error.hint())?
            .build()
    })())
}

fn class_of(error: &PlatformError) -> &'static str {
    match error {
        _ if error.is_unknown_name() => "UnknownNameError",
        PlatformError::SourceDisabled { .. }
        | PlatformError::NotVisible { .. }
        | PlatformError::NotSafe { .. }
        | PlatformError::Denied { .. }
        | PlatformError::AdminOnly { .. }
        | PlatformError::NotProjected { .. } => "CapabilityRefusedError",
        _ => "PlatformRuleError",
    }
}

/// Turns an error of the platform's rules into an exception on the way.
pub(crate) trait OrRaise<T> {
    /// The value, or the exception.
    fn or_raise(self, py: Python<'_>) -> PyResult<T>;
}

impl<T> OrRaise<T> for Result<T, PlatformError> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|error| platform_error(py, &error))
    }
}
