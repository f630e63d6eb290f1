//! The store that forgets with the process: for tests and throw-away runs.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use wf_core::value::{List, MAX_DEPTH, Object, Value};

use super::{
    ArtifactHead, ArtifactRecord, ArtifactStore, DeploymentRecord, DeploymentStore, Driver, EventRecord, EventStore,
    IdField, JournalRecord, Lease, Listed, Millis, NewRun, ResumeReadiness, RunChange, RunCommit, RunFilter, RunHead,
    RunRecord, RunStatus, RunStore, RunningRun, Saved, SettingChange, SettingKind, SettingStore, Snapshot, StoreError,
    StoredEvent, check_id,
};

/// A store in memory.
#[derive(Debug, Default)]
pub struct MemoryStore(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    artifacts: BTreeMap<(Arc<str>, u32), ArtifactRecord>,
    deployments: BTreeMap<Arc<str>, DeploymentRecord>,
    runs: BTreeMap<Arc<str>, StoredRun>,
    events: Vec<StoredEvent>,
    settings: BTreeMap<(SettingKind, Arc<str>), Value>,
}

#[derive(Debug)]
struct StoredRun {
    record: RunRecord,
    idempotency_key: Option<Arc<str>>,
    journal: Vec<JournalRecord>,
    snapshot: Option<Snapshot>,
    owner: Option<Arc<str>>,
    lease: Lease,
}

impl MemoryStore {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    /// No method leaves the state half changed, so a lock whose holder panicked is as good as any.
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn add_event(&mut self, event: EventRecord) -> u64 {
        let number = self.events.len() as u64 + 1;
        self.events.push(StoredEvent { number, event });
        number
    }

    fn run(&self, run_id: &str) -> Result<&StoredRun, StoreError> {
        self.runs.get(run_id).ok_or_else(|| StoreError::run_unknown(run_id))
    }

    fn run_mut(&mut self, run_id: &str) -> Result<&mut StoredRun, StoreError> {
        self.runs.get_mut(run_id).ok_or_else(|| StoreError::run_unknown(run_id))
    }

    fn run_with_key(&self, key: &str) -> Option<Arc<str>> {
        let found = self.runs.iter().find(|(_, run)| run.idempotency_key.as_deref() == Some(key));
        found.map(|(run_id, _)| run_id.clone())
    }
}

impl ArtifactStore for MemoryStore {
    fn save_artifact(&self, artifact: ArtifactRecord) -> Result<Saved, StoreError> {
        check_id(IdField::Artifact, &artifact.head.artifact_id)?;
        let key = (artifact.head.artifact_id.clone(), artifact.head.version);
        let mut state = self.state();
        match state.artifacts.get(&key) {
            Some(known) if known.content_hash == artifact.content_hash => Ok(Saved::Unchanged),
            Some(_) => Err(StoreError::ArtifactExists { artifact_id: key.0, version: key.1 }),
            None => {
                state.artifacts.insert(key, artifact);
                Ok(Saved::New)
            }
        }
    }

    fn artifact(&self, artifact_id: &str, version: u32) -> Result<ArtifactRecord, StoreError> {
        let found = self.state().artifacts.get(&(Arc::from(artifact_id), version)).cloned();
        found.ok_or_else(|| StoreError::artifact_unknown(artifact_id, Some(version)))
    }

    fn artifact_hash(&self, artifact_id: &str, version: u32) -> Result<Arc<str>, StoreError> {
        self.artifact(artifact_id, version).map(|record| record.content_hash)
    }

    fn latest_artifact(&self, artifact_id: &str) -> Result<ArtifactRecord, StoreError> {
        let id: Arc<str> = Arc::from(artifact_id);
        let state = self.state();
        let latest = state.artifacts.range((id.clone(), 0)..=(id, u32::MAX)).next_back();
        latest.map(|(_, record)| record.clone()).ok_or_else(|| StoreError::artifact_unknown(artifact_id, None))
    }

    fn artifact_heads(&self) -> Result<Vec<ArtifactHead>, StoreError> {
        Ok(self.state().artifacts.values().map(|record| record.head.clone()).collect())
    }

    fn delete_artifact(&self, artifact_id: &str, version: u32) -> Result<Vec<Arc<str>>, StoreError> {
        let mut state = self.state();
        let key = (Arc::from(artifact_id), version);
        if !state.artifacts.contains_key(&key) {
            return Err(StoreError::artifact_unknown(artifact_id, Some(version)));
        }
        let users: Vec<Arc<str>> = state
            .deployments
            .values()
            .filter(|user| (&*user.artifact_id, user.artifact_version) == (artifact_id, version))
            .map(|user| user.deployment_id.clone())
            .collect();
        if users.is_empty() {
            state.artifacts.remove(&key);
        }
        Ok(users)
    }
}

impl DeploymentStore for MemoryStore {
    fn save_deployment(&self, deployment: DeploymentRecord) -> Result<(), StoreError> {
        check_id(IdField::Deployment, &deployment.deployment_id)?;
        self.state().deployments.insert(deployment.deployment_id.clone(), deployment);
        Ok(())
    }

    fn deployment(&self, deployment_id: &str) -> Result<DeploymentRecord, StoreError> {
        let found = self.state().deployments.get(deployment_id).cloned();
        found.ok_or_else(|| StoreError::deployment_unknown(deployment_id))
    }

    fn deployments(&self) -> Result<Vec<DeploymentRecord>, StoreError> {
        Ok(self.state().deployments.values().cloned().collect())
    }

    fn delete_deployment(&self, deployment_id: &str) -> Result<(), StoreError> {
        let deleted = self.state().deployments.remove(deployment_id);
        deleted.map(|_| ()).ok_or_else(|| StoreError::deployment_unknown(deployment_id))
    }
}

impl RunStore for MemoryStore {
    fn create_run(&self, new: NewRun) -> Result<(), StoreError> {
        check_id(IdField::Run, &new.run_id)?;
        let mut state = self.state();
        if state.runs.contains_key(&new.run_id) {
            return Err(StoreError::RunExists { run_id: new.run_id });
        }
        if let Some(key) = &new.idempotency_key
            && let Some(run_id) = state.run_with_key(key)
        {
            return Err(StoreError::KeyTaken { key: key.clone(), run_id });
        }
        let environment = Value::parse_json_with_depth(&*new.environment.body, 2 * MAX_DEPTH).map_err(|error| {
            StoreError::DocumentDamaged {
                what: format!("environment of run {}", new.run_id),
                problem: error.to_string(),
            }
        })?;
        let head = RunHead {
            run_id: new.run_id.clone(),
            deployment_id: new.deployment_id,
            artifact_id: new.artifact_id,
            artifact_version: new.artifact_version,
            plan_hash: new.plan_hash,
            state: RunChange {
                status: RunStatus::Running,
                resume_readiness: ResumeReadiness::NotApplicable,
                diagnostics: Value::List(List::new()),
                result: Value::Object(Object::new()),
                trace_count: 0,
            },
            created_at: new.at,
            updated_at: new.at,
        };
        let run = StoredRun {
            record: RunRecord { head, environment },
            idempotency_key: new.idempotency_key,
            journal: new.records,
            snapshot: None,
            lease: new
                .driver
                .as_ref()
                .map_or(Lease { token: 0, until: 0 }, |driver| Lease { token: 1, until: driver.until }),
            owner: new.driver.map(|driver| driver.owner),
        };
        state.runs.insert(new.run_id, run);
        Ok(())
    }

    fn commit_run(&self, commit: RunCommit) -> Result<(), StoreError> {
        let mut state = self.state();
        let run = state.run_mut(&commit.run_id)?;
        if commit.lease.is_some_and(|token| token != run.lease.token) {
            return Err(StoreError::lease_lost(&commit.run_id));
        }
        let found = run.journal.len() as u64;
        if found != commit.after {
            return Err(StoreError::JournalConflict { run_id: commit.run_id, expected: commit.after, found });
        }
        run.journal.extend(commit.records);
        if let Some(body) = commit.snapshot {
            run.snapshot = Some(Snapshot { position: run.journal.len() as u64, body });
        }
        if let Some(change) = commit.change {
            run.record.head.state = change;
            run.record.head.updated_at = commit.at;
        }
        if commit.release {
            run.owner = None;
            run.lease.until = 0;
        }
        Ok(())
    }

    fn head(&self, run_id: &str) -> Result<RunHead, StoreError> {
        Ok(self.state().run(run_id)?.record.head.clone())
    }

    fn run(&self, run_id: &str) -> Result<RunRecord, StoreError> {
        Ok(self.state().run(run_id)?.record.clone())
    }

    fn run_with_key(&self, key: &str) -> Result<Option<Arc<str>>, StoreError> {
        Ok(self.state().run_with_key(key))
    }

    fn runs(&self, filter: &RunFilter, offset: u64, limit: u64) -> Result<Listed<RunHead>, StoreError> {
        let state = self.state();
        let mut heads: Vec<&RunHead> = state
            .runs
            .values()
            .map(|run| &run.record.head)
            .filter(|head| filter.status.is_none_or(|status| head.state.status == status))
            .filter(|head| filter.deployment_id.as_ref().is_none_or(|id| head.deployment_id == *id))
            .collect();
        heads.sort_by(|a, b| (b.updated_at, &b.run_id).cmp(&(a.updated_at, &a.run_id)));
        let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let items = heads.iter().skip(size(offset)).take(size(limit)).map(|head| (*head).clone()).collect();
        Ok(Listed { items, total: heads.len() as u64 })
    }

    fn journal(&self, run_id: &str, position: u64, limit: u64) -> Result<Vec<JournalRecord>, StoreError> {
        let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        Ok(self.state().run(run_id)?.journal.iter().skip(size(position)).take(size(limit)).cloned().collect())
    }

    fn journal_length(&self, run_id: &str) -> Result<u64, StoreError> {
        Ok(self.state().run(run_id)?.journal.len() as u64)
    }

    fn snapshot(&self, run_id: &str) -> Result<Option<Snapshot>, StoreError> {
        Ok(self.state().run(run_id)?.snapshot.clone())
    }

    fn running(&self) -> Result<Vec<RunningRun>, StoreError> {
        let state = self.state();
        let running = state.runs.iter().filter(|(_, run)| run.record.head.state.status == RunStatus::Running);
        Ok(running
            .map(|(run_id, run)| RunningRun {
                run_id: run_id.clone(),
                driver: run.owner.clone().map(|owner| Driver { owner, until: run.lease.until }),
                token: run.lease.token,
            })
            .collect())
    }

    fn take_lease(&self, run_id: &str, owner: &str, now: Millis, until: Millis) -> Result<Lease, StoreError> {
        let mut state = self.state();
        let run = state.run_mut(run_id)?;
        if let Some(holder) = run.owner.as_ref().filter(|holder| ***holder != *owner && run.lease.until > now) {
            let (owner, until) = (holder.clone(), run.lease.until);
            return Err(StoreError::LeaseTaken { run_id: Arc::from(run_id), owner, until });
        }
        run.owner = Some(Arc::from(owner));
        run.lease = Lease { token: run.lease.token + 1, until };
        Ok(run.lease)
    }

    fn renew_lease(&self, run_id: &str, token: u64, until: Millis) -> Result<(), StoreError> {
        let mut state = self.state();
        match state.run_mut(run_id) {
            Ok(run) if run.lease.token == token && run.owner.is_some() => {
                run.lease.until = until;
                Ok(())
            }
            _ => Err(StoreError::lease_lost(run_id)),
        }
    }

    fn release_lease(&self, run_id: &str, token: u64) -> Result<(), StoreError> {
        if let Ok(run) = self.state().run_mut(run_id)
            && run.lease.token == token
        {
            run.owner = None;
            run.lease.until = 0;
        }
        Ok(())
    }

    fn delete_run(&self, run_id: &str) -> Result<(), StoreError> {
        self.state().runs.remove(run_id).map(|_| ()).ok_or_else(|| StoreError::run_unknown(run_id))
    }
}

impl EventStore for MemoryStore {
    fn record_event(&self, event: EventRecord) -> Result<u64, StoreError> {
        Ok(self.state().add_event(event))
    }

    fn events(&self, after: u64, limit: u64) -> Result<Listed<StoredEvent>, StoreError> {
        let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let state = self.state();
        let items = state.events.iter().skip(size(after)).take(size(limit)).cloned().collect();
        Ok(Listed { items, total: state.events.len() as u64 })
    }
}

impl SettingStore for MemoryStore {
    fn setting(&self, kind: SettingKind, id: &str) -> Result<Option<Value>, StoreError> {
        Ok(self.state().settings.get(&(kind, Arc::from(id))).cloned())
    }

    fn settings(&self, kind: SettingKind) -> Result<Vec<(Arc<str>, Value)>, StoreError> {
        let state = self.state();
        let of_kind = state.settings.iter().filter(|((other, _), _)| *other == kind);
        Ok(of_kind.map(|((_, id), document)| (Arc::clone(id), document.clone())).collect())
    }

    fn change_setting(&self, change: SettingChange) -> Result<bool, StoreError> {
        let mut state = self.state();
        let key = (change.kind, change.id);
        if state.settings.get(&key) != change.before.as_ref() {
            return Ok(false);
        }
        match change.after {
            Some(document) => state.settings.insert(key, document),
            None => state.settings.remove(&key),
        };
        state.add_event(change.event);
        Ok(true)
    }
}
