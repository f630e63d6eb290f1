//! Resource refs.

use pyo3::prelude::*;
use wf_platform::resource_ref::SourceResourceRef;

use crate::document::register_class;
use crate::document_class;

document_class! {
    /// A resource of a logical source, as inert data; only an explicit read fetches it.
    class PySourceResourceRef("SourceResourceRef", "wf_api.source_refs") of SourceResourceRef {
        tag: "kind" = "source_resource_ref",
        fields: [logical_source, uri, mime_type, name],
    }
}

/// Registers the classes of this file.
pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    register_class::<PySourceResourceRef>(module, PySourceResourceRef::INFO)
}
