//! What operators decide about sources, kept in the store.

use std::sync::Arc;

use wf_core::document::Document as _;
use wf_core::value::Value;
use wf_platform::admin::{SetSourcePolicy, SourceName, SourcePolicyRecord, SourceSwitched};
use wf_platform::source::SourceOverrides;
use wf_platform::{PlatformError, SourceId};

use super::{AdminCall, Decided, change_payload};
use crate::error::ApiError;
use crate::operations::Application;
use crate::store::{SettingKind, StoreError};

impl<H> Application<H> {
    /// Enables or disables a source and remembers it.
    pub(super) fn switch_source(&self, call: &AdminCall<'_>) -> Result<Value, ApiError> {
        let SourceName { source_id } = SourceName::parse(call.arguments)?;
        let enabled = call.name == "enable_source";
        let was = self.registry().snapshot().require(&source_id)?.source().is_enabled();
        let event = if enabled { "source_enabled" } else { "source_disabled" };
        self.decide(&source_id, call.actor, event, |overrides| overrides.enabled = Some(enabled))?;
        if enabled && !was && self.provider(&source_id).is_some() {
            self.refresh_source(&source_id)?;
        }
        Ok(SourceSwitched { source_id, enabled, changed: enabled != was }.dump())
    }

    /// Sets everything that is decided about a source and remembers it.
    pub(super) fn set_source_policy(&self, call: &AdminCall<'_>) -> Result<Value, ApiError> {
        let SetSourcePolicy { source_id, overrides } = SetSourcePolicy::parse(call.arguments)?;
        let was = self.registry().snapshot().require(&source_id)?.source().is_enabled();
        self.decide(&source_id, call.actor, "source_overridden", |current| current.clone_from(&overrides))?;
        let now = self.registry().snapshot().require(&source_id)?.source().is_enabled();
        if now && !was && self.provider(&source_id).is_some() {
            self.refresh_source(&source_id)?;
        }
        Ok(SourcePolicyRecord { source_id, overrides }.dump())
    }

    fn decide(
        &self,
        source_id: &Arc<str>,
        actor: &str,
        event: &'static str,
        edit: impl Fn(&mut SourceOverrides),
    ) -> Result<(), ApiError> {
        let _changing = self.control.changing();
        let id = self.registry().snapshot().require(source_id)?.id().clone();
        // What is set in this process only counts until something is stored.
        let unstored = self.registry().snapshot().overrides(source_id);
        let mut decided = SourceOverrides::clone(&unstored);
        self.change_setting(SettingKind::SourcePolicy, source_id, |stored| {
            let before = match stored {
                Some(document) => stored_overrides(source_id, document)?,
                None => SourceOverrides::clone(&unstored),
            };
            decided = before.clone();
            edit(&mut decided);
            if id.is_admin() && decided.enabled == Some(false) {
                return Err(PlatformError::CannotDisable { id: Arc::clone(source_id) }.into());
            }
            if stored.is_some() && decided == before {
                return Ok(None);
            }
            let payload = change_payload("source_id", source_id, actor, before.dump(), decided.dump());
            Ok(Some(Decided { after: Some(decided.dump()), event, payload }))
        })?;
        self.registry().set_overrides(&id, decided)?;
        Ok(())
    }

    /// Everything that is decided, by id of the source.
    pub(super) fn policies(&self) -> Result<Vec<SourcePolicyRecord>, ApiError> {
        let stored = self.store().settings(SettingKind::SourcePolicy)?;
        stored
            .into_iter()
            .map(|(source_id, document)| {
                let overrides = stored_overrides(&source_id, &document)?;
                Ok(SourcePolicyRecord { source_id, overrides })
            })
            .collect()
    }

    pub(super) fn apply_policies(&self) -> Result<(), ApiError> {
        for SourcePolicyRecord { source_id, overrides } in self.policies()? {
            self.registry().set_overrides(&SourceId::parse(&source_id)?, overrides)?;
        }
        Ok(())
    }
}

fn stored_overrides(source_id: &str, document: &Value) -> Result<SourceOverrides, StoreError> {
    SourceOverrides::parse(document).map_err(|error| StoreError::DocumentDamaged {
        what: format!("policy of source {source_id}"),
        problem: error.to_string(),
    })
}
