//! Retry policies.

use std::sync::Arc;

/// When and how often a failed call is tried again.
///
/// The delay before retry `n` (from 0) is `backoff_seconds * factor^n`, at most `max_backoff_seconds`.
#[derive(Clone, Debug, PartialEq)]
pub struct RetryPolicy {
    /// How many retries follow the first attempt (an integer document means just this).
    pub retries: u32,
    /// The first delay in seconds (default 0).
    pub backoff_seconds: f64,
    /// The growth of the delay (at least 1; default 2).
    pub factor: f64,
    /// The longest delay in seconds (default 60).
    pub max_backoff_seconds: f64,
    /// Whether the delay is drawn between half and all of it, from the run's seed (default false).
    pub jitter: bool,
    /// The error types that are retried; empty means every one.
    pub errors: Vec<Arc<str>>,
}
