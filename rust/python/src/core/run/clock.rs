//! The time of the machine: milliseconds since the epoch.

use std::time::{SystemTime, UNIX_EPOCH};

use wf_core::run::Millis;

/// The time now.
pub(super) fn now() -> Millis {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Millis::try_from(elapsed.as_millis()).unwrap_or(Millis::MAX)
}

/// A time or a span as Python counts it, in seconds.
#[expect(clippy::cast_precision_loss, reason = "milliseconds since the epoch are far below 2**53")]
pub(super) fn seconds(millis: Millis) -> f64 {
    millis as f64 / 1000.0
}
