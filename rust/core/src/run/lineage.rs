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

use std::sync::Arc;

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

    /// What an item of a serial foreach has to remember when it begins.
    pub(super) fn savepoint(&self, origin: &Origin) -> Savepoint {
        match origin.keeper {
            Keeper::Scope => Savepoint { view: Some(self.scope(origin.scope).state.clone()), writes: 0 },
            Keeper::Lineage(keeper) => {
                let lineage = &self.live(keeper).lineage;
                Savepoint { view: lineage.view.clone(), writes: lineage.writes.len() }
            }
        }
    }

    /// Takes back what a frame has written. Frames it started have to be rolled back before, newest first.
    pub(super) fn roll_back(&mut self, frame: FrameIx) {
        let origin = Arc::clone(&self.frame(frame).origin);
        if !origin.is_serial_item() {
            return; // Nobody has seen the writes of a lineage that buffers, and a root frame is never rolled back.
        }
        let savepoint = std::mem::take(&mut self.live_mut(frame).lineage.savepoint);
        match origin.keeper {
            Keeper::Scope => self.scope_mut(origin.scope).state = savepoint.view.unwrap_or_default(),
            Keeper::Lineage(keeper) => {
                let lineage = &mut self.live_mut(keeper).lineage;
                lineage.view = savepoint.view;
                lineage.writes.truncate(savepoint.writes);
            }
        }
    }

    /// The committed state of a scope: what it holds, without the writes of serial items that are not done.
    pub(super) fn committed_state(&self, scope: ScopeIx) -> &Object {
        let scope = self.scope(scope);
        // The outermost unfinished item remembers the state before all of them.
        if let Some(live) = self.frame(scope.root).live.as_deref()
            && let Activity::Foreach(foreach) = &live.activity
            && let Some(ItemResult::Running(item)) = foreach.results.last()
            && self.frame(*item).origin.is_serial_item()
            && let Some(before) = &self.live(*item).lineage.savepoint.view
        {
            return before;
        }
        &scope.state
    }
}
