"""Runs of deployments: start, answer, retry, cancel, and look at them."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, TypeAlias

from wf_api._arguments import operation
from wf_api._driving import RunDrivers
from wf_api._waiting import Json, off_loop, to_the_end
from wf_api.models import TraceRange, range_of
from wf_api.run_locks import AsyncKeyedLock
from wf_core.errors import WfError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from _wf._native.api import PreparedRun
    from wf_api.operation_context import WorkflowOperationContext

__all__ = ["WorkflowRunApi"]

_LOG = logging.getLogger("wf_api")

WorkflowInput: TypeAlias = "Mapping[str, Any] | None"
"""The input of a workflow; one that is none makes a failed run, as one that does not fit its schema does."""

Range = TraceRange | dict[str, Any] | None


class WorkflowRunApi:
    """Runs deployments and keeps how they went."""

    def __init__(self, context: WorkflowOperationContext, *, resume_locks: AsyncKeyedLock | None = None) -> None:
        """Stands on a context."""
        self._application = context.application
        self._drivers = RunDrivers(context.application, context.runtime)
        self._locks = AsyncKeyedLock() if resume_locks is None else resume_locks

    @operation
    async def run_deployment(
        self, *, deployment_id: str, workflow_input: WorkflowInput = None, trace_range: Range = None
    ) -> Json:
        """Run a deployment until it stands still, and keep how it went.

        Args:
            deployment_id: The deployment.
            workflow_input: The input of the workflow.
            trace_range: Which entries of the trace the result holds; none by default.

        Returns:
            The run: `status`, `run_id`, `output`, `error`, `failure`, `interrupt`, `diagnostics`, `trace_count` and
            `next_actions`, and with a range `trace`. A deployment that cannot run gives the status `unrunnable` and
            its diagnostics, and no run is kept.

        Raises:
            UnknownRecordError: The deployment or its artifact is not there (a `KeyError`).
            OperationError: The range is none.
        """
        limits = self._checked(trace_range)
        begun = await self._begun(deployment_id, workflow_input)
        if isinstance(begun, dict):
            return _with_empty_trace(begun, limits)
        return await self._drivers.attended(begun, limits)

    @operation
    async def start_run(self, *, deployment_id: str, workflow_input: WorkflowInput = None) -> Json:
        """Start a run of a deployment and return at once; the run goes on by itself on this event loop.

        When the loop or the process ends before the run, `recover_runs` goes on with it.

        Returns:
            The run, as `run_deployment` gives it, with the status `running`.

        Raises:
            UnknownRecordError: The deployment or its artifact is not there (a `KeyError`).
        """
        begun = await self._begun(deployment_id, workflow_input)
        if isinstance(begun, dict):
            return begun
        self._drivers.unattended(begun)
        return await off_loop(self._application.inspect_run, str(begun.run_id))

    @operation
    async def recover_runs(self) -> list[str]:
        """Go on with the runs that a dead process left, and wait until each of them stands still again.

        A call whose result was recorded is never made again. One that was in flight is made again, under the same
        `call_id`. A run that another process drives is left alone; one that cannot be read is put aside as failed.

        Returns:
            The ids of the runs that were gone on with.
        """
        recovered: dict[str, asyncio.Task[Json]] = {}
        for run_id in await off_loop(self._application.abandoned_runs):
            try:
                begun = await off_loop(self._application.begin_recovery, run_id)
            except WfError as error:
                # One that cannot be read is put aside as failed; any other is left for the next time.
                _LOG.warning("%s could not be gone on with: %s", run_id, error)
                continue
            if begun is not None and not isinstance(begun, dict):
                recovered[run_id] = self._drivers.unattended(begun)
        if recovered:
            await asyncio.wait(recovered.values())
        return list(recovered)

    @operation
    async def resume_run(
        self,
        *,
        run_id: str,
        resume_payload: Mapping[str, Any] | None = None,
        resume_outcome: str = "submitted",
        interrupt_id: str | None = None,
        trace_range: Range = None,
    ) -> Json:
        """Answer an interrupted run and let it go on.

        The sources are checked as they are now, against the environment that the run was started in. When they do not
        allow it, the run stays interrupted and its `resume_readiness` is `blocked`.

        Args:
            run_id: The run.
            resume_payload: The answer.
            resume_outcome: The outcome of the interrupt step.
            interrupt_id: Which interrupt is answered; the one that waits by default.
            trace_range: Which entries of the trace the result holds; none by default.

        Returns:
            The run, as `run_deployment` gives it.

        Raises:
            OperationError: The run is not interrupted, or the range is none (a `ValueError`).
            RunEventError: The answer does not fit; the run is as it was.
        """
        limits = self._checked(trace_range)
        async with self._locks.lock(run_id):
            payload = {} if resume_payload is None else resume_payload
            begun = await to_the_end(self._application.begin_resume, run_id, interrupt_id, resume_outcome, payload)
            return begun if isinstance(begun, dict) else await self._drivers.attended(begun, limits)

    @operation
    async def retry_run(self, *, run_id: str, trace_range: Range = None) -> Json:
        """Let a failed run try again from where it failed.

        Returns:
            The run, as `run_deployment` gives it.

        Raises:
            OperationError: The run has not failed, or the range is none (a `ValueError`).
        """
        limits = self._checked(trace_range)
        async with self._locks.lock(run_id):
            begun = await to_the_end(self._application.begin_retry, run_id)
            return begun if isinstance(begun, dict) else await self._drivers.attended(begun, limits)

    @operation
    async def cancel_run(self, *, run_id: str, reason: str = "cancelled") -> Json:
        """Cancel a run: one that is driven here, or one that waits for a person.

        Calls in flight are cancelled. A run that finishes before the cancellation takes effect stays finished.

        Raises:
            RunEventError: The run has finished.
            RunConflictError: Another process drives it.
        """
        cancelled = await self._drivers.cancel(run_id, reason)
        if cancelled is not None:
            return cancelled
        async with self._locks.lock(run_id):
            return await off_loop(self._application.cancel_run, run_id, reason)

    @operation
    async def inspect_run(self, *, run_id: str) -> Json:
        """Return a run without its trace; it needs neither deployment nor sources any more.

        Raises:
            UnknownRecordError: It is not there (a `KeyError`).
        """
        return await off_loop(self._application.inspect_run, run_id)

    @operation
    async def read_run_trace(self, *, run_id: str, trace_range: Range = None) -> Json:
        """Return a slice of a run's trace.

        Raises:
            UnknownRecordError: The run is not there (a `KeyError`).
            OperationError: The range is none.
        """
        start, limit = range_of(trace_range) or range_of(TraceRange()) or (0, 25)
        return await off_loop(self._application.read_run_trace, run_id, start, limit)

    @operation
    async def list_runs(self, *, status: str | None = None, cursor: str | None = None, limit: int = 50) -> Json:
        """List runs, the latest first.

        Raises:
            OperationError: The status, the cursor or the limit is none.
        """
        return await off_loop(self._application.list_runs, status, cursor, limit)

    def _checked(self, trace_range: Range) -> tuple[int, int] | None:
        limits = range_of(trace_range)
        if limits is not None:
            self._application.check_trace_range(*limits)
        return limits

    async def _begun(self, deployment_id: str, workflow_input: WorkflowInput) -> Json | PreparedRun:
        given = {} if workflow_input is None else workflow_input
        starting = asyncio.ensure_future(off_loop(self._application.begin_run, deployment_id, given))
        try:
            return await asyncio.shield(starting)
        except asyncio.CancelledError:
            starting.add_done_callback(_give_back)
            raise


def _give_back(starting: asyncio.Future[Json | PreparedRun]) -> None:
    """Let go of a run whose starter was cancelled before he had it."""
    if not starting.cancelled() and starting.exception() is None and not isinstance(begun := starting.result(), dict):
        begun.give_back()


def _with_empty_trace(result: Json, limits: tuple[int, int] | None) -> Json:
    """Return the result of a run without steps, with the slice of its trace when one was asked for."""
    if limits is None or result["run_id"] is None:
        return result
    start, limit = limits
    return {**result, "trace": [], "trace_start": start, "trace_limit": limit, "trace_truncated": False}
