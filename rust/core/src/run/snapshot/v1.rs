//! Reading the predecessor's runs: `{"version": 1, "state": {…}}`.
//!
//! There everything is found by ids, and what a frame is in the middle of is spread over its metadata. Here it becomes
//! records; then the same checks apply as to our own snapshots. Two things have no counterpart and are decided:
//! a foreach there looks its list up again at every visit, so the list is fixed now; and a frame that was running when
//! its handler raised simply stays `running` there, so in a failed run it becomes the failed frame, elsewhere it is
//! executed again.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::document::{Document, WorkflowRef};
use crate::eval::set_local;
use crate::path::{LocalPath, StatePath};
use crate::plan::index::{Next, OutcomeIx, StepIx, WorkflowIx};
use crate::plan::{END, Plan, StepKind, WorkflowPlan};
use crate::run::event::StartOptions;
use crate::run::frame::{Activity, Frame, FrameFailure, Prior, Request};
use crate::run::machine::{FrameStatus, RunStatus};
use crate::run::origin::{Birth, FrameIx, Keeper, Origin, ScopeIx};
use crate::run::trace::{Ahead, Body, Record, Wide};
use crate::run::{Failure, Machine, Scope, codes};
use crate::state::StateWrite;
use crate::value::{Object, Value};

use super::node::{Node, Read};
use super::v1_foreach::{self, KnownItems};
use super::{SnapshotError, check};

/// Reads a run of the predecessor.
pub(super) fn machine(plan: &Plan, node: Node<'_>) -> Result<Machine, SnapshotError> {
    let name = node.field("workflow_name")?;
    let expected = &plan.workflow(WorkflowIx(0)).document().name;
    if name.text()? != *expected {
        return Err(name.invalid(format_args!("run state belongs to workflow '{}', not '{expected}'", name.text()?)));
    }
    let mut machine = Machine::new(&StartOptions::default());
    machine.status = node.field("status")?.word(RunStatus::parse)?;
    machine.input = node.field("workflow_input")?.object()?;
    let items = v1_foreach::known_items(node)?;
    let mut import = Import { plan, machine, scopes: BTreeMap::new(), frames: BTreeMap::new(), items };
    import.scopes(node)?;
    import.frames(node)?;
    import.lineages(node)?;
    import.activities(node)?;
    import.standing(node)?;
    import.trace(node)?;
    let machine = import.machine;
    check::records(plan, &machine, node)?;
    check::standing(&machine, node)?;
    Ok(machine)
}

pub(super) struct Import<'p> {
    pub(super) plan: &'p Plan,
    pub(super) machine: Machine,
    scopes: BTreeMap<Arc<str>, ScopeIx>,
    frames: BTreeMap<Arc<str>, FrameIx>,
    /// The items that frames tell of, by the frame and the step that iterate.
    pub(super) items: KnownItems,
}

fn object(node: Node<'_>, key: &str) -> Read<Object> {
    Ok(node.optional(key)?.map(|node| node.object()).transpose()?.unwrap_or_default())
}

fn step_of(workflow: &WorkflowPlan, node: Node<'_>) -> Read<StepIx> {
    let id = node.text()?;
    workflow.find_step(&id).ok_or_else(|| node.invalid(format_args!("workflow has no step '{id}'")))
}

impl Import<'_> {
    fn scopes(&mut self, node: Node<'_>) -> Read<()> {
        node.field("scopes")?.entries(|id, node| {
            let workflow = match node.optional("workflow_ref")? {
                None => WorkflowIx(0),
                Some(reference) => self.workflow(reference)?,
            };
            self.scopes.insert(Arc::clone(id), ScopeIx::next(self.machine.scopes.len()));
            let (input, state) = (object(node, "workflow_input")?, object(node, "committed_state")?);
            self.machine.scopes.push(Scope { workflow, root: FrameIx::ROOT, input, state, dropped: false });
            Ok(())
        })?;
        Ok(())
    }

    fn workflow(&self, node: Node<'_>) -> Read<WorkflowIx> {
        let reference = WorkflowRef::parse(node.value()).map_err(|error| node.invalid(format_args!("{error}")))?;
        let workflows = self.plan.workflows().iter();
        let found = workflows.map(WorkflowPlan::reference).position(|known| known == Some(&reference));
        found
            .map(WorkflowIx::next)
            .ok_or_else(|| node.invalid(format_args!("no prepared child workflow registered for '{reference}'")))
    }

    fn scope(&self, node: Node<'_>) -> Read<ScopeIx> {
        let id = node.text()?;
        self.scopes.get(&id).copied().ok_or_else(|| node.invalid(format_args!("unknown scope '{id}'")))
    }

    pub(super) fn frame(&self, node: Node<'_>) -> Read<FrameIx> {
        let id = node.text()?;
        self.frames.get(&id).copied().ok_or_else(|| node.invalid(format_args!("unknown frame id '{id}'")))
    }

    pub(super) fn workflow_of(&self, frame: FrameIx) -> &WorkflowPlan {
        self.plan.workflow(self.machine.frame(frame).origin.workflow)
    }

    fn frames(&mut self, node: Node<'_>) -> Read<()> {
        node.field("frames")?.entries(|id, node| {
            let frame = FrameIx::next(self.machine.frames.len());
            let scope = self.scope(node.field("scope_id")?)?;
            let workflow = self.machine.scope(scope).workflow;
            let parent = node.optional("parent_frame_id")?.map(|node| self.frame(node)).transpose()?;
            let parent = parent.map(|parent| Arc::clone(&self.machine.frame(parent).origin));
            let birth = self.birth(id, node, parent.as_deref())?;
            let keeper = match &birth {
                Birth::Item { serial: true, .. } => parent.as_ref().map_or(Keeper::Scope, |parent| parent.keeper),
                Birth::Item { .. } => Keeper::Lineage(frame),
                _ => Keeper::Scope,
            };
            if let Birth::Root | Birth::Subgraph { .. } = birth {
                self.machine.scope_mut(scope).root = frame;
            }
            let plan = self.plan.workflow(workflow);
            let at = node.field("node_id")?;
            let at = if at.value().as_str() == Some(END) { None } else { Some(step_of(plan, at)?) };
            let origin = Arc::new(Origin { parent, frame, scope, workflow, keeper, birth });
            let mut record = Frame::new(origin, at, Box::default());
            record.status = node.field("status")?.word(FrameStatus::parse)?;
            record.prior = prior(plan, node)?;
            record.outcome = outcome(plan, node)?;
            self.machine.frames.push(record);
            self.frames.insert(Arc::clone(id), frame);
            Ok(())
        })?;
        Ok(())
    }

    fn birth(&self, id: &str, node: Node<'_>, parent: Option<&Origin>) -> Read<Birth> {
        let kind = node.field("kind")?;
        let Some(parent) = parent else { return Ok(Birth::Root) };
        let workflow = self.plan.workflow(parent.workflow);
        match &*kind.text()? {
            "foreach_iteration" => {
                let metadata = node.field("metadata")?;
                let step = step_of(workflow, metadata.field("foreach_node_id")?)?;
                let StepKind::Foreach(foreach) = &workflow.step(step).kind else {
                    return Err(kind.invalid(format_args!("frame is not of a foreach step")));
                };
                let of = (node.field("parent_frame_id")?.text()?, metadata.field("foreach_node_id")?.text()?);
                let items = self.items.get(&of).cloned().unwrap_or_default();
                let index = metadata.field("loop_index")?.index(items.len())?;
                Ok(Birth::Item { step, visit: 1, index, items, serial: foreach.serial })
            }
            "subgraph_root" => {
                // `<frame>:subgraph:<step>:frame`
                let names = parent.names(self.plan);
                let step = id
                    .strip_prefix(&*format!("{}:subgraph:", names.frame))
                    .and_then(|rest| rest.strip_suffix(":frame"))
                    .and_then(|step| workflow.find_step(step));
                let step = step.ok_or_else(|| kind.invalid(format_args!("frame is not of a subgraph step")))?;
                Ok(Birth::Subgraph { step, visit: 1 })
            }
            other => Err(kind.invalid(format_args!("unknown kind '{other}'"))),
        }
    }

    /// What every frame has written and failed with, parents first: a view builds on the one around it.
    fn lineages(&mut self, node: Node<'_>) -> Read<()> {
        let lineages = node.field("lineages")?;
        node.field("frames")?.entries(|id, node| {
            let frame = self.frames[id];
            self.lineage(frame, node, lineages)?;
            match self.machine.frame(frame).status {
                FrameStatus::Completed => self.machine.frame_mut(frame).live = None,
                FrameStatus::Failed => {
                    let failure = self.item_failure(frame, node)?;
                    self.machine.failures.insert(frame, Arc::new(failure));
                    self.machine.frame_mut(frame).live = None;
                }
                _ => {}
            }
            Ok(())
        })?;
        Ok(())
    }

    /// The uncommitted writes of a concurrent item, and what it sees because of them.
    fn lineage(&mut self, frame: FrameIx, node: Node<'_>, lineages: Node<'_>) -> Read<()> {
        let origin = Arc::clone(&self.machine.frame(frame).origin);
        if origin.is_serial_item() && !self.machine.frame(frame).is_over() {
            // The predecessor committed such writes at once; they stay.
            self.machine.live_mut(frame).lineage.savepoint.writes = self.machine.kept_writes(origin.keeper);
        }
        let id = node.field("lineage_id")?.text()?;
        let written = lineages.optional(&id)?;
        let (Keeper::Lineage(keeper), Some(lineage)) = (origin.keeper, written) else { return Ok(()) };
        if keeper != frame {
            return Ok(());
        }
        let layout = &self.plan.workflow(origin.workflow).layout;
        let mut view = self.machine.state_of(frame).clone();
        let writes = lineage.field("writes")?.each(|_, node| {
            let path = node.field("path")?;
            let path = StatePath::from_value(path.value()).map_err(|error| path.invalid(format_args!("{error}")))?;
            let local = LocalPath::new(path.parts().iter().cloned());
            let local = local.map_err(|error| node.invalid(format_args!("{error}")))?;
            set_local(&mut view, &local, node.field("visible_value")?.value().clone())
                .map_err(|error| node.invalid(format_args!("{error}")))?;
            Ok(StateWrite { target: layout.target(&path), incoming: node.field("incoming_value")?.value().clone() })
        })?;
        if !writes.is_empty() {
            let lineage = &mut self.machine.live_mut(frame).lineage;
            (lineage.writes, lineage.view) = (writes, Some(view));
        }
        Ok(())
    }

    fn item_failure(&self, frame: FrameIx, node: Node<'_>) -> Read<FrameFailure> {
        let metadata = node.field("metadata")?;
        let text = |key| metadata.optional(key).and_then(|node| node.map(|node| node.text()).transpose());
        let step = text("failed_at_node_id")?.and_then(|id| self.workflow_of(frame).find_step(&id));
        let message = text("error")?.unwrap_or_else(|| UNKNOWN.into());
        let failure = unknown_failure(message, text("error_type")?);
        Ok(FrameFailure { failure, frame: Some(frame), step })
    }

    /// The run as a whole: its result, its question, its queue.
    fn standing(&mut self, node: Node<'_>) -> Read<()> {
        self.machine.output = object(node, "output")?;
        self.machine.outcome =
            node.optional("outcome")?.map(|node| outcome_ix(self.plan.workflow(WorkflowIx(0)), node)).transpose()?;
        let ready = node.optional("ready_frame_ids")?.map(|node| node.each(|_, node| self.frame(node))).transpose()?;
        self.machine.ready = ready.unwrap_or_default().into();
        let interrupt = node.optional("interrupt")?;
        if let (RunStatus::Interrupted, Some(interrupt)) = (self.machine.status, interrupt) {
            self.question(interrupt)?;
        }
        let current = node.optional("current_frame_id")?.map(|node| self.frame(node)).transpose()?;
        let error = node.optional("error")?.map(|node| node.text()).transpose()?;
        self.settle_running(current, error);
        Ok(())
    }

    /// Frames that were running when the run was saved.
    fn settle_running(&mut self, current: Option<FrameIx>, error: Option<Arc<str>>) {
        let machine = &mut self.machine;
        if machine.status == RunStatus::Pending {
            machine.status = RunStatus::Running;
        }
        let failed = machine.status == RunStatus::Failed;
        let running: Vec<FrameIx> = (0..machine.frames.len())
            .map(FrameIx::next)
            .filter(|frame| machine.frame(*frame).status == FrameStatus::Running)
            .collect();
        let stands_at = current.filter(|frame| failed && running.contains(frame));
        for frame in running.into_iter().rev() {
            if Some(frame) == stands_at {
                machine.frame_mut(frame).status = FrameStatus::Failed;
            } else {
                machine.frame_mut(frame).status = FrameStatus::Pending;
                machine.ready.push_front(frame);
            }
        }
        if failed {
            let failure = unknown_failure(error.unwrap_or_else(|| UNKNOWN.into()), None);
            let step = stands_at.and_then(|frame| machine.frame(frame).at);
            let failure = Arc::new(FrameFailure { failure, frame: stands_at, step });
            machine.failures.extend(stands_at.map(|frame| (frame, Arc::clone(&failure))));
            machine.failure = Some(failure);
        }
        // All steps are done, and the output is still to be built.
        if let (RunStatus::Running, Some(root)) = (machine.status, machine.frames.first_mut())
            && root.status == FrameStatus::Completed
        {
            (root.status, root.live) = (FrameStatus::Pending, Some(Box::default()));
            machine.ready.push_front(FrameIx::ROOT);
        }
    }

    fn question(&mut self, node: Node<'_>) -> Read<()> {
        let route = node.optional("route")?;
        let frame_node = route.as_ref().unwrap_or(&node).field("frame_id")?;
        let frame = self.frame(frame_node)?;
        if self.machine.frame(frame).status != FrameStatus::Interrupted {
            return Err(frame_node.invalid(format_args!("child interrupt route is no longer resumable")));
        }
        let any = || Value::Object([("type", "object")].into_iter().collect());
        let schema = |key| -> Read<Object> {
            let given = node.optional(key)?.map(|node| node.object()).transpose()?;
            Ok(given.or_else(|| any().as_object().cloned()).unwrap_or_default())
        };
        let outcomes = node.optional("outcomes")?.map(|node| node.each(|_, node| node.text())).transpose()?;
        let request = Request {
            id: node.field("id")?.text()?,
            kind: node.field("kind")?.text()?,
            payload: object(node, "payload")?,
            outcomes: outcomes.unwrap_or_else(|| vec!["submitted".into()]),
            request_schema: schema("request_schema")?,
            resume_schema: schema("resume_schema")?,
            typed: node.optional("typed")?.map(|node| node.flag()).transpose()?.unwrap_or(false),
        };
        self.machine.interrupt_ids.insert(Arc::clone(&request.id), 1);
        self.machine.live_mut(frame).activity = Activity::Ask(Box::new(request));
        self.machine.asking = Some(frame);
        Ok(())
    }

    fn trace(&mut self, node: Node<'_>) -> Read<()> {
        let records = node.field("trace")?.each(|_, node| {
            let frame = self.frame(node.field("frame_id")?)?;
            let workflow = self.workflow_of(frame);
            let step = step_of(workflow, node.field("node_id")?)?;
            let next = node.field("next_node_id")?;
            let next = match next.value().as_str() {
                Some(END) => Ahead::To(Next::End),
                _ => match step_of(workflow, next)? {
                    next if next == step => Ahead::Here,
                    next => Ahead::To(Next::Step(next)),
                },
            };
            let wide = Wide {
                outcome: node.field("outcome")?.text()?,
                next,
                input: object(node, "resolved_input")?,
                output: object(node, "output")?,
                changes: object(node, "state_changes")?,
                meta: Object::new(),
                failure: None,
            };
            Ok(Record { frame, step: Some(step), since: 0, at: 0, body: Body::Wide(Box::new(wide)) })
        })?;
        self.machine.steps = records.len() as u64;
        self.machine.trace = records;
        Ok(())
    }
}

/// What is said of a failure that the predecessor did not describe.
const UNKNOWN: &str = "the run failed";

fn unknown_failure(message: Arc<str>, error_type: Option<Arc<str>>) -> Failure {
    let mut failure = Failure::new(codes::CALL_FAILED, message);
    failure.error_type = error_type.unwrap_or_else(|| "Exception".into());
    failure
}

/// The step before, if the document still has it and its outcome.
fn prior(workflow: &WorkflowPlan, node: Node<'_>) -> Read<Option<Prior>> {
    let text = |key| node.optional(key).and_then(|node| node.map(|node| node.text()).transpose());
    let (Some(outcome), Some(id)) = (text("prior_outcome")?, text("activated_incoming_edge")?) else { return Ok(None) };
    Ok(workflow.find_step(&id).and_then(|step| Some(Prior { step, exit: workflow.step(step).exit(&outcome)? })))
}

fn outcome_ix(workflow: &WorkflowPlan, node: Node<'_>) -> Read<OutcomeIx> {
    let name = node.text()?;
    let found = workflow.document().outcomes.iter().position(|known| *known == name);
    found.map(OutcomeIx::next).ok_or_else(|| node.invalid(format_args!("workflow outcome '{name}' is not declared")))
}

fn outcome(workflow: &WorkflowPlan, node: Node<'_>) -> Read<Option<OutcomeIx>> {
    let Some(metadata) = node.optional("metadata")? else { return Ok(None) };
    metadata.optional("workflow_outcome")?.map(|node| outcome_ix(workflow, node)).transpose()
}
