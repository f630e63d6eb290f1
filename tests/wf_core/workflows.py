"""Small workflows for the tests of this folder."""

from __future__ import annotations

from typing import Any

from wf_core import Workflow


def chain(length: int = 1, **definition: Any) -> Workflow:
    """Steps n0, n1, … that each read `state.i` and write it back."""
    field = {"type": "object", "properties": {"i": {"type": "integer"}}, "required": ["i"]}
    return Workflow.model_validate(
        {
            "name": "chain",
            "input_schema": {"type": "object"},
            "state_schema": {"type": "object", "properties": {"i": {"type": "integer"}}},
            "output_schema": {"type": "object", "properties": {"i": {}}},
            "node_defs": [
                {"name": "work", "input_schema": field, "output_schema": field, "outcomes": ["ok"], **definition}
            ],
            "start": "n0",
            "nodes": [
                {
                    "id": f"n{k}",
                    "type": "node",
                    "node": "work",
                    "input": [{"target": "i", "path": "state.i"}],
                    "output": [{"source": "i", "target": "state.i"}],
                }
                for k in range(length)
            ],
            "edges": [
                {"from": f"n{k}", "outcome": "ok", "to": f"n{k + 1}" if k + 1 < length else "__end__"}
                for k in range(length)
            ],
        }
    )


def fan(limit: int = 10, policy: str = "fail", **definition: Any) -> Workflow:
    """A concurrent foreach over `input.items`; results are appended in order to `state.out`."""
    outcomes = ["loop", "done"] + ([] if policy == "fail" else ["completed_with_errors"])
    return Workflow.model_validate(
        {
            "name": "fan",
            "input_schema": {"type": "object", "properties": {"items": {"type": "array"}}},
            "state_schema": {
                "type": "object",
                "properties": {"items": {}, "out": {"type": "array", "reducer": "wf.std.append", "default": []}},
            },
            "output_schema": {"type": "object", "properties": {"out": {}}},
            "node_defs": [
                {
                    "name": "work",
                    "input_schema": {"type": "object", "properties": {"item": {}}},
                    "output_schema": {"type": "object", "properties": {"value": {}}},
                    "outcomes": ["ok"],
                    **definition,
                }
            ],
            "start": "each",
            "nodes": [
                {
                    "id": "each",
                    "type": "foreach",
                    "over": "input.items",
                    "as": "item",
                    "mode": "concurrent",
                    "item_error": {"action": policy},
                    "concurrent": {"max_active": limit, "max_outstanding": limit},
                },
                {
                    "id": "work",
                    "type": "node",
                    "node": "work",
                    "input": [{"target": "item", "path": "context.item"}],
                    "output": [{"source": "value", "target": "state.out"}],
                },
            ],
            "edges": [
                {"from": "work", "outcome": "ok", "to": "__end__"},
                *(
                    {"from": "each", "outcome": outcome, "to": "work" if outcome == "loop" else "__end__"}
                    for outcome in outcomes
                ),
            ],
        }
    )


def approval() -> Workflow:
    """Asks, then stores the answer."""
    return Workflow.model_validate(
        {
            "name": "approval",
            "input_schema": {"type": "object", "properties": {"text": {}}},
            "state_schema": {"type": "object", "properties": {"text": {}, "approved": {"type": "boolean"}}},
            "output_schema": {"type": "object", "properties": {"approved": {}}},
            "start": "ask",
            "nodes": [
                {
                    "id": "ask",
                    "type": "interrupt",
                    "kind": "approval",
                    "request": [{"target": "text", "path": "input.text"}],
                    "resume": [{"source": "approved", "target": "state.approved"}],
                    "resume_schema": {"type": "object", "properties": {"approved": {"type": "boolean"}}},
                }
            ],
            "edges": [{"from": "ask", "outcome": "submitted", "to": "__end__"}],
        }
    )
