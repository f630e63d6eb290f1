"""The Python face for authors: nodes, reducers, and workflows built of them.

Example:
    >>> from wf_authoring import WorkflowBuilder, node
    >>> @node
    ... def double(value: int) -> int:
    ...     return value * 2
    >>> number = {"type": "integer"}
    >>> builder = WorkflowBuilder(
    ...     "demo",
    ...     input_schema={"type": "object", "properties": {"value": number}},
    ...     state_schema={"type": "object", "properties": {"result": number}},
    ...     output_schema={"type": "object", "properties": {"result": number}},
    ... )
    >>> builder.set_entry_point(double)
    >>> builder.connect(builder.start, "ok", builder.end())
    ('double', 'end_ok')
    >>> builder.run({"value": 21}).output
    {'result': 42}

Names that need pydantic, such as `Nothing` and the models of the standard nodes, are made when they are asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from wf_authoring.builder import CompiledWorkflow, WorkflowBuilder, WorkflowCompileError
from wf_authoring.dsl import (
    Expr,
    GraphPath,
    PathExpr,
    bind_fields,
    bind_state,
    context,
    context_path,
    exists,
    expr,
    graph_path,
    input,  # noqa: A004 - the spec's name
    input_expression,
    input_from,
    input_path,
    input_value,
    merge_maps,
    not_,
    output_to,
    state,
    state_path,
)
from wf_authoring.nodes import (
    AsyncRegistryHandler,
    NodeCatalog,
    NodeCatalogEntry,
    NodeFunction,
    NodeReturn,
    NodeSpec,
    SyncRegistryHandler,
    build_async_registry,
    build_registry,
    node,
    outcome,
)
from wf_authoring.reducers import AuthoredReducer, ReducerCatalog, reducer
from wf_authoring.schemas import StateFieldMetadata, schema_ref_from, state_field, state_schema_from
from wf_authoring.subgraphs import async_subgraph_node, subgraph_node, subgraph_ref

if TYPE_CHECKING:
    from wf_authoring.nodes import NoOutput, Nothing
    from wf_authoring.ops import (
        BoolOutput,
        CoalesceInput,
        ConcatInput,
        ConstantInput,
        CountOutput,
        ExtractFieldInput,
        FilterItemsInput,
        FilterItemsPresentInput,
        ItemOutput,
        MappingItemsOutput,
        MappingOutput,
        MaybeItemOutput,
        PickKeyInput,
        PickPathInput,
        ProjectFieldsInput,
        RenameFieldsInput,
        RuntimeErrorInput,
        SequenceInput,
        TextOutput,
        TruthyInput,
        ValueOutput,
        ValuesOutput,
        coalesce,
        concat,
        constant,
        default_if_none,
        extract_field,
        filter_items,
        filter_items_present,
        first_item,
        first_item_maybe,
        first_item_or_none,
        is_empty,
        last_item,
        last_item_or_none,
        length,
        pick_key,
        pick_path,
        project_fields,
        rename_fields,
        runtime_error,
        truthy,
    )
    from wf_authoring.recipes import (
        ExtractTextContentInput,
        ExtractTextContentOutput,
        ExtractTextContentState,
        build_extract_text_content_spec,
        build_extract_text_content_workflow,
        extract_text_content,
    )

_LAZY: dict[str, str] = dict.fromkeys(("Nothing", "NoOutput"), "wf_authoring.nodes")
_LAZY.update(
    dict.fromkeys(
        (
            "ExtractTextContentInput",
            "ExtractTextContentOutput",
            "ExtractTextContentState",
            "build_extract_text_content_spec",
            "build_extract_text_content_workflow",
            "extract_text_content",
        ),
        "wf_authoring.recipes",
    )
)

__all__ = [
    "AsyncRegistryHandler",
    "AuthoredReducer",
    "BoolOutput",
    "CoalesceInput",
    "CompiledWorkflow",
    "ConcatInput",
    "ConstantInput",
    "CountOutput",
    "Expr",
    "ExtractFieldInput",
    "ExtractTextContentInput",
    "ExtractTextContentOutput",
    "ExtractTextContentState",
    "FilterItemsInput",
    "FilterItemsPresentInput",
    "GraphPath",
    "ItemOutput",
    "MappingItemsOutput",
    "MappingOutput",
    "MaybeItemOutput",
    "NoOutput",
    "NodeCatalog",
    "NodeCatalogEntry",
    "NodeFunction",
    "NodeReturn",
    "NodeSpec",
    "Nothing",
    "PathExpr",
    "PickKeyInput",
    "PickPathInput",
    "ProjectFieldsInput",
    "ReducerCatalog",
    "RenameFieldsInput",
    "RuntimeErrorInput",
    "SequenceInput",
    "StateFieldMetadata",
    "SyncRegistryHandler",
    "TextOutput",
    "TruthyInput",
    "ValueOutput",
    "ValuesOutput",
    "WorkflowBuilder",
    "WorkflowCompileError",
    "async_subgraph_node",
    "bind_fields",
    "bind_state",
    "build_async_registry",
    "build_extract_text_content_spec",
    "build_extract_text_content_workflow",
    "build_registry",
    "coalesce",
    "concat",
    "constant",
    "context",
    "context_path",
    "default_if_none",
    "exists",
    "expr",
    "extract_field",
    "extract_text_content",
    "filter_items",
    "filter_items_present",
    "first_item",
    "first_item_maybe",
    "first_item_or_none",
    "graph_path",
    "input",
    "input_expression",
    "input_from",
    "input_path",
    "input_value",
    "is_empty",
    "last_item",
    "last_item_or_none",
    "length",
    "merge_maps",
    "node",
    "not_",
    "outcome",
    "output_to",
    "pick_key",
    "pick_path",
    "project_fields",
    "reducer",
    "rename_fields",
    "runtime_error",
    "schema_ref_from",
    "state",
    "state_field",
    "state_path",
    "state_schema_from",
    "subgraph_node",
    "subgraph_ref",
    "truthy",
]


def __getattr__(name: str) -> Any:
    """Import what needs pydantic when it is asked for."""
    if name in _LAZY:
        return getattr(import_module(_LAZY[name]), name)
    ops = import_module("wf_authoring.ops")
    if name in ops.OP_NAMES or name in ops.MODEL_NAMES:
        return getattr(ops, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """List what can be imported, made or not."""
    return sorted(__all__)
