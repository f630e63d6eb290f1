//! How a source is doing.

use std::fmt;
use std::sync::Arc;

/// What is known about the last contact with a source; times are milliseconds since the epoch, given by the caller.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SourceHealth {
    /// Its capabilities are those of this process, or were read when they were last asked for.
    #[default]
    Ok,
    /// Its capabilities come from a snapshot taken at that time.
    Snapshot {
        /// When the snapshot was taken.
        fetched_at: u64,
        /// How long a snapshot counts as fresh.
        max_age: u64,
    },
    /// The last contact failed; its capabilities are those of the last good one.
    Failed {
        /// What went wrong.
        error: Arc<str>,
        /// When.
        at: u64,
        /// When its capabilities were read, if ever.
        fetched_at: Option<u64>,
    },
    /// It was configured but never reached.
    NeverConnected,
}

/// How a source is doing, as people see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceState {
    /// `ok`
    Ok,
    /// `stale`: the snapshot is older than it should be.
    Stale {
        /// How old it is, in milliseconds.
        age: u64,
    },
    /// `failed`: the last contact failed.
    Failed {
        /// What went wrong.
        error: Arc<str>,
        /// How old the capabilities are, in milliseconds, if there are any.
        age: Option<u64>,
    },
    /// `disabled`
    Disabled,
    /// `never_connected`
    NeverConnected,
}

impl SourceHealth {
    /// The state at `now`. A clock that went back makes a snapshot fresh, never younger than nothing.
    pub fn state(&self, enabled: bool, now: u64) -> SourceState {
        if !enabled {
            return SourceState::Disabled;
        }
        match self {
            Self::Ok => SourceState::Ok,
            Self::Snapshot { fetched_at, max_age } => {
                let age = now.saturating_sub(*fetched_at);
                if age > *max_age { SourceState::Stale { age } } else { SourceState::Ok }
            }
            Self::Failed { error, fetched_at, .. } => SourceState::Failed {
                error: Arc::clone(error),
                age: fetched_at.map(|fetched_at| now.saturating_sub(fetched_at)),
            },
            Self::NeverConnected => SourceState::NeverConnected,
        }
    }
}

impl SourceState {
    /// The name in documents.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Stale { .. } => "stale",
            Self::Failed { .. } => "failed",
            Self::Disabled => "disabled",
            Self::NeverConnected => "never_connected",
        }
    }
}

impl fmt::Display for SourceState {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stale { age } => write!(formatter, "stale for {} s", age / 1000),
            Self::Failed { error, .. } => write!(formatter, "failed: {error}"),
            other => formatter.write_str(other.as_str()),
        }
    }
}
