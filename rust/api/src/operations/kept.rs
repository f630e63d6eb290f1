//! Deployments that were prepared before: starting many runs of one costs its preparation once.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use wf_core::value::Value;
use wf_platform::registry::Snapshot;

use super::deployments::{Validation, dumped};
use super::prepare::Prepared;
use super::restore::Environment;
use crate::store::{DeploymentRecord, SharedText, Store, StoreError};

/// How many deployments are kept; beyond that all are forgotten, which costs their next runs a preparation each.
const MOST: usize = 256;

/// A deployment that is ready to run, with what a run of it is stored with.
pub(super) struct Ready<H> {
    /// What was prepared: the deployment as it was saved, and the sources as they were.
    document: Value,
    revision: u64,
    /// The artifacts behind it, each with the hash of its content.
    artifacts: Vec<(Arc<str>, u32, Arc<str>)>,
    pub(super) prepared: Arc<Prepared<H>>,
    pub(super) environment: SharedText,
    pub(super) deployment_id: Arc<str>,
    pub(super) artifact_id: Arc<str>,
    pub(super) artifact_version: u32,
    /// Warnings; whatever is worse is not kept.
    pub(super) diagnostics: Value,
}

impl<H> Ready<H> {
    /// What is to be kept of a validation that prepared something.
    pub(super) fn new(
        record: &DeploymentRecord,
        snapshot: &Snapshot<H>,
        validation: &Validation<H>,
        prepared: Prepared<H>,
        store: &dyn Store,
    ) -> Result<Self, StoreError> {
        let root = &validation.artifact;
        let behind = std::iter::once((Arc::clone(&root.id), root.version))
            .chain(validation.tree.artifacts().map(|(_, child)| (Arc::clone(&child.id), child.version)));
        let artifacts = behind
            .map(|(id, version)| store.artifact_hash(&id, version).map(|hash| (id, version, hash)))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            document: record.document.clone(),
            revision: snapshot.revision(),
            artifacts,
            environment: SharedText::of(&Environment::json(validation, &prepared)),
            prepared: Arc::new(prepared),
            deployment_id: Arc::clone(&validation.deployment.id),
            artifact_id: Arc::clone(&root.id),
            artifact_version: root.version,
            diagnostics: dumped(&validation.diagnostics),
        })
    }

    /// Whether preparing again would give the same.
    fn is_fresh(&self, record: &DeploymentRecord, snapshot: &Snapshot<H>, store: &dyn Store) -> bool {
        self.revision == snapshot.revision()
            && self.document == record.document
            && self
                .artifacts
                .iter()
                .all(|(id, version, hash)| store.artifact_hash(id, *version).is_ok_and(|found| found == *hash))
    }
}

/// The deployments that are kept, by id.
pub(super) struct Kept<H>(Mutex<BTreeMap<Arc<str>, Arc<Ready<H>>>>);

impl<H> Kept<H> {
    pub(super) fn new() -> Self {
        Self(Mutex::new(BTreeMap::new()))
    }

    /// What is kept of a deployment, if it is still true.
    pub(super) fn fresh(
        &self,
        record: &DeploymentRecord,
        snapshot: &Snapshot<H>,
        store: &dyn Store,
    ) -> Option<Arc<Ready<H>>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&record.deployment_id).cloned();
        kept.filter(|ready| ready.is_fresh(record, snapshot, store))
    }

    pub(super) fn keep(&self, ready: &Arc<Ready<H>>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MOST {
            kept.clear();
        }
        kept.insert(Arc::clone(&ready.deployment_id), Arc::clone(ready));
    }
}
