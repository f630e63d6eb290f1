//! Looking at sources.

use wf_core::document::Document as _;
use wf_core::value::{Object, Value};
use wf_platform::inventory;

use super::{Application, OperationResult};

impl<H> Application<H> {
    /// A page of sources sorted by id, disabled and hidden ones included.
    ///
    /// # Errors
    /// A cursor or a limit that is none.
    pub fn list_sources(&self, cursor: Option<&str>, limit: i64) -> OperationResult {
        Ok(object(&inventory::list_sources(&self.registry.snapshot(), cursor, limit)?.dump()))
    }

    /// The full inventory of one source.
    ///
    /// # Errors
    /// An unknown id, with those that come close.
    pub fn inspect_source(&self, source_id: &str) -> OperationResult {
        Ok(object(&inventory::inspect_source(&self.registry.snapshot(), source_id)?.dump()))
    }

    /// How a source is doing, as far as this process knows.
    ///
    /// # Errors
    /// An unknown id, with those that come close.
    pub fn diagnose_source(&self, source_id: &str) -> OperationResult {
        let snapshot = self.registry.snapshot();
        let entry = snapshot.require(source_id)?;
        let state = entry.state(self.clock.now());
        let mut result = Object::with_capacity(5);
        result.insert("source_id", source_id);
        result.insert("status", state.as_str());
        result.insert("enabled", entry.source().is_enabled());
        result.insert("diagnostics", Vec::<Value>::new());
        result.insert("message", format!("source `{source_id}` is {state}"));
        Ok(result)
    }
}

fn object(value: &Value) -> Object {
    value.as_object().cloned().unwrap_or_default()
}
