"""What the record of a failed run keeps of the exceptions behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wf_api import ReadableResource, SourceResourceRef, node_source
from wf_authoring import node
from wf_platform.sources import CapabilityBuckets, CapabilitySource
from wf_server import build_local_static_workflow_server

if TYPE_CHECKING:
    from pathlib import Path


class UnspeakableError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


@node
def chained() -> str:
    third = ValueError("third")
    third.__cause__ = OSError("second")
    third.__cause__.__cause__ = KeyError("first")
    raise third


@node
def grouped() -> str:
    raise ExceptionGroup("several", [ValueError("one"), ExceptionGroup("inner", [KeyError("two")])])


@node
def unspeakable() -> str:
    raise UnspeakableError


@node
def endless() -> str:
    error = ValueError("round")
    error.__cause__ = error
    raise error


def plan(name: str, **step: Any) -> dict[str, Any]:
    return {
        "name": "failing",
        "input_schema": {"type": "object"},
        "state_schema": {"type": "object"},
        "output_schema": {"type": "object"},
        "start": "fails",
        "nodes": [{"type": "node", "id": "fails", "node": name, **step}],
        "edges": [{"from": "fails", "outcome": "ok", "to": "__end__"}],
    }


async def failed(root: Path, name: str, *sources: CapabilitySource, **step: Any) -> tuple[Any, dict[str, Any]]:
    """The server's API and the result of a run that fails."""
    nodes = node_source("bad", [chained, grouped, unspeakable, endless])
    api = build_local_static_workflow_server(root, extra_sources=[nodes, *sources], durability="off").api
    await api.create_artifact_from_plan(artifact_id="a", version=1, title="A", plan=plan(name, **step), outcomes=["ok"])
    bindings = [
        {"logical_source": source, "concrete_source": source}
        for source in ["bad", *(source.id for source in sources)]
        if name.startswith(source) or source != "bad"
    ]
    await api.save_deployment({"id": "d", "artifact_id": "a", "artifact_version": 1, "bindings": bindings})
    run = await api.run_deployment(deployment_id="d")
    assert run["status"] == "failed", run
    return api, run


async def test_every_cause_is_kept(tmp_path: Path) -> None:
    _, run = await failed(tmp_path, "bad.chained")
    data = run["failure"]["data"]
    assert (data["cause"]["type"], data["cause"]["message"]) == ("OSError", "second")
    assert data["cause"]["cause"]["type"] == "KeyError"
    assert "cause" not in data["cause"]["cause"]


async def test_the_members_of_a_group_are_kept(tmp_path: Path) -> None:
    _, run = await failed(tmp_path, "bad.grouped")
    one, inner = run["failure"]["data"]["exceptions"]
    assert (one["type"], one["message"]) == ("ValueError", "one")
    assert [member["type"] for member in inner["exceptions"]] == ["KeyError"]


async def test_an_exception_without_words_is_still_told(tmp_path: Path) -> None:
    _, run = await failed(tmp_path, "bad.unspeakable")
    assert run["failure"]["type"] == "UnspeakableError"
    assert "its text cannot be shown: RuntimeError: no words" in run["error"]


async def test_causes_that_go_round_end(tmp_path: Path) -> None:
    _, run = await failed(tmp_path, "bad.endless")
    depth, about = 0, run["failure"]["data"]
    while "cause" in about:
        depth, about = depth + 1, about["cause"]
    assert depth == 32


async def test_a_reader_without_words_keeps_source_uri_and_cause(tmp_path: Path) -> None:
    def reads(*_: Any) -> dict[str, Any]:
        raise UnspeakableError

    source = CapabilitySource(
        id="drive",
        kind="connection",
        capabilities=CapabilityBuckets(resources={"drive.all": ReadableResource(uri="drive:", reader=reads)}),
    )
    ref = SourceResourceRef(logical_source="drive", uri="report").model_dump(mode="json")
    inputs = [{"target": "ref", "value": ref}]
    _, run = await failed(tmp_path, "wf.source.read_resource", source, input=inputs)
    data = run["failure"]["data"]
    assert run["failure"]["code"] == data["code"] == "resource.reader_failed"
    assert data["context"] == {"source_id": "drive", "uri": "report"}
    assert data["cause"]["type"] == "UnspeakableError"


async def test_the_trace_of_a_failed_run_says_why_and_what_comes_next(tmp_path: Path) -> None:
    api, run = await failed(tmp_path, "bad.chained")
    trace = await api.read_run_trace(run_id=run["run_id"])
    assert trace["failure"] == run["failure"]
    assert trace["error"] is None
    assert trace["next_actions"]["recommended_next_tool"] is None
    assert "retry" in trace["next_actions"]["reason"]
    inspected = await api.inspect_run(run_id=run["run_id"])
    assert inspected["next_actions"]["recommended_next_tool"] == "wf.workflow.read_run_trace"
    beyond = await api.read_run_trace(run_id=run["run_id"], trace_range={"start": 5, "limit": 1})
    assert beyond["trace"] == []
