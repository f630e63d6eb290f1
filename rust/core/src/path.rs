//! Paths: where a binding reads, and where it writes.

use std::sync::Arc;

/// The root object a graph source path reads from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GraphRoot {
    /// The input of the workflow.
    Input,
    /// The state of the workflow, as the frame sees it.
    State,
    /// The context of the frame: prior outcome, loop items, ids.
    Context,
}

/// A place in a node's payload or output; no segments means the whole payload.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalPath(pub(crate) Arc<[Arc<str>]>);

/// A place to read from: `input…`, `state…` or `context…`; no segments means the whole root object.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GraphSourcePath {
    pub(crate) root: GraphRoot,
    pub(crate) parts: Arc<[Arc<str>]>,
}

/// A place to write to, below `state`; at least one segment.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StatePath(pub(crate) Arc<[Arc<str>]>);

impl LocalPath {
    /// The segments below the payload's root.
    pub fn parts(&self) -> &[Arc<str>] {
        &self.0
    }
}

impl GraphSourcePath {
    /// The root object.
    pub fn root(&self) -> GraphRoot {
        self.root
    }

    /// The segments below the root.
    pub fn parts(&self) -> &[Arc<str>] {
        &self.parts
    }
}

impl StatePath {
    /// The segments below `state`.
    pub fn parts(&self) -> &[Arc<str>] {
        &self.0
    }
}
