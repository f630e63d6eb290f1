//! Statuses and inventories.

use pyo3::prelude::*;
use wf_platform::inventory::{
    NodeSpecInventory, ReducerInventory, SourceCapabilityHasMore, SourceCapabilityInventory, SourceCapabilityPreview,
    SourceInventory, SourcePage, SourceStatus,
};

use super::classes::shaped_class;
use crate::document::register_class;
use crate::document_class;

shaped_class! {
    /// The contract of a node spec, without what executes it.
    class PyNodeSpecInventory("NodeSpecInventory", "wf_platform.sources") of NodeSpecInventory {
        tuples: [outcomes = "outcomes"],
        fields: [name, description, input_schema, output_schema, is_async, accepts_context],
    }
}

document_class! {
    /// The contract of a reducer, without what executes it.
    class PyReducerInventory("ReducerInventory", "wf_platform.sources") of ReducerInventory {
        fields: [name, reference: "ref", description, config_schema],
    }
}

shaped_class! {
    /// Everything a source owns, sorted by name.
    class PySourceCapabilityInventory("SourceCapabilityInventory", "wf_platform.sources") of SourceCapabilityInventory {
        tuples: [tools = "tools", node_specs = "node_specs", node_spec_details = "node_spec_details", reducers = "reducers", reducer_details = "reducer_details", prompts = "prompts", resources = "resources"],
        fields: [],
    }
}

shaped_class! {
    /// The first names of each kind, sorted.
    class PySourceCapabilityPreview("SourceCapabilityPreview", "wf_platform.sources") of SourceCapabilityPreview {
        tuples: [tools = "tools", node_specs = "node_specs", reducers = "reducers", prompts = "prompts", resources = "resources"],
        fields: [],
    }
}

document_class! {
    /// Of which kinds a preview leaves names out.
    class PySourceCapabilityHasMore("SourceCapabilityHasMore", "wf_platform.sources") of SourceCapabilityHasMore {
        fields: [tools, node_specs, reducers, prompts, resources],
    }
}

document_class! {
    /// What a source is, how many capabilities it owns, and the first few of their names.
    class PySourceStatus("SourceStatus", "wf_platform.sources") of SourceStatus {
        fields: [
            id, kind, enabled, visibility, permissions, policy, description, tool_count, node_spec_count,
            reducer_count, prompt_count, resource_count, preview, has_more,
        ],
    }
}

document_class! {
    /// A source's status and everything it owns.
    class PySourceInventory("SourceInventory", "wf_platform.sources") of SourceInventory {
        fields: [
            id, kind, enabled, visibility, permissions, policy, description, tool_count, node_spec_count,
            reducer_count, prompt_count, resource_count, preview, has_more, capabilities,
        ],
    }
}

document_class! {
    /// A page of statuses.
    class PySourcePage("SourcePage", "wf_platform.sources") of SourcePage {
        fields: [sources, next_cursor, total],
    }
}

/// Registers the classes of this file.
pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    register_class::<PyNodeSpecInventory>(module, PyNodeSpecInventory::INFO)?;
    register_class::<PyReducerInventory>(module, PyReducerInventory::INFO)?;
    register_class::<PySourceCapabilityInventory>(module, PySourceCapabilityInventory::INFO)?;
    register_class::<PySourceCapabilityPreview>(module, PySourceCapabilityPreview::INFO)?;
    register_class::<PySourceCapabilityHasMore>(module, PySourceCapabilityHasMore::INFO)?;
    register_class::<PySourceStatus>(module, PySourceStatus::INFO)?;
    register_class::<PySourceInventory>(module, PySourceInventory::INFO)?;
    register_class::<PySourcePage>(module, PySourcePage::INFO)
}
