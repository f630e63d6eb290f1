//! Steps as a plan holds them: names resolved to indices, labels made, limits read.

use std::sync::Arc;
use std::time::Duration;

use crate::document::{Condition, ErrorAction, GatherWait, InterruptStep, RetryPolicy};
use crate::eval::CompiledBindings;
use crate::path::GraphSourcePath;
use crate::schema::CompiledSchema;
use crate::state::{CompiledOutputs, StateTarget};
use crate::value::Object;

use super::index::{ExitIx, Next, OutcomeIx, StepIx, WorkflowIx};

/// One step, ready to be executed.
#[derive(Debug)]
pub struct StepPlan {
    pub(crate) id: Arc<str>,
    pub(crate) exits: Vec<Exit>,
    pub(crate) kind: StepKind,
}

/// A declared outcome of a step and where it leads.
#[derive(Debug)]
pub struct Exit {
    pub(crate) outcome: Arc<str>,
    /// `None` only at steps that cannot be reached: validation demands an edge everywhere else.
    pub(crate) next: Option<Next>,
}

/// What a step does. The variants mirror the document's; every name in them has become an index.
#[derive(Debug)]
pub enum StepKind {
    /// Calls a handler.
    Node(NodePlan),
    /// Decides between the exits `true` (0) and `false` (1).
    Condition(Condition),
    /// Goes on by its only exit.
    Join,
    /// Finishes the frame with an outcome of the workflow.
    End(OutcomeIx),
    /// Pauses the run.
    Interrupt(Box<InterruptPlan>),
    /// Runs a child workflow.
    Subgraph(Box<SubgraphPlan>),
    /// Runs a body per item.
    Foreach(Box<ForeachPlan>),
    /// Starts a branch per exit.
    Fork(ForkPlan),
    /// Waits for the branches of a fork.
    Gather(GatherPlan),
}

/// A node step.
#[derive(Debug)]
pub struct NodePlan {
    pub(crate) def: u32,
    pub(crate) input: CompiledBindings,
    pub(crate) writes: CompiledOutputs,
    pub(crate) retry: Option<RetryPolicy>,
    pub(crate) timeout: Option<Duration>,
}

/// An interrupt step.
#[derive(Debug)]
pub struct InterruptPlan {
    pub(crate) document: InterruptStep,
    pub(crate) request: CompiledBindings,
    pub(crate) writes: CompiledOutputs,
    pub(crate) request_schema: CompiledSchema,
    pub(crate) resume_schema: CompiledSchema,
}

/// A subgraph step.
#[derive(Debug)]
pub struct SubgraphPlan {
    pub(crate) child: WorkflowIx,
    pub(crate) input: CompiledBindings,
    pub(crate) writes: CompiledOutputs,
    pub(crate) input_schema: CompiledSchema,
    pub(crate) output_schema: CompiledSchema,
    /// For each outcome of the child, the exit of this step that declares it.
    pub(crate) exit_of_outcome: Vec<Option<ExitIx>>,
}

/// A foreach step. Its exits are `loop` (0), `done` (1) and, with skip or collect, `completed_with_errors` (2).
#[derive(Debug)]
pub struct ForeachPlan {
    pub(crate) over: GraphSourcePath,
    pub(crate) alias: Arc<str>,
    /// Items of a serial foreach write through to the frame around them (see `run::lineage`).
    pub(crate) serial: bool,
    pub(crate) max_active: u32,
    pub(crate) max_outstanding: u32,
    pub(crate) action: ErrorAction,
    pub(crate) collect_to: Option<StateTarget>,
}

impl ForeachPlan {
    pub(crate) const LOOP: ExitIx = ExitIx(0);
    pub(crate) const DONE: ExitIx = ExitIx(1);
    pub(crate) const WITH_ERRORS: ExitIx = ExitIx(2);
}

/// A fork step; its exits are its branches.
#[derive(Debug)]
pub struct ForkPlan {
    /// The gather that waits for it, if the document has one.
    pub(crate) gather: Option<StepIx>,
}

/// A gather step. Its exits are `done` (0) and `completed_with_errors` (1, when declared).
#[derive(Debug)]
pub struct GatherPlan {
    pub(crate) fork: StepIx,
    pub(crate) wait: GatherWait,
    pub(crate) action: ErrorAction,
    pub(crate) collect_to: Option<StateTarget>,
}

impl GatherPlan {
    pub(crate) const DONE: ExitIx = ExitIx(0);
    pub(crate) const WITH_ERRORS: ExitIx = ExitIx(1);
}

impl StepPlan {
    /// The step's id.
    pub fn id(&self) -> &Arc<str> {
        &self.id
    }

    /// The `type` of the step.
    pub fn type_name(&self) -> &'static str {
        match self.kind {
            StepKind::Node(_) => "node",
            StepKind::Condition(_) => "condition",
            StepKind::Join => "join",
            StepKind::End(_) => "end",
            StepKind::Interrupt(_) => "interrupt",
            StepKind::Subgraph(_) => "subgraph",
            StepKind::Foreach(_) => "foreach",
            StepKind::Fork(_) => "fork",
            StepKind::Gather(_) => "gather",
        }
    }

    /// Where its output is written.
    pub(crate) fn writes(&self) -> Option<&CompiledOutputs> {
        match &self.kind {
            StepKind::Node(node) => Some(&node.writes),
            StepKind::Interrupt(interrupt) => Some(&interrupt.writes),
            StepKind::Subgraph(subgraph) => Some(&subgraph.writes),
            _ => None,
        }
    }

    /// What an ordinary step shows as its changes of the state: what its bindings took from the output.
    pub(crate) fn changes(&self, output: &Object) -> Object {
        // The output was read by the same bindings when the step was done, so nothing is missing.
        let writes = self.writes().and_then(|outputs| outputs.writes(output).ok()).unwrap_or_default();
        writes.into_iter().map(|write| (Arc::clone(write.target.text()), write.incoming)).collect()
    }

    /// The step as a node step.
    pub(crate) fn as_node(&self) -> Option<&NodePlan> {
        if let StepKind::Node(node) = &self.kind { Some(node) } else { None }
    }

    /// The exit for an outcome. A step declares a handful of outcomes, so comparing beats hashing.
    pub(crate) fn exit(&self, outcome: &str) -> Option<ExitIx> {
        self.exits.iter().position(|exit| *exit.outcome == *outcome).map(ExitIx::next)
    }

    /// The outcome of an exit.
    pub(crate) fn outcome(&self, exit: ExitIx) -> &Arc<str> {
        &self.exits[exit.at()].outcome
    }
}
