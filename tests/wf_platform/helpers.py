"""Sources for the tests of this folder."""

from typing import Any

from wf_authoring import node
from wf_platform import (
    CapabilityBuckets,
    CapabilitySource,
    SourcePermissions,
    SourcePolicy,
    SourceVisibility,
)

EVERYWHERE = SourceVisibility(planner=True, client=True)
SAFE = SourcePermissions(safe_for_workflow=True)


@node(name="echo")
def echo(text: str) -> str:
    return text


def qualified(source_id: str) -> Any:
    return echo.replace(name=f"{source_id}.echo")


def source(source_id: str, **fields: Any) -> CapabilitySource:
    """A safe source that is visible everywhere and owns `echo` as a node spec."""
    spec = qualified(source_id)
    return CapabilitySource(
        **{
            "id": source_id,
            "kind": "python",
            "capabilities": CapabilityBuckets(node_specs={spec.name: spec}),
            "visibility": EVERYWHERE,
            "permissions": SAFE,
            **fields,
        }
    )


def platform_source(source_id: str = "wf.std", **fields: Any) -> CapabilitySource:
    return source(source_id, kind="system", policy=SourcePolicy(platform=True, binding_required=False), **fields)


def plan(node_name: str) -> dict[str, Any]:
    """A workflow document with one step that calls a node from text to text."""
    return {
        "name": "echo",
        "start": "call",
        "input_schema": {"type": "object", "properties": {"text": {"type": "string"}}},
        "state_schema": {"type": "object", "properties": {"result": {"type": "string"}}},
        "output_schema": {"type": "object", "properties": {"result": {"type": "string"}}},
        "nodes": [
            {
                "id": "call",
                "type": "node",
                "node": node_name,
                "input": [{"target": "text", "path": "input.text"}],
                "output": [{"source": "result", "target": "state.result"}],
            }
        ],
        "edges": [{"from": "call", "outcome": "ok", "to": "__end__"}],
    }
