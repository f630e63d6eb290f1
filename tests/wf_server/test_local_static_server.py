"""The local server end to end: sources, artifacts, deployments, runs."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from pydantic import BaseModel

from wf_api import ReadableResource, SourceResourceRef, file_source
from wf_authoring import node
from wf_core import RuntimeContext
from wf_core.errors import RunEventError
from wf_platform.sources import CapabilityBuckets, CapabilitySource, SourcePermissions, SourceVisibility
from wf_server import build_local_static_workflow_server


def test_wf_source_is_a_platform_source_of_the_local_server(tmp_path: Path) -> None:
    server = build_local_static_workflow_server(tmp_path)
    source = server.context.specs.capability_sources["wf.source"]
    assert source.policy.platform is True
    assert source.policy.binding_required is False
    assert "wf.source.read_resource" in source.capabilities.node_specs


def reading_plan() -> dict[str, Any]:
    text = {"type": ["string", "null"]}
    return {
        "name": "reading",
        "input_schema": {
            "type": "object",
            "properties": {"ref": {"type": "object"}, "bound": {"type": "integer"}},
            "required": ["ref"],
        },
        "state_schema": {"type": "object", "properties": {"text": text, "cut": {"type": "boolean"}}},
        "output_schema": {"type": "object", "properties": {"text": text, "cut": {"type": "boolean"}}},
        "outcomes": ["ok"],
        "start": "read",
        "nodes": [
            {
                "type": "node",
                "id": "read",
                "node": "wf.source.read_resource",
                "input": [{"target": "ref", "path": "input.ref"}, {"target": "max_chars", "path": "input.bound"}],
                "output": [
                    {"source": "text", "target": "state.text"},
                    {"source": "truncated", "target": "state.cut"},
                ],
            }
        ],
        "edges": [{"from": "read", "outcome": "ok", "to": "__end__"}],
    }


def ref(uri: str, source: str = "docs") -> dict[str, Any]:
    return SourceResourceRef(logical_source=source, uri=uri).model_dump(mode="json")


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    root = tmp_path / "docs"
    root.mkdir()
    (root / "letters.txt").write_text("abcdefghijklmnopqrstuvwxyz")
    return root


async def reading_server(tmp_path: Path, docs: Path, **options: Any) -> Any:
    tools = CapabilitySource(id="tools.here", kind="connection")
    server = build_local_static_workflow_server(
        tmp_path / "store", extra_sources=[file_source("docs.here", docs), tools], **options
    )
    saved = await server.api.create_artifact_from_plan(
        artifact_id="reading", version=1, title="Reading", plan=reading_plan(), outcomes=["ok"]
    )
    assert saved == {"artifact_id": "reading", "version": 1, "saved": True}
    saved = await server.api.save_deployment(
        {"id": "daily", "artifact_id": "reading", "artifact_version": 1, "bindings": {"docs": "docs.here"}}
    )
    assert saved == {"deployment_id": "daily", "artifact_id": "reading", "artifact_version": 1, "saved": True}
    return server


async def test_a_plan_is_saved_bound_validated_and_run_and_another_server_finds_the_run(
    tmp_path: Path, docs: Path
) -> None:
    server = await reading_server(tmp_path, docs)
    validated = await server.api.validate_deployment(deployment_id="daily")
    assert (validated["status"], validated["diagnostics"]) == ("runnable", [])
    result = await server.api.run_deployment(
        deployment_id="daily", workflow_input={"ref": ref("letters.txt"), "bound": 5}, trace_range={"limit": 5}
    )
    assert result["status"] == "completed", result
    assert result["output"] == {"text": "abcde", "cut": True}
    assert [entry["node_id"] for entry in result["trace"]] == ["read"]
    assert result["next_actions"]["reason"] == "the run has completed"

    again = build_local_static_workflow_server(tmp_path / "store")
    inspected = await again.api.inspect_run(run_id=result["run_id"])
    assert inspected["output"] == result["output"]
    trace = await again.api.read_run_trace(run_id=result["run_id"])
    assert trace["trace"] == result["trace"]
    listed = await again.api.list_runs()
    assert [row["run_id"] for row in listed["runs"]] == [result["run_id"]]
    assert listed["runs"][0]["created_at"].endswith("Z")


class Cause(NamedTuple):
    """What a ref names, and what the failed run says about it."""

    deployment: str
    source: str
    uri: str
    code: str
    kind: str
    message: str


CAUSES = [
    Cause("daily", "mail", "a", "source.unbound", "UnboundSourceError", "unbound logical source 'mail'"),
    Cause(
        "daily",
        "docs",
        "no.txt",
        "resource.missing",
        "ResourceMissingError",
        "unknown resource 'no.txt' for source 'docs.here'",
    ),
    Cause(
        "daily",
        "docs",
        "../x",
        "resource.outside_root",
        "ResourceOutsideRootError",
        "resource '../x' lies outside the root of source 'docs.here'",
    ),
    Cause(
        "daily",
        "docs",
        ".",
        "resource.not_a_file",
        "ResourceNotAFileError",
        "resource '.' of source 'docs.here' is a directory, not a file",
    ),
    Cause(
        "other",
        "docs",
        "a",
        "source.unreadable",
        "SourceUnreadableError",
        "source 'tools.here' has no readable resources",
    ),
    Cause("other", "gone", "a", "source.unknown", "UnknownSourceError", "unknown source 'gone.here'"),
]


@pytest.mark.parametrize("cause", CAUSES, ids=lambda cause: cause.code)
async def test_every_cause_of_a_failed_read_is_in_the_stored_run(tmp_path: Path, docs: Path, cause: Cause) -> None:
    server = await reading_server(tmp_path, docs)
    await server.api.save_deployment(
        {
            "id": "other",
            "artifact_id": "reading",
            "artifact_version": 1,
            "bindings": {"docs": "tools.here", "gone": "gone.here"},
        }
    )
    result = await server.api.run_deployment(
        deployment_id=cause.deployment,
        workflow_input={"ref": ref(cause.uri, cause.source), "bound": 5},
        trace_range={},
    )
    assert result["status"] == "failed"
    assert result["error"].splitlines()[0] == cause.message
    assert (result["failure"]["type"], result["failure"]["node_id"]) == (cause.kind, "read")
    assert result["failure"]["data"]["code"] == cause.code
    assert result["trace"][0]["error"]["type"] == cause.kind
    stored = await server.api.inspect_run(run_id=result["run_id"])
    assert (stored["status"], stored["failure"]) == ("failed", result["failure"])


async def test_d29_a_disabled_source_is_not_read(tmp_path: Path, docs: Path) -> None:
    server = await reading_server(tmp_path, docs)
    server.sources.disable("docs.here")
    result = await server.api.run_deployment(
        deployment_id="daily", workflow_input={"ref": ref("letters.txt"), "bound": 5}
    )
    assert result["failure"]["type"] == "SourceDisabledError"
    assert result["error"].splitlines()[0] == "source 'docs.here' is disabled"


async def test_readers_are_routed_by_source_id_and_may_be_sync_or_async(tmp_path: Path, docs: Path) -> None:
    async def drive(source_id: str, uri: str, max_chars: int) -> dict[str, Any]:
        return {"contents": [{"text": f"{source_id} {uri}"[:max_chars]}]}

    def mail(source_id: str, uri: str, max_chars: int) -> dict[str, Any]:
        return {"contents": [{"text": f"mail of {source_id}"[:max_chars]}]}

    own = CapabilitySource(
        id="mail.here",
        kind="connection",
        capabilities=CapabilityBuckets(resources={"mail.here.inbox": ReadableResource(uri="mail://", reader=mail)}),
    )
    server = build_local_static_workflow_server(
        tmp_path / "store",
        extra_sources={
            "drive.here": CapabilitySource(id="drive.here", kind="connection"),
            "mail.here": own,
            "docs.here": file_source("docs.here", docs),
        },
        readers={"drive.here": drive},
    )
    await server.api.create_artifact_from_plan(
        artifact_id="reading", version=1, title="Reading", plan=reading_plan(), outcomes=["ok"]
    )
    await server.api.save_deployment(
        {
            "id": "all",
            "artifact_id": "reading",
            "artifact_version": 1,
            "bindings": {"drive": "drive.here", "mail": "mail.here", "docs": "docs.here"},
        }
    )

    async def text(source: str, uri: str) -> str:
        result = await server.api.run_deployment(
            deployment_id="all", workflow_input={"ref": ref(uri, source), "bound": 50}
        )
        return str(result["output"]["text"])

    assert await text("drive", "gdrive://abc") == "drive.here gdrive://abc"
    assert await text("mail", "mail://1") == "mail of mail.here"
    assert await text("docs", "letters.txt") == "abcdefghijklmnopqrstuvwxyz"


class Counted(BaseModel):
    text: str


class Counts(BaseModel):
    words: int


@node
async def count_words(payload: Counted, ctx: RuntimeContext) -> Counts:
    if payload.text == "boom":
        raise ValueError("boom")
    return Counts(words=len(payload.text.split()))


def python_source(**changes: Any) -> CapabilitySource:
    fields: dict[str, Any] = {
        "id": "local.ops",
        "kind": "python",
        "capabilities": CapabilityBuckets(node_specs={"local.ops.count": count_words}),
        "visibility": SourceVisibility(planner=True, client=True),
        "permissions": SourcePermissions(safe_for_workflow=True),
    }
    return CapabilitySource(**(fields | changes))


def counting_plan() -> dict[str, Any]:
    return {
        "name": "counting",
        "input_schema": {"type": "object", "properties": {"text": {"type": "string"}}},
        "state_schema": {"type": "object", "properties": {"words": {"type": "integer"}}},
        "output_schema": {"type": "object", "properties": {"words": {"type": "integer"}}},
        "outcomes": ["ok"],
        "start": "count",
        "nodes": [
            {
                "type": "node",
                "id": "count",
                "node": "ops.count",
                "input": [{"target": "text", "path": "input.text"}],
                "output": [{"source": "words", "target": "state.words"}],
            }
        ],
        "edges": [{"from": "count", "outcome": "ok", "to": "__end__"}],
    }


async def counting_server(tmp_path: Path, **changes: Any) -> Any:
    server = build_local_static_workflow_server(tmp_path, extra_sources=[python_source(**changes)])
    await server.api.create_artifact_from_plan(
        artifact_id="counting", version=1, title="Counting", plan=counting_plan(), outcomes=["ok"]
    )
    await server.api.save_deployment(
        {"id": "count", "artifact_id": "counting", "artifact_version": 1, "bindings": {"ops": "local.ops"}}
    )
    return server


async def test_d21_a_python_node_runs_through_the_binding_of_its_logical_source(tmp_path: Path) -> None:
    server = await counting_server(tmp_path)
    result = await server.api.run_deployment(deployment_id="count", workflow_input={"text": "one two three"})
    assert (result["status"], result["output"]) == ("completed", {"words": 3})


async def test_a_node_that_raises_is_a_failed_run_with_type_code_and_step(tmp_path: Path) -> None:
    server = await counting_server(tmp_path)
    result = await server.api.run_deployment(deployment_id="count", workflow_input={"text": "boom"}, trace_range={})
    assert (result["status"], result["error"], result["output"]) == ("failed", "boom", {})
    assert (result["failure"]["type"], result["failure"]["code"]) == ("ValueError", "call.failed")
    assert result["trace_count"] == 1
    assert result["next_actions"]["recommended_next_tool"] == "wf.workflow.read_run_trace"


async def test_a_value_that_is_no_json_is_a_failed_run(tmp_path: Path) -> None:
    server = await counting_server(tmp_path)
    result = await server.api.run_deployment(deployment_id="count", workflow_input={"text": {1, 2}})
    assert result["status"] == "failed"
    assert result["failure"]["code"] == "value.not_json"
    result = await server.api.run_deployment(deployment_id="count", workflow_input=["no", "dict"])
    assert (result["status"], result["failure"]["type"]) == ("failed", "PayloadError")
    assert result["failure"]["code"] == "payload.not_an_object"


async def test_an_invalid_document_is_refused_with_every_problem(tmp_path: Path) -> None:
    server = build_local_static_workflow_server(tmp_path)
    with pytest.raises(ValueError, match="artifact_id") as caught:
        await server.api.save_deployment({"id": "x"})
    assert len(caught.value.problems) == 2  # type: ignore[attr-defined]
    dangling = counting_plan()
    dangling["edges"][0]["to"] = "nowhere"
    with pytest.raises(ValueError, match="invalid workflow plan") as caught:
        await server.api.create_artifact_from_plan(
            artifact_id="counting", version=1, title="t", plan=dangling, outcomes=["ok"]
        )
    assert caught.value.code == "artifact.invalid_plan"  # type: ignore[attr-defined]


async def test_an_unbound_capability_makes_the_deployment_unrunnable(tmp_path: Path) -> None:
    server = await counting_server(tmp_path)
    await server.api.save_deployment({"id": "bare", "artifact_id": "counting", "artifact_version": 1})
    validated = await server.api.validate_deployment(deployment_id="bare")
    assert (validated["status"], validated["diagnostics"][0]["code"]) == ("unrunnable", "binding_missing")
    result = await server.api.run_deployment(deployment_id="bare", workflow_input={"text": "a"})
    assert (result["status"], result["run_id"]) == ("unrunnable", None)
    assert (await server.api.list_runs())["total"] == 0


async def test_d25_a_source_that_is_not_safe_is_not_run(tmp_path: Path) -> None:
    server = await counting_server(tmp_path, permissions=SourcePermissions(safe_for_workflow=False))
    validated = await server.api.validate_deployment(deployment_id="count")
    assert validated["diagnostics"][0]["code"] == "capability_not_allowed"


async def test_cancelling_the_task_stores_a_cancelled_run(tmp_path: Path) -> None:
    started = asyncio.Event()

    @node
    async def wait_for_ever(payload: Counted) -> Counts:
        started.set()
        await asyncio.sleep(3600)
        return Counts(words=0)

    server = await counting_server(
        tmp_path, capabilities=CapabilityBuckets(node_specs={"local.ops.count": wait_for_ever})
    )
    task = asyncio.create_task(server.api.run_deployment(deployment_id="count", workflow_input={"text": "a"}))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    runs = (await server.api.list_runs())["runs"]
    assert [run["status"] for run in runs] == ["cancelled"]


def asking_plan() -> dict[str, Any]:
    answer = {"type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"]}
    return {
        "name": "asking",
        "input_schema": {"type": "object"},
        "state_schema": {"type": "object", "properties": {"answer": {"type": "string"}}},
        "output_schema": {"type": "object", "properties": {"answer": {"type": "string"}}},
        "outcomes": ["ok"],
        "start": "ask",
        "nodes": [
            {
                "type": "interrupt",
                "id": "ask",
                "kind": "approval",
                "request": [{"target": "question", "value": "sure?"}],
                "resume": [{"source": "answer", "target": "state.answer"}],
                "resume_schema": answer,
            }
        ],
        "edges": [{"from": "ask", "outcome": "submitted", "to": "__end__"}],
    }


async def asking_run(tmp_path: Path) -> tuple[Any, str]:
    server = build_local_static_workflow_server(tmp_path)
    await server.api.create_artifact_from_plan(
        artifact_id="asking", version=1, title="Asking", plan=asking_plan(), outcomes=["ok"]
    )
    await server.api.save_deployment({"id": "ask", "artifact_id": "asking", "artifact_version": 1})
    result = await server.api.run_deployment(deployment_id="ask")
    assert (result["status"], result["resume_readiness"]) == ("interrupted", "ready")
    assert result["interrupt"]["payload"] == {"question": "sure?"}
    return server, result["run_id"]


async def test_d6_a_bad_answer_leaves_the_run_interrupted_and_a_good_one_finishes_it_elsewhere(tmp_path: Path) -> None:
    server, run_id = await asking_run(tmp_path)
    with pytest.raises(RunEventError, match="interrupt resume for ask") as caught:
        await server.api.resume_run(run_id=run_id, resume_payload={"answer": 1})
    assert caught.value.code == "interrupt.resume_invalid"
    with pytest.raises(RunEventError, match="does not declare resume outcome 'odd'"):
        await server.api.resume_run(run_id=run_id, resume_payload={"answer": "yes"}, resume_outcome="odd")
    assert (await server.api.inspect_run(run_id=run_id))["status"] == "interrupted"

    again = build_local_static_workflow_server(tmp_path)
    done = await again.api.resume_run(run_id=run_id, resume_payload={"answer": "yes"}, trace_range={})
    assert (done["status"], done["output"]) == ("completed", {"answer": "yes"})
    assert done["trace_count"] == 2
    with pytest.raises(ValueError, match=f"workflow run '{run_id}' is not interrupted"):
        await server.api.resume_run(run_id=run_id, resume_payload={"answer": "yes"})


async def test_two_answers_at_once_give_one_result_and_one_refusal(tmp_path: Path) -> None:
    server, run_id = await asking_run(tmp_path)
    answers = await asyncio.gather(
        *(server.api.resume_run(run_id=run_id, resume_payload={"answer": str(n)}) for n in range(2)),
        return_exceptions=True,
    )
    assert answers[0]["status"] == "completed"
    assert "is not interrupted" in str(answers[1])


async def test_a_failed_run_is_retried_from_where_it_stands(tmp_path: Path, docs: Path) -> None:
    server = await reading_server(tmp_path, docs)
    failed = await server.api.run_deployment(deployment_id="daily", workflow_input={"ref": ref("late.txt"), "bound": 5})
    (docs / "late.txt").write_text("late")
    done = await server.api.retry_run(run_id=failed["run_id"])
    assert (done["status"], done["output"]["text"]) == ("completed", "late")
    with pytest.raises(ValueError, match="has not failed"):
        await server.api.retry_run(run_id=failed["run_id"])


async def test_a_waiting_run_is_cancelled(tmp_path: Path) -> None:
    server, run_id = await asking_run(tmp_path)
    cancelled = await server.api.cancel_run(run_id=run_id, reason="not needed")
    assert (cancelled["status"], cancelled["error"]) == ("cancelled", "not needed")


@pytest.mark.parametrize(
    ("range_", "message"),
    [({"start": -1}, "trace_range.start must be >= 0"), ({"limit": 0}, "trace_range.limit must be > 0")],
)
async def test_a_range_is_checked_before_anything_runs(tmp_path: Path, range_: dict[str, int], message: str) -> None:
    server = build_local_static_workflow_server(tmp_path)
    with pytest.raises(ValueError, match=message):
        await server.api.run_deployment(deployment_id="absent", trace_range=range_)


async def test_unknown_records_are_key_errors(tmp_path: Path) -> None:
    server = build_local_static_workflow_server(tmp_path)
    for call, message in [
        (server.api.run_deployment(deployment_id="zzz"), "unknown workflow deployment 'zzz'"),
        (server.api.inspect_run(run_id="zzz"), "unknown workflow run 'zzz'"),
        (server.api.inspect_artifact(artifact_id="zzz", version=1), "unknown workflow artifact zzz@1"),
        (server.source_admin.inspect_source(source_id="zzz"), "unknown source 'zzz'"),
    ]:
        with pytest.raises(KeyError, match=message):
            await call


async def test_sources_are_listed_and_inspected(tmp_path: Path, docs: Path) -> None:
    server = await reading_server(tmp_path, docs)
    listed = await server.source_admin.list_sources()
    assert [source["id"] for source in listed["sources"]] == [
        "docs.here", "tools.here", "wf.admin", "wf.mcp", "wf.recipes", "wf.source", "wf.std",
    ]  # fmt: skip
    standard = await server.source_admin.inspect_source(source_id="wf.std")
    assert (standard["node_spec_count"], standard["reducer_count"]) == (20, 6)
    files = await server.source_admin.inspect_source(source_id="docs.here")
    assert files["capabilities"]["resources"] == ["docs.here.files"]


def test_two_sources_of_one_id_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"duplicate workflow source ids: \['wf.std'\]"):
        build_local_static_workflow_server(tmp_path, extra_sources=[CapabilitySource(id="wf.std", kind="system")])
    with pytest.raises(ValueError, match=r"provider source key 'a\.b' does not match source id 'local\.ops'"):
        build_local_static_workflow_server(tmp_path, extra_sources={"a.b": python_source()})


async def test_d19_a_version_of_an_artifact_keeps_its_content(tmp_path: Path) -> None:
    server = await counting_server(tmp_path)
    other = counting_plan() | {"name": "other"}
    with pytest.raises(ValueError, match="artifacts are immutable") as caught:
        await server.api.create_artifact_from_plan(
            artifact_id="counting", version=1, title="Counting", plan=other, outcomes=["ok"]
        )
    assert caught.value.code == "artifact_exists"  # type: ignore[attr-defined]
    kinds = [event["kind"] for event in server.events.list_events()]
    assert kinds == ["workflow_artifact_saved", "workflow_deployment_saved"]


async def test_d29_a_capability_is_called_with_the_platform_services_of_a_run(tmp_path: Path, docs: Path) -> None:
    server = await reading_server(tmp_path, docs)
    payload = {"ref": ref("letters.txt"), "max_chars": 3}
    called = await server.api.call_capability(
        qualified_name="wf.source.read_resource", payload=payload, deployment_id="daily"
    )
    assert (called["outcome"], called["output"]["text"], called["diagnostics"]) == ("ok", "abc", [])
    unbound = await server.api.call_capability(qualified_name="wf.source.read_resource", payload=payload)
    assert (unbound["outcome"], unbound["output"]) == ("runtime_error", None)
    assert "unbound logical source 'docs'" in unbound["diagnostics"][0]["message"]
    standard = await server.api.call_capability(qualified_name="wf.std.length", payload={"items": [1, 2]})
    assert (standard["outcome"], standard["output"]) == ("ok", {"count": 2})
    bad = await server.api.call_capability(qualified_name="wf.std.length", payload={"items": 1})
    assert bad["diagnostics"][0]["code"] == "capability_call_failed"
    workflow = await server.api.call_capability(
        qualified_name="workflow.reading.v1", payload={"ref": ref("letters.txt"), "bound": 4}, deployment_id="daily"
    )
    assert (workflow["outcome"], workflow["output"]) == ("completed", {"text": "abcd", "cut": True})
    with pytest.raises(KeyError, match=r"unknown qualified node 'wf\.std\.zzz'"):
        await server.api.call_capability(qualified_name="wf.std.zzz", payload={})
