//! Retry policies.

use std::borrow::Cow;
use std::sync::Arc;

use super::form::{Number, Reader};
use crate::value::{Object, Value};

document! {
    /// When and how often a failed call is tried again.
    /// The delay before retry `n` (from 0) is `backoff_seconds * factor^n`, at most `max_backoff_seconds`.
    #[derive(Clone, Debug, PartialEq)]
    pub struct RetryPolicy: "RetryPolicy" {
        /// How many retries follow the first attempt (an integer document means just this).
        pub retries: u32,
        /// The first delay in seconds.
        pub backoff_seconds: f64 => Number<0, false> = 0.0,
        /// The growth of the delay; at least 1.
        pub factor: f64 => Number<1, false> = 2.0,
        /// The longest delay in seconds.
        pub max_backoff_seconds: f64 => Number<0, false> = 60.0,
        /// Whether the delay is drawn between half and all of it, from the run's seed.
        pub jitter: bool = false,
        /// The error types that are retried; empty means every one.
        pub errors: Vec<Arc<str>> = Vec::new(),
    }
    unknown Forbid;
    before count_alone;
    compact to_count;
    or u32;
}

impl RetryPolicy {
    /// A number of retries without delay, for every error.
    pub fn count(retries: u32) -> Self {
        Self {
            retries,
            backoff_seconds: 0.0,
            factor: 2.0,
            max_backoff_seconds: 60.0,
            jitter: false,
            errors: Vec::new(),
        }
    }
}

#[expect(clippy::unnecessary_wraps, reason = "what `before` expects")]
fn count_alone<'v>(value: &'v Value, _: &mut Reader) -> Option<Cow<'v, Value>> {
    Some(match value {
        Value::Int(_) | Value::BigInt(_) | Value::Float(_) => {
            Cow::Owned(Value::Object(Object::from_iter([("retries", value.clone())])))
        }
        _ => Cow::Borrowed(value),
    })
}

/// An integer, unless there is more to say.
fn to_count(policy: &RetryPolicy, object: Object) -> Value {
    if *policy == RetryPolicy::count(policy.retries) { Value::from(policy.retries) } else { Value::Object(object) }
}
