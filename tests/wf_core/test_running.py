"""Running workflows: results, failures, resuming, records."""

from __future__ import annotations

import asyncio
import inspect
import pickle
import traceback
from collections.abc import Callable
from typing import Any

import pytest

import wf_core
from tests.wf_core.workflows import approval, chain, fan
from wf_core import (
    FrameStatus,
    NodeResult,
    PreparedSubgraph,
    ReducerDefinition,
    ReducerSpec,
    RunState,
    RunStatus,
    RuntimeContext,
    Workflow,
    WorkflowExecutionError,
    WorkflowValidationError,
    coerce_node_result,
    dump_run_state,
    execute_workflow,
    execute_workflow_async,
    execute_workflow_result,
    execute_workflow_result_async,
    load_run_state,
    resume_workflow,
    resume_workflow_async,
    resume_workflow_result,
    step_workflow,
    step_workflow_async,
)
from wf_core.errors import (
    JsonValueError,
    NodeResultError,
    NodeTimeoutError,
    PayloadError,
    RunDeadlineError,
    RunEventError,
    SnapshotError,
)
from wf_core.run_state import RunFailure, TraceEntry
from wf_core.runtime.ops.runs import create_run_state


def add_one(payload: dict[str, Any], ctx: RuntimeContext) -> dict[str, Any]:
    return {"i": payload["i"] + 1}


async def add_one_async(payload: dict[str, Any], ctx: RuntimeContext) -> dict[str, Any]:
    return {"i": payload["i"] + 1}


Execute = Callable[..., RunState]


def asyncio_execute(*args: Any, **options: Any) -> RunState:
    return asyncio.run(execute_workflow_async(*args, **options))


def asyncio_result(*args: Any, **options: Any) -> RunState:
    return asyncio.run(execute_workflow_result_async(*args, **options))


@pytest.fixture(params=[execute_workflow, asyncio_execute], ids=["blocking", "asyncio"])
def execute(request: pytest.FixtureRequest) -> Execute:
    runner: Execute = request.param
    return runner


@pytest.fixture(params=[execute_workflow_result, asyncio_result], ids=["blocking", "asyncio"])
def result(request: pytest.FixtureRequest) -> Execute:
    runner: Execute = request.param
    return runner


@pytest.mark.parametrize("handler", [add_one, add_one_async], ids=["sync", "async"])
def test_d14_both_drivers_take_sync_and_async_handlers(execute: Execute, handler: Any) -> None:
    run = execute(chain(3), {"i": 0}, {"work": handler})
    assert run.status is RunStatus.COMPLETED
    assert run.status == "completed"
    assert (run.outcome, run.output, run.state) == ("ok", {"i": 3}, {"i": 3})
    assert [(entry.node_id, entry.outcome) for entry in run.trace] == [("n0", "ok"), ("n1", "ok"), ("n2", "ok")]


def test_d14_a_call_that_only_returns_an_awaitable_is_awaited(execute: Execute) -> None:
    def handler(payload: dict[str, Any], ctx: RuntimeContext) -> Any:
        return add_one_async(payload, ctx)

    run = execute(chain(), {"i": 0}, {"work": handler})
    assert run.output == {"i": 1}


async def test_d14_blocking_functions_work_inside_a_running_loop() -> None:
    assert execute_workflow(chain(2), {"i": 0}, {"work": add_one_async}).output == {"i": 2}


def test_the_platform_is_handed_through_with_its_identity(execute: Execute) -> None:
    platform = object()
    seen = []

    def handler(payload: dict[str, Any], ctx: RuntimeContext) -> dict[str, Any]:
        seen.append(ctx.platform)
        return payload

    execute(chain(), {"i": 0}, {"work": handler}, platform=platform)
    execute(chain(), {"i": 0}, {"work": handler})
    assert seen[0] is platform
    assert seen[1] is None


def test_a_context_can_be_made_by_hand() -> None:
    platform = object()
    ctx = RuntimeContext(current_node_id="node", platform=platform)
    assert ctx.platform is platform
    assert (ctx.current_node_id, ctx.frame_id, ctx.scope_id, ctx.lineage_id) == ("node", "root", "root", "root")
    assert (ctx.retry_count, ctx.attempt, ctx.prior_outcome, ctx.metadata) == (0, 1, None, {})
    with pytest.raises(AttributeError):
        ctx.frame_id = "other"  # type: ignore[misc]


def test_a_handlers_context_says_where_it_is(execute: Execute) -> None:
    seen = {}

    def handler(payload: dict[str, Any], ctx: RuntimeContext) -> dict[str, Any]:
        seen[payload["item"]] = ctx
        return {"value": payload["item"]}

    run = execute(fan(), {"items": ["a", "b"]}, {"work": handler}, run_id="r1")
    ctx = seen["b"]
    assert (ctx.current_node_id, ctx.frame_id, ctx.lineage_id) == ("work", "root:each:1", "root/each[1]")
    assert ctx.parent_lineage_id == "root"
    assert ctx.metadata == {"foreach_node_id": "each", "loop_index": 1, "loop_item": "b", "loop_alias": "item"}
    assert (ctx.run_id, run.run_id) == ("r1", "r1")
    assert [seen[item].call_id for item in "ab"] == ["r1:1", "r1:2"]


def test_d4_a_handler_shares_nothing_with_the_run(execute: Execute) -> None:
    kept: dict[str, Any] = {}

    def handler(payload: dict[str, Any], ctx: RuntimeContext) -> dict[str, Any]:
        payload["item"].append("mutated")
        kept["answer"] = {"value": ["fresh"]}
        return kept["answer"]

    given = {"items": [["original"]]}
    run = execute(fan(), given, {"work": handler})
    kept["answer"]["value"].append("mutated")
    run.state["out"].append("mutated")
    assert given == {"items": [["original"]]}
    assert run.workflow_input == given
    assert run.output == {"out": ["fresh"]}
    assert run.trace[1].resolved_input == {"item": ["original"]}


def test_d4_a_value_that_is_no_json_names_node_path_and_type(execute: Execute, result: Execute) -> None:
    def handler(payload: dict[str, Any], ctx: RuntimeContext) -> Any:
        return {"i": 1, "more": [{"tags": {1}}]}

    with pytest.raises(JsonValueError) as caught:
        execute(chain(), {"i": 0}, {"work": handler})
    assert "node 'n0' output" in str(caught.value)
    assert (caught.value.path, caught.value.python_type) == ("more[0].tags", "set")
    run = result(chain(), {"i": 0}, {"work": handler})
    assert run.error is not None
    assert (run.error.type, run.error.node_id) == ("JsonValueError", "n0")
    assert (run.error.code, run.error.path) == ("value.not_json", "more[0].tags")


def test_a_handlers_exception_keeps_identity_and_traceback(execute: Execute) -> None:
    boom = KeyError("x")

    def handler(payload: dict[str, Any], ctx: RuntimeContext) -> Any:
        raise boom

    with pytest.raises(KeyError) as caught:
        execute(chain(), {"i": 0}, {"work": handler})
    assert caught.value is boom
    assert any(frame.name == "handler" for frame in traceback.extract_tb(caught.value.__traceback__))
    assert boom.__notes__ == ["in step 'n0' of workflow 'chain' (frame 'root', attempt 1)"]


def test_d6_a_failed_run_keeps_a_structured_error_a_trace_entry_and_its_frame(result: Execute) -> None:
    def handler(payload: dict[str, Any], ctx: RuntimeContext) -> Any:
        if ctx.current_node_id == "n1":
            raise ValueError("boom") from OSError("disk")
        return add_one(payload, ctx)

    run = result(chain(3), {"i": 0}, {"work": handler})
    assert run.status is RunStatus.FAILED
    assert run.error == "boom"
    assert isinstance(run.error, RunFailure)
    assert (run.error.code, run.error.type, run.error.node_id, run.error.frame_id, run.error.attempt) == (
        "call.failed",
        "ValueError",
        "n1",
        "root",
        1,
    )
    assert run.error.data == {"cause": {"type": "OSError", "message": "disk"}}
    assert [(entry.node_id, entry.outcome) for entry in run.trace] == [("n0", "ok"), ("n1", "failed")]
    assert run.trace[1].error == "boom"
    frame = run.frames["root"]
    assert (frame.status, frame.node_id) == (FrameStatus.FAILED, "n1")
    assert run.current_frame() == frame
    again = resume_workflow(chain(3), run, {"work": add_one})
    assert (again.status, again.output) == ("completed", {"i": 3})
    assert run.status == "failed"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"i": "x"}, "state.i: 'x' is not of type 'integer'"),
        ({"i": float("nan")}, "JSON numbers must be finite"),
    ],
)
def test_d6_whatever_is_wrong_at_the_start_gives_a_failed_run(result: Execute, given: Any, message: str) -> None:
    run = result(chain(), given, {"work": add_one})
    assert run.status is RunStatus.FAILED
    assert run.error is not None
    assert message in run.error
    assert run.trace == []


def test_d6_an_invalid_workflow_gives_a_failed_run_or_raises_the_report(execute: Execute, result: Execute) -> None:
    broken = chain().model_copy(update={"start": "nowhere"})
    with pytest.raises(
        WorkflowValidationError, match=r"Workflow validation failed:\n- \[unknown_start\] start"
    ) as caught:
        execute(broken, {"i": 0}, {"work": add_one})
    assert caught.value.report is not None
    assert [issue.code for issue in caught.value.report.errors] == ["unknown_start"]
    assert isinstance(caught.value, ValueError)
    run = result(broken, {"i": 0}, {"work": add_one})
    assert run.error is not None
    assert (run.status, run.error.type, run.workflow_input) == ("failed", "WorkflowValidationError", {"i": 0})


def test_a_contract_that_is_broken_names_the_place(execute: Execute) -> None:
    with pytest.raises(
        WorkflowExecutionError, match=r"node output for n0\['i'\]: 'x' is not of type 'integer'"
    ) as caught:
        execute(chain(), {"i": 0}, {"work": lambda payload, ctx: {"i": "x"}})
    assert caught.value.code == "node.output_invalid"
    assert caught.value.context["node_id"] == "n0"
    assert caught.value.run is not None
    assert caught.value.run.status == "failed"
    assert isinstance(caught.value, RuntimeError)


def test_a_missing_handler_fails_the_step(execute: Execute) -> None:
    with pytest.raises(WorkflowExecutionError, match="no handler registered for node def 'work'"):
        execute(chain(), {"i": 0}, {})


@pytest.mark.parametrize("answer", [None, 3, "text", ["list"], object()])
def test_what_is_no_dict_is_no_result(execute: Execute, answer: Any) -> None:
    with pytest.raises(NodeResultError, match=f"got `{type(answer).__name__}`"):
        execute(chain(), {"i": 0}, {"work": lambda payload, ctx: answer})


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ({"a": 1}, NodeResult(outcome="ok", output={"a": 1})),
        ({"outcome": "no", "output": {"a": 1}}, NodeResult(outcome="no", output={"a": 1})),
        ({"outcome": "no"}, NodeResult(outcome="ok", output={"outcome": "no"})),
        (
            {"outcome": "no", "output": {}, "meta": {"m": 1}, "x": 2},
            NodeResult(outcome="no", output={}, meta={"m": 1}, x=2),
        ),
    ],
)
def test_results_are_coerced(raw: Any, expected: NodeResult) -> None:
    assert coerce_node_result(raw) == expected
    assert coerce_node_result(expected) is expected


def test_a_result_of_the_wrong_form_is_an_error() -> None:
    with pytest.raises(ValueError, match="output"):
        coerce_node_result({"outcome": "ok", "output": [1]})
    with pytest.raises(TypeError):
        coerce_node_result(None)


def test_d5_retries_count_and_stop(execute: Execute) -> None:
    attempts = []

    def handler(payload: dict[str, Any], ctx: RuntimeContext) -> Any:
        attempts.append((ctx.retry_count, ctx.attempt))
        if len(attempts) < 3:
            raise OSError("down")
        return payload

    retry = {"retries": 2, "backoff_seconds": 0.01}
    assert execute(chain(retry=retry), {"i": 0}, {"work": handler}).status == "completed"
    assert attempts == [(0, 1), (1, 2), (2, 3)]


def test_d5_only_named_errors_are_retried_and_exceptions_may_refuse(execute: Execute) -> None:
    calls = []

    class FinalError(OSError):
        retryable = False

    def handler(payload: dict[str, Any], ctx: RuntimeContext) -> Any:
        calls.append(ctx.attempt)
        raise FinalError if len(calls) == 2 else ConnectionError

    with pytest.raises(FinalError):
        execute(chain(retry={"retries": 5, "errors": ["OSError"]}), {"i": 0}, {"work": handler})
    assert calls == [1, 2]


async def nap(payload: dict[str, Any], ctx: RuntimeContext) -> Any:
    await asyncio.sleep(3600)


def test_d5_a_call_that_takes_too_long_is_stopped(execute: Execute) -> None:
    with pytest.raises(NodeTimeoutError, match="took longer than 0.02 s") as caught:
        execute(chain(timeout_seconds=0.02), {"i": 0}, {"work": nap})
    assert isinstance(caught.value, TimeoutError)


def test_d5_a_handlers_own_timeout_is_not_ours(execute: Execute) -> None:
    async def handler(payload: dict[str, Any], ctx: RuntimeContext) -> Any:
        async with asyncio.timeout(0.01):
            await asyncio.sleep(3600)

    with pytest.raises(TimeoutError) as caught:
        execute(chain(timeout_seconds=60), {"i": 0}, {"work": handler})
    assert not isinstance(caught.value, NodeTimeoutError)


def test_d5_a_run_has_a_deadline(execute: Execute) -> None:
    with pytest.raises(RunDeadlineError) as caught:
        execute(chain(), {"i": 0}, {"work": nap}, deadline_seconds=0.05)
    assert caught.value.code == "run.deadline"


def test_d5_a_run_has_a_step_budget(execute: Execute) -> None:
    with pytest.raises(WorkflowExecutionError) as caught:
        execute(chain(3), {"i": 0}, {"work": add_one}, max_steps=2)
    assert caught.value.code == "run.step_budget"
    assert execute(chain(3), {"i": 0}, {"work": add_one}, max_steps=None).status == "completed"


def test_d6_an_interrupted_run_is_resumed_by_an_answer() -> None:
    run = execute_workflow(approval(), {"text": "x"}, {})
    assert run.status is RunStatus.INTERRUPTED
    assert run.interrupt is not None
    assert (run.interrupt.id, run.interrupt.payload, run.interrupt.typed) == ("interrupt:ask", {"text": "x"}, True)
    assert resume_workflow(approval(), run, {}) is run
    done = resume_workflow(approval(), run, {}, resume_payload={"approved": True})
    assert (done.status, done.output, run.status) == ("completed", {"approved": True}, "interrupted")


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ({"resume_payload": {"approved": "yes"}}, "'yes' is not of type 'boolean'"),
        ({"resume_payload": {}, "resume_outcome": "maybe"}, "does not declare resume outcome 'maybe'"),
        ({"resume_payload": {"approved": True}, "interrupt_id": "interrupt:other"}, "interrupt:other"),
    ],
)
@pytest.mark.parametrize("resume", [resume_workflow, resume_workflow_result])
def test_d6_a_bad_answer_is_refused_and_changes_nothing(resume: Any, answer: dict[str, Any], message: str) -> None:
    run = execute_workflow(approval(), {"text": "x"}, {})
    with pytest.raises(RunEventError, match=message):
        resume(approval(), run, {}, **answer)
    assert resume(approval(), run, {}, resume_payload={"approved": False}).status == "completed"


async def test_d6_answers_work_on_the_loop_too() -> None:
    run = await execute_workflow_async(approval(), {"text": "x"}, {})
    done = await resume_workflow_async(approval(), run, {}, resume_payload={"approved": True})
    assert done.output == {"approved": True}
    assert await resume_workflow_async(approval(), done, {}) is done
    assert resume_workflow(approval(), done, {}) is done
    with pytest.raises(RunEventError, match="completed"):
        await resume_workflow_async(approval(), done, {}, resume_payload={"approved": False})


@pytest.mark.parametrize("value", [None, [], "x", 1])
def test_an_input_that_is_no_object_has_a_code(value: Any, execute: Execute, result: Execute) -> None:
    with pytest.raises(PayloadError, match="workflow input must be a dict") as caught:
        execute(chain(), value, {"work": add_one})
    assert isinstance(caught.value, TypeError)
    run = result(chain(), value, {"work": add_one})
    assert (run.status, run.error.code, run.error.type) == ("failed", "payload.not_an_object", "PayloadError")
    waiting = result(approval(), {"text": "x"}, {})
    if value is not None:
        with pytest.raises(PayloadError, match="resume payload must be a dict"):
            resume_workflow(approval(), waiting, {}, resume_payload=value)


def test_sync_handlers_of_a_blocking_run_may_run_a_loop_whatever_was_awaited_before() -> None:
    async def later() -> int:
        await asyncio.sleep(0)
        return 1

    def handler(payload: dict[str, Any], ctx: RuntimeContext) -> Any:
        if ctx.current_node_id in {"n0", "n2"}:
            return add_one_async(payload, ctx)
        return {"i": payload["i"] + asyncio.run(later())}

    assert execute_workflow(chain(4), {"i": 0}, {"work": handler}).output == {"i": 4}


async def test_a_blocking_run_on_a_running_loop_waits_in_a_thread_of_its_own() -> None:
    def handler(payload: dict[str, Any], ctx: RuntimeContext) -> Any:
        return add_one_async(payload, ctx) if ctx.current_node_id == "n0" else asyncio.run(add_one_async(payload, ctx))

    assert execute_workflow(chain(3), {"i": 0}, {"work": handler}).output == {"i": 3}


def test_a_blocking_run_that_fails_ends_what_is_in_flight() -> None:
    ended = []

    async def handler(payload: dict[str, Any], ctx: RuntimeContext) -> dict[str, Any]:
        if payload["item"] == "bad":
            await asyncio.sleep(0)
            raise LookupError("bad")
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(payload["item"])
        raise AssertionError("nobody sets the event")

    with pytest.raises(LookupError):
        execute_workflow(fan(), {"items": ["a", "bad", "b"]}, {"work": handler})
    assert sorted(ended) == ["a", "b"]


def test_d16_a_changed_workflow_is_noticed() -> None:
    run = execute_workflow_result(chain(2), {"i": 0}, {})
    with pytest.raises(WorkflowExecutionError, match=r"has changed .*: edges, nodes") as caught:
        resume_workflow(chain(3), run, {"work": add_one})
    assert caught.value.code == "snapshot.plan_changed"
    with pytest.raises(WorkflowExecutionError, match="run state belongs to workflow 'chain', not 'approval'"):
        resume_workflow(approval(), run, {})
    titled = chain(2).model_copy(update={"input_schema": {"type": "object", "title": "T", "description": "D"}})
    assert resume_workflow(titled, run, {"work": add_one}).status == "completed"


def test_d16_a_run_has_an_id_times_and_a_plan_hash() -> None:
    first, second = (execute_workflow(chain(), {"i": 0}, {"work": add_one}) for _ in range(2))
    assert first.run_id != second.run_id
    assert first.plan_hash == second.plan_hash
    assert first.started_at is not None
    assert first.finished_at is not None
    assert first.started_at <= first.finished_at
    assert execute_workflow(chain(), {"i": 0}, {"work": add_one}, run_id="mine").run_id == "mine"


def test_stored_runs_load_and_go_on() -> None:
    failed = execute_workflow_result(chain(2), {"i": 0}, {})
    loaded = load_run_state(dump_run_state(failed))
    assert loaded == failed
    assert loaded.error == failed.error
    assert dump_run_state(loaded) == dump_run_state(failed)
    assert resume_workflow(chain(2), loaded, {"work": add_one}).output == {"i": 2}
    pickled: RunState = pickle.loads(pickle.dumps(failed))
    assert resume_workflow(chain(2), pickled, {"work": add_one}).output == {"i": 2}


@pytest.mark.parametrize(
    ("payload", "kind"),
    [
        ({"version": 3, "state": {}}, ValueError),
        ({"version": 1, "state": {}, "more": 1}, ValueError),
        ("{}", ValueError),
        ({"version": 1, "state": {"workflow_name": 1}}, SnapshotError),
        ({"version": 2, "state": {"workflow_name": "chain", "status": "failed", "workflow_input": {}}}, SnapshotError),
    ],
)
def test_what_is_no_stored_run_is_refused(payload: Any, kind: type[Exception]) -> None:
    with pytest.raises(kind):
        load_run_state(payload)


def test_a_run_of_the_predecessor_loads_and_goes_on() -> None:
    root = {"id": "root", "kind": "workflow", "node_id": "n1", "status": "pending"}
    body = {
        "workflow_name": "chain",
        "status": "running",
        "workflow_input": {"i": 0},
        "state": {"i": 5},
        "frames": {"root": root},
        "scopes": {
            "root": {"id": "root", "workflow_name": "chain", "workflow_input": {"i": 0}, "committed_state": {"i": 1}}
        },
        "lineages": {"root": {"id": "root", "scope_id": "root"}},
        "ready_frame_ids": ["root"],
    }
    run = load_run_state({"version": 1, "state": body})
    assert run.state == {"i": 1}
    assert resume_workflow(chain(2), run, {"work": add_one}).output == {"i": 2}


def test_every_step_is_a_step_of_its_own() -> None:
    workflow = fan()
    run = create_run_state(workflow, {"items": ["a", "b"]})
    assert (run.status.value, len(run.trace)) == ("running", 0)
    stood = []
    while run.status is RunStatus.RUNNING:
        stood.append([frame.node_id for frame in run.frames.values()])
        # A run between two steps is kept and loaded like any other.
        run = load_run_state(dump_run_state(run))
        run = step_workflow(workflow, run, {"work": lambda payload, ctx: {"value": payload["item"]}})
    assert stood == [
        ["each"],
        ["each", "work", "work"],
        ["each", "__end__", "work"],
        ["each", "__end__", "__end__"],
    ]
    assert run.output == {"out": ["a", "b"]}


async def test_a_step_ends_where_its_retry_waits() -> None:
    calls = []

    def handler(payload: dict[str, Any], ctx: RuntimeContext) -> dict[str, Any]:
        calls.append(ctx.retry_count)
        if not ctx.retry_count:
            raise OSError("later")
        return {"i": 7}

    workflow = chain(2, retry={"retries": 1, "backoff_seconds": 0.01})
    run = await step_workflow_async(workflow, create_run_state(workflow, {"i": 0}), {"work": handler})
    assert (calls, run.status.value, len(run.trace)) == ([0], "running", 0)
    run = await step_workflow_async(workflow, run, {"work": handler})
    assert (calls, run.state["i"], run.status.value) == ([0, 1], 7, "running")


def test_a_thread_that_raises_stop_iteration_fails_the_call() -> None:
    def handler(payload: dict[str, Any], ctx: RuntimeContext) -> dict[str, Any]:
        raise StopIteration(1)

    with pytest.raises(RuntimeError, match="StopIteration"):
        execute_workflow(chain(timeout_seconds=60), {"i": 0}, {"work": handler})


def test_steps_one_call_at_a_time() -> None:
    run = create_run_state(chain(2), {"i": 0})
    first = step_workflow(chain(2), run, {"work": add_one})
    second = asyncio.run(step_workflow_async(chain(2), first, {"work": add_one_async}))
    assert [r.state["i"] for r in (run, first, second)] == [0, 1, 2]
    assert [r.status.value for r in (run, first, second)] == ["running", "running", "completed"]
    assert step_workflow(chain(2), second, {}) is second
    with pytest.raises(ZeroDivisionError):
        step_workflow(chain(2), first, {"work": lambda payload, ctx: 1 // 0})
    assert resume_workflow(chain(2), first, {"work": add_one}).output == {"i": 2}


def test_custom_reducers_and_their_exceptions(execute: Execute) -> None:
    workflow = fan().model_copy(
        update={"state_schema": {"properties": {"out": {"reducer": {"name": "demo.join", "config": {"by": "-"}}}}}}
    )
    spec = ReducerSpec(name="demo.join", config_schema={"type": "object", "properties": {"by": {"type": "string"}}})

    def join(current: Any, incoming: Any, config: dict[str, Any]) -> Any:
        return incoming if current is None else f"{current}{config['by']}{incoming}"

    reducers = {"demo.join": ReducerDefinition(spec, join, accepts_config=True)}
    handlers = {"work": lambda payload, ctx: {"value": payload["item"]}}
    assert execute(workflow, {"items": ["a", "b", "c"]}, handlers, reducers=reducers).output == {"out": "a-b-c"}
    boom = LookupError("no merge")

    def raising(current: Any, incoming: Any, config: dict[str, Any]) -> Any:
        raise boom

    with pytest.raises(LookupError) as caught:
        execute(workflow, {"items": ["a"]}, handlers, reducers={"demo.join": ReducerDefinition(spec, raising, True)})
    assert caught.value is boom

    def confused(current: Any, incoming: Any, config: dict[str, Any]) -> Any:
        raise TypeError("cannot")

    with pytest.raises(WorkflowExecutionError, match=r"cannot at 'state\.out'") as unmerged:
        execute(workflow, {"items": ["a"]}, handlers, reducers={"demo.join": ReducerDefinition(spec, confused, True)})
    assert unmerged.value.code == "reducer.types"
    assert isinstance(unmerged.value.__cause__, TypeError)
    with pytest.raises(WorkflowValidationError, match="unknown reducer 'demo.join'"):
        execute(workflow, {"items": ["a"]}, handlers)


def test_subgraphs_have_their_own_handlers(execute: Execute) -> None:
    parent = Workflow.model_validate(
        {
            "name": "parent",
            "input_schema": {"type": "object", "properties": {"i": {}}},
            "state_schema": {"properties": {"i": {}}},
            "output_schema": {"properties": {"i": {}}},
            "start": "child",
            "nodes": [
                {
                    "id": "child",
                    "type": "subgraph",
                    "workflow": "chain",
                    "input_schema": {"type": "object", "properties": {"i": {}}},
                    "output_schema": {"type": "object", "properties": {"i": {}}},
                    "input": [{"target": "i", "path": "input.i"}],
                    "output": [{"source": "i", "target": "state.i"}],
                }
            ],
            "edges": [{"from": "child", "outcome": "ok", "to": "__end__"}],
        }
    )
    subgraphs = {"chain": PreparedSubgraph(chain(2), {"work": add_one})}
    assert execute(parent, {"i": 40}, {}, subgraphs=subgraphs).output == {"i": 42}
    with pytest.raises(WorkflowValidationError, match="no prepared child workflow registered for 'chain'"):
        execute(parent, {"i": 40}, {})


def test_d3_records_are_values() -> None:
    run = execute_workflow(chain(), {"i": 0}, {"work": add_one})
    entry = run.trace[0]
    assert entry == run.trace[0]
    assert pickle.loads(pickle.dumps(entry)) == entry
    made = TraceEntry(
        frame_id="f", node_id="n", step_type="node", resolved_input={}, outcome="ok", next_node_id="__end__"
    )
    assert made.output == {}
    with pytest.raises(AttributeError):
        run.status = "failed"  # type: ignore[misc, assignment]
    assert run.to_dict()["status"] == "completed"
    assert run.cancel is not None
    with pytest.raises(RunEventError):
        run.cancel("too late")


def test_a_waiting_run_can_be_cancelled() -> None:
    run = execute_workflow(approval(), {"text": "x"}, {}).cancel("not needed")
    assert (run.status, run.error, run.error and run.error.code) == ("cancelled", "not needed", "run.cancelled")
    with pytest.raises(RunEventError):
        resume_workflow(approval(), run, {}, resume_payload={"approved": True})


def test_d1_async_functions_are_coroutine_functions() -> None:
    for name in wf_core.__all__:
        value = getattr(wf_core, name)
        if name.endswith("_async"):
            assert inspect.iscoroutinefunction(value), name


def test_a_plan_is_compiled_once_per_workflow_object() -> None:
    class Counting(dict[str, Any]):
        lookups = 0

        def __getitem__(self, key: str) -> Any:
            type(self).lookups += 1
            return super().__getitem__(key)

    workflow = chain(50)
    first = execute_workflow(workflow, {"i": 0}, Counting(work=add_one))
    assert Counting.lookups == 1
    assert execute_workflow(workflow, {"i": 0}, {"work": add_one}).plan_hash == first.plan_hash
