//! Settings: what an operator decided, kept by kind and id.

use std::sync::Arc;

use wf_core::value::Value;

use super::{EventRecord, Millis, StoreError};

/// What a setting is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SettingKind {
    /// What was decided about a source.
    SourcePolicy,
    /// A configured connection.
    Connection,
}

impl SettingKind {
    /// The name in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SourcePolicy => "source_policy",
            Self::Connection => "connection",
        }
    }
}

/// A setting in the place of the one that its writer saw.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingChange {
    /// What it is about.
    pub kind: SettingKind,
    /// Its id.
    pub id: Arc<str>,
    /// What the writer saw; `None` when there was none.
    pub before: Option<Value>,
    /// What stands there afterwards; `None` removes it.
    pub after: Option<Value>,
    /// When.
    pub at: Millis,
    /// Who did what; kept if, and only if, the setting is.
    pub event: EventRecord,
}

/// Keeps settings.
pub trait SettingStore: Send + Sync {
    /// The setting of an id, if there is one.
    ///
    /// # Errors
    /// When the store cannot be read, or what it holds is not what was written.
    fn setting(&self, kind: SettingKind, id: &str) -> Result<Option<Value>, StoreError>;

    /// All settings of a kind, by id.
    ///
    /// # Errors
    /// As for [`SettingStore::setting`].
    fn settings(&self, kind: SettingKind) -> Result<Vec<(Arc<str>, Value)>, StoreError>;

    /// Writes a change and its event, unless the setting is not what the writer saw; whether it was written.
    ///
    /// # Errors
    /// When the store cannot be written.
    fn change_setting(&self, change: SettingChange) -> Result<bool, StoreError>;
}
