"""How stored runs are driven: what stops them, and what the store says afterwards."""

from __future__ import annotations

import asyncio
import itertools
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from wf_api import node_source
from wf_api.errors import RunConflictError
from wf_authoring import node
from wf_core import RuntimeContext
from wf_server import build_local_static_workflow_server

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from wf_server import WorkflowServer


class Switches:
    """What the nodes wait for and do."""

    def __init__(self) -> None:
        self.entered = asyncio.Event()
        self.leave = asyncio.Event()
        self.calls: list[str] = []
        self.act: Callable[[], Any] = lambda: None


def source(switches: Switches) -> Any:
    @node
    def acts(ctx: RuntimeContext) -> int:
        switches.calls.append(f"acts {ctx.call_id}")
        switches.act()
        return 1

    @node
    async def waits(ctx: RuntimeContext) -> int:
        switches.calls.append(f"waits {ctx.call_id}")
        switches.entered.set()
        await switches.leave.wait()
        return 2

    @node
    async def acts_late() -> int:
        await asyncio.sleep(0)
        switches.act()
        return 3

    return node_source("work", [acts, waits, acts_late])


def row(*names: str) -> dict[str, Any]:
    steps = [
        {
            "type": "node",
            "id": f"s{k}",
            "node": f"work.{name}",
            "output": [{"source": "result", "target": f"state.s{k}"}],
        }
        for k, name in enumerate(names)
    ]
    ids = [*(step["id"] for step in steps), "__end__"]
    number = {"type": "object", "properties": {str(step["id"]): {"type": "integer"} for step in steps}}
    return {
        "name": "row",
        "input_schema": {"type": "object"},
        "state_schema": number,
        "output_schema": number,
        "start": "s0",
        "nodes": steps,
        "edges": [{"from": a, "outcome": "ok", "to": b} for a, b in itertools.pairwise(ids)],
    }


async def deployed(root: Path, switches: Switches, *names: str) -> WorkflowServer:
    server = build_local_static_workflow_server(root, extra_sources=[source(switches)], durability="normal")
    if (await server.api.list_artifacts())["total"] == 0:
        await server.api.create_artifact_from_plan(
            artifact_id="row", version=1, title="Row", plan=row(*names), outcomes=["ok"]
        )
        bindings = [{"logical_source": "work", "concrete_source": "work"}]
        await server.api.save_deployment({"id": "d", "artifact_id": "row", "artifact_version": 1, "bindings": bindings})
    return server


async def only_run(server: WorkflowServer) -> dict[str, Any]:
    (listed,) = (await server.api.list_runs())["runs"]
    run: dict[str, Any] = await server.api.inspect_run(run_id=listed["run_id"])
    return run


@pytest.mark.parametrize("name", ["acts", "acts_late"])
async def test_a_node_that_raises_system_exit_fails_the_run_which_can_be_retried(name: str, tmp_path: Path) -> None:
    switches = Switches()
    server = await deployed(tmp_path, switches, name)

    def leave() -> None:
        raise SystemExit(3)

    switches.act = leave
    caught: list[BaseException] = []

    async def run() -> None:
        # A task that ends with `SystemExit` would take the loop of this test along.
        try:
            await server.api.runs._drivers._driven(
                await server.api.runs._begun("d", {}),
                None,
                _Attended(),  # type: ignore[arg-type]
            )
        except SystemExit as error:
            caught.append(error)

    await run()
    assert [error.code for error in caught if isinstance(error, SystemExit)] == [3]
    failed = await only_run(server)
    assert (failed["status"], failed["failure"]["type"]) == ("failed", "SystemExit")
    switches.act = lambda: None
    retried = await server.api.retry_run(run_id=failed["run_id"])
    assert retried["status"] == "completed"


class _Attended:
    attended = True
    cancellable = False
    reason = None


async def test_cancelling_the_caller_cancels_the_run(tmp_path: Path) -> None:
    switches = Switches()
    server = await deployed(tmp_path, switches, "acts", "waits")
    task = asyncio.ensure_future(server.api.run_deployment(deployment_id="d"))
    await switches.entered.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    run = await only_run(server)
    assert (run["status"], run["error"]) == ("cancelled", "the run's task was cancelled")
    assert run["trace_count"] == 1


async def test_a_cancellation_during_a_sync_node_keeps_what_the_node_answered(tmp_path: Path) -> None:
    switches = Switches()
    server = await deployed(tmp_path, switches, "acts", "waits")
    task = asyncio.ensure_future(server.api.run_deployment(deployment_id="d"))
    switches.act = lambda: next(iter(server.api.runs._drivers._live.values())).task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    run = await only_run(server)
    assert run["status"] == "cancelled"
    assert run["trace_count"] == 1, "the step that was under way counts"
    assert len(switches.calls) <= 2, "and the cancellation takes effect where the run waits next"
    assert switches.entered.is_set() is (len(switches.calls) == 2)


async def test_a_run_that_is_driven_can_be_cancelled_from_elsewhere(tmp_path: Path) -> None:
    switches = Switches()
    server = await deployed(tmp_path, switches, "waits")
    task = asyncio.ensure_future(server.api.run_deployment(deployment_id="d"))
    await switches.entered.wait()
    run_id = (await server.api.list_runs(status="running"))["runs"][0]["run_id"]
    cancelled = await server.api.cancel_run(run_id=run_id, reason="not needed")
    assert (cancelled["status"], cancelled["error"]) == ("cancelled", "not needed")
    assert (await task)["status"] == "cancelled", "whoever waits for the run gets its result"


async def test_start_run_returns_at_once_and_the_run_goes_on(tmp_path: Path) -> None:
    switches = Switches()
    server = await deployed(tmp_path, switches, "waits", "acts")
    run = await server.api.start_run(deployment_id="d")
    assert run["status"] == "running"
    await switches.entered.wait()
    switches.leave.set()
    await asyncio.gather(*(live.task for live in server.api.runs._drivers._live.values()))
    assert (await only_run(server))["output"] == {"s0": 2, "s1": 1}


async def test_runs_go_on_while_the_loops_own_threads_are_all_busy(tmp_path: Path) -> None:
    server = await deployed(tmp_path, Switches(), "acts", "acts_late")
    leave = threading.Event()
    loop = asyncio.get_running_loop()
    loop.set_default_executor(ThreadPoolExecutor(1))
    busy = loop.run_in_executor(None, leave.wait)
    try:
        runs = await asyncio.wait_for(
            asyncio.gather(*(server.api.run_deployment(deployment_id="d") for _ in range(3))), 20
        )
    finally:
        leave.set()
        await busy
    assert [run["status"] for run in runs] == ["completed"] * 3


async def test_another_server_on_the_same_store_leaves_a_driven_run_alone(tmp_path: Path) -> None:
    switches = Switches()
    server = await deployed(tmp_path, switches, "waits")
    run = await server.api.start_run(deployment_id="d")
    await switches.entered.wait()
    other = await deployed(tmp_path, Switches())
    assert await other.recover_runs() == []
    with pytest.raises(RunConflictError):
        await other.api.cancel_run(run_id=run["run_id"])
    switches.leave.set()
    await asyncio.gather(*(live.task for live in server.api.runs._drivers._live.values()))
    assert (await only_run(other))["status"] == "completed"


def test_a_run_whose_loop_ended_is_gone_on_with_where_it_stood(tmp_path: Path) -> None:
    first = Switches()

    async def leaves() -> None:
        server = await deployed(tmp_path, first, "acts", "waits")
        await server.api.start_run(deployment_id="d")
        await first.entered.wait()

    asyncio.run(leaves())
    second = Switches()

    async def goes_on() -> dict[str, Any]:
        second.leave.set()
        server = await deployed(tmp_path, second, "acts", "waits")
        (recovered,) = await server.recover_runs()
        run: dict[str, Any] = await server.api.inspect_run(run_id=recovered)
        assert await server.recover_runs() == []
        return run

    run = asyncio.run(goes_on())
    assert (run["status"], run["output"]) == ("completed", {"s0": 1, "s1": 2})
    assert second.calls == first.calls[1:], "the recorded call is not made again, the other keeps its id"
