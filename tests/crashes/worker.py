"""A process that runs one deployment, or goes on with what an earlier one left, and dies when it is told to.

python -m tests.crashes.worker FOLDER KIND [CALLS]

It kills itself in the middle of its call number CALLS. Every execution of a node is a line of FOLDER/calls.txt, written
before the node answers. At the end it prints the run as JSON.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

from wf_api import node_source
from wf_authoring import node
from wf_core import RuntimeContext
from wf_server import WorkflowServer, build_local_static_workflow_server

GIVEN = {"n": {"type": "integer"}, "items": {"type": "array"}}
ROOT = {"start": "first", "input_schema": {"type": "object", "properties": GIVEN}}
NUMBERS = {"type": "object", "properties": {"numbers": {"type": "array", "reducer": "wf.std.append"}}}


class Deaths:
    """Counts calls down, and ends the process without a word in the middle of the last one."""

    def __init__(self, folder: Path, calls: int | None) -> None:
        self._file = folder / "calls.txt"
        self._left = calls

    def at(self, name: str, context: RuntimeContext, step: str = "") -> None:
        with self._file.open("a", encoding="utf-8") as lines:
            lines.write(f"{name}{step} {context.call_id} {os.getpid()}\n")
        if self._left is not None:
            self._left -= 1
            if self._left == 0:
                os.kill(os.getpid(), signal.SIGKILL)


def nodes(deaths: Deaths) -> list[Any]:
    @node
    def count(n: int, ctx: RuntimeContext) -> int:
        deaths.at("count", ctx)
        return n + 1

    @node
    async def double(n: int, ctx: RuntimeContext) -> int:
        await asyncio.sleep(0)
        deaths.at("double", ctx, f":{n}")
        return 2 * n

    @node
    def flaky(ctx: RuntimeContext) -> int:
        deaths.at("flaky", ctx)
        if ctx.retry_count < 2:
            raise ConnectionError("not yet")
        return ctx.retry_count

    return [count, double, flaky]


def step(name: str, source: str, kind: str = "count", target: str = "state.n") -> dict[str, Any]:
    return {
        "type": "node",
        "id": name,
        "node": f"work.{kind}",
        "input": [{"target": "n", "path": source}],
        "output": [{"source": "result", "target": target}],
    }


def edge(source: str, outcome: str, target: str = "__end__") -> dict[str, Any]:
    return {"from": source, "outcome": outcome, "to": target}


def shape(kind: str) -> dict[str, Any]:
    """The documents: one for each way in which a run can stand in the middle of something."""
    number = {"type": "object", "properties": {"n": {"type": "integer"}}}
    if kind == "chain":
        return {
            **ROOT,
            "state_schema": number,
            "nodes": [step("first", "input.n"), step("second", "state.n"), step("third", "state.n")],
            "edges": [edge("first", "ok", "second"), edge("second", "ok", "third"), edge("third", "ok")],
            "output_schema": number,
        }
    if kind == "loop":
        check = {"op": "lt", "left": {"path": "state.n"}, "right": {"value": 5}}
        return {
            **ROOT,
            "state_schema": number,
            "nodes": [
                step("first", "input.n"),
                {"type": "condition", "id": "again", "check": check},
                step("next", "state.n"),
            ],
            "edges": [
                edge("first", "ok", "again"),
                edge("again", "true", "next"),
                edge("again", "false"),
                edge("next", "ok", "again"),
            ],
            "output_schema": number,
        }
    if kind in {"serial", "concurrent"}:
        each: dict[str, Any] = {"type": "foreach", "id": "first", "over": "input.items", "as": "item", "mode": kind}
        if kind == "concurrent":
            each["concurrent"] = {"max_active": 3}
        return {
            **ROOT,
            "state_schema": NUMBERS,
            "nodes": [each, step("work", "context.item", "double", "state.numbers")],
            "edges": [edge("first", "loop", "work"), edge("first", "done"), edge("work", "ok")],
            "output_schema": NUMBERS,
        }
    if kind == "fork":
        return {
            **ROOT,
            "state_schema": NUMBERS,
            "nodes": [
                {"type": "fork", "id": "first", "branches": ["left", "right"]},
                step("left", "input.n", "double", "state.numbers"),
                step("right", "input.n", "double", "state.numbers"),
                {"type": "gather", "id": "both", "of": "first", "wait": "all", "branch_error": "fail"},
                step("last", "input.n", "count", "state.numbers"),
            ],
            "edges": [
                edge("first", "left", "left"),
                edge("first", "right", "right"),
                edge("left", "ok", "both"),
                edge("right", "ok", "both"),
                edge("both", "done", "last"),
                edge("last", "ok"),
            ],
            "output_schema": NUMBERS,
        }
    retried = step("first", "input.n", "flaky")
    retried.update(input=[], retry={"retries": 4, "backoff_seconds": 0})
    return {
        **ROOT,
        "state_schema": number,
        "nodes": [retried, step("second", "state.n")],
        "edges": [edge("first", "ok", "second"), edge("second", "ok")],
        "output_schema": number,
    }


KINDS = ("chain", "loop", "serial", "concurrent", "fork", "retry")


async def deployed(folder: Path, kind: str, calls: int | None) -> WorkflowServer:
    source = node_source("work", nodes(Deaths(folder, calls)))
    server = build_local_static_workflow_server(folder / "store", extra_sources=[source], durability="normal")
    if (await server.api.list_artifacts())["total"] == 0:
        plan = {"name": kind, **shape(kind)}
        await server.api.create_artifact_from_plan(artifact_id=kind, version=1, title=kind, plan=plan, outcomes=["ok"])
        bindings = [{"logical_source": "work", "concrete_source": "work"}]
        await server.api.save_deployment({"id": kind, "artifact_id": kind, "artifact_version": 1, "bindings": bindings})
    return server


async def started(folder: Path, kind: str, calls: int | None) -> dict[str, Any]:
    """Start a run, or go on with the one that was left, and give it."""
    server = await deployed(folder, kind, calls)
    if (await server.api.list_runs())["total"] == 0:
        given = {"n": 1, "items": [1, 2, 3, 4, 5]}
        return await server.api.run_deployment(deployment_id=kind, workflow_input=given)
    await server.recover_runs()
    run_id = (await server.api.list_runs())["runs"][0]["run_id"]
    return await server.api.inspect_run(run_id=run_id)


if __name__ == "__main__":
    calls = int(sys.argv[3]) if len(sys.argv) > 3 else None
    sys.stdout.write(json.dumps(asyncio.run(started(Path(sys.argv[1]), sys.argv[2], calls))))
