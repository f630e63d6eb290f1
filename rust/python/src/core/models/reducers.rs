//! References to reducers, and their contracts.

use pyo3::prelude::*;
use wf_core::document::{ReducerRef, ReducerSpec};

use crate::document::{data, extra_attribute, register_class};
use crate::document_class;

document_class! {
    /// Which reducer merges writes to a field.
    class PyReducerRef("ReducerRef", "wf_core.models.reducers") of ReducerRef {
        fields: [reference: "ref", config],
        methods: {
            /// The qualified name, such as `wf.std.add`, by which registries know the reducer.
            #[getter]
            fn name(slf: &Bound<'_, Self>) -> PyResult<String> {
                Ok(data::<ReducerRef>(slf.as_super())?.name())
            }
        },
    }
}

document_class! {
    /// The contract of a reducer.
    class PyReducerSpec("ReducerSpec", "wf_core.models.reducers") of ReducerSpec {
        fields: [name, description, config_schema, sibling_write_policy],
        methods: {
            fn __getattr__<'py>(slf: &Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyAny>> {
                extra_attribute(slf.as_super(), name)
            }
        },
    }
}

/// Registers the classes of this file.
pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    register_class::<PyReducerRef>(module, PyReducerRef::INFO)?;
    register_class::<PyReducerSpec>(module, PyReducerSpec::INFO)
}
