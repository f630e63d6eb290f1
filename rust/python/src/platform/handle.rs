//! What stands behind a capability in Python: the object its author gave.

use std::fmt;
use std::sync::Arc;

use pyo3::prelude::*;

/// The object behind a capability. Sharing it needs no interpreter lock, so registries can be copied without one.
#[derive(Clone)]
pub(crate) struct Handle(Arc<Py<PyAny>>);

impl Handle {
    /// A handle of this object.
    pub(crate) fn new(object: Bound<'_, PyAny>) -> Self {
        Self(Arc::new(object.unbind()))
    }

    /// The object.
    pub(crate) fn bind<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.0.bind(py).clone()
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Handle")
    }
}
