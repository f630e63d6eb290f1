//! Reading the records of a run. Every number is checked against the table it points into.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::plan::index::{ExitIx, Next, OutcomeIx, StepIx, WorkflowIx};
use crate::plan::{Plan, StepKind, StepPlan, WorkflowPlan};
use crate::run::event::{CallId, StartOptions};
use crate::run::frame::{Activity, Frame, FrameFailure, Prior};
use crate::run::machine::{FrameStatus, RunStatus};
use crate::run::origin::{Birth, FrameIx, Keeper, Origin, ScopeIx};
use crate::run::trace::{Ahead, Body, Record, Wide};
use crate::run::{Failure, Machine, Scope};
use crate::state::StateTarget;
use crate::value::{List, Object};

use super::node::{Node, Read};
use super::read_live::{self, RawMerge};
use super::{SnapshotError, check};

/// What reading later records needs of earlier ones.
pub(super) struct Reader<'p> {
    pub(super) plan: &'p Plan,
    pub(super) lists: Vec<List>,
    pub(super) failures: Vec<Arc<FrameFailure>>,
    pub(super) frame_count: usize,
    /// The places that the steps of each workflow write.
    targets: Vec<BTreeMap<Arc<str>, StateTarget>>,
    scopes: Vec<Scope>,
    frames: Vec<Frame>,
    /// Merges by custom reducers, to be staged again when everything else is there.
    merges: Vec<(FrameIx, RawMerge)>,
}

/// Reads a run and checks that its records fit together.
pub(super) fn machine(plan: &Plan, node: Node<'_>) -> Result<Machine, SnapshotError> {
    let frames_node = node.field("frames")?;
    let mut reader = Reader {
        plan,
        lists: node.field("lists")?.each(|_, node| node.list())?,
        failures: Vec::new(),
        frame_count: frames_node.list()?.len(),
        targets: plan.workflows().iter().map(targets_of).collect(),
        scopes: Vec::new(),
        frames: Vec::new(),
        merges: Vec::new(),
    };
    reader.failures = node.field("failures")?.each(|_, node| reader.frame_failure(node).map(Arc::new))?;
    reader.scopes = node.field("scopes")?.each(|_, node| reader.scope(node))?;
    frames_node.each(|_, node| reader.frame(node))?;
    let mut machine = Machine::new(&options(node.field("options")?)?);
    reader.fill(&mut machine, node)?;
    let Reader { scopes, frames, merges, .. } = reader;
    (machine.scopes, machine.frames) = (scopes, frames);
    check::records(plan, &machine, node)?;
    for (frame, merge) in merges {
        read_live::stage_again(plan, &mut machine, frame, merge)?;
    }
    resume_waiting(&mut machine, node)?;
    check::standing(&machine, node)?;
    Ok(machine)
}

/// What is not stored since it follows from the frames: timers, and what is in flight.
fn resume_waiting(machine: &mut Machine, node: Node<'_>) -> Read<()> {
    let mut calls: BTreeMap<CallId, FrameIx> = BTreeMap::new();
    for frame in &machine.frames {
        let Some(live) = frame.live.as_deref() else { continue };
        let frame_ix = frame.origin.frame;
        let mut waits_for = |call| {
            if calls.insert(call, frame_ix).is_some() {
                return Err(node.invalid(format_args!("two frames wait for call {}", call.get())));
            }
            Ok(())
        };
        match &live.activity {
            Activity::Call(calling) => waits_for(calling.call)?,
            Activity::Delay { until, .. } if frame.status == FrameStatus::Running => {
                machine.timers.insert((*until, frame_ix));
            }
            _ => {}
        }
        if let Some(merge) = &live.merge {
            waits_for(merge.reduce)?;
        }
    }
    let next = node.field("next_call")?;
    let number = next.number::<u64>()?;
    if let Some((last, _)) = calls.last_key_value()
        && last.get() >= number
    {
        return Err(next.invalid(format_args!("expected a number above {}", last.get())));
    }
    if i64::try_from(number).is_err() {
        return Err(next.invalid(format_args!("no run makes so many calls")));
    }
    // The window spans from the oldest to the newest call; a gap that no run could have left would fill the memory.
    if let Some((first, _)) = calls.first_key_value()
        && number - first.get() > MAX_CALL_GAP + 2 * machine.trace.len() as u64
    {
        return Err(next.invalid(format_args!("call {} is too old to be in flight", first.get())));
    }
    for (call, frame) in calls {
        machine.in_flight.reopen(call, frame);
    }
    machine.in_flight.skip_to(number);
    Ok(())
}

/// How far apart the numbers of two calls in flight may lie, beyond what the trace accounts for.
const MAX_CALL_GAP: u64 = 1_000_000;

fn targets_of(workflow: &WorkflowPlan) -> BTreeMap<Arc<str>, StateTarget> {
    let written = workflow.steps.iter().filter_map(StepPlan::writes).flat_map(|outputs| outputs.targets().cloned());
    let collected = workflow.steps.iter().filter_map(|step| match &step.kind {
        StepKind::Foreach(foreach) => foreach.collect_to.clone(),
        StepKind::Gather(gather) => gather.collect_to.clone(),
        _ => None,
    });
    written.chain(collected).map(|target| (Arc::clone(target.text()), target)).collect()
}

pub(super) fn options(node: Node<'_>) -> Read<StartOptions> {
    Ok(StartOptions {
        run_id: node.field("run_id")?.text()?,
        now: node.field("now")?.number()?,
        seed: node.field("seed")?.number()?,
        max_steps: node.optional("max_steps")?.map(|node| node.number()).transpose()?,
        deadline: node.optional("deadline")?.map(|node| node.number()).transpose()?,
    })
}

pub(super) fn failure(node: Node<'_>) -> Read<Failure> {
    Ok(Failure {
        code: Cow::Owned(node.field("code")?.text()?.to_string()),
        error_type: node.field("type")?.text()?,
        message: node.field("message")?.text()?,
        path: node.optional("path")?.map(|node| node.text()).transpose()?,
        attempt: node.field("attempt")?.number()?,
        call: node.optional("call")?.map(|node| node.number().map(CallId::new)).transpose()?,
        data: object_or_empty(node, "data")?,
    })
}

/// An object that was left out when empty.
pub(super) fn object_or_empty(node: Node<'_>, key: &str) -> Read<Object> {
    Ok(node.optional(key)?.map(|node| node.object()).transpose()?.unwrap_or_default())
}

/// A flag that was left out when down.
pub(super) fn flag_or_down(node: Node<'_>, key: &str) -> Read<bool> {
    Ok(node.optional(key)?.map(|node| node.flag()).transpose()?.unwrap_or(false))
}

pub(super) fn step_of(workflow: &WorkflowPlan, node: Node<'_>) -> Read<StepIx> {
    node.index(workflow.steps.len()).map(StepIx)
}

pub(super) fn exit_of(step: &StepPlan, node: Node<'_>) -> Read<ExitIx> {
    node.index(step.exits.len()).map(ExitIx)
}

pub(super) fn outcome_of(workflow: &WorkflowPlan, node: Node<'_>) -> Read<OutcomeIx> {
    node.index(workflow.document().outcomes.len()).map(OutcomeIx)
}

impl Reader<'_> {
    fn scope(&self, node: Node<'_>) -> Read<Scope> {
        Ok(Scope {
            workflow: WorkflowIx(node.field("workflow")?.index(self.plan.workflows().len())?),
            root: FrameIx(node.field("root")?.index(self.frame_count)?),
            input: node.field("input")?.object()?,
            state: node.field("state")?.object()?,
            dropped: flag_or_down(node, "dropped")?,
        })
    }

    fn frame_failure(&self, node: Node<'_>) -> Read<FrameFailure> {
        Ok(FrameFailure {
            failure: failure(node.field("failure")?)?,
            frame: node.optional("frame")?.map(|node| node.index(self.frame_count).map(FrameIx)).transpose()?,
            // Checked when the frames are there.
            step: node.optional("step")?.map(|node| node.number().map(StepIx)).transpose()?,
        })
    }

    pub(super) fn failure(&self, node: Node<'_>) -> Read<Arc<FrameFailure>> {
        Ok(Arc::clone(&self.failures[node.index(self.failures.len())? as usize]))
    }

    pub(super) fn list(&self, node: Node<'_>) -> Read<List> {
        Ok(self.lists[node.index(self.lists.len())? as usize].clone())
    }

    /// The place of the state that a text names; only places that some step writes can occur.
    pub(super) fn target(&self, workflow: WorkflowIx, node: Node<'_>) -> Read<StateTarget> {
        let text = node.text()?;
        let target = self.targets[workflow.at()].get(&text);
        target.cloned().ok_or_else(|| node.invalid(format_args!("no step writes '{text}'")))
    }

    fn frame(&mut self, node: Node<'_>) -> Read<()> {
        let frame = FrameIx::next(self.frames.len());
        let scope = ScopeIx(node.field("scope")?.index(self.scopes.len())?);
        let workflow_ix = self.scopes[scope.at()].workflow;
        let parent = node.optional("parent")?.map(|node| node.index(self.frames.len())).transpose()?;
        let parent = parent.map(|parent| Arc::clone(&self.frames[parent as usize].origin));
        let birth = self.birth(node, workflow_ix, parent.as_deref())?;
        let keeper = match &birth {
            Birth::Root | Birth::Subgraph { .. } => Keeper::Scope,
            Birth::Item { serial: true, .. } => parent.as_ref().map_or(Keeper::Scope, |parent| parent.keeper),
            Birth::Item { .. } | Birth::Branch { .. } => Keeper::Lineage(frame),
        };
        let workflow = self.plan.workflow(workflow_ix);
        let origin = Arc::new(Origin { parent, frame, scope, workflow: workflow_ix, keeper, birth });
        let prior = node.optional("prior")?.map(|node| {
            let [step, exit] = node.tuple()?;
            let step = step_of(workflow, step)?;
            Ok(Prior { step, exit: exit_of(workflow.step(step), exit)? })
        });
        let mut record = Frame {
            origin,
            status: node.field("status")?.word(FrameStatus::parse)?,
            at: node.optional("at")?.map(|node| step_of(workflow, node)).transpose()?,
            prior: prior.transpose()?,
            outcome: node.optional("outcome")?.map(|node| outcome_of(workflow, node)).transpose()?,
            live: None,
        };
        if let Some(node) = node.optional("live")? {
            let (live, merge) = read_live::live(self, &record, node)?;
            record.live = Some(Box::new(live));
            self.merges.extend(merge.map(|merge| (frame, merge)));
        }
        self.frames.push(record);
        Ok(())
    }

    fn birth(&self, node: Node<'_>, workflow: WorkflowIx, parent: Option<&Origin>) -> Read<Birth> {
        let word = node.field("birth")?;
        let name = word.text()?;
        let Some(parent) = parent else {
            return if *name == *"root" { Ok(Birth::Root) } else { Err(word.expected("'root' without a parent")) };
        };
        let step_node = node.field("step")?;
        let step = step_of(self.plan.workflow(parent.workflow), step_node)?;
        let visit = node.field("visit")?.number()?;
        let plan = self.plan.workflow(parent.workflow).step(step);
        match (&*name, &plan.kind) {
            ("item", StepKind::Foreach(foreach)) if workflow == parent.workflow => {
                let items = self.list(node.field("list")?)?;
                let index = node.field("index")?.index(items.len())?;
                Ok(Birth::Item { step, visit, index, items, serial: foreach.serial })
            }
            ("branch", StepKind::Fork(_)) if workflow == parent.workflow => {
                Ok(Birth::Branch { step, visit, branch: node.field("index")?.index(plan.exits.len())? })
            }
            ("subgraph", StepKind::Subgraph(subgraph)) if workflow == subgraph.child => {
                Ok(Birth::Subgraph { step, visit })
            }
            _ => Err(step_node.invalid(format_args!("step '{}' does not start such a frame", plan.id))),
        }
    }

    /// The parts of a run that stand beside its frames.
    fn fill(&self, machine: &mut Machine, node: Node<'_>) -> Read<()> {
        let root = self.plan.workflow(WorkflowIx(0));
        machine.status = node.field("status")?.word(RunStatus::parse)?;
        machine.now = node.field("now")?.number()?;
        machine.started_at = node.field("started_at")?.number()?;
        machine.finished_at = node.optional("finished_at")?.map(|node| node.number()).transpose()?;
        machine.steps = node.field("steps")?.number()?;
        machine.input = node.field("input")?.object()?;
        machine.outcome = node.optional("outcome")?.map(|node| outcome_of(root, node)).transpose()?;
        machine.output = object_or_empty(node, "output")?;
        machine.failure = node.optional("failure")?.map(|node| self.failure(node)).transpose()?;
        machine.cancel_reason = node.optional("cancel_reason")?.map(|node| node.text()).transpose()?;
        machine.asking = node.optional("asking")?.map(|node| self.frame_index(node)).transpose()?;
        if let Some(node) = node.optional("interrupt_ids")? {
            let counts = node.entries(|id, node| Ok((Arc::clone(id), node.number()?)))?;
            machine.interrupt_ids = counts.into_iter().collect();
        }
        let failed = node.field("failed_frames")?.each(|_, node| {
            let [frame, failure] = node.tuple()?;
            Ok((self.frame_index(frame)?, self.failure(failure)?))
        })?;
        machine.failures = failed.into_iter().collect();
        let mut queued = BTreeSet::new();
        machine.ready = node
            .field("ready")?
            .each(|_, node| {
                let frame = self.frame_index(node)?;
                let waits = self.frames[frame.at()].status == FrameStatus::Pending && queued.insert(frame);
                if waits { Ok(frame) } else { Err(node.invalid(format_args!("frame is not pending, or queued twice"))) }
            })?
            .into();
        machine.trace = node.field("trace")?.each(|_, node| self.record(node))?;
        Ok(())
    }

    pub(super) fn frame_index(&self, node: Node<'_>) -> Read<FrameIx> {
        node.index(self.frame_count).map(FrameIx)
    }

    fn record(&self, node: Node<'_>) -> Read<Record> {
        let frame = self.frame_index(node.field("frame")?)?;
        let workflow = self.plan.workflow(self.frames[frame.at()].origin.workflow);
        let step = node.optional("step")?.map(|node| step_of(workflow, node)).transpose()?;
        let at = node.field("at")?.number()?;
        let since = node.optional("since")?.map(|node| node.number()).transpose()?.unwrap_or(at);
        let body = self.body(node, workflow, step)?;
        Ok(Record { frame, step, since, at, body })
    }

    fn body(&self, node: Node<'_>, workflow: &WorkflowPlan, step: Option<StepIx>) -> Read<Body> {
        if let Some(wide) = node.optional("wide")? {
            return Ok(Body::Wide(Box::new(self.wide(wide, workflow)?)));
        }
        if let Some(child) = node.optional("item")? {
            return Ok(Body::Item { child: self.frame_index(child)?, active: node.field("active")?.number()? });
        }
        if let Some(child) = node.optional("branch")? {
            return Ok(Body::Branch { child: self.frame_index(child)? });
        }
        if let Some(end) = node.optional("end")? {
            return Ok(Body::End(outcome_of(workflow, end)?));
        }
        let exit = node.field("exit")?;
        let Some(step) = step else { return Err(exit.invalid(format_args!("an exit belongs to a step"))) };
        let exit = exit_of(workflow.step(step), exit)?;
        match node.optional("input")? {
            None => Ok(Body::Plain(exit)),
            Some(input) => Ok(Body::Bound {
                exit,
                input: input.object()?,
                output: node.field("output")?.object()?,
                shown: flag_or_down(node, "shown")?,
            }),
        }
    }

    fn wide(&self, node: Node<'_>, workflow: &WorkflowPlan) -> Read<Wide> {
        let next = match node.value().as_object().and_then(|object| object.get("next")) {
            None => Ahead::Here,
            Some(next) if next.is_null() => Ahead::To(Next::End),
            Some(_) => Ahead::To(Next::Step(step_of(workflow, node.field("next")?)?)),
        };
        Ok(Wide {
            outcome: node.field("outcome")?.text()?,
            next,
            input: object_or_empty(node, "input")?,
            output: object_or_empty(node, "output")?,
            changes: object_or_empty(node, "changes")?,
            meta: object_or_empty(node, "meta")?,
            failure: node.optional("failure")?.map(|node| self.failure(node)).transpose()?,
        })
    }
}
