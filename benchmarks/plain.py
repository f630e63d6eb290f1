"""The floor: a plain Python loop that calls the same functions, with no engine at all."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

from benchmarks.harness import PASSING_STEPS, Measure, fresh_state, kilobyte, rss_mb, timed, timed_async


def step(state: dict[str, Any]) -> dict[str, Any]:
    """The node of the chains and of the loop."""
    return {"i": state["i"] + 1}


async def step_async(state: dict[str, Any]) -> dict[str, Any]:
    """The same as a coroutine."""
    return {"i": state["i"] + 1}


def chain(n: int) -> Measure:
    """Sync nodes in a row."""
    nodes = [step] * n

    def run() -> None:
        state = fresh_state()
        for node in nodes:
            state.update(node(state))
        assert state["i"] == n

    return Measure(timed(run) / n * 1e6)


def chain_async(n: int) -> Measure:
    """Async nodes in a row."""
    nodes = [step_async] * n

    async def run() -> None:
        state = fresh_state()
        for node in nodes:
            state.update(await node(state))
        assert state["i"] == n

    return Measure(asyncio.run(timed_async(run)) / n * 1e6)


def loop(n: int) -> Measure:
    """One node and a condition."""

    def run() -> None:
        state = fresh_state()
        while state["i"] < n:
            state.update(step(state))

    return Measure(timed(run) / n * 1e6)


async def bounded(work: Callable[[int], Awaitable[int]], items: list[int], limit: int) -> list[int]:
    """The way most people write it: a semaphore and `gather`."""
    semaphore = asyncio.Semaphore(limit)

    async def one(item: int) -> int:
        async with semaphore:
            return await work(item)

    return await asyncio.gather(*(one(item) for item in items))


async def add_one(item: int) -> int:
    """The node of the fan-out."""
    return item + 1


async def nap(item: int) -> int:
    """A node that waits, as one that calls a server does."""
    await asyncio.sleep(0.01)
    return item + 1


def _fan(work: Callable[[int], Awaitable[int]], n: int, limit: int) -> tuple[float, float]:
    items = list(range(n))
    before = rss_mb()

    async def run() -> float:
        await bounded(work, items[:50], limit)
        start = time.perf_counter()
        results = await bounded(work, items, limit)
        seconds = time.perf_counter() - start
        assert results == list(range(1, n + 1))
        return seconds

    return asyncio.run(run()), rss_mb("VmHWM") - before


def fanout(n: int) -> Measure:
    """An async node over n items, at most 64 at once."""
    seconds, grown = _fan(add_one, n, 64)
    return Measure(seconds / n * 1e6, grown)


def sleepers(n: int) -> Measure:
    """Items that wait, at most 100 at once."""
    seconds, _ = _fan(nap, n, 100)
    return Measure(seconds * 1e3)


def growth(n: int) -> Measure:
    """A list in the state that grows by 1 KB a step."""

    def run() -> None:
        state: dict[str, Any] = {"log": []}
        for i in range(n):
            state["log"].append(kilobyte(i))
        assert len(state["log"]) == n

    return Measure(timed(run) * 1e3)


def passing(n: int) -> Measure:
    """A short chain beside a large value that no node asks for."""

    def run() -> None:
        state = {**fresh_state(), "ballast": ballast}
        for _ in range(PASSING_STEPS):
            state.update(step(state))
        assert state["i"] == PASSING_STEPS

    ballast = "x" * n
    return Measure(timed(run) / PASSING_STEPS * 1e6)


def cold(n: int) -> Measure:
    """Three nodes in a fresh process: here, nothing but the calls."""
    start = time.perf_counter()
    state = fresh_state()
    for _ in range(n):
        state.update(step(state))
    return Measure((time.perf_counter() - start) * 1e3)
