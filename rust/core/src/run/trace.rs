//! The trace: what was executed, in order.
//!
//! A run may execute millions of steps, so an entry is stored as what cannot be looked up again: indices, the payload
//! and the output (shared with whoever else holds them). Names, the state changes of ordinary steps, the item of a
//! loop entry: all of that follows from the plan and the frames, and is made when an entry is read.

use std::sync::Arc;

use crate::plan::index::{ExitIx, Next, OutcomeIx, StepIx};
use crate::plan::{ForeachPlan, Plan, StepKind, StepPlan, WorkflowPlan, end_name, ok_name};
use crate::value::Object;

use super::Run;
use super::error::RunFailure;
use super::event::Millis;
use super::frame::FrameFailure;
use super::origin::{Birth, FrameIx};

/// One entry as it is stored.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) frame: FrameIx,
    /// `None` only for a failure at `__end__`.
    pub(crate) step: Option<StepIx>,
    pub(crate) since: Millis,
    pub(crate) at: Millis,
    pub(crate) body: Body,
}

/// What an entry says.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    /// A step with an output that its bindings wrote to the state; `shown` when the writes were committed at once.
    Bound { exit: ExitIx, input: Object, output: Object, shown: bool },
    /// A step that only chose an exit: a condition, a join.
    Plain(ExitIx),
    /// An end step.
    End(OutcomeIx),
    /// A foreach started an item while that many were active.
    Item { child: FrameIx, active: u32 },
    /// A fork started a branch.
    Branch { child: FrameIx },
    /// Anything that occurs too seldom to be packed.
    Wide(Box<Wide>),
}

/// An entry in full.
#[derive(Clone, Debug)]
pub(crate) struct Wide {
    pub(crate) outcome: Arc<str>,
    pub(crate) next: Ahead,
    pub(crate) input: Object,
    pub(crate) output: Object,
    pub(crate) changes: Object,
    pub(crate) meta: Object,
    pub(crate) failure: Option<Arc<FrameFailure>>,
}

/// Where a frame goes after an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ahead {
    /// Nowhere: it stays at the step.
    Here,
    /// On.
    To(Next),
}

/// One executed step.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceEntry {
    /// The frame that executed it.
    pub frame_id: String,
    /// The step.
    pub node_id: Arc<str>,
    /// Its type.
    pub step_type: &'static str,
    /// The payload, or what takes its place (`item` and `index` of a loop entry).
    pub resolved_input: Object,
    /// How it ended.
    pub outcome: Arc<str>,
    /// The step the frame went to; the step itself when it stayed.
    pub next_node_id: Arc<str>,
    /// What it returned.
    pub output: Object,
    /// What it changed in the committed state, by path.
    pub state_changes: Object,
    /// The remarks of the handler.
    pub meta: Object,
    /// Why it failed, if it did.
    pub error: Option<RunFailure>,
    /// When it began.
    pub started_at: Millis,
    /// When it was done.
    pub finished_at: Millis,
}

/// What was executed, in order; entries are made when they are read.
#[derive(Clone, Copy)]
pub struct Trace<'a>(pub(super) &'a Run);

impl<'a> Trace<'a> {
    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.0.machine.trace.len()
    }

    /// Whether nothing was executed yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The entry at a position.
    pub fn get(&self, position: usize) -> Option<TraceEntry> {
        self.0.machine.trace.get(position).map(|record| Reader::new(self.0, record).entry())
    }

    /// The entries in order.
    pub fn iter(self) -> impl ExactSizeIterator<Item = TraceEntry> + 'a {
        self.0.machine.trace.iter().map(move |record| Reader::new(self.0, record).entry())
    }
}

/// Turns one record into an entry.
struct Reader<'a> {
    run: &'a Run,
    record: &'a Record,
    workflow: &'a WorkflowPlan,
    step: Option<&'a StepPlan>,
}

impl<'a> Reader<'a> {
    fn new(run: &'a Run, record: &'a Record) -> Self {
        let workflow = run.plan.workflow(run.machine.frame(record.frame).origin.workflow);
        Self { run, record, workflow, step: record.step.map(|step| workflow.step(step)) }
    }

    fn entry(&self) -> TraceEntry {
        let plan: &Plan = &self.run.plan;
        let mut entry = TraceEntry {
            frame_id: self.run.machine.frame(self.record.frame).origin.names(plan).frame,
            node_id: self.step.map_or_else(end_name, |step| Arc::clone(&step.id)),
            step_type: self.step.map_or("end", StepPlan::type_name),
            resolved_input: Object::new(),
            outcome: ok_name(),
            next_node_id: end_name(),
            output: Object::new(),
            state_changes: Object::new(),
            meta: Object::new(),
            error: None,
            started_at: self.record.since,
            finished_at: self.record.at,
        };
        self.fill(&mut entry);
        entry
    }

    fn fill(&self, entry: &mut TraceEntry) {
        match &self.record.body {
            Body::Bound { exit, input, output, shown } => {
                self.leave(entry, *exit);
                entry.resolved_input = input.clone();
                entry.output = output.clone();
                if let (true, Some(step)) = (*shown, self.step) {
                    entry.state_changes = step.changes(output);
                }
            }
            Body::Plain(exit) => {
                self.leave(entry, *exit);
                if let Some(StepKind::Condition(_)) = self.step.map(|step| &step.kind) {
                    entry.output.insert("predicate", exit.0 == 0);
                }
            }
            Body::End(outcome) => entry.outcome = Arc::clone(self.workflow.outcome(*outcome)),
            Body::Item { child, active } => {
                self.leave(entry, ForeachPlan::LOOP);
                self.describe_item(entry, *child, *active);
            }
            Body::Branch { child } => {
                if let Birth::Branch { branch, .. } = self.run.machine.frame(*child).origin.birth {
                    self.leave(entry, ExitIx(branch));
                    entry.resolved_input.insert("branch", Arc::clone(&entry.outcome));
                    entry.resolved_input.insert("index", i64::from(branch));
                }
            }
            Body::Wide(wide) => {
                entry.outcome = Arc::clone(&wide.outcome);
                entry.next_node_id = match wide.next {
                    Ahead::Here => Arc::clone(&entry.node_id),
                    Ahead::To(next) => self.workflow.name_of(next),
                };
                entry.resolved_input = wide.input.clone();
                entry.output = wide.output.clone();
                entry.state_changes = wide.changes.clone();
                entry.meta = wide.meta.clone();
                entry.error = wide.failure.as_deref().map(|failure| self.run.describe(failure));
            }
        }
    }

    fn leave(&self, entry: &mut TraceEntry, exit: ExitIx) {
        if let Some(exit) = self.step.and_then(|step| step.exits.get(exit.at())) {
            entry.outcome = Arc::clone(&exit.outcome);
            entry.next_node_id = exit.next.map_or_else(end_name, |next| self.workflow.name_of(next));
        }
    }

    fn describe_item(&self, entry: &mut TraceEntry, child: FrameIx, active: u32) {
        let origin = &self.run.machine.frame(child).origin;
        if let Some(item) = origin.as_loop(&self.run.plan) {
            entry.resolved_input.insert("item", item.item.clone());
            entry.resolved_input.insert("index", i64::from(item.index));
            if !origin.is_serial_item() {
                entry.resolved_input.insert("active_count", i64::from(active));
            }
        }
    }
}
