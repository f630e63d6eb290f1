//! The parts of a source that are documents.

use pyo3::prelude::*;
use wf_platform::documentation::{DocumentationPrompt, DocumentationResource};
use wf_platform::source::{SourceOverrides, SourcePermissions, SourcePolicy, SourceVisibility};

use super::classes::positional_class;
use crate::document::register_class;
use crate::document_class;

positional_class! {
    /// Which surfaces show a source.
    class PySourceVisibility("SourceVisibility", "wf_platform.sources") of SourceVisibility {
        fields: [planner, client, admin_dashboard],
    }
}

positional_class! {
    /// What the capabilities of a source may do.
    class PySourcePermissions("SourcePermissions", "wf_platform.sources") of SourcePermissions {
        fields: [safe_for_workflow, calls_upstream, mutates_config, mutates_auth],
    }
}

positional_class! {
    /// How deployments refer to a source.
    class PySourcePolicy("SourcePolicy", "wf_platform.sources") of SourcePolicy {
        fields: [platform, binding_required],
    }
}

document_class! {
    /// What an operator decided about a source, apart from what its provider declares.
    class PySourceOverrides("SourceOverrides", "wf_platform.sources") of SourceOverrides {
        fields: [enabled, visibility, allow, deny, notes],
    }
}

positional_class! {
    /// A manual.
    class PyDocumentationResource("DocumentationResource", "wf_platform.docs") of DocumentationResource {
        fields: [name, uri, title, description, mime_type, text],
    }
}

positional_class! {
    /// A guide.
    class PyDocumentationPrompt("DocumentationPrompt", "wf_platform.docs") of DocumentationPrompt {
        fields: [name, title, description, text],
    }
}

/// Registers the classes of this file.
pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    register_class::<PySourceVisibility>(module, PySourceVisibility::INFO)?;
    register_class::<PySourcePermissions>(module, PySourcePermissions::INFO)?;
    register_class::<PySourcePolicy>(module, PySourcePolicy::INFO)?;
    register_class::<PySourceOverrides>(module, PySourceOverrides::INFO)?;
    register_class::<PyDocumentationResource>(module, PyDocumentationResource::INFO)?;
    register_class::<PyDocumentationPrompt>(module, PyDocumentationPrompt::INFO)
}
