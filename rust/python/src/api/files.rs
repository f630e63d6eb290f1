//! The reader for a directory.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use wf_api::file::FileReader;
use wf_api::resource::ReadRequest;

use super::errors::{resource_error, root_error};
use super::resources::RawBounds;
use crate::convert::value_to_python;

/// Registers the class of this file.
pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyFileReader>()
}

/// Reads files below one directory.
#[pyclass(name = "FileReader", module = "_wf._native.api", frozen)]
pub(crate) struct PyFileReader(Arc<FileReader>);

#[pymethods]
impl PyFileReader {
    #[new]
    #[pyo3(signature = (root, /))]
    #[expect(clippy::needless_pass_by_value, reason = "a path cannot be borrowed from Python")]
    fn new(py: Python<'_>, root: PathBuf) -> PyResult<Self> {
        let opened = py.detach(|| FileReader::open(&root));
        opened.map(|reader| Self(Arc::new(reader))).map_err(|error| root_error(py, &error))
    }

    /// The root, as an absolute path without links.
    #[getter]
    fn root(&self) -> PathBuf {
        self.0.root().to_owned()
    }

    /// Reads one file within the bounds; waits for the disk without holding up other Python threads.
    #[pyo3(signature = (source_id, uri, bounds, /))]
    fn read<'py>(&self, py: Python<'py>, source_id: &str, uri: &str, bounds: RawBounds) -> PyResult<Bound<'py, PyAny>> {
        let bounds = bounds.check().map_err(|error| resource_error(py, &error))?;
        let request = ReadRequest { source_id: Arc::from(source_id), uri: Arc::from(uri), bounds };
        let payload = py.detach(|| self.0.read_now(&request)).map_err(|error| resource_error(py, &error))?;
        value_to_python(py, &payload.to_value())
    }

    /// The first files below the root, and whether there are more.
    #[pyo3(signature = (limit, /))]
    fn list<'py>(&self, py: Python<'py>, limit: usize) -> PyResult<Bound<'py, PyTuple>> {
        let listing = py.detach(|| self.0.list(limit))?;
        let files = PyList::empty(py);
        for file in &listing.files {
            let entry = PyDict::new(py);
            entry.set_item("name", &*file.name)?;
            entry.set_item("uri", &*file.uri)?;
            entry.set_item("mime_type", file.mime_type)?;
            entry.set_item("size", file.size)?;
            files.append(entry)?;
        }
        PyTuple::new(py, [files.into_any(), listing.truncated.into_pyobject(py)?.to_owned().into_any()])
    }

    fn __repr__(&self) -> String {
        format!("FileReader({:?})", self.0.root().display().to_string())
    }
}
