//! Mappings of names to Python objects, such as registries.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping};

/// The entries of any mapping with string keys; a snapshot, so that nothing can change underneath.
pub(crate) fn mapping_entries<'py>(
    mapping: &Bound<'py, PyAny>,
) -> PyResult<impl Iterator<Item = PyResult<(String, Bound<'py, PyAny>)>> + use<'py>> {
    let items = match mapping.cast::<PyDict>() {
        Ok(dict) => dict.items(),
        Err(_) => mapping.cast::<PyMapping>()?.items()?,
    };
    Ok(items.into_iter().map(|entry| entry.extract::<(String, Bound<'py, PyAny>)>()))
}
