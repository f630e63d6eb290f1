//! References to sources and capabilities as classes.

use std::sync::Arc;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use wf_core::refs::{CapabilityRef, RefError, SourceRef};

use crate::convert::{Instances, to_value};
use crate::document::{PyDocument, data, register_class, show};
use crate::document_class;
use crate::error::{Class, Exception, raised};

/// The exception of something that is no reference.
fn ref_error(py: Python<'_>, error: RefError) -> PyErr {
    raised((|| Exception::new(py, Class::Reference, error.to_string())?.with("code", error.code())?.build())())
}

fn source_of(source: &Bound<'_, PyAny>) -> PyResult<SourceRef> {
    let py = source.py();
    let value = to_value(source, Instances::Dump).map_err(|error| error.into_exception(py, None))?;
    SourceRef::from_value(&value).map_err(|error| ref_error(py, error))
}

document_class! {
    /// The id of a capability source, such as `wf.std`.
    class PySourceRef("SourceRef", "wf_platform.refs") of SourceRef {
        shown: ["parts"],
        fields: [],
        new: {
            #[new]
            fn __new__(py: Python<'_>, parts: &Bound<'_, PyAny>) -> PyResult<PyClassInitializer<Self>> {
                if parts.is_instance_of::<PyString>() {
                    return Err(PyTypeError::new_err("source ref parts must be strings in a tuple; see `parse`"));
                }
                let parts = parts.try_iter()?.map(|part| part?.extract::<String>()).collect::<PyResult<Vec<_>>>()?;
                let source = SourceRef::new(parts).map_err(|error| ref_error(py, error))?;
                Ok(Self::above(PyDocument::new(Arc::new(source), Self::INFO)))
            }
        },
        methods: {
            /// Reads dotted text.
            #[staticmethod]
            #[pyo3(signature = (raw, /))]
            fn parse<'py>(py: Python<'py>, raw: &str) -> PyResult<Bound<'py, PyAny>> {
                show(py, SourceRef::parse(raw).map_err(|error| ref_error(py, error))?)
            }

            /// The segments.
            #[getter]
            fn parts<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
                let source = data::<SourceRef>(slf.as_super())?;
                PyTuple::new(slf.py(), source.parts().iter().map(|part| &**part))
            }

            fn __str__(slf: &Bound<'_, Self>) -> PyResult<String> {
                Ok(data::<SourceRef>(slf.as_super())?.to_string())
            }
        },
    }
}

document_class! {
    /// A capability within a source, such as `add` of `wf.std`.
    class PyCapabilityRef("CapabilityRef", "wf_platform.refs") of CapabilityRef {
        shown: ["source", "name"],
        fields: [],
        new: {
            #[new]
            fn __new__(py: Python<'_>, source: &Bound<'_, PyAny>, name: &str) -> PyResult<PyClassInitializer<Self>> {
                let capability =
                    CapabilityRef::new(source_of(source)?, name).map_err(|error| ref_error(py, error))?;
                Ok(Self::above(PyDocument::new(Arc::new(capability), Self::INFO)))
            }
        },
        methods: {
            /// Reads dotted text; what stands behind the last dot is the name.
            #[staticmethod]
            #[pyo3(signature = (raw, /))]
            fn parse<'py>(py: Python<'py>, raw: &str) -> PyResult<Bound<'py, PyAny>> {
                show(py, CapabilityRef::parse(raw).map_err(|error| ref_error(py, error))?)
            }

            /// The source that owns the capability.
            #[getter]
            fn source<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                show(slf.py(), data::<CapabilityRef>(slf.as_super())?.source.clone())
            }

            /// Its name within the source.
            #[getter]
            fn name(slf: &Bound<'_, Self>) -> PyResult<String> {
                Ok(data::<CapabilityRef>(slf.as_super())?.name.to_string())
            }

            /// The same capability of the source that `bindings` names for this one; itself when it names none.
            #[pyo3(signature = (bindings, /))]
            fn bind<'py>(slf: &Bound<'py, Self>, bindings: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
                let py = slf.py();
                let capability = data::<CapabilityRef>(slf.as_super())?;
                let bound = bindings.call_method1("get", (capability.source.to_string(),))?;
                if bound.is_none() {
                    return Ok(slf.clone().into_any());
                }
                let source = source_of(&bound)?;
                show(py, CapabilityRef { source, name: Arc::clone(&capability.name) })
            }

            fn __str__(slf: &Bound<'_, Self>) -> PyResult<String> {
                Ok(data::<CapabilityRef>(slf.as_super())?.to_string())
            }
        },
    }
}

/// Registers the classes of this file.
pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    register_class::<PySourceRef>(module, PySourceRef::INFO)?;
    register_class::<PyCapabilityRef>(module, PyCapabilityRef::INFO)
}
