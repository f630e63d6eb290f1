//! A foreach: runs its body once per item of a list.
//!
//! The list is fixed at entry. The forking frame admits items while the limits allow, and is woken whenever an item
//! has finished or waits for something of its own. A serial foreach is one whose limits are 1: what differs is only
//! where its items write (see `lineage`). When no item is left, all writes of concurrent items meet in item order.

use std::sync::Arc;

use crate::document::ErrorAction;
use crate::eval::resolve_path;
use crate::plan::index::Next;
use crate::plan::{ForeachPlan, Plan, StepKind};
use crate::run::Machine;
use crate::run::error::{Failure, Step, codes};
use crate::run::frame::{Activity, Done, Foreach, FrameFailure, ItemResult, Way, Writes};
use crate::run::machine::FrameTrigger;
use crate::run::origin::{Birth, FrameIx, Keeper, Origin};
use crate::run::trace::{Body, Record};
use crate::state::SiblingWrite;
use crate::value::{List, Object, Value};

use super::At;

impl Machine {
    pub(super) fn visit_foreach(&mut self, at: At<'_>, foreach: &ForeachPlan) -> Step<()> {
        if !matches!(self.live(at.frame).activity, Activity::Foreach(_)) {
            self.start_foreach(at, foreach)?;
        }
        while self.foreach_can_admit(at.plan, at.frame)? {
            self.admit(at, foreach)?;
        }
        if self.foreach_mut(at.frame)?.outstanding == 0 {
            self.finish_foreach(at, foreach)
        } else {
            self.turn_frame(at.frame, FrameTrigger::Block)
        }
    }

    fn start_foreach(&mut self, at: At<'_>, foreach: &ForeachPlan) -> Step<()> {
        let items = match self.with_view(at.plan, at.frame, |view| resolve_path(&foreach.over, view))? {
            Value::List(items) if u32::try_from(items.len()).is_ok() => items,
            Value::List(_) => return Err(Box::new(Failure::new(codes::RUN_TOO_LARGE, "foreach has too many items"))),
            _ => {
                let message = format!("foreach source '{}' must resolve to a list", foreach.over);
                return Err(Box::new(Failure::new(codes::FOREACH_NOT_A_LIST, message).at(foreach.over.to_string())));
            }
        };
        let visit = self.count_visit(at.frame, at.index);
        self.begin_waiting(at.plan, at.frame)?;
        self.live_mut(at.frame).activity = Activity::Foreach(Box::new(Foreach {
            step: at.index,
            visit,
            since: self.now,
            items,
            active: 0,
            outstanding: 0,
            failed: 0,
            results: Vec::new(),
            writes: Vec::new(),
        }));
        Ok(())
    }

    /// Whether the foreach that a frame is in the middle of can start another item.
    pub(in crate::run) fn foreach_can_admit(&mut self, plan: &Plan, frame: FrameIx) -> Step<bool> {
        let workflow = self.frame(frame).origin.workflow;
        let foreach = self.foreach_mut(frame)?;
        let StepKind::Foreach(limits) = &plan.workflow(workflow).step(foreach.step).kind else { return Ok(false) };
        Ok(foreach.results.len() < foreach.items.len()
            && foreach.active < limits.max_active
            && foreach.outstanding < limits.max_outstanding)
    }

    fn admit(&mut self, at: At<'_>, plan: &ForeachPlan) -> Step<()> {
        let origin = Arc::clone(&self.frame(at.frame).origin);
        let start = match Self::way_out(at.plan, &origin, at.index, ForeachPlan::LOOP)? {
            Next::Step(step) => Some(step),
            Next::End => None,
        };
        let foreach = self.foreach_mut(at.frame)?;
        let active = foreach.active;
        let index = foreach.next_index();
        let serial = plan.serial;
        let birth = Birth::Item { step: at.index, visit: foreach.visit, index, items: foreach.items.clone(), serial };
        let keeper = |item| if serial { origin.keeper } else { Keeper::Lineage(item) };
        let item = self.open_frame(Some(at.frame), origin.scope, origin.workflow, keeper, birth, start)?;
        if serial {
            self.live_mut(item).lineage.savepoint.writes = self.kept_writes(origin.keeper);
        }
        let foreach = self.foreach_mut(at.frame)?;
        foreach.results.push(ItemResult::Running(item));
        foreach.active += 1;
        foreach.outstanding += 1;
        let body = Body::Item { child: item, active };
        self.trace.push(Record { frame: at.frame, step: Some(at.index), since: self.now, at: self.now, body });
        if start.is_none() {
            return self.finish(at.plan, item, None); // An empty body.
        }
        self.queue(item);
        Ok(())
    }

    /// An item has reached its end.
    pub(in crate::run) fn item_done(&mut self, item: &Origin, index: u32) -> Step<()> {
        self.turn_frame(item.frame, FrameTrigger::Complete)?;
        self.release_savepoint(item);
        let Some(parent) = &item.parent else { return Ok(()) };
        let mut writes = std::mem::take(&mut self.live_mut(item.frame).lineage.writes);
        let foreach = self.foreach_mut(parent.frame)?;
        let from = foreach.writes.len();
        foreach.results[index as usize] = ItemResult::Done { from, count: writes.len() };
        foreach.writes.append(&mut writes);
        foreach.active = foreach.active.saturating_sub(1);
        foreach.outstanding = foreach.outstanding.saturating_sub(1);
        // The buffer goes back, so that the next item need not allocate one.
        self.live_mut(item.frame).lineage.writes = writes;
        self.retire(item.frame);
        self.wake(parent.frame)
    }

    fn finish_foreach(&mut self, at: At<'_>, plan: &ForeachPlan) -> Step<()> {
        let Activity::Foreach(foreach) = &self.live(at.frame).activity else { return Ok(()) };
        let exit = if foreach.failed > 0 { ForeachPlan::WITH_ERRORS } else { ForeachPlan::DONE };
        Self::way_out(at.plan, &self.frame(at.frame).origin, at.index, exit)?;
        let mut writes = foreach.sibling_writes();
        if let Some(target) = &plan.collect_to {
            let incoming = Value::List(self.item_errors(at, foreach));
            writes.push(SiblingWrite { sibling: foreach.next_index(), target: target.clone(), incoming });
        }
        let done = Done {
            step: at.index,
            way: Way::Exit(exit),
            since: foreach.since,
            input: summary(foreach, plan),
            output: Object::new(),
            meta: Object::new(),
            barrier: true,
            first: false,
        };
        self.commit(at.plan, at.frame, Writes::Siblings(writes), done)
    }

    /// The records of failed items, in item order.
    fn item_errors(&self, at: At<'_>, foreach: &Foreach) -> List {
        let names = self.frame(at.frame).origin.names(at.plan);
        let step = visit_name(&at.step.id, foreach.visit);
        let failed = foreach.results.iter().zip(foreach.items.iter()).enumerate();
        failed
            .filter_map(|(index, (result, item))| {
                let ItemResult::Failed(failure) = result else { return None };
                let mut record = Object::with_capacity(6);
                record.insert("index", i64::try_from(index).unwrap_or(i64::MAX));
                record.insert("frame_id", format!("{}:{step}:{index}", names.frame));
                self.describe_error(at.plan, failure, &mut record);
                record.insert("item", item.clone());
                Some(Value::Object(record))
            })
            .collect()
    }

    /// What a record of a failed item or branch says about the error.
    pub(super) fn describe_error(&self, plan: &Plan, failure: &FrameFailure, record: &mut Object) {
        record.insert("node_id", self.failed_step(plan, failure));
        record.insert("error_type", Arc::clone(&failure.failure.error_type));
        record.insert("message", Arc::clone(&failure.failure.message));
    }
}

impl Foreach {
    /// The index of the item that is started next.
    #[expect(clippy::cast_possible_truncation, reason = "a list with more items is refused at entry")]
    pub(in crate::run) fn next_index(&self) -> u32 {
        self.results.len() as u32
    }

    /// The writes of items that are done, in item order.
    fn sibling_writes(&self) -> Vec<SiblingWrite> {
        let mut writes = Vec::with_capacity(self.writes.len() + 1);
        for (sibling, result) in (0_u32..).zip(&self.results) {
            let ItemResult::Done { from, count } = result else { continue };
            for write in &self.writes[*from..*from + *count] {
                let (target, incoming) = (write.target.clone(), write.incoming.clone());
                writes.push(SiblingWrite { sibling, target, incoming });
            }
        }
        writes
    }
}

/// What the trace shows as the input of a finished foreach.
fn summary(foreach: &Foreach, plan: &ForeachPlan) -> Object {
    let count = i64::from(foreach.next_index());
    let failed = i64::from(foreach.failed);
    let mut summary = Object::with_capacity(4);
    summary.insert("count", count);
    summary.insert("index", count);
    if !plan.serial || plan.action != ErrorAction::Fail {
        summary.insert("committed_items", count - failed);
        summary.insert("failed_items", failed);
    }
    summary
}

/// A step's id as it appears in ids of frames: later visits are numbered.
pub(super) fn visit_name(id: &Arc<str>, visit: u32) -> Arc<str> {
    if visit == 1 { Arc::clone(id) } else { format!("{id}#{visit}").into() }
}
