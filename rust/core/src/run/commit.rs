//! How a step's writes get into the state, and what happens once they are in.
//!
//! Writes are staged first: merged by their reducers and checked, without touching anything. What passes is applied,
//! the trace gets its entry, and the frame goes on. Where custom reducers are involved the frame waits for them between
//! staging and applying; where they are not, all of it is one step of the machine.

use std::sync::Arc;

use crate::plan::index::{ExitIx, Next, StepIx};
use crate::plan::{Plan, WorkflowPlan};
use crate::state::{SiblingWrite, Staged, StagedPatch, StateError, StateTarget, StateWrite};
use crate::value::{Object, Value};

use super::effect::Fold;
use super::error::{CallError, Failure, Step, codes};
use super::event::Millis;
use super::frame::{Activity, Done, Merge, Way, Writes};
use super::origin::{FrameIx, Keeper};
use super::trace::{Ahead, Body, Record, Wide};
use super::undo::Undo;
use super::{Machine, Queued};

impl Writes {
    /// The places and what comes to them, in order.
    fn iter(&self) -> impl Iterator<Item = (&StateTarget, &Value)> {
        let (step, siblings) = match self {
            Self::Step(writes) => (&writes[..], &[][..]),
            Self::Siblings(writes) => (&[][..], &writes[..]),
        };
        let step = step.iter().map(|write| (&write.target, &write.incoming));
        step.chain(siblings.iter().map(|write| (&write.target, &write.incoming)))
    }

    pub(super) fn stage(self, workflow: &WorkflowPlan, state: &Object) -> Result<Staged, StateError> {
        match self {
            Self::Step(writes) => workflow.layout.stage(state, writes),
            Self::Siblings(writes) => workflow.layout.merge_siblings(state, writes),
        }
    }

    /// The writes as the lineage around keeps them: the original ones, so that an outer barrier merges each once.
    fn into_lineage(self, lineage: &mut Vec<StateWrite>) {
        match self {
            Self::Step(mut writes) => lineage.append(&mut writes),
            Self::Siblings(writes) => lineage.extend(
                writes.into_iter().map(|SiblingWrite { target, incoming, .. }| StateWrite { target, incoming }),
            ),
        }
    }
}

impl Machine {
    /// Brings a step's writes into the state and completes the step.
    pub(super) fn commit(&mut self, plan: &Plan, frame: FrameIx, writes: Writes, done: Done) -> Step<()> {
        let origin = &self.frame(frame).origin;
        let workflow = plan.workflow(origin.workflow);
        if !workflow.has_custom_reducers && !done.barrier && origin.keeper == Keeper::Scope {
            // The common case: nobody needs the writes again once they are staged.
            let undo = self.note_undo(frame, &writes);
            if let Staged::Ready(patch) = writes.stage(workflow, self.state_of(frame))? {
                self.apply_patch(frame, patch, undo)?;
                return self.complete(plan, frame, done, Object::new());
            }
            return Err(Box::new(Failure::new(codes::MACHINE_TRANSITION, "a merge without custom reducers")));
        }
        let staged = writes.clone().stage(workflow, self.state_of(frame))?;
        self.go_on(plan, frame, staged, writes, Vec::new(), done)
    }

    /// Applies what is staged, or asks for the custom reducers that have to run before.
    fn go_on(
        &mut self,
        plan: &Plan,
        frame: FrameIx,
        staged: Staged,
        writes: Writes,
        results: Vec<Vec<Value>>,
        done: Done,
    ) -> Step<()> {
        let patch = match staged {
            Staged::Ready(patch) => patch,
            Staged::NeedsReduce(pending) => {
                let reduce = self.in_flight.open(frame);
                self.live_mut(frame).merge = Some(Box::new(Merge { reduce, pending, writes, results, done }));
                self.effects.push_back(Queued::Reduce(reduce));
                return Ok(());
            }
        };
        let undo = self.note_undo(frame, &writes);
        self.apply_patch(frame, patch, undo)?;
        let changes =
            if done.barrier && self.shows_changes(frame) { self.merged_values(frame, &writes) } else { Object::new() };
        if let Keeper::Lineage(keeper) = self.frame(frame).origin.keeper {
            writes.into_lineage(&mut self.live_mut(keeper).lineage.writes);
        }
        self.complete(plan, frame, done, changes)
    }

    /// Custom reducers answered: the merge goes on with their results.
    pub(super) fn reduced(&mut self, plan: &Plan, frame: FrameIx, merged: Vec<Result<Value, CallError>>) -> Step<()> {
        let Some(merge) = self.live_mut(frame).merge.take() else { return Ok(()) };
        let Merge { reduce, pending, writes, mut results, done } = *merge;
        self.in_flight.close(reduce);
        let values: Vec<Value> = merged
            .into_iter()
            .collect::<Result<_, _>>()
            .map_err(|error| Failure::of_call(codes::REDUCER_RAISED, &error, reduce, 1))?;
        results.push(values.clone());
        let workflow = plan.workflow(self.frame(frame).origin.workflow);
        let staged = pending.resolve(&workflow.layout, self.state_of(frame), values)?;
        self.go_on(plan, frame, staged, writes, results, done)
    }

    fn apply_patch(&mut self, frame: FrameIx, patch: StagedPatch, mut undo: Vec<Undo>) -> Step<()> {
        if patch.is_empty() {
            return Ok(());
        }
        patch.apply(self.state_for_writing(frame))?;
        self.live_mut(frame).lineage.savepoint.undo.append(&mut undo);
        Ok(())
    }

    /// What an item of a serial foreach has to remember of the places it is about to write; others remember nothing.
    fn note_undo(&self, frame: FrameIx, writes: &Writes) -> Vec<Undo> {
        if !self.frame(frame).origin.is_serial_item() {
            return Vec::new();
        }
        let state = self.state_of(frame);
        let mut notes: Vec<Undo> = Vec::new();
        for (target, _) in writes.iter() {
            if !notes.iter().any(|note| note.target == *target) {
                let incoming = writes.iter().filter(|(other, _)| *other == target).map(|(_, value)| value);
                notes.push(Undo::note(target, state, incoming));
            }
        }
        notes
    }

    /// Whether a frame's writes are committed at once, so that the trace shows them as changes of the state.
    fn shows_changes(&self, frame: FrameIx) -> bool {
        self.frame(frame).origin.keeper == Keeper::Scope
    }

    /// What each written place holds now: a barrier shows merged values.
    fn merged_values(&self, frame: FrameIx, writes: &Writes) -> Object {
        let state = self.state_of(frame);
        let mut changes = Object::new();
        for (target, _) in writes.iter() {
            if !changes.contains_key(target.text()) {
                changes.insert(Arc::clone(target.text()), target.read(state).cloned().unwrap_or_default());
            }
        }
        changes
    }

    /// A step is done and its writes are in: the trace gets its entry and the frame goes on.
    pub(super) fn complete(&mut self, plan: &Plan, frame: FrameIx, done: Done, changes: Object) -> Step<()> {
        if self.live(frame).activity.is_waiting() {
            self.end_waiting(frame)?;
        }
        self.live_mut(frame).activity = Activity::Idle;
        let Done { step, way, since, input, output, meta, barrier, first } = done;
        let shown = self.shows_changes(frame);
        let body = match way {
            Way::Exit(exit) if !barrier && meta.is_empty() => Body::Bound { exit, input, output, shown },
            _ => {
                let workflow = plan.workflow(self.frame(frame).origin.workflow);
                let plan = workflow.step(step);
                let (outcome, next) = match way {
                    Way::Exit(exit) => (plan.outcome(exit), plan.exits[exit.at()].next.unwrap_or(Next::End)),
                    Way::Finish(outcome) => (workflow.outcome(outcome), Next::End),
                };
                let (outcome, next) = (Arc::clone(outcome), Ahead::To(next));
                let changes = if shown && !barrier { plan.changes(&output) } else { changes };
                Body::Wide(Box::new(Wide { outcome, next, input, output, changes, meta, failure: None }))
            }
        };
        self.record(frame, Some(step), since, body);
        match way {
            Way::Exit(exit) => self.advance(plan, frame, step, exit, first),
            Way::Finish(outcome) => self.finish(plan, frame, Some(outcome)),
        }
    }

    /// A step that had nothing to write is done.
    pub(super) fn pass(&mut self, plan: &Plan, frame: FrameIx, step: StepIx, exit: ExitIx) -> Step<()> {
        Self::way_out(plan, &self.frame(frame).origin, step, exit)?;
        self.record(frame, Some(step), self.now, Body::Plain(exit));
        self.advance(plan, frame, step, exit, false)
    }

    /// Adds an entry for a completed step to the trace.
    pub(super) fn record(&mut self, frame: FrameIx, step: Option<StepIx>, since: Millis, body: Body) {
        self.steps = self.steps.saturating_add(1);
        self.trace.push(Record { frame, step, since, at: self.now, body });
    }

    /// The folds that a merge asks for next, for the driver.
    pub(super) fn folds(merge: &Merge) -> Vec<Fold> {
        let folds = merge.pending.folds().iter();
        folds
            .map(|fold| Fold {
                reducer: Arc::clone(&fold.reducer.name),
                config: fold.reducer.config.clone(),
                path: Arc::clone(fold.target.text()),
                current: fold.current.clone(),
                incoming: fold.incoming.clone(),
            })
            .collect()
    }
}
