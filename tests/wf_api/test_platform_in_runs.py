"""The platform object in runs: the very object that the caller handed over."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from wf_api import SourceBindingPlatformContext, SourceResourceRef, builtin_sources, errors
from wf_core import RuntimeContext, Workflow, execute_workflow, execute_workflow_result_async


def one_node(**node: Any) -> Workflow:
    asked = {"type": "object", "properties": {"ref": {"type": "object"}, "max_chars": {"type": "integer"}}}
    text = {"type": "object", "properties": {"text": {"type": ["string", "null"]}}}
    definition = {"name": "ask", "input_schema": asked, "output_schema": text, "outcomes": ["ok"]} | node
    return Workflow.model_validate(
        {
            "name": "one",
            "input_schema": asked,
            "state_schema": text,
            "output_schema": text,
            "node_defs": [definition],
            "start": "step",
            "nodes": [
                {
                    "id": "step",
                    "type": "node",
                    "node": definition["name"],
                    "input": [{"target": "ref", "path": "input.ref"}, {"target": "max_chars", "value": 5}],
                    "output": [{"source": "text", "target": "state.text"}],
                }
            ],
            "edges": [{"from": "step", "outcome": "ok", "to": "__end__"}],
        }
    )


REF = SourceResourceRef(logical_source="drive", uri="gdrive://file/abc").model_dump(mode="json")


async def test_a_node_finds_the_very_object_that_was_passed_in() -> None:
    platform = object()
    seen: list[Any] = []

    async def handler(payload: dict[str, Any], ctx: RuntimeContext) -> dict[str, Any]:
        seen.append(ctx.platform)
        return {"outcome": "ok", "output": {"text": "seen"}}

    run = await execute_workflow_result_async(one_node(), {"ref": REF}, {"ask": handler}, platform=platform)
    assert run.outcome == "ok"
    assert len(seen) == 1
    assert seen[0] is platform


def reading() -> tuple[Workflow, dict[str, Any]]:
    spec = builtin_sources()["wf.source"].capabilities.node_specs["wf.source.read_resource"]
    definition = spec.to_node_def().model_dump(mode="json")
    return one_node(**definition), {spec.name: spec.to_async_registry_handler()}


async def alphabet(source_id: str, uri: str, max_chars: int) -> dict[str, Any]:
    return {"contents": [{"type": "text", "text": "abcdefghijklmnopqrstuvwxyz", "mimeType": "text/plain"}]}


async def test_d29_the_reading_node_reads_through_the_platform_of_its_run() -> None:
    workflow, registry = reading()
    platform = SourceBindingPlatformContext({"drive": "drive.personal"}, alphabet)
    run = await execute_workflow_result_async(workflow, {"ref": REF}, registry, platform=platform)
    assert run.output == {"text": "abcde"}


def test_d29_the_reading_node_works_in_the_blocking_driver_too() -> None:
    workflow, registry = reading()
    platform = SourceBindingPlatformContext({"drive": "drive.personal"}, alphabet)
    assert execute_workflow(workflow, {"ref": REF}, registry, platform=platform).output == {"text": "abcde"}


async def test_a_run_without_platform_fails_with_the_cause() -> None:
    workflow, registry = reading()
    run = await execute_workflow_result_async(workflow, {"ref": REF}, registry)
    assert run.error is not None
    assert "requires platform context" in str(run.error)
    assert run.error.type == "PlatformMissingError"


async def test_a_bound_that_is_out_of_range_is_refused_by_the_contract() -> None:
    workflow, registry = reading()
    wide = workflow.model_dump(mode="json", by_alias=True)
    wide["nodes"][0]["input"][1]["value"] = 20001
    run = await execute_workflow_result_async(Workflow.model_validate(wide), {"ref": REF}, registry)
    assert "20001 is greater than the maximum of 20000" in str(run.error)


@pytest.mark.parametrize("name", [name for name in errors.__all__ if name != "ResourceError"])
def test_every_exception_has_a_code_of_its_own_and_survives_pickling(name: str) -> None:
    kind = getattr(errors, name)
    error = kind("what happened", hint="do that")
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), copy.code) == (kind, "what happened\nhint: do that", kind.code)
    builtin = [base for base in kind.__mro__ if base.__module__ == "builtins"]
    assert builtin[0] is not Exception
