//! Driving stored runs: giving a run to a driver, and storing how it stopped.
//!
//! Between the two, the driver writes every event of the run to its [`RunJournal`], so that the run survives the
//! process. [`Application::abandoned_runs`] finds the ones that a dead process left.

use std::sync::Arc;

use wf_core::run::{Event, Run, StartOptions};
use wf_core::value::Object;
use wf_platform::artifact::SavedSubgraphTree;
use wf_platform::deployment::is_runnable;

use super::deployments::{Validation, dumped, validate};
use super::journal::{Beside, RunJournal, record};
use super::kept::Ready;
use super::prepare::Prepared;
use super::restore::Environment;
use super::run_json::{TraceRange, add_trace, never_ran_json, run_json, stopped_json, stored_status, unrunnable_json};
use super::{Application, OperationResult};
use crate::error::ApiError;
use crate::store::{NewRun, ResumeReadiness, RunChange, RunHead, RunRecord, RunStatus};

/// A run that a driver drives and then hands to [`Application::finish_run`].
#[derive(Debug)]
pub struct Driven<H> {
    /// The run, as far as it has come.
    pub run: Box<Run>,
    /// What executes it.
    pub prepared: Arc<Prepared<H>>,
    /// Where its events go before anything follows from them.
    pub journal: Arc<RunJournal>,
}

/// What becomes of asking for a run.
#[derive(Debug)]
pub enum Begun<H> {
    /// There is nothing to drive; this is the result.
    Settled(Object),
    /// There is.
    Ready(Driven<H>),
}

impl<H: Clone> Application<H> {
    /// Checks a deployment and starts a run of it. An input that is none gives a stored run that has failed.
    ///
    /// # Errors
    /// When the deployment or its artifact is not there, or the store cannot be written.
    pub fn begin_run(&self, deployment_id: &str, input: Result<Object, Object>) -> Result<Begun<H>, ApiError> {
        let ready = match self.ready(deployment_id)? {
            Ok(ready) => ready,
            Err(unrunnable) => return Ok(Begun::Settled(unrunnable)),
        };
        let run_id = new_run_id()?;
        let options = StartOptions::new(Arc::clone(&run_id), self.clock.now());
        let records = match &input {
            Ok(input) => vec![record(&Event::Start { input: input.clone(), options: options.clone() })],
            Err(_) => Vec::new(),
        };
        // Known as driven before anybody can see it.
        let journal = Arc::new(self.drivers.journal(Arc::clone(&run_id), 1, records.len() as u64));
        self.store.create_run(NewRun {
            run_id: Arc::clone(&run_id),
            deployment_id: Arc::clone(&ready.deployment_id),
            artifact_id: Arc::clone(&ready.artifact_id),
            artifact_version: ready.artifact_version,
            environment: ready.environment.clone(),
            plan_hash: ready.prepared.plan.hash().into(),
            idempotency_key: None,
            records,
            driver: Some(self.drivers.driver()),
            at: self.clock.now(),
        })?;
        let has_diagnostics = ready.diagnostics.as_list().is_some_and(|list| !list.is_empty());
        let diagnostics = ready.diagnostics.clone();
        match input {
            Ok(input) => {
                if has_diagnostics {
                    let change = RunChange { diagnostics, ..running() };
                    journal.write(Beside { change: Some(change), ..Beside::default() })?;
                }
                let prepared = Arc::clone(&ready.prepared);
                let run = Run::start(Arc::clone(&prepared.plan), input, options);
                Ok(Begun::Ready(Driven { run: Box::new(run), prepared, journal }))
            }
            Err(failure) => {
                let change = RunChange {
                    status: RunStatus::Failed,
                    diagnostics,
                    result: never_ran_json(&failure).into(),
                    ..running()
                };
                journal.write(Beside { change: Some(change), release: true, snapshot: None })?;
                Ok(Begun::Settled(self.inspect_run(&run_id)?))
            }
        }
    }

    /// A deployment that is ready to run, or the result of one that cannot.
    fn ready(&self, deployment_id: &str) -> Result<Result<Arc<Ready<H>>, Object>, ApiError> {
        let record = self.store.deployment(deployment_id)?;
        let snapshot = self.registry.snapshot();
        if let Some(ready) = self.kept.fresh(&record, &snapshot, &*self.store) {
            return Ok(Ok(ready));
        }
        let mut validation = self.validation_of(&record, &snapshot)?;
        let Some(prepared) = validation.prepared.take() else {
            let Validation { artifact, diagnostics, .. } = validation;
            return Ok(Err(unrunnable_json(deployment_id, &artifact.id, artifact.version, &diagnostics)));
        };
        let ready = Arc::new(Ready::new(&record, &snapshot, &validation, prepared, &*self.store)?);
        self.kept.keep(&ready);
        Ok(Ok(ready))
    }

    /// Answers an interrupted run, unless its environment keeps it from going on.
    ///
    /// # Errors
    /// A run that is not interrupted, that another process drives, or that cannot be read; and an answer that does not
    /// fit: the run is as it was.
    pub fn begin_resume(
        &self,
        run_id: &str,
        interrupt: Option<&str>,
        outcome: &str,
        payload: Object,
    ) -> Result<Begun<H>, ApiError> {
        self.begin_again(
            run_id,
            |head| {
                let status = head.state.status.as_str();
                let refused = || ApiError::NotInterrupted { run_id: Arc::clone(&head.run_id), status };
                if head.state.status == RunStatus::Interrupted { Ok(()) } else { Err(refused()) }
            },
            Some(Event::Resume {
                interrupt: interrupt.map(Arc::from),
                outcome: outcome.into(),
                payload,
                now: self.clock.now(),
            }),
        )
    }

    /// Lets a failed run try again, unless its environment keeps it from going on.
    ///
    /// # Errors
    /// A run that has not failed, that another process drives, or that cannot be read.
    pub fn begin_retry(&self, run_id: &str) -> Result<Begun<H>, ApiError> {
        self.begin_again(
            run_id,
            |head| {
                let status = head.state.status.as_str();
                let refused = || ApiError::NotFailed { run_id: Arc::clone(&head.run_id), status };
                if head.state.status == RunStatus::Failed { Ok(()) } else { Err(refused()) }
            },
            Some(Event::Retry { now: self.clock.now() }),
        )
    }

    /// The runs that are to be driven and that nobody drives: their process is dead, or their lease has run out.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn abandoned_runs(&self) -> Result<Vec<Arc<str>>, ApiError> {
        let running = self.store.running()?;
        Ok(running.into_iter().filter(|run| self.drivers.is_abandoned(run)).map(|run| run.run_id).collect())
    }

    /// Takes an abandoned run over, to go on where its journal ends; nothing when somebody drives it after all.
    ///
    /// # Errors
    /// A run that cannot be read. It is stored as failed with the code `run.damaged`, so that it is in nobody's way.
    pub fn begin_recovery(&self, run_id: &str) -> Result<Option<Begun<H>>, ApiError> {
        let Some(run) = self.store.running()?.into_iter().find(|run| *run.run_id == *run_id) else { return Ok(None) };
        let Some(journal) = self.drivers.take_over(&run)? else { return Ok(None) };
        let journal = Arc::new(journal);
        let begun = self.go_on(&journal, None);
        if let Err(error) = &begun
            && error.is_damage()
        {
            let failure: Object =
                [("code", error.code()), ("type", "StoreDamagedError"), ("message", &*error.to_string())]
                    .into_iter()
                    .collect();
            let change = RunChange { status: RunStatus::Failed, result: never_ran_json(&failure).into(), ..running() };
            journal.write(Beside { change: Some(change), release: true, snapshot: None })?;
        }
        begun.map(Some)
    }

    /// The pinned environment counts, and the sources as they are now.
    fn begin_again(
        &self,
        run_id: &str,
        check: impl FnOnce(&RunHead) -> Result<(), ApiError>,
        event: Option<Event>,
    ) -> Result<Begun<H>, ApiError> {
        // Whoever asks for the wrong thing is told so, whoever drives the run.
        check(&self.store.head(run_id)?)?;
        let journal = Arc::new(self.drivers.take(run_id)?);
        self.go_on(&journal, event)
    }

    fn go_on(&self, journal: &Arc<RunJournal>, event: Option<Event>) -> Result<Begun<H>, ApiError> {
        let begun = self.try_to_go_on(journal, event);
        if !matches!(begun, Ok(Begun::Ready(_))) {
            journal.give_back()?;
        }
        begun
    }

    fn try_to_go_on(&self, journal: &Arc<RunJournal>, event: Option<Event>) -> Result<Begun<H>, ApiError> {
        let record = self.store.run(journal.run_id())?;
        let mut run = self.restored(&record)?;
        let Environment { deployment, artifact, children, .. } = Environment::parse(&record)?;
        let tree = SavedSubgraphTree::of_snapshots(children);
        let validation = validate(deployment, artifact, tree, &self.registry.snapshot());
        let Some(mut prepared) = validation.prepared.filter(|_| is_runnable(&validation.diagnostics)) else {
            let state = RunChange {
                resume_readiness: ResumeReadiness::Blocked,
                diagnostics: dumped(&validation.diagnostics),
                ..record.head.state.clone()
            };
            journal.write(Beside { change: Some(state.clone()), ..Beside::default() })?;
            return Ok(Begun::Settled(run_json(&RunHead { state, ..record.head }, &validation.diagnostics)));
        };
        prepared.pin(run.plan());
        if let Some(event) = event {
            run.apply(event.clone())?;
            journal.note(&event);
            let change = RunChange { diagnostics: record.head.state.diagnostics, ..running() };
            journal.write(Beside { change: Some(change), ..Beside::default() })?;
        }
        Ok(Begun::Ready(Driven { run: Box::new(run), prepared: Arc::new(prepared), journal: Arc::clone(journal) }))
    }

    /// Stores how a run stopped. One that has not stopped is given back, for whoever recovers runs.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn finish_run(&self, journal: &RunJournal, run: &Run, range: Option<TraceRange>) -> OperationResult {
        let run_id = journal.run_id();
        let (status, resume_readiness) = stored_status(run);
        if status == RunStatus::Running {
            journal.commit()?;
            journal.give_back()?;
        } else {
            let change = RunChange {
                status,
                resume_readiness,
                diagnostics: self.store.head(run_id)?.state.diagnostics,
                result: stopped_json(run).into(),
                trace_count: run.trace().len() as u64,
            };
            // A finished run is looked at now and then; one that goes on later must not cost more each time.
            let goes_on = matches!(status, RunStatus::Interrupted | RunStatus::Failed);
            let due = goes_on && journal.is_due_for_snapshot();
            let snapshot = due.then(|| run.snapshot().to_json().into());
            journal.write(Beside { snapshot, change: Some(change), release: true })?;
        }
        let mut result = self.inspect_run(run_id)?;
        if let Some(range) = range {
            add_trace(&mut result, run, range);
        }
        Ok(result)
    }

    /// Stores that a run that was driven up to here is cancelled, unless it has finished already.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn cancel_driven(
        &self,
        journal: &RunJournal,
        mut run: Run,
        reason: &str,
        range: Option<TraceRange>,
    ) -> OperationResult {
        let event = Event::Cancel { reason: reason.into(), now: self.clock.now() };
        if run.apply(event.clone()).is_ok() {
            journal.note(&event);
        }
        self.finish_run(journal, &run, range)
    }

    /// Cancels a run that nobody drives: one that waits for a person, or that was left behind.
    ///
    /// # Errors
    /// A run that has finished, or that another process drives.
    pub fn cancel_run(&self, run_id: &str, reason: &str) -> OperationResult {
        self.store.head(run_id)?;
        let journal = self.drivers.take(run_id)?;
        let cancelled = (|| {
            let mut run = self.restored(&self.store.run(run_id)?)?;
            let event = Event::Cancel { reason: reason.into(), now: self.clock.now() };
            run.apply(event.clone())?;
            journal.note(&event);
            self.finish_run(&journal, &run, None)
        })();
        if cancelled.is_err() {
            journal.give_back()?;
        }
        cancelled
    }

    /// The run that a record is of.
    fn restored(&self, record: &RunRecord) -> Result<Run, ApiError> {
        self.restore(record)?.ok_or_else(|| ApiError::RunDamaged {
            run_id: Arc::clone(&record.head.run_id),
            problem: "it has neither journal nor snapshot".to_owned(),
        })
    }
}

/// What is shown of a run that is driven.
fn running() -> RunChange {
    RunChange {
        status: RunStatus::Running,
        resume_readiness: ResumeReadiness::NotApplicable,
        diagnostics: Vec::<wf_core::value::Value>::new().into(),
        result: Object::new().into(),
        trace_count: 0,
    }
}

/// `run_` and 32 hexadecimal digits.
fn new_run_id() -> Result<Arc<str>, ApiError> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).map_err(|error| ApiError::NoRandomness { problem: error.to_string() })?;
    Ok(format!("run_{:032x}", u128::from_le_bytes(bytes)).into())
}
