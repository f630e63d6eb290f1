//! Effects: everything a run wants done.

use std::sync::Arc;
use std::time::Duration;

use crate::plan::Plan;
use crate::plan::index::StepIx;
use crate::value::{Key, Object, Value};

use super::context;
use super::event::{CallId, Millis, ReduceId};
use super::frame::Prior;
use super::origin::{Birth, Origin};

/// What a driver shall do next.
///
/// The first three are handed out once each; the others say how the run stands and are given again and again
/// until an event changes that.
#[derive(Debug)]
#[non_exhaustive]
pub enum Effect {
    /// Call a handler, then resolve the call.
    Call(Call),
    /// Merge values by custom reducers, then resolve the merge.
    Reduce(Reduce),
    /// Stop a call that was handed out; nobody waits for it any more.
    Cancel(CallId),
    /// Nothing is in flight; send a tick at that time.
    Wait {
        /// When the next retry is due, or the deadline.
        until: Millis,
    },
    /// Calls are in flight and nothing else is to do.
    Idle {
        /// How many.
        in_flight: usize,
        /// When to send a tick although calls are in flight; `None` means never.
        next_timer: Option<Millis>,
    },
    /// The run waits for an answer.
    Interrupted,
    /// The run has finished with an outcome and an output.
    Finished,
    /// The run has failed; calls that are in flight may be dropped.
    Failed,
    /// The run was cancelled.
    Cancelled,
}

/// A handler to call.
#[derive(Clone, Debug)]
pub struct Call {
    /// By which the call is resolved.
    pub id: CallId,
    /// The workflow's index in the plan.
    pub workflow: u32,
    /// The node's index in that workflow's `node_defs`.
    pub node_def: u32,
    /// The payload.
    pub input: Object,
    /// Where the call comes from.
    pub context: CallContext,
    /// The number of the attempt, from 1.
    pub attempt: u32,
    /// How long it may take.
    pub timeout: Option<Duration>,
}

/// Where a call comes from; cheap to keep, renders names on demand.
#[derive(Clone, Debug)]
pub struct CallContext {
    pub(crate) plan: Arc<Plan>,
    pub(crate) origin: Arc<Origin>,
    pub(crate) run_id: Arc<str>,
    pub(crate) call: CallId,
    pub(crate) step: StepIx,
    pub(crate) prior: Option<Prior>,
    pub(crate) attempt: u32,
}

impl CallContext {
    /// The id of the step.
    pub fn node_id(&self) -> &Arc<str> {
        self.plan.workflow(self.origin.workflow).step(self.step).id()
    }

    /// The frame's id, such as `root:each:1`.
    pub fn frame_id(&self) -> String {
        self.origin.names(&self.plan).frame
    }

    /// The scope's id, such as `root:subgraph:child`.
    pub fn scope_id(&self) -> String {
        self.origin.names(&self.plan).scope
    }

    /// The lineage's id, such as `root/each[1]`.
    pub fn lineage_id(&self) -> String {
        self.origin.names(&self.plan).lineage
    }

    /// The id of the lineage around it; `None` for the root lineage of a scope.
    pub fn parent_lineage_id(&self) -> Option<String> {
        self.origin.names(&self.plan).parent_lineage
    }

    /// The outcome of the step before; `None` at the first one.
    pub fn prior_outcome(&self) -> Option<&Arc<str>> {
        let prior = self.prior?;
        Some(self.plan.workflow(self.origin.workflow).step(prior.step).outcome(prior.exit))
    }

    /// The id of the step before.
    pub fn activated_incoming_edge(&self) -> Option<&Arc<str>> {
        Some(self.plan.workflow(self.origin.workflow).step(self.prior?.step).id())
    }

    /// How many attempts failed before this one.
    pub fn retry_count(&self) -> u32 {
        self.attempt.saturating_sub(1)
    }

    /// The run's id.
    pub fn run_id(&self) -> &Arc<str> {
        &self.run_id
    }

    /// The call's id for the outside world, `<run id>:<number>`: stable, so a receiver can tell a repeated call.
    pub fn call_id(&self) -> String {
        format!("{}:{}", self.run_id, self.call.get())
    }

    /// What a foreach item's frame knows about its loop; empty elsewhere.
    pub fn metadata(&self) -> Object {
        frame_metadata(&self.plan, &self.origin)
    }

    /// Everything that bindings of this step could read as `context`.
    pub fn values(&self) -> Object {
        context::all(&self.plan, &self.origin, self.prior)
    }
}

/// What a frame's metadata says about its birth.
pub(crate) fn frame_metadata(plan: &Plan, origin: &Origin) -> Object {
    let mut metadata = Object::new();
    if let Some(looping) = origin.as_loop(plan) {
        metadata.insert("foreach_node_id", Arc::clone(looping.id));
        metadata.insert("loop_index", i64::from(looping.index));
        metadata.insert("loop_item", looping.item.clone());
        metadata.insert("loop_alias", Arc::clone(&looping.foreach.alias));
    }
    if let Birth::Branch { step, branch, .. } = origin.birth {
        let fork = plan.workflow(origin.workflow).step(step);
        metadata.insert("fork_node_id", Arc::clone(&fork.id));
        metadata.insert("branch", Arc::clone(&fork.exits[branch as usize].outcome));
    }
    metadata
}

/// Values to merge by custom reducers. The folds do not depend on one another.
#[derive(Clone, Debug, PartialEq)]
pub struct Reduce {
    /// By which the merge is resolved.
    pub id: ReduceId,
    /// The workflow's index in the plan; its reducers are meant.
    pub workflow: u32,
    /// What to merge.
    pub folds: Vec<Fold>,
}

/// One place of the state and the values to merge into it, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Fold {
    /// The reducer's name.
    pub reducer: Key,
    /// Its configuration.
    pub config: Object,
    /// The place, as `state.a.b`.
    pub path: Key,
    /// What the place holds; `null` when it holds nothing.
    pub current: Value,
    /// What comes in, one after the other.
    pub incoming: Vec<Value>,
}
