//! A plan: a workflow and every workflow it runs as a subgraph, checked and indexed once.
//!
//! Plans are immutable and shared by all their runs. Child workflows are flattened into one table, so a run refers to
//! any of them by a number; since subgraphs may not contain themselves, the table is finite.

mod compile;
mod digest;
pub(crate) mod index;
mod step;
mod tables;

use std::sync::{Arc, LazyLock};

use crate::document::{Workflow, WorkflowRef};
use crate::eval::Projection;
use crate::schema::CompiledSchema;
use crate::state::StateLayout;

pub use compile::{PlanError, PlanProblem};
pub use digest::PlanDigest;
pub use index::{ExitIx, Next, OutcomeIx, StepIx, WorkflowIx};
pub use step::{Exit, ForeachPlan, ForkPlan, GatherPlan, InterruptPlan, NodePlan, StepKind, StepPlan, SubgraphPlan};
pub use tables::{PreparedSubgraph, ReducerTable, SubgraphTable};

/// A compiled workflow, ready to run.
#[derive(Debug)]
pub struct Plan {
    workflows: Vec<WorkflowPlan>,
    digest: PlanDigest,
}

/// One workflow of a plan.
#[derive(Debug)]
pub struct WorkflowPlan {
    document: Arc<Workflow>,
    /// By which subgraph steps refer to it; `None` for the root.
    reference: Option<WorkflowRef>,
    pub(crate) steps: Vec<StepPlan>,
    pub(crate) start: StepIx,
    /// The contracts of its nodes, in the order of `node_defs`.
    pub(crate) contracts: Vec<Contract>,
    pub(crate) input_schema: CompiledSchema,
    pub(crate) output_schema: CompiledSchema,
    pub(crate) projection: Projection,
    pub(crate) layout: StateLayout,
    /// Whether some field merges by a reducer that the driver runs.
    pub(crate) has_custom_reducers: bool,
    /// The outcome `ok`, which an edge to `__end__` means.
    pub(crate) ok_outcome: Option<OutcomeIx>,
}

/// What a node's contract demands of values.
#[derive(Debug)]
pub(crate) struct Contract {
    pub(crate) input_schema: CompiledSchema,
    pub(crate) output_schema: CompiledSchema,
}

impl Plan {
    /// Compiles a workflow with the custom reducers and child workflows it uses.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the workflow or one of its children.
    pub fn compile(
        workflow: Arc<Workflow>,
        reducers: &ReducerTable,
        subgraphs: &SubgraphTable,
    ) -> Result<Arc<Self>, PlanError> {
        let workflows = compile::compile(workflow, reducers, subgraphs)?;
        let digest = PlanDigest::of(&workflows);
        Ok(Arc::new(Self { workflows, digest }))
    }

    /// The workflows; the first is the root.
    pub fn workflows(&self) -> &[WorkflowPlan] {
        &self.workflows
    }

    /// The hash of everything that a run depends on. Titles, descriptions and the schemas of interrupts do not count.
    pub fn hash(&self) -> &str {
        self.digest.hash()
    }

    /// The hash in parts, by which a change can be named.
    pub fn digest(&self) -> &PlanDigest {
        &self.digest
    }

    pub(crate) fn workflow(&self, index: WorkflowIx) -> &WorkflowPlan {
        &self.workflows[index.at()]
    }
}

impl WorkflowPlan {
    /// The document.
    pub fn document(&self) -> &Arc<Workflow> {
        &self.document
    }

    /// By which subgraph steps refer to it; `None` for the root.
    pub fn reference(&self) -> Option<&WorkflowRef> {
        self.reference.as_ref()
    }

    /// The steps in document order.
    pub fn steps(&self) -> &[StepPlan] {
        &self.steps
    }

    pub(crate) fn step(&self, index: StepIx) -> &StepPlan {
        &self.steps[index.at()]
    }

    /// The step of an id. For readers of snapshots; a run never looks up ids.
    pub(crate) fn find_step(&self, id: &str) -> Option<StepIx> {
        self.steps.iter().position(|step| *step.id == *id).map(StepIx::next)
    }

    /// The name of one of the workflow's outcomes.
    pub(crate) fn outcome(&self, index: OutcomeIx) -> &Arc<str> {
        &self.document.outcomes[index.at()]
    }

    /// The name of where an exit leads.
    pub(crate) fn name_of(&self, next: Next) -> Arc<str> {
        match next {
            Next::Step(step) => Arc::clone(&self.step(step).id),
            Next::End => end_name(),
        }
    }

    /// The gather that waits for a fork.
    pub(crate) fn gather_of(&self, fork: StepIx) -> Option<(StepIx, &GatherPlan)> {
        let StepKind::Fork(fork) = &self.step(fork).kind else { return None };
        let gather = fork.gather?;
        let StepKind::Gather(plan) = &self.step(gather).kind else { return None };
        Some((gather, plan))
    }
}

/// The name of the place where a workflow ends without an end step.
pub const END: &str = "__end__";

/// The outcome that reaching [`END`] means.
pub const OK: &str = "ok";

/// [`END`], shared.
pub(crate) fn end_name() -> Arc<str> {
    static NAME: LazyLock<Arc<str>> = LazyLock::new(|| END.into());
    Arc::clone(&NAME)
}

/// [`OK`], shared.
pub(crate) fn ok_name() -> Arc<str> {
    static NAME: LazyLock<Arc<str>> = LazyLock::new(|| OK.into());
    Arc::clone(&NAME)
}
