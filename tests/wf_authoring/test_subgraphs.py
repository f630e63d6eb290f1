"""Workflows as nodes, and the recipe that is one."""

import asyncio
from typing import Any

import pytest
from pydantic import BaseModel

import wf_authoring
from wf_authoring import (
    ExtractTextContentInput,
    ExtractTextContentOutput,
    WorkflowBuilder,
    async_subgraph_node,
    build_extract_text_content_workflow,
    build_registry,
    extract_text_content,
    input_from,
    node,
    output_to,
    subgraph_node,
    subgraph_ref,
)
from wf_core import RuntimeContext, WorkflowExecutionError


class Payload(BaseModel):
    text: str


class Result(BaseModel):
    size: int


@node
def size(text: str) -> int:
    return len(text)


@node
async def later(text: str, ctx: RuntimeContext) -> int:
    await asyncio.sleep(0)
    return len(text) + (0 if ctx.platform is None else 100)


def child(counter: Any) -> WorkflowBuilder:
    schema = {"type": "object", "properties": {"text": {"type": "string"}, "size": {"type": "integer"}}}
    builder = WorkflowBuilder("child", Payload, schema, Result)
    step = builder.use(counter, output=[output_to("result", "size")])
    builder.set_entry_point(step)
    builder.connect(step, "ok", builder.end())
    return builder


def parent(spec: Any) -> WorkflowBuilder:
    schema = {"type": "object", "properties": {"text": {"type": "string"}, "size": {"type": "integer"}}}
    builder = WorkflowBuilder("parent", Payload, schema, Result)
    step = builder.use(spec, id="inner", input=[input_from("input.text", "text")], output=[output_to("size", "size")])
    builder.set_entry_point(step)
    builder.connect(step, "ok", builder.end())
    return builder


def test_a_workflow_is_wrapped_as_a_node() -> None:
    inner = child(size)
    spec = subgraph_node(
        name="demo.size", workflow=inner.compile(), registry=inner.registry(), input_model=Payload, output_model=Result
    )

    run = parent(spec).execute({"text": "abc"})

    assert run.output == {"size": 3}
    assert [entry.node_id for entry in run.trace] == ["inner", "end_ok"]
    assert spec.outcomes == ("ok",)
    assert spec.accepts_context
    assert "child" in str(spec.description)


async def test_a_workflow_is_wrapped_as_an_async_node_with_its_platform() -> None:
    inner = child(later)
    spec = async_subgraph_node(
        name="demo.size",
        workflow=inner.compile(),
        registry=inner.async_registry(),
        input_model=Payload,
        output_model=Result,
        description="Measures.",
    )

    assert spec.is_async
    assert spec.description == "Measures."
    assert (await parent(spec).execute_async({"text": "abc"})).output == {"size": 3}
    assert (await parent(spec).execute_async({"text": "abc"}, platform=object())).output == {"size": 103}


def test_a_child_that_pauses_cannot_be_a_node() -> None:
    inner = WorkflowBuilder("child", Payload, {}, {})
    ask = inner.interrupt(kind="approval")
    inner.set_entry_point(ask)
    inner.connect(ask, "submitted", inner.end())
    spec = subgraph_node(
        name="demo.ask", workflow=inner.compile(), registry={}, input_model=Payload, output_model=Result
    )

    with pytest.raises(
        WorkflowExecutionError, match=r"(?s)of node 'demo\.ask' did not complete: interrupted\nhint: .*native"
    ):
        parent(spec).execute({"text": "abc"})


@pytest.mark.parametrize(
    ("reference", "dumped"),
    [
        (None, {"name": "child"}),
        ({"name": "other"}, {"name": "other"}),
        ("workflow.report.v3", {"artifact_id": "report", "version": 3}),
    ],
)
def test_a_step_refers_to_its_workflow(reference: Any, dumped: dict[str, Any]) -> None:
    step = subgraph_ref(id="inner", workflow=child(size).compile(), workflow_ref=reference, desc="why")

    dump = step.model_dump(mode="json")
    assert dump["workflow"] == dumped
    assert dump["desc"] == "why"
    assert dump["input_schema"]["properties"] == {"text": {"title": "Text", "type": "string"}}
    assert dump["outcomes"] == ["ok"]


# --- the recipe ------------------------------------------------------------------------------------------------------


def run_recipe(content: list[dict[str, Any]], separator: str = "") -> str:
    answer = extract_text_content(
        ExtractTextContentInput(content=content, separator=separator), RuntimeContext(current_node_id="n")
    )
    assert isinstance(answer, ExtractTextContentOutput)
    return answer.text


def test_texts_of_text_blocks_are_joined() -> None:
    content = [
        {"type": "text", "text": "a"},
        {"type": "image", "text": "no"},
        {"type": "text"},
        {"type": "text", "text": "b"},
    ]

    assert run_recipe(content, "-") == "a-b"
    assert run_recipe([]) == ""


def test_a_text_that_is_none_fails_with_the_state_field() -> None:
    with pytest.raises(WorkflowExecutionError, match=r"state write state\.texts"):
        run_recipe([{"type": "text", "text": 3}])


def test_the_recipe_is_a_node_over_three_steps() -> None:
    assert extract_text_content.name == "authoring.extract_text_content"
    assert extract_text_content is wf_authoring.extract_text_content
    assert [step.node for step in build_extract_text_content_workflow().nodes if step.type == "node"] == [
        "authoring.filter_items",
        "authoring.extract_field",
        "authoring.concat",
    ]
    handler = build_registry(extract_text_content)["authoring.extract_text_content"]
    answer = handler({"content": [{"type": "text", "text": "a"}]}, RuntimeContext(current_node_id="n"))
    assert answer == {"outcome": "ok", "output": {"text": "a"}}
