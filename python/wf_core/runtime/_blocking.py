"""The blocking driver's way to wait: an event loop that turns only while there is nothing else to do."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from contextvars import copy_context
from typing import TYPE_CHECKING, Any

from wf_core.runtime._asyncio import TimedOutError, within

if TYPE_CHECKING:
    from _wf._native.core import Item, Pump

__all__ = ["drive_blocking"]


def drive_blocking(pump: Pump) -> None:
    """Pump a run that has to wait, from code that is not async: on an event loop of its own.

    Where the calling thread already runs a loop, the private one lives in a thread of its own.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        _Private(pump).drive()
        return
    import threading

    failure: list[BaseException] = []

    def run() -> None:
        try:
            _Private(pump).drive()
        except BaseException as error:  # noqa: BLE001 - raised again in the calling thread
            failure.append(error)

    thread = threading.Thread(target=copy_context().run, args=(run,), name="wf-run")
    thread.start()
    thread.join()
    if failure:
        raise failure[0]


class _Private:
    """Awaits one run's items on an event loop that turns only while there is nothing else to do.

    Sync handlers and reducers are called while it stands still, so each of them may run a loop of its own, whether
    something was awaited before it or not.
    """

    __slots__ = ("_alarm", "_context", "_dismissed", "_done", "_loop", "_pump", "_recalled", "_tasks")

    def __init__(self, pump: Pump) -> None:
        self._pump = pump
        self._context = copy_context()
        self._tasks: dict[int, asyncio.Task[Any]] = {}
        self._done: deque[tuple[Item, asyncio.Task[Any]]] = deque()
        self._recalled: set[int] = set()
        self._alarm: float | None = None
        self._dismissed = False

    def drive(self) -> None:
        """Pump the run until it stops."""
        pump = self._pump
        pump.attend(self)
        try:
            with asyncio.Runner() as runner:
                self._loop = runner.get_loop()
                try:
                    self._begin(pump.proceed(inline=False))
                    while not pump.stopped:
                        self._wait()
                finally:
                    self._dismiss()
        finally:
            pump.leave()

    # What the pump calls.

    def spawn(self, item: Item) -> None:
        """Start to await an item."""
        task = self._loop.create_task(_answer(item), context=self._context.copy())
        self._tasks[item.call] = task
        task.add_done_callback(lambda task: self._left(item, task))

    def recall(self, call: int) -> None:
        """Stop the call that nobody waits for any more."""
        if (task := self._tasks.get(call)) is not None:
            self._recalled.add(call)
            task.cancel()

    def alarm(self, at: float | None) -> None:
        """Have the pump look at the clock at that time, in seconds since the epoch."""
        self._alarm = at

    # One turn.

    def _wait(self) -> None:
        """Let the loop turn until something is done or due, then tell the pump."""
        timer = None
        if self._alarm is not None:
            timer = self._loop.call_later(max(0.0, self._alarm - time.time()), self._loop.stop)
        self._loop.run_forever()
        if timer is not None:
            timer.cancel()
        while self._done and not self._pump.stopped:
            self._begin(self._report(*self._done.popleft()))
        if self._alarm is not None and self._alarm <= time.time():
            self._alarm = None
            self._pump.tick()

    def _begin(self, item: Item | None) -> None:
        if item is not None:
            self.spawn(item)

    def _report(self, item: Item, task: asyncio.Task[Any]) -> Item | None:
        if item.call in self._recalled:
            self._recalled.discard(item.call)
            _forget(task)
            return self._pump.proceed(inline=False)
        try:
            result = task.result()
        except TimedOutError:
            return self._pump.timed_out(item)
        except BaseException as error:  # noqa: BLE001 - whatever a handler raises is the run's to judge
            return self._pump.raised(item, error)
        return self._pump.returned(item, result)

    def _left(self, item: Item, task: asyncio.Task[Any]) -> None:
        del self._tasks[item.call]
        self._done.append((item, task))
        if not self._dismissed:
            self._loop.stop()

    def _dismiss(self) -> None:
        """Cancel whatever is still in flight and wait until it is gone."""
        self._dismissed = True
        for task in self._tasks.values():
            task.cancel()
        while self._tasks:
            self._loop.run_until_complete(asyncio.wait(list(self._tasks.values())))
        for _, task in self._done:
            _forget(task)


def _forget(task: asyncio.Task[Any]) -> None:
    """Look at what a task raised; asyncio would complain about an exception that nobody has seen."""
    if not task.cancelled():
        task.exception()


async def _answer(item: Item) -> Any:
    return await item.awaitable if item.timeout is None else await within(item)
