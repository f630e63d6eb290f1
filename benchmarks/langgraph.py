"""LangGraph without a checkpointer: a `StateGraph`, `Send` for the fan-out, `operator.add` to gather."""

from __future__ import annotations

import asyncio
import operator
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Annotated, Any, TypedDict

from benchmarks.harness import Measure, fresh_state, kilobyte, rss_mb, timed, timed_async

LIBRARY = "langgraph"


class Small(TypedDict):
    """The state of chains and loops."""

    i: int
    name: str
    flag: bool
    score: float
    tags: list[str]


class Fan(TypedDict):
    """The state of the fan-out."""

    items: list[int]
    results: Annotated[list[int], operator.add]


class Log(TypedDict):
    """The state that grows."""

    log: Annotated[list[str], operator.add]


class Heavy(Small):
    """The state with a value that nobody asks for."""

    ballast: str


def _step(state: Small) -> dict[str, int]:
    return {"i": state["i"] + 1}


async def _step_async(state: Small) -> dict[str, int]:
    return {"i": state["i"] + 1}


def _config(n: int, **more: int) -> dict[str, Any]:
    return {"recursion_limit": n + 10, **more}


def _chain(n: int, make: Callable[[int], Any], state: type = Small) -> Any:
    graph: Any = import_module("langgraph.graph")
    built = graph.StateGraph(state)
    names = [f"n{k}" for k in range(n)]
    for k, name in enumerate(names):
        built.add_node(name, make(k))
    for a, b in zip([graph.START, *names], [*names, graph.END], strict=True):
        built.add_edge(a, b)
    return built.compile()


def chain(n: int) -> Measure | None:
    """Sync nodes in a row; its cost a step grows with the graph, so the largest size is left out."""
    if n > 1000:
        return None
    app = _chain(n, lambda _: _step)

    def run() -> None:
        assert app.invoke(fresh_state(), _config(n))["i"] == n

    return Measure(timed(run) / n * 1e6)


def chain_async(n: int) -> Measure:
    """Async nodes in a row."""
    app = _chain(n, lambda _: _step_async)

    async def run() -> None:
        assert (await app.ainvoke(fresh_state(), _config(n)))["i"] == n

    return Measure(asyncio.run(timed_async(run)) / n * 1e6)


def loop(n: int) -> Measure:
    """One node and a conditional edge back to it."""
    graph: Any = import_module("langgraph.graph")
    built = graph.StateGraph(Small)
    built.add_node("inc", _step)
    built.add_edge(graph.START, "inc")
    built.add_conditional_edges("inc", lambda s: "inc" if s["i"] < n else graph.END, ["inc", graph.END])
    app = built.compile()
    app.invoke({**fresh_state(), "i": n - 50}, _config(n))
    start = time.perf_counter()
    assert app.invoke(fresh_state(), _config(n))["i"] == n
    return Measure((time.perf_counter() - start) / n * 1e6)


async def _work(item: int) -> dict[str, list[int]]:
    return {"results": [item + 1]}


async def _nap(item: int) -> dict[str, list[int]]:
    await asyncio.sleep(0.01)
    return {"results": [item + 1]}


def _fan(n: int, node: Any, limit: int) -> tuple[float, float]:
    graph: Any = import_module("langgraph.graph")
    send: Any = import_module("langgraph.types").Send
    built = graph.StateGraph(Fan)
    built.add_node("work", node)
    built.add_conditional_edges(graph.START, lambda s: [send("work", x) for x in s["items"]], ["work"])
    built.add_edge("work", graph.END)
    app = built.compile()
    items = list(range(n))

    async def run() -> tuple[float, float]:
        await app.ainvoke({"items": items[:50], "results": []}, _config(n, max_concurrency=limit))
        before = rss_mb()
        start = time.perf_counter()
        done = await app.ainvoke({"items": items, "results": []}, _config(n, max_concurrency=limit))
        seconds = time.perf_counter() - start
        assert done["results"] == list(range(1, n + 1))
        return seconds, rss_mb("VmHWM") - before

    return asyncio.run(run())


def fanout(n: int) -> Measure | None:
    """`Send` for each item; quadratic, so the largest size is left out."""
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

    def append(_: Log, k: int) -> dict[str, list[str]]:
        return {"log": [kilobyte(k)]}

    app = _chain(n, lambda k: partial(append, k=k), Log)
    start = time.perf_counter()
    assert len(app.invoke({"log": []}, _config(n))["log"]) == n
    return Measure((time.perf_counter() - start) * 1e3)


def passing(n: int) -> Measure:
    """A short chain beside a large value."""
    app = _chain(100, lambda _: _step, Heavy)
    ballast = "x" * n

    def run() -> None:
        app.invoke({**fresh_state(), "ballast": ballast}, _config(100))

    return Measure(timed(run) / 100 * 1e6)


def cold(n: int) -> Measure:
    """Import, build and run three nodes."""
    start = time.perf_counter()
    app = _chain(n, lambda _: _step)
    assert app.invoke(fresh_state(), _config(n))["i"] == n
    return Measure((time.perf_counter() - start) * 1e3)
