//! When a failed attempt is tried again.

use crate::document::RetryPolicy;

use super::error::CallError;
use super::event::{CallId, Millis};

/// The error type under which a policy names a call that took too long.
pub(crate) const TIMEOUT_TYPE: &str = "TimeoutError";

/// Whether a policy grants another attempt after attempt number `attempt` (from 1) has failed.
pub(crate) fn grants(policy: &RetryPolicy, attempt: u32, error: &CallError) -> bool {
    error.retryable
        && attempt <= policy.retries
        && (policy.errors.is_empty() || policy.errors.iter().any(|name| error.is_a(name)))
}

/// How long to wait after attempt number `attempt` (from 1) has failed, in milliseconds.
///
/// Jitter is drawn from the run's seed and the number of the failed call, so that a replay waits just as long.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a float is cast to the nearest integer in range; the value is never negative or NaN"
)]
pub(crate) fn delay(policy: &RetryPolicy, attempt: u32, seed: u64, call: CallId) -> Millis {
    let growth = policy.factor.powf(f64::from(attempt.saturating_sub(1)));
    // `min` also catches an infinite product: it takes the other side of a NaN.
    let mut seconds = (policy.backoff_seconds * growth).min(policy.max_backoff_seconds).max(0.0);
    if policy.jitter {
        seconds *= 0.5 + 0.5 * unit(seed ^ call.get().wrapping_mul(0x9E37_79B9_7F4A_7C15));
    }
    (seconds * 1000.0).round() as Millis
}

/// A number in `[0, 1)` that depends on `seed` only (the finalizer of `SplitMix64`).
#[expect(clippy::cast_precision_loss, reason = "53 bits are kept, as many as a float holds")]
fn unit(seed: u64) -> f64 {
    let mut bits = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^= bits >> 31;
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}
