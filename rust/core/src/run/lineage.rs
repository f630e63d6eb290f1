//! Who sees which state, and where a frame's writes go.
//!
//! Every frame has a lineage: what it wrote that is not committed yet. Three kinds of frames, three rules:
//!
//! * The root frame of a scope *commits*: its writes go into the scope's state at once.
//! * A concurrent item or a branch *buffers*: it sees the state around it with its own writes on top (a view, copied
//!   on write), and keeps the writes as they came in, for the barrier.
//! * An item of a serial foreach *writes through*: whoever keeps the state around it takes its writes at once, and the
//!   item keeps what takes them back, like a savepoint. So a serial loop that grows a list grows it in place, and the
//!   writes of an item that fails still vanish.
//!
//! A frame that has started others does not run, so nobody writes behind the back of a lineage that shares its view.

use crate::eval::View;
use crate::plan::Plan;
use crate::value::Object;

use super::Machine;
use super::context::FrameContext;
use super::frame::{Activity, Frame, ItemResult, Savepoint};
use super::origin::{FrameIx, Keeper, Origin, ScopeIx};

impl Machine {
    /// The state as a frame sees it.
    pub(super) fn state_of(&self, frame: FrameIx) -> &Object {
        let mut frame = frame;
        loop {
            let origin = &self.frame(frame).origin;
            let Keeper::Lineage(keeper) = origin.keeper else { return &self.scope(origin.scope).state };
            if let Some(view) = &self.live(keeper).lineage.view {
                return view;
            }
            // The keeper has written nothing: it sees what the frame around it sees.
            match &self.frame(keeper).origin.parent {
                Some(parent) => frame = parent.frame,
                None => return &self.scope(origin.scope).state,
            }
        }
    }

    /// The state a frame's writes go into. A lineage that has not written yet gets its view now.
    pub(super) fn state_for_writing(&mut self, frame: FrameIx) -> &mut Object {
        let origin = &self.frame(frame).origin;
        match origin.keeper {
            Keeper::Scope => {
                let scope = origin.scope;
                &mut self.scope_mut(scope).state
            }
            Keeper::Lineage(keeper) => {
                if self.live(keeper).lineage.view.is_none() {
                    let seen = self.state_of(keeper).clone();
                    self.live_mut(keeper).lineage.view = Some(seen);
                }
                self.live_mut(keeper).lineage.view.get_or_insert_default()
            }
        }
    }

    /// What a frame's bindings and conditions can read.
    pub(super) fn with_view<R>(&self, plan: &Plan, frame: FrameIx, read: impl FnOnce(&View<'_>) -> R) -> R {
        let Frame { origin, prior, .. } = self.frame(frame);
        let context = FrameContext { plan, origin, prior: *prior };
        read(&View { input: &self.scope(origin.scope).input, state: self.state_of(frame), context: &context })
    }

    /// How many writes the lineage holds that keeps a frame's; what an item of a serial foreach remembers.
    pub(super) fn kept_writes(&self, keeper: Keeper) -> usize {
        match keeper {
            Keeper::Scope => 0,
            Keeper::Lineage(keeper) => self.live(keeper).lineage.writes.len(),
        }
    }

    /// An item of a serial foreach is done: from now on its writes stand and fall with those of the item around it.
    pub(super) fn release_savepoint(&mut self, item: &Origin) {
        let around = item.parent.as_ref().filter(|parent| item.is_serial_item() && parent.is_serial_item());
        if let Some(around) = around {
            let mut undo = std::mem::take(&mut self.live_mut(item.frame).lineage.savepoint.undo);
            self.live_mut(around.frame).lineage.savepoint.undo.append(&mut undo);
        }
    }

    /// Takes back what a frame has written. Frames it started have to be rolled back before, newest first.
    pub(super) fn roll_back(&mut self, frame: FrameIx) {
        let origin = &self.frame(frame).origin;
        if !origin.is_serial_item() {
            return; // Nobody has seen the writes of a lineage that buffers, and a root frame is never rolled back.
        }
        let keeper = origin.keeper;
        let Savepoint { undo, writes } = std::mem::take(&mut self.live_mut(frame).lineage.savepoint);
        let state = self.state_for_writing(frame);
        for note in undo.into_iter().rev() {
            note.revert(state);
        }
        if let Keeper::Lineage(keeper) = keeper {
            self.live_mut(keeper).lineage.writes.truncate(writes);
        }
    }

    /// The committed state of a scope: what it holds, without the writes of serial items that are not done.
    pub(super) fn committed_state(&self, scope: ScopeIx) -> Object {
        // A run whose input was refused has no scope.
        let Some(scope) = self.scopes.get(scope.at()) else { return Object::new() };
        let mut state = scope.state.clone();
        for item in self.open_savepoints(scope.root).into_iter().rev() {
            for note in self.live(item).lineage.savepoint.undo.iter().rev() {
                note.clone().revert(&mut state);
            }
        }
        state
    }

    /// The unfinished serial items that write through to the state of a scope, outermost first.
    fn open_savepoints(&self, root: FrameIx) -> Vec<FrameIx> {
        let mut open = Vec::new();
        let mut frame = root;
        while let Some(live) = self.frame(frame).live.as_deref()
            && let Activity::Foreach(foreach) = &live.activity
            && let Some(ItemResult::Running(item)) = foreach.results.last()
            && self.frame(*item).origin.is_serial_item()
        {
            open.push(*item);
            frame = *item;
        }
        open
    }
}
