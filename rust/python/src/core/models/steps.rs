//! Steps.

use pyo3::prelude::*;
use wf_core::document::{
    ConditionStep, EndStep, ErrorPolicy, ForeachConcurrency, ForeachStep, ForkStep, GatherStep, InterruptStep,
    JoinStep, NodeStep, SubgraphStep,
};

use crate::document::{data, register_class};
use crate::document_class;

document_class! {
    /// Calls the handler of a node.
    class PyNodeUse("NodeUse", "wf_core.models.steps") of NodeStep {
        tag: "type" = "node",
        fields: [id, node, desc, input, output, retry, timeout_seconds],
    }
}

document_class! {
    /// Runs another workflow in a scope of its own.
    class PySubgraphNode("SubgraphNode", "wf_core.models.steps") of SubgraphStep {
        tag: "type" = "subgraph",
        fields: [id, workflow, desc, input_schema, output_schema, input, output, outcomes],
    }
}

document_class! {
    /// Decides by a condition.
    class PyConditionNode("ConditionNode", "wf_core.models.steps") of ConditionStep {
        tag: "type" = "condition",
        fields: [id, check],
    }
}

document_class! {
    /// Runs its `loop` branch once per item of a list.
    class PyForeachNode("ForeachNode", "wf_core.models.steps") of ForeachStep {
        tag: "type" = "foreach",
        fields: [id, over, as_ = "as", mode, item_error, concurrent],
    }
}

document_class! {
    /// What happens when an item of a foreach, or a branch of a fork, fails.
    class PyForeachItemErrorPolicy("ForeachItemErrorPolicy", "wf_core.models.steps") of ErrorPolicy {
        fields: [action, collect_to],
    }
}

document_class! {
    /// The limits of a concurrent foreach.
    class PyForeachConcurrentPolicy("ForeachConcurrentPolicy", "wf_core.models.steps") of ForeachConcurrency {
        fields: [max_active, max_outstanding, interrupt],
    }
}

document_class! {
    /// A place where edges meet; waits for nothing.
    class PyJoinNode("JoinNode", "wf_core.models.steps") of JoinStep {
        tag: "type" = "join",
        fields: [id],
    }
}

document_class! {
    /// Finishes the workflow.
    class PyEndNode("EndNode", "wf_core.models.steps") of EndStep {
        tag: "type" = "end",
        fields: [id, outcome],
    }
}

document_class! {
    /// Pauses the run with a request until it is resumed with an outcome and a payload.
    class PyInterruptNode("InterruptNode", "wf_core.models.steps") of InterruptStep {
        tag: "type" = "interrupt",
        fields: [id, kind, request, resume, outcomes, request_schema, resume_schema],
        methods: {
            /// Whether a schema differs from the default.
            #[getter]
            fn has_explicit_contract(slf: &Bound<'_, Self>) -> PyResult<bool> {
                Ok(data::<InterruptStep>(slf.as_super())?.has_explicit_contract)
            }
        },
    }
}

document_class! {
    /// Starts one branch per outcome; each has a lineage of its own.
    class PyForkNode("ForkNode", "wf_core.models.steps") of ForkStep {
        tag: "type" = "fork",
        fields: [id, branches],
    }
}

document_class! {
    /// Waits for branches of a fork and commits what they wrote.
    class PyGatherNode("GatherNode", "wf_core.models.steps") of GatherStep {
        tag: "type" = "gather",
        fields: [id, of, wait, branch_error],
    }
}

/// Registers the classes of this file.
pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    register_class::<PyNodeUse>(module, PyNodeUse::INFO)?;
    register_class::<PySubgraphNode>(module, PySubgraphNode::INFO)?;
    register_class::<PyConditionNode>(module, PyConditionNode::INFO)?;
    register_class::<PyForeachNode>(module, PyForeachNode::INFO)?;
    register_class::<PyForeachItemErrorPolicy>(module, PyForeachItemErrorPolicy::INFO)?;
    register_class::<PyForeachConcurrentPolicy>(module, PyForeachConcurrentPolicy::INFO)?;
    register_class::<PyJoinNode>(module, PyJoinNode::INFO)?;
    register_class::<PyEndNode>(module, PyEndNode::INFO)?;
    register_class::<PyInterruptNode>(module, PyInterruptNode::INFO)?;
    register_class::<PyForkNode>(module, PyForkNode::INFO)?;
    register_class::<PyGatherNode>(module, PyGatherNode::INFO)
}
