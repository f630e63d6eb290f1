//! What can go wrong: the codes, failures of steps, and refusals of events.
//!
//! Two things are kept apart. A [`Failure`] is part of a run's life: a step failed, the run (or an item of a
//! foreach) stands there and says why. A [`RunError`] is an answer to whoever sent an event that does not fit: the
//! run has not changed at all.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use crate::eval::{BindingError, ConditionError, PathError};
use crate::schema::PayloadError;
use crate::state::StateError;
use crate::value::{Object, Value};

use super::event::CallId;
use super::machine::RunStatus;

/// Declares the table of codes: a constant, the code, and a sentence for each.
macro_rules! codes {
    ($($name:ident = $code:literal, $sentence:literal;)+) => {
        $(#[doc = $sentence] pub const $name: &str = $code;)+

        /// Every code with its sentence.
        pub const TABLE: &[(&str, &str)] = &[$(($code, $sentence)),+];
    };
}

/// The stable codes of failures and refusals.
pub mod codes {
    codes! {
        INPUT_INVALID = "input.invalid", "The input of the workflow does not meet its input schema.";
        OUTPUT_INVALID = "output.invalid", "The output of the workflow does not meet its output schema.";
        NODE_INPUT_INVALID = "node.input_invalid", "The payload of a node does not meet its input schema.";
        NODE_OUTPUT_INVALID = "node.output_invalid", "What a node returned does not meet its output schema.";
        NODE_OUTPUT_MISSING = "node.output_missing", "What a node returned lacks a field that a binding reads.";
        NODE_UNDECLARED_OUTCOME = "node.undeclared_outcome", "A node returned an outcome that it does not declare.";
        CALL_FAILED = "call.failed", "A handler raised an error that has no code of its own.";
        CALL_TIMEOUT = "call.timeout", "A handler took longer than its time limit.";
        REDUCER_RAISED = "reducer.raised", "A custom reducer raised an error that has no code of its own.";
        EDGE_MISSING = "edge.missing", "The step's outcome has no edge.";
        FOREACH_NOT_A_LIST = "foreach.not_a_list", "What a foreach step iterates over is not a list.";
        GATHER_OUTSIDE_FORK = "gather.outside_fork", "A gather step was reached by a frame that is no branch of its fork.";
        SUBGRAPH_INPUT_INVALID = "subgraph.input_invalid", "The input of a child workflow does not meet a schema.";
        SUBGRAPH_OUTPUT_INVALID = "subgraph.output_invalid", "The output of a child workflow does not meet a schema.";
        SUBGRAPH_OUTPUT_MISSING = "subgraph.output_missing", "The output of a child workflow lacks a field that a binding reads.";
        SUBGRAPH_UNDECLARED_OUTCOME = "subgraph.undeclared_outcome", "A child workflow ended with an outcome that the step does not declare.";
        INTERRUPT_REQUEST_INVALID = "interrupt.request_invalid", "The request of an interrupt does not meet its schema.";
        INTERRUPT_RESUME_INVALID = "interrupt.resume_invalid", "The answer to an interrupt does not meet its schema.";
        INTERRUPT_RESUME_MISSING = "interrupt.resume_missing", "The answer to an interrupt lacks a field that a binding reads.";
        INTERRUPT_UNDECLARED_OUTCOME = "interrupt.undeclared_outcome", "The answer's outcome is not one the interrupt declares.";
        INTERRUPT_UNKNOWN = "interrupt.unknown", "The answer is for another interrupt than the one that waits.";
        RUN_STEP_BUDGET = "run.step_budget", "The run completed as many steps as it may.";
        RUN_DEADLINE = "run.deadline", "The run did not finish before its deadline.";
        RUN_DEADLOCK = "run.deadlock", "Frames wait for one another; this is a fault of the engine or of a snapshot.";
        RUN_TOO_LARGE = "run.too_large", "The run needs more frames than can be counted.";
        RUN_NOT_RUNNING = "run.not_running", "The event needs a run that is running.";
        RUN_NOT_INTERRUPTED = "run.not_interrupted", "Only an interrupted run can be resumed.";
        RUN_NOT_FAILED = "run.not_failed", "Only a failed run can be retried.";
        RUN_FINISHED = "run.finished", "The run has finished; nothing can happen to it any more.";
        RUN_ALREADY_STARTED = "run.already_started", "A run is started once.";
        RUN_UNKNOWN_CALL = "run.unknown_call", "No such call is in flight.";
        RUN_UNKNOWN_REDUCE = "run.unknown_reduce", "No such merge is in flight.";
        RUN_WRONG_FOLD_COUNT = "run.wrong_fold_count", "A merge was answered with too many or too few values.";
        MACHINE_TRANSITION = "machine.transition", "The machine has no such transition; this is a fault of the engine or of a snapshot.";
        SNAPSHOT_INVALID = "snapshot.invalid", "The snapshot is damaged or of an unknown version.";
        SNAPSHOT_PLAN_CHANGED = "snapshot.plan_changed", "The snapshot was taken of a run over another workflow document.";
        EVENT_INVALID = "event.invalid", "The event cannot be read.";
        JOURNAL_REFUSED = "journal.refused", "A journal holds an event that the run refuses.";
    }
}

/// Why a step failed; kept by the run, its trace and the records of failed items.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// The most specific code that is known: that of the handler's own error when it has one, else one of [`codes`],
    /// or of the part of the engine that found the problem.
    pub code: Cow<'static, str>,
    /// The type of the error: the handler's own (`ValueError`), or the engine's.
    pub error_type: Arc<str>,
    /// What happened.
    pub message: Arc<str>,
    /// Where in a value or document, when there is such a place.
    pub path: Option<Arc<str>>,
    /// The number of the attempt that failed, from 1.
    pub attempt: u32,
    /// The call that failed, so that a driver can find what the handler raised.
    pub call: Option<CallId>,
    /// What else the handler's error carried.
    pub data: Object,
}

impl Failure {
    /// The error type of everything that the engine itself finds wrong.
    pub const ENGINE_TYPE: &'static str = "WorkflowExecutionError";

    /// A failure found by the engine.
    pub(crate) fn new(code: &'static str, message: impl Into<Arc<str>>) -> Self {
        Self {
            code: Cow::Borrowed(code),
            error_type: Self::ENGINE_TYPE.into(),
            message: message.into(),
            path: None,
            attempt: 1,
            call: None,
            data: Object::new(),
        }
    }

    /// The same failure with a place.
    pub(crate) fn at(mut self, path: impl Into<Arc<str>>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// A value that does not meet a schema; the code says where that happened.
    pub(crate) fn of_payload(code: &'static str, error: &PayloadError) -> Self {
        Self { path: Some(error.path.as_str().into()), ..Self::new(code, error.to_string()) }
    }

    /// A workflow's output that cannot be built; its messages have no label.
    pub(crate) fn of_projection(error: BindingError) -> Self {
        Self::new(error.code(), error.cause.to_string()).at(error.place)
    }

    /// What a handler or a custom reducer raised. An error that has a code or a path of its own says more by them
    /// than the engine could.
    pub(crate) fn of_call(code: &'static str, error: &CallError, call: CallId, attempt: u32) -> Self {
        let said = |key: &str| error.data.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
        Self {
            code: said("code").map_or(Cow::Borrowed(code), |own| Cow::Owned(own.to_owned())),
            error_type: Arc::clone(&error.type_name),
            path: said("path").map(Arc::from),
            attempt,
            call: Some(call),
            data: error.data.clone(),
            ..Self::new(code, Arc::clone(&error.message))
        }
    }
}

impl From<BindingError> for Box<Failure> {
    fn from(error: BindingError) -> Self {
        Self::new(Failure { path: Some(error.place.as_str().into()), ..Failure::new(error.code(), error.to_string()) })
    }
}

impl From<PathError> for Box<Failure> {
    fn from(error: PathError) -> Self {
        Self::new(Failure { path: Some(error.path.as_str().into()), ..Failure::new(error.code(), error.to_string()) })
    }
}

impl From<ConditionError> for Box<Failure> {
    fn from(error: ConditionError) -> Self {
        Self::new(Failure::new(error.code(), error.to_string()))
    }
}

impl From<StateError> for Box<Failure> {
    fn from(error: StateError) -> Self {
        let path = match &error {
            StateError::Reduce(error) => Some(Arc::clone(&error.path)),
            StateError::Schema(error) => Some(error.path.as_str().into()),
            StateError::SiblingConflict { path } => Some(path.as_str().into()),
            StateError::SiblingOverlap { second, .. } => Some(second.as_str().into()),
            _ => None,
        };
        Self::new(Failure { path, ..Failure::new(error.code(), error.to_string()) })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

/// The result of executing a step.
pub(crate) type Step<T> = Result<T, Box<Failure>>;

/// What a handler or a custom reducer raised.
#[derive(Clone, Debug, PartialEq)]
pub struct CallError {
    /// The name of the error's type, for example `ValueError`.
    pub type_name: Arc<str>,
    /// The names of the types it descends from, nearest first; a retry policy may name one of them.
    pub bases: Vec<Arc<str>>,
    /// Its text.
    pub message: Arc<str>,
    /// Whether another attempt can help; `false` overrules the retry policy.
    pub retryable: bool,
    /// What else it carried.
    pub data: Object,
}

impl CallError {
    /// An error of a type with a message.
    pub fn new(type_name: impl Into<Arc<str>>, message: impl Into<Arc<str>>) -> Self {
        Self {
            type_name: type_name.into(),
            bases: Vec::new(),
            message: message.into(),
            retryable: true,
            data: Object::new(),
        }
    }

    /// Whether the error is, or descends from, a type of that name.
    pub fn is_a(&self, type_name: &str) -> bool {
        *self.type_name == *type_name || self.bases.iter().any(|base| **base == *type_name)
    }
}

/// An event was refused; the run is what it was before.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum RunError {
    /// The event needs a running run.
    #[error("run is {}, not running", .0.as_str())]
    NotRunning(RunStatus),
    /// The event needs an interrupted run.
    #[error("run is {}, not interrupted", .0.as_str())]
    NotInterrupted(RunStatus),
    /// The event needs a failed run.
    #[error("run is {}, not failed", .0.as_str())]
    NotFailed(RunStatus),
    /// The run has finished.
    #[error("run is {} and cannot be cancelled", .0.as_str())]
    Finished(RunStatus),
    /// A second start.
    #[error("run has already started")]
    AlreadyStarted,
    /// No such call is in flight.
    #[error("no call {} is in flight", .0.get())]
    UnknownCall(CallId),
    /// No such merge is in flight.
    #[error("no merge {} is in flight", .0.get())]
    UnknownReduce(CallId),
    /// A merge was answered with the wrong number of values.
    #[error("merge {} asks for {expected} values, got {got}", .id.get())]
    WrongFoldCount {
        /// The merge.
        id: CallId,
        /// How many values it asks for.
        expected: usize,
        /// How many came.
        got: usize,
    },
    /// The answer is for another interrupt.
    #[error("run waits for interrupt '{waiting}', not '{got}'")]
    UnknownInterrupt {
        /// The interrupt that waits.
        waiting: Arc<str>,
        /// The one that was answered.
        got: Arc<str>,
    },
    /// The answer itself is no good: its outcome, its payload, or what it would write.
    #[error("{0}")]
    BadResume(Box<Failure>),
}

impl RunError {
    /// The stable code.
    pub fn code(&self) -> &str {
        match self {
            Self::NotRunning(_) => codes::RUN_NOT_RUNNING,
            Self::NotInterrupted(_) => codes::RUN_NOT_INTERRUPTED,
            Self::NotFailed(_) => codes::RUN_NOT_FAILED,
            Self::Finished(_) => codes::RUN_FINISHED,
            Self::AlreadyStarted => codes::RUN_ALREADY_STARTED,
            Self::UnknownCall(_) => codes::RUN_UNKNOWN_CALL,
            Self::UnknownReduce(_) => codes::RUN_UNKNOWN_REDUCE,
            Self::WrongFoldCount { .. } => codes::RUN_WRONG_FOLD_COUNT,
            Self::UnknownInterrupt { .. } => codes::INTERRUPT_UNKNOWN,
            Self::BadResume(failure) => &failure.code,
        }
    }

    /// Where in the answer the problem is, when there is such a place.
    pub fn path(&self) -> Option<&str> {
        match self {
            Self::BadResume(failure) => failure.path.as_deref(),
            _ => None,
        }
    }
}

/// Why a run failed: the failure, and the frame and step that stand there.
#[derive(Clone, Debug, PartialEq)]
pub struct RunFailure {
    /// What failed.
    pub failure: Failure,
    /// The step; `None` when the run failed as a whole (its input, its deadline, its budget).
    pub node_id: Option<Arc<str>>,
    /// The frame.
    pub frame_id: Option<String>,
}

impl RunFailure {
    /// The failure as JSON.
    pub fn to_value(&self) -> Value {
        let failure = &self.failure;
        let mut object = Object::with_capacity(9);
        object.insert("code", &*failure.code);
        object.insert("type", Arc::clone(&failure.error_type));
        object.insert("message", Arc::clone(&failure.message));
        object.insert("node_id", self.node_id.clone());
        object.insert("frame_id", self.frame_id.clone());
        object.insert("attempt", i64::from(failure.attempt));
        object.insert("path", failure.path.clone());
        object.insert("call_id", failure.call.map(|call| Value::from(i64::try_from(call.get()).unwrap_or(i64::MAX))));
        object.insert("data", failure.data.clone());
        Value::Object(object)
    }
}
