//! Resource refs and what a bounded read answers.

use pyo3::prelude::*;
use wf_platform::resource_ref::{ReadContentSummary, ReadResourceOutput, SourceResourceRef};

use crate::document::register_class;
use crate::document_class;

document_class! {
    /// A resource of a logical source, as inert data; only an explicit read fetches it.
    class PySourceResourceRef("SourceResourceRef", "wf_api.source_refs") of SourceResourceRef {
        tag: "kind" = "source_resource_ref",
        fields: [logical_source, uri, mime_type, name],
    }
}

document_class! {
    /// One content of a resource, without the content itself.
    class PyReadContentSummary("ReadContentSummary", "wf_platform.resources") of ReadContentSummary {
        fields: [uri, mime_type, kind, size],
    }
}

document_class! {
    /// What a bounded read answers, small enough for a workflow's state.
    class PyReadResourceOutput("ReadResourceOutput", "wf_platform.resources") of ReadResourceOutput {
        fields: [
            source_id, uri, mime_type, text, content_count, truncated, offset, next_offset, contents, blob,
        ],
    }
}

/// Registers the classes of this file.
pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    register_class::<PySourceResourceRef>(module, PySourceResourceRef::INFO)?;
    register_class::<PyReadContentSummary>(module, PyReadContentSummary::INFO)?;
    register_class::<PyReadResourceOutput>(module, PyReadResourceOutput::INFO)
}
