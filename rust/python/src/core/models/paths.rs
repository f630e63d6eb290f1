//! Paths as classes.

use std::sync::Arc;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use wf_core::document::Document;
use wf_core::path::{GraphRoot, GraphSourcePath, LocalPath, PathError, StatePath, format_segments, parse_segments};

use crate::document::{PyDocument, data, register_class, show};
use crate::document_class;
use crate::error::{Class, Exception, raised};

/// The exception of something that is no path.
fn path_error(py: Python<'_>, error: &PathError) -> PyErr {
    raised((|| Exception::new(py, Class::Path, error.to_string())?.with("code", error.code())?.build())())
}

fn made<T: Document>(py: Python<'_>, path: Result<T, PathError>) -> PyResult<Bound<'_, PyAny>> {
    show(py, path.map_err(|error| path_error(py, &error))?)
}

/// Literal segments: any iterable of strings, but not a string itself.
fn segments(parts: &Bound<'_, PyAny>) -> PyResult<Vec<Arc<str>>> {
    if parts.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err("path parts must be strings in a tuple, not one string"));
    }
    parts.try_iter()?.map(|part| Ok(Arc::from(part?.extract::<String>()?))).collect()
}

fn fragments(fragments: &Bound<'_, PyTuple>) -> PyResult<Vec<String>> {
    fragments.iter().map(|fragment| fragment.extract()).collect()
}

fn tuple<'py>(py: Python<'py>, parts: &[Arc<str>]) -> PyResult<Bound<'py, PyTuple>> {
    PyTuple::new(py, parts.iter().map(|part| &**part))
}

document_class! {
    /// A place in a node's payload or output; no parts means the whole payload.
    class PyLocalPath("LocalPath", "wf_core.paths") of LocalPath {
        shown: ["parts"],
        fields: [],
        new: {
            #[new]
            #[pyo3(signature = (parts = None))]
            fn __new__(py: Python<'_>, parts: Option<&Bound<'_, PyAny>>) -> PyResult<PyClassInitializer<Self>> {
                let parts = parts.map_or_else(|| Ok(Vec::new()), segments)?;
                let path = LocalPath::new(parts).map_err(|error| path_error(py, &error))?;
                Ok(Self::above(PyDocument::new(Arc::new(path), Self::INFO)))
            }
        },
        methods: {
            /// The whole payload.
            #[staticmethod]
            fn root(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
                show(py, LocalPath::root())
            }

            /// A path of fragments that are split at plain dots.
            #[staticmethod]
            #[pyo3(signature = (*fragments))]
            fn of<'py>(py: Python<'py>, fragments: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
                made(py, LocalPath::of(self::fragments(fragments)?))
            }

            /// Reads the text form: `.` for the root, else a TOML key.
            #[staticmethod]
            #[pyo3(signature = (raw, /))]
            fn parse<'py>(py: Python<'py>, raw: &str) -> PyResult<Bound<'py, PyAny>> {
                made(py, LocalPath::parse(raw))
            }

            /// The segments below the payload's root.
            #[getter]
            fn parts<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
                tuple(slf.py(), data::<LocalPath>(slf.as_super())?.parts())
            }

            fn __str__(slf: &Bound<'_, Self>) -> PyResult<String> {
                Ok(data::<LocalPath>(slf.as_super())?.to_string())
            }
        },
    }
}

document_class! {
    /// A place to read from: `input…`, `state…` or `context…`.
    class PyGraphSourcePath("GraphSourcePath", "wf_core.paths") of GraphSourcePath {
        shown: ["root", "parts"],
        fields: [],
        new: {
            #[new]
            #[pyo3(signature = (root, parts = None))]
            fn __new__(
                py: Python<'_>,
                root: &str,
                parts: Option<&Bound<'_, PyAny>>,
            ) -> PyResult<PyClassInitializer<Self>> {
                let parts = parts.map_or_else(|| Ok(Vec::new()), segments)?;
                let path = GraphRoot::from_name(root)
                    .ok_or_else(|| PathError::UnknownRoot(root.to_owned()))
                    .and_then(|root| GraphSourcePath::new(root, parts))
                    .map_err(|error| path_error(py, &error))?;
                Ok(Self::above(PyDocument::new(Arc::new(path), Self::INFO)))
            }
        },
        methods: {
            /// A path below the workflow's input.
            #[staticmethod]
            #[pyo3(signature = (*fragments))]
            fn input<'py>(py: Python<'py>, fragments: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
                made(py, GraphSourcePath::of(GraphRoot::Input, self::fragments(fragments)?))
            }

            /// A path below the state.
            #[staticmethod]
            #[pyo3(signature = (*fragments))]
            fn state<'py>(py: Python<'py>, fragments: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
                made(py, GraphSourcePath::of(GraphRoot::State, self::fragments(fragments)?))
            }

            /// A path below the context.
            #[staticmethod]
            #[pyo3(signature = (*fragments))]
            fn context<'py>(py: Python<'py>, fragments: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
                made(py, GraphSourcePath::of(GraphRoot::Context, self::fragments(fragments)?))
            }

            /// Reads the text form: a TOML key that begins with `input`, `state` or `context`.
            #[staticmethod]
            #[pyo3(signature = (raw, /))]
            fn parse<'py>(py: Python<'py>, raw: &str) -> PyResult<Bound<'py, PyAny>> {
                made(py, GraphSourcePath::parse(raw))
            }

            /// `input`, `state` or `context`.
            #[getter]
            fn root(slf: &Bound<'_, Self>) -> PyResult<&'static str> {
                Ok(data::<GraphSourcePath>(slf.as_super())?.root().as_str())
            }

            /// The segments below the root.
            #[getter]
            fn parts<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
                tuple(slf.py(), data::<GraphSourcePath>(slf.as_super())?.parts())
            }

            fn __str__(slf: &Bound<'_, Self>) -> PyResult<String> {
                Ok(data::<GraphSourcePath>(slf.as_super())?.to_string())
            }
        },
    }
}

document_class! {
    /// A place to write to, below `state`; at least one part.
    class PyStatePath("StatePath", "wf_core.paths") of StatePath {
        shown: ["parts"],
        fields: [],
        new: {
            #[new]
            fn __new__(py: Python<'_>, parts: &Bound<'_, PyAny>) -> PyResult<PyClassInitializer<Self>> {
                let path = StatePath::new(segments(parts)?).map_err(|error| path_error(py, &error))?;
                Ok(Self::above(PyDocument::new(Arc::new(path), Self::INFO)))
            }
        },
        methods: {
            /// A path of fragments that are split at plain dots.
            #[staticmethod]
            #[pyo3(signature = (*fragments))]
            fn of<'py>(py: Python<'py>, fragments: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
                made(py, StatePath::of(self::fragments(fragments)?))
            }

            /// Reads the text form: a TOML key that begins with `state` and goes on.
            #[staticmethod]
            #[pyo3(signature = (raw, /))]
            fn parse<'py>(py: Python<'py>, raw: &str) -> PyResult<Bound<'py, PyAny>> {
                made(py, StatePath::parse(raw))
            }

            /// The segments below `state`.
            #[getter]
            fn parts<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
                tuple(slf.py(), data::<StatePath>(slf.as_super())?.parts())
            }

            fn __str__(slf: &Bound<'_, Self>) -> PyResult<String> {
                Ok(data::<StatePath>(slf.as_super())?.to_string())
            }
        },
    }
}

/// Splits a TOML key into its segments.
#[pyfunction]
#[pyo3(signature = (raw, /))]
fn parse_toml_path_segments<'py>(py: Python<'py>, raw: &str) -> PyResult<Bound<'py, PyTuple>> {
    tuple(py, &parse_segments(raw).map_err(|error| path_error(py, &error))?)
}

/// Writes segments as a TOML key, quoting where needed.
#[pyfunction]
#[pyo3(signature = (segments, /))]
fn format_toml_path_segments(py: Python<'_>, segments: &Bound<'_, PyAny>) -> PyResult<String> {
    format_segments(&self::segments(segments)?).map_err(|error| path_error(py, &error))
}

/// Registers the classes and functions of this file.
pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    register_class::<PyLocalPath>(module, PyLocalPath::INFO)?;
    register_class::<PyGraphSourcePath>(module, PyGraphSourcePath::INFO)?;
    register_class::<PyStatePath>(module, PyStatePath::INFO)?;
    module.add_function(wrap_pyfunction!(parse_toml_path_segments, module)?)?;
    module.add_function(wrap_pyfunction!(format_toml_path_segments, module)?)
}
