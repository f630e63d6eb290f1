//! Where a frame comes from, and the names that follow from it.
//!
//! A frame is born from a step of another frame: as an item of a foreach, a branch of a fork, or the root of a
//! subgraph. That never changes, so it is kept apart from the frame in a shared [`Origin`]; whoever holds one
//! (a call in flight, a trace reader) can name the frame without the run. Ids are texts made of the whole
//! ancestry, `root:each:1`; they are rendered when somebody reads them and never while a run is driven.

use std::fmt::Write as _;
use std::sync::Arc;

use crate::plan::index::{StepIx, WorkflowIx, index};
use crate::plan::{ForeachPlan, Plan, StepKind};
use crate::value::{List, Value};

index! {
    /// A frame of a run, in order of creation.
    pub(crate) FrameIx
}
index! {
    /// A scope of a run: one activation of one workflow.
    pub(crate) ScopeIx
}

impl FrameIx {
    pub(crate) const ROOT: Self = Self(0);
}

impl ScopeIx {
    pub(crate) const ROOT: Self = Self(0);
}

/// The immutable identity of a frame.
#[derive(Debug)]
pub(crate) struct Origin {
    pub(crate) parent: Option<Arc<Self>>,
    pub(crate) frame: FrameIx,
    pub(crate) scope: ScopeIx,
    pub(crate) workflow: WorkflowIx,
    /// Who keeps the state that this frame's writes go into.
    pub(crate) keeper: Keeper,
    pub(crate) birth: Birth,
}

/// Who keeps the state that a frame reads and writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keeper {
    /// The scope itself: writes are committed at once.
    Scope,
    /// The lineage of this frame (the frame itself, or the nearest one that buffers around a serial foreach).
    Lineage(FrameIx),
}

/// How a frame came to be. `visit` counts, from 1, how often the parent frame has entered the step.
#[derive(Debug)]
pub(crate) enum Birth {
    /// The frame of the root workflow.
    Root,
    /// An item of a foreach.
    Item { step: StepIx, visit: u32, index: u32, items: List, serial: bool },
    /// A branch of a fork.
    Branch { step: StepIx, visit: u32, branch: u32 },
    /// The root frame of a child workflow; the step is one of the parent's workflow.
    Subgraph { step: StepIx, visit: u32 },
}

/// The names of a frame and of what belongs to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Names {
    pub(crate) frame: String,
    pub(crate) scope: String,
    pub(crate) lineage: String,
    pub(crate) parent_lineage: Option<String>,
}

impl Origin {
    /// The origins from the root frame down to this one.
    pub(crate) fn chain(&self) -> Vec<&Self> {
        let mut chain = vec![self];
        let mut origin = self;
        while let Some(parent) = origin.parent.as_deref() {
            chain.push(parent);
            origin = parent;
        }
        chain.reverse();
        chain
    }

    /// This origin and those around it within the same scope, innermost first.
    pub(crate) fn within_scope(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |origin| match origin.birth {
            Birth::Root | Birth::Subgraph { .. } => None,
            Birth::Item { .. } | Birth::Branch { .. } => origin.parent.as_deref(),
        })
    }

    /// The loops around this frame within its scope, innermost first.
    pub(crate) fn loops<'a>(&'a self, plan: &'a Plan) -> impl Iterator<Item = Loop<'a>> {
        self.within_scope().filter_map(move |origin| origin.as_loop(plan))
    }

    /// This frame as an item of a foreach, if it is one.
    pub(crate) fn as_loop<'a>(&'a self, plan: &'a Plan) -> Option<Loop<'a>> {
        let Birth::Item { step, index, items, .. } = &self.birth else { return None };
        let step = plan.workflow(self.workflow).step(*step);
        let StepKind::Foreach(foreach) = &step.kind else { return None };
        Some(Loop { id: &step.id, foreach, index: *index, item: items.get(*index as usize)? })
    }

    /// Whether the frame is an item of a serial foreach, whose writes go through to what surrounds it.
    pub(crate) fn is_serial_item(&self) -> bool {
        matches!(self.birth, Birth::Item { serial: true, .. })
    }

    /// The names of the frame, its scope and its lineage.
    ///
    /// Walks the ancestry with a loop, since frames may nest as deep as a document likes.
    pub(crate) fn names(&self, plan: &Plan) -> Names {
        let mut names = Names::default();
        for origin in self.chain() {
            origin.extend(plan, &mut names);
        }
        names
    }

    /// Turns the parent's names into this frame's. Writing to a `String` cannot fail.
    fn extend(&self, plan: &Plan, names: &mut Names) {
        let parent_step = |step: StepIx, visit: u32| {
            let workflow = self.parent.as_ref().map_or(self.workflow, |parent| parent.workflow);
            let id = &plan.workflow(workflow).step(step).id;
            // The first visit keeps the plain id, so that documents without loops have plain names.
            if visit == 1 { id.to_string() } else { format!("{id}#{visit}") }
        };
        match &self.birth {
            Birth::Root => {
                for name in [&mut names.frame, &mut names.scope, &mut names.lineage] {
                    name.push_str("root");
                }
            }
            Birth::Item { step, visit, index, .. } => {
                let step = parent_step(*step, *visit);
                names.parent_lineage = Some(names.lineage.clone());
                let _ = write!(names.frame, ":{step}:{index}");
                let _ = write!(names.lineage, "/{step}[{index}]");
            }
            Birth::Branch { step, visit, branch } => {
                let name = &plan.workflow(self.workflow).step(*step).exits[*branch as usize].outcome;
                let step = parent_step(*step, *visit);
                names.parent_lineage = Some(names.lineage.clone());
                let _ = write!(names.frame, ":{step}:{name}");
                let _ = write!(names.lineage, "/{step}[{name}]");
            }
            Birth::Subgraph { step, visit } => {
                names.scope = format!("{}:subgraph:{}", names.frame, parent_step(*step, *visit));
                names.lineage = format!("{}:root", names.scope);
                names.frame = format!("{}:frame", names.scope);
                names.parent_lineage = None;
            }
        }
    }
}

/// One loop around a frame.
pub(crate) struct Loop<'a> {
    pub(crate) id: &'a Arc<str>,
    pub(crate) foreach: &'a ForeachPlan,
    pub(crate) index: u32,
    pub(crate) item: &'a Value,
}

/// Unlinks the ancestry with a loop: the derived drop would call itself once per level of nesting.
impl Drop for Origin {
    fn drop(&mut self) {
        let mut next = self.parent.take();
        while let Some(mut origin) = next.and_then(Arc::into_inner) {
            next = origin.parent.take();
        }
    }
}
