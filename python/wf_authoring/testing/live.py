"""A run in virtual time: it goes on as far as it can, and time passes when the test says so."""

import asyncio
import inspect
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wf_authoring.testing.replies import Later
from wf_core import ReducerRef, RunState
from wf_core.runtime.machine import Call, CancelCall, Idle, Reduce, Run
from wf_core.runtime.threads import in_thread

EPOCH = 1_700_000_000.0
"""When virtual time begins, in seconds since the epoch: always the same, so that runs are too."""


class VirtualClock:
    """The time of a run under test.

    Attributes:
        now: The time in seconds since the epoch.
    """

    def __init__(self, now: float = EPOCH) -> None:
        self.now = now

    @property
    def passed(self) -> float:
        """The seconds that have passed since the beginning."""
        return self.now - EPOCH


@dataclass
class _Waiting:
    """A scripted reply under way."""

    call: int
    node: str
    due: float
    limit: float
    reply: Any


class LiveRun:
    """A run that the test drives.

    Handlers are called as the engine calls them. Time stands still while they work; retries, time limits of scripted
    replies and deadlines fire when the test lets time pass. A handler that really waits is really waited for, within
    its own time limit.

    Attributes:
        clock: The run's time.
    """

    def __init__(
        self,
        run: Run,
        *,
        registry: Mapping[str, Any],
        reducers: Mapping[str, Any],
        subgraphs: Mapping[str, Any],
        platform: object,
        clock: VirtualClock,
    ) -> None:
        self.clock = clock
        self._run = run
        self._registry = registry
        self._reducers = reducers
        self._subgraphs = subgraphs
        self._platform = platform
        self._waiting: list[_Waiting] = []
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._next_timer: float | None = None

    @property
    def stopped(self) -> bool:
        """Whether the run stands still: completed, failed, interrupted or cancelled."""
        return self._run.status not in {"pending", "running"}

    def state(self) -> RunState:
        """Return the run as it stands now."""
        return self._run.state()

    @property
    def next_time(self) -> float | None:
        """When something happens next if nobody does anything; `None` when nothing will."""
        times = [min(item.due, item.limit) for item in self._waiting]
        if self._next_timer is not None:
            times.append(self._next_timer)
        earliest = min(times, default=math.inf)
        return None if math.isinf(earliest) else earliest

    async def settle(self) -> None:
        """Go on until only the passing of time would change anything."""
        while True:
            effect = self._run.poll()
            if isinstance(effect, Call):
                self._call(effect)
            elif isinstance(effect, Reduce):
                self._reduce(effect)
            elif isinstance(effect, CancelCall):
                self._forget(effect.id)
            elif isinstance(effect, Idle):
                self._next_timer = effect.next_timer
                if not self._tasks:
                    return
                await asyncio.wait(self._tasks.values(), return_when=asyncio.FIRST_COMPLETED)
                self._tasks = {call: task for call, task in self._tasks.items() if not task.done()}
            else:
                self._next_timer = None
                await self._leave()
                return

    async def advance(self, seconds: float) -> None:
        """Let time pass; everything that is due until then happens in order.

        Raises:
            ValueError: The time is negative.
        """
        if not seconds >= 0:
            raise ValueError(f"time does not go back by {-seconds} seconds")
        end = self.clock.now + seconds
        await self.settle()
        while not self.stopped and (due := self.next_time) is not None and due <= end:
            await self._reach(due)
        self.clock.now = max(self.clock.now, end)

    async def finish(self) -> RunState:
        """Let time pass until the run stands still.

        Raises:
            AssertionError: It never will: a scripted reply never comes and has no time limit.
        """
        await self.settle()
        while not self.stopped:
            due = self.next_time
            if due is None:
                waiting = ", ".join(f"{item.node!r}" for item in self._waiting) or "nothing"
                raise AssertionError(f"the run waits for ever, for a reply of: {waiting}")
            await self._reach(due)
        return self.state()

    async def _reach(self, due: float) -> None:
        """Let the first thing happen that is due; what else is due then comes in its turn."""
        now = self.clock.now = max(self.clock.now, due)
        ready = [item for item in self._waiting if min(item.due, item.limit) <= now]
        if ready:
            first = min(ready, key=lambda item: (min(item.due, item.limit), item.call))
            self._waiting.remove(first)
            if first.due <= first.limit:
                self._answer(first.call, first.reply)
            else:
                self._run.time_out(first.call, now=now)
        if not self.stopped:
            self._run.tick(now=now)
        await self.settle()

    def _call(self, call: Call) -> None:
        registry = self._registry if call.workflow_ref is None else self._subgraphs[call.workflow_ref].registry
        if call.node not in registry:
            from wf_core import WorkflowExecutionError

            missing = WorkflowExecutionError(
                f"no handler registered for node def {call.node!r}",
                hint=f"script one: recording_registry.reply({call.node!r}, ...)",
            )
            self._run.fail(call.id, missing, now=self.clock.now)
            return
        handler = registry[call.node]
        context = call.context(self._platform)
        if getattr(handler, "__wf_blocking__", False):
            self._start(call, in_thread(handler, call.payload, context))
            return
        try:
            answer = handler(call.payload, context)
        except Exception as error:  # noqa: BLE001 - whatever a handler raises is the run's to judge
            self._run.fail(call.id, error, now=self.clock.now)
            return
        if isinstance(answer, Later):
            limit = math.inf if call.timeout_seconds is None else self.clock.now + call.timeout_seconds
            due = self.clock.now + answer.seconds
            self._waiting.append(_Waiting(call.id, call.node, due, limit, answer.reply))
        elif inspect.isawaitable(answer):
            self._start(call, answer)
        else:
            self._run.resolve(call.id, answer, now=self.clock.now)

    def _start(self, call: Call, answer: Any) -> None:
        self._tasks[call.id] = asyncio.ensure_future(self._await(call, answer))

    async def _await(self, call: Call, answer: Any) -> None:
        scope = asyncio.timeout(call.timeout_seconds)
        failure: BaseException | None = None
        result: Any = None
        try:
            async with scope:
                result = await answer
        except Exception as error:  # noqa: BLE001 - whatever a handler raises is the run's to judge
            failure = error
        if self.stopped:  # another call ended the run at the same moment
            return
        if isinstance(failure, TimeoutError) and scope.expired():
            self._run.time_out(call.id, now=self.clock.now)
        elif failure is not None:
            self._run.fail(call.id, failure, now=self.clock.now)
        else:
            self._run.resolve(call.id, result, now=self.clock.now)

    def _answer(self, call: int, reply: Any) -> None:
        if isinstance(reply, BaseException) or (isinstance(reply, type) and issubclass(reply, BaseException)):
            error = reply() if isinstance(reply, type) else reply
            self._run.fail(call, error, now=self.clock.now)
        else:
            self._run.resolve(call, reply, now=self.clock.now)

    def _reduce(self, reduce: Reduce) -> None:
        ref = reduce.workflow_ref
        reducers = self._reducers if ref is None else (self._subgraphs[ref].reducers or {})
        merged = [_folded(reducers[fold["reducer"]], fold) for fold in reduce.folds]
        self._run.resolve_reduce(reduce.id, merged, now=self.clock.now)

    def _forget(self, call: int) -> None:
        self._waiting = [item for item in self._waiting if item.call != call]
        task = self._tasks.pop(call, None)
        if task is not None:
            task.cancel()

    async def _leave(self) -> None:
        """Stop what a run that stands still no longer waits for."""
        self._waiting.clear()
        tasks = list(self._tasks.values())
        self._tasks.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _folded(definition: Any, fold: Mapping[str, Any]) -> Any:
    current = fold["current"]
    try:
        for incoming in fold["incoming"]:
            current = definition.apply(
                reducer=ReducerRef(name=fold["reducer"], config=fold["config"]),
                current_value=current,
                incoming_value=incoming,
                destination_path=fold["path"],
            )
    except Exception as error:  # noqa: BLE001 - stands in the value's place
        return error
    return current
