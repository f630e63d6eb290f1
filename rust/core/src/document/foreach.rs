//! The foreach step: one body for every item of a list.

use std::sync::Arc;

use crate::path::{GraphSourcePath, StatePath};

/// Runs its `loop` branch once per item.
#[derive(Clone, Debug, PartialEq)]
pub struct ForeachStep {
    /// The step's id.
    pub id: Arc<str>,
    /// The list; fixed when the step is entered.
    pub over: GraphSourcePath,
    /// `as`: the context key that holds the item.
    pub alias: Arc<str>,
    /// One after the other, or several at once.
    pub mode: ForeachMode,
    /// What happens when an item fails.
    pub item_error: ErrorPolicy,
    /// The limits of concurrent mode; present exactly then.
    pub concurrent: Option<ForeachConcurrency>,
}

/// `mode` of a foreach step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ForeachMode {
    /// `serial`: an item starts when the one before it has finished.
    #[default]
    Serial,
    /// `concurrent`: items overlap within limits and commit together.
    Concurrent,
}

/// `concurrent` of a foreach step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForeachConcurrency {
    /// How many items may be running at once (at least 1; default 4).
    pub max_active: u32,
    /// How many items may be started and unfinished, blocked ones included (at least `max_active`; default 20).
    pub max_outstanding: u32,
}

/// What happens when an item of a foreach, or a branch of a fork, fails.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ErrorPolicy {
    /// The rule.
    pub action: ErrorAction,
    /// Where the records of the failures go (`collect` only).
    pub collect_to: Option<StatePath>,
}

/// The rule of an [`ErrorPolicy`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ErrorAction {
    /// `fail`: the whole step fails.
    #[default]
    Fail,
    /// `skip`: the item counts for nothing.
    Skip,
    /// `collect`: like skip, and a record of the failure is kept.
    Collect,
}
