"""Apache Burr without a persister: actions and transitions, `MapStates` for the fan-out, a semaphore in the action."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from importlib import import_module
from itertools import pairwise
from typing import Any

from benchmarks.harness import Measure, fresh_state, kilobyte, rss_mb, timed, timed_async

LIBRARY = "burr"


def _graph(actions: dict[str, Any], transitions: list[tuple[Any, ...]]) -> Any:
    builder: Any = import_module("burr.core.graph").GraphBuilder()
    return builder.with_actions(**actions).with_transitions(*transitions).build()


def _row(actions: list[Any]) -> Any:
    names = [f"n{k}" for k in range(len(actions))]
    return _graph(dict(zip(names, actions, strict=True)), list(pairwise(names)))


def _app(graph: Any, state: dict[str, Any], entry: str) -> Any:
    builder: Any = import_module("burr.core").ApplicationBuilder()
    return builder.with_graph(graph).with_state(**state).with_entrypoint(entry).build()


def _step() -> Any:
    core: Any = import_module("burr.core")

    def step(state: Any) -> Any:
        return state.update(i=state["i"] + 1)

    return core.action(reads=["i"], writes=["i"])(step)


def _step_async() -> Any:
    core: Any = import_module("burr.core")

    async def step(state: Any) -> Any:
        return state.update(i=state["i"] + 1)

    return core.action(reads=["i"], writes=["i"])(step)


def chain(n: int) -> Measure | None:
    """Sync actions in a row; the largest size takes minutes to build, so it is left out."""
    if n > 1000:
        return None
    graph = _row([_step()] * n)

    def run() -> None:
        _, _, state = _app(graph, fresh_state(), "n0").run(halt_after=[f"n{n - 1}"])
        assert state["i"] == n

    return Measure(timed(run) / n * 1e6)


def chain_async(n: int) -> Measure:
    """Async actions in a row."""
    graph = _row([_step_async()] * n)

    async def run() -> None:
        _, _, state = await _app(graph, fresh_state(), "n0").arun(halt_after=[f"n{n - 1}"])
        assert state["i"] == n

    return Measure(asyncio.run(timed_async(run)) / n * 1e6)


def loop(n: int) -> Measure:
    """One action and a condition."""
    core: Any = import_module("burr.core")

    def done(state: Any) -> Any:
        return state

    more = core.Condition.lmda(lambda s: s["i"] < n, ["i"])
    graph = _graph(
        {"inc": _step(), "done": core.action(reads=[], writes=[])(done)},
        [("inc", "inc", more), ("inc", "done", core.default)],
    )
    _app(graph, {**fresh_state(), "i": n - 50}, "inc").run(halt_after=["done"])
    app = _app(graph, fresh_state(), "inc")
    start = time.perf_counter()
    _, _, state = app.run(halt_after=["done"])
    assert state["i"] == n
    return Measure((time.perf_counter() - start) / n * 1e6)


async def _work(item: int) -> int:
    return item + 1


async def _nap(item: int) -> int:
    await asyncio.sleep(0.01)
    return item + 1


def _mapper(body: Callable[[int], Awaitable[int]], limit: int) -> Any:
    core: Any = import_module("burr.core")
    map_states: Any = import_module("burr.core.parallelism").MapStates
    semaphore = asyncio.Semaphore(limit)

    async def work(state: Any) -> Any:
        async with semaphore:
            return state.update(out=await body(state["item"]))

    inner = core.action(reads=["item"], writes=["out"])(work)

    async def states(_self: Any, state: Any, _context: Any, _inputs: Any) -> AsyncIterator[Any]:
        for item in state["items"]:
            yield core.State({"item": item})

    async def reduce(_self: Any, state: Any, found: Any) -> Any:
        return state.update(results=[one["out"] async for one in found])

    members = {
        "action": lambda _self, _state, _inputs: inner,
        "states": states,
        "reduce": reduce,
        "is_async": lambda _self: True,
        "reads": property(lambda _self: ["items"]),
        "writes": property(lambda _self: ["results"]),
    }
    return type("Fan", (map_states,), members)()


def _fan(n: int, body: Callable[[int], Awaitable[int]], limit: int) -> tuple[float, float]:
    graph = _graph({"fan": _mapper(body, limit)}, [])

    async def run() -> tuple[float, float]:
        await _app(graph, {"items": list(range(50))}, "fan").arun(halt_after=["fan"])
        app = _app(graph, {"items": list(range(n))}, "fan")
        before = rss_mb()
        start = time.perf_counter()
        _, _, state = await app.arun(halt_after=["fan"])
        seconds = time.perf_counter() - start
        assert state["results"] == list(range(1, n + 1))
        return seconds, rss_mb("VmHWM") - before

    return asyncio.run(run())


def fanout(n: int) -> Measure | None:
    """`MapStates` over the items; the largest size is left out."""
    if n > 10_000:
        return None
    seconds, grown = _fan(n, _work, 64)
    return Measure(seconds / n * 1e6, grown)


def sleepers(n: int) -> Measure:
    """Items that wait."""
    seconds, _ = _fan(n, _nap, 100)
    return Measure(seconds * 1e3)


def growth(n: int) -> Measure:
    """A list in the state that grows by 1 KB a step."""
    core: Any = import_module("burr.core")

    def make(k: int) -> Any:
        def append(state: Any) -> Any:
            return state.append(log=kilobyte(k))

        return core.action(reads=["log"], writes=["log"])(append)

    app = _app(_row([make(k) for k in range(n)]), {"log": []}, "n0")
    start = time.perf_counter()
    _, _, state = app.run(halt_after=[f"n{n - 1}"])
    assert len(state["log"]) == n
    return Measure((time.perf_counter() - start) * 1e3)


def passing(n: int) -> Measure:
    """A short chain beside a large value."""
    graph = _row([_step()] * 100)
    ballast = "x" * n

    def run() -> None:
        _app(graph, {**fresh_state(), "ballast": ballast}, "n0").run(halt_after=["n99"])

    return Measure(timed(run) / 100 * 1e6)


def cold(n: int) -> Measure:
    """Import, build and run three actions."""
    start = time.perf_counter()
    _, _, state = _app(_row([_step()] * n), fresh_state(), "n0").run(halt_after=[f"n{n - 1}"])
    assert state["i"] == n
    return Measure((time.perf_counter() - start) * 1e3)
