"""The workflow as a document: read each ref, examine the text, keep documents that were cut apart from the others.

It names what it needs by logical sources (`wf.source`, `wf.std`, `report`); which sources these are is the deployment's
business. The refs in its input are inert: only the step `read` looks behind one.
"""

from __future__ import annotations

from typing import Any

PLAN: dict[str, Any] = {
    "name": "document_report",
    "input_schema": {
        "type": "object",
        "properties": {
            "documents": {"type": "array", "items": {"type": "object"}},
            "max_chars": {"type": "integer", "minimum": 1, "maximum": 20000},
        },
        "required": ["documents", "max_chars"],
    },
    "state_schema": {
        "type": "object",
        "properties": {
            "page": {"type": "object"},
            "facts": {"type": "object"},
            "whole": {"type": "array", "reducer": "wf.std.append", "default": []},
            "cut": {"type": "array", "reducer": "wf.std.append", "default": []},
            "failures": {"type": "array"},
            "report": {"type": "object"},
        },
    },
    "output_schema": {"type": "object", "properties": {"report": {"type": "object"}}, "required": ["report"]},
    "outcomes": ["ok"],
    "start": "each",
    "nodes": [
        {
            "id": "each",
            "type": "foreach",
            "over": "input.documents",
            "as": "document",
            "item_error": {"action": "collect", "collect_to": "state.failures"},
        },
        {
            "id": "read",
            "type": "node",
            "node": "wf.source.read_resource",
            "input": [
                {"target": "ref", "path": "context.document"},
                {"target": "max_chars", "path": "input.max_chars"},
            ],
            "output": [{"source": ".", "target": "state.page"}],
        },
        {
            "id": "examine",
            "type": "node",
            "node": "report.examine",
            "input": [
                {"target": "name", "path": "context.document.name"},
                {"target": "text", "path": "state.page.text"},
            ],
            "output": [{"source": ".", "target": "state.facts"}],
        },
        {
            "id": "was_cut",
            "type": "condition",
            "check": {"op": "eq", "left": {"path": "state.page.truncated"}, "right": {"value": True}},
        },
        {
            "id": "keep_cut",
            "type": "node",
            "node": "wf.std.constant",
            "input": [{"target": "value", "path": "state.facts"}],
            "output": [{"source": "value", "target": "state.cut"}],
        },
        {
            "id": "keep_whole",
            "type": "node",
            "node": "wf.std.constant",
            "input": [{"target": "value", "path": "state.facts"}],
            "output": [{"source": "value", "target": "state.whole"}],
        },
        {
            "id": "summarize",
            "type": "node",
            "node": "report.summarize",
            "input": [
                {"target": "whole", "path": "state.whole"},
                {"target": "cut", "path": "state.cut"},
                {"target": "failures", "path": "state.failures"},
            ],
            "output": [{"source": ".", "target": "state.report"}],
        },
    ],
    "edges": [
        {"from": "each", "outcome": "loop", "to": "read"},
        {"from": "read", "outcome": "ok", "to": "examine"},
        {"from": "examine", "outcome": "ok", "to": "was_cut"},
        {"from": "was_cut", "outcome": "true", "to": "keep_cut"},
        {"from": "was_cut", "outcome": "false", "to": "keep_whole"},
        {"from": "keep_cut", "outcome": "ok", "to": "__end__"},
        {"from": "keep_whole", "outcome": "ok", "to": "__end__"},
        {"from": "each", "outcome": "done", "to": "summarize"},
        {"from": "each", "outcome": "completed_with_errors", "to": "summarize"},
        {"from": "summarize", "outcome": "ok", "to": "__end__"},
    ],
}
