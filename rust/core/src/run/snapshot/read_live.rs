//! Reading what a frame is in the middle of.

use std::collections::BTreeMap;

use crate::plan::index::{StepIx, WorkflowIx};
use crate::plan::{Plan, StepKind, WorkflowPlan};
use crate::run::Machine;
use crate::run::event::CallId;
use crate::run::frame::{
    Activity, BranchResult, Calling, Done, Foreach, Fork, Frame, ItemResult, Lineage, Live, Merge, Request, Savepoint,
    Way, Writes,
};
use crate::run::origin::FrameIx;
use crate::run::undo::{Undo, Was};
use crate::state::{SiblingWrite, Staged, StateWrite};
use crate::value::{Key, Value};

use super::SnapshotError;
use super::node::{Node, Read};
use super::read::{Reader, exit_of, flag_or_down, object_or_empty, outcome_of, step_of};

/// A merge without what follows from staging its writes again.
pub(super) struct RawMerge {
    reduce: CallId,
    writes: Writes,
    results: Vec<Vec<Value>>,
    done: Done,
    path: String,
}

pub(super) fn live(reader: &Reader<'_>, frame: &Frame, node: Node<'_>) -> Read<(Live, Option<RawMerge>)> {
    let workflow_ix = frame.origin.workflow;
    let workflow = reader.plan.workflow(workflow_ix);
    let activity = node.optional("activity")?.map(|node| activity(reader, frame, node)).transpose()?;
    let merge = node.optional("merge")?.map(|node| merge(reader, workflow_ix, node)).transpose()?;
    let visits = node.optional("visits")?.map(|node| {
        node.each(|_, node| {
            let [step, count] = node.tuple()?;
            Ok((step_of(workflow, step)?, count.number()?))
        })
    });
    let visits: BTreeMap<StepIx, u32> = visits.transpose()?.into_iter().flatten().collect();
    let lineage = Lineage {
        writes: writes_or_none(reader, workflow_ix, node)?,
        view: node.optional("view")?.map(|node| node.object()).transpose()?,
        savepoint: Savepoint {
            undo: node.optional("undo")?.map(|node| undo(reader, workflow_ix, node)).transpose()?.unwrap_or_default(),
            writes: node.optional("mark")?.map(|node| node.number()).transpose()?.unwrap_or(0),
        },
    };
    Ok((Live { activity: activity.unwrap_or_default(), merge: None, lineage, visits }, merge))
}

fn writes_or_none(reader: &Reader<'_>, workflow: WorkflowIx, node: Node<'_>) -> Read<Vec<StateWrite>> {
    let writes = node.optional("writes")?.map(|node| writes(reader, workflow, node)).transpose()?;
    Ok(writes.unwrap_or_default())
}

fn writes(reader: &Reader<'_>, workflow: WorkflowIx, node: Node<'_>) -> Read<Vec<StateWrite>> {
    node.each(|_, node| {
        let [place, value] = node.tuple()?;
        Ok(StateWrite { target: reader.target(workflow, place)?, incoming: value.value().clone() })
    })
}

fn undo(reader: &Reader<'_>, workflow: WorkflowIx, node: Node<'_>) -> Read<Vec<Undo>> {
    node.each(|_, node| {
        let target = reader.target(workflow, node.field("path")?)?;
        let depth = node.field("depth")?.index(target.path().parts().len() + 1)? as usize;
        // An object that holds the key `value` has a value, were it null.
        let was = if node.value().as_object().is_some_and(|object| object.contains_key("value")) {
            Was::Value(node.field("value")?.value().clone())
        } else if let Some(length) = node.optional("length")? {
            Was::Length(length.number()?)
        } else if let Some(entries) = node.optional("entries")? {
            Was::Entries(entries.each(|_, node| entry(node))?)
        } else {
            Was::Absent
        };
        Ok(Undo { target, depth, was })
    })
}

/// A key and what it held; the key alone when it was not there.
fn entry(node: Node<'_>) -> Read<(Key, Option<Value>)> {
    let list = node.list()?;
    match &list[..] {
        [Value::String(key)] => Ok((key.clone(), None)),
        [Value::String(key), value] => Ok((key.clone(), Some(value.clone()))),
        _ => Err(node.expected("a list of a key and perhaps a value")),
    }
}

fn activity(reader: &Reader<'_>, frame: &Frame, node: Node<'_>) -> Read<Activity> {
    let word = node.field("is")?;
    let workflow = reader.plan.workflow(frame.origin.workflow);
    let Some(at) = frame.at else { return Err(word.invalid(format_args!("a frame at its end does nothing"))) };
    let step = workflow.step(at);
    Ok(match (&*word.text()?, &step.kind) {
        ("call", StepKind::Node(_)) => Activity::Call(Calling {
            call: CallId::new(node.field("call")?.number()?),
            attempt: node.field("attempt")?.number()?,
            since: node.field("since")?.number()?,
            input: node.field("input")?.object()?,
        }),
        ("delay", StepKind::Node(_)) => Activity::Delay {
            attempt: node.field("attempt")?.number()?,
            until: node.field("until")?.number()?,
            input: node.field("input")?.object()?,
        },
        ("foreach", StepKind::Foreach(_)) => Activity::Foreach(Box::new(foreach(reader, frame, at, node)?)),
        ("fork", StepKind::Fork(_)) => Activity::Fork(Box::new(fork(reader, frame, at, node)?)),
        ("subgraph", StepKind::Subgraph(_)) => Activity::Subgraph {
            child: reader.frame_index(node.field("child")?)?,
            input: node.field("input")?.object()?,
            since: node.field("since")?.number()?,
        },
        ("ask", StepKind::Interrupt(_)) => Activity::Ask(Box::new(request(node)?)),
        (word, _) => return Err(node.invalid(format_args!("step '{}' cannot be in the middle of '{word}'", step.id))),
    })
}

fn foreach(reader: &Reader<'_>, frame: &Frame, step: StepIx, node: Node<'_>) -> Read<Foreach> {
    let writes = writes_or_none(reader, frame.origin.workflow, node)?;
    let items = reader.list(node.field("list")?)?;
    let results_node = node.field("results")?;
    let results = results_node.each(|_, node| {
        if node.value().as_list().is_some() {
            let [from, count] = node.tuple()?;
            let (from, count) = (from.number::<usize>()?, count.number::<usize>()?);
            if from.checked_add(count).is_none_or(|end| end > writes.len()) {
                return Err(node.invalid(format_args!("expected a stretch of the {} writes", writes.len())));
            }
            return Ok(ItemResult::Done { from, count });
        }
        if node.value().as_object().is_some() {
            return Ok(ItemResult::Failed(reader.failure(node.field("failure")?)?));
        }
        Ok(ItemResult::Running(reader.frame_index(node)?))
    })?;
    if results.len() > items.len() {
        return Err(results_node.invalid(format_args!("expected at most one result for each of {} items", items.len())));
    }
    let count = |wanted: fn(&ItemResult) -> bool| results.iter().filter(|result| wanted(result)).count();
    let small = |number: usize| u32::try_from(number).map_err(|_| results_node.invalid(format_args!("too many items")));
    let outstanding = small(count(|result| matches!(result, ItemResult::Running(_))))?;
    let active = node.field("active")?;
    let active = match active.number::<u32>()? {
        number if number <= outstanding => number,
        _ => return Err(active.invalid(format_args!("expected at most the {outstanding} items that run"))),
    };
    Ok(Foreach {
        step,
        visit: node.field("visit")?.number()?,
        since: node.field("since")?.number()?,
        failed: small(count(|result| matches!(result, ItemResult::Failed(_))))?,
        items,
        active,
        outstanding,
        results,
        writes,
    })
}

fn fork(reader: &Reader<'_>, frame: &Frame, step: StepIx, node: Node<'_>) -> Read<Fork> {
    let workflow_ix = frame.origin.workflow;
    let workflow = reader.plan.workflow(workflow_ix);
    let branches_node = node.field("branches")?;
    let branches = branches_node.each(|_, node| {
        if node.value().is_null() {
            return Ok(BranchResult::Cancelled);
        }
        if node.value().as_object().is_none() {
            return Ok(BranchResult::Running(reader.frame_index(node)?));
        }
        if let Some(failure) = node.optional("failure")? {
            return Ok(BranchResult::Failed(reader.failure(failure)?));
        }
        Ok(BranchResult::Arrived {
            writes: writes(reader, workflow_ix, node.field("writes")?)?,
            outcome: node.optional("outcome")?.map(|node| outcome_of(workflow, node)).transpose()?,
        })
    })?;
    let expected = workflow.step(step).exits.len();
    if branches.len() != expected {
        return Err(branches_node.invalid(format_args!("expected {expected} branches, got {}", branches.len())));
    }
    let settled = flag_or_down(node, "settled")?;
    if settled && branches.iter().any(|branch| branch.running().is_some()) {
        return Err(branches_node.invalid(format_args!("a settled fork has no running branches")));
    }
    Ok(Fork { step, visit: node.field("visit")?.number()?, since: node.field("since")?.number()?, branches, settled })
}

fn request(node: Node<'_>) -> Read<Request> {
    Ok(Request {
        id: node.field("id")?.text()?,
        kind: node.field("kind")?.text()?,
        payload: node.field("payload")?.object()?,
        outcomes: node.field("outcomes")?.each(|_, node| node.text())?,
        request_schema: node.field("request_schema")?.object()?,
        resume_schema: node.field("resume_schema")?.object()?,
        typed: flag_or_down(node, "typed")?,
    })
}

fn merge(reader: &Reader<'_>, workflow_ix: WorkflowIx, node: Node<'_>) -> Read<RawMerge> {
    let workflow = reader.plan.workflow(workflow_ix);
    let writes = match node.optional("siblings")? {
        None => Writes::Step(writes(reader, workflow_ix, node.field("writes")?)?),
        Some(siblings) => Writes::Siblings(siblings.each(|_, node| {
            let [sibling, place, value] = node.tuple()?;
            let target = reader.target(workflow_ix, place)?;
            Ok(SiblingWrite { sibling: sibling.number()?, target, incoming: value.value().clone() })
        })?),
    };
    Ok(RawMerge {
        reduce: CallId::new(node.field("reduce")?.number()?),
        writes,
        results: node.field("results")?.each(|_, node| node.each(|_, node| Ok(node.value().clone())))?,
        done: done(workflow, node.field("done")?)?,
        path: node.path(),
    })
}

fn done(workflow: &WorkflowPlan, node: Node<'_>) -> Read<Done> {
    let step = step_of(workflow, node.field("step")?)?;
    let way = if let Some(outcome) = node.optional("finish")? {
        Way::Finish(outcome_of(workflow, outcome)?)
    } else {
        let exit_node = node.field("exit")?;
        let exit = exit_of(workflow.step(step), exit_node)?;
        if workflow.step(step).exits[exit.at()].next.is_none() {
            return Err(exit_node.invalid(format_args!("the exit leads nowhere")));
        }
        Way::Exit(exit)
    };
    Ok(Done {
        step,
        way,
        since: node.field("since")?.number()?,
        input: object_or_empty(node, "input")?,
        output: object_or_empty(node, "output")?,
        meta: object_or_empty(node, "meta")?,
        barrier: flag_or_down(node, "barrier")?,
        first: flag_or_down(node, "first")?,
    })
}

/// Stages a merge's writes again and feeds it the results it had; it has to be waiting for more afterwards.
pub(super) fn stage_again(
    plan: &Plan,
    machine: &mut Machine,
    frame: FrameIx,
    raw: RawMerge,
) -> Result<(), SnapshotError> {
    let RawMerge { reduce, writes, results, done, path } = raw;
    let invalid = |message: String| SnapshotError::Invalid { path: path.clone(), message };
    let workflow = plan.workflow(machine.frame(frame).origin.workflow);
    let state = machine.state_of(frame);
    let mut staged = writes.clone().stage(workflow, state).map_err(|error| invalid(error.to_string()))?;
    for result in &results {
        let Staged::NeedsReduce(pending) = staged else { break };
        staged =
            pending.resolve(&workflow.layout, state, result.clone()).map_err(|error| invalid(error.to_string()))?;
    }
    let Staged::NeedsReduce(pending) = staged else {
        return Err(invalid("expected writes that wait for a custom reducer".to_owned()));
    };
    machine.live_mut(frame).merge = Some(Box::new(Merge { reduce, pending, writes, results, done }));
    Ok(())
}
