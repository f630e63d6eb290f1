"""Workflows inside workflows: as a native step, or wrapped as an ordinary node."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from wf_authoring.contracts import input_contract, output_contract
from wf_authoring.nodes.spec import NodeSpec
from wf_core import (
    PreparedSubgraph,
    RuntimeContext,
    SubgraphNode,
    Workflow,
    WorkflowRef,
    execute_workflow,
    execute_workflow_async,
    workflow_ref_from,
)

Model = TypeVar("Model")


def subgraph_ref(
    *,
    id: str,  # noqa: A002 - the spec's name
    workflow: Workflow,
    input: Iterable[Any] | None = None,  # noqa: A002 - the spec's name
    output: Iterable[Any] | None = None,
    workflow_ref: WorkflowRef | str | Mapping[str, Any] | None = None,
    desc: str | None = None,
) -> SubgraphNode:
    """Return the step that runs another workflow in a scope of its own.

    Args:
        id: The step's id.
        workflow: The child; its schemas and outcomes are copied into the step.
        input: What fills the child's input.
        output: Where the child's output goes.
        workflow_ref: How the document names the child. Default: by its name.
        desc: A remark for readers.

    Example:
        >>> from wf_authoring import WorkflowBuilder
        >>> child = WorkflowBuilder("child", {}, {}, {})
        >>> child.set_entry_point(child.end())
        >>> subgraph_ref(id="run_child", workflow=child.compile()).workflow.display
        'child'
    """
    return SubgraphNode(
        id=id,
        workflow=workflow_ref_from(workflow_ref or {"name": workflow.name}),
        desc=desc,
        input_schema=workflow.input_schema,
        output_schema=workflow.output_schema,
        input=list(input or ()),
        output=list(output or ()),
        outcomes=list(workflow.outcomes),
    )


def subgraph_node(
    *,
    name: str,
    workflow: Workflow,
    registry: Mapping[str, Any],
    input_model: Any,
    output_model: Any,
    description: str | None = None,
    reducers: Mapping[str, Any] | None = None,
    subgraphs: Mapping[str, PreparedSubgraph[Any]] | None = None,
) -> NodeSpec[Any, Any]:
    """Wrap a whole workflow as a node with the one outcome `ok`.

    The parent's trace shows one entry for it; interrupts of the child do not surface. A native step
    (`WorkflowBuilder.subgraph`) does better wherever the child need not look like a node.

    Args:
        name: The node's name.
        workflow: The child.
        registry: The child's handlers.
        input_model: The class of the payload, which is the child's input.
        output_model: The class of the output, which is the child's output.
        description: What it does.
        reducers: Reducers of the child's own.
        subgraphs: Workflows that the child runs itself.

    Raises:
        WorkflowExecutionError: When called: the child paused for an answer, which a node cannot do.

    Example:
        >>> from wf_authoring import build_extract_text_content_workflow
        >>> from wf_authoring import ExtractTextContentInput, ExtractTextContentOutput, ops, build_registry
        >>> spec = subgraph_node(
        ...     name="demo.texts",
        ...     workflow=build_extract_text_content_workflow(),
        ...     registry=build_registry(ops.filter_items, ops.extract_field, ops.concat),
        ...     input_model=ExtractTextContentInput,
        ...     output_model=ExtractTextContentOutput,
        ... )
        >>> spec.outcomes
        ('ok',)
    """
    encode = output_contract(input_model, "Input").encode
    decode = input_contract(output_model).decode

    def run(payload: Any, ctx: RuntimeContext) -> Any:
        child = execute_workflow(
            workflow, encode(payload), registry, reducers=reducers, subgraphs=subgraphs, platform=ctx.platform
        )
        return decode(_finished(name, child))

    return _wrapped(
        run,
        name=name,
        workflow=workflow,
        input_model=input_model,
        output_model=output_model,
        description=description,
        is_async=False,
    )


def async_subgraph_node(
    *,
    name: str,
    workflow: Workflow,
    registry: Mapping[str, Any],
    input_model: Any,
    output_model: Any,
    description: str | None = None,
    reducers: Mapping[str, Any] | None = None,
    subgraphs: Mapping[str, PreparedSubgraph[Any]] | None = None,
) -> NodeSpec[Any, Any]:
    """Wrap a whole workflow as an async node; see `subgraph_node`.

    Example:
        >>> from wf_authoring import build_extract_text_content_workflow
        >>> from wf_authoring import ExtractTextContentInput, ExtractTextContentOutput, ops, build_async_registry
        >>> spec = async_subgraph_node(
        ...     name="demo.texts",
        ...     workflow=build_extract_text_content_workflow(),
        ...     registry=build_async_registry(ops.filter_items, ops.extract_field, ops.concat),
        ...     input_model=ExtractTextContentInput,
        ...     output_model=ExtractTextContentOutput,
        ... )
        >>> spec.is_async
        True
    """
    encode = output_contract(input_model, "Input").encode
    decode = input_contract(output_model).decode

    async def run(payload: Any, ctx: RuntimeContext) -> Any:
        child = await execute_workflow_async(
            workflow, encode(payload), registry, reducers=reducers, subgraphs=subgraphs, platform=ctx.platform
        )
        return decode(_finished(name, child))

    return _wrapped(
        run,
        name=name,
        workflow=workflow,
        input_model=input_model,
        output_model=output_model,
        description=description,
        is_async=True,
    )


def _finished(name: str, child: Any) -> Any:
    if child.status == "completed":
        return child.output
    from wf_core.errors import WorkflowExecutionError

    raise WorkflowExecutionError(
        f"child workflow {child.workflow_name!r} of node {name!r} did not complete: {child.status}",
        hint="a workflow that pauses must be a native subgraph step: builder.subgraph(workflow=...)",
    )


def _wrapped(
    run: Any,
    *,
    name: str,
    workflow: Workflow,
    input_model: Any,
    output_model: Any,
    description: str | None,
    is_async: bool,
) -> NodeSpec[Any, Any]:
    return NodeSpec(
        name=name,
        input_model=input_model,
        output_model=output_model,
        outcomes=("ok",),
        fn=run,
        description=description or f"Runs the workflow {workflow.name!r} as one node.",
        is_async=is_async,
        accepts_context=True,
    )
