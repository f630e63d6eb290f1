"""pydantic-graph 2: `GraphBuilder` with async steps, decisions, `map` and a join; a semaphore in the step."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from benchmarks.harness import Measure, kilobyte, rss_mb, timed_async

LIBRARY = "pydantic_graph"


@dataclass
class State:
    """The state of chains, loops and the growing list."""

    i: int = 0
    name: str = "order-17"
    flag: bool = True
    score: float = 0.5
    tags: list[str] = field(default_factory=lambda: ["a", "b"])
    log: list[str] = field(default_factory=list)
    ballast: str = ""


async def _step(ctx: Any) -> None:
    ctx.state.i += 1


def _chain(n: int, make: Callable[[int], Any]) -> Any:
    library: Any = import_module("pydantic_graph")
    builder = library.GraphBuilder(state_type=State, output_type=type(None))
    steps = [builder.step(make(k), node_id=f"n{k}") for k in range(n)]
    for a, b in zip([builder.start_node, *steps], [*steps, builder.end_node], strict=True):
        builder.add(builder.edge_from(a).to(b))
    return builder.build()


def chain_async(n: int) -> Measure:
    """Async steps in a row (there are no others)."""
    app = _chain(n, lambda _: _step)

    async def run() -> None:
        state = State()
        await app.run(state=state)
        assert state.i == n

    return Measure(asyncio.run(timed_async(run)) / n * 1e6)


def loop(n: int) -> Measure:
    """One step and a decision."""
    library: Any = import_module("pydantic_graph")
    builder = library.GraphBuilder(state_type=State, output_type=int)

    async def inc(ctx: Any) -> int:
        ctx.state.i += 1
        return int(ctx.state.i)

    step = builder.step(inc, node_id="inc")
    builder.add(
        builder.edge_from(builder.start_node).to(step),
        builder.edge_from(step).to(
            builder.decision()
            .branch(builder.match(int, matches=lambda x: x < n).to(step))
            .branch(builder.match(int).to(builder.end_node)),
        ),
    )
    app = builder.build()

    async def run() -> float:
        await app.run(state=State(i=n - 50))
        start = time.perf_counter()
        assert await app.run(state=State()) == n
        return time.perf_counter() - start

    return Measure(asyncio.run(run()) / n * 1e6)


async def _work(item: int) -> int:
    return item + 1


async def _nap(item: int) -> int:
    await asyncio.sleep(0.01)
    return item + 1


def _fan(n: int, body: Callable[[int], Awaitable[int]], limit: int) -> tuple[float, float]:
    library: Any = import_module("pydantic_graph")
    semaphore = asyncio.Semaphore(limit)

    async def items(ctx: Any) -> list[int]:
        return list(range(ctx.inputs))

    async def work(ctx: Any) -> int:
        async with semaphore:
            return await body(ctx.inputs)

    builder = library.GraphBuilder(input_type=int, output_type=list)
    source, worker = builder.step(items, node_id="items"), builder.step(work, node_id="work")
    join = builder.join(library.reduce_list_append, initial_factory=list)
    builder.add(
        builder.edge_from(builder.start_node).to(source),
        builder.edge_from(source).map().to(worker),
        builder.edge_from(worker).to(join),
        builder.edge_from(join).to(builder.end_node),
    )
    app = builder.build()

    async def run() -> tuple[float, float]:
        await app.run(inputs=50)
        before = rss_mb()
        start = time.perf_counter()
        done = await app.run(inputs=n)
        seconds = time.perf_counter() - start
        assert sorted(done) == list(range(1, n + 1))
        return seconds, rss_mb("VmHWM") - before

    return asyncio.run(run())


def fanout(n: int) -> Measure | None:
    """`map` and a join; quadratic, so the largest size is left out."""
    if n > 10_000:
        return None
    seconds, grown = _fan(n, _work, 64)
    return Measure(seconds / n * 1e6, grown)


def sleepers(n: int) -> Measure:
    """Items that wait."""
    seconds, _ = _fan(n, _nap, 100)
    return Measure(seconds * 1e3)


def growth(n: int) -> Measure:
    """A list in the (mutable) state that grows by 1 KB a step."""

    def make(k: int) -> Any:
        async def append(ctx: Any) -> None:
            ctx.state.log.append(kilobyte(k))

        return append

    app = _chain(n, make)

    async def run() -> float:
        state = State()
        start = time.perf_counter()
        await app.run(state=state)
        assert len(state.log) == n
        return time.perf_counter() - start

    return Measure(asyncio.run(run()) * 1e3)


def passing(n: int) -> Measure:
    """A short chain beside a large value."""
    app = _chain(100, lambda _: _step)
    ballast = "x" * n

    async def run() -> None:
        await app.run(state=State(ballast=ballast))

    return Measure(asyncio.run(timed_async(run)) / 100 * 1e6)


def cold(n: int) -> Measure:
    """Import, build and run three steps."""
    start = time.perf_counter()
    app = _chain(n, lambda _: _step)
    state = State()
    asyncio.run(app.run(state=state))
    assert state.i == n
    return Measure((time.perf_counter() - start) * 1e3)
