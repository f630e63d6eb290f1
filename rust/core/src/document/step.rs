//! The steps of a workflow.

use std::sync::Arc;

use super::{
    Condition, ForeachStep, ForkStep, GatherStep, InputBinding, InterruptStep, OutputBinding, RetryPolicy, SchemaRef,
    WorkflowRef,
};

/// One step; `type` says which.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// `node`: calls a handler.
    Node(NodeStep),
    /// `subgraph`: runs another workflow.
    Subgraph(SubgraphStep),
    /// `condition`: decides between `true` and `false`.
    Condition(ConditionStep),
    /// `foreach`: runs a body for every item of a list.
    Foreach(ForeachStep),
    /// `join`: a place where edges meet.
    Join(JoinStep),
    /// `end`: finishes the workflow with an outcome.
    End(EndStep),
    /// `interrupt`: pauses the run.
    Interrupt(InterruptStep),
    /// `fork`: starts branches.
    Fork(ForkStep),
    /// `gather`: waits for branches.
    Gather(GatherStep),
}

/// Calls the handler of a node.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeStep {
    /// The step's id.
    pub id: Arc<str>,
    /// The name of the node's contract and of its handler.
    pub node: Arc<str>,
    /// A remark for readers.
    pub desc: Option<Arc<str>>,
    /// Fills the payload.
    pub input: Vec<InputBinding>,
    /// Writes the output into the state.
    pub output: Vec<OutputBinding>,
    /// Overrides the contract's retry policy.
    pub retry: Option<RetryPolicy>,
    /// Overrides the contract's time limit.
    pub timeout_seconds: Option<f64>,
}

/// Runs another workflow in a scope of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct SubgraphStep {
    /// The step's id.
    pub id: Arc<str>,
    /// Which workflow.
    pub workflow: WorkflowRef,
    /// A remark for readers.
    pub desc: Option<Arc<str>>,
    /// The schema of the child's input, as this step promises it.
    pub input_schema: SchemaRef,
    /// The schema of the child's output, as this step expects it.
    pub output_schema: SchemaRef,
    /// Fills the child's input.
    pub input: Vec<InputBinding>,
    /// Writes the child's output into the state.
    pub output: Vec<OutputBinding>,
    /// The outcomes the child may end with; never empty.
    pub outcomes: Vec<Arc<str>>,
}

/// Decides by a condition.
#[derive(Clone, Debug, PartialEq)]
pub struct ConditionStep {
    /// The step's id.
    pub id: Arc<str>,
    /// What decides.
    pub check: Condition,
}

/// A place where edges meet; waits for nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct JoinStep {
    /// The step's id.
    pub id: Arc<str>,
}

/// Finishes the workflow.
#[derive(Clone, Debug, PartialEq)]
pub struct EndStep {
    /// The step's id.
    pub id: Arc<str>,
    /// The workflow's outcome (default `ok`).
    pub outcome: Arc<str>,
}

impl Step {
    /// The step's id.
    pub fn id(&self) -> &Arc<str> {
        match self {
            Self::Node(step) => &step.id,
            Self::Subgraph(step) => &step.id,
            Self::Condition(step) => &step.id,
            Self::Foreach(step) => &step.id,
            Self::Join(step) => &step.id,
            Self::End(step) => &step.id,
            Self::Interrupt(step) => &step.id,
            Self::Fork(step) => &step.id,
            Self::Gather(step) => &step.id,
        }
    }

    /// The `type` of the step.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Node(_) => "node",
            Self::Subgraph(_) => "subgraph",
            Self::Condition(_) => "condition",
            Self::Foreach(_) => "foreach",
            Self::Join(_) => "join",
            Self::End(_) => "end",
            Self::Interrupt(_) => "interrupt",
            Self::Fork(_) => "fork",
            Self::Gather(_) => "gather",
        }
    }
}
