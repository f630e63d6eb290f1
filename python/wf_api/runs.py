"""Runs of deployments: start, answer, retry, cancel, and look at them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, TypeAlias

from wf_api._arguments import operation
from wf_api._waiting import Json, off_loop, to_the_end
from wf_api.models import TraceRange, range_of
from wf_api.run_locks import AsyncKeyedLock

if TYPE_CHECKING:
    from collections.abc import Awaitable, Mapping

    from _wf._native.api import PreparedRun
    from wf_api.operation_context import WorkflowOperationContext
    from wf_core import RunState

__all__ = ["WorkflowRunApi"]

WorkflowInput: TypeAlias = "Mapping[str, Any] | None"
"""The input of a workflow; one that is none makes a failed run, as one that does not fit its schema does."""

Range = TraceRange | dict[str, Any] | None


class WorkflowRunApi:
    """Runs deployments and keeps how they went."""

    def __init__(self, context: WorkflowOperationContext, *, resume_locks: AsyncKeyedLock | None = None) -> None:
        """Stands on a context."""
        self._application = context.application
        self._runtime = context.runtime
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
        begun = await off_loop(self._application.begin_run, deployment_id)
        if isinstance(begun, dict):
            return begun
        run_id = str(begun.run_id)
        driving = self._runtime.start(begun, {} if workflow_input is None else workflow_input, run_id=run_id)
        return await self._driven(run_id, driving, limits)

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
            begun = await off_loop(self._application.begin_resume, run_id)
            if isinstance(begun, dict):
                return begun
            payload = {} if resume_payload is None else resume_payload
            return await self._resumed(
                begun, limits, payload=payload, outcome=resume_outcome, interrupt_id=interrupt_id
            )

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
            begun = await off_loop(self._application.begin_retry, run_id)
            if isinstance(begun, dict):
                return begun
            return await self._resumed(begun, limits, payload=None, outcome="submitted", interrupt_id=None)

    @operation
    async def cancel_run(self, *, run_id: str, reason: str = "cancelled") -> Json:
        """Cancel a run that waits for a person.

        Raises:
            RunEventError: The run has finished.
        """
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

    async def _resumed(
        self,
        begun: PreparedRun,
        limits: tuple[int, int] | None,
        *,
        payload: Mapping[str, Any] | None,
        outcome: str,
        interrupt_id: str | None,
    ) -> Json:
        state = await self._runtime.resume(begun, payload=payload, outcome=outcome, interrupt_id=interrupt_id)
        return await to_the_end(self._application.finish_run, str(begun.run_id), state, limits)

    async def _driven(self, run_id: str, driving: Awaitable[RunState], limits: tuple[int, int] | None) -> Json:
        """Drive a new run and keep how it stopped, whatever stops it."""
        try:
            state = await driving
        except asyncio.CancelledError:
            given_up = {"code": "run.cancelled", "type": "CancelledError", "message": "the run's task was cancelled"}
            await to_the_end(self._application.abandon_run, run_id, "cancelled", given_up, None)
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, the stored run says so
            # What cannot even be started is a failed run as well.
            failure = {
                "code": getattr(error, "code", "run.not_started"),
                "type": type(error).__name__,
                "message": str(error),
            }
            return await to_the_end(self._application.abandon_run, run_id, "failed", failure, limits)
        return await to_the_end(self._application.finish_run, run_id, state, limits)
