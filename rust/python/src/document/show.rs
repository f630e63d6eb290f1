//! Documents, and what stands in their fields, as Python objects.

use std::sync::Arc;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use wf_core::document::{Document, View};

use super::info::{ClassInfo, info_named};
use crate::convert::value_to_python;

/// The Python object of a document.
pub(crate) fn show<T: Document>(py: Python<'_>, document: T) -> PyResult<Bound<'_, PyAny>> {
    (class_of(T::NAME)?.create)(py, Arc::new(document))
}

/// The Python object of what stands in a field. Lists and dicts are fresh: changing one changes no document.
pub(super) fn show_view<'py>(py: Python<'py>, view: &View) -> PyResult<Bound<'py, PyAny>> {
    match view {
        View::Value(value) => value_to_python(py, value),
        View::Document(document) => {
            let info = class_of(document.name())?;
            let payload = (info.kind.adopt)(document.as_any())
                .ok_or_else(|| PyTypeError::new_err(format!("`{}` is registered for another type", info.name)))?;
            (info.create)(py, payload)
        }
        View::List(views) => {
            let items = views.iter().map(|view| show_view(py, view)).collect::<PyResult<Vec<_>>>()?;
            Ok(PyList::new(py, items)?.into_any())
        }
        View::Map(views) => {
            let dict = PyDict::new(py);
            for (key, view) in views {
                dict.set_item(PyString::new(py, key), show_view(py, view)?)?;
            }
            Ok(dict.into_any())
        }
    }
}

fn class_of(name: &str) -> PyResult<&'static ClassInfo> {
    info_named(name).ok_or_else(|| PyTypeError::new_err(format!("no class is registered for the document `{name}`")))
}
