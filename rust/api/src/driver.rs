//! Driving a run whose handlers are native, on `tokio`.
//!
//! The driver asks the machine what to do, calls handlers, and reports what they answered. Handlers that wait
//! overlap; handlers that do not are called inline. It returns when the run stands still: finished, failed,
//! cancelled, or waiting for a person.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::future::{AbortHandle, Abortable};
use futures_util::stream::FuturesUnordered;
use wf_core::run::{Call, CallError, CallId, CallResult, Effect, Event, Run, RunError};

use crate::clock::Clock;
use crate::error::ApiError;
use crate::handler::{AsyncNodeHandler, Handler, HandlerError, HandlerResult, NodeContext};
use crate::operations::RunJournal;
use crate::resource::PlatformContext;

/// Finds what executes a node: by the ref of its workflow (`None` for the root) and by its name there.
pub type FindHandler<'a> = dyn Fn(Option<&str>, &str) -> Option<Handler> + 'a;

/// A call on its way; `None` when it was recalled.
type Answer<'a> = Pin<Box<dyn Future<Output = (CallId, Option<CallResult>)> + Send + 'a>>;

/// Drives a run until it stands still. With a journal, every event is committed before anything follows from it; the
/// driver waits for the store meanwhile.
///
/// # Errors
/// The journal cannot be written: the run must not be driven any further. Or the machine refuses an answer; that is a
/// fault of the machine or of this driver.
pub async fn drive(
    run: &mut Run,
    find: &FindHandler<'_>,
    platform: Option<&dyn PlatformContext>,
    clock: &dyn Clock,
    journal: Option<&RunJournal>,
) -> Result<(), ApiError> {
    let context = platform.map_or_else(NodeContext::default, NodeContext::with_platform);
    let mut waiting: FuturesUnordered<Answer<'_>> = FuturesUnordered::new();
    let mut recall: BTreeMap<CallId, AbortHandle> = BTreeMap::new();
    loop {
        journal.map_or(Ok(()), RunJournal::commit)?;
        let alarm = match run.poll() {
            Effect::Call(call) => {
                match handler(run, &call, find) {
                    Some(Handler::Immediate(handler)) => {
                        let result = answered(handler.call(&call.input, &context));
                        tell(run, journal, Event::Resolve { call: call.id, result, now: clock.now() })?;
                    }
                    Some(Handler::Waiting(handler)) => {
                        let (abort, registration) = AbortHandle::new_pair();
                        recall.insert(call.id, abort);
                        let id = call.id;
                        let answer = Abortable::new(answer(handler, call, context), registration);
                        waiting.push(Box::pin(async move { (id, answer.await.ok()) }));
                    }
                    None => {
                        let result = CallResult::Failed(missing(run, &call));
                        tell(run, journal, Event::Resolve { call: call.id, result, now: clock.now() })?;
                    }
                }
                continue;
            }
            Effect::Reduce(reduce) => {
                let error = CallError::new("LookupError", "a native run has no custom reducers");
                let merged = reduce.folds.iter().map(|_| Err(error.clone())).collect();
                tell(run, journal, Event::ResolveReduce { reduce: reduce.id, merged, now: clock.now() })?;
                continue;
            }
            Effect::Cancel(call) => {
                if let Some(abort) = recall.remove(&call) {
                    abort.abort();
                }
                continue;
            }
            Effect::Wait { until } => Some(until),
            Effect::Idle { next_timer, .. } => next_timer,
            _ => return Ok(()),
        };
        let sleep = alarm.map(|alarm| Duration::from_millis(alarm.saturating_sub(clock.now())));
        let next = async {
            match sleep {
                Some(sleep) if waiting.is_empty() => {
                    tokio::time::sleep(sleep).await;
                    None
                }
                Some(sleep) => tokio::time::timeout(sleep, waiting.next()).await.ok().flatten(),
                None => waiting.next().await,
            }
        };
        match next.await {
            Some((call, Some(result))) => {
                recall.remove(&call);
                tell(run, journal, Event::Resolve { call, result, now: clock.now() })?;
            }
            Some((_, None)) => {}
            None => tell(run, journal, Event::Tick { now: clock.now() })?,
        }
    }
}

/// Tells the run what happened, and the journal what the run took.
fn tell(run: &mut Run, journal: Option<&RunJournal>, event: Event) -> Result<(), RunError> {
    let Some(journal) = journal else { return run.apply(event) };
    run.apply(event.clone())?;
    journal.note(&event);
    Ok(())
}

/// Calls a handler that waits, no longer than the call may take.
async fn answer(handler: Arc<dyn AsyncNodeHandler>, call: Call, context: NodeContext<'_>) -> CallResult {
    let answer = handler.call(&call.input, context);
    match call.timeout {
        None => answered(answer.await),
        Some(limit) => tokio::time::timeout(limit, answer).await.map_or(CallResult::TimedOut, answered),
    }
}

fn handler(run: &Run, call: &Call, find: &FindHandler<'_>) -> Option<Handler> {
    let workflow = run.plan().workflows().get(call.workflow as usize)?;
    let def = workflow.document().node_defs.get(call.node_def as usize)?;
    let reference = workflow.reference().map(ToString::to_string);
    find(reference.as_deref(), &def.name)
}

fn missing(run: &Run, call: &Call) -> CallError {
    let def = run
        .plan()
        .workflows()
        .get(call.workflow as usize)
        .and_then(|workflow| workflow.document().node_defs.get(call.node_def as usize));
    let name = def.map_or("", |def| &*def.name);
    let mut error = CallError::new("WorkflowExecutionError", format!("no handler registered for node def '{name}'"));
    error.retryable = false;
    error
}

fn answered(result: HandlerResult) -> CallResult {
    match result {
        Ok(result) => CallResult::Returned(result),
        Err(error) => CallResult::Failed(call_error(&error)),
    }
}

/// What a run keeps of a handler's error.
pub fn call_error(error: &HandlerError) -> CallError {
    let mut kept = CallError::new(error.type_name, error.message.as_str());
    if let Some(code) = error.code {
        kept.data.insert("code", code);
    }
    if let Some(cause) = std::error::Error::source(error).and_then(std::error::Error::source) {
        kept.data.insert("cause", Arc::<str>::from(cause.to_string()));
    }
    kept
}
