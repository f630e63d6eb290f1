//! Reading the predecessor's runs: subgraphs and foreach steps in progress.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::eval::resolve_path;
use crate::path::StatePath;
use crate::plan::StepKind;
use crate::plan::index::StepIx;
use crate::run::frame::{Activity, Foreach, FrameFailure, ItemResult};
use crate::run::machine::FrameStatus;
use crate::run::origin::{Birth, FrameIx};
use crate::state::StateWrite;
use crate::value::{List, Value};

use super::node::{Node, Read};
use super::v1::Import;

/// The items that frames tell of, by the ids of the frame and the step that iterate.
pub(super) type KnownItems = BTreeMap<(Arc<str>, Arc<str>), List>;

/// Finds the items that frames tell of.
pub(super) fn known_items(node: Node<'_>) -> Read<KnownItems> {
    let frames = node.field("frames")?;
    let count = frames.object()?.len();
    let mut known: BTreeMap<(Arc<str>, Arc<str>), Vec<Value>> = BTreeMap::new();
    frames.entries(|_, node| {
        if node.field("kind")?.value().as_str() != Some("foreach_iteration") {
            return Ok(());
        }
        let metadata = node.field("metadata")?;
        let of = (node.field("parent_frame_id")?.text()?, metadata.field("foreach_node_id")?.text()?);
        // Every item has a frame, so an index beyond their number is damage.
        let index = metadata.field("loop_index")?.index(count)? as usize;
        let items = known.entry(of).or_default();
        if items.len() <= index {
            items.resize(index + 1, Value::Null);
        }
        items[index] = metadata.field("loop_item")?.value().clone();
        Ok(())
    })?;
    Ok(known.into_iter().map(|(of, items)| (of, items.into())).collect())
}

impl Import<'_> {
    /// What each unfinished frame is in the middle of.
    pub(super) fn activities(&mut self, node: Node<'_>) -> Read<()> {
        let lineages = node.field("lineages")?;
        let items = self.item_frames();
        let mut index = 0;
        node.field("frames")?.entries(|id, node| {
            let frame = FrameIx::next(index);
            index += 1;
            if matches!(self.machine.frame(frame).status, FrameStatus::Pending | FrameStatus::Blocked) {
                self.activity(id, frame, node, lineages, &items)?;
            }
            Ok(())
        })?;
        self.count_active();
        Ok(())
    }

    /// The frame of each item, by the frame and the step that iterate and its index.
    fn item_frames(&self) -> BTreeMap<(FrameIx, StepIx, u32), FrameIx> {
        let frames = self.machine.frames.iter();
        frames
            .filter_map(|frame| {
                let parent = frame.origin.parent.as_ref()?;
                let Birth::Item { step, index, .. } = frame.origin.birth else { return None };
                Some(((parent.frame, step, index), frame.origin.frame))
            })
            .collect()
    }

    fn activity(
        &mut self,
        id: &Arc<str>,
        frame: FrameIx,
        node: Node<'_>,
        lineages: Node<'_>,
        items: &BTreeMap<(FrameIx, StepIx, u32), FrameIx>,
    ) -> Read<()> {
        let Some(at) = self.machine.frame(frame).at else { return Ok(()) };
        let Some(metadata) = node.optional("metadata")? else { return Ok(()) };
        let step = self.workflow_of(frame).step(at);
        match &step.kind {
            StepKind::Subgraph(_) => {
                let Some(activation) = metadata.optional("subgraph_activation")? else { return Ok(()) };
                let child = self.frame(activation.field("child_frame_id")?)?;
                let input = activation.field("child_input")?.object()?;
                let live = self.machine.live_mut(frame);
                live.activity = Activity::Subgraph { child, input, since: 0 };
                live.visits.insert(at, 1);
            }
            StepKind::Foreach(_) => {
                let step_id = Arc::clone(&step.id);
                let Some(barriers) = metadata.optional("foreach_barriers")? else { return Ok(()) };
                let Some(barrier) = barriers.optional(&step_id)? else { return Ok(()) };
                let known = self.items.get(&(Arc::clone(id), Arc::clone(&step_id))).cloned().unwrap_or_default();
                let mut state = self.start_foreach(frame, at, barrier, &known)?;
                for index in 0..barrier.field("next_index")?.number()? {
                    let item = items.get(&(frame, at, index)).copied();
                    let item = item.ok_or_else(|| barrier.invalid(format_args!("item {index} has no frame")))?;
                    let result = self.item(item, index, &mut state.writes, barrier, lineages)?;
                    state.outstanding += u32::from(result.running().is_some());
                    state.failed += u32::from(matches!(result, ItemResult::Failed(_)));
                    state.results.push(result);
                }
                let live = self.machine.live_mut(frame);
                live.activity = Activity::Foreach(Box::new(state));
                live.visits.insert(at, 1);
            }
            _ => {}
        }
        Ok(())
    }

    /// A foreach with its list: what the source holds now, but for the items that have frames.
    fn start_foreach(&self, frame: FrameIx, at: StepIx, node: Node<'_>, known: &List) -> Read<Foreach> {
        let next = node.field("next_index")?;
        let plan = self.plan;
        let StepKind::Foreach(foreach) = &self.workflow_of(frame).step(at).kind else {
            return Err(node.invalid(format_args!("step is no foreach")));
        };
        let Ok(Value::List(found)) = self.machine.with_view(plan, frame, |view| resolve_path(&foreach.over, view))
        else {
            return Err(node.invalid(format_args!("foreach source '{}' must resolve to a list", foreach.over)));
        };
        let rest = found.get(known.len()..).unwrap_or_default();
        let items: List = known.iter().chain(rest).cloned().collect();
        if next.number::<u32>()? as usize > known.len() {
            return Err(next.invalid(format_args!("expected at most the {} items that have frames", known.len())));
        }
        Ok(Foreach {
            step: at,
            visit: 1,
            since: 0,
            items,
            active: 0,
            outstanding: 0,
            failed: 0,
            results: Vec::new(),
            writes: Vec::new(),
        })
    }

    fn item(
        &self,
        item: FrameIx,
        index: u32,
        writes: &mut Vec<StateWrite>,
        barrier: Node<'_>,
        lineages: Node<'_>,
    ) -> Read<ItemResult> {
        let frame = self.machine.frame(item);
        match frame.status {
            FrameStatus::Completed => {
                let from = writes.len();
                if !frame.origin.is_serial_item() {
                    writes.extend(self.finished_writes(item, index, barrier, lineages)?);
                }
                Ok(ItemResult::Done { from, count: writes.len() - from })
            }
            FrameStatus::Failed => {
                let failure = self.machine.failures.get(&item).cloned();
                let failure: Arc<FrameFailure> =
                    failure.ok_or_else(|| barrier.invalid(format_args!("item {index} failed without an error")))?;
                Ok(ItemResult::Failed(failure))
            }
            _ => Ok(ItemResult::Running(item)),
        }
    }

    /// The writes of a finished item: those of its lineage, else those that old snapshots embedded in the barrier.
    fn finished_writes(
        &self,
        item: FrameIx,
        index: u32,
        barrier: Node<'_>,
        lineages: Node<'_>,
    ) -> Read<Vec<StateWrite>> {
        let origin = &self.machine.frame(item).origin;
        let layout = &self.plan.workflow(origin.workflow).layout;
        let read = |path: Node<'_>, incoming: Node<'_>| {
            let place = StatePath::from_value(path.value()).map_err(|error| path.invalid(format_args!("{error}")))?;
            Ok(StateWrite { target: layout.target(&place), incoming: incoming.value().clone() })
        };
        let of_list = |node: Node<'_>| node.each(|_, node| read(node.field("path")?, node.field("incoming_value")?));
        let lineage = origin.names(self.plan).lineage;
        if let Some(lineage) = lineages.optional(&lineage)? {
            let writes = of_list(lineage.field("writes")?)?;
            if !writes.is_empty() {
                return Ok(writes);
            }
        }
        let Some(results) = barrier.optional("pending_results")? else { return Ok(Vec::new()) };
        let index = index.to_string();
        let Some(result) = results.optional(&index)? else { return Ok(Vec::new()) };
        if let Some(writes) = result.optional("patch_writes")?
            && !writes.list()?.is_empty()
        {
            return of_list(writes);
        }
        let Some(changes) = result.optional("patch_changes")? else { return Ok(Vec::new()) };
        changes.entries(|path, node| {
            let place = StatePath::parse(path).map_err(|error| node.invalid(format_args!("{error}")))?;
            Ok(StateWrite { target: layout.target(&place), incoming: node.value().clone() })
        })
    }

    /// Items that wait for something of their own are outstanding, not active.
    fn count_active(&mut self) {
        for frame in 0..self.machine.frames.len() {
            let Some(live) = self.machine.frames[frame].live.as_deref() else { continue };
            let Activity::Foreach(foreach) = &live.activity else { continue };
            let running = foreach.results.iter().filter_map(ItemResult::running);
            let active = running.filter(|item| {
                let item = self.machine.frame(*item);
                item.status != FrameStatus::Interrupted
                    && item.live.as_deref().is_some_and(|live| !live.activity.is_waiting())
            });
            let active = u32::try_from(active.count()).unwrap_or(u32::MAX);
            if let Some(Activity::Foreach(foreach)) =
                self.machine.frames[frame].live.as_mut().map(|live| &mut live.activity)
            {
                foreach.active = active;
            }
        }
    }
}
