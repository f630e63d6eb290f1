"""The fakes, the harness and the plugin that tests of workflows use."""

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from wf_authoring import WorkflowBuilder, input_from, node, output_to, reducer
from wf_authoring.testing import (
    NEVER,
    RecordingRegistry,
    ResourceRead,
    ScriptedPlatform,
    WorkflowHarness,
    after,
    trace_table,
)
from wf_core import END, RuntimeContext, Workflow
from wf_core.errors import RunEventError

pytest_plugins = ["pytester"]

ANY: dict[str, Any] = {"type": "object", "properties": {"url": {}, "text": {}, "size": {}}}


@node(name="demo.fetch")
async def fetch(url: str, ctx: RuntimeContext) -> str:
    platform: Any = ctx.platform
    payload = await platform.read_resource(source_id=platform.resolve_source("drive"), uri=url, max_chars=5)
    return str(payload["contents"][0]["text"])


@node(name="demo.size")
def size(text: str) -> int:
    return len(text)


def report() -> WorkflowBuilder:
    builder = WorkflowBuilder("report", ANY, ANY, ANY)
    read = builder.use(fetch, id="read", output=[output_to("result", "text")])
    measure = builder.use(
        size, id="measure", input=[input_from("state.text", "text")], output=[output_to("result", "size")]
    )
    builder.set_entry_point(read)
    builder.connect(read, "ok", measure)
    builder.connect(measure, "ok", builder.end())
    return builder


async def test_a_workflow_reads_what_the_test_scripts(
    workflow_harness: WorkflowHarness, scripted_platform: ScriptedPlatform
) -> None:
    scripted_platform.resource("drive.personal", "gdrive://file/abc", text="hello world")

    run = await workflow_harness.run(report(), {"url": "gdrive://file/abc"}, bindings={"drive": "drive.personal"})

    assert run.outcome == "ok"
    assert run.output["size"] == 5
    run.assert_visited("read", "measure").assert_outcome("ok").assert_called("demo.fetch", times=1)
    assert scripted_platform.reads == [ResourceRead("drive.personal", "gdrive://file/abc", 5)]


async def test_nodes_answer_from_a_script(
    workflow_harness: WorkflowHarness, recording_registry: RecordingRegistry
) -> None:
    recording_registry.reply("demo.fetch", {"result": "abc"}, ConnectionError("down"))

    first = await workflow_harness.run(report(), {"url": "a"})
    second = await workflow_harness.run(report(), {"url": "b"})

    first.assert_outcome("ok")
    second.assert_status("failed").assert_not_visited("measure")
    assert "down" in str(second.error)
    assert recording_registry.payloads("demo.fetch") == [{"url": "a"}, {"url": "b"}]
    assert [type(call.error) for call in recording_registry.calls] == [type(None), type(None), ConnectionError]


def test_the_blocking_engine_and_documents_work_as_well(recording_registry: RecordingRegistry) -> None:
    recording_registry.reply("demo.fetch", {"outcome": "ok", "output": {"result": "abc"}})
    recording_registry.reply("demo.size", {"result": 3})
    harness = WorkflowHarness(registry=recording_registry)

    assert harness.run_sync(report().compile(), {"url": "a"}).assert_outcome("ok").output["size"] == 3


async def test_a_question_is_answered(workflow_harness: WorkflowHarness) -> None:
    builder = WorkflowBuilder("ask", ANY, ANY, ANY)
    ask = builder.interrupt(
        kind="approval", request=[input_from("input.url", "url")], resume=[output_to("text", "text")]
    )
    builder.set_entry_point(ask)
    builder.connect(ask, "submitted", builder.end())

    run = await workflow_harness.run(builder, {"url": "a"})
    run.assert_status("interrupted")
    assert "waits for approval at interrupt_approval: {'url': 'a'}" in repr(run)

    done = await workflow_harness.resume(builder, run, {"text": "yes"})
    assert done.assert_outcome("ok").output["text"] == "yes"
    with pytest.raises(RunEventError):
        await workflow_harness.resume(builder, done, {"text": "again"})


def test_a_question_is_answered_without_a_loop(workflow_harness: WorkflowHarness) -> None:
    builder = WorkflowBuilder("ask", ANY, ANY, ANY)
    builder.set_entry_point(builder.interrupt(kind="approval", resume=[output_to("text", "text")]))
    builder.connect("interrupt_approval", "submitted", builder.end())

    run = workflow_harness.run_sync(builder, {"url": "a"})

    assert workflow_harness.resume_sync(builder, run, {"text": "no"}).output["text"] == "no"


async def test_a_failed_run_is_tried_again(
    workflow_harness: WorkflowHarness, recording_registry: RecordingRegistry
) -> None:
    recording_registry.reply("demo.fetch", ConnectionError("down"), {"result": "abc"})

    failed = await workflow_harness.run(report(), {"url": "a"})
    done = await workflow_harness.resume(report(), failed)

    failed.assert_status("failed")
    done.assert_outcome("ok").assert_called("demo.fetch", times=2)


# --- virtual time ----------------------------------------------------------------------------------------------------


def patient(**options: Any) -> WorkflowBuilder:
    """A workflow of one scripted node."""
    builder = WorkflowBuilder("patient", ANY, ANY, ANY)
    step = builder.use(fetch, id="read", output=[output_to("result", "text")], **options)
    builder.set_entry_point(step)
    builder.connect(step, "ok", builder.end())
    return builder


async def test_retries_take_no_real_time(
    workflow_harness: WorkflowHarness, recording_registry: RecordingRegistry
) -> None:
    recording_registry.reply("demo.fetch", ConnectionError("1"), ConnectionError("2"), {"result": "abc"})
    began = time.monotonic()

    run = await workflow_harness.run(
        patient(retry={"retries": 2, "backoff_seconds": 600, "factor": 2, "max_backoff_seconds": 10_000}), {"url": "a"}
    )

    run.assert_outcome("ok").assert_called("demo.fetch", times=3)
    assert workflow_harness.clock.passed == 600 + 1200
    assert [call.context.retry_count for call in run.calls] == [0, 1, 2]
    assert time.monotonic() - began < 5


async def test_time_passes_when_the_test_says_so(
    workflow_harness: WorkflowHarness, recording_registry: RecordingRegistry
) -> None:
    recording_registry.reply("demo.fetch", ConnectionError("1"), after(5, {"result": "abc"}))
    live = workflow_harness.start(patient(retry={"retries": 1, "backoff_seconds": 30}), {"url": "a"})

    await live.settle()
    assert (live.stopped, len(recording_registry.calls)) == (False, 1)
    await live.advance(29)
    assert len(recording_registry.calls) == 1
    await live.advance(1)
    assert (live.stopped, len(recording_registry.calls)) == (False, 2)
    assert live.next_time == live.clock.now + 5
    await live.advance(5)
    assert (live.stopped, live.state().outcome) == (True, "ok")


async def test_a_time_limit_ends_a_scripted_reply(
    workflow_harness: WorkflowHarness, recording_registry: RecordingRegistry
) -> None:
    recording_registry.reply("demo.fetch", NEVER, after(2, {"result": "abc"}))

    late = await workflow_harness.run(patient(timeout_seconds=3), {"url": "a"})
    early = await workflow_harness.run(patient(timeout_seconds=3), {"url": "a"})

    late.assert_status("failed")
    assert workflow_harness.clock.passed == 3 + 2
    early.assert_outcome("ok")


async def test_a_run_that_would_wait_for_ever_is_an_error(
    workflow_harness: WorkflowHarness, recording_registry: RecordingRegistry
) -> None:
    recording_registry.reply("demo.fetch", NEVER)

    with pytest.raises(AssertionError, match=r"the run waits for ever, for a reply of: 'demo\.fetch'"):
        await workflow_harness.run(patient(), {"url": "a"})
    assert "patient: running" in repr(workflow_harness.runs[0])


async def test_replies_come_in_the_order_of_their_times(
    workflow_harness: WorkflowHarness, recording_registry: RecordingRegistry
) -> None:
    schema = {"type": "object", "properties": {"texts": {"type": "array", "reducer": "wf.std.append"}}}
    builder = WorkflowBuilder("fork", {}, schema, schema)
    fork = builder.fork("slow", "fast")
    gather = builder.gather(fork, wait="any")
    for branch, seconds in (("slow", 9), ("fast", 1)):
        recording_registry.reply(f"demo.{branch}", after(seconds, {"text": branch}))
        step = builder.use_ref(f"demo.{branch}", id=branch, output=[output_to("text", "texts")])
        builder.connect(fork, branch, step)
        builder.connect(step, "ok", gather)
    builder.connect(gather, "done", builder.end())
    builder.set_entry_point(fork)
    contract = {"input_schema": {}, "output_schema": {"properties": {"text": {}}}, "outcomes": ["ok"]}
    workflow = builder.compile().model_copy(
        update={"node_defs": [{"name": f"demo.{branch}", **contract} for branch in ("slow", "fast")]}
    )

    run = await workflow_harness.run(workflow, {})

    assert run.assert_outcome("ok").output == {"texts": ["fast"]}
    assert workflow_harness.clock.passed == 1


async def test_handlers_that_really_wait_overlap_and_have_real_limits(workflow_harness: WorkflowHarness) -> None:
    both = asyncio.Barrier(2)

    @node
    async def meet(url: str) -> str:
        await both.wait()
        return url

    @node(timeout_seconds=0.01)
    async def hang(url: str) -> str:
        await asyncio.Event().wait()
        return url

    @node(blocking=True)
    def work(url: str) -> str:
        return f"{url} {threading.current_thread() is threading.main_thread()}"

    builder = WorkflowBuilder("fork", ANY, ANY, ANY)
    fork = builder.fork("left", "right")
    gather = builder.gather(fork)
    for branch in ("left", "right"):
        step = builder.use(meet, id=branch, output=[])
        builder.connect(fork, branch, step)
        builder.connect(step, "ok", gather)
    last = builder.use(work, output=[output_to("result", "text")])
    builder.connect(gather, "done", last)
    builder.connect(last, "ok", builder.end())
    builder.set_entry_point(fork)
    run = await workflow_harness.run(builder, {"url": "a"})
    assert run.assert_outcome("ok").output["text"] == "a False"

    slow = WorkflowBuilder("slow", ANY, ANY, ANY)
    slow.set_entry_point(hang)
    slow.connect("hang", "ok", slow.end())
    (await workflow_harness.run(slow, {"url": "a"})).assert_status("failed")


async def test_reducers_and_subgraphs_run_in_virtual_time(workflow_harness: WorkflowHarness) -> None:
    @reducer(name="demo.longest")
    def longest(current: Any, incoming: Any) -> Any:
        return max(current or "", incoming, key=len)

    schema = {
        "type": "object",
        "properties": {"words": {"type": "array"}, "best": {"type": "string", "reducer": "demo.longest"}},
    }

    @node
    def same(word: str) -> str:
        return word

    child = WorkflowBuilder("child", schema, schema, schema, reducers=[longest])
    each = child.foreach(over="state.words", as_="word", mode="concurrent", concurrent={})
    step = child.use(same, input=[input_from("context.word", "word")], output=[output_to("result", "best")])
    child.set_entry_point(each)
    child.connect(each, "loop", step)
    child.connect(step, "ok", END)
    child.connect(each, "done", END)
    parent = WorkflowBuilder("parent", schema, schema, schema, reducers=[longest])
    inner = parent.subgraph(
        workflow=child, input=[input_from("input.words", "words")], output=[output_to("best", "best")]
    )
    parent.set_entry_point(inner)
    parent.connect(inner, "ok", parent.end())

    run = await workflow_harness.run(parent, {"words": ["a", "ccc", "bb"]})

    assert run.assert_outcome("ok").output["best"] == "ccc"
    run.assert_called("same", times=3)


async def test_a_missing_handler_fails_the_run_with_a_hint(workflow_harness: WorkflowHarness) -> None:
    document = Workflow.model_validate(report().compile().model_dump(mode="json", by_alias=True))

    run = await workflow_harness.run(document, {"url": "a"})

    run.assert_status("failed")
    assert "no handler registered for node def 'demo.fetch'" in str(run.error)


def test_runs_of_a_test_are_always_the_same(recording_registry: RecordingRegistry) -> None:
    recording_registry.reply("demo.fetch", {"result": "abc"})

    one, two = (WorkflowHarness(registry=recording_registry).run_sync(report(), {"url": "a"}) for _ in range(2))

    assert one.state_of_run == two.state_of_run
    assert one.run_id == "run-1"


@pytest.mark.parametrize("seconds", [-1, float("nan")])
async def test_time_does_not_go_back(workflow_harness: WorkflowHarness, seconds: float) -> None:
    with pytest.raises(ValueError, match="cannot come"):
        after(seconds, {})
    with pytest.raises(ValueError, match="does not go back"):
        await workflow_harness.start(patient(), {"url": "a"}).advance(seconds)


async def test_assertions_show_the_trace(
    workflow_harness: WorkflowHarness, recording_registry: RecordingRegistry
) -> None:
    recording_registry.reply("demo.fetch", {"result": "abc"})
    run = await workflow_harness.run(report(), {"url": "a"})

    checks: list[Callable[[], object]] = [
        lambda: run.assert_visited("measure", "read"),
        lambda: run.assert_visited("nowhere"),
        lambda: run.assert_not_visited("measure"),
        lambda: run.assert_status("failed"),
        lambda: run.assert_outcome("other"),
        lambda: run.assert_called("demo.fetch", times=2),
        lambda: run.assert_called("demo.none"),
    ]
    for check in checks:
        with pytest.raises(
            AssertionError, match=r"(?s)\n\n +step +type +frame +outcome +next\n1 +read +node +root +ok +measure"
        ):
            check()


def test_the_table_shows_the_failure() -> None:
    @node
    def broken(url: str) -> str:
        raise ValueError("no " + url)

    builder = WorkflowBuilder("demo", ANY, ANY, ANY)
    builder.set_entry_point(broken)
    builder.connect("broken", "ok", builder.end())

    table = trace_table(builder.run({"url": "way"}))

    assert "demo: failed" in table
    assert "no way" in table


# --- the platform ----------------------------------------------------------------------------------------------------


async def test_a_platform_knows_what_is_scripted_only() -> None:
    platform = ScriptedPlatform(bindings={"a": "b"})
    platform.resource("b", "x", contents=[{"text": "abcdef"}, {"blob": "AA=="}])
    platform.resource("b", "y", error=PermissionError("locked"))

    assert (platform.resolve_source("a"), platform.resolve_source("wf.source")) == ("b", "wf.source")
    with pytest.raises(KeyError, match="unbound logical source 'c'"):
        platform.resolve_source("c")
    payload = await platform.read_resource(source_id="b", uri="x", max_chars=3)
    assert payload == {"contents": [{"text": "abc"}, {"blob": "AA=="}], "truncated": True}
    with pytest.raises(PermissionError, match="locked"):
        await platform.read_resource(source_id="b", uri="y", max_chars=3)
    with pytest.raises(KeyError, match="unknown resource 'z' for source 'b'; scripted are: b x, b y"):
        await platform.read_resource(source_id="b", uri="z", max_chars=3)
    with pytest.raises(TypeError, match="only one of them"):
        platform.resource("b", "x", text="a", error=KeyError())
    with pytest.raises(TypeError, match="needs at least one reply"):
        RecordingRegistry().reply("a")


# --- the plugin ------------------------------------------------------------------------------------------------------


def test_a_failing_test_prints_the_traces_of_its_runs(pytester: pytest.Pytester, pytestconfig: pytest.Config) -> None:
    pytester.makepyfile(
        """
        from wf_authoring import WorkflowBuilder

        def test_fails(workflow_harness):
            builder = WorkflowBuilder("demo", {}, {}, {})
            builder.set_entry_point(builder.end())
            workflow_harness.run_sync(builder, {})
            assert False

        def test_passes(workflow_harness, scripted_platform, recording_registry):
            assert workflow_harness.platform is scripted_platform
            assert workflow_harness.registry is recording_registry
        """
    )

    installed = pytestconfig.pluginmanager.has_plugin("lda-wf")
    plugin = () if installed else ("-p", "wf_authoring.testing.plugin")
    result = pytester.runpytest_inprocess(
        "-p", "no:cacheprovider", "-o", "asyncio_default_fixture_loop_scope=function", *plugin
    )

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*workflow run 1*", "*1  end_ok  end   root*", "demo: completed, outcome ok"])
