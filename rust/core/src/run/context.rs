//! What `context.…` means to the bindings and conditions of a frame.
//!
//! Every reader gets the same: the frame's names, the step before, and each loop around it (within its scope) by its
//! alias and under `foreach.<step id>`.

use std::sync::Arc;

use crate::eval::ContextLookup;
use crate::plan::Plan;
use crate::value::{Object, Value};

use super::frame::Prior;
use super::origin::Origin;

/// The context of one frame; nothing is made before it is asked for.
pub(crate) struct FrameContext<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) origin: &'a Origin,
    pub(crate) prior: Option<Prior>,
}

impl ContextLookup for FrameContext<'_> {
    fn get(&self, key: &str) -> Option<Value> {
        let Self { plan, origin, prior } = *self;
        // Aliases first: where an alias shadows another key (documents that were never validated), the alias wins.
        if let Some(looping) = origin.loops(plan).find(|looping| *looping.foreach.alias == *key) {
            return Some(looping.item.clone());
        }
        let workflow = plan.workflow(origin.workflow);
        Some(match key {
            "prior_outcome" => prior.map(|prior| Arc::clone(workflow.step(prior.step).outcome(prior.exit))).into(),
            "activated_incoming_edge" => prior.map(|prior| Arc::clone(&workflow.step(prior.step).id)).into(),
            "scope_id" => origin.names(plan).scope.into(),
            "lineage_id" => origin.names(plan).lineage.into(),
            "parent_lineage_id" => origin.names(plan).parent_lineage.into(),
            "loop_item" => origin.loops(plan).next()?.item.clone(),
            "loop_index" => i64::from(origin.loops(plan).next()?.index).into(),
            "foreach" => all_loops(plan, origin)?.into(),
            _ => return None,
        })
    }

    fn all(&self) -> Object {
        all(self.plan, self.origin, self.prior)
    }
}

/// `{<step id>: {"item": …, "index": …}}` of every loop around the frame; `None` outside of loops.
fn all_loops(plan: &Plan, origin: &Origin) -> Option<Object> {
    let mut loops = Object::new();
    for looping in origin.loops(plan) {
        if !loops.contains_key(looping.id) {
            let item = [("item", looping.item.clone()), ("index", i64::from(looping.index).into())];
            loops.insert(Arc::clone(looping.id), item.into_iter().collect::<Object>());
        }
    }
    (!loops.is_empty()).then_some(loops)
}

/// The whole context as one object.
pub(crate) fn all(plan: &Plan, origin: &Origin, prior: Option<Prior>) -> Object {
    let context = FrameContext { plan, origin, prior };
    let mut keys = vec![
        "prior_outcome",
        "activated_incoming_edge",
        "scope_id",
        "lineage_id",
        "parent_lineage_id",
        "loop_item",
        "loop_index",
        "foreach",
    ];
    keys.extend(origin.loops(plan).map(|looping| &*looping.foreach.alias));
    let mut object = Object::with_capacity(keys.len());
    for key in keys {
        if let Some(value) = context.get(key) {
            object.insert(key, value);
        }
    }
    object
}
