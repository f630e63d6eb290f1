//! Fork and gather: branches that run side by side, and the place where they meet.

use std::sync::Arc;

use super::ErrorPolicy;

/// Starts one branch per outcome; each has a lineage of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct ForkStep {
    /// The step's id.
    pub id: Arc<str>,
    /// The branches in declared order; each is an outcome with an edge.
    pub branches: Vec<Arc<str>>,
}

/// Waits for branches of a fork and commits what they wrote.
#[derive(Clone, Debug, PartialEq)]
pub struct GatherStep {
    /// The step's id.
    pub id: Arc<str>,
    /// `of`: the fork's id.
    pub fork: Arc<str>,
    /// How many branches are waited for.
    pub wait: GatherWait,
    /// `branch_error`: what happens when a branch fails.
    pub branch_error: ErrorPolicy,
}

/// `wait` of a gather step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum GatherWait {
    /// `"all"`: every branch.
    #[default]
    All,
    /// `"any"`: the first that arrives.
    Any,
    /// A number: the first that many (1 up to the number of branches).
    Count(u32),
}
