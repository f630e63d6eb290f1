//! A call whose handler answered with an awaitable.

use std::sync::Arc;

use pyo3::intern;
use pyo3::prelude::*;
use wf_core::run::CallId;

/// A call that somebody has to await; the pump hands these out.
#[pyclass(name = "Item", module = "_wf._native.core", frozen)]
pub(super) struct PyItem {
    /// The call; 0 for a pause.
    pub(super) id: CallId,
    /// The step that is called.
    pub(super) node: Arc<str>,
    awaitable: Option<Py<PyAny>>,
    timeout: Option<f64>,
    /// Whether it is awaited by the leader, in the caller's own task.
    pub(super) inline: bool,
    /// Whether there is nothing to await but the journal's commit.
    commit: bool,
}

impl PyItem {
    /// A call to await.
    pub(super) fn new(pending: Pending, inline: bool) -> Self {
        Self {
            id: pending.id,
            node: pending.node,
            awaitable: Some(pending.awaitable),
            timeout: pending.timeout,
            inline,
            commit: false,
        }
    }

    /// Nothing to await: let other tasks have a turn, then proceed.
    pub(super) fn pause(inline: bool) -> Self {
        Self { id: CallId::new(0), node: Arc::from(""), awaitable: None, timeout: None, inline, commit: false }
    }

    /// Nothing to await: commit the journal, then proceed.
    pub(super) fn commit(inline: bool) -> Self {
        Self { commit: true, ..Self::pause(inline) }
    }
}

#[pymethods]
impl PyItem {
    /// The call's number within its run.
    #[getter]
    fn call(&self) -> u64 {
        self.id.get()
    }

    /// What to await.
    #[getter]
    fn awaitable<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        self.awaitable.as_ref().map(|awaitable| awaitable.bind(py).clone())
    }

    /// The seconds within which it has to be done.
    #[getter]
    fn timeout(&self) -> Option<f64> {
        self.timeout
    }

    /// Whether there is nothing to await, and the loop is to have a turn.
    #[getter]
    fn is_pause(&self) -> bool {
        self.awaitable.is_none() && !self.commit
    }

    /// Whether the journal is to be committed before the run goes on.
    #[getter]
    fn is_commit(&self) -> bool {
        self.commit
    }

    /// Gives the awaitable up without awaiting it.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.awaitable.as_ref().map_or(Ok(()), |awaitable| give_up(awaitable.bind(py)))
    }
}

/// An awaitable that waits to be handed out.
pub(super) struct Pending {
    pub(super) id: CallId,
    pub(super) node: Arc<str>,
    pub(super) awaitable: Py<PyAny>,
    pub(super) timeout: Option<f64>,
}

impl Pending {
    /// Gives it up; what that raises is of no interest to anybody.
    pub(super) fn give_up(&self, py: Python<'_>) {
        if let Err(error) = give_up(self.awaitable.bind(py)) {
            error.write_unraisable(py, Some(self.awaitable.bind(py)));
        }
    }
}

/// Closes a coroutine, which else would warn that it was never awaited; cancels a future.
fn give_up(awaitable: &Bound<'_, PyAny>) -> PyResult<()> {
    let py = awaitable.py();
    for name in [intern!(py, "close"), intern!(py, "cancel")] {
        if let Some(method) = awaitable.getattr_opt(name)? {
            method.call0()?;
            break;
        }
    }
    Ok(())
}
