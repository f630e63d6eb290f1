//! Whether the records of a snapshot fit together.
//!
//! The machine relies on these rules without asking (a live frame has a live parent that knows it, a running frame
//! waits for something, …). A run keeps them by itself; a document from outside has to prove that it does.

use std::collections::BTreeMap;

use crate::plan::Plan;
use crate::run::frame::{Activity, BranchResult, Frame, ItemResult, Live};
use crate::run::machine::FrameStatus;
use crate::run::origin::{Birth, FrameIx};
use crate::run::trace::Body;
use crate::run::{Machine, RunStatus};

use super::node::{Node, Read};

/// Checks the records as they were read.
pub(super) fn records(plan: &Plan, machine: &Machine, node: Node<'_>) -> Read<()> {
    let frames_node = node.field("frames")?;
    if machine.frames.is_empty() != machine.scopes.is_empty() {
        return Err(frames_node.invalid(format_args!("expected a frame for every scope")));
    }
    for (index, scope) in machine.scopes.iter().enumerate() {
        let root = &machine.frame(scope.root).origin;
        let own = root.scope.at() == index && matches!(root.birth, Birth::Root | Birth::Subgraph { .. });
        if !own || (index == 0) != matches!(root.birth, Birth::Root) {
            return Err(frames_node.invalid(format_args!("scope {index} has no root frame of its own")));
        }
        if !scope.dropped {
            plan.workflow(scope.workflow)
                .layout
                .check_state(&scope.state)
                .map_err(|error| node.invalid(format_args!("scope {index}: {error}")))?;
        }
    }
    let failed = machine.failure.as_ref().and_then(|failure| failure.frame);
    let children = children(machine, frames_node)?;
    frames_node.parts(|index, node| {
        let frame = &machine.frames[index];
        one_frame(machine, frame, failed, &children, node)
    })?;
    for failure in machine.failures.values().chain(&machine.failure) {
        let Some(frame) = failure.frame else { continue };
        let steps = plan.workflow(machine.frame(frame).origin.workflow).steps.len();
        if failure.step.is_some_and(|step| step.at() >= steps) {
            return Err(node.field("failures")?.invalid(format_args!("a failure names a step that does not exist")));
        }
    }
    node.field("trace")?.each(|index, node| trace(machine, index, node))?;
    Ok(())
}

/// The unfinished frames that each frame's activity knows, with the position they have there.
fn children(machine: &Machine, node: Node<'_>) -> Read<BTreeMap<FrameIx, (FrameIx, usize)>> {
    let mut children = BTreeMap::new();
    for frame in &machine.frames {
        let Some(live) = frame.live.as_deref() else { continue };
        let running: Vec<(usize, FrameIx)> = match &live.activity {
            Activity::Foreach(foreach) => numbered(&foreach.results, ItemResult::running),
            Activity::Fork(fork) => numbered(&fork.branches, BranchResult::running),
            Activity::Subgraph { child, .. } => vec![(0, *child)],
            _ => Vec::new(),
        };
        for (position, child) in running {
            let own =
                machine.frame(child).origin.parent.as_ref().map(|parent| parent.frame) == Some(frame.origin.frame);
            if !own || children.insert(child, (frame.origin.frame, position)).is_some() {
                let (frame, child) = (frame.origin.frame.at(), child.at());
                return Err(node.invalid(format_args!("frame {frame} waits for frame {child}, which is not its own")));
            }
        }
    }
    Ok(children)
}

fn numbered<T>(entries: &[T], running: fn(&T) -> Option<FrameIx>) -> Vec<(usize, FrameIx)> {
    entries.iter().enumerate().filter_map(|(at, entry)| Some((at, running(entry)?))).collect()
}

fn one_frame(
    machine: &Machine,
    frame: &Frame,
    failed: Option<FrameIx>,
    children: &BTreeMap<FrameIx, (FrameIx, usize)>,
    node: Node<'_>,
) -> Read<()> {
    let origin = &frame.origin;
    // The frame that failed the run is over, and still has what a retry goes on with.
    let lives = !frame.is_over() || (failed == Some(origin.frame) && frame.status == FrameStatus::Failed);
    if frame.live.is_some() != lives {
        let what = if lives { "a live part" } else { "no live part" };
        return Err(node.invalid(format_args!("a {} frame has {what}", frame.status.as_str())));
    }
    if let Birth::Item { .. } | Birth::Branch { .. } = origin.birth
        && origin.parent.as_ref().is_none_or(|parent| parent.scope != origin.scope)
    {
        return Err(node.invalid(format_args!("an item or branch is in the scope of the frame that started it")));
    }
    if let Birth::Root | Birth::Subgraph { .. } = origin.birth
        && machine.scope(origin.scope).root != origin.frame
    {
        return Err(node.invalid(format_args!("frame is not the root of its scope")));
    }
    if let Some(parent) = &origin.parent {
        let known = children
            .get(&origin.frame)
            .is_some_and(|(knows, position)| *knows == parent.frame && is_at(machine, frame, *position));
        // A child workflow that has ended is known until its parent has taken its output.
        let ended = matches!(origin.birth, Birth::Subgraph { .. }) && frame.status == FrameStatus::Completed;
        if known != lives && !(known && ended) {
            return Err(node.invalid(format_args!("frame and the frame that started it do not know each other")));
        }
        if ended && frame.outcome.is_none() {
            return Err(node.invalid(format_args!("a child workflow that has ended has an outcome")));
        }
    } else if origin.frame != FrameIx::ROOT {
        return Err(node.invalid(format_args!("only the first frame has no parent")));
    }
    if let Some(live) = frame.live.as_deref() {
        activity_fits(frame, live, node)?;
    }
    Ok(())
}

/// Whether a frame is the one its parent means: the same step, visit and position.
fn is_at(machine: &Machine, frame: &Frame, position: usize) -> bool {
    let Some(parent) = &frame.origin.parent else { return false };
    let parent = machine.frame(parent.frame);
    let Some(live) = parent.live.as_deref() else { return false };
    match (&frame.origin.birth, &live.activity) {
        (Birth::Item { step, visit, index, .. }, Activity::Foreach(foreach)) => {
            (*step, *visit, *index as usize) == (foreach.step, foreach.visit, position)
        }
        (Birth::Branch { step, visit, branch }, Activity::Fork(fork)) => {
            (*step, *visit, *branch as usize) == (fork.step, fork.visit, position)
        }
        (Birth::Subgraph { step, .. }, Activity::Subgraph { .. }) => Some(*step) == parent.at,
        _ => false,
    }
}

fn activity_fits(frame: &Frame, live: &Live, node: Node<'_>) -> Read<()> {
    let waits_for_frames =
        matches!(live.activity, Activity::Foreach(_) | Activity::Fork(_) | Activity::Subgraph { .. });
    let fits = match frame.status {
        FrameStatus::Pending => live.merge.is_none() && !matches!(live.activity, Activity::Call(_) | Activity::Ask(_)),
        FrameStatus::Running => true, // Looked at when merges have been staged again.
        FrameStatus::Blocked => waits_for_frames,
        FrameStatus::Interrupted => matches!(live.activity, Activity::Ask(_)),
        FrameStatus::Failed => !matches!(live.activity, Activity::Call(_) | Activity::Ask(_)),
        FrameStatus::Completed | FrameStatus::Cancelled => false,
    };
    if fits {
        return Ok(());
    }
    Err(node.invalid(format_args!("a {} frame is not in the middle of that", frame.status.as_str())))
}

fn trace(machine: &Machine, index: usize, node: Node<'_>) -> Read<()> {
    let record = &machine.trace[index];
    let child = match &record.body {
        Body::Item { child, .. } | Body::Branch { child } => machine.frame(*child),
        _ => return Ok(()),
    };
    let born = match (&record.body, &child.origin.birth) {
        (Body::Item { .. }, Birth::Item { step, .. }) | (Body::Branch { .. }, Birth::Branch { step, .. }) => {
            Some(*step)
        }
        _ => None,
    };
    let parent = child.origin.parent.as_ref().map(|parent| parent.frame);
    if born.is_some() && born == record.step && parent == Some(record.frame) {
        return Ok(());
    }
    Err(node.invalid(format_args!("entry tells of a frame that the step did not start")))
}

/// Checks that the run as a whole stands where it says.
pub(super) fn standing(machine: &Machine, node: Node<'_>) -> Read<()> {
    let status = node.field("status")?;
    for frame in &machine.frames {
        let Some(live) = frame.live.as_deref() else { continue };
        let waits = live.merge.is_some() || matches!(live.activity, Activity::Call(_) | Activity::Delay { .. });
        if frame.status == FrameStatus::Running && !waits {
            return Err(status.invalid(format_args!("frame {} runs and waits for nothing", frame.origin.frame.at())));
        }
        let children = machine.children(frame.origin.frame);
        if live.merge.is_some() && children.iter().any(|child| !machine.frame(*child).is_over()) {
            return Err(
                status.invalid(format_args!("frame {} merges before its frames are done", frame.origin.frame.at()))
            );
        }
    }
    let count = |wanted: FrameStatus| machine.frames.iter().filter(|frame| frame.status == wanted).count();
    let asks = machine.asking.map(|frame| machine.frame(frame).status);
    let one_asks = asks.is_none_or(|status| status == FrameStatus::Interrupted)
        && count(FrameStatus::Interrupted) == usize::from(asks.is_some());
    let all_queued = count(FrameStatus::Pending) == machine.ready.len();
    let in_flight = machine.in_flight.len() > 0;
    let moves = in_flight || (asks.is_none() && !(machine.ready.is_empty() && machine.timers.is_empty()));
    let root_lives = machine.frames.first().is_some_and(|root| root.live.is_some());
    let all_over = machine.frames.iter().all(Frame::is_over);
    let fits = match machine.status {
        RunStatus::Pending => false,
        RunStatus::Running => root_lives && moves && machine.failure.is_none(),
        RunStatus::Interrupted => root_lives && asks.is_some() && !in_flight,
        RunStatus::Failed => machine.failure.is_some() && (root_lives || machine.frames.is_empty()),
        RunStatus::Completed => machine.outcome.is_some() && all_over,
        RunStatus::Cancelled => all_over,
    };
    if fits && one_asks && all_queued {
        return Ok(());
    }
    Err(status.invalid(format_args!("the frames are not those of a run that is {}", machine.status.as_str())))
}
