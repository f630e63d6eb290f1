"""The asyncio driver: pumps a run on the caller's event loop.

The native `Pump` does everything that needs no waiting: it asks the machine for effects, calls handlers, and
resolves whatever came back at once. What it cannot do is wait, so it hands out an item for each handler that
answered with an awaitable, and this module awaits it.

A single item is awaited in the caller's own task, which costs no task and no trip through the loop. Several are
awaited by workers: at most as many tasks as there are calls in flight, each of which takes the next item as soon
as it is done with one. A worker that finds its context variables changed by a handler gives its place to a fresh
one, so that no handler sees what another one has set.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from contextvars import Context, copy_context
from typing import TYPE_CHECKING, Any

from wf_core.runtime.threads import in_thread, waiting_for_disk

if TYPE_CHECKING:
    from collections.abc import Callable

    from _wf._native.core import Item, Pump

__all__ = ["TimedOutError", "call_in_thread", "drive", "within"]


async def drive(pump: Pump) -> None:
    """Pump a run until it stops: finished, failed, interrupted or cancelled.

    Cancelling the awaiting task cancels what is in flight; nothing is left running when this returns or raises.

    Raises:
        BaseException: What a handler raised that is no `Exception`, such as `asyncio.CancelledError`.
    """
    crew = _Crew(pump, asyncio.get_running_loop())
    pump.attend(crew)
    try:
        await crew.lead()
    finally:
        try:
            await crew.dismiss()
        finally:
            pump.leave()


class _Crew:
    """The tasks that await one run's items."""

    __slots__ = (
        "_at_work",
        "_context",
        "_dismissed",
        "_failure",
        "_loop",
        "_pump",
        "_recalled",
        "_timer",
        "_wake",
        "_workers",
    )

    def __init__(self, pump: Pump, loop: asyncio.AbstractEventLoop) -> None:
        self._pump = pump
        self._loop = loop
        self._context: Context = copy_context()
        self._workers: set[asyncio.Task[None]] = set()
        self._at_work: dict[int, asyncio.Task[None] | None] = {}
        self._recalled: set[int] = set()
        self._dismissed = False
        self._failure: BaseException | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._wake: asyncio.Future[None] | None = None

    async def lead(self) -> None:
        """Await items one after the other while they come singly, then wait for the workers."""
        pump = self._pump
        item = pump.proceed(inline=True)
        while item is not None:
            if item.is_pause or item.is_commit:
                await (self._commit() if item.is_commit else asyncio.sleep(0))
                item = pump.proceed(inline=True)
                continue
            try:
                result = await item.awaitable if item.timeout is None else await within(item)
            except TimedOutError:
                item = pump.timed_out(item)
            except asyncio.CancelledError as error:
                if _is_cancelled():
                    raise
                item = pump.raised(item, error)
            except BaseException as error:  # noqa: BLE001 - whatever a handler raises is the run's to judge
                item = pump.raised(item, error)
            else:
                item = pump.returned(item, result)
        while not pump.stopped and self._failure is None:
            self._wake = self._loop.create_future()
            await self._wake
        if self._failure is not None:
            raise self._failure

    # What the pump calls.

    def spawn(self, item: Item) -> None:
        """Start a worker on an item."""
        task = self._loop.create_task(self._work(item), context=self._context.copy())
        self._workers.add(task)
        self._at_work.setdefault(item.call, None)
        task.add_done_callback(self._left)

    def recall(self, call: int) -> None:
        """Stop the call that nobody waits for any more."""
        if call in self._at_work:
            self._recalled.add(call)
            if (task := self._at_work[call]) is not None:
                task.cancel()

    def alarm(self, at: float | None) -> None:
        """Have the pump look at the clock at that time, in seconds since the epoch."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if at is None else self._loop.call_later(max(0.0, at - time.time()), self._ring)

    def _ring(self) -> None:
        self._timer = None
        try:
            self._pump.tick()
        except BaseException as error:  # noqa: BLE001 - raised again by the leader
            self._failure = error
        self._look()

    async def _commit(self) -> None:
        """Commit the journal in a thread; when cancelled meanwhile, obey once it is done."""
        done = waiting_for_disk(self._pump.commit)
        try:
            await asyncio.shield(done)
        except asyncio.CancelledError:
            while not done.done():
                with suppress(asyncio.CancelledError):
                    await asyncio.wait((done,))
            raise

    # The workers.

    async def _work(self, first: Item) -> None:
        try:
            await self._work_on(first)
        except asyncio.CancelledError:
            raise
        except BaseException as error:  # noqa: BLE001 - raised again by the leader; here it would end the loop at once
            self._failure = self._failure or error

    async def _work_on(self, first: Item) -> None:  # noqa: C901, PLR0912 - a helper coroutine would cost a frame per item
        pump, at_work, recalled = self._pump, self._at_work, self._recalled
        task = asyncio.current_task()
        assert task is not None
        item: Item | None = first
        clean = copy_context()
        while item is not None:
            if item.is_pause or item.is_commit:
                await (self._commit() if item.is_commit else asyncio.sleep(0))
                item = pump.proceed(inline=False)
                continue
            call = item.call
            if call in recalled:
                # Recalled between being handed out and being begun.
                item.close()
                item = self._release(call)
                continue
            at_work[call] = task
            try:
                result = await item.awaitable if item.timeout is None else await within(item)
            except asyncio.CancelledError as error:
                if self._dismissed:
                    raise
                if call in recalled:
                    task.uncancel()
                    item = self._release(call)
                elif task.cancelling():
                    raise
                else:
                    del at_work[call]
                    item = pump.raised(item, error)
            except BaseException as error:  # noqa: BLE001 - whatever a handler raises is the run's to judge
                if call in recalled:
                    task.uncancel()
                    item = self._release(call)
                    continue
                del at_work[call]
                item = pump.timed_out(item) if type(error) is TimedOutError else pump.raised(item, error)
            else:
                if call in recalled:
                    # The handler ignored its cancellation; nobody waits for what it says.
                    task.uncancel()
                    item = self._release(call)
                    continue
                del at_work[call]
                item = pump.returned(item, result)
            if item is not None and item.call and copy_context() != clean:
                self.spawn(item)
                return

    def _release(self, call: int) -> Item | None:
        """Let go of a recalled call; the worker is free for another one."""
        self._recalled.discard(call)
        self._at_work.pop(call, None)
        return self._pump.proceed(inline=False)

    def _left(self, task: asyncio.Task[None]) -> None:
        self._workers.discard(task)
        if task.cancelled():
            # Nobody recalled it: the handler itself was cancelled, and with it the run.
            if not self._dismissed:
                self._failure = self._failure or asyncio.CancelledError()
        elif (error := task.exception()) is not None:
            self._failure = self._failure or error
        self._look()

    def _look(self) -> None:
        """Wake the leader when there is nothing left to wait for."""
        done = self._pump.stopped or self._failure is not None
        if done and self._wake is not None and not self._wake.done():
            self._wake.set_result(None)

    async def dismiss(self) -> None:
        """Cancel whatever is still in flight and wait until it is gone."""
        self._dismissed = True
        self.alarm(None)
        cancelled: asyncio.CancelledError | None = None
        for task in self._workers:
            task.cancel()
        while self._workers:
            try:
                await asyncio.wait(self._workers)
            except asyncio.CancelledError as error:
                # Cancelled once more while waiting: first see the workers out, then obey.
                cancelled = error
        if cancelled is not None:
            raise cancelled


def _is_cancelled() -> bool:
    """Return whether somebody cancels this task; a handler may also be cancelled by what it awaits."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


class TimedOutError(Exception):
    """The call's own time limit passed; a handler's own `TimeoutError` is another matter."""


async def within(item: Item) -> Any:
    """Await an item for as long as it may take.

    Raises:
        TimedOutError: It took longer.
    """
    scope = asyncio.timeout(item.timeout)
    try:
        async with scope:
            return await item.awaitable
    except TimeoutError:
        if scope.expired():
            raise TimedOutError from None
        raise


async def call_in_thread(handler: Callable[[Any, Any], Any], payload: Any, context: Any) -> Any:
    """Call a handler in a thread, with the caller's context variables; await what it answers, if need be."""
    result = await in_thread(handler, payload, context)
    return await result if hasattr(result, "__await__") else result
