//! Reading the capabilities of a source again.

use std::sync::{Arc, PoisonError};

use wf_platform::registry::SourceEntry;
use wf_platform::source::{CapabilitySource, SourceHealth, SourceState};

use super::SourceRefreshed;
use crate::error::ApiError;
use crate::operations::Application;

/// Why a provider gave no source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderFailure {
    /// The kind of failure.
    pub error_type: String,
    /// What went wrong, and where.
    pub message: String,
}

/// Where a source comes from, when it can be read again.
pub trait SourceProvider<H>: Send + Sync {
    /// Reads the source.
    ///
    /// # Errors
    /// What went wrong; what was read before still holds.
    fn load(&self) -> Result<CapabilitySource<H>, ProviderFailure>;
}

impl<H> Application<H> {
    /// Says where a source is read whenever it is enabled or refreshed.
    pub fn provide(&self, source_id: &str, provider: Arc<dyn SourceProvider<H>>) {
        let mut providers = self.control.providers.write().unwrap_or_else(PoisonError::into_inner);
        providers.insert(source_id.into(), provider);
    }

    pub(super) fn provider(&self, source_id: &str) -> Option<Arc<dyn SourceProvider<H>>> {
        let providers = self.control.providers.read().unwrap_or_else(PoisonError::into_inner);
        providers.get(source_id).map(Arc::clone)
    }

    /// Reads a source again from its provider. A disabled source is not read, so nothing of it is executed.
    ///
    /// # Errors
    /// An unknown source. A provider that fails is no error: the result says so, and so does the source's state.
    pub fn refresh_source(&self, source_id: &Arc<str>) -> Result<SourceRefreshed, ApiError> {
        let entry = Arc::clone(self.registry().snapshot().require(source_id)?);
        if !entry.source().is_enabled() {
            return Ok(outcome(&entry, Some(("disabled", "the source is disabled; enable it first".to_owned()))));
        }
        let Some(provider) = self.provider(source_id) else {
            let refusal = match entry.state(self.now()) {
                SourceState::NeverConnected => ("never_connected", "the source was never connected".to_owned()),
                _ => ("no_provider", "the source is part of this process and has nothing to read again".to_owned()),
            };
            return Ok(outcome(&entry, Some(refusal)));
        };
        let failure = match provider.load() {
            Ok(source) if source.id() == entry.id() => {
                let replaced = self.registry().replace(source);
                replaced.err().map(|error| (error.code().to_owned(), error.to_string()))
            }
            Ok(source) => Some(("source.key_mismatch".to_owned(), format!("the provider gave `{}`", source.id()))),
            Err(failure) => Some((failure.error_type, failure.message)),
        };
        let health = match &failure {
            None => SourceHealth::Ok,
            Some((_, message)) => {
                SourceHealth::Failed { error: message.as_str().into(), at: self.now(), fetched_at: None }
            }
        };
        self.registry().set_health(source_id, health)?;
        let entry = Arc::clone(self.registry().snapshot().require(source_id)?);
        Ok(outcome(&entry, failure.as_ref().map(|(kind, message)| (kind.as_str(), message.clone()))))
    }
}

fn outcome<H>(entry: &SourceEntry<H>, failure: Option<(&str, String)>) -> SourceRefreshed {
    let buckets = entry.source().capabilities();
    let (error_type, error) = failure.map(|(kind, error)| (kind.into(), error.into())).unzip();
    SourceRefreshed {
        source_id: Arc::clone(entry.id().as_shared()),
        refreshed: error.is_none(),
        node_count: buckets.node_specs.len() as u64,
        resource_count: buckets.resources.len() as u64,
        prompt_count: buckets.prompts.len() as u64,
        error_type,
        error,
    }
}
