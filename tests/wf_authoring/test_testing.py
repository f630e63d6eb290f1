"""The fakes, the harness and the plugin that tests of workflows use."""

from collections.abc import Callable
from typing import Any

import pytest

from wf_authoring import WorkflowBuilder, input_from, node, output_to
from wf_authoring.testing import RecordingRegistry, ResourceRead, ScriptedPlatform, WorkflowHarness, trace_table
from wf_core import RuntimeContext

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
    assert workflow_harness.resume_sync(builder, run, {"text": "no"}).output["text"] == "no"


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
