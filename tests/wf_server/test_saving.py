"""What can be saved as a plan, and a deployment that comes before its artifact."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from wf_api import node_source
from wf_authoring import WorkflowBuilder, input_from, node, output_to
from wf_core import Workflow
from wf_server import build_local_static_workflow_server

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from wf_platform.sources import CapabilitySource

SCHEMA: dict[str, Any] = {"type": "object", "properties": {"items": {"type": "array"}, "n": {"type": "integer"}}}


@node
def one(item: str) -> int:
    return len(item)


def source() -> CapabilitySource:
    return node_source("texts", [one])


def compiled() -> Workflow:
    """A foreach, since its alias is the other name that a dump without aliases changes."""
    builder = WorkflowBuilder("measure", input_schema=SCHEMA, state_schema=SCHEMA, output_schema=SCHEMA)
    each = builder.foreach(over="input.items", as_="item")
    spec = source().capabilities.node_specs["texts.one"]
    body = builder.use(spec, input=[input_from("context.item", "item")], output=[output_to("result", "state.n")])
    builder.set_entry_point(each)
    builder.connect(each, "loop", body)
    builder.connect(body, "ok", "__end__")
    builder.connect(each, "done", builder.end())
    return builder.compile()


@pytest.mark.parametrize(
    "form",
    [
        lambda workflow: workflow,
        lambda workflow: Workflow.model_validate(workflow.model_dump(by_alias=True)),
        lambda workflow: workflow.model_dump(),
        lambda workflow: workflow.model_dump(mode="json"),
        lambda workflow: workflow.model_dump(mode="json", by_alias=True),
    ],
    ids=["compiled", "document", "dump", "json", "json-by-alias"],
)
async def test_a_plan_is_saved_in_every_form_a_workflow_has(form: Callable[[Workflow], Any], tmp_path: Path) -> None:
    api = build_local_static_workflow_server(tmp_path, extra_sources=[source()], durability="off").api
    await api.create_artifact_from_plan(
        artifact_id="m", version=1, title="Measure", plan=form(compiled()), outcomes=["ok"]
    )
    plan = (await api.inspect_artifact(artifact_id="m", version=1))["plan"]
    assert all(edge["from"] for edge in plan["edges"])
    bindings = [{"logical_source": "texts", "concrete_source": "texts"}]
    await api.save_deployment({"id": "d", "artifact_id": "m", "artifact_version": 1, "bindings": bindings})
    run = await api.run_deployment(deployment_id="d", workflow_input={"items": ["a", "four"]})
    assert (run["status"], run["output"]["n"]) == ("completed", 4), run


async def test_a_deployment_without_its_artifact_is_told_when_it_is_validated(tmp_path: Path) -> None:
    api = build_local_static_workflow_server(tmp_path, durability="off").api
    await api.save_deployment({"id": "early", "artifact_id": "later", "artifact_version": 2, "bindings": []})
    result = await api.validate_deployment(deployment_id="early")
    assert result["status"] == "unrunnable"
    [diagnostic] = result["diagnostics"]
    assert (diagnostic["code"], diagnostic["severity"]) == ("artifact_missing", "error")
    assert diagnostic["logical_ref"] == "later@2"
    assert "save the artifact" in diagnostic["repair_hint"]
    with pytest.raises(KeyError, match="unknown workflow artifact later@2"):
        await api.run_deployment(deployment_id="early")
    with pytest.raises(KeyError, match="unknown workflow deployment"):
        await api.validate_deployment(deployment_id="never")
