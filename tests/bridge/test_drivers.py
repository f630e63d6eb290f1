"""The drivers: overlap, cancellation, context variables, threads, signals."""

from __future__ import annotations

import asyncio
import contextvars
import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import weakref
from typing import Any

import pytest

from tests.wf_core.workflows import chain, fan
from wf_core import RuntimeContext, blocking, execute_workflow, execute_workflow_async, execute_workflow_result_async
from wf_core.runtime.machine import Call, CancelCall, Idle, Run, Stopped

variable: contextvars.ContextVar[Any] = contextvars.ContextVar("variable", default="unset")


class Gauge:
    """Counts how many calls are in flight at once."""

    def __init__(self) -> None:
        self.now = self.most = 0

    async def __call__(self, payload: dict[str, Any], ctx: RuntimeContext) -> dict[str, Any]:
        self.now += 1
        self.most = max(self.most, self.now)
        for _ in range(3):
            await asyncio.sleep(0)
        self.now -= 1
        return {"value": payload["item"]}


@pytest.mark.parametrize("limit", [1, 3, 8])
async def test_calls_overlap_up_to_the_limit_and_results_keep_their_order(limit: int) -> None:
    gauge = Gauge()
    run = await execute_workflow_async(fan(limit), {"items": list(range(20))}, {"work": gauge})
    assert run.output == {"out": list(range(20))}
    assert gauge.most == limit


def test_the_blocking_driver_overlaps_coroutines_too() -> None:
    gauge = Gauge()
    run = execute_workflow(fan(4), {"items": list(range(9))}, {"work": gauge})
    assert run.output == {"out": list(range(9))}
    assert gauge.most == 4


async def test_d15_branches_of_a_fork_overlap() -> None:
    started: set[str] = set()
    both = asyncio.Event()

    async def handler(payload: dict[str, Any], ctx: RuntimeContext) -> dict[str, Any]:
        started.add(ctx.current_node_id)
        if len(started) == 2:
            both.set()
        await both.wait()
        return {"i": 1}

    document = chain(2).model_dump(mode="json", by_alias=True)
    document["start"] = "split"
    document["nodes"] += [
        {"id": "split", "type": "fork", "branches": ["left", "right"]},
        {"id": "meet", "type": "gather", "of": "split"},
    ]
    document["state_schema"]["properties"]["i"] = {"type": "integer", "reducer": "wf.std.add"}
    document["edges"] = [
        {"from": "split", "outcome": "left", "to": "n0"},
        {"from": "split", "outcome": "right", "to": "n1"},
        {"from": "n0", "outcome": "ok", "to": "meet"},
        {"from": "n1", "outcome": "ok", "to": "meet"},
        {"from": "meet", "outcome": "done", "to": "__end__"},
    ]
    workflow = type(chain()).model_validate(document)
    async with asyncio.timeout(10):
        run = await execute_workflow_async(workflow, {"i": 0}, {"work": handler})
    assert run.output == {"i": 2}


async def test_no_task_is_made_for_calls_that_come_singly() -> None:
    tasks: set[Any] = set()

    async def handler(payload: dict[str, Any], ctx: RuntimeContext) -> dict[str, Any]:
        tasks.add(asyncio.current_task())
        await asyncio.sleep(0)
        return payload

    await execute_workflow_async(chain(20), {"i": 0}, {"work": handler})
    assert tasks == {asyncio.current_task()}


async def test_there_are_at_most_as_many_tasks_as_calls_in_flight() -> None:
    tasks: set[int] = set()

    async def handler(payload: dict[str, Any], ctx: RuntimeContext) -> dict[str, Any]:
        tasks.add(id(asyncio.current_task()))
        await asyncio.sleep(0)
        return {"value": payload["item"]}

    await execute_workflow_async(fan(4), {"items": list(range(200))}, {"work": handler})
    assert len(tasks) == 4


async def test_timeouts_and_task_groups_work_inside_handlers() -> None:
    async def handler(payload: dict[str, Any], ctx: RuntimeContext) -> dict[str, Any]:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.001):
                await asyncio.sleep(3600)
        async with asyncio.TaskGroup() as group:
            one = group.create_task(asyncio.sleep(0, "one"))
            two = group.create_task(asyncio.sleep(0, "two"))
        return {"value": [one.result(), two.result()]}

    for size in (1, 3):
        run = await execute_workflow_async(fan(3), {"items": [0] * size}, {"work": handler})
        assert run.output == {"out": ["one", "two"] * size}


async def test_cancelling_the_task_cancels_what_is_in_flight_and_leaves_nothing() -> None:
    log: list[str] = []
    running = asyncio.Event()

    async def handler(payload: dict[str, Any], ctx: RuntimeContext) -> Any:
        log.append(f"begin {payload['item']}")
        if len(log) == 3:
            running.set()
        try:
            await asyncio.sleep(3600)
        finally:
            await asyncio.sleep(0)
            log.append(f"end {payload['item']}")

    before = asyncio.all_tasks()
    task = asyncio.create_task(execute_workflow_async(fan(3), {"items": [1, 2, 3, 4]}, {"work": handler}))
    await running.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert sorted(log) == ["begin 1", "begin 2", "begin 3", "end 1", "end 2", "end 3"]
    assert asyncio.all_tasks() == before


async def test_cancelling_a_single_call_reaches_the_handler() -> None:
    seen = asyncio.Event()

    async def handler(payload: dict[str, Any], ctx: RuntimeContext) -> Any:
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            seen.set()
            raise

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await execute_workflow_async(chain(), {"i": 0}, {"work": handler})
    assert seen.is_set()


async def test_a_failure_stops_its_siblings_before_it_is_raised() -> None:
    stopped: list[int] = []
    boom = ValueError("boom")

    async def handler(payload: dict[str, Any], ctx: RuntimeContext) -> Any:
        if payload["item"] == 2:
            await asyncio.sleep(0)
            raise boom
        try:
            await asyncio.sleep(3600)
        finally:
            stopped.append(payload["item"])

    before = asyncio.all_tasks()
    with pytest.raises(ValueError, match="boom") as caught:
        await execute_workflow_async(fan(3), {"items": [0, 1, 2]}, {"work": handler})
    assert caught.value is boom
    assert sorted(stopped) == [0, 1]
    assert asyncio.all_tasks() == before


@pytest.mark.parametrize("stubborn", [False, True])
async def test_branches_that_are_not_waited_for_are_cancelled(stubborn: bool) -> None:
    stopped = []

    async def handler(payload: dict[str, Any], ctx: RuntimeContext) -> Any:
        if ctx.current_node_id == "n1":
            return {"i": 7}
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            stopped.append(ctx.current_node_id)
            if not stubborn:
                raise
        return {"i": 1000}

    document = chain(3).model_dump(mode="json", by_alias=True)
    document["start"] = "split"
    document["nodes"] += [
        {"id": "split", "type": "fork", "branches": ["left", "right"]},
        {"id": "meet", "type": "gather", "of": "split", "wait": "any"},
    ]
    document["edges"] = [
        {"from": "split", "outcome": "left", "to": "n0"},
        {"from": "split", "outcome": "right", "to": "n1"},
        {"from": "n0", "outcome": "ok", "to": "meet"},
        {"from": "n1", "outcome": "ok", "to": "meet"},
        {"from": "meet", "outcome": "done", "to": "n2"},
        {"from": "n2", "outcome": "ok", "to": "__end__"},
    ]
    workflow = type(chain()).model_validate(document)

    async def last(payload: dict[str, Any], ctx: RuntimeContext) -> Any:
        if ctx.current_node_id != "n2":
            return await handler(payload, ctx)
        while not stopped:  # noqa: ASYNC110 - the cancellation is what is waited for
            await asyncio.sleep(0)
        return {"i": payload["i"] + 1}

    async with asyncio.timeout(10):
        run = await execute_workflow_async(workflow, {"i": 0}, {"work": last})
    assert run.output == {"i": 8}
    assert stopped == ["n0"]


async def test_d11_a_handler_that_is_cancelled_cancels_the_run() -> None:
    async def handler(payload: dict[str, Any], ctx: RuntimeContext) -> Any:
        victim = asyncio.create_task(asyncio.sleep(3600))
        victim.cancel()
        await victim

    for size in (1, 3):
        items = {"items": [0] * size}
        with pytest.raises(asyncio.CancelledError):
            await execute_workflow_async(fan(3, policy="skip"), items, {"work": handler})
        run = await execute_workflow_result_async(fan(3, policy="skip"), items, {"work": handler})
        assert run.status == "cancelled"


async def test_context_variables_reach_handlers_and_do_not_leak_between_items() -> None:
    seen: list[Any] = []

    async def handler(payload: dict[str, Any], ctx: RuntimeContext) -> dict[str, Any]:
        seen.append(variable.get())
        variable.set(payload["item"])
        await asyncio.sleep(0)
        assert variable.get() == payload["item"]
        return {"value": payload["item"]}

    variable.set("outer")
    await execute_workflow_async(fan(3), {"items": list(range(30))}, {"work": handler})
    assert seen == ["outer"] * 30
    assert variable.get() == "outer"


async def test_context_variables_reach_threads() -> None:
    def handler(payload: dict[str, Any], ctx: RuntimeContext) -> dict[str, Any]:
        return {"value": [variable.get(), threading.current_thread() is threading.main_thread()]}

    variable.set("outer")
    run = await execute_workflow_async(fan(), {"items": [[1]]}, {"work": blocking(handler)})
    assert run.output == {"out": ["outer", False]}


async def test_d15_a_blocking_handler_does_not_hold_up_the_loop() -> None:
    gate = threading.Event()

    @blocking
    def handler(payload: dict[str, Any], ctx: RuntimeContext) -> dict[str, Any]:
        assert gate.wait(10)
        return payload

    task = asyncio.create_task(execute_workflow_async(chain(), {"i": 0}, {"work": handler}))
    await asyncio.sleep(0)
    gate.set()
    assert (await task).status == "completed"


def test_a_blocking_handler_runs_inline_without_a_loop() -> None:
    @blocking
    def handler(payload: dict[str, Any], ctx: RuntimeContext) -> dict[str, Any]:
        assert threading.current_thread() is threading.main_thread()
        return payload

    assert execute_workflow(chain(), {"i": 0}, {"work": handler}).status == "completed"


async def test_long_runs_of_sync_handlers_let_the_loop_have_turns() -> None:
    turns = 0

    async def tick() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    def handler(payload: dict[str, Any], ctx: RuntimeContext) -> dict[str, Any]:
        time.sleep(0.002)
        return payload

    other = asyncio.create_task(tick())
    await execute_workflow_async(chain(50), {"i": 0}, {"work": handler})
    other.cancel()
    assert turns >= 4


async def test_a_base_exception_ends_the_run_at_once() -> None:
    class Stop(BaseException):
        pass

    async def handler(payload: dict[str, Any], ctx: RuntimeContext) -> Any:
        await asyncio.sleep(0)
        raise Stop

    for size in (1, 3):
        with pytest.raises(Stop):
            await execute_workflow_async(fan(3, policy="skip"), {"items": [0] * size}, {"work": handler})


def test_an_interrupt_from_the_keyboard_gets_through() -> None:
    code = textwrap.dedent(
        """
        import signal, sys
        sys.path.insert(0, ".")
        # Whoever starts the tests in the background of a shell has the signal ignored, in every child.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        from tests.wf_core.workflows import chain
        from wf_core import execute_workflow
        def handler(payload, ctx):
            return payload
        document = chain(1).model_dump(mode="json", by_alias=True)
        document["edges"][0]["to"] = "n0"
        document["nodes"].append({"id": "x", "type": "join"})
        document["edges"].append({"from": "x", "outcome": "done", "to": "__end__"})
        workflow = type(chain(1)).model_validate(document)
        print("ready", flush=True)
        try:
            execute_workflow(workflow, {"i": 0}, {"work": handler}, max_steps=None)
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        """
    )
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.3)
    os.kill(child.pid, signal.SIGINT)
    output, _ = child.communicate(timeout=30)
    assert output == "interrupted\n"


def test_runs_can_be_driven_from_several_threads_at_once() -> None:
    workflow = chain(200)
    results: list[Any] = []

    def work() -> None:
        run = execute_workflow(workflow, {"i": 0}, {"work": lambda payload, ctx: {"i": payload["i"] + 1}})
        results.append(run.output)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [{"i": 200}] * 4


async def test_runs_can_be_nested_and_side_by_side() -> None:
    async def inner(payload: dict[str, Any], ctx: RuntimeContext) -> dict[str, Any]:
        run = await execute_workflow_async(chain(2), {"i": payload["i"]}, {"work": lambda p, c: {"i": p["i"] + 1}})
        return run.output

    def inner_blocking(payload: dict[str, Any], ctx: RuntimeContext) -> dict[str, Any]:
        return execute_workflow(chain(2), {"i": payload["i"]}, {"work": lambda p, c: {"i": p["i"] + 1}}).output

    runs = await asyncio.gather(
        *(execute_workflow_async(chain(3), {"i": i}, {"work": inner}) for i in range(3)),
        execute_workflow_async(chain(3), {"i": 3}, {"work": inner_blocking}),
    )
    assert [run.output["i"] for run in runs] == [6, 7, 8, 9]


async def test_nothing_keeps_handlers_and_platforms_alive_after_a_run() -> None:
    class Platform:
        pass

    class Handler:
        async def __call__(self, payload: dict[str, Any], ctx: RuntimeContext) -> dict[str, Any]:
            await asyncio.sleep(0)
            return {"value": payload["item"]}

    platform, handler = Platform(), Handler()
    refs = [weakref.ref(platform), weakref.ref(handler)]
    run = await execute_workflow_async(fan(2), {"items": [1, 2, 3]}, {"work": handler}, platform=platform)
    del platform, handler
    gc.collect()
    assert [ref() for ref in refs] == [None, None]
    assert run.status == "completed"


async def test_a_coroutine_that_is_never_begun_gives_no_warning() -> None:
    async def handler(payload: dict[str, Any], ctx: RuntimeContext) -> Any:
        return {"value": payload["item"]}

    def failing(payload: dict[str, Any], ctx: RuntimeContext) -> Any:
        if payload["item"] == 3:
            raise ValueError("boom")
        return handler(payload, ctx)

    with pytest.raises(ValueError, match="boom"):
        await execute_workflow_async(fan(4), {"items": [0, 1, 2, 3]}, {"work": failing})
    gc.collect()


def test_a_driver_of_ones_own() -> None:
    run = Run.start(fan(2), {"items": ["a", "b", "c"]}, run_id="r", now=1.0)
    waiting: list[Call] = []
    calls = []
    while True:
        effect = run.poll()
        match effect:
            case Call():
                calls.append((effect.id, effect.node, effect.step, effect.payload["item"], effect.attempt))
                assert effect.context(platform="p").platform == "p"
                waiting.append(effect)
            case Idle():
                assert effect.in_flight == len(waiting)
                call = waiting.pop()
                run.resolve(call.id, {"value": call.payload["item"]}, now=2.0)
            case Stopped():
                assert effect.status == "completed"
                break
            case _:
                pytest.fail(f"unexpected {effect!r}")
    assert calls == [(1, "work", "work", "a", 1), (2, "work", "work", "b", 1), (3, "work", "work", "c", 1)]
    state = run.state()
    assert (state.output, state.started_at, state.finished_at) == ({"out": ["a", "b", "c"]}, 1.0, 2.0)
    assert run.run_id == "r"


def test_a_driver_of_ones_own_restores_snapshots() -> None:
    run = Run.start(chain(2, retry=1), {"i": 0})
    call = run.poll()
    assert isinstance(call, Call)
    run.fail(call.id, OSError("down"))
    second = run.poll()
    assert isinstance(second, Call)
    assert second.attempt == 2
    restored = Run.restore(chain(2, retry=1), run.snapshot())
    again = restored.poll()
    assert isinstance(again, Call)
    assert (again.id, again.attempt) == (second.id, 2)
    restored.time_out(again.id)
    assert restored.status == "failed"
    restored.retry()
    run.cancel("enough")
    assert isinstance(run.poll(), CancelCall | Stopped)
    assert run.state().error == "enough"
