"""This engine, as a user calls it: `execute_workflow` over a document, with schemas checked and a trace kept."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

from benchmarks.harness import PASSING_STEPS, Measure, fresh_state, kilobyte, rss_mb, timed, timed_async

SMALL = {
    "i": {"type": "integer"},
    "name": {"type": "string"},
    "flag": {"type": "boolean"},
    "score": {"type": "number"},
    "tags": {"type": "array", "items": {"type": "string"}},
}
COUNTER = {"type": "object", "properties": {"i": {"type": "integer"}}, "required": ["i"]}


def _core() -> Any:
    return import_module("wf_core")


def _step(payload: dict[str, Any], ctx: object) -> dict[str, Any]:
    return {"i": payload["i"] + 1}


async def _step_async(payload: dict[str, Any], ctx: object) -> dict[str, Any]:
    return {"i": payload["i"] + 1}


def _workflow(nodes: list[dict[str, Any]], edges: list[tuple[str, str, str]], **parts: Any) -> Any:
    document = {
        "name": "bench",
        "input_schema": {"type": "object"},
        "state_schema": {"type": "object", "properties": SMALL},
        "output_schema": COUNTER,
        "node_defs": [{"name": "bench.step", "input_schema": COUNTER, "output_schema": COUNTER, "outcomes": ["ok"]}],
        "start": nodes[0]["id"],
        "nodes": nodes,
        "edges": [{"from": a, "outcome": outcome, "to": b} for a, outcome, b in edges],
        **parts,
    }
    return _core().Workflow.model_validate(document)


def _node(name: str) -> dict[str, Any]:
    return {
        "id": name,
        "type": "node",
        "node": "bench.step",
        "input": [{"target": "i", "path": "state.i"}],
        "output": [{"source": "i", "target": "state.i"}],
    }


def _row(n: int, make: Callable[[str], dict[str, Any]] = _node, **parts: Any) -> Any:
    names = [f"n{k}" for k in range(n)]
    edges = [(a, "ok", b) for a, b in itertools.pairwise([*names, "__end__"])]
    return _workflow([make(name) for name in names], edges, **parts)


def chain(n: int) -> Measure:
    """Sync nodes in a row."""
    core, workflow, registry = _core(), _row(n), {"bench.step": _step}

    def run() -> None:
        assert core.execute_workflow(workflow, fresh_state(), registry).output["i"] == n

    return Measure(timed(run) / n * 1e6)


def chain_async(n: int) -> Measure:
    """Async nodes in a row, with the asyncio driver."""
    core, workflow, registry = _core(), _row(n), {"bench.step": _step_async}

    async def run() -> None:
        assert (await core.execute_workflow_async(workflow, fresh_state(), registry)).output["i"] == n

    return Measure(asyncio.run(timed_async(run)) / n * 1e6)


def loop(n: int) -> Measure:
    """One node and a condition."""
    more = {"op": "lt", "left": {"path": "state.i"}, "right": {"value": n}}
    workflow = _workflow(
        [_node("inc"), {"id": "more", "type": "condition", "check": more}],
        [("inc", "ok", "more"), ("more", "true", "inc"), ("more", "false", "__end__")],
    )
    core, registry = _core(), {"bench.step": _step}

    def run() -> None:
        assert core.execute_workflow(workflow, fresh_state(), registry).output["i"] == n

    return Measure(timed(run) / n * 1e6)


def _fan_workflow(limit: int) -> Any:
    number = {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}
    each = {
        "id": "each",
        "type": "foreach",
        "over": "input.items",
        "as": "item",
        "mode": "concurrent",
        "concurrent": {"max_active": limit, "max_outstanding": limit},
    }
    work = {
        "id": "work",
        "type": "node",
        "node": "bench.work",
        "input": [{"target": "x", "path": "context.item"}],
        "output": [{"source": "x", "target": "state.results"}],
    }
    results = {"type": "array", "items": {"type": "integer"}}
    return _workflow(
        [each, work],
        [("each", "loop", "work"), ("work", "ok", "__end__"), ("each", "done", "__end__")],
        input_schema={"type": "object", "properties": {"items": results}, "required": ["items"]},
        state_schema={"type": "object", "properties": {"results": {**results, "reducer": "wf.std.append"}}},
        output_schema={"type": "object", "properties": {"results": results}},
        node_defs=[{"name": "bench.work", "input_schema": number, "output_schema": number, "outcomes": ["ok"]}],
    )


async def _work(payload: dict[str, Any], ctx: object) -> dict[str, Any]:
    return {"x": payload["x"] + 1}


async def _nap(payload: dict[str, Any], ctx: object) -> dict[str, Any]:
    await asyncio.sleep(0.01)
    return {"x": payload["x"] + 1}


def _fan(n: int, node: Any, limit: int) -> tuple[float, float]:
    core, workflow, registry = _core(), _fan_workflow(limit), {"bench.work": node}
    items = list(range(n))

    async def run() -> tuple[float, float]:
        await core.execute_workflow_async(workflow, {"items": items[:50]}, registry)
        before = rss_mb()
        start = time.perf_counter()
        done = await core.execute_workflow_async(workflow, {"items": items}, registry)
        seconds = time.perf_counter() - start
        assert done.output["results"] == list(range(1, n + 1))
        return seconds, rss_mb("VmHWM") - before

    return asyncio.run(run())


def fanout(n: int) -> Measure:
    """A concurrent foreach over async items, gathered by `wf.std.append` in item order."""
    seconds, grown = _fan(n, _work, 64)
    return Measure(seconds / n * 1e6, grown)


def sleepers(n: int) -> Measure:
    """Items that wait."""
    seconds, _ = _fan(n, _nap, 100)
    return Measure(seconds * 1e3)


def _appending(name: str) -> dict[str, Any]:
    return {"id": name, "type": "node", "node": "bench.step", "output": [{"source": "line", "target": "state.log"}]}


def growth(n: int) -> Measure:
    """A list in the state that grows by 1 KB a step."""
    line = {"type": "object", "properties": {"line": {"type": "string"}}, "required": ["line"]}
    lines = {"type": "array", "items": {"type": "string"}}
    workflow = _row(
        n,
        _appending,
        state_schema={"type": "object", "properties": {"log": {**lines, "reducer": "wf.std.append", "default": []}}},
        output_schema={"type": "object", "properties": {"log": lines}},
        node_defs=[{"name": "bench.step", "input_schema": {}, "output_schema": line, "outcomes": ["ok"]}],
    )
    core = _core()

    def run() -> None:
        numbers = itertools.count()
        registry = {"bench.step": lambda _payload, _ctx: {"line": kilobyte(next(numbers))}}
        assert len(core.execute_workflow(workflow, {}, registry).output["log"]) == n

    return Measure(timed(run) * 1e3)


def passing(n: int) -> Measure:
    """A short chain beside a large value that no node asks for."""
    core, workflow, registry = _core(), _row(PASSING_STEPS), {"bench.step": _step}
    given = {**fresh_state(), "ballast": "x" * n}

    def run() -> None:
        assert core.execute_workflow(workflow, given, registry).output["i"] == PASSING_STEPS

    return Measure(timed(run) / PASSING_STEPS * 1e6)


def cold(n: int) -> Measure:
    """Import, build and run three nodes."""
    start = time.perf_counter()
    core = _core()
    run = core.execute_workflow(_row(n), fresh_state(), {"bench.step": _step})
    assert run.output["i"] == n
    return Measure((time.perf_counter() - start) * 1e3)
