"""Recipes: whole workflows that are used like nodes."""

from typing import Any

from pydantic import BaseModel

from wf_authoring import ops
from wf_authoring.builder import WorkflowBuilder
from wf_authoring.dsl import input_from, input_value, output_to
from wf_authoring.nodes import NodeSpec, build_registry
from wf_authoring.subgraphs import subgraph_node
from wf_core import END, Workflow


class ExtractTextContentInput(BaseModel):
    """Content blocks as tools return them, and what stands between their texts."""

    content: list[dict[str, Any]]
    separator: str = ""


class ExtractTextContentState(BaseModel):
    """What the recipe keeps between its steps."""

    content: list[dict[str, Any]]
    separator: str = ""
    text_blocks: list[dict[str, Any]] = []
    texts: list[str] = []
    text: str = ""


class ExtractTextContentOutput(BaseModel):
    """The texts in one string."""

    text: str


def build_extract_text_content_workflow() -> Workflow:
    """Return the workflow: keep the text blocks, take their texts, join them.

    Example:
        >>> [step.id for step in build_extract_text_content_workflow().nodes]
        ['text_blocks', 'texts', 'join_texts']
    """
    return _builder().compile()


def _builder() -> WorkflowBuilder:
    builder = WorkflowBuilder(
        name="extract_text_content",
        input_schema=ExtractTextContentInput,
        state_schema=ExtractTextContentState,
        output_schema=ExtractTextContentOutput,
    )
    blocks = builder.use(
        ops.filter_items,
        id="text_blocks",
        input=[input_from("input.content", "items"), input_value("key", "type"), input_value("value", "text")],
        output=[output_to("items", "state.text_blocks")],
    )
    texts = builder.use(
        ops.extract_field,
        id="texts",
        input=[input_from("state.text_blocks", "items"), input_value("field", "text")],
        output=[output_to("values", "state.texts")],
    )
    joined = builder.use(
        ops.concat,
        id="join_texts",
        input=[input_from("state.texts", "items"), input_from("state.separator", "separator")],
        output=[output_to("text", "state.text")],
    )
    builder.set_entry_point(blocks)
    builder.connect(blocks, "ok", texts)
    builder.connect(texts, "ok", joined)
    builder.connect(joined, "ok", END)
    return builder


def build_extract_text_content_spec() -> NodeSpec[ExtractTextContentInput, ExtractTextContentOutput]:
    """Return the recipe as a node.

    Example:
        >>> build_extract_text_content_spec().name
        'authoring.extract_text_content'
    """
    return subgraph_node(
        name="authoring.extract_text_content",
        workflow=build_extract_text_content_workflow(),
        registry=build_registry(ops.filter_items, ops.extract_field, ops.concat),
        input_model=ExtractTextContentInput,
        output_model=ExtractTextContentOutput,
        description="Join the texts of all text blocks of a tool's content.",
    )


extract_text_content = build_extract_text_content_spec()
