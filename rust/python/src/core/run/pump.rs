//! The pump: drives a run as far as it goes without waiting.
//!
//! It asks the machine for effects, calls handlers and custom reducers, and resolves whatever comes back at once. A
//! handler that answers with an awaitable gives an [`PyItem`]; the asyncio driver (`wf_core.runtime._asyncio`) awaits
//! it and reports back. Both drivers, the blocking one and the one for asyncio, are this pump.
//!
//! No lock is held while Python code runs: a handler may do anything, and with eager tasks the driver's own tasks run
//! in the middle of a call that starts them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pyo3::exceptions::asyncio::CancelledError;
use pyo3::exceptions::{PyException, PyRuntimeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyBool;
use wf_api::operations::RunJournal;
use wf_core::document::NodeResult;
use wf_core::run::{Call, CallError, CallId, CallResult, Effect, Event, Run, RunStatus};

use super::awaitables::{is_awaitable, is_coroutine_function};
use super::clock::{now, seconds};
use super::context::PyRuntimeContext;
use super::failures::call_error;
use super::handlers::{Handler, Handlers};
use super::item::{Pending, PyItem};
use super::pump_state::{Commit, Finished, State};
use super::record::RunRecord;
use super::reduce::Reducers;
use super::results::{BadResult, read_result};
use super::state::PyRunState;
use crate::api::api_error;
use crate::convert::object_to_python;

/// How long the pump goes on before it lets an event loop, or Python's signal handlers, have a turn.
const TURN: Duration = Duration::from_millis(10);

/// Drives one run.
#[pyclass(name = "Pump", module = "_wf._native.core", frozen)]
pub(crate) struct PyPump {
    handlers: Handlers,
    reducers: Reducers,
    platform: Option<Py<PyAny>>,
    /// Whether handlers are called on an event loop, which a blocking one must not hold up.
    on_loop: bool,
    /// Whether to stop after one step; the run is held then.
    single: bool,
    /// Where the events of a stored run go before anything follows from them.
    journal: Option<Arc<RunJournal>>,
    state: Mutex<State>,
}

impl PyPump {
    /// A pump for a run that was just started, resumed or restored.
    pub(super) fn new(
        run: Run,
        handlers: Handlers,
        reducers: Reducers,
        platform: Option<Py<PyAny>>,
        on_loop: bool,
        single: bool,
    ) -> Self {
        let state = State { run: Some(run), ..State::new() };
        Self { handlers, reducers, platform, on_loop, single, journal: None, state: Mutex::new(state) }
    }

    /// The same pump for a stored run.
    pub(super) fn with_journal(self, journal: Arc<RunJournal>) -> Self {
        Self { journal: Some(journal), ..self }
    }

    /// A pump that has stopped before it began: the record of a run that could not be started, and why.
    pub(super) fn never_ran(record: RunRecord, exception: PyErr) -> Self {
        let state =
            State { never_ran: Some(Box::new(record)), stopped: true, exception: Some(exception), ..State::new() };
        Self {
            handlers: Handlers::default(),
            reducers: Reducers::default(),
            platform: None,
            on_loop: false,
            single: false,
            journal: None,
            state: Mutex::new(state),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Goes on until everything that is left needs waiting.
    ///
    /// # Errors
    /// What a handler raised that is no `Exception`, such as `KeyboardInterrupt`; and interrupts of signals.
    fn advance(&self, py: Python<'_>) -> PyResult<()> {
        loop {
            let effect = {
                let mut state = self.lock();
                if state.turn_began.elapsed() > TURN {
                    state.turn_began = Instant::now();
                    if self.on_loop {
                        state.paused = true;
                        return Ok(());
                    }
                    drop(state);
                    py.check_signals()?;
                    continue;
                }
                if state.stopped {
                    return Ok(());
                }
                if self.single && !state.pending.is_empty() {
                    return Ok(());
                }
                if let Some(journal) = &self.journal {
                    if state.commit != Commit::None {
                        return Ok(());
                    }
                    for (event, raised) in std::mem::take(&mut state.held) {
                        self.tell(&mut state, event, raised);
                    }
                    if !journal.is_committed() {
                        // With calls in flight, what they answer meanwhile can share the commit.
                        let alone = state.run.as_ref().is_some_and(|run| run.in_flight() <= 1);
                        if !(alone && state.pending.is_empty() && journal.commits_quickly()) {
                            state.commit = Commit::Wanted;
                            return Ok(());
                        }
                        drop(state);
                        py.detach(|| journal.commit()).map_err(|error| api_error(py, &error))?;
                        continue;
                    }
                }
                let State { run: Some(run), stepped, .. } = &mut *state else { return Ok(()) };
                let between_steps = self.single && run.in_flight() == 0;
                match run.poll() {
                    Effect::Idle { .. } | Effect::Wait { .. } if between_steps && *stepped => {
                        state.stopped = true;
                        state.alarm = None;
                        return Ok(());
                    }
                    Effect::Idle { .. } | Effect::Wait { .. } if between_steps && run.has_turn() => {
                        *stepped = true;
                        drop(state);
                        self.report(Event::Tick { now: now() }, None);
                        continue;
                    }
                    Effect::Idle { next_timer, .. } => {
                        state.alarm = next_timer;
                        return Ok(());
                    }
                    Effect::Wait { until } => {
                        state.alarm = Some(until);
                        return Ok(());
                    }
                    Effect::Interrupted | Effect::Finished | Effect::Failed | Effect::Cancelled => {
                        state.stopped = true;
                        state.alarm = None;
                        return Ok(());
                    }
                    effect => effect,
                }
            };
            match effect {
                Effect::Call(call) => self.call(py, call)?,
                Effect::Reduce(reduce) => {
                    let (merged, raised) = self.reducers.merge(py, &reduce)?;
                    self.report(Event::ResolveReduce { reduce: reduce.id, merged, now: now() }, raised);
                }
                Effect::Cancel(call) => self.recall(py, call)?,
                _ => return Ok(()),
            }
        }
    }

    /// Calls a handler, and resolves the call when its answer is there already.
    fn call(&self, py: Python<'_>, call: Call) -> PyResult<()> {
        let handler = match self.handlers.of_call(py, &call) {
            Ok(handler) => handler,
            Err(error) => return self.fail(py, call.id, error),
        };
        let (function, blocking) = match handler {
            Handler::Python(function) => (function.bind(py), false),
            Handler::Blocking(function) => (function.bind(py), self.on_loop),
            Handler::Native(handler) => {
                return match handler.get().run(py, &call.input) {
                    Ok(result) => {
                        self.returned_result(call.id, result);
                        Ok(())
                    }
                    Err(error) => self.fail(py, call.id, error),
                };
            }
            Handler::Missing => {
                let message = format!("no handler registered for node def '{}'", self.handlers.name(&call));
                let mut error = CallError::new("WorkflowExecutionError", message);
                error.retryable = false;
                self.resolve(call.id, CallResult::Failed(error), None);
                return Ok(());
            }
        };
        let id = call.id;
        let node = Arc::clone(call.context.node_id());
        let timeout = call.timeout.map(|timeout| timeout.as_secs_f64());
        let payload = object_to_python(py, &call.input)?;
        let platform = self.platform.as_ref().map(|platform| platform.clone_ref(py));
        let context = Bound::new(py, PyRuntimeContext::of_call(call.context, platform))?;
        // Nothing but a thread lets go of a function that blocks; a coroutine can be cancelled where it awaits.
        let answer = if blocking || (timeout.is_some() && !is_coroutine_function(function)?) {
            py.import(intern!(py, "wf_core.runtime._asyncio"))?
                .getattr(intern!(py, "call_in_thread"))?
                .call1((function, payload, context))
        } else {
            function.call1((payload, context))
        };
        match answer {
            Ok(answer) if is_awaitable(&answer)? => {
                self.lock().pending.push_back(Pending { id, node, awaitable: answer.unbind(), timeout });
                Ok(())
            }
            Ok(answer) => self.answered(py, id, &node, &answer),
            Err(error) => self.fail(py, id, error),
        }
    }

    /// Resolves a call with what its handler returned.
    fn answered(&self, py: Python<'_>, id: CallId, node: &str, answer: &Bound<'_, PyAny>) -> PyResult<()> {
        match read_result(answer) {
            Ok(result) => {
                self.returned_result(id, result);
                Ok(())
            }
            Err(error) => self.bad_result(py, id, node, error),
        }
    }

    fn returned_result(&self, id: CallId, result: NodeResult) {
        self.resolve(id, CallResult::Returned(result), None);
    }

    #[cold]
    fn bad_result(&self, py: Python<'_>, id: CallId, node: &str, error: BadResult) -> PyResult<()> {
        let exception = error.into_exception(py, Some(&format!("node '{node}' output")));
        // The same handler would most likely say the same again.
        exception.value(py).setattr(intern!(py, "retryable"), PyBool::new(py, false)).ok();
        self.fail(py, id, exception)
    }

    /// Resolves a call with what its handler raised. A cancellation cancels the run; what is no `Exception`, such as
    /// `SystemExit`, fails the call for good and is handed on.
    fn fail(&self, py: Python<'_>, id: CallId, error: PyErr) -> PyResult<()> {
        if error.is_instance_of::<CancelledError>(py) {
            self.resolve(id, CallResult::Cancelled, None);
            self.lock().exception = Some(error);
            return Ok(());
        }
        let mut kept = call_error(py, &error);
        if error.is_instance_of::<PyException>(py) {
            self.resolve(id, CallResult::Failed(kept), Some((id, error)));
            return Ok(());
        }
        kept.retryable = false;
        self.resolve(id, CallResult::Failed(kept), None);
        Err(error)
    }

    fn resolve(&self, call: CallId, result: CallResult, raised: Option<(CallId, PyErr)>) {
        self.report(Event::Resolve { call, result, now: now() }, raised);
    }

    /// Tells the machine something; while the journal is committed, once that is done.
    fn report(&self, event: Event, raised: Option<(CallId, PyErr)>) {
        let mut state = self.lock();
        if state.commit == Commit::UnderWay {
            state.held.push((event, raised));
        } else {
            self.tell(&mut state, event, raised);
        }
    }

    /// Tells the machine something, and the journal what the machine took; keeps what a handler raised when that is
    /// what made the run fail.
    ///
    /// The machine refuses only what nobody waits for any more: the answer of a call that was recalled, or of one
    /// whose run has failed meanwhile. There is nobody to tell, so the refusal ends here.
    fn tell(&self, state: &mut State, event: Event, raised: Option<(CallId, PyErr)>) {
        let State { run: Some(run), exception, stepped, .. } = state else { return };
        // What was in flight before belongs to a step that is done now.
        *stepped |= run.in_flight() > 0;
        let noted = self.journal.as_ref().map(|journal| (journal, event.clone()));
        if run.apply(event).is_err() {
            return;
        }
        if let Some((journal, event)) = noted {
            journal.note(&event);
        }
        if let Some((call, error)) = raised
            && run.status() == RunStatus::Failed
            && run.error().is_some_and(|failed| failed.failure.call == Some(call))
        {
            *exception = Some(error);
        }
    }

    /// Stops a call that nobody waits for any more.
    fn recall(&self, py: Python<'_>, call: CallId) -> PyResult<()> {
        let mut state = self.lock();
        if let Some(position) = state.pending.iter().position(|pending| pending.id == call) {
            let pending = state.pending.remove(position);
            drop(state);
            if let Some(pending) = pending {
                pending.give_up(py);
            }
            return Ok(());
        }
        let crew = state.crew.as_ref().map(|crew| crew.clone_ref(py));
        drop(state);
        if let Some(crew) = crew {
            crew.call_method1(py, intern!(py, "recall"), (call.get(),))?;
        }
        Ok(())
    }

    /// Gives the next item to whoever asks, and has the crew start tasks for what is left.
    ///
    /// The leader gets an item only when it is the only thing that is to be waited for: it has to be free to
    /// notice a stop while others are in flight.
    fn hand_out(&self, py: Python<'_>, inline: bool) -> PyResult<Option<Py<PyItem>>> {
        let mut state = self.lock();
        if state.stopped {
            let dropped = std::mem::take(&mut state.pending);
            drop(state);
            for pending in dropped {
                pending.give_up(py);
            }
            return Ok(None);
        }
        if state.commit == Commit::Wanted {
            state.commit = Commit::UnderWay;
            drop(state);
            return Ok(Some(Py::new(py, PyItem::commit(inline))?));
        }
        let alone = state.pending.len() == 1 && state.alarm.is_none() && !state.paused;
        let mine = if inline && !alone { None } else { state.pending.pop_front() };
        let others = std::mem::take(&mut state.pending);
        let pause = mine.is_none() && others.is_empty() && std::mem::take(&mut state.paused);
        let alarm = (state.alarm != state.told).then_some(state.alarm);
        state.told = state.alarm;
        let crew = state.crew.as_ref().map(|crew| crew.clone_ref(py));
        drop(state);
        if let Some(crew) = crew {
            let crew = crew.bind(py);
            if let Some(alarm) = alarm {
                crew.call_method1(intern!(py, "alarm"), (alarm.map(seconds),))?;
            }
            for pending in others {
                crew.call_method1(intern!(py, "spawn"), (PyItem::new(pending, false),))?;
            }
        }
        match mine {
            Some(pending) => Ok(Some(Py::new(py, PyItem::new(pending, inline))?)),
            None if pause => Ok(Some(Py::new(py, PyItem::pause(inline))?)),
            None => Ok(None),
        }
    }

    /// Drives the run without an event loop; `false` when something is left that only a loop can wait for.
    pub(super) fn run_blocking(&self, py: Python<'_>) -> PyResult<bool> {
        loop {
            self.advance(py)?;
            let state = self.lock();
            if state.stopped {
                return Ok(true);
            }
            let Some(alarm) = state.alarm.filter(|_| state.pending.is_empty()) else { return Ok(false) };
            drop(state);
            // Python's own sleep wakes up for signals.
            let wait = seconds(alarm.saturating_sub(now()));
            py.import(intern!(py, "time"))?.call_method1(intern!(py, "sleep"), (wait,))?;
            self.report(Event::Tick { now: now() }, None);
        }
    }

    /// What has become of the run.
    pub(super) fn take(&self) -> PyResult<Finished> {
        let mut state = self.lock();
        // What came in during a last commit still counts.
        for (event, raised) in std::mem::take(&mut state.held) {
            self.tell(&mut state, event, raised);
        }
        let exception = state.exception.take();
        let run = match (state.run.take(), state.never_ran.take()) {
            (Some(run), _) => Ok(run),
            (None, Some(record)) => Err(record),
            (None, None) => return Err(PyRuntimeError::new_err("the pump has finished already")),
        };
        Ok(Finished { run, exception })
    }
}

#[pymethods]
impl PyPump {
    /// Whether the run stands still until somebody resumes it.
    #[getter]
    fn stopped(&self) -> bool {
        self.lock().stopped
    }

    /// Takes the crew that awaits items.
    fn attend(&self, crew: Py<PyAny>) {
        self.lock().crew = Some(crew);
    }

    /// Lets the crew go.
    fn leave(&self, py: Python<'_>) {
        let (crew, pending) = {
            let mut state = self.lock();
            (state.crew.take(), std::mem::take(&mut state.pending))
        };
        for pending in pending {
            pending.give_up(py);
        }
        drop(crew);
    }

    /// Goes on, and gives an item to await.
    #[pyo3(signature = (*, inline))]
    fn proceed(&self, py: Python<'_>, inline: bool) -> PyResult<Option<Py<PyItem>>> {
        self.advance(py)?;
        self.hand_out(py, inline)
    }

    /// Takes what an item's awaitable gave, goes on, and gives another item.
    fn returned(
        &self,
        py: Python<'_>,
        item: &Bound<'_, PyItem>,
        answer: &Bound<'_, PyAny>,
    ) -> PyResult<Option<Py<PyItem>>> {
        self.answered(py, item.get().id, &item.get().node, answer)?;
        self.proceed(py, item.get().inline)
    }

    /// Takes what an item's awaitable raised, goes on, and gives another item.
    fn raised(
        &self,
        py: Python<'_>,
        item: &Bound<'_, PyItem>,
        error: &Bound<'_, PyAny>,
    ) -> PyResult<Option<Py<PyItem>>> {
        self.fail(py, item.get().id, PyErr::from_value(error.clone()))?;
        self.proceed(py, item.get().inline)
    }

    /// Takes that an item was not done in time, goes on, and gives another item.
    fn timed_out(&self, py: Python<'_>, item: &Bound<'_, PyItem>) -> PyResult<Option<Py<PyItem>>> {
        self.resolve(item.get().id, CallResult::TimedOut, None);
        self.proceed(py, item.get().inline)
    }

    /// Commits the journal and waits until it is; for whoever got the item that asks for it.
    fn commit(&self, py: Python<'_>) -> PyResult<()> {
        let committed = match &self.journal {
            Some(journal) => py.detach(|| journal.commit()).map_err(|error| api_error(py, &error)),
            None => Ok(()),
        };
        self.lock().commit = Commit::None;
        committed
    }

    /// Looks at the clock, and goes on with what is due.
    fn tick(&self, py: Python<'_>) -> PyResult<()> {
        self.lock().told = None;
        self.report(Event::Tick { now: now() }, None);
        self.advance(py)?;
        // Not inline and not for a worker either: everything goes to tasks of its own.
        while let Some(item) = self.hand_out(py, false)? {
            let crew = self.lock().crew.as_ref().map(|crew| crew.clone_ref(py));
            match crew {
                Some(crew) => crew.call_method1(py, intern!(py, "spawn"), (item,))?,
                None => return item.bind(py).call_method0(intern!(py, "close")).map(|_| ()),
            };
        }
        Ok(())
    }

    /// Ends the pump and gives the run. `strict` raises what made it fail.
    #[pyo3(signature = (*, strict))]
    fn finish<'py>(&self, py: Python<'py>, strict: bool) -> PyResult<Bound<'py, PyAny>> {
        PyRunState::finish(py, self, strict)
    }
}
