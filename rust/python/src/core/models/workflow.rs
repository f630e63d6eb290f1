//! The workflow, its edges and its contracts.

use pyo3::prelude::*;
use wf_core::document::{Edge, NodeDef, NodeResult, RetryPolicy, Workflow, WorkflowRef};

use crate::core::run::PlanCache;
use crate::document::{data, extra_attribute, register_class};
use crate::document_class;

document_class! {
    /// A workflow: steps, the edges between them, and the contracts around them.
    class PyWorkflow("Workflow", "wf_core.models.workflow") of Workflow {
        state: PlanCache,
        fields: [
            name, input_schema, state_schema, output_schema, output, node_defs, outcomes, start, nodes, edges,
        ],
        methods: {
            /// Checks whether everything the workflow names exists and every outcome leads somewhere.
            fn validate_structure<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                slf.py().import("wf_core.validation")?.getattr("validate_workflow")?.call1((slf,))
            }
        },
    }
}

document_class! {
    /// Where a step's outcome leads.
    class PyEdge("Edge", "wf_core.models.workflow") of Edge {
        fields: [from_ = "from", outcome, to],
    }
}

document_class! {
    /// What a node takes, gives and may answer; its handler is found by its name.
    class PyNodeDef("NodeDef", "wf_core.models.workflow") of NodeDef {
        fields: [name, input_schema, output_schema, outcomes, retry, timeout_seconds],
    }
}

document_class! {
    /// When and how often a failed call is tried again.
    class PyRetryPolicy("RetryPolicy", "wf_core.models.workflow") of RetryPolicy {
        fields: [retries, backoff_seconds, factor, max_backoff_seconds, jitter, errors],
    }
}

document_class! {
    /// Which workflow a subgraph step runs: one by name, or a saved artifact.
    class PyWorkflowRef("WorkflowRef", "wf_core.models.workflow_refs") of WorkflowRef {
        fields: [name, artifact_id, version],
        methods: {
            /// The name, or `workflow.<artifact id>.v<version>`.
            #[getter]
            fn display(slf: &Bound<'_, Self>) -> PyResult<String> {
                Ok(data::<WorkflowRef>(slf.as_super())?.to_string())
            }
        },
    }
}

document_class! {
    /// What a handler answers: an outcome and an output.
    class PyNodeResult("NodeResult", "wf_core.models.node_result") of NodeResult {
        fields: [outcome, output, meta],
        methods: {
            fn __getattr__<'py>(slf: &Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyAny>> {
                extra_attribute(slf.as_super(), name)
            }
        },
    }
}

/// Registers the classes of this file.
pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    register_class::<PyWorkflow>(module, PyWorkflow::INFO)?;
    register_class::<PyEdge>(module, PyEdge::INFO)?;
    register_class::<PyNodeDef>(module, PyNodeDef::INFO)?;
    register_class::<PyRetryPolicy>(module, PyRetryPolicy::INFO)?;
    register_class::<PyWorkflowRef>(module, PyWorkflowRef::INFO)?;
    register_class::<PyNodeResult>(module, PyNodeResult::INFO)
}
