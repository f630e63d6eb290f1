"""Driving stored runs on the caller's event loop: one task a run, and a record of how it stopped, whatever stops it."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from wf_api._waiting import Json, to_the_end
from wf_core.runtime._asyncio import drive

if TYPE_CHECKING:
    from _wf._native.api import Application, PreparedRun
    from wf_api.execution import WorkflowRuntime

__all__ = ["RunDrivers"]

Range = tuple[int, int] | None

_GIVEN_UP = "the run's task was cancelled"
_LOG = logging.getLogger("wf_api")


class RunDrivers:
    """The runs that this process drives."""

    def __init__(self, application: Application, runtime: WorkflowRuntime) -> None:
        """Stands on an application and what executes its workflows."""
        self._application = application
        self._runtime = runtime
        self._live: dict[str, _Drive] = {}

    async def attended(self, begun: PreparedRun, limits: Range) -> Json:
        """Drive a run for a caller who waits; when the caller is cancelled, so is the run."""
        return await self._task(begun, limits, attended=True)

    def unattended(self, begun: PreparedRun) -> asyncio.Task[Json]:
        """Drive a run that nobody waits for; when the loop ends before it, whoever recovers runs goes on with it."""
        task = self._task(begun, None, attended=False)
        task.add_done_callback(_log_failure)
        return task

    async def cancel(self, run_id: str, reason: str) -> Json | None:
        """Cancel a run that is driven here and return its result; `None` when it is not."""
        live = self._live.get(run_id)
        if live is None:
            return None
        if live.cancellable:
            live.reason = reason
            live.task.cancel()
        # What becomes of the task is for those who wait for the run.
        await asyncio.wait((live.task,))
        return await to_the_end(self._application.inspect_run, run_id)

    def _task(self, begun: PreparedRun, limits: Range, *, attended: bool) -> asyncio.Task[Json]:
        live = _Drive(attended=attended)
        run_id = str(begun.run_id)
        live.task = asyncio.get_running_loop().create_task(self._driven(begun, limits, live), name=f"wf-{run_id}")
        self._live[run_id] = live
        live.task.add_done_callback(lambda _: self._live.pop(run_id, None))
        return live.task

    async def _driven(self, begun: PreparedRun, limits: Range, live: _Drive) -> Json:
        pump = self._runtime.pump(begun)
        live.cancellable = True
        try:
            await drive(pump)
        except asyncio.CancelledError:
            live.cancellable = False
            state = pump.finish(strict=False)
            if live.reason is None and not live.attended:
                await to_the_end(self._application.finish_run, begun, state, None)
                raise
            reason = live.reason or _GIVEN_UP
            result: Json = await to_the_end(self._application.cancel_driven, begun, state, reason, limits)
            if live.reason is None:
                raise
            return result
        except BaseException:
            live.cancellable = False
            # A node raised `SystemExit` or the like, and the run failed with it; or the store cannot be written, and
            # what it has is what counts.
            with suppress(Exception):
                await to_the_end(self._application.finish_run, begun, pump.finish(strict=False), None)
            with suppress(Exception):
                await to_the_end(begun.give_back)
            raise
        live.cancellable = False
        return await to_the_end(self._application.finish_run, begun, pump.finish(strict=False), limits)


class _Drive:
    """A run that is being driven."""

    task: asyncio.Task[Json]

    def __init__(self, *, attended: bool) -> None:
        self.attended = attended
        self.cancellable = False
        self.reason: str | None = None


def _log_failure(task: asyncio.Task[Any]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        _LOG.error("%s stopped being driven", task.get_name(), exc_info=error)
