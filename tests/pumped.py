"""A driver for cases over `wf_core.runtime.machine.Run`, with a clock that only moves when nothing else can happen."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.scripted import Reply, Script, answer
from wf_core import PreparedSubgraph, RunState, Workflow
from wf_core.reducers import ReducerDefinition
from wf_core.runtime.machine import Call, CancelCall, Idle, Reduce, Run

EPOCH = 1_700_000_000.0


@dataclass
class Pumped:
    """A run that this test drives itself: calls in flight are answered in order, or the newest first."""

    workflow: Workflow
    script: Script
    reducers: dict[str, ReducerDefinition]
    subgraphs: dict[str, PreparedSubgraph[Any]]
    now: float = EPOCH
    _waiting: list[tuple[Call, Reply]] = field(default_factory=list)

    def start(self, given: dict[str, Any], options: dict[str, Any]) -> None:
        limits = {key: value for key, value in options.items() if key != "deadline_ms"}
        if "deadline_ms" in options:
            limits["deadline_seconds"] = options["deadline_ms"] / 1000
        prepared: dict[str, Any] = {"reducers": self.reducers, "subgraphs": self.subgraphs}
        self.run = Run.start(self.workflow, given, now=self.now, **prepared, **limits)
        self.drive()

    def apply(self, entry: dict[str, Any]) -> None:
        if "resume" in entry:
            resume = entry["resume"]
            self.run.resume(resume["payload"], resume["outcome"], interrupt_id=resume.get("interrupt"), now=self.now)
        elif "cancel" in entry:
            self.run.cancel(entry["cancel"], now=self.now)
        elif "tick_ms" in entry:
            self.now += entry["tick_ms"] / 1000
            self.run.tick(now=self.now)
        else:
            assert entry.get("retry"), f"unknown script entry {entry}"
            self.run.retry(now=self.now)
        self.drive()

    def state(self) -> RunState:
        return self.run.state()

    def drive(self) -> None:
        while True:
            match self.run.poll():
                case Call() as call:
                    self._waiting.append((call, self.script.take(call.node, call.context())))
                case CancelCall() as cancelled:
                    self._waiting = [(call, reply) for call, reply in self._waiting if call.id != cancelled.id]
                case Reduce() as reduce:
                    self.run.resolve_reduce(reduce.id, [self._fold(one) for one in reduce.folds], now=self.now)
                case Idle() as idle if self._waiting or idle.next_timer is not None:
                    self._go_on(idle)
                case _:
                    self._waiting.clear()
                    return

    def _go_on(self, idle: Idle) -> None:
        if not self._waiting:
            assert idle.next_timer is not None
            self.now = max(self.now, idle.next_timer)
            self.run.tick(now=self.now)
            return
        call, reply = self._waiting.pop(-1 if self.script.newest_first else 0)
        if reply.get("timeout"):
            self.now += call.timeout_seconds or 0.0
            self.run.time_out(call.id, now=self.now)
        elif reply.get("cancelled"):
            self.run.cancel("a call was cancelled", now=self.now)
        else:
            try:
                result = answer(reply, call.payload, call.context())
            except Exception as error:  # noqa: BLE001 - whatever the script raises is the run's to judge
                self.run.fail(call.id, error, now=self.now)
            else:
                self.run.resolve(call.id, result, now=self.now)

    def _fold(self, one: dict[str, Any]) -> Any:
        """The merged value of one fold, or what its reducer raised."""
        merged = one["current"]
        for incoming in one["incoming"]:
            try:
                merged = self.reducers[one["reducer"]].fn(merged, incoming, one["config"])
            except ValueError as error:
                return error
        return merged
